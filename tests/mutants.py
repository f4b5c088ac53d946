"""Mutants: a program with one slip put into it, for every operator of a fixed table and every place where it fits.

From a surface tree to `Mutant`s, whose texts differ from its own in one span. Called by `test_mutants.py`.
"""

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
Slips = Callable[[nodes.Node], Iterator["Slip"]]

_LONGEST: Final = 28
"""How much of a text is shown on either side of a change, in characters."""
_ARITHMETIC: Final = ("PLUS", "MINUS", "TIMES", "DIVIDE", "POWER", "JUXTAPOSED", "MAYBE")
_LOGICAL: Final = ("AND", "OR", "NOT", "EQUIVALENT", "INEQUIVALENT")
_RELATIONS: Final = ("EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST")
_LOOSE: Final = nodes.Conditional | nodes.Where | nodes.Lambda | nodes.ValueBlock
_TYPES: Final = re.compile(r"\b(real|integer|index|complex|Boolean|logical|string)\b")
_OTHERS: Final = ("Boolean", "logical", "string")


@dataclass(frozen=True)
class Slip:
    """New text for the characters of a span; `around` is the node that shows what the slip is. `sites` are the
    expressions whose types it is about: the span itself if nothing is said.
    """

    around: nodes.Node
    span: Span
    text: str
    sites: tuple[Span, ...] | None = None


@dataclass(frozen=True)
class Mutant:
    """A program with `instead` for the characters of one span; `sites` are the expressions whose types it is about."""

    operator: str
    span: Span
    instead: str
    shown: str
    sites: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        """The whole program after the change."""
        text = self.span.source.text
        return text[: self.span.start] + self.instead + text[self.span.end :]

    def __str__(self) -> str:
        return f"{self.span.line}:{self.span.column} {self.operator} {self.shown}"


@dataclass(frozen=True)
class Operator:
    """A kind of slip: `slips` gives those that a node of the surface tree allows."""

    name: str
    about: str
    slips: Slips


def mutants(program: nodes.Program) -> Iterator[Mutant]:
    """All mutants of a program, no text twice."""
    seen = set()
    for node in walk(program):
        for operator in OPERATORS:
            for slip in operator.slips(node):
                key = slip.span.start, slip.span.end, slip.text
                if slip.text != slip.span.text and key not in seen:
                    seen.add(key)
                    sites = (slip.span,) if slip.sites is None else slip.sites
                    yield Mutant(operator.name, slip.span, slip.text, _shown(slip), sites)


def _shown(slip: Slip) -> str:
    """`PCP(P,Φ,s) → PCP(Φ,P,s)`, on one line, with `…` for what is far from the change."""
    source, span = slip.span.source.text, slip.span
    around = _line(span) if isinstance(slip.around, nodes.Number | nodes.String) else slip.around.span
    head, tail = _end(source[around.start : span.start]), _beginning(source[span.end : around.end])
    return f"{head}{_middle(span.text)}{tail} → {head}{_middle(slip.text)}{tail}"


def _line(span: Span) -> Span:
    """The lines on which this stands."""
    text = span.source.text
    end = text.find("\n", span.end)
    return Span(span.source, text.rfind("\n", 0, span.start) + 1, end if end >= 0 else len(text))


def _end(text: str) -> str:
    line = _one_line(text).lstrip()
    return line if len(line) <= _LONGEST else "…" + re.sub(r"^\w+", "", line[-_LONGEST:])


def _beginning(text: str) -> str:
    line = _one_line(text).rstrip()
    return line if len(line) <= _LONGEST else re.sub(r"\w+$", "", line[:_LONGEST]) + "…"


def _middle(text: str) -> str:
    line = _one_line(text)
    return line if len(line) <= 2 * _LONGEST else f"{_beginning(line)} {_end(line)}"


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


# What is put in the place of something


def _instead(around: nodes.Node, old: nodes.Node, text: str, *, loose: bool = False) -> Slip:
    """An operand for another one, in brackets if it is a `loose` text, or would run into what it touches."""
    if old.span.text[0] in RAISED:
        return Slip(around, old.span, f"↑{text}")
    loose = loose or _runs_on(old.span) or any(each is old for each in _operands("JUXTAPOSED", "MAYBE")(around))
    return Slip(around, old.span, f"({text})" if loose else text)


def _runs_on(span: Span) -> bool:
    """Whether a word in this place would touch another one, or be multiplied by the name after it."""
    text = span.source.text
    line = text[span.end :].partition("\n")[0]
    after, _ = tokenize(Source("", line[:_LONGEST])) if line[:1] == " " else ([], [])
    touches = re.match(r"[\w'’”\"∞)\]]", text[span.start - 1 : span.start]) or re.match(r"[\w‘“\"\\∞(\[]", line)
    return bool(touches) or any(token.kind in ("SMALL", "LARGE") for token in after[:1])


def _moved(node: nodes.Node) -> str:
    """The text of a node for another place in a list."""
    return f"({node.span.text})" if isinstance(node, _LOOSE) else node.span.text


def _each(text: str, parts: Parts) -> Slips:
    """The same text in the place of each of these parts of a node."""
    return lambda node: (_instead(node, part, text) for part in parts(node))


def _fewer(parts: Parts) -> Slips:
    """Each of several left out, with the comma beside it."""

    def slips(node: nodes.Node) -> Iterator[Slip]:
        pairs = [*pairwise(parts(node))]
        for one, other in pairs:
            yield Slip(node, one.span.to(other.span), other.span.text, _about(node))
        for one, other in pairs[-1:]:
            yield Slip(node, one.span.to(other.span), one.span.text, _about(node))

    return slips


def _more(text: str, parts: Parts) -> Slips:
    """One more after the last."""
    return lambda node: (Slip(node, last.span, f"{last.span.text},{text}", _about(node)) for last in parts(node)[-1:])


def _fewer_arguments(node: nodes.Node) -> Iterator[Slip]:
    match node:
        case nodes.Application(arguments=(*_, one, other)):
            yield Slip(node, one.span.to(other.span), one.span.text, _about(node))
        case nodes.Application(arguments=(one,)):
            yield Slip(node, one.span, "", _about(node))


def _about(node: nodes.Node) -> tuple[Span, ...]:
    """Whose type hangs on how many members there are."""
    match node:
        case nodes.Bracket(span=span) | nodes.Application(function=nodes.Node(span=span)):
            return (span,)
        case _:
            return ()


def _swapped(node: nodes.Node) -> Iterator[Slip]:
    for one, other in pairwise(_arguments(node)):
        if one != other:
            yield _exchanged(node, one, other)


def _swapped_arm(node: nodes.Node) -> Iterator[Slip]:
    if isinstance(node, nodes.Arm):
        yield _exchanged(node, node.test, node.value)


def _exchanged(around: nodes.Node, one: nodes.Node, other: nodes.Node) -> Slip:
    between = Span(one.span.source, one.span.end, other.span.start).text
    text = _moved(other) + between + _moved(one)
    return Slip(around, one.span.to(other.span), text, (one.span, other.span))


def _function(node: nodes.Node) -> Iterator[Slip]:
    match node:
        case nodes.Application(function=nodes.Name(span=name)):
            yield _instead(node, node, name.text)


def _argument(node: nodes.Node) -> Iterator[Slip]:
    match node:
        case nodes.Application(arguments=(one,)) if not isinstance(one, nodes.TypeName):
            yield _instead(node, node, one.span.text, loose=isinstance(one, _LOOSE | nodes.Chain))


def _listed(node: nodes.Node) -> Iterator[Slip]:
    for each in _arguments(node):
        yield Slip(node, each.span, f"[{each.span.text}]")


def _unlisted(node: nodes.Node) -> Iterator[Slip]:
    match node:
        case nodes.Bracket(items=(one,), square=True):
            yield _instead(node, node, one.span.text, loose=isinstance(one, _LOOSE | nodes.Chain))


def _no_result(node: nodes.Node) -> Iterator[Slip]:
    if isinstance(node, nodes.Result):
        yield Slip(node, node.span, "NewLine[]", ())


def _declared(node: nodes.Node) -> Iterator[Slip]:
    """Types are kept as they are written (T16), so their words are looked for in the text."""
    match node:
        case nodes.FunctionHeading(span=span) | nodes.NodeType(span=span) | nodes.Declaration(span=span):
            words = _TYPES.finditer(span.text)
        case nodes.Definition(words=(_, *_), heading=heading):
            span = node.span
            words = _TYPES.finditer(span.text[: heading.span.start - span.start])
        case _:
            return
    for word in words:
        other = "real" if word[0] in _OTHERS else "string"
        yield Slip(node, Span(span.source, span.start + word.start(), span.start + word.end()), other, ())


# The parts of nodes


def _arguments(node: nodes.Node) -> Sequence[nodes.Node]:
    match node:
        case nodes.Application(arguments=arguments):
            return [each for each in arguments if not isinstance(each, nodes.TypeName)]
        case _:
            return ()


def _components(node: nodes.Node) -> Sequence[nodes.Node]:
    match node:
        case nodes.Bracket(items=items, square=False) if len(items) > 1:
            return items
        case _:
            return ()


def _names(node: nodes.Node) -> Sequence[nodes.Node]:
    """The names of a pattern that is written in brackets."""
    match node:
        case nodes.Pattern(items=items, span=span) if span.text.startswith("("):
            return items
        case _:
            return ()


def _operands(*signs: str) -> Parts:
    """The operands of a chain that stand beside one of these signs."""

    def operands(node: nodes.Node) -> Sequence[nodes.Node]:
        match node:
            case nodes.Chain(items=items):
                padded = (None, *items, None)
                return [
                    item
                    for before, item, after in zip(padded, items, padded[2:], strict=False)
                    if not isinstance(item, nodes.Operator)
                    and any(isinstance(each, nodes.Operator) and each.kind in signs for each in (before, after))
                ]
            case _:
                return ()

    return operands


def _conditions(node: nodes.Node) -> Sequence[nodes.Node]:
    match node:
        case (
            nodes.Arm(test=test)
            | nodes.If(test=test)
            | nodes.Test(condition=test)
            | nodes.While(test=test)
            | nodes.Repeat(test=nodes.Node() as test)
        ):
            return (test,)
        case _:
            return ()


def _alternatives(node: nodes.Node) -> Sequence[nodes.Node]:
    """What a conditional may give."""
    match node:
        case nodes.Conditional(arms=arms, otherwise=otherwise):
            return (*(arm.value for arm in arms), otherwise)
        case _:
            return ()


def _results(node: nodes.Node) -> Sequence[nodes.Node]:
    match node:
        case nodes.Result(value=value):
            return (value,)
        case nodes.Assignment(targets=(nodes.Name(name="result"),), values=values):
            return values
        case _:
            return ()


def _defining(node: nodes.Node) -> Sequence[nodes.Node]:
    """What a definition or an assignment gives to a name."""
    match node:
        case nodes.Definition(heading=nodes.Pattern(), value=nodes.Bracket(items=items)):
            return items
        case nodes.Definition(value=value):
            return (value,)
        case nodes.Assignment(values=values):
            return values
        case _:
            return ()


def _numbers(node: nodes.Node) -> Sequence[nodes.Node]:
    return [node] if isinstance(node, nodes.Number) else ()


def _strings(node: nodes.Node) -> Sequence[nodes.Node]:
    return [node] if isinstance(node, nodes.String) else ()


def _bounds(node: nodes.Node) -> Sequence[nodes.Node]:
    return (node.first, node.step, node.last) if isinstance(node, nodes.ForStep) else ()


def _members(node: nodes.Node) -> Sequence[nodes.Node]:
    return (node.members,) if isinstance(node, nodes.ForList) else ()


def _named(node: nodes.Node) -> Sequence[nodes.Node]:
    """Arguments that are names: of variables, of functions."""
    return [each for each in _arguments(node) if isinstance(each, nodes.Name)]


# The table

OPERATORS: Final = (
    Operator("swap-arguments", "two neighbouring arguments change places", _swapped),
    Operator("swap-arm", "the two sides of `→` change places", _swapped_arm),
    Operator("nil-argument", "`NIL` for an argument", _each("NIL", _arguments)),
    Operator("nil-component", "`NIL` for a component of a tuple", _each("NIL", _components)),
    Operator("nil-operand", "`NIL` for an operand", _each("NIL", _operands(*_LOGICAL, *_ARITHMETIC))),
    Operator("nil-arm", "`NIL` for what a conditional may give", _each("NIL", _alternatives)),
    Operator("nil-result", "`NIL` for a result", _each("NIL", _results)),
    Operator("nil-value", "`NIL` for what is defined or assigned", _each("NIL", _defining)),
    Operator("nil-bound", "`NIL` for what a `for` counts from, by or to", _each("NIL", _bounds)),
    Operator("number-condition", "a number for a condition", _each("1", _conditions)),
    Operator("number-members", "a number for the list that a `for` goes through", _each("1", _members)),
    Operator("number-argument", "a number for a name that is an argument", _each("1", _named)),
    Operator("number-literal", "a number for a string", _each("1", _strings)),
    Operator("string-literal", "a string for a number", _each("‘a’", _numbers)),
    Operator("boolean-literal", "a truth value for a number", _each("true", _numbers)),
    Operator("boolean-operand", "a truth value for an operand of + − × / ↑", _each("true", _operands(*_ARITHMETIC))),
    Operator("list-operand", "a list for an operand of ∧ ∨ ~ + −", _each("[1]", _operands(*_LOGICAL, "PLUS", "MINUS"))),
    Operator("list-compared", "a list for a side of a relation", _each("[1]", _operands(*_RELATIONS))),
    Operator("list-argument", "a list of one for an argument", _listed),
    Operator("member-of-list", "the member for a list of one", _unlisted),
    Operator("fewer-components", "a tuple lacks a component", _fewer(_components)),
    Operator("more-components", "a tuple has one component more", _more("1", _components)),
    Operator("fewer-names", "a tuple is taken apart into one name less", _fewer(_names)),
    Operator("more-names", "a tuple is taken apart into one name more", _more("Extra", _names)),
    Operator("fewer-arguments", "one argument less", _fewer_arguments),
    Operator("more-arguments", "one argument more", _more("1", _arguments)),
    Operator("function-for-value", "a function for its value", _function),
    Operator("argument-for-value", "the argument for the value of the function", _argument),
    Operator("no-result", "a command without a result for `result is`", _no_result),
    Operator("declared-type", "another type in a declaration", _declared),
)
