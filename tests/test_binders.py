"""Each round of a loop binds its names again, whatever binds them: a grid of small programs.

A cell is a binder, a loop that gives k the values 1, 2, 3, and a place that keeps a function of each round. Applied to
0 at the end, when all rounds are over, a function gives the k of its own round, in all ways.
"""

from collections.abc import Mapping, Sequence
from textwrap import indent

import pytest
from ways import ALL, ways

BINDERS: Mapping[str, tuple[str, str]] = {  # what a round defines, and the function that is kept
    "the loop itself": ("", "λx. x + k"),
    "a value": ("let v = k", "λx. x + v"),
    "several values at once": ("let v, u = k, 2k", "λx. x + u - v"),
    "a list taken apart": ("let (v, u) = (k, 2k)", "λx. x + u - v"),
    "a place": ("let v = k\nlet g[x] ≡ x + v", "g"),
    "a place that is assigned after": ("let v = 0\nlet g[x] ≡ x + v\nv := k", "g"),
    "a place that is assigned before": ("let v = 0\nv := k\nlet g[x] ≡ x + v", "g"),
    "a declared variable": ("integer r\nlet g[x] ≡ x + r\nr := k", "g"),
    "a declared variable that is read late": ("integer r\nif k > 0 then r := k\nlet g[x] = x + r", "g"),
    "a function by value": ("let f[x] = x + k", "λx. f(x)"),
    "a function by place": ("let f[x] ≡ x + k", "λx. f(x)"),
    "a function of a function by place": ("let f[x] = x + k\nlet g[x] ≡ f(x)", "g"),
    "a function of a function by value": ("let f[x] = x + k\nlet g[x] = f(x)", "g"),
    "a function as a value": ("let f[x] = x + k\nlet v = f", "v"),
    "a function that applies itself": ("let rec f[x] = x < 1 → k, f[x - 1]", "λx. f[x + 2]"),
    "a function that is kept and applies itself": ("let rec f[x] = x > 1 → k, f[x + 1]", "f"),
    "a function that gives itself to a λ": ("let rec f[x] = x > 1 → k, (λy. f[y + 1])(x)", "f"),
    "functions of each other, the first": (
        "let rec f[x] = x > 3 → k, g[x + 1]\nand g[x] = x > 3 → k, f[x + 1]",
        "f",
    ),
    "functions of each other, the last": (
        "let rec f[x] = x > 3 → k, g[x + 1]\nand g[x] = x > 3 → k, f[x + 1]",
        "g",
    ),
    "functions of each other by place": (
        "let rec f[x] ≡ x > 3 → k, g[x + 1]\nand g[x] ≡ x > 3 → k, f[x + 1]",
        "λx. g(x)",
    ),
    "a function that a routine helps": (
        "let rec f[x] ≡ value of § R[x]; result is x §\nand R[ref y] be y := y + k",
        "f",
    ),
    "a λ after ≡": ("let f ≡ λx. x + k", "f"),
    "another name of a function": ("let g = λx. x + k\nlet f ≃ g", "f"),
    "another name of a variable": ("let m = k\nlet l ≃ m\nlet f[x] ≡ x + l", "f"),
    "a definition by substitution": ("let m ≡ k\nlet f[x] ≡ x + m", "f"),
    "an own function": ("let g = λx. x + k in f[x] ≡ g(x)", "f"),
    "a function that a routine leaves by a jump": (
        "let f[x] ≡ value of\n  § let R[y] be § x := x + y; go to Out §\n    R[k]\n    x := 0\n    Out: result is x §",
        "f",
    ),
    "a function with labels": (
        "let f[x] ≡ value of\n"
        "  § let n = 0\n    Again: n := n + 1\n    if n < k then go to Again\n    result is x + n §",
        "f",
    ),
    "a routine": ("routine R[ref z] is z := z + k", "λx. value of § let y = x; R[y]; result is y §"),
    "a routine that changes the round": (
        "let v = 0\nroutine R[x] is v := x + k\nlet g[x] ≡ value of § R[x]; result is v §",
        "g",
    ),
    "a routine that applies itself": (
        "rec routine R[x,ref z] is test x = 0 then z := k or R[x - 1, z]",
        "λx. value of § let y = x; R[2, y]; result is y §",
    ),
    "a parameter": ("let h[p] = λx. x + p", "h(k)"),
    "a parameter that changes": ("let h[p] ≡ value of § let g[x] ≡ x + p; p := p + 1; result is g §", "h(k - 1)"),
    "a parameter by reference": ("let v = k\nlet h[ref p] ≡ value of § p := p + 1; result is λx. x + p - 1 §", "h(v)"),
    "a parameter by substitution": ("let h[substitution p] ≡ value of § let v = p; result is λx. x + v §", "h(k)"),
    "a pointer": ("let v = k\nlet p = Pointer[v]", "λx. x + ↓p"),
    "a pointer to what changes": ("let v = 0\nlet p = Pointer[v]\nv := k", "λx. x + ↓p"),
    "an own variable": ("let c = k in f[x] ≡ value of § c := c + x; result is c §", "f"),
    "a pair that loads and updates": ("let v = 0\nlet g[x] ≡ v + x\nroutine U[x] is v := x\nU[k]", "g"),
    "a function in a node": ("let f[x] = x + k\nlet n = Box[λx. f(x)]", "In[n]"),
    "a λ in a λ": ("let f[x] = x + k", "λx. (λy. f(y))(x)"),
    "a λ that makes a λ": ("let f[x] = λy. x + y + k", "f(0)"),
    "a function with variables of its own": (
        "let f[x] = value of § let w = k; let e[y] = y + w; result is e[x] §",
        "λx. f(x)",
    ),
    "a loop within the round": ("let f[x] = x + k\nlet s = 0\nfor i = 1 to 2 do s := s + f[0]", "λx. x + s - f(x)"),
    "a function in a loop within the round": (
        "let g = λx. 0\nfor i = 1 to 2 do § let f[x] = x + i × k; g := λx. f(x) - k §",
        "g",
    ),
    "a λ that replaces the function it applies": ("let g = λx. x\nlet h[x] = g(x) + k\ng := λx. h(x)", "g"),
}
BODY = "§ {round}\n  {keep} §"
LOOPS: Mapping[str, str] = {  # commands that obey the body for k = 1, 2, 3
    "for with steps": "for k = 1 to 3 do\n{body}",
    "for with a step": "for j = step 3, -1, 1 do\n  § let k = 4 - j\n{body} §",
    "for through a list": "for k = [1,2,3] do\n{body}",
    "for through values": "for k = 1, 2, 3 do\n{body}",
    "while": "let j = 0\nwhile j < 3 do\n  § j := j + 1\n    let k = j\n{body} §",
    "until": "let j = 0\nuntil j = 3 do\n  § j := j + 1\n    let k = j\n{body} §",
    "repeat": "let j = 0\n§ j := j + 1\n  let k = j\n{body} § repeat while j < 3",
    "labels": "let j = 0\nAgain: j := j + 1\nlet k = j\n{body}\nif j < 3 then go to Again",
    "labels of a loop that is entered": (
        "let j = 0\ngo to In\nAgain: j := j + 1\nIn: let k = j + 1\n{body}\nif j < 2 then go to Again"
    ),
    "a loop in a loop": "for d = 0 to 1 do for q = 1 to 2 do if 2d + q < 4 then\n  § let k = 2d + q\n{body} §",
    "recursion": "rec routine Each[k] is if k < 4 then\n  §\n{body}\n    Each[k + 1] §\nEach[1]",
    "a jump out of a routine": (
        "let j = 0\nroutine Next[] is § j := j + 1; if j < 4 then go to Again §\nNext[]; go to Out\n"
        "Again: let k = j\n{body}\nNext[]\nOut: "
    ),
}
PLACES: Mapping[str, tuple[str, str, str]] = {  # what is there before, how a function is kept, and what is kept
    "a list": ("let L = NIL", "L := Join(L, [{function}])", "L"),
    "a node": ("let N = Box[NIL]", "In[N] := Join(In[N], [{function}])", "In[N]"),
    "an outer variable": (
        "let a, b, c = Zero, Zero, Zero",
        "switch k into § case 1: a := {function}; case 2: b := {function}; case 3: c := {function} §|",
        "[a,b,c]",
    ),
    "a member of a list": ("let L = [Zero, Zero, Zero]", "L[k - 1] := {function}", "L"),
    "a parameter of a routine": ("let L = NIL\nroutine Keep[f] is L := Join(L, [f])", "Keep[{function}]", "L"),
    "another kept function": (
        "let G = λi. Zero",
        "§ let h, F = G, {function}\n     G := λi. i = k → F, h(i) §",
        "[G(1),G(2),G(3)]",
    ),
}
WANTED = dict.fromkeys(BINDERS, "[1,2,3]")
PRELUDE = "node Box is general In\nZero(x) = 0\n"


def block(binder: tuple[str, str], loop: str, place: tuple[str, str, str]) -> str:
    """The commands of a cell, and the list of what its functions give."""
    before, keep, kept = place
    round, function = binder
    body = BODY.format(round=round.replace("\n", "\n  "), keep=keep.format(function=f"({function})"))
    commands = loop.replace("{body}", indent(body, "    "))
    return f"{before}\n{commands}\nresult is Map(λf. f(0), {kept})"


def text(loop: str, place: tuple[str, str, str]) -> str:
    """A program with a function for each binder, which gives what the functions of the rounds give."""
    cells = [
        f"Cell{number}() = value of\n  § {indent(block(binder, loop, place), '    ').lstrip()} §"
        for number, binder in enumerate(BINDERS.values())
    ]
    return PRELUDE + "\n".join(cells)


GRID = [(loop, place) for loop in LOOPS for place in PLACES]
EDGES = [(loop, place) for loop, place in GRID if loop == "for with steps" or place == "a list"]


def given(loop: str, place: str, only: Sequence[str]) -> dict[str, dict[str, str]]:
    """What the cells of a loop and a place give in these ways."""
    calls = [f"Cell{number}()" for number in range(len(BINDERS))]
    outcomes = ways(text(LOOPS[loop], PLACES[place]), calls=calls, only=only).outcomes
    return {way: dict(zip(BINDERS, outcome.values, strict=True)) for way, outcome in outcomes.items()}


@pytest.mark.parametrize("loop, place", EDGES)
def test_what_is_kept_has_the_names_of_its_round(loop: str, place: str) -> None:
    assert given(loop, place, ["plain"]) == {"plain": WANTED}


@pytest.mark.long
@pytest.mark.parametrize("loop, place", GRID)
def test_what_is_kept_has_the_names_of_its_round_in_all_ways(loop: str, place: str) -> None:
    assert given(loop, place, ALL) == dict.fromkeys(ALL, WANTED)


DECLARED = """\
F(integer n) = value of § let a = n; let g[] ≡ a; a := a + 1; result is [n, g()] §
G(integer n) = value of § let g[] ≡ n; let p = Pointer[n]; n := n + 1; result is [g(), ↓p] §
H(v) = value of § let f[real n] ≡ value of § let a = n; let p = Pointer[a]; result is [n, ↓p] §; result is f[v] §
"""


def test_a_declared_parameter_converts_whether_it_or_a_copy_of_it_is_in_a_box() -> None:
    calls = ["F(2.0)", "F(2.5)", "F(true)", "G(2.0)", "G(2.5)", "H(2)", "H(true)"]
    values = ways(DECLARED, calls=calls, only=ALL).agreed().values
    wanted = ["[2,3]", "fault", "fault", "[3,3]", "fault", "[2.0,2.0]", "fault"]
    assert [value.partition(":")[0] for value in values] == wanted
