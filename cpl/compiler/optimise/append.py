"""Appending to a list in place of joining it with one more member.

    let L = NIL
    until Null(x) do L, x := Join(L, [Head(x)]), Tail(x)
    result is L

becomes, in Python,

    L = []
    while not Null(x):
        L.append(Head(x))
        x = Tail(x)
    return L

Why: `Join` copies the list each time; and this is how lists are built in Python.

How: each variable that a block defines as a new list is followed through the commands after it. Up to the last one that
joins something to the list it must not escape: only `Null` may read it. After that it is a list like any other.

Limits: no function may capture the list, and what is joined must be a list for certain. Of several assignments at once
the one to the list is done first: either it is the first already, or its value is pure.

For C there are three more forms, which Python reads better as they are. A list also grows where a block ends with it,

    result is Join(L, [n])

or another variable gets it last, `M := Join(L, [n])`, as nothing else has it afterwards; and where a written-out
function has put it aside:

    let x = L
    let n = …
    L := Join(x, [n])

There what is joined may be what its inferred type says, since C checks each value that comes from outside.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cpl.compiler.optimise.simplify import is_pure
from cpl.compiler.optimise.trees import is_in_order, mentions_in, renamed
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.facts import Sure
from cpl.compiler.types.types import ListOf

Commands = Sequence[core.Command]


def append(program: core.Program, sure: Sure) -> core.Program:
    """The program with lists that grow in place of lists that are copied."""
    return _with_growing_lists(program, sure, for_c=False)


def append_for_c(program: core.Program, sure: Sure) -> core.Program:
    """The same for C, where a list grows in more forms."""
    return _with_growing_lists(program, sure, for_c=True)


def _with_growing_lists(program: core.Program, sure: Sure, *, for_c: bool) -> core.Program:
    definitions: list[core.Definition] = []
    for definition in program.definitions:
        if isinstance(definition, core.Function) and is_in_order(definition):
            definition = _Appending(definition, sure, for_c=for_c).run()
        definitions.append(definition)
    return replace(program, definitions=tuple(definitions))


class _Appending:
    def __init__(self, function: core.Function, sure: Sure, *, for_c: bool) -> None:
        self.function = _without_lists_put_aside(function) if for_c else function
        self.sure = sure
        self.for_c = for_c
        inner = [node for node in walk.nodes(function) if isinstance(node, core.Lambda | core.LetFunction)]
        self.has_inner = bool(inner)
        self.captured: set[core.Local] = set()
        for each in inner:
            self.captured |= walk.locals_in(each) - {*walk.defined_in(each)}
        self.shared = _locals_shared_in(function)

    def run(self) -> core.Function:
        """Return the function with all its lists that can grow."""
        return walk.rebuilt(self.function, lambda node: walk.with_commands(node, self.block))

    def block(self, commands: Commands) -> Commands:
        """Let each list that these commands define grow, if it can."""
        result = [*commands]
        at = 0
        while at < len(result):  # appending may take more commands than assigning, so that the result gets longer
            match result[at]:
                case core.Let(target=core.Local(mode="", declared="") as name, value=core.List() as members) as command:
                    rest = result[at + 1 :]
                    if name not in self.captured and self.can_grow(name, rest):
                        new_list = replace(command, value=replace(members, growing=True))
                        result[at:] = [new_list, *self.with_growth(rest, name)]
            at += 1
        return result

    def can_grow(self, name: core.Local, rest: Commands) -> bool:
        """Tell whether something is joined to a list, and nobody sees the list before the last time."""
        growing = [at for at, command in enumerate(rest) if self.joins(command, name)]
        given_away = self.given_away(name, rest)
        if given_away is not None:
            growing.append(given_away)
        if not growing:
            return False
        end = max(growing) + 1

        # All mentions are accounted for: the definition, the safe ones while the list grows, and any afterwards.
        safe = 1 + self.safe_mentions(name, rest[:end]) + (given_away is not None) + _mentions(name, *rest[end:])
        return _mentions(name, self.function) == safe

    def joins(self, command: core.Command, name: core.Local) -> bool:
        """Tell whether a command joins something to the list, or leaves its block with the list and that."""
        assignments = (node for node in walk.nodes(command) if isinstance(node, core.Assign))
        is_joined = any(self.joined(assignment, name) for assignment in assignments)
        return is_joined or any(self.joined_at_end(part, name) for part in walk.walk_commands(command))

    def given_away(self, name: core.Local, commands: Commands) -> int | None:
        """Return which of these commands gives the list, with something joined to it, to a variable, if no later one
        mentions the list; else None.
        """
        mentioning = [at for at, command in enumerate(commands) if _mentions(name, command)]
        return mentioning[-1] if mentioning and self.joined_for_another(commands[mentioning[-1]], name) else None

    def joined_for_another(self, command: core.Command, name: core.Local) -> core.Expression | None:
        """Return what is joined to the list for another variable; None if this command does something else."""
        match command:
            case (
                core.Let(target=core.Local(mode="") as target, value=value)
                | core.Assign(places=(core.Local(mode="") as target,), values=(value,))
            ) if target != name:
                return self.joined_for_good(value, name)
        return None

    def safe_mentions(self, name: core.Local, commands: Commands) -> int:
        """Count how often commands mention the list in ways that are safe while it grows."""
        safe = sum(1 for command in walk.all_commands(commands) if self.joined_at_end(command, name))
        for node in walk.all_nodes(commands):
            match node:
                case core.Assign() if self.joined(node, name):
                    safe += 2  # the place, and what is joined to
                case core.Apply(function=core.Host(name="Null"), arguments=(core.Local() as tested,)):
                    safe += tested == name
        return safe

    def joined(self, command: core.Assign, name: core.Local) -> core.Expression | None:
        """Return what an assignment joins to the list; None if it does something else with it."""
        if name not in command.places or len(command.places) != len(command.values):
            return None
        at = command.places.index(name)
        match command.values[at]:
            case core.Apply(function=core.Host(name="Join"), arguments=(first, members)) if first == name:
                can_be_first = at == 0 or (self.can_be_earlier(members, command) and not self.has_inner)
                if self.is_list(members) and can_be_first and not _reads_growing(name, command, members):
                    return members
        return None

    def is_list(self, members: core.Expression) -> bool:
        """Tell whether what is joined is a list."""
        if isinstance(members, core.List) or self.sure.heads(members) == {"list"}:
            return True
        return self.for_c and isinstance(self.sure.checked.of(members), ListOf)

    def can_be_earlier(self, members: core.Expression, command: core.Assign) -> bool:
        """Tell whether what is joined may be evaluated before other values of the assignment, which change nothing that
        it reads. In C that may also bring a fault earlier, as the call then begins again in Python.
        """
        read = walk.locals_in(members)
        changed = self.shared.union(*map(walk.changed, command.values))
        if any(variable.mode for variable in read) or not read.isdisjoint(changed):
            return False
        return _only_computes(members) if self.for_c else _is_pure_list(members)

    def joined_at_end(self, command: core.Command, name: core.Local) -> core.Expression | None:
        """Return what is joined to the list where a block ends with it; None if this command does something else."""
        return self.joined_for_good(command.value, name) if isinstance(command, core.Result) else None

    def joined_for_good(self, value: core.Expression, name: core.Local) -> core.Expression | None:
        """Return what this value joins to the list, if the list is not needed afterwards; else None."""
        match value:
            case core.Apply(function=core.Host(name="Join"), arguments=(first, members)) if (
                first == name and self.for_c
            ):
                later = members.items[1:] if isinstance(members, core.List) else (members,)
                if self.is_list(members) and not _mentions(name, *later):
                    return members
        return None

    def with_growth(self, commands: Commands, name: core.Local) -> list[core.Command]:
        """Return the commands after the definition of a list that can grow, with the list growing in them."""
        given_away = self.given_away(name, commands)
        if given_away is None:
            return self.appending_all(commands, name)
        last = commands[given_away]
        assert isinstance(last, core.Let | core.Assign)
        members = self.joined_for_another(last, name)
        assert members
        list_name = replace(name, span=last.span)
        given = replace(last, values=(list_name,)) if isinstance(last, core.Assign) else replace(last, value=list_name)
        appended = _appended(list_name, members)
        return [*self.appending_all(commands[:given_away], name), *appended, given, *commands[given_away + 1 :]]

    def appending_all(self, commands: Commands, name: core.Local) -> list[core.Command]:
        """Return commands with the list growing in them."""
        # A block inside an expression has results of its own, after which the list may still be used.
        own = {id(command) for command in walk.all_commands(commands) if isinstance(command, core.Result)}

        def appending_directly(commands: Commands) -> list[core.Command]:
            result: list[core.Command] = []
            for command in commands:
                is_foreign = isinstance(command, core.Result) and id(command) not in own
                result += [command] if is_foreign else self.appending(command, name)
            return result

        inner = [
            walk.rebuilt(command, lambda node: walk.with_commands(node, appending_directly)) for command in commands
        ]
        return appending_directly(inner)

    def appending(self, command: core.Command, name: core.Local) -> Commands:
        """Return the commands that append, if the command joins something to the list; else the command alone."""
        members = self.joined(command, name) if isinstance(command, core.Assign) else self.joined_at_end(command, name)
        if members is None:
            return [command]

        list_name = replace(name, span=command.span)
        appended = _appended(list_name, members)
        if isinstance(command, core.Result):
            return [*appended, replace(command, value=list_name)]

        assert isinstance(command, core.Assign)
        others = [pair for pair in zip(command.places, command.values, strict=True) if pair[0] != name]
        if others:
            places, values = zip(*others, strict=True)
            appended.append(replace(command, places=places, values=values))
        return appended


def _appended(list_name: core.Local, members: core.Expression) -> list[core.Command]:
    """The commands that append members to a list."""
    if isinstance(members, core.List):
        return [core.Append(list_name, item, span=item.span) for item in members.items]
    return [core.Append(list_name, members, each=True, span=members.span)]


def _without_lists_put_aside(function: core.Function) -> core.Function:
    """The function without the variables that keep a list until something is joined to it: the list is still there."""
    mentions = mentions_in(function)
    kept = _locals_shared_in(function)

    def without(commands: Commands) -> Commands:
        result = [*commands]
        at = 0
        while at < len(result):
            match result[at]:
                case core.Let(
                    target=core.Local(mode="", declared="") as aside, value=core.Local(mode="", declared="") as name
                ) if mentions[aside] == 2 and kept.isdisjoint((aside, name)):
                    join = _join_to(aside, name, result[at + 1 :])
                    if join is not None:
                        result[at + 1 + join] = renamed(result[at + 1 + join], {aside: name})
                        del result[at]
                        continue
            at += 1
        return result

    return walk.rebuilt(function, lambda node: walk.with_commands(node, without))


def _locals_shared_in(function: core.Function) -> set[core.Local]:
    """The variables of a function that may change where no assignment in the commands says so."""
    others = [node for node in walk.nodes(function) if _may_change_outside(node)]
    return {part for part in walk.all_nodes(others) if isinstance(part, core.Local)}


def _may_change_outside(node: core.Node) -> bool:
    """Tell whether what a node mentions may change where no assignment in the commands says so."""
    is_by_place = isinstance(node, core.Apply) and any(node.modes)
    return is_by_place or isinstance(node, core.Lambda | core.LetFunction | core.Reference)


def _join_to(aside: core.Local, name: core.Local, rest: Commands) -> int | None:
    """Return which of the commands joins something to the list `aside` and assigns that to `name`, which is `aside`
    until then; None if there is none.
    """
    for at, command in enumerate(rest):
        match command:
            case core.Assign(
                places=(place,), values=(core.Apply(function=core.Host(name="Join"), arguments=(first, members)),)
            ) if place == name and first == aside and name not in walk.assigned(members):
                return at
        if name in walk.changed(command):
            return None
    return None


def _reads_growing(name: core.Local, command: core.Assign, members: core.Expression) -> bool:
    """Tell whether an assignment reads the list where the first of the new `members` would be in it already."""
    others = [value for place, value in zip(command.places, command.values, strict=True) if place != name]
    later = members.items[1:] if isinstance(members, core.List) else ()
    return _mentions(name, *others, *later) > 0


def _only_computes(members: core.Expression) -> bool:
    """Tell whether an expression applies no function and assigns nothing."""
    return all(isinstance(node, _COMPUTING) for node in walk.nodes(members))


_COMPUTING: Final = (
    core.Literal | core.Variable | core.Unary | core.Binary | core.Compare | core.Conditional | core.Tuple | core.List
)


def _is_pure_list(members: core.Expression) -> bool:
    """Tell whether an expression is a list of values that are pure."""
    return isinstance(members, core.List) and all(map(is_pure, members.items))


def _mentions(name: core.Local, *nodes: core.Node) -> int:
    """Count how often trees mention a variable."""
    return sum(part == name for part in walk.all_nodes(nodes) if isinstance(part, core.Local))
