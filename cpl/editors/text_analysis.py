"""The analysis of one version of a text: its tree, its diagnostics, the meanings of its names, and their types.

What is typed is seldom whole. Of a text with errors, the statements without are known; and `Analysis.at_cursor` makes
the statement at the cursor whole: it puts a name in place of what is typed, and closes what is open. Of a text that
ends at the cursor, behind `Area(x, `, it makes one that parses:

    Area(w,h) = w × h                     Area(w,h) = w × h
    Twice(x) = 2 × Area(x,          →     Twice(x) = 2 × Area(x, c'''')

The name is defined nowhere, so the resolver records what is in scope at its place, here x: completion offers that
first. The tree shows that it is the second argument of Area: that is the signature to show.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from cpl.compiler import loader, messages
from cpl.compiler.diagnostics import CplError, Diagnostic, compiling, has_errors, report, sort
from cpl.compiler.pipeline import Meaning, advised
from cpl.compiler.readings import ReadingOption
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.semantics.scope import Scopes, Uses
from cpl.compiler.semantics.whole_program import resolve
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.layout import Layout, lay_out
from cpl.compiler.syntax.lexer import Token
from cpl.compiler.syntax.parser import finished
from cpl.compiler.types.modes import with_modes
from cpl.compiler.types.types import Type, shape_names, written
from cpl.editors.definitions import NAMES, Definition, definitions
from cpl.limits import MOST_LINES_INFERRED

_CURSOR: Final = "c''''"
"""The name that stands at the cursor: a small one with primes, after which any text may follow."""


@dataclass(frozen=True)
class Analysis:
    """The analysis of a text. Of a text with errors it covers the statements without."""

    meaning: Meaning
    diagnostics: list[Diagnostic]
    uses: Uses = field(default_factory=dict)
    scopes: Scopes = field(default_factory=dict)
    wrong: tuple[Span, ...] = ()  # the places of errors, those too that come from other errors

    @property
    def source(self) -> Source:
        """The text."""
        return self.meaning.main.source

    @property
    def program(self) -> nodes.Program:
        """The tree of the text."""
        return self.meaning.main.program

    @property
    def library(self) -> Library:
        """All texts that are compiled with it."""
        return self.meaning.library

    @property
    def texts(self) -> Sequence[Text]:
        """The text and all that are compiled with it."""
        return self.meaning.main, *self.meaning.library.texts

    # Tokens

    @cached_property
    def layout(self) -> Layout:
        """The text as the parser takes it, each statement by itself, finished or not."""
        return lay_out(self.source, cut=True)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens as they are written, with line ends."""
        return [token for token in self.layout.written if token.span.end > token.span.start]

    def tokens_at(self, offset: int) -> Iterator[Token]:
        """The token that holds the character after a place, and the one that ends there."""
        return (token for token in reversed(self.tokens) if token.span.start <= offset <= token.span.end)

    def name_at(self, offset: int) -> Token | None:
        """The name at a place, or directly before it."""
        return next((token for token in self.tokens_at(offset) if token.kind in NAMES), None)

    @cached_property
    def comments(self) -> dict[str, dict[int, nodes.Comment]]:
        """The comments of each of these texts, by its path and by their lines."""
        by_path = {}
        for text in self.texts:
            by_path[text.source.path] = {comment.span.line: comment for comment in text.program.comments}
        return by_path

    # Names

    def meaning_at(self, offset: int) -> Definition | str | None:
        """Return what the name at a place means, as `meaning_of`, or None if there is no name."""
        name = self.name_at(offset)
        return self.meaning_of(name.span) if name else None

    @cached_property
    def definitions(self) -> dict[Span, Definition]:
        """The names that all these texts define, by their places."""
        return {definition.span: definition for text in self.texts for definition in definitions(text.program)}

    @cached_property
    def at_top(self) -> dict[str, Definition]:
        """The definitions of names that can be used in all these texts; the first text that defines a name counts."""
        at_top: dict[str, Definition] = {}
        for text in self.texts:
            for statement in text.program.statements:
                for place in _defined_by(statement):
                    definition = self.definitions[place]
                    at_top.setdefault(definition.name, definition)
        return at_top

    def meaning_of(self, place: Span) -> Definition | str | None:
        """Return what the name at this place means: a definition, or the name of a function of cplrt."""
        meaning = self.uses.get(place, place)
        return meaning if isinstance(meaning, str) else self.definitions.get(meaning)

    def occurrences(self, definition: Span) -> list[Span]:
        """Return where a name stands that is defined there: there, and where it is used, text by text."""
        name = definition.text
        used = [place for place, meant in self.uses.items() if meant == definition and place.text == name]
        return sorted({definition, *used}, key=lambda place: (place.source.path, place.start))

    def at_cursor(self, typed: Span) -> "tuple[Analysis, Span] | None":
        """The analysis of the text with a name in place of what is typed, and the place of that name; None if no
        program has a name there. The statement is cut off after the name and finished, unless it parses as it is.
        """
        text = self.source.text
        source = Source(self.source.path, text[: typed.start] + _CURSOR + text[typed.end :])
        cursor = Span(source, typed.start, typed.start + len(_CURSOR))

        statements = lay_out(source, cut=True).statements
        statement = next((tokens for tokens in statements if tokens[-1].span.end >= cursor.end), [])
        up_to_cursor = [token for token in statement if token.span.start <= cursor.start]
        if not up_to_cursor or up_to_cursor[-1].text != _CURSOR:
            return None
        program = finished(source, statement, most=0) or finished(source, up_to_cursor)
        if program is None:
            return None

        # The other statements are those of this text: `start` and `end` are the places of this statement there.
        start = statement[0].span.start
        end = statement[-1].span.end - len(_CURSOR) + len(typed.text)
        others = [other for other in self.program.statements if other.span.end <= start or other.span.start >= end]
        program = replace(program, statements=(*others, *program.statements))

        main = replace(self.meaning.main, source=source, program=program)
        whole = Analysis(Meaning(main, self.library, core.Program(source, ()), []), [])
        try:
            with compiling(source):
                resolve(main, self.library, uses=whole.uses, scopes=whole.scopes)
        except CplError:  # nested too deep
            return None
        return whole, cursor

    def here(self, place: Span) -> Span:
        """The same offsets in this text, for a place in a version of it with a name at the cursor."""
        return Span(self.source, place.start, place.end) if place.source.path == self.source.path else place

    # Types

    @property
    def is_inferred(self) -> bool:
        """Whether the types are inferred already. Of a text with errors they are inferred when asked for."""
        return not has_errors(self.meaning.diagnostics)

    @property
    def has_types_soon(self) -> bool:
        """Whether the types can be inferred fast enough while one types."""
        return self.is_inferred or self.source.lines <= MOST_LINES_INFERRED

    def type_of(self, definition: Span) -> str | None:
        """The type of a name that is defined there, as Strachey wrote types; None if it has none."""
        type = self._type(definition)
        return None if type is None else written(type, self._shapes)

    def shapes_in(self, type: str) -> dict[str, str]:
        """The shapes that this type names, as Strachey wrote types."""
        words = {*re.findall(r"\w+", type)}
        shapes = {}
        for shape, name in self._shapes.items():
            if name in words:
                # With its own name among them it would be written as that name.
                others = {other: label for other, label in self._shapes.items() if other != shape}
                shapes[name] = written(shape, others)
        return shapes

    def _type(self, place: Span) -> Type | None:
        """The type of the name that is defined at a place; None if it has none."""
        bound = self._bound.get(place)
        return self.meaning.facts.shown.type_of(*bound) if bound else None

    @cached_property
    def _untyped(self) -> Set[int]:
        """The definitions of the top level with errors, and those that use them: their types are not known."""
        every = {id(definition): definition for definition in self.meaning.core.definitions}
        wrong = [key for key, definition in every.items() if any(definition.span.holds(at) for at in self.wrong)]
        if not wrong:
            return set()

        users: dict[core.Node, list[int]] = {}
        for key, definition in every.items():
            used = {part for part in walk.nodes(definition) if isinstance(part, core.Global)}
            for name in used:
                users.setdefault(name, []).append(key)

        def users_of(key: int) -> Iterator[int]:
            for name in walk.names(every[key]):
                yield from users.get(name, ())

        return {*reachable(wrong, users_of)}

    @cached_property
    def _bound(self) -> dict[Span, tuple[core.Variable, core.Definition]]:
        """For the place of each definition that has a type, the variable and the definition of the top level that it is
        part of.
        """
        bound: dict[Span, tuple[core.Variable, core.Definition]] = {}
        for definition in self.meaning.core.definitions:
            if id(definition) in self._untyped:
                continue
            for part in (*walk.names(definition), *walk.nodes(definition)):
                if isinstance(part, core.Variable) and part.span in self.definitions:
                    bound.setdefault(part.span, (part, definition))
        return bound

    @cached_property
    def _shapes(self) -> dict[Type, str]:
        """The names of the shapes that recur."""
        types: dict[str, Type] = {}
        for place in sorted(self._bound, key=lambda place: place.start):
            variable, _ = self._bound[place]
            type = self._type(place)
            if isinstance(variable, core.Global) and not variable.is_hidden and type is not None:
                types[variable.name] = type
        return shape_names(types, {*types})


def _defined_by(statement: nodes.Statement) -> Iterator[Span]:
    """The places of the names that a statement of the top level defines, the components of a type among them."""
    for member in surface.members(statement):
        for name in surface.defined(member):
            yield name.span
    if isinstance(statement, nodes.NodeType):
        for component in statement.components:
            yield component.span


def analyse(
    source: Source, libraries: Sequence[Source] = (), *, reading: ReadingOption = None, advice: bool = True
) -> Analysis:
    """Read a text with all that is compiled with it. Without `advice` no repair of an error is looked for, which
    may take seconds.

    The diagnostics are those of `cpl check`, but for what only the making of Python finds. If a companion cannot be
    read, that is the only finding.
    """
    uses: Uses = {}
    try:
        with compiling(source):
            main, library, errors = loader.load(source, libraries, reading=reading)
            library = replace(library, standard=library.standard or loader.standard())
            program, resolved = resolve(main, library, uses=uses)
            _add_types(main, library, uses)
            wrong = tuple(finding.span for finding in (*errors, *resolved) if finding.severity == "error")

            # What the resolver misses in a text that does not parse may stand in what was left out.
            diagnostics = errors if has_errors(errors) else sort(errors + advised(resolved))
            if advice and has_errors(diagnostics):
                from cpl.compiler.repairing import repaired

                _, diagnostics = repaired(main, library, errors, diagnostics)

            meaning = Meaning(main, library, with_modes(program), diagnostics)
            shown = diagnostics if has_errors(diagnostics) else meaning.findings
            return Analysis(meaning, shown, uses, wrong=wrong)
    except CplError as error:  # nested too deep
        return empty_analysis(source, error.diagnostics)
    except loader.Unreadable as error:
        first = Span(source, 0, len(source.line(1)))
        return empty_analysis(source, [report(messages.UNREADABLE, first, reason=str(error))])


def empty_analysis(source: Source, diagnostics: list[Diagnostic]) -> Analysis:
    """An analysis of which only these diagnostics are known."""
    empty = Text(source, nodes.Program((), span=Span(source, 0, 0)))
    return Analysis(Meaning(empty, Library(), core.Program(source, ()), []), diagnostics)


def _add_types(main: Text, library: Library, uses: Uses) -> None:
    """Add the names of types in `ref Knot : x` and `LispList : Car`, which are no nodes of the tree."""
    types: dict[str, Span] = {}
    for text in (main, *library.texts):
        for statement in text.program.statements:
            if isinstance(statement, nodes.NodeType | nodes.Element):
                types[statement.name.name] = statement.name.span
    if not types:
        return

    explained = {definition.span for definition in definitions(main.program)} | uses.keys()
    for token in lay_out(main.source).written:
        if token.text in types and token.span not in explained:
            uses[token.span] = types[token.text]
