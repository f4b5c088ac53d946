"""Functions that Python gives values of all kinds to give the same value, or a fault, in plain Python, -O and C.

Optimised code rests on what the program itself gives its functions. Python may give them anything.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest
from cplrt import Array, CplFault, Logical, show

from cpl.compiler import pipeline
from cpl.compiler.c.toolchain import compiler as c_compiler
from cpl.compiler.source import Source

WAYS = ["-O", pytest.param("native", marks=pytest.mark.skipif(not c_compiler(), reason="no C compiler"))]

FUNCTIONS = {
    "a number compared": "Kind(x) = x = 0 → ‘zero’, x > 0 → ‘plus’, ‘minus’\nA = Kind(3)\n",
    "a list tested": "Size(L) = Null(L) → 0, 1 + Size(Tail(L))\nA = Size([1,2])\n",
    "a loop through a list": "Last(L) = Null(Tail(L)) → Head(L), Last(Tail(L))\nA = Last([1,2])\n",
    "a list that is built": "Twice(L) = Null(L) → NIL, Join([Head(L), Head(L)], Twice(Tail(L)))\nA = Twice([1])\n",
    "bit strings counted": "Count(x) = Null(x) → 0, 1 + Count(x - SingleDigitFrom(x))\nA = Count(Logical(6))\n",
    "a bit string moved": "Moved(x) = Shift(x,1) ∨ Logical(1)\nA = Moved(Logical(6))\n",
    "a bit string that is not used": "Same(x) = value of § let y = ~x; result is 1 §|\nA = Same(Logical(1))\n",
    "bit strings in a tuple": (
        "Own(P) = value of § let (X,Y) = P; result is X - Y §|\nA = Own((Logical(3),Logical(1)))\n"
    ),
    "a sum of declared numbers": "Half(real x) = x/2 + 1\nA = Half(3)\n",
    "a value with itself": "Equals(x) = x = 1\nA = Equals(2)\n",
    "a value that is passed on": (
        "Pass(x) = Taken(x)\nTaken(x) = Null(x) → 1, 2\nA = Taken([1])\nB = Pass(Logical(1))\n"
    ),
    "a function that is applied": "Apply(f) = f(1) + 1\nUp(x) = x + 1\nA = Apply(Up)\n",
    "a list of members": "Sum(L) = Null(L) → 0, Head(L) + Sum(Tail(L))\nA = Sum([1,2])\n",
    "a text compared": "Word(s) = s = ‘a’ → 1, s = ‘’ → 2, 3\nA = Word(‘b’)\n",
}

VALUES: dict[str, Callable[[], Any]] = {
    "1": lambda: 1,
    "-2": lambda: -2,
    "0": lambda: 0,
    "2.5": lambda: 2.5,
    "true": lambda: True,
    "false": lambda: False,
    "‘’": lambda: "",
    "‘ab’": lambda: "ab",
    "NIL": list,
    "[1,2]": lambda: [1, 2],
    "[‘a’]": lambda: ["a"],
    "(1,2)": lambda: (1, 2),
    "Logical([0,2])": lambda: Logical(5),
    "Logical(NIL)": lambda: Logical(0),
    "(Logical(2),Logical(3))": lambda: (Logical(2), Logical(3)),
    "a function": lambda: len,
    "None": lambda: None,
    "an array": lambda: Array("general", (0, 1)),
}

OPERATORS = "+-∧∨"
OPERANDS = ["1", "0", "2.5", "true", "false", "‘ab’", "NIL", "[1,2]", "(1,2)", "Logical(1)"]


@cache
def loaded(text: str, way: str) -> Any:
    """The module, which tests share: one that changes it loads its own."""
    return pipeline.load(Source("mine.cpl", text), optimise=way == "-O", native=way == "native")


def outcome(function: Callable[..., Any], *arguments: Any) -> str:
    """The value of an application as it is shown, or that it is a fault."""
    try:
        return show(function(*arguments))
    except CplFault:
        return "a fault"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", FUNCTIONS)
def test_what_python_gives_a_function(what: str, way: str) -> None:
    text = FUNCTIONS[what]
    name = text.partition("(")[0]
    plain, fast = (getattr(loaded(text, each), name) for each in ("plain", way))
    results = {value: (outcome(plain, make()), outcome(fast, make())) for value, make in VALUES.items()}
    assert {value: pair for value, pair in results.items() if len({*pair}) > 1} == {}
    assert any(pair[0] != "a fault" for pair in results.values())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_between_what_python_gives(operator: str, way: str) -> None:
    """However the program itself uses them: with numbers, truth values or bit strings."""
    used = {"numbers": "(1,2)", "truth values": "(true,false)", "bit strings": "(Logical(1),Logical(2))"}
    allowed = ["bit strings", "truth values" if operator in "∧∨" else "numbers"]
    for kind in allowed:
        text = f"Of(x,y) = x {operator} y\nA = Of{used[kind]}\n"
        plain, fast = (loaded(text, each).Of for each in ("plain", way))
        for (x, first), (y, second) in product(VALUES.items(), repeat=2):
            pair = outcome(plain, first(), second()), outcome(fast, first(), second())
            assert len({*pair}) == 1, (kind, x, y, pair)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_between_values_of_the_program(operator: str, way: str) -> None:
    pairs = [*product(OPERANDS, repeat=2)]
    written = "".join(f"A{at}() = {left} {operator} {right}\n" for at, (left, right) in enumerate(pairs))
    passed = "".join(
        f"B{at}() = F{at}({left})\nF{at}(x) = x {operator} {right}\n" for at, (left, right) in enumerate(pairs)
    )
    for text, letter in ((written, "A"), (passed, "B")):
        plain, fast = (loaded(text, each) for each in ("plain", way))
        for at, values in enumerate(pairs):
            pair = [outcome(getattr(module, f"{letter}{at}")) for module in (plain, fast)]
            assert len({*pair}) == 1, (values, pair)


def test_a_function_within_is_not_checked_again() -> None:
    """A call from outside is checked once: what the function applies is not what Python sees."""
    module = pipeline.load(Source("mine.cpl", FUNCTIONS["bit strings counted"]), optimise=True)
    module.Count = None
    assert module._Count(6) == 2


def test_a_function_that_takes_anything_captures_what_the_fast_one_captures() -> None:
    """Both are defined at the same place of the program."""
    text = "let g = 1\nF(x) = Null(x) → g, Null(Shift(x,g)) → g + 10, g + 20\nA = F(Logical([1]))\ng := 2\n"
    plain, fast = (loaded(text, way) for way in ("plain", "-O"))
    for value in ([], Logical([1]), Logical([0]), ""):
        assert outcome(fast.F, value) == outcome(plain.F, value)
    assert outcome(fast.F, []) == "1"


SHARED = """
Map(F,L) = Null(L) → NIL, Join([F(Head(L))], Map(F,Tail(L)))
Up(X) = Shift(X,1)
Chosen(n,L) = n = 1 → Map(Up,L), n = 0 → L, Map(Up,Map(Up,L))
A = Chosen(1,[Logical(1)])
Next(n) = n + 1
B = Map(Next,[1,2])
"""


def test_a_function_for_all_types_does_not_make_its_users_unsure() -> None:
    """Map gets whole numbers from within the module and bit strings from the functions for Python."""
    written = pipeline.compile_source(Source("mine.cpl", SHARED), pipeline.Options(optimise=True)).python
    within = written[written.index("def _Chosen") : written.index("# Outside")]
    assert "if n == 1:" in within and "Equal(" not in within
    plain, fast = (loaded(SHARED, way).Chosen for way in ("plain", "-O"))
    lists = [[Logical(5)], [True], [1], [], 1]
    for n, members in product([1, 0, True, False, 1.0, 2, "a", Logical(1)], lists):
        assert outcome(fast, n, members) == outcome(plain, n, members)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "text",
    [
        "let s = Logical([0])\nB(L) = s ∨ L\nlet s = 1\nA = B(Logical(2))\n",
        "let s = Logical([0]) in B(L) = s ∨ L\nA = B(Logical(2))\n",
        "let H(x) = Shift(x,1) ∨ Logical(1) in B(L) = H(L)\nA = B(Logical(2))\n",
    ],
)
def test_a_function_as_it_is_written_has_what_only_it_sees(text: str, way: str) -> None:
    plain, fast = (loaded(text, each) for each in ("plain", way))
    for value in VALUES.values():
        assert outcome(fast.B, value()) == outcome(plain.B, value())
    assert show(fast.B(Logical(2))) == show(plain.B(Logical(2)))
