"""What labels and jumps are, core to core: the stage between the resolver, which finds the label that each name means,
and `structure`, which makes loops and conditionals of local jumps.

    label K = A                         K = "A"                          a label variable holds the name of a label
    if x > 5 then K := C                if x > 5: K = "C"
    go to K                             if K = "A": GoTo(A) else GoTo(C) an assigned jump: a choice by that name
    A: if x > 9 then go to C            A: if x > 9: GoTo(C)             a local jump
    go to x > 7 → A, C                  if x > 7: GoTo(A) else GoTo(C)
    C: result is x                      C: result is x

    let S = B                                                            a constant: another name for its label
    let R[] be go to S                  Landing(labels, (B,),            a non-local jump, out of a routine: B is a
    R[]                                   R[]: Jump(labels["B"])         label value, and what it belongs to becomes
    B: result is x                        R[]; B: result is x)           a landing, which waits for such jumps

The resolver leaves every jump as a `Jump`, and every label that is jumped to or stored as a `LabelName`. A jump is
local if its label is in the same function or value block. Other jumps leave routines, but never a function or a value
block, so the text shows all labels that a label variable may hold. Labels in arrays are values, too. The variable of a
landing stands for one activation of its commands.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.fresh import Fresh
from cpl.compiler.semantics.labels import out_of_reach
from cpl.compiler.semantics.scope import TopLevel
from cpl.compiler.source import Span
from cpl.limits import MOST_LABELS

Commands = tuple[core.Command, ...]


def with_jumps(definition: core.Definition, top: TopLevel, diagnostics: list[Diagnostic]) -> core.Definition:
    """The definition with each label and each jump in its final form. Errors are added to the diagnostics."""
    parts = walk.nodes(definition)
    if not any(isinstance(part, core.Label | core.Jump) or _defined_label_variable(part) for part in parts):
        return definition

    activations = _Activations(definition, top, diagnostics)
    if isinstance(definition, core.Commands):
        return replace(definition, commands=_Body(definition.commands, activations).result())
    # Any other definition has no commands of its own, only expressions. Each block in these becomes a body.
    return walk.with_parts(definition, _Body((), activations).part)


class _Activations:
    """The labels of one definition that are values, and the variables of the landings that they belong to."""

    def __init__(self, definition: core.Definition, top: TopLevel, diagnostics: list[Diagnostic]) -> None:
        self.top = top
        self.diagnostics = diagnostics
        self.values: set[core.LabelName] = set()
        self.variables: dict[core.LabelName, core.Local] = {}
        self._fresh = Fresh(definition)

    def begin(self, labels: Sequence[core.LabelName]) -> None:
        """Give the labels of one section the variable of its landing, which it has if one of them is a value."""
        variable = self._fresh.local("labels", labels[0].span)
        self.variables |= dict.fromkeys(labels, variable)


class _Body:
    """The commands of a function, a routine or a value block, with what they tell of its labels."""

    def __init__(self, commands: Commands, activations: _Activations, outer: "_Body | None" = None) -> None:
        self._commands = commands
        self._activations = activations
        self._outer = outer
        own = [*walk.all_commands(commands)]
        self._names = numbered([part.name for part in own if isinstance(part, core.Label)])
        """The labels, and the strings that stand for them in label variables."""
        self._variables: set[core.Local] = set()
        """The label variables."""
        self._constants: dict[core.Local, core.LabelName] = {}
        """The label variables that never change: other names for labels."""
        self._held: set[core.LabelName] = set()
        """The labels that the label variables that are no constants may hold."""
        self._reached: tuple[core.LabelName, ...] = ()
        """The labels of the sections around the command that is being changed."""
        self._find_variables(own)

    def _find_variables(self, own: Sequence[core.Command]) -> None:
        """Find the label variables, and what they may hold, among the commands of this body."""
        changing: set[core.Local] = set()
        values: list[core.Expression] = []  # of label variables that are no constants
        for assignment in own:
            if isinstance(assignment, core.Assign):
                for place in assignment.places:
                    changing |= _label_variables(place)
                values += [value for place, value in _pairs(assignment) if _holds_label(place)]

        for definition in own:
            variable = _defined_label_variable(definition)
            if variable is None:
                continue
            self._variables.add(variable)
            if isinstance(definition, core.Let):
                label = self._label(definition.value)
                if label in self._names and variable not in changing:
                    self._constants[variable] = label
                else:
                    values.append(definition.value)

        for leaf in chain.from_iterable(map(_leaves, values)):
            label = self._label(leaf)
            if label:
                self._held.add(label)

    def result(self) -> Commands:
        """The commands, with each jump in its final form."""
        return self._in_section(self._commands)

    def _in_section(self, commands: Commands) -> Commands:
        """The commands of one section, an arm or a loop."""
        own = tuple(command.name for command in commands if isinstance(command, core.Label))
        around = self._reached
        self._reached = (*around, *own)
        if own:
            self._activations.begin(own)
            if len(self._reached) > MOST_LABELS:
                self._complain(report(messages.TOO_LONG, own[-1].span, limit=MOST_LABELS, things="labels"))

        result: list[core.Command] = []
        has_ended = False
        for command in commands:
            if isinstance(command, core.Label):
                has_ended = False
            # The resolver leaves definitions of label variables where no control comes, since a label variable that
            # never changes is a constant even there. As commands they are dropped.
            is_label_variable = isinstance(command, core.Let) and _defined_label_variable(command) is not None
            if not (has_ended and is_label_variable):
                result += self._command(command)
            has_ended = has_ended or walk.ends((command,))

        self._reached = around
        if self._activations.values.isdisjoint(own):
            return tuple(result)
        # A label of this section is a value: jumps to it may come from routines.
        variable = self._activations.variables[own[0]]
        names = tuple((label, self._names[label]) for label in own)
        return (core.Landing(variable, names, tuple(result), span=commands[0].span),)

    def _command(self, command: core.Command) -> Commands:
        """What a command becomes: nothing, if it defines a constant, or else one command."""
        match command:
            case core.Let() | core.Declare() if _defined_label_variable(command) in self._constants:
                return ()
            case core.Let(target=core.Local(mode="label") as variable, value=value):
                return (replace(command, target=_plain(variable), value=self._name_of(value)),)
            case core.Assign():
                places = [self.part(place) for place in command.places]
                values = [
                    self._name_of(value) if _holds_label(place) else self.part(value)
                    for place, value in _pairs(command)
                ]
                return (replace(command, places=tuple(places), values=tuple(values)),)
            case core.Jump(label=target, span=span):
                return (self._jump(target, span),)
            case _:
                return (walk.with_commands(walk.with_parts(command, self._part_of_command), self._in_section),)

    def _part_of_command(self, part: core.Node) -> core.Node:
        return part if isinstance(part, core.Command) else self.part(part)

    def part(self, node: core.Node) -> Any:
        """What an expression, a place or a variable that is defined becomes."""
        match node:
            case core.Block(commands=commands):
                return replace(node, commands=_Body(commands, self._activations, self).result())
            case core.LabelName():
                return self._as_value(node)
            case core.Local(mode="label"):
                label = self._label(node)
                return self._as_value(label) if label else _plain(node)
            case _:
                return walk.with_parts(node, self.part)

    def _label(self, node: core.Node) -> core.LabelName | None:
        """The label that a label name or a constant means; None for anything else."""
        match node:
            case core.LabelName():
                return node
            case core.Local(mode="label"):
                body: _Body | None = self  # then those around it
                while body and node not in body._constants:
                    body = body._outer
                return replace(body._constants[node], span=node.span) if body else None
            case _:
                return None

    def _as_value(self, label: core.LabelName) -> core.LabelValue:
        """A label of this body, or of one around it, as a value."""
        self._activations.values.add(label)
        variable = self._activations.variables[label]
        return core.LabelValue(variable, label, self._name_in_landing(label), span=label.span)

    def _name_in_landing(self, label: core.LabelName) -> str:
        """The string that stands for a label of this body, or of one around it."""
        body = self
        while label not in body._names and body._outer:
            body = body._outer
        return body._names[label]

    def _name_of(self, value: core.Expression) -> core.Expression:
        """What a label variable of this body holds: the name of a label, or a choice of names."""
        span = value.span
        match value:
            case core.Conditional(arms=arms, otherwise=otherwise):
                pairs = [(self.part(test), self._name_of(chosen)) for test, chosen in arms]
                return core.Conditional(tuple(pairs), self._name_of(otherwise), span=span)
            case core.LabelName() | core.Local(mode="label"):
                label = self._label(value)
                if label in self._names:
                    return core.Literal(self._names[label], span=span)
                if isinstance(value, core.Local) and value in self._variables:
                    return _plain(value)
                self._complain(out_of_reach(value, self._activations.top.labels))
        # There is an error, from here or from the resolver, and so the program does not run.
        return core.Literal("", span=span)

    def _jump(self, target: core.Expression, span: Span) -> core.Command:
        """The jump to a target, in its final form: local, assigned or non-local, or a choice of such jumps."""
        match target:
            case core.Conditional(arms=((test, first), *later), otherwise=otherwise):
                rest = replace(target, arms=tuple(later)) if later else otherwise
                return core.If(self.part(test), (self._jump(first, span),), (self._jump(rest, span),), span=span)
            case core.LabelName() | core.Local(mode="label"):
                label = self._label(target)
                if label in self._names:
                    return core.GoTo(label, span=span)
                if label:
                    return core.Jump(self._as_value(label), span=span)
                if isinstance(target, core.Local) and target in self._variables:
                    return self._assigned_jump(replace(_plain(target), span=span))
                self._complain(out_of_reach(target, self._activations.top.labels))
                return core.Finish(span=span)
            case _:
                return core.Jump(self.part(target), span=span)

    def _assigned_jump(self, variable: core.Local) -> core.Command:
        """The jump to the label that a variable holds: a choice of those that it may hold here."""
        span = variable.span
        candidates = [label for label in self._reached if label in self._held]

        # The choice is built from its end. The last label needs no test if all that the variable may hold are in reach.
        jump: core.Command = core.Fail(f"{variable.name} holds a label that is not in reach here", span=span)
        if len(candidates) > 1 and self._held == {*candidates}:
            jump = core.GoTo(candidates.pop(), span=span)
        for label in reversed(candidates):
            name = core.Literal(self._names[label], span=span)
            test = core.Compare((variable, name), ("EQUAL",), span=span)
            jump = core.If(test, (core.GoTo(label, span=span),), (jump,), span=span)
        return jump

    def _complain(self, diagnostic: Diagnostic) -> None:
        self._activations.diagnostics.append(diagnostic)


def numbered(labels: Sequence[core.LabelName]) -> dict[core.LabelName, str]:
    """A string for each label, of which no two are the same: its name, with a number if an earlier label has it."""
    names: dict[core.LabelName, str] = {}
    seen = Counter[str]()
    for label in labels:
        names[label] = f"{label.name}_{seen[label.name]}" if label.name in seen else label.name
        seen[label.name] += 1
    return names


def _defined_label_variable(command: core.Node) -> core.Local | None:
    """The label variable that a command defines or declares."""
    match command:
        case (
            core.Let(target=core.Local(mode="label") as variable)
            | core.Declare(variable=core.Local(mode="label") as variable)
        ):
            return variable
        case _:
            return None


def _pairs(command: core.Assign) -> Iterator[tuple[core.Place, core.Expression]]:
    """The places of an assignment, each with its value."""
    return zip(command.places, command.values, strict=False)


def _label_variables(place: core.Place) -> set[core.Local]:
    """The label variables that a place may be."""
    match place:
        case core.Choice(place=first, otherwise=second):
            return _label_variables(first) | _label_variables(second)
        case core.Local(mode="label"):
            return {place}
        case _:
            return set()


def _holds_label(place: core.Place) -> bool:
    """Whether a place is a label variable, or a choice of label variables."""
    return bool(_label_variables(place))


def _plain(variable: core.Local) -> core.Local:
    """A label variable as the later passes see it: a variable like any other, which holds a string."""
    return replace(variable, mode="")


def _leaves(value: core.Expression) -> Iterator[core.Expression]:
    """The values that a conditional chooses from, or the one value that is no conditional."""
    match value:
        case core.Conditional(arms=arms, otherwise=otherwise):
            for _, chosen in arms:
                yield from _leaves(chosen)
            yield from _leaves(otherwise)
        case _:
            yield value
