"""Facts about the place under the cursor."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from cpl.compiler.semantics.library import Library
from cpl.compiler.source import Span
from cpl.compiler.syntax.lexer import Token
from cpl.editors.definitions import NAMES, Definition
from cpl.editors.signs import SIGNS, sign_of, spellings
from cpl.editors.text_analysis import Analysis
from cpl.outside import printable


@dataclass(frozen=True)
class Hover:
    """Facts about what stands at `span`: a line of `code` for each fact about it, and what there is to say in words
    (Markdown, if foreign text is quoted so).
    """

    span: Span
    code: tuple[str, ...]
    words: str


def hover(analysis: Analysis, offset: int, quote: Callable[[str], str] = printable) -> Hover | None:
    """Return facts about the name, the sign or the word at a place, or None. `quote` makes of foreign text
    what stands among our words.
    """
    for token in analysis.tokens_at(offset):
        match analysis.meaning_of(token.span) if token.kind in NAMES else None:
            case Definition() as definition:
                return _of_definition(analysis, token.span, definition, quote)
            case str(name):
                _, words = host_parts(analysis.library, name)
                return Hover(token.span, (host_heading(analysis.library, name),), words)
        if sign := _of_sign(analysis, token):
            return sign
    return None


def _of_definition(analysis: Analysis, place: Span, definition: Definition, quote: Callable[[str], str]) -> Hover:
    """Tell how a name is defined, its type, and the shapes that its type names."""
    shapes = analysis.shapes_in(analysis.type_of(definition.span) or "")
    code = (detail(analysis, definition), *(f"{name} = {shape}" for name, shape in shapes.items()))
    source = definition.span.source
    kind = definition.kind if source == analysis.source else f"{definition.kind}, defined in {quote(source.name)}"
    return Hover(place, code, "\n\n".join(filter(None, [kind, quote(comment_of(analysis, definition))])))


def _of_sign(analysis: Analysis, written: Token) -> Hover | None:
    """Tell what a sign or a word means where it stands: `=` may define or compare."""
    tokens = (token for statement in analysis.layout.statements for token in statement if token.span.text)
    token = next((token for token in tokens if token.span.start <= written.span.start < token.span.end), None)
    key = sign_of(token.kind, token.span.text) if token else None
    if token is None or key is None:
        return None
    printed, *alternatives = spellings(key) or (key,)
    typed = f"typed {' or '.join([f'`{form}`' for form in alternatives])}" if alternatives else ""
    return Hover(token.span, (printed,), "\n\n".join(filter(None, [SIGNS[key].words, typed, SIGNS[key].evidence])))


def detail(analysis: Analysis, definition: Definition) -> str:
    """The name with its type, or its heading if it has none."""
    type = analysis.type_of(definition.span)
    return definition.heading if type is None else f"{definition.name} : {type}"


def comment_of(analysis: Analysis, definition: Definition) -> str:
    """The lines of comment directly above a definition that begins its line, or the comment at the end of that line."""
    source, start = definition.span.source, definition.node.span
    if definition.kind == "parameter" or source.line(start.line)[: start.column - 1].strip():
        return ""
    comments = analysis.comments.get(source.path, {})
    first = start.line
    while (above := comments.get(first - 1)) and not source.line(first - 1)[: above.span.column - 1].strip():
        first -= 1
    lines = range(first, start.line) or [start.line]
    return printable("\n".join(comments[line].text.strip() for line in lines if line in comments))


def host_heading(library: Library, name: str) -> str:
    """A function of cplrt with its parameters: `Shift(x,n)`."""
    parameters, _ = host_parts(library, name)
    return f"{name}({','.join(parameters)})"


def host_parts(library: Library, name: str) -> tuple[list[str], str]:
    """The parameters of a function of cplrt, and its docstring. The last parameter ends with … if there may be any
    number of it.
    """
    function = getattr(import_module(library.host[name].module), name, None)
    if function is None:  # it is part of the language and no function of Python, such as Read
        return (["place …"] if library.host[name].most else []), ""
    parameters = inspect.signature(function).parameters.items()
    names = [name if parameter.kind != parameter.VAR_POSITIONAL else f"{name} …" for name, parameter in parameters]
    return names, inspect.getdoc(function) or ""
