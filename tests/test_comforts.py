"""Small comforts: colours on demand, all processors, names of commands in Python, pictures of one kind."""

import os
from collections.abc import Callable
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
