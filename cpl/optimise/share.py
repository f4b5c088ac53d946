"""One variable in place of several that are never needed at the same time.

What the other passes write out has its variables as often: here those of the same name and type that follow each other
become one again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from cpl.optimise.simplify import is_removable
from cpl.optimise.trees import changing, commands_of, each_function, renamed
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import Type

_Free = dict[tuple[str, Type | None], list[core.Local]]
"""Variables that are needed no more, by name and type."""


def share(program: core.Program, facts: Facts) -> core.Program:
    """The program with fewer variables."""
    return each_function(program, lambda one: _Sharing(one, facts).definition())


class _Sharing:
    def __init__(self, function: core.Function, facts: Facts) -> None:
        self.function = function
        self.facts = facts
        self.changing = changing(function.body)
        self.uses = _mentions(function.body)  # as long as a variable is there, its uses stay
        counts = Counter(walk.defined_in(function.body))
        inner = {
            name
            for part in walk.nodes(function.body)
            if isinstance(part, core.Lambda | core.LetFunction | core.Declare)
            for name in walk.locals_in(part)
        }
        self.alone = {each for each, count in counts.items() if count == 1} - inner
        """Variables that are defined once, and that no function within this one has."""
        self.recurring = Counter(each.name for each in counts)
        """How many variables have each name."""
        self.names: dict[core.Local, core.Local] = {}

    def definition(self) -> core.Function:
        """The definition with its variables renamed."""
        body = walk.rebuilt(self.function.body, lambda node: walk.with_commands(node, self.without_copies))
        self.sequence(commands_of(body), {})
        return replace(self.function, body=renamed(body, self.names))

    def without_copies(self, commands: Sequence[core.Command]) -> list[core.Command]:
        """`let y = e; let x = y` as `let x = e`, and `let y = e` with a tuple that has y after it as a tuple that has
        e, if y is not needed for anything else.
        """
        out: list[core.Command] = []
        for command in commands:
            match command:
                case core.Let(target=core.Local() as name, value=core.Local() as copied) if {
                    name,
                    copied,
                } <= self.alone and self.uses[copied] == 2:
                    places = [at for at, each in enumerate(out) if isinstance(each, core.Let) and each.target == copied]
                    for at in places:
                        out[at] = replace(out[at], target=replace(name, span=copied.span))
                    if places:
                        continue
                case core.Let(value=core.Tuple()) | core.Result(value=core.Tuple()) | core.Append(value=core.Tuple()):
                    command = self.with_members(command, out)
            out.append(command)
        return out

    def with_members(
        self, command: core.Let | core.Result | core.Append, before: list[core.Command]
    ) -> core.Let | core.Result | core.Append:
        """A command with a tuple, and in that the values of the variables which are defined directly before for it."""
        items = [*walk.parts(command.value)]
        while before:
            match before[-1]:
                case core.Let(target=core.Local() as name, value=value) if (
                    name in self.alone
                    and self.uses[name] == 2
                    and name in items
                    and is_removable(value)
                    and self.changing.isdisjoint(walk.locals_in(value))
                ):
                    items[items.index(name)] = value
                    before.pop()
                case _:
                    break
        return replace(command, value=replace(command.value, items=tuple(items)))

    def sequence(self, commands: Sequence[core.Command], free: _Free) -> set[core.Local]:
        """Name the variables that commands define one after the other; those that are free may be taken. The result
        are the names. Here `own` and `known` are variables as the program has them; `taken`, `over` and `used` stand in
        their place.
        """
        free = _copy(free)
        mentions = [_mentions(command) for command in commands]
        total = Counter[core.Local]()
        for mentioned in mentions:
            total.update(mentioned)
        places: dict[core.Local, list[int]] = {}
        for at, mentioned in enumerate(mentions):
            for name in mentioned:
                places.setdefault(name, []).append(at)
        known: set[core.Local] = set()  # the variables of these commands
        used: set[core.Local] = set()
        for at, command in enumerate(commands):
            own = [
                name
                for name in _defined(command)
                if name in self.alone and total[name] == self.uses[name] and places[name][0] == at
            ]
            blocks, branches = [*_blocks(command)], _branches(command)
            inside = _copy(free) if blocks or branches else {}
            taken = {self.take(name, inside) for name in own if isinstance(command, core.Loop)}
            for block in blocks:  # their values are needed after the commands of the next
                names = self.sequence(block, inside)
                for name in names:
                    self.occupy(name, inside)
                taken |= names
            for branch in branches:
                names = self.sequence(branch, inside)
                for name in names:
                    self.release(name, inside)
                taken |= names
            over = {self.names[name] for name in mentions[at] if name in known and places[name][-1] == at}
            for name in over | taken:
                self.release(name, free)
            if isinstance(command, core.Let):
                known.update(own)
                taken |= {self.take(name, free) for name in own}
            used |= taken
        return used

    def take(self, name: core.Local, free: _Free) -> core.Local:
        """Give a variable one that is free in its place, or itself."""
        others = free.get((name.name, self.type(name)))
        self.names[name] = others.pop(0) if others else name
        return self.names[name]

    def release(self, name: core.Local, free: _Free) -> None:
        """Note that a variable is needed no more."""
        others = free.setdefault((name.name, self.type(name)), [])
        if name not in others:
            others.append(name)
            others.sort(key=lambda each: each.number)

    def occupy(self, name: core.Local, free: _Free) -> None:
        """Note that a variable is needed."""
        others = free.get((name.name, self.type(name)), [])
        if name in others:
            others.remove(name)

    def type(self, name: core.Local) -> Type | None:
        """The type of a variable; it is not asked for where no other has this name."""
        return self.facts.type_of(name, self.function) if self.recurring[name.name] > 1 else None


def _copy(free: _Free) -> _Free:
    return {key: [*names] for key, names in free.items()}


def _mentions(node: core.Node) -> Counter[core.Local]:
    return Counter(part for part in walk.nodes(node) if isinstance(part, core.Local))


def _defined(command: core.Command) -> list[core.Local]:
    """The variables that a command defines for the commands after it, or a loop for those in it."""
    match command:
        case core.Let(target=target):
            return [each for each in walk.variables(target) if isinstance(each, core.Local)]
        case core.ForList(variable=variable) | core.ForStep(variable=variable):
            return [variable]
        case _:
            return []


def _branches(command: core.Command) -> list[Sequence[core.Command]]:
    """The lists of commands of a command, of which one is obeyed after the other, or instead of it."""
    match command:
        case core.If() | core.While() | core.ForStep() | core.ForList():
            return [command.commands, command.otherwise]
        case core.Repeat(commands=commands):
            return [commands]
        case _:
            return []


def _blocks(node: core.Node) -> Iterator[Sequence[core.Command]]:
    """The commands of the blocks in the expressions of a command, without those within them and within functions."""
    inner = {id(each) for branch in _branches(node) for each in branch}  # type: ignore[arg-type]
    match node:
        case core.Lambda() | core.LetFunction():
            pass
        case core.Block(commands=commands):
            yield commands
        case _:
            for part in walk.parts(node):
                if id(part) not in inner:
                    yield from _blocks(part)
