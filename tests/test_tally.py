"""What experiments share: counts by kind, the smallest witness of each, and positions made smaller."""

from cplrt import Logical

from cpl.draughts.position import Position
from cpl.kit.tally import shrunk, tally


def test_the_smallest_case_of_each_kind_is_kept_and_of_equals_the_first() -> None:
    found = tally(((len(case) > 1, case) for case in ("aaa", "bb", "c", "dd", "e")), len)
    assert (found.counts, found.smallest) == ({True: 3, False: 2}, {True: "bb", False: "c"})
    found = tally([(True, "a"), (False, "b")], lambda case: 1 // (case == "a"), unremarkable=[False])
    assert (found.counts, found.smallest) == ({True: 1, False: 1}, {True: "a"}), "what is only counted is not measured"


def pieces(position: Position) -> int:
    return len([*position[0], *position[1]])


def test_a_position_is_made_smaller_as_long_as_its_kind_stays() -> None:
    start = Logical([5, 6, 7]), Logical([30, 32]), Logical([6]), 1
    found = shrunk(start, lambda position: 6 in position[0])
    assert (pieces(found), [*found[0]], [*found[2]]) == (1, [6], [])
    steps = iter((False, True))
    assert pieces(shrunk(start, lambda position: 6 in position[0], lambda: next(steps))) == 4
