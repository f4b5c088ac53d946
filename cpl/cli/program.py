"""The CPL program that is an argument of a command, FILE: commands compile and run it by these functions, so that all
of them report warnings, errors and faults alike.
"""

import argparse
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

from cplrt import CplFault

from cpl.cli import terminal
from cpl.cli.terminal import Failed
from cpl.compiler import pipeline
from cpl.compiler.diagnostics import CplError
from cpl.compiler.pipeline import Executable, Options
from cpl.compiler.python_errors import in_words
from cpl.compiler.source import Source
from cpl.study.run.trail import trail

Value = TypeVar("Value")

_GAME: Final = {"StartPosition", "LegalPositionsFrom"}
"""What a program of a game defines, unless the command line names other expressions for it."""


def compilation(options: argparse.Namespace, **settings: Any) -> Options:
    """Return the options for the compiler: what the command line says, and `settings` of the command, which are fields
    of `Options` and come first.
    """
    common = {"reading": options.reading, "libraries": options.library, "repair": options.repair}
    return Options(**(common | settings))


def compiled(
    compile: Callable[..., Any], source: Source, options: argparse.Namespace, calls: Sequence[str] = (), **settings: Any
) -> Any:
    """Compile FILE and the expressions to be evaluated in it, and report the warnings about it.

    `compile` is a function of `cpl.compiler.pipeline`, such as `executable`, and its result is returned. `settings` are
    those of `compilation`. Raises CplError.
    """
    program = compile(source, compilation(options, **settings), calls)

    # Libraries of the user are paths. One that is a Source was written by the command: it is not to be warned of.
    libraries = settings.get("libraries", ())
    ours = [library for library in libraries if isinstance(library, Source)]
    warnings = [finding for finding in program.misleading if finding.span.source not in ours]
    terminal.show_misleading(warnings, options)
    return program


def guard(job: Callable[[], Value], *faults: type[Exception]) -> Value:
    """Do a job that runs CPL, and return its result.

    Raises Failed for a fault of the running program: it says what went wrong, and where in the CPL if that is known.
    KeyboardInterrupt says where in its notes. `faults` are further exceptions that mean a fault in this job. Any other
    exception is a bug of ours, and is not caught.
    """
    # Python raises SystemError if there is no memory for one more call.
    kinds: tuple[type[Exception], ...] = (CplFault, RecursionError, MemoryError, SystemError, *faults)
    try:
        return job()
    except KeyboardInterrupt as stopped:
        for line in trail(stopped):
            stopped.add_note(line)
        raise
    except kinds as error:
        notes = getattr(error, "__notes__", ())
        lines = [in_words(error), *notes, *trail(error)]
        raise Failed("\n  ".join(lines)) from error


def compiled_game(
    source: Source, options: argparse.Namespace, start: str, moves: str, advice: str, **settings: Any
) -> Executable:
    """Compile FILE with two calls: `start`, an expression for the position where its game starts, and `moves`, one for
    the function that gives the next positions. Raises CplError, or Failed with the `advice` if FILE defines no game.
    """
    try:
        return cast("Executable", compiled(pipeline.executable, source, options, [start, moves], **settings))
    except CplError as error:
        spans = [diagnostic.span for diagnostic in error.diagnostics]
        wrong_calls = [span.text for span in spans if span.source.path.startswith("<call")]
        is_only_in_calls = len(wrong_calls) == len(spans)
        # The user did not write these names. Other expressions come from the command line, and their errors are shown.
        if is_only_in_calls and {*wrong_calls} <= _GAME:
            raise Failed(f"{source.shown} defines no {' and no '.join(wrong_calls)}: {advice}") from None
        raise
