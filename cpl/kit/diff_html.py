"""The difference of two programs as a page: one file, without scripts and without anything from elsewhere.

Boards are drawn for positions of checkers (`diff_values`), CPL is coloured if Pygments is there.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from html import escape
from itertools import zip_longest
from typing import Final

from cpl.diagnostics import printable
from cpl.kit.behaviour import Behaviour
from cpl.kit.changes import Change
from cpl.kit.diff_style import STYLE, coloured
from cpl.kit.diff_values import breakable, drawn, fault, result
from cpl.kit.difference import Difference, outcome_of
from cpl.kit.divergence import Pair

_COMMENT: Final = re.compile(r"\s*(##|\|\|).*")
"""Comments do not count as changes; it does not matter here that these tokens may stand in a string."""

_LONGEST: Final = 400
"""Characters of a value in the calls that lead to the one that matters."""

_SIDES: Final = ("before", "after")


def as_page(difference: Difference) -> str:
    """The whole page."""
    before, after = map(escape, difference.names)
    sections = [
        *(f"<p class=note>{escape(repair)}.</p>" for repair in difference.repairs),
        *(["<h2>What stands in them</h2>"] if difference.changes else []),
        *(_change(change, difference) for change in difference.changes),
        *_values(difference),
        *_behaviours(difference, before, after),
    ]
    body = "\n".join(sections)
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
<h1><span class=before>{before}</span> and <span class=after>{after}</span></h1>
<p class=lead>{_summary(difference)}</p>
{body}
</body>
</html>
"""


def _summary(difference: Difference) -> str:
    counts, number = difference.change_counts, len(difference.behaviours)
    texts = f"Definitions: {counts}." if counts else "The definitions are the same."
    if not number:
        return f"{texts} No function stands on both sides."
    if not difference.differing:
        return f"{texts} Of {number} functions none was found to do something else."
    return f"{texts} {len(difference.differing)} of {number} functions do something else."


def _change(change: Change, difference: Difference) -> str:
    """A definition that is not the same: the smallest pieces that differ, and both texts with these lines marked."""
    items = [_arrow(_piece(each.before), _piece(each.after)) for each in change.pieces]
    pieces = f"{_list(items)}\n" if items else ""
    texts = printable(change.before), printable(change.after)
    old, new = ([_COMMENT.sub("", line) for line in text.splitlines()] for text in texts)
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    unchanged = [{block[side] + offset for block in blocks for offset in range(block.size)} for side in (0, 1)]
    places = [
        place or name for place, name in zip((change.place_before, change.place_after), difference.names, strict=True)
    ]
    sides = "\n".join(
        f"<figure><figcaption>{escape(place)}</figcaption>\n{_listing(text, lines, side)}</figure>"
        for place, text, lines, side in zip(places, texts, unchanged, _SIDES, strict=True)
    )
    return f"""\
<section><h3><code>{escape(change.name)}</code> <small>{change.kind}</small></h3>
{pieces}<div class=sides>
{sides}
</div>
</section>"""


def _list(items: list[str]) -> str:
    return "<ul class=pieces>\n" + "\n".join(f"<li>{item}</li>" for item in items) + "\n</ul>"


def _arrow(before: str, after: str) -> str:
    return f"<span class=before>{before}</span> → <span class=after>{after}</span>"


def _piece(text: str) -> str:
    return f"<code>{escape(text)}</code>" if text else "nothing"


def _listing(text: str, unchanged: set[int], side: str) -> str:
    if not text:
        return "<p class=note>It is not defined here.</p>"
    lines = [
        f"<span class=line>{line}</span>" if number in unchanged else f"<span class='line {side}'>{line}</span>"
        for number, line in enumerate(coloured(text))
    ]
    return f"<pre>{''.join(lines)}</pre>"


def _values(difference: Difference) -> Iterator[str]:
    """Constants that have other values, and what the programs write by themselves."""
    if difference.constants:
        items = [
            f"<code>{escape(each.name)}</code>: {_arrow(_piece(each.before), _piece(each.after))}"
            for each in difference.constants
        ]
        yield f"<h2>Constants of other values</h2>{_list(items)}"
    if difference.commands_differ:
        sides = "\n".join(
            f"<figure><figcaption>{escape(name)}</figcaption><pre>{escape(found.written)}</pre>"
            f"{fault(found.fault) if found.fault else ''}</figure>"
            for name, found in zip(difference.names, difference.commands, strict=True)
        )
        yield f"<h2>What they write by themselves</h2><div class=sides>\n{sides}\n</div>"


def _behaviours(difference: Difference, before: str, after: str) -> Iterator[str]:
    if not difference.behaviours:
        return
    rows = "\n".join(_row(each, each.name in difference.changed) for each in difference.behaviours)
    order = "" if difference.ordered else " Lists are compared without regard to their order."
    yield f"""\
<h2>What they do</h2>
<p>Each function was run on both sides on the same inputs: those that it gets while the programs run and, \
where there are few, small values that at least one side accepts. Inputs that show a difference are \
preferred: the counts are no frequencies.{order}</p>
<div class=scroll><table class=counts><thead><tr><th>function<th>inputs<th>same<th>different
<th>only {before} fails<th>only {after} fails<th class=bar>
<i class=same></i> same <i class=different></i> different <i class=fails></i> one fails</tr></thead><tbody>
{rows}
</tbody></table></div>
<p class=note>* Its text is changed. Those of the others are the same: where they do something else, it is \
because of what they use.</p>"""
    if difference.checkers:
        yield "<p class=note>A gold ring is a king. On the squares in yellow the two sides differ.</p>"
    differing = difference.differing
    culprits = {name for each in differing for name in each.culprits}
    for each in differing:
        yield _function(each, difference, is_open=each is differing[0] or each.name in culprits)


def _row(each: Behaviour, is_changed: bool) -> str:
    name = f"<code>{escape(each.name)}</code>{' *' if is_changed else ''}"
    if each.verdict == "different":
        name = f"<a href='#{escape(each.name, quote=True)}'>{name}</a>"
    if each.note:
        return f"<tr class={each.verdict}><td>{name}<td colspan=6>{escape(each.note)}</tr>"
    counts, unclear = (each.counts["same"], each.counts["different"], *each.failed), each.counts["unclear"]
    shares = zip(("same", "different", "fails", "fails", "unclear"), (*counts, unclear), strict=True)
    cells = "".join(f"<td class=number>{count or ''}" for count in (each.inputs, *counts))
    bar = "".join(f"<i class={kind} style='flex:{count}'></i>" for kind, count in shares if count)
    note = f" {unclear} results are functions" if unclear else ""
    return f"<tr class={each.verdict}><td>{name}{cells}<td class=bar><div>{bar}</div>{note}</tr>"


def _function(behaviour: Behaviour, difference: Difference, *, is_open: bool) -> str:
    """One function that differs: what shows it, and how it comes about."""
    witness, failure = behaviour.witness, behaviour.failure
    parts = [f"<p>{escape(behaviour.note)}</p>"] if behaviour.note else []
    if witness:
        number = behaviour.counts["different"]
        parts.append(_witness("the results differ", number, witness, behaviour.parameters, difference))
    if failure and (is_open or not witness):
        parts.append(_witness("one side fails", sum(behaviour.failed), failure, behaviour.parameters, difference))
    pairs, body = witness or failure, "\n".join(parts)
    route = f" <small>because of {escape(pairs[-1][0].function)}</small>" if len(pairs) > 1 else ""
    return f"""\
<details id='{escape(behaviour.name, quote=True)}'{" open" if is_open else ""}>
<summary><code>{escape(behaviour.name)}</code>{route}</summary>
{body}
</details>"""


def _witness(
    what: str, number: int, pairs: tuple[Pair, ...], parameters: tuple[str, ...], difference: Difference
) -> str:
    """The input and both results; then the calls down to the first one that differs."""
    one, other = pairs[0]
    names = [escape(name) for name in difference.names]
    arguments = "".join(
        f"<div><var>{escape(name)}</var> {drawn(argument, boards=difference.checkers)}</div>\n"
        for name, argument in zip_longest(parameters[: len(one.arguments)], one.arguments, fillvalue="")
    )
    outcomes = "\n".join(
        f"<figure class={side}><figcaption>{name} gives</figcaption>\n"
        f"<div class=values>{result(mine, yours, boards=difference.checkers)}</div></figure>"
        for side, name, mine, yours in zip(_SIDES, names, (one, other), (other, one), strict=True)
    )
    return f"""\
<h4>An input on which {what}, {f"the smallest of {number}" if number > 1 else "the only one"}</h4>
<div class=case><figure><figcaption>{escape(one.function)} is given</figcaption><div class=values>
{arguments}</div></figure>
{outcomes}
</div>{_trace(pairs, names)}"""


def _trace(pairs: tuple[Pair, ...], names: list[str]) -> str:
    """The calls that lead to the first one that differs."""
    table = ""
    if len(pairs) > 1:
        heads = "".join(f"<th>{name}" for name in names)
        rows = "\n".join(_trace_row(pair, depth, last=pair is pairs[-1]) for depth, pair in enumerate(pairs))
        table = f"""
<details class=trace><summary>the calls that lead there, {len(pairs)} deep</summary>
<table><thead><tr><th>call
{heads}</tr></thead><tbody>
{rows}
</tbody></table></details>"""
    if any(call.cut for call in pairs[-1]):
        table += (
            "\n<p class=note>It may be a call further inside that differs: there were too many to keep them all.</p>"
        )
    return table


def _trace_row(pair: Pair, depth: int, *, last: bool) -> str:
    one, other = pair
    texts = (one.applied[len(one.function) :], outcome_of(one, other), outcome_of(other, one))
    given, before, after = (breakable(text, _LONGEST) for text in texts)
    call = f"<code>{'↳ ' if depth else ''}<b>{escape(one.function)}</b>{given}</code>"
    return (
        f"<tr{' class=last' if last else ''}><td style='padding-left:{0.6 + 0.7 * min(depth, 12):g}em'>{call}"
        f"<td class=before><code>{before}</code><td class=after><code>{after}</code></tr>"
    )
