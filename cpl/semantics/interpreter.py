"""The definition of the language, runnable: the core evaluated as it stands, with no code generated.

It is slow and plain on purpose: where it and the compiled Python differ, the compiler is wrong. It checks what the
compiled program trusts (that a condition is a truth value, that operands fit each other) and is the same in all else.
Operands are evaluated from left to right; CPL leaves the order open (evidence E36).
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

from cplrt import CplFault, Differ, Item, Logical, Same, SetItem, Steps, infinity

from cpl.semantics import core
from cpl.semantics.library import HostName
from cpl.source import Span

Value = Any

_RELATIONS: Final[dict[str, Callable[[Value, Value], bool]]] = {
    "EQUAL": operator.eq,
    "UNEQUAL": operator.ne,
    "LESS": operator.lt,
    "GREATER": operator.gt,
    "AT_MOST": operator.le,
    "AT_LEAST": operator.ge,
}
_ARITHMETIC: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "PLUS": operator.add,
    "MINUS": operator.sub,
    "TIMES": operator.mul,
    "DIVIDE": operator.truediv,
    "POWER": operator.pow,
}
_BITWISE: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "PLUS": operator.or_,
    "MINUS": operator.sub,
    "AND": operator.and_,
    "OR": operator.or_,
}


_SAMENESS: Final[dict[str, Callable[[Value, Value], Value]]] = {"EQUIVALENT": Same, "INEQUIVALENT": Differ}


class _Broken:
    """A loop was left by break."""


_BROKEN: Final = _Broken()
_LOOPS: Final = (core.While, core.Repeat, core.ForStep, core.ForList)
_End = tuple[Value] | _Broken
"""The result of a block, in a tuple of its own, or that a loop was left."""


class _Cell:
    """A place that holds a value: what the name of a variable leads to. Functions may share it."""

    __slots__ = ("value",)

    def __init__(self, value: Value = None) -> None:
        self.value = value


_UNSET: Final = object()
"""The value of a variable that has none yet."""

Variables = dict[core.Local, _Cell]


class Closure:
    """A function of the program as a value: what it does, and the places that its free variables lead to.

    Python can call it too.
    """

    def __init__(
        self,
        interpreter: "Interpreter",
        name: str,
        function: "core.Function | core.LetFunction | core.Lambda",
        around: Variables | None = None,
    ) -> None:
        self.interpreter = interpreter
        self.function = function
        self.around: Variables = around if around is not None else {}
        by_place = not isinstance(function, core.Lambda | core.LetFunction) or (
            isinstance(function, core.LetFunction) and function.by_place
        )
        taken = {} if by_place else {local: _Cell(cell.value) for local, cell in self.around.items()}
        self.taken: Variables = taken
        self.__name__ = name

    def variables(self, arguments: Sequence[Value]) -> Variables:
        """The variables of an application. Functions that are defined together see each other: those of `around`."""
        given = zip(self.function.parameters, map(_Cell, arguments), strict=True)
        return {**self.around, **self.taken, **dict(given)}

    def __call__(self, *arguments: Value) -> Value:
        """Apply it. Raises CplFault as the program does."""
        return self.interpreter.call(self, arguments, self.function.span)


class Interpreter:
    """A program that is being interpreted. `names` holds the values of its outermost level, functions as Python
    callables.
    """

    def __init__(self, program: core.Program, host: dict[str, HostName]) -> None:
        self._host = host
        self._globals: dict[core.Global, Value] = {}
        for definition in program.definitions:
            match definition:
                case core.Function(name=name):
                    self._globals[name] = Closure(self, name.name, definition)
                case core.Constants(target=target, value=value):
                    self._bind(target, self.evaluate(value, {}), {}, value.span)

    @property
    def names(self) -> dict[str, Value]:
        """CPL name to value."""
        return {name.name: value for name, value in self._globals.items()}

    def call(self, function: Value, arguments: Sequence[Value], span: Span) -> Value:
        """A function applied. Of our own ones the body is evaluated here, so that calls nest on Python's heap alone."""
        if not isinstance(function, Closure):
            if not callable(function):
                raise _fault(f"only a function can be applied; this is {function!r}", span)
            return function(*arguments)
        parameters = function.function.parameters
        if len(arguments) != len(parameters):
            raise _fault(f"{function.__name__} takes {len(parameters)} arguments, not {len(arguments)}", span)
        return self.evaluate(function.function.body, function.variables(arguments))

    def evaluate(self, node: core.Expression, variables: Variables) -> Value:
        """The value of an expression."""
        match node:
            case core.Literal(value=constant):
                return constant
            case core.Infinity():
                return infinity
            case core.Local(name=name):
                if node not in variables or variables[node].value is _UNSET:
                    raise _fault(f"{name} has no value yet", node.span)
                return variables[node].value
            case core.Global():
                return self._globals[node]
            case core.Host(name=name):
                return getattr(import_module(self._host[name].module), name)
            case core.Tuple(items=items):
                return tuple(self._all(items, variables))
            case core.List(items=items):
                return self._all(items, variables)
            case core.Apply(function=function, arguments=arguments):
                applied = self.evaluate(function, variables)
                return self.call(applied, self._all(arguments, variables), node.span)
            case core.Select(operand=operand, indices=indices):
                member = self.evaluate(operand, variables)
                given = self._all(indices, variables)
                if callable(member):
                    return self.call(member, given, node.span)
                return _told(lambda: Item(member, *given), node.span)
            case core.Juxtapose(left=left, right=right):
                first = self.evaluate(left, variables)
                second = self.evaluate(right, variables)
                if callable(first):
                    return self.call(first, [second], node.span)
                return _operate("TIMES", first, second, node.span)
            case core.Unary(operator=sign, operand=operand):
                return _signed(sign, self.evaluate(operand, variables), node.span)
            case core.Binary(operator="AND" | "OR" as sign, left=left, right=right):
                return self._boolean(sign, left, right, variables, node.span)
            case core.Binary(operator=sign, left=left, right=right):
                first = self.evaluate(left, variables)
                return _operate(sign, first, self.evaluate(right, variables), node.span)
            case core.Compare(operands=operands, operators=operators):
                return self._compare(operands, operators, variables, node.span)
            case core.Conditional(arms=arms, otherwise=otherwise):
                for test, value in arms:
                    if self._holds(test, variables):
                        return self.evaluate(value, variables)
                return self.evaluate(otherwise, variables)
            case core.Lambda():
                return Closure(self, "λ", node, variables)
            case core.Block(commands=commands):
                result = self._obey(commands, variables)
                if node.routine:
                    return None
                if not isinstance(result, tuple):
                    raise _fault("this block ended without a result", node.span)
                return result[0]

    def _all(self, items: Sequence[core.Expression], variables: Variables) -> list[Value]:
        return [self.evaluate(item, variables) for item in items]

    def _holds(self, test: core.Expression, variables: Variables) -> bool:
        value = self.evaluate(test, variables)
        if not isinstance(value, bool):
            raise _fault(f"a condition is true or false; this is {value!r}", test.span)
        return value

    def _boolean(
        self, sign: str, left: core.Expression, right: core.Expression, variables: Variables, span: Span
    ) -> Value:
        """Of truth values the right one is evaluated only if the left one does not settle it (our choice)."""
        first = self.evaluate(left, variables)
        if isinstance(first, bool):
            return self._holds(right, variables) if first == (sign == "AND") else first
        return _operate(sign, first, self.evaluate(right, variables), span)

    def _compare(
        self,
        operands: Sequence[core.Expression],
        operators: Sequence[str],
        variables: Variables,
        span: Span,
    ) -> bool:
        left = self.evaluate(operands[0], variables)
        for sign, operand in zip(operators, operands[1:], strict=True):
            right = self.evaluate(operand, variables)
            try:
                if not _RELATIONS[sign](left, right):
                    return False
            except TypeError:
                raise _fault(f"{left!r} and {right!r} cannot be compared in size", span) from None
            left = right
        return True

    def _obey(self, commands: Sequence[core.Command], variables: Variables) -> "_End | None":
        """How the commands end their block or their loop; None if what follows them is obeyed next."""
        for command in commands:
            end: _End | None = None
            match command:
                case core.Let(target=target, value=value):
                    self._bind(target, self.evaluate(value, variables), variables, value.span)
                case core.Assign(places=places, values=values):
                    given = self._all(values, variables)
                    meant = [self._place(place, variables) for place in places]
                    for place, value in zip(meant, given, strict=True):
                        if isinstance(place, tuple):
                            _told(partial(SetItem, place[0], place[1], value), command.span)
                        elif isinstance(place, core.Global):
                            self._globals[place] = value
                        else:
                            variables.setdefault(place, _Cell()).value = value
                case core.If(test=test, commands=inner, otherwise=otherwise):
                    end = self._obey(inner if self._holds(test, variables) else otherwise, variables)
                case core.While(test=test, commands=inner):
                    while end is None and self._holds(test, variables):
                        end = self._obey(inner, variables)
                case core.Repeat(commands=inner, test=test):
                    end = self._obey(inner, variables)
                    while end is None and self._holds(test, variables):
                        end = self._obey(inner, variables)
                case core.ForStep() | core.ForList():
                    for value in self._values(command, variables):
                        variables[command.variable] = _Cell(value)
                        end = self._obey(command.commands, variables)
                        if end is not None:
                            break
                case core.Declare(variable=variable):
                    variables[variable] = _Cell(_UNSET)
                case core.LetFunction(name=name):
                    cell = variables[name] = _Cell(_UNSET)
                    cell.value = made = Closure(self, name.name, command, variables)
                    made.taken.pop(name, None)
                case core.Return():
                    return (None,)
                case core.Break():
                    return _BROKEN
                case core.Result(value=value):
                    return (self.evaluate(value, variables),)
                case core.Evaluate(value=value):
                    self.evaluate(value, variables)
            if end is not None and not (end is _BROKEN and isinstance(command, _LOOPS)):
                return end
        return None

    def _values(self, loop: core.ForStep | core.ForList, variables: Variables) -> Iterable[Value]:
        """What the variable of a loop runs through."""
        if isinstance(loop, core.ForStep):
            try:
                return Steps(*self._all((loop.first, loop.step, loop.last), variables))
            except CplFault as fault:
                raise _fault(str(fault), loop.span) from None
        members = self.evaluate(loop.members, variables)
        if not isinstance(members, list | tuple):
            raise _fault(f"a for goes through a list; this is {members!r}", loop.members.span)
        return list(members)

    def _place(self, place: core.Place, variables: Variables) -> "core.Local | core.Global | tuple[Value, list[Value]]":
        """The variable, or the array and the indices: all that must be known before anything is assigned."""
        while isinstance(place, core.Choice):
            place = place.place if self._holds(place.test, variables) else place.otherwise
        if isinstance(place, core.Select):
            return self.evaluate(place.operand, variables), self._all(place.indices, variables)
        return place

    def _bind(self, target: core.Target, value: Value, variables: Variables, span: Span) -> None:
        match target:
            case core.Local():
                variables[target] = _Cell(value)
            case core.Global():
                self._globals[target] = value
            case core.Several(items=items):
                if not isinstance(value, list | tuple) or len(value) != len(items):
                    raise _fault(f"a list of {len(items)} is wanted here; this is {value!r}", span)
                for item, member in zip(items, value, strict=True):
                    self._bind(item, member, variables, span)


def _fault(message: str, span: Span) -> CplFault:
    fault = CplFault(message)
    fault.add_note(f"at {span.place}")
    return fault


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _signed(sign: str, value: Value, span: Span) -> Value:
    match sign:
        case "NOT" if isinstance(value, bool):
            return not value
        case "NOT" if isinstance(value, Logical):
            return ~value
        case "MINUS" if _is_number(value):
            return -value
        case "PLUS" if _is_number(value):
            return value
    raise _fault(f"this sign does not go with {value!r}", span)


def _told(job: Callable[[], Value], span: Span) -> Value:
    """Do it; a fault says where."""
    try:
        return job()
    except CplFault as fault:
        raise _fault(str(fault), span) from None


def _operate(sign: str, left: Value, right: Value, span: Span) -> Value:
    if sign in _SAMENESS:
        return _told(lambda: _SAMENESS[sign](left, right), span)
    if _is_number(left) and _is_number(right) and sign in _ARITHMETIC:
        try:
            return _ARITHMETIC[sign](left, right)
        except ArithmeticError as error:
            raise _fault(str(error), span) from None
    if isinstance(left, Logical) and isinstance(right, Logical) and sign in _BITWISE:
        return _BITWISE[sign](left, right)
    raise _fault(f"this operator does not go with {left!r} and {right!r}", span)
