"""Generated trees to a live module, without text: its code refers to the CPL files, so tracebacks show CPL lines.

Exceptions that Python raises where the CPL is at fault become CplFaults, worded in terms of CPL: the body of each
function stands in a `try` that converts them. (Modules that are text raise Python's own, so that they stay readable.)
"""

import ast
import functools
import linecache
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count, islice
from types import CodeType, FunctionType, TracebackType
from typing import Any, Final, TypeAlias
from weakref import finalize

from cplrt.faults import CplFault, NoValue, TooDeep

from cpl.compiler.python.ast_builders import load, span_of, with_spans
from cpl.compiler.python.emit import Generated, LoweredDefinition, python_reads
from cpl.compiler.python.text import written
from cpl.compiler.python_errors import in_words
from cpl.compiler.semantics import walk
from cpl.compiler.source import Source, Span

ModuleCode: TypeAlias = tuple[list[tuple[str, str]], list[CodeType], Iterable[tuple[CodeType, str, str]]]
"""A module as code, which `marshal` can write: the texts that it comes from, by their paths; what it begins with; and
for each piece its code, the name in Python of the function or the type of nodes that it defines, and its name in CPL.
"""


def code_of(generated: Generated, pieces: Iterable[LoweredDefinition]) -> ModuleCode:
    """The code of these pieces of a module, each made when it is asked for. Raises CplError for one that nests too deep
    for Python.
    """
    texts = dict.fromkeys(piece.definition.span.source for piece in pieces)
    head = [compile(text, "<string>", "exec") for text in (generated.imports(), written(generated.shapes))]
    return [(text.path, text.text) for text in texts], head, map(_code, pieces)


def run(code: ModuleCode, names: dict[str, Any], statements: Callable[[int], list[ast.stmt]]) -> Iterator[None]:
    """Execute the pieces of a module in order, in its namespace, each when it is asked for. `statements` gives those of
    a piece by its number, when somebody wants to see them. Raises CplFault, or what Python raises, if a constant cannot
    be made.
    """
    texts, head, pieces = code
    for part in head:
        exec(part, names)
    names[_FAULTS], names[AS_FAULT] = FAULTS, as_fault
    for path, text in texts:
        _show_in_tracebacks(Source(path, text))
    for number, (piece, name, cpl_name) in enumerate(pieces):
        exec(piece, names)
        if name:
            if isinstance(names[name], FunctionType):  # it shows its CPL name
                names[name].__name__ = cpl_name
            _show_python(names[name], functools.partial(statements, number))
        yield


def extend(
    generated: Generated, pieces: Sequence[LoweredDefinition], names: dict[str, Any]
) -> Iterator[LoweredDefinition]:
    """Execute these pieces of a module in the namespace of one that runs already, each when it is asked for. Raises as
    `run` does.
    """
    for piece, _ in zip(pieces, run(code_of(generated, pieces), names, lambda at: pieces[at].statements), strict=True):
        yield piece


def _code(piece: LoweredDefinition) -> tuple[CodeType, str, str]:
    """The code of a piece, which refers to the CPL, and the names of the function or the type of nodes in it."""
    span = piece.definition.span
    tree = ast.Module(body=_guarded([_inside(statement) for statement in piece.statements]), type_ignores=[])
    for statement in tree.body:
        _place(statement, span)
    with python_reads(span):
        code = compile(tree, span.source.path, "exec")
    match piece.statements:
        case [ast.FunctionDef(name=name) | ast.ClassDef(name=name)]:
            return code, name, walk.names(piece.definition)[0].name
        case _:
            return code, "", ""


FAULTS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NameError,
    NoValue,
    RecursionError,
    TypeError,
    ValueError,
)
"""Exceptions of Python that mean a fault of the CPL: operands of wrong types, a variable without a value, and so on."""

_FAULTS: Final = "_faults"  # names that no CPL program can have
AS_FAULT: Final = "_as_fault"


def as_fault(error: Exception) -> CplFault:
    """An exception of Python in words of CPL."""
    if isinstance(error, RecursionError):
        return TooDeep(in_words(error)).with_traceback(error.__traceback__)
    place = _read_at(error.__traceback__) if isinstance(error, NoValue) else ""
    fault = CplFault(f"{place} has no value yet" if place else in_words(error))
    fault.__notes__ = getattr(error, "__notes__", [])
    return fault.with_traceback(error.__traceback__)


def _read_at(traceback: TracebackType | None) -> str:
    """The text at which a program, whose frame is the first one, failed; empty if it takes several lines."""
    if traceback is None:
        return ""
    code = traceback.tb_frame.f_code
    first, last, start, end = next(islice(code.co_positions(), traceback.tb_lasti // 2, None))
    line = linecache.getline(code.co_filename, first or 0).encode()
    return line[start:end].decode() if first == last else ""


def _show_python(shown: FunctionType | type, statements: Callable[[], list[ast.stmt]]) -> None:
    """Let `inspect.getsource` find the Python of a function or a type of nodes whose code refers to the CPL: it follows
    `__wrapped__` (since Python 3.13 not of types). The text is made on demand.
    """
    function = shown if isinstance(shown, FunctionType) else _node
    file = f"{shown.__module__}.{next(_NUMBERS)}.py"
    code = function.__code__.replace(co_filename=file, co_firstlineno=1)
    wrapped = FunctionType(code, function.__globals__, shown.__name__, function.__defaults__, function.__closure__)
    wrapped.__kwdefaults__ = function.__kwdefaults__
    del functools.update_wrapper(wrapped, function).__wrapped__  # or `inspect` would go on to the function itself
    shown.__wrapped__ = wrapped  # type: ignore[union-attr]

    linecache.cache[file] = (lambda: python_text(statements()),)  # as linecache.lazycache does
    finalize(wrapped, linecache.cache.pop, file, None).atexit = False


def _node(*components: Any) -> None:
    """The signature that a type of nodes shows."""


_NUMBERS: Final = count(1)


class _Guard(ast.Try):
    """A `try` that `_guarded` adds."""


def python_text(statements: list[ast.stmt]) -> str:
    """The text of statements, executed or not."""
    parts = [*chain.from_iterable(map(ast.walk, statements))]
    for part in parts:
        match part:
            case ast.FunctionDef(body=[*_, _Guard(body=guarded)]):
                part.body[-1:] = guarded
    return written(statements) + "\n"


def _inside(statement: ast.stmt) -> ast.stmt:
    """A statement with the body of every function in it guarded."""
    for part in ast.walk(statement):
        match part:
            case ast.FunctionDef(body=[ast.Expr(value=ast.Constant()) as docstring, *body]):
                part.body = [docstring, *_guarded(body)]
            case ast.FunctionDef(body=body):
                part.body = _guarded(body)
    return statement


def _guarded(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements in a try that turns Python's exceptions into faults of the CPL."""
    if not statements:
        return []
    fault = ast.Call(load(AS_FAULT), [load("_error")], [])
    handler = ast.ExceptHandler(load(_FAULTS), "_error", [ast.Raise(fault, ast.Constant(None))])
    return [_Guard(statements, [handler], [], [])]


def _place(tree: ast.AST, outer: Span) -> None:
    """Give every Python node the place of the CPL that it comes from."""
    for node in ast.walk(with_spans(tree, outer)):
        if isinstance(node, ast.expr | ast.stmt | ast.arg | ast.excepthandler):
            span = span_of(node) or outer
            is_empty = span.end <= span.last
            node.lineno, node.col_offset = span.line, span.source.byte_column_at(span.start)
            node.end_lineno = span.last_line
            node.end_col_offset = node.col_offset if is_empty else span.source.byte_column_at(span.end)


def _show_in_tracebacks(source: Source) -> None:
    """Let tracebacks show the lines of a text that is no file, or that was not read from its path."""
    lines = [f"{source.line(number)}\n" for number in range(1, source.lines + 1)]
    linecache.cache[source.path] = (len(source.text), None, lines, source.path)
