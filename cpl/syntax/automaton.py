"""The parser's automaton, run on the kinds of tokens only, with stacks that can be kept and resumed."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Optional


class Stack(NamedTuple):
    """The stack of an LALR parser without values: a linked list, so that snapshots share their lower parts."""

    state: int
    below: Optional["Stack"]


class Automaton:
    """Lark's parse table; `interactive` is lark's parser at the beginning of a text."""

    def __init__(self, interactive: Any) -> None:
        table = interactive.parser_state.parse_conf.parse_table
        self._states = table.states
        self._start = Stack(interactive.parser_state.position, None)
        self._ends = set(table.end_states.values())

    def advance(self, stack: Stack, kind: str) -> Stack | None:
        """The stack after one more token, None if it cannot follow."""
        while True:
            action = self._states[stack.state].get(kind)
            if action is None:
                return None
            step, argument = action
            if step.name == "Shift":
                return Stack(argument, stack)
            for _ in argument.expansion:
                assert stack.below is not None
                stack = stack.below
            _, goto = self._states[stack.state][argument.origin.name]
            stack = Stack(goto, stack)
            if kind == "$END" and goto in self._ends:
                return stack

    def stacks(self, kinds: Iterable[str]) -> list[Stack]:
        """The stack before each token, and after the last, up to the first token that cannot follow."""
        result = [self._start]
        for kind in kinds:
            after = self.advance(result[-1], kind)
            if after is None:
                break
            result.append(after)
        return result
