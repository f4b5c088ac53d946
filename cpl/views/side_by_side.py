"""A program beside the Python that it becomes, definition by definition, with its commands: a compiled program in, text
or HTML out.

In HTML the lines that belong together light up together, by style sheet alone: scripts do not run in a notebook that is
not trusted, nor in most viewers.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, Final

from cpl import compiler
from cpl.compiler import Compiled, Options, Program, Wanted
from cpl.outside import escape
from cpl.python.comments import written
from cpl.python.emit import LineMap
from cpl.semantics import core
from cpl.source import Span
from cpl.views.style import LISTINGS, coloured, fragment

MOST_LINES: Final = 200
"""Lines of Python that notebooks show of one program, unless its first definition has more."""


@dataclass(frozen=True)
class ListedDefinition:
    """One definition as it was written and as it came out, without the docstring; or, without a name, commands that
    follow each other.

    `cpl_groups` and `python_groups` have a number for each line. Lines of the same number belong together: it is the
    line of the CPL on which their common place begins. None is for lines that stand for nothing on the other side.
    """

    name: str
    cpl: str
    python: str
    cpl_groups: tuple[int | None, ...]
    python_groups: tuple[int | None, ...]


@dataclass(frozen=True)
class SideBySide:
    """Definitions and commands in both languages: notebooks show two columns where these have room; as text they
    alternate.
    """

    pairs: tuple[ListedDefinition, ...]

    def __repr__(self) -> str:
        return "\n\n".join(f"{pair.cpl}\n\n{pair.python}" for pair in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data: for each definition its lines on both sides, each with the number of its group."""
        return {
            "definitions": [
                {
                    "name": pair.name,
                    "cpl": _as_data(pair.cpl, pair.cpl_groups),
                    "python": _as_data(pair.python, pair.python_groups),
                }
                for pair in self.pairs
            ]
        }

    def _repr_html_(self) -> str:
        totals = accumulate(pair.python.count("\n") + 1 for pair in self.pairs)
        count = max(1, sum(total <= MOST_LINES for total in totals))
        shown, hidden = self.pairs[:count], self.pairs[count:]
        body = "".join(map(_row, shown)) + (_left_out(hidden) if hidden else "")
        groups = max((len({*pair.cpl_groups}) for pair in shown), default=0)
        return fragment("beside", _STYLE + "".join(map(_lit, range(groups))), body)


def beside(program: Program, *names: str, reading: Wanted = None, repair: bool = False) -> SideBySide:
    """Definitions of a program beside their Python: those of these names (Python names), or all of them, and the
    commands.

    The program may be compiled or loaded already; else it is a path, the name of a packaged program, or a `Source`,
    and `reading` and `repair` are as for `cpl.compile_text`.

    Raises KeyError for a name that the program does not define, TypeError for a module that cpl did not load, and what
    `cpl.compile_text` raises.
    """
    if not isinstance(program, Compiled):
        program = compiler.compile_meaning(compiler.meaning_of(program, Options(reading=reading, repair=repair)))
    pairs = [*_pairs(program)]
    by_name = {name: pair for pair in pairs if pair.name for name in pair.name.split(", ")}
    for name in names:
        if name not in by_name:
            raise KeyError(f"the program defines no {name}")
    return SideBySide(tuple([by_name[name] for name in names] if names else pairs))


def as_html(compiled: Compiled) -> str:
    """A whole program, as notebooks show it."""
    return beside(compiled)._repr_html_()


def _as_data(text: str, groups: Sequence[int | None]) -> list[dict[str, Any]]:
    return [{"text": line, "group": group} for line, group in zip(text.split("\n"), groups, strict=True)]


def _row(pair: ListedDefinition) -> str:
    """Both listings of a definition. Its groups are numbered from 0, so that all definitions share the same rules."""
    numbers: dict[int | None, int] = {
        group: number for number, group in enumerate(sorted(filter(None, {*pair.cpl_groups})))
    }
    cpl, python = ([*map(numbers.get, groups)] for groups in (pair.cpl_groups, pair.python_groups))
    left = _listing("CPL", coloured(pair.cpl), cpl, 0)
    right = _listing("Python", coloured(pair.python, python=True), python, -1)
    return f"<div>\n{left}{right}</div>\n"


def _listing(language: str, lines: Sequence[str], groups: Sequence[int | None], tab: int) -> str:
    """Each line an element, with its line end, so that it can be copied. The tab key goes to those of one side."""
    code = "".join(
        f"<span>{line}\n</span>" if group is None else f'<span class="g{group}" tabindex="{tab}">{line}\n</span>'
        for line, group in zip(lines, groups, strict=True)
    )
    return f'<figure><figcaption>{language}</figcaption><pre style="{_PRE}">{code}</pre></figure>\n'


def _lit(group: int) -> str:
    return f"> div:has(.g{group}:is(:hover, :focus)) .g{group} {{ background: var(--lit); }}\n"


def _left_out(pairs: Sequence[ListedDefinition]) -> str:
    lines = sum(pair.python.count("\n") + 1 for pair in pairs)
    names = [f"<code>{escape(pair.name)}</code>" for pair in pairs if pair.name]
    what = [f"{len(names)} more definition{_s(len(names))}"] if names else []
    what += ["commands"] if len(names) < len(pairs) else []
    summary = f"{' and '.join(what)}, {lines} line{_s(lines)} of Python, not shown"
    return f"<details><summary>{summary}</summary>{', '.join(names)}</details>\n"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


_PRE: Final = "white-space: pre; overflow-x: auto"
"""Repeated in the element: notebooks that are not trusted yet are shown without style sheets."""

_STYLE: Final = (
    """\
display: grid; gap: 12px;
> div { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30em), 1fr)); gap: 4px 12px; }
figure { margin: 0; min-width: 0; }
figcaption { margin: 0; padding: 0; text-align: left; font-size: 13px; color: var(--faint); }
pre { margin: 2px 0 0; padding: 6px 0; background: var(--card); border: 1px solid var(--line); border-radius: 4px;
  color: var(--ink); }
pre > span { display: block; min-width: max-content; padding: 0 12px; }
pre > span:focus { outline: none; box-shadow: inset 3px 0 var(--different); }
details { font-size: 14px; color: var(--faint); }
summary { cursor: pointer; }
"""
    + LISTINGS
)


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
        return min(around, key=lambda one: _length(one.span), default=None)

    parts = [(one, [*group]) for one, group in groupby(ast.parse(compiled.python).body, definition) if one]
    for commands_of, run in groupby(parts, lambda part: _is_commands(part[0]) and part[0].span.source):
        pairs = [_pair(one, statements, lines, compiled.line_map) for one, statements in run]
        yield from [_joined(pairs)] if commands_of else pairs


def _is_commands(one: core.Definition) -> bool:
    return isinstance(one, core.Commands)


def _pair(
    one: core.Definition, statements: Sequence[ast.stmt], lines: Sequence[str], line_map: LineMap
) -> ListedDefinition:
    """A definition, and the statements of Python that it becomes."""
    last = statements[-1]
    numbers = [*range(statements[0].lineno, _end(last) + 1)]
    cpl = None
    if isinstance(last, ast.FunctionDef | ast.ClassDef):
        cpl = ast.get_docstring(last)
        docstring, *rest = last.body
        if cpl is not None and rest:
            numbers = [*range(last.lineno, docstring.lineno), *range(rest[0].lineno, _end(last) + 1)]
    cpl = cpl or written(one, None)
    return ListedDefinition(
        "" if _is_commands(one) else ", ".join(_names(last)),
        cpl,
        "\n".join(lines[number - 1] for number in numbers),
        *groups(one.span, cpl.count("\n") + 1, numbers, line_map),
    )


def _joined(pairs: Sequence[ListedDefinition]) -> ListedDefinition:
    """Commands that follow each other, as one listing."""
    return ListedDefinition(
        "",
        "\n".join(pair.cpl for pair in pairs),
        "\n".join(pair.python for pair in pairs),
        tuple(group for pair in pairs for group in pair.cpl_groups),
        tuple(group for pair in pairs for group in pair.python_groups),
    )


def groups(
    definition: Span, count: int, numbers: Sequence[int], line_map: LineMap
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """The groups of so many lines of CPL and of these lines of Python. A line of CPL on which no place begins that has
    a line of Python is in the group of the smallest place that covers it.
    """
    spans = [line_map.get(number) for number in numbers]
    spans = [span if span and span.source is definition.source else None for span in spans]
    known = sorted(filter(None, spans), key=_length)
    found: list[int | None] = []
    for line in range(definition.line, definition.line + count):
        begun = (span.line for span in known if span.line == line)
        covering = (span.line for span in known if span.line < line <= span.last_line)
        found.append(next(begun, next(covering, None)))
    return tuple(found), tuple(span.line if span and span.line in found else None for span in spans)


def _length(span: Span) -> int:
    return span.end - span.start


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _names(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))
