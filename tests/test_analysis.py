"""Deepening of `library/search.cpl` on random trees, the analysis of games, and the table of endgames."""

import json
import random
import re
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count, islice
from typing import Any

import pytest
from command_line import run
from cplrt import CplFault, Hash, Logical
from cplrt.checkers import board
from hypothesis import given, settings
from hypothesis import strategies as st
from screen import Screen
from test_search import moves, play, trees

import cpl
from cpl import outside
from cpl.games import endgames
from cpl.games.analysis import Limits, analyse, search
from cpl.games.game import WON, Turn
from cpl.games.live import LiveGame
from cpl.games.playable import NAMES, game_of
from cpl.games.players import BadPlayer, player
from cpl.games.position import Position, from_fen
from cpl.games.simple_checkers import SimpleCheckers

Tree = Any


@pytest.fixture(scope="module")
def library() -> Any:
    return cpl.load(outside.packaged("programs") / "library" / "search.cpl", optimise=True)


def worth(tree: Tree) -> float:
    """By minimax, to the leaves."""
    return -min(map(worth, tree[1])) if tree[1] else tree[0]


def deepest(library: Any, tree: Tree, lines: int, room: int, **rules: Callable[..., Any]) -> list[Any]:
    """The last lines that Deepening finds, once it is so deep that it comes to all leaves."""
    numbers = count()
    marks: dict[int, int] = {}
    functions: dict[str, Any] = {
        "forced": lambda tree, moves: False,
        "mark": lambda tree: marks.setdefault(id(tree), next(numbers)),
        "known": lambda tree, ahead: [],
        "stop": lambda nodes: False,
        "report": lambda depth, nodes, lines: None,
    } | rules
    found: list[Any] = library.Deepening(
        tree, 20, lines, room, [], moves, play, lambda tree, known, depth: tree[0], *functions.values()
    )
    return found


@settings(deadline=None, max_examples=300)
@given(trees.filter(lambda tree: bool(tree[1])), st.integers(1, 3), st.sampled_from([1, 8, 512]))
def test_deepening_finds_what_minimax_does(library: Any, tree: Tree, lines: int, room: int) -> None:
    best = sorted((-worth(each) for each in tree[1]), reverse=True)[:lines]
    found = deepest(library, tree, lines, room)
    assert [value for value, _ in found] == best
    assert all(-worth(tree[1][line[0][0]]) == value for value, line in found)


@settings(deadline=None, max_examples=100)
@given(trees.filter(lambda tree: bool(tree[1])))
def test_what_is_known_is_not_searched(library: Any, tree: Tree) -> None:
    seen: list[Tree] = []

    def known(tree: Tree, ahead: int) -> list[float]:
        assert ahead == 1
        return [worth(tree)]

    def forced(tree: Tree, moves: object) -> bool:
        seen.append(tree)
        return False

    [(value, _)] = deepest(library, tree, 1, 64, known=known, forced=forced)
    assert value == worth(tree)
    assert not seen


def test_forced_moves_are_made_and_hashes_and_limits_of_time_are_those_of_cpl(library: Any) -> None:
    tree: Tree = (0, [(9, [(5, [])]), (-1, [(-7, [])])])
    found: list[float] = []
    deepest(library, tree, 1, 8, report=lambda depth, nodes, lines: found.append(lines[0][0]))
    assert found[:2] == [1, 5]
    found.clear()
    deepest(library, tree, 1, 8, forced=lambda *_: True, report=lambda depth, nodes, lines: found.append(lines[0][0]))
    assert found[0] == 5
    assert Hash((Logical([1, 2]), [1, "ab"]), 2**60) == Hash((6, [1, "ab"]), 2**60)
    assert 0 <= Hash("word", 7) < 7
    assert len({Hash(each, 2**60) for each in ("a", "b", ["a"], ["a", "b"], (1, 2), [2, 1])}) == 6
    with pytest.raises(CplFault, match="greater than 0"):
        Hash(1, 0)
    assert run("cpl", "run", "strachey.cpl", "--call", "Hash(‘word’,1000)").stdout == f"{Hash('word', 1000)}\n"
    text = 'get "checkers.cpl"\nget "library/search.cpl"\n'
    text += "F(t) = value of § let T = Clock() + t\n let Stop(n) = Clock() ≥ T\n"
    text += " let Report(d,n,L) be NewLine()\n let Unknown(S,k) = NIL\n"
    text += " result is BestLines(StartState,99,1,64,Weights,NIL,Unknown,Stop,Report) §|\n"
    module = cpl.load(cpl.Source(str(outside.packaged("programs") / "timed.cpl"), text), optimise=True)
    [(_, line)] = module.F(0.2)
    assert line[0] in module.Moves(module.StartPosition)


def test_analyses_of_every_game_end() -> None:
    for name in NAMES:
        game = game_of(name)
        found = [*analyse(game.start(), depth=4, lines=2)]
        assert [each.depth for each in found] == [1, 2, 3, 4]
        for line in found[-1].lines:
            LiveGame(game, {}, moves=line.moves)  # raises if a move is illegal
        first, second = found[-1].lines
        assert first.value >= second.value
        assert first.moves[0] != second.moves[0]

    class Slow(SimpleCheckers):
        def searching(self, *, in_one_call: bool = False) -> Any:
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
    monkeypatch.setattr(type(game), "deepen", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        next(analyse(game.start()))


def test_analyses_and_wins_are_made_in_time() -> None:
    for limit in ({"depth": 0}, {"seconds": 0}, {"seconds": float("nan")}, {"lines": 0}, {"nodes": -1}):
        with pytest.raises(ValueError, match="above 0"):
            next(analyse(game_of("checkers").start(), **limit))
    game = game_of("checkers")
    for text in ("alphabeta:0.02s", "alphabeta:0.02s@Kings=80", "easy"):
        assert player(text, game)(game.start()) in game.start().legal
    with pytest.raises(BadPlayer, match=r"'alphabeta:0\.0s' is not a player: .* or a time such as 0\.5s"):
        player("alphabeta:0.0s", game)
    # Two or three kings against one, in 24 positions: the player wins as fast as can be, against itself.
    for material in [(2, 1), (3, 1)]:
        kings = random_kings(material, 60, 3)
        won = [*islice((position for position in kings if (endgames.table().plies(position) or 0) % 2), 24)]
        assert len(won) == 24
        game = game_of("checkers")
        for position in won:
            turn = Turn(game, (position, 0, 0), "red" if position[3] == 1 else "black")
            quick = player("alphabeta:0.01s", game)
            live = LiveGame(game, dict.fromkeys(game.sides, quick), first=turn)
            assert live.finish().winner == turn.side
            assert len(live.played) == endgames.table().plies(position)
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
    assert line.plies == endgames.table().plies(from_fen("B:WK18:BK11,K2"))
    assert endgames.known(from_fen("B:WK18:BK11,K2"), 3) == [WON - 3 - line.plies]
    for fen in ("B:WK18:B11", "B:WK18,K19:BK11,K12", "B:W:BK11"):
        assert endgames.known(from_fen(fen), 0) == []


def random_kings(material: tuple[int, int], number: int, seed: int) -> Iterator[Position]:
    generator = random.Random(f"{material} {seed}")
    for _ in range(number):
        squares = generator.sample([*board], sum(material))
        own, other = squares[: material[0]], squares[material[0] :]
        yield Logical(own), Logical(other), Logical(squares), generator.choice([1, -1])


@pytest.mark.parametrize("material", endgames.MATERIALS)
def test_the_table_of_endgames_agrees_with_the_moves(material: tuple[int, int]) -> None:
    """A position is won if a move leads to one that is lost, a ply later; lost if all lead to won ones; else a draw."""
    moves = cpl.load("checkers.cpl").LegalPositionsFrom
    table = endgames.table()
    for position in random_kings(material, 150, 1):
        after = list(moves(position))
        plies = [table.plies(each) if each[0] else 0 for each in after]
        wins = [ply for ply in plies if ply is not None and ply % 2 == 0]
        losses = [ply for ply in plies if ply is not None and ply % 2]
        if wins:
            expected: int | None = min(wins) + 1
        else:
            expected = max(losses, default=-1) + 1 if len(losses) == len(plies) else None
        assert table.plies(position) == expected


@pytest.mark.long
def test_the_table_of_endgames_can_be_made_anew() -> None:
    small = endgames.solve(endgames.MATERIALS[:3])
    assert zlib.decompress(outside.packaged("programs/endgames/kings.z").read_bytes()).startswith(
        zlib.decompress(small.to_bytes())
    )


def analysed(*arguments: str) -> Any:
    return json.loads(run("cpl", "analyse", *arguments, "--format", "json").stdout)


def test_the_command_for_positions_and_games_of_files(tmp_path: Any) -> None:
    done = run("cpl", "analyse", "--depth", "3", "--lines", "2")
    heading, *lines = done.stdout.splitlines()
    assert heading.startswith("Red to move, 3 plies ahead, ")
    assert len(lines) == 2
    assert run("cpl", "analyse", "B:WK18:BK11,K2", "--depth", "2").stdout.splitlines()[1].split()[:4] == [
        *"wins in 25 plies".split()
    ]
    found = analysed("W:WK18:BK11,K2", "--depth", "2")
    assert (found["side"], found["depth"], found["lines"][0]["wins"]) == ("black", 2, False)
    file = tmp_path / "games.pdn"
    file.write_text("1. 11-15 23-19 2. 8-11 *\n\n1. 11-16 *\n", encoding="utf-8")
    assert analysed(str(file), "--depth", "1")["position"].startswith("W:")
    assert analysed(str(file), "--depth", "1", "--ply", "2")["position"].startswith("B:W19,")
    assert ",16" in analysed(str(file), "--depth", "1", "--number", "2")["position"]
    done = run("cpl", "analyse", "-", "--depth", "1", "--number", "2", input=file.read_text(encoding="utf-8"))
    assert done.stdout.startswith("Black to move")
    done = run("cpl", "analyse", str(file), "--ply", "4", status=2)
    assert done.stderr.endswith("--ply 4: game 1 of " + str(file) + " has 3 plies\n")


def test_analyses_at_a_terminal_or_of_what_cannot_be_analysed() -> None:
    screen = Screen("analyse", "B:W18,26:B11,K2", "--depth", "3", "--lines", "2")
    screen.until("Red to move\r\n")
    assert screen.ended() == 0
    assert len(re.findall(r"^ +[123] +\S+ +\S+ s +[0-9]+  [-0-9]+", screen.seen, re.MULTILINE)) == 3
    assert len(re.findall(r"^ {6,}\S+ +[-0-9]+", screen.seen, re.MULTILINE)) == 3
    for arguments, message in (
        (["hello"], "'hello' is not a position"),
        (["none.pdn"], "there is no file none.pdn"),
        (["--seconds", "0"], "expected a number of seconds, found '0'"),
        (["--seconds", "nan"], "expected a number of seconds, found 'nan'"),
        (["W:W:BK11"], "the game is over here: "),
        (["B:W" + "21," * 200 + ":B1"], "two pieces stand on one square"),
        (["--ply", "0"], "--ply is for a game of a file: name the file"),
        (["B:WK18:BK11", "--number", "1"], "--number is for a game of a file: name the file"),
    ):
        assert message in run("cpl", "analyse", *arguments, status=2).stderr
