"""The games as WebAssembly, in Node.js: moves and values are those of native code, and what C gives up ends well."""

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import ROOT

from cpl.compiler.c.toolchain import compiler
from cpl.editors.browser import games as answers
from cpl.games.analysis import Limits, search
from cpl.games.game import use
from cpl.games.live import LiveGame
from cpl.games.playable import game_of
from cpl.games.position import SQUARES

POSITIONS = 100
"""Of each game."""
DEPTH = 7
PLAYERS = {
    "checkers": ["alphabeta:3", "minimax:2", "hint"],
    "strachey": ["alphabeta:3", "strachey:2", "strachey:0", "hint"],
}
ENDING = "W:WK18,K23:BK2,K4,K11"
STARTED = [253_920, 1_097_229_926_400, 0, 1]

Ask = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def ask(built: Path) -> Ask:
    """Puts questions to the engine of the site."""
    [programs] = (built / "native").iterdir()
    script = [ROOT / "tests/javascript/engine.mjs", ROOT / "docs/site/scripts/engine", programs]

    def asked(*questions: dict[str, Any], flags: Sequence[str] = ()) -> list[Any]:
        command = ["node", *flags, *script]
        done = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        found: list[Any] = json.loads(done.stdout)
        return found

    return asked


@pytest.fixture
def in_c() -> Iterator[None]:
    if not compiler():
        pytest.skip("there is no C compiler")
    use("native")
    yield
    use("fastest")


def games_at_random(name: str, count: int) -> Iterator[LiveGame]:
    """Games that are at all stages, and are not over."""
    random = Random(name)
    while count:
        live = LiveGame(game_of(name), {})
        for _ in range(random.randrange(90)):
            if live.end:
                break
            live.play(random.choice(live.moves()))
        if not live.end:
            count -= 1
            yield live


@pytest.mark.usefixtures("in_c")
@pytest.mark.parametrize("name", ["checkers", "strachey"])
def test_moves_and_values_are_those_of_native_code(ask: Ask, name: str) -> None:
    lives = [*games_at_random(name, POSITIONS - 1)]
    ending = game_of(name).from_fen(ENDING)
    lives.append(LiveGame(ending.game, {}, first=ending))
    questions = []
    for live in lives:
        texts = [*map(live.game.text, live.played)]
        fen = "" if live is not lives[-1] else ENDING
        about = {"game": name, "fen": fen, "moves": texts}
        questions.append({"ask": "position", **about, "depth": DEPTH, "lines": 2, "players": PLAYERS[name]})

    for question, found, live in zip(questions, ask(*questions), lives, strict=True):
        about = {key: question[key] for key in ("game", "fen", "moves")}
        expected = answers.state(**about, flipped=False)
        state = found["state"]
        for key in ("side", "legal", "counts", "fen", "end"):
            assert state[key] == expected[key], about
        assert found["chosen"] == [answers.choose(**about, player=each) for each in question["players"]], about
        analysis = search(live.state, Limits(DEPTH), 2)
        assert (found["depth"], found["positions"]) == (analysis.depth, analysis.nodes), about
        lines = [
            (float(line["value"].replace("Infinity", "inf")), line["plies"], line["moves"]) for line in found["lines"]
        ]
        assert lines == [(line.value, line.plies, [*map(live.game.text, line.moves)]) for line in analysis.lines], about


def test_a_game_ends_as_it_does_in_python(ask: Ask) -> None:
    shuffle = ["1-6", "32-28", "6-1", "28-32"]
    ends = [
        ("checkers", "B:WK32:BK1", shuffle * 2),
        ("strachey", "B:WK32:BK1", shuffle * 2),
        ("checkers", "W:W32:B", []),
        ("strachey", "B:W22:B26", []),
        ("checkers", "B:W14:B9,5", ["9x18"]),
    ]
    questions = [
        {"ask": "position", "game": game, "fen": fen, "moves": moves, "depth": 1, "lines": 1, "players": []}
        for game, fen, moves in ends
    ]
    for (game, fen, moves), found in zip(ends, ask(*questions), strict=True):
        assert found["state"]["end"] == answers.state(game, fen, moves, flipped=False)["end"], (game, fen)


DEEP = {"name": "MiniMaxMove", "given": [[STARTED, 0, 0], 100_000, [1] * 10]}


@pytest.mark.parametrize(
    ("flags", "settings", "call", "reason"),
    [
        ([], {"stack": 4000}, DEEP, "functions called each other too deeply"),
        (["--stack-size=120"], {}, DEEP, "functions called each other too deeply"),  # the stack of the browser itself
        ([], {}, DEEP, "it took too much memory"),
        ([], {"stack": (1 << 20) + 1}, DEEP, "it took too much memory"),  # more than there is
        ([], {"stack": 1 << 40}, DEEP, "it took too much memory"),
        ([], {}, {"name": "Steps", "given": [STARTED, 1000]}, "a number grew beyond 64 bits"),
        ([], {}, {"name": "Moves", "given": ["start"]}, "a value was of another type than expected"),
    ],
)
def test_what_c_gives_up_ends_with_its_reason_and_the_next_call_works(
    ask: Ask, flags: list[str], settings: dict[str, int], call: dict[str, Any], reason: str
) -> None:
    next_call = {"name": "Count", "given": [7]}
    calls = [next_call, call, next_call, call, next_call]
    [answers] = ask({"ask": "calls", "game": "checkers", "calls": calls, **settings}, flags=flags)
    assert answers == [{"value": 3}, {"reason": reason}, {"value": 3}, {"reason": reason}, {"value": 3}]


def test_what_came_later_is_there_after_the_stack_of_the_browser_was_at_its_end(ask: Ask) -> None:
    first, *_, last = SQUARES
    own, other = 1 << first, 1 << last
    known = {"name": "Known", "given": [[own, other, own | other, 1]]}
    calls = [known, DEEP, known]
    question = {"ask": "calls", "game": "checkers", "calls": calls, "isComplete": True}
    [answers] = ask(question, flags=["--stack-size=120"])
    reason = {"reason": "functions called each other too deeply"}
    assert answers == [{"value": -1}, reason, {"value": -1}]


def test_it_looks_deep_in_a_second(ask: Ask, measured: Callable[[str], None]) -> None:
    """Half of what is aimed at on an idle machine: 200,000 positions a second, from the first call on."""
    for name in ("checkers", "strachey"):
        [found] = ask({"ask": "speed", "game": name, "seconds": 1})
        speed = found["positions"] / found["seconds"]
        measured(f"{name} in Node.js, in a second: {found['depth']} plies, {speed:,.0f} positions/s")
        assert found["depth"] >= 10
        assert speed >= 100_000
