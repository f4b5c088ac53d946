"""The work of `cplc`: Python for a program, and where each line of it comes from."""

import argparse
import sys
import warnings
from pathlib import Path
from typing import Final

from cpl.cli import terminal
from cpl.cli.program import compilation
from cpl.cli.texts import read_input
from cpl.compiler import pipeline
from cpl.compiler.pipeline import Compiled

RESERVED: Final = sys.stdlib_module_names | {"cplrt"}
"""Names of modules that another one would hide."""


def run(options: argparse.Namespace) -> None:
    """Compile FILE, and write the Python or, with --emit map, the place that each of its lines comes from."""
    compiled = compile(options)
    if options.emit == "map":
        places = {str(line): span.place for line, span in sorted(compiled.line_map.items())}
        finish(options, compiled, terminal.as_json(places) + "\n")
    else:
        finish(options, compiled, compiled.python)


def compile(options: argparse.Namespace) -> Compiled:
    """Compile FILE. Raises CplError."""
    settings = {"optimise": options.optimise, "without": options.without, "standalone": options.standalone}
    source = read_input(options.file)
    return pipeline.compile_source(source, compilation(options, pretty=not options.no_format, **settings))


def finish(options: argparse.Namespace, compiled: Compiled, text: str) -> None:
    """Write what was made of a program, and report what is to be said of it."""
    terminal.write_result(options.output, text)
    path = Path(options.output or "-")
    if path.suffix == ".py" and path.stem in RESERVED:
        warnings.warn(f"{path} has the name of a standard module, and one may shadow the other", stacklevel=1)
    if compiled.diagnostics:
        terminal.show(compiled.diagnostics, options)
