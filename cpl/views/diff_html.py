"""The difference of two programs as a page, or for a notebook: without scripts and without anything from elsewhere.

Boards are drawn for positions of checkers (`diff_values`), CPL is coloured if Pygments is there.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from cpl.kit.behaviour import Behaviour
from cpl.kit.difference import CUT, Difference, marked, transcript
from cpl.kit.first_difference import Pair
from cpl.kit.text_changes import Change
from cpl.outside import escape
from cpl.views.calls_html import SIDES, case
from cpl.views.style import REPORT, STYLE, coloured, fragment


def as_page(difference: Difference) -> str:
    """The whole page."""
    before, after = map(escape, difference.names)
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{before} and {after}</title>
<style>
{STYLE}</style>
</head>
<body>
{_report(difference)}
</body>
</html>
"""


def as_fragment(difference: Difference) -> str:
    """The same for a notebook."""
    return fragment("diff", REPORT, _report(difference))


def _report(difference: Difference) -> str:
    before, after = map(escape, difference.names)
    sections = [
        f"<h1><span class=before>{before}</span> and <span class=after>{after}</span></h1>",
        f"<p class=lead>{difference.text_summary}</p>",
        f"<p class=lead>{difference.behaviour_summary}</p>",
        *(f"<p class=note>{escape(repair)}.</p>" for repair in difference.repairs),
        *(_change(change) for change in difference.changes),
        *_values(difference),
        *_behaviours(difference, before, after),
    ]
    return "\n".join(sections)


def _change(change: Change) -> str:
    """A definition that is not the same: the smallest pieces that differ, and both texts with these lines marked."""
    pieces = _list([_arrow(each.before, each.after) for each in change.pieces])
    places = ", ".join(filter(None, [change.place_before, change.place_after]))
    return f"""\
<section><h3><code>{escape(change.name)}</code> <small>{change.kind}, {escape(places)}</small></h3>
{pieces}{_listing(change.before, change.after)}
</section>"""


def _list(items: Sequence[str]) -> str:
    return "<ul class=pieces>\n" + "\n".join(f"<li>{item}</li>" for item in items) + "\n</ul>\n" if items else ""


def _arrow(*texts: str) -> str:
    before, after = (f"<code>{escape(text)}</code>" if text else "nothing" for text in texts)
    return f"<span class=before>{before}</span> → <span class=after>{after}</span>"


def _listing(before: str, after: str) -> str:
    """The lines of both texts, those that differ with a sign and in colour."""
    lines = marked(before, after)
    code = coloured("\n".join(line[2:] for line in lines))
    listed = [
        f"<span class='line {SIDES.get(line[0], '')}'>{line[0]} {text}</span>"
        for line, text in zip_longest(lines, code, fillvalue="")
    ]
    return f"<pre>{''.join(listed)}</pre>"


def _values(difference: Difference) -> Iterator[str]:
    """Constants that have other values, and what the programs write by themselves."""
    if difference.constants:
        items = [
            f"<code>{escape(each.name)}</code>: {_arrow(each.before, each.after)}" for each in difference.constants
        ]
        yield f"<h2>Constants of other values</h2>{_list(items)}"
    if difference.commands_differ:
        yield f"<h2>What they write by themselves</h2>{_listing(*map(transcript, difference.commands))}"


def _behaviours(difference: Difference, before: str, after: str) -> Iterator[str]:
    if not difference.behaviours:
        return
    rows = "\n".join(_row(each, each.name in difference.changed) for each in difference.behaviours)
    order = "" if difference.ordered else " Lists are compared without regard to their order."
    yield f"""\
<h2>What they do</h2>
<p>Each function was run on both sides on the same inputs: those that it gets while the programs run and, \
where there are few, small values that at least one side accepts. Inputs that show a difference are \
preferred: the counts do not tell how often the two differ.{order}</p>
<div class=scroll><table class=counts><thead><tr><th>function<th>inputs<th>same<th>different
<th>only {before} fails<th>only {after} fails<th class=bar>
<span><i class=same></i>&nbsp;same</span> <span><i class=different></i>&nbsp;different</span>
<span><i class=fails></i>&nbsp;one fails</span></tr></thead><tbody>
{rows}
</tbody></table></div>
<p class=note>* Its text is changed. Those of the others are the same: where they do something else, it is \
because of what they use.</p>"""
    if difference.checkers:
        yield "<p class=note>A crown is a king; a dashed one is a king's mark without a piece. \
On the squares in yellow the two sides differ.</p>"
    yield from (_function(each, difference) for each in difference.differing)


def _row(each: Behaviour, is_changed: bool) -> str:
    name = f"<code>{escape(each.name)}</code>{' *' if is_changed else ''}"
    if each.verdict == "different":
        name = f"<a href='#{escape(each.name, quote=True)}'>{name}</a>"
    counts = (each.counts["same"], each.counts["different"], *each.failed)
    shares = zip(("same", "different", "fails", "fails", "unclear"), (*counts, each.counts["unclear"]), strict=True)
    cells = "".join(f"<td class=number>{count or ''}" for count in (each.inputs, *counts))
    bar = "".join(f"<i class={kind} style='flex:{count}'></i>" for kind, count in shares if count)
    return f"<tr class={each.verdict}><td>{name}{cells}<td class=bar><div>{bar}</div>{escape(each.note)}</tr>"


def _function(behaviour: Behaviour, difference: Difference) -> str:
    """One function that differs: what shows it, and how it comes about. It is open if the difference begins in it."""
    origins = dict.fromkeys(pairs[-1][0].function for _, pairs in behaviour.examples)
    is_open = not origins or behaviour.name in origins
    because = "" if is_open else f" <small>because of {escape(' and '.join(origins))}</small>"
    body = "\n".join(_example(what, pairs, difference) for what, pairs in behaviour.examples)
    return f"""\
<details id='{escape(behaviour.name, quote=True)}'{" open" if is_open else ""}>
<summary><code>{escape(behaviour.name)}</code>{because}</summary>
{f"<p>{escape(behaviour.note)}</p>" if behaviour.note else ""}
{body}
</details>"""


def _example(what: str, pairs: Sequence[Pair], difference: Difference) -> str:
    """An input and both results; then the calls down to the first one that differs."""
    inner = "\n".join(_case(pair, difference, boards=False) for pair in pairs[1:])
    return f"""\
<h4>{what.capitalize()}; the smallest:</h4>
{_case(pairs[0], difference, boards=difference.checkers)}
{f"<details><summary>the calls that lead there</summary>{inner}</details>" if inner else ""}
{f"<p class=note>{CUT}</p>" if any(call.cut for call in pairs[-1]) else ""}"""


def _case(pair: Pair, difference: Difference, *, boards: bool) -> str:
    return case(pair, difference.names, difference.parameters, boards=boards)
