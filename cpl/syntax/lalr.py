"""A parser that runs by LALR(1) tables: tokens to a tree of the grammar's rules.

`cpl.syntax.tables` has lark make the tables. To run by them takes this page; to import lark takes longer than to parse
most programs.
"""

from collections.abc import Sequence
from typing import Any, Final

from cpl.records import dataclass, field
from cpl.syntax.lexer import Token

END: Final = "$END"
"""The terminal behind the last token."""


class Tree:
    """What a rule, or one of its alternatives by its alias, is made of: trees and tokens."""

    __slots__ = ("children", "data")

    def __init__(self, data: str, children: "list[Tree | Token]") -> None:
        self.data = data
        self.children = children


@dataclass(frozen=True)
class Refused:
    """No text of the grammar begins with the tokens up to this index; if it is their number, they are too few."""

    at: int


Rule = tuple[str, int, str, bool, list[tuple[int, bool]]]
"""What a reduction does: the symbol that it gives, of how many symbols, the name of its tree, whether a tree of one
child is that child alone, and which symbols are kept: their indices, and whether it is their children that are kept.
"""


@dataclass(frozen=True)
class Tables:
    """A parser's tables: for each state what to do at a terminal, and where a symbol leads: to a state, or ~n for the
    reduction by rule n. `starts` and `ends` have the first and the last state for each start symbol.
    """

    states: list[dict[str, int]]
    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]
    terminals: frozenset[str] = field(default=frozenset(), compare=False)

    def parse(self, tokens: Sequence[Token], start: str) -> Tree | Refused:
        """The tree of the tokens, or where they cannot go on."""
        states = [self.starts[start]]
        values: list[Any] = []
        for at, token in enumerate(tokens):
            if not self._feed(states, values, token.kind, token):
                return Refused(at)
        return values[-1] if self._feed(states, values, END, None, self.ends[start]) else Refused(len(tokens))

    def allowed(self, tokens: Sequence[Token], start: str) -> set[str]:
        """The terminals that may follow these tokens, which must not be refused."""
        states = [self.starts[start]]
        for token in tokens:
            self._feed(states, [], token.kind, token, built=False)
        end = self.ends[start]
        return {kind for kind in self.states[states[-1]] if kind.isupper() and self._accepts([*states], kind, end)}

    def _accepts(self, states: list[int], kind: str, end: int) -> bool:
        return self._feed(states, [], kind, None, end if kind == END else -1, built=False)

    def _feed(
        self, states: list[int], values: list[Any], kind: str, token: Token | None, end: int = -1, *, built: bool = True
    ) -> bool:
        """Go on by a terminal, which is shifted unless the `end` state is reached; False if it is refused."""
        while (action := self.states[states[-1]].get(kind)) is not None:
            if action >= 0:
                states.append(action)
                values.append(token)
                return True
            origin, count, name, is_single, kept = self.rules[~action]
            if count:
                del states[-count:]
            if built:
                children = values[-count:] if count else []
                del values[len(values) - count :]
                values.append(_reduced(children, name, is_single, kept))
            states.append(self.states[states[-1]][origin])
            if states[-1] == end:
                return True
        return False


def _reduced(given: list[Any], name: str, is_single: bool, kept: list[tuple[int, bool]]) -> Tree | Token:
    children: list[Tree | Token] = []
    for at, is_spread in kept:
        if is_spread:
            children += given[at].children
        else:
            children.append(given[at])
    return children[0] if is_single and len(children) == 1 else Tree(name, children)
