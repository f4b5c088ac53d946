"""Blocks that may end before they have given a result."""

from collections.abc import Iterator, Sequence

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.source import Span


def missing_results(program: core.Program) -> Iterator[Diagnostic]:
    """The findings, in the order of the text."""
    for definition in program.definitions:
        for node in walk.nodes(definition):
            if isinstance(node, core.Block) and not node.routine:
                yield from _missing(node)


def _missing(block: core.Block) -> Iterator[Diagnostic]:
    match block.commands:
        case (core.Declare(variable=core.Local(name="result") as result), *commands, core.Result(value=value)) if (
            value == result
        ):
            is_missing = not _gives(commands, result)
        case commands:
            is_missing = _completes(commands)
    if is_missing:
        end = Span(block.span.source, block.span.end - 1, block.span.end)
        conditions = [each for each in commands if isinstance(each, core.If) and not each.otherwise]
        related = [(each.test.span, "if this does not hold") for each in conditions[-1:]]
        yield report(messages.MISSING_RESULT, end, related=related)


def _completes(commands: Sequence[core.Command]) -> bool:
    """Whether what follows the commands may be reached."""
    reached = True
    for command in commands:
        reached = _command_completes(command) if reached or isinstance(command, core.Label) else False
    return reached


def _command_completes(command: core.Command) -> bool:
    match command:
        case core.Result() | core.Return() | core.Finish() | core.Break() | core.GoTo():
            return False
        case core.If(commands=inner, otherwise=otherwise):
            return _completes(inner) or _completes(otherwise)
        case core.While(test=core.Literal(value=True)) | core.Repeat(test=core.Literal(value=True)):
            return walk.breaks(command.commands) > 0
        case core.Repeat(commands=inner):
            return _completes(inner) or walk.breaks(inner) > 0
        case _:
            return True


def _gives(commands: Sequence[core.Command], variable: core.Local) -> bool:
    """Whether the commands assign to the variable on every path; a loop is assumed to run."""
    return any(_command_gives(command, variable) for command in commands)


def _command_gives(command: core.Command, variable: core.Local) -> bool:
    match command:
        case core.If(commands=inner, otherwise=otherwise):
            return all(_gives(arm, variable) or not _completes(arm) for arm in (inner, otherwise))
        case core.While(commands=inner) | core.Repeat(commands=inner):
            return _gives(inner, variable)
        case core.ForStep(commands=inner) | core.ForList(commands=inner):
            return _gives(inner, variable)
        case core.Label() | core.GoTo():
            return True  # a jump may lead to the assignment
        case _:
            return variable in walk.changed(command)
