"""Pages of code: CPL in colour next to the Python that it becomes, line matched with line.

`beside` shows definitions of a program, in a notebook or as text; `as_page` publishes a whole text as a page that can
be read, printed and sent. If a reader points at a line, it lights up with the matching lines of the other side. A style
sheet alone does this: scripts do not run in a notebook that is not trusted, nor in most viewers. Matching lines have
one group, a line of the CPL:

    1  F(x) = value of          1  def F(x: float) -> float:
    2    § let y = x + 1        2      y = x + 1
    3      result is 2y §       3      return 2 * y
"""

import ast
import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from typing import Any, Final, TypeGuard

from cpl.compiler import loader, messages, pipeline
from cpl.compiler.pipeline import Compiled, Meaning, Options, Program
from cpl.compiler.python.emit import LineMap, docstring_lines, source_text
from cpl.compiler.python.text import IMPORTING
from cpl.compiler.readings import ReadingOption
from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes
from cpl.compiler.syntax.lexer import APPLIED, BLANK, WRONG, Piece, pieces
from cpl.compiler.syntax.tokens import CLOSERS, OPENERS, SYMBOLS, WORDS, unmarked
from cpl.outside import escape
from cpl.study.views import page_style
from cpl.study.views.page_style import LISTINGS, bdi, fragment

# Code in colour

_CLASSES: Final[dict[str, str]] = {
    **dict.fromkeys([*SYMBOLS, *OPENERS, *CLOSERS, "COMMA", "SEPARATOR", "COLON", "DOT"], ""),
    **dict.fromkeys(["SECTION", "OPEN", "CLOSE", "LARGE", "NUMBER", "NEWLINE", BLANK], ""),
    "SMALL": "c-nv",
    "STRING": "c-s",
    "COMMENT": "c-c1",
    "UNKNOWN": "c-err",
    APPLIED: "c-nf",
    WRONG: "c-err",
}


def colour(piece: Piece) -> str:
    """Return the class of a piece of CPL in the style sheet of listings; nothing if it has none."""
    return "c-k" if unmarked(piece.text) in WORDS and piece.kind != WRONG else _CLASSES.get(piece.kind, "c-k")


def coloured(text: str, *, python: bool = False) -> list[str]:
    """Return the lines of a listing of CPL, or of Python, as HTML."""
    return _python_lines(text) if python else _cpl_lines(Source("<text>", text), {})


def _python_lines(text: str) -> list[str]:
    with IMPORTING:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="c-")
    listing = _PLAIN.sub(r"\1", highlight(text, PythonLexer(stripnl=False), formatter))
    return bdi(listing.rstrip("\n")).split("\n")


_PLAIN: Final = re.compile(
    rf'<span class="(?!(?:{"|".join(re.findall(r"c-[a-z0-9]+", LISTINGS))})")[^"]*">(.*?)</span>', re.DOTALL
)
"""What has a class without a colour."""


def _cpl_lines(source: Source, names: Mapping[int, tuple[str, bool]]) -> list[str]:
    """Return the lines of a text as HTML. `names` are defined at places of the text, or lead to their definitions."""
    lines = [""]
    for piece in pieces(source):
        first, *rest = [_coloured_piece(piece._replace(text=line)) for line in piece.text.split("\n")]
        if piece.start in names:
            name, is_defined = names[piece.start]
            first = f'<dfn id="{escape(name)}">{first}</dfn>' if is_defined else _link(name, first)
        lines[-1] += first
        lines += rest
    return lines


def _coloured_piece(piece: Piece) -> str:
    """Return a piece of CPL as HTML. The stroke of a section bracket `§|` stands over its sign, as in print."""
    text = re.sub(r"\A§\|", '§<span class="stroke">|</span>', bdi(html.escape(piece.text)))
    shade = colour(piece)
    return f'<span class="{shade}">{text}</span>' if shade and text else text


def _link(name: str, text: str) -> str:
    from urllib.parse import quote  # which imports much that the pages of the site do not need

    return f'<a href="#{quote(name)}">{text}</a>'


# Lines that match

Groups = Sequence[int | None]
"""For each line of a listing the line of the CPL on which its place begins, or None. Lines of both sides match if they
have one group.
"""


def groups(source: Source, first: int, count: int, numbers: Sequence[int], line_map: LineMap) -> tuple[Groups, Groups]:
    """Return the groups of `count` lines of CPL, from line `first` of a source, and of these lines of Python. A line of
    CPL on which no place begins that has a line of Python is in the group of the smallest place that covers it.
    """
    spans = []
    for number in numbers:
        span = line_map.get(number)
        spans.append(span if span and span.source is source else None)

    places = [(span.line, span.last_line) for span in sorted(filter(None, spans), key=_length)]
    begun = {place_begins for place_begins, _ in places}
    cpl_groups: list[int | None] = []
    for line in range(first, first + count):
        if line in begun:
            cpl_groups.append(line)
        else:
            covering = (place_begins for place_begins, place_ends in places if place_begins < line <= place_ends)
            cpl_groups.append(next(covering, None))

    python_groups = [span.line if span and span.line in cpl_groups else None for span in spans]
    return tuple(cpl_groups), tuple(python_groups)


def _length(span: Span) -> int:
    return span.end - span.start


def _numbers(statement: ast.stmt) -> list[int]:
    """Return the lines of a statement of Python, without its docstring."""
    decorators = getattr(statement, "decorator_list", ())
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    last = statement.end_lineno or first
    hidden = docstring_lines(statement)
    return [number for number in range(first, last + 1) if number not in hidden]


def _listing(lines: Sequence[str], groups: Groups, numbers: Mapping[int | None, int], tab: int) -> str:
    """Return the lines as elements, each with its line end, so that it can be copied. `numbers` are those of the groups
    in their row; the tab key goes to lines with a `tab` of 0, and not to those with −1.
    """
    listing = ""
    for line, group in zip(lines, groups, strict=True):
        number = numbers.get(group)
        attributes = "" if number is None else f' class="g{number}" tabindex="{tab}"'
        if line:
            listing += f"<span{attributes}>{line}</span>"
    return listing


def _row_numbers(groups: Groups) -> dict[int | None, int]:
    """Number the groups of a row from 0: all rows of a page share the rules of `_lit`."""
    in_order = sorted(filter(None, {*groups}))
    return {group: number for number, group in enumerate(in_order)}


def _lit(rows: str, count: int) -> str:
    """Return the rules by which all lines of a group light up if one of them does, within each row."""
    return "".join(
        f"{rows}:has(.g{group}:is(:hover, :focus)) .g{group} {{ background: var(--lit); }}\n" for group in range(count)
    )


# Definitions beside their Python


@dataclass(frozen=True)
class ListedDefinition:
    """One definition as it was written and as it came out, without the docstring; or, without a name, commands that
    follow each other.
    """

    name: str
    cpl: str
    python: str
    cpl_groups: Groups
    python_groups: Groups


@dataclass(frozen=True)
class SideBySide:
    """Definitions and commands in both languages: notebooks show two columns where these have room; as text they
    alternate.
    """

    pairs: tuple[ListedDefinition, ...]

    def __repr__(self) -> str:
        return "\n\n".join(f"{pair.cpl}\n\n{pair.python}" for pair in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain data: for each definition its lines on both sides, each with the number of its
        group.
        """
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
        rows = "".join(map(_row, self.pairs))
        most_groups = max((len({*pair.cpl_groups}) for pair in self.pairs), default=0)
        left = _width(pair.cpl for pair in self.pairs)
        right = _width(pair.python for pair in self.pairs)
        widths = f"figure {{ flex-basis: {left}; }}\nfigure + figure {{ flex-basis: {right}; }}\n"
        return fragment("beside", _BESIDE + widths + _lit("> div", most_groups), rows)


def beside(program: Program, *names: str, reading: ReadingOption = None, repair: bool = False) -> SideBySide:
    """Show definitions of a program beside their Python: those of these names (Python names), or all of them, and the
    commands.

    The program may be compiled or loaded already; else it is a path, the name of a packaged program, or a `Source`,
    and `reading` and `repair` are as for `cpl.compile_text`.

    Raises KeyError for a name that the program does not define, TypeError for a module that cpl did not load, and what
    `cpl.compile_text` raises.
    """
    if not isinstance(program, Compiled):
        program = pipeline.compile_meaning(pipeline.meaning_of(program, Options(reading=reading, repair=repair)))
    pairs = tuple(_pairs(program))
    if not names:
        return SideBySide(pairs)

    by_name: dict[str, ListedDefinition] = {}
    for pair in pairs:
        if pair.name:  # which commands have not
            by_name |= dict.fromkeys(pair.name.split(", "), pair)
    for name in names:
        if name not in by_name:
            raise KeyError(f"the program defines no {name}")
    return SideBySide(tuple(by_name[name] for name in names))


def compiled_html(compiled: Compiled) -> str:
    """Show a whole program, as notebooks do."""
    return beside(compiled)._repr_html_()


def _pairs(compiled: Compiled) -> Iterator[ListedDefinition]:
    """Yield all definitions of a program; commands that follow each other in a text are one."""

    def source_of_commands(listed: tuple[core.Definition, ListedDefinition]) -> Source | None:
        definition, _ = listed
        return definition.span.source if isinstance(definition, core.Commands) else None

    pairs = []
    for definition, statements in groupby(ast.parse(compiled.python).body, partial(_origin, compiled)):
        if definition is not None:
            pairs.append((definition, _pair(definition, [*statements], compiled)))
    for source, listed in groupby(pairs, source_of_commands):
        run = [pair for _, pair in listed]
        if source is None:
            yield from run
        else:
            yield _joined(run)


def _origin(compiled: Compiled, statement: ast.stmt) -> core.Definition | None:
    """Return the smallest definition that a statement of Python comes from."""
    span = compiled.line_map.get(statement.lineno)
    if span is None:
        return None
    covering = [
        definition
        for definition in compiled.core.definitions
        if definition.span.source is span.source and definition.span.start <= span.start < definition.span.end
    ]
    return min(covering, key=lambda definition: _length(definition.span), default=None)


def _joined(pairs: Sequence[ListedDefinition]) -> ListedDefinition:
    """Return commands as one, without a name."""
    return ListedDefinition(
        "",
        "\n".join(pair.cpl for pair in pairs),
        "\n".join(pair.python for pair in pairs),
        tuple(chain.from_iterable(pair.cpl_groups for pair in pairs)),
        tuple(chain.from_iterable(pair.python_groups for pair in pairs)),
    )


def _pair(definition: core.Definition, statements: Sequence[ast.stmt], compiled: Compiled) -> ListedDefinition:
    """Return a definition, and the statements of Python that it becomes: the last one has its name and its text."""
    last = statements[-1]
    name = "" if isinstance(definition, core.Commands) else ", ".join(_names(last))
    cpl = ast.get_docstring(last) if isinstance(last, ast.FunctionDef | ast.ClassDef) else None
    if not cpl:
        cpl = source_text(definition, None)

    own_numbers = _numbers(last)
    numbers = [*range(statements[0].lineno, own_numbers[0]), *own_numbers]
    lines = compiled.python.split("\n")
    python = "\n".join(lines[number - 1] for number in numbers)
    span = definition.span
    cpl_groups, python_groups = groups(span.source, span.line, cpl.count("\n") + 1, numbers, compiled.line_map)
    return ListedDefinition(name, cpl, python, cpl_groups, python_groups)


def _names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of Python defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def _width(listings: Iterable[str]) -> str:
    """Return the width at which no line is clipped. Columns with less room stand one below the other."""
    longest = 0
    for listing in listings:
        longest = max(longest, *(len(line) for line in listing.split("\n")))
    characters = min(longest, _LONGEST)
    return f"{characters * 8.2 + 28:.0f}px"  # 8.2 pixels each, and the padding


def _as_data(text: str, groups: Groups) -> list[dict[str, Any]]:
    return [{"text": line, "group": group} for line, group in zip(text.split("\n"), groups, strict=True)]


def _row(pair: ListedDefinition) -> str:
    """Return both listings of a definition."""
    numbers = _row_numbers(pair.cpl_groups)
    left = _figure("CPL", coloured(pair.cpl), pair.cpl_groups, numbers, 0)
    right = _figure("Python", coloured(pair.python, python=True), pair.python_groups, numbers, -1)
    return f"<div>\n{left}{right}</div>\n"


def _figure(language: str, lines: Sequence[str], groups: Groups, numbers: Mapping[int | None, int], tab: int) -> str:
    code = _listing([f"{line}\n" for line in lines], groups, numbers, tab)
    return f'<figure><figcaption>{language}</figcaption><pre style="{_PRE}">{code}</pre></figure>\n'


_PRE: Final = "white-space: pre; overflow-x: auto"
"""Repeated in the element: notebooks that are not trusted yet are shown without style sheets."""

_LONGEST: Final = 72
"""Characters of a line that two columns side by side have room for; longer lines scroll."""

_BESIDE: Final = (
    """\
display: grid; gap: 12px; max-height: 60em; overflow-y: auto;
> div { display: flex; flex-wrap: wrap; gap: 4px 12px; min-width: 0; }
figure { margin: 0; min-width: 0; max-width: 100%; flex-grow: 1; }
figcaption { margin: 0; padding: 0; text-align: left; font-size: 13px; color: var(--faint); }
pre { margin: 2px 0 0; padding: 6px 0; background: var(--card); border: 1px solid var(--line); border-radius: 4px;
  color: var(--ink); }
pre > span { display: block; min-width: max-content; padding: 0 12px; }
pre > span:focus { outline: none; box-shadow: inset 3px 0 var(--different); }
"""
    + LISTINGS
)


# A text as a page

_LONG: Final = 8
"""A program that defines so many names has a list of them."""


def as_page(source: Source, program: Compiled | Meaning | None = None, *, numbered: bool = False) -> str:
    """Return a text as a page; with line numbers beside the CPL, if it is to be `numbered`, which are not copied.

    `program` is its meaning, or None if only its signs are known: a text with misprints can be published, too. With the
    meaning, names lead to their definitions; a compiled program has its Python beside it.

    The layout is the author's: what is copied from the page is the text itself.
    """
    entry = loader.entry(source.path)
    title = escape(entry.title or source.name)
    notes = [entry.origin]
    for found in program.diagnostics if program else ():
        if found.cause is messages.REPAIRED:
            repair = found.fixes[0].advice
            stated = "The text stands as it was printed. It has an error; links and Python need this repair:"
            notes.append(f"{stated} {repair}.")
    paragraphs = "".join(f"<p>{escape(note)}</p>\n" for note in notes if note)

    names = _defined_names(source, program) if program else {}
    rows, most_groups = _rows(source, program, names)
    style_sheet, classes = _PAGE, ""
    if numbered:
        classes += "numbered "
    if isinstance(program, Compiled):
        style_sheet += _PRINTED_BESIDE
        classes += "with-python"
    return page_style.page(
        title,
        style_sheet + _lit(".row", most_groups),
        f"<header>\n<h1>{title}</h1>\n{paragraphs}</header>\n{_contents(names)}<main>\n{rows}</main>",
        classes=classes,
    )


def _defined_names(source: Source, program: Compiled | Meaning) -> dict[int, tuple[str, bool]]:
    """Return the names that a text defines for all of it: all places where they stand, each with the name, and whether
    it is defined there.
    """
    defined: dict[int, str] = {}
    for definition in program.core.definitions:
        if definition.span.source is source:
            for name in walk.names(definition):
                if _is_shown(name):
                    defined[name.span.start] = name.name

    own_names = {*defined.values()}
    names = {}
    for definition in program.core.definitions:
        for node in walk.nodes(definition):
            if _is_shown(node) and node.origin == "" and node.name in own_names and node.span.source is source:
                names[node.span.start] = (node.name, False)
    for place, own_name in defined.items():
        names[place] = (own_name, True)
    return names


def _is_shown(node: object) -> TypeGuard[core.Global]:
    return isinstance(node, core.Global) and not node.is_hidden


def _contents(names: Mapping[int, tuple[str, bool]]) -> str:
    """Return a list of the names that the text defines, if there are many."""
    in_order = dict(sorted(names.items()))
    defined = [*dict.fromkeys(name for name, is_defined in in_order.values() if is_defined)]
    if len(defined) < _LONG:
        return ""
    links = "\n".join(f"<li>{_link(name, escape(name))}</li>" for name in defined)
    return f'<nav aria-label="Definitions"><ul>\n{links}\n</ul></nav>\n'


def _blocks(source: Source, program: Compiled) -> list[tuple[int, int, list[int]]]:
    """Return the definitions and commands of the top level: their first and last lines, with the comments above and the
    blank lines below, and the lines of Python that each becomes, where 0 is a blank line between two statements.
    """
    firsts = sorted({1, *(_first(source, statement) for statement in program.surface.statements)})
    lasts = [*(first - 1 for first in firsts[1:]), source.text.count("\n") + 1]
    python: list[list[int]] = [[] for _ in firsts]
    for statement in ast.parse(program.python).body:
        numbers = _numbers(statement)
        spans = (program.line_map.get(number) for number in numbers)
        origin = next((span.line for span in spans if span and span.source is program.core.source), None)
        if origin is None:
            continue
        block = python[bisect_right(firsts, origin) - 1]
        if block:
            block.append(0)
        block += numbers
    return [*zip(firsts, lasts, python, strict=True)]


def _first(source: Source, statement: nodes.Statement) -> int:
    """Return the line of a statement, or of the comments directly above it."""
    line = statement.span.line
    while line > 1 and source.line(line - 1).startswith("||"):
        line -= 1
    return line


def _rows(source: Source, program: Compiled | Meaning | None, names: Mapping[int, tuple[str, bool]]) -> tuple[str, int]:
    """Return the blocks, each with its Python next to it if there is any, and how many groups a block has at most.
    Without Python all is one block.
    """
    *lines, last_line = _cpl_lines(source, names)
    cpl = [*(f"{line}\n" for line in lines), last_line]
    if not isinstance(program, Compiled):
        without_groups = [None] * len(cpl)
        return f'<div class="row">\n<pre class="cpl">{_listing(cpl, without_groups, {}, 0)}</pre>\n</div>\n', 0

    python = ["", *program.python.split("\n")]  # by line number; 0 is a blank line
    rows = ""
    most_groups = 0
    for first, last, numbers in _blocks(source, program):
        left_groups, right_groups = groups(source, first, last - first + 1, numbers, program.line_map)
        group_numbers = _row_numbers(left_groups)
        most_groups = max(most_groups, len(group_numbers))
        left = f'<pre class="cpl">{_listing(cpl[first - 1 : last], left_groups, group_numbers, 0)}</pre>\n'
        right = ""
        if numbers:
            code = coloured("\n".join(python[number] for number in numbers), python=True)
            listing = _listing([f"{line}\n" for line in code], right_groups, group_numbers, -1)
            right = f'<pre class="python">{listing}</pre>\n'
        rows += f'<div class="row">\n{left}{right}</div>\n'
    return rows, most_groups


_INK_ON_PAPER: Final = (
    " --page: #fff; --card: #fff; --ink: #000; --faint: #555; --name: #000; --string: #000; --fails: #000;"
)

_PAGE: Final = (
    page_style.palette(":root")
    + LISTINGS
    + f"""\
:root {{ color-scheme: light dark; --lit: color-mix(in srgb, var(--different) 22%, var(--page)); }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 2.5rem 1.5rem 5rem; max-width: 60rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }}
body.with-python {{ max-width: 96rem; }}
header {{ max-width: 70ch; margin-bottom: 1.5rem; }}
h1 {{ font-size: 1.6rem; line-height: 1.25; margin: 0 0 .4rem; text-wrap: balance; }}
header p {{ margin: .3rem 0; color: var(--faint); }}
nav {{ margin: 0 0 1.8rem; padding: .7rem 0; border: solid var(--line); border-width: 1px 0; font-size: .9rem; }}
nav ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; margin: 0; padding: 0; list-style: none; }}
a {{ color: inherit; text-decoration: none; }}
nav a, header a {{ color: var(--name); }}
a:hover, a:focus-visible {{ text-decoration: underline; text-decoration-color: var(--different);
  text-underline-offset: 3px; }}
dfn {{ font-style: normal; scroll-margin-top: 2rem; }}
dfn:target {{ background: var(--lit); box-shadow: 0 0 0 .2em var(--lit); border-radius: 1px; }}
main {{ counter-reset: line; }}
@media (min-width: 64rem) {{ main {{ margin: 0 -.5rem; }} }}
pre {{ margin: 0; overflow-x: auto; white-space: pre; tab-size: 8; color: var(--ink);
  font: 15px/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }}
pre > span {{ display: block; min-width: max-content; min-height: 1.55em; padding: 0 .5rem; }}
pre > span:focus-visible {{ outline: none; box-shadow: inset 3px 0 var(--different); }}
pre.python {{ font-size: 13.5px; }}
.cpl .c-nf, .cpl .c-s {{ color: inherit; }}
.cpl .c-c1 {{ font-style: normal; }}
.stroke {{ position: relative; left: -.6em; margin-right: -.6em; }}
.numbered .cpl > span {{ counter-increment: line; }}
.numbered .cpl > span::before {{ content: counter(line); display: inline-block; width: 2.2em; margin-right: 1.5em;
  text-align: right; color: var(--faint); font-size: .8em; }}
.with-python .row {{ display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); gap: 0 2rem;
  margin-bottom: .8rem; }}
.with-python .row > pre:only-child {{ grid-column: 1 / -1; }}
@media (max-width: 64rem) {{
  .with-python .row {{ grid-template-columns: minmax(0, 1fr); }}
  .with-python pre.python {{ margin: 0 0 1.5rem; padding-left: .5rem; border-left: 2px solid var(--line); }}
}}
@media (max-width: 30rem) {{
  body {{ padding: 1.2rem .8rem 3rem; }}
  h1 {{ font-size: 1.3rem; }}
  pre {{ font-size: 13.5px; white-space: pre-wrap; }}
  pre.python {{ font-size: 13px; }}
  pre > span {{ min-width: 0; padding: 0 0 0 3em; text-indent: -3em; overflow-wrap: anywhere; }}
}}
@page {{ margin: 18mm; }}
@media print {{
  :root {{ color-scheme: light;{_INK_ON_PAPER} }}
  body, body.with-python {{ max-width: none; padding: 0; font-size: 10pt; }}
  nav {{ display: none; }}
  header, .row {{ break-inside: avoid; }}
  pre, pre.python {{ overflow: visible; font-size: 8.4pt; white-space: pre-wrap; }}
  pre > span {{ min-width: 0; padding: 0 0 0 3em; text-indent: -3em; break-inside: avoid; }}
}}
"""
)

_PRINTED_BESIDE: Final = """\
@page { size: landscape; margin: 12mm; }
@media print {
  .with-python .row { grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); gap: 0 1.5em; }
  .with-python pre.python { margin: 0; padding: 0; border: 0; }
  pre, pre.python { font-size: 7pt; }
}
"""
