"""A module of Python with the types of all its variables, for mypyc: `i64` where the numbers are sure to fit.

mypyc takes the type of an operation from its operands, so where the result or another operand may be wider than 64 bits
the narrow ones are made wide. Where values of several types meet, they are cast to `Any`: mypyc would turn a truth
value beside a number into a number.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from cpl.native.analysis import Analysis, Scope
from cpl.native.values import ANYTHING, BOOLEAN, NOTHING, Int, List, Tuple, Value
from cpl.python.ast_builders import assign, declare, load

PRELUDE: Final = """\
from typing import Any as _any, Final as _final, cast as _cast
from mypy_extensions import i64 as _i64


def _left(x: _i64, n: _i64) -> _i64:
    return x << n


def _right(x: _i64, n: _i64) -> _i64:
    return x >> n


_true: _final[bool] = bool(1)
_false: _final[bool] = bool(0)
"""
"""What the annotated module needs. mypyc gets the shift of a constant wrong, but not that of a parameter; and it fails
for functions within what it knows is never reached.
"""

_DEEPEST: Final = 5
"""Types nested deeper than this are `Any`."""


def annotated(module: ast.Module, analysis: Analysis) -> ast.Module:
    """The module with annotations and conversions. Its trees are changed."""
    _Annotated(analysis).module(module)
    return module


class _Annotated:
    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    # Statements

    def module(self, module: ast.Module) -> None:
        scope = self.analysis.top
        body: list[ast.stmt] = []
        constants = self.analysis.final
        types = {each.name for each in module.body if isinstance(each, ast.ClassDef)}
        for name, cell in scope.variables.items():
            if not (name in constants or name in scope.functions or name in types or cell.value == NOTHING):
                body.append(declare(name, written(cell.value)))
        for statement in self.statements(module.body, scope):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in constants:
                    body += _constant(name, scope.variables[name].value, value)
                case _:
                    body.append(statement)
        module.body = body

    def statements(self, body: Sequence[ast.stmt], scope: Scope) -> list[ast.stmt]:
        """Statements with what is in them changed."""
        made = [changed for each in body if (changed := self.statement(each, scope))]
        return made or [ast.Pass()]

    def statement(self, node: ast.stmt, scope: Scope) -> ast.stmt | None:
        """A statement, changed; None if it only declares a variable."""
        match node:
            case ast.FunctionDef():
                return self.function(node, scope)
            case ast.ClassDef():
                return _node_type(node)
            case ast.AnnAssign(value=None):
                return None
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                return assign(name, self.expression(value, scope))
            case ast.While(test=ast.Constant(value=True)):
                node.body = self.statements(node.body, scope)
                node.orelse = self.statements(node.orelse, scope) if node.orelse else []
                return node
            case ast.If() | ast.While():
                node.body = self.statements(node.body, scope)
                node.orelse = self.statements(node.orelse, scope) if node.orelse else []
                node.test = self.test(node.test, scope)
                return node
            case ast.For(iter=ast.Name() as members, orelse=[]) if (count := _counting(node)) and isinstance(
                self.value(members), List
            ):
                length = ast.Call(load("len"), [members], [])
                return assign(count, ast.BinOp(load(count), ast.Add(), length))
            case ast.For(iter=ast.List(elts=[])):
                node.iter = _cast("_any", node.iter)  # or mypy takes the body as never reached
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.expression(value, scope))
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self.statements(value, scope))
            elif isinstance(value, list):
                setattr(node, field, [self.expression(each, scope) for each in value if isinstance(each, ast.expr)])
        return node

    def function(self, node: ast.FunctionDef, outer: Scope) -> ast.FunctionDef:
        """A function with its parameters, its result and its variables annotated."""
        scope = self.analysis.scopes[node]
        node.args.kw_defaults = [each and self.expression(each, outer) for each in node.args.kw_defaults]
        parameters = [*node.args.args, *node.args.kwonlyargs]
        for each in parameters:
            each.annotation = written(scope.variables[each.arg].value)
        node.returns = written(scope.result.value)
        inside = {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef)}
        known = {each.arg for each in parameters} | inside
        declared: list[ast.stmt] = [
            declare(name, written(cell.value)) for name, cell in sorted(scope.variables.items()) if name not in known
        ]
        heading, body = _parted(node.body)
        node.body = [*heading, *declared, *self.statements(body, scope)]
        return node

    # Expressions

    def expression(self, node: ast.expr, scope: Scope) -> ast.expr:
        """An expression in which every operation has operands of one width."""
        match node:
            case ast.Constant(value=bool(value)):
                return load("_true" if value else "_false")
            case ast.Name() | ast.Constant():
                return node
            case ast.BinOp():
                return self.operation(node, scope)
            case ast.Compare(ops=operators) if not isinstance(operators[0], ast.In | ast.NotIn):
                left, others = node.left, node.comparators
                compared = [left, *others]
                narrow = all(_fits(self.value(each)) for each in compared)
                made = [self.expression(each, scope) for each in compared]
                if not narrow:
                    made = [self.wide(each, old) for each, old in zip(made, compared, strict=True)]
                return ast.Compare(made[0], operators, made[1:])
            case ast.UnaryOp(op=ast.USub() | ast.Invert() as operator, operand=operand):
                made_operand = self.expression(operand, scope)
                narrow = _fits(self.value(operand)) and _fits(self.value(node))
                return ast.UnaryOp(operator, made_operand if narrow else self.wide(made_operand, operand))
            case ast.BoolOp(op=junction, values=parts):
                if self.value(node) == BOOLEAN:
                    return ast.BoolOp(junction, [self.test(each, scope) for each in parts])
                return ast.BoolOp(junction, self.meeting(parts, self.value(node), scope))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ast.UnaryOp(node.op, self.test(operand, scope))
            case ast.IfExp(test=test, body=first, orelse=second):
                arms = self.meeting([first, second], self.value(node), scope)
                return ast.IfExp(self.test(test, scope), *arms)
            case ast.List(elts=items) if len(items) > 1:
                found = self.value(node)
                assert isinstance(found, List)
                return ast.List(self.meeting(items, found.members.value, scope), node.ctx)
            case ast.Lambda(body=body):
                node.body = self.expression(body, self.analysis.scopes[node])
                return node
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.expression(value, scope))
            elif isinstance(value, list):
                made = [self.expression(each, scope) if isinstance(each, ast.expr) else each for each in value]
                setattr(node, field, made)
        return node

    def operation(self, node: ast.BinOp, scope: Scope) -> ast.expr:
        """An operation on two numbers of 64 bits, or on two wider values."""
        given = [self.value(node.left), self.value(node.right)]
        narrow = self.is_narrow(node)
        parts = (node.left, node.right)
        left, right = [self.expression(each, scope) for each in parts]
        if not narrow:
            left, right = (self.wide(each, old) for each, old in zip((left, right), parts, strict=True))
        elif isinstance(node.op, ast.LShift | ast.RShift) and isinstance(given[0], Int) and given[0].range.is_constant:
            return ast.Call(load("_left" if isinstance(node.op, ast.LShift) else "_right"), [left, right], [])
        return ast.BinOp(left, node.op, right)

    def is_narrow(self, node: ast.BinOp) -> bool:
        """Whether an operation can be done in 64 bits."""
        found = [self.value(each) for each in (node.left, node.right, node)]
        match node.op, found[1]:
            case ((ast.LShift() | ast.RShift()), Int(range=count)) if not (
                count.is_positive and count.most is not None and count.most < _DIGITS
            ):
                return False
        return all(map(_fits, found))

    def wide(self, made: ast.expr, node: ast.expr) -> ast.expr:
        """The same number without a limit of width, if mypyc has it in 64 bits."""
        match node:
            case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
                return made
            case ast.BinOp() if not self.is_narrow(node):
                return made
        return ast.Call(load("int"), [made], []) if _fits(self.value(node)) else made

    def meeting(self, nodes: Sequence[ast.expr], together: Value, scope: Scope) -> list[ast.expr]:
        """Expressions one of whose values is taken, cast where they are not all of one type."""
        made = [self.expression(each, scope) for each in nodes]
        if ANYTHING not in _parts(together):
            return made
        return [_cast("_any", each) for each in made]

    def test(self, node: ast.expr, scope: Scope) -> ast.expr:
        """A condition from which mypy learns nothing: it would take other code as never reached, and mypyc fails where
        there are functions in such code.
        """
        made = self.expression(node, scope)
        match node:
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return made
            case ast.BoolOp() if self.value(node) == BOOLEAN:
                return made
        if isinstance(self.value(node), Int):
            return ast.Compare(made, [ast.NotEq()], [ast.Constant(0)])
        return _cast("bool" if self.value(node) == BOOLEAN else "_any", made)

    def value(self, node: ast.expr) -> Value:
        """What an expression of the given module may be."""
        return self.analysis.values.get(node, ANYTHING)


_DIGITS: Final = 64


def _cast(kind: str, node: ast.expr) -> ast.expr:
    return ast.Call(load("_cast"), [load(kind), node], [])


def _fits(value: Value) -> bool:
    return isinstance(value, Int) and value.range.fits


def _counting(loop: ast.For) -> str | None:
    """The variable to which a loop adds the number of members of a list, if it does just that: the members would be
    taken apart for nothing.
    """
    match loop.body:
        case [
            ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.BinOp(left=ast.Name(id=counted), op=ast.Add(), right=ast.Constant(value=1)),
            )
        ] if name == counted:
            return name
        case _:
            return None


def _parts(value: Value) -> Iterator[Value]:
    yield value
    for each in value.items if isinstance(value, Tuple) else ():
        yield from _parts(each)


def _parted(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The docstring and declarations of scope of a function, and the rest."""
    count = 0
    while count < len(body) and (
        isinstance(body[count], ast.Global | ast.Nonlocal)
        or (count == 0 and isinstance(first := body[0], ast.Expr) and isinstance(first.value, ast.Constant))
    ):
        count += 1
    return body[:count], body[count:]


def _node_type(node: ast.ClassDef) -> ast.stmt:
    """A type of nodes, made when the module runs: mypyc would give it a form of its own."""
    fields = [each for each in node.body if isinstance(each, ast.Assign)]
    names = [ast.Constant(target.id) for each in fields for target in each.targets if isinstance(target, ast.Name)]
    members = ast.Dict([*names], [each.value for each in fields])
    made = ast.Call(load("type"), [ast.Constant(node.name), ast.Tuple(node.bases, ast.Load()), members], [])
    return declare(node.name, _subscript("_final", load("_any")), made)


def _constant(name: str, found: Value, value: ast.expr) -> Iterator[ast.stmt]:
    """`name: Final = value`

    If it has several numbers of 64 bits, or the number -113, mypyc takes it as not set. So numbers are written down.
    """
    match found:
        case Int(range=range) if range.is_constant and range.fits:
            if not isinstance(value, ast.Constant | ast.UnaryOp):
                yield ast.Expr(value)  # what it does is still done
            value = ast.parse(str(range.least), mode="eval").body
            annotation = written(found)
        case Int():
            annotation = load("int")
        case Tuple() | List():
            annotation = load("_any")
        case _:
            annotation = written(found)
    yield declare(name, _subscript("_final", annotation), value)


def written(value: Value, depth: int = _DEEPEST) -> ast.expr:
    """The annotation of a variable that holds such values."""
    match value:
        case Int():
            return load("_i64" if value.range.fits else "int")
        case Tuple(items=(_, *_) as items) if depth:
            return _subscript("tuple", *[written(each, depth - 1) for each in items])
        case List(members=members) if depth:
            return _subscript("list", written(members.value, depth - 1))
        case _ if value == BOOLEAN:
            return load("bool")
        case _:
            return load("_any")


def _subscript(name: str, *items: ast.expr) -> ast.expr:
    index = items[0] if len(items) == 1 else ast.Tuple([*items], ast.Load())
    return ast.Subscript(load(name), index, ast.Load())
