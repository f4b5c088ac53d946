"""What is within the nodes of the core: their parts, in the order of the text, and what can be told from them alone."""

from collections.abc import Iterator, Sequence

from cpl.semantics import core


def variables(target: core.Target) -> Iterator[core.Local | core.Global]:
    """The single names of a target, in order."""
    match target:
        case core.Several(items=items):
            for item in items:
                yield from variables(item)
        case _:
            yield target


def parts(node: core.Node) -> Iterator[core.Node]:
    """The nodes directly within a node, in the order of the text, names being defined included."""
    match node:
        case core.Local() | core.Global() | core.Literal() | core.Host():
            return  # first, since most nodes are of these
        case core.Function(parameters=parameters, body=body):
            yield from parameters
            yield body
        case core.ElementType(alternatives=alternatives):
            yield from alternatives
        case core.Commands(commands=commands):
            yield from commands
        case core.Component(operand=operand):
            yield operand
        case core.Reference(place=place):
            yield place
        case core.Contents(reference=reference):
            yield reference
        case core.Constants(target=target, value=value) | core.Let(target=target, value=value):
            yield target
            yield value
        case core.Several(items=items) | core.Tuple(items=items) | core.List(items=items):
            yield from items
        case core.Apply(function=function, arguments=arguments):
            yield function
            yield from arguments
        case core.Select(operand=operand, indices=indices):
            yield operand
            yield from indices
        case core.Juxtapose(left=left, right=right) | core.Binary(left=left, right=right):
            yield left
            yield right
        case core.Unary(operand=operand):
            yield operand
        case core.Compare(operands=operands):
            yield from operands
        case core.Conditional(arms=arms, otherwise=otherwise):
            for test, value in arms:
                yield test
                yield value
            yield otherwise
        case core.Block(commands=commands):
            yield from commands
        case core.If(test=test, commands=commands, otherwise=alternative):
            yield test
            yield from commands
            yield from alternative
        case core.Declare(variable=variable):
            yield variable
        case core.LetFunction(name=name, parameters=parameters, body=body):
            yield name
            yield from parameters
            yield body
        case core.Lambda(parameters=parameters, body=body):
            yield from parameters
            yield body
        case core.Assign(places=places, values=values):
            yield from values
            yield from places
        case core.Choice(test=test, place=place, otherwise=other):
            yield test
            yield place
            yield other
        case core.While(test=test, commands=commands, otherwise=others):
            yield test
            yield from commands
            yield from others
        case core.Repeat(test=test, commands=commands):
            yield from commands
            yield test
        case core.ForStep(variable=variable, first=first, step=step, last=last, commands=commands):
            yield from (first, step, last, variable)
            yield from commands
            yield from node.otherwise
        case core.ForList(variable=variable, members=members, commands=commands, otherwise=others):
            yield members
            yield variable
            yield from commands
            yield from others
        case core.Result(value=value) | core.Evaluate(value=value):
            yield value


def walk(node: core.Node) -> Iterator[core.Node]:
    """The node and everything within it, outermost first, whatever the depth."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(list(parts(current)))


def names(definition: core.Definition) -> list[core.Local | core.Global]:
    """What a definition of the outermost level gives names to."""
    match definition:
        case core.Constants(target=target):
            return list(variables(target))
        case core.Commands(commands=commands):
            return [each.variable for each in commands if isinstance(each, core.Declare)]
        case _:
            return [definition.name]


def ends(commands: Sequence[core.Command]) -> bool:
    """Whether what follows these commands is never reached: they give a result or leave a loop in any case."""
    if not commands:
        return False
    match commands[-1]:
        case core.Result() | core.Break() | core.Return() | core.Finish() | core.GoTo():
            return True
        case core.If(commands=inner, otherwise=(_, *_) as otherwise):
            return ends(inner) and ends(otherwise)
        case core.Repeat(commands=inner, test=core.Literal(value=True)):
            return not breaks(inner)
        case _:
            return False


def breaks(commands: Sequence[core.Command]) -> int:
    """In how many places the commands leave a loop that is round them all."""
    count = 0
    for command in commands:
        match command:
            case core.Break(again=False):
                count += 1
            case core.If(commands=first, otherwise=second):
                count += breaks(first) + breaks(second)
            case core.While() | core.ForStep() | core.ForList():
                count += breaks(command.otherwise)
    return count


def walk_commands(command: core.Command) -> Iterator[core.Command]:
    """A command and those within it that belong to the same block."""
    yield command
    for part in parts(command):
        if isinstance(part, core.Command) and not isinstance(command, core.LetFunction):
            yield from walk_commands(part)


def loops(node: core.Node) -> Iterator[core.Loop]:
    """The loops within a node."""
    return (part for part in walk(node) if isinstance(part, core.Loop))


def changed(node: core.Node) -> Iterator[core.Local | core.Global]:
    """The variables that get new values within the node, or may: a reference to them is made there."""
    yield from assigned(node)
    for part in walk(node):
        if isinstance(part, core.Reference) and isinstance(part.place, core.Local | core.Global):
            yield part.place


def assigned(node: core.Node) -> Iterator[core.Local | core.Global]:
    """The variables that something within the node gives new values to."""
    for part in walk(node):
        if isinstance(part, core.Assign):
            waiting = list(part.places)
            while waiting:
                place = waiting.pop()
                match place:
                    case core.Choice(place=first, otherwise=second):
                        waiting += [first, second]
                    case core.Local() | core.Global():
                        yield place


def jumps(commands: Sequence[core.Command], label: core.Label) -> bool:
    """Whether there is a jump to the label among the commands."""
    parts = (part for command in commands for part in walk_commands(command))
    return any(isinstance(part, core.GoTo) and part.label == label.name for part in parts)
