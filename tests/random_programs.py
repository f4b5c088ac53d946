"""Random CPL programs whose values fit each other, as text, for hypothesis to draw and to shrink.

They end: a function calls earlier ones only. They may fault: a list may be empty, a block may end without a result.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

Draw = st.DrawFn

# The same examples in every run of CI: a new one that fails is found where it can be looked into.
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=bool(os.environ.get("CI")))
PARTS = range(8)

KINDS = ("number", "boolean", "logical", "list", "pair")
NAMES = ("x", "y", "z", "a", "σ", "x'", "Φ", "Phi", "X", "Yz", "L")


# A program is a thousand draws: to make a strategy for each takes longer than to draw.
_one_of = cache(st.sampled_from)
_between = cache(st.integers)
_either = st.booleans()
_two_names = st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True)


@dataclass
class Writer:
    """Draws one program. `functions` are those defined so far: name, kinds of the parameters, kind of the result."""

    draw: Draw
    functions: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    budget: int = 60
    loops: int = 0

    def choose(self, *options):
        return self.draw(_one_of(options))

    def number(self, low: int, high: int) -> int:
        return self.draw(_between(low, high))

    def program(self) -> str:
        lines = []
        for index in range(self.number(1, 4)):
            name = f"F{index}"
            kinds = tuple(self.choose(*KINDS) for _ in range(self.number(0, 3)))
            names = self.draw(st.lists(st.sampled_from(NAMES), min_size=len(kinds), max_size=len(kinds), unique=True))
            result = self.choose(*KINDS)
            self.budget = 40
            body = self.expression(result, dict(zip(names, kinds, strict=True)), indent="    ")
            lines.append(f"{name}({','.join(names)}) = {body}")
            self.functions.append((name, kinds, result))
        return "\n\n".join(lines) + "\n"

    def call(self) -> str:
        """A call of the last function with constant arguments."""
        name, kinds, _ = self.functions[-1]
        self.budget = 0
        return f"{name}({','.join(self.expression(kind, {}, '') for kind in kinds)})"

    def expression(self, kind: str, scope: dict[str, str], indent: str) -> str:
        self.budget -= 1
        names = [name for name, known in scope.items() if known == kind]
        if names and self.draw(_either):
            return self.choose(*names)
        if self.budget <= 0:
            return self.constant(kind)
        match self.number(0, 9):
            case 0:
                return self.constant(kind)
            case 1 | 2:
                return self.conditional(kind, scope, indent)
            case 3 | 4:
                return self.block(kind, scope, indent)
            case 6:
                local = [name for name, known in scope.items() if known == f"function of {kind}"]
                if local:
                    return f"{self.choose(*local)}[{self.expression('number', scope, indent)}]"
            case 7:
                name, known = self.choose(*NAMES), self.choose(*KINDS)
                value = self.expression(known, scope, indent)
                return f"({self.expression(kind, scope | {name: known}, indent)} where {name} = {value})"
            case 5:
                calls = [each for each in self.functions if each[2] == kind]
                if calls:
                    name, kinds, _ = self.choose(*calls)
                    return f"{name}({','.join(self.expression(each, scope, indent) for each in kinds)})"
        return self.operation(kind, scope, indent)

    def constant(self, kind: str) -> str:
        match kind:
            case "number":
                return str(self.number(0, 9))
            case "boolean":
                return self.choose("true", "false")
            case "logical":
                return f"Logical({self.number(0, 15)})"
            case "list":
                return self.choose("NIL", "[1]", "[2,3]")
            case _:
                return "(1,true)"

    def operand(self, kind: str, scope: dict[str, str], indent: str) -> str:
        """An expression that can stand beside an operator."""
        text = self.expression(kind, scope, indent)
        plain = (
            text.isalnum()
            or text.endswith("'")
            or (text.startswith(("F0", "F1", "F2", "Logical")) and "\n" not in text)
        )
        return text if plain else f"({text})"

    def operation(self, kind: str, scope: dict[str, str], indent: str) -> str:
        def sub(each: str) -> str:
            return self.operand(each, scope, indent)

        match kind:
            case "number":
                sign = self.choose("+", "-", "×", "- (-", "head", "chain")
                if sign == "head":
                    return f"Head({sub('list')})"
                if sign == "chain":
                    return f"-{sub('number')} + 2{sub('number')} - {sub('number')}×{sub('number')}"
                return f"{sub('number')} {sign} {sub('number')}{')' if '(' in sign else ''}"
            case "boolean":
                sign = self.choose("∧", "∨", "~", "<", "=", "null", "chain", "mixed")
                if sign in "∧∨":
                    return f"{sub('boolean')} {sign} {sub('boolean')}"
                if sign == "~":
                    return f"~{sub('boolean')}"
                if sign == "null":
                    return f"Null({self.expression(self.choose('list', 'logical'), scope, indent)})"
                if sign == "chain":
                    return f"{sub('number')} ≤ {sub('number')} < {sub('number')}"
                if sign == "mixed":
                    return f"~{sub('boolean')} ∧ {sub('number')} > {sub('number')} + 1 ∨ {sub('boolean')}"
                return f"{sub('number')} {sign} {sub('number')}"
            case "logical":
                sign = self.choose("∧", "∨", "+", "-", "~", "shift", "digit", "chain")
                if sign == "~":
                    return f"~{sub('logical')}"
                if sign == "shift":
                    return f"Shift({self.expression('logical', scope, indent)},{self.number(-3, 3)})"
                if sign == "digit":
                    return f"SingleDigitFrom({self.expression('logical', scope, indent)})"
                if sign == "chain":
                    return f"{sub('logical')} - {sub('logical')} ∧ ~{sub('logical')} + {sub('logical')}"
                return f"{sub('logical')} {sign} {sub('logical')}"
            case "list":
                if self.draw(_either):
                    return f"Tail({self.expression('list', scope, indent)})"
                return f"Join({self.expression('number', scope, indent)},{self.expression('list', scope, indent)})"
            case _:
                return f"({self.expression('number', scope, indent)},{self.expression('boolean', scope, indent)})"

    def conditional(self, kind: str, scope: dict[str, str], indent: str) -> str:
        arms = [
            f"{self.operand('boolean', scope, indent)} → {self.expression(kind, scope, indent)}, "
            for _ in range(self.number(1, 2))
        ]
        return f"({''.join(arms)}{self.expression(kind, scope, indent)})"

    def block(self, kind: str, scope: dict[str, str], indent: str, changing: frozenset[str] = frozenset()) -> str:
        """A value block. It assigns to its own variables, and to those that are `changing`: an operand must not."""
        inner = indent + "   "
        if self.number(0, 4) == 0:
            name = {"result": kind}
            before = {key: known for key, known in scope.items() if key != "result"}  # it has no value yet
            commands = [f"result := {self.expression(kind, before, inner)}"]
            commands += self.commands(kind, scope | name, inner, changing | {"result"}, early=False)
            return "(result of § " + f"\n{inner}".join(commands) + " §|)"
        commands = self.commands(kind, dict(scope), inner, changing)
        if self.number(0, 9):
            commands.append(f"result is {self.expression(kind, scope | self.last_scope, inner)}")
        else:
            commands.append(f"if false then result is {self.constant(kind)}")
        return "(value of § " + f"\n{inner}".join(commands) + " §|)"

    def commands(
        self, kind: str, scope: dict[str, str], indent: str, changing: frozenset[str], *, early: bool = True
    ) -> list[str]:
        """Commands that may give a result `early`, of this kind."""
        commands = []
        for _ in range(self.number(0, 3) if self.budget > 0 else 0):
            match self.number(0, 9):
                case 0 | 1:
                    name, known = self.choose(*NAMES), self.choose(*KINDS)
                    if self.number(0, 2):
                        value = self.expression(known, scope, indent)
                    else:  # alone on its side: what it does to other variables is seen by nobody else meanwhile
                        value = self.block(known, scope, indent, changing)
                    commands.append(f"let {name} = {value}")
                    scope[name] = known
                    changing |= {name}
                case 2:
                    names = self.draw(_two_names)
                    commands.append(f"let ({','.join(names)}) = {self.expression('pair', scope, indent)}")
                    scope |= dict(zip(names, ("number", "boolean"), strict=True))
                    changing |= {*names}
                case 3 if early:
                    test = self.operand("boolean", scope, indent)
                    commands.append(f"if {test} then result is {self.expression(kind, scope, indent)}")
                case 9:
                    name, known = self.choose("f", "g", "h"), self.choose(*KINDS)
                    parameter = self.choose(*NAMES)
                    sign = self.choose("=", "≡")
                    body = self.expression(known, scope | {parameter: "number"}, indent)
                    commands.append(f"let {name}[{parameter}] {sign} {body}")
                    scope[name] = f"function of {known}"
                case 4:
                    commands += self.assignment(scope, indent, changing)
                case 5 | 6:
                    commands += self.loop(kind, scope, indent, changing, early=early)
                case 7:
                    test = self.operand("boolean", scope, indent)
                    first, second = (self.nested(kind, scope, indent, changing, early=early) for _ in range(2))
                    commands.append(f"test {test} then do {first} or do {second}")
                case _:
                    test = self.operand("boolean", scope, indent)
                    word = self.choose(f"if {test} then ", f"unless {test} do ", "")
                    commands.append(word + self.nested(kind, scope, indent, changing, early=early))
        self.last_scope = scope
        return commands

    def nested(
        self, kind: str, scope: dict[str, str], indent: str, changing: frozenset[str], *, early: bool, last: str = ""
    ) -> str:
        """A section; a command may be the `last` in it."""
        inside = self.commands(kind, dict(scope), indent + "   ", changing, early=early)
        body = f"\n{indent}   ".join([*inside, last] if last else inside)
        return f"§ {body} §|" if body else "§ let z' = 1 §|"

    def assignment(self, scope: dict[str, str], indent: str, changing: frozenset[str]) -> list[str]:
        """One variable, or several at once, or one that a condition chooses."""
        names = sorted(name for name in scope if name in changing and scope[name] in KINDS)
        if not names:
            return []
        chosen = self.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
        values = [self.expression(scope[name], scope, indent) for name in chosen]
        others = [name for name in names if scope[name] == scope[chosen[0]]]
        if self.draw(_either):
            test = self.operand("boolean", scope, indent)
            chosen[0] = f"({test} → {chosen[0]}, {self.choose(*others)})"
        return [f"{', '.join(chosen)} := {', '.join(values)}"]

    def loop(
        self, kind: str, scope: dict[str, str], indent: str, changing: frozenset[str], *, early: bool
    ) -> list[str]:
        """A loop that ends: its counter is nobody else's."""
        self.loops += 1
        counter = "c" + "'" * self.loops
        leave = f"if {self.operand('boolean', scope, indent)} then break" if self.number(0, 3) == 0 else ""
        match self.number(0, 3):
            case 0:
                inside = scope | {counter: "number"}
                body = self.nested(kind, inside, indent, changing, early=early, last=leave)
                return [
                    f"for {counter} = step {self.number(0, 3)}, {self.choose(1, -1, 2)}, {self.number(0, 3)} do {body}"
                ]
            case 1:
                members = self.choose("[1,2,3]", "[4]", "NIL")
                inside = scope | {counter: "number"}
                body = self.nested(kind, inside, indent, changing, early=early, last=leave)
                return [f"for {counter} = {members} do {body}"]
            case 2:
                body = self.nested(kind, scope, indent, changing, early=early, last=leave)
                word = self.choose(f"while {counter} > 0", f"until {counter} = 0")
                return [f"let {counter} = {self.number(0, 3)}", f"{word} do § {counter} := {counter} - 1\n {body} §|"]
            case _:
                body = self.nested(kind, scope, indent, changing, early=early, last=leave)
                word = self.choose(f"repeat while {counter} > 0", f"repeat until {counter} ≤ 0")
                return [f"let {counter} = {self.number(0, 3)}", f"§ {counter} := {counter} - 1\n {body} §| {word}"]


@st.composite
def programs(draw: Draw) -> tuple[str, str]:
    """A program and a call of its last function."""
    writer = Writer(draw)
    text = writer.program()
    return text, writer.call()


def try_programs(check: Callable[[tuple[str, str]], None], part: int, examples: int) -> None:
    """Check a part of so many random programs. The parts are tests of their own, so that processes can share them."""
    trial = settings(SLOW, max_examples=-(-examples // len(PARTS)))(given(programs())(check))
    if os.environ.get("CI"):
        trial = seed(part)(trial)  # else they were the same in every part
    trial()
