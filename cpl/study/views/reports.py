"""Reports of comparisons as HTML, part by part: a page, and fragments for notebooks.

There are no scripts, and nothing comes from elsewhere. Positions of checkers are drawn as boards. A page begins with
its title and all summaries, and ends with what is folded.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any, Final

from cplrt import show

from cpl.games.board import is_drawable, picture
from cpl.outside import escape
from cpl.study.compare.differences import Difference
from cpl.study.compare.experiment import Pair
from cpl.study.compare.readings_table import ReadingComparison
from cpl.study.compare.report import (
    CUT,
    SIDES,
    Calls,
    DrawnBoard,
    Fold,
    Folds,
    Gap,
    Labelled,
    Marked,
    NameCell,
    Note,
    Part,
    PartHeading,
    Parting,
    ReadingCell,
    Replacements,
    ReportTable,
    Said,
    Sides,
    Summary,
    TableCell,
    TableRow,
    Title,
    Words,
    outcome_of,
)
from cpl.study.run.record import Call
from cpl.study.run.values import shortened
from cpl.study.views.listing import coloured
from cpl.study.views.page_style import PAGE_STYLE, REPORT, fragment, page

_MOST_BOARDS: Final = 3  # of one result
_LONGEST: Final = 1_500  # characters of one value


def difference_page(difference: Difference) -> str:
    """Return the whole page of a difference."""
    before, after = map(escape, difference.names)
    return page(f"{before} and {after}", PAGE_STYLE, as_html(difference.report()))


def difference_html(difference: Difference) -> str:
    """Return the same for a notebook."""
    return fragment("diff", REPORT, as_html(difference.report()))


def readings_html(comparison: ReadingComparison) -> str:
    """Show what the readings of a program do, in a notebook."""
    return fragment("readings", REPORT, as_html(comparison.report()))


def as_html(parts: Iterable[Part]) -> str:
    """Write the body of a page with this report."""
    titles, summaries, others, folds = [], [], [], []
    for part in parts:
        match part:
            case Sides() | Title():
                titles.append(_part(part))
            case Summary():
                summaries.append(_part(part))
            case Folds():
                folds.append(_part(part))
            case _:
                others.append(_part(part))
    return _lines([*titles, *summaries, *others, *folds]) + "\n"


def _lines(texts: Iterable[str]) -> str:
    """Join texts that are not empty, each from a new line."""
    return "\n".join(filter(None, texts))


def _part(part: Part) -> str:
    """Show one part."""
    match part:
        case Gap():
            return ""
        case Sides(before, after):
            return f"<h1><span class=before>{escape(before)}</span> and <span class=after>{escape(after)}</span></h1>"
        case Title(text, about):
            note = f"\n<p class=note>{_prose(about[0].upper() + about[1:])}.</p>" if about else ""
            return f"<h1>{escape(text)}</h1>{note}"
        case Summary(words):
            return _paragraph("lead", words)
        case Note(words):
            return _paragraph("note", words)
        case PartHeading(words, details):
            return _heading(_on_page(words), details)
        case Replacements():
            return _replacements(part)
        case Marked():
            return _marked(part)
        case ReportTable():
            return _table(part)
        case Calls():
            return _calls(part)
        case Parting():
            return _parting(part)
        case DrawnBoard(position):
            return f"<p>{picture(position).svg()}</p>"
        case Labelled():
            return _facts(part)
        case Folds():
            return _folds(part)


# Words


def _on_page(words: Words) -> str:
    """What a page says."""
    return words.page if isinstance(words, Said) else words


def _prose(text: str) -> str:
    """Show words and values, whose lines may end after any comma: a reading is long."""
    return _JOINED.sub(",<wbr>", escape(text))


_JOINED: Final = re.compile(r",(?! )")


def _paragraph(kind: str, words: Words) -> str:
    text = _on_page(words).strip()
    return f"<p class={kind}>{_prose(text)}</p>" if text else ""


def _heading(text: str, details: Sequence[str]) -> str:
    """Show the heading of a part, or of a definition."""
    if not text:
        return ""
    if not details:
        return f"<h2>{escape(text)}</h2>"
    return f"<h2 class=definition><code>{escape(text)}</code> <small>{escape(', '.join(details))}</small></h2>"


def _facts(part: Labelled) -> str:
    """Show facts, each beside its label."""
    rows = "\n".join(f"<tr><th>{escape(label)}<td><code>{escape(text)}</code></tr>" for label, text in part.facts)
    about = f"<p>{escape(part.about)}</p>\n" if part.about else ""
    return f"{about}<table>\n{rows}\n</table>"


# Texts


def _replacements(part: Replacements) -> str:
    """Show pieces of CPL with what stands there instead."""
    tag = "ol" if part.numbered else "ul"
    lines = [f"<{tag} class=pieces>"]
    for name, before, after in part.items:
        label = f"<code>{escape(name)}</code>: " if name else ""
        arrow = f"<span class=before>{_piece(before)}</span> → <span class=after>{_piece(after)}</span>"
        lines.append(f"<li>{label}{arrow}</li>")
    lines.append(f"</{tag}>")
    return "\n".join(lines)


def _piece(text: str) -> str:
    return f"<code>{escape(text)}</code>" if text else "nothing"


def _marked(part: Marked) -> str:
    """Show the lines of both texts, those that differ with a sign and in colour."""
    lines = part.lines
    texts = [line[2:] for line in lines]
    shown = coloured("\n".join(texts)) if part.is_cpl else map(escape, texts)
    listing = ""
    for line, text in zip(lines, shown, strict=False):
        sign = line[0]
        listing += f"<span class='line {SIDES.get(sign, '')}'>{sign} {text}</span>"
    return f"<pre tabindex=0>{listing}</pre>"


# Tables


def _table(table: ReportTable) -> str:
    """Show a table; with bars, how many cases are the same, differ, or fail."""
    rows = [*table.rows]
    columns = max((_columns_of(row.cells[0]) for row in rows), default=1)  # that the first cells take
    first, *others = table.columns
    heads = f"<th class=key colspan={columns}>" if columns > 1 else "<th>"
    heads += escape(_on_page(first.heading))
    for column in others:
        tag = "<th>" if column.is_number else "<th class=words>"
        heads += tag + escape(_on_page(column.heading))
    if table.bars:
        meanings = [f"<span><i class={kind}></i>&nbsp;{meaning}</span>" for kind, meaning in table.bars.items()]
        heads += f"<th class=bar>\n{' '.join(meanings)}"
    listed = "\n".join(_row(row, table, columns) for row in rows)
    name = escape(_on_page(first.heading) or "Cases")
    return f"""\
<div class=scroll tabindex=0 role=group aria-label="{name}"><table class=counts><thead><tr>{heads}</tr></thead><tbody>
{listed}
</tbody></table></div>"""


def _columns_of(cell: TableCell) -> int:
    """The number of columns that the first cell of a row takes."""
    return len(cell.values) if isinstance(cell, ReadingCell) and cell.values else 1


def _row(row: TableRow, table: ReportTable, columns: int) -> str:
    """Show a row: cells, and a bar with shares, each in the colour of its kind."""
    first, *others = row.cells
    missing = len(table.columns) - len(row.cells)
    cells = _first_cell(first, columns) + "".join(map(_cell, others)) + "<td>" * missing
    note = escape(_on_page(row.note))
    if table.bars:
        cells += f"<td class=bar>{_bar(row)}{note}"
    elif note:
        cells += f"<td>{note}"
    attribute = f" class={row.verdict}" if row.verdict else ""
    return f"<tr{attribute}>{cells}</tr>"


def _bar(row: TableRow) -> str:
    """Show the shares of a row as a bar; nothing if all are 0."""
    bar = "".join(f"<i class={kind} style='flex:{count}'></i>" for kind, count in row.shares.items() if count)
    return f"<div>{bar}</div>" if bar else ""


def _first_cell(cell: TableCell, columns: int) -> str:
    """Show the cell that says what its row is about."""
    match cell:
        case ReadingCell(_, values) if values:
            return "".join(f"<td class=key>{escape(words)} <code>{escape(value)}</code>" for words, value in values)
        case ReadingCell(text):
            return f"<td class=key colspan={columns}><code>{escape(text)}</code>"
        case NameCell(text, mark, has_fold):
            name = f"<code>{escape(text)}</code>{f' {mark}' if mark else ''}"
            return f"<td><a href='#{escape(text, quote=True)}'>{name}</a>" if has_fold else f"<td>{name}"
        case _:
            return _cell(cell)


def _cell(cell: TableCell) -> str:
    """Show a number, which is left out if it is 0, or words."""
    if isinstance(cell, int):
        return f"<td class=number>{cell or ''}"
    return f"<td>{escape(str(cell).strip())}"


# What is folded


def _folds(part: Folds) -> str:
    folds = [fold for fold in part.folds if fold.on_page]
    if not folds:
        return ""
    return _lines([_heading(part.heading, ()), _paragraph("note", part.note), *map(_fold, folds)])


def _fold(fold: Fold) -> str:
    name = escape(fold.name)
    because = f" <small>because of {escape(fold.because)}</small>" if fold.because else ""
    body = _lines(map(_part, fold.parts))
    return f"""\
<details id='{escape(fold.name, quote=True)}'{" open" if fold.is_open else ""}>
<summary><code>{name}</code>{because}</summary>
{body}
</details>"""


# Calls and values


def _calls(part: Calls) -> str:
    """Show an input and both results; then the calls down to the first one that differs."""
    shown = []
    heading = _on_page(part.heading)
    if heading:
        shown.append(f"<h3>{escape(heading)}</h3>")
    outermost, *inner = part.pairs
    shown.append(_case(outermost, part.names, part.parameters, boards=part.boards))
    if inner:
        calls = "\n".join(_case(pair, part.names, part.parameters, boards=False) for pair in inner)
        shown.append(f"<details><summary>the calls that lead there</summary>{calls}</details>")
    if part.is_cut:
        shown.append(_paragraph("note", CUT))
    return "\n".join(shown)


def _parting(part: Parting) -> str:
    """Show the first call that differs; before it the position, unless it is an argument of the call."""
    shown = [f"<h3>At this position {part.reason}</h3>"]
    if part.pair is None or part.position not in part.pair[0].arguments:
        shown.append(f"<p>{picture(part.position).svg()}</p>")
    if part.pair:
        shown.append(_case(part.pair, part.names, part.parameters, boards=True))
    return "\n".join(shown)


def _case(pair: Pair, names: Sequence[str], parameters: Mapping[str, Sequence[str]], *, boards: bool) -> str:
    """Show a call that both sides make, and its two outcomes, below the `names` of the sides. `parameters` are the
    names of those of the functions.
    """
    call, _ = pair
    arguments = "\n".join(
        f"<div><var>{escape(name)}</var> {_drawn(argument, boards=boards)}</div>"
        for name, argument in zip_longest(parameters.get(call.function, ()), call.arguments, fillvalue="")
    )
    outcomes = "\n".join(_outcomes(pair, names, boards=boards))
    return f"""\
<div class=case><figure><figcaption>{escape(call.function)} is given</figcaption><div class=values>
{arguments}</div></figure>
{outcomes}
</div>"""


def _outcomes(pair: Pair, names: Sequence[str], *, boards: bool) -> Iterator[str]:
    """Show what each side gives."""
    left, right = pair
    for side, name, call, other in zip(SIDES.values(), names, (left, right), (right, left), strict=True):
        values = _result(call, other, boards=boards)
        caption = f"<figcaption>{escape(name)} gives</figcaption>"
        yield f"<figure class={side}>{caption}\n<div class=values>{values}</div></figure>"


def _drawn(value: Any, *, boards: bool) -> str:
    return picture(value).svg() if boards and is_drawable(value) else _code(show(value))


def _code(text: str) -> str:
    """Show a value that may be long: it is shortened, and its lines may end after commas."""
    return f"<code>{_prose(shortened(text, _LONGEST))}</code>"


def _result(call: Call, other: Call, *, boards: bool) -> str:
    """Show the outcome of a call; of a list of positions only those are drawn that the other side does not have."""
    if call.is_failed:
        return f"<p class=fault>fails: {escape(call.fault or '')}</p>"
    if boards and is_drawable(call.result):
        other_position = other.result if is_drawable(other.result) else None
        return picture(call.result, other_position).svg()  # the squares that differ are marked
    if boards and _are_positions(call.result):
        other_positions = other.result if _are_positions(other.result) else []
        return _only(call.result, other_positions)
    return _code(outcome_of(call, other))


def _are_positions(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_drawable, value))


def _only(positions: list[Any], other_side: list[Any]) -> str:
    """Show the first of the positions that the other side does not have, and how many there are. On each, the squares
    are marked that differ from a position which only the other side has, if there are so many.
    """
    extra = [position for position in positions if position not in other_side]
    missing = [position for position in other_side if position not in positions]
    boards = ""
    for position, other in islice(zip_longest(extra, missing[: len(extra)]), _MOST_BOARDS):
        boards += picture(position, other).svg()
    return f"{boards}<p>{len(positions)} positions, {len(extra)} of them on this side only</p>"
