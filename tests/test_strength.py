"""The benchmark of strength: engines by lines, how games end early, the record of a match, and its result."""

import sys
from collections.abc import Iterator
from pathlib import Path

import engine
import pytest
import strength

from cpl.games import analysis
from cpl.games.checkers import CHECKERS
from cpl.games.game import Turn
from cpl.games.live import LiveGame
from cpl.games.match import Opening
from cpl.games.position import from_fen

OPENINGS = [Opening(moves=("9-13", "21-17")), Opening(moves=("9-14", "22-17"))]


class Always:
    """A player of the first of all moves, who looks at ten positions for it."""

    def __init__(self) -> None:
        self.nodes, self.seconds, self.games = 0, 0.0, 0

    def new(self) -> None:
        self.games += 1

    def close(self) -> None:
        pass

    def choose(self, turn: Turn) -> tuple[tuple[int, int], ...]:
        self.nodes, self.seconds = self.nodes + 10, self.seconds + 0.5
        return next(iter(turn.legal))


def played(number: int) -> strength.Game:
    return strength.play(number, strength.begun(number, OPENINGS, 0), Always(), Always())


def a_game(number: int, points: float) -> strength.Game:
    return strength.Game(number, points, "", 0, ["9-13"], 1, 0.1, 2, 0.2)


def after(fen: str, *moves: str) -> LiveGame:
    live = LiveGame(CHECKERS, {}, first=CHECKERS.from_fen(fen), adjudication=strength.AHEAD)
    for move in moves:
        live.play(CHECKERS.read(live.state, move))
    return live


def test_an_engine_answers_with_the_position_after_its_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(analysis, "time", analysis.time)  # the engine changes it
    engine.engine(["new", "B:W21-32:B1-12 depth 3", "new", "B:W18:B14,1 depth 1"])
    first, second = (line.split() for line in capsys.readouterr().out.splitlines())
    start = CHECKERS.start()
    assert from_fen(first[0]) in [CHECKERS.play(start, move).state[0] for move in start.legal]
    assert int(first[1]) > 7
    assert second[:2] == ["W:W:B1,23", "0"], "the only move needs no search"


def test_an_engine_ends_with_its_match() -> None:
    asked = strength.Engine([sys.executable, "-c", "import sys; sys.stdin.read()"], "depth 1")
    asked.new()
    asked.close()
    assert asked._process.returncode == 0


def test_an_engine_knows_the_game_before_a_position(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So repetitions count: the states before the second position are those of the first move and its answer."""
    monkeypatch.setattr(analysis, "time", analysis.time)
    seen: list[int] = []
    search = analysis.search

    def noted(turn: Turn, *rest: object) -> object:
        states = 0
        before = turn.before
        while before:
            states, before = states + 1, before.before
        seen.append(states)
        return search(turn, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("cpl.games.players.search", noted)

    def lines() -> Iterator[str]:
        yield "new"
        yield "B:WK32,K31:BK1,K2 depth 1"
        answer = CHECKERS.from_fen(capsys.readouterr().out.split()[0])
        yield f"{CHECKERS.to_fen(CHECKERS.play(answer, next(iter(answer.legal))))} depth 1"
        yield "new"
        yield "B:WK32,K31:BK1,K2 depth 1"

    engine.engine(lines())
    assert seen == [0, 2, 0]


def test_openings_are_played_twice_and_then_again_with_moves_at_random() -> None:
    def begun(number: int) -> list[str]:
        return [CHECKERS.text(move) for move in strength.begun(number, OPENINGS, 0).played]

    assert begun(0) == begun(1) == ["9-13", "21-17"]
    assert begun(2) == begun(3) == ["9-14", "22-17"]
    assert begun(4) == begun(5)
    assert begun(4)[:2] == begun(0)
    assert len(begun(4)) == 3


def test_games_are_judged_early() -> None:
    ahead = after("B:WK32:BK1,K9,K10,12", "12-16", "32-28", "16-20", "28-32", "1-5", "32-28", "5-1", "28-32")
    assert strength.end_of(ahead) is None
    for move in ("9-6", "32-28", "6-9", "28-24"):
        ahead.play(CHECKERS.read(ahead.state, move))
    ended = strength.end_of(ahead)
    assert ended
    assert ended.winner == "black"


def test_a_long_end_without_progress_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "IDLE", 3)
    moves = ("1-6", "32-28", "6-10", "28-24")
    assert strength.end_of(after("B:WK32:BK1", *moves[:2])) is None
    ended = strength.end_of(after("B:WK32:BK1", *moves))
    assert ended
    assert ended.why == "8 pieces or fewer, and 3 plies without progress"
    many = "B:WK32,21,22,25,26:BK1,12,11,8"
    assert strength.end_of(after(many, *moves[:3])) is None, "with nine pieces the game goes on"


def test_a_game_counts_what_both_used() -> None:
    game = played(1)
    ours = (len(game.moves) - 2) // 2
    assert game.our_nodes in (10 * ours, 10 * ours + 10)
    assert game.our_seconds == game.our_nodes / 20
    assert game.their_nodes + game.our_nodes == 10 * (len(game.moves) - 2)
    assert game.points in (0, 0.5, 1)


def test_a_match_goes_on_after_its_last_whole_game(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    for games in (2, 5):
        record = strength.Record(file, "a match")
        strength.match(Always(), Always(), games, 0, record, stop=False)
    whole = file.read_text()
    assert len(whole.splitlines()) == 6
    assert [game.number for game in strength.Record(file, "a match").games] == [0, 1, 2, 3, 4]

    file.write_text(whole[:-20])
    assert len(strength.Record(file, "a match").games) == 4, "the last was not written whole"
    assert file.read_text() == "".join(whole.splitlines(keepends=True)[:-1])
    with pytest.raises(SystemExit, match="has games of another match"):
        strength.Record(file, "another match")


def test_an_answer_that_is_no_move_loses() -> None:
    class Lost(Always):
        def choose(self, turn: Turn) -> tuple[tuple[int, int], ...]:
            raise strength.Illegal("no move")

    game = strength.play(0, strength.begun(0, OPENINGS, 0), Always(), Lost())
    assert (game.points, game.why) == (1, "no move")
    assert len(game.moves) == 3


def test_the_result_of_many_wins_is_sure() -> None:
    wins = [a_game(number, 1 if number % 4 else 0.5) for number in range(40)]
    draws = [a_game(number, (0, 1)[number % 2]) for number in range(40)]
    losses = [a_game(number, 1 - game.points) for number, game in enumerate(wins)]
    assert strength.likelihood(wins) > 0 > strength.likelihood(losses)
    assert strength.likelihood(draws) == 0, "pairs of games are compared, and all of these are even"
    assert strength.is_decided(wins * 20)
    assert not strength.is_decided(wins[:4])


def test_a_summary_has_points_range_and_what_was_used() -> None:
    games = [a_game(number, (1, 0.5, 0, 0)[number]) for number in range(4)]
    line, ours, theirs = strength.summary("another", games)
    assert "another" in line
    assert " 37.5% (9%–78%)" in line
    assert ours == "    we: 4 positions in 0.4 s, 0.200 s a move"
    assert theirs.startswith("    they: 8 positions")
