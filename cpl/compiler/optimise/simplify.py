"""Constant folding, copy propagation, common subexpressions and dead code: what the other passes leave behind.

    § let a = Width
      let (x,y) = (p, a + 1)
      test Width = 8 then do WriteLine(x) or do WriteLine(y) §|

becomes, if `Width = 8` stands at the top level,

    WriteLine(p)

Why: written-out functions and copies for constant arguments are full of such code, and other passes need not care.

How: one walk through a definition in the order in which it is obeyed. An `_Environment` says which variables are
copies, which are tuples with known members, and which hold the value of an expression already; and what the
comparisons round a place have shown, so that in `x > y → (x > y → 1, 2), 3` the inner test goes. Blocks inside
expressions float out before the command that they stand in, where they would be obeyed anyway; a branch gets a copy of
the environment, so that nothing is known from it afterwards. `without_unused` then removes variables that are never
read.

Limits: variables that are ever assigned to or referred to are left alone, and so is what could fail, or give another
value when it is evaluated earlier (`is_pure`). Numbers above 2²⁵⁶ are not worked out, nor those that
Python would round.
"""

import operator as operators
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isfinite
from typing import Any, Final

from cplrt import CplFault

from cpl.compiler.optimise.bits import is_of_few_positions, with_ones_at
from cpl.compiler.optimise.copies import without_copies
from cpl.compiler.optimise.trees import is_atom, mentions_in
from cpl.compiler.semantics import core, numbers, walk
from cpl.compiler.semantics.fresh import Fresh
from cpl.compiler.semantics.operations import RELATIONS, apply_prefix, is_number, operate
from cpl.compiler.semantics.walk import may_give_result

Out = list[core.Command]

_PURE: Final = core.INTEGER_OPERATORS | {"PLUS", "MINUS", "TIMES", "SUM", "DIFFERENCE", "NOT"}
"""Operators that give the same whenever they are applied, without effects."""

_LARGEST: Final = 2**256
"""Larger numbers are not worked out when a program is compiled."""


_FOLLOWING: Final[Mapping[str, Mapping[str, bool]]] = {
    "LESS": {"AT_MOST": True, "UNEQUAL": True, "EQUAL": False, "AT_LEAST": False, "GREATER": False},
    "GREATER": {"AT_LEAST": True, "UNEQUAL": True, "EQUAL": False, "AT_MOST": False, "LESS": False},
    "AT_MOST": {"GREATER": False},
    "AT_LEAST": {"LESS": False},
}
"""What else is known of two numbers of which one is less or greater, or at most or at least as large."""


def literals(program: core.Program) -> dict[core.Global, core.Literal]:
    """Return the names of the top level that always stand for the same number, string or truth value."""
    changed = walk.changed_globals(program.definitions)
    constants: dict[core.Global, core.Literal] = {}
    for definition in program.definitions:
        match definition:
            case core.Constants(target=core.Global() as name, value=value) if name not in changed and (
                not name.declared or isinstance(value, core.Convert)
            ):
                folded = _Simplifier(definition, constants).self_contained(value)
                if isinstance(folded, core.Literal):
                    constants[name] = folded
    return constants


def simplified(function: core.Function, constants: Mapping[core.Global, core.Literal]) -> core.Function:
    """Return a function that does the same, simplified; one without jumps is expected."""
    body = _Simplifier(function, constants).self_contained(function.body)
    return replace(function, body=without_copies(without_unused(body)))


@dataclass
class _Environment:
    """What is known at a place of a program: names that are copies of other names or of constants, the members of
    tuples, the variables that hold the values of expressions, and the relations that hold there or do not.
    """

    copies: dict[core.Expression, core.Expression] = field(default_factory=dict)
    members: dict[core.Expression, tuple[core.Expression, ...]] = field(default_factory=dict)
    holders: dict[core.Expression, core.Expression] = field(default_factory=dict)
    relations: dict[core.Compare, core.Literal] = field(default_factory=dict)

    def copy(self) -> "_Environment":
        """Return a copy for commands that may not be obeyed: nothing is known from them afterwards."""
        return _Environment({**self.copies}, {**self.members}, {**self.holders}, {**self.relations})

    def become(self, other: "_Environment") -> None:
        """Know what the other one knows, as its commands are obeyed here in any case."""
        self.copies = other.copies
        self.members = other.members
        self.holders = other.holders
        self.relations = other.relations


class _Simplifier:
    def __init__(self, definition: core.Definition, constants: Mapping[core.Global, core.Literal]) -> None:
        self.constants = constants
        self.is_alone = isinstance(definition, core.Function) and definition.alone
        self.changed = {*walk.changed(definition)}
        self.unset = set(unset_in(definition))
        self.changed |= self.unset
        self.fresh = Fresh(definition)

    def self_contained(self, node: core.Expression, environment: _Environment | None = None) -> core.Expression:
        """Simplify an expression out of which no commands float."""
        out: Out = []
        value = self.value(node, environment.copy() if environment else _Environment(), out)
        match out, value:
            case [], _:
                return value
            case _, core.Block(commands=commands, routine=False):
                return core.Block((*out, *commands), span=value.span)
            case _:
                return core.Block((*out, core.Result(value, span=value.span)), span=value.span)

    # Commands

    def commands(self, commands: Iterable[core.Command], environment: _Environment) -> tuple[core.Command, ...]:
        """Simplify commands in order; drop those after one that leaves the block."""
        out: Out = []
        for command in commands:
            if out and walk.ends([out[-1]]):
                break
            self.command(command, environment, out)
        return tuple(out)

    def command(self, command: core.Command, environment: _Environment, out: Out) -> None:
        """Simplify one command, and add what is left of it to `out`."""
        match command:
            case core.Let(target=target, value=value):
                self.let(target, self.value(value, environment, out), command, environment, out)
            case core.Result(value=value):
                match self.value(value, environment, out):
                    case core.Block(commands=body, routine=False):
                        out += body
                    case result:
                        out.append(replace(command, value=result))
            case core.If(test=test, commands=body, otherwise=otherwise):
                match self.value(test, environment, out):
                    case core.Literal(value=bool() as is_true):
                        for part in body if is_true else otherwise:
                            self.command(part, environment, out)
                    case result:
                        body = self.commands(body, self.where(result, True, environment))
                        otherwise = self.commands(otherwise, self.where(result, False, environment))
                        choice = replace(command, test=result, commands=body, otherwise=otherwise)
                        if choice.commands or choice.otherwise or not self.is_idle(result):
                            out.append(choice)
            case core.While(test=test):
                test = self.self_contained(test, environment)  # it is evaluated again in each round
                out.append(self.with_branches(replace(command, test=test), environment))
            case core.Repeat(test=test, commands=body):
                inside = environment.copy()
                body = self.commands(body, inside)
                test = self.self_contained(test, inside)
                out.append(replace(command, commands=body, test=test))
            case core.ForStep(first=first, step=step, last=last):
                first, step, last = self.values((first, step, last), environment, out)
                out.append(self.with_branches(replace(command, first=first, step=step, last=last), environment))
            case core.ForList(members=members):
                members = self.value(members, environment, out)
                out.append(self.with_branches(replace(command, members=members), environment))
            case core.Assign(places=places, values=values):
                values = self.values(values, environment, out)
                places = tuple(self.place(place, environment) for place in places)
                out.append(replace(command, values=values, places=places))
            case core.Evaluate(value=value):
                result = self.value(value, environment, out)
                if not self.is_idle(result):
                    out.append(replace(command, value=result))
            case core.Append(list=target, value=value):
                copied = environment.copies.get(target)
                if isinstance(copied, core.Local):
                    target = copied
                value = self.value(value, environment, out)
                out.append(replace(command, list=target, value=value))
            case core.LetFunction(body=body):
                out.append(replace(command, body=self.self_contained(body, environment)))
            case _:
                out.append(command)

    def with_branches(self, command: walk.AnyNode, environment: _Environment) -> walk.AnyNode:
        """Simplify the commands inside a command, which may not be obeyed."""
        return walk.with_commands(command, lambda commands: self.commands(commands, environment.copy()))

    def let(
        self, target: core.Target, value: core.Expression, command: core.Let, environment: _Environment, out: Out
    ) -> None:
        """Bind a variable to its value, or several to the members of a tuple; note what is known from it."""
        members = value.items if isinstance(value, core.Tuple) else environment.members.get(value)
        match target:
            case core.Several(items=items) if members and len(members) == len(items):
                for item, member in zip(items, members, strict=True):
                    self.let(item, member, core.Let(item, member, span=command.span), environment, out)
                return
            case core.Several(items=items):
                if isinstance(value, core.Local) and all(map(self.is_fixed, items)):
                    environment.members[value] = items  # type: ignore[assignment]
            case core.NewBox():
                raise AssertionError("boxes are made after all passes")
            case _ if self.is_fixed(target):
                if isinstance(value, core.Tuple):
                    environment.members[target] = value.items
                original = self.original(value, environment)
                if original is not None:  # where the variable is read, that is read in its place
                    environment.copies[target] = original
                    return
                if is_pure(value) and self.is_lasting(value):
                    environment.holders[value] = target
        out.append(replace(command, target=target, value=value))

    def original(self, value: core.Expression, environment: _Environment) -> core.Expression | None:
        """Return the name or constant that a value is, or the variable that holds this value already; None if it is
        new.
        """
        if is_atom(value) and self.is_fixed(value):
            return value
        return environment.holders.get(value)

    def is_fixed(self, node: core.Node) -> bool:
        """Tell whether a name has one value in all of its scope; so has a constant."""
        match node:  # only names are looked up: the hash of another node is that of all inside it
            case core.Local(mode=mode):
                return mode == "" and node not in self.changed
            case core.Global(is_changing=is_changing):
                return not is_changing and node not in self.changed
            case _:
                return True

    def is_idle(self, value: core.Expression) -> bool:
        """Tell whether an expression can be dropped: it has no effect, and all its variables have values."""
        return is_removable(value) and self.unset.isdisjoint(walk.locals_in(value))

    def is_lasting(self, value: core.Expression) -> bool:
        """Tell whether an expression has one value in all of the scope of its names."""
        return all(self.is_fixed(part) for part in walk.nodes(value))

    # Expressions

    def values(
        self, nodes: Sequence[core.Expression], environment: _Environment, out: Out
    ) -> tuple[core.Expression, ...]:
        """Simplify operands. What floats out of one must not overtake an earlier one that may have effects."""
        results: list[core.Expression] = []
        for node in nodes:
            floating: Out = []
            value = self.value(node, environment, floating)
            if floating:
                results = [self.evaluated_now(earlier, out) for earlier in results]
            out += floating
            results.append(value)
        return tuple(results)

    def evaluated_now(self, value: core.Expression, out: Out) -> core.Expression:
        """Return a value that may be read after the commands that come next: in a new variable, unless it stays the
        same.
        """
        if is_pure(value) and self.is_lasting(value):
            return value
        variable = self.fresh.local("x", value.span)
        out.append(core.Let(variable, value, span=value.span))
        return variable

    def value(self, node: core.Expression, environment: _Environment, out: Out) -> core.Expression:
        """Simplify an expression that is evaluated here in any case."""
        match node:
            case core.Local():
                return environment.copies.get(node, node)
            case core.Global():
                return self.constants.get(node, node)
            case core.Reference(place=place):
                return replace(node, place=self.place(place, environment))
            case core.Binary(operator="AND" | "OR", left=left, right=right):
                first = self.value(left, environment, out)
                if isinstance(first, core.Literal) and isinstance(first.value, bool) and not self.is_alone:
                    is_decided = first.value == (node.operator == "OR")
                    return first if is_decided else self.value(right, environment, out)
                return replace(node, left=first, right=self.self_contained(right, environment))
            case core.Compare(operands=(first, second, *rest)):
                # The rest is only evaluated if the first relation holds.
                pair = self.values((first, second), environment, out)
                others = [self.self_contained(operand, environment) for operand in rest]
                compared = folded(replace(node, operands=(*pair, *others)))
                if isinstance(compared, core.Compare) and _is_of_variables(compared):
                    return environment.relations.get(compared, compared)
                return compared
            case core.Conditional(arms=arms, otherwise=otherwise):
                return self.conditional(arms, otherwise, node, environment, out)
            case core.Block(commands=commands, routine=False):
                return self.block(node, commands, environment, out)
            case core.Block(commands=commands):
                return replace(node, commands=self.commands(commands, environment.copy()))
            case core.Lambda(body=body):
                return replace(node, body=self.self_contained(body, environment))
            case _:  # whose parts are all evaluated here, one after the other
                parts = iter(self.values(walk.parts(node), environment, out))  # type: ignore[arg-type]
                return folded(walk.with_parts(node, lambda _: next(parts)))

    def where(self, test: core.Expression, is_true: bool, environment: _Environment) -> _Environment:
        """Return what is known where a test has come out so: which relations between numbers hold. If `a ∧ b` is
        true, so are both, and if `a ∨ b` is false, so are both. Where `x > y` is false, `x ≤ y` need not be true, as
        with an undefined real.
        """
        inside = environment.copy()
        match test:
            case core.Unary() | core.Binary() if self.is_alone:  # its operators may be those of bit strings
                return inside
            case core.Unary(operator="NOT", operand=operand):
                return self.where(operand, not is_true, environment)
            case core.Binary(operator="AND" | "OR" as operator, left=left, right=right) if is_true == (
                operator == "AND"
            ):
                return self.where(right, is_true, self.where(left, is_true, environment))
            case core.Compare(operators=(operator,)) if (
                operator in _FOLLOWING and _is_of_variables(test) and self.is_lasting(test)
            ):
                known = {operator: True, **_FOLLOWING[operator]} if is_true else {operator: False}
                for other, holds in known.items():
                    literal = core.Literal(holds, span=test.span)
                    inside.relations[replace(test, operators=(other,))] = literal
        return inside

    def place(self, place: Any, environment: _Environment) -> Any:
        """Simplify the parts of a place that is assigned or referred to."""
        match place:
            case core.Choice(test=test, place=first, otherwise=second):
                first = self.place(first, environment)
                second = self.place(second, environment)
                return replace(place, test=self.self_contained(test, environment), place=first, otherwise=second)
            case core.Select() | core.Component() | core.Contents():
                return walk.with_parts(place, lambda part: self.self_contained(part, environment))  # type: ignore[arg-type]
            case _:
                simple = self.self_contained(place, environment)
                if isinstance(simple, core.Place) and not isinstance(place, core.Place):  # a value gets a new place
                    return core.Block((core.Result(simple, span=place.span),), span=place.span)
                return simple

    def conditional(
        self,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression,
        node: core.Conditional,
        environment: _Environment,
        out: Out,
    ) -> core.Expression:
        """Simplify a conditional: an arm whose test is false goes, one whose test is true is the last."""
        possible: list[tuple[core.Expression, core.Expression]] = []
        before = environment  # what is known without the tests
        for test, value in arms:
            # The first test is evaluated in any case, the next ones only if those before are false.
            test = self.self_contained(test, environment) if possible else self.value(test, environment, out)
            match test:
                case core.Literal(value=True):
                    otherwise = value
                    break
                case core.Literal(value=False):
                    continue
            possible.append((test, self.self_contained(value, self.where(test, True, environment))))
            environment = self.where(test, False, environment)
        if not possible:
            return self.value(otherwise, before, out)
        return replace(node, arms=tuple(possible), otherwise=self.self_contained(otherwise, environment))

    def block(
        self, node: core.Block, commands: Sequence[core.Command], environment: _Environment, out: Out
    ) -> core.Expression:
        """Let a block float out, unless it may be left early."""
        inside = environment.copy()
        match self.commands(commands, inside):
            case (*before, core.Result(value=value)) if not may_give_result(before):
                environment.become(inside)
                out += before
                return value
            case rest:
                return replace(node, commands=rest)


def _is_of_variables(test: core.Compare) -> bool:
    """Tell whether a test is one relation between two variables."""
    return len(test.operators) == 1 and all(isinstance(operand, core.Local) for operand in test.operands)


def folded(node: core.Expression) -> core.Expression:
    """Fold an operator applied to constants, and operators that do nothing."""
    match node:
        case core.Unary(operator="NOT", operand=core.Compare(operators=("EQUAL" | "UNEQUAL" as operator,)) as compared):
            return replace(compared, operators=("UNEQUAL" if operator == "EQUAL" else "EQUAL",), span=node.span)
        case core.Unary(operator="NOT" | "MINUS" | "BIT_NOT" as operator, operand=core.Literal(value=value)):
            return _worked_out(node, lambda: apply_prefix(operator, value, node.span))
        case (
            core.Unary(operator="NOT", operand=core.Unary(operator="NOT", operand=operand))
            | core.Unary(operator="BIT_NOT", operand=core.Unary(operator="BIT_NOT", operand=operand))
        ):
            return operand
        case core.Binary(operator="SHIFT", left=core.Literal(value=1), right=core.Literal(value=int() as places)) if (
            places < 0
        ):
            return node  # `1 << 37` says which digit is one, as 137438953472 does not
        case core.Binary(
            operator=operator,
            left=core.Literal(value=int() | float() as left),
            right=core.Literal(value=int() | float() as right),
        ) if is_number(left) and is_number(right) and operator != "POWER":
            result = _worked_out(node, lambda: operate(operator, left, right, node.span))
            return node if _is_rounded(operator, left, right, result) else result
        case (
            core.Binary(operator="BIT_AND", left=core.Literal(value=-1), right=same)
            | core.Binary(operator="BIT_AND", left=same, right=core.Literal(value=-1))
        ):
            return same
        case core.Apply(
            function=core.Host(name="Head"), arguments=(core.List(items=(first, *others), growing=False),)
        ) if all(map(is_removable, others)):
            return first
        case core.Apply(function=core.Host(name="Code"), arguments=(core.Literal(value=str() as symbol),)) if (
            len(symbol) == 1
        ):
            return core.Literal(ord(symbol), symbol, span=node.span)
        case core.Apply(
            function=core.Host(name="AsBits"),
            arguments=(core.Apply(function=core.Host(name="Logical"), arguments=(core.List(items=positions),)), _),
        ) if is_of_few_positions(positions):
            return with_ones_at(positions, node.span)
        case core.Convert():
            return numbers.converted_constant(node)
        case core.ConvertParts(kinds=kinds, value=core.Tuple() as whole) if len(whole.items) == len(kinds):
            return _with_items_converted(whole, kinds) or node
        case core.Compare(operands=(core.Literal(value=left), core.Literal(value=right)), operators=(operator,)) if (
            type(left) is type(right) and not isinstance(left, bool)
        ):
            return core.Literal(RELATIONS[operator](left, right), span=node.span)
        case _:
            return node


def _with_items_converted(whole: core.Tuple, kinds: core.Kinds) -> core.Tuple | None:
    """Return a tuple whose items are converted one by one; None if one of them is to be taken apart itself."""
    items: list[core.Expression] = []
    for kind, item in zip(kinds, whole.items, strict=True):
        if not isinstance(kind, str):
            return None
        items.append(numbers.conversion(kind, item))
    return replace(whole, items=tuple(items))


def _worked_out(node: core.Expression, work: Callable[[], object]) -> core.Expression:
    """Return the value of an expression if it is a truth value or a number of moderate size, and no fault."""
    try:
        value = work()
    except CplFault:
        return node
    is_moderate = isinstance(value, int | float) and abs(value) < _LARGEST
    return core.Literal(value, span=node.span) if is_moderate else node  # type: ignore[arg-type]


_EXACT: Final[Mapping[str, Callable[[Fraction, Fraction], Fraction]]] = {
    "PLUS": operators.add,
    "SUM": operators.add,
    "MINUS": operators.sub,
    "DIFFERENCE": operators.sub,
    "TIMES": operators.mul,
    "DIVIDE": operators.truediv,
}


def _is_rounded(operator: str, left: int | float, right: int | float, result: core.Expression) -> bool:
    """Tell whether the result as it is written is not the exact one. `1 / 6` says more than 0.16666666666666666."""
    match result:
        case core.Literal(value=float() as value) if operator in _EXACT and isfinite(left) and isfinite(right):
            # the digits that a reader sees, which need not be the binary number that stands for them
            return Fraction(repr(value)) != _EXACT[operator](Fraction(repr(left)), Fraction(repr(right)))
        case _:
            return False


def is_pure(node: core.Expression) -> bool:
    """Tell whether an expression is pure: evaluating it has no effect and always gives the same value."""
    match node:
        case core.Unary(operator=operator) | core.Binary(operator=operator):
            return operator in _PURE and all(map(is_pure, walk.parts(node)))  # type: ignore[arg-type]
        case core.Compare(operators=operators):
            return {*operators} <= {"EQUAL", "UNEQUAL"} and all(map(is_pure, node.operands))
        case core.Tuple(items=items):
            return all(map(is_pure, items))
        case _:
            return is_atom(node) and not isinstance(node, core.Infinity)


def unset_in(node: core.Node) -> Iterator[core.Variable]:
    """The variables that are declared without a value inside a tree."""
    for part in walk.nodes(node):
        if isinstance(part, core.Declare):
            yield from walk.variables(part.variable)


def without_unused(node: core.Expression) -> core.Expression:
    """Remove variables that are never read, if their values can be removed."""
    unset = set(unset_in(node))
    while True:  # what only a removed variable has read is unused in the next round
        result = _pruned(node, unset)
        if result == node:
            return result
        node = result


def _pruned(node: core.Expression, unset: Set[core.Variable]) -> core.Expression:
    """Remove the variables that occur only where they are defined, and blocks that do no more than give a value."""
    uses = mentions_in(node)

    def is_needed(command: core.Command) -> bool:
        match command:
            case core.Let(target=core.Local() as target, value=value):
                return uses[target] > 1 or not is_removable(value) or not unset.isdisjoint(walk.locals_in(value))
            case _:
                return True

    def pruned(part: core.Node) -> core.Node:
        part = walk.with_commands(part, lambda commands: [*filter(is_needed, commands)])
        match part:
            case core.Block(commands=(core.Result(value=value),), routine=False):
                return part if isinstance(value, core.Place) else value  # a place would be referred to
        return part

    return walk.rebuilt(node, pruned)


def is_removable(node: core.Expression) -> bool:
    """Tell whether an expression whose value is not used can be removed: it has no effect and cannot fail."""
    match node:
        case core.Tuple(items=items) | core.List(items=items):
            return all(map(is_removable, items))
        case core.Binary(operator="SHIFT", right=places) if not isinstance(places, core.Literal):
            return False  # it may be no whole number
        case core.Unary(operator=operator) | core.Binary(operator=operator):
            return operator in core.INTEGER_OPERATORS and all(map(is_removable, walk.parts(node)))  # type: ignore[arg-type]
        case core.Conditional():
            return all(map(is_removable, walk.parts(node)))  # type: ignore[arg-type]
        case core.Compare(operands=operands, operators=("EQUAL" | "UNEQUAL",)):
            has_literal = any(isinstance(operand, core.Literal) for operand in operands)
            return has_literal and all(map(is_removable, operands))
        case _:
            return is_atom(node) or isinstance(node, core.Lambda)
