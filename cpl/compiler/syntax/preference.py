"""`prefer index` (evidence G5): in the rest of its section, constants and names without a type are index.

    prefer index                                prefer index
    if A = ‘<’ do A := ‘*n’           means     if A = 60 do A := 10
    Write[‘,’, A/2]                             Write[‘,’, Quotient[A,2]]

So a string of one symbol is its code there (G16), but not where it is written (G17), and `/` is Quotient: the text that
attests `prefer` divides an index by 10 until it is less than 1 (G19). A name keeps the type of its value (T6), as that
text makes arrays in such a section, too. The tree of the text is changed, and nothing else has to know of it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from cpl.compiler.syntax import nodes
from cpl.compiler.syntax.lexer import symbols_of


def with_preferences(statements: Iterable[nodes.Statement]) -> tuple[nodes.Statement, ...]:
    """The statements of a section or a text; after a `prefer` of whole numbers, all constants in them are whole."""
    kind = ""
    result = []
    for statement in statements:
        result.append(_in_whole_numbers(statement) if kind in _WHOLE else statement)
        kind = statement.kind if isinstance(statement, nodes.Preference) else kind
    return tuple(result)


_WHOLE: Final = ("index", "integer")


def _in_whole_numbers(part: Any) -> Any:
    """A node, or several, with codes in place of single symbols, and whole quotients."""
    match part:
        case tuple():
            return tuple(map(_in_whole_numbers, part))
        case nodes.String(text=text) if len(symbol := symbols_of(text)) == 1:
            return nodes.Number(str(ord(symbol)), symbol, span=part.span)
        case nodes.Operator(kind="DIVIDE"):
            return replace(part, kind="QUOTIENT")
        case nodes.Application(function=nodes.Name(name="Write" | "WriteLine" | "AsWritten"), arguments=arguments):
            items = [item if isinstance(item, nodes.String) else _in_whole_numbers(item) for item in arguments]
            return replace(part, arguments=tuple(items))
        case nodes.Node():
            fields: tuple[str, ...] = part.__match_args__
            return replace(part, **{name: _in_whole_numbers(getattr(part, name)) for name in fields})
        case _:
            return part
