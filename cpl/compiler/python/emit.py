"""Assembles a module: lowered definitions to formatted Python text, and a map from its lines to the CPL.

Comments between two definitions go above the second one, those within a function stay in its docstring, and one on the
last line of a definition stays with that. A text that begins with comments and a blank line has a heading: that of the
program is in the docstring of the module, those of other texts stand above what comes from them.
"""

import ast
import re
import textwrap
import warnings
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Final

from cplrt.places import BASE_64

from cpl.compiler import messages
from cpl.compiler.diagnostics import CplError, report
from cpl.compiler.python.annotations import Annotations
from cpl.compiler.python.ast_builders import span_of, with_spans
from cpl.compiler.python.forms import name_forms
from cpl.compiler.python.lower import lower_definition
from cpl.compiler.python.names import Module
from cpl.compiler.python.text import WIDTH, blackened, escaped, imports, rank, written
from cpl.compiler.readings import DEFAULT
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.library import Library, Text
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.types.facts import Facts
from cpl.compiler.wording import listed

_TWO_EMPTY_LINES: Final = "\n\n\n"

LineMap = dict[int, Span]
"""For each line of a generated module that comes from CPL, the CPL that it comes from."""


@dataclass(frozen=True)
class LoweredDefinition:
    """One definition as Python: its statements, a function's docstring among them."""

    definition: core.Definition
    statements: list[ast.stmt]


@dataclass(frozen=True)
class Generated:
    """A generated module before it is text."""

    module: Module
    shapes: list[ast.stmt]
    """Type aliases for the annotations."""
    pieces: list[LoweredDefinition]
    notes: "Mapping[Source, TextNotes]"
    library: Library
    docstring: str

    @property
    def exports(self) -> dict[str, str]:
        """The names of cplrt that the module passes on, with their names here."""
        stands_for = {here: name for name, here in self.module.instead.items()}
        names = [(stands_for.get(name, name), name) for name in self.library.exports]
        return {name: here for name, here in names if self.module.alias(name) == here}

    @property
    def public_names(self) -> list[str]:
        """The names in `__all__`: the module's own, and those of cplrt that it passes on."""
        module = self.module
        defined = (name for piece in self.pieces for name in walk.names(piece.definition))
        own = {module.name(name) for name in defined if isinstance(name, core.Global) and not name.is_hidden}
        passed_on = {here for name, here in module.used.items() if name in self.library.host and name == here}
        named = {*own, *passed_on, *self.exports.values()}
        return sorted((name for name in named if not name.startswith("_")), key=rank)

    def imports(self) -> str:
        """The import statements of a module that does not stand alone."""
        origins = self.module.origins
        used = self.module.used | self.exports
        ours = imports({name: self.library.module_of(name) for name in used}, used)
        foreign = imports(origins, {name: self.module.alias(name) for name in origins})
        return "\n\n".join([written(group) for group in (foreign, ours) if group])


def generate(program: core.Program, facts: Facts, main: Text, library: Library) -> Generated:
    """Lower every definition."""
    stand_ins = main.reading.stand_ins
    module = Module(program, {name: here for name, here in stand_ins.items() if here in library.exports})
    notes = {text.source: comments_of(text.program) for text in (main, *library.texts)}
    annotations = Annotations(facts.shown, module, program.definitions)
    pieces = []
    for definition in program.definitions:
        statements = lower_definition(definition, module, facts.sure, annotations)
        match statements, definition:
            case [ast.FunctionDef(body=body) | ast.ClassDef(body=body)], (core.Function() | core.NodeType()) if (
                definition.span.source in notes and not is_edge(definition)
            ):
                trailing = notes[definition.span.source].of(definition).trailing
                docstring = getattr(definition, "note", "") or source_text(definition, trailing)
                rest = [part for part in body if not isinstance(part, ast.Pass)]
                body[:] = [ast.Expr(ast.Constant(docstring)), *rest]
        pieces.append(LoweredDefinition(definition, statements))

    shapes = annotations.statements()
    all_statements: list[ast.stmt] = []
    for piece in pieces:
        all_statements += piece.statements
    module.taken.update(_bound([*shapes, *all_statements]))

    first_edge = next((at for at, piece in enumerate(pieces) if is_edge(piece.definition)), None)
    if first_edge is not None:
        forms = name_forms(module, all_statements, shapes)
        if forms:
            pieces.insert(first_edge, LoweredDefinition(pieces[first_edge].definition, forms))

    return Generated(
        module, shapes, pieces, notes, library, _docstring(main, notes[main.source].heading, library, program, module)
    )


def _bound(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements bind in the module itself."""
    waiting: list[ast.AST] = [*statements]
    while waiting:
        match waiting.pop():
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case node:
                waiting += ast.iter_child_nodes(node)


def emit(
    generated: Generated,
    main: Text,
    *,
    alone: bool = False,
    pretty: bool = True,
    before: Sequence[ast.stmt] = (),
    after: Sequence[ast.stmt] = (),
) -> tuple[str, LineMap]:
    """The text of the module and its line map; `alone` puts the parts of cplrt that it uses into the module itself.
    Statements that belong to no definition stand `before` and `after` all of them.

    Raises CplError for a definition that Python could not read back.
    """
    bodies = [_readable(piece, pretty=pretty) for piece in generated.pieces]
    first = _first_doing(generated)
    start = ""
    if first:  # before the imports are written, as this needs one
        start = f'if __name__ == "__main__":\n    {generated.module.host("start_program")}()'

    head = [_quoted(generated.docstring), *_prelude(generated, alone=alone)]
    head += [written([statement]) for statement in before]
    text = "".join(["\n\n".join(head), *_sections(generated, bodies, main, first, start)]) + "\n"
    if alone and pretty:
        text = blackened(text)  # as the parts of cplrt are in another style

    read = ast.parse(text)
    lines = line_map(read, generated.pieces)
    end = "".join([f"\n\n{written([statement])}\n" for statement in after])
    return text + end + _key(read, lines), lines


def _readable(piece: LoweredDefinition, *, pretty: bool) -> str:
    with python_reads(piece.definition.span):
        text = written(piece.statements, pretty=pretty)
        compile(text, "<definition>", "exec")
    return text


@contextmanager
def python_reads(span: Span) -> Iterator[None]:
    """Code that nests too deep for Python is the program's fault; any other refusal would be ours. Python's warnings,
    which are about the program, are suppressed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (RecursionError, MemoryError, SyntaxError) as error:
        memory_ran_out = isinstance(error, MemoryError) and not error.args  # Python's parser says why it stops
        if memory_ran_out or (isinstance(error, SyntaxError) and not error.msg.startswith("too many ")):
            raise
        raise CplError([report(messages.NOT_FOR_PYTHON, span)]) from None


_COMPILED: Final = "Compiled from "
_LINES_FROM: Final = "# Lines from "
_CHECKING: Final = ("Equal", "Item", "SetItem", "Steps")
"""What a good programmer would not write if the types of all values were known."""


def _docstring(main: Text, heading: Sequence[str], library: Library, program: core.Program, module: Module) -> str:
    """Return the docstring of a module: the heading of the text, or else its title; its note; what compiled it from
    which files; and which functions check their arguments.
    """
    names = [text.source.name for text in (main, *library.companions)]
    origin = "CPL" if names[0].startswith("<") else listed(names)

    title = f"{main.title}." if main.title and not heading else ""
    paragraphs = [title, *main.note.split("\n\n")]
    if main.reading != DEFAULT or library.exports:
        last = [paragraphs[-1], main.reading.about]
        paragraphs[-1] = " ".join(filter(None, last))

    how = "" if main.reading == DEFAULT else f", read with {main.reading.mixture}"
    compiler = "cplc" if program.in_order else "cplc -O"
    paragraphs.append(f"{_COMPILED}{origin} by {compiler}{how}; the docstrings are the CPL.")
    checking = [module.used[name] for name in _CHECKING if name in module.used]
    if checking:
        check = "check their arguments" if len(checking) > 1 else "checks its arguments"
        paragraphs[-1] += f" {listed(checking)} {check}, as Python may pass any value to a function."
    filled = [textwrap.fill(paragraph, WIDTH - 3) for paragraph in paragraphs if paragraph]
    return "\n\n".join([*_without_signs(heading), *filled])


def _without_signs(heading: Sequence[str]) -> list[str]:
    """Return the paragraphs of a heading that is written as comments, without their signs."""
    text = "\n".join([line.removeprefix("#").removeprefix(" ") for line in heading]).strip("\n")
    if not text:
        return []
    first, *others = text.split("\n\n")
    has_room = len(first.partition("\n")[0]) <= WIDTH - 3  # quotes stand before the first line
    return [first if has_room else textwrap.fill(first, WIDTH - 3), *others]


def docstring_lines(statement: ast.stmt) -> range:
    """The numbers, from 1, of the lines of a function's or a class's docstring, which is its CPL. Beside the CPL they
    say nothing new. There are none if the docstring is all that the body has.
    """
    match statement:
        case ast.FunctionDef(body=[docstring, _, *_]) | ast.ClassDef(body=[docstring, _, *_]):
            if ast.get_docstring(statement):
                return range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1)
    return range(0)


def lines_for_readers(python: str) -> list[int]:
    """The numbers, from 1, of the lines of a module that one reads beside its CPL: without the words on what compiled
    it, without the docstrings of its functions, and without the comments at its end that say for traces where its lines
    come from.
    """
    lines = python.rstrip("\n").split("\n")
    read = ast.parse(python)
    if not read.body:
        return []
    unread: set[int] = set()

    docstring = read.body[0]
    end = docstring.end_lineno or 0
    numbers = [number for number in range(1, end + 1) if lines[number - 1].lstrip('"').startswith(_COMPILED)]
    about = max(numbers, default=0)  # what stands before is the heading of the text
    if about == 1:
        unread.update(range(1, end + 1))
    elif about:
        unread.update(range(about - 1, end))  # with the empty line before it, but not the quotes that end the docstring

    last = read.body[-1].end_lineno or 0
    at_end = range(last + 1, len(lines) + 1)
    for node in ast.walk(read):
        if isinstance(node, ast.stmt):
            unread.update(docstring_lines(node))
    places = next((number for number in at_end if lines[number - 1].startswith(_LINES_FROM)), len(lines) + 1)
    unread.update(range(places, len(lines) + 1))

    shown = [number for number in range(1, len(lines) + 1) if number not in unread]
    while shown and not lines[shown[0] - 1]:
        del shown[0]
    while shown and not lines[shown[-1] - 1]:
        del shown[-1]
    return shown


def _quoted(docstring: str) -> str:
    text = escaped(docstring).replace('"', '\\"')
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


def _prelude(generated: Generated, *, alone: bool) -> Iterator[str]:
    """Yield what stands before the definitions: imports, `__all__`, type aliases."""
    if alone:
        from cpl.compiler.python.standalone import inline

        imported = inline(generated.module, generated.exports)
    else:
        imported = generated.imports()
    if imported:
        yield imported
    yield _list_of_names(generated.public_names)
    if generated.shapes:
        yield written(generated.shapes)


def _list_of_names(names: Sequence[str]) -> str:
    """Write `__all__`. A long list is filled; the formatter would give every name a line."""
    line = f"__all__ = {names!r}".replace("'", '"')
    if len(line) <= WIDTH:
        return line
    members = ", ".join([f'"{member}"' for member in names]) + ","
    margin = "    "
    filled = textwrap.fill(members, WIDTH, initial_indent=margin, subsequent_indent=margin, break_long_words=False)
    return f"# fmt: off\n__all__ = [\n{filled}\n]\n# fmt: on"


def _first_doing(generated: Generated) -> core.Definition | None:
    """The first definition that does more than define a name when the module is run: commands, or a constant of the
    program that calls a function (constants of companions are small). A module without commands is not a program, and
    has none.
    """
    if not any(isinstance(piece.definition, core.Commands) and piece.statements for piece in generated.pieces):
        return None
    definitions = [piece.definition for piece in generated.pieces]
    companions = {text.source for text in generated.library.companions}
    functions = {definition.name for definition in definitions if isinstance(definition, core.Function)}
    for piece in generated.pieces:
        definition = piece.definition
        match definition:
            case core.Commands() if piece.statements:
                return definition
            case core.Constants(span=span) if span.source not in companions and _applies(definition, functions):
                return definition
    return None


def _applies(definition: core.Constants, functions: Set[core.Global]) -> bool:
    """Tell whether a constant applies something, and names one of these functions."""
    parts = [*walk.nodes(definition.value)]
    is_applied = any(isinstance(part, core.Apply | core.Juxtapose | core.Select) for part in parts)
    return is_applied and any(isinstance(part, core.Global) and part in functions for part in parts)


def _sections(
    generated: Generated, bodies: Sequence[str], main: Text, starting: core.Definition | None, start: str
) -> Iterator[str]:
    """The definitions, a heading wherever those of another text begin. The `start` of the program stands before the one
    that is `starting` it.
    """
    headed: set[Source] = set()  # the texts whose headings stand above
    commented: set[tuple[Source, int]] = set()  # the places whose comments stand above
    before: core.Definition | None = None
    last: Sequence[ast.stmt] = ()  # the last statement so far

    for piece, body in zip(generated.pieces, bodies, strict=True):
        definition = piece.definition
        source = definition.span.source

        heading: list[str] = []
        if is_edge(definition):
            if before is None or not is_edge(before):
                heading.append(_EDGE)
        elif source != (before.span.source if before else main.source):
            heading.append(f"# {'Again from' if source in headed else 'From'} {inert(source.name)}")
        if source not in headed and source != main.source and generated.notes[source].heading:
            if heading:
                heading.append("#")
            heading += generated.notes[source].heading
        headed.add(source)
        if heading:
            yield _TWO_EMPTY_LINES + "\n".join(heading)

        place = (source, definition.span.start)
        own = Notes() if place in commented else generated.notes[source].of(definition)  # a pass may have copied it
        commented.add(place)
        lines = _with_comments(definition, body, own)
        if not (heading or lines or own.below):
            continue  # a declaration

        neighbours = (*last, *piece.statements[:1])
        gap = _TWO_EMPTY_LINES if heading or _has_function(neighbours) else _gap(before, definition)
        if definition is starting:
            is_close = isinstance(before, _SHORT) and not _has_function(last) and not heading
            yield ("\n\n" if is_close else _TWO_EMPTY_LINES) + start
            gap = _TWO_EMPTY_LINES if isinstance(piece.statements[0], ast.FunctionDef) else "\n\n"
        last = piece.statements[-1:]
        yield gap + "\n".join(lines) if lines else ""
        if own.below:
            yield _TWO_EMPTY_LINES + "\n".join(own.below)
        before = definition


def _with_comments(definition: core.Definition, body: str, notes: "Notes") -> list[str]:
    """The text of a definition below its comments. The one on its last line stays there if the line is short enough."""
    lines = [*notes.above]
    if notes.trailing and isinstance(definition, _SHORT) and "\n" not in body:
        trailing = _python_comments([notes.trailing])
        line = f"{body}  {trailing[0]}"
        if len(trailing) == 1 and len(line) <= WIDTH:
            return [*lines, line.lstrip()]
        lines += trailing
    if body:
        lines.append(body)
    return lines


def _has_function(statements: Sequence[ast.stmt]) -> bool:
    return any(isinstance(statement, ast.FunctionDef) for statement in statements)


_SHORT: Final = (core.Constants, core.Commands)
"""The definitions that may stand close to each other."""
_EDGE: Final = "# Outside of this module bit strings are Logical. Inside they are whole numbers."


def is_edge(definition: core.Definition) -> bool:
    """Tell whether this passes a definition of an optimised module on to Python."""
    match definition:
        case core.Constants(value=core.Apply(function=core.Host(name="AsLogical"))):
            return True
        case core.Function(door=door):
            return bool(door)
        case _:
            return False


def _gap(before: core.Definition | None, definition: core.Definition) -> str:
    """Return the line ends between two definitions: no empty lines between constants on consecutive lines."""
    if before is definition:  # the names of forms stand before it
        return "\n\n"
    if before and is_edge(before) and is_edge(definition):
        return "\n"
    if (
        not isinstance(before, _SHORT)
        or not isinstance(definition, _SHORT)
        or before.span.source != definition.span.source
    ):
        return _TWO_EMPTY_LINES
    return "\n" if before.span.source.line_at(before.span.end) + 1 == definition.span.line else "\n\n"


def _key(module: ast.Module, lines: LineMap) -> str:
    """The comments at the end of a module by which `cplrt.places` finds the CPL of its lines: one for each text that
    the module comes from.

    It tells of runs of lines. The lines of a run all come from one line of the CPL, or each from the line after that of
    the one before. Two numbers say where a run begins: how many lines after the run before, doubled, and odd if its
    lines go on in the CPL; and how many lines further in the CPL, doubled, and odd if that is backwards. They are
    written as in the source maps of JavaScript ("Base64 VLQ"), which takes two characters a run as a rule.
    """
    silent: set[int] = set()
    for node in ast.walk(module):
        silent.update(_silent_lines(node))

    runs: dict[str, list[int]] = {}
    ends: dict[str, tuple[int, int]] = {}
    places = [(line, lines[line].source.name, lines[line].line) for line in sorted(lines.keys() - silent)]
    at = 0
    while at < len(places):
        first, name, number = places[at]
        line_before, number_before = ends.get(name, (0, 0))
        ends[name] = first, number
        one_each, same = _counted(places, at, 1), _counted(places, at, 0)
        goes_on = one_each >= same
        further = number - number_before
        runs.setdefault(name, []).extend([2 * (first - line_before) + goes_on, 2 * abs(further) + (further < 0)])
        at += max(one_each, same)

    if not runs:
        return ""
    comments = [f"{_LINES_FROM}{inert(name)}: {''.join(map(_digits, runs[name]))}" for name in runs]
    filled = [textwrap.fill(comment, WIDTH, subsequent_indent="#   ", break_on_hyphens=False) for comment in comments]
    return "\n\n" + "\n".join(filled) + "\n"


def _digits(number: int) -> str:
    """A natural number in base 32, the lowest digit first; 32 is added to each digit that another follows."""
    digits = ""
    while number >= 32:
        digits += BASE_64[32 + number % 32]
        number //= 32
    return digits + BASE_64[number]


def _counted(places: Sequence[tuple[int, str, int]], at: int, step: int) -> int:
    """How many lines, from one on, come from lines of one text that go on by a step from line to line."""
    first, name, number = places[at]
    end = at
    while end < len(places):
        line, text, from_line = places[end]
        if text != name or from_line != number + step * (line - first):
            break
        end += 1
    return end - at


def _silent_lines(node: ast.AST) -> Iterable[int]:
    """The lines of a function's heading and docstring, on which nothing is done."""
    match node:
        case ast.FunctionDef(body=[ast.Expr(value=ast.Constant(), end_lineno=int() as last), *_]):
            return range(node.lineno, last + 1)
        case ast.FunctionDef(body=[first, *_]):
            return range(node.lineno, first.lineno)
        case _:
            return ()


def line_map(module: ast.Module, pieces: Sequence[LoweredDefinition]) -> LineMap:
    """Walk the trees of the formatted text and of the lowered definitions in step: they differ in layout only."""
    statements = [*chain.from_iterable(piece.statements for piece in pieces)]
    defined = [statement for statement in module.body if not _starts(statement)]
    read = defined[-len(statements) :] if statements else []
    result: LineMap = {}
    for statement, original in zip(read, statements, strict=True):
        continuations: dict[int, Span] = {}  # further lines of simple statements
        for copy, node in zip(ast.walk(statement), ast.walk(with_spans(original)), strict=True):
            assert type(copy) is type(node), f"{ast.dump(copy)} is not {ast.dump(node)}"
            span = span_of(node)
            if span and isinstance(copy, ast.expr | ast.stmt | ast.arg):
                result.setdefault(copy.lineno, span)
                if isinstance(copy, ast.stmt) and not isinstance(copy, ast.FunctionDef | ast.If | ast.While | ast.For):
                    continuations |= dict.fromkeys(range(copy.lineno, (copy.end_lineno or copy.lineno) + 1), span)
        for line, span in continuations.items():
            result.setdefault(line, span)
    return result


def _starts(statement: ast.stmt) -> bool:
    """Tell whether a statement is what starts a program: no name of CPL has a `_`."""
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


@dataclass
class Notes:
    """The comments that belong to one definition, as lines of Python; `trailing` stands on its last line.

    Only the last definition of a text has comments `below` it.
    """

    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    trailing: nodes.Comment | None = None


@dataclass
class TextNotes:
    """The comments of one text: its heading, and the notes of its definitions by the offset at which each begins."""

    heading: list[str]
    definitions: dict[int, Notes]

    def of(self, definition: core.Definition) -> Notes:
        """The notes of one definition."""
        return self.definitions.get(definition.span.start) or Notes()


def comments_of(program: nodes.Program) -> TextNotes:
    """Share the comments of a text out among its definitions."""
    statements = sorted(program.statements, key=lambda statement: statement.span.start)
    ends = [statement.span.end for statement in statements]

    above: dict[int, list[nodes.Comment]] = {}  # by the index of the statement
    trailing: dict[int, nodes.Comment] = {}
    for comment in program.comments:
        index = bisect(ends, comment.span.start)
        if index and comment.span.line == statements[index - 1].span.last_line:
            trailing[index - 1] = comment
        elif index == len(statements) or comment.span.start < statements[index].span.start:
            above.setdefault(index, []).append(comment)

    leading = above.pop(0, [])
    end_of_heading = _end_of_heading(leading, statements[0]) if statements else len(leading)
    above[0] = leading[end_of_heading:]

    result: dict[int, Notes] = {}
    for index, statement in enumerate(statements):
        notes = Notes(_python_comments(above.get(index, [])), trailing=trailing.get(index))
        result[statement.span.start] = notes
        first = next(surface.members(statement), statement)  # what is above a group is above the first in it
        result.setdefault(first.span.start, notes)
    if statements:
        result[statements[-1].span.start].below = _python_comments(above.get(len(statements), []))
    return TextNotes(_python_comments(leading[:end_of_heading]), result)


def _end_of_heading(leading: Sequence[nodes.Comment], first: nodes.Statement) -> int:
    """How many of the comments before the first statement are a heading: those before a blank line, if there is one."""
    parts = [*leading, first]
    for count, (part, following) in enumerate(pairwise(parts), 1):
        if following.span.line > part.span.line + 1:
            return count
    return 0


def _python_comments(comments: Sequence[nodes.Comment]) -> list[str]:
    """Comments as lines of Python, with `#` for the blank lines between them. A paragraph with lines that are too long
    is filled from the first of them on. What is set further in, or has gaps, is a list, an example or a drawing, and
    stays as it is.
    """
    lines: list[str] = []
    paragraph: list[str] = []
    longest = 0
    for before, comment in zip([None, *comments], comments, strict=False):
        text = _text(comment)
        is_apart = before is not None and comment.span.line > before.span.line + 1
        longest = max(longest, len(text))
        if is_apart or not (paragraph and _goes_on(paragraph[-1], text, longest)):
            lines += _filled(paragraph)
            paragraph, longest = [], len(text)
        if is_apart:
            lines.append("#")
        paragraph.append(text)
    return [*lines, *_filled(paragraph)]


def _text(comment: nodes.Comment) -> str:
    """The text of a comment, after a blank."""
    text = comment.text.expandtabs(8).rstrip()
    return text if text.startswith(" ") or not text else f" {text}"


def _goes_on(last: str, line: str, longest: int) -> bool:
    """Tell whether a line goes on with a paragraph after its last line: both are prose, and if a sentence ends there,
    the last line has no room for more beside the longest one.
    """
    if not (_PROSE.fullmatch(last) and _PROSE.fullmatch(line)):
        return False
    is_full = len(last) + 1 + len(line.split()[0]) > longest
    return is_full or not last.endswith((".", ":", ";", "!", "?"))


_PROSE: Final = re.compile(r" (?![-*•·] )(?:\S+ {1,2})*\S+")


def _filled(paragraph: Sequence[str]) -> list[str]:
    """The lines of a paragraph in Python."""
    first_long = next((at for at, line in enumerate(paragraph) if len(line) >= WIDTH), len(paragraph))
    lines, rest = [*map(inert, paragraph[:first_long])], paragraph[first_long:]
    if rest and _PROSE.fullmatch(rest[0]):
        text = _inert_anywhere(" ".join([line.strip() for line in rest]))
        filled = textwrap.wrap(text, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
        lines += [_inert_at_first(f" {line}") for line in filled]
    else:
        lines += map(inert, rest)
    return [f"#{line}" for line in lines]


def inert(text: str) -> str:
    """The text of a comment with quotes round words by which Python or its tools would take it as an instruction:
    `‘type’: str`, `‘noqa’`.
    """
    return _inert_anywhere(_inert_at_first(text))


def _inert_at_first(text: str) -> str:
    return _FIRST.sub(r"\1‘\2’", text)


def _inert_anywhere(text: str) -> str:
    return _ANYWHERE.sub("‘\\g<0>’", text)


_FIRST: Final = re.compile(r"((?:^|#)\s*)(type(?=:)|(?:end)?region\b|%%|///|<codecell>|In\[[\d\s]*\])")
"""Obeyed where a comment begins with them: types, the marks of folds and of cells, and blocks of PEP 723."""

_ALONE: Final = r"""
    cython deepcode distutils lgtm noinspection nolint nopep8 nopycln noqa noreorder nosec nosem(?:grep)? nosonar pragma
    pyre-[\w-]+ skipcq skylos sourcery
"""
"""Words that no prose has."""

_BEFORE_A_COLON: Final = r"""
    autoflake autopep8 checkov c?spell(?:-?checker)? codespell devskim docformatter doctest flake8 fmt @?formatter
    gitleaks isort mypy nuitka-project[\w-]* prospector pydocstyle pyflakes pylama pylint pyrefly pyright pytype
    pyupgrade ruff semgrep ty usort yapf
"""
"""Tools that take instructions."""

_EDITORS: Final = r"\w*coding(?=[:=])|(?:vim?[<=>]?\d*|ex|kate)(?=:)"

_ANYWHERE: Final = re.compile(
    rf"(?<!\w)(?:(?i:(?:{'|'.join(_ALONE.split())})\b|(?:{'|'.join(_BEFORE_A_COLON.split())})(?=[:=]))|{_EDITORS})"
)


def source_text(definition: core.Node, trailing: nodes.Comment | None) -> str:
    """The CPL of a definition as it was written, blanks at line ends aside, moved to the left margin as one."""
    span = definition.span.to(trailing.span) if trailing else definition.span
    first, *rest = map(_expanded, span.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    margin = len(span.source.line(span.line)[: span.column - 1].expandtabs(8))
    lines = [first, *(_without_margin(line, margin) for line in rest)]
    return "\n".join([line.rstrip() for line in lines])


def _without_margin(line: str, margin: int) -> str:
    """The line without so many blanks at its start, or as many as it has."""
    blanks = len(line) - len(line.lstrip())
    return line[min(margin, blanks) :]


def _expanded(line: str) -> str:
    """The line with the tabs that it begins with as blanks."""
    rest = line.lstrip(" \t")
    return line[: len(line) - len(rest)].expandtabs(8) + rest
