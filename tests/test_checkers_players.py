"""The players of checkers: they obey the rules, repeat themselves, win against chance, and refuse nonsense."""

import copy
import pickle
from collections.abc import Callable
from itertools import product
from math import inf
from typing import Any

import pytest
from test_checkers import empty

from cpl.games import checkers
from cpl.games.checkers import HEAVIEST, AlphaBeta, MiniMax, Random, State, play

WON = 1_000_000


@pytest.mark.long
@pytest.mark.parametrize(("colour", "seeds"), [("red", range(10)), ("black", range(10, 20))])
def test_alpha_beta_wins_nineteen_of_twenty_games_against_chance(
    colour: str, seeds: range, measured: Callable[[str], None]
) -> None:
    played = []
    for seed in seeds:
        by = {"red": Random(seed), "black": Random(seed), colour: AlphaBeta(3)}
        played.append(play(by["red"], by["black"]).winner)
    measured(
        f"alphabeta:3 as {colour} wins {played.count(colour)} of {len(played)} games against random, "
        f"and draws {played.count(None)}"
    )  # type: ignore[arg-type]
    assert played.count(colour) >= 9.5  # type: ignore[arg-type]


def test_a_game_is_what_its_actions_make_of_it() -> None:
    """And players at random repeat themselves."""
    game = play(Random(5), Random(6))
    assert play(Random(5), Random(6)) == game != play(Random(5), Random(7))
    state, player = game.state, game.player
    for action in game.actions:
        assert action in checkers.actions(state, player)
        state, player = checkers.successor(state, action), "black" if player == "red" else "red"
    assert checkers.utility(state, player, "red") == {"red": inf, "black": -inf, None: 0}[game.winner]


def test_results() -> None:
    one_each, drawn = empty(red=((2, 1),), black=((3, 2),)), empty(red_king=((0, 1),), black_king=((7, 6),))
    for state, player, result in (
        (one_each, "red", "1-0"),
        (one_each, "black", "0-1"),
        (empty(red=((2, 1),)), "black", "1-0"),
        (State(drawn, since_capture=99), "red", "1/2-1/2"),
    ):
        assert play(Random(1), Random(1), state, player).result == result


def test_the_sooner_a_win_comes_the_better() -> None:
    """A king may take the last piece at once, or in the end after having let it go."""
    state = empty(red_king=((4, 3), (0, 1)), black=((5, 2),))
    for kind in (MiniMax, AlphaBeta):
        for depth in (1, 2, 3, 4):
            value, action = kind(depth).consider(state, "red")
            assert action == [(4, 3), (6, 1)]
            assert value == WON + depth - 1


@pytest.mark.parametrize("name", [*checkers.weights()])
def test_no_weight_outweighs_a_win(name: str) -> None:
    """Black can win at once with 26-22, and could take a man with 17-14."""
    state, player = checkers.from_fen("W:WK2,17,K26:B13")
    for weight in (HEAVIEST, -HEAVIEST):
        value, action = AlphaBeta(2, {name: weight}).consider(state, player)
        assert checkers.action_text(action) == "26-22"
        assert value > WON


def test_a_state_and_a_player_keep_what_is_their_own() -> None:
    weights = {"Pieces": 1}
    player = AlphaBeta(2, weights)
    weights["Kings"] = 5
    assert player.weights == {"Pieces": 1}
    # It is his own. And his action may be a tuple.

    def choose(state: Any, player: str) -> Any:
        action = checkers.actions(state, player)[0]
        for row in state:
            row[:] = [0] * 8
        return tuple(action)

    game = play(Chooses(choose), Chooses(choose))
    assert game.state == checkers.start()
    assert game.actions == play(*[Chooses(lambda state, player: checkers.actions(state, player)[0])] * 2).actions


class Chooses:
    """A player with a mind of his own."""

    def __init__(self, choose: Callable[[Any, str], Any]) -> None:
        self.choose = choose


def test_a_player_who_does_not_keep_the_rules() -> None:
    for choose in (
        lambda state, player: checkers.actions(state, "black" if player == "red" else "red")[0],
        lambda state, player: [(2, 1), (4, 3)],
        lambda state, player: None,
        lambda state, player: [],
    ):
        with pytest.raises(ValueError, match="action"):
            play(Chooses(choose), Random(1))


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: AlphaBeta(0), "the depth is 1 or more"),
        (lambda: MiniMax(-1), "the depth is 1 or more"),
        (lambda: AlphaBeta(2.0), "whole number"),  # type: ignore[arg-type]
        (lambda: MiniMax(True), "whole number"),
        (lambda: AlphaBeta(2, {"Beauty": 1}), "no feature Beauty"),
        (lambda: AlphaBeta(2, {"Kings": inf}), "weight of Kings"),
        (lambda: AlphaBeta(2, {"Kings": 1001}), "weight of Kings"),
        (lambda: AlphaBeta(2, {"Kings": "a"}), "weight of Kings"),  # type: ignore[dict-item]
        (lambda: AlphaBeta(2, None), "names of features"),  # type: ignore[arg-type]
    ],
)
def test_invalid_players(make: Callable[[], object], fault: str) -> None:
    with pytest.raises((ValueError, TypeError), match=fault):
        make()


def test_there_is_nothing_to_choose_when_the_game_is_over() -> None:
    for over in (empty(black=((3, 2),)), State(checkers.start(), since_capture=100)):
        for player in (Random(1), MiniMax(1), AlphaBeta(1)):
            with pytest.raises(ValueError, match="over"):
                player.choose(over, "red")


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (5, "a state is a list of 8 rows, not int"),
        ([[0] * 8] * 7, "a state has 8 rows, not 7"),
        ([[0] * 8] * 7 + [[1] + [0] * 7], r"man stands on \(7, 0\)"),
        ([[0, 3] + [0] * 6] + [[0] * 8] * 7, r"man stands on \(0, 1\)"),
        ([[0] * 8] * 7 + [[0, 1, 0, 0, 0, 0, 0, 0]], r"\(7, 1\).*dark"),
        ([[0] * 8] * 7 + [[5] + [0] * 7], "row 7, column 0 is a number from 0 to 4, not 5"),
        ([[0] * 8] * 7 + [[True] + [0] * 7], "row 7, column 0 is a whole number, not bool"),
    ],
)
def test_invalid_states(state: Any, fault: str) -> None:
    for use in (checkers.actions, checkers.is_end, checkers.utility, checkers.features, Random(1).choose):
        with pytest.raises((ValueError, TypeError), match=fault):
            use(state, "red")
    with pytest.raises((ValueError, TypeError), match=fault):
        checkers.successor(state, [(2, 1), (3, 2)])


def test_invalid_counts() -> None:
    for name, count in product(("since_capture", "since_advance"), (-1, 1.5, True, "a")):
        with pytest.raises((ValueError, TypeError), match=name):
            State(checkers.start(), **{name: count})
        state = checkers.start()
        setattr(state, name, count)
        with pytest.raises((ValueError, TypeError), match=name):
            checkers.actions(state, "red")


def test_a_state_keeps_its_counts() -> None:
    state = State(checkers.start(), since_capture=7, since_advance=8)
    for again in (
        State(state),
        state.copy(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
    ):
        assert repr(again) == repr(state)
        assert again is not state
    assert repr(State(state, since_capture=0)) == repr(State(checkers.start(), since_advance=8))


@pytest.mark.parametrize("player", ["white", "Red", "", None, 1])
def test_invalid_colours(player: Any) -> None:
    for use in (checkers.actions, checkers.is_end, checkers.utility, checkers.features, checkers.to_fen):
        with pytest.raises(ValueError, match='"red" or "black"'):
            use(checkers.start(), player)
    drawn = State(empty(red_king=((0, 1),), black_king=((7, 6),)), since_capture=100)
    assert [str(checkers.utility(drawn, "red", us)) for us in (None, "red", "black")] == ["0.0", "0.0", "0.0"]
    if player is not None:
        with pytest.raises(ValueError, match='"red" or "black"'):
            checkers.utility(drawn, "red", player)


FORKED = empty(red=((0, 1), (2, 5)), black=((1, 2), (3, 4)))


@pytest.mark.parametrize(
    ("state", "action", "fault"),
    [
        (checkers.start(), [(2, 1), (4, 3)], r"red cannot go \[.*\]: the piece on 9 can go 9-13 or 9-14"),
        (checkers.start(), [(1, 0), (2, 1)], "there is a piece on 9"),
        (checkers.start(), [(3, 0), (4, 1)], "there is no piece on 13"),
        (FORKED, [(2, 5), (3, 6)], "a capture must be made"),
        (FORKED, [(0, 1), (2, 3)], "the capture goes on"),
    ],
)
def test_illegal_actions(state: Any, action: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        checkers.successor(state, action)
