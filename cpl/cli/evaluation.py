"""The FILE of a command that evaluates expressions in it: the program, its game, and the moves of that game."""

import argparse
from collections.abc import Sequence
from typing import Any

from cpl import compiler
from cpl.cli import output
from cpl.cli.exits import Failed, Usage
from cpl.cli.faults import guard
from cpl.cli.input import read_input
from cpl.compiler import Meaning
from cpl.diagnostics import CplError
from cpl.draughts.position import Position, is_position
from cpl.kit.perft import Moves
from cpl.source import Source


def understood(source: Source, options: argparse.Namespace, calls: Sequence[str] = ()) -> Meaning:
    """FILE, with the expressions to be evaluated in it; what misleads in it is reported. Raises CplError."""
    meaning = compiler.understand(source, options.library, calls, reading=options.reading, repair=options.repair)
    output.show_misleading(meaning.misleading, options)
    return meaning


def game_in(options: argparse.Namespace, start: str, moves: str, advice: str, *, plain: bool = True) -> tuple[Any, Any]:
    """Run FILE; the values of two expressions, where its game starts and the function of its moves. Raises CplError,
    Failed, and Usage with this advice for a program that has no game. If it is not `plain`, the values are those
    inside of the optimised module.
    """
    meaning = understood_game(read_input(options.file), options, start, moves, advice)
    module = guard(lambda: compiler.execute(meaning, optimise=not plain))
    first, function = guard(lambda: [compiler.inner(module, each.name.name)() for each in compiler.calls(meaning)])
    return first, function


def understood_game(
    source: Source, options: argparse.Namespace, start: str, moves: str, advice: str, more: Sequence[Source] = ()
) -> Meaning:
    """FILE, compiled with `more` texts, and two expressions to be evaluated in it. Raises as `game_in` does."""
    try:
        meaning = understood(source, options, [start, moves])
        if more:
            libraries = (*options.library, *more)
            return compiler.understand(source, libraries, reading=options.reading, repair=options.repair)
        return meaning
    except CplError as error:
        lacking = [found.span.text for found in error.diagnostics if found.span.source.path.startswith("<call")]
        if len(lacking) == len(error.diagnostics) and {"StartPosition", "LegalPositionsFrom"} >= {*lacking}:
            raise Usage(f"{source.shown} defines no {' and no '.join(lacking)}: {advice}") from None
        raise


def position_moves(function: Any, what: str) -> Moves:
    """A function of a program that gives the next positions, checked. The result raises Failed."""

    def moves(position: Position) -> list[Position]:
        after = guard(lambda: function(position), TypeError)  # of a function that is none for moves
        if not isinstance(after, list) or not all(map(is_position, after)):
            raise Failed(f"{what} gives is not a list of positions (X,Y,K,σ)")
        return after

    return moves
