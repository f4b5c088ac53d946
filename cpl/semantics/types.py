"""What kind of value ∧, ∨ and ~ work on: truth values or bit strings. The papers write both with the same signs.

Every expression of a definition gets a kind, or shares an unknown one with others: the operands of an operator and its
result, a variable and its value. What a conditional, a block or a call gives is known if all that it may give is of one
kind, and says nothing of what that is in turn. So a kind is known only if the text forces it, and an unknown one is
left for the running program to tell. One kind for each variable throughout its definition: our choice.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from cpl.semantics import core
from cpl.semantics.library import HostName

Kind = Literal["boolean", "logical", "number", "string", "array"]
_KINDS: Final = get_args(Kind)


@dataclass(eq=False)
class _Class:
    """Expressions of one kind. `above` leads to the class that this one was merged into."""

    kind: str | None = None  # a Kind, or "mixed" where the text contradicts itself
    above: "_Class | None" = None
    joins: list["_Join"] = field(default_factory=list)  # that this class is a part of


@dataclass(eq=False)
class _Join:
    """`whole` has the kind of its `parts`, if they are all of one."""

    whole: _Class
    parts: list[_Class]


class Facts:
    """The kinds of a program's expressions."""

    def __init__(self, program: core.Program, host: dict[str, HostName]) -> None:
        self._host = host
        self._nodes: dict[int, _Class] = {}
        self._globals: dict[core.Global, _Class] = {}
        self._locals: dict[core.Local, _Class] = {}
        self._local_functions: set[core.Local] = set()
        self._program = program  # keeps the nodes alive, so that their ids stay theirs
        self._functions = {one.name for one in program.definitions if isinstance(one, core.Function)}
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
            case core.Commands(commands=commands):
                self._commands(commands, [])

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

    def _assign(self, place: core.Place, value: _Class) -> None:
        if isinstance(place, core.Choice):
            _learn(self._of(place.test), "boolean")
            self._assign(place.place, value)
            self._assign(place.otherwise, value)
        elif isinstance(place, core.Select):
            for part in (place.operand, *place.indices):
                self._of(part)
        elif isinstance(place, core.Local | core.Global):
            _merge(self._variable(place), value)
        else:
            self._of(place)

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
                return _Class() if node in self._local_functions else self._variable(node)
            case core.Global():
                return _Class() if node in self._functions else _joined([self._global(node)])
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
            case core.Select(operand=operand, indices=indices):
                for part in (operand, *indices):
                    self._of(part)
                return _Class()
            case core.Binary(operator="TIMES" | "DIVIDE" | "POWER", left=left, right=right):
                for side in (left, right):
                    _learn(self._of(side), "number")
                return _Class("number")
            case core.Binary(left=left, right=right):
                return _merge(self._of(left), self._of(right))
            case core.Compare(operands=operands):
                for operand in operands:
                    self._of(operand)
                return _Class("boolean")
            case core.Conditional(arms=arms, otherwise=otherwise):
                for test, _ in arms:
                    _learn(self._of(test), "boolean")
                return _joined([self._of(value) for value in (*(value for _, value in arms), otherwise)])
            case core.Block(commands=commands):
                results: list[_Class] = []
                self._commands(commands, results)
                return _joined(results)
            case core.Lambda(body=body):
                self._of(body)
                return _Class()
            case core.Component(operand=part) | core.Reference(place=part) | core.Contents(reference=part):
                self._of(part)
                return _Class()
            case core.Host() | core.Nil():
                return _Class()

    def _call(self, function: core.Expression, arguments: list[_Class]) -> _Class:
        match function:
            case core.Host(name=name):
                known = self._host[name]
                if known.arguments and arguments:
                    _learn(arguments[0], known.arguments)
                return _Class(known.result)
            case core.Global() if function in self._functions:
                return _joined([self._global(function)])
            case core.Local() if function in self._local_functions:
                return _joined([self._variable(function)])
            case _:
                self._of(function)
                return _Class()

    def _commands(self, commands: tuple[core.Command, ...], results: list[_Class]) -> None:
        for command in commands:
            match command:
                case core.Let(target=target, value=value):
                    self._bind(target, value)
                case core.LetFunction(name=name, body=body):
                    self._local_functions.add(name)
                    _merge(self._variable(name), self._of(body))
                case core.Assign(places=places, values=values):
                    given = [self._of(value) for value in values]
                    for place, kind in zip(places, given, strict=False):  # of one taken apart nothing is known
                        self._assign(place, kind if len(given) == len(places) else _Class())
                case core.If(test=test, commands=inner, otherwise=otherwise):
                    _learn(self._of(test), "boolean")
                    self._commands(inner, results)
                    self._commands(otherwise, results)
                case core.While(test=test, commands=inner) | core.Repeat(test=test, commands=inner):
                    _learn(self._of(test), "boolean")
                    self._commands(inner, results)
                case core.ForStep(variable=variable, commands=inner):
                    for bound in (command.first, command.step, command.last):
                        _learn(self._of(bound), "number")
                    _learn(self._variable(variable), "number")
                    self._commands(inner, results)
                case core.ForList(members=members, commands=inner):
                    self._of(members)
                    self._commands(inner, results)
                case core.Result(value=value):
                    results.append(self._of(value))
                case core.Evaluate(value=value):
                    self._of(value)


def _find(one: _Class) -> _Class:
    while one.above is not None:
        if one.above.above is not None:
            one.above = one.above.above
        one = one.above
    return one


def _joined(parts: list[_Class]) -> _Class:
    """A class that has the kind of all these, and gives them none."""
    join = _Join(_Class(), parts)
    for part in parts:
        _find(part).joins.append(join)
    _settle([join])
    return join.whole


def _merge(one: _Class, other: _Class) -> _Class:
    one, other = _find(one), _find(other)
    if one is not other:
        other.above = one
        one.joins += other.joins
        if other.kind:
            _learn(one, other.kind)
        elif one.kind:
            _settle(other.joins)  # the others know it already
    return one


def _learn(one: _Class, kind: str) -> None:
    """Every expression of the class is of this kind; so is what comes of it alone."""
    one = _find(one)
    if one.kind is None or one.kind not in (kind, "mixed"):
        one.kind = kind if one.kind is None else "mixed"
        _settle(one.joins)


def _settle(joins: list[_Join]) -> None:
    """Give wholes the kind of their parts, and so on."""
    waiting = list(joins)
    while waiting:
        join = waiting.pop()
        kinds = {_find(part).kind for part in join.parts}
        whole = _find(join.whole)
        if len(kinds) == 1 and None not in kinds and whole.kind is None:
            [whole.kind] = kinds
            waiting += whole.joins
        elif whole.kind is not None and None not in kinds and kinds != {whole.kind} and whole.kind != "mixed":
            whole.kind = "mixed"
            waiting += whole.joins
