"""The parser's automaton on kinds of tokens alone, with stacks that can be kept and gone on from.

`repair` tries edits on it.
"""

from collections.abc import Sequence
from typing import Any

from cpl.syntax.lexer import Token


class Stack:
    """The stack of an LALR parser without values, as a chain that snapshots can share."""

    __slots__ = ("below", "state")

    def __init__(self, state: int, below: "Stack | None") -> None:
        self.state = state
        self.below = below


class Automaton:
    """Lark's parse table, run on kinds of tokens alone."""

    def __init__(self, interactive: Any) -> None:
        table = interactive.parser_state.parse_conf.parse_table
        self.states = table.states
        self.start = Stack(interactive.parser_state.position, None)
        self.ends = set(table.end_states.values())

    def advance(self, stack: Stack, kind: str) -> Stack | None:
        """The stack after one more token, None if it cannot follow."""
        while True:
            action = self.states[stack.state].get(kind)
            if action is None:
                return None
            step, argument = action
            if step.name == "Shift":
                return Stack(argument, stack)
            for _ in argument.expansion:
                assert stack.below is not None
                stack = stack.below
            _, goto = self.states[stack.state][argument.origin.name]
            stack = Stack(goto, stack)
            if kind == "$END" and goto in self.ends:
                return stack

    def accepts(self, stack: Stack, kinds: Sequence[str]) -> bool:
        """Whether these tokens and then the end can follow."""
        for kind in kinds:
            after = self.advance(stack, kind)
            if after is None:
                return False
            stack = after
        return self.advance(stack, "$END") is not None

    def run(self, tokens: Sequence[Token]) -> tuple[int | None, Stack]:
        """The index of the first token (or of the end) that cannot follow, and the stack before it.

        The index is None if the tokens make up a whole program.
        """
        stack = self.start
        for at, kind in enumerate([*(token.kind for token in tokens), "$END"]):
            after = self.advance(stack, kind)
            if after is None:
                return at, stack
            stack = after
        return None, stack
