"""How games begin and end at the table: openings, repetitions, no progress, adjudication."""

import re
from pathlib import Path
from random import Random

import pytest
from command_line import run

from cpl.games import checkers
from cpl.games import position as fen
from cpl.games.checkers.model import from_cpl
from cpl.games.game import End, Game, Turn
from cpl.games.live import IDLE, REPEATED, Adjudication, LiveGame, table_end
from cpl.games.match import BadOpening, Opening, ballots, identity, read_openings
from cpl.games.playable import NAMES, game_of
from cpl.games.players import player

KINGS = "B:WK32:BK1"
ROUND = ("1-5", "32-28", "5-1", "28-32")
"""Both kings go away and come back."""


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return game_of(request.param)


def at(name: str, text: str) -> Turn:
    """A position of checkers or strachey in which nothing is counted."""
    game, position = game_of(name), fen.from_fen(text)
    return Turn(game, (position, 0, 0) if name == "checkers" else position, game.sides[position[3] != 1])


def say(table: LiveGame, *moves: str) -> None:
    for move in moves:
        table.play(table.game.read(table.state, move))


@pytest.mark.parametrize("name", ["checkers", "strachey"])
def test_a_position_for_the_third_time_is_a_draw(name: str) -> None:
    table = LiveGame(game_of(name), dict.fromkeys(game_of(name).sides), first=at(name, KINGS))
    say(table, *ROUND, *ROUND[:-1])
    assert table.end is None
    say(table, ROUND[-1])
    assert table.end == End(None, "the same position for the third time")
    assert table.texts() == []
    table.undo()
    assert table.end is None


def test_a_position_with_the_other_side_to_move_is_another() -> None:
    """White loses a move on his way round."""
    table = LiveGame(game_of("checkers"), dict.fromkeys(("black", "white")), first=at("checkers", "B:WK32:BK1,K9"))
    say(table, "1-6", "32-28", "6-10", "28-32", "10-7", "32-28", "7-2", "28-32", "2-6", "32-28", "6-1")
    assert [each.pieces for each in table.states].count(table.state.pieces) == 1
    first = at("checkers", "W:WK32:BK1,K9")
    assert first.pieces == table.states[0].pieces
    assert table_end([table.states[0], first, table.states[0]]) is None
    assert table_end([table.states[0]] * REPEATED)


@pytest.mark.parametrize(("name", "position"), [("strachey", "B:WK32,K31:BK1,K2"), ("capture", None)])
def test_fifty_moves_of_each_without_progress_are_a_draw(name: str, position: str | None) -> None:
    turn = at(name, position) if position else game_of(name).start()
    states = idle(turn, IDLE)
    assert len(states) == IDLE + 1
    assert table_end(states[:-1]) is None
    assert table_end(states) == End(None, "50 moves of each without progress")


def test_every_move_of_simple_checkers_is_progress() -> None:
    game = game_of("simple-checkers")
    for turn in (game.start(), game.play(game.start(), next(iter(game.start().legal)))):
        assert all(game.play(turn, move).progress != turn.progress for move in turn.legal)


@pytest.mark.parametrize(
    ("text", "winner"), [("K32,K31,K30:BK1", "white"), ("K32:BK1,K2,3", "black"), ("K32,K31:BK1", None)]
)
def test_two_pieces_ahead_for_six_plies_are_adjudicated(text: str, winner: str | None) -> None:
    """One is not enough, nor are five plies."""
    states, rule = idle(at("strachey", f"B:W{text}"), 6), Adjudication(2, 6)
    assert table_end(states[:-1], rule) is None
    end = table_end(states, rule)
    assert end == (winner and End(winner, f"adjudicated: {winner} was 2 or more pieces ahead for 6 plies"))
    assert table_end(states) is None


def test_a_lead_that_was_lost_between_is_not_adjudicated() -> None:
    ahead, level = at("strachey", "B:WK32:BK1,K2,K3"), at("strachey", "B:WK32:BK1")
    assert table_end([ahead, ahead], Adjudication(2, 1))
    assert table_end([ahead, level, ahead], Adjudication(2, 2)) is None


def idle(turn: Turn, plies: int) -> list[Turn]:
    """States of a game in which nothing happens for so many plies, and no position comes again."""
    generator = Random(1)

    def after(states: list[Turn]) -> list[Turn]:
        if len(states) > plies:
            return states
        moves, seen = [*states[-1].legal], [(each.side, each.pieces) for each in states]
        for move in generator.sample(moves, len(moves)):
            each = turn.game.play(states[-1], move)
            quiet = each.progress == turn.progress and not turn.game.end(each)
            if quiet and (each.side, each.pieces) not in seen and (found := after([*states, each])):
                return found
        return []

    return after([turn])


def test_every_game_at_random_comes_to_an_end(game: Game) -> None:
    for seed in range(3):
        table = LiveGame(game, {side: player(f"random:{seed}", game, side) for side in game.sides})
        end = table.finish()
        assert game.end(table.state) in (end, None)
        assert table_end(table.states[:-1]) is None


CHECKERS = game_of("checkers")
BALLOTS, BARRED = (ballots(name).read_text(encoding="utf-8") for name in ("ballots", "barred"))


def after(opening: Opening) -> Turn:
    turn = opening.first(CHECKERS)
    for move in opening.moves:
        turn = CHECKERS.play(turn, CHECKERS.read(turn, move))
    return turn


def test_ballots_are_the_openings_that_do_not_lose_a_man() -> None:
    """The 302 ways to play three moves come to 216 positions. 42 lose a man within five plies more, and are no
    ballots; each of the others is one ballot.
    """
    positions = [CHECKERS.start()]
    for _ in range(3):
        positions = [CHECKERS.play(turn, move) for turn in positions for move in turn.legal]
    assert len(positions) == 302
    drawn = [after(each).pieces for each in (*read_openings(CHECKERS, BALLOTS), *read_openings(CHECKERS, BARRED))]
    others = {str(turn.pieces): turn for turn in positions if turn.pieces not in drawn}
    assert len(drawn) == len({*map(str, drawn)}) == 174
    assert len(others) == 216 - 174
    player = checkers.AlphaBeta(5, {"Pieces": 1})
    for turn in others.values():
        value, _ = player.consider(*from_cpl(turn.state))
        assert value


def test_ballots_are_numbered_in_their_order() -> None:
    """156 in the deck, 12 of them new, and 18 that are barred: 174."""
    found = {
        int(number): (moves, status)
        for text, status in ((BALLOTS, ""), (BARRED, "barred"))
        for moves, number in re.findall(r"^1\. (\S+ \S+ 2\. \S+) \{(\d+)", text, re.MULTILINE)
    }
    assert [*sorted(found)] == [*range(1, 175)]
    assert sum(status == "" for _, status in found.values()) == 156
    assert BALLOTS.count(", new}") == 12
    squares = [[int(digits) for digits in re.findall(r"\d+(?!\.)", found[number][0])] for number in sorted(found)]
    assert [each[:4] for each in squares] == sorted((each[:4] for each in squares), key=lambda each: each)


def test_openings_are_positions_each_on_a_line() -> None:
    text = "# two\n\n B:W21,K30:B1,K2\n; and\n% then\nw:bK1:wK32.\n"
    assert read_openings(CHECKERS, text) == [Opening("B:W21,K30:B1,K2"), Opening("W:WK32:BK1")]


def test_openings_are_games_with_a_position_or_from_the_start() -> None:
    text = '[FEN "W:WK32:BK1"]\n\n1. 32-28 *\n\n[Event "x"]\n\n1. 11-15 {a comment} 22-18 *\n'
    assert read_openings(CHECKERS, text) == [Opening("W:WK32:BK1", ("32-28",)), Opening("", ("11-15", "22-18"))]
    game = game_of("capture")
    assert read_openings(game, f'[Event "{game.title}"]\n\n1. b4-b3 *\n') == [Opening("", ("b4-b3",))]


def test_the_identity_of_openings_is_their_order_too() -> None:
    one, other = Opening("", ("11-15",)), Opening("", ("11-16",))
    assert len({identity(each) for each in ([one], [other], [one, other], [other, one])}) == 4


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no opening in it"),
        ("# B:W21:B1\n", "line 1, game 1: '#' is not a move"),
        ("B:W21:B1\nB:W21\nB:W99:B1\n", "line 2: nothing can be played after this opening"),
        ("B:W21:B1\n\nB:W99:B1\n", "line 3: '99' is not a piece"),
        ("1. 11-15 23-18 *\n1. 11-16 16-11 *\n", "line 2, game 2: "),
        ('[FEN "B:W18:B15"]\n\n1. 15x22 *', "line 1, game 1: nothing can be played after this opening: white"),
    ],
)
def test_what_is_no_opening_is_refused_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(BadOpening, match=re.escape(fault)):
        read_openings(CHECKERS, text)


def test_files_of_openings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in the folder comes before the ballots of that name."""
    monkeypatch.chdir(tmp_path)
    match = ("match", "random:1", "random:2", "--openings")
    Path("bad.pdn").write_bytes(b"1. 11-15 \xff *")
    for name in ("missing.pdn", "bad.pdn", "."):
        done = run("cpl", *match, name)
        assert (done.returncode, done.stderr.startswith(f"cpl match: {name}: ")) == (1, True)
    Path("ballots").write_text("B:WK32:BK1\n", encoding="utf-8")
    assert run("cpl", *match, "ballots", "--pdn", "out.pdn").returncode == 0
    assert Path("out.pdn").read_text(encoding="utf-8").count('[FEN "B:WK32:BK1"]') == 10
