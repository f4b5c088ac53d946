"""What an editor shows about the place under the cursor.

In this text, for example,

    || The area of a rectangle.
    Area[w, h] = w × h
    Floor = Area[3, 2.5]

the hover of `Area` in the last line has the code `Area : (integer, real) ⇒ real`, and the words "function" and "The
area of a rectangle."
"""

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
    """The facts about what stands at `span`.

    `code` are lines in the notation of CPL: a name with its type, or a sign as it is printed. `words` are paragraphs of
    English, to be read as Markdown; names of files and comments in them are quoted as the caller of `hover` wanted.
    """

    span: Span
    code: tuple[str, ...]
    words: str


def hover(analysis: Analysis, offset: int, quote: Callable[[str], str] = printable) -> Hover | None:
    """Return the facts about the name, the binary or octal number, the sign or the word at a place; None if nothing can
    be said about it.

    `quote` writes the names of files and the comments, which come from others, so that they do no harm where the words
    are shown: in Markdown, for example, they must not become links or HTML.
    """
    for token in analysis.tokens_at(offset):
        meaning = analysis.meaning_of(token.span) if token.kind in NAMES else None
        match meaning:
            case Definition():
                return _of_definition(analysis, token.span, meaning, quote)
            case str(host_name):
                return _of_host(analysis.library, token.span, host_name)

        found = _of_number(token) or _of_sign(analysis, token)
        if found:
            return found
    return None


def _of_definition(analysis: Analysis, place: Span, definition: Definition, quote: Callable[[str], str]) -> Hover:
    """Tell how a name is defined, its type, and what the shapes are that its type names, as in

    LegalPositionsFrom : Position ⇒ Position list
    Position = (logical, logical, logical, integer)
    """
    type = analysis.type_of(definition.span)
    shapes = analysis.shapes_in(type) if type else {}
    code = [detail(analysis, definition)]
    code += [f"{name} = {shape}" for name, shape in shapes.items()]

    words: str = definition.kind
    source = definition.span.source
    if source != analysis.source:
        words += f", defined in {quote(source.name)}"
    comment = quote(comment_of(analysis, definition))
    if comment:
        words += f"\n\n{comment}"
    return Hover(place, tuple(code), words)


def _of_host(library: Library, place: Span, name: str) -> Hover:
    """Tell the parameters and the docstring of a function of cplrt."""
    parameters, words = host_parts(library, name)
    return Hover(place, (_heading(name, parameters),), words)


def _of_number(token: Token) -> Hover | None:
    """Tell what a binary or an octal number is in decimal; None for any other token."""
    base = base_of(token.text) if token.kind == "NUMBER" else None
    if base is None:
        return None
    decimal = str(int(token.text, 0))
    words = f"{base.with_article.capitalize()} number, in decimal.\n\nEvidence: L20, L28."
    return Hover(token.span, (decimal,), words)


def _of_sign(analysis: Analysis, written: Token) -> Hover | None:
    """Tell what a sign or a word means where it stands: `=` may define or compare. None for names, numbers and
    strings.
    """
    token = _as_parsed(analysis, written)
    if token is None:
        return None
    # As it stands in the text: the `text` of a section bracket, for one, is only its tag.
    key = sign_of(token.kind, token.span.text)
    if key is None:
        return None

    forms = spellings(key) or (key,)  # a word has no other spellings
    printed, *alternatives = forms
    sign = SIGNS[key]
    paragraphs = [sign.words]
    if alternatives:
        quoted = [f"`{form}`" for form in alternatives]
        paragraphs.append(f"typed {' or '.join(quoted)}")
    if sign.evidence:
        paragraphs.append(sign.evidence)
    return Hover(token.span, (printed,), "\n\n".join(paragraphs))


def _as_parsed(analysis: Analysis, written: Token) -> Token | None:
    """Return the token that the parser sees in place of one that is written: passes of the layout have decided whether
    an `=` defines or compares, and have joined the words of a phrase.
    """
    for token in chain.from_iterable(analysis.layout.statements):
        if token.span.start <= written.span.start < token.span.end:
            return token
    return None


def detail(analysis: Analysis, definition: Definition) -> str:
    """Return a name with its type, `Area : (real, real) ⇒ real`; if the type is not known, the name as it is defined,
    `Area[w, h]`.
    """
    type = analysis.type_of(definition.span)
    return definition.heading if type is None else f"{definition.name} : {type}"


def comment_of(analysis: Analysis, definition: Definition) -> str:
    """Return the lines of comment directly above a definition; if there are none, the comment at the end of its first
    line. A parameter, and a definition that does not begin its line, have no comment of their own.
    """
    source = definition.span.source
    start = definition.node.span
    if definition.kind == "parameter" or not _begins_its_line(start):
        return ""
    comments = analysis.comments.get(source.path, {})

    def has_only_comment(line: int) -> bool:
        return line in comments and _begins_its_line(comments[line].span)

    first = start.line
    while has_only_comment(first - 1):
        first -= 1
    lines_above = [*range(first, start.line)]
    lines = lines_above or [start.line]
    texts = [comments[line].text.strip() for line in lines if line in comments]
    return printable("\n".join(texts))


def _begins_its_line(span: Span) -> bool:
    """Whether nothing stands before a place in its line but what joins it to another definition: `and`, `let … in`."""
    before = span.source.line(span.line)[: span.column - 1].split()
    return before in ([], ["and"]) or (before[0] == "let" and before[-1] == "in")


def host_heading(library: Library, name: str) -> str:
    """Return a function of cplrt with its parameters: `Shift(x,n)`."""
    parameters, _ = host_parts(library, name)
    return _heading(name, parameters)


def _heading(name: str, parameters: list[str]) -> str:
    return f"{name}({','.join(parameters)})"


def host_parts(library: Library, name: str) -> tuple[list[str], str]:
    """Return the parameters of a function of cplrt, and its docstring. The last parameter ends with … if it stands for
    any number of arguments.
    """
    host = library.host[name]
    function = getattr(import_module(host.module), name, None)
    if function is None:
        # It has no function of its own in Python, such as Read: the compiler writes out its calls, since they assign to
        # the places that are its arguments.
        takes_arguments = host.most > 0
        places = ["place …"] if takes_arguments else []
        return places, ""

    headings = []
    for parameter in inspect.signature(function).parameters.values():
        is_repeated = parameter.kind == parameter.VAR_POSITIONAL
        headings.append(f"{parameter.name} …" if is_repeated else parameter.name)
    return headings, inspect.getdoc(function) or ""
