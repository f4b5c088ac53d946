"""Functions whose definitions jumps pass: they are ready all the same, if that can be.

    § go to In                                  § let f[x] = x + 1
      § let f[x] = x + 1           becomes        go to In
        In: result is f(3) § §                    In: result is f(3) §

A section is only a scope, and a jump may lead to its labels from outside, past the definitions at its head. A function
that is defined there is ready (our choice): it is defined before the first jump that may pass it. A variable has no
value yet.

A function that captures a variable which is bound after that jump, or by value one that changes, cannot be made so
early: what it should capture is not there yet. To use it after such a jump is a fault, and a warning says so.
"""

from collections.abc import Sequence, Set
from dataclasses import replace

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.structure import is_quiet


def with_ready_functions(
    definitions: Sequence[core.Definition], diagnostics: list[Diagnostic]
) -> list[core.Definition]:
    """The definitions, in which functions stand before the jumps that may pass them. Warnings about those that cannot
    are added to the diagnostics.
    """
    changed = (place for definition in definitions for place in walk.changed(definition))
    globals = {name for name in changed if isinstance(name, core.Global)}
    return [
        _Ready({*globals, *walk.changed(definition)}, diagnostics).definition(definition)
        if any(isinstance(part, core.Label) for part in walk.nodes(definition))
        else definition
        for definition in definitions
    ]


class _Ready:
    """Moves the functions of one definition. Something assigns to the names that are `changing`."""

    def __init__(self, changing: Set[core.Local | core.Global], diagnostics: list[Diagnostic]) -> None:
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
        bound_here = {*walk.defined_in(*commands)}
        result: list[core.Command] = []
        end: core.Command | None = None  # after which nothing is reached but by a jump to a label
        index = 0
        while index < len(commands):
            command = commands[index]
            group = _group(commands, index)
            index += len(group) or 1
            labels = {later.name for later in commands[index:] if isinstance(later, core.Label)}
            passing = _first_passing(result, labels, is_landing=is_landing)
            if isinstance(command, core.Label):
                end = None
            place = passing or end
            if not labels or place is None:
                result += group or (command,)
            elif group:
                self._move(group, place, end, bound_here, result)
                self._warn(group, commands[index:], result, place)
            elif end and isinstance(command, core.Let):
                declared = [_declared(variable) for variable in walk.locals_in(command.target)]
                _insert(result, end, declared)
            else:
                result.append(command)
            if end is None and walk.ends((command,)):
                end = command
        return tuple(result)

    def _move(
        self,
        group: tuple[core.LetFunction, ...],
        place: core.Command,
        end: core.Command | None,
        bound_here: Set[core.Local],
        result: list[core.Command],
    ) -> None:
        """Put functions that use each other before the command at a place, or before the one at the `end`; leave them
        where they are if nothing ends there; else they have no value.
        """
        for command in (place, end):
            if command is None:
                continue
            before = result[: _index(result, command)]
            if all(self._can_be_made(function, group, bound_here, before) for function in group):
                _insert(result, command, group)
                return
        if end is None:
            result += group
        else:
            _insert(result, end, [_declared(function.name) for function in group])

    def _can_be_made(
        self,
        function: core.LetFunction,
        group: Sequence[core.LetFunction],
        bound_here: Set[core.Local],
        before: Sequence[core.Command],
    ) -> bool:
        """Whether a function finds all that it captures after these commands: places, or values that stay."""
        free = _free(function)
        needed = (free & bound_here) - {other.name for other in group}
        if function.by_place:
            return needed <= {*walk.defined_in(*before)}
        with_values = [command for command in before if not isinstance(command, core.Declare)]
        return needed <= {*walk.defined_in(*with_values)} and not free & self._changing

    def _warn(
        self,
        group: tuple[core.LetFunction, ...],
        after: Sequence[core.Command],
        result: Sequence[core.Command],
        place: core.Command,
    ) -> None:
        """Warn of functions that are used after a jump that passes them, and are not ready then."""
        ready = result[: _index(result, place)]
        used = {part for command in after for part in walk.nodes(command) if isinstance(part, core.Local)}
        for function in group:
            is_ready = any(command is function for command in ready)
            if is_ready or function.name not in used:
                continue
            captured = sorted({variable.name for variable in _free(function)})
            span, name = function.name.span, function.name.name
            self._diagnostics.append(report(messages.PASSED_FUNCTION, span, name=name, captured=", ".join(captured)))


def _group(commands: Sequence[core.Command], index: int) -> tuple[core.LetFunction, ...]:
    """The function that is defined at a place, with those after it that it uses, directly or through them."""
    group: list[core.LetFunction] = []
    mentioned: set[core.Local] = set()
    following: list[core.LetFunction] = []
    for command in commands[index:]:
        if not isinstance(command, core.LetFunction):
            break
        following.append(command)
        if not group or command.name in mentioned:
            group = [*following]
        mentioned |= walk.locals_in(command.body)
    return tuple(group)


def _free(function: core.LetFunction) -> set[core.Local | core.Global]:
    """The variables in the body of a function that are bound outside of it."""
    mentioned = {part for part in walk.nodes(function.body) if isinstance(part, core.Local | core.Global)}
    return mentioned - {function.name, *function.parameters, *walk.defined_in(function.body)}


def _first_passing(
    commands: Sequence[core.Command], labels: Set[core.Local], *, is_landing: bool
) -> core.Command | None:
    """The first command that may jump to one of the labels."""
    for command in commands:
        jumps = (part for part in walk.walk_commands(command) if isinstance(part, core.GoTo))
        may_leave = is_landing and bool(labels) and not isinstance(command, core.Label) and not is_quiet(command)
        if may_leave or any(jump.label in labels for jump in jumps):
            return command
    return None


def _declared(variable: core.Local) -> core.Declare:
    return core.Declare(variable, span=variable.span)


def _index(commands: Sequence[core.Command], command: core.Command) -> int:
    """The place of this very command: another one may be equal."""
    return next(at for at, other in enumerate(commands) if other is command)


def _insert(commands: list[core.Command], before: core.Command, new: Sequence[core.Command]) -> None:
    at = _index(commands, before)
    commands[at:at] = new
