"""The pipeline from text to Python. `understand` reads, parses and resolves a program; `compile_meaning` makes Python
of it, and `executable` code. The steps are functions of other modules:

    loader.load             reads and parses a text, its libraries and companions
    whole_program.resolve   makes their core tree; if that fails, `repairing.repaired` looks for one wrong token
    modes.with_modes        says how arguments reach functions that are values
    checks.with_checks      adds checks where types disagree
    passes.optimised        makes the core tree of a faster program, if that is wanted
    boxes.with_boxes        says which variables are in boxes
    emit.generate           lowers the core tree to Python's, which `emit.emit` writes with a map of its lines
"""

import functools
import json
import marshal
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote
from weakref import WeakValueDictionary

from cplrt import Input, Output
from cplrt.streams import end_line

from cpl import cache, outside
from cpl.compiler import loader, messages
from cpl.compiler.diagnostics import CplError, Diagnostic, as_warning, compiling, has_errors, report, sort
from cpl.compiler.python.emit import Generated, LineMap, emit, generate
from cpl.compiler.python.execute import ModuleCode, code_of, run
from cpl.compiler.readings import Reading, ReadingOption
from cpl.compiler.semantics import core
from cpl.compiler.semantics.boxes import with_boxes
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.semantics.whole_program import CALL, resolve
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes
from cpl.compiler.syntax.parser import parse, parse_expression
from cpl.compiler.types.checks import with_checks
from cpl.compiler.types.facts import Facts
from cpl.compiler.types.modes import with_modes
from cpl.compiler.wording import listed
from cpl.display import drawn

if TYPE_CHECKING:
    from cpl.compiler.c.shared_library import CLibrary

Libraries = Iterable[str | Path | Source]


Evaluated = Mapping[Source, Sequence[core.Commands]]
"""The commands that ran before, in a session, by their texts."""


@dataclass(frozen=True)
class Meaning:
    """A resolved program: its core tree, its texts, the warnings so far, and how many calls to evaluate in it. In a
    session, `evaluated` has its texts before this one, in order, each with the expression at its end, if it has one.
    """

    main: Text
    library: Library
    core: core.Program
    diagnostics: list[Diagnostic]
    calls: int = 0
    evaluated: Evaluated = field(default_factory=dict)

    @cached_property
    def facts(self) -> Facts:
        """The inferred types."""
        return Facts(self.core)

    @cached_property
    def boxed(self) -> "Meaning":
        """The program as it is lowered: with boxes for the variables that need them (`semantics/boxes`). Types are the
        same, so they are inferred once for both if the program needs no box.
        """
        program = with_boxes(self.core)
        return self if program is self.core else replace(self, core=program)

    @cached_property
    def checking(self) -> "Meaning":
        """The program as it is compiled: where its types disagree, it checks them when it runs. One that is optimised
        was made from such a program.
        """
        if not self.core.in_order:
            return self
        checking = with_checks(self.core, self.facts)
        return self if checking is self.core else replace(self, core=checking)

    @cached_property
    def misleading(self) -> list[Diagnostic]:
        """The findings that every way to compile or run the program says, as warnings: see `messages.Cause`.

        Of a historical text only repairs are said, as the text itself is not to be changed.
        """
        historical = {text.source for text in (self.main, *self.library.texts) if text.is_verbatim}

        def is_told(finding: Diagnostic) -> bool:
            misleads = finding.cause.misleads and finding.span.source not in historical
            return misleads or finding.cause is messages.REPAIRED

        with compiling(self.main.source):
            return [as_warning(finding) for finding in self.findings if is_told(finding)]

    @cached_property
    def findings(self) -> list[Diagnostic]:
        """All findings in a program that can be compiled, in order: type conflicts, warnings and lints."""
        diagnostics = [*self.diagnostics, *self.boxed.facts.findings(self.main.source)]
        return sort([*diagnostics, *lints(self, diagnostics)])

    def __getstate__(self) -> dict[str, object]:
        """Leave out the types, and what rests on them: they are about these very nodes, and a copy infers its own."""
        inferred = ("facts", "boxed", "checking", "findings")
        return {name: value for name, value in vars(self).items() if name not in inferred}

    @property
    def has_commands(self) -> bool:
        """Whether the program does anything by itself."""
        return any(isinstance(definition, core.Commands) for definition in self.core.definitions)


@dataclass(frozen=True)
class Compiled:
    """A compiled program.

    `python` is the text of the module; `line_map` gives for its lines (from 1) the span of CPL that each comes from.
    `diagnostics` are the warnings that every way to compile or run the program says.
    """

    python: str
    line_map: LineMap
    diagnostics: list[Diagnostic]
    meaning: Meaning

    @property
    def surface(self) -> nodes.Program:
        """The surface tree."""
        return self.meaning.main.program

    @property
    def core(self) -> core.Program:
        """The core tree."""
        return self.meaning.core

    def origin(self, line: int) -> Span | None:
        """Return the place in the program's own text that a line of `python`, from 1, comes from."""
        span = self.line_map.get(line)
        return span if span and span.source == self.meaning.main.source else None

    def __repr__(self) -> str:
        name, lines = self.surface.span.source.name, self.python.count("\n")
        return f"<Compiled {name!r}, lines of Python: {lines}, diagnostics: {len(self.diagnostics)}>"

    _repr_html_ = drawn


Program = str | Path | Source | Compiled | ModuleType
"""A file, a packaged program by its name, a text, a compiled program, or a module that cpl loaded."""

OF_CALL: Final = "<call>"
"""What the text of a call is called, if there is one only."""
_MEANING: Final = "__cpl__"
"""Under this name a module holds a function that gives its meaning."""


@dataclass(frozen=True)
class Options:
    """How to compile a program: the options of `compile_text`, and `native` of `load`."""

    reading: ReadingOption = None
    libraries: Libraries = ()
    repair: bool = False
    optimise: bool = False
    without: Collection[str] = ()
    native: bool = False
    standalone: bool = False
    pretty: bool = True


DEFAULTS: Final = Options()


def compile_text(
    text: str,
    *,
    path: str = "<text>",
    reading: ReadingOption = None,
    libraries: Libraries = (),
    standalone: bool = False,
    repair: bool = False,
    pretty: bool = True,
    optimise: bool = False,
    without: Collection[str] = (),
) -> Compiled:
    """Compile CPL to Python.

    `path` is what messages call the text; if it names a file, the companions that a `programs.toml` beside it lists are
    compiled with it. Companions, and what a text gets, are read only below the folders of `path` and of the libraries.

    `reading` says how to read ∧, + and − on bit strings, NIL and Shift: `"set"`, `"arithmetic"`, or a mixture such as
    `"and=tight,nil=zero"`. Names that the text does not define are looked up in `libraries` first. A `standalone`
    module holds what it uses of cplrt; one that is not `pretty` is not formatted with black. With `repair`, if one
    wrong token is at fault, it is repaired, and a warning says how. With `optimise` the module does the same and is
    faster; `without` names passes of `cpl.compiler.optimise.passes` that are left out.

    Raises CplError if the CPL has errors, Unreadable if a library cannot be read, ValueError if the reading or a pass
    is unknown.
    """
    options = Options(
        reading=reading,
        libraries=libraries,
        repair=repair,
        optimise=optimise,
        without=without,
        standalone=standalone,
        pretty=pretty,
    )
    return compile_source(Source(path, text), options)


def compile_source(source: Source, options: Options = DEFAULTS) -> Compiled:
    """Compile a text to Python. Raises as `compile_text` does."""
    return compile_meaning(understand(source, options), options)


def compile_meaning(meaning: Meaning, options: Options = DEFAULTS) -> Compiled:
    """Compile a program that is understood already. Raises CplError."""
    with compiling(meaning.main.source):
        runs_as = optimised(meaning, options.without) if options.optimise else meaning
        python, line_map = emit(_generated(runs_as), meaning.main, alone=options.standalone, pretty=options.pretty)
    return Compiled(python, line_map, meaning.misleading, meaning)


def _generated(meaning: Meaning) -> Generated:
    """Return the module of a program, which may be one that was `optimised`."""
    lowered = meaning.boxed.checking
    return generate(lowered.core, lowered.facts, meaning.main, meaning.library)


def python_text(meaning: Meaning) -> tuple[str, LineMap]:
    """Return the text of the module, as `Compiled` has it, without the calls to be evaluated. Raises CplError."""
    added = calls(meaning)
    definitions = tuple([definition for definition in meaning.core.definitions if definition not in added])
    with compiling(meaning.main.source):
        program = replace(meaning.core, definitions=definitions)
        return emit(_generated(replace(meaning, core=program)), meaning.main)


def optimised(meaning: Meaning, without: Collection[str] = (), *, for_c: bool = False) -> Meaning:
    """Return a program that does the same and is faster (`optimise`), for C or for Python. `without` names passes that
    are left out.
    """
    from cpl.compiler.optimise import passes

    stages = passes.FOR_C if for_c else passes.FOR_READERS
    with compiling(meaning.main.source):
        checking = meaning.checking
        return replace(meaning, core=passes.optimised(checking.core, checking.facts, without, stages))


def calls(meaning: Meaning) -> list[core.Function]:
    """The calls to be evaluated, as functions without parameters."""
    functions = {node.name.name: node for node in meaning.core.definitions if isinstance(node, core.Function)}
    names = [f"{CALL}{number}" for number in range(1, meaning.calls + 1)]
    return [functions[name] for name in names if name in functions]


def load(
    path_or_name: str | Path | Source,
    *,
    reading: ReadingOption = None,
    libraries: Libraries = (),
    repair: bool = False,
    optimise: bool = False,
    native: bool = False,
) -> ModuleType:
    """Compile a file (or a packaged program, by its name; or a text) and execute it: an ordinary module. The options
    are those of `compile_text`. With `native` its functions run in C where they can (`docs/performance.md`), in a
    library that the C compiler of the machine builds, and that is kept for the next time.

    A traceback out of it shows the lines of the CPL. Its functions and nodes can be pickled; another process that gets
    one loads the program, too. Raises as `compile_text` does, `CplFault` if
    the CPL fails while its constants are made, and `CannotBuild` (`cpl.compiler.c.toolchain`) if its library cannot be
    built or loaded here.
    """
    options = Options(reading=reading, libraries=libraries, repair=repair, optimise=optimise, native=native)
    source = loader.program(path_or_name)
    module = executable(source, options).module()
    _make_importable(module, source, options)
    from cplrt import checkers

    if vars(module).get("PrintPosition") is checkers.PrintPosition:
        vars(module).setdefault("Play", MethodType(checkers.Play, module))  # the reproduction has one of its own
    return module


LOADED: Final = WeakValueDictionary[str, ModuleType]()
"""The modules that `load` has made, by the names under which `cpl.compiler.loaded` imports them."""

_LOADS: Final = count(1)


def _make_importable(module: ModuleType, source: Source, options: Options) -> None:
    """Let `pickle` find the functions and types of a module again, here and in other processes: the name of the module
    that they have from now on says what to load.
    """
    is_file = os.path.isfile(source.path)
    what = {
        "load": next(_LOADS),  # to load the same file again makes other functions
        "program": os.path.abspath(source.path) if is_file else [source.path, source.text],
        "libraries": [[library.path, library.text] for library in map(loader.program, options.libraries)],
        "reading": loader.reading_for(source, options.reading).mixture,
        **{name: getattr(options, name) for name in ("repair", "optimise", "native")},
    }
    written = quote(json.dumps(what, ensure_ascii=False), safe="").replace(".", "%2E")
    name_for_import(module, f"cpl.compiler.loaded.{written}")


def name_for_import(module: ModuleType, name: str) -> None:
    """Let `pickle` import the functions and types of a module that `load` has made under this name."""
    names = {module.__name__, *(known for known, loaded in LOADED.items() if loaded is module)}
    for value in vars(module).values():
        if isinstance(value, FunctionType | type) and value.__module__ in names:
            value.__module__ = name
    vars(module)["__loaded__"] = module  # a function that is kept keeps its module, too
    LOADED[name] = module


NativePart = tuple[str, str, Sequence[str], Sequence[tuple[str, str]]]
"""The C of a program's native functions: what the module calls the library, its text, its strings, and its constants,
each by its form and its name in the module. This is a plain tuple, as it goes into the cache by `marshal`.
"""


@dataclass(frozen=True)
class Executable:
    """A program as code, which is executed in modules.

    `library` is None if no function is native. `lowered` is the module before it is code. If the program comes from the
    cache, this and the meaning are made when somebody wants to see them.
    """

    attributes: dict[str, Any]
    code: ModuleCode
    library: NativePart | None
    calls: int
    has_commands: bool
    meaning: Callable[[], Meaning]
    lowered: Callable[[], Generated]
    misleading: Sequence[Diagnostic] = ()

    def module(self) -> ModuleType:
        """A new module. Raises CplFault if the CPL fails while its constants are made, and `CannotBuild` of
        `cpl.compiler.c.toolchain` if its library cannot be built or loaded here.
        """
        module = ModuleType(Source(self.attributes["__file__"], "").name)
        self.execute_in(vars(module))
        return module

    def execute_in(self, names: dict[str, Any]) -> None:
        """Execute the program in the namespace of a module. Raises as `module` does."""
        names |= {**self.attributes, _MEANING: self.meaning}
        if self.library is None:
            self._run_in(names)
            return
        from cpl.compiler.c import toolchain

        native, text, strings, constants = self.library
        names[native] = toolchain.native_library(text, strings)
        self._run_in(names)
        names[native].start(*[(form, names[name]) for form, name in constants])

    def _run_in(self, names: dict[str, Any]) -> None:
        """Run all pieces of the module, one after the other."""
        for _ in run(self.code, names, lambda number: self.lowered().pieces[number].statements):
            pass


def executable(source: Source, options: Options = DEFAULTS, calls: Sequence[str] = ()) -> Executable:
    """Compile a program so that it can be executed. Raises as `understand` does.

    The result for a file is kept in the cache with the other files that were read, or looked for, and is made again if
    they have changed. A program that misleads is not kept, as each command is to say so.
    """
    libraries = [loader.program(library) for library in options.libraries]
    options = replace(options, reading=loader.reading_for(source, options.reading), libraries=libraries)
    texts = [(text.path, text.text) for text in (source, *libraries)]
    name = cache.name_of("module", cache.COMPILER, texts, [*calls], replace(options, libraries=()))
    is_file = os.path.isfile(source.path)
    cached = _cached(name, source, options, calls) if is_file else None
    if cached:
        return cached
    with loader.recorded_reads() as files:
        understood = understand(source, options, calls)
    result = executable_of(understood, options)
    if is_file and not result.misleading:
        data = {key: value for key, value in vars(result).items() if key not in ("meaning", "lowered")}
        cache.write(name, marshal.dumps((data, files)))
    return result


def _cached(name: str, source: Source, options: Options, calls: Sequence[str]) -> Executable | None:
    """Return a program from the cache; None if it is not there, or a file that was read for it has changed since."""
    content = cache.read(name)
    if content is None:
        return None
    data, files = marshal.loads(content)
    if files != {path: loader.text_at(path) for path in files}:
        return None

    @functools.cache
    def meaning() -> Meaning:
        # The files may change before somebody asks, but the code is that of the texts as they were.
        texts = {outside.real(path): text for path, text in files.items() if text is not None}
        with loader.overlay(texts):
            return understand(source, options, calls)

    return Executable(**data, meaning=meaning, lowered=lambda: _lowered(meaning(), options)[0])


def executable_of(meaning: Meaning, options: Options = DEFAULTS) -> Executable:
    """Make a program that is understood already ready to be run. Raises CplError."""
    lowered, library = _lowered(meaning, options)
    attributes = {"__doc__": lowered.docstring, "__file__": meaning.main.source.path, "__all__": lowered.public_names}
    with compiling(meaning.main.source):
        texts, head, pieces = code_of(lowered, lowered.pieces)
        code = texts, head, [*pieces]
    return Executable(
        attributes=attributes,
        code=code,
        library=library,
        calls=meaning.calls,
        has_commands=meaning.has_commands,
        meaning=lambda: meaning,
        lowered=lambda: lowered,
        misleading=meaning.misleading,
    )


def _lowered(meaning: Meaning, options: Options) -> tuple[Generated, NativePart | None]:
    """Return the module of a program, and the C of its native functions if it is to have any."""
    if options.native:
        from cpl.compiler.c.shared_library import decorated

        generated, library = native_module(meaning, options.without)
        constants = [(form, generated.module.name(name)) for name, form in library.constants.items()]
        return generated, (decorated(generated, library), library.text, library.strings, constants)
    with compiling(meaning.main.source):
        runs_as = optimised(meaning, options.without) if options.optimise else meaning
        return _generated(runs_as), None


def native_module(meaning: Meaning, without: Collection[str] = ()) -> "tuple[Generated, CLibrary]":
    """Return the optimised module of a program, and the C for it (`cpl.compiler.c`). C is made of more copies than a
    reader would want to see, so that each has a program of its own; the functions of both do the same. `without` names
    rules of C (`cpl.compiler.c.rules`) and passes for it that are left out. Raises CplError, and ValueError if there is
    no such rule or pass.
    """
    from cpl.compiler.c.rules import RULES
    from cpl.compiler.c.shared_library import library

    with compiling(meaning.main.source):
        for_c = optimised(meaning, [name for name in without if name not in RULES], for_c=True)
        rules = {*RULES}.difference(without)
        return _generated(optimised(meaning)), library(for_c.core, for_c.facts.sure, rules)


def native_text(meaning: Meaning, *, pretty: bool = True) -> "tuple[str, CLibrary]":
    """Return the text of an optimised module that loads its library from beside it, and the C of the library. Raises
    CplError.
    """
    from cpl.compiler.c.shared_library import around, decorated

    generated, library = native_module(meaning)
    generated.module.host("NativeLibrary")
    native = decorated(generated, library)
    with compiling(meaning.main.source):
        before, after = around(native, generated, library)
        text, _ = emit(generated, meaning.main, pretty=pretty, before=[before], after=[after])
    return text, library


def evaluations(program: Meaning | Executable, *, interpreted: bool = False, after: int = 0) -> Iterator[Any]:
    """Run a program, which yields None; then yield the values of its calls, one by one, without the first so many. A
    line that the program or a call has left open is ended.
    """
    Input([])
    Output([])
    try:
        if isinstance(program, Executable):
            names = vars(program.module())
        elif interpreted:
            from cpl.compiler.semantics.interpreter import Interpreter

            names = Interpreter(program.core, program.library.host).names
        else:
            names = vars(executable_of(program).module())
        end_line()
        yield None
        for number in range(after + 1, program.calls + 1):
            value = names[f"{CALL}{number}"]()
            end_line()
            yield value
    finally:
        end_line()


def inner(module: ModuleType, name: str) -> Any:
    """Return the value of a name inside a module. Inside an optimised module bit strings are whole numbers."""
    return vars(module).get(f"_{name}", vars(module).get(name))


def check_text(
    text: str, *, path: str = "<text>", reading: ReadingOption = None, libraries: Libraries = (), repair: bool = False
) -> list[Diagnostic]:
    """Return all findings in a text, in order. There are more than from `compile_text`: type conflicts are errors here,
    though the text can be compiled, and likely mistakes are warnings. Raises Unreadable, and ValueError as
    `compile_text` does.
    """
    return check_source(Source(path, text), Options(reading=reading, libraries=libraries, repair=repair))[0]


def check_source(source: Source, options: Options = DEFAULTS) -> tuple[list[Diagnostic], Meaning | None]:
    """Return all findings in a text, as `check_text` does, and its meaning unless it cannot be compiled."""
    try:
        with compiling(source):
            meaning = understand(source, options)
            emit(_generated(meaning), meaning.main, pretty=False)
            return [*meaning.findings], meaning
    except CplError as error:
        return error.diagnostics, None


Signs = Literal["ascii", "unicode"]


class Unfaithful(AssertionError):
    """The formatted text would be another program: a fault of ours, raised before anything is written."""


def format_text(text: str, *, path: str = "<text>", signs: Signs | None = None) -> str:
    """Return a program in the style of `cpl fmt`, with every comment.

    `signs` are left as they are, or become those of a plain keyboard (`ascii`) or of print (`unicode`). To format a
    second time changes nothing, and the surface tree stays the same. Raises CplError for a text that does not parse.
    """
    return format_source(Source(path, text), signs)


def format_source(source: Source, signs: Signs | None = None) -> str:
    """Format a text as `format_text` does."""
    from cpl.compiler.syntax import printer

    notations = {None: printer.as_written, "ascii": printer.typed, "unicode": printer.printed}
    with compiling(source):
        program, diagnostics = parse(source)
        if has_errors(diagnostics):
            raise CplError(diagnostics)
        text = printer.print_program(program, notations[signs])
        again, _ = parse(Source(source.path, text))
    if again != program:
        raise Unfaithful(
            f"{source.path}: a fault of cpl fmt: the text would say something else, so it is left as it is"
        )
    return text


def lints(meaning: Meaning, before: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the lints of a program. Their module is imported only here, as that takes a while."""
    from cpl.compiler.semantics.lint import lint

    return lint(meaning.core, meaning.main, meaning.library, before, meaning.evaluated)


def understand(source: Source, options: Options = DEFAULTS, calls: Sequence[str] = ()) -> Meaning:
    """Parse and resolve a program; `calls` are expressions to be resolved as part of it.

    Raises CplError, and Unreadable for a library file that cannot be read.
    """
    with compiling(source):
        texts = [loader.program(library) for library in options.libraries]
        main, library, diagnostics = loader.load(source, texts, reading=options.reading)
        try:
            return _resolved(main, library, calls, diagnostics)
        except CplError as error:
            errors = error.diagnostics
        from cpl.compiler.repairing import repaired

        main, diagnostics = repaired(main, library, diagnostics, errors, repair=options.repair)
        if has_errors(diagnostics):
            raise CplError(diagnostics)
        return _resolved(main, library, calls, diagnostics)


def understand_again(meaning: Meaning, source: Source, reading: Reading) -> Meaning:
    """Resolve a program again with another text of its own, or another reading. No file is read. Raises
    CplError.
    """
    with compiling(source):
        program, diagnostics = parse(source)
        main = replace(meaning.main, source=source, program=program, reading=reading)
        return _resolved(main, meaning.library, (), diagnostics)


def meaning_of(program: Program, options: Options = DEFAULTS, calls: Sequence[str] = ()) -> Meaning:
    """Return the meaning of a program in any form. A compiled program keeps its libraries and its reading.

    Raises TypeError for a module that does not come from CPL, or was written to a file before it was imported.
    """
    match program:
        case Compiled(meaning=meaning):
            pass
        case ModuleType():
            if _MEANING not in vars(program):
                raise TypeError(f"{program.__name__} was not loaded by cpl")
            meaning = vars(program)[_MEANING]()
        case _:
            return understand(loader.program(program), options, calls)
    with compiling(meaning.main.source):
        return _resolved(meaning.main, meaning.library, calls, []) if calls else meaning


def _resolved(main: Text, library: Library, calls: Sequence[str], diagnostics: list[Diagnostic]) -> Meaning:
    """Resolve a program with its calls. Raises CplError, also for an error in its `diagnostics` so far."""
    expressions: list[nodes.Expression] = []
    for number, call in enumerate(calls, start=1):
        path = OF_CALL if len(calls) == 1 else f"<call {number}>"
        expression, added = parse_expression(Source(path, call))
        if expression:
            expressions.append(expression)
        diagnostics += added
    if has_errors(diagnostics):
        raise CplError(diagnostics)

    program, added = resolve(main, library, expressions)
    if library.standard is None and has_errors(added):  # the help may name what the standard library defines
        library = replace(library, standard=loader.standard())
        program, added = resolve(main, library, expressions)
    diagnostics = sort(diagnostics + advised(added))
    if has_errors(diagnostics):
        raise CplError(diagnostics)
    return Meaning(main, library, with_modes(program), diagnostics, len(expressions))


def advised(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Join the names that are missing for want of a packaged companion in one finding, which says so, and each other
    name that nothing defines in one.
    """
    if any(diagnostic.cause is messages.UNKNOWN_NAME for diagnostic in diagnostics):
        for companion in loader.companions():
            diagnostics = _with_companion(diagnostics, companion)

    joined: list[Diagnostic] = []
    firsts: dict[tuple[Source, str], int] = {}  # for each unknown name, the first finding about it
    further: dict[int, list[tuple[Span, str]]] = {}  # the places of those that are joined with a first one
    for finding in sort(diagnostics):
        if finding.cause is messages.UNKNOWN_NAME and not finding.fixes:
            first = firsts.setdefault((finding.span.source, finding.span.text), len(joined))
            if first < len(joined) and finding.help in (None, joined[first].help):
                further.setdefault(first, []).append((finding.span, "and here"))
                continue
        joined.append(finding)
    for at, places in further.items():
        joined[at] = replace(joined[at], related=(*joined[at].related, *places))
    return joined


def _with_companion(diagnostics: list[Diagnostic], companion: loader.Companion) -> list[Diagnostic]:
    """Join the findings about unknown names that a companion defines in one."""
    lacking: list[Diagnostic] = []
    others: list[Diagnostic] = []
    for diagnostic in diagnostics:
        is_lacking = diagnostic.cause is messages.UNKNOWN_NAME and diagnostic.span.text in companion.names
        if is_lacking:
            lacking.append(diagnostic)
        else:
            others.append(diagnostic)
    if lacking:
        others.append(_missing([diagnostic.span for diagnostic in sort(lacking)], companion))
    return others


_NAMES_LISTED: Final = 8
"""The number of names of a companion that are listed."""


def _missing(spans: list[Span], companion: loader.Companion) -> Diagnostic:
    """Return the error that the names at these places are defined in a companion."""
    names = [*dict.fromkeys(span.text for span in spans)]
    subject = f"these {len(names)} names are defined" if len(names) > 1 else "this name is defined"
    if len(names) > _NAMES_LISTED:
        names[_NAMES_LISTED:] = [f"{len(names) - _NAMES_LISTED} more"]
    file, owners = companion.path.name, listed(companion.owners)
    return report(messages.IN_COMPANION, spans[0], what=subject, file=file, owners=owners, names=listed(names))
