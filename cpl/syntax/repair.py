"""The smallest edit that makes a text parse: one sign put in, taken out, or changed.

Only the definition that does not parse is looked at. The parser's stack before each of its tokens is kept, and an edit
is tried only if its first token can follow there. Of the edits that parse, the likeliest leave the fewest faults
(`ranking`); then a closing bracket is put in where one would pause, or a sign is put in anywhere, and the later place
wins.

Edits that differ only in brackets which mean nothing count as one; of them a closing bracket is shown where a line ends
or a comma follows, else what takes a sign out, else the latest place.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import Any, Final

from cpl import messages
from cpl.diagnostics import Diagnostic, Fix, printable
from cpl.source import Source, Span
from cpl.syntax import nodes, walk
from cpl.syntax.automaton import Automaton, Stack
from cpl.syntax.layout import Layout, join, lay_out, lay_out_tokens
from cpl.syntax.lexer import Token, tokenize, visible
from cpl.syntax.parser import automaton, build_program
from cpl.syntax.ranking import Arities, Ranking
from cpl.syntax.tokens import BEGINS, CLOSERS, OPENERS, PHRASES, PRINTED

MOST_TOKENS: Final = 3000
"""How long a definition may be that is looked at."""

MOST_WORK: Final = 700_000
"""How many tokens may be laid out in search of a repair, the places next to the error first: some three seconds."""

_WORK_OF_RANKING: Final = 5
"""How many times longer it takes to build and rank what parses than to lay it out."""

_SIGNS: Final = (
    *("ROUND_CLOSE", "SQUARE_CLOSE", "CLOSE", "ROUND_OPEN", "SQUARE_OPEN", "OPEN"),
    *("COMMA", "ARROW", "EQUAL", "PLUS", "MINUS", "TIMES", "DIVIDE", "AND", "OR", "NOT", "LESS", "GREATER"),
)
"""What may be put in."""

_CHANGEABLE: Final = {
    *_SIGNS,
    *("SECTION", "UNKNOWN", "COLON", "DOT", "ASSIGN", "SEPARATOR", "UNEQUAL", "AT_LEAST", "AT_MOST"),
}

_PUT_IN: Final = ("SEPARATOR", "JUXTAPOSED", "MAYBE")
"""What layout may put before a token."""

_LAID_OUT: Final = {"EQUAL": ("EQUAL", "DEFINED"), "SECTION": ("OPEN", "CLOSE")} | {
    first: (phrase,) for (first, _), phrase in PHRASES.items()
}
"""What layout may make of a token."""

_AT_LEFT: Final = BEGINS - {"OPEN", "VALUE_OF", "RESULT"} | {"GET"}
"""What a statement of the outermost level may begin with."""

_OPENED: Final = {"ROUND_OPEN": (1, 0), "ROUND_CLOSE": (-1, 0), "SQUARE_OPEN": (0, 1), "SQUARE_CLOSE": (0, -1)}
"""How many round and square brackets a terminal opens."""

_PARTNERS: Final = OPENERS | CLOSERS
"""Of each bracket the other one of its pair."""

_LEAST_SHOWN: Final = 8
_MOST_SHOWN: Final = 24


@dataclass(frozen=True)
class Edit:
    """One sign put in before, taken out of, or put in the place of, what is written at `span`."""

    span: Span
    put: str = ""  # a terminal, as the one that is taken out
    taken: str = ""

    def fix(self, *, stroked: bool) -> Fix:
        """The edit as text; `stroked` if sections are closed by a sign of their own."""
        written = PRINTED["OPEN"] if self.put == "CLOSE" and not stroked else PRINTED.get(self.put, "")
        taken = "".join(map(visible, self.span.text))
        what = f"write {written} for {taken}" if self.taken else f"put {written}"
        what = what if self.put else f"take out {taken}"
        return Fix(self.span, written, f"{what} {_after(self.span)} on line {self.span.line}")


def _after(span: Span) -> str:
    """`after x + y`: the last few tokens before a place, as far as they are on its line."""
    end = span.column - 1
    line = span.source.line(span.line)[:end]
    start = end
    for token in reversed(tokenize(Source("line", line))[0]):
        length = end - token.span.start
        if length > _MOST_SHOWN or (token.kind == "COMMA" and length > _LEAST_SHOWN):
            break
        start = token.span.start
    shown = line[start:].strip(" ,")
    return f"after {printable(shown)}" if shown else "at the beginning"


@dataclass(frozen=True)
class Repair:
    """An edit, and the program that it leads to."""

    fix: Fix
    program: nodes.Program


def repairs(source: Source, arities: Arities, library: Sequence[nodes.Program] = ()) -> list[Repair]:
    """All edits after which a text parses, the likeliest first, one of each meaning.

    None are found unless exactly one definition is at fault. The programs of the `library` define names for this one.
    """
    layout = lay_out(source)
    parts = _definitions(layout.written)
    programs = [_parse(part, layout) for part in parts]
    at_fault = [index for index, program in enumerate(programs) if program is None]
    if len(at_fault) != 1 or len(parts[at_fault[0]]) > MOST_TOKENS:
        return []
    [index] = at_fault
    ranking = Ranking([*library, *filter(None, programs)], arities)
    functions = {name for part in parts for name in _applied(part)} | ranking.arities.keys()
    candidates: dict[object, list[_Candidate]] = {}
    for edit, edited, laid in _edits_that_parse(parts[index], layout, functions, ranking.known):
        if program := build_program(laid, layout):
            candidate = _Candidate(edit, program, ranking.faults(program), _at_pause(edit, edited))
            candidates.setdefault(without_grouping(program), []).append(candidate)
    result = []
    for alike in sorted(candidates.values(), key=lambda alike: min(each.rank for each in alike)):
        shown = max(alike, key=lambda each: each.prominence)
        programs[index] = shown.program
        statements = [statement for program in programs if program for statement in program.statements]
        whole = replace(shown.program, statements=tuple(statements))
        result.append(Repair(shown.edit.fix(stroked=layout.stroked), whole))
    return result


@dataclass(frozen=True)
class _Candidate:
    """An edit that parses."""

    edit: Edit
    program: nodes.Program  # the definition
    faults: int
    paused: bool  # whether it closes a bracket at a pause

    @property
    def rank(self) -> tuple[int, ...]:
        """The lower the likelier."""
        return self.faults, not self.paused, bool(self.edit.taken), -self.edit.span.start

    @property
    def prominence(self) -> tuple[int, ...]:
        """The higher the likelier to be shown, among edits that mean the same."""
        span = self.edit.span
        at_head = not span.source.line(span.line)[: span.column - 1].strip()
        return self.paused, not self.edit.put, not self.edit.taken, not at_head, span.start


def _at_pause(edit: Edit, edited: Sequence[Token]) -> bool:
    """Whether a closing bracket is put in where a line or a section ends or a comma follows."""
    if edit.taken or edit.put not in CLOSERS:
        return False
    after = (token.kind for token in edited if token.span.start >= edit.span.end and token.span != edit.span)
    return next(after, "NEWLINE") in ("NEWLINE", "COMMA", "SECTION", "CLOSE")


def _definitions(tokens: Sequence[Token]) -> list[list[Token]]:
    """Cut the tokens where something that may begin a definition stands at the very left."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        at_left = token.kind in _AT_LEFT and token.span.column == 1
        if at_left and any(each.kind != "NEWLINE" for each in parts[-1]):
            parts.append([])
        parts[-1].append(token)
    return [part for part in parts if part]


def _parse(tokens: Sequence[Token], layout: Layout) -> nodes.Program | None:
    """The program of these tokens, None if they do not parse."""
    laid = _laid_out(tokens, layout)
    return None if laid is None else build_program(laid, layout)


def _laid_out(tokens: Sequence[Token], layout: Layout) -> list[Token] | None:
    """The tokens as the parser takes them, None if a bracket is amiss or a sign is unknown."""
    found: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, found, stroked=layout.stroked, sound=True))
    return None if found or any(token.kind == "UNKNOWN" for token in laid) else laid


def _applied(tokens: Sequence[Token]) -> Iterator[str]:
    """Large names before a bracket: functions, as far as can be told."""
    pairs = pairwise(tokens)
    return (name.text for name, sign in pairs if name.kind == "LARGE" and sign.kind in ("ROUND_OPEN", "SQUARE_OPEN"))


def _edits_that_parse(
    tokens: Sequence[Token], layout: Layout, functions: Set[str], known: Set[str]
) -> Iterator[tuple[Edit, list[Token], list[Token]]]:
    """Edits after which a definition parses, with the tokens that they lead to, as written and as laid out."""
    machine = automaton()
    found: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, found, stroked=layout.stroked))
    stacks = machine.stacks(token.kind for token in laid)
    ends = [token.span.end for token in laid]
    wrong = found[0].span.start if found else laid[min(len(stacks), len(laid)) - 1].span.start
    limit = _first_certain(found)
    balance = _balance([token.kind for token in tokens])
    starts = [token.span.start for token in (*tokens, tokens[-1])]
    work = 0
    for index in sorted(range(len(starts)), key=lambda index: abs(starts[index] - wrong)):
        sound = bisect_right(ends, starts[index]) if index < len(tokens) else len(laid)
        while sound and not laid[sound - 1].span.text:  # put in by layout, or a bracket that it closed
            sound -= 1
        stack = stacks[sound] if sound < len(stacks) else None
        if starts[index] > limit or (stack is None and balance == (0, 0)):
            continue
        for edit, edited in _edits(tokens, index, functions, known):
            if _balance([edit.taken, _PARTNERS.get(edit.put, "")]) != balance:
                continue
            following = next((each.kind for each in edited[index:] if each.kind != "NEWLINE"), "$END")
            if stack and not _may_follow(machine, stack, following):
                continue
            work += len(tokens)
            if work > MOST_WORK:
                return
            new = _laid_out(edited, layout)
            if new is not None and len(machine.stacks([*(each.kind for each in new), "$END"])) == len(new) + 2:
                work += _WORK_OF_RANKING * len(tokens)
                yield edit, edited, new


def _balance(kinds: Sequence[str]) -> tuple[int, int]:
    """How many round and square brackets these terminals leave open."""
    opened = [_OPENED.get(kind, (0, 0)) for kind in kinds]
    return sum(round for round, _ in opened), sum(square for _, square in opened)


def _first_certain(found: Sequence[Diagnostic]) -> float:
    """Where the first bracket stands that cannot be right; infinity if brackets are only left open."""
    spans = []
    for each in found:
        spans += [span for span, _ in each.related] if each.cause is messages.UNCLOSED_BRACKET else [each.span]
    return min((span.start for span in spans), default=inf)


def _may_follow(automaton: Automaton, stack: Stack, kind: str) -> bool:
    """Whether a token of this kind, as it is before layout, can come next."""
    stacks = [stack, *filter(None, (automaton.advance(stack, between) for between in _PUT_IN))]
    return any(automaton.advance(each, laid) for each in stacks for laid in _LAID_OUT.get(kind, (kind,)))


def _edits(
    tokens: Sequence[Token], index: int, functions: Set[str], known: Set[str]
) -> Iterator[tuple[Edit, list[Token]]]:
    """What can be done at one place, with the tokens that it leads to."""
    head, tail = tokens[:index], tokens[index:]
    at_end = not tail or tail[0].kind == "NEWLINE"
    if at_end and (not head or head[-1].kind == "NEWLINE"):
        return  # an empty line has no places of its own
    token = head[-1] if at_end else tail[0]
    source, place = token.span.source, token.span.end if at_end else token.span.start
    edits = [Edit(Span(source, place, place), sign) for sign in _SIGNS]
    if not at_end:
        edits.append(Edit(token.span, taken=token.kind))
        put = _SIGNS if token.kind in _CHANGEABLE else ()
        edits += [Edit(token.span, sign, token.kind) for sign in put if sign != token.kind]
    for edit in edits:
        yield edit, [*head, *_sign(edit), *tail[bool(edit.taken) :]]
    if at_end or token.kind != "LARGE" or token.text in known:
        return
    for length in range(1, len(token.text)):  # `HeadL` may have been `Head(L`
        if token.text[:length] in functions:
            split = token.span.start + length
            name = Token("LARGE", token.text[:length], Span(source, token.span.start, split))
            others, _ = tokenize(Source(source.path, " " * split + token.text[length:]))
            moved = [replace(each, span=Span(source, each.span.start, each.span.end)) for each in others]
            for sign in ("ROUND_OPEN", "SQUARE_OPEN"):
                edit = Edit(Span(source, split, split), sign)
                yield edit, [*head, name, *_sign(edit), *moved, *tail[1:]]


def _sign(edit: Edit) -> list[Token]:
    """What an edit puts in."""
    return [Token(edit.put, "", edit.span)] if edit.put else []


def without_grouping(node: Any) -> Any:
    """The tree as nested tuples, brackets round one expression left out."""
    match node:
        case nodes.Bracket(items=(only,), square=False):
            return without_grouping(only)
        case nodes.Node():
            return (type(node), *(without_grouping(value) for value in walk.values(node)))
        case tuple():
            return tuple([without_grouping(each) for each in node])
        case _:
            return node
