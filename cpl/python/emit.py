"""Module assembly: lowered definitions to the text of a Python module, formatted, and a map from its lines to the
CPL.
"""

import ast
import textwrap
import warnings
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass

from cpl import messages
from cpl.diagnostics import CplError, report
from cpl.python import comments, standalone
from cpl.python.annotations import Annotations
from cpl.python.lower import lower_definition
from cpl.python.names import Module
from cpl.python.nodes import span_of
from cpl.python.write import escaped, imports, rank, write
from cpl.readings import DEFAULT
from cpl.semantics import core, walk
from cpl.semantics.library import Library, Text
from cpl.semantics.resolve import CALL
from cpl.source import Source, Span
from cpl.types.facts import Facts

_WIDTH = 88
_APART = "\n\n\n"
_TOGETHER = 4000

LineMap = dict[int, Span]
"""For each line of a generated module that comes from CPL, the CPL that it comes from."""


@dataclass(frozen=True)
class Piece:
    """One definition as Python: its statements, a function's docstring among them."""

    definition: core.Definition
    statements: list[ast.stmt]


@dataclass(frozen=True)
class Generated:
    """A generated module before it is text."""

    module: Module
    shapes: list[ast.stmt]
    """Names for the shapes that annotations tell of."""
    pieces: list[Piece]
    notes: Mapping[Source, comments.TextNotes]
    library: Library
    docstring: str

    @property
    def exports(self) -> dict[str, str]:
        """What the module passes on of cplrt: the name there, and the same name here, which something else may have."""
        stands_for = {here: name for name, here in self.module.instead.items()}
        given = [(stands_for.get(name, name), name) for name in self.library.exports]
        return {name: here for name, here in given if self.module.alias(name) == here}


def generate(program: core.Program, facts: Facts, main: Text, library: Library) -> Generated:
    """Lower every definition."""
    stand_ins = main.reading.stand_ins
    module = Module(program, {name: here for name, here in stand_ins.items() if here in library.exports})
    notes = {text.source: comments.notes(text.program) for text in (main, *library.texts)}
    annotations = Annotations(facts, module, program.definitions)
    pieces = []
    for definition in program.definitions:
        statements = lower_definition(definition, module, facts, annotations)
        match statements, definition:
            case [ast.FunctionDef(body=body) | ast.ClassDef(body=body)], (
                core.Function(name=core.Global(name=name)) | core.NodeType(name=core.Global(name=name))
            ) if not name.startswith(CALL):
                trailing = notes[definition.span.source].of(definition).trailing
                body.insert(0, ast.Expr(ast.Constant(comments.written(definition, trailing))))
        pieces.append(Piece(definition, statements))
    shapes = annotations.statements()
    module.taken.update(_bound([*shapes, *(each for piece in pieces for each in piece.statements)]))
    return Generated(module, shapes, pieces, notes, library, _docstring(main, library))


def _bound(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements bind in the module itself."""
    waiting: list[ast.AST] = [*statements]
    while waiting:
        match waiting.pop():
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case node:
                waiting += ast.iter_child_nodes(node)


def emit(generated: Generated, main: Text, *, alone: bool = False, pretty: bool = True) -> tuple[str, LineMap]:
    """The text of the module and its line map; `alone` puts the parts of cplrt that it uses into the module itself.

    Raises CplError for a definition that Python could not read back.
    """
    bodies = [_readable(piece) for piece in generated.pieces]
    parts = [_quoted(generated.docstring), "\n\n".join(_prelude(generated, alone=alone))]
    chunks = ["\n\n".join(parts), *_sections(generated, bodies, main)]
    text = "".join(_tidied(chunks) if pretty else chunks) + "\n"
    read = ast.parse(text)
    lines = line_map(read, generated.pieces)
    return text + _key(read, lines), lines


def _readable(piece: Piece) -> str:
    with python_reads(piece.definition.span):
        text = write(piece.statements)
        compile(text, "<definition>", "exec")
    return text


@contextmanager
def python_reads(span: Span) -> Iterator[None]:
    """What Python refuses here because it nests too deep is the program's fault; all else would be our own. What it
    finds odd is the program's business, and nothing is said of it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (RecursionError, MemoryError, SyntaxError) as error:
        if isinstance(error, MemoryError) and not error.args:  # Python's parser says why it stops; memory ran out
            raise
        if isinstance(error, SyntaxError) and not error.msg.startswith("too many "):  # blocks, brackets, indentation
            raise
        raise CplError([report(messages.NOT_FOR_PYTHON, span)]) from None


def _docstring(main: Text, library: Library) -> str:
    names = [text.source.name for text in (main, *library.companions)]
    origin = "CPL" if names[0].startswith("<") else " and ".join(names)
    paragraphs = [f"{main.title}." if main.title else "", *main.note.split("\n\n")]
    if main.reading != DEFAULT or library.exports:
        paragraphs[-1:] = [" ".join(filter(None, [paragraphs[-1], main.reading.about]))]
    how = "" if main.reading == DEFAULT else f", read with {main.reading.mixture}"
    paragraphs.append(f"Compiled from {origin} by cplc{how}; the docstrings are the CPL.")
    return "\n\n".join(textwrap.fill(paragraph, _WIDTH - 3) for paragraph in paragraphs if paragraph)


def _quoted(docstring: str) -> str:
    text = escaped(docstring).replace('"', '\\"')
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


def _prelude(generated: Generated, *, alone: bool) -> Iterator[str]:
    """What the module takes from elsewhere, and what it gives."""
    module, library = generated.module, generated.library
    definitions = [piece.definition for piece in generated.pieces]
    companions = {text.source for text in library.companions}
    start = module.host("start_program") if _does_something(definitions, companions) else None
    if alone:
        yield standalone.inline(module, generated.exports)
    else:
        if module.origins:
            yield imports(module.origins, {name: module.alias(name) for name in module.origins})
        if used := module.used | generated.exports:
            yield imports({name: library.module_of(name) for name in used}, used)
    defined = [name for definition in definitions for name in walk.names(definition)]
    own = {module.name(name) for name in defined if isinstance(name, core.Global) and not name.is_hidden}
    passed_on = {here for name, here in module.used.items() if name in library.host and name == here}
    yield _list_of_names("__all__", sorted({*own, *passed_on, *generated.exports.values()}, key=rank))
    if start:
        yield f'if __name__ == "__main__":\n    {start}()'
    if generated.shapes:
        yield write(generated.shapes)


def _list_of_names(name: str, names: Sequence[str]) -> str:
    """A long list is filled; the formatter would give every name a line."""
    line = f"{name} = {names!r}".replace("'", '"')
    if len(line) <= _WIDTH:
        return line
    members = textwrap.fill(
        ", ".join(f'"{each}"' for each in names), _WIDTH, initial_indent="    ", subsequent_indent="    "
    )
    return f"# fmt: off\n{name} = [\n{members},\n]\n# fmt: on"


def _does_something(definitions: Sequence[core.Definition], companions: Set[Source]) -> bool:
    """Whether a module does more than define, when it is run: it has commands, or a constant (those of companions are
    small) is made by a function.
    """
    functions = {one.name for one in definitions if isinstance(one, core.Function)}
    constants = [one for one in definitions if isinstance(one, core.Constants) and one.span.source not in companions]
    return any(isinstance(one, core.Commands) for one in definitions) or any(
        isinstance(node, core.Global) and node in functions for one in constants for node in walk.nodes(one)
    )


def _tidied(chunks: Sequence[str]) -> Iterator[str]:
    """The chunks of a module, formatted: several together, as black goes twice over all that is given to it if any of
    it is not in its style.
    """
    from cpl.python.style import tidy

    together = ""
    for chunk in (*chunks, ""):
        if together and (not chunk or (len(together) > _TOGETHER and chunk.startswith(_APART))):
            text = together.lstrip("\n")
            yield "\n" * (len(together) - len(text)) + tidy(text + "\n").rstrip("\n")
            together = ""
        together += chunk


def _sections(generated: Generated, bodies: Sequence[str], main: Text) -> Iterator[str]:
    """The definitions, a heading wherever those of another text begin."""
    headed: set[Source] = set()
    before: core.Definition | None = None
    first = generated.notes[main.source].heading
    if first and generated.pieces and generated.pieces[0].definition.span.source != main.source:
        yield _APART + "\n".join(first)
        headed.add(main.source)
    for piece, body in zip(generated.pieces, bodies, strict=True):
        text = ""
        definition = piece.definition
        source = definition.span.source
        heading = generated.notes[source].heading
        own = generated.notes[source].of(definition)
        other = source != (before.span.source if before else main.source)
        lines = [f"# {'Again from' if source in headed else 'From'} {comments.inert(source.name)}"] * other
        if source not in headed and heading:
            lines += ["#", *heading] if lines else heading
        if lines:
            text += _APART + "\n".join(lines)
        if own.trailing and isinstance(definition, core.Constants | core.Commands) and "\n" not in body:
            body += f"  {comments.python_comment(own.trailing)}"
        text += "\n" if not lines and _goes_on(before, definition) else "\n\n" if _short(before, definition) else _APART
        text += "\n".join([*own.above, body])
        if own.below:
            text += _APART + "\n".join(own.below)
        headed.add(source)
        before = definition
        yield text


def _short(before: core.Definition | None, definition: core.Definition) -> bool:
    """Whether both are constants or commands of one text."""
    short = core.Constants | core.Commands
    if not isinstance(before, short) or not isinstance(definition, short):
        return False
    return before.span.source == definition.span.source


def _goes_on(before: core.Definition | None, definition: core.Definition) -> bool:
    """Whether they are constants on consecutive lines."""
    if before is None or not _short(before, definition):
        return False
    return before.span.source.line_at(before.span.end) + 1 == definition.span.line


def _key(module: ast.Module, lines: LineMap) -> str:
    """The comment at the end of a module by which `cplrt.places` finds the CPL of its lines: `118-119=20`."""
    runs: dict[str, list[tuple[int, int, int]]] = {}
    for line in _statement_lines(module):
        if line in lines:
            found = runs.setdefault(lines[line].source.name, [])
            number = lines[line].line
            if found and found[-1][1:] == (line - 1, number):
                found[-1] = (found[-1][0], line, number)
            else:
                found.append((line, line, number))
    key = ""
    for name, entries in runs.items():
        shown = [
            f"{first}={number}" if first == last else f"{first}-{last}={number}" for first, last, number in entries
        ]
        whole = f"# Lines of {comments.inert(name)}: {' '.join(shown)}"
        key += "\n" + textwrap.fill(whole, _WIDTH, subsequent_indent="#   ", break_on_hyphens=False)
    return f"\n{key}\n" if key else ""


def _statement_lines(module: ast.Module) -> list[int]:
    """The lines of a module on which something is done: no headings, no docstrings."""
    lines: set[int] = set()
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef() | ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.If(test=test) | ast.While(test=test) | ast.For(iter=test):
                lines |= {*range(test.lineno, (test.end_lineno or test.lineno) + 1)}
            case ast.stmt():
                lines |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return sorted(lines)


def line_map(module: ast.Module, pieces: Sequence[Piece]) -> LineMap:
    """Walk the trees of the formatted text and of what it was made from in step: they differ in layout only."""
    made = [statement for piece in pieces for statement in piece.statements]
    read = module.body[-len(made) :] if made else []
    result: LineMap = {}
    for statement, original in zip(read, made, strict=True):
        _map(statement, original, result)
    return result


def _map(statement: ast.stmt, original: ast.stmt, result: LineMap) -> None:
    waiting: deque[tuple[ast.AST, ast.AST, Span | None]] = deque([(statement, original, span_of(original))])
    several: list[tuple[int, int, Span]] = []  # lines of one statement
    while waiting:
        read, made, outer = waiting.popleft()
        assert type(read) is type(made), f"{ast.dump(read)} is not {ast.dump(made)}"
        span = span_of(made) or outer
        line = getattr(read, "lineno", None)
        if line is not None and span is not None:
            result.setdefault(line, span)
            if isinstance(read, ast.stmt) and not isinstance(read, ast.FunctionDef | ast.If | ast.While | ast.For):
                several.append((line, read.end_lineno or line, span))
        pairs = zip(ast.iter_child_nodes(read), ast.iter_child_nodes(made), strict=True)
        waiting += [(child, other, span) for child, other in pairs]
    for first, last, span in several:
        for inner in range(first, last + 1):
            result.setdefault(inner, span)
