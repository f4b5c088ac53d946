"""The players of checkers: they obey the rules, repeat themselves, win against chance, and refuse nonsense."""

from collections.abc import Callable
from itertools import islice
from math import inf
from typing import Any

import pytest
from test_checkers import empty, games

from cpl.games import checkers
from cpl.games.checkers import AlphaBeta, MiniMax, Random, State, play

WON = 1_000_000


@pytest.mark.parametrize("colour", ["red", "black"])
def test_alpha_beta_wins_nineteen_of_twenty_games_against_chance(colour: str, measured: Callable[[str], None]) -> None:
    """With either colour, so 38 of 40 in both."""
    played = []
    for seed in range(20):
        by = {"red": Random(seed), "black": Random(seed), colour: AlphaBeta(3)}
        played.append(play(by["red"], by["black"]).winner)
    measured(
        f"alphabeta:3 as {colour} wins {played.count(colour)} of {len(played)} games against random, "
        f"and draws {played.count(None)}"
    )  # type: ignore[arg-type]
    assert played.count(colour) >= 19  # type: ignore[arg-type]


def test_a_player_at_random_repeats_himself() -> None:
    assert play(Random(1), Random(2)) == play(Random(1), Random(2))
    assert play(Random(1), Random(2)) != play(Random(1), Random(3))


def test_a_game_is_what_its_actions_make_of_it() -> None:
    game = play(Random(5), Random(6))
    state, player = game.state, game.player
    for action in game.actions:
        assert action in checkers.actions(state, player)
        state, player = checkers.successor(state, action), "black" if player == "red" else "red"
    assert checkers.utility(state, player, "red") == {"red": inf, "black": -inf, None: 0}[game.winner]


@pytest.mark.parametrize(
    ("state", "player", "result"),
    [
        (empty(red=((2, 1),), black=((3, 2),)), "red", "1-0"),
        (empty(red=((2, 1),), black=((3, 2),)), "black", "0-1"),
        (empty(red=((2, 1),)), "black", "1-0"),
        (State(empty(red_king=((0, 1),), black_king=((7, 6),)), since_capture=99), "red", "1/2-1/2"),
    ],
)
def test_results(state: Any, player: str, result: str) -> None:
    assert play(Random(1), Random(1), state, player).result == result


def test_the_sooner_a_win_comes_the_better() -> None:
    """A king may take the last piece at once, or in the end after having let it go."""
    state = empty(red_king=((4, 3), (0, 1)), black=((5, 2),))
    for kind in (MiniMax, AlphaBeta):
        for depth in (1, 2, 3, 4):
            value, action = kind(depth).consider(state, "red")
            assert action == [(4, 3), (6, 1)]
            assert value == WON + depth - 1
    lost = empty(red=((2, 1),), black_king=((3, 2), (7, 0)), black=((5, 2),))
    assert MiniMax(2).consider(empty(red=((5, 0),), black=((7, 2), (7, 0))), "red")[0] < WON
    assert AlphaBeta(3).consider(lost, "black") == MiniMax(3).consider(lost, "black")


def test_both_searches_choose_the_same() -> None:
    for state, player in islice(games(seed=2), 0, 300, 15):
        if not checkers.is_end(state, player):
            assert AlphaBeta(2).consider(state, player) == MiniMax(2).consider(state, player)


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: AlphaBeta(0), "at least one ply"),
        (lambda: MiniMax(-1), "at least one ply"),
        (lambda: AlphaBeta(2.0), "whole number"),  # type: ignore[arg-type]
        (lambda: MiniMax(True), "whole number"),
        (lambda: AlphaBeta(2, {"Beauty": 1}), "no feature Beauty"),
        (lambda: AlphaBeta(2, {"Kings": inf}), "weight of Kings"),
    ],
)
def test_players_that_there_are_not(make: Callable[[], object], fault: str) -> None:
    with pytest.raises((ValueError, TypeError), match=fault):
        make()


@pytest.mark.parametrize("player", [Random(1), MiniMax(1), AlphaBeta(1)], ids=["random", "minimax", "alphabeta"])
def test_there_is_nothing_to_choose_when_the_game_is_over(player: Any) -> None:
    for over in (empty(black=((3, 2),)), State(checkers.start(), since_capture=100)):
        with pytest.raises(ValueError, match="over"):
            player.choose(over, "red")


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (5, "list of 8 rows"),
        ("abc", "list of 8 rows"),
        ([], "8 rows of 8"),
        ([[0] * 8] * 7, "8 rows of 8"),
        ([[0] * 8] * 7 + [[0] * 9], "8 rows of 8"),
        ([[0] * 8] * 7 + [5], "8 rows of 8"),
        ([[0] * 8] * 7 + [[0, 1, 0, 0, 0, 0, 0, 0]], r"\(7, 1\).*dark"),
        ([[0] * 8] * 7 + [[5] + [0] * 7], r"\(7, 0\) holds 5"),
        ([[0] * 8] * 7 + [[-1] + [0] * 7], r"\(7, 0\) holds -1"),
        ([[0] * 8] * 7 + [[True] + [0] * 7], r"\(7, 0\) holds True"),
        ([[0] * 8] * 7 + [["b"] + [0] * 7], r"\(7, 0\) holds 'b'"),
    ],
)
def test_states_that_are_none(state: Any, fault: str) -> None:
    for use in (checkers.actions, checkers.is_end, checkers.utility, checkers.features, Random(1).choose):
        with pytest.raises((ValueError, TypeError), match=fault):
            use(state, "red")
    with pytest.raises((ValueError, TypeError), match=fault):
        checkers.successor(state, [(2, 1), (3, 2)])


@pytest.mark.parametrize("player", ["white", "Red", "", None, 1])
def test_players_without_pieces(player: Any) -> None:
    for use in (checkers.actions, checkers.is_end, checkers.utility, checkers.features):
        with pytest.raises(ValueError, match='"red" or "black"'):
            use(checkers.start(), player)


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        ([(2, 1), (4, 3)], "none of his actions"),
        ([(2, 1), (2, 1)], "none of his actions"),
        ([(1, 0), (2, 1)], "none of his actions"),
        ([(3, 0), (4, 1)], r"no piece stands on \(3, 0\)"),
        ([(2, 1), (3, 1)], "dark tiles"),
        ([(2, 1), (3, 8)], "dark tiles"),
        ([(2, 1)], "two or more"),
        ([], "two or more"),
        ("11-15", "two or more"),
        (None, "two or more"),
        ([(2, 1), (3, 2), "x"], "two or more"),
    ],
)
def test_actions_that_are_none(action: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        checkers.successor(checkers.start(), action)


def test_an_action_that_forgets_to_capture() -> None:
    with pytest.raises(ValueError, match="must capture"):
        checkers.successor(empty(red=((2, 1), (2, 5)), black=((3, 2),)), [(2, 5), (3, 4)])
    with pytest.raises(ValueError, match="must capture"):
        checkers.successor(empty(red=((0, 1),), black=((1, 2), (3, 4))), [(0, 1), (2, 3)])
