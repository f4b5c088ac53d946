"""A program and the Python that it becomes, definition by definition, side by side."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from cpl.compiler import Compiled
from cpl.python.comments import written
from cpl.semantics import core
from cpl.views.style import LISTINGS, coloured, palette


@dataclass(frozen=True)
class ListedDefinition:
    """One definition as it was written and as it came out, without the docstring."""

    name: str
    cpl: str
    python: str


@dataclass(frozen=True)
class SideBySide:
    """Definitions in both languages: notebooks show two columns where these have room; as text they alternate."""

    pairs: tuple[ListedDefinition, ...]

    def __repr__(self) -> str:
        return "\n\n".join(f"{pair.cpl}\n\n{pair.python}" for pair in self.pairs)

    def _repr_html_(self) -> str:
        rows = [
            _listing("CPL", coloured(pair.cpl)) + _listing("Python", coloured(pair.python, python=True))
            for pair in self.pairs
        ]
        body = "".join(f"<div>\n{row}</div>\n" for row in rows)
        return f'<div class="cpl-beside">\n<style>\n{_STYLE}</style>\n{body}</div>'


def _listing(language: str, lines: list[str]) -> str:
    code = "\n".join(lines)
    return f'<figure><figcaption>{language}</figcaption><pre style="{_PRE}" tabindex="0">{code}</pre></figure>\n'


_PRE: Final = "white-space: pre; overflow-x: auto"
"""Repeated in the element: notebooks that are not trusted yet are shown without style sheets."""

_THEMES: Final = {
    "ink": "var(--jp-content-font-color1, var(--vscode-editor-foreground, {}))",
    "card": "var(--jp-cell-editor-background, var(--vscode-editor-background, {}))",
    "line": "var(--jp-cell-editor-border-color, var(--vscode-panel-border, {}))",
    "faint": "var(--jp-ui-font-color2, var(--vscode-descriptionForeground, {}))",
    "name": "var(--jp-mirror-editor-def-color, var(--vscode-textLink-foreground, {}))",
    "string": "var(--jp-mirror-editor-string-color, var(--vscode-debugTokenExpression-string, {}))",
    "fails": "var(--jp-error-color1, var(--vscode-errorForeground, {}))",
}
"""JupyterLab, pages made by nbconvert, and VS Code name the colours of their themes; elsewhere the system decides."""

_STYLE: Final = (
    palette(".cpl-beside", _THEMES)
    + """\
.cpl-beside { display: grid; gap: 12px; padding: 4px 0; }
.cpl-beside > div { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30em), 1fr));
  gap: 4px 12px; }
.cpl-beside figure { margin: 0; min-width: 0; }
.cpl-beside figcaption { margin: 0; padding: 0; text-align: left; font-size: .85em; color: inherit; opacity: .75; }
.cpl-beside.cpl-beside figure > pre { margin: 0; padding: 6px 10px; border: 1px solid var(--line); border-radius: 3px;
  background: var(--card); color: var(--ink); word-break: normal; overflow-wrap: normal;
  font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
"""
    + LISTINGS
)


def side_by_side(compiled: Compiled, *names: str) -> SideBySide:
    """The definitions of these names (Python names); all definitions of a program if there are none.

    Raises KeyError for a name that the program does not define.
    """
    pairs = [*_pairs(compiled)]
    by_name = {name: pair for pair in pairs for name in pair.name.split(", ")}
    return SideBySide(tuple([by_name[name] for name in names] if names else pairs))


def _pairs(compiled: Compiled) -> Iterator[ListedDefinition]:
    lines = compiled.python.split("\n")

    def definition(statement: ast.stmt) -> core.Definition | None:
        """The smallest one that the statement comes from."""
        span = compiled.line_map.get(statement.lineno)
        around = [
            one
            for one in compiled.core.definitions
            if span and one.span.source is span.source and one.span.start <= span.start < one.span.end
        ]
        return min(around, key=lambda one: one.span.end - one.span.start, default=None)

    for one, group in groupby(ast.parse(compiled.python).body, definition):
        if one is None or isinstance(one, core.Commands):
            continue
        statements = [*group]
        last = statements[-1]
        python, cpl = lines[statements[0].lineno - 1 : last.end_lineno], None
        if isinstance(last, ast.FunctionDef | ast.ClassDef):
            cpl = ast.get_docstring(last)
            docstring, *rest = last.body
            if cpl is not None and rest:
                python = lines[last.lineno - 1 : docstring.lineno - 1] + lines[rest[0].lineno - 1 : last.end_lineno]
        yield ListedDefinition(", ".join(_names(last)), cpl or written(one, None), "\n".join(python))


def _names(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))
