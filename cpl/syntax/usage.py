"""What is usual in CPL: how often each token stands after the ones before it, learnt from sound texts."""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import Final

from cpl.syntax.lexer import Token

_CONTEXT: Final = 3  # tokens before, at the most
_LOSS: Final = 0.9
_SHAPES: Final = {"SECTION": "§", "OPEN": "§", "CLOSE": "§"}


class Usage:
    """What stands after what in sound CPL: how usual a token is after up to three others."""

    def __init__(self, parts: Sequence[Sequence[Token]]) -> None:
        self._counts: Counter[tuple[str, ...]] = Counter()
        for part in parts:
            shapes = self._shapes(part)
            for at in range(len(shapes)):
                for length in range(min(_CONTEXT, at) + 1):
                    self._counts[tuple(shapes[at - length : at + 1])] += 1
                    self._counts[(*shapes[at - length : at], "")] += 1  # the context, whatever follows

    @staticmethod
    def _shapes(tokens: Sequence[Token]) -> list[str]:
        kinds = (
            each.text if each.kind == "LARGE" else _SHAPES.get(each.kind, each.kind)
            for each in tokens
            if each.kind != "NEWLINE"
        )
        return ["", *kinds, ""]

    def likeness(self, tokens: Sequence[Token]) -> float:
        """The logarithm of how likely the tokens are, one after the other."""
        shapes = self._shapes(tokens)
        return sum(self._likely(shapes, at) for at in range(1, len(shapes)))

    def _likely(self, shapes: Sequence[str], at: int) -> float:
        loss = 0.0
        for length in range(min(_CONTEXT, at), -1, -1):
            seen = self._counts[tuple(shapes[at - length : at + 1])]
            if seen:
                return log(seen / self._counts[(*shapes[at - length : at], "")]) - loss
            loss += _LOSS
        return log(1e-4) - loss
