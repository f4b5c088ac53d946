"""Options that would do nothing are refused, by one table."""

import argparse
import re
from pathlib import Path

import pytest
from command_line import run

from cpl.cli.applicable import RULES, work
from cpl.cli.commands import COMMANDS, CPLC
from cpl.cli.options import add_all, new_parser

WORKS = {
    "packaged": ["--list"],
    "tokens": ["--emit", "tokens"],
    "surface": ["--emit", "surface"],
    "core": ["--emit", "core"],
    "map": ["--emit", "map"],
    "c": ["--to", "c"],
    "native": ["--native", "-o", "out"],
    "python": [],
}
OPTIONS = {
    "-o": ["-o", "out"],
    "-O": ["-O"],
    "--standalone": ["--standalone"],
    "--repair": ["--repair"],
    "--without": ["-O", "--without", "inline"],
    "--explain": ["--native", "--explain"],
    "--no-format": ["--no-format"],
    "--library": ["--library", "more.cpl"],
    "--reading": ["--reading", "arithmetic"],
    "--format-errors": ["--format-errors", "json"],
}
APPLY = {
    "packaged": "",
    "tokens": "-o --format-errors",
    "surface": "-o --format-errors --repair --library --reading",
    "core": "-o -O --format-errors --repair --library --reading --without",
    "map": "-o -O --format-errors --repair --library --reading --without --standalone --no-format",
    "python": "-o -O --format-errors --repair --library --reading --without --standalone --no-format --explain",
    "c": "-o -O --format-errors --repair --library --reading",
    "native": "-o -O --format-errors --repair --library --reading --no-format --explain",
}
"""With `--explain` comes `--native`, which makes the work of Python that of C."""


@pytest.mark.parametrize("kind", WORKS)
def test_cplc_takes_the_options_that_its_work_has_and_no_others(kind: str, tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text("F(x) = x + 1\n", encoding="utf-8")
    (tmp_path / "more.cpl").write_text("G(x) = x\n", encoding="utf-8")
    file = [] if kind == "packaged" else ["a.cpl"]
    assert work(parsed([*file, *WORKS[kind]])) == kind
    for option, words in OPTIONS.items():
        applies = option in APPLY[kind].split()
        done = run("cplc", *file, *WORKS[kind], *words, cwd=tmp_path, status=0 if applies else 2)
        if not applies:
            assert done.stdout == ""
            found = re.fullmatch(r"cplc: (-\S+) does not apply to (.+)\n", done.stderr)
            assert found, done.stderr
            assert found[1] in (*words, *WORKS[kind])
            assert found[2] in (" ".join(WORKS[kind]), "--native")


def parsed(words: list[str]) -> argparse.Namespace:
    parser = new_parser("cplc", "Compile.")
    add_all(parser, CPLC)
    return parser.parse_args(words)


@pytest.mark.parametrize("name", [name for name in RULES if name != "cplc"])
def test_the_options_of_a_rule_are_options_of_the_command(name: str) -> None:
    parser = new_parser(name, "Do something.")
    add_all(parser, COMMANDS[name])
    known = {option for action in parser._actions for option in action.option_strings}
    assert {option for rule in RULES[name] for option in rule.options} <= known


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cplc a.cpl --list", "cplc: FILE does not apply to --list\n"),
        ("cplc a.cpl --without inline", "cplc: --without leaves out a pass of -O, which is missing\n"),
        ("cplc a.cpl --explain", "cplc: --explain goes with --native\n"),
        ("cplc --native --emit core a.cpl", "cplc: --emit does not apply to --native\n"),
        (
            "cplc --native strachey.cpl",
            "cplc: --native needs -o NAME, where NAME is",
        ),
        ("cpl analyse -o x.pdn", "cpl analyse: -o is for the games of --all\n"),
        ("cpl fmt strachey.cpl --stdin-filename x", "cpl fmt: --stdin-filename names standard input"),
        (
            "cpl match random:1 random:2 --resume",
            "cpl match: --resume continues the match in a file: name it with --pdn\n",
        ),
        ("cpl perft --game checkers --start S", "cpl perft: --start is for a FILE, and a game has its own\n"),
        (
            "cpl play --number 2",
            "cpl play: --number says which game of a file",
        ),
        ("cpl rules strachey.cpl --depth 2 --seed 5", "cpl rules: --seed is for positions drawn by chance"),
        (
            "cpl trace strachey.cpl --call 1 --format json --depth 2",
            "cpl trace: --depth chooses what is printed",
        ),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(command: str, said: str) -> None:
    done = run(*command.split(), status=2)
    assert (done.stderr[: len(said)], done.stdout) == (said, "")


@pytest.mark.parametrize("command", ["cplc", "cpl run", "cpl html", "cpl session"])
def test_a_second_text_is_refused_by_name(command: str) -> None:
    done = run(*command.split(), "strachey.cpl", "checkers.cpl", status=2)
    assert done.stderr.endswith(f"{command}: error: one text at a time: checkers.cpl is a second FILE\n")
    assert done.stdout == ""
