"""Draws at the table: by repetition, without progress, by adjudication; in all games."""

from random import Random

import pytest

from cpl.draughts import fen
from cpl.games.draws import IDLE, REPEATED, Adjudication, table_end
from cpl.games.game import End, Game, Turn
from cpl.games.play import LiveGame
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


def test_the_same_pieces_with_another_side_to_move_are_another_position() -> None:
    """Black loses a move on his way round."""
    table = LiveGame(game_of("checkers"), dict.fromkeys(("red", "black")), first=at("checkers", "B:WK32:BK1,K9"))
    say(table, "1-6", "32-28", "6-10", "28-32", "10-7", "32-28", "7-2", "28-32", "2-6", "32-28", "6-1")
    assert [each.pieces for each in table.states].count(table.state.pieces) == 1
    first = Turn(table.game, table.states[0].state, "black")
    assert table_end([table.states[0], first, table.states[0]]) is None
    assert table_end([table.states[0]] * REPEATED)


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


def test_fifty_moves_of_each_without_progress_are_a_draw() -> None:
    for turn in (at("strachey", "B:WK32,K31:BK1,K2"), game_of("capture").start()):
        states = idle(turn, IDLE)
        assert len(states) == IDLE + 1
        assert table_end(states[:-1]) is None
        assert table_end(states) == End(None, "50 moves of each without progress")


def test_every_game_at_random_comes_to_an_end(game: Game) -> None:
    for seed in range(3):
        table = LiveGame(game, {side: player(f"random:{seed}", game, side) for side in game.sides})
        end = table.finish()
        assert game.end(table.state) in (end, None)
        assert table_end(table.states[:-1]) is None


def test_simple_checkers_needs_no_draws() -> None:
    """Every move there is progress."""
    game = game_of("simple-checkers")
    for turn in (game.start(), game.play(game.start(), next(iter(game.start().legal)))):
        assert all(game.play(turn, move).progress != turn.progress for move in turn.legal)


def test_adjudication() -> None:
    """Two pieces ahead for six plies is enough; one is not, nor are five plies, nor a lead that was lost between."""
    for text, winner in (("K32,K31,K30:BK1", "white"), ("K32:BK1,K2,3", "black"), ("K32,K31:BK1", None)):
        states, rule = idle(at("strachey", f"B:W{text}"), 6), Adjudication(2, 6)
        assert table_end(states[:-1], rule) is None
        end = table_end(states, rule)
        assert end == (winner and End(winner, f"adjudicated: {winner} was 2 or more pieces ahead for 6 plies"))
        assert table_end(states) is None
    ahead, level = at("strachey", "B:WK32:BK1,K2,K3"), at("strachey", "B:WK32:BK1")
    assert table_end([ahead, ahead], Adjudication(2, 1))
    assert table_end([ahead, level, ahead], Adjudication(2, 2)) is None
