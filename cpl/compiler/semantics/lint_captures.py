"""The lint of captured values: a function defined with =, or a λ, does not see that a variable changes later (D17).

Each function that the text defines is a body, and so is the top level: a sequence of events in the order of the text.
Variables change there, by an assignment, as an argument by reference, or by what a function does that is named there;
and functions are used, by their names or by what the functions do that are named. A function that captured the value of
a variable before it changed, and is used after, is reported, once.

    let n = 1
    F[x] = x + n            F captures n = 1
    n := 2                  the change that F does not see
    Write(F[0])             warning: F does not see the new value of n

Where a function with ≡ sees the changes and makes none, the author knows the difference: it is intended.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.semantics.whole_program import is_call
from cpl.compiler.source import Span

Variable = tuple[int, core.Variable]
"""A variable of the top level, with 0, or one of a definition, with its number: definitions number their own."""


@dataclass(frozen=True, eq=False)
class _Event:
    """Something that happens to a variable or with it, and the path to its place."""

    at: int
    name: Variable
    span: Span
    path: walk.Path


@dataclass(eq=False)
class _Body:
    """A function that the text defines, or the top level, and what happens in it.

    A `fixed` one captures values: those of what it reads and is not its `own`. It was `made` at a place of the body
    `outside`. A λ has the name of the variable whose value it is, or of whose value it `is_member`. In `passed` are
    variables that are passed by reference, each with the function and the number of its parameter.
    """

    name: Variable | None = None
    fixed: bool = False
    is_routine: bool = False
    is_lambda: bool = False
    is_member: bool = False
    outside: "_Body | None" = None
    made: _Event | None = None
    own: set[Variable] = field(default_factory=set)
    parameters: list[Variable] = field(default_factory=list)
    assigned: list[_Event] = field(default_factory=list)
    reads: list[_Event] = field(default_factory=list)
    passed: list[tuple[_Event, Variable, int]] = field(default_factory=list)
    past: set[_Event] = field(default_factory=set)

    def loops(self, event: _Event) -> list[core.Node]:
        """The loops of this body round an event, the outermost first."""
        start = len(self.made.path) + 1 if self.made else 0
        return [node for node, part in event.path[start:] if isinstance(node, core.Loop) and part in _REPEATED]


_REPEATED = ("commands", "test")


def lint_captures(definitions: Sequence[core.Definition], past: Sequence[core.Definition] = ()) -> Iterator[Diagnostic]:
    """The findings on definitions that are evaluated in this order, the calls last. Those that are `past` may have
    changed variables, but what they use is not reported again.
    """
    program = _Bodies(sorted(definitions, key=is_call))
    ids = {id(definition) for definition in past}
    program.top.past = {read for read in program.top.reads if id(read.path[0][0]) in ids}
    reported: set[_Body] = set()
    for variable, functions in program.captured():
        for function, finding in _stale(program, variable, functions):
            if function not in reported:
                reported.add(function)
                yield finding


class _Bodies:
    """The bodies of a program, with the functions that they name."""

    def __init__(self, definitions: Sequence[core.Definition]) -> None:
        self.top = _Body()
        self.all = [self.top]
        self.named: defaultdict[Variable, list[_Body]] = defaultdict(list)
        self.starts: dict[int, int] = {}  # of loops, by their identity
        self._at = 0
        for number, definition in enumerate(definitions, start=1):
            self._read(number, definition)
        self.mentions: dict[_Body, dict[_Body, _Event]] = {}
        self.mentioned_by: defaultdict[_Body, list[_Body]] = defaultdict(list)
        for body in self.all:
            first_reads: dict[_Body, _Event] = {}
            for read in reversed(body.reads):
                first_reads.update(dict.fromkeys(self.named[read.name], read))
            self.mentions[body] = first_reads
            for other in first_reads:
                self.mentioned_by[other].append(body)
        self.changes = self._direct_changes()

    def captured(self) -> Iterator[tuple[Variable, dict[_Body, None]]]:
        """The variables that change, each with the functions that capture its value."""
        changing = {event.name for event in chain.from_iterable(self.changes.values())}
        captured: defaultdict[Variable, dict[_Body, None]] = defaultdict(dict)
        for body in self.all:
            if not body.fixed:
                continue
            for read in body.reads:
                is_replaced = read.name == body.name  # `g := λy. g(2y)`: it is the old g that is meant
                if read.name in changing and read.name not in body.own and not is_replaced:
                    captured[read.name][body] = None
        yield from captured.items()

    def _direct_changes(self) -> dict[_Body, list[_Event]]:
        """The changes in each body, without what other functions do. What is passed by reference changes if a parameter
        does.
        """
        passed_as: defaultdict[Variable, list[Variable]] = defaultdict(list)  # a parameter, and what is passed
        parameters: dict[_Event, list[Variable]] = {}
        assigned: set[Variable] = set()
        for body in self.all:
            assigned.update(event.name for event in body.assigned)
            for event, function, index in body.passed:
                applied = [other.parameters for other in self.named[function]]
                parameters[event] = [names[index] for names in applied if index < len(names)]
                for parameter in parameters[event]:
                    passed_as[parameter].append(event.name)

        written = {*reachable(assigned, passed_as.__getitem__)}

        changes: dict[_Body, list[_Event]] = {}
        for body in self.all:
            changed_by_call = [event for event, *_ in body.passed if not written.isdisjoint(parameters[event])]
            changes[body] = body.assigned + changed_by_call
        return changes

    # Reading the tree

    def _read(self, number: int, definition: core.Definition) -> None:
        """Note the bodies of a definition, and what happens in each."""
        made: dict[int, _Body] = {}
        for node, path in walk.paths(definition):
            self._at += 1
            around = (made[id(step)] for step, part in reversed(path) if part == "body" and id(step) in made)
            body = next(around, self.top)
            match node:
                case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                    self.starts[id(node)] = self._at
                case core.Function() if is_call(definition) and node is definition:
                    pass  # it is evaluated at the top level
                case core.Function(name=name) | core.LetFunction(name=name):
                    made[id(node)] = self._function(number, node, name, body, path)
                case core.Lambda(parameters=[_, *_]):
                    holder = _holder(node, path)
                    if holder is None:
                        continue
                    variable, is_member = holder
                    function = self._function(number, node, variable, body, path)
                    function.is_lambda = True
                    function.is_member = is_member
                    made[id(node)] = function
                case core.Local() | core.Global():
                    self._name(number, node, body, path)

    def _function(
        self,
        number: int,
        node: core.Function | core.LetFunction | core.Lambda,
        name: core.Variable,
        outside: _Body,
        path: walk.Path,
    ) -> _Body:
        """Note a function that is made."""
        variable = _variable(number, name)
        body = _Body(variable, fixed=not node.by_place, outside=outside)
        body.is_routine = isinstance(node.body, core.Block) and node.body.routine
        body.made = _Event(self._at, variable, name.span, path)
        body.parameters = [_variable(number, parameter) for parameter in node.parameters]
        body.own = {*body.parameters, *(_variable(number, local) for local in walk.defined_in(node.body))}
        self.all.append(body)
        self.named[variable].append(body)
        return body

    def _name(self, number: int, node: core.Variable, body: _Body, path: walk.Path) -> None:
        """Note what is done where a name stands."""
        event = _Event(self._at, _variable(number, node), node.span, path)
        around, field_name = path[-1] if path else (None, "")
        whole, part = path[-2] if len(path) > 1 else (None, "")
        match around:
            case core.Assign() | core.Choice() if field_name in ("places", "place", "otherwise"):
                body.assigned.append(event)
            case core.Contents() if isinstance(whole, core.Assign) and part == "places":
                body.assigned.append(event)  # a parameter by reference
            case core.Reference() if isinstance(whole, core.Apply):
                self._pass(number, event, whole, around, body)
            case core.Apply() if field_name == "arguments" and isinstance(node, core.Local) and node.mode:
                self._pass(number, event, around, node, body)
            case _ if field_name not in ("parameters", "target", "name", "variable"):
                body.reads.append(event)

    def _pass(self, number: int, event: _Event, whole: core.Apply, argument: core.Node, body: _Body) -> None:
        """Note that a variable is passed by reference to a function that has a name."""
        if isinstance(whole.function, core.Variable):
            body.passed.append((event, _variable(number, whole.function), _index(argument, whole.arguments)))


def _variable(number: int, name: core.Variable) -> Variable:
    return (number if isinstance(name, core.Local) else 0, name)


def _holder(node: core.Lambda, path: walk.Path) -> tuple[core.Variable, bool] | None:
    """The variable whose value a λ is, and whether it is only a member of that; None if there is none."""
    inner: core.Node = node
    is_member = False
    for around, _ in reversed(path):
        holder: core.Node | None = None
        match around:
            case core.Conditional() | core.Convert():
                pass
            case core.List() | core.Tuple():
                several = _several(path, around)
                if several:
                    holder = several.items[_index(inner, around.items)]
                else:
                    is_member = True
            case core.Let(target=target) | core.Constants(target=target):
                holder = target
            case core.Assign(places=places, values=values) if len(places) == len(values):
                holder = places[_index(inner, values)]
            case _:
                return None
        if holder is not None:
            return (holder, is_member) if isinstance(holder, core.Variable) else None
        inner = around
    return None


def _index(part: core.Node, parts: Sequence[core.Node]) -> int:
    """The index of this very node: another one may be equal to it."""
    return next(at for at, other in enumerate(parts) if other is part)


def _several(path: walk.Path, whole: core.Node) -> core.Several | None:
    """The names of several definitions, if this is the list of their values."""
    for node, _ in path:
        match node:
            case (
                core.Let(target=core.Several(items=names) as target, value=value)
                | core.Constants(target=core.Several(items=names) as target, value=value)
            ) if value is whole and isinstance(whole, core.Tuple) and len(names) == len(whole.items):
                return target
    return None


# Findings


def _stale(program: _Bodies, variable: Variable, functions: dict[_Body, None]) -> Iterator[tuple[_Body, Diagnostic]]:
    """The functions that captured a variable before a change and are used after it."""
    changing_directly: list[_Body] = []
    for body in program.all:
        if any(event.name == variable for event in program.changes[body]):
            changing_directly.append(body)
    changing = {*reachable(changing_directly, program.mentioned_by.__getitem__)}
    if any(_sees(body, variable) for body in program.all if body not in changing):
        return

    users = _users(program, functions)
    for body in program.all:
        direct = [event for event in program.changes[body] if event.name == variable]
        calls = [read for read in body.reads if not changing.isdisjoint(program.named[read.name])]
        changes = sorted([*direct, *calls], key=_place)
        if not changes:
            continue
        for use in body.reads:
            if use in body.past:
                continue
            used = [users[other] for other in program.named[use.name] if other in users]
            if use.name == variable and body in functions:
                used.append((body, None))
            for function, mention in used:
                missed = _missed(program, changes, use, function, body)
                if missed:
                    yield function, _finding(function, variable, missed, use, mention, is_call=missed in calls)


def _users(program: _Bodies, functions: dict[_Body, None]) -> dict[_Body, tuple[_Body, _Event | None]]:
    """The functions that use one of these, perhaps through others: each with that one, and with the place where it is
    mentioned. One of these itself is among them, without such a place.
    """
    users: dict[_Body, tuple[_Body, _Event | None]] = {function: (function, None) for function in functions}
    for user in reachable([*functions], program.mentioned_by.__getitem__):
        for other, read in program.mentions[user].items():
            if other in users and user not in users:
                function, mention = users[other]
                users[user] = (function, mention or read)
    return users


def _sees(body: _Body, variable: Variable) -> bool:
    """Whether this is a function with ≡, no routine, that reads a variable of others."""
    is_by_place = body.made is not None and not (body.fixed or body.is_routine)
    return is_by_place and variable not in body.own and any(read.name == variable for read in body.reads)


def _missed(program: _Bodies, changes: Sequence[_Event], use: _Event, function: _Body, body: _Body) -> _Event | None:
    """The last change before a use, of those that a function does not see; or one after it in a loop round both."""
    made = _made_in(body, function)
    start = bisect(changes, made.at if made else 0, key=_place)
    index = bisect(changes, use.at, key=_place)
    before = reversed(changes[start:index])
    after = changes[index:] if body.loops(use) else ()
    return next((change for change in (*before, *after) if _is_missed(program, change, use, function, body)), None)


def _made_in(body: _Body, function: _Body) -> _Event | None:
    """Where a function is made, if a body makes it."""
    return function.made if function is not body and function.outside is body else None


def _place(event: _Event) -> int:
    return event.at


def _is_missed(program: _Bodies, change: _Event, use: _Event, function: _Body, body: _Body) -> bool:
    """Whether a function is used in a body after a change there, and was made before."""
    made = _made_in(body, function)
    around = body
    while function is not body and function.outside is not around:
        if around.outside is None:
            return False  # each call of what is used makes it anew
        around = around.outside
    if made and any(node is change.path[-1][0] for node, _ in made.path):
        return False  # `g, h := h, λy. g(y)`: values are those from before the assignment

    changing_loops, using_loops = body.loops(change), body.loops(use)
    if made:
        if change.at < made.at:
            return False
        both = [loop for loop in body.loops(made) if loop in changing_loops]
        if any(loop not in using_loops for loop in both):
            return False  # each round of that loop makes it anew
        assigned = [event for event in body.assigned if event.name == function.name]
        others = [event for event in assigned if (event.path[-1][0], "values") not in made.path]
        if any(made.at < event.at <= use.at for event in others):
            return False  # the name has another value by then

    repeated = [loop for loop in changing_loops if loop in using_loops]
    starts = [program.starts[id(loop)] for loop in repeated]
    if made:
        starts = [start for start in starts if start > made.at]
    if starts:
        return use.at >= starts[0] and not _exclude(change.path, use.path)
    return use.at > change.at and not _is_argument(use, change) and not _exclude(change.path, use.path)


def _is_argument(use: _Event, change: _Event) -> bool:
    """Whether this is in an argument of the call that changes the variable, and so comes before it."""
    calls = [node for node, _ in change.path[-2:] if isinstance(node, core.Apply)]
    return bool(calls) and any(node is calls[-1] for node, _ in use.path)


def _exclude(path: walk.Path, other: walk.Path) -> bool:
    """Whether two places are in different branches of one conditional, so that one run reaches only one of them."""
    for (node, branch), (other_node, other_branch) in zip(path, other, strict=False):
        if isinstance(node, core.If) and node is other_node and branch != other_branch:
            return True
    return False


_INSTEAD_OF_LAMBDA: Final = "a λ captures values; a function defined with ≡ captures the variables themselves"


def _finding(
    function: _Body, variable: Variable, change: _Event, use: _Event, mention: _Event | None, *, is_call: bool
) -> Diagnostic:
    assert function.made and function.name
    name = function.name[1].name
    related = [
        (function.made.span, "its value was taken here"),
        (change.span, "this call changes it" if is_call else "it was changed here"),
    ]
    if mention:
        related.append((use.span, "it is used by this call"))
    return report(
        messages.NOT_SEEN,
        (mention or use).span,
        related=related,
        help=_INSTEAD_OF_LAMBDA if function.is_lambda else None,
        function=f"the λ in {name}" if function.is_member else name,
        name=variable[1].name,
    )
