"""What is known when a program is compiled: constants folded, copies replaced, tuples taken apart once. Passes that
make something known leave it to this.

A walk through each definition in the order in which it is obeyed, with what is known of its variables so far. Blocks
within expressions are floated out before the command that they stand in, where they would be obeyed anyway. Variables
that are ever assigned to, or referred to, are left alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cplrt import CplFault

from cpl.fast.trees import Fresh, is_atom
from cpl.semantics import core, numbers, walk
from cpl.semantics.control_flow import may_give_result
from cpl.semantics.operations import RELATIONS, apply_prefix, is_number, operate

Out = list[core.Command]

_STEADY: Final = core.INTEGER_OPERATORS | {"PLUS", "MINUS", "TIMES", "SUM", "DIFFERENCE", "NOT"}
"""Operators that give the same whenever they are applied, without effects."""

_LARGEST: Final = 2**256
"""Larger numbers are not worked out when a program is compiled."""


def literals(program: core.Program) -> dict[core.Global, core.Literal]:
    """The names of the top level that stand for numbers, strings and truth values, and always for the same."""
    changed = {each for one in program.definitions for each in walk.changed(one)}
    found: dict[core.Global, core.Literal] = {}
    for one in program.definitions:
        match one:
            case core.Constants(target=core.Global(declared="") as name, value=value) if name not in changed:
                folded = _Simplifier(one, found).alone(value)
                if isinstance(folded, core.Literal):
                    found[name] = folded
    return found


def simplified(function: core.Function, constants: Mapping[core.Global, core.Literal]) -> core.Function:
    """Return a function that does the same, simplified; one without jumps is expected."""
    return replace(function, body=without_unused(_Simplifier(function, constants).alone(function.body)))


@dataclass
class _Known:
    """What is known at a place: names that stand for other names or constants; the members of tuples; and the
    variables that hold the values of expressions.
    """

    copies: dict[core.Expression, core.Expression] = field(default_factory=dict)
    members: dict[core.Expression, tuple[core.Expression, ...]] = field(default_factory=dict)
    holders: dict[core.Expression, core.Expression] = field(default_factory=dict)

    def copy(self) -> "_Known":
        """For what may not be obeyed, so that nothing is known from it afterwards."""
        return _Known({**self.copies}, {**self.members}, {**self.holders})


class _Simplifier:
    def __init__(self, definition: core.Definition, constants: Mapping[core.Global, core.Literal]) -> None:
        self.constants = constants
        self.changed = {*walk.changed(definition)}
        self.unset = {part.variable for part in walk.nodes(definition) if isinstance(part, core.Declare)}
        self.changed |= self.unset
        self.fresh = Fresh(definition)

    def alone(self, node: core.Expression, known: _Known | None = None) -> core.Expression:
        """An expression whose commands stay within it."""
        out: Out = []
        value = self.value(node, known.copy() if known else _Known(), out)
        return _block(out, value)

    # Commands

    def commands(self, commands: Iterable[core.Command], known: _Known) -> tuple[core.Command, ...]:
        """Commands in their turn; none after those that leave the block."""
        out: Out = []
        for command in commands:
            self.command(command, known, out)
            if out and walk.ends([out[-1]]):
                break
        return tuple(out)

    def command(self, command: core.Command, known: _Known, out: Out) -> None:
        """One command."""
        match command:
            case core.Let(target=target, value=value):
                self.let(target, self.value(value, known, out), command, known, out)
            case core.Result(value=value):
                match self.value(value, known, out):
                    case core.Block(commands=inner, routine=False):
                        out += inner
                    case made:
                        out.append(replace(command, value=made))
            case core.If(test=test, commands=inner, otherwise=otherwise):
                match self.value(test, known, out):
                    case core.Literal(value=bool() as holds):
                        for each in inner if holds else otherwise:
                            self.command(each, known, out)
                    case made:
                        choice = self.within(replace(command, test=made), known)
                        if choice.commands or choice.otherwise or not self.is_idle(made):
                            out.append(choice)
            case core.While(test=test):
                out.append(self.within(replace(command, test=self.alone(test, known)), known))
            case core.Repeat(test=test, commands=inner):
                inside = known.copy()
                out.append(replace(command, commands=self.commands(inner, inside), test=self.alone(test, inside)))
            case core.ForStep(first=first, step=step, last=last):
                first, step, last = self.values((first, step, last), known, out)
                out.append(self.within(replace(command, first=first, step=step, last=last), known))
            case core.ForList(members=members):
                out.append(self.within(replace(command, members=self.value(members, known, out)), known))
            case core.Assign(places=places, values=values):
                given = self.values(values, known, out)
                out.append(replace(command, values=given, places=tuple([self.place(each, known) for each in places])))
            case core.Evaluate(value=value):
                match self.value(value, known, out):
                    case made if not self.is_idle(made):
                        out.append(replace(command, value=made))
            case core.Append(list=target, value=value):
                to = known.copies.get(target)
                made = self.value(value, known, out)
                out.append(replace(command, list=to if isinstance(to, core.Local) else target, value=made))
            case core.LetFunction(body=body):
                out.append(replace(command, body=self.alone(body, known)))
            case _:
                out.append(command)

    def within(self, command: walk.AnyNode, known: _Known) -> walk.AnyNode:
        """A command whose inner commands, which may not be obeyed, are done."""
        return walk.with_commands(command, lambda commands: self.commands(commands, known.copy()))

    def let(self, target: core.Target, value: core.Expression, command: core.Let, known: _Known, out: Out) -> None:
        """A variable gets its value; or several do, by a tuple taken apart."""
        members = value.items if isinstance(value, core.Tuple) else known.members.get(value)
        match target:
            case core.Several(items=items) if members and len(members) == len(items):
                for item, member in zip(items, members, strict=True):
                    self.let(item, member, core.Let(item, member, span=command.span), known, out)
                return
            case core.Several(items=items):
                if isinstance(value, core.Local) and all(
                    self.is_fixed(item) and not numbers.declared(item) for item in items
                ):
                    known.members[value] = items  # type: ignore[assignment]
            case _ if self.is_fixed(target) and not numbers.declared(target):
                if is_atom(value) and self.is_fixed(value):
                    known.copies[target] = value
                    return
                if isinstance(value, core.Tuple):
                    known.members[target] = value.items
                if value in known.holders:
                    known.copies[target] = known.holders[value]
                    return
                if is_steady(value) and self.is_lasting(value):
                    known.holders[value] = target
        out.append(replace(command, target=target, value=value))

    def is_fixed(self, node: core.Node) -> bool:
        """Whether a name stands for the same as long as it is seen, or a constant is meant."""
        if node in self.changed or (isinstance(node, core.Global) and node.is_changing):
            return False
        return not isinstance(node, core.Local) or not node.mode

    def is_idle(self, value: core.Expression) -> bool:
        """Whether nobody would miss an expression: it does nothing, and all its variables have values."""
        return is_steady(value) and self.unset.isdisjoint(walk.nodes(value))

    def is_lasting(self, value: core.Expression) -> bool:
        """Whether an expression has the same value as long as its names are seen."""
        return all(self.is_fixed(part) for part in walk.nodes(value))

    # Expressions

    def values(self, nodes: Sequence[core.Expression], known: _Known, out: Out) -> tuple[core.Expression, ...]:
        """Operands. What floats out of one must not overtake an earlier one that may have effects."""
        made: list[core.Expression] = []
        for node in nodes:
            floating: Out = []
            value = self.value(node, known, floating)
            if floating:
                for at, earlier in enumerate(made):
                    if not (is_steady(earlier) and self.is_lasting(earlier)):
                        made[at] = variable = self.fresh.local("x", earlier.span)
                        out.append(core.Let(variable, earlier, span=earlier.span))
            out += floating
            made.append(value)
        return tuple(made)

    def value(self, node: core.Expression, known: _Known, out: Out) -> core.Expression:
        """The value of an expression that is evaluated here in any case."""
        match node:
            case core.Local():
                return known.copies.get(node, node)
            case core.Global():
                return self.constants.get(node, node)
            case core.Reference(place=place):
                return replace(node, place=self.place(place, known))
            case core.Binary(operator="AND" | "OR", left=left, right=right):
                first = self.value(left, known, out)
                if isinstance(first, core.Literal) and isinstance(first.value, bool):
                    return first if first.value == (node.operator == "OR") else self.value(right, known, out)
                return replace(node, left=first, right=self.alone(right, known))
            case core.Compare(operands=(first, second, *others)):
                operands = (*self.values((first, second), known, out), *(self.alone(each, known) for each in others))
                return folded(replace(node, operands=operands))
            case core.Conditional(arms=arms, otherwise=otherwise):
                return self.conditional(arms, otherwise, node, known, out)
            case core.Block(commands=commands, routine=False):
                return self.block(node, commands, known, out)
            case core.Block(commands=commands):
                return replace(node, commands=self.commands(commands, known.copy()))
            case core.Lambda(body=body):
                return replace(node, body=self.alone(body, known))
            case _:  # whose parts are all evaluated here, one after the other
                made = iter(self.values(walk.parts(node), known, out))  # type: ignore[arg-type]
                return folded(walk.with_parts(node, lambda _: next(made)))

    def place(self, place: Any, known: _Known) -> Any:
        """A place that is assigned or referred to, whose parts may stand for others."""
        match place:
            case core.Choice(test=test, place=first, otherwise=second):
                chosen = {"place": self.place(first, known), "otherwise": self.place(second, known)}
                return replace(place, test=self.alone(test, known), **chosen)
            case core.Select() | core.Component() | core.Contents():
                return walk.with_parts(place, lambda part: self.alone(part, known))  # type: ignore[arg-type]
            case _:
                return self.alone(place, known)

    def conditional(
        self,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression,
        node: core.Conditional,
        known: _Known,
        out: Out,
    ) -> core.Expression:
        """Arms whose test is known are left out, or end the others."""
        left: list[tuple[core.Expression, core.Expression]] = []
        for test, value in arms:
            made = self.alone(test, known) if left else self.value(test, known, out)
            match made:
                case core.Literal(value=True):
                    otherwise = value
                    break
                case core.Literal(value=False):
                    continue
            left.append((made, self.alone(value, known)))
        if not left:
            return self.value(otherwise, known, out)
        return replace(node, arms=tuple(left), otherwise=self.alone(otherwise, known))

    def block(self, node: core.Block, commands: Sequence[core.Command], known: _Known, out: Out) -> core.Expression:
        """A block floats out, unless it may be left early."""
        inside = known.copy()
        match self.commands(commands, inside):
            case (*before, core.Result(value=value)) if not may_give_result(before):
                known.copies, known.members, known.holders = inside.copies, inside.members, inside.holders
                out += before
                return value
            case made:
                return replace(node, commands=made)


def folded(node: core.Expression) -> core.Expression:
    """An operator applied to what is known; and some that do nothing."""
    match node:
        case core.Unary(operator="NOT", operand=core.Compare(operators=("EQUAL" | "UNEQUAL" as operator,)) as compared):
            return replace(compared, operators=("UNEQUAL" if operator == "EQUAL" else "EQUAL",), span=node.span)
        case core.Unary(operator="NOT" | "MINUS" | "BIT_NOT" as operator, operand=core.Literal(value=value)):
            return _worked_out(node, lambda: apply_prefix(operator, value, node.span))
        case core.Unary(
            operator="MINUS" | "BIT_NOT" as operator, operand=core.Unary(operator=inner, operand=operand)
        ) if operator == inner == "BIT_NOT":
            return operand
        case core.Binary(operator=operator, left=core.Literal(value=left), right=core.Literal(value=right)) if (
            is_number(left) and is_number(right) and operator != "POWER"
        ):
            return _worked_out(node, lambda: operate(operator, left, right, node.span))
        case (
            core.Binary(operator="BIT_AND", left=core.Literal(value=-1), right=same)
            | core.Binary(operator="BIT_AND", left=same, right=core.Literal(value=-1))
        ):
            return same
        case core.Compare(operands=(core.Literal(value=left), core.Literal(value=right)), operators=(operator,)) if (
            type(left) is type(right) and not isinstance(left, bool)
        ):
            return core.Literal(RELATIONS[operator](left, right), span=node.span)
        case _:
            return node


def _worked_out(node: core.Expression, work: Callable[[], object]) -> core.Expression:
    """The value of an expression, if it is a number of moderate size or a truth value and no fault."""
    try:
        value = work()
    except CplFault:
        return node
    if isinstance(value, bool) or (isinstance(value, int | float) and abs(value) < _LARGEST):
        return core.Literal(value, span=node.span)
    return node


def is_steady(node: core.Expression) -> bool:
    """Whether evaluating an expression does nothing but give a value, and always the same one."""
    match node:
        case core.Unary(operator=operator) | core.Binary(operator=operator):
            return operator in _STEADY and all(map(is_steady, walk.parts(node)))  # type: ignore[arg-type]
        case core.Compare(operators=operators):
            return {*operators} <= {"EQUAL", "UNEQUAL"} and all(map(is_steady, node.operands))
        case core.Tuple(items=items):
            return all(map(is_steady, items))
        case _:
            return is_atom(node) and not isinstance(node, core.Infinity)


def _block(commands: Sequence[core.Command], value: core.Expression) -> core.Expression:
    """A value with the commands that come before it."""
    if not commands:
        return value
    last = (
        value.commands
        if isinstance(value, core.Block) and not value.routine
        else (core.Result(value, span=value.span),)
    )
    return core.Block((*commands, *last), span=value.span)


def without_unused(node: core.Expression) -> core.Expression:
    """An expression without variables that are never read, if their values do nothing."""
    unset = {part.variable for part in walk.nodes(node) if isinstance(part, core.Declare)}
    while True:
        uses = Counter(part for part in walk.nodes(node) if isinstance(part, core.Local))

        def is_used(command: core.Node, uses: Counter[core.Local] = uses) -> bool:
            match command:
                case core.Let(target=core.Local() as target, value=value) if not numbers.declared(target):
                    return uses[target] > 1 or not (is_removable(value) and unset.isdisjoint(walk.nodes(value)))
                case _:
                    return True

        def pruned(part: core.Node) -> core.Node:
            part = walk.with_commands(part, lambda commands: [*filter(is_used, commands)])
            match part:
                case core.Block(commands=(core.Result(value=value),), routine=False):
                    return value
            return part

        made = walk.rebuilt(node, pruned)
        if made == node:
            return made
        node = made


def is_removable(node: core.Expression) -> bool:
    """Whether nobody would miss an expression whose value is not used: it cannot fail."""
    match node:
        case core.Tuple(items=items) | core.List(items=items):
            return all(map(is_removable, items))
        case core.Unary(operator=operator) | core.Binary(operator=operator):
            return operator in core.INTEGER_OPERATORS and all(map(is_removable, walk.parts(node)))  # type: ignore[arg-type]
        case core.Conditional():
            return all(map(is_removable, walk.parts(node)))  # type: ignore[arg-type]
        case core.Compare(operands=operands, operators=("EQUAL" | "UNEQUAL",)):
            return any(isinstance(each, core.Literal) for each in operands) and all(map(is_removable, operands))
        case _:
            return is_atom(node) or isinstance(node, core.Lambda)
