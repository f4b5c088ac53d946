"""An executable definition of the language: it evaluates the core tree and generates no code.

It is slow and plain on purpose: where the compiled Python differs from it, the compiler is wrong. It checks what the
compiled program trusts (that a condition is a truth value, that operands fit each other) and is otherwise the same.
Operands are evaluated from left to right; CPL leaves the order open (evidence E36).

An `observer` may follow it step by step.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from functools import partial
from importlib import import_module
from itertools import takewhile
from operator import getitem
from types import TracebackType
from typing import Any, Protocol, cast

from cplrt import (
    Array,
    Cell,
    ComponentOf,
    CplFault,
    Element,
    Item,
    Jump,
    Labels,
    MemberOf,
    Nil,
    Node,
    NumberCell,
    ReadOnly,
    Steps,
    infinity,
    show,
)
from cplrt.checked import Members, parts_of
from cplrt.numbers import CONVERSIONS
from cplrt.show import Shown

from cpl.compiler.python_errors import kind_of
from cpl.compiler.semantics import core, numbers, walk
from cpl.compiler.semantics.library import HostName
from cpl.compiler.semantics.operations import apply_prefix, fault, holds, operate, with_location
from cpl.compiler.source import Span
from cpl.compiler.wording import counted

Value = Any


_End = tuple[Value] | core.Break | core.GoTo
"""An early end of commands: with the result of a block, in a tuple of its own, or by a jump."""

Variables = dict[core.Variable, Cell[Value]]
"""The place that the name of each variable leads to. Functions may share places."""


class Closure(Shown):
    """A function of the program as a value: its text, and the places of its free variables. Python can call it too."""

    def shown(self) -> tuple[str, None]:
        """Return the name to show: only names of the top level mean the same everywhere."""
        return self.__name__ if self.is_top_level else "a function", None

    def __init__(
        self,
        interpreter: "Interpreter",
        name: str,
        function: "core.Function | core.LetFunction | core.Lambda",
        around: Variables | None = None,
    ) -> None:
        self.interpreter = interpreter
        self.function = function
        self.around: Variables = {**around} if around is not None else {}
        self.captured: Variables = {}
        self.__name__ = name
        self.is_top_level = isinstance(function, core.Function)
        match function:
            case core.Function(captured=captured):
                self.captured = {variable: copy(interpreter.globals[variable]) for variable in captured}
            case core.Lambda(by_place=False) | core.LetFunction(by_place=False):
                changing = {variable: interpreter.globals[variable] for variable in interpreter.changing}
                self.captured = {variable: copy(cell) for variable, cell in (changing | self.around).items()}
                self._check_captured(function.body)

    def _check_captured(self, body: core.Expression) -> None:
        """Raise CplFault unless the variables whose values are captured have values."""
        unset = {variable for variable, cell in self.captured.items() if not _has_value(cell)}
        if not unset:
            return
        for part in walk.nodes(body):
            if part in unset:
                raise fault(f"{part.name} has no value yet", part.span)

    def variables(self, arguments: Sequence[Value]) -> Variables:
        """The variables of an application; each starts from the values that were captured."""
        own = {variable: copy(cell) for variable, cell in self.captured.items()}
        pairs = zip(self.function.parameters, arguments, strict=True)
        parameters = {parameter: _holding(parameter, _coerced(parameter, value)) for parameter, value in pairs}
        return self.around | own | parameters

    def __call__(self, *arguments: Value) -> Value:
        """Apply it. Raises CplFault as the program does."""
        return self.interpreter.call(self, arguments, self.function.span)


class Observer(Protocol):
    """Hears of every step of an interpreter, while it happens. Values that hold places change later."""

    def called(self, function: Closure, variables: Variables, span: Span) -> None:
        """A function is applied at this place; its parameters are among the variables."""

    def returned(self, function: Closure, value: Value) -> None:
        """The innermost application that still runs has this result."""

    def evaluated(self, node: core.Expression, value: Value) -> None:
        """An expression has this value."""

    def changed(self, variable: core.Variable, value: Value, span: Span) -> None:
        """A variable, or something within it, was set at this place; the variable has this value now."""


class Interpreter:
    """A program under interpretation. `names` holds the values of its top level, functions as Python callables. The
    `observer`, if there is one, hears of every step.
    """

    observer: Observer | None = None

    def __init__(self, program: core.Program, host: dict[str, HostName]) -> None:
        self._host = host
        self.globals: Variables = {}
        self.changing = walk.changed_globals(program.definitions)
        for definition in program.definitions:
            self.globals |= {name: _cell(name) for name in walk.names(definition)}

        for definition in program.definitions:
            match definition:
                case core.Function(name=name):
                    self.globals[name].value = Closure(self, name.name, definition)
                case core.Constants(target=target, value=value):
                    self._bind(target, self._named(value, target, {}), {}, value.span)
                case core.NodeType(name=name, components=components, types=types):
                    slots = tuple(map(_slot, components))
                    declared = dict(zip(slots, types, strict=True))
                    self.globals[name].value = type(name.name, (Node,), {"__slots__": slots, "numbers": declared})
                case core.ElementType(name=name, alternatives=alternatives):
                    self.globals[name].value = Element(name.name, *self._all(alternatives, {}))
                case core.Commands(commands=commands):
                    self._obey(commands, {})

    @property
    def names(self) -> dict[str, Value]:
        """The values of the top level, by CPL name, as the last line of the program sees them."""
        names: dict[str, Value] = {}
        of_libraries: dict[str, Value] = {}
        for name, cell in self.globals.items():
            if not isinstance(name, core.Global) or name.is_hidden or not _has_value(cell):
                continue
            if name.is_of_library:
                of_libraries[name.name] = cell.value
            else:
                names[name.name] = cell.value
        return of_libraries | names

    def call(self, function: Value, arguments: Sequence[Value], span: Span) -> Value:
        """Apply a function. The body of a closure is evaluated here, so that calls nest on Python's heap alone."""
        if not isinstance(function, Closure):
            if not callable(function):
                raise fault(f"expected a function, found {kind_of(function)}", span)
            return with_location(lambda: function(*arguments), span)
        wanted = len(function.function.parameters)
        if len(arguments) != wanted:
            raise fault(f"{function.__name__} takes {counted(wanted, 'argument')} but got {len(arguments)}", span)
        variables = function.variables(arguments)
        if self.observer:
            self.observer.called(function, variables, span)
        value = self.evaluate(function.function.body, variables)
        if self.observer:
            self.observer.returned(function, value)
        return value

    def evaluate(self, node: core.Expression, variables: Variables) -> Value:
        """The value of an expression."""
        value = self._value(node, variables)
        if self.observer:
            self.observer.evaluated(node, value)
        return value

    def _value(self, node: core.Expression, variables: Variables) -> Value:
        match node:
            case core.Literal(value=constant):
                return constant
            case core.Infinity():
                return infinity
            case core.Local(name=name) | core.Global(name=name):
                cell = self._cell(node, variables)
                if not _has_value(cell):
                    raise fault(f"{name} has no value yet", node.span)
                return cell.value
            case core.Host(name=name):
                module = self._host[name].module if name in self._host else "cplrt"
                return getattr(import_module(module), name)
            case core.Tuple(items=items):
                return tuple(self._all(items, variables))
            case core.List(items=items):
                return self._all(items, variables)
            case core.Nil():
                return Nil()
            case core.Apply(function=function, arguments=arguments):
                return self.call(self.evaluate(function, variables), self._all(arguments, variables), node.span)
            case core.Select(operand=operand, indices=indices):
                member = self.evaluate(operand, variables)
                subscripts = self._all(indices, variables)
                if callable(member):
                    return self.call(member, subscripts, node.span)
                return with_location(lambda: Item(member, *subscripts), node.span)
            case core.Component() | core.Contents():
                reference = self._reference(node, variables)
                return with_location(lambda: reference.value, node.span)
            case core.Reference(place=place):
                return self._reference(place, variables)
            case core.ReadOnly(constant=constant):
                return ReadOnly(self.evaluate(constant, variables))
            case core.LabelValue(labels=labels, name=name):
                return self._cell(labels, variables).value[name]
            case core.Juxtapose(left=left, right=right):
                first = self.evaluate(left, variables)
                second = self.evaluate(right, variables)
                if callable(first):
                    return self.call(first, [second], node.span)
                return operate("TIMES", first, second, node.span)
            case core.Unary(operator=operator, operand=operand):
                return apply_prefix(operator, self.evaluate(operand, variables), node.span)
            case core.Binary(operator="AND" | "OR" as operator, left=left, right=right):
                first = self.evaluate(left, variables)
                if isinstance(first, bool) and first != (operator == "AND"):
                    return first  # which decides (our choice)
                return operate(operator, first, self.evaluate(right, variables), node.span)
            case core.Binary(operator=operator, left=left, right=right):
                first = self.evaluate(left, variables)
                return operate(operator, first, self.evaluate(right, variables), node.span)
            case core.Compare(operands=operands, operators=operators):
                return self._compare(operands, operators, variables, node.span)
            case core.Conditional(arms=arms, otherwise=otherwise):
                for test, value in arms:
                    if self._holds(test, variables):
                        return self.evaluate(value, variables)
                return self.evaluate(otherwise, variables)
            case core.Convert(kind=kind, value=value):
                return _converted(kind, self.evaluate(value, variables), node.span)
            case core.ConvertParts(kinds=kinds, value=value):
                return self._converted_parts(kinds, self.evaluate(value, variables), node.span)
            case core.Lambda():
                return Closure(self, "a function", node, variables)
            case core.Block(commands=commands):
                result = self._obey(commands, variables)
                if node.routine:
                    return None
                if not isinstance(result, tuple):
                    raise fault("this block ended without a result", node.span)
                return result[0]

    def _all(self, items: Sequence[core.Expression], variables: Variables) -> list[Value]:
        return [self.evaluate(item, variables) for item in items]

    def _named(self, node: core.Expression, target: core.Target, variables: Variables) -> Value:
        """The value that is defined for a target; a λ gets the name of its target."""
        value = self.evaluate(node, variables)
        if isinstance(node, core.Lambda) and isinstance(target, core.Variable):
            value.__name__ = target.name
            value.is_top_level = isinstance(target, core.Global)
        return value

    def _holds(self, test: core.Expression, variables: Variables) -> bool:
        """Whether a condition holds. One that is a list does unless it is NIL, also within ∧, ∨ and ~."""
        match test:
            case core.Unary(operator="NOT", operand=operand):
                return not self._holds(operand, variables)
            case core.Binary(operator="AND", left=left, right=right):
                return self._holds(left, variables) and self._holds(right, variables)
            case core.Binary(operator="OR", left=left, right=right):
                return self._holds(left, variables) or self._holds(right, variables)
            case core.Conditional(arms=arms, otherwise=otherwise):
                chosen = (value for condition, value in arms if self._holds(condition, variables))
                return self._holds(next(chosen, otherwise), variables)
            case core.Block(commands=(*before, core.Result(value=last))):
                result = self._obey(before, variables)
                if result is None:
                    return self._holds(last, variables)
                [value] = cast(tuple[Value], result)
            case _:
                value = self.evaluate(test, variables)
        if not isinstance(value, bool | list | tuple):
            raise fault(f"expected a condition, found {show(value)}", test.span)
        return bool(value)

    def _compare(
        self, operands: Sequence[core.Expression], operators: Sequence[str], variables: Variables, span: Span
    ) -> bool:
        left = self.evaluate(operands[0], variables)
        for relation, operand in zip(operators, operands[1:], strict=True):
            right = self.evaluate(operand, variables)
            if not holds(relation, left, right, span):
                return False
            left = right
        return True

    def _obey(self, commands: Sequence[core.Command], variables: Variables, start: int = 0) -> "_End | None":
        """Obey commands from one on. The result says how they end their block or loop; None if what follows them is
        next.
        """
        # The cases stand here in full, however long: a method for each would slow down every program, and take a frame
        # of Python more for every call in it.
        following = start
        while following < len(commands):
            command = commands[following]
            following += 1
            end: _End | None = None
            match command:
                case core.Let(target=target, value=value):
                    self._bind(target, self._named(value, target, variables), variables, value.span)
                case core.Assign(places=places, values=values):
                    results: Sequence[Value] = self._all(values, variables)
                    if len(results) < len(places):
                        results = self._parts(results[0], len(places), values[0].span)
                    # Everything is evaluated, also which places are meant, before anything is stored (C3).
                    chosen = [self._chosen(place, variables) for place in places]
                    references = [self._reference(place, variables, assigned=True) for place, _ in chosen]
                    for (_, kind), reference, value in zip(chosen, references, results, strict=True):
                        stored = _converted(kind, value, command.span)
                        with_location(partial(setattr, reference, "value", stored), command.span)
                    for place, _ in chosen:
                        self._note(place, variables)
                case core.If(test=test, commands=arm, otherwise=otherwise):
                    end = self._obey(arm if self._holds(test, variables) else otherwise, variables)
                case core.While(test=test, commands=arm):
                    while end is None and self._holds(test, variables):
                        end = self._obey(arm, variables)
                case core.Repeat(commands=arm, test=test):
                    end = self._obey(arm, variables)
                    while end is None and self._holds(test, variables):
                        end = self._obey(arm, variables)
                case core.ForStep() | core.ForList():
                    for value in self._values(command, variables):
                        variables[command.variable] = Cell(value)
                        self._note(command.variable, variables)
                        end = self._obey(command.commands, variables)
                        if end is not None:
                            break
                case core.Declare(variable=variable):
                    if isinstance(variable, core.Local):
                        variables[variable] = _cell(variable)
                case core.LetFunction():
                    later = takewhile(lambda command: isinstance(command, core.LetFunction), commands[following:])
                    group = [command, *later]
                    self._define(group, variables)
                    following += len(group) - 1
                case core.GoTo() | core.Break():
                    end = command
                case core.Landing():
                    end = self._land(command, variables)
                case core.Jump(label=label):
                    jump = with_location(partial(Jump, self.evaluate(label, variables)), command.span)
                    jump.add_note(f"at {command.span.place}")
                    raise jump
                case core.Finish():
                    raise SystemExit
                case core.Fail(message=message):
                    raise fault(message, command.span)
                case core.Append(list=members, value=value, each=is_list):
                    addition = self.evaluate(value, variables)
                    found = self.evaluate(members, variables)
                    if is_list:
                        found.extend(addition)
                    else:
                        found.append(addition)
                case core.Return():
                    return (None,)
                case core.Result(value=value):
                    return (self.evaluate(value, variables),)
                case core.Evaluate(value=value):
                    self.evaluate(value, variables)

            if end is None:
                continue
            if isinstance(end, core.GoTo):
                label_at = _label(commands, end)
                if label_at is None:
                    return end
                following = label_at + 1
            elif not (isinstance(end, core.Break) and isinstance(command, core.Loop)):
                return end
        return None

    def _land(self, landing: core.Landing, variables: Variables) -> _End | None:
        """Obey commands to whose labels jumps out of routines may lead."""
        labels = Labels()
        variables[landing.labels] = Cell(labels)
        named = {name: label for label, name in landing.names}
        start = 0
        while True:
            try:
                return self._obey(landing.commands, variables, start)
            except Jump as jump:
                label = named[labels.target(jump)]
                start = landing.commands.index(core.Label(label, span=label.span))

    def _values(self, loop: core.ForStep | core.ForList, variables: Variables) -> Iterable[Value]:
        """The values of the variable of a loop."""
        if isinstance(loop, core.ForStep):
            limits = self._all((loop.first, loop.step, loop.last), variables)
            return cast(Iterable[Value], with_location(lambda: Steps(*limits), loop.span))
        found = self.evaluate(loop.members, variables)
        members = with_location(lambda: Members(found), loop.members.span)
        first = members.lower if isinstance(members, Array) else 0
        # Each member is looked up in its turn: the loop may change the later ones.
        return (
            with_location(partial(getitem, members, number), loop.members.span)
            for number in range(first, first + len(members))
        )

    def _define(self, functions: Sequence[core.Command], variables: Variables) -> None:
        """Functions that are defined one after the other: they see each other, whatever else they capture by value."""
        closures = [
            Closure(self, function.name.name, function, variables)
            for function in functions
            if isinstance(function, core.LetFunction)
        ]
        cells: Variables = {closure.function.name: Cell(closure) for closure in closures}  # type: ignore[union-attr]
        variables |= cells
        for closure in closures:
            closure.around |= cells
            closure.captured = {variable: cell for variable, cell in closure.captured.items() if variable not in cells}
        for name in cells:
            self._note(name, variables)

    def _cell(self, variable: core.Variable, variables: Variables) -> Cell[Value]:
        """The place of a variable; a function may have captured one of the top level."""
        if variable in variables or isinstance(variable, core.Local):
            return variables.setdefault(variable, _cell(variable))
        return self.globals[variable]

    def _chosen(self, place: core.Place, variables: Variables) -> tuple[core.Expression, str]:
        """The place that conditions choose, and the kind of number to which it converts, if it was chosen."""
        kind = ""
        while isinstance(place, core.Choice):
            if self._holds(place.test, variables):
                kind = place.kinds[0]
                place = place.place
            else:
                kind = place.kinds[1]
                place = place.otherwise
        return place, kind

    def _reference(self, place: core.Expression, variables: Variables, *, assigned: bool = False) -> Value:
        """A reference to a place, for which everything is evaluated that says which place it is. One that is `assigned`
        to is no value of a function.
        """
        match place:
            case core.Local() | core.Global():
                return self._cell(place, variables)
            case core.Select(operand=operand, indices=indices):
                array = self.evaluate(operand, variables)
                subscripts = self._all(indices, variables)
                if not callable(array):
                    return MemberOf(array, *subscripts)
                if assigned:
                    raise fault(f"expected an array to assign to, found {show(array)}", place.span)
                return Cell(self.call(array, subscripts, place.span))
            case core.Component(operand=operand, name=name):
                return ComponentOf(self.evaluate(operand, variables), _slot(name))
            case core.Contents(reference=reference):
                found = self.evaluate(reference, variables)
                if not isinstance(found, Cell | MemberOf | ComponentOf):
                    raise fault(f"expected a pointer or an argument by reference, found {show(found)}", place.span)
                return found
            case _:
                return Cell(self.evaluate(place, variables))

    def _note(self, place: core.Expression, variables: Variables) -> None:
        """Tell the observer that a place was set, and what the variable that leads there holds now."""
        if self.observer is None:
            return
        span = place.span
        while isinstance(place, core.Select | core.Component | core.Contents):
            place = place.reference if isinstance(place, core.Contents) else place.operand
        if isinstance(place, core.Variable):
            self.observer.changed(place, self._cell(place, variables).value, span)

    def _bind(self, target: core.Target, value: Value, variables: Variables, span: Span) -> None:
        match target:
            case core.Local():
                variables[target] = _holding(target, value)
                self._note(target, variables)
            case core.Global():
                self.globals[target].value = value
                self._note(target, variables)
            case core.Several(items=items):
                for item, member in zip(items, self._parts(value, len(items), span), strict=True):
                    self._bind(item, member, variables, span)

    def _converted_parts(self, kinds: core.Kinds, value: Value, span: Span) -> Value:
        """A value as a number of this kind, or with its parts as numbers."""
        if isinstance(kinds, str):
            return _converted(kinds, value, span)
        parts = self._parts(value, len(kinds), span)
        converted = [self._converted_parts(kind, part, span) for kind, part in zip(kinds, parts, strict=True)]
        return tuple(converted)

    def _parts(self, value: Value, count: int, span: Span) -> Sequence[Value]:
        """The members of a list that must have so many."""
        return cast(Sequence[Value], with_location(lambda: parts_of(value, count), span))


def reached(traceback: TracebackType | None) -> Span | None:
    """Return the place in the program that an interpreter had reached when it was stopped; None if none was running."""
    place = None
    while traceback is not None:
        frame, traceback = traceback.tb_frame, traceback.tb_next
        if frame.f_code is Interpreter._obey.__code__:
            place = frame.f_locals.get("command", place)
        elif frame.f_code is Interpreter._value.__code__:
            place = frame.f_locals["node"]
    return place.span if place else None


def _label(commands: Sequence[core.Command], jump: core.GoTo) -> int | None:
    """Return the index of the label among these commands, or None."""
    for at, command in enumerate(commands):
        if isinstance(command, core.Label) and command.name == jump.label:
            return at
    return None


def _cell(variable: core.Variable) -> Cell[Value]:
    """A new place for a variable. A reference may lead to it, so it converts what is assigned."""
    kind = numbers.declared(variable)
    return NumberCell(kind) if kind else Cell()


def _holding(variable: core.Variable, value: Value) -> Cell[Value]:
    """A new place for a variable, with a value in it."""
    cell = _cell(variable)
    cell.value = value
    return cell


def _coerced(parameter: core.Local, value: Value) -> Value:
    """An argument, converted if its parameter is declared to be a number."""
    return _converted(parameter.converts_to, value, parameter.span)


def _converted(kind: str, value: Value, span: Span) -> Value:
    """A value as a number of a type, if that is declared."""
    return with_location(partial(CONVERSIONS[kind], value), span) if kind in CONVERSIONS else value


def _has_value(cell: Cell[Value]) -> bool:
    try:
        _ = cell.value
    except CplFault:
        return False
    return True


def _slot(component: str) -> str:
    """The Python name of a component."""
    return component.replace("'", "_prime")
