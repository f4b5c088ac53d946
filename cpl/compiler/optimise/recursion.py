"""Loops in place of recursion: tail calls, and lists that a function builds with an accumulator.

    Last(L) = Null(Tail(L)) → Head(L), Last(Tail(L))

becomes, in Python,

    def Last(L):
        while Tail(L):
            L = Tail(L)
        return Head(L)

and a function that joins something to its own result

    Squares(k) = k = 0 → NIL, Join([k × k], Squares(k - 1))

becomes a loop that appends to an accumulator:

    def Squares(k):
        out = []
        while k != 0:
            out.append(k * k)
            k -= 1
        return out

If another such function can end with `Squares(x)`, as

    Both(x, k) = k = 0 → NIL, k = 1 → Squares(x), Join([k], Both(x, k - 1))

the loop is a function of its own, `_Squares_into(k, out)`, which appends to a list of its caller: so no members are
copied. `Squares` calls it with a new list.

Why: Python makes a frame for each call and copies a list for each `Join`; a loop does neither, and does not run out of
stack.

How: `leaves` finds the expressions that give a function's result. If some apply the function itself, these become an
assignment to its parameters and another round (`tail_calls`). If some join a list to such an application, `accumulated`
makes the second version; each leaf appends what it is known to be, a list or a member.

Limits: a function with functions inside it, routines, jumps, references, or assignments to its own parameters is left
alone (`_is_suitable`); so is one that applies itself in the arguments of a tail call.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeGuard

from cpl.compiler.optimise.simplify import folded
from cpl.compiler.optimise.trees import (
    commands_of,
    converted_argument,
    defined_names,
    is_plain,
    name_for_copy,
    renamed,
    without_unreachable,
)
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.conversions import at_results
from cpl.compiler.semantics.fresh import Fresh
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.semantics.walk import gives_result, may_give_result
from cpl.compiler.types.facts import Sure

Commands = list[core.Command]


class Unsuitable(Exception):
    """A function that does not become a loop."""


def loops(program: core.Program, sure: Sure) -> core.Program:
    """The program with loops in place of recursion."""
    return _Loops(program, sure).run()


@dataclass
class _Loops:
    program: core.Program
    sure: Sure
    versions: dict[core.Node, core.Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.functions = {
            definition.name: self.converting_results(definition)
            for definition in self.program.definitions
            if isinstance(definition, core.Function) and _is_suitable(definition)
        }
        self.builders = {name for name, definition in self.functions.items() if self.builds(definition)}
        self.ending_in_lists = self.lists()
        self.taken = defined_names(self.program)

    def run(self) -> core.Program:
        """Rewrite every definition; a version with an accumulator comes before the function that it is made of."""
        definitions = [self.definition(definition) for definition in self.program.definitions]
        rewritten = walk.all_nodes([*definitions, *self.versions.values()])
        uses = Counter(node for node in rewritten if isinstance(node, core.Global))

        ordered: list[core.Definition] = []
        for definition in definitions:
            version = self.versions.get(definition.name) if isinstance(definition, core.Function) else None
            if version is None:
                ordered.append(definition)
                continue
            whole = _with_version(definition, version) if uses[version.name] == 1 else None
            if whole is None:
                ordered += [version, definition]
            else:
                ordered.append(whole)
        return without_unreachable(replace(self.program, definitions=tuple(ordered)))

    def definition(self, definition: core.Definition) -> core.Definition:
        """Return a definition as a loop, if it can be one."""
        if not isinstance(definition, core.Function) or definition.name not in self.functions:
            return definition
        function = self.functions[definition.name]
        with suppress(Unsuitable):
            if function.name in self.builders:
                return self.accumulated(function)
            if any(_applies(value, function) for value in leaves(function.body)):
                return self.tail_calls(function)
        return definition

    def converting_results(self, function: core.Function) -> core.Function:
        """Return the same function with the conversion of its result at each of its leaves, so that an application of
        itself can be a tail call.
        """
        if not isinstance(function.body, core.Convert):
            return function
        return replace(function, body=at_results(function.body, self.sure.converted))

    # What functions do

    def builds(self, function: core.Function) -> bool:
        """Tell whether a function builds a list by joining something to what it builds for other arguments.

        If members of lists may be assigned, its other results must be new lists: a copy would be another list.
        """
        rests: list[core.Expression] = []  # what something is joined to
        ends: list[core.Expression] = []
        new_lists = 0
        for result in leaves(function.body):
            if _applies(result, function):
                continue
            ends.append(result)
            match result:
                case core.Apply(function=core.Host(name="Join"), arguments=(_, rest)):
                    rests.append(rest)
                    new_lists += 1
                case core.List():
                    new_lists += 1

        if self.sure.assigned_lists and new_lists < len(ends):
            return False
        has_recursion = any(_applies(rest, function) for rest in rests)
        return has_recursion and all(self.kind(end) == "list" for end in ends)

    def lists(self) -> set[core.Global]:
        """Return the functions whose result may be that of one that builds a list."""
        appliers: dict[core.Node, list[core.Global]] = {name: [] for name in self.functions}
        for name, function in self.functions.items():
            for value in leaves(function.body):
                for part in _joined(value):
                    if isinstance(part, core.Apply) and part.function in appliers:
                        appliers[part.function].append(name)
        return {*reachable(self.builders, appliers.__getitem__)}

    def kind(self, node: core.Expression) -> str:
        """Return `list` if the value is a list for certain, `member` if it is not one, else an empty string."""
        if isinstance(node, core.List):
            return "list"
        heads = {"tuple"} if isinstance(node, core.Tuple) else self.sure.heads(node)
        if heads <= {"list", "nil"}:
            return "list" if heads else ""
        return "member" if heads.isdisjoint(("list", "nil", "element", "general")) else ""

    # Loops

    def tail_calls(self, function: core.Function) -> core.Function:
        """Turn the tail calls of a function into rounds of a loop."""

        def last_command(value: core.Expression) -> Commands:
            if _applies(value, function):
                return self.again(function, value)
            return [core.Result(value, span=value.span)]

        body = self.loop(replace_results(function.body, last_command), function)
        return replace(function, body=core.Block(tuple(body), span=function.body.span))

    def again(self, function: core.Function, applied: core.Apply) -> Commands:
        """Assign new values to the parameters, for the next round. Raises Unsuitable if a value needs the function
        itself, or none is new.
        """
        places: list[core.Place] = []
        values: list[core.Expression] = []
        for parameter, argument in zip(function.parameters, applied.arguments, strict=True):
            if parameter != argument:
                places.append(parameter)
                values.append(converted_argument(parameter, argument, self.sure))
        if not places or function.name in walk.all_nodes(values):
            raise Unsuitable
        return [core.Assign(tuple(places), tuple(values), span=applied.span)]

    def loop(self, commands: Sequence[core.Command], function: core.Function) -> Commands:
        """Return a loop round commands that end by assigning to the parameters if there is another round."""
        match commands:
            case [core.If(test=test, commands=then, otherwise=otherwise) as first]:
                rounds = _rounds(then, function), _rounds(otherwise, function)
                if rounds == ({False}, {True}):
                    opposite = folded(core.Unary("NOT", test, span=test.span))
                    return [core.While(opposite, otherwise, span=first.span), *then]
                if rounds == ({True}, {False}):
                    return [core.While(test, then, span=first.span), *otherwise]
        # More paths than one lead on, or out: an endless loop, which each path out leaves by itself.
        body = _returning(commands, function)
        return [core.While(core.Literal(True, span=function.span), tuple(body), span=function.span)]

    # Lists

    def accumulated(self, function: core.Function) -> core.Function:
        """Let a function that builds a list call the version that appends to one."""
        other = self.accumulating(function)
        span = function.body.span
        out = Fresh(function).local("out", span)
        applied = core.Apply(replace(other.name, span=span), (*function.parameters, out), span=span)
        commands = (
            core.Let(out, core.List((), growing=True, span=span), span=span),
            core.Evaluate(applied, span=span),
            core.Result(out, span=span),
        )
        return replace(function, body=core.Block(commands, span=span))

    def accumulating(self, function: core.Function) -> core.Function:
        """Return the version of a function that appends its members, or its value, to a list of its caller. Raises
        Unsuitable.
        """
        if function.name in self.versions:
            return self.versions[function.name]

        out = Fresh(function).local("out", function.span)
        version = replace(
            function,
            name=name_for_copy(function.name, ("into",), self.taken),
            parameters=(*function.parameters, out),
            note=f"Put what {function.name.name.lstrip('_')} gives into a list.",
        )
        versions_before = {**self.versions}
        self.versions[function.name] = version  # before its body is known, which may apply the version itself
        try:
            body = self.appending(function, out)
        except Unsuitable:
            self.versions = versions_before
            raise
        block = core.Block(tuple(body), routine=True, span=function.body.span)
        version = replace(version, body=block)
        self.versions[function.name] = version
        return version

    def appending(self, function: core.Function, out: core.Local) -> Commands:
        """Return the body of a function with each result appended to a list, in a loop if it applies itself."""
        body = replace_results(function.body, lambda value: self.append(value, out, function))
        assignments = (part for part in walk.all_nodes(body) if isinstance(part, core.Assign))
        if any(assignment.places[0] in function.parameters for assignment in assignments):
            return self.loop(body, function)
        return body

    def append(self, value: core.Expression, out: core.Local, function: core.Function | None) -> Commands:
        """Return commands that append a value, or its members if it is a list, to a list. A tail call of the `function`
        itself becomes the next round.
        """
        span = value.span
        match value:
            case core.List(items=items):
                return [core.Append(out, item, span=item.span) for item in items]
            case core.Apply(function=core.Host(name="Join"), arguments=(first, second)):
                appended_first = replace_results(first, lambda part: self.append(part, out, None))
                return [*appended_first, *self.append(second, out, function)]
            case core.Apply() if function and _applies(value, function):
                return self.again(function, value)
            case core.Apply(function=core.Global() as name, arguments=arguments) if name in self.ending_in_lists:
                version = self.accumulating(self.functions[name])
                applied = core.Apply(replace(version.name, span=span), (*arguments, out), span=span)
                return [core.Evaluate(applied, span=span)]
        match self.kind(value):
            case "list":
                return [core.Append(out, value, each=True, span=span)]
            case "member":
                return [core.Append(out, value, span=span)]
            case _:  # Join finds out when the program runs whether it is a list
                joined = core.Apply(core.Host("Join", span=span), (value, core.List((), span=span)), span=span)
                return [core.Append(out, joined, each=True, span=span)]


def _with_version(function: core.Definition, version: core.Function) -> core.Function | None:
    """Return a function that builds a list with the commands of its version in place of the application of it; None if
    it does not apply it, or the version may end early.
    """
    match function:
        case core.Function(
            body=core.Block(
                commands=(
                    core.Let(target=core.Local() as out) as new_list,
                    core.Evaluate(value=core.Apply(function=applied)),
                    result,
                )
            ) as body
        ) if applied == version.name:
            version_body = renamed(version.body, {version.parameters[-1]: out})
            commands = commands_of(_left_by_break(version_body))
            if any(isinstance(node, core.Return) for node in walk.all_nodes(commands)):
                return None
            return replace(function, body=replace(body, commands=(new_list, *commands, result)))
        case _:
            return None


def _left_by_break(body: core.Expression) -> core.Expression:
    """Return a body that is one loop with breaks for the commands that leave the function."""
    match body:
        case core.Block(commands=(core.While(commands=commands) as loop,)):
            has_inner_loop = any(isinstance(node, core.Loop) for node in walk.all_nodes(commands))
            if not has_inner_loop:  # which a break would leave in its place
                return replace(body, commands=(walk.rebuilt(loop, _break_for_return),))
    return body


def _break_for_return(node: core.Node) -> core.Node:
    return core.Break(span=node.span) if isinstance(node, core.Return) else node


def replace_results(node: core.Expression, action: Callable[[core.Expression], Commands]) -> Commands:
    """Replace each result of an expression by the commands that `action` returns for it."""
    match node:
        case core.Conditional(arms=((test, value), *arms), otherwise=otherwise):
            rest = replace(node, arms=tuple(arms)) if arms else otherwise
            first = replace_results(value, action)
            second = replace_results(rest, action)
            return [core.If(test, tuple(first), tuple(second), span=test.span)]
        case core.Block(commands=commands, routine=False):
            return _replace_in_commands(commands, action)
        case _:
            return action(node)


def _replace_in_commands(commands: Sequence[core.Command], action: Callable[[core.Expression], Commands]) -> Commands:
    """Replace each result of commands in the same way. Raises Unsuitable if a command may give one before the last."""
    out: Commands = []
    for at, command in enumerate(commands):
        match command:
            case core.Result(value=value):
                direct = _substituted(out[-1], value) if out else None
                if direct is not None:
                    return [*out[:-1], *replace_results(direct, action)]
                return [*out, *replace_results(value, action)]
            case core.If(commands=body, otherwise=otherwise) if may_give_result([command]):
                if not gives_result(body) or (otherwise and not gives_result(otherwise)):
                    raise Unsuitable
                rest = otherwise or commands[at + 1 :]
                first = _replace_in_commands(body, action)
                second = _replace_in_commands(rest, action)
                return [*out, replace(command, commands=tuple(first), otherwise=tuple(second))]
            case _ if may_give_result([command]):
                raise Unsuitable
            case _:
                out.append(command)
    raise Unsuitable


def leaves(node: core.Node) -> Iterator[core.Expression]:
    """Yield the expressions one of which gives the value of an expression."""
    match node:
        case core.Conditional(arms=arms, otherwise=otherwise):
            for _, value in arms:
                yield from leaves(value)
            yield from leaves(otherwise)
        case core.Block(commands=commands):
            for command in walk.all_commands(commands):
                if isinstance(command, core.Result):
                    yield from leaves(command.value)
        case _:
            yield node  # type: ignore[misc]


def _joined(result: core.Expression) -> Iterator[core.Expression]:
    """Yield the lists of which a result is joined."""
    match result:
        case core.Apply(function=core.Host(name="Join"), arguments=arguments):
            for argument in arguments:
                for part in leaves(argument):
                    yield from _joined(part)
        case _:
            yield result


def _substituted(command: core.Command, value: core.Expression) -> core.Expression | None:
    """Return `Join(a, …)` for `let l = a; Join(l, …)`, if l occurs nowhere else."""
    match command, value:
        case core.Let(target=core.Local() as name, value=meant), core.Apply(
            function=core.Host(name="Join"), arguments=(first, second)
        ) if first == name and name not in walk.nodes(second):
            return replace(value, arguments=(meant, second))
        case _:
            return None


def _applies(node: core.Expression, function: core.Function) -> TypeGuard[core.Apply]:
    """Tell whether an expression applies a function to as many arguments as it has parameters."""
    return (
        isinstance(node, core.Apply)
        and node.function == function.name
        and len(node.arguments) == len(function.parameters)
    )


def _is_suitable(function: core.Function) -> bool:
    """Tell whether a function has no others inside it and no routine, and does not assign to its parameters, which the
    loop assigns to.
    """
    if not is_plain(function) or not {*walk.changed(function)}.isdisjoint(function.parameters):
        return False
    return not any(map(_is_function_or_routine, walk.nodes(function)))


def _is_function_or_routine(part: core.Node) -> bool:
    is_routine = isinstance(part, core.Block) and part.routine
    return is_routine or isinstance(part, core.Lambda | core.LetFunction)


def _rounds(commands: Sequence[core.Command], function: core.Function) -> set[bool]:
    """Tell, for each path through commands, whether another round of the loop follows."""
    match commands:
        case (*_, core.If(commands=body, otherwise=otherwise)):
            return _rounds(body, function) | _rounds(otherwise, function)
        case (*_, core.Assign(places=(place, *_))):
            return {place in function.parameters}
        case _:
            return {False}


def _returning(commands: Sequence[core.Command], function: core.Function) -> Commands:
    """Leave the function after commands that are not followed by another round."""
    match commands:
        case (*before, core.If(commands=body, otherwise=otherwise) as last):
            first = _returning(body, function)
            second = _returning(otherwise, function)
            return [*before, replace(last, commands=tuple(first), otherwise=tuple(second))]
        case _ if gives_result(commands) or True in _rounds(commands, function):
            return [*commands]
        case _:
            return [*commands, core.Return(span=function.span)]
