"""Loops in place of recursion: tail calls, and lists that a function builds with an accumulator.

    Last(L) = Null(Tail(L)) → Head(L), Last(Tail(L))

becomes, as commands,

    until Null(Tail(L)) do L := Tail(L);  result is Head(L)

and a function that joins something to its own result

    Squares(k) = k = 0 → NIL, Join([k × k], Squares(k - 1))

is split: `_Squares_into(k, out)` is the loop, which appends to a list of its caller, and `Squares` calls it with a new
list. So a function that ends by calling `Squares` (`Join(x, Squares(k))`) need not copy its members.

Why: Python makes a frame for each call and copies a list for each `Join`; a loop does neither, and does not run out of
stack.

How: `leaves` finds the expressions that give a function's result. If some apply the function itself, these become an
assignment to its parameters and another round (`tail_calls`). If some join a list to such an application, `accumulated`
makes the second version; each leaf appends what it is known to be, a list or a member.

Limits: a function with functions inside it, routines, jumps, references, or assignments to its own parameters is left
alone (`_is_suitable`); so is one that applies itself within the arguments of a tail call.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from cpl.compiler.optimise.simplify import folded
from cpl.compiler.optimise.trees import (
    commands_of,
    converted_argument,
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
        self.taken = {name.name for definition in self.program.definitions for name in walk.names(definition)}

    def run(self) -> core.Program:
        """Rewrite every definition; a version with an accumulator comes before the function that it is made of."""
        definitions = [self.definition(definition) for definition in self.program.definitions]
        versions = [*self.versions.values()]
        uses = Counter(
            node
            for definition in (*definitions, *versions)
            for node in walk.nodes(definition)
            if isinstance(node, core.Global)
        )
        ordered: list[core.Definition] = []
        for definition in definitions:
            own = self.versions.get(definition.name) if isinstance(definition, core.Function) else None
            if own and uses[own.name] == 1 and (whole := _with_version(definition, own)):
                ordered.append(whole)
            else:
                ordered += [*filter(None, map(self.versions.get, walk.names(definition))), definition]
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
        """Return the same function, which converts each of its results by itself, but for those of its own."""
        if not isinstance(function.body, core.Convert):
            return function
        return replace(function, body=at_results(function.body, self.sure.converted))

    # What functions do

    def builds(self, function: core.Function) -> bool:
        """Tell whether a function builds a list by joining something to what it builds for other arguments.

        If members of lists may be assigned, its other results must be new lists: a copy would be another list.
        """
        results = [*leaves(function.body)]
        joined = [
            result.arguments[1]
            for result in results
            if isinstance(result, core.Apply) and result.function == core.Host("Join", span=result.span)
        ]
        ends = [result for result in results if not _applies(result, function)]
        new = [end for end in ends if isinstance(end, core.List)]
        if self.sure.assigned_lists and len(new) + len(joined) < len(ends):
            return False
        return any(_applies(value, function) for value in joined) and all(self.kind(end) == "list" for end in ends)

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
        """Return `list` if the value is one for certain, `member` if it is none, else an empty string."""
        if isinstance(node, core.List):
            return "list"
        heads = {"tuple"} if isinstance(node, core.Tuple) else self.sure.heads(node)
        if heads <= {"list", "nil"}:
            return "list" if heads else ""
        return "member" if heads.isdisjoint(("list", "nil", "element", "general")) else ""

    # Loops

    def tail_calls(self, function: core.Function) -> core.Function:
        """Turn the tail calls of a function into rounds of a loop."""

        def result(value: core.Expression) -> Commands:
            return self.again(function, value) if _applies(value, function) else [core.Result(value, span=value.span)]

        body = self.loop(replace_results(function.body, result), function)
        return replace(function, body=core.Block(tuple(body), span=function.body.span))

    def again(self, function: core.Function, applied: core.Expression) -> Commands:
        """Assign new values to the parameters, for the next round."""
        assert isinstance(applied, core.Apply)
        pairs = [
            (place, converted_argument(place, value, self.sure))
            for place, value in zip(function.parameters, applied.arguments, strict=True)
            if place != value
        ]
        if not pairs or any(function.name in walk.nodes(value) for _, value in pairs):
            raise Unsuitable
        return [core.Assign(*zip(*pairs, strict=True), span=applied.span)]

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
        commands = _returning(commands, function)
        return [core.While(core.Literal(True, span=function.span), tuple(commands), span=function.span)]

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
        """Return the version of a function that appends its members, or its value, to a list of its caller."""
        if function.name not in self.versions:
            before = {**self.versions}
            out = Fresh(function).local("out", function.span)
            name = name_for_copy(function.name, ("into",), self.taken)
            note = f"Put what {function.name.name.lstrip('_')} gives into a list."
            parameters = (*function.parameters, out)
            self.versions[function.name] = replace(function, name=name, parameters=parameters, note=note)
            try:
                body = replace_results(function.body, lambda value: self.append(value, out, function))
                if any(
                    isinstance(part, core.Assign) and part.places[0] in function.parameters
                    for command in body
                    for part in walk.nodes(command)
                ):
                    body = self.loop(body, function)
            except Unsuitable:
                self.versions = before
                raise
            block = core.Block(tuple(body), routine=True, span=function.body.span)
            self.versions[function.name] = replace(self.versions[function.name], body=block)
        return self.versions[function.name]

    def append(self, value: core.Expression, out: core.Local, function: core.Function | None) -> Commands:
        """Return commands that append a value, or its members if it is a list, to a list. A tail call of the `function`
        itself becomes the next round.
        """
        span = value.span
        match value:
            case core.List(items=items):
                return [core.Append(out, item, span=item.span) for item in items]
            case core.Apply(function=core.Host(name="Join"), arguments=(first, second)):
                return [
                    *replace_results(first, lambda part: self.append(part, out, None)),
                    *self.append(second, out, function),
                ]
            case core.Apply() if function and _applies(value, function):
                return self.again(function, value)
            case core.Apply(function=core.Global() as name, arguments=arguments) if name in self.ending_in_lists:
                other = self.accumulating(self.functions[name])
                return [
                    core.Evaluate(core.Apply(replace(other.name, span=span), (*arguments, out), span=span), span=span)
                ]
        match self.kind(value):
            case "list":
                return [core.Append(out, value, each=True, span=span)]
            case "member":
                return [core.Append(out, value, span=span)]
            case _:
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
            commands = commands_of(_left_by_break(renamed(version.body, {version.parameters[-1]: out})))
            if any(isinstance(node, core.Return) for command in commands for node in walk.nodes(command)):
                return None
            return replace(function, body=replace(body, commands=(new_list, *commands, result)))
        case _:
            return None


def _left_by_break(body: core.Expression) -> core.Expression:
    """Return a body that is one loop with breaks for the commands that leave the function."""
    match body:
        case core.Block(commands=(core.While(commands=commands) as loop,)) if not any(
            isinstance(node, core.Loop) for command in commands for node in walk.nodes(command)
        ):

            def left(node: core.Node) -> core.Node:
                return core.Break(span=node.span) if isinstance(node, core.Return) else node

            return replace(body, commands=(walk.rebuilt(loop, left),))
        case _:
            return body


def replace_results(node: core.Expression, action: Callable[[core.Expression], Commands]) -> Commands:
    """Replace each result of an expression by the commands that `action` returns for it."""
    match node:
        case core.Conditional(arms=((test, value), *arms), otherwise=otherwise):
            rest = replace(node, arms=tuple(arms)) if arms else otherwise
            first, second = tuple(replace_results(value, action)), tuple(replace_results(rest, action))
            return [core.If(test, first, second, span=test.span)]
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
                if out and (direct := _substituted(out[-1], value)):
                    return [*out[:-1], *replace_results(direct, action)]
                return [*out, *replace_results(value, action)]
            case core.If(commands=body, otherwise=otherwise) if may_give_result([command]):
                if not gives_result(body) or (otherwise and not gives_result(otherwise)):
                    raise Unsuitable
                rest = otherwise or commands[at + 1 :]
                first, second = _replace_in_commands(body, action), _replace_in_commands(rest, action)
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
            for command in commands:
                for part in walk.walk_commands(command):
                    if isinstance(part, core.Result):
                        yield from leaves(part.value)
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


def _applies(node: core.Expression, function: core.Function) -> bool:
    return (
        isinstance(node, core.Apply)
        and node.function == function.name
        and len(node.arguments) == len(function.parameters)
    )


def _is_suitable(function: core.Function) -> bool:
    """Tell whether a function holds no others, and leaves it to the next round to change its parameters."""
    parts = [*walk.nodes(function)]
    return (
        is_plain(function)
        and not any(isinstance(part, core.Lambda | core.LetFunction) for part in parts)
        and not any(isinstance(part, core.Block) and part.routine for part in parts)
        and {*walk.changed(function)}.isdisjoint(function.parameters)
    )


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
            first, second = _returning(body, function), _returning(otherwise, function)
            return [*before, replace(last, commands=tuple(first), otherwise=tuple(second))]
        case _ if gives_result(commands) or True in _rounds(commands, function):
            return [*commands]
        case _:
            return [*commands, core.Return(span=function.span)]
