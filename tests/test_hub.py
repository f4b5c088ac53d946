"""The Hub protocol: what the engine answers, and a whole game against pydraughts through it."""

import random
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from math import inf
from pathlib import Path

import draughts
import pytest
from command_line import BIN
from draughts.engine import HubEngine, Limit
from hub_engine import Found, Line, think
from hypothesis import given
from hypothesis import strategies as st

from cpl.games import checkers
from cpl.games.checkers import CHECKERS
from cpl.games.game import Turn
from cpl.games.hub import USUAL_SECONDS, Hub, Limits, Search, move_text, read_move

START = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
JUMPS = "B:W6,7,14,15:BK2,K32"
"""The king on 2 can go round in two directions, over the same four pieces."""
ENGINE = [sys.executable, str(Path(__file__).with_name("hub_engine.py"))]


def hub(*lines: str) -> Hub:
    made = Hub(CHECKERS)
    for line in lines:
        assert made.receive(line) == []
    return made


def searched(*lines: str) -> Search:
    search = hub(*lines).search
    assert search
    return search


def error(line: str) -> str:
    [answer] = hub().receive(line)
    assert answer.startswith('error message="')
    return answer.removeprefix('error message="').removesuffix('"')


def random_turns(seed: int) -> Iterator[Turn]:
    """The turns of random games."""
    chance = random.Random(seed)
    while True:
        turn = CHECKERS.start()
        while turn.legal and not CHECKERS.end(turn):
            yield turn
            turn = CHECKERS.play(turn, chance.choice([*turn.legal]))


# What it says of itself


def test_the_introduction() -> None:
    from cpl import __version__

    assert Hub(CHECKERS).receive("hub") == [
        f'id name=cplc version={__version__} author="The cplc authors"',
        "param name=variant value=english type=enum values=english",
        'param name=position value=official type=enum values="official pydraughts"',
        "wait",
    ]
    engine = hub("set-param name=variant value=english", "set-param name=position value=pydraughts", "new-game", "")
    assert engine.receive("hub")[2].startswith("param name=position value=pydraughts ")
    assert engine.receive("init") == ["ready"]
    assert engine.receive("  ping  ") == ["pong"]


def test_quit() -> None:
    engine = hub()
    assert not engine.is_over
    assert engine.receive("quit") == []
    assert engine.is_over


# Positions and moves


def test_positions() -> None:
    assert searched("go think").turn == CHECKERS.start()
    assert searched(f"pos pos={START}", "go think").turn == CHECKERS.start()
    search = searched(f'pos pos={START} moves="11-15 22-18 15x22x18"', "go think")
    assert [CHECKERS.to_fen(turn) for turn in (*search.before, search.turn)] == [
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
        "B:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
        "W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22",
    ]
    kings = searched(f"pos pos=WB{'e' * 30}W", "go think")
    assert CHECKERS.to_fen(kings.turn) == "W:WK32:BK1"


def test_positions_of_pydraughts_are_turned_and_have_the_other_colours() -> None:
    for turn in [turn for turn, _ in zip(random_turns(5), range(120), strict=False)][::7]:
        theirs = draughts.Board(variant="english", fen=CHECKERS.to_fen(turn))._game.initial_hub_fen
        search = searched("set-param name=position value=pydraughts", f"pos pos={theirs}", "go think")
        assert CHECKERS.to_fen(search.turn) == CHECKERS.to_fen(turn)


def test_moves_are_those_of_pydraughts() -> None:
    """All moves of many positions, with captures of several pieces among them."""
    longest = 0
    for turn, _ in zip(random_turns(9), range(200), strict=False):
        board = draughts.Board(variant="english", fen=CHECKERS.to_fen(turn))
        texts = {move_text(turn, path) for path in turn.legal}
        assert texts == {move.hub_move for move in board.legal_moves()}
        for path in turn.legal:
            assert move_text(turn, read_move(turn, move_text(turn, path))) == move_text(turn, path)
            longest = max(longest, len(path))
    assert longest > 2


def test_captures_as_hub_writes_them() -> None:
    turn = CHECKERS.from_fen(JUMPS)
    assert {move_text(turn, path) for path in turn.legal} == {"2x2x6x7x14x15"}
    assert CHECKERS.text(read_move(turn, "2x2x14x6x15x7")) in ("2x9x18x11x2", "2x11x18x9x2")
    double = CHECKERS.from_fen("B:W18,26,30:B15")
    for text in ("15x31x18x26", "15x31x26x18", "15x31", "15x22x31"):
        assert CHECKERS.text(read_move(double, text)) == "15x22x31"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("pos", "'' is not a position of english draughts: expected W or B for the side to move, and w, b, W, B or e"),
        (f"pos pos={START[:-1]}", "is not a position of english draughts"),
        (f"pos pos=W{'b' * 20}{'e' * 10}{'w' * 20}", "is not a position of english draughts"),
        (f"pos pos=w{START[1:]}", "is not a position of english draughts"),
        (f"pos pos=B{'w' * 32}", "a man stands where he would have been made a king"),
        (f"pos pos={START} moves=11-16x", "'11-16x' is not a move"),
        (f"pos pos={START} moves=11-99", "'99' is not a square"),
        (f'pos pos={START} moves="11-15 11-16"', "'11-16' cannot be played: there is no piece on 11"),
        (f"pos pos={START} moves=22-18", "'22-18' cannot be played: the piece on 22 is not red's"),
    ],
)
def test_positions_and_moves_that_are_refused(line: str, said: str) -> None:
    assert said in error(line)
    engine = hub()
    engine.receive(line)
    assert engine.receive("go think") == ['error message="there is no position: the last was refused"', "done"]
    assert engine.receive(f"pos pos={START}") == []
    assert engine.receive("go think") == []


WORDS = st.sampled_from(
    [
        *"hub set-param init pos level go stop ponder-hit think name value variant time move-time moves".split(),
        *f'depth nodes inc = " pos={START} 11-15 22x18 e999 -1 0'.split(),
    ]
)


@given(st.lists(st.lists(WORDS | st.text(max_size=3), max_size=8).map(" ".join), max_size=8))
def test_no_line_does_harm(lines: list[str]) -> None:
    engine = Hub(CHECKERS)
    for line in lines:
        answers = engine.receive(line)
        assert all(answer.isprintable() for answer in answers)
        if engine.search:
            assert engine.finished(engine.search)[0].startswith("done move=")
    assert engine.receive("ping") == ["pong"]


# Limits


@pytest.mark.parametrize(
    ("levels", "limits"),
    [
        ([], Limits(seconds=USUAL_SECONDS)),
        (["level depth=7"], Limits(depth=7)),
        (["level nodes=5000 depth=9"], Limits(depth=9, nodes=5000)),
        (["level depth=7", "level move-time=0.5"], Limits(depth=7, seconds=0.5)),
        (["level infinite"], Limits()),
        (["level time=60"], Limits(seconds=2)),
        (["level time=60 inc=1.5"], Limits(seconds=3.5)),
        (["level moves=10 time=60"], Limits(seconds=6)),
        (["level moves=1 time=60"], Limits(seconds=48)),
        (["level time=-0.5 inc=1"], Limits(seconds=0.4)),
        (["level move-time=0"], Limits(seconds=0.01)),
        (["level time=-5"], Limits(seconds=0.01)),
        (["level depth=4 later=6 flag"], Limits(depth=4)),
    ],
)
def test_limits(levels: list[str], limits: Limits) -> None:
    found = searched(*levels, "go think").limits
    assert replace(found, seconds=None) == replace(limits, seconds=None)
    assert found.seconds == (limits.seconds and pytest.approx(limits.seconds))


def test_limits_are_for_one_search() -> None:
    engine = hub("level depth=4", "go think")
    assert engine.search
    assert engine.finished(engine.search)
    engine.receive("go think")
    assert engine.search.limits == Limits(seconds=USUAL_SECONDS)
    assert searched("go analyze").limits == Limits()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("level depth=0", "depth is a whole number of at least 1, not '0'"),
        ("level depth", "depth is a whole number of at least 1, not ''"),
        (f"level nodes={'9' * 5000}", "nodes is a whole number of at least 1, not '999"),
        ("level moves=x time=1", "moves is a whole number of at least 1, not 'x'"),
        ("level move-time=soon", "move-time is a number of seconds, not 'soon'"),
        ("level time=1e999", "time is a number of seconds, not '1e999'"),
        ("level time=1 inc=nan", "inc is a number of seconds, not 'nan'"),
        ("set-param name=variant value=normal", "variant is english, not 'normal'"),
        ("set-param name=book value=true", "there is no parameter 'book': there are variant and position"),
        ("set-param", "there is no parameter ''"),
        ("frobnicate x=1", "'frobnicate' is not a command of the Hub protocol, version 2"),
        ('pos pos="x', "is not an argument: write name=value"),
        ("level =3", "'=3' is not an argument: write name=value"),
        ('say"', "is not a command"),
        ("\x00\x07", "is not a command"),
    ],
)
def test_lines_that_are_refused(line: str, said: str) -> None:
    assert said in error(line)
    assert "\n" not in error(line)
    assert error(line).isprintable()


# A search


def line_of(turn: Turn, value: float, *texts: str) -> Line:
    moves = []
    for text in texts:
        moves.append(read_move(turn, text))
        turn = CHECKERS.play(turn, moves[-1])
    return Line(value, tuple(moves))


def test_what_is_found_is_passed_on() -> None:
    engine = hub("go think")
    search = engine.search
    assert search
    best = line_of(search.turn, 123.4, "11-15", "22-18", "15x22x18")
    assert engine.found(search, Found(3, 4567, 0.25, (best, line_of(search.turn, 1, "9-13")))) == [
        'info depth=3 score=1.23 nodes=4567 time=0.250 nps=0.018268 pv="11-15 22-18 15x22x18"'
    ]
    assert engine.finished(search) == ["done move=11-15 ponder=22-18"]
    assert engine.search is None


@pytest.mark.parametrize(("value", "score"), [(inf, "99.98"), (-inf, "-99.98"), (-0.1, "0.00"), (-250, "-2.50")])
def test_scores(value: float, score: str) -> None:
    engine = hub("go think")
    search = engine.search
    assert search
    [info] = engine.found(search, Found(1, 1, 0, (line_of(search.turn, value, "11-15", "22-18"),)))
    assert f" score={score} " in info


def test_stop() -> None:
    engine = hub("go think")
    search = engine.search
    assert search
    finding = Found(1, 8, 0.1, (line_of(search.turn, 0, "9-13"),))
    assert engine.receive("stop") == [], "nothing is found yet"
    assert engine.found(search, finding)[1:] == ["done move=9-13"]
    assert engine.search is None
    assert (engine.found(search, finding), engine.finished(search), engine.receive("stop")) == ([], [], [])
    engine.receive("go think")
    assert (engine.found(search, finding), engine.finished(search)) == ([], []), "that search is no more"
    assert engine.search
    engine.found(engine.search, finding)
    assert engine.receive("stop") == ["done move=9-13"]


def test_the_limit_of_nodes_ends_a_search() -> None:
    engine = hub("level nodes=100", "go think")
    search = engine.search
    assert search
    best = (line_of(search.turn, 0, "9-13"),)
    assert len(engine.found(search, Found(1, 99, 0.1, best))) == 1
    assert engine.found(search, Found(2, 100, 0.1, best))[1:] == ["done move=9-13"]


def test_a_search_that_finds_nothing_still_moves() -> None:
    engine = hub("go think")
    search = engine.search
    assert search
    assert engine.found(search, Found(1, 1, 0.1, ())) == []
    [done] = engine.finished(search)
    assert read_move(search.turn, done.removeprefix("done move=")) in search.turn.legal


def test_during_a_search() -> None:
    engine = hub("go think")
    assert engine.receive("ping") == ["pong"]
    for line in ("pos pos=x", "go think", "level depth=1", "init", "hub", "set-param name=a value=b", "new-game"):
        assert engine.receive(line) == [
            f'error message="{line.split()[0]} cannot be obeyed during a search: send stop first"'
        ]
    assert engine.receive("ponder-hit") == []
    assert engine.search


def test_pondering() -> None:
    engine = hub("level move-time=0.3", "go ponder")
    assert engine.search
    assert engine.search.is_pondering
    engine.receive("ponder-hit")
    assert not engine.search.is_pondering
    assert not searched("go think").is_pondering


def test_a_position_without_a_move() -> None:
    engine = hub(f"pos pos=W{'e' * 31}B")
    assert engine.receive("go think") == ['error message="there is no move to search for"', "done"]


# In a process


class Talk:
    """An engine in a process of its own."""

    def __init__(self, *command: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*command], stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1)

    def __enter__(self) -> "Talk":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def say(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hear(self, beginning: str) -> str:
        """The next line that begins so; others are passed over."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line.rstrip("\n")
        raise AssertionError(f"the engine ended before it said {beginning}: {self.process.stderr.read()}")  # type: ignore[union-attr]

    def end(self) -> tuple[int, str]:
        """The exit status of an engine that ends by itself, and its messages."""
        _, messages = self.process.communicate(timeout=30)
        return self.process.returncode, messages


def test_stop_is_answered_at_once_and_the_search_is_left() -> None:
    with Talk(*ENGINE) as engine:
        engine.say("init", "level infinite", "go analyze")
        for _ in range(10):
            engine.hear("info depth=6")
            began = time.monotonic()
            engine.say("ping", "stop", "level depth=1", "go think", "stop")
            engine.hear("pong")
            engine.hear("done move=")
            engine.hear("done move=")
            assert time.monotonic() - began < 3
            engine.say("level infinite", "go analyze")
        engine.say("quit")
        assert engine.end() == (0, "")


def test_ponder_hit_starts_the_clock() -> None:
    with Talk(*ENGINE) as engine:
        engine.say("level move-time=0.2", "go ponder")
        engine.hear("info depth=3")
        engine.say("ping")
        engine.hear("pong")
        engine.say("ponder-hit")
        engine.hear("done move=")
        engine.say("quit")
        assert engine.end() == (0, "")


def test_the_end_of_the_input_ends_even_a_search() -> None:
    with Talk(*ENGINE) as engine:
        engine.say("go think")
        engine.hear("info depth=1")
        assert engine.end() == (0, "")


def test_the_command_introduces_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cpl", "hub"], input="hub\n", capture_output=True, text=True, check=True
    )
    assert (done.stdout.splitlines()[-1], done.stderr) == ("wait", "")


def play_against_pydraughts(command: list[str], limit: Limit, chance: random.Random) -> int:
    """A whole game, in which pydraughts moves at random and referees. The engine is Black. The result is who won."""
    engine = HubEngine(command)
    try:
        engine.configure({"variant": "english", "position": "pydraughts"})
        engine.init()
        engine.ping()
        assert (engine.id["name"], engine.variants) == ("cplc", {"english"})
        board = draughts.Board(variant="english")
        while not board.is_over():
            if len(board.move_stack) % 2:
                board.push(chance.choice(board.legal_moves()))
            else:
                board.push(engine.play(board, limit, False).move)
                assert engine.info["depth"] >= 1
        engine.quit()
        engine.p.wait(30)
        return int(board.winner())
    finally:
        engine.p.kill()
        engine.p.communicate()


def test_a_whole_game_against_pydraughts(tmp_path: Path) -> None:
    """It follows links to the program that it starts, and would find a Python without our packages."""
    script = tmp_path / "engine"
    script.write_text(f"#!/bin/sh\nexec {shlex.join(ENGINE)}\n", encoding="utf-8")
    script.chmod(0o755)
    assert play_against_pydraughts([str(script)], Limit(depth=3), random.Random(1)) == draughts.BLACK


@pytest.mark.long
@pytest.mark.skipif(not find_spec("cpl.games.analysis"), reason="the command has no search yet")
def test_the_command_plays_a_whole_game() -> None:
    assert play_against_pydraughts([str(BIN / "cpl"), "hub"], Limit(movetime=0.1), random.Random(2)) == draughts.BLACK


def test_the_thinker_of_the_tests_is_one() -> None:
    """What the protocol gets is what a player would choose."""
    search = Search(CHECKERS.start(), (), Limits(depth=2), is_pondering=False)
    *_, last = think(search)
    assert checkers.CHECKERS.text(last.lines[0].moves[0]) == "9-13"
