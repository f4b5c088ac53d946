"""Positions to try programs on: sound, distinct, rich; and the witnesses that experiments keep and make smaller."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from cplrt import Logical
from cplrt.checkers import board

import cpl
from cpl.draughts.position import Position
from cpl.kit.positions import LONGEST, drawn, played, scattered
from cpl.kit.tally import shrunk, tally

COUNT = 1000


@pytest.fixture(scope="module")
def game():
    return cpl.load("strachey.cpl")


@pytest.fixture(scope="module")
def positions(game) -> list[Position]:
    return [*drawn(game.LegalPositionsFrom, game.StartPosition, COUNT)]


def pieces(position: Position) -> int:
    return len([*position[0], *position[1]])


def test_as_many_as_asked_for_all_distinct_and_by_the_seed(game, positions: list[Position]) -> None:
    assert len(set(positions)) == len(positions) == COUNT
    assert [len([*drawn(game.LegalPositionsFrom, game.StartPosition, count)]) for count in (0, 1)] == [0, 1]
    assert [*drawn(game.LegalPositionsFrom, game.StartPosition, COUNT)] == positions
    other = [*drawn(game.LegalPositionsFrom, game.StartPosition, COUNT, seed=1)]
    assert len({*positions, *other}) > 1.8 * COUNT


def test_they_are_positions_of_checkers_half_from_play(game, positions: list[Position]) -> None:
    squares, last = Logical(board), {1: game.Squares(36, 39), -1: game.Squares(5, 8)}
    for own, other, kings, mover in positions:
        assert not own & other and not kings - (own | other) and not (own | other) - squares
        assert not (own & last[mover]) - kings and not (other & last[-mover]) - kings, "a man where he would be a king"
        assert all(len([*each]) <= 12 for each in (own, other))
    reached = {*islice(played(game.LegalPositionsFrom, game.StartPosition, Random(0)), 10 * COUNT)}
    assert sum(position in reached for position in positions) >= COUNT // 2
    assert all(own and other for own, other, _, _ in islice(scattered(Random(0)), COUNT)), "both colours"


def test_all_that_rules_are_about_is_there(game, positions: list[Position]) -> None:
    seen: Counter[str] = Counter()
    for position in positions:
        own, _, kings, mover = position
        after = game.LegalPositionsFrom(position)
        taken = max((pieces(position) - pieces(each) for each in after), default=0)
        seen["no move"] += not after
        seen["a capture"] += taken > 0
        seen["several captures"] += taken > 1
        seen["more than two captures"] += taken > 2
        seen["a king to move"] += bool(kings & own)
        seen["men only"] += not kings
        seen["a man is crowned"] += any(len([*each[2] & each[1]]) > len([*kings & own]) for each in after)
        seen["Black to move"] += mover == 1
        seen["White to move"] += mover == -1
        seen["up to six pieces"] += pieces(position) <= 6
        seen["fourteen pieces and more"] += pieces(position) >= 14
    assert seen["no move"] >= 2 and seen["more than two captures"] >= COUNT // 100, seen
    assert seen["several captures"] >= COUNT // 20 and seen["a man is crowned"] >= COUNT // 20, seen
    rare = {"no move", "more than two captures", "several captures", "a man is crowned"}
    assert all(count >= COUNT // 10 for what, count in seen.items() if what not in rare), seen


def test_programs_that_know_no_move_and_programs_that_never_stop(game) -> None:
    assert len([*drawn(lambda position: [], game.StartPosition, 50)]) == 50
    assert len([*drawn(lambda position: [position], game.StartPosition, 50)]) == 50
    assert len([*islice(played(lambda position: [position], game.StartPosition, Random(0)), LONGEST)]) == LONGEST


def test_the_smallest_case_of_each_kind_is_kept_and_of_equals_the_first() -> None:
    found = tally(((len(case) > 1, case) for case in ("aaa", "bb", "c", "dd", "e")), len)
    assert (found.counts, found.smallest) == ({True: 3, False: 2}, {True: "bb", False: "c"})
    found = tally([(True, "a"), (False, "b")], lambda case: 1 // (case == "a"), unremarkable=[False])
    assert (found.counts, found.smallest) == ({True: 1, False: 1}, {True: "a"}), "what is only counted is not measured"


def test_a_position_is_made_smaller_as_long_as_its_kind_stays() -> None:
    start = Logical([5, 6, 7]), Logical([30, 32]), Logical([6]), 1
    found = shrunk(start, lambda position: 6 in position[0])
    assert (pieces(found), [*found[0]], [*found[2]]) == (1, [6], [])
    steps = iter((False, True))
    assert pieces(shrunk(start, lambda position: 6 in position[0], lambda: next(steps))) == 4
