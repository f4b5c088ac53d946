"""How the commands of a block end: with a result on no way, on some, or on every way through them."""

from collections.abc import Sequence

from cpl.semantics import core, walk


def may_give_result(commands: Sequence[core.Command]) -> bool:
    """Whether one of these commands may leave the block with a result."""
    return any(isinstance(part, core.Result) for command in commands for part in walk.walk_commands(command))


def gives_result(commands: Sequence[core.Command]) -> bool:
    """Whether these commands give a result whatever way they go."""
    match commands:
        case (*_, core.Result() | core.Return() | core.Finish() | core.Fail()):
            return True
        case (*_, core.If(commands=inner, otherwise=otherwise)):
            return gives_result(inner) and gives_result(otherwise)
        case _:
            return False


def nests(commands: Sequence[core.Command], most: int) -> bool:
    """Whether a block can be written as nested if and else, with no more than so many early results."""
    leaving = [command for command in commands if not isinstance(command, core.Result) and may_give_result([command])]
    choices = [command for command in leaving if isinstance(command, core.If) and not command.otherwise]
    return len(choices) == len(leaving) <= most and all(
        gives_result(each.commands) and nests(each.commands, most) for each in choices
    )
