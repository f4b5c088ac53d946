"""What is left of the texts of a session when a later text defines names again: earlier texts in, those in force out.

The values that were made stay: one that depends on a name that has a new meaning is from now on a value of which only
the name is known.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from cpl.semantics.library import Text
from cpl.semantics.scope import as_function, parameters_of
from cpl.source import Span
from cpl.syntax import nodes
from cpl.syntax import walk as surface


def in_force(earlier: Sequence[Text], later: Iterable[Text]) -> list[Text]:
    """The earlier texts, the last one first, without what the later ones define again."""
    again = {name.name for text in later for one in _members(text) for name in surface.defined(one)}
    if not again:
        return [*earlier]
    affected = _affected(earlier, again)
    result = []
    for text in earlier:
        statements = [left for one in text.program.statements for left in _left(one, again, affected)]
        result.append(replace(text, program=replace(text.program, statements=tuple(statements))))
    return result


def leaving_out(text: Text, wholes: Set[Span]) -> Text:
    """The text without the statements at these places."""
    if not wholes:
        return text
    statements = tuple([one for one in text.program.statements if one.span not in wholes])
    return replace(text, program=replace(text.program, statements=statements))


def wholes(text: Text, parts: Iterable[Span]) -> set[Span]:
    """The places of the statements of a text that contain one of these places."""
    inside = [part for part in parts if part.source == text.source]
    return {
        one.span
        for one in text.program.statements
        if any(one.span.start <= part.start and part.end <= one.span.end for part in inside)
    }


def _members(text: Text) -> Iterator[nodes.Statement]:
    return (one for whole in text.program.statements for one in surface.members(whole))


def _affected(earlier: Sequence[Text], again: Set[str]) -> set[str]:
    """The names that have a new meaning: those defined again, and the functions that mention one of them."""
    mentions = {
        name.name: {part.name for part in surface.walk(one) if isinstance(part, nodes.Name)}
        for text in earlier
        for one in _members(text)
        if not _is_value(one)
        for name in surface.defined(one)
    }
    affected = {*again}
    size = 0
    while len(affected) > size:
        size = len(affected)
        affected |= {name for name, others in mentions.items() if others & affected}
    return affected


def _left(one: nodes.Statement, again: Set[str], affected: Set[str]) -> Iterator[nodes.Statement]:
    """What is in force of a statement."""
    names = surface.defined(one)
    match one:
        case nodes.Together(definitions=several):
            left = [each for part in several for each in _left(part, again, affected)]
            kept = tuple([each for each in left if isinstance(each, nodes.Definition | nodes.Routine)])
            yield from [replace(one, definitions=kept)] if kept else []
        case nodes.Declarations(section=section):
            inner = tuple([each for part in section.statements for each in _left(part, again, affected)])
            yield replace(one, section=replace(section, statements=inner))
        case nodes.Declaration():
            declared = tuple([name for name in names if name.name not in again])
            yield from [replace(one, names=declared)] if declared else []
        case nodes.Definition() if _is_value(one) and (_mentions(one, affected)):
            for name in names:
                if name.name not in again:
                    unknown = nodes.Application(nodes.Name("ReadItem", span=name.span), (), False, span=name.span)
                    yield replace(one, heading=name, value=unknown)
        case _ if not names or any(name.name not in again for name in names):
            yield one


def _is_value(one: nodes.Statement) -> bool:
    """Whether a statement gives names values, once."""
    return isinstance(one, nodes.Definition) and one.sign == "=" and parameters_of(as_function(one)) is None


def _mentions(one: nodes.Statement, names: Set[str]) -> bool:
    return any(isinstance(part, nodes.Name) and part.name in names for part in surface.walk(one))
