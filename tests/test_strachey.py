"""The program of 1966: games that Python plays with it, and the 44 recorded examples in every form."""

import doctest
import random
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from cplrt import Logical

import cpl
from cpl.games.game import program
from cpl.games.strachey import Strachey

CROWNING = (Logical([28]), Logical([32, 33]), Logical(0), 1)
"""Black captures a man and is crowned; White has one man left."""


def rules() -> Any:
    return program(Strachey.source)


def play(strategies: Any = None, position: Any = None, trace: bool = True, **limits: int) -> Any:
    return rules().Play(strategies, position, trace, **limits)


def at_random(seed: int) -> Any:
    chance = random.Random(seed)
    return lambda position: chance.choice(rules().LegalPositionsFrom(position))


def test_the_trace_shows_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    winner, last = play(position=(Logical([5]), Logical([10, 19, 28]), Logical(0), 1))
    assert (winner, last) == (1, (Logical(0), Logical([33]), Logical(0), -1))
    shown = capsys.readouterr().out.splitlines()
    assert [line for line in shown if line.endswith("to play.")] == ["Black to play.", "White to play."]
    assert shown[0] == "|   | 5b|   | 6 |   | 7 |   | 8 |"
    assert shown[15] == "|   |32 |   |33b|   |34 |   |35 |"
    play(position=CROWNING, trace=False, plies=3)
    assert capsys.readouterr().out == ""


def test_each_side_has_its_strategy_and_invalid_answers_lose() -> None:
    asked = []

    def noted(side: int) -> Any:
        strategy = at_random(side)
        return lambda position: asked.append((side, position[3])) or strategy(position)

    winner, last = play({1: noted(1), -1: noted(-1)}, trace=False)
    assert asked == [(1, 1), (-1, -1)] * (len(asked) // 2) + [(1, 1)] * (len(asked) % 2)
    assert (winner, rules().LegalPositionsFrom(last)) == (-last[3], [])
    for side in (1, -1):
        assert play({side: rules().ChosenPosition, -side: at_random(7)}, trace=False)[0] == side
    start = rules().StartPosition
    for answer in ("Resign", [], None, CROWNING):
        bad = {1: lambda _, answer=answer: answer, -1: at_random(1)}
        assert play(bad, trace=False) == (-1, start)
        winner, last = play({1: at_random(1), -1: bad[1]}, trace=False)
        assert (winner, last in rules().LegalPositionsFrom(start)) == (1, True)
    start = rules().StartPosition
    assert play(trace=False, plies=0) == (0, start)
    assert play(trace=False, plies=1) == (0, rules().ChosenPosition(start))
    lost = (Logical(0), Logical([33]), Logical(0), -1)
    assert play(position=lost, trace=False, plies=0) == (1, lost)
    kings = (Logical([5]), Logical([39]), Logical([5, 39]), 1)
    assert play(position=kings, trace=False)[0] == 0


def test_the_loaded_program_plays_as_the_reproduction_calls_it(tmp_path: Path) -> None:
    """By its path in the checkout, and by its name from anywhere; other programs play otherwise."""
    game = cpl.load(ROOT / "programs" / "strachey.cpl")
    strategies = {game.Black: game.ChosenPosition, game.White: game.ChosenPosition}
    assert game.Play(strategies, P=CROWNING, trace=False, plies=3) == play(position=CROWNING, trace=False, plies=3)
    script = "import cpl; print(cpl.load('strachey.cpl').Play(plies=1)[0])"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.count("to play.\n") == 2 and done.stdout.endswith("\n0\n")
    (tmp_path / "own.cpl").write_text("let PrintPosition[P] be finish\n", encoding="utf-8")
    assert not hasattr(cpl.load(tmp_path / "own.cpl"), "Play")


SESSION = ROOT / "programs" / "strachey.doctest"
EXAMPLES = 44


def replay(names: dict[str, Any]) -> doctest.TestResults:
    return doctest.testfile(str(SESSION), module_relative=False, globs=names, optionflags=doctest.NORMALIZE_WHITESPACE)


FORMS = {
    "a module": lambda path: runpy.run_path(str(path)),
    "loaded": lambda _: dict(vars(cpl.load("strachey.cpl"))),
}


def compiled(**options: bool) -> str:
    path = ROOT / "programs" / "strachey.cpl"
    return cpl.compile_text(path.read_text(encoding="utf-8"), path=str(path), **options).python


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_examples_hold(form: Callable[[Path], dict[str, Any]], tmp_path: Path) -> None:
    out = tmp_path / "out.py"
    out.write_text(compiled(), encoding="utf-8")
    assert replay(form(out)) == (0, EXAMPLES)


def test_standing_alone_under_bare_python(tmp_path: Path) -> None:
    """No installed package can be seen: -I keeps the user's out, -S all others."""
    out = tmp_path / "out.py"
    out.write_text(compiled(standalone=True), encoding="utf-8")
    assert "cplrt import" not in out.read_text(encoding="utf-8")
    script = (
        "import doctest, runpy; print(doctest.testfile("
        f"{str(SESSION)!r}, module_relative=False, globs=runpy.run_path({str(out)!r}), "
        "optionflags=doctest.NORMALIZE_WHITESPACE))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"TestResults(failed=0, attempted={EXAMPLES})"
