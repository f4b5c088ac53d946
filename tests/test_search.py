"""Minimax and alpha-beta on random trees and in checkers; and what the program of 1966 considered."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cplrt import Logical, tables
from hypothesis import given, settings
from hypothesis import strategies as st
from test_checkers import games
from ways import ALL, FAULT, ways

import cpl
from cpl import outside
from cpl.games.checkers import CHECKERS
from cpl.games.checkers.model import to_cpl
from cpl.games.game import program
from cpl.limits import MOST_CALLS
from cpl.study.views.tree import SearchNode
from cpl.study.views.tree_drawing import drawing

CAPTURE = (Logical([7, 10]), Logical([15, 24, 36]), Logical(0), 1)

Tree = Any
"""A tree is (what it is worth to the player to move if one does not look on, the trees that his moves lead to)."""

values = st.integers(-9, 9) | st.sampled_from([float("inf"), -float("inf")])
trees = st.recursive(
    st.tuples(values, st.just([])), lambda trees: st.tuples(values, st.lists(trees, max_size=4)), max_leaves=40
)


@pytest.fixture(scope="module")
def search() -> Any:
    return cpl.load(outside.packaged("programs") / "library" / "search.cpl")


def moves(tree: Tree) -> list[list[int]]:
    return [[number] for number in range(len(tree[1]))]


def play(tree: Tree, move: list[int]) -> Tree:
    return tree[1][move[0]]


def value(tree: Tree, legal: list[Any], depth: int) -> float:
    assert legal == moves(tree)
    return tree[0] + depth / 100  # type: ignore[no-any-return]


def minimax(tree: Tree, depth: int) -> tuple[float, list[int]]:
    """From the definition: the first of the moves after which the opponent has least."""
    if depth == 0 or not tree[1]:
        return value(tree, moves(tree), depth), []
    after = [-minimax(reply, depth - 1)[0] for reply in tree[1]]
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
    assert all(position in rest for position in seen["AlphaBeta"]), "the same in the same order, some left out"


def test_good_moves_halve_what_is_looked_at(search: Any) -> None:
    """The square root of the positions, all but: the least that there is (Knuth and Moore, 1975)."""

    def grown(depth: int, worth: int) -> Tree:
        return (worth, [grown(depth - 1, -worth) for _ in range(5)] if depth else [])

    looked: list[Tree] = []
    tree = grown(4, 1)
    search.AlphaBeta(tree, 4, lambda tree: looked.append(tree) or moves(tree), play, lambda tree, legal, depth: tree[0])
    assert sum(not position[1] for position in looked) == 5**2 + 5**2 - 1


@pytest.mark.parametrize("start", [True, False], ids=["the start", "a capture"])
def test_a_search_tree_holds_what_the_program_of_1966_considered(game: ModuleType, start: bool) -> None:
    position = game.StartPosition if start else CAPTURE
    tree = cpl.search_tree(position)
    assert tree.chosen is not None
    assert tree.chosen.position == game.ChosenPosition(position)
    for node, depth in nodes(tree):
        if depth:
            assert node.value == -game.PositionValue(node.position, depth)
        if node.replies:
            assert [reply.position for reply in node.replies] == game.LegalPositionsFrom(node.position)
            best = max(reply.value for reply in node.replies)
            first = next(reply for reply in node.replies if reply.value == best)
            assert [reply for reply in node.replies if reply.is_chosen] == ([first] if best > -inf else [])
    assert max(depth for _, depth in nodes(tree)) == 3


def test_a_search_tree_goes_as_deep_as_it_is_told_to(game: ModuleType) -> None:
    assert "6x15x22" in [reply.move for reply in cpl.search_tree(CAPTURE).replies]
    assert max(depth for _, depth in nodes(cpl.search_tree(CAPTURE, depth=0))) == 1
    assert len(cpl.search_tree(game.StartPosition, game, depth=1).replies) == 7
    assert game.DepthLimit == 2


def test_a_search_tree_without_moves() -> None:
    tree = cpl.search_tree("W:W:B1")
    assert (tree.replies, tree.value, tree.chosen) == ((), -inf, None)
    assert str(tree) == "ChosenPosition: no move, −∞"
    assert tree.to_dict() == {"move": "", "position": "W:W:B1", "value": "−∞", "chosen": False, "replies": []}


@pytest.mark.parametrize(("position", "depth"), [(None, 2), (None, 1), (CAPTURE, 2), ("W:W:B1", 2)])
def test_a_search_tree_is_drawn_with_all_replies_on_the_best_line(position: str | None, depth: int) -> None:
    tree = cpl.search_tree(position, depth=depth)
    drawn = re.search("<svg[^>]*aria-label=.The tree.*?</svg>", tree._repr_html_(), re.DOTALL)
    if not tree.replies:
        assert drawn is None
        return
    assert drawn
    words = re.findall(r"<text(?! class=.ply)[^>]*>(.*?)</text>", drawn[0])
    best = re.findall(r'<text class="best"[^>]*>★\xa0([-x0-9]+)', drawn[0])
    line, shown, node = [], 0, tree
    while node.replies:
        shown += len(node.replies) + sum(lengths(reply) for reply in node.replies if not reply.is_chosen)
        if node.chosen is None:
            break
        node = node.chosen
        line.append(node.move)
    assert (best, len(words)) == (line, shown)
    assert drawn[0].count("<path") == shown


def lengths(node: SearchNode) -> int:
    """The number of positions on the best line behind a node."""
    return 1 + lengths(node.chosen) if node.chosen else 0


def test_a_tree_with_very_many_replies_is_not_drawn() -> None:
    reply = SearchNode(None, "1-5", 0, False, ())
    assert drawing(SearchNode(None, "", 0, False, (reply,) * 30), lambda node: node.move, ("Black", "White"))
    wide = SearchNode(None, "", 0, False, (reply,) * 3000)
    assert drawing(wide, lambda node: node.move, ("Black", "White")) == ""


def test_a_search_tree_shows_itself_as_data_text_and_page() -> None:
    tree = cpl.search_tree()
    data = tree.to_dict()
    assert [reply["move"] for reply in data["replies"]] == [reply.move for reply in tree.replies]
    assert [reply["chosen"] for reply in data["replies"]].count(True) == 1
    assert str(tree).startswith("ChosenPosition: 9-14, 0\n* 9-14 0\n  * 22-17 0\n")
    html = tree._repr_html_()
    assert html.count("<details") == html.count("</details>") > 7
    assert "<script" not in html
    assert MOST_CALLS > cpl.search_tree().count() == 359


@pytest.mark.long
@pytest.mark.parametrize(("depth", "step", "most"), [(1, 20, 1.0), (2, 40, 0.8), (3, 80, 0.65), (4, 160, 0.4)])
def test_in_checkers_they_agree(
    depth: int, step: int, most: float, measured: Callable[[str], None], root: Path
) -> None:
    """On the value and on the move; alpha-beta with a part of the positions, the smaller the deeper it looks."""
    game = program(CHECKERS.source)
    valuing = game.Valuing(game.Weights)
    looked = {"MiniMax": 0, "AlphaBeta": 0}
    for state, player in islice(games(seed=11), 0, 2400, step):
        given_ = to_cpl(state, player)
        if game.IsEnd(given_):
            continue
        results = []
        for name in looked:

            def counted(state: Any, name: str = name) -> Any:
                looked[name] += 1
                return game.Choices(state)

            results.append(getattr(game, name)(given_, depth, counted, game.Play, valuing))
        assert results[0] == results[1]
    fraction = looked["AlphaBeta"] / looked["MiniMax"]
    line = f"{depth} plies deep, alpha-beta looks at {fraction:.0%} of the {looked['MiniMax']} positions of minimax"
    measured(line)
    assert fraction <= most
    assert depth == 1 or f"- {line}\n" in (root / "docs" / "descriptions.md").read_text(encoding="utf-8")


SEARCHES: dict[str, tuple[str, tuple[str, str, str], tuple[str, ...]]] = {
    "strachey": (
        'get "strachey.cpl"\nget "library/checkers-1966.cpl"\n',
        ("StartPosition", "LegalPositionsFrom(S)", "m"),
        ("PositionValue(S,1)", "BestPosition(NIL,−∞,LegalPositionsFrom(S),1)"),
    ),
    "strachey-search": (
        'get "strachey-search.cpl"\n',
        ("StartPosition", "LegalPositionsFrom(S)", "m"),
        ("MiniMaxMove(S,2)", "AlphaBetaMove(S,3)"),
    ),
    "checkers": (
        'get "checkers.cpl"\nget "library/search.cpl"\nget "library/kings.cpl"\n',
        ("StartState", "Choices(S)", "Play(S,m)"),
        ("MiniMaxMove(S,2,Weights)", "AlphaBetaMove(S,2,Weights)"),
    ),
    "simple-checkers": (
        'get "simple-checkers.cpl"\nget "library/search.cpl"\n',
        ("(StartBoard,Red)", "Moves(S)", "Play(S,m)"),
        ("MiniMaxMove(S,2)", "AlphaBetaMove(S,3)"),
    ),
    "capture": (
        'get "capture.cpl"\nget "library/search.cpl"\n',
        ("State([BoardOf(‘Www----------bbB’,4)],White,4)", "Choices(S)", "Play(S,m)"),
        ("MiniMaxMove(S,2)", "AlphaBetaMove(S,2)"),
    ),
}
"""Programs with searches, each with where play begins, the moves there and what one leads to, and the searches."""


PLAYED = """
After(S,n) = n = 0 → S, After(Stepped(S,5n + 2), n − 1)
Stepped(S,n) = value of
  § let M, k = {moves}, 0
    for m = M do k := k + 1
    if k = 0 then result is S
    let m = M[Remainder(n,k)]
    result is {played} §
"""
"""A position of a game after n plies."""

LOOKED_DEEPER = """
Deep(S) = value of
  § let Order, k = NIL, 0
    for m = {moves} do k, Order := k + 1, Join(Order, [k])
    result is Null(Order) → NIL, BestLines(S, (3,2,2↑40), (9,Order,NIL)) §
"""


@pytest.mark.long
@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_finds_the_same_in_all_ways(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gets, (start, moves, played), searches = SEARCHES[name]
    text = gets + PLAYED.format(moves=moves, played=played)
    if "search" in gets:
        text += LOOKED_DEEPER.format(moves=moves)
        searches = (*searches, "Deep(S)")
    calls = [search.replace("(S", f"(After({start},{plies})") for plies in (0, 5) for search in searches]
    outcomes = []
    for way in ALL:
        monkeypatch.setattr(tables, "_remembered", [])  # so that no way knows what another found
        outcomes.append(ways(text, calls=calls).outcome(way))
    first, *others = outcomes
    assert first.end == "value"
    assert len(first.values) == len(calls)
    assert not any(value.startswith(FAULT) for value in first.values)
    assert others == [first] * len(others)


def nodes(node: SearchNode, depth: int = 0) -> Iterator[tuple[SearchNode, int]]:
    yield node, depth
    for reply in node.replies:
        yield from nodes(reply, depth + 1)


@pytest.mark.parametrize(
    ("position", "program", "depth", "message"),
    [
        ("nonsense", "strachey.cpl", None, "."),
        (None, "pendulum.cpl", None, "pendulum.cpl has no function ChosenPosition"),
        (None, "strachey.cpl", -1, "a depth is a whole number from 0, not -1"),
        (None, "strachey.cpl", True, "a depth is a whole number from 0, not True"),
        ((1, 2), "strachey.cpl", None, "a position is .*, not .1, 2."),
    ],
)
def test_what_cannot_be_searched(position: object, program: str, depth: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cpl.search_tree(position, program, depth)
