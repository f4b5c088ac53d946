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

Each round of a loop binds its variables again, whatever binds them. So does each run of the commands between a label
and a jump back to it, and of all commands to which jumps out of routines may lead. A function that may be used after
its round (it `escapes`) keeps the variables of that round.

A compiled function has one variable of a name for all rounds, and functions within it look that variable up when they
run: they would find what the last round has left there. So

* a function captures, when it is made, each variable that is bound again, and a function by value each one that
  changes: `captured`. Only if it does not escape may it look up the functions of its round by their names;
* a variable that changes after it was captured by place lives in a box, a new one in each round (`semantics/boxes`). So
  does one that a reference leads to, and one that may be read before it has a value;
* a function that captures itself, or one that is defined after it, is not made yet when it is captured: what is
  captured is the box in which it will be: `captured_early`.

An own variable, such as a in `let a = 3 in f[x] ≡ x + a` (D19), is bound outside of its function, like any other.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.semantics.structure import is_expression

AnyFunction = core.LetFunction | core.Lambda
_Enclosing = tuple[int, ...]
"""The numbers of the functions round a place, the outermost first."""


@dataclass(eq=False)
class Binder:
    """What binds a variable, and what happens to it: one row of the table above.

    `enclosing` are the functions round the binder. A variable `is_referred` if something makes a reference to it, and
    `may_be_unset` if it may be read before it has a value, and Python would not notice.
    """

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
    """A mention of a variable, and the functions round it; `is_applied` if it is a function that is applied there."""

    variable: core.Variable
    enclosing: _Enclosing
    is_applied: bool


class _Site(NamedTuple):
    """A node that is still to be walked, and what is known of where it stands: the functions round it, whether it
    `is_again` evaluated in each round of something within the innermost of them, and whether it `is_applied`.
    """

    node: core.Node
    enclosing: _Enclosing = ()
    is_again: bool = False
    is_applied: bool = False

    def again(self) -> "_Site":
        """Return the same site in a loop."""
        return self._replace(is_again=True)


OnlyApplied = Mapping[core.Global, Set[int]]
"""Functions of the top level, each with the numbers of the parameters that it only applies while it runs."""


class _Walk:
    """One walk through a definition. It notes

    * the `binders`, by their variables, and all `uses` of variables;
    * the `functions` within the definition, outer ones first, each with the functions round it. The place of a function
      in this list is its number;
    * `lambdas_only_applied`: the λs, by identity, that are arguments for a parameter which is only applied;
    * `sequences`: commands that stand one after the other;
    * `has_jumps`: whether there are labels.
    """

    def __init__(self, definition: core.Node, only_applied: OnlyApplied) -> None:
        self._only_applied = only_applied
        self.lambdas_only_applied: set[int] = set()
        self.binders: dict[core.Local, Binder] = {}
        self.uses: list[_Use] = []
        self.functions: list[tuple[AnyFunction, _Enclosing]] = []
        self.sequences: list[tuple[core.Command, ...]] = []
        self.has_jumps = False
        self._waiting = [_Site(definition)]  # a stack: what is to be walked first comes last
        while self._waiting:
            self._visit(self._waiting.pop())

    def _visit(self, site: _Site) -> None:
        """Note what one node binds and uses, and put its parts on the stack."""
        node, enclosing = site.node, site.enclosing
        match node:
            case core.Local() | core.Global():
                self.uses.append(_Use(node, enclosing, site.is_applied))
            case core.Apply(function=function, arguments=arguments):
                if isinstance(function, core.Global):
                    self._note_only_applied(function, arguments)
                self._later(arguments, site)
                self._waiting.append(_Site(function, enclosing, site.is_again, is_applied=True))
            case core.Let(target=target, value=value):
                self._bind(target, site)
                self._later((value,), site)
            case core.Declare(variable=variable):
                self._bind(variable, site)
            case core.LetFunction(name=name):
                self._bind(name, site, is_function=True)
                self._function(node, site)
            case core.Lambda():
                self._function(node, site)
            case core.ForStep(first=first, step=step, last=last):
                self._later((first, step, last), site)
                self._rounds_of_for(node, site)
            case core.ForList(members=members):
                self._later((members,), site)
                self._rounds_of_for(node, site)
            case core.While(test=test, commands=commands, otherwise=otherwise):
                self._later((test,), site.again())
                self._commands(commands, site.again())
                self._commands(otherwise, site)
            case core.Repeat(test=test, commands=commands):
                self._later((test,), site.again())
                self._commands(commands, site.again())
            case core.Landing(labels=labels, commands=commands):
                self._bind(labels, site)
                self._commands(commands, site.again())  # a jump out of a routine to one of the labels runs them again
                self.has_jumps = True
            case core.If(test=test, commands=commands, otherwise=otherwise):
                self._later((test,), site)
                self._commands(commands, site)
                self._commands(otherwise, site)
            case core.Block(commands=commands) | core.Commands(commands=commands):
                self._commands(commands, site)
            case core.Function(parameters=parameters, body=body):
                for parameter in parameters:
                    self._bind(parameter, site)
                self._later((body,), site)
            case core.Constants(value=value):  # its target is of the top level: no Local is bound
                self._later((value,), site)
            case core.NodeType() | core.ElementType():  # they mention types, and no variables
                pass
            case _:
                self._later(walk.parts(node), site)

    def _later(self, nodes: Sequence[core.Node], site: _Site) -> None:
        """Put nodes that stand at a site on the stack, the first one on top."""
        self._waiting += [_Site(node, site.enclosing, site.is_again) for node in reversed(nodes)]

    def _bind(self, target: core.Target, site: _Site, is_function: bool = False) -> None:
        """Note that the variables of a target are bound at a site."""
        for variable in walk.variables(target):
            if not isinstance(variable, core.Local):
                continue
            if variable not in self.binders:
                self.binders[variable] = Binder(variable, site.enclosing, site.is_again, is_function)
            elif site.is_again:
                self.binders[variable].is_bound_again = True

    def _note_only_applied(self, function: core.Global, arguments: Sequence[core.Expression]) -> None:
        """Note the arguments for parameters that a function of the top level only applies."""
        only_applied = self._only_applied.get(function, ())
        for number, argument in enumerate(arguments):
            if number in only_applied:
                self.lambdas_only_applied.add(id(argument))

    def _function(self, function: AnyFunction, site: _Site) -> None:
        """Walk a function. Each application has new parameters, and new variables of what is bound in it, so nothing
        inside is bound again only because the function stands in a loop.
        """
        inside = _Site(function.body, (*site.enclosing, len(self.functions)))
        self.functions.append((function, site.enclosing))
        for parameter in function.parameters:
            self._bind(parameter, inside)
        self._waiting.append(inside)

    def _rounds_of_for(self, loop: core.ForStep | core.ForList, site: _Site) -> None:
        """Walk what each round of a `for` does, and what is done after all of them."""
        self._bind(loop.variable, site.again())
        self._commands(loop.commands, site.again())
        self._commands(loop.otherwise, site)

    def _commands(self, commands: tuple[core.Command, ...], site: _Site) -> None:
        """Walk commands that stand one after the other. Those between a label and a jump back to it are run again."""
        self.sequences.append(commands)
        if any(isinstance(command, core.Label) for command in commands):
            self.has_jumps = True

        repeated = _repeated(commands)
        sites = []
        for number, command in enumerate(commands):
            is_again = site.is_again or number in repeated
            sites.append(_Site(command, site.enclosing, is_again))
        self._waiting += reversed(sites)


def _repeated(commands: Sequence[core.Command]) -> Set[int]:
    """Return the numbers of the commands that jumps back run again: from the label to the command with the jump."""
    labels = {command.name: number for number, command in enumerate(commands) if isinstance(command, core.Label)}
    if not labels:
        return set()

    repeated: set[int] = set()
    for number, command in enumerate(commands):
        for part in walk.walk_commands(command):
            # The label of a jump may be among other commands, round these: such a jump repeats none of these.
            if isinstance(part, core.GoTo) and part.label in labels:
                repeated |= {*range(labels[part.label], number + 1)}  # nothing for a jump forwards
    return repeated


class Binders:
    """The binders of one definition of the top level, and what follows from them.

    `changing` are the names of the top level to which something in the program assigns, and `only_applied` the
    parameters of functions of the top level whose arguments do not escape.
    """

    def __init__(
        self, definition: core.Node, changing: Set[core.Global] = frozenset(), only_applied: OnlyApplied | None = None
    ) -> None:
        self._definition = definition
        self._changing = changing
        self._walk = _Walk(definition, only_applied or {})
        self._numbers = {id(function): number for number, (function, _) in enumerate(self._walk.functions)}
        self.of: dict[core.Local, Binder] = self._walk.binders
        """The binder of each variable."""
        self._note_changes()

    def _note_changes(self) -> None:
        """Complete the binders: which variables are assigned, referred to, or may be read before they have a value."""
        for variable in walk.assigned(self._definition):
            if variable in self.of:
                self.of[variable].is_assigned = True
        for part in walk.nodes(self._definition):
            if isinstance(part, core.Reference) and isinstance(part.place, core.Local) and part.place in self.of:
                self.of[part.place].is_referred = True
        for commands in self._walk.sequences:
            for variable, first_use in _first_uses(commands).items():
                self.of[variable].may_be_unset = self._may_be_unset(self.of[variable], first_use)

    @staticmethod
    def _may_be_unset(binder: Binder, first_use: core.Command | None) -> bool:
        """Whether a variable that is declared without a value may be read before it has one, and Python would not
        notice. `first_use` is the command that mentions it first, if any does.
        """
        if first_use is None:
            return False
        if binder.is_bound_again:
            # Python would find the value of the round before.
            return not is_assigned_first(binder.variable, (first_use,))
        # If nothing assigns to it, Python would find a variable of this name further out. If something does, it is a
        # local variable of Python, which reports by itself that it has no value.
        return not binder.is_assigned

    # Functions that outlive their round

    def escapes(self, function: AnyFunction) -> bool:
        """Whether a function may be used after the commands in which it is made are done."""
        return self._numbers[id(function)] in self._escaping

    @cached_property
    def _escaping(self) -> Set[int]:
        """The functions, by number, that may be used after the commands in which they are made are done.

        A function escapes if its name is used in another way than to apply it, or is applied in a function that
        escapes: a least fixpoint, as a function may apply itself. A λ escapes unless it is an argument for a parameter
        that is only applied. Where there are jumps, every function escapes: if a jump leads past the definition of a
        function, its name still means the one that an earlier round has made.
        """
        functions = [function for function, _ in self._walk.functions]
        if self._walk.has_jumps:
            return {*range(len(functions))}

        escaping: set[int] = set()
        number_of: dict[core.Variable, int] = {}
        for number, function in enumerate(functions):
            if isinstance(function, core.LetFunction):
                number_of[function.name] = number
            elif id(function) not in self._walk.lambdas_only_applied:
                escaping.add(number)

        applied_in: dict[int, list[int]] = {}
        """For each function, those that are defined outside of it and applied within."""
        for use in self._walk.uses:
            if use.variable not in number_of:
                continue
            number = number_of[use.variable]
            if not use.is_applied:
                escaping.add(number)
            _, around_definition = self._walk.functions[number]
            between = use.enclosing[len(around_definition) :]  # the functions round the use, but not the definition
            for user in between:
                applied_in.setdefault(user, []).append(number)
        return {*reachable(escaping, lambda number: applied_in.get(number, ()))}

    # Captures

    def captured(self, function: AnyFunction) -> tuple[core.Variable, ...]:
        """The variables that a function must capture when it is made: their places if it is a function by place, else
        their values. It need not capture what a function round it has captured by value, which no longer changes.
        """
        return self._captured[self._numbers[id(function)]]

    @cached_property
    def _captured(self) -> list[tuple[core.Variable, ...]]:
        """What each function captures, by its number. Outer functions come before inner ones."""
        mentioned: list[dict[core.Variable, None]] = [{} for _ in self._walk.functions]  # ordered sets
        for use in self._walk.uses:
            for number in use.enclosing:
                mentioned[number][use.variable] = None

        captured: list[tuple[core.Variable, ...]] = []
        for number, (function, enclosing) in enumerate(self._walk.functions):
            outer_captures = [(self._walk.functions[outer][0], captured[outer]) for outer in enclosing]
            must_be_captured = []
            for variable in mentioned[number]:
                is_outside = self._is_outside(variable, number)
                if is_outside and self._must_capture(function, variable, outer_captures):
                    must_be_captured.append(variable)
            captured.append(tuple(must_be_captured))
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
        outer_captures: Sequence[tuple[AnyFunction, tuple[core.Variable, ...]]],
    ) -> bool:
        """Whether a function must capture a variable from outside, if the functions round it, the outermost first,
        capture what `outer_captures` says.
        """
        # A function by value has variables of its own for what it captures, and they never change.
        is_fixed = any(not outer.by_place and variable in captured for outer, captured in outer_captures)
        if isinstance(variable, core.Global):
            is_captured_at_top = isinstance(self._definition, core.Function) and variable in self._definition.captured
            is_changing = variable in self._changing and not is_fixed and not is_captured_at_top
            return is_changing and not function.by_place

        # A function by value takes the value at once: later there may be another one. If there is none, that is an
        # error where the function is made, so it must be looked up there.
        binder = self.of[variable]
        if not function.by_place and (binder.is_changing or binder.may_be_unset):
            return not is_fixed
        if not binder.is_bound_again:
            return False

        # What a function round this one has captured does not change while that one runs.
        is_captured_outside = any(variable in captured for _, captured in outer_captures)
        if is_captured_outside:
            return False

        # A function that does not escape its round may look up what that round has bound. Functions are looked up by
        # their names. Other variables are looked up only by a thunk that becomes a λ of Python: in a function with a
        # name, linters of Python report a variable of a loop that is not captured.
        is_thunk = isinstance(function, core.Lambda) and not function.parameters and is_expression(function.body)
        may_look_up = (binder.is_function or is_thunk) and not self.escapes(function)
        return not may_look_up

    @cached_property
    def captured_by_place(self) -> Set[core.Local]:
        """The variables that functions capture by their places: they see what is assigned to them later."""
        by_place: set[core.Local] = set()
        for (function, _), captured in zip(self._walk.functions, self._captured, strict=True):
            if function.by_place:
                by_place.update(variable for variable in captured if isinstance(variable, core.Local))
        return by_place

    def captured_early(self, group: Sequence[core.LetFunction]) -> dict[core.Local, set[core.Local]]:
        """Return which functions of a group, defined one after the other, are captured before they are made: their
        names, each with the names of the functions that capture it so early, which are itself or come before it.
        """
        early: dict[core.Local, set[core.Local]] = {}
        for number, function in enumerate(group):
            captured = self.captured(function)
            for later in group[number:]:
                if later.name in captured:
                    early.setdefault(later.name, set()).add(function.name)
        return early


_Parameter = tuple[core.Global, int]
"""A parameter of a function of the top level, by its number."""


def only_applied_parameters(definitions: Sequence[core.Definition]) -> OnlyApplied:
    """Return the parameters of functions of the top level that are only applied while the function runs, or passed on
    to such parameters: their arguments do not escape.

        F[f, g, x] = G[f, x + g[x]]             f is passed on to h, and g is applied; x is an operand
        G[h, y] = h[y] > 0 → y, G[h, y + 1]     h is applied and passed on to itself; y is a result

    Here they are f and g of F, and h of G.
    """
    functions = [definition for definition in definitions if isinstance(definition, core.Function)]
    arities = {function.name: len(function.parameters) for function in functions}

    escaping: list[_Parameter] = []
    passed_to: dict[_Parameter, list[_Parameter]] = {}
    """For each parameter, those that are passed on to it: they escape if it does."""
    for function in functions:
        uses = _ParameterUses(function, arities)
        escaping += uses.escaping
        for parameter, receiver in uses.passed_on:
            passed_to.setdefault(receiver, []).append(parameter)
    all_escaping = {*reachable(escaping, lambda parameter: passed_to.get(parameter, ()))}

    only_applied: dict[core.Global, set[int]] = {name: {*range(arity)} for name, arity in arities.items()}
    for name, number in all_escaping:
        only_applied[name].discard(number)
    return only_applied


class _ParameterUses:
    """What a function does with its parameters. Some are `escaping`: it does more with them than apply them while it
    runs. Others are `passed_on`, by themselves or within a λ, each to a parameter of a function of the top level.
    """

    def __init__(self, function: core.Function, arities: Mapping[core.Global, int]) -> None:
        self._arities = arities
        self._parameters: dict[core.Node, _Parameter] = {
            parameter: (function.name, number) for number, parameter in enumerate(function.parameters)
        }
        self.escaping: set[_Parameter] = set()
        self.passed_on: list[tuple[_Parameter, _Parameter]] = []
        self._waiting: list[core.Node] = [function.body]
        while self._waiting:
            self._visit(self._waiting.pop())

    def _visit(self, node: core.Node) -> None:
        """Note what one node does with the parameters, and what of it is still to be visited."""
        match node:
            case core.Local() if node in self._parameters:
                self.escaping.add(self._parameters[node])
            case core.Lambda() | core.LetFunction() | core.Reference():
                # It may be used after the function has ended, and with it all that it mentions.
                self.escaping |= self._mentioned_in(node)
            # What stands before an argument or an index is applied, if it is a function, and nothing else.
            case core.Juxtapose(left=core.Local(), right=right):
                self._waiting.append(right)
            case core.Select(operand=core.Local(), indices=indices):
                self._waiting += indices
            case core.Apply(function=core.Local(), arguments=arguments):
                self._waiting += arguments
            case core.Apply(function=core.Global() as applied, arguments=arguments):
                has_all_arguments = self._arities.get(applied) == len(arguments)
                for number, argument in enumerate(arguments):
                    if has_all_arguments:
                        self._pass_on(argument, (applied, number))
                    else:
                        self._waiting.append(argument)
            case _:
                self._waiting += walk.parts(node)

    def _pass_on(self, argument: core.Expression, receiver: _Parameter) -> None:
        """Note which parameters an argument passes on to the parameter `receiver` of another function."""
        match argument:
            case core.Local():
                self.passed_on += [(parameter, receiver) for parameter in self._mentioned_in(argument)]
            case core.Lambda(body=body):
                self.passed_on += [(parameter, receiver) for parameter in self._mentioned_in(argument)]
                self._waiting.append(body)
            case _:
                self._waiting.append(argument)

    def _mentioned_in(self, node: core.Node) -> set[_Parameter]:
        """Return the parameters that are mentioned within a node."""
        return {self._parameters[part] for part in walk.nodes(node) if part in self._parameters}


def changing_in(definition: core.Node) -> set[core.Node]:
    """The variables of a definition that may get other values while they are in scope."""
    return {variable for variable, binder in Binders(definition).of.items() if binder.is_changing}


def _first_uses(commands: Sequence[core.Command]) -> dict[core.Local, core.Command | None]:
    """Return the variables that are declared among commands, each with the first command after that mentions it; None
    if no command does.
    """
    first: dict[core.Local, core.Command | None] = {}
    for command in commands:
        if isinstance(command, core.Declare) and isinstance(command.variable, core.Local):
            first[command.variable] = None
        elif first:  # else nothing is declared yet, and the walk can be saved
            for mentioned in walk.locals_in(command):
                if mentioned in first and first[mentioned] is None:
                    first[mentioned] = command
    return first


def is_assigned_first(variable: core.Local, commands: Sequence[core.Command]) -> bool:
    """Whether commands assign to a variable before they use its value, or do not mention it at all."""
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
        case core.Repeat(commands=body):  # other loops may have no round, and then assign nothing
            return is_assigned_first(variable, body)
        case _:
            return False


def _mentions(nodes: Sequence[core.Node], variable: core.Local) -> bool:
    return any(part == variable for part in walk.all_nodes(nodes))


def group_at(commands: Sequence[core.Command], index: int) -> tuple[core.LetFunction, ...]:
    """Return the functions that are defined one after the other from a place on: they may use each other."""
    group = []
    for command in commands[index:]:
        if not isinstance(command, core.LetFunction):
            break
        group.append(command)
    return tuple(group)
