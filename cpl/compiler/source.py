"""Texts and the places in them: everything that can be pointed at is a span of a source."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import PurePath

from cpl import outside
from cpl.outside import code_point


def utf16_units(text: str) -> int:
    """Return the length of a text in units of UTF-16, which editors and code hosts count."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Source:
    """A text and the name that its reader knows it by, usually a path: `Source("mine.cpl", "Twice(x) = 2x")`.

    Lines end at LF, CR LF or CR and nowhere else; lines and columns count from 1, columns in code points.
    """

    path: str
    text: str = field(repr=False)

    @property
    def name(self) -> str:
        """The last part of the path, fit to be shown anywhere: `strachey.cpl`."""
        return "".join(char if char.isprintable() else "?" for char in PurePath(self.path).name)

    @property
    def shown(self) -> str:
        """The path as messages show it: short for what travels with the package."""
        return re.sub(r"[\t\r\n]", lambda sign: code_point(sign[0]), outside.short_path(self.path))  # on one line

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]

    @property
    def lines(self) -> int:
        """The number of lines; one that ends the text and is empty counts."""
        return len(self._starts)

    def start_of(self, number: int) -> int:
        """Return the offset at which a line begins."""
        return self._starts[number - 1]

    def line_at(self, offset: int) -> int:
        """Return the number of the line that holds the character at `offset`."""
        return bisect_right(self._starts, offset)

    def column_at(self, offset: int) -> int:
        """Return the column, in code points, of the character at `offset`."""
        return offset - self._starts[self.line_at(offset) - 1] + 1

    @cached_property
    def _bytes(self) -> list[int]:
        """The UTF-8 bytes before each character."""
        return [0, *accumulate(len(char.encode("utf-8", "surrogatepass")) for char in self.text)]

    def byte_column_at(self, offset: int) -> int:
        """Return the number of UTF-8 bytes before `offset` on its line, as Python's own syntax trees count columns."""
        start = self._starts[self.line_at(offset) - 1]
        return offset - start if self.text.isascii() else self._bytes[offset] - self._bytes[start]

    def line(self, number: int) -> str:
        """Return the text of a line, without its line end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` to `end` (not included) of a source; an empty span is a place between two."""

    source: Source
    start: int
    end: int

    def __repr__(self) -> str:
        return f"<{self.place}>"

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """The line on which the span begins."""
        return self.source.line_at(self.start)

    @property
    def column(self) -> int:
        """The column at which the span begins."""
        return self.source.column_at(self.start)

    @property
    def place(self) -> str:
        """`path:line:column`, as terminals and editors take it."""
        return f"{self.source.shown}:{self.line}:{self.column}"

    @property
    def last(self) -> int:
        """The offset of the last character; of an empty span, the place itself."""
        return max(self.start, self.end - 1)

    @property
    def last_line(self) -> int:
        """The line on which the span ends."""
        return self.source.line_at(self.last)

    def holds(self, other: "Span") -> bool:
        """Tell whether all of `other` is within this span."""
        return self.start <= other.start and other.end <= self.end and self.source == other.source

    def to(self, other: "Span") -> "Span":
        """Return the span from the beginning of this one to the end of `other`."""
        return Span(self.source, self.start, other.end)
