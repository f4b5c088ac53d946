"""Checkers of the seeds: the compiled CPL beside pydraughts, beside plain Python, and beside what the seeds say."""

import copy
import os
import pickle
import random
import re
from collections.abc import Callable, Iterator
from itertools import islice, product
from math import inf
from pathlib import Path
from typing import Any

import checkers_by_tiles as tiles
import draughts
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpl.games import checkers
from cpl.games.checkers import CHECKERS, AlphaBeta, MiniMax, Random, State, play
from cpl.games.checkers.game import from_move
from cpl.games.checkers.model import from_cpl, to_cpl
from cpl.games.game import HEAVIEST, program
from cpl.games.position import to_fen

Board = list[list[int]]

PLAYERS = ("red", "black")
COMPARED = int(os.environ.get("CPLC_POSITIONS", "1000"))
"""Positions of random games that are compared with pydraughts: `CPLC_POSITIONS=20000` looks longer."""

examined = settings(deadline=None, max_examples=200)
boards = st.integers(0, 2**32).map(lambda seed: tiles.scattered(random.Random(seed)))
players = st.sampled_from(PLAYERS)


def board(*lines: str) -> Board:
    """A board from a picture: r and b for men, R and B for kings."""
    return [[" rRbB".index(sign.replace(".", " ")) for sign in line.split()] for line in lines]


def empty(**pieces: tuple[tuple[int, int], ...]) -> Board:
    """A board with a few pieces."""
    made = [[0] * 8 for _ in range(8)]
    for name, places in pieces.items():
        for row, column in places:
            made[row][column] = ("", "red", "red_king", "black", "black_king").index(name)
    return made


def games(seed: int) -> Iterator[tuple[State, str]]:
    """The states of random games, one game after another, each of at most 150 plies."""
    rng = random.Random(seed)
    while True:
        state, player = checkers.start(), "red"
        for _ in range(150):
            yield state, player
            if not (actions := checkers.actions(state, player)):
                break
            state, player = checkers.successor(state, rng.choice(actions)), tiles.OPPONENT[player]


def test_the_start_is_that_of_the_seeds() -> None:
    assert checkers.start() == board(
        ". r . r . r . r",
        "r . r . r . r .",
        ". r . r . r . r",
        ". . . . . . . .",
        ". . . . . . . .",
        "b . b . b . b .",
        ". b . b . b . b",
        "b . b . b . b .",
    )


def test_actions_are_those_of_the_rules() -> None:
    assert checkers.actions(empty(red=((2, 3),)), "red") == [[(2, 3), (3, 2)], [(2, 3), (3, 4)]]
    for name, (fen, actions) in ACTIONS.items():
        assert list(map(checkers.action_text, checkers.actions(*checkers.from_fen(fen)))) == actions.split(), name


@pytest.mark.parametrize(
    ("fen", "text", "then"),
    [
        ("B:W6,14,15,22:B1,12", "1x10x17x26", "W:W15:B12,26"),
        ("B:W26,27:B22", "22x31", "W:W27:BK31"),
        ("W:W6:B", "6-2", "B:WK2:B"),
        ("B:W:B25", "25-29", "W:W:BK29"),
    ],
)
def test_an_action_takes_and_crowns_pieces(fen: str, text: str, then: str) -> None:
    state, player = checkers.from_fen(fen)
    moved = checkers.successor(state, checkers.read_action(state, player, text))
    assert checkers.to_fen(moved, tiles.OPPONENT[player]) == then


@pytest.mark.parametrize(
    ("pieces", "path", "counts"),
    [
        ({"red": ((2, 1),)}, ((2, 1), (3, 2)), (8, 0)),
        ({"red": ((2, 1),), "black": ((3, 2),)}, ((2, 1), (4, 3)), (0, 0)),
        ({"red_king": ((2, 5),)}, ((2, 5), (1, 4)), (8, 10)),
        ({"red_king": ((4, 5),), "black": ((5, 6),)}, ((4, 5), (6, 7)), (0, 10)),
    ],
    ids=["a man's step", "a man's capture", "a king's step", "a king's capture"],
)
def test_captures_and_advances_of_men_are_counted_from(pieces: Any, path: Any, counts: tuple[int, int]) -> None:
    counted = after(State(empty(**pieces), since_capture=7, since_advance=9), *path)
    assert (counted.since_capture, counted.since_advance) == counts


def test_features_are_each_sides_own() -> None:
    weights = checkers.weights()
    assert [*weights] == [*checkers.features(checkers.start(), "red")] == [*FEATURES]
    assert all(weight > 0 for weight in weights.values())
    for name, (pieces, red, black) in FEATURES.items():
        turned = tiles.turned(pieces)
        found = [checkers.features(pieces, player)[name] for player in PLAYERS]
        assert found == [red, black] == [checkers.features(turned, player)[name] for player in PLAYERS[::-1]], name


def test_weights_are_those_of_the_page(root: Path) -> None:
    weights = checkers.weights()
    page = (root / "docs" / "descriptions.md").read_text("utf-8")
    assert {
        name: int(weight) for name, weight in re.findall(r"(?m)^\| .* \| `(\w+)` \| .* \| (\d+) \|$", page)
    } == weights


@pytest.mark.parametrize("counts", [{"since_capture": 100}, {"since_advance": 100}], ids=str)
def test_fifty_moves_of_each_side_make_a_draw(counts: dict[str, int]) -> None:
    kings = empty(red_king=((0, 1),), black_king=((7, 6),))
    drawn = State(kings, **counts)
    almost = State(kings, **{name: count - 1 for name, count in counts.items()})
    for player in PLAYERS:
        assert checkers.is_end(drawn, player)
        assert checkers.utility(drawn, player) == 0.0
        assert not checkers.is_end(almost, player)
    assert checkers.is_end(after(almost, (0, 1), (1, 0)), "black")
    assert checkers.actions(drawn, "red"), "the rules of movement do not know of it"


def test_a_win_goes_before_a_draw() -> None:
    blocked = State(empty(red_king=((0, 7),), black_king=((1, 6), (2, 5))), since_capture=100, since_advance=100)
    assert checkers.utility(blocked, "red") == -inf
    assert checkers.utility(blocked, "black") == 0.0
    last = State(empty(red_king=((2, 1),), black=((3, 2),)), since_capture=99, since_advance=99)
    assert checkers.utility(after(last, (2, 1), (4, 3)), "black") == -inf


@pytest.mark.parametrize("kind", [MiniMax, AlphaBeta])
def test_every_move_is_worth_nothing_one_ply_before_a_draw(kind: type[MiniMax | AlphaBeta]) -> None:
    """However many pieces one has more."""
    state = State(empty(red_king=((0, 1), (0, 3), (2, 1)), black_king=((7, 6),)), since_capture=99, since_advance=50)
    assert kind(2).consider(state, "red")[0] == 0
    assert kind(2).consider([*state], "red")[0] > 0


ACTIONS = {
    "men go forward": ("B:W:B10", "10-14 10-15"),
    "also black ones": ("W:W27:B", "27-23 27-24"),
    "kings go both ways": ("B:W:BK4,K29", "4-8 29-25"),
    "who can capture must, and goes on to the end": ("B:W6,14,15,22:B1,12", "1x10x17x26 1x10x19"),
    "men do not capture backward": ("B:W14:B18", "18-22 18-23"),
    "kings do": ("B:W14:BK18", "18x9"),
    "the tile that a capturing piece left is empty": ("B:W14,15,22,23:BK10", "10x17x26x19x10 10x19x26x17x10"),
    "a crowned man stops": ("B:W26,27:B22", "22x31"),
}


@pytest.mark.parametrize("player", PLAYERS)
def test_the_end(player: str) -> None:
    opponent = tiles.OPPONENT[player]
    lost, blocked = empty(**{opponent: ((3, 2),)}), empty(red=((3, 0),), black=((4, 1), (5, 2)))
    for state in (lost, blocked if player == "red" else tiles.turned(blocked)):
        assert checkers.is_end(state, player)
        assert checkers.utility(state, player) == checkers.utility(state, player, player) == -inf
        assert checkers.utility(state, player, opponent) == inf
    assert not checkers.is_end(checkers.start(), player)
    assert checkers.is_end(lost, opponent), "a player without a piece has lost, whoever is to move"
    assert checkers.utility(lost, opponent) == inf
    assert checkers.utility(empty(), player) == -inf
    with pytest.raises(ValueError, match="not over"):
        checkers.utility(checkers.start(), player)


def after(state: Board, *path: tuple[int, int]) -> State:
    return checkers.successor(state, [*path])


def test_the_same_paths_as_pydraughts(measured: Any) -> None:
    several = captures = 0
    for state, player in islice(games(seed=3), COMPARED):
        position = to_cpl(state, player)[0]
        expected = sorted(
            [divmod_square(square) for square in move.steps_move]
            for move in draughts.Board(variant="english", fen=to_fen(position)).legal_moves()
        )
        found = checkers.actions(state, player)
        assert found == expected, to_fen(position)
        several += any(len(path) > 2 for path in found)
        captures += tiles.actions(state, player) == [*tiles.jumps(state, player)]
    measured(
        f"{COMPARED} positions of random games: the same paths as pydraughts; {captures} with captures, "
        f"{several} of several pieces"
    )
    assert several > COMPARED / 100


def divmod_square(square: int) -> tuple[int, int]:
    """The tile of an official number."""
    row, place = divmod(square - 1, 4)
    return row, 2 * place + 1 - row % 2


@examined
@given(boards, players)
def test_actions_and_features_are_as_tile_by_tile(board: Board, player: str) -> None:
    assert checkers.features(board, player) == tiles.features(board, player)
    assert checkers.actions(board, player) == sorted(tiles.actions(board, player))
    assert checkers.must_moves(board, player) == sorted(tiles.jumps(board, player))
    assert checkers.optional_moves(board, player) == sorted(tiles.steps(board, player))


@examined
@given(boards, players)
def test_successors_lose_no_piece_but_those_that_were_jumped_over(board: Board, player: str) -> None:
    """Nobody's data is changed."""
    given_, opponent = copy.deepcopy(board), tiles.OPPONENT[player]
    for action in checkers.actions(board, player):
        unchanged, after = copy.deepcopy(action), checkers.successor(board, action)
        assert after == tiles.moved(board, *action)
        jumped = len(action) - 1 if abs(action[0][0] - action[1][0]) == 2 else 0
        assert len(tiles.pieces(after, player)) == len(tiles.pieces(board, player))
        assert len(tiles.pieces(after, opponent)) == len(tiles.pieces(board, opponent)) - jumped
        assert after.since_capture == (0 if jumped else 1)
        assert action == unchanged
        for row in after:
            row[:] = [9] * 8
    assert board == given_


@examined
@given(boards, players)
def test_the_next_position_of_the_program_is_as_tile_by_tile(board: Board, player: str) -> None:
    """It holds nothing else: no king without a piece, say."""
    given_, opponent, game = copy.deepcopy(board), tiles.OPPONENT[player], program(CHECKERS.source)
    position = to_cpl(State(board), player)[0]
    for move in game.Moves(position):
        assert game.Successor(position, move) == to_cpl(State(tiles.moved(board, *from_move(move))), opponent)[0]
    assert board == given_


@examined
@given(boards, players, st.integers(0, 99), st.integers(0, 99))
def test_to_the_program_and_back(board: Board, player: str, captured: int, advanced: int) -> None:
    state = State(board, since_capture=captured, since_advance=advanced)
    again, mover = from_cpl(to_cpl(state, player))
    assert (repr(again), mover) == (repr(state), player)


def worth(state: State, player: str, depth: int) -> float:
    """Minimax in plain Python, on boards, with the features and weights as they are counted there."""
    opponent = tiles.OPPONENT[player]
    ways = tiles.actions(state, player)
    if not ways:
        return -1_000_000 - depth
    if not tiles.pieces(state, opponent):
        return 1_000_000 + depth
    if state.since_capture >= 100 or state.since_advance >= 100:
        return 0
    if depth == 0:
        own, other = tiles.features(state, player), tiles.features(state, opponent)
        return sum(weight * (own[name] - other[name]) for name, weight in checkers.weights().items())
    return max(-worth(_made(state, player, way), opponent, depth - 1) for way in ways)


def _made(state: State, player: str, way: list[tuple[int, int]]) -> State:
    (row, column), after = way[0], tiles.moved(state, *way)
    taken = len(tiles.pieces(after, tiles.OPPONENT[player])) < len(tiles.pieces(state, tiles.OPPONENT[player]))
    return State(
        after,
        since_capture=0 if taken else state.since_capture + 1,
        since_advance=0 if state[row][column] in (1, 3) else state.since_advance + 1,
    )


@settings(deadline=None, max_examples=25)
@given(boards, players, st.sampled_from([0, 97, 98, 99]), st.sampled_from([0, 97, 98, 99]), st.integers(1, 3))
def test_a_search_is_worth_what_it_is_on_boards(
    board: Board, player: str, captured: int, advanced: int, depth: int
) -> None:
    state = State(board, since_capture=captured, since_advance=advanced)
    if not checkers.is_end(state, player):
        assert AlphaBeta(depth).consider(state, player)[0] == worth(state, player, depth)


FEATURES = {
    "CaptureStep": (empty(red=((2, 3),), black=((3, 4),)), 1, 1),
    "Confinement": (empty(red=((3, 0), (4, 3)), black=((6, 1), (7, 6))), -3, -2),
    "MultipleCapture": (empty(red=((0, 1),), black=((1, 2), (3, 4), (5, 6))), 2, 0),
    "BlockedLanes": (empty(red=((0, 1), (0, 5), (2, 3)), black=((6, 1), (7, 2))), 2, 1),
    "OneSidedCapture": (empty(red=((2, 3), (1, 2)), black=((3, 4),)), 1, 0),
    "Contact": (empty(red=((2, 3), (3, 4)), black=((4, 5), (6, 7))), 1, 0),
    "Recapture": (empty(red=((2, 3), (1, 2)), black=((3, 4),)), 1, 0),
    "SafeRunners": (empty(red=((5, 0), (5, 6)), black=((7, 4), (7, 6))), 1, 2),
    "Pieces": (empty(red=((2, 3), (1, 2)), red_king=((7, 0),), black=((3, 4),)), 3, 1),
    "Kings": (empty(red=((2, 3), (1, 2)), red_king=((7, 0),), black=((3, 4),)), 1, 0),
}
"""A board for each feature, and what it is to Red and to Black."""


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


def test_games_are_won_as_soon_as_can_be() -> None:
    """And players at random repeat themselves."""
    game = play(Random(5), Random(6))
    assert play(Random(5), Random(6)) == game != play(Random(5), Random(7))
    state, player = game.state, game.player
    for action in game.actions:
        assert action in checkers.actions(state, player)
        state, player = checkers.successor(state, action), "black" if player == "red" else "red"
    assert checkers.utility(state, player, "red") == {"red": inf, "black": -inf, None: 0}[game.winner]
    one_each, drawn = empty(red=((2, 1),), black=((3, 2),)), empty(red_king=((0, 1),), black_king=((7, 6),))
    for state, player, result in (
        (one_each, "red", "1-0"),
        (one_each, "black", "0-1"),
        (empty(red=((2, 1),)), "black", "1-0"),
        (State(drawn, since_capture=99), "red", "1/2-1/2"),
    ):
        assert play(Random(1), Random(1), state, player).result == result
    # A king may take the last piece at once, or in the end after having let it go.
    state = empty(red_king=((4, 3), (0, 1)), black=((5, 2),))
    for kind in (MiniMax, AlphaBeta):
        for depth in (1, 2, 3, 4):
            value, action = kind(depth).consider(state, "red")
            assert action == [(4, 3), (6, 1)]
            assert value == WON + depth - 1
    # Black can win at once with 26-22, and could take a man with 17-14.
    state, player = checkers.from_fen("W:WK2,17,K26:B13")
    for name, weight in product(checkers.weights(), (HEAVIEST, -HEAVIEST)):
        value, action = AlphaBeta(2, {name: weight}).consider(state, player)
        assert (checkers.action_text(action), value > WON) == ("26-22", True)


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


def test_players_keep_the_rules_and_refuse_what_is_none() -> None:
    for choose in (
        lambda state, player: checkers.actions(state, "black" if player == "red" else "red")[0],
        lambda state, player: [(2, 1), (4, 3)],
        lambda state, player: None,
        lambda state, player: [],
    ):
        with pytest.raises(ValueError, match="action"):
            play(Chooses(choose), Random(1))
    for over in (empty(black=((3, 2),)), State(checkers.start(), since_capture=100)):
        for player in (Random(1), MiniMax(1), AlphaBeta(1)):
            with pytest.raises(ValueError, match="over"):
                player.choose(over, "red")
    for make, fault in (
        (lambda: AlphaBeta(0), "the depth is 1 or more"),
        (lambda: MiniMax(-1), "the depth is 1 or more"),
        (lambda: AlphaBeta(2.0), "whole number"),  # type: ignore[arg-type]
        (lambda: MiniMax(True), "whole number"),
        (lambda: AlphaBeta(2, {"Beauty": 1}), "no feature Beauty"),
        (lambda: AlphaBeta(2, {"Kings": inf}), "weight of Kings"),
        (lambda: AlphaBeta(2, {"Kings": 1001}), "weight of Kings"),
        (lambda: AlphaBeta(2, {"Kings": "a"}), "weight of Kings"),  # type: ignore[dict-item]
        (lambda: AlphaBeta(2, None), "names of features"),  # type: ignore[arg-type]
    ):
        with pytest.raises((ValueError, TypeError), match=fault):
            make()


def test_states_keep_what_is_theirs_and_refuse_what_is_none() -> None:
    rows = [[0] * 8] * 7
    for state, fault in (
        (5, "a state is a list of 8 rows, not int"),
        (rows, "a state has 8 rows, not 7"),
        ([*rows, [1] + [0] * 7], r"man stands on \(7, 0\)"),
        ([[0, 3] + [0] * 6, *rows], r"man stands on \(0, 1\)"),
        ([*rows, [0, 1] + [0] * 6], r"\(7, 1\).*dark"),
        ([*rows, [5] + [0] * 7], "row 7, column 0 is a number from 0 to 4, not 5"),
        ([*rows, [True] + [0] * 7], "row 7, column 0 is a whole number, not bool"),
    ):
        for use in (checkers.actions, checkers.is_end, checkers.utility, checkers.features, Random(1).choose):
            with pytest.raises((ValueError, TypeError), match=fault):
                use(state, "red")
        with pytest.raises((ValueError, TypeError), match=fault):
            checkers.successor(state, [(2, 1), (3, 2)])
    for name, count in product(("since_capture", "since_advance"), (-1, 1.5, True, "a")):
        with pytest.raises((ValueError, TypeError), match=name):
            State(checkers.start(), **{name: count})
        state = checkers.start()
        setattr(state, name, count)
        with pytest.raises((ValueError, TypeError), match=name):
            checkers.actions(state, "red")
    state = State(checkers.start(), since_capture=7, since_advance=8)
    pickled = pickle.loads(pickle.dumps(state))
    for again in (State(state), state.copy(), copy.copy(state), copy.deepcopy(state), pickled):
        assert repr(again) == repr(state)
        assert again is not state
    assert repr(State(state, since_capture=0)) == repr(State(checkers.start(), since_advance=8))
    drawn = State(empty(red_king=((0, 1),), black_king=((7, 6),)), since_capture=100)
    assert [str(checkers.utility(drawn, "red", us)) for us in (None, "red", "black")] == ["0.0", "0.0", "0.0"]
    for player in ("white", "Red", "", None, 1):
        for use in (checkers.actions, checkers.is_end, checkers.utility, checkers.features, checkers.to_fen):
            with pytest.raises(ValueError, match='"red" or "black"'):
                use(checkers.start(), player)
        if player is not None:
            with pytest.raises(ValueError, match='"red" or "black"'):
                checkers.utility(drawn, "red", player)
    for state, action, fault in (
        (checkers.start(), [(2, 1), (4, 3)], r"red cannot go \[.*\]: the piece on 9 can go 9-13 or 9-14"),
        (checkers.start(), [(1, 0), (2, 1)], "there is a piece on 9"),
        (checkers.start(), [(3, 0), (4, 1)], "there is no piece on 13"),
        (FORKED, [(2, 5), (3, 6)], "a capture must be made"),
        (FORKED, [(0, 1), (2, 3)], "the capture goes on"),
    ):
        with pytest.raises(ValueError, match=fault):
            checkers.successor(state, action)


FORKED = empty(red=((0, 1), (2, 5)), black=((1, 2), (3, 4)))
