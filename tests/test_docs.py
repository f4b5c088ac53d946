"""What the pages show has been run: commands, Python, and links; and docs/interface.md names what there is.

A change of the interface is a change for users. `pytest tests/test_docs.py --update-cases` writes its lists anew.
"""

import argparse
import doctest
import inspect
import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import cplrt
import pytest
from command_line import run, with_commands
from conftest import ROOT

import cpl
from cpl.cli import cpl as cpl_command
from cpl.cli import cplc as cplc_command
from cpl.compiler import loader, messages
from cpl.games.board import strachey

README = (ROOT / "README.md").read_text(encoding="utf-8")
LESSONS = ("docs/cpl-for-python-programmers.md", "docs/dialects.md")
SHOWN = {
    "README.md": 5,
    "docs/1952.md": 3,
    "docs/1965.md": 2,
    "docs/descriptions.md": 4,
    "docs/errors.md": 16,
    "docs/faults.md": 11,
    "docs/hub.md": 1,
    "docs/impossible-program.md": 4,
    "docs/macrogenerator.md": 9,
    "docs/pdn.md": 8,
    "docs/play.md": 4,
    "docs/readings.md": 16,
    "docs/tour.md": 19,
    "docs/transcriptions.md": 3,
    "docs/types.md": 5,
    LESSONS[0]: 14,
    LESSONS[1]: 4,
}
"""Pages whose console examples are run, and how many each has at least."""
LONG = {f"docs/{name}.md" for name in ("descriptions", "errors", "faults", "readings", "tour", "types")}


FOR_SHELLS = "|<>&;()"
"""With these a shell joins commands and files."""


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def written(command: str, folder: Path) -> str:
    """What a command of a page writes in this folder. One that needs no shell runs in this process, which is quick."""
    words = shlex.shlex(command, posix=True, punctuation_chars=FOR_SHELLS)
    words.whitespace_split = True
    words.commenters = ""
    name, *arguments = words
    if name in ("cpl", "cplc") and not any(argument[:1] in FOR_SHELLS for argument in arguments):
        done = run(name, *arguments, cwd=folder)
        return done.stderr + done.stdout

    done = subprocess.run(f"({command}) 2>&1", shell=True, cwd=folder, env=with_commands(), capture_output=True)
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("page", "least"),
    [pytest.param(page, least, marks=[pytest.mark.long] * (page in LONG)) for page, least in SHOWN.items()],
)
def test_console_examples(page: str, least: int, tmp_path: Path) -> None:
    """What stands in a block of CPL is in mine.cpl for the commands after it, and a text in mine.gpm; a difference is
    made where it says.
    """
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = 0
    for language, block in re.findall(r"^```(cpl|text|diff|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language in ("cpl", "text"):
            (tmp_path / ("mine.cpl" if language == "cpl" else "mine.gpm")).write_text(block, encoding="utf-8")
            continue
        if language == "diff":
            name, *lines = block.splitlines()
            old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] in (" ", sign)) for sign in "-+")
            file = tmp_path / name.removeprefix("--- ")
            before = file.read_text(encoding="utf-8")
            assert before.count(old) == 1, block
            file.write_text(before.replace(old, new), encoding="utf-8")
            continue
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, wanted = example.partition("\n")
            assert written(command, tmp_path).strip("\n") == wanted.strip("\n"), command
            commands += 1
    assert commands >= least


@pytest.mark.parametrize("page", LESSONS)
def test_the_examples_to_learn_from_are_in_the_style_of_fmt(page: str) -> None:
    for block in blocks("cpl", (ROOT / page).read_text(encoding="utf-8")):
        assert cpl.format_text(block) == block


def test_pages_have_every_cause_and_row_that_is_cited() -> None:
    text = (ROOT / LESSONS[0]).read_text(encoding="utf-8")
    to_read = re.sub(r"^<!-- task:.*?^</details>$|^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert len(to_read.split()) <= 2000  # in ten minutes; what is to be done takes longer
    assert README.count("\n") <= 170
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    misleading = page.partition("than the text seems to say:")[2].partition("Every way")[0]
    advice = page.partition("for `cpl check` and editors only:")[2].partition("`cpl help CODE`")[0]
    for cause in vars(messages).values():
        if isinstance(cause, messages.Cause):
            kind = " (a warning)" if cause.severity == "warning" else ""
            assert f"| `{cause.code}` | {cause.message}{kind} |" in page
            assert (f"`{cause.code}`" in misleading) == cause.misleads
            is_beside_errors = cause in messages.LANGUAGES
            is_advice = cause.severity == "warning" and not (cause.misleads or is_beside_errors)
            assert (f"`{cause.code}`" in advice) == is_advice
    evidence = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| ([A-Z]\d+a?b?) \|", evidence, re.MULTILINE))
    cited = set()
    for path in [
        *ROOT.glob("*/README.md"),
        *(ROOT / page for page in LESSONS),
        *(ROOT / "docs" / page for page in ("faults.md", "transcriptions.md", "types.md")),
        *ROOT.rglob("cpl/**/*.py"),
        *ROOT.rglob("cplrt/*.py"),
        ROOT / "grammar/cpl.lark",
    ]:
        text = path.read_text(encoding="utf-8")
        for group in re.findall(r"(?:evidence|[\[(|])((?:,? ?(?:rows? )?[A-Z]\d+[ab]?\b)+)", text):
            cited |= set(re.findall(r"[A-Z]\d+[ab]?", group))
    assert len(cited) > 20
    assert cited <= rows, cited - rows


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/descriptions.md",
        "docs/impossible-program.md",
        "docs/notebooks.md",
        "docs/pdn.md",
        "docs/play.md",
        "docs/tour.md",
    ],
)
def test_python_examples(page: str) -> None:
    """What an example defines is there for those below it."""
    names: dict[str, object] = {}
    examples = blocks("pycon", (ROOT / page).read_text(encoding="utf-8"))
    assert examples
    for block in examples:
        test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
        assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
        names = test.globs


def test_the_readme_shows_the_function_the_picture_and_the_commands() -> None:
    [shown] = blocks("python")
    source = loader.read(loader.find("strachey.cpl"))
    assert shown in cpl.compile_text(source.text, path=source.path).python
    # The move that the program of 1966 chooses first, as the project draws it.
    game = cpl.load("strachey.cpl")
    chosen = strachey(game.ChosenPosition(game.StartPosition), game.StartPosition)
    board = replace(chosen, arrows=[chosen.marked], caption="The program of 1966 plays 14–19. White to play.")
    assert (ROOT / "docs" / "pictures" / "first-move.svg").read_text(encoding="utf-8") == f"{board.svg()}\n"
    setup, test, site, notebooks = blocks("sh")
    assert README.index("docs/pictures/playground.png") < README.index(setup) < README.index(site) < README.index("## ")
    assert [command.count("\n") for command in (setup, test, site, notebooks)] == [1] * 4
    # PowerShell's are the same, but for the folder of the scripts and what joins commands.
    [powershell] = blocks("powershell")
    for command, same in zip((setup, test, site), powershell.splitlines(), strict=True):
        translated = (
            command.strip().replace("python3", "py").replace(" &&", ";").replace(".venv/bin/", ".venv\\Scripts\\")
        )
        assert same == translated
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"sed -n '(.*?)'", script)
    assert pattern
    done = subprocess.run(["sed", "-n", pattern[1], ROOT / "README.md"], capture_output=True, text=True, check=True)
    assert done.stdout == test
    folder = ROOT / "docs"
    targets = re.findall(r"\]\(([^)#:]+)", (folder / "README.md").read_text(encoding="utf-8"))
    named = {(folder / target).resolve() for target in targets}
    assert {page for page in folder.rglob("*.md") if page != folder / "README.md"} <= named


def texts() -> Iterator[tuple[Path, str]]:
    """The texts of the project."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [
            name for name in folders if name not in ("build", "dist", "node_modules") and not name.startswith(".")
        ]
        for path in (Path(folder) / name for name in names):
            with suppress(UnicodeDecodeError):
                yield path, path.read_text(encoding="utf-8")


def prose(path: Path, text: str) -> str:
    """A page, or what a notebook says between its cells, without examples."""
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(page: Path) -> set[str]:
    """Where a link may lead within a page: its headings, in the form that code hosts give them."""
    counts = dict[str, int]()
    for heading in re.findall(r"^#+ (.*)$", prose(page, page.read_text(encoding="utf-8")), re.MULTILINE):
        shown = re.sub(r"\]\([^)]*\)", "", heading)
        anchor = re.sub(r"[^\w -]", "", shown.lower()).replace(" ", "-")
        counts[anchor] = counts.get(anchor, -1) + 1
    return {f"{anchor}-{number}" if number else anchor for anchor, most in counts.items() for number in range(most + 1)}


def test_links_lead_somewhere() -> None:
    """Links of pages and notebooks, also to places within them; and the pages and programs that any text names."""
    followed = named = 0
    for path, text in texts():
        if path.suffix in (".md", ".ipynb"):
            outside_of_code = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", prose(path, text), flags=re.DOTALL)
            for link in re.findall(r"\]\(([^)]*)\)|\b(?:href|src)=\"([^\"]*)\"", outside_of_code):
                address, _, anchor = "".join(link).partition("#")
                if urlsplit(address).scheme:
                    continue
                goal = path.parent / address if address else path
                assert goal.exists(), f"{path}: {address}"
                assert not anchor or anchor in anchors(goal), f"{path}: {address}#{anchor}"
                followed += 1
        for name, anchor in re.findall(
            r"(?<![\w/.-])((?:docs|grammar|programs|editors|benchmarks)/[\w./-]+\.(?:md|cpl))\b(?:#([\w-]+))?", text
        ):
            goal = ROOT / name if (ROOT / name).exists() else path.parent / name
            assert goal.exists(), f"{path}: {name}"
            assert not anchor or anchor in anchors(goal), f"{path}: {name}#{anchor}"
            named += 1
    assert followed > 300
    assert named > 100


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
            if names and action.nargs == "?":
                value = f"[{value}]"
            repeated = " …" * (action.nargs in ("*", "+"))
            yield f"    {names or value}{f' {value}' if names and takes else ''}{repeated}"
    for name, subcommand in sorted(below.items()):
        yield f"{parser.prog} {name}"
        yield from options(subcommand)


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
            parameter.replace(annotation=parameter.empty)
            for parameter in signature.parameters.values()
            if parameter.name not in ("self", "cls")
        ]
        return re.sub(r"<[^<>]*>", "…", str(signature.replace(parameters=bare, return_annotation=signature.empty)))
    return ""


def form(values: list[Any], indent: str = "") -> str:
    """What several values at one place in JSON have in common, with words for texts and numbers. Where the keys of an
    object are data there is a … in their place.
    """
    dicts, lists = ([value for value in values if isinstance(value, kind)] for kind in (dict, list))
    words = []
    if dicts:
        keys = dict.fromkeys(key for value in dicts for key in value)
        if all(re.fullmatch("[a-z_]+(256)?", key) for key in keys):
            parts = {key: [value[key] for value in dicts if key in value] for key in keys}
        else:
            parts = {"…": [member for value in dicts for member in value.values()]}
        lines = [f"{key}: {form(parts_of, indent + '  ')}" for key, parts_of in parts.items()]
        short = f"{{{', '.join(lines)}}}"
        is_long = len(indent) + len(short) > 110 or "\n" in short
        words.append("\n".join(["{", *(f"{indent}  {line}" for line in lines), f"{indent}}}"]) if is_long else short)
    if lists:
        words.append(f"[{form([member for value in lists for member in value], indent)}]")
    kinds_found = {type(value) for value in values}
    words += [word for kinds, word in WORDS.items() if kinds_found & {*kinds}]
    return " or ".join(words)


WORDS = {(str,): "text", (int, float): "number", (bool,): "true/false", (type(None),): "null"}

FORMS = {
    "cplc --format-errors json": ["cplc wrong.cpl --format-errors json"],
    "cplc --emit map": ["cplc strachey.cpl --emit map"],
    "cpl session --format json": ["cpl session strachey.cpl --format json"],
    "cpl trace --format json": ["cpl trace strachey.cpl --call NextMoveDirection(4) --format json"],
    "cpl diff --format json": ["cpl diff strachey-original.cpl strachey.cpl --inputs 2 --format json"],
    "cpl readings --format json": [
        "cpl readings strachey-original.cpl --against strachey.cpl --positions 2 --format json",
        "cpl readings strachey-original.cpl --against strachey.cpl --positions 2 --cite --format json",
    ],
    "cpl rules --format json": ["cpl rules strachey.cpl --positions 20 --format json"],
    "cpl analyse --format json": [
        "cpl analyse B:W18,26:B11,K2 --depth 2 --format json",
        "cpl analyse B:W18:B14 --depth 2 --format json",
    ],
    "cpl analyse --all --format json": [
        "cpl analyse games.pdn --all --depth 1 --format json",
        "cpl analyse missed.pdn --all --depth 3 --format json",
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
    (folder / "missed.pdn").write_text('[FEN "B:W17,25:B14,22"] 1. 22x29 *\n\n1. 9-13 9-13 *\n')
    for name, examples in FORMS.items():
        results = []
        for example in examples:
            done = run(*example.split(), cwd=folder)
            results.append(json.loads(done.stdout or done.stderr))
        yield f"{name}\n{form(results)}"


LISTS_OF = {
    "commands": lambda _: "\n".join(commands()),
    "cpl": lambda _: "\n".join(names(cpl)),
    "cplrt": lambda _: "\n".join(names(cplrt)),
    "json": lambda folder: "\n\n".join(forms(folder)),
}


@pytest.mark.parametrize("part", ["commands", "cpl", "cplrt", pytest.param("json", marks=pytest.mark.long)])
def test_the_interface_is_what_the_page_says(part: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    lines = LISTS_OF[part](tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    if request.config.getoption("--update-cases"):
        page = LISTS.sub(lambda match: f"{match[1]}{lines}\n{match[4]}" if match[2] == part else match[0], page)
        PAGE.write_text(page, encoding="utf-8")
        return
    assert {match[2]: match[3].strip() for match in LISTS.finditer(page)}[part] == lines
