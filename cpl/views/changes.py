"""Comparisons as HTML: the page and the fragment of a difference of two programs, and the fragment of readings.

There are no scripts, and nothing comes from elsewhere. Positions of checkers are drawn as boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat, zip_longest
from typing import Any, Final

from cplrt import show

from cpl.compare.behaviour import Behaviour
from cpl.compare.differences import CUT, Change, Difference, marked, outcome_of, transcript
from cpl.compare.experiment import Pair
from cpl.compare.readings_table import RESIGNS, Finding, PositionKind, ReadingComparison
from cpl.games.board import is_drawable, picture
from cpl.outside import escape
from cpl.readings import KEYS, WORDS
from cpl.run.record import Call
from cpl.run.values import shortened
from cpl.views.listing import coloured
from cpl.views.style import PAGE_STYLE, REPORT, fragment, page

_SIDES: Final = {"-": "before", "+": "after"}
"""The two sides by the signs of their lines in listings."""

_MOST_BOARDS: Final = 3  # of one result
_LONGEST: Final = 1_500  # characters of one value


def as_page(difference: Difference) -> str:
    """Return the whole page."""
    before, after = map(escape, difference.names)
    return page(f"{before} and {after}", PAGE_STYLE, _report(difference))


def difference_html(difference: Difference) -> str:
    """Return the same for a notebook."""
    return fragment("diff", REPORT, _report(difference))


def _report(difference: Difference) -> str:
    before, after = map(escape, difference.names)
    sections = [
        f"<h1><span class=before>{before}</span> and <span class=after>{after}</span></h1>",
        f"<p class=lead>{difference.text_summary}</p>",
        f"<p class=lead>{difference.behaviour_summary}</p>",
        *(f"<p class=note>{escape(repair)}.</p>" for repair in difference.repairs),
        *map(_change, difference.changes),
        *_values(difference),
        *_behaviours(difference, before, after),
    ]
    return "\n".join(sections)


def _change(change: Change) -> str:
    """Show a definition that is not the same: the smallest pieces that differ, and both texts."""
    pieces = _list([_arrow(piece.before, piece.after) for piece in change.pieces])
    places = ", ".join(filter(None, [change.place_before, change.place_after]))
    return f"""\
<section><h2><code>{escape(change.name)}</code> <small>{change.kind}, {escape(places)}</small></h2>
{pieces}{_marked(change.before, change.after)}
</section>"""


def _list(items: Sequence[str], tag: str = "ul") -> str:
    listed = "\n".join(f"<li>{item}</li>" for item in items)
    return f"<{tag} class=pieces>\n{listed}\n</{tag}>\n" if items else ""


def _arrow(*texts: str) -> str:
    before, after = (f"<code>{escape(text)}</code>" if text else "nothing" for text in texts)
    return f"<span class=before>{before}</span> → <span class=after>{after}</span>"


def _marked(before: str, after: str) -> str:
    """Show the lines of both texts, those that differ with a sign and in colour."""
    lines = marked(before, after)
    code = coloured("\n".join(line[2:] for line in lines))
    listed = [
        f"<span class='line {_SIDES.get(line[0], '')}'>{line[0]} {text}</span>"
        for line, text in zip(lines, code, strict=False)
    ]
    return f"<pre>{''.join(listed)}</pre>"


def _values(difference: Difference) -> Iterator[str]:
    """Show constants that have other values, and what the programs write by themselves."""
    if difference.constants:
        items = [
            f"<code>{escape(constant.name)}</code>: {_arrow(constant.before, constant.after)}"
            for constant in difference.constants
        ]
        yield f"<h2>Constants of other values</h2>{_list(items)}"
    if difference.commands_differ:
        yield f"<h2>What they write by themselves</h2>{_marked(*map(transcript, difference.commands))}"


def _behaviours(difference: Difference, before: str, after: str) -> Iterator[str]:
    if not difference.behaviours:
        return
    rows = [_behaviour_row(behaviour, behaviour.name in difference.changed) for behaviour in difference.behaviours]
    order = "" if difference.ordered else " Lists are compared without regard to their order."
    yield f"""\
<h2>What they do</h2>
<p>Each function was run on both sides on the same inputs: those that it gets while the programs run and, \
where there are few, small values that at least one side accepts. Inputs that show a difference are \
preferred: the counts do not tell how often the two differ.{order}</p>
{_table(f"<th>function<th>inputs<th>same<th>different<th>only {before} fails<th>only {after} fails", "one fails", rows)}
<p class=note>* Its text is changed. Those of the others are the same: where they do something else, it is \
because of what they use.</p>"""
    if difference.checkers:
        yield "<p class=note>A crown is a king; a dashed one is a king's mark without a piece. \
On the squares in yellow the two sides differ.</p>"
    yield from (_function(behaviour, difference) for behaviour in difference.differing)


def _table(heads: str, fails: str, rows: Sequence[str]) -> str:
    """Return a table whose last column has bars: how many cases are the same, differ, or fail."""
    listed = "\n".join(rows)
    return f"""\
<div class=scroll tabindex=0 role=region aria-label="Counts"><table class=counts><thead><tr>{heads}<th class=bar>
<span><i class=same></i>&nbsp;same</span> <span><i class=different></i>&nbsp;different</span>
<span><i class=fails></i>&nbsp;{fails}</span></tr></thead><tbody>
{listed}
</tbody></table></div>"""


def _table_row(cells: Sequence[str], shares: Mapping[str, int], note: str, verdict: str = "") -> str:
    """Return a row: cells, and a bar with shares, each in the colour of its kind."""
    bar = "".join(f"<i class={kind} style='flex:{count}'></i>" for kind, count in shares.items() if count)
    attribute = f" class={verdict}" if verdict else ""
    return f"<tr{attribute}>{''.join(cells)}<td class=bar><div>{bar}</div>{escape(note)}</tr>"


def _numbers(*counts: int) -> list[str]:
    return [f"<td class=number>{count or ''}" for count in counts]


def _behaviour_row(behaviour: Behaviour, is_changed: bool) -> str:
    name = f"<code>{escape(behaviour.name)}</code>{' *' if is_changed else ''}"
    if behaviour.verdict == "different":
        name = f"<a href='#{escape(behaviour.name, quote=True)}'>{name}</a>"
    counts = behaviour.counts
    cells = [f"<td>{name}", *_numbers(behaviour.inputs, counts["same"], counts["different"], *behaviour.failed)]
    shares = {
        "same": counts["same"],
        "different": counts["different"],
        "fails": sum(behaviour.failed),
        "unclear": counts["unclear"],
    }
    return _table_row(cells, shares, behaviour.note, behaviour.verdict)


def _function(behaviour: Behaviour, difference: Difference) -> str:
    """Show a function that differs, and how that comes about. It is open if the difference begins in it."""
    origins = dict.fromkeys(pairs[-1][0].function for _, pairs in behaviour.examples)
    is_open = not origins or behaviour.name in origins
    because = "" if is_open else f" <small>because of {escape(' and '.join(origins))}</small>"
    body = "\n".join(_example(sentence, pairs, difference) for sentence, pairs in behaviour.examples)
    return f"""\
<details id='{escape(behaviour.name, quote=True)}'{" open" if is_open else ""}>
<summary><code>{escape(behaviour.name)}</code>{because}</summary>
{f"<p>{escape(behaviour.note)}</p>" if behaviour.note else ""}
{body}
</details>"""


def _example(sentence: str, pairs: Sequence[Pair], difference: Difference) -> str:
    """Show an input and both results; then the calls down to the first one that differs."""
    names, parameters = difference.names, difference.parameters
    calls = "\n".join(_case(pair, names, parameters, boards=False) for pair in pairs[1:])
    return f"""\
<h3>{sentence.capitalize()}; the smallest:</h3>
{_case(pairs[0], names, parameters, boards=difference.checkers)}
{f"<details><summary>the calls that lead there</summary>{calls}</details>" if calls else ""}
{f"<p class=note>{CUT}</p>" if any(call.is_cut for call in pairs[-1]) else ""}"""


# Calls and values


def _case(pair: Pair, names: Sequence[str], parameters: Mapping[str, Sequence[str]], *, boards: bool) -> str:
    """Show a call that both sides make, and its two outcomes, below the `names` of the sides. `parameters` are what
    those of the functions are called.
    """
    left, right = pair
    arguments = "\n".join(
        f"<div><var>{escape(name)}</var> {_drawn(argument, boards=boards)}</div>"
        for name, argument in zip_longest(parameters.get(left.function, ()), left.arguments, fillvalue="")
    )
    outcomes = "\n".join(
        f"<figure class={side}><figcaption>{escape(name)} gives</figcaption>\n"
        f"<div class=values>{_result(call, other, boards=boards)}</div></figure>"
        for side, name, call, other in zip(_SIDES.values(), names, (left, right), (right, left), strict=True)
    )
    return f"""\
<div class=case><figure><figcaption>{escape(left.function)} is given</figcaption><div class=values>
{arguments}</div></figure>
{outcomes}
</div>"""


def _drawn(value: Any, before: Any = None, *, boards: bool) -> str:
    """Show a value; with the position `before` it, the squares that differ are marked."""
    return picture(value, before).svg() if boards and is_drawable(value) else _code(show(value))


def _code(text: str) -> str:
    """Show a value that may be long: it is shortened, and its lines may end after commas."""
    return f"<code>{escape(shortened(text, _LONGEST)).replace(',', ',<wbr>')}</code>"


def _result(call: Call, other: Call, *, boards: bool) -> str:
    """Show the outcome of a call; of a list of positions only those are drawn that the other side does not have."""
    if call.is_failed:
        return f"<p class=fault>fails: {escape(call.fault or '')}</p>"
    if boards and is_drawable(call.result):
        return _drawn(call.result, other.result if is_drawable(other.result) else None, boards=True)
    if boards and _are_positions(call.result):
        return _only(call.result, other.result if _are_positions(other.result) else [])
    return _code(outcome_of(call, other))


def _are_positions(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_drawable, value))


def _only(positions: list[Any], other_side: list[Any]) -> str:
    """Show the first of the positions that the other side does not have, and how many there are."""
    extra = [position for position in positions if position not in other_side]
    unmatched = [position for position in other_side if position not in positions]
    pairs = zip(extra[:_MOST_BOARDS], [*unmatched, *repeat(None, _MOST_BOARDS)], strict=False)
    boards = "".join(_drawn(position, unlike, boards=True) for position, unlike in pairs)
    return f"{boards}<p>{len(positions)} positions, {len(extra)} of them on this side only</p>"


# Readings

_WHY: Final[dict[PositionKind, str]] = {"different": "the results differ", "failed": "one of them fails"}


def readings_html(comparison: ReadingComparison) -> str:
    """Show what the readings of a program do, in a notebook: a table, and the smallest positions where they part."""
    program, against = escape(comparison.program), escape(comparison.against)
    keys = [key for key in KEYS if not (comparison.others and key == "shift")]
    rows = [_finding_row(finding, keys, comparison) for finding in comparison.rows]
    heads = f"<th class=key colspan={len(keys)}>reading"
    heads += "\n<th>same<th>different<th>failed" + "<th>recorded examples" * bool(comparison.findings[0].examples)
    heads += "<th class=needs>corrections needed" * (comparison.corrections is not None)
    agreeing = [finding.reading for finding in comparison.rows if finding.reading.mixture in comparison.agreeing]
    words = "; or ".join(", ".join(WORDS[reading.values[key]] for key in keys) for reading in agreeing)
    only = "Only one reading agrees everywhere" if len(agreeing) == 1 else "These readings agree everywhere"
    body = f"""\
<h1>{program} under each reading</h1>
{f"<p class=lead>{only}: {escape(words)}.</p>" if agreeing else ""}
<p class=note>{escape(comparison.conclusion).replace(",", ",<wbr>")} Compared with {against}: \
<code>{escape(comparison.function)}</code> at {comparison.positions} positions.</p>
{_table(heads, "failed", rows)}
{f"<p class=note>With <code>shift=up</code>: {comparison.others}.</p>" if comparison.others else ""}
{_corrections(comparison)}
{"".join(_witnesses(comparison))}
"""
    return fragment("readings", REPORT + _READINGS, body)


def _finding_row(finding: Finding, keys: Sequence[str], comparison: ReadingComparison) -> str:
    counts = (finding.counts["same"], finding.counts["different"], finding.counts["failed"])
    values = [finding.reading.values[key] for key in keys]
    cells = [*(f"<td class=key>{escape(WORDS[value])} <code>{value}</code>" for value in values), *_numbers(*counts)]
    if finding.examples:
        holding = sum(example.holds for example in finding.examples)
        cells.append(f"<td class=number>{holding} of {len(finding.examples)}")
    if comparison.corrections is not None:
        cells.append(f"<td>{'' if finding.resigns else comparison.choices(finding)}")
    note = finding.broken or RESIGNS * finding.resigns
    return _table_row(cells, dict(zip(("same", "different", "fails"), counts, strict=True)), note)


def _corrections(comparison: ReadingComparison) -> str:
    """Show all corrections of the other program, numbered as the table has them."""
    items = [
        f"<code>{escape(piece.definition)}</code>: {_arrow(piece.before, piece.after)}"
        for piece in comparison.corrections or ()
    ]
    return f"<h2>The corrections of {escape(comparison.against)}</h2>{_list(items, 'ol')}" if items else ""


def _witnesses(comparison: ReadingComparison) -> Iterator[str]:
    findings = [finding for finding in comparison.rows if finding.witnesses]
    if findings:
        yield """\
<h2>The smallest positions without agreement</h2>
<p class=note>With each of them, the first call whose result differs. A crown is a king; a dashed one is a king's mark \
without a piece. On the squares in yellow the two sides differ.</p>
"""
    for finding in findings:
        is_open = " open" if finding is findings[0] else ""
        yield f"<details{is_open}><summary><code>{escape(finding.reading.mixture)}</code></summary>\n"
        for kind, (position, pairs) in finding.witnesses.items():
            yield f"<h3>At this position {_WHY[kind]}</h3>\n"
            if not any(position in here.arguments for here, _ in pairs[-1:]):
                yield f"<p>{picture(position).svg()}</p>\n"
            for pair in pairs[-1:]:
                yield _case(pair, ("this reading", comparison.against), comparison.parameters, boards=True)
        yield "\n</details>\n"


_READINGS: Final = """\
.counts .key, .counts .needs { text-align: left; min-width: 0; }
ol.pieces { padding-left: 1.8rem; }
"""
