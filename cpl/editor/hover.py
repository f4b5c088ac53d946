"""What an editor tells of the place under the cursor."""

from cpl.editor import host
from cpl.editor.analysis import Analysis
from cpl.editor.definitions import Definition
from cpl.records import dataclass
from cpl.source import Span


@dataclass(frozen=True)
class Hover:
    """What stands at `span`: a line of `code` for each fact about it, and what there is to say in words (Markdown)."""

    span: Span
    code: tuple[str, ...] = ()
    words: str = ""


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """What is known of the name at a place; None if there is no name that means anything."""
    token = analysis.name_at(offset)
    match analysis.meaning_of(token.span) if token else None:
        case Definition() as found if token:
            return Hover(token.span, signature(analysis, found), _about(analysis, found))
        case str(name) if token:
            return Hover(token.span, (host.heading(analysis.library, name),), host.words(analysis.library, name))
        case _:
            return None


def signature(analysis: Analysis, definition: Definition) -> tuple[str, ...]:
    """How a name is defined, its type, and the shapes that its type names."""
    type = analysis.type_of(definition.span)
    if type is None:
        return (definition.heading,)
    shapes = tuple([f"{name} = {shape}" for name, shape in analysis.shapes_in(type).items()])
    return (f"{definition.name} : {type}", *shapes)


def _about(analysis: Analysis, definition: Definition) -> str:
    comment = comment_of(analysis, definition)
    source = definition.span.source
    kind = f"{definition.kind}, defined in {source.name}" if source != analysis.source else definition.kind
    return "\n\n".join(filter(None, [kind, comment]))


def comment_of(analysis: Analysis, definition: Definition) -> str:
    """The lines of comment directly above a definition that begins its line, or the comment at the end of that line."""
    source, start = definition.span.source, definition.node.span
    if definition.kind == "parameter" or source.line(start.line)[: start.column - 1].strip():
        return ""
    program = next((text.program for text in analysis.texts if text.source == source), None)
    comments = {each.span.line: each for each in program.comments} if program else {}
    line = definition.node.span.line
    lines: list[str] = []
    while (above := comments.get(line - 1)) and not source.line(line - 1)[: above.span.column - 1].strip():
        lines.insert(0, above.text.strip())
        line -= 1
    beside = comments.get(definition.node.span.line)
    return "\n".join(lines) or (beside.text.strip() if beside else "")
