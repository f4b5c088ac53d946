"""What the variables, parameters and results of a module of Python may hold, by abstract interpretation.

Each variable has one value for the whole of its scope. Functions of the top level get what the module itself gives
them, and what is said of those that are called from outside; a function that is used as a value gets anything.
"""

import ast
from collections.abc import Mapping, Sequence
from typing import Final

from cpl.native import ranges
from cpl.native.ranges import Range
from cpl.native.values import ANYTHING, BOOLEAN, NOTHING, WHOLE, Cell, Int, List, Tuple, Value, cut, join, let_go

AnyFunction = ast.FunctionDef | ast.Lambda

_READERS: Final = frozenset({"Null", "len", "AsLogical", "AsBits", "Logical"})
"""Functions that neither change lists that are given to them nor keep them."""


class Scope:
    """The variables of a function, or of the module."""

    def __init__(self, node: ast.AST, outer: "Scope | None" = None) -> None:
        self.node = node
        self.outer = outer
        self.variables: dict[str, Cell] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        """Functions of the top level."""
        self.result = Cell()
        body = node.body if isinstance(node, ast.FunctionDef | ast.Module) else []
        arguments = [*_parameters(node)] if isinstance(node, AnyFunction) else []
        own = [part for statement in body for part in _within(statement)]
        elsewhere = {name for part in own if isinstance(part, ast.Global | ast.Nonlocal) for name in part.names}
        bound = [each.arg for each in arguments]
        for part in own if body else _within(node.body) if isinstance(node, ast.Lambda) else ():
            match part:
                case ast.Name(id=name, ctx=ast.Store()):
                    bound.append(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    bound.append(name)
        for name in bound:
            if name not in elsewhere:
                self.variables.setdefault(name, Cell())
        if isinstance(node, ast.Module):
            self.functions = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}

    def cell(self, name: str) -> Cell | None:
        """The variable that a name means here; None for one of Python or cplrt."""
        scope: Scope | None = self
        while scope:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.outer
        return None

    def function(self, name: str) -> ast.FunctionDef | None:
        """The function of the top level that a name means here."""
        scope = self
        while scope.outer:
            if name in scope.variables:
                return None
            scope = scope.outer
        return scope.functions.get(name)


def _within(node: ast.AST) -> list[ast.AST]:
    """A node and all within it, without the insides of functions."""
    found, waiting = [], [node]
    while waiting:
        part = waiting.pop()
        found.append(part)
        if isinstance(part, ast.FunctionDef):
            waiting += [each for each in part.args.kw_defaults if each]
        elif not isinstance(part, ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(part)
    return found


def _parameters(function: AnyFunction) -> list[ast.arg]:
    return [*function.args.args, *function.args.kwonlyargs]


class Analysis:
    """The values in a module. `given` says what comes from outside to its functions: to those that are not in it, and
    that the module does not convert arguments for, comes anything, or if it is `closed` nothing. `constants` are known
    to have these values.
    """

    def __init__(
        self, module: ast.Module, given: Mapping[str, Sequence[Value]], constants: Mapping[str, object], *, closed: bool
    ) -> None:
        self.top = Scope(module)
        self.scopes: dict[ast.AST, Scope] = {module: self.top}
        self.values: dict[ast.expr, Value] = {}
        self.lists: dict[ast.AST, List] = {}
        self.final = _assigned_once(module)
        self.known = {name: found for name in self.final if (found := of_constant(constants.get(name))) != ANYTHING}
        for name, found in self.known.items():
            self.top.variables[name].add(found)
        for name, function in self.top.functions.items():
            parameters = _parameters(function)
            values = given.get(name) or ([] if closed or name in _converted(module) else [ANYTHING] * len(parameters))
            for parameter, value in zip(parameters, values, strict=True) if values else ():
                self._scope(function, self.top).variables[parameter.arg].add(value)
        before = -1
        while before != Cell.changes:
            before = Cell.changes
            for statement in module.body:
                self._statement(statement, self.top)

    def _scope(self, node: AnyFunction, outer: Scope) -> Scope:
        if node not in self.scopes:
            self.scopes[node] = Scope(node, outer)
        return self.scopes[node]

    # Statements

    def _statements(self, statements: Sequence[ast.stmt], scope: Scope) -> None:
        for each in statements:
            self._statement(each, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.FunctionDef():
                self._function(node, scope)
            case ast.ClassDef(name=name):
                scope.variables[name].add(ANYTHING)
            case ast.Assign(targets=targets, value=value):
                found = self.value(value, scope)
                for target in targets:
                    self._assign(target, found, scope)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign(target, self.value(value, scope), scope)
            case ast.Return(value=value):
                scope.result.add(self.value(value, scope) if value else ANYTHING)
            case ast.For(target=target, iter=members, body=body, orelse=otherwise):
                self._assign(target, self._member(members, scope), scope)
                self._statements([*body, *otherwise], scope)
            case ast.While(test=test, body=body, orelse=otherwise) | ast.If(test=test, body=body, orelse=otherwise):
                self.value(test, scope)
                self._statements([*body, *otherwise], scope)
            case ast.Expr(value=value):
                self.value(value, scope)
            case ast.Pass() | ast.Break() | ast.Continue() | ast.Global() | ast.Nonlocal():
                pass
            case _:
                for part in ast.iter_child_nodes(node):
                    if isinstance(part, ast.expr):
                        let_go(self.value(part, scope))
                    elif isinstance(part, ast.stmt):
                        self._statement(part, scope)

    def _function(self, node: ast.FunctionDef, outer: Scope) -> None:
        scope = self._scope(node, outer)
        if outer is not self.top:
            outer.variables[node.name].add(ANYTHING)
            self._open(scope)
        for default in node.args.kw_defaults:
            if default:
                let_go(self.value(default, outer))
        for parameter in node.args.kwonlyargs:
            scope.variables[parameter.arg].add(ANYTHING)
        self._statements(node.body, scope)
        if not always_leaves(node.body):
            scope.result.add(ANYTHING)

    def _open(self, scope: Scope) -> None:
        """Note that anybody may call a function."""
        assert isinstance(scope.node, AnyFunction)
        for parameter in _parameters(scope.node):
            scope.variables[parameter.arg].add(ANYTHING)
        scope.result.add(ANYTHING)

    def _assign(self, target: ast.expr, value: Value, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                cell = scope.cell(name)
                assert cell is not None
                if scope is not self.top or name not in self.known:
                    cell.add(value)
            case ast.Tuple(elts=targets):
                if isinstance(value, Tuple) and len(value.items) == len(targets):
                    items: Sequence[Value] = value.items
                else:
                    let_go(value)
                    items = [NOTHING if value == NOTHING else ANYTHING] * len(targets)
                for each, item in zip(targets, items, strict=True):
                    self._assign(each, item, scope)
            case ast.Subscript(value=operand, slice=index):
                self.value(index, scope)
                match self.value(operand, scope):
                    case List(members=members):
                        members.add(value)
                    case _:
                        let_go(value)
            case _:
                self._parts(target, scope)
                let_go(value)

    # Expressions

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """What an expression may be. It is kept, as `values[node]`."""
        self.values[node] = found = self._value(node, scope)
        return found

    def _value(self, node: ast.expr, scope: Scope) -> Value:
        match node:
            case ast.Constant(value=bool()):
                return BOOLEAN
            case ast.Constant(value=int(value)):
                return Int(Range(value, value))
            case ast.Constant():
                return ANYTHING
            case ast.Name(id=name):
                return self._name(name, scope)
            case ast.Tuple(elts=items):
                return cut(Tuple(tuple([self.value(each, scope) for each in items])))
            case ast.List(elts=items):
                made = self.lists.setdefault(node, List())
                for each in items:
                    made.members.add(self.value(each, scope))
                return made
            case ast.BinOp(left=left, op=operator, right=right):
                one, two = self.value(left, scope), self.value(right, scope)
                return _operation(type(operator).__name__, one, two)
            case ast.UnaryOp(op=operator, operand=operand):
                return _unary(operator, self.value(operand, scope))
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
                self.value(left, scope)
                self.value(right, scope)
                return BOOLEAN
            case ast.Compare(left=left, comparators=comparators):
                compared = [self.value(each, scope) for each in (left, *comparators)]
                return BOOLEAN if all(isinstance(each, Int) or each == BOOLEAN for each in compared) else ANYTHING
            case ast.BoolOp(values=parts):
                return self._either([self.value(each, scope) for each in parts])
            case ast.IfExp(test=test, body=first, orelse=second):
                self.value(test, scope)
                return self._either([self.value(first, scope), self.value(second, scope)])
            case ast.NamedExpr(target=target, value=given):
                found = self.value(given, scope)
                self._assign(target, found, scope)
                return found
            case ast.Subscript(value=operand, slice=index):
                self.value(index, scope)
                match self.value(operand, scope):
                    case List(members=members):
                        return members.value
                    case other:
                        let_go(other)
                        return ANYTHING
            case ast.Lambda(body=body):
                inner = self._scope(node, scope)
                self._open(inner)
                let_go(self.value(body, inner))
                return ANYTHING
            case ast.Call():
                return self._call(node, scope)
            case _:
                self._parts(node, scope)
                return ANYTHING

    def _parts(self, node: ast.AST, scope: Scope) -> None:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                let_go(self.value(part, scope))
            else:
                self._parts(part, scope)

    def _either(self, values: Sequence[Value]) -> Value:
        found: Value = NOTHING
        for each in values:
            found = join(found, each)
        return found

    def _name(self, name: str, scope: Scope) -> Value:
        function = scope.function(name)
        if function:
            inner = self._scope(function, self.top)
            self._open(inner)
            let_go(inner.result.value)
            return ANYTHING
        cell = scope.cell(name)
        return cell.value if cell else ANYTHING

    def _member(self, node: ast.expr, scope: Scope) -> Value:
        """What a `for` loop runs through."""
        match node:
            case ast.Call(func=ast.Name(id="range"), args=bounds) if scope.cell("range") is None:
                found = self._either([self.value(each, scope) for each in bounds])
                return Int(found.range.joined(Range(0, 0)).widened()) if isinstance(found, Int) else WHOLE
        match self.value(node, scope):
            case List(members=members):
                return members.value
            case other:
                let_go(other)
                return NOTHING if other == NOTHING else ANYTHING

    def _call(self, node: ast.Call, scope: Scope) -> Value:
        match node.func:
            case ast.Name(id=name) if function := scope.function(name):
                return self._apply(function, node, scope)
            case ast.Name(id="AsLogical") if (converted := _conversion(node)) and scope.function(converted[0]):
                self._convert(*converted)
                return ANYTHING
            case ast.Name(id=name) if scope.cell(name) is None:
                return self._host(name, [self.value(each, scope) for each in node.args], node)
            case ast.Attribute(value=operand, attr="append" | "extend" as method) if len(node.args) == 1:
                given = self.value(node.args[0], scope)
                match self.value(operand, scope), given:
                    case List(members=members), _ if method == "append":
                        members.add(given)
                    case List(members=members), List(members=more):
                        members.unite(more)
                    case other, _:
                        let_go(other)
                        let_go(given)
                return ANYTHING
        let_go(self.value(node.func, scope))
        self._parts(node, scope)
        return ANYTHING

    def _apply(self, function: ast.FunctionDef, node: ast.Call, scope: Scope) -> Value:
        inner = self._scope(function, self.top)
        values = [self.value(each, scope) for each in node.args]
        if len(values) != len(function.args.args) or node.keywords:
            self._parts(node, scope)
            return ANYTHING
        for parameter, value in zip(function.args.args, values, strict=True):
            inner.variables[parameter.arg].add(value)
        return inner.result.value

    def _convert(self, name: str, form: ast.Call) -> None:
        """The arguments of a function to which the edge of the module gives them."""
        function = self.top.functions[name]
        scope = self._scope(function, self.top)
        assert isinstance(form.args[0], ast.Tuple)
        for parameter, each in zip(function.args.args, form.args[0].elts, strict=True):
            scope.variables[parameter.arg].add(_of_form(each))
        let_go(scope.result.value)

    def _host(self, name: str, values: list[Value], node: ast.Call) -> Value:
        """The value of a function of cplrt or of Python."""
        if name not in _READERS and not (name == "Head" and isinstance(values[0], List)):
            for each in values:
                let_go(each)
        match name, values:
            case "len", _:
                return Int(Range(0, None))
            case "Null", _:
                return BOOLEAN
            case "AsBits", _ if isinstance(form := node.args[1], ast.Name) and form.id == "bits":
                return WHOLE
            case "Head", [List(members=members)]:
                return members.value
            case _:
                return ANYTHING


def _operation(operator: str, one: Value, two: Value) -> Value:
    if NOTHING in (one, two):
        return NOTHING
    if isinstance(one, Int) and isinstance(two, Int) and (found := ranges.result(operator, one.range, two.range)):
        return Int(found)
    let_go(one)
    let_go(two)
    return ANYTHING


def _unary(operator: ast.unaryop, value: Value) -> Value:
    match operator, value:
        case ast.Not(), _:
            return BOOLEAN
        case _, _ if value == NOTHING:
            return NOTHING
        case ast.USub(), Int(range=range):
            return Int(ranges.negative(range))
        case ast.Invert(), Int(range=range):
            return Int(ranges.complement(range))
        case ast.UAdd(), Int():
            return value
        case _:
            return ANYTHING


def _conversion(node: ast.Call) -> tuple[str, ast.Call] | None:
    """The function that this gives to Python, and the form of it."""
    match node.args:
        case [ast.Name(id=name), ast.Call(func=ast.Name(id="Function")) as form]:
            return name, form
        case _:
            return None


def _converted(module: ast.Module) -> set[str]:
    """The functions that get arguments only from the module and by its edge."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
    return {found[0] for node in calls if (found := _conversion(node))}


def of_constant(value: object) -> Value:
    """The value that a constant has in Python, if it is a number or a tuple of such."""
    match value:
        case bool():
            return BOOLEAN
        case int():
            return Int(Range(value, value))
        case tuple() as items:
            return cut(Tuple(tuple(map(of_constant, items))))
        case _:
            return ANYTHING


def _of_form(form: ast.expr) -> Value:
    """What a value of a form is, within the module."""
    match form:
        case ast.Name(id="bits"):
            return WHOLE
        case ast.Tuple(elts=items):
            return Tuple(tuple(map(_of_form, items)))
        case _:
            return ANYTHING


def always_leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether what follows these statements is never reached."""
    match body:
        case [*_, ast.Return() | ast.Raise()]:
            return True
        case [*_, ast.If(body=first, orelse=second)]:
            return always_leaves(first) and always_leaves(second)
        case [*_, ast.While(test=ast.Constant(value=True), body=inner)]:
            return not any(isinstance(part, ast.Break) for each in inner for part in _within(each))
        case _:
            return False


def _assigned_once(module: ast.Module) -> set[str]:
    """The names of the module that one statement gives their values, for good."""
    names = [
        target.id
        for each in module.body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        if isinstance(target, ast.Name)
    ]
    stored = [
        part.id for each in module.body for part in _within(each) if isinstance(part, ast.Name) and _is_stored(part)
    ]
    shared = {name for part in ast.walk(module) if isinstance(part, ast.Global) for name in part.names}
    return {name for name in names if stored.count(name) == 1} - shared


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)
