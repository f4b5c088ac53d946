"""The C back end: what it writes does what the Python does, and where it cannot, the Python runs."""

import copy
import inspect
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest
from case_files import Case, read_cases, write_cases
from command_line import run, run_alone
from cplrt import CplFault, Input, StreamOf
from cplrt.faults import TooDeep
from cplrt.native import NativeLibrary, why_not_loaded
from ways import evaluated

import cpl
from cpl.cli import cplc
from cpl.compiler import loader, pipeline
from cpl.compiler.c import toolchain
from cpl.compiler.c.c_text import headed, in_chain, in_conditional, laid_out, with_first_values
from cpl.compiler.c.identical import with_functions_once
from cpl.compiler.c.rules import CAN_BE_LEFT_OUT, RULES
from cpl.compiler.c.shared_library import CLibrary
from cpl.compiler.c.unused import without_unused_definitions
from cpl.compiler.c.variables import with_fewer_variables
from cpl.compiler.source import Source

SEED = int(os.environ.get("CPLC_SEED", "910010"))
EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "180"))
WITHOUT = os.environ.get("CPLC_WITHOUT", "").split()
"""The rules without which random functions are put into C."""

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")


def outcome(function: Callable[..., Any], *arguments: Any) -> tuple[str, Any]:
    """The value with its type, or the fault."""
    try:
        value = function(*arguments)
    except (CplFault, ArithmeticError, RecursionError) as error:
        return type(error).__name__, str(error)
    return "value", repr(value)


def both(text: str, without: Sequence[str] = ()) -> tuple[ModuleType, ModuleType, CLibrary]:
    """A program in plain Python and with its library, and the C."""
    meaning = pipeline.understand(Source("text.cpl", text))
    built = pipeline.native_module(meaning, without)
    with patch.object(pipeline, "native_module", lambda *_: built):  # which need not be done again
        native = pipeline.executable_of(meaning, pipeline.Options(native=True)).module()
    return pipeline.executable_of(meaning).module(), native, built[1]


def in_c(text: str) -> tuple[set[str], dict[str, str]]:
    """The functions that are in C, and why the others are not."""
    _, library = pipeline.native_module(pipeline.understand(Source("text.cpl", text)))
    return {name.name for name in library.functions}, {name.name: why for name, why in library.reasons.items()}


C_FOLDER = Path(__file__).parent / "fast" / "c"
C_CASES = [(file.stem, case) for file in sorted(C_FOLDER.glob("*.case")) for case in read_cases(file)]


def functions_of(text: str, without: tuple[str, ...] = ()) -> str:
    """The functions of a program in C, without the CPL above them, and the tables that it has."""
    _, library = pipeline.native_module(pipeline.understand(Source("case.cpl", text)), without)
    _, _, own = library.text.partition("/* The types of the program")
    parts = re.findall(r"^KEPT.*?$|^static (?!inline |APART )[^;\n]*\{\n.*?^\}", own, re.MULTILINE | re.DOTALL)
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize(("rule", "case"), C_CASES, ids=lambda each: each if isinstance(each, str) else each.title)
def test_what_a_rule_makes(rule: str, case: Case, request: pytest.FixtureRequest) -> None:
    """The C is as it stands in the case, and would be another without the rule; both do what the interpreter does."""
    after = functions_of(case.cpl)
    if request.config.getoption("--update-cases"):
        cases = read_cases(case.file)
        for each in cases:
            if each.title == case.title:
                each.sections = {"cpl": each.cpl, "after": after, "run": each.sections["run"]}
        write_cases(case.file, cases)
        return
    assert functions_of(case.cpl, (rule,)) != after, "the rule does nothing here"
    assert case.sections["after"].strip() + "\n" == after
    for call, result in case.runs:
        meaning = pipeline.understand(Source("case.cpl", case.cpl), calls=[call])
        for without in ((), (rule,)):
            options = pipeline.Options(native=True, without=without)
            assert [*evaluated(pipeline.executable_of(meaning, options))] == ["", result]
        assert [*evaluated(meaning, interpreted=True)] == ["", result]


def test_each_rule_has_cases() -> None:
    assert {*RULES, "append"} <= {rule for rule, _ in C_CASES} <= {*CAN_BE_LEFT_OUT}


def test_only_rules_can_be_left_out() -> None:
    with pytest.raises(ValueError, match="unknown pass 'magic'"):
        functions_of("F(x) = x\n", ("magic",))


KINDS = """
Sum(L) = Null(L) → 0, Head(L) + Sum(Tail(L))
Fact(n) = n = 0 → 1, n × Fact(n - 1)
Pick(n) = n < 0 → NIL, n > 9 → (n, n + 1), (n, 0)
First(n) = Null(Pick(n)) → -1, value of § let (a, b) = Pick(n); result is a + b §
Upto(n) = n = 0 → NIL, Join(Upto(n - 1), [n])
Half(x) = x / 2
Mix(n) = n > 5 → n, n + 0.5
Depth(n) = n = 0 → 0, 1 + Depth(n - 1)
Named(n) = n = 0 → ‘none’, n = 1 → ‘one’, ‘many’
Apply(F,n) = F(F(n))
Twice(n) = Apply(λx.3x, n)
let Doubled = λx.value of § let y = x + 1; result is 2y §
Again(n) = Doubled(Doubled(n))
Third(L) = L[2]
Loop(n) = value of
  § let s, k = 0, 0
    while k < n do s, k := s + k, k + 1
    for i = step 1, 2, 9 do s := s + i
    for m = Upto(3) do § if m = 2 then break; s := s + 100m §
    result is s §
Count(n) = value of
  § let t = 10n
    let rec Down(k) = k = 0 → t, Down(k - 1)
    result is Down(n) §
Marked(n) = value of
  § let L, M = Upto(n), [0]
    M := Tail(L)
    let A = L
    A[0] := 7
    L[1], A[2] := L[2], L[1]
    let R = Tail(L)
    L[1] := 100
    result is (L, M, A, R) §
Put(L,n) = value of § let K = L; K[0] := n; result is K §
Same(L) = L
Both(n) = value of § let L = Upto(n); result is (L, L) §
Mixed(n) = value of § let L = [Upto(n), Upto(2)]; result is Count2(L) + Count2([[0.5], [1]]) §
Count2(B) = Null(B) → 0, Head(Head(B)) + Count2(Tail(B))
Grid(n) = value of § let B = [Upto(3), Upto(3)]; B[1][2] := n; result is B §
Calls = [Sum(Upto(5)), First(12), First(3), First(-4), Twice(7), Third([7, 8, 9]), Loop(5), Count(4)]
Marks = (Mixed(3), Both(2), Marked(4), Put(Upto(2), 5), Same(Upto(2)), Grid(4))
Others = [Half(3), Mix(3), Mix(7), Named(0), Named(1), Named(5), Depth(3)]
"""
ARGUMENTS: dict[str, list[Any]] = {
    "Sum": [[], [1, 2, 3], [2**62, 2**62], [1.5, 2], [True], "text", [2**70]],
    "Fact": [0, 5, 20, 21, 30, -0.0],
    "Pick": [-1, 3, 12, 2**63 - 1, 1.5],
    "First": [-1, 3, 12, 2**62],
    "Upto": [0, 1, 20],
    "Half": [3, 0, -7, 2**60 + 1, 0.1, 1e308, float("inf")],
    "Mix": [3, 7, 2**53, 5.5],
    "Depth": [0, 10, 400],
    "Named": [0, 1, 2],
    "Twice": [7, 2**61, -(2**63)],
    "Again": [7, 2**61, 0.5],
    "Third": [[1, 2, 3], [1, 2], []],
    "Loop": [0, 5, 100],
    "Count": [0, 4, 50],
    "Marked": [3, 9, 2],
    "Same": [[1, 2], []],
    "Grid": [7],
    "Both": [0, 2],
    "Mixed": [1, 4],
}


def test_each_kind_of_value_is_right_and_in_c() -> None:
    plain, native, _ = both(KINDS)
    functions, reasons = in_c(KINDS)
    assert functions >= ARGUMENTS.keys(), reasons
    for name, arguments in ARGUMENTS.items():
        for argument in arguments:
            wanted = outcome(getattr(plain, name), argument)
            assert outcome(getattr(native, name), argument) == wanted, (name, argument)


def nested(depth: int) -> list[Any]:
    value: list[Any] = [1]
    for _ in range(depth):
        value = [value, value]
    return value


OF_ALL_KINDS: list[Any] = [
    *(0, 1, -1, 7, True, False, None, -0.0, 2.5, float("nan"), "", "ab", "é☃", len, ...),
    *(
        (),
        (1, 2),
        (1, (2, 3)),
        (1.5, 2),
        ([1], 2),
        [],
        [1],
        [1, 2],
        [1, "a"],
        [[1], [2]],
        [[1.5], []],
        [(1, 2)],
        [None],
    ),
    *([True], ["a", "b"], [2**70], [2**63], [1.5, 2], [float("inf")], nested(6), [0] * 300, {1: 2}, {1, 2}, b"bytes"),
]


def any_outcome(function: Callable[..., Any], *arguments: Any) -> str:
    """The value, or that there is none: what is no value of CPL may end in any exception."""
    try:
        return repr(function(*copy.deepcopy(arguments)))
    except Exception:
        return "none"


@pytest.mark.parametrize("text", ["KINDS", "DECLARED"])
def test_calls_with_values_of_all_kinds_do_what_they_do_in_python(text: str, measured: Callable[[str], None]) -> None:
    cases: dict[str, list[Any]] = {"KINDS": ARGUMENTS, "DECLARED": DECLARED_ARGUMENTS}[text]
    plain, native, _ = both({"KINDS": KINDS, "DECLARED": DECLARED}[text])
    calls = 0
    for name in cases.keys() - {"Count"}:  # which counts down to 0 for ever
        count = len(inspect.signature(getattr(plain, name)).parameters)
        for at, value in enumerate(OF_ALL_KINDS):
            for other in (value, OF_ALL_KINDS[at - 7]) if count > 1 else (value,):
                arguments = [value, *[other] * (count - 1)]
                wanted = any_outcome(getattr(plain, name), *arguments)
                assert any_outcome(getattr(native, name), *arguments) == wanted, (name, arguments)
                calls += 1
    measured(f"{calls} calls of {text} with values of all kinds do in C what they do in Python")


@pytest.mark.parametrize("limit", ["SMALLEST -128", "SMALLEST -4"])
def test_the_way_out_is_right_at_any_place(limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of a few bits, and a stack of a few calls: each call begins again in Python."""
    monkeypatch.setattr("cplrt.native.STACK", 4000)
    monkeypatch.setattr("cplrt.native.MOST_MEMORY", 1 << 21)
    before = toolchain.built
    monkeypatch.setattr(toolchain, "built", lambda text: before(f"#define {limit}\n{text}"))
    kinds = {name: [(argument,) for argument in arguments] for name, arguments in ARGUMENTS.items()}
    for text, cases in ((KINDS, kinds), (DECLARED, DECLARED_ARGUMENTS)):
        plain, native, _ = both(text)
        for name, arguments in ((name, each) for name, case in cases.items() for each in case):
            wanted = outcome(getattr(plain, name), *arguments)
            assert outcome(getattr(native, name), *arguments) == wanted, (name, arguments)


DECLARED = """
function Sum[real x, index n] = value of § real s = 0; for i = step 1, 1, n do s := s + x/i; result is s §
function Root[real x] = x ↑ 2 + SqRt[x]
function Whole[x] = Round[x] + Entier[x]
function Both[integer n] = value of § integer m; real y; m, y := n × 2, n; result is (m, y) §
function Raised[a, b] = a ↑ b
routine Swap[ref real a, b] be § a, b := b, a; return §
function Swapped[real p, q] = value of § let x, y = p, q; Swap[x, y]; result is (x, y) §
function Curves[x] = (Sin[x], Cos[x], Exp[x], Ln[x], ArcTan[x])
function Half[integer n] = value of § integer k = n/2; result is k §
function Related[real x, y] = (x < y, x = y, x ≥ y, x × y, x − y, −x)
function Same[logical b] = b
real function Real[n] = n
function Chosen[index i] = value of § let t = (0, 1/2, 3, 2.5); result is t[i] §
function Scaled[real k, x] = k(x + 4x)
function Nearest[real x] = Round[x]
Uses = (Whole[2.5], Raised[2,3], Raised[2.0,3], Raised[2,0.5], Curves[1], Curves[0.5], Real[1])
"""
INFINITY = float("inf")
DECLARED_ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "Sum": [(1.5, 3), (1, 3), (2**70, 2), (1, 0), (True, 2), (1.0, 2.0), (1, 2.5), ("x", 1)],
    "Root": [(2.0,), (4,), (-1,), (1e200,), (INFINITY,), (-INFINITY,), (float("nan"),)],
    "Whole": [(2.5,), (-2.5,), (3,), (1e30,), (INFINITY,), (0.49999999999999994,), (-0.5,), (2.0**62,)],
    "Both": [(3,), (3.0,), (2.5,), (2**62,)],
    "Raised": [(2, -1), (2.0, -1), (0, 0), (0.0, -1), (-8, 0.5), (-8.0, 3), (10, 30), (10.0, 400), (-1, 2**40 + 1)],
    "Swapped": [(1, 2), (1.5, 2)],
    "Curves": [(0.5,), (0,), (-1,), (1000,), (INFINITY,), (1e-320,)],
    "Half": [(4,), (5,), (-6,)],
    "Related": [(1, 2), (0.5, 0.5), (INFINITY, INFINITY), (float("nan"), 1)],
    "Real": [(2,), (2.5,), (2**60 + 1,), (2**70,)],
    "Chosen": [(0,), (1,), (3,), (4,), (-1,)],
    "Scaled": [(2, 0.5), (1e308, 1e308)],
    "Nearest": [(0.49999999999999994,), (0.5,), (-0.5,), (2.5,), (4503599627370497.0,), (INFINITY,), (7,)],
}


def test_what_is_declared_to_be_a_number_converts_as_in_python() -> None:
    plain, native, _ = both(DECLARED)
    functions, reasons = in_c(DECLARED)
    assert functions >= {*DECLARED_ARGUMENTS, "Swap", "_Same"}, reasons
    for name, cases in DECLARED_ARGUMENTS.items():
        for arguments in cases:
            wanted = outcome(getattr(plain, name), *arguments)
            assert outcome(getattr(native, name), *arguments) == wanted, (name, arguments)


SIGNS = """
function Times[integer n] = -(5n)
function Before[integer n] = -(n × (-3))
function Twice[integer n] = -(-n)
function Less[integer n] = n + (-1)
function More[integer n, m] = n - (-m)
function Large[integer n] = n + 2 ↑ 50
function Larger[integer n] = n + 2 ↑ 63
function Zeroth[integer n] = n + 0 ↑ 0
function OfReal[real x] = -(x × 0)
function TwiceReal[real x] = -(-x)
function OfAny[x] = -(0x)
function AnyLess[x] = x + (-0.0)
function Mixed[real x; integer n] = x - (-n)
Uses = (OfAny[1], OfAny[0.5], AnyLess[1], AnyLess[0.5])
"""


def test_signs_go_to_constants_where_numbers_are_whole() -> None:
    plain, native, library = both(SIGNS)
    numbers = [0, 1, -7, 2**62, 2**63 - 1, -(2**63), 2**63, -0.0, 0.0, 2.5, INFINITY, -INFINITY]
    for name in re.findall(r"function (\w+)", SIGNS):
        for number in numbers:
            arguments = [number] * len(inspect.signature(getattr(plain, name)).parameters)
            wanted = any_outcome(getattr(plain, name), *arguments)
            assert any_outcome(getattr(native, name), *arguments) == wanted, (name, number)
    returned = re.findall(r"return (.*);", library.text[library.text.index("Times(whole n) {") :])
    written = ["multiply(-5, n)", "multiply(n, 3)", "n", "subtract(n, 1)", "add(n, m)"]
    assert returned[: len(written)] == written
    assert "add(n, INT64_C(1125899906842624))" in returned


TOGETHER = """
function Swapped[integer a, b] = value of § a, b := b, a; result is (a, b) §
function Turned[integer a, b, c] = value of § a, b, c := b, c, a + b; result is (a, b, c) §
function Apart[integer a, b, c] = value of § a, b, c := b + c, c, 7; result is (a, b, c) §
function Twice[integer a, b, c] = value of § a, a := b, c; result is a §
function OfPair[integer a, b] = value of
  § let p, q = (a, b), (b, 7)
    p, q := q, p
    let (x, y) = p
    result is (x, y, q) §
function ByPlace[integer a, b, c] = value of
  § let rec Next[integer k] ≡ value of § c := c + k; result is c §
    a, b, c := Next[a], Next[b], c
    c, a := c, Next[a]
    result is (a, b, c) §
function Members[integer a, b, c] = value of
  § let L = [a, b, c]
    a, L[0], L[1] := L[1], a, L[0]
    result is (a, L) §
function Blocks[integer a, b, c] = value of
  § a, b, c := b, value of § if c > 7 then result is a; c := c + 1; result is b §, c
    result is (a, b, c) §
function Fibonacci[integer n] = value of
  § let a, b = 0, 1
    while n > 0 do a, b, n := b, a + b, n - 1
    result is a §
Rounds(L) = value of
  § let n, M = 0, L
    for x = L do for y = L do n := n + x × y
    for x = M do § n := n + x × Head(M); M := Tail(M) §
    result is n §
Pairs = (OfPair[1, 2], Rounds([1, 2, 3]))
"""


OPPOSITES = """
function Back[integer n, m] = value of § let k = −n; result is (−(k × m), −(m × k), k × m) §
function Again[integer n] = value of § let k = −n; result is (−k, k) §
function IsUp[integer n] = value of § let k = −n; result is k = 1 §
function Twice[integer n] = value of § let k = −n; result is (k = 1, k ≠ 1) §
function OfReal[real x] = value of § let y = −x; result is −(y × 0) §
function Changing[integer n] = value of § let k = −n; n := n + 1; result is −(k × 2) §
Uses = (Back[1,2], Again[1], IsUp[1], Twice[1], OfReal[1], Changing[1])
"""


def test_what_is_made_of_an_opposite_is_made_of_the_number_itself() -> None:
    plain, native, library = both(OPPOSITES)
    names = ("Back", "Again", "IsUp", "Twice", "OfReal", "Changing")
    for name in names:
        for number in [0, -1, 1, 7, 2**62, 2**63 - 1, -(2**63), 0.0, -0.0]:
            arguments = [number] * len(inspect.signature(getattr(plain, name)).parameters)
            wanted = any_outcome(getattr(plain, name), *arguments)
            assert any_outcome(getattr(native, name), *arguments) == wanted, (name, number)
    returned = re.findall(r"return (.*);", library.text[library.text.index("Back(whole n, whole m) {") :])
    assert returned[: len(names)] == [
        "(BackValue){multiply(n, m), multiply(m, n), multiply(k, m)}",
        "(tuple_of_2){n, k}",
        "n == -1",
        "(tuple_of_2_1){k == 1, k != 1}",
        "negative_number(multiply_numbers(y, of_whole(0)))",
        "multiply(k, -2)",
    ]


def test_values_that_are_assigned_together_are_those_from_before() -> None:
    plain, native, library = both(TOGETHER)
    functions = re.findall(r"function (\w+)\[", TOGETHER)
    assert {name.name for name in library.functions} >= {*functions}, library.reasons
    for name in functions:
        count = len(inspect.signature(getattr(plain, name)).parameters)
        for numbers in ([3, 5, 8], [-1, 0, 40], [2**62, 2**62, 1]):
            arguments = numbers[:count]
            if name != "Fibonacci" or max(arguments) < 99:
                assert outcome(getattr(native, name), *arguments) == outcome(getattr(plain, name), *arguments), name
    for numbers in ([], [1], [1, 2, 3]):
        assert outcome(native.Rounds, numbers) == outcome(plain.Rounds, numbers)
    apart = library.text[library.text.index("Apart(whole a, whole b, whole c) {") :]
    assert apart.split("\n")[1:4] == ["    a = add(b, c);", "    b = c;", "    c = 7;"]
    turned = library.text[library.text.index("Turned(whole a, whole b, whole c) {") :]
    assert turned.split("\n")[1] == "    whole new_a = b;"


def test_a_function_that_is_left_in_a_variable_outlives_the_memory_of_its_maker() -> None:
    text = """
    Add(k) = λx.x + k + First([k, k])
    First(L) = Head(L)
    function Kept[integer n] = value of
      § let F, G = Add(n), Add(1)
        let rec Next[integer k] ≡ value of § let L = [k, k, k, k]; F := Add(Head(L)); result is Head(L) §
        let s, t = Next[5], 0
        for i = step 1, 1, n do t := t + First([i, i, i])
        result is F(t) + G(s) §
    """
    plain, native, _ = both(text)
    assert native.Kept(7) == plain.Kept(7)


WRITTEN_ONCE = """
Half(n) = value of
  § let k = 0
    while n > 1 do n, k := n - 2, k + 1
    result is k §
Halves(a,b) = Half(a) + 10 × Half(b)
Steps(n) = value of
  § let k, s = 0, 0
    while k < n do
        test k = 3
        then do § s := s + k; k := k + 1 §
        or do k := k + 1
    result is s §
Strides(n) = value of
  § let k, s = 0, 0
    while k < n do
        test k = 3
        then do § s := s + k; k := k + 1 §
        or do k := k + 2
    result is s + k §
Gathered(n) = value of
  § let L, s = [n], 0
    L := Join(L, [n + 1])
    for m = L do s := s + m
    result is s §
Replaced(n) = value of
  § let L, s = [n, 1], 0
    for m = L do § s := s + m; L := [s] §
    result is (s, L) §
Old(n) = value of
  § let v, k = 1, 0
    while k < n do
      § let x = v
        v, k := v + k, k + 1
        v := x × v §
    result is v §
One(n) = n + 1
Two(n) = n × 2
Chosen(n) = value of § let L = [One, Two, One]; let F = L[n]; result is F(n) §
Again(n) = value of § let L = [Two, One]; let F = L[n]; result is F(n) §
Rest(n) = value of § let rec Down(k) = k < 3 → k, 1 + Down(k - 3); result is Down(n) §
Thirds(n) = value of § let rec Down(k) = k < 3 → k, 1 + Down(k - 3); result is Down(n) × 2 §
Falls(n) = value of § let rec Down(k) = k < 3 → k + n, 1 + Down(k - 3); result is Down(n) §
IsEven(n) = n = 0 → true, IsOdd(n - 1)
IsOdd(n) = n = 0 → false, IsEven(n - 1)
A = (Halves(7, 5), Steps(5), Strides(5), Gathered(1), Replaced(1), Old(3), Chosen(1), Again(1), Rest(7), Thirds(7))
B = (Falls(7), IsEven(4))
"""


def test_what_inlining_and_lifting_would_write_twice_is_in_c_once() -> None:
    plain, native, library = both(WRITTEN_ONCE)
    for name in re.findall(r"^(\w+)\(", WRITTEN_ONCE, re.MULTILINE):
        count = len(inspect.signature(getattr(plain, name)).parameters)
        for number in (0, 1, 2, 7):
            arguments = [number] * count
            assert outcome(getattr(native, name), *arguments) == outcome(getattr(plain, name), *arguments), name
    text = library.text
    assert "return add(Half(a), multiply(10, Half(b)));" in text
    assert text.count("One_value(void *captured") == text.count("Two_value(void *captured") == 1
    assert text.count("static whole Rest_Down(whole k)") == 1
    assert "Thirds_Down" not in text
    assert "static whole Falls_Down(whole n, whole k)" in text
    assert len(re.findall(r"^static truth Is(Even|Odd)\(whole n\);", text, re.MULTILINE)) == 1
    assert not re.search(r"^static \w+ (Half|Steps|Old)\(.*;", text, re.MULTILINE)


def test_what_both_branches_end_with_stands_after_them_once() -> None:
    _, _, library = both(WRITTEN_ONCE)
    after = "        if (k == 3) {\n            s = add(s, k);\n        }\n        k = add(k, 1);\n"
    assert after in library.text[library.text.index("Steps(whole n) {") :]
    strides = library.text[library.text.index("Strides(whole n) {") :].split("\n}")[0]
    assert "else {\n            k = add(k, 2);" in strides


def test_a_loop_runs_through_a_list_by_its_name_unless_the_name_gets_another_list() -> None:
    _, _, library = both(WRITTEN_ONCE)
    gathered, replaced, old = (
        library.text[library.text.index(f"{name}(whole n) {{") :].split("\n}")[0]
        for name in ("Gathered", "Replaced", "Old")
    )
    assert "i < L->count" in gathered and "members" not in gathered
    assert "whole_list members = L;" in replaced
    assert "whole x = v;" in old


HOSTILE = """\
LIST CARE DONE FAULT STOPPED ASSIGNED ASSIGNABLE SMALLEST NULL NAN INFINITY SIGINT NSIG MAXFLOAT PCP Position Int
"""


def test_names_of_macros_and_of_the_prelude_are_names_like_others() -> None:
    names = HOSTILE.split()
    text = "".join(
        f"function {name}[integer n] = n = 0 → 0, {name}[n − 1] + {number}\n"
        f"function Of{name}[integer {name}] = {name} = 7 → {name}, Fail{name}[{name}] where Fail{name}[integer n] = n\n"
        for number, name in enumerate(names)
    )
    strings = ", ".join(f"n = {number} → ‘{name}’" for number, name in enumerate([*names, "int", "*/ int x; /*", "é☃"]))
    plain, native, library = both(f"{text}function Texts[integer n] = {strings}, ‘\\’\nA = Texts[0]\n")
    assert {name.name for name in library.functions} >= {*names, *(f"Of{name}" for name in names), "Texts"}
    for name in (*names, *(f"Of{name}" for name in names)):
        assert getattr(native, name)(5) == getattr(plain, name)(5)
    for number in range(len(names) + 4):
        assert native.Texts(number) == plain.Texts(number)


def test_recursion_through_a_constant_is_not_too_deep_for_the_stack() -> None:
    text = "Down(n) = n = 0 → 0, 1 + Use(n - 1)\nUse(n) = Apply(D, n)\nD = Down\nApply(F,n) = F(n)\nA = Use(3)\n"
    _, native, library = both(text)
    assert {name.name for name in library.functions} >= {"Down", "Use"}
    with pytest.raises(TooDeep):
        native.Use(10**7)


def test_a_small_stack_is_not_left(tmp_path: Path) -> None:
    (tmp_path / "deep.cpl").write_text("Depth(n) = n = 0 → 0, 1 + Depth(n - 1)\nA = Depth(3)\n")
    text = """if True:
        import threading, cpl, cplrt
        native = cpl.load("deep.cpl", native=True)
        def go():
            print(native.Depth(100))
            try:
                native.Depth(10**7)
            except cplrt.CplFault:
                print("too deep")
        threading.stack_size(1 << 18)
        threading.Thread(target=go).start()
    """
    shown = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "100\ntoo deep\n", "")


def test_a_call_that_takes_too_much_memory_leaves_it_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    _, native, _ = both(
        "Up(k,n) = k = n → NIL, Join([k], Up(k + 1,n))\n"
        "Count(n) = value of § let k, L = 0, Up(0,n); for m = Join(L,L) do k := k + 1; result is k §\nA = Count(3)\n"
    )
    left: list[str] = []
    called = NativeLibrary._called

    def noted(self: NativeLibrary, *arguments: Any) -> Any:
        left.append("left")
        result = called(self, *arguments)
        left.pop()
        return result

    monkeypatch.setattr(NativeLibrary, "_called", noted)
    monkeypatch.setattr("cplrt.native.MOST_MEMORY", 1 << 23)
    for count, expected in (
        (20_000, []),
        (70_000, []),
        (120_000, []),
        (170_000, []),
        (600_000, ["left"]),
        (170_000, []),
    ):
        left.clear()
        assert native.Count(count) == 2 * count
        assert left == expected


NESTS = {
    "applications": "Sum([{}])",
    "applications to what is of any type": "Last([{}, n])",
    "conditions": "(n = 0 → {}, n)",
    "blocks": "(value of § let k = {}; result is k + 1 §)",
    "functions": "Sum(Map(λx.x + {}, [n]))",
    "joins": "Sum(Join((n = 1 → NIL, [{}]), [n]))",
    "pairs": "Gap((n = 0 → NIL, ({}, n)))",
}


@pytest.mark.parametrize("shape", NESTS.values(), ids=NESTS.keys())
def test_c_grows_as_nesting_does(shape: str) -> None:
    sizes = []
    for depth in (4, 8, 16):
        nest = "(n + 0)"
        for _ in range(depth):
            nest = shape.format(nest)
        text = (
            "Sum(L) = Null(L) → 0, Head(L) + Sum(Tail(L))\nLast(L) = Null(Tail(L)) → Head(L), Last(Tail(L))\n"
            "Gap(p) = Null(p) → 0, value of § let (a,b) = p; result is a − b §\n"
            "Map(F,L) = Null(L) → NIL, Join([F(Head(L))], Map(F,Tail(L)))\n"
            f"function Nest[integer n] = {nest}\n"
        )
        _, library = pipeline.native_module(pipeline.understand(Source("text.cpl", text)))
        assert "Nest" in {name.name for name in library.functions}, library.reasons
        sizes.append(len(library.text))
    assert sizes[2] - sizes[1] < 5 * (sizes[1] - sizes[0])


READ_LATER = """
function Left[integer n] = value of
  § let x = n
    let r = value of
      § let c = x
        c := c + 1
        if c > 5 then result is c
        x := c
        result is 0 §
    result is (r, x) §
function Opposite[integer n] = value of
  § let k = −n
    let r = value of § let n = n; n := n + 1; while n < 10 do n := n + 3; result is n §
    result is (−(k × r), r) §
function OfCopy[integer n] = value of
  § let c = n
    let k = −c
    let r = value of § let n = n; n := n + 1; while n < 10 do n := n + 3; result is n §
    result is (−(k × r), r) §
function Replaced[integer n] = value of
  § let x = n + 1
    let c = x
    let k = −c
    x := n × n
    result is (−(k × 2), x) §
"""


def test_what_is_copied_or_an_opposite_is_read_later() -> None:
    """Where a result leaves only a block, or C reads the other one in place of its opposite."""
    plain, native, library = both(READ_LATER)
    for name in ("Left", "Opposite", "OfCopy", "Replaced"):
        assert name in {function.name for function in library.functions}, library.reasons
        for number in (-3, 0, 4, 5, 6, 12):
            assert outcome(getattr(native, name), number) == outcome(getattr(plain, name), number), (name, number)


class Draw:
    """Random functions of what C has: whole numbers, some too large, reals, bit strings, lists and lists of them, some
    with members that are assigned, some that grow or are walked through, tuples, what may be NIL, and recursion.
    """

    HELPERS = """
First(L) = Null(L) → 0, Head(L)
Rest(L) = Null(L) → NIL, Tail(L)
Len(L) = Null(L) → 0, 1 + Len(Tail(L))
Gap(p) = Null(p) → 0, value of § let (a,b) = p; result is a − b §
Sum(B) = Null(B) → 0, First(Head(B)) + Sum(Tail(B))
Deep(n) = n ≤ 0 → 0, 1 + Deep(n − 1)
Twice(F,n) = F(F(n))
Spread(t) = value of § let (a,b,c) = t; result is a + b − c §
Ones(x) = value of
  § let c = 0
    until Null(x) do c, x := c + 1, x − SingleDigitFrom(x)
    result is c §
Digits(x) = Null(x) → 0, 1 + Digits(x − SingleDigitFrom(x))
Few, Many = Logical([1,3,5]), Logical([0,2,3,31,40,63])
"""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def whole(self, depth: int, names: str) -> str:
        if depth <= 0 or self.chance.random() < 0.15:
            big = self.chance.choice(["0", "1", "2", "-1", "7", "9223372036854775807", "4611686018427387904"])
            return str(self.chance.choice([*names, *names, big]))
        one, two = self.whole(depth - 1, names), self.whole(depth - 1, names)
        return self.chance.choice(
            [
                f"({one} + {two})",
                f"({one} − {two})",
                f"({one} × {two})",
                f"(−{one})",
                f"({self.test(depth - 1, names)} → {one}, {two})",
                f"First({self.list(depth - 1, names)})",
                f"Gap({self.maybe(depth - 1, names)})",
                f"Len({self.list(depth - 1, names)})",
                f"Sum({self.lists(depth - 1, names)})",
                f"(p + q where (p,q) = ({one}, {two}))",
                f"Round({self.real(depth - 1, names)})",
                f"Deep(Remainder({one}, 300))",
                f"Twice(λx.x + {two}, {one})",
                f"Quotient({one}, {two})",
                f"[{one}, {two}, 5][{self.whole(0, names)}]",
                f"Spread(({one}, {two}, {self.whole(0, names)}))",
                f"{self.chance.choice(['Ones', 'Digits'])}({self.bits(depth - 1, names)})",
            ]
        )

    def bits(self, depth: int, names: str) -> str:
        if depth <= 0:
            return self.chance.choice(["Few", "Many", "(Few ∧ ~Many)"])
        one, two = self.bits(depth - 1, names), self.bits(depth - 1, names)
        return self.chance.choice(
            [
                f"({one} ∧ {two})",
                f"({one} ∨ {two})",
                f"({one} − {two})",
                f"Shift({one}, Remainder({self.whole(0, names)}, 9))",
                f"({self.test(depth - 1, names)} → {one}, {two})",
            ]
        )

    def real(self, depth: int, names: str) -> str:
        one = self.whole(depth - 1, names)
        if depth <= 0:
            return self.chance.choice(["0.5", "2.0", "1.5", f"({one} + 0.25)"])
        two = self.real(depth - 1, names)
        return self.chance.choice(
            [
                f"({two} × {one})",
                f"({one} / {two})",
                f"({two} − {two} + {one})",
                f"(−{two})",
                f"SqRt({two})",
                f"({two} ↑ 2)",
            ]
        )

    def test(self, depth: int, names: str) -> str:
        one, two = self.whole(depth, names), self.whole(depth, names)
        sign = self.chance.choice("<>=≠≤≥")
        tests = [f"{one} {sign} {two}", f"Null({self.list(depth, names)})", f"{one} {sign} {self.real(depth, names)}"]
        return self.chance.choice(tests)

    def list(self, depth: int, names: str) -> str:
        if depth <= 0:
            return self.chance.choice(["NIL", f"[{self.whole(0, names)}]"])
        one, two = self.list(depth - 1, names), self.list(depth - 1, names)
        return self.chance.choice(
            [f"Join({one}, {two})", f"Rest({one})", f"[{self.whole(depth - 1, names)}, {self.whole(0, names)}]"]
        )

    def lists(self, depth: int, names: str) -> str:
        return f"[{', '.join(self.list(depth - 1, names) for _ in range(self.chance.randint(1, 3)))}]"

    def maybe(self, depth: int, names: str) -> str:
        return f"({self.test(max(depth, 0), names)} → NIL, ({self.whole(max(depth, 0), names)}, 1))"

    def block(self, depth: int, names: str) -> str:
        one, two, three = (self.whole(depth - 1, names) for _ in range(3))
        kind = self.chance.choice(["", "integer ", "real "])
        place = self.chance.choice(["L[0]", "L[n]", "B[1][0]", "B[0]"])
        value = f"[{one}]" if place == "B[0]" else one
        return (
            f"value of § let L, B, n = [{one}, {two}, {three}], {self.lists(1, names)}, 0\n"
            f"    let {'K = L' if kind else 'K = Tail(L)'}\n    {kind or 'let '}s = {two}\n    {place} := {value}\n"
            f"    L[1], L[2] := L[2], L[1]\n    for i = step 0, 1, 2 do s, n := s + L[i], n + 1\n"
            f"    while n > 0 do § n := n − 1; if L[n] > s then break §\n    result is (s, n, L, B, K) §"
        )

    def growth(self, depth: int, names: str) -> str:
        """A list to which a loop joins members, and what has it besides, before or after."""
        one, two = self.whole(depth - 1, names), self.list(depth - 1, names)
        more = self.chance.choice([f"[{self.whole(1, names + 'i')}]", "[i, 2]", "[First([i])]", "Rest(L)"])
        start = self.chance.choice([f"[{one}]", "NIL", two])
        before = self.chance.choice(["let K = L", "let K = NIL", "let K = [n]"])
        loop = self.chance.choice(["for i = step 1, 1, 3", f"for i = {two}"])
        within = self.chance.choice(
            [
                f"L := Join(L, {more})",
                f"L, n := Join(L, {more}), n + i",
                f"n, L := n + i, Join(L, {more})",
                f"K := Join(L, {more})",
                f"if n > i do § L := Join(L, {more}); n := n − 1 §",
                f"§ let M = [n]; M := Join(M, {more}); L := Join(M, L) §",
                f"§ let M = L; n := n + 1; L := Join(M, {more}) §",
                f"§ let M = [i]; K := Join(M, {more}) §",
            ]
        )
        after = self.chance.choice(
            [
                "result is Join(L, [n])",
                "result is (L, K)",
                "K := Join(L, [n]); result is [K, K]",
                "result is [L, K]",
            ]
        )
        return f"value of § let L, n = {start}, {one}\n    {before}\n    {loop} do {within}\n    {after} §"

    def walk(self, depth: int, names: str) -> str:
        """A loop through a list, member by member."""
        one, two = self.whole(depth - 1, names), self.list(depth, names)
        step = self.chance.choice(
            [
                "let (h,t) = Next(L)\n      s := s + h\n      L := t",
                "s, L := s + Head(L), Tail(L)",
                "let t = Tail(L)\n      s := Head(L) − s\n      K, L := L, t",
                "let (h,t) = Next(L)\n      if h > s do break\n      L := t",
                "let (h,t) = Next(L)\n      K := Join(K, [h])\n      L := t",
            ]
        )
        result = self.chance.choice(["s", "(s, L)", "(s, K)", "(L, K)"])
        start = f"let L, K, s = {two}, [{one}], {one}"
        return f"value of § {start}\n    until Null(L) do\n    § {step} §\n    result is {result} §"

    def copies(self, depth: int, names: str) -> str:
        """Variables that are copies or opposites of others, of which some change later, or in a block."""
        one, two = self.whole(depth - 2, names), self.whole(depth - 2, names)
        steps = [
            "c := c + 1",
            "x := c",
            "y := −x",
            "y := −(y × c)",
            "if c > y do x := y",
            "if x > y do § if x > y do c := 1; if x = y do c := 2 §",
            "y := value of § let d = x; d := d + 1; if d > c then result is d; x := d; result is x + 1 §",
            "§ let e = −x; c := −(e × y) §",
            "§ let e, d = −x, x; d := d + 2; c := −(2 × e); y := d §",
            "for i = step 1, 1, 2 do § let d = c; d := d + i; c := d §",
            "for i = step 1, 1, 3 do § let d = x; if d > y then break; x := d + 1 §",
            "§ let x = x; x := x + 1; c := x §",
            "§ let d = c; c := y; y := d §",
        ]
        commands = "\n    ".join(self.chance.choice(steps) for _ in range(self.chance.randint(2, 6)))
        return f"value of § let x, y, c = {one}, {two}, 0\n    {commands}\n    result is (x, y, c) §"

    def body(self) -> str:
        blocks = [self.block, self.block, self.growth, self.growth, self.walk, self.walk, self.copies, self.copies]
        shapes = [*6 * [self.whole], self.real, self.list, self.lists, self.maybe, *blocks]
        return str(self.chance.choice(shapes)(4, "ab"))

    def text(self, count: int) -> str:
        kinds = [
            self.chance.choice(["integer a, b", "integer a, b", "real a, b", "real a; integer b"]) for _ in range(count)
        ]
        return self.HELPERS + "".join(f"function F{at}[{kind}] = {self.body()}\n" for at, kind in enumerate(kinds))


EDGES = [0, 1, -1, 2, 3, 2**31, 2**62, 2**63 - 1, -(2**63), -(2**62) - 1, 2**64]


A_LIBRARY = 60


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2))])
def test_random_functions_do_the_same(part: int, measured: Callable[[str], None]) -> None:
    chance, moved = random.Random(f"{SEED} {part}"), 0
    for seed in range(part, EXAMPLES // A_LIBRARY, 3):
        text = Draw(SEED + seed).text(A_LIBRARY)
        plain, native, library = both(text, WITHOUT)
        moved += sum(re.fullmatch(r"F\d+", name.name) is not None for name in library.entries)
        for at in range(A_LIBRARY):
            for _ in range(6):
                arguments = [chance.choice(EDGES), chance.choice(EDGES)]
                wanted = outcome(getattr(plain, f"F{at}"), *arguments)
                result = outcome(getattr(native, f"F{at}"), *arguments)
                assert result == wanted or result[0] == wanted[0] != "value", (text, at, arguments)  # any of its faults
    measured(f"{moved} random functions in C do what they do in Python")
    assert moved > A_LIBRARY // 2


SEARCHES = {
    "strachey": {"_LegalPositionsFrom", "_ChosenPosition"},
    "strachey-search": {"_AlphaBetaMove"},
    "checkers": {"_AlphaBetaMove"},
}


@pytest.mark.parametrize("name", SEARCHES)
def test_packaged_programs_have_their_searches_in_c(name: str) -> None:
    meaning = pipeline.understand(loader.program(name))
    _, library = pipeline.native_module(meaning)
    assert {one.name for one in library.functions} >= SEARCHES[name]


def test_the_searches_find_the_same() -> None:
    plain, native = cpl.load("checkers", optimise=True), cpl.load("checkers", native=True)
    states = [plain.StartState]
    for turn in range(6):
        moves = plain.Choices(states[-1])
        states.append(plain.Play(states[-1], moves[turn % len(moves)]))
    for state in states:
        assert native.AlphaBetaMove(state, 3, plain.Weights) == plain.AlphaBetaMove(state, 3, plain.Weights)


PLAIN_C = """
function Any[integer x, y] = value of
    § let n = 0
      unless x = y do n := 1
      result is n §
function Kind[integer x] = value of
    § let n = 0
      test x = 1 then do n := 5
      or do test x = 2 then do n := Quotient(992,2)
      or do n := Round(x)
      result is n + 1 §
function Third[integer x] = x + 1/3
function Spread[integer x] = value of
    § let n = 0
      let rec Count(k) ≡ value of § n := n + 1; result is k = 0 → n, Count(k - 1) + Count(k - 1) §
      result is Count(x) §
function Sum[integer x] = x × value of § let s = 0; for k = 1 to x do s := s + k; result is s §
function Found[integer x] = x × value of § for k = 1 to x do if k × k > x then do result is k; result is 0 §
"""


def test_c_is_written_as_a_person_would_write_it() -> None:
    plain, native, library = both(PLAIN_C)
    written = library.text[library.text.index("static whole Any(") :]
    names = {"Any", "Kind", "Third", "Spread", "Sum", "Found"}
    assert {name.name for name in library.functions} == names, library.reasons
    assert "if (x != y) {" in written
    assert "else if (x == 2) {" in written
    assert "n = 496;" in written and "n = x;" in written
    assert "1.0 / 3.0" in written
    assert "&(*" not in written
    assert written.count("goto ") == written.count("done:;") == 1  # Found leaves its loop
    assert "switch (constant) {\n    }" not in written
    for name in names:
        for x in (-1, 0, 1, 2, 3, 4):
            arguments = (x, 2) if name == "Any" else (abs(x),)
            assert outcome(getattr(native, name), *arguments) == outcome(getattr(plain, name), *arguments)


def test_what_c_changes_in_a_list_python_sees() -> None:
    plain, native, _ = both(KINDS)
    for module in (plain, native):
        numbers = [1, 2, 3]
        assert module.Put(numbers, 9) is numbers
        assert numbers == [9, 2, 3]
        assert module.Same(numbers) is numbers
        one, two = module.Both(3)
        assert one is two


def test_what_stays_in_python_says_why() -> None:
    functions, reasons = in_c(
        "Tell(n) = n < 0 → 0, value of § WriteLine(n); result is Tell(n - 1) §\n"
        "Two(n) = 2Tell(n)\nOne(n) = n + 1\nAny(x) = x\nA = Two(One(1))"
    )
    assert functions == {"One"}
    assert reasons == {
        "Any": "it takes values of any type, and no function in C applies it",
        "Tell": "C has no WriteLine",
        "Two": "C has no WriteLine",  # Tell is written out in it
    }
    shown = run("cplc", "--native", "--explain", "-", input="One(n) = n + 1\nA = One(1)\n")
    assert (shown.returncode, shown.stdout) == (0, "One: in C\n")
    assert run("cplc", "--explain", "strachey.cpl").returncode == 2


def test_a_module_and_its_library_work_alone(tmp_path: Path) -> None:
    assert run("cplc", "--native", "strachey.cpl", "-o", "fast.cpl", cwd=tmp_path).returncode == 2
    made = run("cplc", "--native", "--explain", "strachey.cpl", "-o", "fast", cwd=tmp_path)
    assert made.returncode == 0 and "PartialPositionList: in C" in made.stdout, made
    assert sorted(each.name for each in tmp_path.iterdir()) == ["fast.py", "libfast.so"]
    count = "import fast; print(len(fast.LegalPositionsFrom(fast.StartPosition)))"
    environment = {**os.environ, "PATH": ""}
    command = [sys.executable, "-c", count]
    shown = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (shown.stdout, shown.stderr) == ("7\n", "")


def test_a_module_does_not_take_the_library_of_another_version(tmp_path: Path) -> None:
    for text, name in (("F(x) = x + 1\n", "old"), ("F(x) = x + 2\n", "new")):
        (tmp_path / f"{name}.cpl").write_text(text, encoding="utf-8")
        assert run("cplc", "--native", f"{name}.cpl", "-o", name, cwd=tmp_path).returncode == 0
    (tmp_path / "libnew.so").replace(tmp_path / "libold.so")
    done = subprocess.run(
        [sys.executable, "-c", "import old; print(old.F(1))"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    assert done.stderr.endswith("old.py. Make both again with cplc --native\n"), done.stderr
    text = (tmp_path / "old.py").read_text(encoding="utf-8")
    (tmp_path / "old.py").write_text(re.sub(r', "\w{16}"\)', ")", text), encoding="utf-8")  # as 2.0 wrote it
    done = subprocess.run(
        [sys.executable, "-c", "import old; print(old.F(1))"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "3\n", done.stderr


QUICK = Source("mine.cpl", "F(integer n) = n + 1\n")
"""A program of which there is something in C."""


def test_without_a_compiler_the_message_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(toolchain.CannotBuild, match="needs a C compiler"):
        cpl.load(QUICK, native=True)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("gcc '", "without its partner"),
        ("no-such-compiler -m64", "was not found, 'no-such-compiler -m64'"),
    ],
)
def test_a_compiler_that_is_asked_for_and_not_there_is_named(
    command: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", command)
    with pytest.raises(toolchain.CannotBuild, match=message):
        cpl.load(QUICK, native=True)
    shown = run("cpl", "perft", "--depth", "2", "strachey.cpl")
    assert (shown.returncode, shown.stdout) == (0, "7 49\n")


@pytest.mark.parametrize("command", ["", " "])
def test_no_command_for_the_compiler_is_none(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", command)
    assert shutil.which(toolchain.compiler()[0])


def test_the_command_of_the_compiler_is_split_as_a_shell_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = tmp_path / "my compiler"
    compiler.write_text('#!/bin/sh\nexec cc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", f"'{compiler}' -g")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert toolchain.compiler() == [str(compiler), "-g"]
    assert not why_not_loaded(str(toolchain.built("int f(void) { return 1; }\n")))


PLAYING = (
    "cpl perft --depth 2 strachey.cpl",
    "cpl analyse --game simple-checkers --depth 2",
    "cpl match random:1 alphabeta:2 --game simple-checkers --games 2 --plies 10",
    "cpl play --game simple-checkers --red random:1 --black alphabeta:1 --plies 4",
)
"""Of a game that is compiled quickly, as none of them finds it in the cache."""


@pytest.mark.parametrize("command", PLAYING)
def test_without_a_folder_for_temporary_files_python_plays(command: str, tmp_path: Path) -> None:
    """As in a container that is read-only. The folder of the cache cannot be made, either."""
    (tmp_path / "file").touch()
    nowhere = str(tmp_path / "file" / "folder")
    environment = {"TMPDIR": nowhere, "XDG_CACHE_HOME": nowhere}
    limited = "import tempfile; tempfile._candidate_tempdir_list = lambda: []"  # which has its own, such as /tmp
    words = command.split()
    code = f"{limited}; import sys; sys.argv[0] = 'cpl'; from cpl.cli import cpl; sys.exit(cpl.main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, *words[1:]], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "optimised Python is run instead of C" in done.stderr
    assert "Traceback" not in done.stderr


def test_native_without_a_folder_for_temporary_files_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(toolchain.CannotBuild, match="the library could not be built: not a directory"):
        cpl.load(QUICK, native=True)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other formats of libraries, and other words")
def test_a_library_that_the_system_does_not_load_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mine.cpl").write_text(QUICK.text, encoding="utf-8")
    run("cplc", "--native", "mine.cpl", "-o", "fast", cwd=tmp_path)
    sound = (tmp_path / "libfast.so").read_bytes()
    of_another_machine = sound[:18] + bytes([255]) + sound[19:]
    for content, why in (
        (b"", "its end is missing"),
        (sound[:5000], "its end is missing"),
        (sound[:-1], "its end is missing"),
        (b"no library" * 10, "it is not a library of this system"),
        (of_another_machine, "it was built for another kind of machine"),
    ):
        (tmp_path / "libfast.so").write_bytes(content)
        shown = subprocess.run([sys.executable, "fast.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert f"libfast.so cannot be loaded: {why}. Make it again with cplc --native\n" in shown.stderr
    monkeypatch.setattr(toolchain, "build", lambda text: b"no library")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert cplc.main(["--native", str(tmp_path / "mine.cpl"), "-o", str(tmp_path / "fast")]) == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def is_noexec_possible() -> bool:
    """Whether this user may mount a folder of which the others see nothing."""
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "noexec", "none", "/mnt"]
    return bool(shutil.which("unshare")) and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not is_noexec_possible(), reason="this user cannot mount folders")
def test_where_no_code_may_be_run_no_library_is_said_to_be_built(tmp_path: Path) -> None:
    mount = f"mount -t tmpfs -o noexec none {tmp_path} && cd {tmp_path} && export XDG_CACHE_HOME={tmp_path} && "
    for words, status, said, written in (
        ("cplc --native strachey.cpl -o fast", 1, "its folder may not run code (noexec)", ""),
        ("cpl perft strachey.cpl --depth 2 --native", 0, "", "7 49"),  # from a temporary folder
        ("cpl perft strachey.cpl --depth 2", 0, "optimised Python is run instead of C", "7 49"),
        ("cpl perft strachey.cpl --depth 2 --native", 1, "its folder may not run code (noexec)", ""),
    ):
        there = "" if said == "" or words.startswith("cplc") else f"export TMPDIR={tmp_path} && "
        code = f"import sys; from cpl.cli import {words.split()[0]} as command; sys.exit(command.main(sys.argv[1:]))"
        line = f"{mount}{there}{shlex.join([sys.executable, '-c', code, *words.split()[1:]])}; s=$?; ls >&2; exit $s"
        done = subprocess.run(["unshare", "-m", "sh", "-c", line], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (status, written), done
        assert said in done.stderr and "Traceback" not in done.stderr
        assert "fast" not in done.stderr.split("noexec")[-1]


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_a_compiler_that_is_killed_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script(tmp_path / "dies", "kill -9 $$")
    monkeypatch.setenv("CC", str(tmp_path / "dies"))
    with pytest.raises(toolchain.CannotBuild, match="the C compiler was killed by signal 9"):
        toolchain.build("int f(void) { return 1; }\n")


def test_a_compiler_may_be_named_by_a_relative_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script(tmp_path / "mine", 'exec cc "$@"')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CC", "./mine")
    assert toolchain.build("int f(void) { return 1; }\n")


def test_no_process_and_no_thread_are_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (BlockingIOError(11, "Resource temporarily unavailable"), RuntimeError("can't start new thread")):

        def refuse(*_: Any, error: Exception = error, **options: Any) -> None:
            raise error

        monkeypatch.setattr("cpl.processes.start", refuse)
        with pytest.raises(toolchain.CannotBuild, match=r"could not be built: (resource temporarily|can't start new)"):
            toolchain.build("int f(void) { return 1; }\n")


def test_a_user_without_a_home_has_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("cpl.cache.folder", refuse)
    assert toolchain.built("int f(void) { return 1; }\n").exists()


def test_a_cache_that_is_read_only_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = "int f(void) { return 1; }\n"
    kept = toolchain.built(text)

    def refuse(*_: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.utime", refuse)
    monkeypatch.setattr(toolchain, "build", refuse)
    assert toolchain.built(text) == kept


def test_a_library_that_is_not_loaded_a_second_time_is_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    cpl.load(QUICK, native=True)

    def refuse(*_: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("cplrt.native.shutil.copy", refuse)
    with pytest.raises(toolchain.CannotBuild, match="a second time"):
        cpl.load(QUICK, native=True)


def test_a_native_module_is_run_by_a_relative_path(tmp_path: Path) -> None:
    (tmp_path / "mine.cpl").write_text(QUICK.text, encoding="utf-8")
    run("cplc", "--native", "mine.cpl", "-o", "fast", cwd=tmp_path)
    code = "import runpy; print(runpy.run_path('fast.py')['F'](1))"
    shown = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (shown.stdout, shown.stderr) == ("2\n", "")


def test_a_library_that_does_not_load_is_built_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It may be from a newer system. If none can be loaded there is an error, and no traceback."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with monkeypatch.context() as broken, pytest.raises(toolchain.CannotBuild, match="does not load"):
        broken.setattr(toolchain, "build", lambda text: b"no library")
        toolchain.built("int f(void) { return 1; }\n")
    assert toolchain.built("int f(void) { return 1; }\n").parent == tmp_path / "cplc"


@pytest.mark.long
def test_a_damaged_library_is_made_anew(tmp_path: Path) -> None:
    command = partial(
        run_alone, "cpl", "perft", "strachey.cpl", "--depth", "3", "--native", XDG_CACHE_HOME=str(tmp_path)
    )
    assert command().stdout == "7 49 302\n"
    (library,) = (tmp_path / "cplc").glob("*.so")
    sound = library.read_bytes()
    for damaged in (b"no library", sound[:5000], sound[:9000] + bytes(9000) + sound[18000:], b""):
        library.write_bytes(damaged)
        assert command().stdout == "7 49 302\n"
        assert library.read_bytes() == sound


def test_each_module_has_constants_of_its_own() -> None:
    source = Source(
        "text.cpl", "N = Read2(0)\nRead2(x) = value of § let n = 0; Read(n); result is n + x §\nF(k) = k + N\n"
    )
    modules = []
    for text in ("5", "7"):
        Input(StreamOf(text))
        modules.append(pipeline.load(source, native=True))
    Input([])
    assert [module.F(1) for module in modules] == [6, 8]


def test_a_library_is_loaded_again_where_nothing_may_be_run_from_temporary_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = toolchain.built("long f(void) { static long calls; return ++calls; }\nvoid *cpl_answer;\n")
    before = {*path.parent.iterdir()}
    monkeypatch.setattr("tempfile.tempdir", str(path))
    libraries = [NativeLibrary(str(path)) for _ in range(3)]
    assert [library._library.f() for library in libraries] == [1, 1, 1]
    assert {*path.parent.iterdir()} == before


def test_a_constant_that_c_cannot_have_leaves_its_users_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    _, native, library = both(
        "M = 2↑64\nFs = [(Twice, 1)]\nTwice(n) = 2n\nF(n) = Remainder(n, M)\nG(n) = n + 1\nH(n) = F(n) + G(n)\n"
        "Made(n) = value of § let (F,k) = Fs[0]; result is F(n) + k §\nA = (H(1), Made(2))\n"
    )
    assert {name.name for name in library.functions} >= {"F", "G", "H", "Made"}
    calls: list[int] = []
    called = NativeLibrary._called

    def noted(self: NativeLibrary, number: int, *arguments: Any) -> Any:
        calls.append(number)
        return called(self, number, *arguments)

    monkeypatch.setattr(NativeLibrary, "_called", noted)
    assert (native.F(2**64 - 1), native.H(5), calls) == (2**64 - 1, 11, [])
    assert (native.G(1), native.Twice(2), len(calls), native.Made(3)) == (2, 4, 2, 7)


def test_a_constant_list_is_in_c_if_it_is_only_read_or_no_such_list_is_assigned() -> None:
    text = (
        "A = [1,2,3]\nB = [4,5,6]\n"
        "Read(n) = value of § let s = A[n]\nfor x = A do s := s + x\nresult is Null(A) → 0, s §\n"
        "Named(n) = n > 0 → B, [n]\n"
    )
    assert in_c(text + "E = (Read(1), Named(1))\n")[0] == {"Read", "Named"}
    functions, reasons = in_c(
        text + "Put(L,n) = value of § L[0] := n\nresult is L §\nE = (Read(1), Named(1), Put([1],2))\n"
    )
    assert functions == {"Read", "Put"}
    assert reasons == {"Named": "members of B may be assigned"}
    for place in ("A[0] := n", "A[0], x := n, n"):
        functions, reasons = in_c(
            text + f"Put(n) = value of § let x = n\n{place}\nresult is x §\nE = (Read(1), Put(2))\n"
        )
        assert "Read" not in functions


@pytest.mark.long
def test_what_is_taken_is_given_back_where_only_numbers_are_assigned(monkeypatch: pytest.MonkeyPatch) -> None:
    native = cpl.load("endgames.cpl", native=True)
    monkeypatch.setattr("cplrt.native.MOST_MEMORY", 1 << 23)
    results: list[list[int]] = []
    called = NativeLibrary._called
    monkeypatch.setattr(NativeLibrary, "_called", lambda *arguments: results.append(called(*arguments)) or results[-1])
    assert native.Solve(3) == results[0] == native.KingEndings[: len(results[0])]


def test_a_fault_in_a_constant_that_holds_functions_leaves_it_to_python() -> None:
    text = "One(x) = x + 1\nTwo(x) = 2x\nFs = [(One, 1), (Two, Big(63))]\nBig(n) = n = 0 → 1, 2Big(n - 1)\n"
    plain, native, _ = both(text + "Use(n) = value of § let (F,k) = Fs[n]; result is F(k) §\nA = Use(0)\n")
    assert [module.Use(1) for module in (plain, native)] == [2**64, 2**64]


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_a_call_ends_at_ctrl_c() -> None:
    """And with it what Python has for that, with its flags, is there again."""
    text = """
    Turn(n) = value of § let k = 0; while k < n do k := (k + 1) − (k > n → 1, 0); result is k §
    Step(n) = value of § let k = 0; for i = step 1, 1, n do k := i − (k > n → 1, 0); result is k §
    A = Turn(1) + Step(1)
    """
    native = pipeline.load(Source("text.cpl", text), native=True)
    before = signal.getsignal(signal.SIGINT)
    for function in (native.Turn, native.Step):
        threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            function(2**62)
        assert signal.getsignal(signal.SIGINT) is before
        assert function(5) == 5


def test_the_c_can_be_printed() -> None:
    text = run("cplc", "--to", "c", "strachey.cpl").stdout
    parts = "whole X, whole Y, whole K, whole sigma"  # of the position
    assert f"\nstatic whole FindMoveList({parts}, text C, whole s) {{" in text
    assert "Capture_text, /* ‘Capture’ */" in text
    assert "/* BitCount(x) =" in text
    assert "    if (s != -5) {" in text
    assert "    if (d > 2 || LegalPositionsFrom(X, Y, K, sigma)->count == 0 || Y == 0) {" in text
    assert "    whole Empty = ~X & ~Y & Board;" in text
    assert "        Position p = item_Position_list(L, L_at);" in text
    assert not re.search(r"\{\n *\}", text)
    assert "/* let rec Down(k) = k = 0 → t, Down(k - 1) */\nstatic whole Count_Down(" in both(KINDS)[2].text


def test_a_program_without_functions_for_c_is_told_so() -> None:
    said = "no function of this program can be in C: cplc --native --explain says why"
    assert said in run("cplc", "--to", "c", "bridge.cpl").stderr
    assert said not in run("cplc", "--to", "c", "strachey.cpl").stderr
    assert said not in run("cplc", "--native", "--explain", "bridge.cpl").stderr


@pytest.mark.parametrize(
    ("operand", "sign", "written"),
    [
        ("(a || b == 0)", "||", "a || b == 0"),
        ("(a < (b ? c : d))", "&&", "a < (b ? c : d)"),
        ("(a && b)", "||", "(a && b)"),
        ("(a ? b : c)", "&&", "(a ? b : c)"),
        ("(a & ~b)", "&", "a & ~b"),
        ("(a & b)", "|", "(a & b)"),
        ("(a == b)", "&", "(a == b)"),
        ("(a) & (b)", "&", "(a) & (b)"),
    ],
)
def test_brackets_stay_round_operators_of_another_kind(operand: str, sign: str, written: str) -> None:
    assert in_chain(operand, sign) == written


UNUSED = """
First(P) = value of § let (x, y, (v, w)) = P
                      let Q = (−x, y)
                      result is w §|
Same(x,y) = x
Chosen(b) = b → Same, Second
Second(x,y) = y
Applied(b) = value of § let f = Chosen(b)
                        result is f(1,2) + First((1,2,(3,4))) §|
Wrong(L) = value of § let x = L[3]
                      result is 1 + L[0] §|
Use(x) = Wrong([x, 1, 2, 3]) + First((x, 2, (3, 4)))
Bad(x) = Wrong([x, 1])
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(Source("text.cpl", UNUSED), id="unused"),
        pytest.param(Source("text.cpl", KINDS), id="kinds"),
        pytest.param(Source("text.cpl", "Write(‘no function’)\n"), id="no functions"),
        "checkers",
        "capture",
        "macrogenerator",
        "simple-checkers",
        "strachey",
    ],
)
def test_a_c_compiler_finds_nothing_to_warn_of(program: str | Source, tmp_path: Path) -> None:
    _, library = pipeline.native_module(pipeline.understand(loader.program(program)))
    file = tmp_path / "text.c"
    file.write_text(library.text)
    asked = subprocess.run(
        ["cc", "-std=gnu11", "-Wall", "-Wextra", "-O2", "-c", "-o", tmp_path / "text.o", file],
        capture_output=True,
        text=True,
    )
    assert asked.stderr == ""


def test_a_library_has_no_more_of_the_prelude_than_it_uses() -> None:
    _, library = pipeline.native_module(
        pipeline.understand(Source("text.cpl", "Use(x, y) = x × y\nMore(x) = Use(x, 2)\n"))
    )
    assert "static inline number multiply_numbers(" in library.text
    assert "static inline whole multiply(" in library.text  # which it uses
    for unused in ("clock_now", "power", "write_text", "hash_whole", "KEPT_SMALL", "new_places"):
        assert unused not in library.text
    assert "What is remembered stays" not in library.text  # the heading of a part of which nothing is left
    _, library = pipeline.native_module(pipeline.understand(Source("text.cpl", "Write(‘no function’)\n")))
    assert "next_given" not in library.text
    assert "switch" not in library.text


ALIKE = """
Sum(L) = value of § let rec Of(M) = Null(M) → 0, Head(M) + Of(Tail(M)); result is Of(L) §
Of(M) = Null(M) → 1, 2 × Of(Tail(M))
Length(L) = value of § let rec Of(M) = Null(M) → 1, 2 × Of(Tail(M)); result is 3 + Of(L) §
First(n) = n = 0 → 5, 7 × First(n - 1)
Second(n) = n = 0 → 5, 7 × Second(n - 1)
Third(n) = n = 0 → 5, 8 × Third(n - 1)
Uses = (Sum([1, 2]), Length([1, 2]), Of([1]), First(2), Second(2), Third(2))
"""


def test_functions_that_are_identical_are_written_once() -> None:
    plain, native, library = both(ALIKE)
    for name in ("Sum", "Length", "Of"):
        assert getattr(native, name)([3, 4]) == getattr(plain, name)([3, 4])
    for name in ("First", "Second", "Third"):
        assert getattr(native, name)(3) == getattr(plain, name)(3)
    written = re.findall(r"^static whole (\w+)\([^)]*\) \{", library.text, re.MULTILINE)
    assert {"First", "Third"} <= {*written}
    assert "Second" not in written


def test_identical_functions_have_lines_that_are_broken_elsewhere() -> None:
    parameters = ", ".join(f"int parameter_{number}" for number in range(7))

    def text(name: str) -> str:
        heading = "\n".join(headed(f"static int {name}({parameters})", " {"))
        return f"{heading}\n    return parameter_1;\n}}\n\n"

    short, long = "F", "F" * 15
    both_functions = f"{text(short)}{text(long)}int open(void) {{\n    return {short}(1) + {long}(1);\n}}\n"
    assert text(short).replace(short, long) != text(long)
    assert with_functions_once(both_functions) == both_functions.replace(text(long), "").replace(long, short)


def test_what_is_not_only_called_stays_two_functions() -> None:
    def text(last: str) -> str:
        functions = [f"/* {name} */\nstatic int {name}(int x) {{\n    return x + 1;\n}}" for name in ("F", "G")]
        return "\n\n".join([*functions, "static int G(int x);", f"int open(void) {{\n    return {last};\n}}\n"])

    assert with_functions_once(text("F(G(1))")).count("return x + 1;") == 1
    assert "F(F(1))" in with_functions_once(text("F(G(1))"))
    for other in ("F(call(G, 1))", "({ int G = 1; F(G); })"):
        assert with_functions_once(text(other)) == text(other)
    different = text("F(G(1))").replace("int G(int x) {", "int G(long x) {")
    assert with_functions_once(different) == different


def test_conditionals_that_follow_each_other_are_a_chain_of_tests_with_their_values() -> None:
    assert in_conditional("(b ? 2 : 3)") == "b ? 2 : 3"
    for text in ("(b + 2)", "f(b ? 2 : 3)", "(f(b ? 2 : 3) + 1)", "({ b ? 2 : 3; })"):
        assert in_conditional(text) == text
    written = functions_of("Sign(x) = x + (x > 0 → 1, x = 0 → 0, −1)\nUse = Sign(2)\n")
    assert "return add(x, (x > 0) ? 1 : (x == 0) ? 0 : -1);" in written
    names = [f"{letter * 20}" for letter in "abcde"]
    chain = "x = ({} == 1) ? {} : ({} == 2) ? {} : {};".format(*names)
    assert [*laid_out(chain, "")] == [
        f"x = ({names[0]} == 1) ? {names[1]}",
        f"    : ({names[2]} == 2) ? {names[3]}",
        f"    : {names[4]};",
    ]


def test_statements_inside_of_an_expression_have_lines_of_their_own_earlier() -> None:
    names = ["f" * 30, "g" * 30]
    block = "({{ whole x = {}(1); {}(x, x); }})".format(*names)
    inside = [f"        whole x = {names[0]}(1);", f"        {names[1]}(x, x);"]
    assert [*laid_out(f"return {block};", "    ")] == [f"    return {block};"]
    assert [*laid_out(f"return 100 + {block};", "    ")] == ["    return 100 + ({", *inside, "    });"]
    assert [*laid_out(f"if ({block}) {{", "    ")] == [f"    if ({block}) {{"]
    assert [*laid_out(f"while_true = is_one({block});", "    ")] == ["    while_true = is_one(({", *inside, "    }));"]


def test_a_variable_gets_its_first_value_where_it_is_declared() -> None:
    lines = ["    whole x;", "    x = add(y, 1);", "    whole z;", "    z = z_of(&z);", "    whole v;", "    w = 1;"]
    assert with_first_values(lines) == ["    whole x = add(y, 1);", *lines[2:]]
    deeper = ["    whole x;", "        x = 1;", "    return x;", "    x = 2;"]
    assert with_first_values(deeper) == deeper


def fewer(text: str, *parameters: str) -> str:
    """Lines of C, indented as in a function, without the variables that they can do without."""
    lines = [f"    {line}" for line in text.strip().split("\n")]
    return "\n".join(line[4:] for line in with_fewer_variables(lines, dict.fromkeys(parameters, "whole")))


def test_a_copy_that_is_always_the_variable_goes() -> None:
    assert fewer("whole y = x;\nwhole z = y;\nuse(z, y.a);", "x") == "use(x, x.a);"
    assert (
        fewer("while (f(x)) {\n    whole y = x;\n    use(y);\n    x = y;\n}", "x") == "while (f(x)) {\n    use(x);\n}"
    )


@pytest.mark.parametrize(
    "change",
    [
        "x = 2;",
        "y = 2;",
        "x.a = 2;",
        "y += 2;",
        "x++;",
        "place = &y;",
        "if (f(&x)) {\n    use(1);\n}",
        "f(({ x = 1; 2; }));",
    ],
)
def test_a_copy_stays_where_it_or_the_variable_changes(change: str) -> None:
    kept = f"whole y = x;\n{change}\nuse(x, y);"
    assert fewer(kept, "x") == kept


def test_a_copy_of_another_type_stays() -> None:
    kept = "real y = x;\nuse(y);"
    assert fewer(kept, "x") == kept


def test_what_is_assigned_and_never_read_goes() -> None:
    assert fewer("y = 2;\nreturn x;", "x", "y") == "return x;"
    assert fewer("whole y;\ny = add(x, 2) & 3;\nuse(x);", "x") == "use(x);"
    assert fewer("while (x) {\n    whole y = f(x);\n    use(y);\n    y = 0;\n}", "x") == (
        "while (x) {\n    whole y = f(x);\n    use(y);\n}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "y = 2;\nuse(y);",
        "while (x) {\n    use(y);\n    y = 0;\n}",  # the next round reads it
        "while (y) {\n    check_stop();\n    y = 0;\n}",
        "y = f(x);\nreturn x;",  # which may end in a fault
        "y = count_ones(x);\nreturn x;",  # which gives up what has ones without end
        "z = 2;\nreturn x;",  # a variable of the program
        "(*y) = 2;\nreturn x;",
        "place = &y;\ny = 2;\nreturn *place;",
        "if (x) {\n    y = 2;\n}",  # a block would be empty
        "if (x) {\n    y = 2;\n    goto done;\n}\ny = 3;\ndone:;\nuse(y);",
    ],
)
def test_what_may_be_read_stays_assigned(text: str) -> None:
    assert fewer(text, "x", "y") == text


def test_only_the_next_statement_gets_the_value_of_a_variable() -> None:
    assert fewer("number v = f(x);\nreturn v;", "x") == "return f(x);"
    assert fewer("T t = f(g(x), 1);\nnumber v = t.b;\nreturn v;", "x") == "return f(g(x), 1).b;"
    assert fewer("T t = (T){x & 1, y};\nuse(t.a, t.b, ~t.b);", "x", "y") == "use(x & 1, y, ~y);"
    assert fewer("T t = (T){x & 1, y};\nuse(~t.a);", "x", "y") == "use(~(x & 1));"
    assert fewer("whole v = x\n    ? 1\n    : 2;\nreturn v;", "x") == "return x\n    ? 1\n    : 2;"
    for text in (
        "number v = f(x);\nuse(x);\nreturn v;",
        "number v = f(x);\nif (x) {\n    return v;\n}\nuse(v);",
        "T t = (x == 1) ? f(x) : g(x);\nreturn t.b;",
        "T t = (T){x & 1, y};\nuse(t.a, t.a);",
        "T t = (T){x & 1, y};\nuse(t.a, t);",
        "T t = (T){x & 1, y};\nwhile (t.a) {\n    use(x);\n}",
        "T t = (T){item_list(L, 0), y};\nuse(t.b);",  # the list may be empty
    ):
        assert fewer(text, "x", "y", "L") == text, text


def test_a_walk_is_at_its_start_up_to_a_loop_and_up_to_its_first_step() -> None:
    start = "whole L_at = 0;\n"
    assert fewer(f"{start}use(rest_from_list(L, L_at), L_at);", "L") == "use(L, 0);"
    for text in (
        "while (L->count != L_at) {\n    L_at = after_first(L->count, L_at);\n}",
        "L_at = after_first(L->count, L_at);\nuse(L_at);",
        "step(&L_at);\nuse(L_at);",
    ):
        assert fewer(start + text, "L") == start + text, text


RELATIONS = """
function Whole[integer a, integer b] = (~(a < b), ~(a > b), ~(a ≤ b), ~(a ≥ b), ~(a < b < 9)) §
function Real[real a, real b] = (~(a < b), ~(a > b), ~(a ≤ b), ~(a ≥ b), ~(a < b < 9)) §
"""


def test_only_between_whole_numbers_a_relation_has_an_opposite() -> None:
    """With a real that is undefined, neither of two opposite relations holds."""
    plain, native, library = both(RELATIONS.replace(" §", ""))
    undefined = float("inf") - float("inf")
    for numbers in [(1, 2), (2, 1), (2, 2)]:
        assert native.Whole(*numbers) == plain.Whole(*numbers)
    for a, b in [(1.5, 2.0), (2.0, 1.5), (2.0, 2.0), (undefined, 1.0), (1.0, undefined)]:
        assert native.Real(a, b)[:4] == (not a < b, not a > b, not a <= b, not a >= b)
    whole, real = re.findall(r"return \(\w+Value\)\{(.*)\};", library.text)
    assert whole == "a >= b, a <= b, a > b, a < b, !((a < b) && (b < 9))"
    assert real.startswith("!(a < b), !(a > b), !(a <= b), !(a >= b)")


SUMS = """
function Whole[integer a, integer b] = (a + 50 - 1, a - 1 - 1, a + 3 - 3, a - 5 + 7 - b - 1, 4 + a + 5)
function Real[real a] = (a + 50 - 1, a + 0.1 - 0.1)
Large[integer a] = a + 9223372036854775807 + 9223372036854775807
"""


def test_constants_that_are_added_one_after_the_other_are_one() -> None:
    plain, native, library = both(SUMS.replace("Large[", "function Large["))
    for number in [0, 1, -1, 2**62, 2**63 - 1, 2**63 - 49, -(2**63), -(2**63) + 1, 2**64]:
        assert any_outcome(native.Whole, number, 3) == any_outcome(plain.Whole, number, 3)
        assert any_outcome(native.Large, number) == any_outcome(plain.Large, number)
    for real in [0.3, 2.0**53, -0.0]:
        assert any_outcome(native.Real, real) == any_outcome(plain.Real, real)
    returned = re.findall(r"return (.*);", library.text[library.text.index("Whole(whole a, whole b) {") :])
    assert returned[0].endswith(
        "{add(a, 49), subtract(a, 2), a, subtract(subtract(add(a, 2), b), 1), add(add(4, a), 5)}"
    )
    assert "a + 50.0 - 1.0" in returned[1].replace("(", "").replace(")", "")


WALKED = """
Sum(L) = value of § let s, M = 0, L
                    until Null(M) do § let (x, R) = Next(M); s := s + x; M := R §
                    result is s §|
Last(L) = value of § let s, M = 0, L
                     until Null(M) do § let (x, R) = Next(M); s := x + Sum(M); M := R §
                     result is s §|
Uses = (Sum([1, 2]), Last([1, 2]))
"""


def test_what_only_hands_on_a_value_is_no_variable_of_c() -> None:
    plain, native, library = both(WALKED)
    for name in ("Sum", "Last"):
        assert getattr(native, name)([1, 2, 5]) == getattr(plain, name)([1, 2, 5])
    sum, last = (library.text.partition(f"static whole {name}(")[2].partition("\n}")[0] for name in ("Sum", "Last"))
    assert not re.search(r"\bR", sum)
    assert re.search(r"\bR", last)  # M is read after its rest is made


def test_functions_that_others_have_in_them_are_left_out() -> None:
    text = without_unused_definitions(
        "/* The first */\nstatic int First(int x) {\n    return First(x) + 1;\n}\n\n"
        "/* Second, for First( */\nstatic long Second(\n    int x);\n\nstatic int third;\n\n"
        "int open(void) {\n    return Second(third);\n}\n"
    )
    assert text == (
        "\n/* Second, for First( */\nstatic long Second(\n    int x);\n\nstatic int third;\n\n"
        "int open(void) {\n    return Second(third);\n}\n"
    )


def test_what_ends_in_a_fault_is_not_left_out() -> None:
    plain, native, library = both(UNUSED)
    assert {"Applied", "Use", "Bad"} <= {name.name for name in library.functions}
    calls = [("Applied", True), ("Use", 5), ("Bad", 6)]
    for function, argument in calls:
        assert any_outcome(getattr(native, function), argument) == any_outcome(getattr(plain, function), argument)
    assert (any_outcome(native.Use, 5), any_outcome(native.Bad, 6)) == ("10", "none")
