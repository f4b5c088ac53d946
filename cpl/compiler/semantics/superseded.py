"""The parts of a session's texts that stay in force when a later text defines names again.

The later text `let a = 5` changes the definitions on the left to those on the right:

    let a = 1 and b = 2                  let b = 2
    let c = a + 1                        let c = ReadItem[]
    F[x] = x + a                         F[x] = x + a

The variable `c` still has the value that was computed with the first `a`. The type of `a + 1` may have changed since,
so the definition of `c` no longer says what type this value has: the text on the right lets it be of any type. A
function uses the new meaning of `a` from now on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.semantics.library import Text
from cpl.compiler.semantics.scope import as_function, parameters_of
from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes, surface


def in_force(earlier: Sequence[Text], later: Iterable[Text]) -> list[Text]:
    """The earlier texts, in their order, without what the later ones define again."""
    redefined: set[str] = set()
    for text in later:
        for statement in _members(text):
            redefined.update(name.name for name in surface.defined(statement))
    if not redefined:
        return [*earlier]

    affected = _affected(earlier, redefined)
    result = []
    for text in earlier:
        statements = _all_in_force(text.program.statements, redefined, affected)
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
    parts_here = [part for part in parts if part.source == text.source]
    spans = (statement.span for statement in text.program.statements)
    return {span for span in spans if any(span.holds(part) for part in parts_here)}


def _members(text: Text) -> Iterator[nodes.Statement]:
    """Yield the statements of a text, and those of a group one by one."""
    for whole in text.program.statements:
        yield from surface.members(whole)


def _affected(earlier: Sequence[Text], redefined: Set[str]) -> set[str]:
    """The names that have a new meaning: those defined again, the functions that mention one of them, the functions
    that mention these, and so on. A name that is a parameter counts as a mention, too: a value is then unknown without
    need, but never of a wrong type.
    """
    users: dict[str, set[str]] = defaultdict(set)
    for text in earlier:
        for statement in _members(text):
            defined_here = [name.name for name in surface.defined(statement)]
            if not defined_here or _is_value(statement):
                continue
            for part in surface.walk(statement):
                if isinstance(part, nodes.Name):
                    users[part.name].update(defined_here)
    return {*reachable(redefined, lambda name: users.get(name, ()))}


def _all_in_force(
    statements: Iterable[nodes.Statement], redefined: Set[str], affected: Set[str]
) -> tuple[nodes.Statement, ...]:
    """The parts of several statements that are in force."""
    parts: list[nodes.Statement] = []
    for statement in statements:
        parts += _in_force(statement, redefined, affected)
    return tuple(parts)


def _in_force(statement: nodes.Statement, redefined: Set[str], affected: Set[str]) -> Iterator[nodes.Statement]:
    """Yield the parts of a statement that are in force."""
    names = surface.defined(statement)
    remaining = [name for name in names if name.name not in redefined]
    match statement:
        case nodes.Together(definitions=several):
            parts = _all_in_force(several, redefined, affected)
            # All parts of these are such statements: this only tells the type checker.
            definitions = tuple(part for part in parts if isinstance(part, nodes.Definition | nodes.Routine))
            if definitions:
                yield replace(statement, definitions=definitions)
        case nodes.Declarations(section=section):
            statements = _all_in_force(section.statements, redefined, affected)
            yield replace(statement, section=replace(section, statements=statements))
        case nodes.Declaration():
            if remaining:
                yield replace(statement, names=tuple(remaining))
        case nodes.Definition() if _is_value(statement) and _mentions(statement, affected):
            # A pattern, `let x,y = …`, becomes a definition for each name that remains.
            for name in remaining:
                # The value was computed already, and is not computed again. ReadItem may have a result of any type.
                read_item = nodes.Name("ReadItem", span=name.span)
                unknown = nodes.Application(read_item, (), square=False, span=name.span)
                yield replace(statement, heading=name, value=unknown)
        case _ if remaining or not names:
            yield statement


def _is_value(statement: nodes.Statement) -> bool:
    """Whether a statement defines names by a value that is computed once; functions, routines and
    names for expressions (≡) are not values.
    """
    return (
        isinstance(statement, nodes.Definition)
        and statement.sign == "="
        and parameters_of(as_function(statement)) is None
    )


def _mentions(statement: nodes.Statement, names: Set[str]) -> bool:
    """Whether one of these names occurs in a statement, its heading included."""
    return any(isinstance(part, nodes.Name) and part.name in names for part in surface.walk(statement))
