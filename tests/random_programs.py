"""Random CPL programs whose values fit each other, as text, for hypothesis to draw and to shrink.

They use the whole language. They end: a function calls earlier ones only, and a loop has a counter that nobody else
changes. They may fault: a list may be empty, a block may end without a result, a variable may have no value.
"""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from random_expressions import (
    CONSTANTS,
    FUNCTIONS,
    KINDS,
    NAMES,
    PLAIN,
    PRELUDE,
    Around,
    Expressions,
    Signature,
    either,
)

# The same examples in every run of CI: a new one that fails is found where it can be looked into.
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=bool(os.environ.get("CI")))
PARTS = range(8)
BUDGET = 30
"""How many expressions a definition has, about."""


TURNS: Final = (
    "let f[u] {sign} u + 10{n}; {n} := {=number}; {m} := f[{m}]",
    "let g = λu. u; for k = 1, 2, 3 do § let w = k + {n}; let f[u] {sign} u + 10w; if k = 2 do g := f; w := w + 1 §|; "
    "{n} := g[{m}]",
    "let F = NIL; for k = 1, 2 do § let w = k; let f[u] {sign} u + w; F := Join([f],F); w := 10w §|; {n} := F[0][{m}]",
    "let t {sign} {n} + 10{m}; {n} := {=number}; {m} := t",
    "let t ≃ ({=boolean} → {n}, {m}); {n} := {=number}; t := t + 10{m}",
    "let p = Pointer[{n}]; {n} := {=number}; ↓p := ↓p + 10{m}",
    "let Swap[ref u, w] be u, w := w, u; Swap[{n},{m}]",
    "let Twice[substitution u, ref w] be § w := u; w := u + 1 §|; Twice[{n} + 10{m},{n}]",
    "let v = Filled({=number}); let k = 1; k, v[k] := 2, {=number}; {n} := 10v[1] + v[k]",
    "let v = Filled({n}); let t ≃ v[{=index}]; t := {=number}; {n} := 100v[0] + 10v[1] + v[3]",
    "let v = Filled({n}); let w = v; w[0] := {=number}; {n} := 10v[0] + v[1]",
    "let c = Cons[{n},NIL]; let d = c; Car[d], {n} := {=number}, {m}; {m} := {m} + 10Car[c]",
    "let k = {=number} in f[u] ≡ value of § k := k + u; result is k §|; {n} := f[1]; {m} := f[2] + 10{n}",
    "let rec f[u] {sign} u ≤ 0 → {=number}, f[u - 1] + 1; {n} := f[3]",
    "go to {boolean} → A, B; {n} := {=number}; A: {n} := 10{m}; B: {m} := {=number}",
    "let M = [1,2]; for k = M do § M := Tail(M); {n} := 10{n} + k §|",
    "for k = step {n}, 1, {n} + 2 do § {n} := {n} + 1; {m} := {m} + 10k §|",
    "let b = {n} and c = {m}; b, c := c, b; {n} := 10b + c; {m}, {n} := {n}, {m}",
    "real k; if {boolean} then k := 1; {n} := k",
)
"""What variables can be put through, in one section: `n` and `m` are two of those that may change, or one twice.
The other names are none of `NAMES`.
"""


class Program:
    """A text, and an expression that can be evaluated with it."""

    def __init__(self, text: str, call: str) -> None:
        self.text = text
        self.call = call

    def __repr__(self) -> str:
        return f"\n{self.text}|| {self.call}\n"  # to be read where a test fails


Commands = tuple[list[str], Around]
"""Commands, and what may be used after them."""

Leave = tuple[str, ...]
"""How commands may end early: by `result is` and a kind, by `return`, or not at all."""


class Writer(Expressions):
    """Draws one program."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(draw)
        self.routines: list[str] = []
        self.effects: list[Signature] = []  # functions that change variables of their own
        self.outermost = Around(indent="", alone=True)
        self.count = 0  # of counters and labels
        self.shared: set[str] = set()  # names of places that have others

    def program(self) -> "Program":
        """Definitions and commands, and a call of the function that comes last."""
        parts = [self.definition(number) for number in range(self.number(1, 4))]
        parts.append(self.function("Last"))
        self.budget = 0
        call = self.call(self.functions[-1], Around())
        text = "".join(f"{part}\n" for part in parts)
        before = "".join(prelude for names, prelude in PRELUDE.items() if re.search(names, text + call))
        return Program(before + text, call)

    # Definitions

    def definition(self, number: int) -> str:
        """A definition of the outermost level, or a command there."""
        self.budget = BUDGET
        match self.number(0, 9):
            case 0 | 1:
                return self.routine(f"R{number}")
            case 2:
                return self.own(f"E{number}")
            case 3:
                return self.variable(f"V{number}")
            case 4 | 5 | 6:
                return self.section(self.outermost)
            case _:
                return self.function(f"F{number}")

    def function(self, name: str) -> str:
        """`F(x,y) = body`"""
        self.budget = BUDGET
        kinds = tuple(self.choose(*KINDS) for _ in range(self.number(0, 3)))
        names = self.draw(st.lists(st.sampled_from(NAMES), min_size=len(kinds), max_size=len(kinds), unique=True))
        result = self.choose("number", "number", *PLAIN, "node", "array")
        around = replace(self.outermost, alone=False, changing=frozenset(), indent="    ")
        for each, kind in zip(names, kinds, strict=True):
            around = around.with_name(each, kind)
        body = self.expression(result, around) if self.number(0, 2) == 0 else self.block(result, around)
        sign = self.choose("=", "=", "≡")
        mode = self.choose("", "", "", "ref ", "substitution ") if names else ""
        opening, closing = "[]" if mode else self.choose("()", "[]")
        self.functions.append(Signature(name, kinds, result))
        return f"let {name}{opening}{mode}{','.join(names)}{closing} {sign} {body}"

    def routine(self, name: str) -> str:
        """`routine R[ref x, value y, substitution z] be §…§`"""
        body = self.routine_body(self.outermost)
        self.routines.append(name)
        return f"{self.choose('let ', 'routine ', 'let rec routine ')}{name}{body}"

    def routine_body(self, around: Around) -> str:
        """Parameters and commands of a routine that is given a place, and something by value or by substitution."""
        place, other = self.draw(_two_names)
        mode = self.choose("value", "substitution")
        around = replace(around, changing=frozenset(), own=frozenset())
        inside = around.with_name(other, "number").with_name(place, "number", changing=True)
        self.shared.add(place)
        commands, _ = self.commands(inside.deeper(), ("return",))
        last = f"{place} := {self.expression('number', inside)}"
        return _lines(f"[ref {place}, {mode} {other}] be §", [*commands, last], "§|", inside.deeper())

    def own(self, name: str) -> str:
        """A function that keeps a variable of its own."""
        inside = Around().with_name("n", "number").with_name("x", "number")
        value = self.expression("number", inside)
        self.effects.append(Signature(name, ("number",), "number"))
        return f"let n = {self.number(0, 3)} in {name}[x] ≡ value of § n := {value}; result is n §|"

    def variable(self, name: str) -> str:
        """A variable of the outermost level, or two at once."""
        if self.number(0, 3) == 0:
            value = self.expression("pair", self.outermost)
            self.outermost = self.outermost.with_name(name, "number", changing=True)
            self.outermost = self.outermost.with_name(f"{name}'", "boolean", changing=True)
            return f"let ({name},{name}') = {value}"
        kind = self.choose(*KINDS)
        value = self.expression(kind, self.outermost)
        self.outermost = self.outermost.with_name(name, kind, changing=kind in PLAIN)
        return f"let {name} = {value}"

    # Blocks and commands

    def block(self, kind: str, around: Around) -> str:
        """A value block. It assigns to its own variables; where it stands alone, to others too."""
        inside = around.deeper()
        if self.number(0, 4) == 0:
            first = f"result := {self.expression(kind, inside.without('result'))}"
            commands, _ = self.commands(inside.with_name("result", kind, changing=kind in PLAIN))
            return _lines("(result of §", [first, *commands], "§|)", inside)
        commands, after = self.commands(inside, ("result is", kind))
        counts = [name for name in after.names("number") if name in after.changing]
        if kind == "number" and counts:
            last = f"result is {' + 10'.join(counts)}"  # what was done to them is seen
        elif self.number(0, 9):
            last = f"result is {self.expression(kind, after)}"
        else:
            last = f"if false then result is {self.choose(*CONSTANTS[kind])}"
        return _lines("(value of §", [*commands, last], "§|)", inside)

    def section(self, around: Around, leave: Leave = (), last: str = "") -> str:
        """A section; a command may be the `last` in it."""
        commands, _ = self.commands(around.deeper(), leave)
        counts = sorted(around.changing & {*around.names("number")})
        if counts and (not commands or self.draw(either)):
            name = self.choose(*counts)
            commands.insert(0, f"{name} := {name} + 1")
        return _lines("§", [*commands, last] if last else commands or ["let z = 1"], "§|", around.deeper())

    def commands(self, around: Around, leave: Leave = ()) -> Commands:
        """Commands one after the other."""
        written: list[str] = []
        for _ in range(self.number(0, 3) if self.budget > 0 else 0):
            self.budget -= 1
            lines, around = self.command(around, leave)
            written += lines
        return written, around

    def command(self, around: Around, leave: Leave) -> Commands:
        """A command, or several that belong together."""
        match self.number(0, 24 if around.alone else 19):
            case 0 | 1:
                return self.let(around)
            case 2:
                return self.let_two(around)
            case 3:
                return self.let_function(around)
            case 4:
                return self.let_own(around)
            case 5 | 6:
                return self.assignment(around)
            case 7:
                return self.member_assignment(around)
            case 8 | 9:
                return self.loop(around, leave)
            case 10 if leave:
                return [f"if {self.operand('boolean', around)} then {self.leaving(around, leave)}"], around
            case 11:
                return self.jump(around, leave)
            case 13:
                return self.share(around)
            case 14:
                cases = [f"{head}: {self.section(around, leave)}" for head in ("case 0", "case 1, 2", "default")]
                switched = self.expression("number", around)
                return [_lines(f"switch {switched} into §", cases, "§|", around.deeper())], around
            case 15 | 16 | 17 | 18 | 19 if around.changing & {*around.names("number")} - self.shared:
                return self.turn(around)
            case number if number > 19:
                return self.effect(around)
        test = self.operand("boolean", around)
        first, second = self.section(around, leave), self.section(around, leave)
        form = self.choose("test {0} then do {1} or do {2}", "if {0} then {1}", "unless {0} do {1}", "{1}")
        return [form.format(test, first, second)], around

    def leaving(self, around: Around, leave: Leave) -> str:
        """`result is …`, or `return`"""
        word, *kinds = leave
        return " ".join([word, *(self.expression(kind, around) for kind in kinds)])

    # Variables of blocks

    def let(self, around: Around) -> Commands:
        """A variable; with a type it may get its value later."""
        name, kind = self.choose(*NAMES), self.choose("number", "number", *KINDS)
        value = self.block(kind, around) if self.number(0, 2) == 0 else self.expression(kind, around)
        after = around.with_name(name, kind, changing=kind in PLAIN)
        if kind == "number" and self.number(0, 2) == 0:
            later = self.expression(kind, around.without(name))
            return [f"{self.choose('real', 'integer', 'index', 'general')} {name}", f"{name} := {later}"], after
        if kind == "array" and self.draw(either):
            value = f"Array[real,(0,{self.number(1, 3)})]"
        return [f"let {name} = {value}"], after

    def let_two(self, around: Around) -> Commands:
        """Two variables at once, by two values or by the parts of one."""
        first, second = self.draw(_two_names)
        if self.draw(either):
            text = f"let ({first},{second}) = {self.expression('pair', around)}"
        else:
            text = f"let {first} = {self.operand('number', around)} and {second} = {self.operand('boolean', around)}"
        return [text], around.with_name(first, "number", changing=True).with_name(second, "boolean", changing=True)

    def let_function(self, around: Around) -> Commands:
        """A function within a function; it may be a routine."""
        if around.alone and self.draw(either):
            name = f"P{self.fresh()}"
            return [f"let {name}{self.routine_body(around)}"], around.with_name(name, "routine")
        name, parameter = self.choose(*FUNCTIONS), self.choose(*NAMES)
        body = self.expression("number", around.beside_others().with_name(parameter, "number"))
        return [f"let {name}[{parameter}] {self.choose('=', '≡')} {body}"], around.with_name(name, "function")

    def let_own(self, around: Around) -> Commands:
        """An array or a node whose members may be assigned to."""
        name, kind = self.choose(*NAMES), self.choose("array", "node")
        form = "Filled({=number})" if kind == "array" else "Cons[{=number},NIL]"
        return [f"let {name} = {self.filled(form, around)}"], around.with_name(name, kind, own=True)

    def share(self, around: Around) -> Commands:
        """Another name for a place, or a pointer to it."""
        places = self.places(around)
        if not places:
            return self.let(around)
        place, name, pointer = self.choose(*places), self.choose(*NAMES), self.choose("p", "q")
        self.shared |= {place, name}
        if self.draw(either):
            return [f"let {name} ≃ {place}"], around.with_name(name, "number", changing=True)
        value = self.expression("number", around.without(pointer))
        return [f"let {pointer} = Pointer[{place}]", f"↓{pointer} := {value}"], around.with_name(pointer, "pointer")

    # Assignments and effects

    def places(self, around: Around) -> list[str]:
        """Places that hold numbers."""
        own = [f"{name}[{index}]" for name in sorted(around.own & {*around.names("array")}) for index in range(4)]
        components = [f"Car[{name}]" for name in sorted(around.own & {*around.names("node")})]
        return [*sorted(around.changing & {*around.names("number")}), *own, *components]

    def assignment(self, around: Around) -> Commands:
        """One variable, or several at once, or one that a condition chooses."""
        names = sorted(around.changing - self.shared)
        if not names:
            return self.member_assignment(around)
        chosen = self.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
        kinds = [around.kinds[name] for name in chosen]
        if kinds == ["number", "boolean"] and self.draw(either):
            return [f"({','.join(chosen)}) := {self.expression('pair', around)}"], around
        values = [self.expression(kind, around) for kind in kinds]
        others = [name for name in names if around.kinds[name] == kinds[0]]
        if self.draw(either):
            chosen[0] = f"({self.operand('boolean', around)} → {chosen[0]}, {self.choose(*others)})"
        return [f"{', '.join(chosen)} := {', '.join(values)}"], around

    def member_assignment(self, around: Around) -> Commands:
        """A place that need not be a variable."""
        places = self.places(around)
        if not places:
            return self.let(around)
        value = self.expression("number", around)
        arrays = sorted(around.own & {*around.names("array")})
        if not arrays or self.draw(either):
            return [f"{self.choose(*places)} := {value}"], around
        array = self.choose(*arrays)
        if self.draw(either):
            return [f"{array}[1], {array}[2] := {array}[2], {value}"], around
        return [f"{array}[{self.expression('index', around)}] := {value}"], around

    def effect(self, around: Around) -> Commands:
        """What does something besides: writes, calls a routine or a function with a variable of its own, ends all."""
        places = self.places(around)
        routines = [*self.routines, *around.names("routine")]
        match self.number(0, 5):
            case 0 | 1 if places and routines:
                place = self.choose(*places)
                if self.number(0, 3) == 0:
                    place = f"({self.operand('boolean', around)} → {place}, {self.choose(*places)})"
                return [f"{self.choose(*routines)}[{place},{self.expression('number', around)}]"], around
            case 2 if self.effects:
                name = self.choose(*NAMES)
                text = f"let {name} = {self.call(self.choose(*self.effects), around)}"
                return [text], around.with_name(name, "number", changing=True)
            case 3:
                return [f"if {self.operand('boolean', around)} then finish"], around
            case 4:
                return [f"{self.choose('', 'unless true do ')}NewLine[]"], around
        written = self.expression(self.choose(*PLAIN), around)
        return [f"{self.choose('Write', 'WriteOn')}[{written}]"], around

    def turn(self, around: Around) -> Commands:
        """One of the `TURNS`."""
        counts = sorted(around.changing & {*around.names("number")} - self.shared)
        signs = {"n": self.choose(*counts), "m": self.choose(*counts), "sign": self.choose("=", "≡")}
        form = re.sub(r"\{(n|m|sign)\}", lambda match: signs[match[1]], self.choose(*TURNS))
        return [_lines("§", self.filled(form, around.beside_others()).split("; "), "§|", around.deeper())], around

    # Loops and jumps

    def fresh(self) -> int:
        """A number that no other counter or label has."""
        self.count += 1
        return self.count

    def jump(self, around: Around, leave: Leave) -> Commands:
        """Jumps back as long as a counter says so, jumps forward over some commands, jumps out of a loop."""
        number = self.fresh()
        counter, label, other, go = f"C{number}", f"L{number}", f"L{number}'", self.choose("go to", "goto")
        test = self.operand("boolean", around)
        inside = around.with_name(counter, "number")
        start, count = f"let {counter} = {self.number(1, 3)}", f"{counter} := {counter} - 1"
        match self.number(0, 3):
            case 0:
                body, end = self.section(inside, leave), f"if {counter} > 0 then {go} {label}"
                return [start, f"{label}: {count}", body, end], inside
            case 1:
                body, end = self.section(inside, leave), f"{other}: {self.section(inside, leave)}"
                return [
                    start,
                    f"{label}: if {counter} = 0 then {go} {other}",
                    count,
                    body,
                    f"{go} {label}",
                    end,
                ], inside
            case 2:
                loop = f"for {counter} = 1, 2 do {self.section(inside, leave, f'if {test} then {go} {label}')}"
            case _:
                loop = f"if {test} then {go} {label}"
        skipped, _ = self.commands(around, leave)
        return [loop, *skipped, f"{label}: {self.section(around, leave)}"], around

    def loop(self, around: Around, leave: Leave) -> Commands:
        """A loop that ends: its counter is nobody else's."""
        counter = f"C{self.fresh()}"
        inside = around.with_name(counter, "number")
        last = f"if {self.operand('boolean', inside)} then break" if self.number(0, 3) == 0 else ""
        body = self.section(inside, leave, last)
        count = [f"let {counter} = {self.number(0, 3)}"]
        counted = _lines("§", [f"{counter} := {counter} - 1", body], "§|", around.deeper())
        match self.number(0, 4):
            case 0:
                step = self.choose(1, -1, 2)
                return [f"for {counter} = step {self.number(0, 3)}, {step}, {self.number(0, 3)} do {body}"], around
            case 1:
                return [f"for {counter} = {self.choose('[1,2,3]', '1, 2', 'Filled(1)')} do {body}"], around
            case 2:
                return [f"for {counter} = {self.expression('list', around)} do {body}"], around
            case 3:
                test = self.choose(f"while {counter} > 0", f"until {counter} = 0")
                return [*count, f"{test} do {counted}"], around
            case _:
                test = self.choose(f"while {counter} > 0", f"until {counter} ≤ 0")
                return [*count, f"{counted} repeat {test}"], around


def _lines(opening: str, commands: list[str], closing: str, around: Around) -> str:
    """Commands within brackets, one to a line."""
    return f"{opening} {f'{chr(10)}{around.indent}'.join(commands)} {closing}"


_two_names = st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A program and a call."""
    return Writer(draw).program()


def try_programs(check: Callable[[Program], None], part: int, examples: int) -> None:
    """Check a part of so many random programs. The parts are tests of their own, so that processes can share them."""
    trial = settings(SLOW, max_examples=-(-examples // len(PARTS)))(given(programs())(check))
    if os.environ.get("CI"):
        trial = seed(part)(trial)  # else they were the same in every part
    trial()
