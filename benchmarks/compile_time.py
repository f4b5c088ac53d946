"""How the time to compile grows with the text: it is linear if ten times as many lines take about ten times as long.

    python benchmarks/compile_time.py

Compiles a program of 2 000 lines and one of 20 000, made by the same rules, and exits with 1 if the longer one takes
more than 12 times as long. What is timed is the processor's time, the best of several runs of each, one after the
other in turn, so that a busy machine spoils nothing. The same holds for laying the texts out as `cpl fmt` does; figures
for texts without black's formatting are shown beside. `growing.py` measures texts of one shape.
"""

import argparse
import gc
import random
import sys
import time
from collections.abc import Callable

from measure import how_often

import cpl

SHORT, LONG = 2_000, 20_000
MOST = 12.0

WORDS = "Sum Norm Mean Next Least Path Square Count Weight Scale Share Trial Bound Root Step Turn Pair Score".split()


class Writer:
    """Writes definitions that use each other, as a program of its length would: any one may use any earlier one."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.number = 0
        self.functions: list[tuple[str, int]] = [("Mod", 1), ("Max", 2), ("Min", 2)]  # of numbers, with a number
        self.lists: list[str] = ["Reverse", "Tail"]  # functions of a list, with a list
        self.bits: list[str] = ["SingleDigitFrom"]
        self.routines: list[str] = []
        self.constants: list[str] = []
        self.variables: list[str] = []

    def name(self) -> str:
        """A new name of one word, or of two."""
        self.number += 1
        words = self.chance.sample(WORDS, self.chance.randint(1, 2))
        return "".join([*words, str(self.number)])

    def atom(self, names: str) -> str:
        """A name or a number."""
        if self.constants and self.chance.random() < 0.15:
            return self.chance.choice(self.constants)
        return self.chance.choice(list(names) * 2 + [str(self.chance.randint(1, 99))])

    def call(self, names: str) -> str:
        """Some function applied."""
        name, parameters = self.chance.choice(self.functions)
        return f"{name}({', '.join(self.term(names) for _ in range(parameters))})"

    def term(self, names: str) -> str:
        """A sum or a product of a few names and numbers."""
        parts = [self.atom(names) for _ in range(self.chance.randint(1, 3))]
        return self.chance.choice([" + ", " - ", " × "]).join(parts)

    def value(self, names: str) -> str:
        """A number, by functions of these names."""
        sign = self.chance.choice(["+", "-", "×", "/"])
        return f"{self.call(names)} {sign} {self.chance.choice([self.atom(names), f'({self.term(names)})'])}"

    def test(self, names: str) -> str:
        """A condition on these names."""
        sign = self.chance.choice(["=", "≠", "<", ">", "≤", "≥"])
        left = f"{self.atom(names)} {sign} {self.term(names)}"
        match self.chance.randint(0, 5):
            case 0:
                return f"({left}) ∧ {self.atom(names)} > {self.atom(names)}"
            case 1:
                return f"{left} ∨ ~({self.atom(names)} < {self.atom(names)} + 1)"
            case _:
                return left

    def definition(self) -> list[str]:
        """The lines of one definition."""
        make: Callable[[str], str] = self.chance.choice(
            [
                *[self.formula, self.arms, self.block, self.loop, self.where] * 2,
                *[self.array, self.routine, self.inner, self.list_function, self.bit_function],
                *[self.constant, self.constant, self.variable, self.closure, self.nested],
            ]
        )
        text = make(self.name())
        if self.chance.random() < 0.2:
            text = f"|| Number {self.number}: a {self.chance.choice(WORDS)}, as it was first written\n{text}"
        return [*text.split("\n"), ""]

    def number_function(self, name: str, parameters: int, text: str) -> str:
        """A function that may be used from here on."""
        self.functions.append((name, parameters))
        return text

    def formula(self, name: str) -> str:
        """One expression."""
        return self.number_function(name, 2, f"{name}(x,y) = {self.value('xy')} + 2xy - {self.atom('xy')}/3")

    def arms(self, name: str) -> str:
        """A conditional expression of several arms."""
        lines = [f"{name}(a,b,c) = {self.test('abc')} → {self.value('abc')},"]
        lines += [f"    {self.test('abc')} → {self.value('abc')}," for _ in range(self.chance.randint(0, 4))]
        return self.number_function(name, 3, "\n".join([*lines, f"    {self.value('abc')}"]))

    def block(self, name: str) -> str:
        """A value block with early results."""
        lines = [
            f"let {name}(x,σ) = value of",
            f"    § let a = {self.value('xσ')}",
            f"      let (b,x) = ({self.call('xaσ')}, {self.term('xa')})",
        ]
        for _ in range(self.chance.randint(1, 4)):
            lines += [f"      if {self.test('abx')} then result is {self.value('abx')}"]
            lines += [f"      let a = a + {self.term('bxσ')}"]
        lines += [f"      result is {self.test('abx')} → {self.value('ab')}, {self.value('bx')} §|"]
        return self.number_function(name, 2, "\n".join(lines))

    def loop(self, name: str) -> str:
        """A result block with a loop, in the manner of 1963."""
        lines = [
            f"function {name}[x, n] = result of",
            "    § real s, t = 0, 1",
            f"      {self.chance.choice(['until n ≤ 0', 'while n > 0'])} do",
            f"          § s, t, n := s + {self.value('xst')}, {self.term('xt')}, n - 1",
            f"            test {self.test('stx')} then do t := {self.value('ts')}",
            f"                 or do s, x := {self.atom('xt')}, {self.term('xst')}",
            f"            if {self.test('st')} then break §|",
            f"      result := {self.value('st')} §|",
        ]
        return self.number_function(name, 2, "\n".join(lines))

    def where(self, name: str) -> str:
        """An expression with definitions after it."""
        text = f"{name}(x,y) = {self.value('ab')} + f[a]\n    where a = {self.value('xy')} and b = {self.call('xy')}"
        return self.number_function(name, 2, f"{text}\n    and f[x] = {self.value('xy')}")

    def array(self, name: str) -> str:
        """Arrays, and loops over them."""
        lines = [
            f"{name}(n) = value of",
            "    § let A = Array[real,(0,n)] and M = Array[real,(1,n),(1,n)]",
            f"      A[0] := {self.value('n')}",
            "      for k = step 1, 1, n do",
            f"          § A[k] := A[k - 1] + {self.value('kn')}",
            f"            for j = step 1, 1, k do M[k,j], M[j,k] := M[j,k], {self.call('jk')} §|",
            f"      A[0], A[1] := A[1], {self.value('n')}",
            "      result is A[n] + M[1,n] §|",
        ]
        return self.number_function(name, 1, "\n".join(lines))

    def inner(self, name: str) -> str:
        """Functions within a function, one of them recursive."""
        lines = [
            f"{name}(n) = value of",
            f"    § let rec f[x] = x < 1 → {self.call('n')}, x f[x - 1]",
            f"      let g[x] ≡ x + {self.value('xn')}",
            f"      n := {self.term('n')}",
            "      result is f[n] + g[n] §|",
        ]
        return self.number_function(name, 1, "\n".join(lines))

    def nested(self, name: str) -> str:
        """Blocks within blocks."""
        lines = [
            f"{name}(a,b) = value of",
            f"    § let c = value of § let a = {self.value('ab')}",
            f"                         for v = [1,2,{self.atom('ab')}] do",
            f"                             if {self.test('abv')} then result is v",
            f"                         result is {self.call('ab')} §|",
            f"      § b := b - {self.atom('c')}",
            f"        unless {self.test('abc')} do § let d = {self.value('abc')}",
            "                                  a, b := b, d §|",
            f"      §| repeat while b > {self.atom('c')}",
            f"      result is (a > b → {self.call('ab')}, {self.term('abc')}) + c §|",
        ]
        return self.number_function(name, 2, "\n".join(lines))

    def routine(self, name: str) -> str:
        """A routine, which changes variables of the outermost level and obeys others."""
        calls = [f"      {self.chance.choice(self.routines)}[{self.term('x')}]"] if self.routines else []
        target = self.chance.choice(self.variables or ["x"])
        self.routines.append(name)
        lines = [f"routine {name}(x) =", f"    § if {self.test('x')} then return", *calls]
        return "\n".join([*lines, f"      {target} := {target} + {self.value('x')} §|"])

    def list_function(self, name: str) -> str:
        """A function of lists."""
        other = self.chance.choice(self.lists)
        lines = [
            f"{name}(L) = Null(L) → NIL,",
            f"    Head(L) > {self.atom('9')} → Join([{self.value('3')}],{name}(Tail(L))),",
            f"    {other}(Tail(L))",
        ]
        self.lists.append(name)
        return "\n".join(lines)

    def bit_function(self, name: str) -> str:
        """A function of bit strings."""
        other = self.chance.choice(self.bits)
        self.bits.append(name)
        shift = self.chance.choice(["-3", "4"])
        return f"{name}(p) = Shift(p,{shift}) ∧ (Logical({self.number}) ∨ ~p) + {other}(p)"

    def closure(self, name: str) -> str:
        """A function that gives a function."""
        return f"{name}(n) = Map(λx. x + {self.value('nx')},[1,2,n])"

    def constant(self, name: str) -> str:
        """A number, by applying functions or not."""
        text = f"{name} = {self.chance.choice([self.value('7'), self.term('5'), '(3 + 4)/5', '1.5'])}"
        self.constants.append(name)
        return text

    def variable(self, name: str) -> str:
        """A variable of the outermost level."""
        self.variables.append(name)
        return f"{name} = {self.number}"


def program(lines: int, seed: int = 1963) -> str:
    """A program of so many lines."""
    writer = Writer(seed)
    written: list[str] = []
    while len(written) < lines:
        written += writer.definition()
        if lines - len(written) < 20:  # fill up with what is short
            written += [f"Last{lines - at} = {lines - at}" for at in range(len(written), lines)]
    assert len(written) == lines
    return "\n".join(written) + "\n"


JOBS: dict[str, Callable[[str], object]] = {
    "whole": cpl.compile_text,
    "unformatted": lambda text: cpl.compile_text(text, pretty=False),
    "cpl fmt": cpl.format_text,
}


def seconds(job: Callable[[str], object], text: str) -> float:
    """The processor's time for one job."""
    gc.collect()
    start = time.process_time()
    job(text)
    return time.process_time() - start


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=how_often, default=3, help="how often each is compiled (3)")
    parser.add_argument("--write", type=int, metavar="LINES", help="print the program of so many lines, and no more")
    options = parser.parse_args()
    if options.write:
        print(program(options.write), end="")
        return 0
    texts = {lines: program(lines) for lines in (SHORT, LONG)}
    seconds(
        cpl.compile_text, texts[SHORT]
    )  # what is made once: the parser's tables, the standard library, black itself
    best: dict[tuple[int, str], float] = {}
    for _ in range(options.runs):
        for lines, text in texts.items():
            for name, job in JOBS.items():
                elapsed = seconds(job, text)
                best[lines, name] = min(elapsed, best.get((lines, name), elapsed))
    print(f"{'':11} {'lines':>6} {'characters':>10} {'seconds':>8} {'µs a line':>9}")
    for name in JOBS:
        for lines, text in texts.items():
            time = best[lines, name]
            print(f"{name:11} {lines:6} {len(text):10} {time:8.2f} {time / lines * 1e6:9.0f}")
        print(f"{name:11} {best[LONG, name] / best[SHORT, name]:6.2f} times as long")
    linear = all(best[LONG, name] <= MOST * best[SHORT, name] for name in ("whole", "cpl fmt"))
    print(f"{LONG // SHORT} times the lines, at most {MOST:.0f} times as long: {'yes' if linear else 'NO'}")
    return 0 if linear else 1


if __name__ == "__main__":
    sys.exit(main())
