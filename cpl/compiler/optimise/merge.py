"""One command for two: a test that is made twice, an end that both arms have, a variable that only hands on its value.

    test Null(L) then do a := 1 or do a := 2       test Null(L) then do § a := 1; b := 3 §
    test Null(L) then do b := 3 or do b := 4       or do § a := 2; b := 4 §

    test c then do § F(x); L := Tail(L) §          if c then do F(x)
    or do L := Tail(L)                             L := Tail(L)

    let (x, l) = Next(L)                           let (x, L) = Next(L), with the same L
    F(x); L := l                                   F(x)

Each on the left becomes what is on the right, also where the conditional is the value of a variable.

Why: nobody writes a condition, a command or a variable twice. The texts of CPL have them since their definitions give
one value each, and `loops` since it writes an assignment for each application.

How: these are changes of the order in which nothing is evaluated, so no fault comes earlier or later. A test is made
once if it is certain that it would have the same value again (`_Merging.is_settled`), and the arms between assign to
none of its variables. Of two variables the second is assigned at once if nobody reads its old value any more, and
each path to the end of the block assigns the first one to it.

Limits: variables that functions inside share, or that something refers to, are left alone; so are definitions with
jumps.
"""

from collections.abc import Sequence
from dataclasses import replace

from cpl.compiler.optimise.simplify import is_removable
from cpl.compiler.optimise.trees import is_in_order, mentions_in
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.facts import Sure

Commands = Sequence[core.Command]


def merge(program: core.Program, _: Sure) -> core.Program:
    """The program with one command for two."""
    definitions: list[core.Definition] = []
    for definition in program.definitions:
        if isinstance(definition, core.Function) and is_in_order(definition):
            definition = _Merging(definition).run()
        definitions.append(definition)
    return replace(program, definitions=tuple(definitions))


class _Merging:
    def __init__(self, function: core.Function) -> None:
        self.function = function
        self.mentions = mentions_in(function)
        self.shared = self._shared()

    def _shared(self) -> set[core.Local]:
        """The variables that something refers to, or that functions inside have from outside."""
        shared: set[core.Local] = set()
        for node in walk.nodes(self.function):
            if isinstance(node, core.Lambda | core.LetFunction):
                inside = mentions_in(node)
                shared.update(local for local, times in inside.items() if times < self.mentions[local])
            elif isinstance(node, core.Reference | core.ReadOnly | core.NewBox | core.Capture):
                shared |= walk.locals_in(node)
        return shared

    def run(self) -> core.Function:
        """Return the function with one command for two."""
        function = walk.rebuilt(self.function, lambda node: walk.with_commands(node, self.with_tests_once))
        function = _with_ends_once(function)
        self.mentions = mentions_in(function)
        assignments = (node for node in walk.nodes(function) if isinstance(node, core.Assign))
        self.assigned_on = {value for each in assignments for value in each.values if isinstance(value, core.Local)}
        return replace(function, body=self.handing_on(function.body)) if self.assigned_on else function

    # Tests

    def with_tests_once(self, commands: Commands) -> Commands:
        """Join neighbours that make the same test."""
        result: list[core.Command] = []
        for command in commands:
            joined = self.joined(result[-1], command) if result else None
            if joined is None:
                result.append(command)
            else:
                result[-1:] = joined
        return result

    def joined(self, first: core.Command, second: core.Command) -> list[core.Command] | None:
        """Return one conditional for two, after the declarations of the variables that they define; None if they must
        stay two.
        """
        before, after = _as_choice(first), _as_choice(second)
        if before is None or after is None or before.test != after.test or not self.is_settled(before.test):
            return None
        changing = {*walk.changed(before)}
        changing.update(part.list for part in walk.nodes(before) if isinstance(part, core.Append))
        if not changing.isdisjoint(walk.locals_in(before.test)):
            return None
        if walk.ends(before.commands) or walk.ends(before.otherwise):
            return None

        commands = self.with_tests_once((*before.commands, *after.commands))
        otherwise = self.with_tests_once((*before.otherwise, *after.otherwise))
        declared = [
            core.Declare(each.target, span=each.span)
            for each in (first, second)
            if isinstance(each, core.Let) and isinstance(each.target, core.Local)
        ]
        return [*declared, replace(before, commands=tuple(commands), otherwise=tuple(otherwise))]

    def is_settled(self, test: core.Expression) -> bool:
        """Tell whether a test has the same value again while no variable of it is assigned: it reads variables that
        nobody else changes, and of a list no more than whether it is empty.
        """
        match test:
            case core.Local(mode=mode):
                return mode == "" and test not in self.shared
            case core.Literal():
                return True
            case core.Unary(operator="NOT", operand=operand):
                return self.is_settled(operand)
            case core.Binary(operator="AND" | "OR", left=left, right=right):
                return self.is_settled(left) and self.is_settled(right)
            case core.Compare(operands=operands):
                has_literal = any(isinstance(operand, core.Literal) for operand in operands)
                return has_literal and all(map(self.is_settled, operands))
            case core.Apply(function=core.Host(name="Null"), arguments=(core.Local() as tested,)):
                return self.is_settled(tested)
            case _:
                return False

    # Variables

    def handing_on(self, body: core.Expression) -> core.Expression:
        """Return the body of a function without variables that do no more than hand on their values."""
        if not isinstance(body, core.Block):
            return body
        return replace(body, commands=self.handing_on_in(body.commands))

    def handing_on_in(self, commands: Commands) -> tuple[core.Command, ...]:
        """Return commands of a function, not of a block in an expression, without such variables."""
        result = [*commands]
        at = 0
        while at < len(result):
            command = result[at]
            if isinstance(command, core.Let):
                handed = self.handed(command, result[at + 1 :])
                if handed is not None:
                    result[at:] = handed
                    continue  # it may define another such variable
            at += 1
        return tuple([self.within(command) for command in result])

    def within(self, command: core.Command) -> core.Command:
        """Do the same in the commands within a command."""
        if isinstance(command, core.LetFunction):
            return replace(command, body=self.handing_on(command.body))
        return walk.with_commands(command, self.handing_on_in)

    def handed(self, command: core.Let, rest: Commands) -> list[core.Command] | None:
        """Return a definition as an assignment, and the commands after it, if a variable that it defines only hands its
        value on to another one; else None.
        """
        target, value = command.target, command.value
        if isinstance(value, core.Convert | core.ConvertParts | core.Tuple | core.Lambda):
            return None
        items = target.items if isinstance(target, core.Several) else (target,)
        variables = [item for item in items if isinstance(item, core.Local) and self.is_plain(item)]
        if len(variables) < len(items):
            return None

        for passing in filter(self.assigned_on.__contains__, variables):
            receiver = self.receiver(passing, rest)
            if receiver is None or receiver in variables:
                continue
            places = [receiver if variable == passing else variable for variable in variables]
            declared = [core.Declare(each, span=each.span) for each in variables if each != passing]
            assigned = core.Assign(tuple(places), (value,), span=command.span)
            return [*declared, assigned, *_without_pairs(rest, passing)]
        return None

    def is_plain(self, variable: core.Local) -> bool:
        """Tell whether a variable holds a value as it is, and no function inside shares it."""
        return variable.mode == "" and variable.declared == "" and variable not in self.shared

    def receiver(self, passing: core.Local, rest: Commands) -> core.Local | None:
        """Return the variable that gets the value of another one on each path through commands, and that they do not
        read; None if there is none.
        """
        pairs = [receiver for part in walk.all_nodes(rest) for receiver in _receivers(part, passing)]
        if not pairs or {*pairs} != {pairs[0]}:
            return None
        [receiver] = {*pairs}
        if not isinstance(receiver, core.Local) or not self.is_plain(receiver):
            return None
        is_only_handed_on = self.mentions[passing] == 1 + len(pairs)
        is_only_assigned = sum(part == receiver for part in walk.all_nodes(rest)) == len(pairs)
        may_leave = any(isinstance(part, core.Break | core.Jump) for part in walk.all_nodes(rest))
        if not is_only_handed_on or not is_only_assigned or may_leave:
            return None
        found = _Assigning(receiver, passing)
        return receiver if found.always(rest) and found.count == len(pairs) else None


class _Assigning:
    """Follows the paths through commands, and counts the assignments of one variable to another on them."""

    def __init__(self, receiver: core.Local, passing: core.Local) -> None:
        self.receiver = receiver
        self.passing = passing
        self.count = 0

    def always(self, commands: Commands) -> bool:
        """Tell whether each path to the end of the commands assigns the variable; one that leaves the function need
        not.
        """
        is_assigned = False
        for command in commands:
            match command:
                case core.Assign() if self.receiver in command.places:
                    self.count += 1
                    is_assigned = True
                case core.If(commands=first, otherwise=second):
                    arms = self.always(first), self.always(second)
                    is_assigned = is_assigned or all(arms)
                case core.Result() | core.Return() | core.Finish() | core.Fail():
                    is_assigned = True
        return is_assigned


def _as_choice(command: core.Command) -> core.If | None:
    """A command as a conditional with commands, if it is one, or gives a variable the value of a conditional."""
    match command:
        case core.If():
            return command
        case (
            core.Let(
                target=core.Local(mode="", declared="") as target,
                value=core.Conditional(arms=((test, value),), otherwise=otherwise),
            )
            | core.Assign(
                places=(core.Local(mode="") as target,),
                values=(core.Conditional(arms=((test, value),), otherwise=otherwise),),
            )
        ):
            first = core.Assign((target,), (value,), span=value.span)
            second = core.Assign((target,), (otherwise,), span=otherwise.span)
            return core.If(test, (first,), (second,), span=command.span)
        case _:
            return None


def _receivers(node: core.Node, passing: core.Local) -> list[core.Node]:
    """The places that an assignment gives the value of a variable to."""
    if not isinstance(node, core.Assign) or len(node.places) != len(node.values):
        return []
    return [place for place, value in zip(node.places, node.values, strict=True) if value == passing]


def _without_pairs(commands: Commands, passing: core.Local) -> list[core.Command]:
    """Return commands without the assignments of the value of a variable."""
    result: list[core.Command] = []
    for command in commands:
        match command:
            case core.Assign(places=places, values=values) if passing in values:
                pairs = [pair for pair in zip(places, values, strict=True) if pair[1] != passing]
                if pairs:
                    other_places, other_values = zip(*pairs, strict=True)
                    result.append(replace(command, places=other_places, values=other_values))
            case core.If(commands=first, otherwise=second):
                arms = [tuple(_without_pairs(arm, passing)) for arm in (first, second)]
                result += _needed(replace(command, commands=arms[0], otherwise=arms[1]))
            case _:
                result.append(command)
    return result


def _needed(choice: core.If) -> list[core.Command]:
    """A conditional; if nothing is left in its arms, what must be evaluated of its test."""
    if choice.commands or choice.otherwise:
        return [choice]
    return [] if is_removable(choice.test) else [core.Evaluate(choice.test, span=choice.test.span)]


# Ends


def _with_ends_once(function: core.Function) -> core.Function:
    """Return a function with the commands that all arms of a conditional end in after it, the outer ones first.

    A conditional that is all of the second arm of another one is a part of that: an `elif` stays one.
    """

    def each(node: core.Node) -> core.Node:
        if isinstance(node, core.If) and _is_choice(node.otherwise):
            node = replace(node, commands=tuple(_ends_after(node.commands)))
        else:
            node = walk.with_commands(node, _ends_after)
        return walk.with_parts(node, each)

    return walk.with_parts(function, each)


def _ends_after(commands: Commands) -> Commands:
    """Return commands with the ends of the conditionals among them after these."""
    result: list[core.Command] = []
    for command in commands:
        ends: list[core.Command] = []
        while isinstance(command, core.If):
            end = _common_end(_arms(command))
            if end is None:
                break
            ends.insert(0, end)
            command = _without_ends(command)
        result += _needed(command) if isinstance(command, core.If) and ends else [command]
        result += ends
    return result


def _is_choice(arm: Commands) -> bool:
    return len(arm) == 1 and isinstance(arm[0], core.If)


def _arms(choice: core.If) -> list[Commands]:
    """The arms of a conditional, and of those that are all of its second arm."""
    match choice.otherwise:
        case (core.If() as other,):
            return [choice.commands, *_arms(other)]
        case otherwise:
            return [choice.commands, otherwise]


def _common_end(arms: Sequence[Commands]) -> core.Command | None:
    """The command that all arms end in, if there is one."""
    if not all(arms):
        return None
    first, *others = [arm[-1] for arm in arms]
    return first if all(other == first for other in others) else None


def _without_ends(choice: core.If) -> core.If:
    """A conditional without the last command of each of its `_arms`."""
    match choice.otherwise:
        case (core.If() as other,):
            otherwise: tuple[core.Command, ...] = (_without_ends(other),)
        case (*before, _):
            otherwise = tuple(before)
    return replace(choice, commands=choice.commands[:-1], otherwise=otherwise)
