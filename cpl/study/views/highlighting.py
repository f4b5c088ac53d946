"""CPL for Pygments: a lexer, which is the compiler's own, a style after the journals of the 1960s, and LaTeX by both.

Pygments finds lexer and style by the entry points of the package (`cpl` and `journal`).
"""

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from pygments import highlight
from pygments.formatters.latex import LatexFormatter, escape_tex  # type: ignore[attr-defined]
from pygments.lexer import Lexer
from pygments.style import Style
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from cpl.compiler.source import Source
from cpl.compiler.syntax.lexer import APPLIED, BLANK, WRONG, pieces
from cpl.compiler.syntax.tokens import CLOSERS, CONSTANTS, OPENERS, SYMBOLS, TYPES, WORDS, unmarked, word_kind
from cpl.outside import printable

_CLASSES: Final[dict[str, _TokenType]] = {
    **dict.fromkeys(SYMBOLS, Operator),
    **dict.fromkeys([*OPENERS, *CLOSERS, "COMMA", "SEPARATOR", "COLON", "DOT"], Punctuation),
    **dict.fromkeys(["OPEN", "CLOSE", "SECTION"], Keyword.Pseudo),
    **dict.fromkeys(TYPES, Keyword.Type),
    **dict.fromkeys(map(word_kind, CONSTANTS), Keyword.Constant),
    "SMALL": Name.Variable,
    "LARGE": Name,
    "NUMBER": Number,
    "STRING": String,
    "COMMENT": Comment.Single,
    "NEWLINE": Whitespace,
    "UNKNOWN": Error,
    APPLIED: Name.Function,
    BLANK: Whitespace,
    WRONG: Error,
}

_MARKS: Final = tuple(
    re.compile(mark, re.MULTILINE)
    for mark in (
        "§",
        "[→×≠≤≥≡≃∧∨]",
        r"\b(?:value|result)[ \t]+of[ \t\n]*(?:§|\$\()|^[ \t]*(?:§[ \t]*)?result[ \t]+is\b",
        r"^[ \t]*(?:let |rec |function |routine )*[A-Z][\w'′]*[ \t]*[(\[][^_\n]*[)\]][ \t]*(?:[=≡](?!=)|be\b)",
    )
)
"""Section brackets, printed signs, blocks that have a value, headings: most CPL has two of these, and few other texts
have.
"""

_LEAST: Final = 0.001
"""More than the lexer of cplint, the other language with files `*.cpl`, gives a text that is not Prolog, and less than
the lexer of plain text gives any text."""


def class_of(kind: str, text: str) -> _TokenType:
    """Return the Pygments class of a token of this kind, whatever stands round it. A kind that `_CLASSES` does not have
    is a reserved word, and so are the operators that are words, such as `and`.
    """
    token = _CLASSES.get(kind, Keyword)
    if token is Operator and unmarked(text) in WORDS:
        return Keyword
    return token


class CplLexer(Lexer):
    """A lexer that cuts CPL into the tokens of the compiler.

    Wrong and unfinished texts are cut too: what the compiler's lexer would report is an Error, and nothing is lost. A
    large name before a bracket is a function, as it is applied or defined there (or an array: only definitions tell).
    """

    name = "CPL"
    url = "https://en.wikipedia.org/wiki/CPL_(programming_language)"
    aliases: ClassVar[list[str]] = ["cpl"]
    filenames: ClassVar[list[str]] = ["*.cpl"]
    mimetypes: ClassVar[list[str]] = ["text/x-cpl"]
    priority = 0.5

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield the tokens and the blanks between them: where each begins, its class, its text."""
        for start, kind, part in pieces(Source("<text>", text)):
            yield start, class_of(kind, part), part

    @staticmethod
    def analyse_text(text: str) -> float:
        """Return how much a text looks like CPL, between 0 and 1; more than 0 for any text, so that `*.cpl` is CPL if
        it is not plainly Prolog.
        """
        plain = unmarked(text)
        marks = sum(1 for mark in _MARKS if mark.search(plain))
        return 0.15 + 0.2 * marks if marks > 1 else _LEAST


class JournalStyle(Style):
    """CPL in black on white, as a journal of the 1960s might have set it.

    Attested: reserved words were distinct symbols, underlined by hand and bold in print (row L8 of docs/evidence.md:
    seen in the lectures of 1967, **true** among them, but in a reprint that was set anew; the magazine of 1966 could
    not be read).

    Our choice is all else: small names in italics, as mathematics sets its variables; large names, numbers, strings,
    signs and section brackets upright; words for types and all constants bold like other reserved words; comments, of
    which no print could be seen (L18), in grey italics; errors underlined in red.
    """

    name = "journal"
    background_color = "#ffffff"
    highlight_color = "#f0f0e0"
    line_number_color = "#767676"
    styles: ClassVar[dict[_TokenType, str]] = {
        Comment: "italic #606060",
        Keyword: "bold #000000",
        Keyword.Pseudo: "nobold",
        Name: "#000000",
        Name.Variable: "italic",
        Number: "#000000",
        Operator: "#000000",
        Punctuation: "#000000",
        String: "#000000",
        Error: "underline #a00000",
    }


def as_latex(source: Source, title: str = "", *, fragment: bool = False) -> str:
    r"""Return a text as a document for xelatex or lualatex; with `fragment`, a listing for another document, by
    `\input`, with the macros that it needs. Hidden characters stand as their numbers.
    """
    formatter: LatexFormatter[str] = LatexFormatter(
        style=JournalStyle, full=not fragment, title=escape_tex(title, "PY"), preamble=_FONT
    )
    latex = highlight(printable(source.text), CplLexer(stripnl=False), formatter)
    return f"{formatter.get_style_defs()}\n{latex}" if fragment else latex


_FONT: Final = r"""
\usepackage{fontspec}
\IfFontExistsTF{DejaVu Sans Mono}{\setmonofont{DejaVu Sans Mono}}{}
"""
