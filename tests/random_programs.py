"""Random CPL programs over the whole language, as text, for hypothesis to draw and to shrink.

They end: a function applies earlier ones only, and loops count. They may fault: a list may be empty, a variable without
a value.
"""

import os
import re
from collections.abc import Callable

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from random_commands import MODES, TURNS, Commands
from random_expressions import FURNITURE, KINDS, NAMES, VALUES, Scope

from cpl.records import dataclass, replace

# The same examples in every run of CI: a new one that fails is found where it can be looked into.
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=bool(os.environ.get("CI")))
PARTS = range(2)
GLOBAL_TURNS = [each for each in TURNS if "go to" not in each and "integer" not in each]
"""Those without what the top level does not have, or not twice."""


class Writer(Commands):
    """Draws one program."""

    def program(self) -> str:
        """Definitions and commands, one after the other; a name of the top level may be defined again."""
        self.outermost = scope = Scope(alone=True)
        pieces = []
        for _ in range(self.number(1, 5)):
            self.budget = 30
            pieces.append(self.piece(scope))
        return "\n\n".join(pieces) + "\n"

    def furniture(self, text: str) -> list[str]:
        """What the text refers to."""
        return [defined for used, defined in FURNITURE.items() if re.search(rf"\b({used})\b", text)]

    def piece(self, scope: Scope) -> str:
        match self.number(0, 10):
            case 0 | 1 | 2 | 3:
                return self.global_function(scope)
            case 4 | 5:
                return self.global_routine(scope)
            case 6 | 7:
                return self.global_variable(scope)
            case 8 if numbers := scope.names("number"):
                return "\n".join(self.turned(numbers, GLOBAL_TURNS, scope))
            case _:
                inner = replace(scope, kinds=dict(scope.kinds))
                return self.choose("", "if true then ") + self.nested(inner, *self.end(scope))

    def end(self, scope: Scope) -> list[str]:
        return [f"if {self.operand('boolean', scope)} then finish"] if self.number(0, 4) == 4 else []

    def parameters(self, most: int) -> list[str]:
        return self.draw(st.lists(st.sampled_from(NAMES), max_size=most, unique=True))

    def global_function(self, scope: Scope) -> str:
        names, kind = self.parameters(3), self.choose(*KINDS)
        earlier = [name for name, _, _ in self.functions]
        is_again = bool(earlier) and self.number(0, 3) == 0
        name = self.choose(*earlier) if is_again else self.fresh("F")
        kinds = [self.choose(*KINDS) for _ in names]
        before, own = self.own_variable()
        inside = scope.operand().with_names(own | dict(zip(names, kinds, strict=True)))
        if self.number(0, 1):
            body = self.expression(kind, inside)
        else:
            changing = frozenset(each for each, known in zip(names, kinds, strict=True) if known in VALUES)
            body = self.block(kind, replace(inside, changing=changing))
        sign = self.choose("=", "≡")
        self.functions = [each for each in self.functions if each[0] != name] + [(name, tuple(kinds), kind)]
        return f"{before or 'let ' * is_again}{name}({','.join(names)}) {sign} {body}"

    def own_variable(self) -> tuple[str, dict[str, str]]:
        """What stands before a definition: perhaps a variable that nothing else sees."""
        match self.number(0, 2):
            case 0 | 1 as bare:
                return ("", "let ")[bare], {}
        name = self.choose(*NAMES)
        return f"let {name} = {self.expression('number', Scope())} in ", {name: "number"}

    def global_routine(self, scope: Scope) -> str:
        name, names = self.fresh("Q"), self.parameters(3)
        modes = [(self.choose(*MODES), "number") for _ in names]
        inside = replace(scope.inner(), early="return")
        for each, (mode, kind) in zip(names, modes, strict=True):
            inside.define(each, kind, fixed=mode == "substitution")
        body = self.nested(inside, *self.choose("", "return").split())
        self.routines.append((name, modes))
        specified = ", ".join(f"{mode} {each}" for each, (mode, _) in zip(names, modes, strict=True))
        return f"let {name}[{specified}] be {body}"

    def global_variable(self, scope: Scope) -> str:
        """A variable or several, perhaps instead of an earlier one of the same kind."""
        kind = self.choose(*KINDS)
        earlier = scope.names(kind) if self.number(0, 2) == 0 else []
        name = self.choose(*earlier) if earlier else self.fresh("V")
        if kind == "pair":
            other = self.fresh("V")
            text = f"({name},{other}) = {self.expression(kind, scope)}"
            scope.define(name, "number", fixed=True)
            scope.define(other, "boolean", fixed=True)
            return text
        text = f"let {name} = {self.expression(kind, scope)}"
        scope.define(name, kind)
        return text

    def call(self) -> str:
        """A list of values that show what the program does: variables, and functions applied to constants."""
        self.budget = 0
        functions = self.functions
        calls = [
            f"{name}({','.join(self.expression(kind, Scope()) for kind in kinds)})" for name, kinds, _ in functions
        ]
        return f"[{','.join([*self.outermost.kinds, *calls])}]"


@dataclass(frozen=True)
class Program:
    """A program, and a call that shows what it does."""

    text: str
    call: str

    def __repr__(self) -> str:
        return f"\n{self.text}\n|| and then {self.call}\n"


@st.composite
def programs(draw: st.DrawFn) -> Program:
    writer = Writer(draw)
    text, call = writer.program(), writer.call()
    return Program("\n".join([*writer.furniture(text + call), text]), call)


def try_programs(check: Callable[[Program], None], part: int, examples: int) -> None:
    """Check a part of so many random programs. The parts are tests of their own, so that processes can share them."""
    trial = settings(SLOW, max_examples=-(-examples // len(PARTS)))(given(programs())(check))
    if os.environ.get("CI"):
        trial = seed(part)(trial)  # else they were the same in every part
    trial()
