"""What kind of value ∧, ∨ and ~ work on: truth values or bit strings. The papers write both with the same signs.

Every expression of a definition gets a kind, or shares an unknown one with others: the operands of an operator, the
arms of a conditional, a variable and its value. What a call gives is known from the function's own body. So a kind is
known only if the text forces it, and an unknown one is left for the running program to tell.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from cpl.semantics import core
from cpl.semantics.library import HostName

Kind = Literal["boolean", "logical", "number", "string"]
_KINDS: Final = get_args(Kind)


@dataclass(eq=False)
class _Class:
    """Expressions of one kind. `above` leads to the class that this one was merged into."""

    kind: str | None = None  # a Kind, or "mixed" where the text contradicts itself
    above: "_Class | None" = None
    listeners: list["_Class"] = field(default_factory=list)


class Facts:
    """The kinds of a program's expressions."""

    def __init__(self, program: core.Program, host: dict[str, HostName]) -> None:
        self._host = host
        self._nodes: dict[int, _Class] = {}
        self._globals: dict[core.Global, _Class] = {}
        self._locals: dict[core.Local, _Class] = {}
        self._program = program  # keeps the nodes alive, so that their ids stay theirs
        for definition in program.definitions:
            self._definition(definition)

    def kind(self, node: core.Expression) -> Kind | None:
        """The kind of an expression, None if it is not known."""
        known = self._nodes.get(id(node))
        kind = _find(known).kind if known else None
        return kind if kind in _KINDS else None  # type: ignore[return-value]

    def _definition(self, definition: core.Definition) -> None:
        self._locals = {}
        match definition:
            case core.Function(name=name, body=body):
                _merge(self._global(name), self._of(body))
            case core.Constants(target=target, value=value):
                self._bind(target, value)

    def _global(self, name: core.Global) -> _Class:
        return self._globals.setdefault(name, _Class())

    def _bind(self, target: core.Target, value: core.Expression) -> None:
        of_value = self._of(value)
        match target, value:
            case core.Several(items=names), core.Tuple(items=values) if len(names) == len(values):
                for name, item in zip(names, values, strict=True):
                    self._bind_known(name, item)
            case ((core.Local() | core.Global()), _):
                _merge(self._variable(target), of_value)

    def _bind_known(self, target: core.Target, value: core.Expression) -> None:
        if not isinstance(target, core.Several):
            _merge(self._variable(target), self._nodes[id(value)])

    def _variable(self, target: core.Local | core.Global) -> _Class:
        if isinstance(target, core.Global):
            return self._global(target)
        return self._locals.setdefault(target, _Class())

    def _of(self, node: core.Expression) -> _Class:
        """The class of an expression, entered on the way."""
        result = self._infer(node)
        self._nodes[id(node)] = result
        return result

    def _infer(self, node: core.Expression) -> _Class:
        match node:
            case core.Literal(value=bool()):
                return _Class("boolean")
            case core.Literal(value=str()):
                return _Class("string")
            case core.Literal() | core.Infinity():
                return _Class("number")
            case core.Local():
                return self._variable(node)
            case core.Global():
                return self._result_of(node)
            case core.Tuple(items=items) | core.List(items=items):
                for item in items:
                    self._of(item)
                return _Class()
            case core.Apply(function=function, arguments=arguments):
                return self._call(function, [self._of(argument) for argument in arguments])
            case core.Juxtapose(left=left, right=right):
                self._of(left)
                self._of(right)
                return _Class()
            case core.Unary(operand=operand):
                return self._of(operand)
            case core.Binary(operator="TIMES" | "DIVIDE", left=left, right=right):
                for side in (left, right):
                    _learn(self._of(side), "number")
                return _Class("number")
            case core.Binary(left=left, right=right):
                return _merge(self._of(left), self._of(right))
            case core.Compare(operands=operands):
                first, *others = [self._of(operand) for operand in operands]
                for other in others:
                    _merge(first, other)
                return _Class("boolean")
            case core.Conditional(arms=arms, otherwise=otherwise):
                result = _Class()
                for test, value in arms:
                    _learn(self._of(test), "boolean")
                    _merge(result, self._of(value))
                return _merge(result, self._of(otherwise))
            case core.Block(commands=commands):
                result = _Class()
                self._commands(commands, result)
                return result
            case core.Host():
                return _Class()

    def _result_of(self, name: core.Global) -> _Class:
        """What is known of a constant, or of a function's result, holds here; what is found here does not hold
        there.
        """
        here, there = _Class(), _find(self._global(name))
        if there.kind:
            _learn(here, there.kind)
        else:
            there.listeners.append(here)
        return here

    def _call(self, function: core.Expression, arguments: list[_Class]) -> _Class:
        match function:
            case core.Host(name=name):
                known = self._host[name]
                if known.arguments and arguments:
                    _learn(arguments[0], known.arguments)
                return _Class(known.result)
            case core.Global():
                return self._result_of(function)
            case _:
                self._of(function)
                return _Class()

    def _commands(self, commands: tuple[core.Command, ...], result: _Class) -> None:
        for command in commands:
            match command:
                case core.Let(target=target, value=value):
                    self._bind(target, value)
                case core.If(test=test, commands=inner):
                    _learn(self._of(test), "boolean")
                    self._commands(inner, result)
                case core.Result(value=value):
                    _merge(result, self._of(value))
                case core.Evaluate(value=value):
                    self._of(value)


def _find(one: _Class) -> _Class:
    while one.above is not None:
        if one.above.above is not None:
            one.above = one.above.above
        one = one.above
    return one


def _merge(one: _Class, other: _Class) -> _Class:
    one, other = _find(one), _find(other)
    if one is not other:
        other.above = one
        one.listeners += other.listeners
        known = other.kind
        if one.kind:
            for listener in other.listeners:
                _learn(listener, one.kind)
        if known:
            _learn(one, known)
    return one


def _learn(one: _Class, kind: str) -> None:
    """Every expression of the class is of this kind; so are the calls that wait for it."""
    waiting = [(one, kind)]
    while waiting:
        one, kind = waiting.pop()
        one = _find(one)
        if one.kind is None:
            one.kind = kind
        elif one.kind not in (kind, "mixed"):
            one.kind = "mixed"
        else:
            continue
        waiting += [(listener, one.kind) for listener in one.listeners]
