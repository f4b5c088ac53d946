"""The smallest edit that makes a text parse: one token inserted, deleted or replaced.

    Sum(L) = Null(L → 0, Head(L) + Sum(Tail(L))     becomes     Sum(L) = Null(L) → 0, Head(L) + Sum(Tail(L))

Only the definition that does not parse is searched, nearest to the error first. If all parse, a comma, → or = that may
be lost is inserted near the places of the errors. An edit is tried only if it balances the brackets. Of the edits that
parse, the likeliest leave the fewest faults (`Ranking`); among equals, a closing bracket inserted at a pause wins, then
any insertion, then one after a blank, then the later place. `repairing` judges the whole program after each.

Edits whose results differ only in redundant brackets count as one. The one that is shown closes a bracket at a pause,
else it deletes a token, else it is the latest.

A fault is what no compiler would accept: a call that disagrees with the number of parameters, an undefined name, a
function as an operand, a junction of a number or a list, an unused value, a block without a result, a constant with the
name of a function. So is what nobody writes: a test without a truth value, a truth value among arguments or limits of a
loop, an empty list or call.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any, Final

from cpl.compiler.diagnostics import Diagnostic, Fix
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.layout import Layout, join, lay_out, lay_out_tokens
from cpl.compiler.syntax.lexer import Token, tokenize, visible
from cpl.compiler.syntax.parser import build_program, tree_of
from cpl.compiler.syntax.preference import with_preferences
from cpl.compiler.syntax.tokens import BEGINS, CLOSERS, OPENERS, PRINTED
from cpl.limits import MOST_BLANKS, MOST_TOKENS_TO_REPAIR, MOST_TOKENS_TRIED
from cpl.outside import printable

Arities = Mapping[str, tuple[int, int]]
"""The least and the most arguments of each known function."""

_JUNCTIONS: Final = frozenset("AND OR NOT".split())
_TESTS: Final = ("Null", "Is")
_COMPARISONS: Final = frozenset("EQUAL UNEQUAL LESS GREATER AT_MOST AT_LEAST".split())
_RELATIONS: Final = _COMPARISONS | {"EQUIVALENT", "INEQUIVALENT"}


class Ranking:
    """Counts the faults of a definition that may use these programs and is used by them."""

    def __init__(self, programs: Sequence[nodes.Program], arities: Arities) -> None:
        self.arities = {**arities, **_arities(programs)}
        defined: set[str] = set()
        used: set[str] = set()
        for program in programs:
            defined.update(name.name for name, _ in surface.bindings(program))
            used.update(_used(program))
        self.known = defined | self.arities.keys()
        self._wanted = used - self.known
        self.names = self.known | self._wanted

    def faults(self, program: nodes.Program) -> int:
        """The number of faults in a definition, names included that the other programs expect it to define."""
        arities = {**self.arities, **_arities([program])}
        defined = {name.name for name, _ in surface.bindings(program)}
        undefined = (self._wanted | (set(_used(program)) - self.known)) - defined
        return len(undefined) + sum(_faults(node, arities) for node in surface.walk(program))


def _faults(node: nodes.Node, arities: Arities) -> int:
    """The faults of one node."""
    match node:
        case nodes.FunctionHeading(parameters=()) | nodes.Bracket((), square=False):
            return 1
        case nodes.Application(function=function, arguments=arguments):
            least, most = arities.get(function.name, _ANY) if isinstance(function, nodes.Name) else _ANY
            is_wrong_count = not least <= len(arguments) <= most
            if not arguments:
                return most > 0 and (least, most) != _ANY  # of a function that takes some
            return is_wrong_count + sum(map(_is_relation, arguments))
        case nodes.Bracket(items=items, square=square) if square or len(items) > 1:
            return sum(map(_is_relation, items))
        case nodes.Chain(items=items):
            has_function = any(isinstance(item, nodes.Name) and arities.get(item.name, _ANY)[0] for item in items)
            begins_with_plus = _is_of(items[:1], {"PLUS"})
            joins_numbers = _is_of(items, _JUNCTIONS) and _is_of_numbers(items)
            return has_function + begins_with_plus + joins_numbers + _compares_a_test(items)
        case nodes.Arm(test=test) | nodes.If(test=test) | nodes.While(test=test) | nodes.Test(condition=test):
            return isinstance(test, nodes.Chain | nodes.Number) and not _is_logical(test)
        case nodes.ForStep(first=first, step=step, last=last):
            return sum(_is_relation(limit) for limit in (first, step, last) if limit)
        case nodes.Definition(heading=nodes.Name(name=name)):
            return name in arities
        case nodes.ValueBlock(section=section, result=False):
            return not any(isinstance(part, nodes.Result | nodes.ValueCommand) for part in surface.walk(section))
        case nodes.ValueCommand(value=value):
            return not isinstance(value, nodes.Application | nodes.Name)
        case _:
            return 0


_ANY: Final = (0, 1_000_000)
"""The arity of a function that nothing is known about."""


def _is_logical(node: nodes.Expression) -> bool:
    """Tell whether this may have a truth value: a junction may be one of bit strings."""
    return _is_relation(node) or (isinstance(node, nodes.Chain) and _is_of(node.items, _JUNCTIONS))


def _is_relation(node: nodes.Expression) -> bool:
    """Tell whether this is a conditional or a condition, which arguments and members seldom are without brackets."""
    match node:
        case nodes.Chain(items=items):
            return _is_of(items, _RELATIONS) or (_is_of(items, _JUNCTIONS) and any(map(_is_a_test, items)))
        case _:
            return isinstance(node, nodes.Conditional)


def _is_of(items: Sequence[nodes.Node], kinds: Set[str]) -> bool:
    """Tell whether an operator of these kinds is among the items of a chain."""
    return any(isinstance(item, nodes.Operator) and item.kind in kinds for item in items)


def _compares_a_test(items: Sequence[nodes.Node]) -> bool:
    """Tell whether the truth value of a test is compared as a number: `Null(L) = 1`."""
    return any(
        (_is_a_test(one) and _is_of([other], _COMPARISONS)) or (_is_of([one], _COMPARISONS) and _is_a_test(other))
        for one, other in pairwise(items)
    )


def _is_a_test(node: nodes.Node) -> bool:
    match node:
        case nodes.Application(function=nodes.Name(name=name)):
            return name in _TESTS
        case _:
            return False


def _is_of_numbers(items: Sequence[nodes.Node]) -> bool:
    """Tell whether a number or a list is among the items of a chain, and no relation that may have it."""
    return not _is_of(items, _RELATIONS) and any(
        isinstance(item, nodes.Number) or (isinstance(item, nodes.Bracket) and item.square) for item in items
    )


def _arities(programs: Sequence[nodes.Program]) -> dict[str, tuple[int, int]]:
    """The arities of the functions that programs define, and of the constructors and selectors of nodes."""
    counts: dict[str, int] = {}
    for program in programs:
        for part in chain.from_iterable(map(surface.members, program.statements)):
            match part:
                case nodes.Definition(heading=nodes.FunctionHeading() as heading) | nodes.Routine(heading=heading):
                    counts[heading.name.name] = len(heading.parameters)
                case nodes.NodeType(name=name, components=components):
                    counts[name.name] = len(components)
                    counts.update((component.name, 1) for component in components)
    return {name: (count, count) for name, count in counts.items()}


def _functions(programs: Sequence[nodes.Program]) -> Iterator[str]:
    """The names of all functions in programs, also of those that only a part sees, and of what makes nodes and selects
    their components.
    """
    for node in chain.from_iterable(map(surface.walk, programs)):
        match node:
            case nodes.FunctionHeading(name=name):
                yield name.name
            case nodes.NodeType(name=name, components=components):
                yield name.name
                yield from (component.name for component in components)
            case nodes.Definition(heading=nodes.Name(name=name), value=nodes.Lambda()):
                yield name


def _used(program: nodes.Program) -> Iterator[str]:
    """The large names in a program: a slip may join two of them."""
    return (node.name for node in surface.walk(program) if isinstance(node, nodes.Name) and node.name[:1].isupper())


_WORK_OF_RANKING: Final = 5
"""How many times longer it takes to build and rank an edit that parses than to lay it out."""

WANTED: Final = ContextVar[Callable[[], bool]]("whether repairs are still wanted", default=lambda: True)
"""Asked again and again: the search ends when they are not, as the text has changed in an editor."""

_INSERTABLE: Final = (
    *("ROUND_CLOSE", "SQUARE_CLOSE", "CLOSE", "ROUND_OPEN", "SQUARE_OPEN", "OPEN"),
    *("COMMA", "ARROW", "EQUAL", "PLUS", "MINUS", "TIMES", "DIVIDE", "AND", "OR", "NOT", "LESS", "GREATER"),
)
"""The tokens that an edit may insert."""

_REPLACEABLE: Final = {
    *_INSERTABLE,
    *("SECTION", "UNKNOWN", "COLON", "DOT", "ASSIGN", "SEPARATOR", "UNEQUAL", "AT_LEAST", "AT_MOST"),
}
"""The tokens that an edit may replace."""

_SEPARATING: Final = ("COMMA", "ARROW", "EQUAL")
"""The tokens that may be lost in a text that parses without."""

_OF_SECTIONS: Final = {"SECTION", "OPEN", "CLOSE"}
"""What an edit is about if the sections are not balanced."""

_SUSPECTS: Final = 3
"""In so many definitions a lost token is looked for if all parse: those with the most errors."""

_AT_LEFT: Final = BEGINS - {"OPEN", "VALUE_OF", "RESULT"} | {"GET"}
"""The tokens that may begin a statement of the top level."""

_PARTNERS: Final = OPENERS | CLOSERS
"""The other bracket of each pair."""

_LAST_WORDS: Final = re.compile(r"(?:\b|(?=[^\w\s]))[^\s'′,].{0,23}$|\w+$")
"""At most 24 characters at the end of a text, or its last word if that is longer."""


@dataclass(frozen=True)
class TokenEdit:
    """One token inserted at `span`, or the token there deleted or replaced."""

    span: Span
    inserted: str = ""  # the terminals; empty if none is inserted, or none is deleted
    deleted: str = ""
    at_pause: bool = False  # a closing bracket inserted where a line or a section ends or a comma follows
    lines_away: int = 0  # from the error

    @property
    def rank(self) -> tuple[int, ...]:
        """Of edits that leave equally many faults, the likeliest has the lowest rank."""
        text, start = self.span.source.text, self.span.start
        is_doubled = self.deleted == "CLOSE" and text[:start][-MOST_BLANKS:].rstrip().endswith(self.span.text)
        follows_blank = text[start - 1 : start] == " "  # as when a token between two others is lost
        return (
            not self.at_pause,
            self._closes_early,
            self.lines_away if self.at_pause else 0,  # of closing brackets at pauses the nearest
            bool(self.deleted) and not is_doubled,  # to lose a token is likelier than to have one too many
            not (follows_blank or is_doubled),
            -start,  # the last: what stands before the error is likely to be right
        )

    def divides(self, functions: Set[str]) -> bool:
        """Tell whether this divides a word, or a name from its bracket: a comma may do so, unless the name is that of a
        function, which would lose its brackets.
        """
        text, start = self.span.source.text, self.span.start
        is_in_word = re.fullmatch(r"[\w'][\w'(\[]", text[start - 1 : start + 1]) is not None
        name = re.search(r"[\w']*\Z", text[:start]) if text[start : start + 1] in ("(", "[") else None
        is_function = name is not None and name.group() in functions
        return is_in_word and (self.inserted != "COMMA" or is_function)

    @property
    def _closes_early(self) -> bool:
        """Whether this closes a section before a line that is indented as far, or further."""
        if self.inserted != "CLOSE":
            return False
        source, here = self.span.source, self.span.line
        later = (source.line(number) for number in range(here + 1, source.lines + 1))
        following = next((line for line in later if line.strip()), None)
        return following is not None and _indentation(following) >= _indentation(source.line(here))

    @property
    def prominence(self) -> tuple[int, ...]:
        """Of edits that mean the same, the one with the highest prominence is shown."""
        begins_line = not self.span.source.line(self.span.line)[: self.span.column - 1].strip()
        follows_on_line = bool(self.deleted) or not begins_line
        return self.at_pause, not self.inserted, not self.deleted, follows_on_line, self.span.start

    def fix(self, *, stroked: bool) -> Fix:
        """The edit as text; `stroked` if sections are closed by a symbol of their own."""
        written = PRINTED.get(self.inserted, "")
        if self.inserted in ("OPEN", "CLOSE") and "$(" in self.span.source.text:
            written = "$(" if self.inserted == "OPEN" else "$)"
        elif self.inserted == "CLOSE" and not stroked:
            written = PRINTED["OPEN"]  # a plain § closes, too
        if not self.deleted:
            advice = f"insert `{written}`"
        elif self.inserted:
            advice = f"replace {_quoted(self.span.text)} with `{written}`"
        else:
            advice = f"delete {_quoted(self.span.text)}"
        return Fix(self.span, written, f"{advice} {_after(self.span)}")


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _quoted(deleted: str) -> str:
    """A token as code; a hidden character in words."""
    return f"`{deleted}`" if deleted.isprintable() else "".join(map(visible, deleted))


def _after(span: Span) -> str:
    """Where a place is: after the last few words before it on its line, from a comma on if there are enough."""
    before = span.source.line(span.line)[: span.column - 1].strip(" \t,")
    last = before.rpartition(",")[2].strip()
    shown = _LAST_WORDS.search(last if len(last) > 8 else before)
    if not shown:
        return f"at the beginning of line {span.line}"
    return f"after `{printable(shown.group())}` on line {span.line}"


@dataclass(frozen=True)
class Repair:
    """An edit, and the program after it."""

    fix: Fix
    program: nodes.Program


def repairs(
    source: Source, arities: Arities, library: Sequence[nodes.Program] = (), places: Sequence[Span] = ()
) -> list[Repair]:
    """All edits after which a text parses, the likeliest first, one of each meaning.

    There are none if two definitions do not parse. If all do, what stands near these `places` of errors is edited. The
    `library` defines more names.
    """
    layout = lay_out(source)
    parts = _definitions(layout.written)
    programs = [build_program(part, layout) for part in parts]
    suspects = [index for index, program in enumerate(programs) if program is None]
    if len(suspects) > 1 or any(len(parts[index]) > MOST_TOKENS_TO_REPAIR for index in suspects):
        return []
    if not suspects:
        starts = [part[0].span.start for part in parts]
        own = sorted(place.start for place in places if place.source == source)
        errors_by_part = Counter(bisect(starts, start) - 1 for start in own)
        suspects = [index for index, _ in errors_by_part.most_common(_SUSPECTS)]

    functions = {*arities, *_functions([*library, *filter(None, programs)])}
    ranked: list[tuple[tuple[int, tuple[int, ...]], Repair]] = []
    for index in suspects:
        before, after = programs[:index], programs[index + 1 :]
        ranking = Ranking([*library, *filter(None, before + after)], arities)
        candidates: dict[object, list[tuple[int, TokenEdit, nodes.Program]]] = {}  # by what they mean
        near = places if programs[index] else ()
        for edit, program in _edits_that_parse(parts[index], layout, ranking, near, functions):
            candidates.setdefault(without_grouping(program), []).append((ranking.faults(program), edit, program))

        for equivalent in candidates.values():
            _, edit, program = max(equivalent, key=lambda candidate: candidate[1].prominence)
            definitions = filter(None, [*before, program, *after])
            statements = chain.from_iterable(definition.statements for definition in definitions)
            whole = replace(program, statements=with_preferences(statements))  # a prefer reaches into other definitions
            repair = Repair(edit.fix(stroked=layout.stroked), whole)
            rank = min((faults, edit.rank) for faults, edit, _ in equivalent)
            ranked.append((rank, repair))
    return [repair for _, repair in sorted(ranked, key=lambda pair: pair[0])]


def _definitions(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """Cut the tokens where one that may begin a definition stands at the left margin."""
    starts = [at for at, token in enumerate(tokens) if token.kind in _AT_LEFT and token.span.column == 1]
    return [tokens[start:end] for start, end in pairwise([0, *starts, len(tokens)]) if start < end]


def _edits_that_parse(
    tokens: Sequence[Token], layout: Layout, ranking: Ranking, places: Sequence[Span], functions: Set[str]
) -> Iterator[tuple[TokenEdit, nodes.Program]]:
    """The edits after which a definition parses, with the definition after the edit. A definition that parses as it is
    has `places` of errors, and the edits insert what may be lost near them, but keep the `functions` applied.
    """
    diagnostics: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, diagnostics, stroked=layout.stroked))
    _, reached = tree_of(laid)
    error = tokens[-1].span.end if reached == len(laid) else laid[reached].span.start

    whole = tokens[0].span.to(tokens[-1].span)
    near = [place.start for place in places if whole.holds(place)]
    if not near:
        near = [diagnostics[0].span.start if diagnostics else error]
    lines = [layout.source.line_at(place) for place in near]
    starts = [token.span.start for token in (*tokens, tokens[-1])]
    nearest_first = sorted(range(len(starts)), key=lambda index: min(abs(starts[index] - place) for place in near))

    in_sections = bool(diagnostics) and diagnostics[0].span.text.startswith(("§", "$"))
    balance = _balance([token.kind for token in tokens])
    names = ranking.names | {token.text for token in tokens if token.kind == "LARGE"}
    work = 0  # in tokens that were laid out
    for index in nearest_first:
        if starts[index] > error and balance == (0, 0):
            continue  # the error is before it, so only a lost bracket may be there
        for edit, replaced, instead in _edits(tokens, index, names):
            if _balance([edit.deleted, _PARTNERS.get(edit.inserted, "")]) != balance:
                continue
            if places and (edit.deleted or edit.inserted not in _SEPARATING or edit.divides(functions)):
                continue
            if in_sections and not {edit.deleted, edit.inserted} & _OF_SECTIONS:
                continue
            work += len(tokens)
            if work > MOST_TOKENS_TRIED or not WANTED.get()():
                return
            edited = [*tokens[:index], *instead, *tokens[index + replaced :]]
            program = build_program(edited, layout)
            if program:
                work += _WORK_OF_RANKING * len(tokens)
                lines_away = min(abs(edit.span.line - line) for line in lines)
                yield replace(edit, lines_away=lines_away), program


def _balance(kinds: list[str]) -> tuple[int, int]:
    """Count the round and the square brackets that these terminals leave open."""
    count = kinds.count
    return count("ROUND_OPEN") - count("ROUND_CLOSE"), count("SQUARE_OPEN") - count("SQUARE_CLOSE")


def _edits(tokens: Sequence[Token], index: int, names: Set[str]) -> Iterator[tuple[TokenEdit, int, list[Token]]]:
    """The edits at one place, each with the number of tokens there that it replaces, and the tokens in their place."""
    at_end = index == len(tokens) or tokens[index].kind == "NEWLINE"
    if at_end and (index == 0 or tokens[index - 1].kind == "NEWLINE"):
        return  # an empty line has no places of its own
    token = tokens[index - 1] if at_end else tokens[index]
    source, place = token.span.source, token.span.end if at_end else token.span.start

    is_pause = at_end or token.kind in ("COMMA", "SECTION", "CLOSE")
    for kind in _INSERTABLE:
        edit = TokenEdit(Span(source, place, place), kind, at_pause=is_pause and kind in CLOSERS)
        yield edit, 0, [Token(kind, "", edit.span)]
    if at_end:
        return

    if not token.span.text[:1].isalnum():  # a word or a name is hardly one too many
        yield TokenEdit(token.span, deleted=token.kind), 1, []
    if token.kind in _REPLACEABLE:
        for kind in _INSERTABLE:
            if kind != token.kind:
                yield TokenEdit(token.span, kind, token.kind), 1, [Token(kind, "", token.span)]

    if token.kind == "LARGE":
        yield from _splits(token, names)


def _splits(token: Token, names: Set[str]) -> Iterator[tuple[TokenEdit, int, list[Token]]]:
    """The edits that divide a large name after a known one: `HeadL` may have been `Head(L`, or `Head,L`."""
    source = token.span.source
    for length in range(1, len(token.text)):
        known = token.text[:length]
        if known not in names:
            continue
        split = token.span.start + length
        name = Token("LARGE", known, Span(source, token.span.start, split))
        rest, _ = tokenize(Source(source.path, " " * split + token.text[length:]))
        moved = [replace(token, span=Span(source, token.span.start, token.span.end)) for token in rest]
        for kind in ("ROUND_OPEN", "SQUARE_OPEN", "COMMA"):
            edit = TokenEdit(Span(source, split, split), kind)
            yield edit, 1, [name, Token(kind, "", edit.span), *moved]


def without_grouping(node: Any) -> Any:
    """The tree as nested tuples, brackets round one expression left out."""
    match node:
        case nodes.Bracket(items=(only,), square=False):
            return without_grouping(only)
        case nodes.Node():
            return (type(node), *map(without_grouping, surface.values(node)))
        case tuple():
            return tuple(map(without_grouping, node))
        case _:
            return node
