"""The smallest edit that makes a text parse: one sign put in, taken out, or changed.

Only the definition that does not parse is looked at. The parser's state before each of its tokens is kept; an edit is
tried only if its first token can follow there, and then the parser goes on from that state. Edits that parse are ranked
by the rule of `ranking.py`.

Edits that differ only in brackets which mean nothing count as one; of them a closing bracket is shown where a line ends
or a comma follows, else what takes a sign out, else the latest place.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import Any, Final

from cpl import causes
from cpl.diagnostics import Diagnostic, Fix, printable
from cpl.source import Source, Span
from cpl.syntax import nodes, within
from cpl.syntax.automaton import Automaton, Stack
from cpl.syntax.layout import Layout, join, lay_out, lay_out_tokens
from cpl.syntax.lexer import Token, tokenize, visible
from cpl.syntax.parser import build_program, parse, start_state
from cpl.syntax.ranking import Arities, Ranking, cost
from cpl.syntax.signs import BEGINS, CLOSERS, PHRASES, PRINTED
from cpl.syntax.usage import Usage

MOST_TOKENS: Final = 3000
"""How long a definition may be that is looked at."""

MOST_WORK: Final = 700_000
"""How many tokens may be laid out in search of a repair, the places next to the error first: some three seconds."""

_WORK_OF_RANKING: Final = 5
"""How many times longer it takes to build and rank what parses than to lay it out."""

_BRACKETS: Final = ("ROUND_CLOSE", "SQUARE_CLOSE", "CLOSE", "ROUND_OPEN", "SQUARE_OPEN", "OPEN")
_SIGNS: Final = ("COMMA", "ARROW", "EQUAL", "PLUS", "MINUS", "TIMES", "DIVIDE", "AND", "OR", "NOT", "LESS", "GREATER")
_CHANGEABLE: Final = (
    *_BRACKETS,
    *_SIGNS,
    "SECTION",
    "UNKNOWN",
    "COLON",
    "DOT",
    "ASSIGN",
    "SEPARATOR",
    "UNEQUAL",
    "AT_LEAST",
    "AT_MOST",
)
_PUT_IN: Final = ("SEPARATOR", "JUXTAPOSED", "MAYBE")
"""What layout may put before a token."""

_AT_LEFT: Final = BEGINS - {"OPEN", "VALUE_OF", "RESULT"} | {"GET"}
"""What a statement of the outermost level may begin with."""


_OPEN: Final = {"ROUND_OPEN": 1, "ROUND_CLOSE": -1, "SQUARE_OPEN": 1j, "SQUARE_CLOSE": -1j}
"""What a terminal adds to the brackets that are open: one number for both sorts."""


@dataclass(frozen=True)
class Edit:
    """One sign put in before, taken out of, or put in the place of, what is written at `span`."""

    span: Span
    put: str = ""  # a terminal, as the one that is taken out
    taken: str = ""

    @property
    def opens(self) -> complex:
        """What the edit adds to the brackets that are open."""
        return _OPEN.get(self.put, 0) - _OPEN.get(self.taken, 0)

    def fix(self, *, stroked: bool) -> Fix:
        """The edit as text; `stroked` if sections are closed by a sign of their own."""
        written = PRINTED["OPEN"] if self.put == "CLOSE" and not stroked else PRINTED.get(self.put, "")
        taken = "".join(map(visible, self.span.text))
        place = f"{_after(self.span)} on line {self.span.line}"
        if not self.taken:
            return Fix(self.span, written, f"put {written} {place}")
        if not self.put:
            return Fix(self.span, "", f"take out {taken} {place}")
        return Fix(self.span, written, f"write {written} for {taken} {place}")


def _after(span: Span) -> str:
    """`after x + y`: the last few tokens before a place, as far as they are on its line."""
    line = span.source.line(span.line)
    tokens, _ = tokenize(Source("line", line[: span.column - 1]))
    start = span.column - 1
    for token in reversed(tokens):
        length = span.column - 1 - token.span.start
        if length > _MOST_SHOWN or (token.kind == "COMMA" and length > _LEAST_SHOWN):
            break
        start = token.span.start
    shown = line[start : span.column - 1].strip(" ,")
    return f"after {printable(shown)}" if shown else "at the beginning"


_LEAST_SHOWN: Final = 8
_MOST_SHOWN: Final = 24


@dataclass(frozen=True)
class Repair:
    """An edit, and the program that it leads to."""

    fix: Fix
    program: nodes.Program


def repairs(
    source: Source, arities: Arities, library: Sequence[Source] = (), samples: Sequence[Source] = ()
) -> list[Repair]:
    """All edits after which a text parses, the likeliest first, one of each meaning.

    None are found unless exactly one definition is at fault. The texts of the `library` define names for this one, and
    are in its manner; `samples` are in its manner only.
    """
    layout = lay_out(source)
    parts = list(_definitions(layout.written))
    programs = [_parse(part, layout) for part in parts]
    at_fault = [index for index, program in enumerate(programs) if program is None]
    if len(at_fault) != 1 or len(parts[at_fault[0]]) > MOST_TOKENS:
        return []
    [index] = at_fault
    usage = _usage(parts, programs, layout, [*library, *samples])
    known = [_program(text) for text in library]
    ranking = Ranking([*known, *filter(None, programs)], arities, usage)
    meanings: dict[object, _Meaning] = {}
    functions = {name for part in parts for name in _applied(part)} | ranking.arities.keys()
    for edit, edited, laid in _candidates(parts[index], layout, functions, ranking.known):
        if program := build_program(laid, layout):
            paused = _at_pause(edit, edited)
            rank = ranking.rank(program, edited, cost(edit.taken, paused=paused))
            meanings.setdefault(without_grouping(program), _Meaning()).add(rank, paused, edit, program)
    result = []
    for meaning in sorted(meanings.values(), key=lambda each: each.rank):
        programs[index] = meaning.program
        statements = [statement for program in programs if program for statement in program.statements]
        whole = replace(meaning.program, statements=tuple(statements))
        result.append(Repair(meaning.edit.fix(stroked=layout.stroked), whole))
    return result


def _usage(
    parts: Sequence[Sequence[Token]], programs: Sequence[nodes.Program | None], layout: Layout, others: Sequence[Source]
) -> Usage:
    """What is usual in the sound parts of a text, and in others."""
    usage = Usage()
    for part, program in zip(parts, programs, strict=True):
        if program:
            usage.learn_order(part)
            usage.learn_shapes(program)
        else:
            usage.learn_order(_before_error(part, layout))
    for text in others:
        usage.add(_manner(text))
    return usage


@lru_cache
def _manner(text: Source) -> Usage:
    """What is usual in a whole text."""
    usage = Usage()
    for part in _definitions(lay_out(text).written):
        usage.learn_order(part)
    usage.learn_shapes(_program(text))
    return usage


@lru_cache
def _program(text: Source) -> nodes.Program:
    return parse(text)[0]


def _before_error(tokens: Sequence[Token], layout: Layout) -> Sequence[Token]:
    """The tokens of a definition before a bracket that is left open: there, nothing is amiss."""
    found: list[Diagnostic] = []
    lay_out_tokens(tokens, found, stroked=layout.stroked)
    if found and found[0].cause is causes.UNCLOSED_BRACKET:
        return [token for token in tokens if token.span.start < found[0].span.start]
    return []


def _place_of_error(laid: Sequence[Token], found: Sequence[Diagnostic], sound: int) -> int:
    """Where to look first: a bracket that is amiss, else the first token that the parser does not take."""
    return found[0].span.start if found else laid[min(sound, len(laid)) - 1].span.start


class _Meaning:
    """The edits that lead to one meaning. The likeliest gives the rank; shown is a bracket where it would be looked
    for.
    """

    def __init__(self) -> None:
        self.rank: tuple[float, ...] = (inf,)
        self.place: tuple[object, ...] = ()

    def add(self, rank: tuple[float, ...], paused: bool, edit: Edit, program: nodes.Program) -> None:
        """One more edit."""
        self.rank = min(self.rank, rank)
        at_head = not edit.span.source.line(edit.span.line)[: edit.span.column - 1].strip()
        place = (paused, not edit.put, not edit.taken, not at_head, edit.span.start)
        if not self.place or place > self.place:
            self.place, self.edit, self.program = place, edit, program


def _at_pause(edit: Edit, edited: Sequence[Token]) -> bool:
    """Whether a closing bracket is put in where a line or a section ends or a comma follows."""
    if edit.taken or edit.put not in CLOSERS:
        return False
    after = (token.kind for token in edited if token.span.start >= edit.span.end and token.span != edit.span)
    return next(after, "NEWLINE") in ("NEWLINE", "COMMA", "SECTION", "CLOSE")


def _definitions(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Cut the tokens where something that may begin a definition stands at the very left."""
    part: list[Token] = []
    for token in tokens:
        at_left = token.kind in _AT_LEFT and token.span.column == 1
        if at_left and any(each.kind != "NEWLINE" for each in part):
            yield part
            part = []
        part.append(token)
    if part:
        yield part


def _parse(tokens: Sequence[Token], layout: Layout) -> nodes.Program | None:
    """The program of these tokens, None if they do not parse."""
    found: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, found, stroked=layout.stroked))
    if found or any(token.kind == "UNKNOWN" for token in laid):
        return None
    return build_program(laid, layout)


def _applied(tokens: Sequence[Token]) -> Iterator[str]:
    """Large names before a bracket: functions, as far as can be told."""
    for token, following in pairwise(tokens):
        if token.kind == "LARGE" and following.kind in ("ROUND_OPEN", "SQUARE_OPEN"):
            yield token.text


def _candidates(
    tokens: Sequence[Token], layout: Layout, functions: Set[str], known: Set[str]
) -> Iterator[tuple[Edit, list[Token], list[Token]]]:
    """Edits after which a definition parses, with the tokens that they lead to, as written and as laid out."""
    automaton = Automaton(start_state())
    found: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, found, stroked=layout.stroked))
    limit = _first_certain(found)
    snapshots = _snapshots(laid, automaton)
    before = _laid_before(tokens, laid)
    starts = [token.span.start for token in [*tokens, tokens[-1]]]
    wrong = _place_of_error(laid, found, len(snapshots))
    left_open = sum(_OPEN.get(token.kind, 0) for token in tokens)
    possible = [
        index
        for index, start in enumerate(starts)
        if (left_open or before[index] < len(snapshots)) and (limit is None or start <= limit)
    ]
    work = 0
    for index in sorted(possible, key=lambda index: abs(starts[index] - wrong)):
        count = before[index]
        for edit, edited in _edits(tokens, index, functions, known):
            if edit.opens != -left_open:
                continue
            following = next((each.kind for each in edited[index:] if each.kind != "NEWLINE"), "$END")
            if count < len(snapshots) and not _may_follow(automaton, snapshots[count], following):
                continue
            work += len(tokens)
            if work > MOST_WORK:
                return
            more: list[Diagnostic] = []
            new = join(lay_out_tokens(edited, more, stroked=layout.stroked, sound=True))
            kinds = [each.kind for each in new]
            same = count < len(snapshots) and all(
                one.kind == kind for one, kind in zip(laid[:count], kinds, strict=False)
            )
            start, rest = (snapshots[count], kinds[count:]) if same else (automaton.start, kinds)
            if not more and "UNKNOWN" not in kinds and automaton.accepts(start, rest):
                work += _WORK_OF_RANKING * len(tokens)
                yield edit, edited, new


def _first_certain(found: Sequence[Diagnostic]) -> int | None:
    """Where the first bracket stands that cannot be right; None if brackets are only left open."""
    places = []
    for each in found:
        if each.cause is causes.UNCLOSED_BRACKET:
            places += [span.start for span, _ in each.related]
        else:
            places.append(each.span.start)
    return min(places, default=None)


def _snapshots(laid: Sequence[Token], automaton: Automaton) -> list[Stack]:
    """The stack before each token, as far as the parser gets."""
    stacks = [automaton.start]
    for token in laid:
        after = automaton.advance(stacks[-1], token.kind)
        if after is None:
            break
        stacks.append(after)
    return stacks


def _laid_before(tokens: Sequence[Token], laid: Sequence[Token]) -> list[int]:
    """For each token, and for the end, how many laid-out tokens stand before it whatever it is."""
    result, count = [], 0
    for token in [*tokens, None]:
        while count < len(laid) and (token is None or _is_before(laid[count].span, token.span)):
            count += 1
        certain = count
        while certain and not laid[certain - 1].span.text:  # put in by layout, or a bracket that it closed
            certain -= 1
        result.append(certain)
    return result


def _is_before(one: Span, other: Span) -> bool:
    return one.end < other.start or one.start < one.end == other.start


def _may_follow(automaton: Automaton, stack: Stack, kind: str) -> bool:
    """Whether a token of this kind, as it is before layout, can come next."""
    stacks = [stack, *filter(None, (automaton.advance(stack, between) for between in _PUT_IN))]
    return any(automaton.advance(each, laid) for each in stacks for laid in _LAID_OUT.get(kind, (kind,)))


_LAID_OUT: Final = {"EQUAL": ("EQUAL", "DEFINED"), "SECTION": ("OPEN", "CLOSE")} | {
    first: (phrase,) for (first, _), phrase in PHRASES.items()
}


def _edits(
    tokens: Sequence[Token], index: int, functions: Set[str], known: Set[str]
) -> Iterator[tuple[Edit, list[Token]]]:
    """What can be done at one place, with the tokens that it leads to."""
    head, tail = tokens[:index], tokens[index:]
    source = tokens[0].span.source
    if not tail or tail[0].kind == "NEWLINE":
        if head and head[-1].kind != "NEWLINE":  # an empty line has no places of its own
            end = head[-1].span.end
            yield from _insertions(head, tail, Span(source, end, end))
        return
    token, *rest = tail
    yield from _insertions(head, tail, Span(source, token.span.start, token.span.start))
    yield Edit(token.span, taken=token.kind), [*head, *rest]
    if token.kind in _CHANGEABLE:
        for sign in (*_BRACKETS, *_SIGNS):
            if sign != token.kind:
                yield Edit(token.span, sign, token.kind), [*head, _sign(sign, token.span), *rest]
    if token.kind == "LARGE" and token.text not in known:
        for length in range(1, len(token.text)):  # `HeadL` may have been `Head(L`
            if token.text[:length] in functions:
                split = token.span.start + length
                place = Span(source, split, split)
                name = Token("LARGE", token.text[:length], Span(source, token.span.start, split))
                others, _ = tokenize(Source(source.path, " " * split + token.text[length:]))
                moved = [replace(each, span=Span(source, each.span.start, each.span.end)) for each in others]
                for sign in ("ROUND_OPEN", "SQUARE_OPEN"):
                    yield Edit(place, sign), [*head, name, _sign(sign, place), *moved, *rest]


def _insertions(head: Sequence[Token], tail: Sequence[Token], place: Span) -> Iterator[tuple[Edit, list[Token]]]:
    for sign in (*_BRACKETS, *_SIGNS):
        yield Edit(place, sign), [*head, _sign(sign, place), *tail]


def _sign(kind: str, span: Span) -> Token:
    return Token(kind, "" if kind in ("OPEN", "CLOSE") else PRINTED[kind], span)


def without_grouping(node: Any) -> Any:
    """The tree as nested tuples, brackets round one expression left out."""
    match node:
        case nodes.Bracket(items=(only,), square=False):
            return without_grouping(only)
        case nodes.Node():
            return (type(node), *(without_grouping(value) for value in within.values(node)))
        case tuple():
            return tuple([without_grouping(each) for each in node])
        case _:
            return node
