"""What experiments share: counts by kind, the smallest witness of each, and positions made smaller."""

from cplrt import Logical

from cpl.draughts.position import Position
from cpl.kit.experiment import Tally, shrunk


def test_the_smallest_case_of_each_kind_is_kept_and_of_equals_the_first() -> None:
    tally = Tally[bool, str](len)
    for case in ("aaa", "bb", "c", "dd", "e"):
        tally.add(len(case) > 1, case)
    assert tally.counts == {True: 3, False: 2}
    assert tally.smallest == {True: "bb", False: "c"}


def test_what_is_only_counted_is_not_measured() -> None:
    tally = Tally[str, str](lambda case: 1 // 0)
    tally.add("same", "a", keep=False)
    assert (tally.counts, tally.smallest) == ({"same": 1}, {})


def pieces(position: Position) -> int:
    return len([*position[0], *position[1]])


def test_a_position_is_made_smaller_as_long_as_its_kind_stays() -> None:
    start = Logical([5, 6, 7]), Logical([30, 32]), Logical([6]), 1
    found = shrunk(start, lambda position: 6 in position[0])
    assert (pieces(found), [*found[0]], [*found[2]]) == (1, [6], [])
    assert pieces(shrunk(start, lambda position: 6 in position[0], lambda: True)) == 4
