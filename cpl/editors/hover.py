"""Facts about the place under the cursor."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import chain

from cpl.compiler.semantics.library import Library
from cpl.compiler.source import Span
from cpl.compiler.syntax.lexer import Token
from cpl.compiler.syntax.tokens import base_of
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
    """Return facts about the name, the binary or octal number, the sign or the word at a place, or None. `quote` makes
    of foreign text what stands among our words.
    """
    for token in analysis.tokens_at(offset):
        meaning = analysis.meaning_of(token.span) if token.kind in NAMES else None
        if isinstance(meaning, Definition):
            return _of_definition(analysis, token.span, meaning, quote)
        if meaning is not None:
            _, words = host_parts(analysis.library, meaning)
            return Hover(token.span, (host_heading(analysis.library, meaning),), words)

        fact = _of_number(token) or _of_sign(analysis, token)
        if fact:
            return fact
    return None


def _of_definition(analysis: Analysis, place: Span, definition: Definition, quote: Callable[[str], str]) -> Hover:
    """Tell how a name is defined, its type, and the shapes that its type names."""
    shapes = analysis.shapes_in(analysis.type_of(definition.span) or "")
    code = [detail(analysis, definition)]
    code += [f"{name} = {shape}" for name, shape in shapes.items()]

    source = definition.span.source
    kind = definition.kind if source == analysis.source else f"{definition.kind}, defined in {quote(source.name)}"
    comment = quote(comment_of(analysis, definition))
    words = f"{kind}\n\n{comment}" if comment else kind
    return Hover(place, tuple(code), words)


def _of_number(token: Token) -> Hover | None:
    """Tell what a binary or an octal number is in decimal; None for what is neither."""
    base = base_of(token.text) if token.kind == "NUMBER" else None
    if base is None:
        return None
    words = f"{base.with_article.capitalize()} number, in decimal.\n\nEvidence: L20, L28."
    return Hover(token.span, (str(int(token.text, 0)),), words)


def _of_sign(analysis: Analysis, written: Token) -> Hover | None:
    """Tell what a sign or a word means where it stands: `=` may define or compare."""
    token = _as_parsed(analysis, written)
    if token is None:
        return None
    key = sign_of(token.kind, token.span.text)
    if key is None:
        return None

    printed, *alternatives = spellings(key) or (key,)
    quoted = [f"`{form}`" for form in alternatives]
    typed = f"typed {' or '.join(quoted)}" if quoted else ""
    sign = SIGNS[key]
    return Hover(token.span, (printed,), "\n\n".join(filter(None, [sign.words, typed, sign.evidence])))


def _as_parsed(analysis: Analysis, written: Token) -> Token | None:
    """The token that the parser sees in place of one that is written: passes of the layout have decided whether an `=`
    defines or compares, and have joined the words of a phrase.
    """
    for token in chain.from_iterable(analysis.layout.statements):
        if token.span.start <= written.span.start < token.span.end:
            return token
    return None


def detail(analysis: Analysis, definition: Definition) -> str:
    """The name with its type, or its heading if it has none."""
    type = analysis.type_of(definition.span)
    return definition.heading if type is None else f"{definition.name} : {type}"


def comment_of(analysis: Analysis, definition: Definition) -> str:
    """The lines of comment directly above a definition that begins its line, or the comment at the end of that line."""
    source = definition.span.source
    start = definition.node.span
    if definition.kind == "parameter" or source.line(start.line)[: start.column - 1].strip():
        return ""
    comments = analysis.comments.get(source.path, {})

    def has_only_comment(line: int) -> bool:
        comment = comments.get(line)
        return comment is not None and not source.line(line)[: comment.span.column - 1].strip()

    first = start.line
    while has_only_comment(first - 1):
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
    host = library.host[name]
    function = getattr(import_module(host.module), name, None)
    if function is None:  # it is part of the language and no function of Python, such as Read
        places = ["place …"] if host.most else []
        return places, ""

    headings = []
    for parameter in inspect.signature(function).parameters.values():
        is_last = parameter.kind == parameter.VAR_POSITIONAL
        headings.append(f"{parameter.name} …" if is_last else parameter.name)
    return headings, inspect.getdoc(function) or ""
