"""Functions whose definitions jumps skip: they are moved before these jumps, if that can be.

    § go to In                                  § let f[x] = x + 1
      § let f[x] = x + 1           becomes        go to In
        In: result is f(3) § §                    In: result is f(3) §

A section is only a scope, and a jump may lead to its labels from outside, past the definitions at its head. A function
that is defined there is ready (our choice): it is defined before the first jump that may skip it. A variable has no
value yet.

A function that captures a variable which is bound after that jump, or by value one that changes, cannot be made so
early: what it should capture is not there yet. To use it after such a jump is a fault, and a warning says so.
"""

from collections import deque
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, groupby

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.structure import is_quiet


def with_ready_functions(
    definitions: Sequence[core.Definition], diagnostics: list[Diagnostic]
) -> list[core.Definition]:
    """The definitions, in which functions stand before the jumps that may skip them. Warnings about those that cannot
    are added to the diagnostics.
    """
    globals = walk.changed_globals(definitions)
    result: list[core.Definition] = []
    for definition in definitions:
        if any(isinstance(part, core.Label) for part in walk.nodes(definition)):
            changing = {*globals, *walk.changed(definition)}
            definition = _Ready(changing, diagnostics).definition(definition)
        result.append(definition)
    return result


class _Ready:
    """Moves the functions of one definition. Something assigns to the names that are `changing`."""

    def __init__(self, changing: Set[core.Variable], diagnostics: list[Diagnostic]) -> None:
        self._changing = changing
        self._diagnostics = diagnostics

    def definition(self, definition: core.Definition) -> core.Definition:
        """The definition with its functions moved."""
        definition = walk.rebuilt(definition, self._node)
        if isinstance(definition, core.Commands):
            return replace(definition, commands=self._commands(definition.commands))
        return definition

    def _node(self, node: core.Node) -> core.Node:
        # A jump out of a routine may lead to any label of a landing, and it is not among the commands.
        is_landing = isinstance(node, core.Landing)
        return walk.with_commands(node, lambda commands: self._commands(commands, is_landing=is_landing))

    def _commands(self, commands: tuple[core.Command, ...], *, is_landing: bool = False) -> tuple[core.Command, ...]:
        """Commands one after the other."""
        if not any(isinstance(command, core.Label) for command in commands):
            return commands
        return _Sequence(commands, self._changing, self._diagnostics, is_landing=is_landing).result()


class _Sequence:
    """Commands one after the other, with labels among them. Each has its number; what is moved stands before one."""

    def __init__(
        self,
        commands: tuple[core.Command, ...],
        changing: Set[core.Variable],
        diagnostics: list[Diagnostic],
        *,
        is_landing: bool,
    ) -> None:
        self._commands = commands
        self._changing = changing
        self._diagnostics = diagnostics
        self._is_landing = is_landing
        self._labels = {command.name: at for at, command in enumerate(commands) if isinstance(command, core.Label)}
        self._last_label = max(self._labels.values())
        self._bound_here = {*walk.defined_in(*commands)}
        self._last_use: dict[core.Local, int] = {}
        for at, command in enumerate(commands):
            self._last_use |= dict.fromkeys(walk.locals_in(command), at)
        self._result: list[list[core.Command]] = [[] for _ in commands]  # what stands at each place, in the end
        self._defined: dict[core.Variable, int] = {}  # where: a variable that is there, perhaps without a value
        self._made: dict[core.Variable, int] = {}  # where: one that has its value there

    def result(self) -> tuple[core.Command, ...]:
        """The commands, with functions moved."""
        skipping: deque[tuple[int, int]] = deque()  # commands so far, each with the last label to which it may jump
        end: int | None = None  # the command after which nothing is reached but by a jump to a label
        at = 0
        for group in _grouped(self._commands):
            command, after = group[0], at + len(group)
            while skipping and skipping[0][1] < after:
                skipping.popleft()
            if isinstance(command, core.Label):
                end = None

            place = skipping[0][0] if skipping else end  # the first command that may jump over this group
            if place is None or after > self._last_label:
                self._put(at, group)
            elif isinstance(command, core.LetFunction):
                functions = [function for function in group if isinstance(function, core.LetFunction)]
                self._move(functions, at, place, end)
                self._warn(functions, after, place)
            elif end is not None and isinstance(command, core.Let):
                self._insert(end, [_declared(variable) for variable in walk.locals_in(command.target)])
            else:
                self._put(at, group)

            skipping.append((at, self._last_reached(command)))
            if end is None and walk.ends((command,)):
                end = at
            at = after
        return tuple(chain.from_iterable(self._result))

    def _last_reached(self, command: core.Command) -> int:
        """The last label to which a command may jump; −1 if there is none."""
        if self._is_landing and not isinstance(command, core.Label) and not is_quiet(command):
            return self._last_label
        jumps = (part for part in walk.walk_commands(command) if isinstance(part, core.GoTo))
        return max((self._labels.get(jump.label, -1) for jump in jumps), default=-1)

    def _put(self, at: int, commands: Sequence[core.Command]) -> None:
        """Leave commands where they are."""
        self._result[at] += commands
        self._note(commands, at)

    def _insert(self, before: int, commands: Sequence[core.Command]) -> None:
        """Put other commands before the one that stands at a place."""
        self._result[before][-1:-1] = commands  # the command of the place itself is the last one there
        self._note(commands, before - 1)

    def _note(self, commands: Sequence[core.Command], at: int) -> None:
        for command in commands:
            for variable in walk.defined_in(command):
                self._defined.setdefault(variable, at)
                if not isinstance(command, core.Declare):
                    self._made.setdefault(variable, at)

    def _move(self, group: Sequence[core.LetFunction], at: int, place: int, end: int | None) -> None:
        """Put functions that use each other before the command at a `place`, or before the one at the `end`. If they
        cannot be made in either place, leave them where they are; but after an `end` only their names are left, without
        values, since nothing reaches the definitions there.
        """
        names = {function.name for function in group}
        for before in (place, end):
            if before is not None and all(self._can_be_made(function, names, before) for function in group):
                self._insert(before, group)
                return
        if end is None:
            self._put(at, group)
        else:
            self._insert(end, [_declared(function.name) for function in group])

    def _can_be_made(self, function: core.LetFunction, group: Set[core.Local], before: int) -> bool:
        """Whether a function of a group finds all that it captures before a command: places, or values that stay."""
        free = _free(function)
        captured = (free & self._bound_here) - group
        bound_at = self._defined if function.by_place else self._made
        if any(bound_at.get(variable, before) >= before for variable in captured):
            return False
        return function.by_place or free.isdisjoint(self._changing)

    def _warn(self, group: Sequence[core.LetFunction], after: int, place: int) -> None:
        """Warn of functions that are used after a jump that skips them, and are not ready then."""
        for function in group:
            name, span = function.name.name, function.name.span
            is_ready = self._made.get(function.name, place) < place
            if is_ready or self._last_use[function.name] < after:
                continue
            captured = sorted({variable.name for variable in _free(function)})
            self._diagnostics.append(report(messages.PASSED_FUNCTION, span, name=name, captured=", ".join(captured)))


def _grouped(commands: Sequence[core.Command]) -> Iterator[Sequence[core.Command]]:
    """The commands one by one, but each function with those after it that it uses, directly or through them."""
    for is_function, run in groupby(commands, key=lambda command: isinstance(command, core.LetFunction)):
        several = [*run]
        if not is_function:
            yield from ([command] for command in several)
            continue
        numbers = {command.name: at for at, command in enumerate(several) if isinstance(command, core.LetFunction)}
        start = last = 0  # of the group, whose functions so far use none after the last
        for at, command in enumerate(several):
            used = (numbers.get(variable, at) for variable in walk.locals_in(command))
            last = max(at, last, *used)
            if last == at:
                yield several[start : at + 1]
                start = at + 1


def _free(function: core.LetFunction) -> set[core.Variable]:
    """The variables in the body of a function that are bound outside of it."""
    mentioned = {part for part in walk.nodes(function.body) if isinstance(part, core.Variable)}
    return mentioned - {function.name, *function.parameters, *walk.defined_in(function.body)}


def _declared(variable: core.Local) -> core.Declare:
    return core.Declare(variable, span=variable.span)
