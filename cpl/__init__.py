"""cplc: CPL (1963–67), the language of Barron, Buxton, Hartley, Nixon and Strachey, compiled to readable Python.

    import cpl
    cpl.compile_text("Twice(x) = 2x").python      # the text of a Python module
    game = cpl.load("strachey.cpl")               # a module: Strachey's checkers program of 1966
    game.NextMoveDirection(4)

Errors are of the class `cpl.Error`: `CplError`, which has `diagnostics`, if the CPL has errors; `Unreadable`, which is
also an OSError, if a file cannot be read. A program that fails while it runs raises `cplrt.CplFault`.
"""

from typing import TYPE_CHECKING

from cpl.compiler.diagnostics import CplError, Diagnostic, Error
from cpl.display import VIEWS

if TYPE_CHECKING:
    from cpl.compiler.import_hook import install_import_hook, uninstall_import_hook
    from cpl.compiler.loader import Unreadable
    from cpl.compiler.pipeline import Compiled, check_text, compile_text, format_text, load
    from cpl.compiler.readings import Reading
    from cpl.compiler.source import Source, Span
    from cpl.games.pdn import read_game
    from cpl.study.compare.differences import diff
    from cpl.study.compare.readings_table import compare_readings
    from cpl.study.run.record import Recording, trace
    from cpl.study.views.boards import board, boards, game_view
    from cpl.study.views.listing import beside
    from cpl.study.views.stages import Stages, stages
    from cpl.study.views.tree import SearchNode, search_tree

__version__ = "2.0.0"

__all__ = [
    "Compiled",
    "CplError",
    "Diagnostic",
    "Error",
    "Reading",
    "Recording",
    "SearchNode",
    "Source",
    "Span",
    "Stages",
    "Unreadable",
    "__version__",
    "beside",
    "board",
    "boards",
    "check_text",
    "compare_readings",
    "compile_text",
    "diff",
    "format_text",
    "game_view",
    "install_import_hook",
    "load",
    "read_game",
    "search_tree",
    "stages",
    "trace",
    "uninstall_import_hook",
]

VIEWS.update(
    {
        "Board": "cpl.study.views.boards:image",
        "Compiled": "cpl.study.views.listing:compiled_html",
        "CplError": "cpl.study.views.page_style:diagnostics_html",
        "Diagnostic": "cpl.study.views.page_style:diagnostics_html",
        "Difference": "cpl.study.views.reports:difference_html",
        "Game": "cpl.study.views.boards:game_html",
        "LiveGame": "cpl.study.views.boards:game_html",
        "ReadingComparison": "cpl.study.views.reports:readings_html",
        "Record": "cpl.study.views.boards:game_html",
        "Recording": "cpl.study.views.steps:recording_html",
    }
)

if not TYPE_CHECKING:  # a type checker reports a name that is not defined here, unless it sees __getattr__
    _HOMES = {
        "Compiled": "cpl.compiler.pipeline",
        "Reading": "cpl.compiler.readings",
        "Recording": "cpl.study.run.record",
        "SearchNode": "cpl.study.views.tree",
        "Source": "cpl.compiler.source",
        "Span": "cpl.compiler.source",
        "Stages": "cpl.study.views.stages",
        "Unreadable": "cpl.compiler.loader",
        "beside": "cpl.study.views.listing",
        "board": "cpl.study.views.boards",
        "boards": "cpl.study.views.boards",
        "check_text": "cpl.compiler.pipeline",
        "compare_readings": "cpl.study.compare.readings_table",
        "compile_text": "cpl.compiler.pipeline",
        "diff": "cpl.study.compare.differences",
        "format_text": "cpl.compiler.pipeline",
        "game_view": "cpl.study.views.boards",
        "install_import_hook": "cpl.compiler.import_hook",
        "load": "cpl.compiler.pipeline",
        "load_ipython_extension": "cpl.cli.magic",
        "read_game": "cpl.games.pdn",
        "search_tree": "cpl.study.views.tree",
        "stages": "cpl.study.views.stages",
        "trace": "cpl.study.run.record",
        "uninstall_import_hook": "cpl.compiler.import_hook",
    }

    _INSTEAD = {
        "check": "what cpl check does is check_text(text)",
        "compile": "what cplc does is compile_text(text)",
        "fmt": "what cpl fmt does is format_text(text)",
        "format": "what cpl fmt does is format_text(text)",
        "readings": "what cpl readings does is compare_readings(program, other)",
        "run": "what cpl run does is load(file), which gives a module",
    }
    """What to use in place of names that the commands suggest."""

    def __getattr__(name: str) -> object:
        """Import a name from its home when it is first used: many need lark, and `cplc --help` is to answer at once."""
        if name not in _HOMES:
            problem = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(f"{problem}; {_INSTEAD[name]}" if name in _INSTEAD else problem)
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)

    def __dir__() -> list[str]:
        return sorted(__all__)
