"""Deeper of `library/search.cpl` on random trees, the analysis of games, and the table of endgames."""

import json
import random
import re
import subprocess
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import run
from cplrt import CplFault, Hash, Logical, tables
from cplrt.checkers import board
from cplrt.kings import KingsTable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from screen import Screen
from test_search import moves, play, trees

import cpl
from cpl import outside
from cpl.cli.games import say_speed
from cpl.compiler.loader import find, read
from cpl.compiler.pipeline import understand
from cpl.compiler.semantics.interpreter import Interpreter
from cpl.compiler.source import Source
from cpl.games.analysis import Limits, analyse, search
from cpl.games.game import Game, Speed, Turn, program
from cpl.games.live import LiveGame
from cpl.games.playable import NAMES, game_of
from cpl.games.players import BadPlayer, player
from cpl.games.position import Position, from_fen
from cpl.games.simple_checkers import SimpleCheckers

Tree = Any

MATERIALS = [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (3, 2), (2, 3)]
"""How many kings the side to move has in the table of endgames, and how many the other."""


@pytest.fixture(scope="module")
def library() -> Any:
    return cpl.load(outside.packaged("programs") / "library" / "search.cpl", optimise=True)


def worth(tree: Tree) -> float:
    """By minimax, to the leaves."""
    return -min(map(worth, tree[1])) if tree[1] else value(tree)


def value(tree: Tree) -> float:
    """What is no win: a win would be worth more the sooner it comes."""
    return max(-400_000, min(400_000, tree[0]))


def deepest(library: Any, tree: Tree, lines: int, *, depths: int = 20, **rules: Callable[..., Any]) -> list[Any]:
    """The last lines that Deeper finds, once it is so deep that it comes to all leaves: each with its value, the number
    of its first move, and its moves.
    """
    numbers = count()
    marks: dict[int, int] = {}
    functions: dict[str, Any] = {
        "moves": moves,
        "play": play,
        "value": lambda tree, known, left: value(tree),
        "forced": lambda tree, moves: False,
        "no_return": lambda tree, after: False,
        "mark": lambda tree: marks.setdefault(id(tree), next(numbers)),
        "known": lambda tree, ahead: library.NotKnown,
    } | rules
    game = (*functions.values(),)
    order, key, best = [*range(len(tree[1]))], next(KEYS), []
    for depth in range(1, depths + 1):
        _, best = library.Deeper(tree, game, (depth, lines, 2**60), (key, order, []))
        first = [number for _, number, _ in best]
        order = first + [number for number in order if number not in first]
    return best


KEYS = count()


@pytest.fixture(params=[1, 8, 1 << 19])
def places(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that remember so many positions."""
    monkeypatch.setattr(tables, "PLACES", request.param)
    monkeypatch.setattr(tables, "_remembered", [])


even_trees = st.recursive(
    st.tuples(st.integers(-20, 20), st.just([])),
    lambda trees: st.tuples(st.integers(-20, 20), st.lists(trees, max_size=4)),
    max_leaves=40,
)
"""Trees in which no value is Far above another: nothing is left to a look that is less deep."""


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=even_trees.filter(lambda tree: bool(tree[1])), lines=st.integers(1, 3))
def test_deeper_and_deeper_finds_what_minimax_does(places: None, library: Any, tree: Tree, lines: int) -> None:
    best = sorted((-worth(each) for each in tree[1]), reverse=True)[:lines]
    found = deepest(library, tree, lines)
    assert [valued for valued, _, _ in found] == best
    assert all(-worth(tree[1][number]) == valued for valued, number, _ in found)
    assert all(line[0] == moves(tree)[number] for _, number, line in found)


@settings(deadline=None, max_examples=100)
@given(trees.filter(lambda tree: bool(tree[1])))
def test_what_is_known_is_not_searched(library: Any, tree: Tree) -> None:
    seen: list[Tree] = []

    def known(tree: Tree, ahead: int) -> float:
        assert ahead == 1
        return worth(tree)

    def forced(tree: Tree, moves: object) -> bool:
        seen.append(tree)
        return False

    [(valued, _, _)] = deepest(library, tree, 1, known=known, forced=forced)
    assert valued == worth(tree)
    assert not seen


@settings(deadline=None, max_examples=100)
@given(tree=trees.filter(lambda tree: bool(tree[1])))
def test_forced_moves_are_made_to_the_end(library: Any, tree: Tree) -> None:
    [(valued, _, _)] = deepest(library, tree, 1, depths=1, forced=lambda *_: True)
    assert valued == worth(tree)


def looked_at(library: Any, tree: Tree, depth: int, **rules: Callable[..., Any]) -> int:
    """How many positions Deeper looks at, one ply deep, then two, and so on."""
    seen = count()
    deepest(library, tree, 1, depths=depth, forced=lambda *_: next(seen) < 0, **rules)
    return next(seen)


def test_moves_that_were_best_elsewhere_are_tried_first(library: Any) -> None:
    """The last of six moves always wins a piece: it is known again only if it is the same move everywhere."""

    def won(depth: int, worth: int) -> Tree:
        others = [won(depth - 1, -worth) for _ in range(5)] if depth else []
        return (worth, [*others, won(depth - 1, -worth - 30)] if depth else [])

    def numbered(tree: Tree) -> list[list[int]]:
        return [[number, id(tree)] for number in range(len(tree[1]))]

    tree = won(5, 0)
    assert looked_at(library, tree, 5) < 0.8 * looked_at(library, tree, 5, moves=numbered)


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=even_trees.filter(lambda tree: bool(tree[1])))
def test_a_move_may_be_the_position_that_it_leads_to(places: None, library: Any, tree: Tree) -> None:
    """What is remembered of a move is not taken for what is remembered of the position, in strachey for one."""
    reached: dict[int, Tree] = {}

    def positions(tree: Tree) -> list[int]:
        reached.update((id(after), after) for after in tree[1])
        return [id(after) for after in tree[1]]

    def mark(tree: Tree) -> int:
        return Hash(id(tree), 2**50)

    [(valued, _, _)] = deepest(library, tree, 1, moves=positions, play=lambda _, move: reached[move], mark=mark)
    assert valued == worth(tree)


@given(st.lists(st.integers(0, 4001), max_size=12))
def test_moves_are_in_the_order_of_their_merits_and_then_of_their_numbers(library: Any, merits: list[int]) -> None:
    ranks = [library.Rank(merit, number) for number, merit in enumerate(merits)]
    rank, order = library.Highest, []
    while (rank := library.HighestBelow(rank, ranks)) >= 0:
        order.append(library.MoveOf(rank))
    assert order == sorted(range(len(merits)), key=lambda number: -merits[number])


def grown(generator: random.Random, depth: int, width: int, most: int) -> Tree:
    """A tree with values up to so much."""
    children = [grown(generator, depth - 1, width, most) for _ in range(width)] if depth else []
    return (generator.randrange(-most, most + 1), children)


def test_what_is_worth_far_more_is_looked_at_less_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions worth far more than the best that the player has already, where nothing is remembered."""
    library = cpl.load(outside.packaged("programs") / "library" / "search.cpl")
    monkeypatch.setattr(tables, "PLACES", 1)
    monkeypatch.setattr(tables, "_remembered", [])
    tree = grown(random.Random(1), 7, 3, 400)
    with_it = looked_at(library, tree, 7)
    monkeypatch.setattr(library, "Far", 10**6)
    assert with_it < 0.9 * looked_at(library, tree, 7)


def test_what_is_lost_for_certain_is_not_looked_at_less_deep() -> None:
    """Else the side that wins finds a win in 16 plies, and then doubts that it is one."""
    lost = game_of("checkers").from_fen("B:W30,K31,K25,K13:B26,K9")
    *_, last = analyse(lost, nodes=20_000)
    assert last.lines[0].plies == 10


@pytest.mark.parametrize(("no_return", "expected"), [(False, 0), (True, 7)])
def test_what_comes_again_is_worth_nothing_unless_it_cannot_come_again(
    library: Any, no_return: bool, expected: int
) -> None:
    """The last position has the mark of the first."""
    last = (7, [])
    tree = (0, [(5, [last])])
    marks = {id(tree): 1, id(last): 1}
    [(valued, _, _)] = deepest(
        library, tree, 1, mark=lambda tree: marks.get(id(tree), 2), no_return=lambda tree, after: no_return
    )
    assert valued == expected


@pytest.mark.parametrize("is_stopped", [False, True])
def test_what_some_of_the_moves_are_worth_is_only_a_bound(library: Any, is_stopped: bool) -> None:
    """A position is searched through its first move alone, and then the position before it."""
    position = (0, [(0, []), (-100, [(100, []) for _ in range(40)])])
    before = (0, [position])
    marks: dict[int, int] = {}

    def mark(tree: Tree) -> int:
        return marks.setdefault(id(tree), len(marks))

    functions = (moves, play, lambda tree, legal, left: tree[0], lambda *_: False, lambda *_: False, mark)
    game = (*functions, lambda *_: library.NotKnown)
    key = next(KEYS)
    order, most = ([0, 1], 32) if is_stopped else ([0], 2**60)
    _, [(first, number, _)] = library.Deeper(position, game, (2, 1, most), (key, order, []))
    assert (first, number) == (0, 0)
    _, [(found, _, _)] = library.Deeper(before, game, (3, 1, 2**60), (key, [0], []))
    assert found == -100


def random_states(module: Any, number: int, seed: int) -> Iterator[Any]:
    generator = random.Random(seed)
    for _ in range(number):
        state = module.StartState
        for _ in range(generator.randrange(4, 60)):
            if not (choices := module.Choices(state)):
                break
            state = module.Play(state, generator.choice(choices))
        if module.Choices(state):
            yield state


def test_checkers_looks_at_captures_to_the_end_as_minimax_would() -> None:
    """Three plies deep all moves are looked at as deep."""
    module = cpl.load("checkers.cpl", native=True)

    def minimax(state: Any, left: int, ahead: int, before: frozenset[int]) -> int:
        choices, mark = module.Choices(state), module.Mark(state)
        if mark in before:
            return 0
        if not choices or (left <= 0 and not module.MustMoves(state[0])):
            return int(module.Judgement(state, choices, -ahead))
        return max(-minimax(module.Play(state, move), left - 1, ahead + 1, before | {mark}) for move in choices)

    for state in random_states(module, 12, 5):
        if (state[0][0] | state[0][1]) == state[0][2]:  # which the table of endgames may know
            continue
        order = [*range(len(module.Choices(state)))]
        for depth in (1, 2, 3):
            _, [(found, number, _)] = module.BestLines(state, (depth, 1, 2**60), (next(KEYS), order, []))
            values = [
                -minimax(module.Play(state, move), depth - 1, 1, frozenset([module.Mark(state)]))
                for move in module.Choices(state)
            ]
            assert found == max(values)
            assert values[number] == found


@pytest.mark.parametrize(
    "name",
    [
        "checkers",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("strachey-search", "simple-checkers", "capture")),
    ],
)
def test_searches_in_c_find_the_same_at_as_many_positions(name: str) -> None:
    optimised, native = (cpl.load(f"{name}.cpl", optimise=not way, native=way) for way in (False, True))
    assert hasattr(getattr(native, "_BestLines", native.BestLines), "__wrapped__")
    start = getattr(native, "StartState", None) or getattr(native, "StartPosition", None)
    if name in ("simple-checkers", "capture"):
        start = game_of(name).start().state
    moves = getattr(native, "Choices", None) or getattr(native, "Moves", None) or native.LegalPositionsFrom
    order = [*range(len(moves(start)))]
    for depth in range(1, 5):
        key = next(KEYS)
        found = [module.BestLines(start, (depth, 2, 2**60), (key, order, [])) for module in (optimised, native)]
        assert found[0] == found[1]


@pytest.mark.parametrize(
    ("in_c", "speed", "said"),
    [
        ({"MiniMaxMove", "AlphaBetaMove", "BestLines"}, "fastest", "searches in C, all else in optimised Python"),
        ({"MiniMaxMove", "BestLines"}, "fastest", "MiniMaxMove and BestLines in C, all else in optimised Python"),
        (set(), "fastest", "all in optimised Python"),
        ({"MiniMaxMove", "AlphaBetaMove"}, "native", "all in C where possible, but BestLines in Python"),
    ],
)
def test_what_is_said_to_run_in_c_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_c: set[str], speed: Speed, said: str
) -> None:
    native = cpl.load("capture.cpl", native=True)
    python = cpl.load("capture.cpl", optimise=True)
    names = ("MiniMaxMove", "AlphaBetaMove", "BestLines")
    functions = {name: getattr(native if name in in_c else python, name) for name in names}
    monkeypatch.setattr(Game, "searching", lambda game: SimpleNamespace(**functions))
    say_speed(Namespace(verbose=True), speed, game_of("capture"))
    assert capsys.readouterr().err == f"{said}\n"


def test_a_line_is_not_forgotten_while_other_moves_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """One position is remembered at a time: the line that is found has two moves, if it is taken at once."""
    monkeypatch.setattr(tables, "PLACES", 1)
    monkeypatch.setattr(tables, "_remembered", [])
    library = cpl.load(outside.packaged("programs") / "library" / "search.cpl")
    leaf = (5, [])
    first, second = (0, [leaf]), (0, [(-5, [])])
    [(valued, number, line)] = deepest(library, (0, [first, second]), 1, depths=2)
    assert (valued, number, len(line)) == (5, 0, 2)


def test_a_position_is_judged_alike_from_both_sides() -> None:
    module = cpl.load("checkers.cpl", native=True)
    for state in random_states(module, 30, 3):
        own, other, kings, mover = state[0]
        turned = [Logical([44 - square for square in squares]) for squares in (own, other, kings)]
        assert module.Traits(state[0]) == module.Traits((*turned, -mover))
        *traits, turn = module.Traits(state[0])
        *opposed, _ = module.Traits((other, own, kings, -mover))
        assert turn == 1
        assert traits == [-trait for trait in opposed]
    assert len(module.OnFullBoard) == len(module.OnEmptyBoard) == len(module.Traits(module.StartPosition))


def test_hashes_are_those_of_cpl() -> None:
    assert Hash((Logical([1, 2]), [1, "ab"]), 2**60) == Hash((6, [1, "ab"]), 2**60)
    assert 0 <= Hash("word", 7) < 7
    assert len({Hash(each, 2**60) for each in ("a", "b", ["a"], ["a", "b"], (1, 2), [2, 1])}) == 6
    with pytest.raises(CplFault, match="greater than 0"):
        Hash(1, 0)
    assert run("cpl", "run", "strachey.cpl", "--call", "Hash(‘word’,1000)").stdout == f"{Hash('word', 1000)}\n"


def test_what_is_remembered_may_be_forgotten_and_keeps_its_type(places: None) -> None:
    tables.Remember(5, (1, Logical([2]), "x"))
    assert tables.Recall(5, (0, Logical([]), "")) == (1, Logical([2]), "x")
    assert tables.Recall(6, 0) == 0
    assert tables.Recall(5, 0) == 0
    tables.Remember(5, 1.5)
    assert tables.Recall(5, 0) == 0
    assert tables.Recall(5, 0.0) == 1.5
    tables.Remember(5 + tables.PLACES, 2.5)
    assert tables.Recall(5, 0.0) == 0
    for value in ([1], (1, [2]), len):
        with pytest.raises(CplFault, match="without lists"):
            tables.Remember(1, value)
    with pytest.raises(CplFault, match="whole number"):
        tables.Recall(1.5, 0)


REMEMBERING = """
Again(n) = value of
  § let (k,x) = Recall(n,(0,0))
    Remember(n,(k + 1, −n))
    result is (k,x) §|
Numbers(n) = value of
  § integer k = n
    result is [Hash((k,(−k,k > 0)),2↑50), Hash([k,−1,0],1000), Hash([[k],NIL,[1,2]],7)] §|
Until(n) = value of
  § let k, t = 0, Clock()
    until Halted() ∨ k ≥ n do k := k + 1
    result is (k, t ≤ Clock()) §|
"""


def test_c_remembers_hashes_and_halts_as_python_does() -> None:
    plain, native = (cpl.load(cpl.Source("remembering.cpl", REMEMBERING), native=native) for native in (False, True))
    assert all(hasattr(getattr(native, name), "__wrapped__") for name in ("Again", "Numbers", "Until"))
    for n in (0, 1, -1, -2, 7, 2**61 - 1, -(2**61) + 1, 2**61, 2**63 - 1, -(2**62) * 2):
        assert plain.Numbers(n) == native.Numbers(n)
        number = random.Random(n).randrange(2**62)  # that nobody else remembers something under
        assert [plain.Again(number) for _ in range(3)] == [native.Again(number) for _ in range(3)]
    assert plain.Until(1000) == native.Until(1000) == (1000, True)
    for module in (plain, native):
        end = time.monotonic() + 0.05
        with tables.halting(lambda end=end: time.monotonic() > end):
            assert module.Until(2**60)[0] < 2**60
        assert time.monotonic() < end + 5
        assert not tables.Halted()


def test_lines_are_in_order_wherever_a_search_ends() -> None:
    for nodes in range(200, 20_000, 600):
        values = [line.value for line in search(game_of("checkers").start(), Limits(nodes=nodes), lines=7).lines]
        assert values == sorted(values, reverse=True), nodes


@pytest.mark.long
def test_analyses_of_every_game_end() -> None:
    for name in NAMES:
        game = game_of(name)
        found = [*analyse(game.start(), depth=3, lines=2)]
        assert [each.depth for each in found] == [1, 2, 3]
        for line in found[-1].lines:
            LiveGame(game, {}, moves=line.moves)  # raises if a move is illegal
        first, second = found[-1].lines
        assert first.value >= second.value
        assert first.moves[0] != second.moves[0]

    class Slow(SimpleCheckers):
        def searching(self) -> Any:
            if not hasattr(self, "is_compiled"):
                time.sleep(0.5)
                self.is_compiled = True
            return self.program

    assert search(Slow().start(), Limits(depth=1)).seconds < 0.5


def test_an_analysis_ends_when_nobody_waits_and_passes_on_what_goes_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.active_count()
    with closing(analyse(game_of("checkers").start())) as found:
        assert next(found).depth == 1
    assert threading.active_count() == before
    game = game_of("checkers")
    monkeypatch.setattr(type(game), "deeper", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        next(analyse(game.start()))


@pytest.mark.long
def test_analyses_and_wins_are_made_in_time() -> None:
    for limit in ({"depth": 0}, {"seconds": 0}, {"seconds": float("nan")}, {"lines": 0}, {"nodes": -1}):
        with pytest.raises(ValueError, match="above 0"):
            next(analyse(game_of("checkers").start(), **limit))
    game = game_of("checkers")
    for text in ("alphabeta:0.02s", "alphabeta:0.02s@Kings=80", "easy"):
        assert player(text, game)(game.start()) in game.start().legal
    with pytest.raises(BadPlayer, match=r"'alphabeta:0\.0s' is not a player: .* or a time such as 0\.5s"):
        player("alphabeta:0.0s", game)
    # A king more than the other side: the player wins as fast as can be against itself, and not later at random.
    game = game_of("checkers")
    quick, careless = player("alphabeta:0.01s", game), player("random:5", game)
    for material, number in [((2, 1), 5), ((3, 1), 5), ((3, 2), 3)]:
        for position in won_positions(material, number):
            turn = Turn(game, (position, 0, 0), "black" if position[3] == 1 else "white")
            live = LiveGame(game, dict.fromkeys(game.sides, quick), first=turn)
            assert live.finish().winner == turn.side
            assert len(live.played) == known(position)
            live = LiveGame(game, dict.fromkeys(game.sides, careless) | {turn.side: quick}, first=turn)
            assert live.finish().winner == turn.side
            assert len(live.played) <= (known(position) or 0)
    # The 50-move rule ends play 100 plies after the last advance of a man; 25 are needed.
    for counted, value in [(75, float("inf")), (76, None)]:
        turn = at("B:WK18:BK11,K2")
        late = Turn(turn.game, (turn.state[0], 0, counted), turn.side)
        [line] = search(late, Limits(depth=4)).lines
        assert line.plies == (value and 25)
        assert (line.value == float("inf")) == bool(value)


def at(fen: str) -> Turn:
    return game_of("checkers").from_fen(fen)


def test_positions_come_again_or_are_not_in_the_table() -> None:
    """Kings that can win by no other move than one that was played before."""
    [best] = search(at("B:WK18:BK11,K2"), Limits(depth=1)).lines
    game = game_of("checkers")
    start = at("B:WK18:BK11,K2")
    for move in start.legal:
        start = replace(start, before=replace(game.play(start, move), before=start.before))
    [found] = search(start, Limits(depth=1)).lines
    assert best.plies is not None
    assert found.value == 0
    [line] = search(at("B:WK18:BK11,K2"), Limits(depth=3)).lines
    assert line.value == float("inf")
    assert line.plies is not None
    assert line.plies == known(from_fen("B:WK18:BK11,K2"))
    for fen in ("B:WK18:B11", "B:WK18,K19,K20:BK11,K12,K10", "B:W:BK11"):
        with pytest.raises(KeyError):
            known(from_fen(fen))


def test_only_states_that_can_come_again_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """After moves of kings earlier states can, after that of a man they cannot."""
    game = game_of("checkers")
    asked: list[list[int]] = []
    deeper = type(game).deeper

    def recorded(self: Any, *arguments: Any) -> Any:
        asked.append(arguments[-1])
        return deeper(self, *arguments)

    monkeypatch.setattr(type(game), "deeper", recorded)
    turn = at("B:WK32,21:BK1,12")
    for text, seen in [("1-6", 1), ("32-27", 2), ("12-16", 0)]:
        turn = replace(game.play(turn, game.read(turn, text)), before=turn)
        search(turn, Limits(depth=1))
        search(replace(turn, before=None), Limits(depth=1, history=_all_before(turn)))
        assert [len(marks) for marks in asked[-2:]] == [seen, seen]


def _all_before(turn: Turn) -> list[Turn]:
    return [turn.before, *_all_before(turn.before)] if turn.before else []


def known(position: Position) -> int | None:
    """The plies to the end that the table has for a position, None for a draw. Raises KeyError if it has none."""
    plies: int = program("endgames.cpl").Plies(KingsTable(), position)
    if plies < -1:
        raise KeyError
    return None if plies == -1 else plies


def random_kings(material: tuple[int, int], number: int, seed: int) -> Iterator[Position]:
    generator = random.Random(f"{material} {seed}")
    for _ in range(number):
        squares = generator.sample([*board], sum(material))
        own, other = squares[: material[0]], squares[material[0] :]
        yield Logical(own), Logical(other), Logical(squares), generator.choice([1, -1])


def won_positions(material: tuple[int, int], number: int) -> list[Position]:
    kings = random_kings(material, 10 * number, 3)
    won = [*islice((position for position in kings if (known(position) or 0) % 2), number)]
    assert len(won) == number
    return won


@pytest.mark.parametrize("source", ["checkers.cpl", "strachey.cpl"])
@pytest.mark.parametrize("material", MATERIALS)
def test_the_table_of_endgames_agrees_with_the_moves(material: tuple[int, int], source: str) -> None:
    """A position is won if a move leads to one that is lost, a ply later; lost if all lead to won ones; else a draw."""
    moves = cpl.load(source).LegalPositionsFrom
    for position in random_kings(material, 100, 1):
        after = list(moves(position))
        plies = [known(each) if each[0] else 0 for each in after]
        wins = [ply for ply in plies if ply is not None and ply % 2 == 0]
        losses = [ply for ply in plies if ply is not None and ply % 2]
        if wins:
            expected: int | None = min(wins) + 1
        else:
            expected = max(losses, default=-1) + 1 if len(losses) == len(plies) else None
        assert known(position) == expected


def test_what_is_alike_has_one_place_in_the_table() -> None:
    places = {square: place for place, square in enumerate(board)}

    def mirrored(squares: Logical) -> Logical:
        """In the diagonal from the upper left: row and column are exchanged."""
        rows = [(place // 4, 2 * (place % 4) + 1 - place // 4 % 2) for square in squares for place in [places[square]]]
        return Logical([board[4 * column + row // 2] for row, column in rows])

    for own, other, kings, mover in random_kings((3, 2), 100, 2):
        plies = known((own, other, kings, mover))
        turned = [Logical([44 - square for square in squares]) for squares in (own, other, kings)]
        assert known((*turned, mover)) == plies
        assert known((own, other, kings, -mover)) == plies
        assert known((mirrored(own), mirrored(other), mirrored(kings), mover)) == plies
        assert cpl.load("checkers.cpl", optimise=True).Known((own, other, kings, mover)) == (
            -1 if plies is None else plies
        )


def test_a_written_module_finds_the_table_where_cplc_is_installed(tmp_path: Path) -> None:
    """It imports nothing of cpl. Without the table, it knows no ending."""
    written = tmp_path / "mine.py"
    source = read(find("checkers.cpl"))
    written.write_text(cpl.compile_text(source.text, path=source.path).python, encoding="utf-8")
    ending = "mine.Known((Logical([5]), Logical([39]), Logical([5, 39]), 1))"
    show = f"from cplrt import Logical; print({ending}, sys.modules.get('cpl') and 'imported')"
    for before, expected in (
        ("import sys, mine", "-1 None"),
        ("import sys; sys.modules['cpl'] = None; import mine", "-2 None"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", f"{before}; {show}"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == expected


@pytest.mark.long
def test_the_table_of_endgames_can_be_made_anew() -> None:
    """In C, or for want of it in optimised Python, and in plain Python; smaller tables begin the larger ones."""
    for kings, members in [(2, 568), (3, 1808)]:
        assert program("endgames.cpl", in_one_call=True).Solve(kings) == KingsTable()[:members]
    assert cpl.load("endgames.cpl").Solve(2) == KingsTable()[:568]


@pytest.mark.parametrize(
    "text",
    ["let x = 5\nlet x = 1 in F[] = x", "let x = 1\nlet y = x\nlet x = 5", "let x = 5\nlet rec x = 1 in F[] = x"],
)
def test_an_interpreted_name_that_hides_another_has_its_own_value(text: str) -> None:
    meaning = understand(Source("mine.cpl", text))
    assert Interpreter(meaning.core, meaning.library.host).names["x"] == cpl.load(Source("mine.cpl", text)).x == 5


@pytest.mark.long
def test_the_whole_table_of_endgames_can_be_made_anew() -> None:
    assert program("endgames.cpl", in_one_call=True).Solve(5) == KingsTable()
    meaning = understand(read(find("endgames.cpl")))
    assert Interpreter(meaning.core, meaning.library.host).names["Solve"](2) == KingsTable()[:568]


def analysed(*arguments: str) -> Any:
    return json.loads(run("cpl", "analyse", *arguments, "--format", "json").stdout)


def test_the_command_for_positions_and_games_of_files(tmp_path: Any) -> None:
    done = run("cpl", "analyse", "--depth", "3", "--lines", "2")
    heading, *lines = done.stdout.splitlines()
    assert heading.startswith("Black to move, 3 plies ahead, ")
    assert len(lines) == 2
    assert run("cpl", "analyse", "B:WK18:BK11,K2", "--depth", "2").stdout.splitlines()[1].split()[:4] == [
        *"wins in 25 plies".split()
    ]
    found = analysed("W:WK18:BK11,K2", "--depth", "2")
    assert (found["side"], found["depth"], found["lines"][0]["wins"]) == ("white", 2, False)
    file = tmp_path / "games.pdn"
    file.write_text("1. 11-15 23-19 2. 8-11 *\n\n1. 11-16 *\n", encoding="utf-8")
    assert analysed(str(file), "--depth", "1")["position"].startswith("W:")
    assert analysed(str(file), "--depth", "1", "--ply", "2")["position"].startswith("B:W19,")
    assert ",16" in analysed(str(file), "--depth", "1", "--number", "2")["position"]
    done = run("cpl", "analyse", "-", "--depth", "1", "--number", "2", input=file.read_text(encoding="utf-8"))
    assert done.stdout.startswith("White to move")
    done = run("cpl", "analyse", str(file), "--ply", "4", status=1)
    assert done.stderr.endswith("--ply 4: game 1 of " + str(file) + " has 3 plies\n")


def test_analyses_at_a_terminal_or_of_what_cannot_be_analysed() -> None:
    screen = Screen("analyse", "B:W18,26:B11,K2", "--depth", "3", "--lines", "2")
    screen.until("Black to move\r\n")
    assert screen.ended() == 0
    assert len(re.findall(r"^ +[123] +\S+ +\S+ s +[0-9]+  [-0-9]+", screen.seen, re.MULTILINE)) == 3
    assert len(re.findall(r"^ {6,}\S+ +[-0-9]+", screen.seen, re.MULTILINE)) == 3
    for arguments, message in (
        (["hello"], "'hello' is not a position"),
        (["--seconds", "0"], "expected a number of seconds, found '0'"),
        (["--seconds", "nan"], "expected a number of seconds, found 'nan'"),
        (["W:W:BK11"], "the game is over here: "),
        (["B:W" + "21," * 200 + ":B1"], "two pieces stand on one square"),
        (["--ply", "0"], "--ply is for a game of a file: name the file"),
        (["B:WK18:BK11", "--number", "1"], "--number is for a game of a file: name the file"),
    ):
        assert message in run("cpl", "analyse", *arguments, status=2).stderr
    assert "there is no file none.pdn" in run("cpl", "analyse", "none.pdn", status=1).stderr
