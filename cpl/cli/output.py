"""What all commands print alike: messages and reports on standard error, and JSON."""

import argparse
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any, TextIO

from cpl import messages
from cpl.diagnostics import Diagnostic, Paint, coloured, most_shown, plain, render, to_json
from cpl.outside import printable, shown_on


def say(text: str) -> None:
    """Write a message on standard error, hidden characters as escapes."""
    print(printable(text), file=sys.stderr)


def tell(text: str) -> None:
    """Print a text on a line; on a terminal hidden characters as escapes."""
    print(shown_on(sys.stdout, text))


def show(diagnostics: Iterable[Diagnostic], options: argparse.Namespace) -> None:
    """Report diagnostics on standard error."""
    found = list(diagnostics)
    if options.format_errors == "json":
        print(as_json([to_json(each) for each in most_shown(found)]), file=sys.stderr)
        return
    paint = painter(sys.stderr)
    for each in most_shown(found):
        print(render(each, paint) + "\n", file=sys.stderr)
    errors = sum(each.severity == "error" for each in found)
    if errors > 1:
        print(f"{errors:,} errors", file=sys.stderr)


def show_misleading(found: Iterable[Diagnostic], options: argparse.Namespace) -> None:
    """Report what misleads in a text that is run, each once, and a repair in one line unless it is for programs."""
    found = list(dict.fromkeys(found))
    for repair in [each for each in found if each.cause is messages.REPAIRED and options.format_errors == "text"]:
        say(f"{repair.span.place}: repaired: {repair.help}")
        found.remove(repair)
    if found:
        show(found, options)


def as_json(data: Any) -> str:
    """Data as JSON that people can read, too; hidden characters as escapes."""
    return printable(json.dumps(data, ensure_ascii=False, indent=2), lambda char: json.dumps(char)[1:-1])


def in_colour(stream: TextIO) -> bool:
    """Whether this is a terminal that has colours, whose user has not turned them off."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def in_unicode(is_ascii: bool | None) -> bool:
    """Whether boards are drawn in Unicode: as --ascii says, or if the locale is UTF-8 or not set. Python itself sets
    LC_CTYPE where LANG is C (PEP 538).
    """
    if is_ascii is not None:
        return not is_ascii
    ctype, lang = os.environ.get("LC_CTYPE"), os.environ.get("LANG")
    locale = lang if lang in ("C", "POSIX") and ctype in (None, "", "C.UTF-8") else ctype or lang
    encoding = os.environ.get("PYTHONIOENCODING") or os.environ.get("LC_ALL") or locale
    return not encoding or "utf8" in encoding.lower().replace("-", "")


def columns() -> int:
    """How wide a line on standard output should be: as the terminal, but not over 80."""
    return min(80, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 80


def wrapped(text: str, indent: str = "") -> str:
    """A text on lines that are not too wide, each but the first after an indent."""
    return textwrap.fill(text, columns(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def painter(stream: TextIO) -> Paint:
    """How to paint what is written to a stream."""
    return coloured if in_colour(stream) else plain


def count(number: int, noun: str, several: str = "") -> str:
    """`1 file`, `2 files`; `several` is the plural where it is not the noun with an s."""
    return f"{number} {noun if number == 1 else several or f'{noun}s'}"


def suggestion(word: str, words: Iterable[str]) -> str:
    """The end of a message: which of these words may have been meant; empty if none is near."""
    from cpl.syntax.errors import meant, near

    question = meant(word, near(word, words))
    return f"; {question}" if question else ""
