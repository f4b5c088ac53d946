"""The parts of a session's texts that stay in force when a later text defines names again.

After `let a = 5`, of these definitions is left

    let a = 1 and b = 2                  let b = 2
    let c = a + 1                        let c = ReadItem[]
    F[x] = x + a                         F[x] = x + a

The value of `c` was made before, and stays; but it may no longer be the one that the text tells, so that only the name
is known from then on. A function finds the new meaning.
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
    again: set[str] = set()
    for text in later:
        for statement in _members(text):
            again.update(name.name for name in surface.defined(statement))
    if not again:
        return [*earlier]

    affected = _affected(earlier, again)
    result = []
    for text in earlier:
        statements = _all_left(text.program.statements, again, affected)
        result.append(replace(text, program=replace(text.program, statements=statements)))
    return result


def leaving_out(text: Text, wholes: Set[Span]) -> Text:
    """The text without the statements at these places."""
    if not wholes:
        return text
    statements = tuple(statement for statement in text.program.statements if statement.span not in wholes)
    return replace(text, program=replace(text.program, statements=statements))


def wholes(text: Text, parts: Iterable[Span]) -> set[Span]:
    """The places of the statements of a text that contain one of these places."""
    inside = [part for part in parts if part.source == text.source]
    spans = (statement.span for statement in text.program.statements)
    return {span for span in spans if any(span.holds(part) for part in inside)}


def _members(text: Text) -> Iterator[nodes.Statement]:
    for whole in text.program.statements:
        yield from surface.members(whole)


def _affected(earlier: Sequence[Text], again: Set[str]) -> set[str]:
    """The names that have a new meaning: those defined again, and the functions that mention one of them."""
    mentions: dict[str, set[str]] = {}
    for text in earlier:
        for statement in _members(text):
            if _is_value(statement):
                continue
            mentioned_here = {part.name for part in surface.walk(statement) if isinstance(part, nodes.Name)}
            mentions.update((name.name, mentioned_here) for name in surface.defined(statement))

    def users(name: str) -> list[str]:
        return [user for user, mentioned in mentions.items() if name in mentioned]

    return {*reachable(again, users)}


def _all_left(
    statements: Iterable[nodes.Statement], again: Set[str], affected: Set[str]
) -> tuple[nodes.Statement, ...]:
    """The parts of several statements that are in force."""
    left: list[nodes.Statement] = []
    for statement in statements:
        left += _left(statement, again, affected)
    return tuple(left)


def _left(statement: nodes.Statement, again: Set[str], affected: Set[str]) -> Iterator[nodes.Statement]:
    """Yield the parts of a statement that are in force."""
    names = surface.defined(statement)
    new_names = [name for name in names if name.name not in again]
    match statement:
        case nodes.Together(definitions=several):
            left = _all_left(several, again, affected)
            definitions = tuple(part for part in left if isinstance(part, nodes.Definition | nodes.Routine))
            if definitions:
                yield replace(statement, definitions=definitions)
        case nodes.Declarations(section=section):
            statements = _all_left(section.statements, again, affected)
            yield replace(statement, section=replace(section, statements=statements))
        case nodes.Declaration():
            if new_names:
                yield replace(statement, names=tuple(new_names))
        case nodes.Definition() if _is_value(statement) and _mentions(statement, affected):
            for name in new_names:
                # The value is there already. Reading the input is what may have any value, of any type.
                unknown = nodes.Application(nodes.Name("ReadItem", span=name.span), (), False, span=name.span)
                yield replace(statement, heading=name, value=unknown)
        case _ if new_names or not names:
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
