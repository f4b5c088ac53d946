"""Whether a mutant is found: its program checked as `cpl check` does it, without parsing again what has not changed.

From the name of a packaged program or library file to a `Judge` of its mutants. Called by `test_mutants.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final

from conftest import ROOT
from mutants import Mutant

from cpl import loader
from cpl.collector import no_collection
from cpl.diagnostics import Diagnostic, has_errors
from cpl.semantics.library import Text
from cpl.semantics.resolve import resolve
from cpl.source import Source, Span
from cpl.syntax import nodes, walk
from cpl.syntax.parser import parse
from cpl.types.facts import Facts

PROGRAMS: Final = ROOT / "programs"


@dataclass(frozen=True)
class Judge:
    """A text of the project, and the `program` through which it is checked: itself, or one whose companion it is."""

    name: str
    program: str

    @cached_property
    def _loaded(self) -> loader.Loaded:
        loaded = loader.load(loader.read(PROGRAMS / self.program))
        assert not has_errors(loaded.diagnostics)
        texts = (loaded.main, *loaded.library.companions)
        return replace(loaded, library=replace(loaded.library, standard=_needed(loaded.library.standard, texts)))

    @cached_property
    def text(self) -> Text:
        """The text itself."""
        texts = (self._loaded.main, *self._loaded.library.companions)
        return next(text for text in texts if text.source.path == str(PROGRAMS / self.name))

    def finds(self, mutant: Mutant) -> bool:
        """Whether anything is found in the mutant."""
        tree = self.parsed(mutant)
        return tree is None or any(True for _ in self.findings(replace(self.text, program=tree)))

    @no_collection()
    def findings(self, text: Text) -> Iterator[Diagnostic]:
        """What is said of the program if this is the text."""
        main, library = self._loaded.main, self._loaded.library
        if main is self.text:
            main = text
        else:
            companions = tuple([text if each is self.text else each for each in library.companions])
            library = replace(library, companions=companions)
        program, found = resolve(main, library)
        yield from found
        if not has_errors(found):
            yield from Facts(program).findings(main.source)

    def parsed(self, mutant: Mutant) -> nodes.Program | None:
        """The tree of the mutant, of which one statement only is parsed; None if it cannot be."""
        before = self.text.program.statements
        at = next(at for at, each in enumerate(before) if each is self.statement(mutant.span))
        if not self._stands_alone[at]:
            program, found = parse(Source(self.text.source.path, mutant.text))
            return None if has_errors(found) else program
        longer = len(mutant.text) - len(self.text.source.text)
        span = before[at].span
        statements = _alone(span, mutant.text[span.start : span.end + longer])
        if statements is None:
            return None
        return replace(self.text.program, statements=(*before[:at], *statements, *before[at + 1 :]))

    def statement(self, span: Span) -> nodes.Statement:
        """The statement of the outermost level in which this stands."""
        return next(each for each in self.text.program.statements if each.span.start <= span.start < each.span.end)

    @cached_property
    def _stands_alone(self) -> list[bool]:
        """Whether a statement is read in the same way without the others."""
        return [_alone(each.span, each.span.text) == (each,) for each in self.text.program.statements]


def judges() -> Iterator[Judge]:
    """All texts of the project; the unrepaired one is left out, as it is found without any slip."""
    names = [name for name in loader.manifest(PROGRAMS) if name != "strachey-original.cpl"]
    through = {each: name for name in names for each in loader.entry(str(PROGRAMS / name)).companions}
    for name in names:
        yield Judge(name, through.get(name, name))


def _needed(standard: Text | None, texts: tuple[Text, ...]) -> Text | None:
    """The standard library without what no slip in these texts can come to use."""
    if standard is None:
        return None
    defining = {name.name: each for each in standard.program.statements for name in walk.defined(each)}
    needed = []
    waiting: list[nodes.Node] = [text.program for text in texts]
    while waiting:
        for node in walk.walk(waiting.pop()):
            if isinstance(node, nodes.Name) and (used := defining.pop(node.name, None)):
                needed.append(used)
                waiting.append(used)
    return replace(standard, program=replace(standard.program, statements=tuple(needed)))


def _alone(span: Span, text: str) -> tuple[nodes.Statement, ...] | None:
    """The statements of a text, as if they stood at this place; None if it does not parse."""
    program, found = parse(Source(span.source.path, text))
    return None if has_errors(found) else _moved(program.statements, span)


def _moved(tree: Any, place: Span) -> Any:
    match tree:
        case tuple():
            return tuple([_moved(each, place) for each in tree])
        case nodes.Node():
            return type(tree)(**{each.name: _moved(getattr(tree, each.name), place) for each in fields(tree)})
        case Span():
            return Span(place.source, place.start + tree.start, place.start + tree.end)
        case _:
            return tree
