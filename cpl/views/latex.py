"""A program as journals set it, for LaTeX: a publication in, the text of a file `.tex` in ASCII out.

It is set in proportional type, and keeps the lines of the author. A line begins below the sign under which its author
began it: TeX measures where that is. What is too long for a line of the page goes on in the next one, further in.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cpl.syntax.tokens import GREEK_LETTERS, SYMBOLS
from cpl.views.latex_signs import LETTERS, in_latex, mathematics
from cpl.views.publication import Publication, Sign

_DOCUMENT: Final = r"""\documentclass[10pt,a4paper]{article}
\setlength\textwidth{160mm}\setlength\oddsidemargin{0mm}\setlength\evensidemargin{0mm}
\setlength\textheight{235mm}\setlength\topmargin{-10mm}\setlength\headheight{0mm}\setlength\headsep{0mm}
"""

_MACROS: Final = r"""\makeatletter
\newdimen\cplx  % how far the line is set
\providecommand\cplline[3]{\par\noindent  % {column}{column above, or -1}{half ems further in}
  \cplx=0pt \ifnum#2<0 \else \cplx=\csname cpl@#2\endcsname\relax \fi
  \advance\cplx by #3\dimexpr.5em\relax
  \hangindent=\cplx \advance\hangindent by 2em \hangafter=1 \leavevmode\hskip\cplx \cplmark{#1}}
\providecommand\cplset[1]{\setbox0=\hbox{#1}\advance\cplx by \wd0 \box0 }
\providecommand\cplblank[1]{\hskip#1\advance\cplx by #1\relax}
\providecommand\cplmark[1]{\expandafter\xdef\csname cpl@#1\endcsname{\the\cplx}}
\providecommand\cplgap{\par\pagebreak[2]\vskip.7\baselineskip plus.2\baselineskip}
\providecommand\cplstroke{\llap{\hbox to.45em{\hss\vrule width.5pt height1.65ex depth.45ex\hss}}}
\providecommand\cplword[1]{\textbf{#1}}
\providecommand\cplremark[1]{{\small#1}}
\providecommand\cplnumber[1]{{\ttfamily\small[U+#1]}}
\newenvironment{cpl}{\par\parskip=0pt \raggedright \interlinepenalty=300 \clubpenalty=300 \widowpenalty=300
  }{\par}
\makeatother
"""


def as_latex(publication: Publication, *, fragment: bool = False) -> str:
    r"""A document; with `fragment`, an environment for use in another document, by `\input`, with the macros that it
    needs.
    """
    body = "\n".join(_lines(publication.lines))
    listing = f"\\begin{{cpl}}\n{body}\n\\end{{cpl}}\n"
    if fragment:
        return f"\\ifdefined\\cplx\\else\n{_MACROS}\\fi\n{listing}"
    title, origin = in_latex(publication.title), in_latex(publication.origin)
    return f"""\
{_DOCUMENT}{_MACROS}\\begin{{document}}
\\noindent{{\\Large\\bfseries\\raggedright {title}\\par}}
\\medskip\\noindent{{\\small\\raggedright {origin}\\par}}
\\bigskip\\bigskip
{listing}\\end{{document}}
"""


@dataclass
class _Line:
    """The signs of a line without the blanks before them, tabs as blanks, each with its column, and how the line is to
    begin.
    """

    signs: list[tuple[int, Sign]]
    above: int = -1
    further: int = 0

    def __post_init__(self) -> None:
        self.marked: set[int] = set()

    @property
    def column(self) -> int:
        return self.signs[0][0]


def _lines(lines: Sequence[Sequence[Sign]]) -> Iterator[str]:
    """The lines in LaTeX, blank ones as gaps."""
    found = [_Line([*_columns(line)]) for line in lines]
    before: list[_Line] = []
    for line in found:
        if line.signs:
            _align(line, before)
            before.append(line)
    for line in found:
        yield _set(line) if line.signs else r"\cplgap"


def _columns(line: Sequence[Sign]) -> Iterator[tuple[int, Sign]]:
    column = 0
    for index, sign in enumerate(line):
        text = (" " * column + sign.text).expandtabs(8)[column:]
        if index or sign.role != "blank":
            yield column, sign._replace(text=text)
        column += sum(map(_width, text))


def _width(char: str) -> int:
    return not unicodedata.combining(char)


_SHALLOW: Final = 5
"""So far in is a block, which need not stand below anything."""


def _align(line: _Line, before: Sequence[_Line]) -> None:
    """Find what a line begins below: a sign of the nearest line above that has one there, and no line between them
    further out; else it is so far in from the nearest line further out.
    """
    column = line.column
    for above in reversed(before):
        after_blank = {
            at for (_, left), (at, _) in zip(above.signs, above.signs[1:], strict=False) if left.role == "blank"
        }
        starts = {at for at, sign in above.signs if sign.role != "blank"}
        deep = column - above.column > _SHALLOW
        if column == above.column or (column in starts and (deep or column in after_blank)):
            above.marked.add(column)
            line.above = column
            return
        if above.column < column:
            line.above, line.further = above.column, column - above.column
            return
    line.further = column


def _set(line: _Line) -> str:
    """A line in LaTeX: what stands between blanks is a box, and the comment may be broken."""
    parts = [rf"\cplline{{{line.column}}}{{{line.above}}}{{{line.further}}}%" + "\n"]
    word = ""

    def flush() -> None:
        nonlocal word
        if word:
            parts.append(rf"\cplset{{{word}}}")
        word = ""

    for column, sign in line.signs:
        if column in line.marked and column != line.column:
            flush()
            parts.append(rf"\cplmark{{{column}}}")
        if sign.role == "blank":
            flush()
            width = len(sign.text)
            parts.append(rf"\cplblank{{{'.3333' if width == 1 else f'{width * 0.5:g}'}em}}")
        elif sign.role == "comment":
            flush()
            parts.append(rf"\cplremark{{{_prose(sign.text)}}}")
        else:
            word += _latex(sign)
    flush()
    return "".join(parts)


def _prose(text: str) -> str:
    """A comment: single blanks may be broken at, the others keep their widths."""
    return "".join(
        " " if part == " " else in_latex(part) for part in re.split(r"(?<=\S)( )(?=\S)", text.rstrip()) if part
    )


def _latex(sign: Sign) -> str:
    text = unicodedata.normalize("NFC", sign.text)
    match sign.role:
        case "word":
            return rf"\cplword{{{in_latex(text)}}}"
        case "small":
            return _small(text)
        case "number":
            return _number(text)
        case "section":
            return _section(sign)
        case "sign":
            return _operator(sign.kind, text)
        case _:
            return in_latex(text)


def _small(text: str) -> str:
    """A small name: a letter, Greek or Latin, and its primes."""
    name = text.rstrip("'′")
    letter = LETTERS.get(name) or LETTERS.get(GREEK_LETTERS.get(name[1:], ""), name)
    return mathematics(letter + "'" * (len(text) - len(name)))


def _number(text: str) -> str:
    if text.startswith("#"):
        return rf"\cplword{{8}}\,{text[1:]}"
    return in_latex(re.sub(r"₁₀|\\10", "⏨", text).replace("-", "−"))


def _section(sign: Sign) -> str:
    r"""A section bracket and its tag; that of a closing one has a stroke."""
    stroke = r"\cplstroke{}" if sign.kind == "CLOSE" else ""
    tag = "".join(re.findall(r"[0-9.]", sign.text))
    return rf"\S{stroke}{tag}" if tag or stroke else r"\S{}"


def _operator(kind: str, text: str) -> str:
    """A sign in its printed form: what is typed as `->` is an arrow."""
    if text.isascii():
        text = SYMBOLS[kind][0]
    return in_latex(text, tilde=mathematics(r"\sim"))
