"""The FILE of a command that evaluates expressions in it: the program, its game, and the moves of that game."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from cpl import compiler
from cpl.cli import output
from cpl.cli.exits import Failed, Usage
from cpl.cli.faults import guard
from cpl.cli.input import compilation
from cpl.diagnostics import CplError
from cpl.games.position import Moves, Position, is_position
from cpl.semantics.whole_program import CALL
from cpl.source import Source


def understood(
    source: Source,
    options: argparse.Namespace,
    calls: Sequence[str] = (),
    understand: Callable[..., Any] = compiler.understand,
    **how: Any,
) -> Any:
    """Compile FILE `how` the command wants it, with the expressions to be evaluated in it; report what misleads in it.
    Raises CplError.
    """
    program = understand(source, compilation(options, **how), calls)
    output.show_misleading(program.misleading, options)
    return program


prepared = partial(understood, understand=compiler.executable)
"""As `understood`, ready to be run."""


def game_in(
    source: Source, options: argparse.Namespace, start: str, moves: str, advice: str, **how: Any
) -> tuple[Any, Any, Any]:
    """Run FILE, `prepared` like that: its module, and the values of two expressions in it, where its game starts and
    the function of its moves, as they are inside of an optimised module. Raises CplError, Failed, and Usage with this
    advice for a program that has no game.
    """
    understand = partial(prepared, **how)
    module = guard(lambda: understood_game(source, options, start, moves, advice, understand).module())
    return module, *guard(lambda: [compiler.inner(module, f"{CALL}{number}")() for number in (1, 2)])


def understood_game(
    source: Source,
    options: argparse.Namespace,
    start: str,
    moves: str,
    advice: str,
    understand: Callable[..., Any] = understood,
) -> Any:
    """FILE, `understood` or `prepared` with two expressions to be evaluated in it. Raises as `game_in` does."""
    try:
        return understand(source, options, [start, moves])
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
