"""Structured control flow: labels and jumps to loops and choices, core to core, where that can be done.

    L: A; if t do go to L; B      Repeat(A, If(t, (), Break)); B    `_back`: a jump back becomes a loop
    if t do go to L; A; L: B      If(t, (), A); B                   `_forward`: a jump forward skips what is between
    go to M                       at = "L"; at = "M"                `_dispatched`: one loop for jumps into loops, and so
    L: A                          Repeat(If(at = "L",               for flow graphs that are not reducible. It asks each
    M: if t do go to L               (A, at = "M"),                 time which label is next
    B                                If(t, at = "L", B)))

A jump to what follows a loop leaves the loop. Where a jump must leave more than Python can leave at once, it sets a
flag. Where jumps out of routines may lead, the loop asks which label is next after each of them, too (`_landed`).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, takewhile

from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.jumps import numbered
from cpl.compiler.source import Span

Commands = tuple[core.Command, ...]


def without_jumps(commands: Sequence[core.Command]) -> Commands:
    """Remove the labels among the commands, and the jumps there as far as that can be done."""
    has_labels = any(isinstance(command, core.Label | core.Landing) for command in commands)
    return _structured(tuple(commands)) if has_labels else tuple(commands)


def _structured(commands: Commands) -> Commands:
    """Do the same as `without_jumps`, also in all parts of the commands."""
    commands = _with_structured_parts(commands)
    labels = _labels(commands)
    names = [label.name for label in labels]
    result = _forward(_back(_reordered(commands)))
    if _jumped_to(*result).isdisjoint(names):
        return result

    # Some jumps are left: begin again, with one label in place of all.
    text_of = numbered(names)
    return _forward(_back(_dispatched(commands, {label: text_of[label.name] for label in labels})))


def _jumped_to(*commands: core.Command) -> set[core.LabelName]:
    """The labels to which these commands may jump."""
    return {part.label for part in walk.all_commands(commands) if isinstance(part, core.GoTo)}


def _with_structured_parts(commands: Commands) -> Commands:
    """The commands, with no labels left but those among them. The parts of a landing come out in line."""
    result: list[core.Command] = []
    for command in commands:
        if isinstance(command, core.Landing):
            result += _landed(command)
        else:
            result.append(walk.with_commands(command, _structured))
    return tuple(result)


def _landed(landing: core.Landing) -> Commands:
    """The commands of a landing, with one label, to which its own jumps go and those out of routines. All commands from
    which routines may jump come after it.
    """
    span = landing.span
    commands = _with_structured_parts(landing.commands)
    quiet = sum(1 for _ in takewhile(is_quiet, commands))
    first = core.Label(core.LabelName("start", -span.start, span=span), span=span)
    if not isinstance(commands[quiet], core.Label):
        commands = (*commands[:quiet], first, *commands[quiet:])

    names = {first.name: first.name.name, **dict(landing.names)}
    labels = _labels(commands)
    dispatched = _dispatched(commands, {label: names[label.name] for label in labels})
    [again] = _labels(dispatched)
    at = dispatched.index(again)
    attempt = core.Attempt(landing.labels, _next_label(labels[0]), span=span)
    jump = core.GoTo(again.name, span=span)
    activation = core.Let(landing.labels, core.Activation(span=span), span=span)
    choice = core.If(attempt, dispatched[at + 1 :], (jump,), span=span)
    return (activation, *dispatched[:at], again, choice)


def is_quiet(command: core.Command) -> bool:
    """Whether a command, which is no label and does not end its list, applies no function of the program."""
    if walk.ends((command,)):
        return False
    if isinstance(command, core.LetFunction):
        return True
    return not any(map(_may_apply, walk.nodes(command)))


def _may_apply(node: core.Node) -> bool:
    """Whether a node may apply a function of the program, or is a label."""
    if isinstance(node, core.Apply):
        return not isinstance(node.function, core.Host)
    return isinstance(node, core.Select | core.Juxtapose | core.Label)


def _labels(commands: Sequence[core.Command]) -> list[core.Label]:
    return [command for command in commands if isinstance(command, core.Label)]


def _dispatched(commands: Commands, names: dict[core.Label, str]) -> Commands:
    """Replace all labels, which have these names, by one. Each jump sets a variable to the name of its label, and the
    commands behind the labels become the arms of a choice by that name.
    """
    labels = [*names]
    head = labels[0]
    at = _next_label(head)
    again = core.Label(core.LabelName("again", -head.span.start, span=head.span), span=head.span)

    def to(label: core.Label, place: core.Node) -> Commands:
        value = core.Literal(names[label], span=place.span)
        return core.Assign((at,), (value,), span=place.span), core.GoTo(again.name, span=place.span)

    starts = [commands.index(label) for label in labels]
    choice = commands[starts[-1] + 1 :]  # after all other arms: only the last label is left
    for number in reversed(range(len(labels) - 1)):
        label, following = labels[number], labels[number + 1]
        piece = commands[starts[number] + 1 : starts[number + 1]]
        test = core.Compare((at, core.Literal(names[label], span=label.span)), ("EQUAL",), span=label.span)
        continuation = () if walk.ends(piece) else to(following, following)
        choice = (core.If(test, (*piece, *continuation), choice, span=label.span),)

    begin = core.Let(at, core.Literal(names[head], span=head.span), span=head.span)
    commands = (begin, *commands[: commands.index(head)], again, *choice)
    for label in labels:
        commands = _replaced(commands, label, partial(to, label))
    return commands


def _next_label(head: core.Label) -> core.Local:
    """The variable that tells which label is next, in the dispatching loop of which this label is the first."""
    return core.Local("at", -head.span.start, span=head.span)


def _reordered(commands: Commands) -> Commands:
    """The commands, with those that only jumps lead to moved behind these jumps, if they would otherwise make a loop
    that other jumps enter.
    """
    reached = [*map(_jumped_to, commands)]
    for label in _labels(commands):
        index = commands.index(label)
        last_jump = max((at for at, labels in enumerate(reached) if label.name in labels), default=0)
        if last_jump < index:
            continue

        later_labels = [at for at in range(index + 1, len(commands)) if isinstance(commands[at], core.Label)]
        ends = [*later_labels, len(commands)]
        moving = commands[index : ends[0]]
        if last_jump < ends[0] or not walk.ends(commands[:index]) or not walk.ends(moving):
            continue
        if any(isinstance(command, core.Let | core.LetFunction | core.Declare) for command in moving):
            continue  # what is defined there is in scope after it

        outside_loop = (*commands[:index], *commands[last_jump + 1 :])
        entries = (other for other in commands[index + 1 : last_jump] if isinstance(other, core.Label))
        is_entered = any(walk.jumps(outside_loop, other) for other in entries)
        place = next((at for at in ends if at > last_jump and walk.ends(commands[:at])), None)
        if is_entered and place:
            commands = (*commands[:index], *commands[ends[0] : place], *moving, *commands[place:])
            reached = [*map(_jumped_to, commands)]
    return commands


def _back(commands: Commands) -> Commands:
    """The commands without jumps back: what stands between a label and the last jump back to it becomes a loop."""
    reached = [*map(_jumped_to, commands)]
    for index in reversed(range(len(commands))):
        label = commands[index]
        if not isinstance(label, core.Label):
            continue
        jumps = [at for at in range(index + 1, len(commands)) if label.name in reached[at]]
        if not jumps:
            continue
        start, end = index + 1, jumps[-1] + 1
        again = commands[start:end]
        repeated = _repeated(_forward(again), label, again[-1].span)
        commands = (*commands[:start], *repeated, *commands[end:])
        reached[start:end] = map(_jumped_to, repeated)
    return commands


def _repeated(commands: Commands, label: core.Label, end: Span) -> Commands:
    """The commands after a label, again and again as long as there are jumps to it."""
    leave = core.Break(span=end)
    around = label.span.to(end) if label.span.start < end.start else label.span  # some are moved
    if not walk.breaks(commands):
        return (_loop(_up_to(commands, label, (leave,)), around),)
    flag = core.Local("leaving", -label.span.start, span=label.span)  # they leave the loop round them
    unset, *flagged = _flagged(flag, commands, None)
    return (unset, _loop(_up_to(tuple(flagged), label, (leave,)), around), core.If(flag, (leave,), span=end))


def _forward(commands: Commands) -> Commands:
    """The commands without labels, where no jump leads back."""
    reached = _jumped_to(*commands)
    result: list[core.Command] = []
    for command in commands:
        if not isinstance(command, core.Label):
            result.append(command)
        elif command.name in reached:
            result = [*_up_to(tuple(result), command, ())]
    return tuple(result)


def _loop(commands: Commands, span: Span) -> core.While | core.Repeat:
    """The commands again and again; if they can be left at their head, it is a `while`."""
    match commands:
        case (core.If(test=test, commands=again, otherwise=(core.Break(again=False),)),) if again:
            return core.While(test, again, span=span)
        case (core.If(test=core.Compare() as test, commands=(core.Break(again=False),), otherwise=()), _, *_):
            return core.While(core.Unary("NOT", test, span=test.span), commands[1:], span=span)
    return core.Repeat(commands, core.Literal(True, span=span), span=span)


def _up_to(commands: Commands, label: core.Label, end: Commands, flag: core.Local | None = None) -> Commands:
    """End the commands before a label there: jumps to it skip the commands between, other paths go on to `end`.

    If there is a `flag`, the jumps set it.
    """
    for index, command in enumerate(commands):
        if not walk.jumps((command,), label):
            continue
        before, rest = commands[:index], commands[index + 1 :]
        if walk.ends((command,)) and not isinstance(command, core.If):
            rest = end = ()
        is_last = flag and not rest and not end
        if is_last or _needs_no_flag(command, label, (*rest, *end)):
            return (*before, *_taking_in(command, rest, label, end, flag))

        if not flag and end and not _jumps_within_loops((command,), label):
            # The label is the head of a loop, and `end` leaves the loop: a jump to the label begins the next round.
            again = _replaced((command,), label, lambda jump: (core.Break(again=True, span=jump.span),))
            return (*before, *again, *_up_to(rest, label, end))

        leaving = flag or core.Local(f"to_{label.name.name}", -label.span.start, span=command.span)
        flagged = (command,) if flag else _flagged(leaving, (command,), label)
        rest = _up_to(rest, label, end, flag)
        after = (core.If(leaving, (), rest, span=command.span),) if rest else ()
        return (*before, *_up_to(flagged, label, (), leaving), *after)
    return commands if walk.ends(commands) else (*commands, *end)


def _needs_no_flag(command: core.Command, label: core.Label, after: Commands) -> bool:
    """Whether jumps from a command to the label need no flag, if commands come `after` it before the label."""
    if isinstance(command, core.Loop) and _jumps_within_loops(command.commands, label):
        return False
    match command:
        case core.If(commands=first, otherwise=second):
            return not after or walk.ends(first) or walk.ends(second)
        case core.Repeat(commands=commands, test=core.Literal(value=True)):
            once = walk.breaks(commands) == 1 and not walk.breaks(after)
            return not after or (once and not walk.jumps(after, label))
        case core.Repeat():
            return not after
        case core.While(test=test) if after and not is_expression(test):
            return False
        case core.While() | core.ForStep() | core.ForList():
            return not after or not (command.otherwise or walk.breaks(command.commands))
        case _:
            return True


def _taking_in(
    command: core.Command, rest: Commands, label: core.Label, end: Commands, flag: core.Local | None
) -> Commands:
    """A command with jumps to the label, and the rest before the label, which the command can take in."""
    match command:
        case core.If(commands=first, otherwise=second):

            def with_rest(arm: Commands) -> Commands:
                if walk.ends(arm):
                    return _up_to(arm, label, (), flag)
                return _up_to((*arm, *rest), label, end, flag)

            return _choice(command, with_rest(first), with_rest(second))
        case core.Repeat(commands=commands):
            if rest:  # the loop is left by one `Break` only (`_needs_no_flag`), so the rest is written once
                commands = _replaced(commands, None, lambda leave: rest if walk.ends(rest) else (*rest, leave))
            return (_left(replace(command, commands=commands), label, flag),)
        case core.While() | core.ForStep() | core.ForList():
            if rest or end:
                command = replace(command, otherwise=_up_to(rest, label, end, flag))
            return (_left(command, label, flag),)
        case _:
            return ()


def _left(loop: core.Loop, label: core.Label, flag: core.Local | None) -> core.Loop:
    """A loop that ends where the label stands: to jump there is to leave it, and others within it."""
    commands = _leaving(loop.commands, label, flag)
    match loop:
        case core.Repeat(test=core.Literal(value=True)):
            return _loop(commands, loop.span)
        case core.Repeat():
            return replace(loop, commands=commands)
        case _:
            return replace(loop, commands=commands, otherwise=_up_to(loop.otherwise, label, (), flag))


def _leaving(commands: Commands, label: core.Label, flag: core.Local | None) -> Commands:
    """The commands of a loop, which is left where they jump to the label."""
    result: list[core.Command] = []
    for command in commands:
        leave = core.Break(span=command.span)
        match command:
            case core.GoTo(label=meant) if meant == label.name:
                result.append(leave)
            case core.While() | core.Repeat() | core.ForStep() | core.ForList() if walk.jumps((command,), label):
                assert flag is not None  # `_needs_no_flag` asks for one if loops within a loop jump to the label
                result += [_left(command, label, flag), core.If(flag, (leave,), span=command.span)]
            case _:
                result.append(walk.with_commands(command, partial(_leaving, label=label, flag=flag)))
    return tuple(result)


def _replaced(commands: Commands, label: core.Label | None, change: Callable[[core.Command], Commands]) -> Commands:
    """Replace each jump to a label; without a label, each exit of the loop round the commands."""
    result: list[core.Command] = []
    replaced = partial(_replaced, label=label, change=change)
    for command in commands:
        match command:
            case core.GoTo(label=meant) if label and meant == label.name:
                result += change(command)
            case core.Break(again=False) if not label:
                result += change(command)
            case core.Repeat() if not label:
                result.append(command)
            case core.While() | core.ForStep() | core.ForList() if not label:
                result.append(replace(command, otherwise=replaced(command.otherwise)))
            case _:
                result.append(walk.with_commands(command, replaced))
    return tuple(result)


def _flagged(flag: core.Local, commands: Commands, label: core.Label | None) -> Commands:
    """The commands, and a flag that is set by their jumps to the label, or out of the loop round them all."""

    def set_flag(jump: core.Command) -> Commands:
        return core.Assign((flag,), (core.Literal(True, span=jump.span),), span=jump.span), jump

    unset = core.Let(flag, core.Literal(False, span=flag.span), span=flag.span)
    return unset, *_replaced(commands, label, set_flag)


def _jumps_within_loops(commands: Commands, label: core.Label) -> bool:
    loops = chain.from_iterable(map(walk.loops, commands))
    return any(walk.jumps((loop,), label) for loop in loops)


def _choice(choice: core.If, first: Commands, second: Commands) -> Commands:
    """An if with these arms; one of them may be empty."""
    test = choice.test
    if not first and not second:
        return (core.Evaluate(test, span=choice.span),)
    match test:
        case core.Compare() if not first:
            test, first, second = core.Unary("NOT", test, span=test.span), second, first
        case core.Unary(operator="NOT", operand=core.Compare() as opposite) if second:
            test, first, second = opposite, second, first
    return (replace(choice, test=test, commands=first, otherwise=second),)


def is_expression(node: core.Expression) -> bool:
    """Whether the value is one Python expression, with at most one conditional to each operand."""
    for part in walk.nodes(node):
        match part:
            case core.Block() | core.Lambda():
                return False
            case core.Conditional(arms=arms):
                conditionals = sum(isinstance(nested, core.Conditional) for nested in walk.nodes(part))
                if conditionals > 1 or len(arms) > 1:
                    return False
    return True
