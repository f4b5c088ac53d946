"""Functions that apply themselves, as loops.

    F(x) = T(x) → a, F(G(x))             until T(x) do x := G(x), and a
    F(x) = T(x) → NIL, Join(b, F(G(x)))  the same, with a list at whose end the new members are put

For lists there is a second version of the function, which puts its members into a list of its caller.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cpl.fast.simplify import folded
from cpl.fast.trees import Fresh, is_plain, name_for_copy, without_unreachable
from cpl.semantics import core, numbers, walk
from cpl.semantics.control_flow import gives_result, may_give_result
from cpl.semantics.reach import reachable
from cpl.types.facts import Facts

Commands = list[core.Command]


class Unsuitable(Exception):
    """A function that does not become a loop."""


def loops(program: core.Program, facts: Facts) -> core.Program:
    """The program with loops in place of recursion."""
    return _Loops(program, facts).program()


@dataclass
class _Loops:
    given: core.Program
    facts: Facts
    into: dict[core.Global, core.Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.functions = {
            one.name: one for one in self.given.definitions if isinstance(one, core.Function) and _is_suitable(one)
        }
        self.builders = {name for name, one in self.functions.items() if self.builds(one)}
        self.listing = self.lists()
        self.taken = {name.name for one in self.given.definitions for name in walk.names(one)}

    def program(self) -> core.Program:
        """Each function that puts its members into a list comes before the one that it is made of."""
        ordered: list[core.Definition] = []
        for definition in [self.definition(definition) for definition in self.given.definitions]:
            if isinstance(definition, core.Function) and definition.name in self.into:
                ordered.append(self.into[definition.name])
            ordered.append(definition)
        return without_unreachable(replace(self.given, definitions=tuple(ordered)))

    def definition(self, definition: core.Definition) -> core.Definition:
        """A definition, as a loop if it is one."""
        if not isinstance(definition, core.Function) or definition.name not in self.functions:
            return definition
        try:
            if definition.name in self.builders:
                return self.built(definition)
            if any(_applies(value, definition) for value in leaves(definition.body)):
                return self.repeated(definition)
        except Unsuitable:
            pass
        return definition

    # What functions do

    def builds(self, function: core.Function) -> bool:
        """Whether a function makes a list by joining something and what it makes of other arguments."""
        ways = [] if function.result in numbers.TYPES else [*leaves(function.body)]
        return any(_is_join(way) and _applies(way.arguments[1], function) for way in ways) and all(  # type: ignore[union-attr]
            self.sort(way) == "list" or _applies(way, function) for way in ways
        )

    def lists(self) -> set[core.Global]:
        """The functions that end by one that builds a list."""

        def last_applied(name: core.Global) -> Iterator[core.Global]:
            for value in leaves(self.functions[name].body):
                for part in _joined(value):
                    if isinstance(part, core.Apply) and part.function in self.functions:
                        yield part.function  # type: ignore[misc]

        def builds(name: core.Global) -> bool:
            return any(reached in self.builders for reached in reachable([name], last_applied))

        return {*filter(builds, self.functions)}

    def sort(self, node: core.Expression) -> str:
        """`list` if the value is one for certain, `member` if it is none."""
        if isinstance(node, core.List):
            return "list"
        heads = {"tuple"} if isinstance(node, core.Tuple) else self.facts.heads(node)
        if heads <= {"list", "nil"}:
            return "list" if heads else ""
        return "member" if heads.isdisjoint(("list", "nil", "element", "general")) else ""

    # Loops

    def repeated(self, function: core.Function) -> core.Function:
        """A function some of whose results are applications of itself."""

        def result(value: core.Expression) -> Commands:
            return self.again(function, value) if _applies(value, function) else [core.Result(value, span=value.span)]

        body = self.loop(ways(function.body, result), function)
        return replace(function, body=core.Block(tuple(body), span=function.body.span))

    def again(self, function: core.Function, applied: core.Expression) -> Commands:
        """The parameters get new values, for the next round."""
        assert isinstance(applied, core.Apply)
        pairs = [
            (place, value)
            for place, value in zip(function.parameters, applied.arguments, strict=True)
            if place != value
        ]
        if not pairs or any(_mentions(value, function.name) for _, value in pairs):
            raise Unsuitable
        places, values = zip(*pairs, strict=True)
        return [core.Assign(places, values, span=applied.span)]

    def loop(self, body: Sequence[core.Command], function: core.Function) -> Commands:
        """A loop round what ends by an assignment to the parameters if there is another round."""
        match body:
            case [core.If(test=test, commands=inner, otherwise=otherwise) as first]:
                rounds = _rounds(inner, function), _rounds(otherwise, function)
                if rounds == ({False}, {True}):
                    return [core.While(_opposite(test), otherwise, span=first.span), *inner]
                if rounds == ({True}, {False}):
                    return [core.While(test, inner, span=first.span), *otherwise]
        body = _returning(body, function)
        return [core.While(core.Literal(True, span=function.span), tuple(body), span=function.span)]

    # Lists

    def built(self, function: core.Function) -> core.Function:
        """A function that makes a list, by the version that puts its members into one."""
        other = self.putting(function)
        span = function.body.span
        out = Fresh(function).local("out", span)
        applied = core.Apply(replace(other.name, span=span), (*function.parameters, out), span=span)
        commands = (
            core.Let(out, core.List((), growing=True, span=span), span=span),
            core.Evaluate(applied, span=span),
            core.Result(out, span=span),
        )
        return replace(function, body=core.Block(commands, span=span))

    def putting(self, function: core.Function) -> core.Function:
        """The version of a function that puts the members of its list, or its value, into a list of its caller."""
        if function.name not in self.into:
            out = Fresh(function).local("out", function.span)
            name = name_for_copy(function.name, ("into",), self.taken)
            note = f"Put what {function.name.name.lstrip('_')} gives into a list."
            parameters = (*function.parameters, out)
            self.into[function.name] = replace(function, name=name, parameters=parameters, note=note)
            before = {**self.into}
            try:
                body = ways(function.body, lambda value: self.put(value, out, function))
                if any(
                    isinstance(part, core.Assign) and part.places[0] in function.parameters
                    for each in body
                    for part in walk.nodes(each)
                ):
                    body = self.loop(body, function)
            except Unsuitable:
                self.into = {each: made for each, made in before.items() if each != function.name}
                raise
            block = core.Block(tuple(body), routine=True, span=function.body.span)
            self.into[function.name] = replace(self.into[function.name], body=block)
        return self.into[function.name]

    def put(self, value: core.Expression, out: core.Local, function: core.Function | None) -> Commands:
        """Commands that put a value, or its members if it is a list, into a list. The value of the `function` itself is
        put there in the next round.
        """
        span = value.span
        match value:
            case core.List(items=items):
                return [core.Append(out, item, span=item.span) for item in items]
            case core.Apply(function=core.Host(name="Join"), arguments=(first, second)):
                if _mentions(first, out):
                    raise Unsuitable
                return [*ways(first, lambda each: self.put(each, out, None)), *self.put(second, out, function)]
            case core.Apply() if function and _applies(value, function):
                return self.again(function, value)
            case core.Apply(function=core.Global() as name, arguments=arguments) if name in self.listing:
                other = self.putting(self.functions[name])
                return [
                    core.Evaluate(core.Apply(replace(other.name, span=span), (*arguments, out), span=span), span=span)
                ]
        match self.sort(value):
            case "list":
                return [core.Append(out, value, each=True, span=span)]
            case "member":
                return [core.Append(out, value, span=span)]
            case _:
                joined = core.Apply(core.Host("Join", span=span), (value, core.List((), span=span)), span=span)
                return [core.Append(out, joined, each=True, span=span)]


def ways(node: core.Expression, result: Callable[[core.Expression], Commands]) -> Commands:
    """Commands that do with each result of an expression what is given."""
    match node:
        case core.Conditional(arms=((test, value), *others), otherwise=otherwise):
            rest = replace(node, arms=tuple(others)) if others else otherwise
            inner, others_ = tuple(ways(value, result)), tuple(ways(rest, result))
            return [core.If(test, inner, others_, span=test.span)]
        case core.Block(commands=commands, routine=False):
            return _command_ways(commands, result)
        case _:
            return result(node)


def _command_ways(commands: Sequence[core.Command], result: Callable[[core.Expression], Commands]) -> Commands:
    """The same, of commands."""
    out: Commands = []
    for at, command in enumerate(commands):
        match command:
            case core.Result(value=value):
                if out and (direct := _put_in(out[-1], value)):
                    return [*out[:-1], *ways(direct, result)]
                return [*out, *ways(value, result)]
            case core.If(commands=inner, otherwise=otherwise) if may_give_result([command]):
                if not gives_result(inner) or (otherwise and not gives_result(otherwise)):
                    raise Unsuitable
                rest = otherwise or commands[at + 1 :]
                first, second = _command_ways(inner, result), _command_ways(rest, result)
                return [*out, replace(command, commands=tuple(first), otherwise=tuple(second))]
            case _ if may_give_result([command]):
                raise Unsuitable
            case _:
                out.append(command)
    raise Unsuitable


def leaves(node: core.Node) -> Iterator[core.Expression]:
    """The expressions that give the value of an expression, whatever way it goes."""
    match node:
        case core.Conditional(arms=arms, otherwise=otherwise):
            for _, value in arms:
                yield from leaves(value)
            yield from leaves(otherwise)
        case core.Block(commands=commands, routine=False):
            for command in commands:
                for part in walk.walk_commands(command):
                    if isinstance(part, core.Result):
                        yield from leaves(part.value)
        case core.Block():
            pass
        case _:
            yield node  # type: ignore[misc]


def _joined(way: core.Expression) -> Iterator[core.Expression]:
    """The lists that a result is joined of."""
    match way:
        case core.Apply(function=core.Host(name="Join"), arguments=arguments):
            for each in arguments:
                for part in leaves(each):
                    yield from _joined(part)
        case _:
            yield way


def _put_in(command: core.Command, value: core.Expression) -> core.Expression | None:
    """`Join(a, …)` for `let l = a; Join(l, …)`, if l is nowhere else."""
    match command, value:
        case core.Let(target=core.Local() as name, value=meant), core.Apply(
            function=core.Host(name="Join"), arguments=(first, second)
        ) if first == name and not _mentions(second, name):
            return replace(value, arguments=(meant, second))
        case _:
            return None


def _applies(node: core.Expression, function: core.Function) -> bool:
    return (
        isinstance(node, core.Apply)
        and node.function == function.name
        and len(node.arguments) == len(function.parameters)
    )


def _is_join(node: core.Expression) -> bool:
    return isinstance(node, core.Apply) and node.function == core.Host("Join", span=node.span)


def _mentions(node: core.Node, name: core.Local | core.Global) -> bool:
    return any(part == name for part in walk.nodes(node))


def _is_suitable(function: core.Function) -> bool:
    """Whether a function holds no others, and leaves it to the next round to change its parameters."""
    parts = [*walk.nodes(function)]
    return (
        is_plain(function)
        and not any(isinstance(part, core.Lambda | core.LetFunction) for part in parts)
        and not any(isinstance(part, core.Block) and part.routine for part in parts)
        and {*walk.changed(function)}.isdisjoint(function.parameters)
    )


def _rounds(commands: Sequence[core.Command], function: core.Function) -> set[bool]:
    """Whether there is another round of a loop after these commands, for each way through them."""
    match commands:
        case (*_, core.If(commands=inner, otherwise=otherwise)):
            return _rounds(inner, function) | _rounds(otherwise, function)
        case (*_, core.Assign(places=(place, *_))):
            return {place in function.parameters}
        case _:
            return {False}


def _returning(commands: Sequence[core.Command], function: core.Function) -> Commands:
    """Commands that leave the function where there is no other round."""
    match commands:
        case (*before, core.If(commands=inner, otherwise=otherwise) as last):
            first, second = _returning(inner, function), _returning(otherwise, function)
            return [*before, replace(last, commands=tuple(first), otherwise=tuple(second))]
        case _ if gives_result(commands) or True in _rounds(commands, function):
            return [*commands]
        case _:
            return [*commands, core.Return(span=function.span)]


def _opposite(test: core.Expression) -> core.Expression:
    match test:
        case core.Unary(operator="NOT", operand=operand):
            return operand
        case _:
            return folded(core.Unary("NOT", test, span=test.span))
