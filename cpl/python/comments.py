"""The comments of a CPL text, as comments of the Python that comes from it.

Comments between two definitions go above the second one, those within a function stay in its docstring, and one on
the last line of a definition stays with that. A text that begins with comments and a blank line has a heading.
"""

import re
from typing import Final

from cpl.records import dataclass, field
from cpl.semantics import core
from cpl.syntax import nodes, walk


@dataclass
class Notes:
    """The comments that belong to one definition, as lines of Python; `trailing` stands on its last line.

    Only the last definition of a text has comments `below` it.
    """

    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    trailing: nodes.Comment | None = None


@dataclass
class TextNotes:
    """The comments of one text: its heading, and the notes of its definitions by the offset at which each begins."""

    heading: list[str]
    definitions: dict[int, Notes]

    def of(self, definition: core.Definition) -> Notes:
        """The notes of one definition."""
        return self.definitions.get(definition.span.start) or Notes()


def notes(program: nodes.Program) -> TextNotes:
    """Share the comments of a text out among its definitions."""
    result: dict[int, Notes] = {}
    for each in program.statements:
        result[each.span.start] = Notes()
        first = next(walk.members(each), each)  # what is above a group is above the first in it
        result.setdefault(first.span.start, result[each.span.start])
    ordered = sorted(program.statements, key=lambda statement: statement.span.start)
    heading: list[str] = []
    lines: list[str] = []
    last_line = 0  # of the comment before
    waiting = iter([*program.comments])
    comment = next(waiting, None)
    before: nodes.Statement | None = None
    for statement in [*ordered, None]:
        while comment and (statement is None or comment.span.start < statement.span.end):
            if before and comment.span.line == before.span.source.line_at(before.span.end - 1):
                result[before.span.start].trailing = comment
            elif statement is None or comment.span.start < statement.span.start:
                if lines and comment.span.line > last_line + 1:
                    if before is None and not heading:
                        heading, lines = lines, []
                    else:
                        lines.append("#")
                lines.append(python_comment(comment))
                last_line = comment.span.line
            comment = next(waiting, None)
        if statement:
            if before is None and not heading and lines and statement.span.line > last_line + 1:
                heading, lines = lines, []
            result[statement.span.start].above = lines
            lines = []
            before = statement
        elif before:
            result[before.span.start].below = lines
        else:
            heading += lines
    return TextNotes(heading, result)


def python_comment(comment: nodes.Comment) -> str:
    """`|| text` as `# text`; what is set further in stays so."""
    text = inert(comment.text.expandtabs(8).rstrip())
    return f"#{text if text.startswith(' ') else f' {text}'}".rstrip()


def inert(text: str) -> str:
    """The text of a comment with quotes round words by which Python or its tools would take it as an instruction:
    `‘type’: str`, `‘noqa’`.
    """
    return _ANYWHERE.sub("‘\\g<0>’", _FIRST.sub(r"\1‘\2’", text))


_FIRST: Final = re.compile(r"((?:^|#)\s*)(type(?=:)|(?:end)?region\b|%%|///|<codecell>|In\[[\d\s]*\])")
"""What is obeyed where a comment begins with it: types, the marks of folds and of cells, and blocks of PEP 723."""

_ALONE: Final = r"""
    cython deepcode distutils lgtm noinspection nolint nopep8 nopycln noqa noreorder nosec nosem(?:grep)? nosonar pragma
    pyre-[\w-]+ skipcq skylos sourcery
"""
"""Words that no prose has."""

_BEFORE_A_COLON: Final = r"""
    autoflake autopep8 checkov c?spell(?:-?checker)? codespell devskim docformatter doctest flake8 fmt @?formatter
    gitleaks isort mypy nuitka-project[\w-]* prospector pydocstyle pyflakes pylama pylint pyrefly pyright pytype
    pyupgrade ruff semgrep ty usort yapf
"""
"""Tools that take instructions."""

_EDITORS: Final = r"\w*coding(?=[:=])|(?:vim?[<=>]?\d*|ex|kate)(?=:)"

_ANYWHERE: Final = re.compile(
    rf"(?<!\w)(?:(?i:(?:{'|'.join(_ALONE.split())})\b|(?:{'|'.join(_BEFORE_A_COLON.split())})(?=[:=]))|{_EDITORS})"
)


def written(definition: core.Node, trailing: nodes.Comment | None) -> str:
    """The CPL of a definition as it was written, blanks at line ends aside, moved to the left margin as one."""
    span = definition.span.to(trailing.span) if trailing else definition.span
    first, *others = map(_expanded, span.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    margin = len(span.source.line(span.line)[: span.column - 1].expandtabs(8))
    moved = [line[min(margin, len(line) - len(line.lstrip())) :] for line in others]
    return "\n".join(line.rstrip() for line in [first, *moved])


def _expanded(line: str) -> str:
    """The line with the tabs that it begins with as blanks."""
    rest = line.lstrip(" \t")
    return line[: len(line) - len(rest)].expandtabs(8) + rest
