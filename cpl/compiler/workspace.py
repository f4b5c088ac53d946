"""A program that grows text by text, as in the REPL and in notebooks.

Each text is compiled with all earlier ones as one program, but only what is new runs. A name has its last definition
everywhere, also in functions that were defined before that. Values that were computed stay. An earlier definition that
does not compile with the later ones is set aside, and a warning says to define it again.

    F(x) = x + 1
    G(x) = 2F(x)
    n = G(1)          n is 4
    F(x) = x + 10     G(1) is 22 from now on, and n is still 4
    F(x,y) = x + y    G is set aside, as it gives F one argument
"""

import ast
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cplrt import Cell, Input, NumberCell, Output
from cplrt.faults import NoValue
from cplrt.streams import end_line

from cpl.compiler import loader, messages, pipeline
from cpl.compiler.diagnostics import CplError, Diagnostic, Invalid, as_warning, compiling, has_errors, sort
from cpl.compiler.pipeline import Meaning
from cpl.compiler.python.emit import Generated, LoweredDefinition, generate
from cpl.compiler.python.execute import extend, python_text
from cpl.compiler.readings import DEFAULT, Reading, ReadingOption, reading_of
from cpl.compiler.semantics import core, numbers, walk
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.semantics.superseded import in_force, leaving_out, wholes
from cpl.compiler.semantics.whole_program import CALL, resolve
from cpl.compiler.source import Source, Span
from cpl.compiler.suggestions import meant, near
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.types.modes import with_modes
from cpl.compiler.types.types import written

CALLED: Final = f"{CALL}1"
"""The function in `Workspace.namespace` that evaluates the last expression."""

_DROPPED: Final = "this earlier definition does not fit any more, and is set aside: define it again, to fit"
_SET_ASIDE: Final = "{name} was set aside by {path}, which its definition does not fit: define it again"


@dataclass
class _Compiled:
    """New texts that are compiled with the earlier ones, as far as these fit, and have not run yet."""

    meaning: Meaning
    generated: Generated
    fresh: list[Text]
    earlier: list[Text]


class Workspace:
    """The definitions and values of one session.

    `reading` says how the texts to come are read, `warnings` are those of the last text, and `namespace` is the live
    Python module of all texts. `ran` are the Python names of the definitions that ran, until it is emptied.
    """

    def __init__(self, *, reading: ReadingOption = None) -> None:
        self.reading: Reading = reading_of(reading)
        self.warnings: list[Diagnostic] = []
        self.ran: set[str] = set()
        self._reported: set[object] = set()  # what misleads and was told before
        self.namespace: dict[str, Any] = {"__name__": "cpl session"}
        self._texts: list[Text] = []  # the last one first
        self._evaluated: dict[Source, list[core.Commands]] = {}  # the expressions at the ends of all texts, in order
        self._host_part: str | None = None
        self._entries = 0
        self._places: dict[core.Global, _Place] = {}
        self._shapes: dict[core.Global, object] = {}  # of the functions and types in the namespace
        self._pieces: list[LoweredDefinition] = []
        self._set_aside: dict[str, tuple[Span, str]] = {}  # names, with their definitions, and what they do not fit

    # Running

    def run(self, text: str, path: str | None = None, *, repair: bool = False) -> Any:
        """Run definitions and commands. If the last one is an expression, the result is its value, else None.

        `path` is what messages call the text; without it that is `<entry 1>`, `<entry 2>` … With `repair`, one
        wrong token is repaired, and a warning says how.

        Raises CplError if the text has errors: then nothing is changed. Raises CplFault if it fails while it runs:
        what ran before has its effect.
        """
        self._entries += 1
        source = Source(path or f"<entry {self._entries}>", text)
        return self._result(self._compile(source, with_call=True, repair=repair))

    def load(self, path_or_name: str | Path) -> None:
        """Run a file or a packaged program, with its companions. Raises as `run` does, and Unreadable."""
        self._result(self._compile(loader.read(loader.find(str(path_or_name)))))

    def prepare(self, expression: str) -> None:
        """Compile an expression, so that `namespace[CALLED]()` evaluates it. Raises CplError, and Invalid if the text
        is no expression.
        """
        self._accept(self._expression(expression))

    # Looking

    @property
    def names(self) -> list[str]:
        """The names that the texts define and that have values, in alphabetical order."""
        return sorted(name.name for name, _ in self._live())

    @property
    def all_names(self) -> list[str]:
        """The names that an expression may use: those of the texts, of the standard library, and of cplrt."""
        library = self._library([])
        standard = library.standard.program.statements if library.standard else ()
        standard_names = (name.name for statement in standard for name in surface.defined(statement))
        return sorted({*self.names, *library.host, *standard_names})

    @property
    def values(self) -> dict[str, Any]:
        """The values of `names`, by their Python names."""
        return {self._places[name].python: value for name, value in self._live()}

    def python(self, name: str) -> str:
        """Return the Python of a definition, as text. Raises Invalid if no text defines the name."""
        for piece in self._pieces:
            if any(variable.name == name and variable.origin == "" for variable in _globals(piece.definition)):
                return python_text(piece.statements)
        if name in self._set_aside:
            _, path = self._set_aside[name]
            help: str | None = _SET_ASIDE.format(name=name, path=path)
        else:
            help = meant(name, near(name, self.names))
        raise Invalid(f"{name} is not defined here; {help}" if help else f"{name} is not defined here")

    def type_of(self, expression: str) -> str:
        """Return the type of an expression, which is not evaluated. Raises as `prepare` does, also for a type error."""
        meaning = self._expression(expression).meaning
        source = meaning.main.source
        wrong = [diagnostic for diagnostic in meaning.facts.findings(source) if diagnostic.span.source == source]
        if has_errors(wrong):
            raise CplError(wrong)
        [call] = pipeline.calls(meaning)
        type = meaning.facts.shown.of(call.body)
        return written(type) if type is not None else "nothing"

    def _live(self) -> Iterator[tuple[core.Global, Any]]:
        """The names that the texts define and that have values, with these, in no order."""
        for name in _all_globals(self._pieces):  # each once, though a name may be in several pieces
            if name.origin == "" and name.name != CALLED:
                for value in self._places[name].values(self.namespace):
                    yield name, value

    # Compiling

    def _library(self, texts: Sequence[Text], alone: Library | None = None) -> Library:
        """Return the library for a text: these texts, and what it gets `alone`."""
        own = alone or Library()
        texts = (*own.libraries, *own.companions, *texts)
        return Library(tuple(texts), (), loader.standard(), own.host_part or self._host_part)

    def _expression(self, text: str) -> _Compiled:
        compiled = self._compile(Source("<expression>", text), with_call=True)
        if compiled.fresh[0].program.statements or not compiled.meaning.calls:
            raise Invalid("expected one expression")
        return compiled

    def _compile(self, source: Source, *, with_call: bool = False, repair: bool = False) -> _Compiled:
        """Compile a text with the earlier ones; `with_call` takes an expression at its end as one to evaluate."""
        with compiling(source):
            main, alone, diagnostics = loader.load(source, reading=None if self.reading == DEFAULT else self.reading)
            try:
                return self._compiled(main, alone, diagnostics, with_call=with_call)
            except CplError as error:
                errors = error.diagnostics
            from cpl.compiler.repairing import repaired

            earlier = [text for text in self._texts if text.source != source]
            library = self._library(in_force(earlier, [main]), alone)
            main, diagnostics = repaired(main, library, diagnostics, errors, repair=repair)
            return self._compiled(main, alone, diagnostics, with_call=with_call)

    def _compiled(self, main: Text, alone: Library, diagnostics: list[Diagnostic], *, with_call: bool) -> _Compiled:
        """Compile a text with the earlier ones. Raises CplError, also for an error in its `diagnostics` so far."""
        if has_errors(diagnostics):
            raise CplError(diagnostics)
        whole = main.program
        main, calls = _with_call(main) if with_call else (main, [])
        fresh = [main, *alone.libraries, *alone.companions]
        fresh_sources = {text.source for text in fresh}
        earlier = [text for text in self._texts if text.source not in fresh_sources]
        evaluated = {text.source for text in earlier}

        while True:  # until no earlier definition has an error; each round sets one aside, or several
            library = self._library(in_force(earlier, fresh), alone)
            program, findings = resolve(main, library, calls, evaluated=evaluated, evaluated_names=self._places.keys())
            errors = [finding for finding in findings if finding.severity == "error"]
            places = [error.span for error in errors if error.span.source in evaluated]
            wrong: set[Span] = set()
            for text in earlier:
                wrong.update(wholes(text, places))
            if not wrong:
                break
            diagnostics += _about_dropped(errors, earlier, wrong)
            earlier = [leaving_out(text, wrong) for text in earlier]

        findings = [item for item in findings if item.severity == "error" or item.span.source not in evaluated]
        diagnostics = [self._with_reason(item) for item in sort(diagnostics + pipeline.advised(findings))]
        if has_errors(diagnostics):
            raise CplError(diagnostics)
        if calls:  # the layout is that of the whole text
            from cpl.compiler.semantics.lint import lint_layout

            diagnostics = sort([*diagnostics, *lint_layout(whole)])
        moded = with_modes(replace(program, grows=True))
        meaning = Meaning(main, library, moded, diagnostics, len(calls), {**self._evaluated})
        lowered = meaning.boxed.checking
        return _Compiled(meaning, generate(lowered.core, lowered.facts, main, library), fresh, earlier)

    def _with_reason(self, error: Diagnostic) -> Diagnostic:
        """Return an error about a name that was set aside with that reason, and other diagnostics as they are."""
        name = error.span.text
        if error.severity != "error" or error.cause is not messages.UNKNOWN_NAME or name not in self._set_aside:
            return error
        definition, path = self._set_aside[name]
        related = (*error.related, (definition, "its definition"))
        return replace(error, related=related, help=_SET_ASIDE.format(name=name, path=path))

    def _note_names(self, earlier: Sequence[Text], path: str) -> None:
        """Note which names of the earlier texts are set aside, after the text with this path has run."""
        left: set[str] = set()
        for text in self._texts:
            left.update(name.name for name in _names(text))

        set_aside: dict[str, tuple[Span, str]] = {}
        for text in earlier:
            set_aside.update((name.name, (name.span, path)) for name in _names(text))
        set_aside |= self._set_aside  # where a name was set aside before, its first reason stays
        self._set_aside = {name: reason for name, reason in set_aside.items() if name not in left}

    # The live namespace

    def _result(self, compiled: _Compiled) -> Any:
        """Run what is new, and return the value of the expression at its end, or None. A line left open is ended."""
        try:
            self._accept(compiled)
            return self.namespace[CALLED]() if compiled.meaning.calls else None
        finally:
            end_line()

    def _accept(self, compiled: _Compiled) -> None:
        """Make what is compiled part of the workspace, and run what is new in it."""
        pieces = compiled.generated.pieces
        self._move(compiled.generated)
        fresh = {text.source for text in compiled.fresh}
        defined: set[core.Global] = set()
        for piece in pieces:
            defined.update(self._defined(piece, fresh))

        first: list[LoweredDefinition] = []
        again: list[LoweredDefinition] = []  # earlier functions that capture what is defined now: they run after that
        for piece in pieces:
            if not self._is_new(piece, fresh, defined):
                continue
            if _captured(piece) & defined and piece.definition.span.source not in fresh:
                again.append(piece)
            else:
                first.append(piece)

        new = first + again
        shapes = [_shape(piece.statements) for piece in new]  # to run a piece changes it
        captured_values = [self._captures(piece, fresh, defined) for piece in new]
        left = {piece.definition.span for piece in new}
        Input([])
        Output([])
        try:
            running = extend(compiled.generated, new, self.namespace)
            for piece, shape, captures in zip(running, shapes, captured_values, strict=True):
                left.discard(piece.definition.span)
                self.ran |= {self._places[name].python for name in _globals(piece.definition)}
                self._note(piece, shape, captures)
        finally:
            ran = [leaving_out(text, wholes(text, left)) for text in compiled.fresh]
            earlier = self._texts
            self._texts = [text for text in (*ran, *in_force(compiled.earlier, ran)) if text.program.statements]
            self._note_names(earlier, compiled.fresh[0].source.path)
            self._host_part = compiled.meaning.library.host_part
            self._note_evaluated(compiled.meaning)
            self._pieces = pieces
            self.warnings = self._news(compiled.meaning)

    def _note_evaluated(self, meaning: Meaning) -> None:
        """Note the expression at the end of a text, which is evaluated once."""
        expressions = [core.Evaluate(call.body, span=call.span) for call in pipeline.calls(meaning)]
        source = meaning.main.source
        self._evaluated.pop(source, None)
        self._evaluated[source] = [core.Commands((expression,), span=expression.span) for expression in expressions]

    def _news(self, meaning: Meaning) -> list[Diagnostic]:
        """Return the warnings of the last text, and what misleads because of it, also in earlier texts."""
        reported = self._reported
        by_key = {(item.cause, item.message, item.related or item.span): item for item in meaning.misleading}
        self._reported = reported | by_key.keys()
        added = [item for key, item in by_key.items() if key not in reported and item not in meaning.diagnostics]
        return sort(meaning.diagnostics + added)

    def _defined(self, piece: LoweredDefinition, fresh: set[Source]) -> list[core.Global]:
        """Return the variables that a piece defines now. Those of the standard library keep their values."""
        definition = piece.definition
        is_defined = isinstance(definition, core.Constants | core.Commands) and definition.span.source in fresh
        return _globals(definition) if is_defined else []

    def _is_new(self, piece: LoweredDefinition, fresh: set[Source], defined: set[core.Global]) -> bool:
        """Tell whether a piece has to run: it is new, or typed again, or a function whose Python has changed or that
        captures a variable that is defined again.
        """
        definition = piece.definition
        is_fresh = definition.span.source in fresh
        if isinstance(definition, core.Constants | core.Commands):
            is_standard = definition.span.source == loader.standard().source
            has_values = all(self._places[name].values(self.namespace) for name in _globals(definition))
            return is_fresh or (is_standard and not has_values)
        is_typed = is_fresh and isinstance(definition, core.Function)
        is_changed = self._shapes.get(definition.name) != _shape(piece.statements)
        return is_typed or is_changed or bool(_captured(piece) & defined)

    def _captures(self, piece: LoweredDefinition, fresh: set[Source], defined: set[core.Global]) -> dict[str, Any]:
        """Return the captured values that a function keeps if it runs again though it was not typed again."""
        if piece.definition.span.source in fresh or not isinstance(piece.definition, core.Function):
            return {}
        current = self._places[piece.definition.name].values(self.namespace)
        values: dict[str, Any] = getattr(current[0], "__kwdefaults__", None) or {} if current else {}
        again = {self._places[name].python for name in defined}
        return {name: value for name, value in values.items() if name not in again}

    def _note(self, piece: LoweredDefinition, shape: object, captures: dict[str, Any]) -> None:
        """Note that a piece has run; a function gets the values that it keeps."""
        definition = piece.definition
        if isinstance(definition, core.Constants | core.Commands):
            return
        self._shapes[definition.name] = shape
        if captures:
            [function] = self._places[definition.name].values(self.namespace)
            kept = function.__kwdefaults__.keys() & captures.keys()
            function.__kwdefaults__ |= {name: captures[name] for name in kept}

    def _move(self, generated: Generated) -> None:
        """Move each value to where the new Python expects it, under another name or in a box."""
        module = generated.module
        values = {name: place.values(self.namespace) for name, place in self._places.items()}
        for place in self._places.values():
            self.namespace.pop(place.python, None)
        defined = _all_globals(generated.pieces)
        places = {name: _Place(module.name(name), name in module.boxed, numbers.declared(name)) for name in defined}
        for name in self._places.keys() - defined:
            if name.name != CALLED:
                old = self._places[name]
                places[name] = _Place(module.new(old.python), False, old.kind)
        for name in values.keys() & places.keys():
            places[name].hold(values[name], self.namespace)
        self._places = places


@dataclass(frozen=True)
class _Place:
    """The place of a value in the namespace, boxed or not; `kind` is its declared type of number."""

    python: str
    is_boxed: bool
    kind: str

    def values(self, names: dict[str, Any]) -> list[Any]:
        """Return its value as a list of one, or nothing."""
        try:
            return [names[self.python].value if self.is_boxed else names[self.python]]
        except (KeyError, NoValue):
            return []

    def hold(self, values: Sequence[Any], names: dict[str, Any]) -> None:
        """Store a value, if there is one."""
        if self.is_boxed:
            names[self.python] = NumberCell(self.kind, *values) if self.kind else Cell(*values)
        elif values:
            [names[self.python]] = values


def _with_call(text: Text) -> tuple[Text, list[nodes.Expression]]:
    """Split the expression at the end from a text. An expression that jumps may lead to is a command."""
    jumps = any(isinstance(part, nodes.Label | nodes.GoTo) for part in surface.walk(text.program))
    match text.program.statements:
        case [*_, nodes.ValueCommand(value=value) as last] if not jumps:
            return leaving_out(text, {last.span}), [value]
        case _:
            return text, []


def _about_dropped(errors: Sequence[Diagnostic], earlier: Sequence[Text], wrong: Set[Span]) -> Iterator[Diagnostic]:
    """The warnings that definitions among the `wrong` statements of the earlier texts are set aside: their errors."""
    definitions: set[Span] = set()
    for text in earlier:
        definitions.update(statement.span for statement in text.program.statements if _defines(statement))
    definitions &= wrong
    for error in errors:
        if any(span.holds(error.span) for span in definitions):
            yield replace(as_warning(error), help=_DROPPED)


def _defines(statement: nodes.Statement) -> bool:
    """Tell whether a statement defines a name, rather than doing something."""
    return any(surface.defined(member) for member in surface.members(statement))


def _names(text: Text) -> Iterator[nodes.Name | nodes.Parameter]:
    """The names that a text defines, those of components too."""
    for statement in text.program.statements:
        for member in surface.members(statement):
            yield from surface.defined(member)
            if isinstance(member, nodes.NodeType):
                yield from member.components


def _globals(definition: core.Definition) -> list[core.Global]:
    """The variables and functions of the top level that a definition defines."""
    return [name for name in walk.names(definition) if isinstance(name, core.Global)]


def _all_globals(pieces: Sequence[LoweredDefinition]) -> set[core.Global]:
    """Those that any of these pieces defines."""
    found: set[core.Global] = set()
    for piece in pieces:
        found.update(_globals(piece.definition))
    return found


def _captured(piece: LoweredDefinition) -> set[core.Global]:
    """Return the variables whose values a function captures."""
    return {*piece.definition.captured} if isinstance(piece.definition, core.Function) else set()


def _shape(part: object) -> object:
    """Return a Python tree as a value to be compared, without places and annotations."""
    if isinstance(part, list):
        return [_shape(item) for item in part]
    if isinstance(part, ast.AST):
        fields = [_shape(value) for name, value in ast.iter_fields(part) if name not in ("annotation", "returns")]
        return type(part).__name__, fields
    return part
