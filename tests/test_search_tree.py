"""What the program of 1966 considered, against what its functions say of each position by themselves."""

from collections.abc import Iterator
from math import inf
from types import ModuleType

import pytest
from cplrt import Logical

import cpl
from cpl.kit.search_tree import SearchNode
from cpl.kit.traces import MOST_CALLS

CAPTURE = (Logical([7, 10]), Logical([15, 24, 36]), Logical(0), 1)


@pytest.fixture(scope="module")
def game() -> ModuleType:
    return cpl.load("strachey.cpl")


def nodes(node: SearchNode, depth: int = 0) -> Iterator[tuple[SearchNode, int]]:
    yield node, depth
    for reply in node.replies:
        yield from nodes(reply, depth + 1)


def test_moves_and_values_are_those_of_the_program(game: ModuleType) -> None:
    for position in (game.StartPosition, CAPTURE):
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


def test_moves_are_written_as_players_write_them_to_a_depth(game: ModuleType) -> None:
    assert "6x15x22" in [reply.move for reply in cpl.search_tree(CAPTURE).replies]
    assert max(depth for _, depth in nodes(cpl.search_tree(CAPTURE, depth=0))) == 1
    assert len(cpl.search_tree(game.StartPosition, game, depth=1).replies) == 7
    assert game.DepthLimit == 2
    tree = cpl.search_tree("W:W:B1")
    assert (tree.replies, tree.value, tree.chosen) == ((), -inf, None)
    assert str(tree) == "ChosenPosition: no move, −∞"
    assert tree.to_dict() == {"move": "", "position": "W:W:B1", "value": "−∞", "chosen": False, "replies": []}


def test_a_large_tree_as_data_text_and_html() -> None:
    tree = cpl.search_tree()
    data = tree.to_dict()
    assert [reply["move"] for reply in data["replies"]] == [reply.move for reply in tree.replies]
    assert [reply["chosen"] for reply in data["replies"]].count(True) == 1
    assert str(tree).startswith("ChosenPosition: 9-14, 0\n* 9-14 0\n  * 22-17 0\n")
    html = tree._repr_html_()
    assert html.count("<details") == html.count("</details>") > 7
    assert "<script" not in html
    assert MOST_CALLS > cpl.search_tree().count() == 359


@pytest.mark.parametrize(
    ("position", "program", "depth", "message"),
    [
        ("nonsense", "strachey.cpl", None, "."),
        (None, "pendulum.cpl", None, "pendulum.cpl has no function ChosenPosition"),
        (None, "strachey.cpl", -1, "a depth is a whole number from 0, not -1"),
        (None, "strachey.cpl", True, "a depth is a whole number from 0, not True"),
        ((1, 2), "strachey.cpl", None, "ChosenPosition failed: "),
    ],
)
def test_what_cannot_be_searched(position: object, program: str, depth: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cpl.search_tree(position, program, depth)


def test_other_programs_that_search_alike() -> None:
    text = """\
    ChosenPosition(P) = value of § let (p, v) = BestPosition(NIL, -∞, [P + 1, P + 2], 0)
        result is p §
    BestPosition(P, V, L, d) = Null(L) → (P, V), value of
      § let (p, l) = Next(L)
        let v = -PositionValue(p, d + 1)
        result is v > V → BestPosition(p, v, l, d), BestPosition(P, V, l, d) §
    PositionValue(P, d) = -P
    """
    tree = cpl.search_tree(3, cpl.load(cpl.Source("other.cpl", text)))
    assert [(reply.move, reply.value, reply.is_chosen) for reply in tree.replies] == [
        ("to 4", 4, False),
        ("to 5", 5, True),
    ]
