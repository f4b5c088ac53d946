"""cplc: CPL (1963–67), the language of Barron, Buxton, Hartley, Nixon and Strachey, compiled to readable Python.

import cpl
cpl.compile_text("Twice(x) = 2x").python      # the text of a Python module
game = cpl.load("strachey.cpl")               # a module: Strachey's checkers program of 1966
game.NextMoveDirection(4)
"""

from typing import TYPE_CHECKING, Any

from cpl.diagnostics import CplError, Diagnostic

if TYPE_CHECKING:
    from cpl.compiler import Compiled, check_text, compile_text, load
    from cpl.formatting import format_text
    from cpl.loader import Unreadable

__version__ = "0.1.0"

__all__ = [
    "Compiled",
    "CplError",
    "Diagnostic",
    "Unreadable",
    "__version__",
    "check_text",
    "compile_text",
    "format_text",
    "load",
]


def __getattr__(name: str) -> Any:
    """The parts that need lark are imported when they are first used, so that `cplc --help` answers at once."""
    if name in ("Compiled", "check_text", "compile_text", "load"):
        from cpl import compiler

        return getattr(compiler, name)
    if name == "format_text":
        from cpl.formatting import format_text

        return format_text
    if name == "Unreadable":
        from cpl.loader import Unreadable

        return Unreadable
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
