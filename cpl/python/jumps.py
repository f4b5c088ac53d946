"""Labels and jumps to the loops and choices that they stand for, core to core, where that can be done.

A jump back becomes a loop, a jump forward leaves out what is between, a jump to what follows a loop leaves it. Each
must be the last thing that is done on its way through the commands round the label; other jumps are refused.
"""

from collections.abc import Sequence
from dataclasses import replace

from cpl import causes
from cpl.diagnostics import CplError, report
from cpl.semantics import core, within
from cpl.source import Span

Commands = tuple[core.Command, ...]


def structured(commands: Sequence[core.Command]) -> Commands:
    """The same commands without the labels among them and the jumps there. Raises CplError where that is too hard."""
    labels = [index for index, command in enumerate(commands) if isinstance(command, core.Label)]
    if not labels:
        return tuple(commands)
    label = commands[labels[-1]]
    assert isinstance(label, core.Label)
    before, after = tuple(commands[: labels[-1]]), tuple(commands[labels[-1] + 1 :])
    back = [index for index, command in enumerate(after) if within.jumps((command,), label)]
    if back:
        again, rest = after[: back[-1] + 1], after[back[-1] + 1 :]
        if within.breaks(again):
            raise _refused(label)
        span = again[0].span.to(again[-1].span)
        again = _settled(again, label, (core.Break(span=again[-1].span),))
        after = (_loop(again, span), *rest)
    return structured((*_settled(before, label, ()), *after))


def _loop(commands: Commands, span: Span) -> core.Command:
    """The commands again and again; if they can be left at their head alone, it is a `while`."""
    match commands:
        case (core.If(test=test, commands=again, otherwise=(core.Break(),)),):
            return core.While(test, again, span=span)
        case _:
            return core.Repeat(commands, core.Literal(True, span=span), span=span)


def _settled(commands: Commands, label: core.Label, end: Commands) -> Commands:
    """The commands with each jump to the label left out, so that it is where they end; other ways go to the `end`."""
    for index, command in enumerate(commands):
        if not within.jumps((command,), label):
            continue
        before, rest = commands[:index], commands[index + 1 :]
        match command:
            case core.GoTo():
                return before
            case core.If(commands=first, otherwise=second):
                goes_on = [_goes_on(arm, rest) for arm in (first, second)]
                if all(goes_on) and (rest or end):
                    raise _refused(command)
                first, second = (
                    _settled((*arm, *rest), label, end) if on else _settled(arm, label, ())
                    for arm, on in zip((first, second), goes_on, strict=True)
                )
                return (*before, *_choice(command, first, second))
            case core.While() | core.Repeat() | core.ForStep() | core.ForList() if not rest and not end:
                return (*before, replace(command, commands=_left(command.commands, label)))
            case core.While() | core.ForStep() | core.ForList() if not end and not within.breaks(command.commands):
                rest = _settled(rest, label, ())
                return (*before, replace(command, commands=_left(command.commands, label), otherwise=rest))
            case _:
                raise _refused(command)
    return commands if within.ends(commands) else (*commands, *end)


def _goes_on(commands: Commands, rest: Commands) -> bool:
    """Whether the rest may be obeyed after the commands: they come to an end, or jump to a label there."""
    labels = (each for each in rest if isinstance(each, core.Label))
    return not within.ends(commands) or any(within.jumps(commands, label) for label in labels)


def _choice(choice: core.If, first: Commands, second: Commands) -> Commands:
    """An if with these arms; one of them may be empty."""
    if first:
        return (replace(choice, commands=first, otherwise=second),)
    if second:
        opposite = core.Unary("NOT", choice.test, span=choice.test.span)
        return (replace(choice, test=opposite, commands=second, otherwise=()),)
    return (core.Evaluate(choice.test, span=choice.span),)


def _left(commands: Commands, label: core.Label) -> Commands:
    """The commands of a loop that ends where the label stands: to jump there is to leave it."""
    result: list[core.Command] = []
    for command in commands:
        match command:
            case core.GoTo(label=meant) if meant == label.name:
                result.append(core.Break(span=command.span))
            case core.If(commands=first, otherwise=second):
                result.append(replace(command, commands=_left(first, label), otherwise=_left(second, label)))
            case _ if within.jumps((command,), label):
                raise _refused(command)
            case _:
                result.append(command)
    return tuple(result)


def _refused(command: core.Command) -> CplError:
    what = "a jump that no loop and no choice can stand for"
    return CplError([report(causes.NOT_YET, command.span, what=what)])
