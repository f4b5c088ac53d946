"""The difference of two programs as a page: one file, without scripts and without anything from elsewhere.

The first half is the page as templates; `$name` is filled in. Boards are drawn for positions of checkers
(`diff_values`), CPL is coloured if Pygments is there.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from html import escape
from string import Template
from typing import Any, Final

from cpl.diagnostics import printable
from cpl.kit.behaviour import Behaviour
from cpl.kit.changes import Change
from cpl.kit.diff_style import STYLE, coloured
from cpl.kit.diff_values import breakable, drawn, results
from cpl.kit.difference import Difference, culprit, outcome_of
from cpl.kit.divergence import Pair

_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$before and $after</title>
<style>
$style</style>
</head>
<body>
<h1><span class=before>$before</span> and <span class=after>$after</span></h1>
<p class=lead>$summary</p>
$sections
</body>
</html>
"""
_CHANGE: Final = """\
<section><h3><code>$name</code> <small>$kind</small></h3>
$pieces<div class=sides>
$listings
</div>
</section>"""
_PIECES: Final = "<ul class=pieces>\n$pieces\n</ul>\n"
_PIECE: Final = "<li><span class=before>$before</span> → <span class=after>$after</span></li>"
_LISTING: Final = "<figure><figcaption>$name</figcaption>\n$listing</figure>"
_NOT_DEFINED: Final = "<p class=note>It is not defined here.</p>"

_CONSTANTS: Final = "<h2>Constants of other values</h2><ul class=pieces>\n$constants\n</ul>"
_CONSTANT: Final = (
    "<li><code>$name</code>: <span class=before><code>$before</code></span> → "
    "<span class=after><code>$after</code></span></li>"
)
_COMMANDS: Final = "<h2>What they write by themselves</h2><div class=sides>\n$sides\n</div>"
_WRITTEN: Final = "<figure><figcaption>$name</figcaption><pre>$written</pre>$fault</figure>"
_FAULT: Final = "<p class=fault>fails: $fault</p>"

_BEHAVIOURS: Final = """\
<h2>What they do</h2>
<p>Each function was run on both sides on the same inputs: those that it gets while the programs run and, \
where there are few, small values that at least one side accepts. Inputs that show a difference are \
preferred: the counts are no frequencies.$order</p>
<div class=scroll><table class=counts><thead><tr><th>function<th>inputs<th>same<th>different
<th>only $before fails<th>only $after fails<th class=bar>
<i class=same></i> same <i class=different></i> different <i class=fails></i> one fails</tr></thead><tbody>
$rows
</tbody></table></div>
<p class=note>* Its text is changed. Those of the others are the same: where they do something else, it is \
because of what they use.</p>"""
_UNORDERED: Final = " Lists are compared without regard to their order."
_LEGEND: Final = "<p class=note>A gold ring is a king. On the squares in yellow the two sides differ.</p>"
_NOTE_ROW: Final = "<tr class=$verdict><td>$name<td colspan=6>$note</tr>"
_COUNT_ROW: Final = "<tr class=$verdict><td>$name$cells<td class=bar><div>$bar</div>$unclear</tr>"

_FUNCTION: Final = """\
<details id='$name'$open>
<summary><code>$shown</code>$route</summary>
$witnesses
</details>"""
_WITNESS: Final = """\
<h4>An input on which $what, $which</h4>
<div class=case><figure><figcaption>$function is given</figcaption><div class=values>
$arguments</div></figure>
$results
</div>$trace"""
_ARGUMENT: Final = "<div><var>$name</var> $value</div>\n"
_RESULT: Final = "<figure class=$kind><figcaption>$name gives</figcaption>\n<div class=values>$value</div></figure>"
_TRACE: Final = """
<details class=trace><summary>the calls that lead there, $depth deep</summary>
<table><thead><tr><th>call
$heads</tr></thead><tbody>
$rows
</tbody></table></details>"""
_TRACE_ROW: Final = (
    "<tr$last><td style='padding-left:${indent}em'><code>$arrow<b>$function</b>$given</code>"
    "<td class=before><code>$before</code><td class=after><code>$after</code></tr>"
)
_CUT_SHORT: Final = """
<p class=note>It may be a call further inside that differs: there were too many to keep them all.</p>"""

_COMMENT: Final = re.compile(r"\s*(##|\|\|).*")
"""It counts for nothing; that the signs may stand in a string does not matter here."""

_LONGEST: Final = 400
"""Characters of a value that is passed on the way to the place that matters."""


def _fill(template: str, **values: Any) -> str:
    return Template(template).substitute(values)


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
    summary = _summary(difference)
    return _fill(_PAGE, before=before, after=after, style=STYLE, summary=summary, sections="\n".join(sections))


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
    pieces = "\n".join(_fill(_PIECE, before=_piece(each.before), after=_piece(each.after)) for each in change.pieces)
    texts = printable(change.before), printable(change.after)
    marked: tuple[set[int], set[int]] = (set(), set())
    old, new = ([_COMMENT.sub("", line) for line in text.splitlines()] for text in texts)
    for operation, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation != "equal":
            marked[0].update(range(first, last))
            marked[1].update(range(start, end))
    places = (change.place_before, change.place_after)
    sides = zip(places, difference.names, texts, marked, ("before", "after"), strict=True)
    return _fill(
        _CHANGE,
        name=escape(change.name),
        kind=change.kind,
        pieces=_fill(_PIECES, pieces=pieces) if pieces else "",
        listings="\n".join(
            _fill(_LISTING, name=escape(place or name), listing=_listing(text, lines, kind))
            for place, name, text, lines, kind in sides
        ),
    )


def _piece(text: str) -> str:
    return f"<code>{escape(text)}</code>" if text else "nothing"


def _listing(text: str, marked: set[int], kind: str) -> str:
    if not text:
        return _NOT_DEFINED
    lines = [
        f"<span class='line {kind}'>{line}</span>" if number in marked else f"<span class=line>{line}</span>"
        for number, line in enumerate(coloured(text))
    ]
    return f"<pre>{''.join(lines)}</pre>"


def _values(difference: Difference) -> Iterable[str]:
    """Constants that have other values, and what the programs write by themselves."""
    if difference.constants:
        each = [{name: escape(text) for name, text in vars(constant).items()} for constant in difference.constants]
        yield _fill(_CONSTANTS, constants="\n".join(_fill(_CONSTANT, **texts) for texts in each))
    if difference.commands_differ:
        sides = (
            _fill(
                _WRITTEN,
                name=escape(name),
                written=escape(found.written),
                fault=_fill(_FAULT, fault=escape(found.fault)) if found.fault else "",
            )
            for name, found in zip(difference.names, difference.commands, strict=True)
        )
        yield _fill(_COMMANDS, sides="\n".join(sides))


def _behaviours(difference: Difference, before: str, after: str) -> Iterable[str]:
    if not difference.behaviours:
        return
    rows = "\n".join(_row(each, each.name in difference.changed) for each in difference.behaviours)
    order = "" if difference.ordered else _UNORDERED
    yield _fill(_BEHAVIOURS, before=before, after=after, order=order, rows=rows)
    if difference.checkers:
        yield _LEGEND
    differing = difference.differing
    culprits = {culprit(pairs) for each in differing for pairs in (each.witness, each.failure) if pairs}
    for each in differing:
        yield _function(each, difference, is_open=each is differing[0] or each.name in culprits)


def _row(each: Behaviour, is_changed: bool) -> str:
    name = f"<code>{escape(each.name)}</code>{' *' if is_changed else ''}"
    if each.verdict == "different":
        name = f"<a href='#{escape(each.name, quote=True)}'>{name}</a>"
    if each.note:
        return _fill(_NOTE_ROW, verdict=each.verdict, name=name, note=escape(each.note))
    counts, unclear = (each.counts["same"], each.counts["different"], *each.failed), each.counts["unclear"]
    shares = zip(("same", "different", "fails", "fails", "unclear"), (*counts, unclear), strict=True)
    return _fill(
        _COUNT_ROW,
        verdict=each.verdict,
        name=name,
        cells="".join(f"<td class=number>{count or ''}" for count in (each.inputs, *counts)),
        bar="".join(f"<i class={kind} style='flex:{count}'></i>" for kind, count in shares if count),
        unclear=f" {unclear} results are functions" if unclear else "",
    )


def _function(behaviour: Behaviour, difference: Difference, *, is_open: bool) -> str:
    """One function that differs: what shows it, and how it comes about."""
    witnesses = [f"<p>{escape(behaviour.note)}</p>"] if behaviour.note else []
    if behaviour.witness:
        number = behaviour.counts["different"]
        witnesses.append(_witness("the results differ", number, behaviour.witness, behaviour.parameters, difference))
    if behaviour.failure and (is_open or not behaviour.witness):
        number = sum(behaviour.failed)
        witnesses.append(_witness("one side fails", number, behaviour.failure, behaviour.parameters, difference))
    pairs = behaviour.witness or behaviour.failure
    return _fill(
        _FUNCTION,
        name=escape(behaviour.name, quote=True),
        open=" open" if is_open else "",
        shown=escape(behaviour.name),
        route=f" <small>because of {escape(culprit(pairs))}</small>" if len(pairs) > 1 else "",
        witnesses="\n".join(witnesses),
    )


def _witness(
    what: str, number: int, pairs: tuple[Pair, ...], parameters: tuple[str, ...], difference: Difference
) -> str:
    """The input and both results; then the calls down to the first one that differs."""
    one, other = pairs[0]
    names = [escape(name) for name in difference.names]
    values = [drawn(argument, boards=difference.checkers) for argument in one.arguments]
    named = zip([*map(escape, parameters), *[""] * len(values)], values, strict=False)
    both = zip(("before", "after"), names, results(one, other, boards=difference.checkers), strict=True)
    rows = [_trace_row(pair, depth, last=depth + 1 == len(pairs)) for depth, pair in enumerate(pairs)]
    heads = "".join(f"<th>{name}" for name in names)
    trace = _fill(_TRACE, depth=len(pairs), heads=heads, rows="\n".join(rows)) if len(pairs) > 1 else ""
    return _fill(
        _WITNESS,
        what=what,
        which=f"the smallest of {number}" if number > 1 else "the only one",
        function=escape(one.function),
        arguments="".join(_fill(_ARGUMENT, name=name, value=value) for name, value in named),
        results="\n".join(_fill(_RESULT, kind=kind, name=name, value=value) for kind, name, value in both),
        trace=trace + (_CUT_SHORT if any(call.cut for call in pairs[-1]) else ""),
    )


def _trace_row(pair: Pair, depth: int, *, last: bool) -> str:
    one, other = pair
    texts = (one.applied[len(one.function) :], outcome_of(one, other), outcome_of(other, one))
    given, before, after = (breakable(text, _LONGEST) for text in texts)
    return _fill(
        _TRACE_ROW,
        last=" class=last" if last else "",
        indent=f"{0.6 + 0.7 * min(depth, 12):g}",
        arrow="↳ " if depth else "",
        function=escape(one.function),
        given=given,
        before=before,
        after=after,
    )
