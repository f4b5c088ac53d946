"""The sequential test: its ratio, and how often it is wrong."""

from math import isclose, log
from random import Random

import pytest

from cpl.games.game import End
from cpl.games.match import Pairing, Played
from cpl.games.openings import Opening
from cpl.games.sprt import SCORES, Sprt, Trial, share


def test_the_bounds_are_wald_s() -> None:
    assert Sprt(0, 10, 0.05, 0.1).bounds == (log(0.1 / 0.95), log(0.9 / 0.05))


def test_the_ratio_is_near_that_of_the_normal_distribution() -> None:
    """With many pairs, and hypotheses that lie close together."""
    for pairs in ([50, 200, 600, 260, 70], [300, 900, 4000, 900, 200], [0, 10, 300, 25, 0]):
        number = sum(pairs)
        mean = sum(count * score for count, score in zip(pairs, SCORES, strict=True)) / number
        variance = sum(count * (score - mean) ** 2 for count, score in zip(pairs, SCORES, strict=True)) / number
        low, high = share(0), share(5)
        normal = number * (high - low) * (2 * mean - low - high) / (2 * variance)
        assert isclose(Sprt(0, 5).ratio(pairs), normal, rel_tol=0.05, abs_tol=0.02)


def test_the_ratio_of_two_scores_by_hand() -> None:
    """If only wins and losses were seen, the likeliest shares with a mean are the mean and the rest."""
    before, after = share(0), share(100)
    expected = 30 * log(after / before) + 10 * log((1 - after) / (1 - before))
    assert isclose(Sprt(0, 100).ratio([10, 0, 0, 0, 30]), expected, abs_tol=0.01)


@pytest.mark.parametrize("pairs", [[0] * 5, [3, 1, 4, 1, 5], [0, 0, 90, 0, 0], [7, 0, 0, 0, 0]])
def test_from_the_other_side_the_ratio_is_the_opposite(pairs: list[int]) -> None:
    assert isclose(Sprt(-20, 10).ratio(pairs), -Sprt(-10, 20).ratio(pairs[::-1]), abs_tol=1e-9)


@pytest.mark.parametrize(("elo", "accepted"), [(0, 0), (150, 150)])
def test_it_is_seldom_wrong(elo: float, accepted: float) -> None:
    """At most one time in twenty or so, when a hypothesis is true: here by chance in 300 matches."""
    generator, chances, wrong = Random(7), [share(elo), 1 - share(elo)], 0
    for _ in range(300):
        trial = Trial(Sprt(0, 150), "a")
        while (answer := trial.sprt.accepted(trial.pairs)) is None:
            trial.pairs[sum(generator.choices((2, 0), chances, k=2))] += 1
        wrong += answer != accepted
    assert wrong <= 300 * 0.08


def test_pairs_of_games_are_counted_for_the_first_player() -> None:
    trial = Trial(Sprt(0, 300), "a")

    def play(first: str, winner: str | None) -> bool:
        players = ("a", "b") if first == "a" else ("b", "a")
        return trial.add(Played(Pairing(1, players, Opening()), (), End(winner, ""), ("red", "black")))

    assert not any([play("a", "red"), play("b", None), play("a", "black"), play("b", "red")])
    assert trial.pairs == [1, 0, 0, 1, 0]
    assert not play("a", "red")
    assert trial.pairs == [1, 0, 0, 1, 0]
    over = [play("b", "black"), *(play(each, "red" if each == "a" else "black") for each in "ab" * 12)]
    assert over[-1]
    assert trial.pairs == [1, 0, 0, 1, 13]
