"""The text of a native module: what mypyc compiles."""

import ast
import copy
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count

from cpl.native import annotate, recursion
from cpl.native.analysis import Analysis
from cpl.native.values import Value
from cpl.python.ast_builders import assign, load
from cpl.python.emit import Generated, is_edge
from cpl.python.unparse import unparse
from cpl.semantics import core, walk


def native_text(generated: Generated, given: Mapping[str, Sequence[Value]] | None = None) -> str:
    """The module, annotated. If it is said what is `given` to functions, only these are for use from outside."""
    pieces = [each for each in generated.pieces if given is None or not _is_spare(each.definition, given.keys())]
    body = [copy.deepcopy(statement) for each in pieces for statement in each.statements]
    if given is not None:
        body = _needed(body, given.keys())
    module = ast.Module(body, [])
    _name_apart(module)
    analysis = Analysis(module, given or {}, _constants(generated, module), closed=given is not None)
    made = recursion.guarded(annotate.annotated(module, analysis))
    names = assign("__all__", ast.List([*map(ast.Constant, generated.public_names)], ast.Load()))
    heading = [
        unparse([ast.Expr(ast.Constant(generated.docstring)), names]),
        generated.imports(),
        annotate.PRELUDE,
        recursion.PRELUDE,
    ]
    return "\n\n".join([*filter(None, heading), unparse(made.body)]) + "\n"


def _name_apart(module: ast.Module) -> None:
    """Give functions of one name in several branches, and those whose name gets other values, names of their own, as
    mypyc wants it. The old name becomes a variable that holds one of them.
    """
    parts = [*ast.walk(module)]
    stored = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    stored.update(*(part.names for part in parts if isinstance(part, ast.Global | ast.Nonlocal)))
    for scope in [part for part in ast.walk(module) if isinstance(part, ast.Module | ast.FunctionDef)]:
        counts = Counter(
            each.name for body in _bodies(scope.body) for each in body if isinstance(each, ast.FunctionDef)
        )
        numbers = count(1)
        for body in [*_bodies(scope.body)]:
            for at, each in reversed([*enumerate(body)]):
                if isinstance(each, ast.FunctionDef) and (counts[each.name] > 1 or each.name in stored):
                    name, each.name = each.name, f"{each.name}__{next(numbers)}"
                    body.insert(at + 1, assign(name, load(each.name)))


def _bodies(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """A list of statements and those within it, without those of functions."""
    yield body
    for statement in body:
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            for _, value in ast.iter_fields(statement):
                if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                    yield from _bodies(value)


def _is_spare(definition: core.Definition, wanted: Collection[str]) -> bool:
    """Whether this gives Python something that is not wanted."""
    return is_edge(definition) and not any(name.name in wanted for name in walk.names(definition))


def _constants(generated: Generated, module: ast.Module) -> dict[str, object]:
    """What the names of a module stand for, if that can be found out without any effect: by running it."""
    host = generated.library.host
    if any(name in host and host[name].is_command for name in generated.module.hosts):
        return {}
    names: dict[str, object] = {}
    with suppress(Exception, SystemExit):
        exec(generated.imports(), names)
        exec(unparse(generated.shapes), names)
        exec(unparse(module.body), names)
    return names


def _needed(body: Sequence[ast.stmt], wanted: Iterable[str]) -> list[ast.stmt]:
    """The statements without functions that nothing uses, as far as `wanted` is concerned."""
    functions = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
    kept = {*wanted}
    waiting: list[ast.AST] = [each for each in body if not isinstance(each, ast.FunctionDef)]
    waiting += [functions[name] for name in wanted if name in functions]
    while waiting:
        for part in ast.walk(waiting.pop()):
            if isinstance(part, ast.Name) and part.id in functions and part.id not in kept:
                kept.add(part.id)
                waiting.append(functions[part.id])
    return [each for each in body if not isinstance(each, ast.FunctionDef) or each.name in kept]
