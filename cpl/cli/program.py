"""The program of a command, which it compiles and runs."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from cplrt import CplFault

from cpl.cli import terminal
from cpl.cli.terminal import Failed, Usage
from cpl.compiler import pipeline
from cpl.compiler.diagnostics import CplError
from cpl.compiler.pipeline import Executable, Options
from cpl.compiler.python_errors import in_words
from cpl.compiler.source import Source
from cpl.study.run.trail import trail

Value = TypeVar("Value")


def compilation(options: argparse.Namespace, **settings: Any) -> Options:
    """Return how to compile FILE: the options that all commands have, and `settings`."""
    common = {"reading": options.reading, "libraries": options.library, "repair": options.repair}
    return Options(**(common | settings))


def compiled(
    compile: Callable[..., Any], source: Source, options: argparse.Namespace, calls: Sequence[str] = (), **settings: Any
) -> Any:
    """Compile FILE and the expressions to be evaluated in it with a function of `cpl.compiler.pipeline`; report what
    misleads in it. Raises CplError.
    """
    program = compile(source, compilation(options, **settings), calls)
    # A command may add a text as a library, which the user did not write.
    added = [library for library in settings.get("libraries", ()) if isinstance(library, Source)]
    misleading = [finding for finding in program.misleading if finding.span.source not in added]
    terminal.show_misleading(misleading, options)
    return program


def guard(job: Callable[[], Value], *faults: type[Exception]) -> Value:
    """Run CPL. Raises Failed for a fault of the running program, which says what went wrong, and where in the CPL as
    far as it is known; KeyboardInterrupt has notes that say where. Any other exception is a bug of ours.
    """
    kinds: tuple[type[Exception], ...] = (CplFault, RecursionError, MemoryError, SystemError, *faults)
    try:
        return job()
    except KeyboardInterrupt as stopped:
        for line in trail(stopped):
            stopped.add_note(line)
        raise
    except kinds as error:
        raise Failed("\n  ".join([in_words(error), *getattr(error, "__notes__", ()), *trail(error)])) from error


def compiled_game(
    source: Source, options: argparse.Namespace, start: str, moves: str, advice: str, **settings: Any
) -> Executable:
    """Compile FILE with two calls: where its game starts, and the function of its moves. Raises CplError, and Usage
    with this advice if it has no game.
    """
    try:
        return cast("Executable", compiled(pipeline.executable, source, options, [start, moves], **settings))
    except CplError as error:
        spans = [diagnostic.span for diagnostic in error.diagnostics]
        missing = [span.text for span in spans if span.source.path.startswith("<call")]
        is_all = len(missing) == len(spans)
        if is_all and {"StartPosition", "LegalPositionsFrom"} >= {*missing}:
            raise Usage(f"{source.shown} defines no {' and no '.join(missing)}: {advice}") from None
        raise
