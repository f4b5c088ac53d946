"""All that is known of one version of a text: its tree, what is wrong with it, what its names mean, and their types."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import Final

from cpl import loader, messages
from cpl.compile_guard import compiling
from cpl.compiler import Meaning, Wanted, advised, findings
from cpl.diagnostics import CplError, Diagnostic, has_errors, report, sort
from cpl.edit.definitions import NAMES, Definition, definitions
from cpl.edit.scopes import Scopes, scopes
from cpl.readings import reading_of
from cpl.records import dataclass, replace
from cpl.semantics import core, walk
from cpl.semantics.library import Library, Text
from cpl.semantics.scope import Uses
from cpl.semantics.whole_program import resolve
from cpl.source import Source, Span
from cpl.syntax import nodes
from cpl.syntax import walk as surface
from cpl.syntax.layout import Layout, lay_out
from cpl.syntax.lexer import Token
from cpl.types.format import written
from cpl.types.modes import with_modes
from cpl.types.type_aliases import shape_names
from cpl.types.types import Type

MOST_LINES: Final = 500
"""To infer the types of a text of so many lines takes about a second."""


@dataclass(frozen=True)
class Analysis:
    """What is known of a text. Of a text with errors, that is about the statements without."""

    meaning: Meaning
    diagnostics: list[Diagnostic]
    uses: Uses
    wrong: tuple[Span, ...] = ()  # the places of errors, those too that come from other errors

    @property
    def source(self) -> Source:
        """The text."""
        return self.meaning.main.source

    @property
    def library(self) -> Library:
        """All texts that are compiled with it."""
        return self.meaning.library

    @property
    def texts(self) -> Sequence[Text]:
        """The text and all that are compiled with it."""
        return self.meaning.main, *self.meaning.library.texts

    @property
    def others(self) -> Sequence[Source]:
        """The sources of all texts that are compiled with it."""
        return [each.source for each in self.meaning.library.texts]

    # Tokens

    @cached_property
    def layout(self) -> Layout:
        """The text as the parser takes it, each statement by itself, finished or not."""
        return lay_out(self.source, cut=True)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens as they are written, with line ends."""
        return [each for each in self.layout.written if each.span.end > each.span.start]

    @cached_property
    def _starts(self) -> list[int]:
        return [each.span.start for each in self.tokens]

    def tokens_at(self, offset: int) -> Iterator[Token]:
        """The token that holds the character after a place, and the one that ends there."""
        last = bisect_right(self._starts, offset)
        yield from (each for each in reversed(self.tokens[max(0, last - 2) : last]) if offset <= each.span.end)

    def name_at(self, offset: int) -> Token | None:
        """The name at a place, or directly before it."""
        return next((each for each in self.tokens_at(offset) if each.kind in NAMES), None)

    # Names

    def meaning_at(self, offset: int) -> Definition | str | None:
        """What the name at a place means, as `meaning_of`; None if there is no name."""
        token = self.name_at(offset)
        return self.meaning_of(token.span) if token else None

    @cached_property
    def definitions(self) -> dict[Span, Definition]:
        """The names that all these texts define, by their places."""
        return {each.span: each for text in self.texts for each in definitions(text.program)}

    @cached_property
    def at_top(self) -> dict[str, Definition]:
        """What the names mean that can be used in all these texts; the first text that defines a name counts."""
        found: dict[str, Definition] = {}
        for text in self.texts:
            for statement in text.program.statements:
                places = [name.span for each in surface.members(statement) for name in surface.defined(each)]
                if isinstance(statement, nodes.NodeType):
                    places += [each.span for each in statement.components]
                for place in places:
                    found.setdefault(self.definitions[place].name, self.definitions[place])
        return found

    def meaning_of(self, place: Span) -> Definition | str | None:
        """What the name at this place means: a definition, or the name of a function of cplrt."""
        found = self.uses.get(place, place)
        return found if isinstance(found, str) else self.definitions.get(found)

    def occurrences(self, definition: Span) -> list[Span]:
        """Where a name stands that is defined there: there, and where it is used, text by text."""
        name = definition.text
        used = [place for place, meant in self.uses.items() if meant == definition and place.text == name]
        return sorted({definition, *used}, key=lambda each: (each.source.path, each.start))

    @cached_property
    def scopes(self) -> Scopes:
        """Where the names that the text defines can be used, in what does not parse too."""
        return scopes(self.layout)

    # Types

    @property
    def is_inferred(self) -> bool:
        """Whether the types are inferred already: if it has errors that concern no types, they are when asked for."""
        return not has_errors(self.meaning.diagnostics)

    @property
    def has_types_soon(self) -> bool:
        """Whether one can wait for the types while one types."""
        return self.is_inferred or self.source.lines <= MOST_LINES

    def type_of(self, definition: Span) -> str | None:
        """The type of a name that is defined there, as Strachey wrote types; None if it has none."""
        type = self._type(definition)
        return None if type is None else written(type, self._shapes)

    def shapes_in(self, type: str) -> dict[str, str]:
        """The shapes that this type names, as Strachey wrote types."""
        words = {*re.findall(r"\w+", type)}
        return {
            name: written(shape, {other: each for other, each in self._shapes.items() if other != shape})
            for shape, name in self._shapes.items()
            if name in words
        }

    def _type(self, definition: Span) -> Type | None:
        found = self._bound.get(definition)
        return self.meaning.facts.type_of(*found) if found and id(found[1]) not in self._doubtful else None

    @cached_property
    def _doubtful(self) -> Set[int]:
        """The definitions of the top level with errors, and those that use them: their types are not known."""
        doubtful = {id(one) for one in self.meaning.core.definitions if any(one.span.holds(at) for at in self.wrong)}
        users: dict[core.Global, list[core.Definition]] = {}
        for one in self.meaning.core.definitions if doubtful else ():
            for name in {part for part in walk.nodes(one) if isinstance(part, core.Global)}:
                users.setdefault(name, []).append(one)
        waiting = [one for one in self.meaning.core.definitions if id(one) in doubtful]
        for one in waiting:  # which grows
            more = [each for name in walk.names(one) if isinstance(name, core.Global) for each in users.get(name, ())]
            waiting += [each for each in more if id(each) not in doubtful]
            doubtful |= {id(each) for each in more}
        return doubtful

    @cached_property
    def _bound(self) -> dict[Span, tuple[core.Local | core.Global, core.Definition]]:
        """For the place of each definition, the variable and the definition of the top level that it is part of."""
        found: dict[Span, tuple[core.Local | core.Global, core.Definition]] = {}
        for one in self.meaning.core.definitions:
            for part in (*walk.names(one), *walk.nodes(one)):
                if isinstance(part, core.Local | core.Global) and part.span in self.definitions:
                    found.setdefault(part.span, (part, one))
        return found

    @cached_property
    def _shapes(self) -> dict[Type, str]:
        """The names of the shapes that recur."""
        every = sorted(self._bound.items(), key=lambda each: each[0].start)
        types = {
            name.name: type
            for span, (name, _) in every
            if isinstance(name, core.Global) and not name.is_hidden and (type := self._type(span)) is not None
        }
        return shape_names(types, {*types})


def analyse(
    source: Source, libraries: Sequence[Source] = (), *, reading: Wanted = None, advice: bool = True
) -> Analysis:
    """Read a text with all that is compiled with it. Without `advice` no repair of an error is looked for, which
    may take seconds.

    The diagnostics are those of `cpl check`, but for what only the making of Python finds. If a companion cannot be
    read, that is the only finding.
    """
    uses: Uses = {}
    try:
        with compiling(source):
            main, library, found = loader.load(source, libraries, reading=reading_of(reading))
            library = replace(library, standard=library.standard or loader.standard())
            program, more = resolve(main, library, uses=uses)
            uses |= _types_in_declarations(main, library, uses)
            errors = found if has_errors(found) else sort(found + advised(more))
            if advice and has_errors(errors):
                from cpl.repairing import repaired

                _, errors = repaired(main, library, found, errors)
            found = errors
            meaning = Meaning(main, library, with_modes(program), found)
            wrong = tuple([each.span for each in (*found, *more) if each.severity == "error"])
            return Analysis(meaning, found if has_errors(found) else findings(meaning), uses, wrong)
    except CplError as error:  # nested too deep
        return nothing_known(source, error.diagnostics)
    except loader.Unreadable as error:
        first = Span(source, 0, len(source.line(1)))
        return nothing_known(source, [report(messages.UNREADABLE, first, reason=str(error))])


def nothing_known(source: Source, found: list[Diagnostic]) -> Analysis:
    """Nothing but this finding."""
    empty = Text(source, nodes.Program((), span=Span(source, 0, 0)))
    return Analysis(Meaning(empty, Library(), core.Program(source, ()), []), found, {})


def _types_in_declarations(main: Text, library: Library, uses: Uses) -> Uses:
    """The names of types in `ref Knot : x` and `LispList : Car`, which are no nodes of the tree."""
    statements = [each for text in (main, *library.texts) for each in text.program.statements]
    types = {each.name.name: each.name.span for each in statements if isinstance(each, nodes.NodeType | nodes.Element)}
    if not types:
        return {}
    named = {each.span for each in definitions(main.program)} | uses.keys()
    tokens = lay_out(main.source).written
    return {each.span: types[each.text] for each in tokens if each.text in types and each.span not in named}
