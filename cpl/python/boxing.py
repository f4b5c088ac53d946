"""Which variables live in boxes: those that are shared, or that may be read before they have a value."""

from collections.abc import Iterator, Sequence, Set

from cpl.semantics import core, walk


def must_be_boxed(node: core.Node, rebound: Set[core.Local]) -> Iterator[core.Local]:
    """The variables that must be in boxes: those that are referred to, those of a loop that a function shares and that
    change within a round, and those that may be read while they have no value.
    """
    changing = {*walk.assigned(node)}
    for commands in _sequences(node):
        for index, command in enumerate(commands):
            match command:
                case core.Declare(variable=core.Local() as variable) if variable in rebound:
                    if not is_assigned_first(variable, commands[index + 1 :]):  # else no value from the round before
                        yield variable
                case core.Declare(variable=core.Local() as variable) if variable not in changing:
                    if _mentions(commands[index + 1 :], variable):
                        yield variable  # it never has a value, and its name may have one further out
    for part in walk.nodes(node):
        match part:
            case core.Reference(place=core.Local() as place):
                yield place
            case core.LetFunction(body=body, by_place=True) | core.Lambda(body=body, by_place=True):
                own = {*part.parameters, *bound_again(body)}
                inside = (local for local in walk.nodes(body) if isinstance(local, core.Local))
                yield from (local for local in inside if local in rebound and local in changing and local not in own)


def bound_again(node: core.Node) -> Iterator[core.Local]:
    """The variables that are bound within loops, or between a label and a jump back."""
    rounds: list[core.Node] = [*walk.loops(node)]
    for commands in _sequences(node):
        for index, command in enumerate(commands):
            if isinstance(command, core.Label):
                jumps = [at for at, later in enumerate(commands) if walk.jumps((later,), command)]
                rounds += commands[index : max(jumps, default=index) + 1]
            elif isinstance(command, core.Landing):
                rounds += command.commands
    for part in (part for again in rounds for part in walk.nodes(again)):
        match part:
            case core.Let(target=target):
                yield from (variable for variable in walk.variables(target) if isinstance(variable, core.Local))
            case core.ForStep(variable=variable) | core.ForList(variable=variable):
                yield variable
            case core.Declare(variable=core.Local() as variable):
                yield variable


def _sequences(node: core.Node) -> Iterator[tuple[core.Command, ...]]:
    """All commands that stand one after the other."""
    for part in walk.nodes(node):
        for commands in (getattr(part, "commands", ()), getattr(part, "otherwise", ())):
            if isinstance(commands, tuple) and commands:
                yield commands


def is_assigned_first(variable: core.Local, commands: Sequence[core.Command]) -> bool:
    """Tell whether commands assign to a variable before they use it."""
    match next((command for command in commands if _mentions((command,), variable)), None):
        case None:
            return True
        case core.Assign(places=places, values=values):
            other_places = [place for place in places if place != variable]
            return variable in places and not _mentions([*values, *other_places], variable)
        case core.Repeat(commands=body):
            return is_assigned_first(variable, body)
        case _:
            return False


def _mentions(nodes: Sequence[core.Node], variable: core.Local) -> bool:
    return any(part == variable for node in nodes for part in walk.nodes(node))
