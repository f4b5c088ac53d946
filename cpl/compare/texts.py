"""Differences between the texts of two programs: definitions added, removed and changed, compared as trees.

Blanks, comments and line ends do not count; the text that is shown is verbatim.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from operator import ne
from textwrap import dedent
from typing import Any, Final, Literal

from cpl.compiler import Meaning
from cpl.source import Span
from cpl.syntax import nodes, walk

COMMANDS: Final = "commands"
"""The name given to the commands of the top level, which have none. No CPL name looks like it."""

ChangeKind = Literal["added", "removed", "changed"]
Row = Sequence[nodes.Node]
NodePair = tuple[nodes.Node | None, nodes.Node | None]


@dataclass(frozen=True)
class ChangedPiece:
    """The smallest expressions or commands of a definition that are not the same; one of them is empty where something
    is missing.

    `edits` turn the one into the other, wherever in the definition it stands: what to write in place of what. There are
    none for what one side lacks.
    """

    definition: str
    before: str
    after: str
    edits: tuple[tuple[Span, str], ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Change:
    """A definition that is not the same on both sides: its CPL verbatim, and what is different within it.

    `before` or `after` is empty if the definition is on one side only; `pieces` are empty if the
    two have nothing in common. Places are as editors take them, `strachey.cpl:44:1`.
    """

    name: str
    kind: ChangeKind
    before: str = ""
    after: str = ""
    place_before: str = ""
    place_after: str = ""
    pieces: tuple[ChangedPiece, ...] = ()


def changes(left: Meaning, right: Meaning) -> list[Change]:
    """Return all definitions that are not the same, companions' and libraries' too, in the order of the texts."""
    before, after = _definitions(left), _definitions(right)
    rows = {name: (before.get(name, ()), after.get(name, ())) for name in (before | after)}
    return [_change(name, old, new) for name, (old, new) in rows.items() if old != new]


def _definitions(meaning: Meaning) -> dict[str, Row]:
    """Return every definition by the names that it gives; of two of one name the one that the program uses."""
    definitions: dict[str, Row] = {}
    for text in (meaning.main, *meaning.library.libraries, *meaning.library.companions):
        commands = []
        for part in (part for statement in text.program.statements for part in walk.members(statement)):
            if names := [name.name for name in walk.defined(part)]:
                definitions.setdefault(",".join(names), (part,))
            elif not isinstance(part, nodes.Get):
                commands.append(part)
        if commands:
            definitions.setdefault(COMMANDS, commands)
    return definitions


def _change(name: str, old: Row, new: Row) -> Change:
    kind: ChangeKind = "added" if not old else "removed" if not new else "changed"
    texts, places = (_text(old), _text(new)), (_place(old), _place(new))
    pieces: dict[tuple[str, str], list[tuple[Span, str]]] = {}  # each once, with the edits of all that are like it
    if kind == "changed":
        for before, after in _aligned(old, new) if name == COMMANDS else _pairs(old[0], new[0]):
            edits = pieces.setdefault((_bare(before), _bare(after)), [])
            if before and after:
                edits.append((before.span, after.span.text))
    pieces.pop(texts, None)
    changed = [ChangedPiece(name, *piece, tuple(edits)) for piece, edits in pieces.items()]
    return Change(name, kind, *texts, *places, tuple(changed))


def _pairs(old: Any, new: Any) -> list[NodePair]:
    """Return the smallest parts of two nodes that differ; None stands for one that is missing."""
    if old == new:
        return []
    if type(old) is not type(new) or isinstance(old, nodes.Operator | nodes.Parameter):
        return [(old, new)]
    fields = zip(walk.values(old), walk.values(new), strict=True)
    inner = [_within(old, mine, yours) for mine, yours in fields if mine != yours]
    return [(old, new)] if None in inner else [pair for pairs in inner for pair in pairs or ()]


def _within(node: nodes.Node, old: Any, new: Any) -> list[NodePair] | None:
    """Return what differs in one field of a node; None if the node itself is the smallest thing to show."""
    match node, old, new:
        case _, nodes.Node(), nodes.Node():
            return _pairs(old, new)
        case ((nodes.Section() | nodes.Conditional() | nodes.Declarations() | nodes.Where()), tuple(), tuple()):
            return _aligned(old, new)
        case nodes.Chain(), tuple(), tuple() if 2 * sum(map(ne, old, new)) > len(old) // 2 + 1:
            return None
        case _, tuple(), tuple() if len(old) == len(new) and all(map(_may_be_compared, old, new)):
            return [pair for members in zip(old, new, strict=True) for pair in _pairs(*members)]
        case _:
            return None


def _may_be_compared(old: Any, new: Any) -> bool:
    """Whether two members of a row may be compared by themselves: operators must be the same."""
    return old == new or isinstance(old, nodes.Node) and not isinstance(old, nodes.Operator)


def _aligned(old: Row, new: Row) -> list[NodePair]:
    """Return what differs between two rows of statements or arms, some of which only one side has."""
    rows = (row for part in _paired(old, new, key=lambda node: node) for row in _paired(*part, key=_heading))
    return [pair for row in rows for members in zip_longest(*row) for pair in _pairs(*members)]


def _paired(old: Row, new: Row, key: Callable[[nodes.Node], Any]) -> Iterator[tuple[Row, Row]]:
    """Yield parts of two rows that belong together, as what is between them has the same keys, but no equal ones."""
    matcher = SequenceMatcher(None, [*map(key, old)], [*map(key, new)], autojunk=False)
    for operation, first, last, start, end in matcher.get_opcodes():
        if operation != "equal" or old[first:last] != new[start:end]:
            yield old[first:last], new[start:end]


def _heading(node: nodes.Node) -> Any:
    """Return the kind of a statement, and its heading if it has one: by these a changed statement is recognised."""
    return type(node), getattr(node, "heading", None)


def _bare(node: nodes.Node | None) -> str:
    """Return a node's CPL, without the brackets round all of it."""
    while isinstance(node, nodes.Bracket) and len(node.items) == 1 and not node.square:
        [node] = node.items
    return node.span.text if node is not None else ""


def _text(statements: Row) -> str:
    """Join the texts of statements, each with its own indentation, so that columns stay aligned."""
    texts = [(" " * (node.span.column - 1) + node.span.text).replace("\r\n", "\n") for node in statements]
    return "\n".join(map(dedent, texts))


def _place(statements: Row) -> str:
    """Return where statements begin, as `strachey.cpl:44:1`; nothing for a side that has none."""
    return "".join(f"{node.span.source.name}:{node.span.line}:{node.span.column}" for node in statements[:1])
