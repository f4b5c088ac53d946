"""cplc: CPL (1963–67), the language of Barron, Buxton, Hartley, Nixon and Strachey, compiled to readable Python.

    import cpl
    cpl.compile_text("Twice(x) = 2x").python      # the text of a Python module
    game = cpl.load("strachey.cpl")               # a module: Strachey's checkers program of 1966
    game.NextMoveDirection(4)

Errors are of the class `cpl.Error`: `CplError`, which has `diagnostics`, if the CPL is at fault; `Unreadable`, which is
also an OSError, if a file cannot be read. A program that fails while it runs raises `cplrt.CplFault`.
"""

from typing import TYPE_CHECKING

from cpl.diagnostics import CplError, Diagnostic, Error
from cpl.display import VIEWS

if TYPE_CHECKING:
    from cpl.compare.differences import diff
    from cpl.compare.readings_table import compare_readings
    from cpl.compiler import Compiled, check_text, compile_text, format_text, load
    from cpl.games.pdn import read_game
    from cpl.import_hook import install_import_hook, uninstall_import_hook
    from cpl.loader import Unreadable
    from cpl.readings import Reading
    from cpl.run.record import Recording, trace
    from cpl.source import Source, Span
    from cpl.views.boards import board, boards, game_view
    from cpl.views.listing import beside
    from cpl.views.stages import Stages, stages
    from cpl.views.tree import SearchNode, search_tree

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
        "Board": "cpl.views.boards:image",
        "Compiled": "cpl.views.listing:compiled_html",
        "CplError": "cpl.views.style:diagnostics_html",
        "Diagnostic": "cpl.views.style:diagnostics_html",
        "Difference": "cpl.views.reports:difference_html",
        "Game": "cpl.views.boards:game_html",
        "LiveGame": "cpl.views.boards:game_html",
        "ReadingComparison": "cpl.views.reports:readings_html",
        "Record": "cpl.views.boards:game_html",
        "Recording": "cpl.views.steps:recording_html",
    }
)

if not TYPE_CHECKING:  # to which a name that is not defined here is a mistake
    _HOMES = {
        **dict.fromkeys(["Compiled", "check_text", "compile_text", "load"], "cpl.compiler"),
        **dict.fromkeys(["Recording", "trace"], "cpl.run.record"),
        "Reading": "cpl.readings",
        "Source": "cpl.source",
        "Span": "cpl.source",
        "Unreadable": "cpl.loader",
        "beside": "cpl.views.listing",
        "board": "cpl.views.boards",
        "boards": "cpl.views.boards",
        "compare_readings": "cpl.compare.readings_table",
        "diff": "cpl.compare.differences",
        "format_text": "cpl.compiler",
        **dict.fromkeys(["SearchNode", "search_tree"], "cpl.views.tree"),
        **dict.fromkeys(["Stages", "stages"], "cpl.views.stages"),
        "install_import_hook": "cpl.import_hook",
        "load_ipython_extension": "cpl.cli.magic",
        "uninstall_import_hook": "cpl.import_hook",
        "game_view": "cpl.views.boards",
        "read_game": "cpl.games.pdn",
    }

    def __getattr__(name: str) -> object:
        """The parts that need lark are imported when they are first used, so that `cplc --help` answers at once."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__} - {"TYPE_CHECKING"})
