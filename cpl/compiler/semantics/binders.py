"""What binds the variables of a definition, and what happens to each variable: one table, which every way to run asks.

    for k = 1 to 2 do
      § let n = 0
        let f[x] = x + k
        routine Count() is n := n + 1
        L := Join(L, [λx. f(x)])
        C := Count §

| variable | bound by  | bound again | assigned | captured                                        |
|----------|-----------|-------------|----------|-------------------------------------------------|
| k        | loop      | yes         | no       | by f, by value                                  |
| n        | let       | yes         | yes      | by Count, by place                              |
| f        | function  | yes         | no       | by the λ, by value                              |
| Count    | routine   | yes         | no       | –                                               |
| x        | parameter | no          | no       | –                                               |

Each round of a loop binds its variables again, whatever binds them; so do the commands between a label and a jump back
to it, and all commands to which jumps out of routines may lead. A function that outlives its round (it `escapes`) keeps
the variables of that round. A compiled function shares the variables of the function round it, which live on; so

* it must capture, when it is made, each variable that is bound again, and by value each one that changes: `captured`
  (but for functions that are bound again, if it does not outlive them);
* a variable that changes after it was captured by place must live in a box of its own in each round: `in_boxes`. So
  must one that a reference leads to, and one that may be read before it has a value;
* a function that captures itself, or one that is defined after it, is not made yet when it is captured: it can be had
  from a box only: `captured_early`.

An own variable (D19) is bound like any other, outside of its function.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.semantics.structure import is_expression

AnyFunction = core.LetFunction | core.Lambda
_Enclosing = tuple[int, ...]
"""The numbers of the functions round a place, the outermost first."""


@dataclass(eq=False)
class Binder:
    """What binds a variable, and what happens to it. `enclosing` are the functions round the binder."""

    variable: core.Local
    enclosing: _Enclosing
    is_bound_again: bool
    is_function: bool
    is_assigned: bool = False
    is_referred: bool = False
    may_be_unset: bool = False

    @property
    def is_changing(self) -> bool:
        """Whether it may get another value while it is in scope."""
        return self.is_assigned or self.is_referred


class _Use(NamedTuple):
    """A place where a variable is mentioned; `is_application` if it is a function that is applied there."""

    variable: core.Variable
    enclosing: _Enclosing
    is_application: bool


class _Place(NamedTuple):
    """A node that is still to be walked, the functions round it, and whether it is evaluated again in each round."""

    node: core.Node
    enclosing: _Enclosing = ()
    is_again: bool = False
    is_applied: bool = False

    def again(self) -> "_Place":
        """The same place in a loop."""
        return self._replace(is_again=True)


OnlyApplied = Mapping[core.Global, Set[int]]
"""Functions of the top level, each with the numbers of the parameters that it only applies while it runs."""


class _Walk:
    """One walk through a definition: its binders, the uses of its variables, and its functions, outer ones first.
    `only_applied` are the λs, by identity, that are arguments for a parameter which is only applied.
    """

    def __init__(self, definition: core.Node, parameters: OnlyApplied) -> None:
        self._parameters = parameters
        self.only_applied: set[int] = set()
        self.binders: dict[core.Local, Binder] = {}
        self.uses: list[_Use] = []
        self.functions: list[tuple[AnyFunction, _Enclosing]] = []
        self.sequences: list[tuple[core.Command, ...]] = []
        self.has_jumps = False
        self._waiting = [_Place(definition)]
        while self._waiting:
            self._visit(self._waiting.pop())

    def _visit(self, place: _Place) -> None:
        node, enclosing = place.node, place.enclosing
        match node:
            case core.Local() | core.Global():
                self.uses.append(_Use(node, enclosing, place.is_applied))
            case core.Apply(function=function, arguments=arguments):
                if isinstance(function, core.Global):
                    numbers = self._parameters.get(function, ())
                    self.only_applied |= {id(argument) for at, argument in enumerate(arguments) if at in numbers}
                self._later(arguments, place)
                self._waiting.append(_Place(function, enclosing, place.is_again, is_applied=True))
            case core.Let(target=target, value=value):
                self._bind(target, place)
                self._later((value,), place)
            case core.Declare(variable=variable):
                self._bind(variable, place)
            case core.LetFunction(name=name):
                self._bind(name, place)
                self._function(node, place)
            case core.Lambda():
                self._function(node, place)
            case core.ForStep() | core.ForList():
                self._loop(node, place)
            case core.While(test=test, commands=commands, otherwise=otherwise):
                self._later((test,), place.again())
                self._commands(commands, place.again())
                self._commands(otherwise, place)
            case core.Repeat(test=test, commands=commands):
                self._later((test,), place.again())
                self._commands(commands, place.again())
            case core.Landing(labels=labels, commands=commands):
                self._bind(labels, place)
                self._commands(commands, place.again())
                self.has_jumps = True
            case core.If(test=test, commands=commands, otherwise=otherwise):
                self._later((test,), place)
                self._commands(commands, place)
                self._commands(otherwise, place)
            case core.Block(commands=commands) | core.Commands(commands=commands):
                self._commands(commands, place)
            case core.Function(parameters=parameters, body=body):
                for parameter in parameters:
                    self._bind(parameter, place)
                self._later((body,), place)
            case core.Constants(value=value):
                self._later((value,), place)
            case core.NodeType() | core.ElementType():
                pass
            case _:
                self._later(walk.parts(node), place)

    def _later(self, nodes: Sequence[core.Node], place: _Place) -> None:
        self._waiting += [_Place(node, place.enclosing, place.is_again) for node in reversed(nodes)]

    def _bind(self, target: core.Target, place: _Place) -> None:
        for variable in walk.variables(target):
            if isinstance(variable, core.Local):
                is_function = isinstance(place.node, core.LetFunction) and variable is place.node.name
                binder = self.binders.setdefault(variable, Binder(variable, place.enclosing, False, is_function))
                binder.is_bound_again |= place.is_again

    def _function(self, function: AnyFunction, place: _Place) -> None:
        """A function: each application binds its parameters and what is in it anew, so its inside is no round."""
        inside = _Place(function.body, (*place.enclosing, len(self.functions)))
        self.functions.append((function, place.enclosing))
        for parameter in function.parameters:
            self._bind(parameter, inside)
        self._waiting.append(inside)

    def _loop(self, loop: core.ForStep | core.ForList, place: _Place) -> None:
        again = place.again()
        self._bind(loop.variable, again)
        bounds = (loop.first, loop.step, loop.last) if isinstance(loop, core.ForStep) else (loop.members,)
        self._later(bounds, place)
        self._commands(loop.commands, again)
        self._commands(loop.otherwise, place)

    def _commands(self, commands: tuple[core.Command, ...], place: _Place) -> None:
        """Commands one after the other. Those between a label and a jump back to it are obeyed again."""
        self.sequences.append(commands)
        repeated = _repeated(commands)
        self.has_jumps = self.has_jumps or any(isinstance(command, core.Label) for command in commands)
        places = [
            _Place(command, place.enclosing, place.is_again or at in repeated) for at, command in enumerate(commands)
        ]
        self._waiting += reversed(places)


def _repeated(commands: Sequence[core.Command]) -> Set[int]:
    """The places of the commands between a label and a jump back to it."""
    labels = {command.name: at for at, command in enumerate(commands) if isinstance(command, core.Label)}
    if not labels:
        return set()
    repeated: set[int] = set()
    for at, command in enumerate(commands):
        jumps = [part for part in walk.walk_commands(command) if isinstance(part, core.GoTo)]
        for jump in jumps:
            start = labels.get(jump.label, at + 1)  # the label may be one of other commands round these
            repeated |= {*range(start, at + 1)}
    return repeated


class Binders:
    """The binders of one definition of the top level. Something assigns to the names `changing` of the top level;
    `only_applied` are the parameters of its functions whose arguments do not escape.
    """

    def __init__(
        self, definition: core.Node, changing: Set[core.Global] = frozenset(), only_applied: OnlyApplied | None = None
    ) -> None:
        self._definition = definition
        self._changing = changing
        self._walk = _Walk(definition, only_applied or {})
        self._number = {id(function): number for number, (function, _) in enumerate(self._walk.functions)}
        self.of: dict[core.Local, Binder] = self._walk.binders
        self._note_changes()

    def _note_changes(self) -> None:
        """Complete the binders: which variables are assigned, referred to, or may be read before they have a value."""
        for place in walk.assigned(self._definition):
            if place in self.of:
                self.of[place].is_assigned = True
        for part in walk.nodes(self._definition):
            if isinstance(part, core.Reference) and part.place in self.of:
                self.of[part.place].is_referred = True  # type: ignore[index]
        for commands in self._walk.sequences:
            for variable, first in _first_uses(commands).items():
                self._note_declared(self.of[variable], first)

    @staticmethod
    def _note_declared(binder: Binder, first: core.Command | None) -> None:
        """Find out whether a variable, which a command uses `first`, may be read before it has a value. Its name may
        have a value of the round before, or one further out.
        """
        if first is None:
            binder.may_be_unset = False
        elif binder.is_bound_again:
            binder.may_be_unset = not is_assigned_first(binder.variable, (first,))
        elif not binder.is_assigned:
            binder.may_be_unset = True

    # Functions that outlive their round

    def escapes(self, function: AnyFunction) -> bool:
        """Whether a function may be used after the commands in which it is made are done."""
        return self._number[id(function)] in self._escaping

    @cached_property
    def _escaping(self) -> Set[int]:
        """The functions, by number, that may be used after the commands in which they are made are done.

        A function escapes if its name is used in another way than to apply it, or is applied in a function that
        escapes: a least fixpoint, as a function may apply itself. A λ escapes unless it is an argument for a parameter
        that is only applied. Where there are jumps, every function escapes: one may be applied whose definition was
        jumped over, and that is the one of an earlier round.
        """
        functions = [function for function, _ in self._walk.functions]
        if self._walk.has_jumps:
            return {*range(len(functions))}

        escaping: set[int] = set()
        number_of: dict[core.Variable, int] = {}
        for number, function in enumerate(functions):
            if isinstance(function, core.LetFunction):
                number_of[function.name] = number
            elif id(function) not in self._walk.only_applied:
                escaping.add(number)

        applied_in: dict[int, list[int]] = {}  # for each function, those that are applied within it
        for use in self._walk.uses:
            if use.variable not in number_of:
                continue
            number = number_of[use.variable]
            if not use.is_application:
                escaping.add(number)
            _, round_definition = self._walk.functions[number]
            round_use_only = use.enclosing[len(round_definition) :]
            for outer in round_use_only:
                applied_in.setdefault(outer, []).append(number)
        return {*reachable(escaping, lambda number: applied_in.get(number, ()))}

    # Captures

    def captured(self, function: AnyFunction) -> tuple[core.Variable, ...]:
        """The variables that a function must capture when it is made: by place, or their values if it is one by value.
        What a function round it has captured by value is fixed there.
        """
        return self._captured[self._number[id(function)]]

    @cached_property
    def _captured(self) -> list[tuple[core.Variable, ...]]:
        """What each function captures, by its number. Outer functions come before inner ones."""
        mentioned: list[dict[core.Variable, None]] = [{} for _ in self._walk.functions]
        for use in self._walk.uses:
            for number in use.enclosing:
                mentioned[number][use.variable] = None

        captured: list[tuple[core.Variable, ...]] = []
        for number, (function, enclosing) in enumerate(self._walk.functions):
            by_outer = [(self._walk.functions[outer][0], captured[outer]) for outer in enclosing]
            from_outside = [variable for variable in mentioned[number] if self._is_outside(variable, number)]
            own = [variable for variable in from_outside if self._must_capture(function, variable, by_outer)]
            captured.append(tuple(own))
        return captured

    def _is_outside(self, variable: core.Variable, function: int) -> bool:
        """Whether a variable is bound outside of a function."""
        if isinstance(variable, core.Global):
            return True
        binder = self.of.get(variable)
        return binder is not None and function not in binder.enclosing

    def _must_capture(
        self,
        function: AnyFunction,
        variable: core.Variable,
        by_outer: Sequence[tuple[AnyFunction, tuple[core.Variable, ...]]],
    ) -> bool:
        """Whether a function must capture a variable from outside, after what the functions round it have captured."""
        is_fixed = any(not outer.by_place and variable in captured for outer, captured in by_outer)
        if isinstance(variable, core.Global):
            is_fixed |= isinstance(self._definition, core.Function) and variable in self._definition.captured
            return not function.by_place and variable in self._changing and not is_fixed
        binder = self.of[variable]
        if not function.by_place and (binder.is_changing or binder.may_be_unset):  # the latter is a fault there
            return not is_fixed
        if not binder.is_bound_again:
            return False

        # What a function round this one has captured does not change while that one runs.
        is_captured_outside = any(variable in captured for _, captured in by_outer)
        if is_captured_outside:
            return False

        # A function that does not escape its round finds the functions of that round by their names, and a thunk that
        # Python writes as a λ finds all variables. Others have a name in Python, and its linters want captures of them.
        is_thunk = isinstance(function, core.Lambda) and not function.parameters and is_expression(function.body)
        may_share = (binder.is_function or is_thunk) and not self.escapes(function)
        return not may_share

    # Boxes

    @cached_property
    def in_boxes(self) -> Set[core.Local]:
        """The variables that must live in boxes."""
        boxed = {variable for variable, binder in self.of.items() if binder.is_referred or binder.may_be_unset}
        for (function, _), captured in zip(self._walk.functions, self._captured, strict=True):
            if function.by_place:
                own = [variable for variable in captured if isinstance(variable, core.Local)]
                boxed |= {variable for variable in own if self.of[variable].is_changing}
        return boxed

    def captured_early(self, group: Sequence[core.LetFunction]) -> dict[core.Local, set[core.Local]]:
        """Of functions that are defined one after the other, the names of those that are captured before they are made,
        each with the names of the functions that capture them so early: itself, and those before it.
        """
        early: dict[core.Local, set[core.Local]] = {}
        for at, function in enumerate(group):
            captured = self.captured(function)
            for later in group[at:]:
                if later.name in captured:
                    early.setdefault(later.name, set()).add(function.name)
        return early


def only_applied_parameters(definitions: Sequence[core.Definition]) -> OnlyApplied:
    """The parameters of functions of the top level that are only applied while the function runs, or passed on to such
    parameters: their arguments do not escape.

        F[f, g, x] = G[f, x + g[x]]                                   f and g of F, and h of G, but no x and no y
        G[h, y] = h[y] > 0 → y, G[h, y + 1]
    """
    functions = [definition for definition in definitions if isinstance(definition, core.Function)]
    arities = {function.name: len(function.parameters) for function in functions}

    escaping: list[_Parameter] = []
    passed_to: dict[_Parameter, list[_Parameter]] = {}  # for each parameter, those that are passed on to it
    for function in functions:
        uses = _ParameterUses(function, arities)
        escaping += uses.escaping
        for parameter, receiver in uses.passed_on:
            passed_to.setdefault(receiver, []).append(parameter)
    all_escaping = {*reachable(escaping, lambda parameter: passed_to.get(parameter, ()))}

    only_applied: dict[core.Global, set[int]] = {name: {*range(arity)} for name, arity in arities.items()}
    for name, at in all_escaping:
        only_applied[name].discard(at)
    return only_applied


_Parameter = tuple[core.Global, int]
"""A parameter of a function of the top level, by its number."""


class _ParameterUses:
    """What a function does with its parameters: those that are `escaping`, as they are used in another way than to
    apply them; and those that are `passed_on` to parameters of functions, themselves or in a λ.
    """

    def __init__(self, function: core.Function, arities: Mapping[core.Global, int]) -> None:
        self._arities = arities
        self._parameters: dict[core.Node, _Parameter] = {
            parameter: (function.name, at) for at, parameter in enumerate(function.parameters)
        }
        self.escaping: set[_Parameter] = set()
        self.passed_on: list[tuple[_Parameter, _Parameter]] = []
        self._waiting: list[core.Node] = [function.body]
        while self._waiting:
            self._visit(self._waiting.pop())

    def _visit(self, node: core.Node) -> None:
        match node:
            case core.Local() if node in self._parameters:
                self.escaping.add(self._parameters[node])
            case core.Lambda() | core.LetFunction() | core.Reference():
                self.escaping |= self._in(node)
            case core.Juxtapose(left=core.Local(), right=right):
                self._waiting.append(right)
            case core.Select(operand=core.Local(), indices=indices):
                self._waiting += indices
            case core.Apply(function=core.Local(), arguments=arguments):
                self._waiting += arguments
            case core.Apply(function=core.Global() as applied, arguments=arguments) if self._arities.get(
                applied
            ) == len(arguments):
                for at, argument in enumerate(arguments):
                    self._pass_on(argument, (applied, at))
            case _:
                self._waiting += walk.parts(node)

    def _pass_on(self, argument: core.Expression, receiver: _Parameter) -> None:
        match argument:
            case core.Local() | core.Lambda():
                self.passed_on += [(parameter, receiver) for parameter in self._in(argument)]
                if isinstance(argument, core.Lambda):
                    self._waiting.append(argument.body)
            case _:
                self._waiting.append(argument)

    def _in(self, node: core.Node) -> set[_Parameter]:
        """The parameters that are mentioned within a node."""
        return {self._parameters[part] for part in walk.nodes(node) if part in self._parameters}


def changing_in(definition: core.Node) -> set[core.Node]:
    """The variables of a definition that may get other values while they are in scope."""
    return {variable for variable, binder in Binders(definition).of.items() if binder.is_changing}


def _first_uses(commands: Sequence[core.Command]) -> dict[core.Local, core.Command | None]:
    """The variables that are declared among commands, each with the first command after that mentions it."""
    first: dict[core.Local, core.Command | None] = {}
    for command in commands:
        match command:
            case core.Declare(variable=core.Local() as variable):
                first[variable] = None
            case _ if first:
                for mentioned in walk.locals_in(command):
                    if mentioned in first and first[mentioned] is None:
                        first[mentioned] = command
    return first


def is_assigned_first(variable: core.Local, commands: Sequence[core.Command]) -> bool:
    """Whether commands assign to a variable before they use it."""
    first_use = next((command for command in commands if _mentions((command,), variable)), None)
    match first_use:
        case None:
            return True
        case core.Assign(places=places, values=values):
            other_places = [place for place in places if place != variable]
            return variable in places and not _mentions([*values, *other_places], variable)
        case core.If(test=test, commands=first, otherwise=second):
            is_tested = _mentions((test,), variable)
            arms = (first, second)
            return not is_tested and all(_mentions(arm, variable) and is_assigned_first(variable, arm) for arm in arms)
        case core.Repeat(commands=body):
            return is_assigned_first(variable, body)
        case _:
            return False


def _mentions(nodes: Sequence[core.Node], variable: core.Local) -> bool:
    return any(part == variable for part in walk.all_nodes(nodes))


def group_at(commands: Sequence[core.Command], index: int) -> tuple[core.LetFunction, ...]:
    """The functions that are defined one after the other from a place on: they may use each other."""
    return tuple(takewhile(lambda command: isinstance(command, core.LetFunction), commands[index:]))  # type: ignore[arg-type]
