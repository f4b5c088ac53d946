"""What the lowering must know of the core before it writes it down: which variables change, and how commands end."""

from collections.abc import Iterator, Sequence, Set

from cpl.semantics import core, walk

# Variables


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
                inside = (each for each in walk.nodes(body) if isinstance(each, core.Local))
                yield from (each for each in inside if each in rebound and each in changing and each not in own)


def bound_again(node: core.Node) -> Iterator[core.Local]:
    """The variables that are bound within loops, or between a label and a jump back."""
    for part in (part for again in _rounds(node) for part in walk.nodes(again)):
        match part:
            case core.Let(target=target):
                yield from (each for each in walk.variables(target) if isinstance(each, core.Local))
            case core.ForStep(variable=variable) | core.ForList(variable=variable):
                yield variable
            case core.Declare(variable=core.Local() as variable):
                yield variable


def _rounds(node: core.Node) -> Iterator[core.Node]:
    """What is obeyed again and again."""
    yield from walk.loops(node)
    for commands in _sequences(node):
        for index, command in enumerate(commands):
            if isinstance(command, core.Label):
                jumps = [at for at, later in enumerate(commands) if walk.jumps((later,), command)]
                yield from commands[index : max(jumps, default=index) + 1]


def _sequences(node: core.Node) -> Iterator[tuple[core.Command, ...]]:
    """All commands that stand one after the other."""
    for part in walk.nodes(node):
        for commands in (getattr(part, "commands", ()), getattr(part, "otherwise", ())):
            if isinstance(commands, tuple) and commands:
                yield commands


def is_assigned_first(variable: core.Local, commands: Sequence[core.Command]) -> bool:
    """Whether commands assign to a variable before they use it."""
    match next((command for command in commands if _mentions((command,), variable)), None):
        case None:
            return True
        case core.Assign(places=places, values=values):
            return variable in places and not _mentions(values, variable)
        case _:
            return False


def are_independent(targets: Sequence[core.Target], values: Sequence[core.Expression]) -> bool:
    """Whether each target is a name that can get its value by itself, as it stands in none of the values."""
    names = {target.name for target in targets if isinstance(target, core.Local | core.Global)}
    parts = [part for value in values for part in walk.nodes(value) if isinstance(part, core.Local | core.Global)]
    independent = len(names) == len(targets) == len(values) and names.isdisjoint(part.name for part in parts)
    return independent and all(map(is_expression, values))


def _mentions(nodes: Sequence[core.Node], variable: core.Local) -> bool:
    return any(part == variable for node in nodes for part in walk.nodes(node))


# Results


def exits(commands: Sequence[core.Command]) -> bool:
    """Whether one of these commands may leave the block with a result."""
    return any(isinstance(part, core.Result) for command in commands for part in walk.walk_commands(command))


def gives(commands: Sequence[core.Command]) -> bool:
    """Whether these commands give a result whatever way they go."""
    match commands:
        case (*_, core.Result() | core.Return() | core.Finish()):
            return True
        case (*_, core.If(commands=inner, otherwise=otherwise)):
            return gives(inner) and gives(otherwise)
        case _:
            return False


def nests(commands: Sequence[core.Command], most: int) -> bool:
    """Whether a block can be written as nested if and else, with no more than so many early results."""
    leaving = [command for command in commands if not isinstance(command, core.Result) and exits([command])]
    choices = [command for command in leaving if isinstance(command, core.If) and not command.otherwise]
    return len(choices) == len(leaving) <= most and all(
        gives(each.commands) and nests(each.commands, most) for each in choices
    )


# Expressions


def is_expression(node: core.Expression) -> bool:
    """Whether the value is one Python expression, with at most one conditional to each operand."""
    for part in walk.nodes(node):
        match part:
            case core.Block() | core.Lambda():
                return False
            case core.Conditional(arms=arms):
                inner = sum(isinstance(each, core.Conditional) for each in walk.nodes(part))
                if inner > 1 or len(arms) > 1:
                    return False
    return True


def needs_no_variables(node: core.Expression) -> bool:
    """Whether a value can be assigned as an expression, or by the arms of one conditional."""
    if isinstance(node, core.Conditional):
        arms = (part for arm in node.arms for part in arm)
        return all(map(is_expression, (*arms, node.otherwise)))
    return is_expression(node)


def is_empty_list(node: core.Expression) -> bool:
    """Whether this is an empty list as it is written down."""
    return isinstance(node, core.Nil) or (isinstance(node, core.List) and not node.items)
