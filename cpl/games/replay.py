"""Moves that follow one another: the paths that the texts of a game mean, found by playing them.

A text that can mean several captures means the one after which the rest of the game can be played.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cpl.games.moves import shortens


@dataclass(frozen=True)
class Steps:
    """How a game goes on from a state. A move is all squares that it goes over, each in the form that `squares` has for
    it. Where a path can mean several moves, states are hashable.
    """

    start: Any
    squares: Mapping[Any, Any]
    legal: Callable[[Any], Iterable[Sequence[Any]]]
    play: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Line:
    """The moves that were found, and all states, one more."""

    moves: Sequence[Any]
    states: Sequence[Any]


_Node: TypeAlias = tuple[Any, Any, Any]
"""A state, the move to it, and the node before."""


def follow(steps: Steps, paths: Iterable[Sequence[Any]]) -> Line:
    """The line of play that goes over these squares; those between the ends of a move may be left out.

    It ends before a move that cannot be made, or that can be several with whatever follows. Of two ways to the same
    state it has the first.
    """
    nodes: list[_Node] = [(steps.start, None, None)]
    for path in paths:
        wanted = [steps.squares[square] for square in path]
        further = [
            (steps.play(node[0], move), move, node) for node in nodes for move in _meant(wanted, steps.legal(node[0]))
        ]
        if not further:
            return _line(nodes[0])
        nodes = further if len(further) == 1 else [*{node[0]: node for node in reversed(further)}.values()]
    line, *others = map(_line, nodes)
    for ply, states in enumerate(zip(*(each.states for each in others), strict=True)):
        if {*states} != {line.states[ply]}:
            return Line(line.moves[: ply - 1], line.states[:ply])
    return line


def _meant(path: Sequence[Any], legal: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    found = [move for move in legal if move[0] == path[0] and move[-1] == path[-1]]
    exact = [move for move in found if [*move] == path]
    return exact or [move for move in found if shortens(tuple(path), tuple(move))]


def _line(node: _Node) -> Line:
    moves, states = [], []
    while node:
        state, move, node = node
        moves.append(move)
        states.append(state)
    return Line(moves[-2::-1], states[::-1])
