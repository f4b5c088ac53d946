"""Minimax and alpha-beta of `library/search.cpl` on random trees, and on the game of checkers."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_checkers import games

import cpl
from cpl import packaged
from cpl.games.checkers import PROGRAM, to_cpl
from cpl.games.game import program

Tree = Any
"""A tree is (what it is worth to the player to move if one does not look on, the trees that his moves lead to)."""

values = st.integers(-9, 9) | st.sampled_from([float("inf"), -float("inf")])
trees = st.recursive(
    st.tuples(values, st.just([])), lambda trees: st.tuples(values, st.lists(trees, max_size=4)), max_leaves=40
)


@pytest.fixture(scope="module")
def search() -> Any:
    return cpl.load(packaged.folder("programs") / "library" / "search.cpl")


def moves(tree: Tree) -> list[list[int]]:
    return [[number] for number in range(len(tree[1]))]


def play(tree: Tree, move: list[int]) -> Tree:
    return tree[1][move[0]]


def value(tree: Tree, known: list[Any], depth: int) -> float:
    assert known == moves(tree)
    return tree[0] + depth / 100  # type: ignore[no-any-return]


def minimax(tree: Tree, depth: int) -> tuple[float, list[int]]:
    """From the definition: the first of the moves after which the opponent has least."""
    if depth == 0 or not tree[1]:
        return value(tree, moves(tree), depth), []
    after = [-minimax(each, depth - 1)[0] for each in tree[1]]
    return max(after), [after.index(max(after))]


@settings(deadline=None, max_examples=300)
@given(trees, st.integers(0, 5))
def test_both_are_what_minimax_is_by_definition(search: Any, tree: Tree, depth: int) -> None:
    expected = minimax(tree, depth)
    assert search.MiniMax(tree, depth, moves, play, value) == expected
    assert search.AlphaBeta(tree, depth, moves, play, value) == expected


@settings(deadline=None)
@given(trees, st.integers(0, 5))
def test_alpha_beta_looks_at_no_position_that_minimax_does_not(search: Any, tree: Tree, depth: int) -> None:
    seen: dict[str, list[int]] = {"MiniMax": [], "AlphaBeta": []}
    for name, looked in seen.items():

        def counted(tree: Tree, looked: list[int] = looked) -> list[list[int]]:
            looked.append(id(tree))
            return moves(tree)

        getattr(search, name)(tree, depth, counted, play, value)
    rest = iter(seen["MiniMax"])
    assert all(each in rest for each in seen["AlphaBeta"]), "the same in the same order, some left out"


def test_a_good_first_move_halves_the_tree(search: Any) -> None:
    """The square root of the positions, all but: the least that there is (Knuth and Moore, 1975)."""

    def grown(depth: int, worth: int) -> Tree:
        return (worth, [grown(depth - 1, -worth) for _ in range(5)] if depth else [])

    looked: list[Tree] = []
    tree = grown(4, 1)
    search.AlphaBeta(tree, 4, lambda tree: looked.append(tree) or moves(tree), play, lambda tree, known, depth: tree[0])
    leaves = sum(not each[1] for each in looked)
    assert leaves == 5**2 + 5**2 - 1


@pytest.mark.long
@pytest.mark.parametrize(("depth", "step", "most"), [(1, 20, 1.0), (2, 40, 0.8), (3, 80, 0.65), (4, 160, 0.4)])
def test_in_checkers_they_agree(
    depth: int, step: int, most: float, measured: Callable[[str], None], root: Path
) -> None:
    """On the value and on the move; alpha-beta with a part of the positions, the smaller the deeper it looks."""
    game = program(PROGRAM)
    valuing = game.Valuing(game.Weights)
    looked = {"MiniMax": 0, "AlphaBeta": 0}
    for state, player in islice(games(seed=11), 0, 2400, step):
        given_ = to_cpl(state, player)
        if game.IsEnd(given_):
            continue
        found = []
        for name in looked:

            def counted(state: Any, name: str = name) -> Any:
                looked[name] += 1
                return game.Choices(state)

            found.append(getattr(game, name)(given_, depth, counted, game.Play, valuing))
        assert found[0] == found[1]
    share = looked["AlphaBeta"] / looked["MiniMax"]
    line = f"{depth} plies deep, alpha-beta looks at {share:.0%} of the {looked['MiniMax']} positions of minimax"
    measured(line)
    assert share <= most
    assert depth == 1 or f"- {line}\n" in (root / "docs" / "descriptions.md").read_text(encoding="utf-8")
