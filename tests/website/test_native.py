"""The games as WebAssembly, in Node.js: moves and values are those of native code, and what C gives up ends well."""

import json
import re
import subprocess
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import ROOT

from cpl.compiler.c.toolchain import compiler
from cpl.editors.browser import games as answers
from cpl.games.analysis import Limits, search
from cpl.games.game import Turn, use
from cpl.games.live import LiveGame
from cpl.games.moves import BadMove, is_capture
from cpl.games.playable import NAMES, game_of
from cpl.games.position import SQUARES, BadFen, FenWarning

POSITIONS = 100
"""Of each game of draughts,"""
OTHERS = 40
"""of each other game,"""
TEXTS = 30
"""and those at which texts of moves and positions are compared."""
DEPTH = 7
PLAYERS = ["alphabeta:3", "minimax:2", "hint"]
OWN_PLAYERS = {"strachey": ["strachey:2", "strachey:0"]}
DRAUGHTS = ["checkers", "strachey"]
"""The games whose positions have a FEN."""
ENDING = "W:WK18,K23:BK2,K4,K11"
SHUFFLED = "the same position for the third time"
IDLE = "50 moves of each without progress"
WALKS = {
    ("checkers", ""): set[str](),
    ("strachey", ""): set[str](),
    ("checkers", "B:WK32:BK1"): {SHUFFLED, "50 moves of each without a capture or without a man's advance"},
    ("strachey", "B:WK32:BK1"): {SHUFFLED, IDLE},
    ("strachey", "B:WK29,K32:BK1,K4"): {IDLE},
    ("checkers", "W:W32:B"): {"black cannot move"},
    ("strachey", "B:W22:B26"): set[str](),
    ("checkers", "B:W14:B9,5"): set[str](),
    ("simple-checkers", ""): set[str](),
    ("capture", ""): set[str](),
}
"""Games, where they begin, and ends that they come to, among others."""
SIGNS = "0123456789-x:,KWBkwb \n\t.abcdefgh\ufeff\x85\x1f\xa0٣²３−–"
"""Signs that may be wrong in a move or a position: some are blanks in one language only, or digits of other scripts."""
HOSTILE = [
    "",
    " ",
    "-",
    "x",
    "__proto__",
    "constructor",
    "9" * 10_000,
    "1-" * 10_000,
    "B:W:B",
    "B:W1:B1",
    "W:WK:B",
    "B:W33:B0",
]
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


def shown(state: dict[str, Any]) -> dict[str, Any]:
    """The rows of an answer that both have."""
    return {key: state[key] for key in ("side", "legal", "counts", "fen", "end")}


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
@pytest.mark.parametrize("name", NAMES)
def test_moves_and_values_are_those_of_native_code(ask: Ask, name: str) -> None:
    lives = [("", live) for live in games_at_random(name, (POSITIONS if name in DRAUGHTS else OTHERS) - 1)]
    if name in DRAUGHTS:
        ending = game_of(name).from_fen(ENDING)
        lives.append((ENDING, LiveGame(ending.game, {}, first=ending)))
    players = [*PLAYERS, *OWN_PLAYERS.get(name, [])]
    questions = []
    for fen, live in lives:
        about = {"game": name, "fen": fen, "moves": [*map(live.game.text, live.played)]}
        questions.append({"ask": "position", **about, "depth": DEPTH, "lines": 2, "players": players})

    for question, found, (_, live) in zip(questions, ask(*questions), lives, strict=True):
        about = {key: question[key] for key in ("game", "fen", "moves")}
        expected = answers.state(**about, flipped=False)
        assert shown(found["state"]) == shown(expected), about
        assert found["chosen"] == [answers.choose(**about, player=each) for each in question["players"]], about
        analysis = search(live.state, Limits(DEPTH), 2)
        assert (found["depth"], found["positions"]) == (analysis.depth, analysis.nodes), about
        lines = [
            (float(line["value"].replace("Infinity", "inf")), line["plies"], line["moves"]) for line in found["lines"]
        ]
        assert lines == [(line.value, line.plies, [*map(live.game.text, line.moves)]) for line in analysis.lines], about


@pytest.mark.parametrize(("name", "fen"), [*WALKS])
def test_a_game_goes_and_ends_as_it_does_in_python(ask: Ask, name: str, fen: str) -> None:
    """At each ply of games in which moves are played at random, or go where nobody was before."""
    reasons = set()
    for seed in range(8):
        live = walked(name, fen, Random(f"{name} {seed}"), is_wandering=seed % 2 == 0)
        texts = [*map(live.game.text, live.played)]
        [states] = ask({"ask": "walk", "game": name, "fen": fen, "moves": texts})
        for ply, state in enumerate(states):
            assert shown(state) == shown(answers.state(name, fen, texts[:ply], flipped=False)), (fen, texts[:ply])
        assert live.end
        reasons.add(live.end.why)
    assert reasons >= WALKS[name, fen]


def walked(name: str, fen: str, random: Random, is_wandering: bool) -> LiveGame:
    """A whole game of moves at random. Those who wander avoid captures, and go where they were not before."""
    game = game_of(name)
    live = LiveGame(game, {}, first=game.from_fen(fen) if fen else None)
    seen: Counter[str] = Counter()
    while not live.end:
        moves = live.moves()
        random.shuffle(moves)
        if is_wandering:
            moves.sort(key=lambda move: _worry(game.play(live.state, move), seen))
        live.play(moves[0])
        seen[str(live.state.pieces)] += 1
    return live


def _worry(turn: Turn, seen: Counter[str]) -> tuple[bool, int]:
    """What one who wanders minds about a position: that a piece can be captured there, and how often it was there."""
    return any(map(is_capture, turn.legal)), seen[str(turn.pieces)]


@pytest.mark.parametrize("name", NAMES)
def test_a_text_means_the_move_that_it_means_to_python_or_is_left_to_python(ask: Ask, name: str) -> None:
    questions = []
    random = Random(f"texts {name}")
    for live in games_at_random(name, TEXTS):
        usual = live.texts()
        strange = [random.choice(HOSTILE), *(garbled(random.choice(usual), random) for _ in range(30))]
        shorter = ["-".join(re.split("[-x]", text)[:: len(re.split("[-x]", text)) - 1]) for text in usual]
        about = {"game": name, "fen": "", "moves": [*map(live.game.text, live.played)]}
        questions.append({"ask": "understand", **about, "texts": usual + shorter + strange})

    meant = 0
    for question, found in zip(questions, ask(*questions), strict=True):
        about = {key: question[key] for key in ("game", "fen", "moves")}
        legal = {move["text"] for move in answers.state(**about, flipped=False)["legal"]}
        for text, move in zip(question["texts"], found, strict=True):
            if move is None:
                assert text not in legal, (about, text)
            else:
                meant += text not in legal
                assert move == in_python(partial(answers.understand, **about, typed=text)), (about, text)
    assert meant


@pytest.mark.parametrize("name", DRAUGHTS)
def test_a_fen_is_the_position_that_it_is_to_python_or_is_left_to_python(ask: Ask, name: str) -> None:
    random = Random(f"positions {name}")
    usual = [game_of(name).to_fen(live.state) for live in games_at_random(name, TEXTS)]
    usual += [scattered(random) for _ in range(TEXTS)]
    fens = [*usual, *HOSTILE, *(garbled(random.choice(usual), random) for _ in range(10 * TEXTS))]
    [found] = ask({"ask": "fens", "game": name, "fens": fens})
    read = 0
    for fen, state in zip(fens, found, strict=True):
        if state is None:
            assert fen not in usual
        elif fen:  # else it is the usual start
            read += fen not in usual
            expected = in_python(partial(answers.state, name, fen, [], flipped=False))
            assert expected, fen
            assert shown(state) == shown(expected), fen
    assert read


def in_python(answer: Callable[[], Any]) -> Any:
    """The answer of Python, None if it refuses to answer, or warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FenWarning)
        try:
            return answer()
        except (BadMove, BadFen, FenWarning):
            return None


def scattered(random: Random) -> str:
    """A position of some men and kings, no man of which stands where he is crowned."""
    squares = random.sample(range(1, 33), random.randrange(1, 20))
    sides: dict[str, list[tuple[int, str]]] = {"W": [], "B": []}
    for square in squares:
        side = random.choice("WB")
        is_crowned = square <= 4 if side == "W" else square > 28
        king = "K" if is_crowned or random.random() < 0.3 else ""
        sides[side].append((square, f"{king}{square}"))
    white, black = (",".join(piece for _, piece in sorted(side)) for side in sides.values())
    return f"{random.choice('WB')}:W{white}:B{black}"


def garbled(text: str, random: Random) -> str:
    """A text with one to three signs that are put in, left out, or in the place of others."""
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(["", random.choice(SIGNS)]) + text[at + random.randrange(2) :]
    return text


TOO_DEEP = "functions called each other too deeply"
TOO_LARGE = "it took too much memory"
DEEP = {"name": "MiniMaxMove", "given": [None, 100_000, [1] * 10]}


@pytest.mark.parametrize(
    ("flags", "settings", "call", "reason"),
    [
        ([], {"stack": 4000}, DEEP, TOO_DEEP),
        (["--stack-size=120"], {}, DEEP, TOO_DEEP),  # the stack of the browser itself
        ([], {}, DEEP, TOO_LARGE),
        ([], {"stack": (1 << 20) + 1}, DEEP, TOO_LARGE),  # more than there is
        ([], {"stack": 1 << 40}, DEEP, TOO_LARGE),
        ([], {}, {"name": "Steps", "given": [STARTED, 1000]}, "a number grew beyond 64 bits"),
        ([], {}, {"name": "Moves", "given": ["start"]}, "a value was of another type than expected"),
    ],
)
def test_what_c_gives_up_ends_with_its_reason_and_the_next_call_works(
    ask: Ask, flags: list[str], settings: dict[str, int], call: dict[str, Any], reason: str
) -> None:
    goes_on(ask, "checkers", {"name": "Count", "given": [7]}, 3, call, reason, settings, flags)


@pytest.mark.parametrize(
    ("name", "next_call", "value"),
    [
        ("strachey", {"name": "BitCount", "given": [7]}, 3),
        ("simple-checkers", {"name": "Even", "given": [7]}, False),
        ("capture", {"name": "Count", "given": [7]}, 3),
    ],
)
def test_a_search_that_is_given_up_ends_so_in_every_game(
    ask: Ask, name: str, next_call: dict[str, Any], value: Any
) -> None:
    goes_on(ask, name, next_call, value, DEEP, TOO_DEEP, {"stack": 4000})


def goes_on(
    ask: Ask,
    name: str,
    next_call: dict[str, Any],
    value: Any,
    call: dict[str, Any],
    reason: str,
    settings: dict[str, int],
    flags: Sequence[str] = (),
) -> None:
    """Check that a call of a program ends with this reason, and that the next call has its value."""
    calls = [next_call, call, next_call, call, next_call]
    [answers] = ask({"ask": "calls", "game": name, "calls": calls, **settings}, flags=flags)
    assert answers == [{"value": value}, {"reason": reason}, {"value": value}, {"reason": reason}, {"value": value}]


def test_what_came_later_is_there_after_the_stack_of_the_browser_was_at_its_end(ask: Ask) -> None:
    first, *_, last = SQUARES
    own, other = 1 << first, 1 << last
    known = {"name": "Known", "given": [[own, other, own | other, 1]]}
    calls = [known, DEEP, known]
    question = {"ask": "calls", "game": "checkers", "calls": calls, "isComplete": True}
    [answers] = ask(question, flags=["--stack-size=120"])
    reason = {"reason": TOO_DEEP}
    assert answers == [{"value": -1}, reason, {"value": -1}]


def test_it_looks_deep_in_a_second(ask: Ask, measured: Callable[[str], None]) -> None:
    """Half of what is aimed at on an idle machine: 200,000 positions a second, from the first call on."""
    for name in ("checkers", "strachey"):
        [found] = ask({"ask": "speed", "game": name, "seconds": 1})
        speed = found["positions"] / found["seconds"]
        measured(f"{name} in Node.js, in a second: {found['depth']} plies, {speed:,.0f} positions/s")
        assert found["depth"] >= 10
        assert speed >= 100_000
