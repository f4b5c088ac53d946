"""The difference of two programs as a page: one file, without scripts and without anything from elsewhere.

Boards are drawn for positions of checkers (`diff_boards`), CPL is coloured if Pygments is there.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from html import escape
from typing import Final

from cpl.diagnostics import printable
from cpl.kit.behaviour import Behaviour, Pair
from cpl.kit.changes import Change
from cpl.kit.diff_style import STYLE, coloured
from cpl.kit.diff_values import breakable, drawn, results
from cpl.kit.difference import Difference, outcome_of

_COMMENT: Final = re.compile(r"\s*(##|\|\|).*")
"""It counts for nothing; that the signs may stand in a string does not matter here."""

_CUT: Final = 400
"""Signs of a value that is passed on the way to the place that matters."""


def as_page(difference: Difference) -> str:
    """The whole page."""
    before, after = map(escape, difference.names)
    body = [
        f"<h1><span class=before>{before}</span> and <span class=after>{after}</span></h1>",
        f"<p class=lead>{_summary(difference)}</p>",
        *(f"<p class=note>{escape(repair)}.</p>" for repair in difference.repairs),
        *_texts(difference),
        *_values(difference),
        *_behaviours(difference),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{before} and {after}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _summary(difference: Difference) -> str:
    kinds = [change.kind for change in difference.changes]
    counts = [f"{kinds.count(kind)} {kind}" for kind in ("changed", "added", "removed") if kind in kinds]
    texts = f"Definitions: {', '.join(counts)}." if counts else "The definitions are the same."
    differing = [each for each in difference.behaviours if each.verdict == "different"]
    if not difference.behaviours:
        return f"{texts} No function stands on both sides."
    number = len(difference.behaviours)
    if not differing:
        return f"{texts} Of {number} functions none was found to do something else."
    return f"{texts} {len(differing)} of {number} functions do something else."


def _texts(difference: Difference) -> Iterator[str]:
    if difference.changes:
        yield "<h2>What stands in them</h2>"
    for change in difference.changes:
        yield f"<section><h3><code>{escape(change.name)}</code> <small>{change.kind}</small></h3>"
        if change.pieces:
            yield "<ul class=pieces>"
            for piece in change.pieces:
                old, new = (
                    f"<code>{escape(text)}</code>" if text else "nothing" for text in (piece.before, piece.after)
                )
                yield f"<li><span class=before>{old}</span> → <span class=after>{new}</span></li>"
            yield "</ul>"
        yield from _listings(change, difference)
        yield "</section>"


def _listings(change: Change, difference: Difference) -> Iterator[str]:
    """Both sides' CPL, the lines that differ marked."""
    texts = printable(change.before), printable(change.after)
    old, new = ([_COMMENT.sub("", line) for line in text.splitlines()] for text in texts)
    marked: tuple[set[int], set[int]] = (set(), set())
    for operation, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation != "equal":
            marked[0].update(range(first, last))
            marked[1].update(range(start, end))
    yield "<div class=sides>"
    for side, text, place in zip((0, 1), texts, (change.place_before, change.place_after), strict=True):
        name = escape(place or difference.names[side])
        yield f"<figure><figcaption>{name}</figcaption>"
        if text:
            kind = ("before", "after")[side]
            lines = [
                f"<span class='line {kind}'>{line}</span>"
                if number in marked[side]
                else f"<span class=line>{line}</span>"
                for number, line in enumerate(coloured(text))
            ]
            yield f"<pre>{''.join(lines)}</pre></figure>"
        else:
            yield "<p class=note>It is not defined here.</p></figure>"
    yield "</div>"


def _values(difference: Difference) -> Iterator[str]:
    if difference.constants:
        yield "<h2>Constants of other values</h2><ul class=pieces>"
        for each in difference.constants:
            yield (
                f"<li><code>{escape(each.name)}</code>: <span class=before><code>{escape(each.before)}</code></span> → "
                f"<span class=after><code>{escape(each.after)}</code></span></li>"
            )
        yield "</ul>"
    commands = difference.commands
    if commands.differ:
        yield "<h2>What they write by themselves</h2><div class=sides>"
        for name, written, fault in (
            (difference.names[0], commands.before, commands.fault_before),
            (difference.names[1], commands.after, commands.fault_after),
        ):
            said = f"<p class=fault>fails: {escape(fault)}</p>" if fault else ""
            yield f"<figure><figcaption>{escape(name)}</figcaption><pre>{escape(written)}</pre>{said}</figure>"
        yield "</div>"


def _behaviours(difference: Difference) -> Iterator[str]:
    if not difference.behaviours:
        return
    before, after = map(escape, difference.names)
    yield "<h2>What they do</h2>"
    order = "" if difference.ordered else " Lists are compared without regard to their order."
    yield (
        "<p>Each function was run on both sides on the same inputs: those that it gets while the programs run and, "
        f"where there are few, small values that at least one side accepts. Inputs that show a difference are "
        f"preferred: the counts are no frequencies.{order}</p>"
    )
    yield "<div class=scroll><table class=counts><thead><tr><th>function<th>inputs<th>same<th>different"
    yield f"<th>only {before} fails<th>only {after} fails<th class=bar>"
    yield "<i class=same></i> same <i class=different></i> different <i class=fails></i> one fails</tr></thead><tbody>"
    yield from (_row(each, difference) for each in difference.behaviours)
    yield "</tbody></table></div>"
    yield (
        "<p class=note>* Its text is changed. Those of the others are the same: where they do something else, it is "
        "because of what they use.</p>"
    )
    if difference.checkers:
        yield "<p class=note>A gold ring is a king. On the squares in yellow the two sides differ.</p>"
    differing = [each for each in difference.behaviours if each.verdict == "different"]
    culprits = {pairs[-1][0].function for each in differing for pairs in (each.witness, each.failure) if pairs}
    for each in differing:
        yield from _function(each, difference, is_open=each is differing[0] or each.name in culprits)


def _row(each: Behaviour, difference: Difference) -> str:
    name = f"<code>{escape(each.name)}</code>{' *' if each.name in difference.changed else ''}"
    if each.verdict == "different":
        name = f"<a href='#{escape(each.name, quote=True)}'>{name}</a>"
    if each.note:
        return f"<tr class={each.verdict}><td>{name}<td colspan=6>{escape(each.note)}</tr>"
    counts = (each.inputs, each.same, each.different, *each.failed)
    cells = "".join(f"<td class=number>{count or ''}" for count in counts)
    shares = zip(("same", "different", "fails", "fails", "unclear"), (*counts[1:], each.unclear), strict=True)
    bar = "".join(f"<i class={kind} style='flex:{count}'></i>" for kind, count in shares if count)
    said = f" {each.unclear} results are functions" if each.unclear else ""
    return f"<tr class={each.verdict}><td>{name}{cells}<td class=bar><div>{bar}</div>{said}</tr>"


def _function(behaviour: Behaviour, difference: Difference, *, is_open: bool) -> Iterator[str]:
    """One function that differs: what shows it, and how it comes about."""
    name = escape(behaviour.name)
    route = ""
    pairs = behaviour.witness or behaviour.failure
    if len(pairs) > 1:
        route = f" <small>because of {escape(pairs[-1][0].function)}</small>"
    yield f"<details id='{escape(behaviour.name, quote=True)}'{' open' if is_open else ''}>"
    yield f"<summary><code>{name}</code>{route}</summary>"
    if behaviour.note:
        yield f"<p>{escape(behaviour.note)}</p>"
    if behaviour.witness:
        some = f"the smallest of {behaviour.different}" if behaviour.different > 1 else "the only one"
        yield f"<h4>An input on which the results differ, {some}</h4>"
        yield from _shown(behaviour.witness, behaviour.parameters, difference)
    if behaviour.failure and (is_open or not behaviour.witness):
        number = sum(behaviour.failed)
        some = f"the smallest of {number}" if number > 1 else "the only one"
        yield f"<h4>An input on which one side fails, {some}</h4>"
        yield from _shown(behaviour.failure, behaviour.parameters, difference)
    yield "</details>"


def _shown(pairs: tuple[Pair, ...], parameters: tuple[str, ...], difference: Difference) -> Iterator[str]:
    """The input and both results; then the calls down to the first one that differs."""
    one, other = pairs[0]
    yield f"<div class=case><figure><figcaption>{escape(one.function)} is given</figcaption><div class=values>"
    for place, argument in enumerate(one.arguments):
        name = escape(parameters[place]) if place < len(parameters) else ""
        shown = drawn(argument, boards=difference.checkers)
        yield f"<div><var>{name}</var> {shown}</div>"
    yield "</div></figure>"
    both = results(one, other, boards=difference.checkers)
    for name, kind, shown in zip(difference.names, ("before", "after"), both, strict=True):
        yield f"<figure class={kind}><figcaption>{escape(name)} gives</figcaption>"
        yield f"<div class=values>{shown}</div></figure>"
    yield "</div>"
    if len(pairs) > 1:
        yield f"<details class=trace><summary>the calls that lead there, {len(pairs)} deep</summary>"
        yield "<table><thead><tr><th>call"
        yield "".join(f"<th>{escape(name)}" for name in difference.names) + "</tr></thead><tbody>"
        for depth, pair in enumerate(pairs):
            yield _traced(pair, depth, last=depth + 1 == len(pairs))
        yield "</tbody></table></details>"
    if any(call.cut for call in pairs[-1]):
        yield "<p class=note>It may be a call further inside that differs: there were too many to keep them all.</p>"


def _traced(pair: Pair, depth: int, *, last: bool) -> str:
    one, other = pair
    given = breakable(_cut(one.applied[len(one.function) :]))
    old, new = (breakable(_cut(text)) for text in (outcome_of(one, other), outcome_of(other, one)))
    arrow = "↳ " if depth else ""
    return (
        f"<tr{' class=last' if last else ''}><td style='padding-left:{0.6 + 0.7 * min(depth, 12):g}em'>"
        f"<code>{arrow}<b>{escape(one.function)}</b>{given}</code>"
        f"<td class=before><code>{old}</code><td class=after><code>{new}</code></tr>"
    )


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else text[: _CUT - 1] + "…"
