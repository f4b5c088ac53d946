"""A limit to how deep native functions nest: they are on the stack of C, which nothing else watches.

The functions that may apply themselves count their calls: those that do so by name, and all that apply a function
which is a value.
"""

import ast
from collections.abc import Iterator
from typing import Final

from cpl.semantics.scc import components

PRELUDE: Final = """\
from cplrt.depth import most_native_calls as _most_native_calls


class _nesting:
    def __init__(self) -> None:
        self.depth: _i64 = 0
        self.most: _i64 = 0


_calls: _final = _nesting()


def _refuse() -> None:
    _calls.most = _most_native_calls()
    if _calls.depth > _calls.most:
        raise RecursionError("maximum recursion depth exceeded")


def _applied(function: _any, *arguments: _any) -> _any:
    _calls.depth += 1
    try:
        if _calls.depth > _calls.most:
            _refuse()
        return function(*arguments)
    finally:
        _calls.depth -= 1
"""

_BEFORE: Final = ast.parse("_calls.depth += 1").body
_CHECK: Final = ast.parse("if _calls.depth > _calls.most:\n    _refuse()").body
_AFTER: Final = ast.parse("_calls.depth -= 1").body


def guarded(module: ast.Module) -> ast.Module:
    """The module with the calls counted. Its trees are changed."""
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    numbers = {each.name: number for number, each in enumerate(functions)}
    uses = [{numbers[name] for name in _names(each) if name in numbers} for each in functions]
    recursive = {
        functions[number].name
        for group in components([sorted(each) for each in uses])
        for number in group
        if len(group) > 1 or number in uses[number]
    }
    classes = {each.name for each in module.body if isinstance(each, ast.ClassDef)}
    for function in functions:
        local = {*_bound(function)}
        for inner in [part for part in ast.walk(function) if isinstance(part, ast.FunctionDef | ast.Lambda)]:
            values = [call for call in _calls_in(inner) if _is_of_value(call, local, numbers.keys() | classes)]
            if isinstance(inner, ast.Lambda):
                for call in values:
                    call.args[:0], call.func = [call.func], ast.Name("_applied", ast.Load())
            elif values or inner.name in recursive:
                _count(inner)
    return module


def _names(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _bound(function: ast.FunctionDef) -> Iterator[str]:
    """The names of all variables in a function, and in those within it."""
    for part in ast.walk(function):
        match part:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) if part is not function:
                yield name


def _calls_in(function: ast.FunctionDef | ast.Lambda) -> Iterator[ast.Call]:
    """The calls in a function, without those in functions within it."""
    waiting: list[ast.AST] = [*function.body] if isinstance(function, ast.FunctionDef) else [function.body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Call):
            yield part
        if not isinstance(part, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(part)


def _is_of_value(call: ast.Call, local: set[str], known: set[str]) -> bool:
    """Whether what is called is a value of the program, and no function by its name or method."""
    match call.func:
        case ast.Name(id=name):
            return name in local
        case ast.Attribute():
            return False
        case _:
            return True


def _count(function: ast.FunctionDef) -> None:
    match function.body:
        case [ast.Expr(value=ast.Constant()) as docstring, *body]:
            heading: list[ast.stmt] = [docstring]
        case body:
            heading = []
    function.body = [*heading, *_BEFORE, ast.Try([*_CHECK, *body], [], [], [*_AFTER])]
