"""Inlining: small functions are written out where they are applied.

    Other(s) = -s
    Moves(P,s) = [P, s]
    Next(P,s) = Search(Moves(P,s), Other(s))

becomes, in Python,

    def Next(P, s):
        return Search([P, s], -s)

Why: a call is the most expensive thing that Python does; and in a written-out body `simplify` knows the arguments.

How: callees come before callers. The body stands as a block whose first commands define the parameters as the
arguments. It is written out if its cost there, after simplification with constant arguments, is in the `Budget`, or if
nothing else applies a function that a pass has made; until the definition has grown to `MOST_IN_ALL`.

Python is for reading, so there only short expressions are written out (`_FOR_READERS`): those that stand where the call
stood, without new variables, and no longer one twice in a function. What the C compiler reads may grow (`_FOR_C`).

Limits: not functions with loops that a function applies twice, nor those that apply themselves, that may give their
result before the end, that work with places or jumps (`is_plain`), or whose operators could mean something else where
they are written out (`alone`); and not into constants of the top level, which are evaluated once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cpl.compiler.optimise.simplify import folded, literals, simplified
from cpl.compiler.optimise.trees import (
    commands_of,
    converted_argument,
    is_atom,
    is_in_order,
    is_plain,
    renamed,
    size,
    without_unreachable,
)
from cpl.compiler.semantics import core, numbers, walk
from cpl.compiler.semantics.fresh import Fresh
from cpl.compiler.semantics.graphs import components
from cpl.compiler.semantics.walk import may_give_result
from cpl.compiler.types.facts import Sure


@dataclass(frozen=True)
class Budget:
    """How much is written out: functions of up to `most_copied` nodes. If `only_expressions`, the body must be an
    expression in which names stand for the arguments, and one of more than `most_repeated` nodes is written out only
    where a function applies it once, and if it chooses nothing.
    """

    most_copied: int
    only_expressions: bool = False
    most_repeated: int = 0


_FOR_READERS: Final = Budget(40, only_expressions=True, most_repeated=12)
_FOR_C: Final = Budget(70)

_APPLICATION: Final = 30
"""The cost of an application, in nodes."""

MOST_IN_ALL: Final = 3000
"""The size of a definition, in nodes, up to which functions are written out in it."""


def inline(program: core.Program, sure: Sure) -> core.Program:
    """Write out short expressions where their functions are applied."""
    return _Inliner(program, sure, _FOR_READERS).run()


def inline_for_c(program: core.Program, sure: Sure) -> core.Program:
    """Write out small functions where they are applied."""
    return _Inliner(program, sure, _FOR_C).run()


class _Inliner:
    def __init__(self, program: core.Program, sure: Sure, budget: Budget) -> None:
        self.program = program
        self.sure = sure
        self.budget = budget
        self.constants = literals(program)
        self.uses = Counter(node for node in walk.all_nodes(program.definitions) if isinstance(node, core.Global))
        self.ready: dict[core.Global, core.Function] = {}  # those that may be written out
        self.costs: dict[core.Global, int] = {}
        self.parameters = {
            definition.name: definition.parameters
            for definition in program.definitions
            if isinstance(definition, core.Function)
        }

    def run(self) -> core.Program:
        """Write out functions in all definitions, callees before callers."""
        definitions = [*self.program.definitions]
        used = walk.uses(definitions)
        for component in components(used):
            for at in component:
                definition = definitions[at]
                if not isinstance(definition, core.Function):
                    definitions[at] = walk.rebuilt(definition, self.worked_out)
                    continue
                if not is_in_order(definition):
                    continue
                function = self.function(definition)
                definitions[at] = function

                is_recursive = len(component) > 1 or at in used[at]
                if not is_recursive and is_plain(function) and not function.alone:
                    self.ready[function.name] = function
                    self.costs[function.name] = cost(function)
        return without_unreachable(replace(self.program, definitions=tuple(definitions)))

    def function(self, function: core.Function) -> core.Function:
        """Write out others in a function, until nothing changes."""
        function = simplified(function, self.constants)
        while True:
            self.fresh = Fresh(function)
            self.room = MOST_IN_ALL - size(function)
            self.changed = {*walk.changed(function)}
            self.applied = Counter(node.function for node in walk.nodes(function) if isinstance(node, core.Apply))
            self.has_captures = bool(function.captured) or any(map(_captures_values, walk.nodes(function)))
            result = walk.rebuilt(function, self.written_out)
            if result == function:
                return function
            function = simplified(result, self.constants)

    def written_out(self, node: core.Node) -> core.Node:
        """Return the body of a function in place of its application, if it is to be written out."""
        match node:
            case core.Apply(function=core.Global() as name):
                result = self.body_or_application(node, self.ready[name]) if name in self.ready else node
                return self.with_constants_converted(node) if result is node else result
            case core.Apply(function=core.Host(name="Is"), arguments=(core.Literal(value="complex"), x)) if (
                self.is_real(x)
            ):
                return core.Literal(False, span=node.span)
            case core.Binary(operator="PLUS" | "MINUS" | "SUM" | "DIFFERENCE"):
                added = self.added_at_once(node)
                return self.with_fewer_signs(node) if added is None else added
            case core.Unary() | core.Binary():
                return self.with_fewer_signs(node)
            case _:
                return walk.with_commands(node, _in_place)

    def worked_out(self, node: core.Node) -> core.Node:
        """Return what is known of an expression where no function is written out: the number that it is. A value does
        not become a place, which would be referred to.
        """
        if isinstance(node, core.Apply):
            node = self.with_constants_converted(node)
        result = folded(node) if isinstance(node, core.Expression) else node
        return node if isinstance(result, core.Place) else result

    def with_constants_converted(self, node: core.Apply) -> core.Apply:
        """Return an application with real numbers for the parameters that convert whole ones: 0.0 in place of 0."""
        if not isinstance(node.function, core.Global):
            return node
        parameters = self.parameters.get(node.function, ())
        if len(parameters) != len(node.arguments):
            return node

        def converted(parameter: core.Local, argument: core.Expression) -> core.Expression:
            is_constant = parameter.converts_to == "real" and isinstance(argument, core.Literal)
            return (
                numbers.converted_constant(core.Convert("real", argument, span=argument.span))
                if is_constant
                else argument
            )

        arguments = tuple([converted(*pair) for pair in zip(parameters, node.arguments, strict=True)])
        return node if arguments == node.arguments else replace(node, arguments=arguments)

    def body_or_application(self, node: core.Apply, function: core.Function) -> core.Expression:
        """Return the body of the function that a node applies; the node itself if the body may not stand there, or
        costs too much.
        """
        arguments = node.arguments
        if len(arguments) != len(function.parameters) or may_leave(function.body):
            return node
        if self.has_captures and _reads_changing(function):
            return node
        if self.budget.only_expressions and not self.is_readable(function, arguments):
            return node
        if self.applied[function.name] > 1 and _has_loop(function.body):
            return node

        body = applied(function, arguments, self.fresh, self.sure)
        cost_here = self.costs[function.name]
        if cost_here > self.budget.most_copied and any(map(_is_known, arguments)):
            # Simplification may leave less of it; as it takes time, only what costs too much is tried.
            cost_here = cost(simplified(replace(function, parameters=(), body=body), self.constants))

        is_only_use = self.uses[function.name] == 1 and function.name.is_made
        is_cheap = cost_here <= self.budget.most_copied or is_only_use
        if not is_cheap or cost_here > self.room:
            return node
        self.room -= cost_here
        return body

    def with_fewer_signs(self, node: core.Unary | core.Binary) -> core.Expression:
        """Drop signs that cancel out, as they do where a constant was written for a parameter. Only of numbers that are
        not complex: of those, zeros get other signs.
        """
        match node:
            case core.Unary(operator="MINUS", operand=core.Unary(operator="MINUS", operand=value)) if self.is_real(
                value
            ):
                return value
            case core.Unary(
                operator="MINUS",
                operand=core.Binary(operator="TIMES", right=core.Literal(value=int() as factor) as literal) as product,
            ) if factor < 0 and self.is_real(product.left):
                return replace(product, right=replace(literal, value=-factor), span=node.span)
            case core.Binary(
                operator="TIMES",
                left=core.Unary(operator="MINUS", operand=value),
                right=core.Literal(value=int() as factor) as literal,
            ) if factor < 0 and self.is_real(value):
                return replace(node, left=value, right=replace(literal, value=-factor))
            case core.Binary(
                operator="PLUS" | "MINUS" as operator,
                left=value,
                right=core.Literal(value=int() | float() as other) as literal,
            ) if other < 0 and self.is_real(value):
                opposite = "MINUS" if operator == "PLUS" else "PLUS"
                return replace(node, operator=opposite, right=replace(literal, value=-other))
            case _:
                return node

    def added_at_once(self, node: core.Binary) -> core.Expression | None:
        """Return `x + 49` for `x + 50 - 1`, as a constant that was written for a name leaves it; None for another sum.
        Only of whole numbers, which can be added in any order.
        """
        inner, second = _addend(node)
        if not isinstance(inner, core.Binary) or second is None:
            return None
        value, first = _addend(inner)
        if first is None or self.sure.number(value) != "integer":
            return None
        total = first + second
        if abs(total) > max(abs(first), abs(second)):
            return None
        if total == 0:
            return value
        constant = core.Literal(abs(total), span=node.right.span)
        return core.Binary("PLUS" if total > 0 else "MINUS", value, constant, span=node.span)

    def is_real(self, value: core.Expression) -> bool:
        """Tell whether a value is a number for certain, and not a complex one."""
        return self.sure.number(value) in ("integer", "real")

    def is_readable(self, function: core.Function, arguments: Sequence[core.Expression]) -> bool:
        """Tell whether an application becomes an expression in its place, and not one of many that are alike."""
        if not all(is_atom(argument) and argument not in self.changed for argument in arguments):
            return False
        if not _is_expression(function.body):
            return False
        is_short = size(function.body) <= self.budget.most_repeated
        return is_short or (self.applied[function.name] == 1 and not _has_choice(function.body))


def _addend(node: core.Binary) -> tuple[core.Expression, int | None]:
    """The value to which a sum adds a whole number that is written down, and that number; None if it adds another."""
    match node:
        case core.Binary(operator=operator, left=left, right=core.Literal(value=int() as value, symbol="")) if (
            not isinstance(value, bool)
        ):
            if operator in ("PLUS", "SUM"):
                return left, value
            if operator in ("MINUS", "DIFFERENCE"):
                return left, -value
    return node, None


def _is_known(argument: core.Expression) -> bool:
    """Tell whether simplification can use what an argument is: a constant, or a tuple with these parts."""
    return isinstance(argument, core.Literal | core.Tuple)


def _captures_values(node: core.Node) -> bool:
    """Tell whether a node is a function inside another one that captures values, not places."""
    return isinstance(node, core.LetFunction | core.Lambda) and not node.by_place


def _reads_changing(function: core.Function) -> bool:
    """Tell whether a function reads a variable that changes: written out, a closure would capture its value."""
    return any(isinstance(part, core.Global) and part.is_changing for part in walk.nodes(function.body))


def _is_expression(body: core.Expression) -> bool:
    """Tell whether a body does no more than to take arguments apart and to give one value."""
    commands = commands_of(body)
    if not _ends_with_result(commands):
        return False
    *lets, result = commands
    if not all(map(_takes_apart, lets)):
        return False
    return not any(isinstance(part, core.Block | core.Lambda) for part in walk.nodes(result))


def _takes_apart(command: core.Command) -> bool:
    """Tell whether a command does no more than to name the parts of a tuple that has a name."""
    return isinstance(command, core.Let) and isinstance(command.target, core.Several) and is_atom(command.value)


def _ends_with_result(commands: Sequence[core.Command]) -> bool:
    """Tell whether the last command gives the value. The body of a routine may have no commands."""
    return bool(commands) and isinstance(commands[-1], core.Result)


def _has_loop(body: core.Expression) -> bool:
    """Tell whether a body runs through a loop: then a call costs little, and nobody writes the loop out twice."""
    return any(True for _ in walk.loops(body))


def _has_choice(body: core.Expression) -> bool:
    return any(isinstance(part, core.Conditional) for part in walk.nodes(body))


def _in_place(commands: Sequence[core.Command]) -> list[core.Command]:
    """Put the commands of written-out routines in place of their applications."""
    out: list[core.Command] = []
    for command in commands:
        match command:
            case core.Evaluate(value=core.Block(commands=body, routine=True)):
                out += body
            case _:
                out.append(command)
    return out


def cost(node: core.Node) -> int:
    """Return the cost of a definition where it is written out: its nodes, and more for each call, which stays."""
    applications = (part for part in walk.nodes(node) if isinstance(part, core.Apply))
    calls = sum(isinstance(application.function, core.Global) for application in applications)
    return size(node) + _APPLICATION * calls


def applied(function: core.Function, arguments: Sequence[core.Expression], fresh: Fresh, sure: Sure) -> core.Block:
    """Return the body of a function as a block in which its parameters are defined as the arguments."""
    variables = (*function.parameters, *walk.defined_in(function.body))
    names = {variable: fresh.like(variable) for variable in variables}
    body = renamed(function.body, names)
    lets = [
        core.Let(names[parameter], converted_argument(parameter, argument, sure), span=argument.span)
        for parameter, argument in zip(function.parameters, arguments, strict=True)
    ]
    routine = isinstance(body, core.Block) and body.routine
    return core.Block((*lets, *commands_of(body)), routine, span=function.body.span)


def may_leave(body: core.Expression) -> bool:
    """Tell whether a function may give its result before its end."""
    if isinstance(body, core.Convert):
        return may_leave(body.value)
    if isinstance(body, core.Block) and body.routine:
        return may_give_result(body.commands)
    commands = commands_of(body)
    return not _ends_with_result(commands) or may_give_result(commands[:-1])
