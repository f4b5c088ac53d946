"""One condition has one exit status, whichever command meets it."""

from pathlib import Path

import pytest
from command_line import run

from cpl.cli.commands import COMMANDS

READING: dict[str, tuple[str, ...]] = {
    "cplc": (),
    "cplc --emit tokens": (),
    "cplc --to c": (),
    "cpl check": (),
    "cpl run": (),
    "cpl trace": ("--call", "1"),
    "cpl fmt": (),
    "cpl html": (),
    "cpl latex": (),
    "cpl session": (),
    "cpl rules": (),
    "cpl perft": (),
    "cpl diff": ("strachey.cpl",),
    "cpl readings": ("--against", "strachey.cpl"),
}
"""The commands that read a program, and what else each needs."""
CANNOT_BE_WRONG = ("cplc --emit tokens", "cpl fmt", "cpl latex", "cpl html")
"""Those that take a text which does not compile."""
OF_FILES = ("play", "match", "analyse", "board", "pdn", "hub", "lsp", "cache", "repl", "copy")
"""The commands that read no program, or none by FILE."""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    for name, text in (("a.cpl", "F(x) = x\n"), ("wrong.cpl", "F(x) = y + Z\n"), ("fails.cpl", "WriteLine(1/0)\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "games.pdn").write_text('[Event "A"]\n\n1. 11-15 *\n', encoding="utf-8")
    return tmp_path


def test_every_command_is_in_a_row() -> None:
    named = {command.split()[1] for command in READING if command.startswith("cpl ")}
    assert named | {*OF_FILES} == {*COMMANDS}
    assert not named & {*OF_FILES}


@pytest.mark.parametrize("command", READING)
def test_a_file_that_is_not_there(command: str, texts: Path) -> None:
    done = run(*command.split(), "nowhere.cpl", *READING[command], cwd=texts, status=1)
    assert "nowhere.cpl" in done.stderr


@pytest.mark.parametrize("command", READING)
def test_a_text_that_is_not_utf8(command: str, texts: Path) -> None:
    (texts / "bytes.cpl").write_bytes(b"F(x) = \xff\n")
    run(*command.split(), "bytes.cpl", *READING[command], cwd=texts, status=1)


@pytest.mark.parametrize("command", [command for command in READING if command not in CANNOT_BE_WRONG])
def test_a_text_with_an_error(command: str, texts: Path) -> None:
    done = run(*command.split(), "wrong.cpl", *READING[command], cwd=texts, status=1)
    assert "unknown-name" in done.stderr


@pytest.mark.parametrize("command", ["cpl run", "cpl trace", "cpl session", "cpl perft", "cpl rules"])
def test_a_program_that_fails(command: str, texts: Path) -> None:
    (texts / "fails.cpl").write_text("StartPosition = 1/0\nLegalPositionsFrom(p) = NIL\n", encoding="utf-8")
    run(*command.split(), "fails.cpl", *READING[command], cwd=texts, status=1)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cpl rules a.cpl", "a.cpl defines no StartPosition and no LegalPositionsFrom"),
        ("cpl perft a.cpl", "a.cpl defines no StartPosition and no LegalPositionsFrom"),
        ("cpl readings a.cpl --against strachey.cpl", "a.cpl defines no LegalPositionsFrom"),
        ("cpl session a.cpl", "no examples were recorded with a.cpl"),
        ("cpl check a.cpl --type Nothing", "no definition has the name Nothing"),
        ("cpl trace a.cpl --call 1 --function Nothing", "there is no call of Nothing"),
        ("cpl diff a.cpl a.cpl --function Nothing", "no function Nothing is defined on both sides"),
        ("cpl run a.cpl --call Nothing", "Nothing is not defined"),
        ("cpl trace a.cpl --call Nothing", "Nothing is not defined"),
        ("cpl readings strachey.cpl --against strachey.cpl --moves Nothing", "strachey.cpl defines no Nothing"),
        ("cpl perft strachey.cpl --moves Nothing", "Nothing is not defined"),
        ("cpl perft strachey.cpl --moves StartPosition", "StartPosition is not a function"),
        ("cpl pdn games.pdn --number 9", "game 9"),
        ("cpl pdn games.pdn --board 9", "game 1 has 1 move, not 9"),
        ("cpl analyse games.pdn --ply 9", "game 1 of games.pdn has 1 ply"),
        ("cpl analyse games.pdn --number 9", "9"),
        ("cpl play --load games.pdn --number 9", "9"),
    ],
)
def test_what_a_file_lacks(command: str, said: str, texts: Path) -> None:
    done = run(*command.split(), cwd=texts, status=1)
    assert said in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "cpl pdn nowhere.pdn",
        "cpl analyse nowhere.pdn",
        "cpl analyse nowhere.pdn --all",
        "cpl play --load nowhere.pdn",
        "cpl play --replay nowhere.pdn",
        "cpl match random:1 random:2 --openings nowhere.pdn",
        "cpl session strachey.cpl --from nowhere.doctest",
        "cpl run a.cpl --library nowhere.cpl",
        "cpl copy nowhere.cpl folder",
        "cpl repl nowhere.cpl",
    ],
)
def test_other_files_that_are_not_there(command: str, texts: Path) -> None:
    done = run(*command.split(), cwd=texts, status=1)
    assert "nowhere" in done.stderr


@pytest.mark.parametrize("command", [*READING, *(f"cpl {name}" for name in OF_FILES)])
def test_an_option_that_is_not_known(command: str, texts: Path) -> None:
    run(*command.split(), "--nonsense", cwd=texts, status=2)
