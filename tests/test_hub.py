"""The Hub protocol: what the engine answers, and a whole game against pydraughts through it."""

import random
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from math import inf
from threading import Event

import draughts
import pytest
from command_line import command_line, run
from conftest import SLOW
from draughts.engine import HubEngine, Limit
from hypothesis import given, settings
from hypothesis import strategies as st

from cpl.cli import hub as hub_command
from cpl.games.analysis import Analysis, Line, search
from cpl.games.checkers import CHECKERS
from cpl.games.game import Turn
from cpl.games.hub import USUAL_SECONDS, Hub, Search, move_text, read_move
from cpl.limits import MOST_PLIES

START = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
JUMPS = "B:W6,7,14,15:BK2,K32"
"""The king on 2 can go round in two directions, over the same four pieces."""


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


def test_the_introduction_and_the_end() -> None:
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
    engine = hub()
    assert not engine.is_over
    assert engine.receive("quit") == []
    assert engine.is_over
    done = run("cpl", "hub", input="hub\ninit\n")
    assert (done.stdout.splitlines()[-2:], done.stderr) == (["wait", "ready"], "")


def test_positions_are_the_start_and_what_moves_make_of_it() -> None:
    assert searched("go think").turn == CHECKERS.start()
    assert searched(f"pos pos={START}", "go think").turn == CHECKERS.start()
    turn: Turn | None = searched(f'pos pos={START} moves="11-15 22-18 15x22x18"', "go think").turn
    turns = []
    while turn:
        turns.append(turn)
        turn = turn.before
    assert [CHECKERS.to_fen(each) for each in reversed(turns)] == [
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
        "B:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
        "W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22",
    ]


def test_positions_are_those_of_the_protocol_and_of_pydraughts() -> None:
    assert CHECKERS.to_fen(searched(f"pos pos=WB{'e' * 30}W", "go think").turn) == "W:WK32:BK1"
    for turn in [turn for turn, _ in zip(random_turns(5), range(120), strict=False)][::7]:
        theirs = draughts.Board(variant="english", fen=CHECKERS.to_fen(turn))._game.initial_hub_fen
        search = searched("set-param name=position value=pydraughts", f"pos pos={theirs}", "go think")
        assert CHECKERS.to_fen(search.turn) == CHECKERS.to_fen(turn)


def test_moves_are_those_of_pydraughts() -> None:
    """Of many positions, with captures of several pieces among them."""
    longest = 0
    for turn, _ in zip(random_turns(9), range(200), strict=False):
        board = draughts.Board(variant="english", fen=CHECKERS.to_fen(turn))
        texts = {move_text(turn, path) for path in turn.legal}
        assert texts == {move.hub_move for move in board.legal_moves()}
        for path in turn.legal:
            assert move_text(turn, read_move(turn, move_text(turn, path))) == move_text(turn, path)
            longest = max(longest, len(path))
    assert longest > 2


def test_captures_are_found_by_their_ends_and_squares() -> None:
    turn = CHECKERS.from_fen(JUMPS)
    assert {move_text(turn, path) for path in turn.legal} == {"2x2x6x7x14x15"}
    assert CHECKERS.text(read_move(turn, "2x2x14x6x15x7")) in ("2x9x18x11x2", "2x11x18x9x2")
    double = CHECKERS.from_fen("B:W18,26,30:B15")
    for text in ("15x31x18x26", "15x31x26x18", "15x31", "15x22x31"):
        assert CHECKERS.text(read_move(double, text)) == "15x22x31"


WORDS = st.sampled_from(
    [
        *"hub set-param init pos level go stop ponder-hit think name value variant time move-time moves".split(),
        *f'depth nodes inc = " pos={START} 11-15 22x18 e999 -1 0'.split(),
    ]
)


@settings(SLOW)
@given(st.lists(st.lists(WORDS | st.text(max_size=3), max_size=8).map(" ".join), max_size=8))
def test_no_line_does_harm(lines: list[str]) -> None:
    engine = Hub(CHECKERS)
    for line in lines:
        assert all(answer.isprintable() for answer in engine.receive(line))
        if engine.search:
            assert engine.finished()[0].startswith("done move=")
    assert engine.receive("ping") == ["pong"]


def test_limits_are_for_one_search_but_not_of_time_while_it_ponders() -> None:
    for levels, depth, nodes, seconds in (
        ([], MOST_PLIES, None, USUAL_SECONDS),
        (["level depth=7"], 7, None, None),
        (["level nodes=5000 depth=9"], 9, 5000, None),
        (["level depth=7", "level move-time=0.5"], 7, None, 0.5),
        (["level depth=7", "level infinite"], MOST_PLIES, None, None),
        (["level time=60"], MOST_PLIES, None, 2),
        (["level time=60 inc=1.5"], MOST_PLIES, None, 3.5),
        (["level moves=10 time=60"], MOST_PLIES, None, 6),
        (["level moves=1 time=60"], MOST_PLIES, None, 48),
        (["level time=-0.5 inc=1"], MOST_PLIES, None, 0.4),
        (["level move-time=0"], MOST_PLIES, None, 0.01),
        (["level time=-5"], MOST_PLIES, None, 0.01),
        (["level depth=4 later=6 flag"], 4, None, None),
    ):
        limits = searched(*levels, "go think").limits
        assert (limits.depth, limits.nodes) == (depth, nodes)
        assert limits.seconds == (seconds and pytest.approx(seconds))
    engine = hub("level depth=4", "go think")
    engine.finished()
    engine.receive("go think")
    assert engine.search
    assert (engine.search.limits.depth, engine.search.limits.seconds) == (MOST_PLIES, USUAL_SECONDS)
    assert searched("go analyze").limits.seconds is None
    search = searched("level move-time=0.3 depth=9", "go ponder")
    assert (search.seconds, search.limits.seconds, search.limits.depth) == (0.3, None, 9)
    assert searched("go ponder").seconds == USUAL_SECONDS
    assert searched("go think").seconds is None


REFUSED = {
    "pos": "'' is not a position of english draughts: expected W or B for the side to move, and w, b, W, B or e",
    f"pos pos={START[:-1]}": "is not a position of english draughts",
    f"pos pos=W{'b' * 20}{'e' * 10}{'w' * 20}": "is not a position of english draughts",
    f"pos pos=w{START[1:]}": "is not a position of english draughts",
    f"pos pos=B{'w' * 32}": "a man stands where he would have been made a king",
    f"pos pos={START} moves=11-16x": "'11-16x' is not a move",
    f"pos pos={START} moves=11-99": "'99' is not a square",
    f'pos pos={START} moves="11-15 11-16"': "'11-16' cannot be played: there is no piece on 11",
    f"pos pos={START} moves=22-18": "'22-18' cannot be played: the piece on 22 is not black's",
    "level depth=0": "depth is a whole number of at least 1, not '0'",
    "level depth": "depth is a whole number of at least 1, not ''",
    f"level nodes={'9' * 5000}": "nodes is a whole number of at least 1, not '999",
    "level moves=x time=1": "moves is a whole number of at least 1, not 'x'",
    "level move-time=soon": "move-time is a number of seconds, not 'soon'",
    "level time=1e999": "time is a number of seconds, not '1e999'",
    "level time=1 inc=nan": "inc is a number of seconds, not 'nan'",
    "set-param name=variant value=normal": "variant cannot be 'normal': it is english",
    'pos pos="x': "is not an argument: write name=value",
    "level =3": "'=3' is not an argument: write name=value",
}
IGNORED = ("", "frobnicate x=1", 'say"', "=", "\x00\x07", "set-param name=book value=true", "set-param", "go-on think")
"""Lines with unknown commands, or for unknown parameters."""


@pytest.mark.parametrize("line", IGNORED)
def test_unknown_commands_and_parameters_are_ignored_also_during_a_search(line: str) -> None:
    engine = hub(line, "level depth=2 colour=blue", line, "go think")
    if not line.startswith("set-param"):
        assert engine.receive(line) == []
    assert engine.search
    assert engine.search.limits.depth == 2


def nodes_of_a_search(engine: Hub) -> int:
    """How many positions a search of the start of a game looks at, nine plies deep."""
    assert engine.receive("level depth=9") == engine.receive("go think") == []
    assert engine.search
    found = search(engine.search.turn, engine.search.limits)
    engine.finished()
    return found.nodes


def test_the_searches_of_a_game_remember_what_they_found_until_a_new_game() -> None:
    engine = hub()
    first, again = nodes_of_a_search(engine), nodes_of_a_search(engine)
    assert again < first / 5
    assert engine.receive("new-game") == []
    assert nodes_of_a_search(engine) == first
    assert nodes_of_a_search(hub()) == first


def test_the_line_of_play_goes_on_after_what_is_remembered() -> None:
    engine, turn = hub(), CHECKERS.start()
    for _ in range(4):
        assert engine.receive("level depth=7") == []
        assert engine.receive("go think") == []
        assert engine.search
        engine.search.turn = turn
        [info] = engine.found(search(turn, engine.search.limits))
        line = info.partition(" pv=")[2].strip('"').split()
        assert len(line) > 4
        after = turn
        for text in line:
            after = CHECKERS.play(after, read_move(after, text))
        engine.finished()
        turn = CHECKERS.play(turn, read_move(turn, line[0]))


def test_lines_are_refused_and_findings_passed_on_with_scores() -> None:
    for line, said in REFUSED.items():
        assert said in error(line) and "\n" not in error(line) and error(line).isprintable()
        if line.startswith("pos") and "argument" not in said:
            engine = hub()
            engine.receive(line)
            answer = ['error message="there is no position: the last was refused"', "done"]
            assert engine.receive("go think") == answer
            assert engine.receive(f"pos pos={START}") == engine.receive("go think") == []
    engine = hub("go think")
    turn = CHECKERS.start()
    engine.found(analysis(turn, 0, "9-13"))
    assert engine.found(analysis(turn, 123.4, "11-15", "22-18", "15x22x18")) == [
        'info depth=3 score=1.23 nodes=4567 time=0.250 nps=0.018 pv="11-15 22-18 15x22x18"'
    ]
    assert engine.finished() == ["done move=11-15 ponder=22-18"]
    assert engine.search is None
    engine.receive("go think")
    engine.found(analysis(turn, 0, "9-13"))
    assert engine.finished() == ["done move=9-13"]
    for value, plies, score in ((inf, 3, "99.97"), (-inf, 2, "-99.98"), (-0.1, None, "0.00"), (-250, None, "-2.50")):
        [info] = hub("go think").found(analysis(CHECKERS.start(), value, "11-15", plies=plies))
        assert f" score={score} " in info


def analysis(turn: Turn, value: float, *texts: str, plies: int | None = None) -> Analysis:
    moves, now = [], turn
    for text in texts:
        moves.append(read_move(now, text))
        now = CHECKERS.play(now, moves[-1])
    return Analysis(turn, 3, 4567, 0.25, (Line(value, tuple(moves), plies), Line(1, tuple(moves[:1]))))


def test_stop_ends_a_search() -> None:
    engine = hub("stop", "go think")
    assert engine.search
    stopped = engine.search.limits.stopped
    assert not stopped.is_set()
    assert engine.receive("stop") == []
    assert stopped.is_set()


def test_the_move_of_a_search_is_legal() -> None:
    [done] = hub("go think").finished()
    turn = CHECKERS.start()
    assert read_move(turn, done.removeprefix("done move=")) in turn.legal


def test_nothing_is_searched_for_without_a_move() -> None:
    engine = hub(f"pos pos=W{'e' * 31}B")
    assert engine.receive("go think") == ['error message="there is no move to search for"', "done"]


def test_during_a_search_other_lines_are_refused() -> None:
    engine = hub("go think")
    assert engine.receive("ping") == ["pong"]
    for line in ("pos pos=x", "go think", "level depth=1", "init", "hub", "set-param name=a value=b", "new-game"):
        assert engine.receive(line) == [
            f'error message="{line.split()[0]} cannot be obeyed during a search: send stop first"'
        ]
    assert engine.receive("ponder-hit") == []
    assert engine.receive("") == []
    assert engine.search


class Talk:
    """The command in a process of its own."""

    def __enter__(self) -> "Talk":
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command_line("cpl", "hub"), stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1
        )
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
        raise AssertionError(f"the engine ended before it said {beginning}: {self.end()[1]}")

    def end(self) -> tuple[int, str]:
        """The exit status of an engine that ends by itself, and its messages."""
        _, messages = self.process.communicate(timeout=30)
        return self.process.returncode, messages


def test_stop_is_answered_at_once_and_ends_the_search() -> None:
    """Though the next search is asked for before the answer."""
    with Talk() as engine:
        engine.say("init", "level infinite", "go analyze")
        for _ in range(2):
            engine.hear("info depth=6")
            began = time.monotonic()
            engine.say("ping", "stop", "level depth=1", "go think")
            engine.hear("pong")
            engine.hear("done move=")
            engine.hear("done move=")
            assert time.monotonic() - began < 3
            engine.say("level infinite", "go analyze")
        engine.say("quit")
        assert engine.end() == (0, "")


def test_ponder_hit_starts_the_clock_and_the_end_of_the_input_ends_a_search() -> None:
    with Talk() as engine:
        engine.say("level move-time=0.2", "go ponder")
        engine.hear("info depth=5")
        engine.say("ping")
        engine.hear("pong")
        engine.say("ponder-hit")
        engine.hear("done move=")
        engine.say("quit")
        assert engine.end() == (0, "")
    with Talk() as engine:
        engine.say("level infinite", "go think")
        engine.hear("info depth=1")
        assert engine.end() == (0, "")


def test_a_search_that_ends_with_the_input_sends_its_answer_before(monkeypatch: pytest.MonkeyPatch) -> None:
    is_sending = Event()
    sent: list[str] = []

    def send_slowly(lines: list[str]) -> None:
        if lines and lines[0].startswith("done"):
            is_sending.set()
            time.sleep(0.2)
        sent.extend(lines)

    def lines() -> Iterator[str]:
        yield from ("level depth=1\n", "go think\n")
        assert is_sending.wait(60)

    monkeypatch.setattr(hub_command, "_send", send_slowly)
    monkeypatch.setattr(sys, "stdin", lines())
    hub_command.run(Namespace(speed="fastest", verbose=False, game="checkers"))
    assert sent[-1].startswith("done move=")


def test_a_drawn_game_goes_on_if_the_other_program_wants() -> None:
    """By the 50-move rule the game is over, which others need not know."""
    there, back = "1-6 32-27", "6-1 27-32"
    moves = " ".join([there, back] * 25)
    said = f'pos pos=B{"B" + "e" * 30 + "W"} moves="{moves}"'
    done = run("cpl", "hub", input=f"{said}\nlevel depth=3\ngo think\nstop\n")
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, ["done move=1-5"], "")


def test_a_whole_game_against_pydraughts() -> None:
    """pydraughts moves at random, and referees."""
    engine, chance = HubEngine(command_line("cpl", "hub")), random.Random(1)
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
                board.push(engine.play(board, Limit(depth=4), False).move)
                assert engine.info["depth"] >= 1
        engine.quit()
        engine.p.wait(30)
        assert board.winner() == draughts.BLACK
    finally:
        engine.p.kill()
        engine.p.communicate()
