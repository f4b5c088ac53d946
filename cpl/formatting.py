"""CPL in one style: what `cpl fmt` and `cpl.format_text` do with a text."""

from typing import Final, Literal

from cpl.compile_guard import compiling
from cpl.diagnostics import CplError, has_errors
from cpl.source import Source
from cpl.syntax import printer
from cpl.syntax.parser import parse
from cpl.syntax.printer import print_program

Signs = Literal["ascii", "unicode"]

_NOTATIONS: Final = {None: printer.as_written, "ascii": printer.typed, "unicode": printer.printed}


class Unfaithful(AssertionError):
    """The formatted text would be another program: a fault of ours, raised before anything is written."""


def format_text(text: str, *, path: str = "<text>", signs: Signs | None = None) -> str:
    """The same program in the style of `cpl fmt`, with every comment.

    `signs` are left as they are, or become those of a plain keyboard (`ascii`) or of print (`unicode`). To format a
    second time changes nothing, and the surface tree stays the same. Raises CplError for a text that does not parse.
    """
    return format_source(Source(path, text), signs)


def format_source(source: Source, signs: Signs | None = None) -> str:
    """As `format_text`."""
    with compiling(source):
        program, found = parse(source)
        if has_errors(found):
            raise CplError(found)
        text = print_program(program, _NOTATIONS[signs])
        again, _ = parse(Source(source.path, text))
    if again != program:
        raise Unfaithful(
            f"{source.path}: a fault of cpl fmt: the text would say something else, so it is left as it is"
        )
    return text
