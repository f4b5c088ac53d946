"""What becomes of each variable of a definition: where it is made, given values and read, for the lints."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from cpl.semantics import core, walk
from cpl.source import Span

Step = core.Node | Callable[[], None]
"""A node to go through, or something to do when its turn has come."""

Branches = dict[int, bool]
"""Of the conditionals round a place, by their identity, in which part of them it is."""

Role = Literal["let", "where", "function", "declared", "parameter", "counted", "part"]
"""What makes a variable; `counted` by a loop, `part` of a list that is taken apart or gone through."""


@dataclass
class Loop:
    """Where a loop begins, and where its test ends if that comes first. Places are numbers that grow with the text."""

    start: int = 0
    tested: int = 0


@dataclass(frozen=True)
class Read:
    """Where a value is used."""

    at: int
    span: Span
    branches: Branches


@dataclass(frozen=True)
class Given:
    """Where a value is assigned, and from where on it may be read: in a loop, from the beginning."""

    at: int
    span: Span
    read_from: int
    loops: tuple[Loop, ...]
    branches: Branches

    def comes_before(self, read: Read) -> bool:
        """Whether one may be obeyed before the other: they are not in two parts of one conditional."""
        return all(read.branches.get(each, part) is part for each, part in self.branches.items())


@dataclass
class Variable:
    """The history of one variable: made `at`, its first value begun `since`, in `functions` that take places."""

    name: core.Local
    role: Role
    since: int
    at: int
    functions: int
    loops: tuple[Loop, ...]
    values: list[core.Expression] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    multiplied: list[Span] = field(default_factory=list)
    taken: Set[core.Local] = frozenset()
    """Of a function that takes values: the variables that are free in it."""
    escapes: bool = False
    """Whether it may be read or changed at other times than the text tells."""

    @property
    def is_written(self) -> bool:
        """Whether its name stands in the text: what the compiler makes has names that nobody can write."""
        return len(self.name.name) == 1 or not (self.name.name.isalpha() and self.name.name.islower())

    def read_after(self, at: int) -> bool:
        """Whether it is read there or later."""
        return bool(self.reads) and self.reads[-1].at >= at

    def read_from(self, at: int, loops: Iterable[Loop]) -> int:
        """From where on a value may be read that it is given at this place, in these loops."""
        return next((loop.start for loop in loops if loop.start > self.at), at)


class Histories:
    """Collects the histories of the variables of one definition, and what its labels are for."""

    def __init__(self) -> None:
        self.variables: dict[core.Local, Variable] = {}
        self.labels: list[core.Local] = []
        self.jumps: set[core.Local] = set()
        self._at = 0
        self._loops: tuple[Loop, ...] = ()
        self._functions = 0  # that take places
        self._early: dict[core.Local, list[Read]] = {}  # of functions that see each other: before they are made
        self._where: set[int] = set()  # definitions that stand after what they are for
        self._unread: set[core.Local] = set()  # what their own definitions mention is not read by that
        self._branches: Branches = {}

    def go(self, node: core.Node) -> None:
        """Through the node and everything within it, in the order of what is obeyed."""
        waiting: list[Step] = [node]
        while waiting:
            step = waiting.pop()
            if isinstance(step, core.Node):
                waiting += reversed(list(self.enter(step)))
            else:
                step()

    def enter(self, node: core.Node) -> Iterable[Step]:
        """Look at a node; the result is what to go through before the next."""
        self._at += 1
        match node:
            case core.Local():
                self._read(node)
                return ()
            case core.Function(parameters=parameters, body=body):
                self._make(parameters, "parameter")
                return (body,)
            case core.LetFunction(name=name, parameters=parameters, body=body, by_place=by_place):
                self._make([name], "function")
                if parameters and not by_place:
                    self.variables[name].taken = {each for each in walk.nodes(body) if isinstance(each, core.Local)}
                return self._function(parameters, body, int(by_place), name)
            case core.Lambda(parameters=parameters, body=body, by_place=by_place):
                return self._function(parameters, body, int(by_place))
            case core.Constants(value=value):
                return (value,)
            case core.Block(commands=(*given, core.Result(span=result))):
                self._where.update(id(each) for each in given if each.span.start > result.start)
                return node.commands
            case core.Let(value=value):
                return (value, partial(self._let, node, self._at))
            case core.Declare(variable=core.Local() as variable):
                self._make([variable], "declared")
                return ()
            case core.Assign():
                return self._assign(node)
            case core.Reference(place=core.Local() as variable) if variable in self.variables:
                self.variables[variable].escapes = True
                return (variable,)
            case core.Juxtapose(left=core.Local() as variable) if variable in self.variables:
                self.variables[variable].multiplied.append(node.span)
                return walk.parts(node)
            case core.If(test=test, commands=commands, otherwise=otherwise):
                first, second = (partial(self._enter_branch, id(node), part) for part in (True, False))
                return (test, first, *commands, second, *otherwise, partial(self._leave_branch, id(node)))
            case core.While(test=test, commands=commands, otherwise=otherwise):
                return (*self._loop(commands, test), *otherwise)
            case core.Repeat(commands=commands, test=test):
                return self._loop((*commands, test))
            case core.ForStep(variable=variable, first=first, step=step, last=last, commands=commands):
                return (first, step, last, partial(self._make, [variable], "counted"), *self._loop(commands))
            case core.ForList(variable=variable, members=members, commands=commands):
                return (members, partial(self._make, [variable], "part"), *self._loop(commands))
            case core.Label(name=name):
                self.labels.append(name)
                return ()
            case core.GoTo(label=label):
                self.jumps.add(label)
                return ()
            case _:
                return walk.parts(node)

    def _make(self, names: Iterable[core.Local], role: Role, since: int | None = None) -> None:
        for name in names:
            start = self._at if since is None else since
            made = Variable(name, role, start, self._at, self._functions, self._loops)
            made.reads = self._early.pop(name, made.reads)
            self.variables.setdefault(name, made)

    def _let(self, command: core.Let, since: int) -> None:
        """One or several definitions that are obeyed at once, or one value taken apart."""
        pairs: list[tuple[core.Target, core.Expression]] = [(command.target, command.value)]
        match command:
            case core.Let(target=core.Several(items=items, span=span), value=core.Tuple(items=values)) if (
                span == command.span  # else they are the parts of a pattern
            ):
                pairs = list(zip(items, values, strict=True))
        for target, value in pairs:
            if isinstance(target, core.Local):
                self._make([target], "where" if id(command) in self._where else "let", since)
                self.variables[target].values.append(value)
            else:
                self._make((each for each in walk.variables(target) if isinstance(each, core.Local)), "part")

    def _read(self, variable: core.Local) -> None:
        if variable in self._unread:
            return
        read = Read(self._at, variable.span, self._branches)
        if known := self.variables.get(variable):
            known.reads.append(read)
            known.escapes |= self._functions > known.functions
        else:
            self._early.setdefault(variable, []).append(read)

    def _assign(self, command: core.Assign) -> Iterator[Step]:
        """What a variable's own new value is calculated from is not read by that."""
        values = command.values
        if len(values) < len(command.places):
            yield from values
            values *= len(command.places)
        else:
            for place, value in zip(command.places, values, strict=True):
                own = {place} if isinstance(place, core.Local) and is_calculated(value) else set()
                own -= self._unread
                yield partial(self._unread.update, own)
                yield value
                yield partial(self._unread.difference_update, own)
        for place, value in zip(command.places, values, strict=True):
            yield partial(self._give, place, value) if isinstance(place, core.Local) else place

    def _give(self, place: core.Local, value: core.Expression) -> None:
        self._at += 1
        if known := self.variables.get(place):
            start = known.read_from(self._at, self._loops)
            known.given.append(Given(self._at, place.span, start, self._loops, self._branches))
            known.values.append(value)
            known.escapes |= self._functions > known.functions

    def _enter_branch(self, conditional: int, part: bool) -> None:
        self._branches = {**self._branches, conditional: part}

    def _leave_branch(self, conditional: int) -> None:
        self._branches = {each: part for each, part in self._branches.items() if each != conditional}

    def _function(
        self, parameters: Sequence[core.Local], body: core.Expression, places: int, *name: core.Local
    ) -> Iterator[Step]:
        def leave() -> None:
            self._functions -= places
            self._unread.difference_update(name)

        self._functions += places
        self._unread.update(name)
        self._make(parameters, "parameter")
        yield body
        yield leave

    def _loop(self, body: Sequence[core.Node], test: core.Expression | None = None) -> Iterator[Step]:
        loop = Loop()

        def begin() -> None:
            loop.start = loop.tested = self._at
            self._loops += (loop,)

        def tested() -> None:
            loop.tested = self._at

        def leave() -> None:
            self._loops = self._loops[:-1]

        yield begin
        if test is not None:
            yield test
            yield tested
        yield from body
        yield leave


def is_calculated(value: core.Expression) -> bool:
    """Whether the value is made by operators alone: no function."""
    atoms = core.Local | core.Global | core.Literal | core.Infinity | core.Nil
    return all(isinstance(part, atoms | core.Unary | core.Binary | core.Compare) for part in walk.nodes(value))
