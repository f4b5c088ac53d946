"""Mutants: a program with one slip of type in it, for every operator of a fixed table and every place where it fits."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cpl.source import Source, Span
from cpl.syntax import nodes
from cpl.syntax.lexer import RAISED, tokenize
from cpl.syntax.walk import walk

Parts = Callable[[nodes.Node], Sequence[nodes.Node]]
"""Certain parts of a node, if it has any."""
Slip = tuple[Span, str]
"""New text for the characters of a span."""
Slips = Callable[[nodes.Node], Iterator[Slip]]

_ARITHMETIC: Final = ("PLUS", "MINUS", "TIMES", "DIVIDE", "POWER", "JUXTAPOSED", "MAYBE_PRODUCT")
_LOGICAL: Final = ("AND", "OR", "NOT", "EQUIVALENT", "INEQUIVALENT")
_RELATIONS: Final = ("EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST")
_LOOSE: Final = nodes.Conditional | nodes.Where | nodes.Lambda | nodes.ValueBlock
_TYPES: Final = re.compile(r"\b(real|integer|index|complex|Boolean|logical|string)\b")
_NEAR: Final = 28


@dataclass(frozen=True)
class Mutant:
    """A program with `instead` for the characters of one span."""

    operator: str
    span: Span
    instead: str

    @property
    def text(self) -> str:
        """The whole program after the change."""
        text = self.span.source.text
        return text[: self.span.start] + self.instead + text[self.span.end :]


def mutants(program: nodes.Program) -> Iterator[Mutant]:
    """All mutants of a program, no text twice."""
    seen = set()
    for node in walk(program):
        for operator, slips in OPERATORS.items():
            for span, text in slips(node):
                if text != span.text and (span, text) not in seen:
                    seen.add((span, text))
                    yield Mutant(operator, span, text)


def _instead(around: nodes.Node, old: nodes.Node, text: str, *, loose: bool = False) -> Slip:
    """An operand for another one, in brackets if it is a `loose` text, or would run into what it touches."""
    if old.span.text[0] in RAISED:
        return old.span, f"↑{text}"
    loose = loose or _runs_on(old.span) or any(each is old for each in _operands("JUXTAPOSED", "MAYBE_PRODUCT")(around))
    return old.span, f"({text})" if loose else text


def _runs_on(span: Span) -> bool:
    """Whether a word in this place would touch another one, or be multiplied by the name after it."""
    text = span.source.text
    line = text[span.end :].partition("\n")[0]
    after, _ = tokenize(Source("", line[:_NEAR])) if line[:1] == " " else ([], [])
    touches = re.match(r"[\w'’”\"∞)\]]", text[span.start - 1 : span.start]) or re.match(r"[\w‘“\"\\∞(\[]", line)
    return bool(touches) or any(token.kind in ("SMALL", "LARGE") for token in after[:1])


def _each(text: str, parts: Parts) -> Slips:
    """The same text in the place of each of these parts of a node."""
    return lambda node: (_instead(node, part, text) for part in parts(node))


def _fewer(parts: Parts) -> Slips:
    """Each of several left out, with the comma beside it."""

    def slips(node: nodes.Node) -> Iterator[Slip]:
        pairs = [*pairwise(parts(node))]
        for one, other in pairs:
            yield one.span.to(other.span), other.span.text
        for one, other in pairs[-1:]:
            yield one.span.to(other.span), one.span.text

    return slips


def _more(text: str, parts: Parts) -> Slips:
    """One more after the last."""
    return lambda node: ((last.span, f"{last.span.text},{text}") for last in parts(node)[-1:])


def _fewer_arguments(node: nodes.Node) -> Iterator[Slip]:
    match node:
        case nodes.Application(arguments=(*_, one, other)):
            yield one.span.to(other.span), one.span.text
        case nodes.Application(arguments=(one,)):
            yield one.span, ""


def _swapped(node: nodes.Node) -> Iterator[Slip]:
    """Two neighbouring arguments, or the two sides of `→`, change places."""
    parts = (node.test, node.value) if isinstance(node, nodes.Arm) else _arguments(node)
    for one, other in pairwise(parts):
        first, second = (f"({each.span.text})" if isinstance(each, _LOOSE) else each.span.text for each in (one, other))
        between = Span(one.span.source, one.span.end, other.span.start).text
        yield one.span.to(other.span), second + between + first


def _unwrapped(node: nodes.Node) -> Iterator[Slip]:
    """A function or its argument for its value, and the member for a list of one."""
    match node:
        case nodes.Application(function=nodes.Name(span=name), arguments=arguments):
            yield _instead(node, node, name.text)
        case nodes.Bracket(items=(_,) as arguments, square=True):
            pass
        case _:
            return
    if len(arguments) == 1 and not isinstance(arguments[0], nodes.TypeName):
        loose = isinstance(arguments[0], _LOOSE | nodes.Chain)
        yield _instead(node, node, arguments[0].span.text, loose=loose)


def _listed(node: nodes.Node) -> Iterator[Slip]:
    return ((each.span, f"[{each.span.text}]") for each in _arguments(node))


def _no_result(node: nodes.Node) -> Iterator[Slip]:
    if isinstance(node, nodes.Result):
        yield node.span, "NewLine[]"


def _declared(node: nodes.Node) -> Iterator[Slip]:
    """Types are kept as they are written (T16), so their words are looked for in the text."""
    end = node.span.end
    match node:
        case nodes.Definition(words=(_, *_), heading=heading):
            end = heading.span.start
        case nodes.FunctionHeading() | nodes.NodeType() | nodes.Declaration():
            pass
        case _:
            return
    for word in _TYPES.finditer(node.span.source.text, node.span.start, end):
        other = "real" if word[0] in ("Boolean", "logical", "string") else "string"
        yield Span(node.span.source, word.start(), word.end()), other


def _arguments(node: nodes.Node) -> Sequence[nodes.Node]:
    arguments = node.arguments if isinstance(node, nodes.Application) else ()
    return [each for each in arguments if not isinstance(each, nodes.TypeName)]


def _components(node: nodes.Node) -> Sequence[nodes.Node]:
    return node.items if isinstance(node, nodes.Bracket) and not node.square and len(node.items) > 1 else ()


def _names(node: nodes.Node) -> Sequence[nodes.Node]:
    """The names of a pattern that is written in brackets."""
    return node.items if isinstance(node, nodes.Pattern) and node.span.text.startswith("(") else ()


def _operands(*signs: str) -> Parts:
    """The operands of a chain that stand beside one of these signs."""

    def operands(node: nodes.Node) -> Sequence[nodes.Node]:
        padded = (None, *node.items, None) if isinstance(node, nodes.Chain) else ()
        return [
            item
            for before, item, after in zip(padded, padded[1:], padded[2:], strict=False)
            if item is not None and not isinstance(item, nodes.Operator)
            if any(isinstance(each, nodes.Operator) and each.kind in signs for each in (before, after))
        ]

    return operands


def _conditions(node: nodes.Node) -> Sequence[nodes.Node]:
    match node:
        case nodes.Arm(test=test) | nodes.If(test=test) | nodes.Test(condition=test) | nodes.While(test=test):
            return (test,)
        case nodes.Repeat(test=nodes.Node() as test):
            return (test,)
        case _:
            return ()


def _alternatives(node: nodes.Node) -> Sequence[nodes.Node]:
    """What a conditional may give."""
    return (*(arm.value for arm in node.arms), node.otherwise) if isinstance(node, nodes.Conditional) else ()


def _values(node: nodes.Node) -> Sequence[nodes.Node]:
    """Results, and what a definition or an assignment gives to a name."""
    match node:
        case nodes.Definition(heading=nodes.Pattern(), value=nodes.Bracket(items=items)):
            return items
        case nodes.Definition(value=value) | nodes.Result(value=value):
            return (value,)
        case nodes.Assignment(values=values):
            return values
        case _:
            return ()


def _of(kind: type[nodes.Node], *fields: str) -> Parts:
    """These fields of one kind of node; the node itself if none is named."""
    return lambda node: ([getattr(node, each) for each in fields] or [node]) if isinstance(node, kind) else ()


OPERATORS: Final[dict[str, Slips]] = {
    "swap": _swapped,
    "nil-argument": _each("NIL", _arguments),
    "nil-component": _each("NIL", _components),
    "nil-operand": _each("NIL", _operands(*_LOGICAL, *_ARITHMETIC)),
    "nil-arm": _each("NIL", _alternatives),
    "nil-value": _each("NIL", _values),
    "nil-bound": _each("NIL", _of(nodes.ForStep, "first", "step", "last")),
    "number-condition": _each("1", _conditions),
    "number-members": _each("1", _of(nodes.ForList, "members")),
    "number-argument": _each("1", lambda node: [each for each in _arguments(node) if isinstance(each, nodes.Name)]),
    "number-literal": _each("1", _of(nodes.String)),
    "string-literal": _each("‘a’", _of(nodes.Number)),
    "boolean-literal": _each("true", _of(nodes.Number)),
    "boolean-operand": _each("true", _operands(*_ARITHMETIC)),
    "list-operand": _each("[1]", _operands(*_LOGICAL, "PLUS", "MINUS")),
    "list-compared": _each("[1]", _operands(*_RELATIONS)),
    "list-argument": _listed,
    "unwrapped": _unwrapped,
    "fewer-components": _fewer(_components),
    "more-components": _more("1", _components),
    "fewer-names": _fewer(_names),
    "more-names": _more("Extra", _names),
    "fewer-arguments": _fewer_arguments,
    "more-arguments": _more("1", _arguments),
    "no-result": _no_result,
    "declared-type": _declared,
}
