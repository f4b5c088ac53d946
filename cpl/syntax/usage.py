"""What is usual in CPL, learnt from sound texts: which token stands after which, and what stands within what."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from typing import Final

from cpl.syntax import nodes, within
from cpl.syntax.lexer import Token

_CONTEXT: Final = 3  # tokens before, at the most
_LOSS: Final = 0.9
_SHAPES: Final = {"SECTION": "§", "OPEN": "§", "CLOSE": "§"}


class Usage:
    """What some texts make usual: how often what stands after what, and how often within what."""

    def __init__(self) -> None:
        self.order: Counter[tuple[str, ...]] = Counter()
        self.shapes: Counter[tuple[str, ...]] = Counter()

    def add(self, other: "Usage") -> None:
        """What another text makes usual too."""
        self.order.update(other.order)
        self.shapes.update(other.shapes)

    def learn_order(self, tokens: Sequence[Token]) -> None:
        """Which token stands after up to three others."""
        signs = _signs(tokens)
        for at in range(len(signs)):
            for length in range(min(_CONTEXT, at) + 1):
                self.order[tuple(signs[at - length : at + 1])] += 1
                self.order[(*signs[at - length : at], "")] += 1  # the context, whatever follows

    def learn_shapes(self, program: nodes.Program) -> None:
        """Which expressions are an argument, a test, an operand …"""
        for slot, shape in _filled(program):
            for length in range(len(slot) + 1):
                self.shapes[(*slot[:length], shape)] += 1
                self.shapes[(*slot[:length], "")] += 1

    def order_likeness(self, tokens: Sequence[Token]) -> float:
        """The logarithm of how likely the tokens are, one after the other."""
        signs = _signs(tokens)
        return sum(self._likely_next(signs, at) for at in range(1, len(signs)))

    def _likely_next(self, signs: Sequence[str], at: int) -> float:
        loss = 0.0
        for length in range(min(_CONTEXT, at), -1, -1):
            seen = self.order[tuple(signs[at - length : at + 1])]
            if seen:
                return log(seen / self.order[(*signs[at - length : at], "")]) - loss
            loss += _LOSS
        return log(1e-4) - loss

    def shapes_likeness(self, program: nodes.Program) -> float:
        """The logarithm of how likely it is that each place holds what it holds."""
        return sum(self._likely_within(slot, shape) for slot, shape in _filled(program))

    def _likely_within(self, slot: tuple[str, ...], shape: str) -> float:
        """Each more exact name of the place corrects what the one before says, the more the oftener it was seen."""
        chance = 1 / _SHAPES_IN_ALL
        for length in range(len(slot) + 1):
            seen = self.shapes[(*slot[:length], shape)]
            chance = (seen + _WEIGHT * chance) / (self.shapes[(*slot[:length], "")] + _WEIGHT)
        return log(chance)


def _signs(tokens: Sequence[Token]) -> list[str]:
    kinds = (
        each.text if each.kind == "LARGE" else _SHAPES.get(each.kind, each.kind)
        for each in tokens
        if each.kind != "NEWLINE"
    )
    return ["", *kinds, ""]


_WEIGHT: Final = 3.0
_SHAPES_IN_ALL: Final = 20


def _filled(program: nodes.Program) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each place where an expression stands, named ever more exactly, and what stands there."""
    for node in within.walk(program):
        match node:
            case nodes.Definition(heading=heading, value=value):
                yield ("defined", type(heading).__name__), _shape(value)
            case nodes.Application(function=nodes.Name(name=name) as function, arguments=arguments):
                yield ("function",), _shape(function)
                for index, argument in enumerate(arguments):
                    yield ("argument", name, str(index)), _shape(argument)
            case nodes.Application(function=function, arguments=arguments):
                yield ("function",), _shape(function)
                for argument in arguments:
                    yield ("argument",), _shape(argument)
            case nodes.Arm(test=test, value=value):
                yield ("test",), _shape(test)
                yield ("value", "arm"), _shape(value)
            case nodes.Conditional(otherwise=otherwise):
                yield ("value", "otherwise"), _shape(otherwise)
            case nodes.Result(value=value):
                yield ("value", "result"), _shape(value)
            case nodes.If(test=test) | nodes.While(test=test) | nodes.Test(condition=test):
                yield ("test",), _shape(test)
            case nodes.Repeat(test=test) if test:
                yield ("test",), _shape(test)
            case nodes.Chain(items=items):
                signs = [item.kind for item in items if isinstance(item, nodes.Operator)]
                for item in items:
                    if not isinstance(item, nodes.Operator):
                        yield ("operand", signs[0]), _shape(item)
            case nodes.Bracket(items=items, square=square) if square or len(items) > 1:
                for item in items:
                    yield ("member", "List" if square else "Bracket"), _shape(item)


def _shape(node: nodes.Expression) -> str:
    """What kind of expression it is: of a chain its operators, of a bracket round one expression what is in it."""
    match node:
        case nodes.Bracket(square=True):
            return "List"
        case nodes.Bracket(items=(only,)):
            return _shape(only)
        case nodes.Chain(items=items):
            return " ".join(sorted({item.kind for item in items if isinstance(item, nodes.Operator)}))
        case _:
            return type(node).__name__
