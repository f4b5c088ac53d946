"""A program and the Python that comes of it, definition by definition, side by side."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from cpl.compiler import Compiled
from cpl.source import Span


@dataclass(frozen=True)
class Pair:
    """One definition as it was written and as it came out, without the docstring."""

    name: str
    cpl: str
    python: str


@dataclass(frozen=True)
class Beside:
    """Definitions in both languages: a table in notebooks, one under the other as text."""

    pairs: tuple[Pair, ...]

    def __str__(self) -> str:
        return "\n\n".join(f"{pair.cpl}\n\n{pair.python}" for pair in self.pairs)

    def _repr_html_(self) -> str:
        cell = 'style="vertical-align: top; text-align: left"'
        code = 'style="margin: 0; padding: 4px; background: #fff; color: #000"'
        rows = "".join(
            f"<tr><td {cell}><pre {code}>{_set(pair.cpl, 'cpl')}</pre></td>"
            f"<td {cell}><pre {code}>{_set(pair.python, 'python')}</pre></td></tr>\n"
            for pair in self.pairs
        )
        return f"<table>\n<tr><th {cell}>CPL</th><th {cell}>Python</th></tr>\n{rows}</table>"


_BLACK: Final = re.compile(r'<span style="color: #000">(.*?)</span>', re.DOTALL)


def _set(text: str, language: str) -> str:
    """A listing as HTML, set as journals did if Pygments is there, else plain."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer

        from cpl.kit.highlighting import CplLexer, JournalStyle
    except ImportError:
        return escape(text)
    lexer = CplLexer() if language == "cpl" else PythonLexer()
    formatter: HtmlFormatter[str] = HtmlFormatter(style=JournalStyle, nowrap=True, noclasses=True)
    html = highlight(text, lexer, formatter).replace("color: #000; ", "")  # which the table says once
    return _BLACK.sub(r"\1", html).rstrip("\n")


def beside(compiled: Compiled, *names: str) -> Beside:
    """The definitions of these names (Python names); all definitions of a program if there are none.

    Raises KeyError for a name that the program does not define.
    """
    pairs = {pair.name: pair for pair in _pairs(compiled)}
    return Beside(tuple([pairs[name] for name in names] if names else list(pairs.values())))


def _pairs(compiled: Compiled) -> Iterator[Pair]:
    lines = compiled.python.splitlines()
    for node in ast.parse(compiled.python).body:
        match node:
            case ast.FunctionDef(name=name, body=[ast.Expr(value=ast.Constant(value=str())), first, *_]):
                cpl = ast.get_docstring(node) or ""
                python = [lines[node.lineno - 1], *lines[first.lineno - 1 : node.end_lineno]]
            case ast.Assign(targets=[ast.Name(id=name)]) if node.lineno in compiled.line_map:
                value = compiled.line_map[node.lineno]
                cpl = next(one.span.text for one in compiled.core.definitions if _holds(one.span, value))
                python = lines[node.lineno - 1 : node.end_lineno]
            case _:
                continue
        yield Pair(name, cpl, "\n".join(python))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start < outer.end
