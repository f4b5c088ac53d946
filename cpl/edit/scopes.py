"""Where names can be used, by the tokens of a text alone: what is half-written has no tree yet, but it has scopes."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from cpl.edit.definitions import NAMES, Kind
from cpl.records import dataclass, field
from cpl.source import Span
from cpl.syntax.layout import Layout, of_same_level, pairs
from cpl.syntax.lexer import Token
from cpl.syntax.tokens import CLOSERS, OPENERS, TYPES


@dataclass(frozen=True)
class Binding:
    """A name that is defined at `span`, and the part of the text in which it can be used. `heading` is what stands
    before the sign that defines it; `parameters` are those of a function.
    """

    name: str
    kind: Kind
    span: Span
    heading: Span
    start: int
    end: int
    parameters: tuple[Span, ...] | None = None

    @property
    def depth(self) -> tuple[int, int]:
        """Of two bindings of one name that hold at a place, the deeper one counts."""
        return self.start, self.span.start


@dataclass(frozen=True)
class Scopes:
    """The bindings of a text, and the spans that no jump leaves: bodies of functions, and value blocks."""

    bindings: list[Binding] = field(default_factory=list)
    closed: list[tuple[int, int]] = field(default_factory=list)

    def at(self, offset: int) -> list[Binding]:
        """What can be used at a place: of each name the innermost binding, those that are defined nearest first."""
        found: dict[str, Binding] = {}
        for each in sorted(self.bindings, key=lambda each: each.depth):
            if each.kind != "label" and each.start <= offset <= each.end:
                found[each.name] = each
        return sorted(found.values(), key=lambda each: (not each.start, abs(each.span.start - offset)))

    def labels_at(self, offset: int) -> list[Binding]:
        """The labels to which a jump can go from a place."""
        here = self._closed_at(offset)
        labels = (each for each in self.bindings if each.kind == "label" and each.start <= offset <= each.end)
        found = {each.name: each for each in labels if self._closed_at(each.span.start) == here}
        return sorted(found.values(), key=lambda each: abs(each.span.start - offset))

    def _closed_at(self, offset: int) -> tuple[int, int] | None:
        return max((each for each in self.closed if each[0] <= offset < each[1]), default=None)


def scopes(layout: Layout) -> Scopes:
    """The scopes of a text, whether it parses or not."""
    found = Scopes()
    statements = layout.statements
    starts = [*(each[0].span.start for each in statements), len(layout.source.text)]
    ends = iter(starts[1:])
    for defines, run in groupby(statements, _defines):
        several = list(run)
        start, end = several[0][0].span.start, starts[starts.index(several[-1][0].span.start) + 1]
        for tokens in several:
            own = next(ends)
            group = _Group(0, len(tokens), tokens[0].span.start, own)
            _Reader(tokens, group, found).read(0 if defines else start, own if defines else end)
    return found


_SIGNS: Final = {"DEFINED", "DEFINED_BY", "SHARES", "BE", "IS"}
_COMMANDS: Final = {"FOR", "WHILE", "UNTIL", "IF", "UNLESS", "TEST", "SWITCH", "NODE", "ELEMENT"}
_ENDS_BODY: Final = {"SEPARATOR", "ALSO", "WHERE_ALSO", "IN"}
_BEFORE_VALUE: Final = _SIGNS | {"ASSIGN", "RESULT_IS", "DO", "THEN", "ELSE", "LABELS", "SEPARATOR"}
_IN_HEADING: Final = {*NAMES, "COMMA", *OPENERS, *CLOSERS} - {"OPEN", "CLOSE"}
_INTRODUCING: Final = {"LET", "FOR", "WHERE", "WHERE_ALSO", "ALSO", "IN"}
_WORDS: Final = {"LET", "REC", "FUNCTION", "ROUTINE", *TYPES}


def _defines(tokens: Sequence[Token]) -> bool:
    return tokens[0].kind not in _COMMANDS and any(kind in _SIGNS for _, kind in of_same_level(tokens, 0))


@dataclass(frozen=True)
class _Group:
    """The tokens within a bracket, by their indices; what is defined there can be used up to the offset `end`."""

    first: int
    last: int
    start: int
    end: int


class _Reader:
    """The tokens of one statement of the top level, read for what they define."""

    def __init__(self, tokens: Sequence[Token], whole: _Group, found: Scopes) -> None:
        self.tokens = tokens
        self.whole = whole
        self.found = found
        self.partner = dict(pairs(tokens))

    def read(self, start: int, end: int) -> None:
        """Put what is defined into `found`; labels of the top level can be used from `start` to `end`."""
        groups = [self.whole]
        while groups:
            group = groups.pop()
            level = [at for at, _ in of_same_level(self.tokens[: group.last], group.first)]
            statements: list[list[int]] = [[]]
            for at in level:
                if self.kind(at) == "SEPARATOR":
                    statements.append([])
                else:
                    statements[-1].append(at)
            labels = (start, end) if group is self.whole else (group.start, group.end)
            for each in filter(None, statements):
                self.statement(each, group, labels)
            groups += [self.within(at, group) for at in level if at in self.partner]

    def kind(self, at: int) -> str:
        """The kind of a token; empty beyond the statement."""
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else ""

    def within(self, at: int, group: _Group) -> _Group:
        """What stands within a bracket. What a `dec` holds can be used as if it stood outside (D4)."""
        closer = self.partner[at]
        span = self.tokens[closer].span
        end = span.start if span.text else group.end  # a bracket that is never closed
        if self.kind(at - 1) in ("VALUE_OF", "RESULT_OF"):
            self.found.closed.append((self.tokens[at].span.start, end))
        return _Group(at + 1, closer, self.tokens[at].span.end, group.end if self.kind(at - 1) == "DEC" else end)

    def statement(self, level: Sequence[int], group: _Group, labels: tuple[int, int]) -> None:
        """What one statement defines, but for what stands in brackets within it."""
        kinds = [self.kind(at) for at in level]
        for at in level:
            if self.kind(at) in NAMES and self.is_label(at, level[0]):
                self.bind(at, "label", *labels)
        if kinds[0] in ("NODE", "ELEMENT"):
            self.types(level)
            return
        after = self.after(level)
        for index, kind in enumerate(kinds):
            if kind in _SIGNS:
                self.definition(level, index, group, after)
            elif kind == "LAMBDA":
                body = next((at for at in level[index:] if self.kind(at) == "DOT"), level[index])
                stop = next((at for at in level[index:] if self.kind(at) in ("WHERE", "WHERE_ALSO")), None)
                end = self.tokens[stop].span.start if stop else self.until(level, len(level), group)
                self.parameters(level[index] + 1, body, self.tokens[body].span.end, end)
        if kinds[0] in TYPES and not _SIGNS & {*kinds}:
            for at in level:
                if self.kind(at) in NAMES:
                    self.bind(at, "label" if kinds[0] == "LABEL" else "variable", *self.rest(group, after))

    def is_label(self, at: int, first: int) -> bool:
        """Whether a name labels a command; if it begins a line, even where the line before is not finished."""
        span = self.tokens[at].span
        is_left = not span.source.line(span.line)[: span.column - 1].strip()
        return self.kind(at + 1) == ("LABELS" if at == first else "COLON") and (at == first or is_left)

    def types(self, level: Sequence[int]) -> None:
        """The types that `node` and `element` define, and the components of nodes; a name before : is only used."""
        whole, first = len(self.tokens[0].span.source.text), ""
        for at in level:
            if self.kind(at) in ("NODE", "ELEMENT"):
                first = self.kind(at)
            elif self.kind(at) in NAMES and self.kind(at - 1) in ("NODE", "ELEMENT"):
                self.bind(at, "type", 0, whole)
            elif self.kind(at) in NAMES and first == "NODE" and self.kind(at + 1) != "COLON":
                self.bind(at, "component", 0, whole)

    def after(self, level: Sequence[int]) -> int:
        """Where the next statement may begin."""
        last = self.tokens[level[-1]].span
        separator = self.tokens[level[-1] + 1] if self.kind(level[-1] + 1) == "SEPARATOR" else None
        if separator and separator.span.text.strip():
            return separator.span.end
        line = last.source.line_at(last.end)
        return last.source.start_of(line + 1) if line < last.source.lines else len(last.source.text) + 1

    def until(self, level: Sequence[int], index: int, group: _Group) -> int:
        """Where a part of a statement ends that ends before this index."""
        at = level[index] if index < len(level) else level[-1] + 1
        return self.tokens[at].span.start if at < group.last else group.end

    def definition(self, level: Sequence[int], index: int, group: _Group, after: int) -> None:
        """What a sign defines: the names before it, and the parameters of a function."""
        first = index
        while first and (self.kind(level[first - 1]) in _IN_HEADING):
            first -= 1
        words = []
        for at in reversed(level[:first]):
            if self.kind(at) not in _WORDS:
                break
            words.append(self.kind(at))
        if first == index:
            return
        sign, head = level[index], level[first]
        heading = self.tokens[head].span.to(self.tokens[sign - 1].span)
        stop = next((each for each in range(index + 1, len(level)) if self.kind(level[each]) in _ENDS_BODY), len(level))
        value = self.tokens[sign].span.end, self.until(level, stop, group)
        start, end = self.extent(level, (first, index, stop), words, group, after)
        if self.kind(head + 1) in OPENERS and self.kind(head) in NAMES:
            given = self.parameters(head + 2, self.partner[head + 1], *value)
            self.found.closed.append(value)
            kind: Kind = "routine" if self.kind(sign) in ("BE", "IS") or "ROUTINE" in words else "function"
            self.bind(head, kind, start, end, heading, given)
        else:
            kind = "label" if "LABEL" in words else "constant" if start == 0 else "variable"
            for at in range(head, sign):
                if self.kind(at) in NAMES:
                    self.bind(at, kind, start, end)

    def extent(
        self, level: Sequence[int], places: tuple[int, int, int], words: Sequence[str], group: _Group, after: int
    ) -> tuple[int, int]:
        """Where the names of a definition can be used: `places` are where its heading, its sign and its end stand."""
        first, sign, stop = places
        every = [self.kind(at) for at in level]
        introduced = [each for each in range(first) if every[each] in _INTRODUCING]
        word = every[introduced[-1]] if introduced else ""
        recursive = "REC" in words or (word in ("ALSO", "WHERE_ALSO") and self.is_recursive(every, introduced))
        if word == "FOR":
            do = next((each for each in range(sign, len(level)) if every[each] == "DO"), stop)
            return self.until(level, do, group), self.until(level, len(level), group)
        if word in ("WHERE", "WHERE_ALSO"):
            where = next(each for each in reversed(introduced) if every[each] == "WHERE")
            before = [each for each in range(where) if every[each] in _BEFORE_VALUE]
            begin = self.tokens[level[before[-1]]].span.end if before else self.tokens[level[0]].span.start
            last = self.until(level, len(level) if recursive else where, group)
            return begin, last
        if "IN" in every[sign:]:
            inner = level[every.index("IN", sign)]
            return self.tokens[inner].span.end, self.until(level, len(level), group)
        return self.rest(group, self.tokens[level[first]].span.start if recursive else after)

    def rest(self, group: _Group, start: int) -> tuple[int, int]:
        """From a place to the end of the section; at the top level, where all see each other, the whole text."""
        return (0, len(self.tokens[0].span.source.text)) if group is self.whole else (start, group.end)

    def is_recursive(self, every: Sequence[str], introduced: Sequence[int]) -> bool:
        """Whether a definition after an `and` belongs to those of a `rec`."""
        start = next((each for each in reversed(introduced) if every[each] not in ("ALSO", "WHERE_ALSO")), -1)
        return "REC" in every[start + 1 : start + 3] or (start < 0 and every[:1] == ["REC"])

    def parameters(self, first: int, last: int, start: int, end: int) -> tuple[Span, ...]:
        """The parameters that these tokens name; they can be used from `start` to `end`."""
        named = [at for at in range(first, last) if self.kind(at) in NAMES and self.kind(at + 1) != "COLON"]
        for at in named:
            self.bind(at, "parameter", start, end)
        return tuple([self.tokens[at].span for at in named])

    def bind(
        self,
        at: int,
        kind: Kind,
        start: int,
        end: int,
        heading: Span | None = None,
        given: Sequence[Span] | None = None,
    ) -> None:
        """Note what the name at an index is, and from where to where it can be used."""
        name = self.tokens[at]
        known = None if given is None else tuple(given)
        self.found.bindings.append(Binding(name.text, kind, name.span, heading or name.span, start, end, known))
