"""What docs/interface.md promises is what there is: commands, options, names, parameters and forms of JSON.

A change here is a change for users. `pytest tests/test_interface.py --update-cases` writes the lists anew.
"""

import argparse
import inspect
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import cplrt
import pytest
from command_line import run
from conftest import ROOT

import cpl
from cpl.cli import cpl as cpl_command
from cpl.cli import cplc as cplc_command

PAGE = ROOT / "docs/interface.md"
LISTS = re.compile(r"(<!-- (\w+) -->\n```text\n)(.*?)(```\n)", re.DOTALL)


def parsers(command: Callable[[list[str]], int]) -> argparse.ArgumentParser:
    """The parser with which a command shows its help."""
    shown: list[argparse.ArgumentParser] = []
    with (
        patch.object(argparse.ArgumentParser, "print_help", lambda self, *_: shown.append(self)),
        redirect_stdout(StringIO()),
        suppress(SystemExit),
    ):
        command(["--help"])
    return shown[0]


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """A line for each option and argument of a command; then its subcommands."""
    below: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = action.choices
        elif action.help != argparse.SUPPRESS and "--help" not in action.option_strings:
            names = ", ".join(action.option_strings)
            value = action.metavar or (
                f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper()
            )
            takes = action.nargs != 0
            many = " …" * (action.nargs in ("*", "+"))
            yield f"    {names or value}{f' {value}' if names and takes else ''}{many}"
    for name, inner in sorted(below.items()):
        yield f"{parser.prog} {name}"
        yield from options(inner)


def commands() -> Iterator[str]:
    for name, command in (("cplc", cplc_command.main), ("cpl", cpl_command.main)):
        yield name
        yield from options(parsers(command))


def names(module: ModuleType) -> Iterator[str]:
    """The public names of a module: functions with their parameters, classes with what their values have."""
    for name in sorted(module.__all__):
        value = getattr(module, name)
        yield f"{name}{parameters(value)}"
        if inspect.isclass(value) and not issubclass(value, Exception):
            for member in sorted({*dir(value), *attributes(value)} - {*dir(object), *dir(list)}):
                if not member.startswith("_"):
                    yield f"    .{member}{parameters(inspect.getattr_static(value, member, None))}"


def attributes(of: type) -> set[str]:
    return {name for base in of.__mro__ for name in inspect.get_annotations(base)}


def parameters(of: object) -> str:
    if isinstance(of, staticmethod | classmethod):
        of = of.__func__
    if not (inspect.isfunction(of) or inspect.isclass(of)):
        return ""
    if fields := getattr(of, "__record_fields__", ()):
        return f"({', '.join(fields)})"
    with suppress(ValueError):
        signature = inspect.signature(of)
        bare = [
            each.replace(annotation=each.empty)
            for each in signature.parameters.values()
            if each.name not in ("self", "cls")
        ]
        return re.sub(r"<[^<>]*>", "…", str(signature.replace(parameters=bare, return_annotation=signature.empty)))
    return ""


def form(values: list[Any], indent: str = "") -> str:
    """What several values at one place in JSON have in common, with words for texts and numbers. Where the keys of an
    object are data there is a … in their place.
    """
    dicts, lists = ([each for each in values if isinstance(each, kind)] for kind in (dict, list))
    words = []
    if dicts:
        keys = dict.fromkeys(key for each in dicts for key in each)
        if all(re.fullmatch("[a-z_]+", key) for key in keys):
            parts = {key: [each[key] for each in dicts if key in each] for key in keys}
        else:
            parts = {"…": [value for each in dicts for value in each.values()]}
        inner = [f"{key}: {form(found, indent + '  ')}" for key, found in parts.items()]
        short = f"{{{', '.join(inner)}}}"
        is_long = len(indent) + len(short) > 110 or "\n" in short
        words.append("\n".join(["{", *(f"{indent}  {each}" for each in inner), f"{indent}}}"]) if is_long else short)
    if lists:
        words.append(f"[{form([one for each in lists for one in each], indent)}]")
    found = {type(each) for each in values}
    words += [word for kinds, word in WORDS.items() if found & {*kinds}]
    return " or ".join(words)


WORDS = {(str,): "text", (int, float): "number", (bool,): "true/false", (type(None),): "null"}

FORMS = {
    "cplc --format-errors json": ["cplc wrong.cpl --format-errors json"],
    "cplc --emit map": ["cplc strachey.cpl --emit map"],
    "cpl session --format json": ["cpl session strachey.cpl --format json"],
    "cpl trace --format json": ["cpl trace strachey.cpl --call NextMoveDirection(4) --format json"],
    "cpl diff --format json": ["cpl diff strachey-original.cpl strachey.cpl --inputs 2 --format json"],
    "cpl readings --format json": [
        "cpl readings strachey-original.cpl --against strachey.cpl --positions 2 --format json"
    ],
    "cpl rules --format json": ["cpl rules strachey.cpl --positions 20 --format json"],
    "cpl analyse --format json": [
        "cpl analyse B:W18,26:B11,K2 --depth 2 --format json",
        "cpl analyse B:W18:B14 --depth 2 --format json",
    ],
    "cpl match --format json": [
        "cpl match random:1 random:2 --games 1 --format json",
        "cpl match random:1 random:2 --games 1 --adjudicate 2,10 --plies 9 --fen B:W18:B14 --format json",
    ],
    "cpl pdn --format json": ["cpl pdn games.pdn --format json"],
}
"""Commands that print JSON, with examples that show its form."""


def forms(folder: Path) -> Iterator[str]:
    (folder / "wrong.cpl").write_text("F(x) = (x\nG(x) = y\n")
    run("cpl", "match", "random:1", "random:2", "--games", "1", "--pdn", folder / "games.pdn")
    for name, examples in FORMS.items():
        found = []
        for example in examples:
            done = run(*example.split(), cwd=folder)
            found.append(json.loads(done.stdout or done.stderr))
        yield f"{name}\n{form(found)}"


LISTS_OF = {
    "commands": lambda _: "\n".join(commands()),
    "cpl": lambda _: "\n".join(names(cpl)),
    "cplrt": lambda _: "\n".join(names(cplrt)),
    "json": lambda folder: "\n\n".join(forms(folder)),
}


@pytest.mark.parametrize("part", ["commands", "cpl", "cplrt", pytest.param("json", marks=pytest.mark.long)])
def test_the_interface_is_what_the_page_says(part: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    found = LISTS_OF[part](tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    if request.config.getoption("--update-cases"):
        page = LISTS.sub(lambda each: f"{each[1]}{found}\n{each[4]}" if each[2] == part else each[0], page)
        PAGE.write_text(page, encoding="utf-8")
        return
    assert {each[2]: each[3].strip() for each in LISTS.finditer(page)}[part] == found
