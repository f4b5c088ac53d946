"""The work of `cplc --emit` for the stages before Python: tokens, surface tree, core tree."""

import argparse

from cpl.cli import terminal
from cpl.cli.compile import compile, finish
from cpl.cli.texts import read_input
from cpl.study.views import stages


def run(options: argparse.Namespace) -> None:
    """Write the stage that --emit names: the tokens, the surface tree or the core tree."""
    if options.emit == "tokens":
        terminal.write_result(options.output, stages.token_lines(read_input(options.file)))
        return
    compiled = compile(options)
    tree = stages.core_tree(compiled.core) if options.emit == "core" else stages.surface_tree(compiled.surface)
    finish(options, compiled, tree)
