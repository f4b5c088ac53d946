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
        case core.While(test=test, commands=commands):
            yield test
            yield from commands
        case core.Repeat(test=test, commands=commands):
            yield from commands
            yield test
        case core.ForStep(variable=variable, first=first, step=step, last=last, commands=commands):
            yield from (first, step, last, variable)
            yield from commands
        case core.ForList(variable=variable, members=members, commands=commands):
            yield members
            yield variable
            yield from commands
        case core.Result(value=value) | core.Evaluate(value=value):
            yield value


def walk(node: core.Node) -> Iterator[core.Node]:
    """The node and everything within it, outermost first, whatever the depth."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(list(parts(current)))


def ends(commands: Sequence[core.Command]) -> bool:
    """Whether what follows these commands is never reached: they give a result or leave a loop in any case."""
    if not commands:
        return False
    match commands[-1]:
        case core.Result() | core.Break() | core.Return():
            return True
        case core.If(commands=inner, otherwise=(_, *_) as otherwise):
            return ends(inner) and ends(otherwise)
        case _:
            return False


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
