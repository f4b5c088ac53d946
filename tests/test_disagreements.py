"""Where `cpl check` finds an error of types, every way to run the program ends in the fault of the interpreter."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest
from cplrt import show

import cpl
from cpl.compiler import pipeline
from cpl.compiler.c import toolchain
from cpl.compiler.semantics.interpreter import Interpreter
from cpl.compiler.source import Source

VALUES = ["2", "‘ab’", "[1,2]", "true", "Logical(3)", "F"]
OPERATORS = ["+", "-", "×", "/", "↑", "<", "≥", "∧", "∨", "≡"]
DECLARED_CONDITIONS = [
    *("Tested({})", "Taken({}) → 1, 2", "Once({})", "Passed({})"),
    "value of § Boolean b = {}; result is b → 1, 2 §|",
    "value of § let A = Newarray[Boolean,(0,1)]; A[0] := {}; result is A[0] → 1, 2 §|",
    "value of § let q = Sign[{}]; result is Plus[q] → 1, 2 §|",
]
WITH_ONE = [
    *("-({})", "+({})", "~({})", "({}) → 1, 2", "~({}) → 1, 2", "(true ∧ ({})) → 1, 2", "(({}) ∨ false) → 1, 2"),
    *("Add({0},{0})", "Less({0},{0})", "Half({})", "1 < {} < 3", "{0} < {0} < {0}", "Both({})", "2 ({})"),
    "value of § let s = 0; for k = {} do s := s + 1; result is s §|",
    "value of § let s = 0; for k = step {}, 1, 3 do s := s + 1; result is s §|",
    "value of § let (a,b) = {}; result is (b,a) §|",
    "value of § let (a,(b,c)) = (1,{}); result is (c,b,a) §|",
    "value of § let a, b = 1, 2; (a, b) := {}; result is (b,a) §|",
    "value of § let n = 0; while {} do § n := n + 1; if n > 3 then result is 9 §|; result is n §|",
    "value of § if {} then result is 1; result is 2 §|",
    "(value of § if 2 > 1 then result is {}; result is true §|) → 1, 2",
    "value of § Boolean b = {}; Boolean c = b; let g[] ≡ c ∧ true; b, c := c, b; result is g() §|",
    *DECLARED_CONDITIONS,
    "value of § logical list L = [{}]; result is Head(L) ∧ Logical(1) §|",
    "value of § let w = {}; Up[w]; result is w §|",
    "value of § let x = {0}; x := x + {0}; result is x §|",
    "value of § integer n = {}; result is n §|",
    "value of § real x = {}; result is x §|",
    "value of § let v = {}; v[1] := 5; result is v[1] §|",
    "value of § switch {} into § case 1: result is 7; default: result is 8 §| §|",
    *(f"{name}({{}})" for name in "Head Tail Null SymbolsOf StringOf SingleDigitFrom SqRt Entier Code Length".split()),
    *("Shift({},1)", "Shift(Logical(3),{})", "Quotient({},2)", "Join({},[1])", "(λx. x + x)({})"),
]
DEFINED = """\
F(x) = x
Add(x,y) = x + y
Less(x,y) = x < y
Half(x) = x / 2
Both(c) = (c ∧ 3 > 2) → 1, 2
node Sign is Boolean Plus
Tested(Boolean b) = b → 1, 2
Passed(Boolean b) = Chosen(b)
Chosen(c) = c → 1, 2
Boolean Taken(x) = x
routine Up[ref integer z] is z := z + 1
Once[substitution Boolean b] ≡ b → 1, 2
"""
EXPRESSIONS = [
    *(f"{x} {operator} {y}" for operator, x, y in product(OPERATORS, VALUES, VALUES)),
    *(form.format(value) for form, value in product(WITH_ONE, VALUES)),
]


def name_of(number: int) -> str:
    return f"Case{''.join(chr(ord('a') + int(digit)) for digit in str(number))}"


def functions(expressions: Sequence[str]) -> str:
    return DEFINED + "".join(f"{name_of(number)}() = {text}\n" for number, text in enumerate(expressions))


def outcome(job: Callable[[], Any]) -> str:
    """What a call gives. Faults that Python finds are all one, as their words are Python's."""
    try:
        return show(job())
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
        return "fault"
    except Exception as fault:
        assert type(fault).__name__ == "CplFault"  # a standalone module has one of its own
        return f"fault: {fault}"


def outcomes(names: dict[str, Any]) -> list[str]:
    return [outcome(names[name_of(number)]) for number in range(len(EXPRESSIONS))]


@pytest.fixture(scope="module")
def meaning() -> pipeline.Meaning:
    return pipeline.understand(Source("mine.cpl", functions(EXPRESSIONS)))


@pytest.fixture(scope="module")
def interpreted(meaning: pipeline.Meaning) -> list[str]:
    return outcomes(Interpreter(meaning.core, meaning.library.host).names)


def standalone(meaning: pipeline.Meaning) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "alone"}
    exec(pipeline.compile_meaning(meaning, pipeline.Options(standalone=True, pretty=False)).python, names)
    return names


def loaded(**options: bool) -> Callable[[pipeline.Meaning], dict[str, Any]]:
    return lambda meaning: vars(pipeline.executable_of(meaning, pipeline.Options(**options)).module())


@pytest.fixture(scope="module")
def wrong(meaning: pipeline.Meaning) -> set[int]:
    """The expressions in which `cpl check` finds an error, wherever it puts the blame."""
    certain = [conflict for conflict in meaning.facts.disagreements if conflict.is_certain]
    lines = {place.line for conflict in certain for place in conflict.places}
    return {line - 1 - DEFINED.count("\n") for line in lines} & {*range(len(EXPRESSIONS))}


NATIVE = [pytest.mark.skipif(toolchain.compiler() is None, reason="there is no C compiler"), pytest.mark.long]
WAYS: dict[str, Callable[[pipeline.Meaning], dict[str, Any]]] = {
    "plain": loaded(),
    "optimised": loaded(optimise=True),
    "native": loaded(native=True),
    "standalone": standalone,
}


@pytest.mark.parametrize("way", ["plain", "optimised", "standalone", pytest.param("native", marks=NATIVE)])
def test_a_type_error_ends_in_the_fault_of_the_interpreter(
    way: str, meaning: pipeline.Meaning, interpreted: list[str], wrong: set[int]
) -> None:
    assert len(wrong) > len(EXPRESSIONS) / 3
    found = outcomes(WAYS[way](meaning))
    for number, expression in enumerate(EXPRESSIONS):
        one, other = found[number], interpreted[number]
        if number in wrong and "fault" not in (one, other):
            assert one == other, expression
        assert one.startswith("fault") == other.startswith("fault"), expression


LAZY = ("true ∨", "(true ∨")
"""Here an operand with an error is not evaluated."""
LISTS = {form.format("[1,2]") for form in DECLARED_CONDITIONS}
"""As a condition a list holds, also where a truth value is declared: nothing checks that when the program runs."""


def test_what_is_an_error_for_cpl_check_is_a_fault(interpreted: list[str], wrong: set[int]) -> None:
    values = {EXPRESSIONS[number] for number in wrong if not interpreted[number].startswith("fault")}
    assert {text for text in values if not text.startswith(LAZY)} <= LISTS


@pytest.mark.parametrize("kind", ["logical", "Boolean", "string"])
def test_a_declaration_is_not_checked_when_the_program_runs(kind: str) -> None:
    for value in ("2", "2.5", "‘ab’", "[1,2]", "true", "Logical([0,1])"):
        text = f"F() = value of § {kind} n = {value}; result is n §|\n"
        module = cpl.load(Source("mine.cpl", text))
        optimised = cpl.load(Source("mine.cpl", text), optimise=True)
        assert show(module.F()) == show(optimised.F()) == value
