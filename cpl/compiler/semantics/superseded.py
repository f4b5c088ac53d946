"""The parts of a session's texts that stay in force when a later text defines names again.

The values that were made stay. Of one that depends on a name with a new meaning only its own name is known from then
on.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.semantics.library import Text
from cpl.compiler.semantics.scope import as_function, parameters_of
from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes, surface


def in_force(earlier: Sequence[Text], later: Iterable[Text]) -> list[Text]:
    """The earlier texts, the last one first, without what the later ones define again."""
    again = {name.name for text in later for statement in _members(text) for name in surface.defined(statement)}
    if not again:
        return [*earlier]
    affected = _affected(earlier, again)
    result = []
    for text in earlier:
        statements = [left for statement in text.program.statements for left in _left(statement, again, affected)]
        result.append(replace(text, program=replace(text.program, statements=tuple(statements))))
    return result


def leaving_out(text: Text, wholes: Set[Span]) -> Text:
    """The text without the statements at these places."""
    if not wholes:
        return text
    statements = tuple([statement for statement in text.program.statements if statement.span not in wholes])
    return replace(text, program=replace(text.program, statements=statements))


def wholes(text: Text, parts: Iterable[Span]) -> set[Span]:
    """The places of the statements of a text that contain one of these places."""
    inside = [part for part in parts if part.source == text.source]
    return {
        statement.span
        for statement in text.program.statements
        if any(statement.span.start <= part.start and part.end <= statement.span.end for part in inside)
    }


def _members(text: Text) -> Iterator[nodes.Statement]:
    return (statement for whole in text.program.statements for statement in surface.members(whole))


def _affected(earlier: Sequence[Text], again: Set[str]) -> set[str]:
    """The names that have a new meaning: those defined again, and the functions that mention one of them."""
    mentions = {
        name.name: {part.name for part in surface.walk(statement) if isinstance(part, nodes.Name)}
        for text in earlier
        for statement in _members(text)
        if not _is_value(statement)
        for name in surface.defined(statement)
    }
    return {*reachable(again, lambda name: [user for user, mentioned in mentions.items() if name in mentioned])}


def _left(statement: nodes.Statement, again: Set[str], affected: Set[str]) -> Iterator[nodes.Statement]:
    """Yield the parts of a statement that are in force."""
    names = surface.defined(statement)
    match statement:
        case nodes.Together(definitions=several):
            left = [statement_left for part in several for statement_left in _left(part, again, affected)]
            definitions = tuple(
                [definition for definition in left if isinstance(definition, nodes.Definition | nodes.Routine)]
            )
            yield from [replace(statement, definitions=definitions)] if definitions else []
        case nodes.Declarations(section=section):
            statements = tuple(
                [statement_left for part in section.statements for statement_left in _left(part, again, affected)]
            )
            yield replace(statement, section=replace(section, statements=statements))
        case nodes.Declaration():
            declared = tuple([name for name in names if name.name not in again])
            yield from [replace(statement, names=declared)] if declared else []
        case nodes.Definition() if _is_value(statement) and (_mentions(statement, affected)):
            for name in names:
                if name.name not in again:
                    unknown = nodes.Application(nodes.Name("ReadItem", span=name.span), (), False, span=name.span)
                    yield replace(statement, heading=name, value=unknown)
        case _ if not names or any(name.name not in again for name in names):
            yield statement


def _is_value(statement: nodes.Statement) -> bool:
    """Whether a statement gives names values, once."""
    return (
        isinstance(statement, nodes.Definition)
        and statement.sign == "="
        and parameters_of(as_function(statement)) is None
    )


def _mentions(statement: nodes.Statement, names: Set[str]) -> bool:
    return any(isinstance(part, nodes.Name) and part.name in names for part in surface.walk(statement))
