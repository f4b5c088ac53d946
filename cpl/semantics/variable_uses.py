"""Where each variable of a definition is made, assigned and read, for the lints.

Places are numbers that grow in the order in which the text is obeyed.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from cpl.semantics import core, walk
from cpl.source import Span

Branches = dict[int, bool]
"""The conditionals round a place, by identity, and whether it is in their first branch."""

Role = Literal["let", "where", "function", "declared", "parameter", "counted", "part"]
"""What makes a variable: `counted` by a loop, `part` of a list that is taken apart or gone through."""


@dataclass
class Loop:
    """Where a loop starts, and where its test ends if the test comes first."""

    start: int
    tested: int


@dataclass(frozen=True)
class Use:
    """A place where a variable is made, assigned or read, and what is round it; `functions` counts those that capture
    places.
    """

    at: int
    span: Span
    functions: int
    loops: tuple[Loop, ...]
    branches: Branches

    def excludes(self, other: "Use") -> bool:
        """Whether the two are in different branches of one conditional, so that one run obeys only one of them."""
        return any(other.branches.get(each, branch) is not branch for each, branch in self.branches.items())


@dataclass
class Variable:
    """A variable and its uses. Its first value begins at the place `since`."""

    name: core.Local
    role: Role
    since: int
    made: Use
    reads: list[Use]
    values: list[core.Expression] = field(default_factory=list)
    assigned: list[Use] = field(default_factory=list)
    products: list[Span] = field(default_factory=list)  # where it may be applied or multiplied
    captured: Set[core.Local] = frozenset()  # by a function that captures values
    has_reference: bool = False

    @property
    def escapes(self) -> bool:
        """Whether it may be read or changed at other times than the text tells."""
        uses = (*self.reads, *self.assigned)
        return self.has_reference or any(each.functions > self.made.functions for each in uses)

    @property
    def is_written(self) -> bool:
        """Whether its name is in the text: the compiler makes names that nobody can write."""
        return len(self.name.name) == 1 or not (self.name.name.isalpha() and self.name.name.islower())

    def reach(self, place: Use) -> int:
        """The first place where what is assigned here may be read: in a loop, the start of the loop."""
        return next((loop.start for loop in place.loops if loop.start > self.made.at), place.at)

    def is_read_after(self, place: Use) -> bool:
        """Whether what is assigned here may be read."""
        return bool(self.reads) and self.reads[-1].at >= self.reach(place)


class VariableUses:
    """Visits a definition in the order in which it is obeyed, and collects the uses of its variables and labels."""

    def __init__(self, definition: core.Definition) -> None:
        self.variables: dict[core.Local, Variable] = {}
        self.labels: list[core.Local] = []
        self.jumps: set[core.Local] = set()
        self._at = 0
        self._functions = 0
        self._loops: tuple[Loop, ...] = ()
        self._branches: Branches = {}
        self._reads: defaultdict[core.Local, list[Use]] = defaultdict(list)  # also before a function is made
        self._where: set[int] = set()  # definitions that stand after what they are for
        self._unread: set[core.Node] = set()  # what a variable's own definition mentions is not read by that
        self._visit(definition)

    def _visit(self, node: core.Node) -> None:
        self._at += 1
        match node:
            case core.Local():
                if node not in self._unread:
                    self._reads[node].append(self._use(node))
            case core.Function(parameters=parameters, body=body):
                self._make(parameters, "parameter")
                self._visit(body)
            case core.LetFunction(name=name, body=body):
                self._make([name], "function")
                if node.parameters and not node.by_place:
                    self.variables[name].captured = {each for each in walk.nodes(body) if isinstance(each, core.Local)}
                self._unread.add(name)
                self._function(node)
                self._unread.discard(name)
            case core.Lambda():
                self._function(node)
            case core.Block(commands=(*given, core.Result(span=result)) as commands):
                self._where.update(id(each) for each in given if each.span.start > result.start)
                self._visit_all(commands)
            case core.Let(value=value):
                since = self._at
                self._visit(value)
                self._let(node, since)
            case core.Declare(variable=core.Local() as variable):
                self._make([variable], "declared")
            case core.Assign():
                self._assign(node)
            case core.If(test=test, commands=commands, otherwise=otherwise):
                self._visit(test)
                before = self._branches
                for first, branch in ((True, commands), (False, otherwise)):
                    self._branches = {**before, id(node): first}
                    self._visit_all(branch)
                self._branches = before
            case core.While(test=test, commands=commands):
                self._loop(commands, test)
            case core.Repeat(commands=commands, test=test):
                self._loop((*commands, test))
            case core.ForStep(variable=variable, first=first, step=step, last=last, commands=commands):
                self._visit_all((first, step, last))
                self._make([variable], "counted")
                self._loop(commands)
            case core.ForList(variable=variable, members=members, commands=commands):
                self._visit(members)
                self._make([variable], "part")
                self._loop(commands)
            case core.Label(name=name):
                self.labels.append(name)
            case core.GoTo(label=label):
                self.jumps.add(label)
            case _:
                self._note(node)
                for part in walk.parts(node):
                    self._visit(part)

    def _visit_all(self, nodes: Iterable[core.Node]) -> None:
        for node in nodes:
            self._visit(node)

    def _use(self, node: core.Node) -> Use:
        return Use(self._at, node.span, self._functions, self._loops, self._branches)

    def _note(self, node: core.Node) -> None:
        """What an expression does with a variable beside reading it."""
        match node:
            case core.Reference(place=core.Local() as variable) if variable in self.variables:
                self.variables[variable].has_reference = True
            case core.Juxtapose(left=core.Local() as variable) if variable in self.variables:
                self.variables[variable].products.append(node.span)

    def _make(self, names: Iterable[core.Local], role: Role, since: int | None = None) -> None:
        for name in names:
            start = self._at if since is None else since
            self.variables.setdefault(name, Variable(name, role, start, self._use(name), self._reads[name]))

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

    def _assign(self, command: core.Assign) -> None:
        """Visit the values, then the places. A variable is not read by the calculation of its own new value."""
        one_each = len(command.values) == len(command.places)
        for place, value in zip(command.places, command.values, strict=False):
            own = {place} - self._unread if one_each and is_calculated(value) else set()
            self._unread |= own
            self._visit(value)
            self._unread -= own
        values = command.values if one_each else command.values * len(command.places)
        for place, value in zip(command.places, values, strict=True):
            if not isinstance(place, core.Local):
                self._visit(place)
            elif known := self.variables.get(place):
                self._at += 1
                known.assigned.append(self._use(place))
                known.values.append(value)

    def _function(self, function: core.LetFunction | core.Lambda) -> None:
        self._functions += function.by_place
        self._make(function.parameters, "parameter")
        self._visit(function.body)
        self._functions -= function.by_place

    def _loop(self, body: Sequence[core.Node], test: core.Expression | None = None) -> None:
        loop = Loop(self._at, self._at)
        self._loops += (loop,)
        if test is not None:
            self._visit(test)
            loop.tested = self._at
        self._visit_all(body)
        self._loops = self._loops[:-1]


def is_calculated(value: core.Expression) -> bool:
    """Whether operators alone make the value, and no function."""
    atoms = core.Local | core.Global | core.Literal | core.Infinity | core.Nil
    return all(isinstance(part, atoms | core.Unary | core.Binary | core.Compare) for part in walk.nodes(value))
