"""The parser's automaton, run on the kinds of tokens only, with stacks that can be kept and resumed."""

from collections.abc import Iterable
from typing import Any

Stack = tuple[int, Any]
"""The stack of an LALR parser without values: a state and the stack below it, which several stacks can share."""


class Automaton:
    """Lark's parse table; `interactive` is lark's parser at the beginning of a text."""

    def __init__(self, interactive: Any) -> None:
        table = interactive.parser_state.parse_conf.parse_table
        self._states = table.states
        self._start: Stack = (interactive.parser_state.position, None)
        self._ends = set(table.end_states.values())

    def advance(self, stack: Stack, kind: str) -> Stack | None:
        """The stack after one more token, None if it cannot follow."""
        while action := self._states[stack[0]].get(kind):
            step, argument = action
            if step.name == "Shift":
                return argument, stack
            for _ in argument.expansion:
                stack = stack[1]
            _, goto = self._states[stack[0]][argument.origin.name]
            stack = (goto, stack)
            if kind == "$END" and goto in self._ends:
                return stack
        return None

    def stacks(self, kinds: Iterable[str]) -> list[Stack]:
        """The stack before each token, and after the last, up to the first token that cannot follow."""
        result = [self._start]
        for kind in kinds:
            after = self.advance(result[-1], kind)
            if after is None:
                break
            result.append(after)
        return result
