"""The surface tree walked: the nodes within a node, and the names that statements define."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cpl.compiler.syntax import nodes

FORMS: Final = ("let", "rec", "function", "routine", "all")
"""The words before a definition that are not types."""


def members(statement: nodes.Statement) -> Iterator[nodes.Statement]:
    """The statement, or the statements of a group."""
    match statement:
        case nodes.Together(definitions=several):
            yield from several
        case nodes.Declarations(section=section):
            for member in section.statements:
                yield from members(member)
        case _:
            yield statement


def in_line(statements: Sequence[nodes.Statement]) -> Iterator[nodes.Statement]:
    """The statements, with those of groups in place of the groups (D4)."""
    for statement in statements:
        if isinstance(statement, nodes.Declarations):
            yield from in_line(statement.section.statements)
        else:
            yield statement


def defined(statement: nodes.Node) -> list[nodes.Name]:
    """The names that a statement defines or declares."""
    match statement:
        case nodes.Definition(heading=heading) | nodes.Routine(heading=heading):
            return list(names_in(heading))
        case nodes.Own(inner=scope):
            return [name for definition in members(scope) for name in defined(definition)]
        case nodes.NodeType(name=name) | nodes.Element(name=name):
            return [name]
        case nodes.Declaration(names=names):
            return list(names)
        case _:
            return []


def bindings(program: nodes.Node) -> Iterator[tuple[nodes.Name | nodes.Parameter, nodes.Node]]:
    """All names that a text, or a part of it, defines, parameters and components too, in order, each with the node that
    defines it.
    """
    for node in walk(program):
        match node:
            case nodes.Parameter():
                yield node, node
            case nodes.Lambda(parameters=names):
                yield from ((name, node) for name in names)
            case nodes.ForStep(name=name) | nodes.ForList(name=name) | nodes.Label(name=name):
                yield name, node
            case nodes.Own():  # whose definitions are nodes, too
                pass
            case _:
                yield from ((name, node) for name in defined(node))


def names_in(heading: nodes.Heading) -> Iterator[nodes.Name]:
    """The names that a heading defines: the name of a function, or all names of a pattern."""
    return (part for part in walk(heading) if isinstance(part, nodes.Name))


def declared(statement: nodes.Node) -> str:
    """The type that is written before the variables of a statement; empty if there is none."""
    match statement:
        case nodes.Declaration(kind=kind):
            return kind
        case nodes.Definition(heading=nodes.Name() | nodes.Pattern(), sign="="):
            return result(statement)
        case _:
            return ""


def result(definition: nodes.Definition | nodes.Routine) -> str:
    """The type that is written before a function, or before a name for an expression (≡); empty if there is none."""
    return " ".join([word for word in definition.words if word not in FORMS])


def values(node: nodes.Node) -> list[Any]:
    """The values of the fields of a node, except for its span and its comments, which are given by keyword."""
    names: tuple[str, ...] = node.__match_args__
    return [getattr(node, name) for name in names]


def children(node: nodes.Node) -> list[nodes.Node]:
    """The nodes directly within a node, in the order of the text."""
    found: list[nodes.Node] = []
    for value in values(node):
        if isinstance(value, nodes.Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += [item for item in value if isinstance(item, nodes.Node)]
    return found


def walk(node: nodes.Node) -> Iterator[nodes.Node]:
    """The node and all nodes within it, in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(children(current))
