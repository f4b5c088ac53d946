"""What the lowering must know of the core before it writes it down: which variables change, and how commands end."""

from collections.abc import Iterator, Sequence, Set

from cpl.semantics import core, walk


def needs_no_variables(node: core.Expression) -> bool:
    """Whether a value can be assigned as an expression, or by the arms of one conditional."""
    if isinstance(node, core.Conditional):
        arms = (part for arm in node.arms for part in arm)
        return all(map(is_expression, (*arms, node.otherwise)))
    return is_expression(node)


def in_cells(node: core.Node, again: Set[core.Local]) -> Iterator[core.Local]:
    """The variables that must be in cells: those that are referred to, those of a loop that a function shares and that
    change within a round, and those that may be asked for a value when they have none.
    """
    changing = {*walk.assigned(node)}
    for commands in _sequences(node):
        for index, command in enumerate(commands):
            match command:
                case core.Declare(variable=core.Local() as variable) if variable in again:
                    if not is_given(variable, commands[index + 1 :]):  # it has no value in the next round either
                        yield variable
                case core.Declare(variable=core.Local() as variable) if variable not in changing:
                    if _mentions(commands[index + 1 :], variable):
                        yield variable  # it never has one, and its name may have one further out
    for part in walk.nodes(node):
        match part:
            case core.Reference(place=core.Local() as place):
                yield place
            case core.LetFunction(body=body, by_place=True) | core.Lambda(body=body, by_place=True):
                own = {*part.parameters, *bound_again(body)}
                inside = (each for each in walk.nodes(body) if isinstance(each, core.Local))
                yield from (each for each in inside if each in again and each in changing and each not in own)


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
    yield from (part for part in walk.nodes(node) if isinstance(part, core.Loop))
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


def is_given(variable: core.Local, commands: Sequence[core.Command]) -> bool:
    """Whether commands assign to a variable before they use it."""
    for command in commands:
        if _mentions((command,), variable):
            match command:
                case core.Assign(places=places, values=values):
                    return variable in places and not _mentions(values, variable)
                case _:
                    return False
    return True


def _mentions(nodes: Sequence[core.Node], variable: core.Local) -> bool:
    return any(part == variable for node in nodes for part in walk.nodes(node))


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
    if len(leaving) > most or not all(isinstance(each, core.If) and not each.otherwise for each in leaving):
        return False
    return all(gives(each.commands) and nests(each.commands, most) for each in leaving if isinstance(each, core.If))


def first_empty(definition: core.Definition) -> Iterator[core.Local | core.Global]:
    """The variables whose first value is an empty list."""
    seen: set[core.Node] = set()
    for part in walk.nodes(definition):
        places: Sequence[core.Target | core.Place] = ()
        values: Sequence[core.Expression] = ()
        match part:
            case core.Assign(places=places, values=values):
                pass
            case core.Let(target=core.Several(items=places), value=core.Tuple(items=values)):
                pass
            case core.Constants(target=core.Several(items=places), value=core.Tuple(items=values)):
                pass
            case core.Let(target=target, value=value) | core.Constants(target=target, value=value):
                places, values = [target], [value]
        for place, value in zip(places, values, strict=False):
            if isinstance(place, core.Local | core.Global) and place not in seen and is_empty_list(value):
                yield place
            seen.add(place)


def is_empty_list(node: core.Expression) -> bool:
    """Whether a value may be an empty list that is written down."""
    match node:
        case core.List(items=()) | core.Nil():
            return True
        case core.List(items=items) | core.Tuple(items=items):
            return any(map(is_empty_list, items))
        case core.Conditional(arms=arms, otherwise=otherwise):
            return is_empty_list(otherwise) or any(is_empty_list(value) for _, value in arms)
        case core.Block(commands=commands):
            inner = (part for command in commands for part in walk.walk_commands(command))
            return any(isinstance(part, core.Result) and is_empty_list(part.value) for part in inner)
        case _:
            return False


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


def is_delayed(node: core.Node) -> bool:
    """Whether this is an expression that is given by substitution, and Python can write it as one."""
    return isinstance(node, core.Lambda) and node.by_place and not node.parameters and is_expression(node.body)


def exits(commands: Sequence[core.Command]) -> bool:
    """Whether one of these commands may leave the block with a result."""
    for command in commands:
        match command:
            case core.Result():
                return True
            case core.If(commands=inner, otherwise=otherwise):
                if exits(inner) or exits(otherwise):
                    return True
            case core.While() | core.ForStep() | core.ForList():
                if exits(command.commands) or exits(command.otherwise):
                    return True
            case core.Repeat(commands=inner):
                if exits(inner):
                    return True
    return False
