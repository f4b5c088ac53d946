"""What an editor tells of the place under the cursor."""

from collections.abc import Callable

from cpl.edit import host
from cpl.edit.analysis import Analysis
from cpl.edit.definitions import NAMES, Definition
from cpl.edit.signs import SIGNS, sign_of, spellings
from cpl.outside import printable
from cpl.records import dataclass
from cpl.source import Span
from cpl.syntax.lexer import Token


@dataclass(frozen=True)
class Hover:
    """What stands at `span`: a line of `code` for each fact about it, and what there is to say in words (Markdown, if
    foreign text is quoted so).
    """

    span: Span
    code: tuple[str, ...] = ()
    words: str = ""


def hover(analysis: Analysis, offset: int, quote: Callable[[str], str] = printable) -> Hover | None:
    """What is known of the name, the sign or the word at a place; None if nothing is. `quote` makes of foreign text
    what stands among our words.
    """
    found = (_of_name(analysis, each, quote) or _of_sign(analysis, each.span) for each in analysis.tokens_at(offset))
    return next(filter(None, found), None)


def _of_name(analysis: Analysis, token: Token, quote: Callable[[str], str]) -> Hover | None:
    match analysis.meaning_of(token.span) if token.kind in NAMES else None:
        case Definition() as found:
            return Hover(token.span, signature(analysis, found), _about(analysis, found, quote))
        case str(name):
            heading = host.heading(analysis.library, name)
            return Hover(token.span, (heading,), host.words(analysis.library, name))
        case _:
            return None


def _of_sign(analysis: Analysis, place: Span) -> Hover | None:
    """What a sign or a word means where it stands: `=` may define or compare."""
    tokens = (each for statement in analysis.layout.statements for each in statement if each.span.text)
    token = next((each for each in tokens if each.span.start <= place.start < each.span.end), None)
    key = sign_of(token.kind, token.span.text) if token else None
    if token is None or key is None:
        return None
    printed, *others = spellings(key) or (key,)
    typed = f"typed {' or '.join([f'`{each}`' for each in others])}" if others else ""
    return Hover(token.span, (printed,), "\n\n".join(filter(None, [SIGNS[key].words, typed, SIGNS[key].evidence])))


def signature(analysis: Analysis, definition: Definition) -> tuple[str, ...]:
    """How a name is defined, its type, and the shapes that its type names."""
    type = analysis.type_of(definition.span)
    if type is None:
        return (definition.heading,)
    shapes = tuple([f"{name} = {shape}" for name, shape in analysis.shapes_in(type).items()])
    return (f"{definition.name} : {type}", *shapes)


def _about(analysis: Analysis, definition: Definition, quote: Callable[[str], str]) -> str:
    comment = quote(comment_of(analysis, definition))
    source = definition.span.source
    kind = f"{definition.kind}, defined in {quote(source.name)}" if source != analysis.source else definition.kind
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
    return printable("\n".join(lines) or (beside.text.strip() if beside else ""))
