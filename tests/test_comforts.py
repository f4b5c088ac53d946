"""Small comforts: colours on demand, all processors, names of commands in Python, pictures of one kind."""

import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from command_line import run

import cpl
from cpl import executors

PLAIN = {"NO_COLOR": "", "FORCE_COLOR": "", "TERM": "dumb"}
WRONG = "F(x) = y\n"


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "TERM": "xterm"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"NO_COLOR": "1"}, False),
    ],
)
def test_colours_are_there_if_they_are_forced(environment: dict[str, str], is_coloured: bool) -> None:
    with patch.dict(os.environ, {**PLAIN, **environment}):
        for done in (run("cpl", "check", "-", input=WRONG), run("cpl", "board"), run("cpl", "diff", "a", "a")):
            assert done.returncode in (0, 1)
        assert ("\x1b[" in run("cpl", "check", "-", input=WRONG).stderr) == is_coloured
        assert ("\x1b[" in run("cpl", "board", "--ascii").stdout) == is_coloured


@pytest.mark.parametrize("name", ["check", "compile", "fmt", "format", "readings", "run"])
def test_the_name_of_a_command_says_which_function_does_the_same(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"^module 'cpl' has no attribute '{name}'; .* is (\w+)\(") as caught:
        getattr(cpl, name)
    function = str(caught.value).partition(" is ")[2].partition("(")[0]
    assert isinstance(getattr(cpl, function), Callable)  # type: ignore[arg-type]


def test_what_is_listed_is_the_public_interface() -> None:
    assert dir(cpl) == sorted(cpl.__all__)


@pytest.mark.parametrize("name", ["x.png", "x.PDF", "x.tiff", "x.txt"])
def test_a_picture_of_another_kind_is_refused(name: str) -> None:
    done = run("cpl", "board", "-o", name, status=2)
    assert (
        done.stderr == f"cpl board: -o {name}: a picture is written as SVG and as nothing else: name the file OUT.svg\n"
    )
    assert not os.path.exists(name)


@pytest.mark.parametrize(
    "command",
    [
        ["diff", "strachey-original.cpl", "strachey.cpl", "--inputs", "5", "--format", "json"],
        ["readings", "strachey-original.cpl", "--against", "strachey.cpl", "--positions", "30", "--format", "json"],
    ],
)
def test_all_processors_give_what_one_gives(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    begin = executors._processes
    monkeypatch.setattr(executors, "_processes", lambda jobs: asked.append(jobs) or begin(jobs))
    monkeypatch.setattr("cpl.cli.diff.cores", lambda: 3)
    monkeypatch.setattr("cpl.cli.readings.cores", lambda: 3)
    several = run("cpl", *command)
    assert asked == [3]
    one = run("cpl", *command, "--jobs", "1")
    assert asked == [3]
    assert (several.stdout, several.stderr, several.returncode) == (one.stdout, one.stderr, one.returncode)


def test_the_processors_are_those_of_this_process() -> None:
    assert 1 <= executors.cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["cplc", "--to", "c", "a.cpl", "-o", "a.py"], "cplc: -o a.py: --to c writes C"),
        (["cpl", "pdn", "a.pdn", "-o", "b.pdn"], "cpl pdn: -o b.pdn: a list is not PDN: add --format pdn"),
        (["cpl", "pdn", "a.pdn", "--flip"], "cpl pdn: --flip is for a board"),
        (["cpl", "pdn", "a.pdn", "--no-remarks"], "cpl pdn: --no-remarks leaves remarks out"),
        (["cpl", "board", "-o", "b.svg", "--ascii"], "cpl board: --ascii is for a board as text"),
        (["cplc", "a.cpl", "--stanalone"], "unrecognized arguments: --stanalone; did you mean --standalone?"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_is_written(
    command: list[str], message: str, tmp_path: Path
) -> None:
    (tmp_path / "a.cpl").write_text("F(x) = x\n", encoding="utf-8")
    (tmp_path / "a.pdn").write_text("1. 11-15 *\n", encoding="utf-8")
    done = run(*command, cwd=tmp_path, fails=2)
    assert message in done.stderr and done.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cpl", "a.pdn"]


def test_help_tells_of_names_of_the_library() -> None:
    told = run("cpl", "help", "AsWritten").stdout
    assert told == "AsWritten(items …)\n\nWhat `Write` would print of the items, as a string.\n"
    assert "for the members x1 … xn" in run("cpl", "help", "Fold").stdout
    assert run("cpl", "help", "NoSuchName", fails=2).stdout == ""


def test_a_player_that_there_is_not_is_told_those_of_the_game() -> None:
    for game, has_program in (("checkers", False), ("strachey", True)):
        done = run("cpl", "play", "--game", game, "--white", "frobnicate", fails=2)
        assert ("strachey:N" in done.stderr) is has_program


def test_one_can_quit_where_a_draw_is_offered() -> None:
    done = run("cpl", "play", "--black", "me", "--white", "me", input="draw\nquit\n11-15\n")
    assert done.stdout.endswith("(yes or no) quit\nThe game is not finished.\n")
