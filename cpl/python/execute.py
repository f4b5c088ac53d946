"""Generated trees to a living module, without text: its code stands in the CPL files, so tracebacks show CPL lines.

What Python raises where the CPL is at fault becomes a CplFault, in words of CPL. (A module that is text stays readable:
there it is what Python raises.)
"""

import ast
import functools
import linecache
from importlib import import_module
from itertools import count, islice
from types import FunctionType, ModuleType, TracebackType
from typing import Any, Final
from weakref import finalize

from cplrt.faults import CplFault, NoValue, TooDeep

from cpl.python.emit import Generated, python_reads
from cpl.python.nodes import load, span_of
from cpl.python.write import write
from cpl.semantics import walk
from cpl.semantics.python_errors import in_words
from cpl.source import Source, Span


def run(generated: Generated, source: Source) -> ModuleType:
    """Execute every definition in order. Raises CplFault, or what Python raises, if a constant cannot be made."""
    module = ModuleType(source.name, generated.docstring)
    names: dict[str, Any] = vars(module)
    names["__file__"] = source.path
    library = generated.library
    import_module("cplrt")
    for name, here in generated.module.used.items():
        names[here] = getattr(import_module(library.module_of(name)), name)
    for name, here in generated.exports.items():
        names[here] = getattr(import_module(library.module_of(name)), name)
    for name, origin in generated.module.origins.items():
        names[generated.module.alias(name)] = getattr(import_module(origin), name)
    shapes = ast.Module([*generated.shapes], [])
    exec(compile(ast.fix_missing_locations(shapes), source.path, "exec"), names)
    hidden = {*names} - {*generated.exports.values(), *generated.module.used.values()}
    for text in {piece.definition.span.source for piece in generated.pieces}:
        _show_in_tracebacks(text)
    for piece in generated.pieces:
        execute(piece.statements, piece.definition.span, names)
        match piece.statements:
            case [ast.FunctionDef(name=name) | ast.ClassDef(name=name)]:
                made = names[name]
                if isinstance(made, FunctionType):  # to whoever asks, it has its CPL name
                    made.__name__ = walk.names(piece.definition)[0].name
                _show_python(made, piece.statements)
    names["__all__"] = [name for name in names if not name.startswith("_") and name not in hidden]
    return module


def execute(statements: list[ast.stmt], span: Span, names: dict[str, Any]) -> None:
    """Execute statements that come from the CPL of `span`."""
    tree = ast.Module(body=_guarded([_inside(statement) for statement in statements]), type_ignores=[])
    for statement in tree.body:
        _place(statement, span)
    names[_FAULTS], names[_AS_FAULT] = FAULTS, _as_fault
    with python_reads(span):
        code = compile(tree, span.source.path, "exec")
    exec(code, names)


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
"""What Python raises where operands do not fit, a variable has no value, and so on."""

_FAULTS: Final = "_faults"  # names that no CPL program can have
_AS_FAULT: Final = "_as_fault"


def _as_fault(error: Exception) -> CplFault:
    if isinstance(error, RecursionError):
        return TooDeep(in_words(error)).with_traceback(error.__traceback__)
    place = _read_at(error.__traceback__) if isinstance(error, NoValue) else ""
    fault = CplFault(f"{place} has no value yet" if place else in_words(error))
    fault.__notes__ = getattr(error, "__notes__", [])
    return fault.with_traceback(error.__traceback__)


def _read_at(traceback: TracebackType | None) -> str:
    """What is written where a program, whose frame is the first one, was interrupted; empty if it is long."""
    if traceback is None:
        return ""
    code = traceback.tb_frame.f_code
    first, last, start, end = next(islice(code.co_positions(), traceback.tb_lasti // 2, None))
    line = linecache.getline(code.co_filename, first or 0).encode()
    return line[start:end].decode() if first == last else ""


def _show_python(made: FunctionType | type, statements: list[ast.stmt]) -> None:
    """Let `inspect.getsource` find the Python of a function or a type of nodes whose code stands in the CPL: it asks
    what is wrapped (since Python 3.13 not of types). The text is made when it is asked for.
    """
    function = made if isinstance(made, FunctionType) else _node
    file = f"{made.__module__}.{next(_NUMBERS)}.py"
    code = function.__code__.replace(co_filename=file, co_firstlineno=1)
    wrapped = FunctionType(code, function.__globals__, made.__name__, function.__defaults__, function.__closure__)
    wrapped.__kwdefaults__ = function.__kwdefaults__
    del functools.update_wrapper(wrapped, function).__wrapped__
    made.__wrapped__ = wrapped  # type: ignore[union-attr]
    linecache.cache[file] = (lambda: _python(statements),)  # as linecache.lazycache does
    finalize(wrapped, linecache.cache.pop, file, None).atexit = False


def _node(*components: Any) -> None:
    """What a type of nodes looks like to whoever calls it."""


_NUMBERS: Final = count(1)


class _Guard(ast.Try):
    """What `_guarded` puts round the statements of a function."""


def _python(statements: list[ast.stmt]) -> str:
    """What statements were before they were guarded."""
    from cpl.python.style import tidy

    for function in [part for statement in statements for part in ast.walk(statement)]:
        if isinstance(function, ast.FunctionDef) and isinstance(guard := function.body[-1], _Guard):
            function.body[-1:] = guard.body
    return tidy(write(statements))


def _inside(statement: ast.stmt) -> ast.stmt:
    """A statement with the body of every function in it guarded."""
    for part in ast.walk(statement):
        if isinstance(part, ast.FunctionDef):
            head = next((n for n, each in enumerate(part.body) if not _is_said(each)), len(part.body))
            part.body = [*part.body[:head], *_guarded(part.body[head:])]
    return statement


def _is_said(statement: ast.stmt) -> bool:
    """Whether a statement does nothing: a docstring, or what Python must be told of names."""
    return isinstance(statement, ast.Global | ast.Nonlocal) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _guarded(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements in a try that turns Python's exceptions into faults of the CPL."""
    if not statements:
        return []
    fault = ast.Call(load(_AS_FAULT), [load("_error")], [])
    handler = ast.ExceptHandler(load(_FAULTS), "_error", [ast.Raise(fault, ast.Constant(None))])
    return [_Guard(statements, [handler], [], [])]


def _place(node: ast.AST, outer: Span) -> None:
    """Give every Python node the place of the CPL that it comes from, or that of what is round it."""
    waiting = [(node, outer)]
    while waiting:
        node, outer = waiting.pop()
        span = span_of(node) or outer
        if isinstance(node, ast.expr | ast.stmt | ast.arg | ast.excepthandler):
            last = max(span.start, span.end - 1)
            node.lineno, node.col_offset = span.line, span.source.byte_column_at(span.start)
            node.end_lineno = span.source.line_at(last)
            node.end_col_offset = span.source.byte_column_at(span.end) if span.end > last else node.col_offset
        waiting += [(child, span) for child in ast.iter_child_nodes(node)]


def _show_in_tracebacks(source: Source) -> None:
    """Let Python find the lines of a text that is no file, or that was read from elsewhere than its path says."""
    lines = _Lines(f"{source.line(number)}\n" for number in range(1, source.line_at(len(source.text)) + 1))
    linecache.cache[source.path] = (len(source.text), None, lines, source.path)


class _Lines(list[str]):
    """Lines among which `inspect`, which reads on from where a definition may begin, finds no source: it is no Python.

    So it is with functions within others.
    """

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice) and at.stop is None:
            raise OSError("source code not available")
        return super().__getitem__(at)
