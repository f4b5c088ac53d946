"""A grid of small programs: each kind of function, defined in each kind of round, kept in each kind of place.

A program is one cell of kinds of functions and rounds, with all places. The round k = 1, and then k = 2, defines a
function f, which adds k to its argument, and keeps it; at the end all that are kept are applied to 10, so that each
place gives 11 and 12.
"""

from textwrap import indent

FUNCTIONS = {
    "a function with =": "let f[x] = x + k",
    "a function with ≡": "let f[x] ≡ x + k",
    "a λ": "let f = λx. x + k",
    "a λ after ≡": "let f ≡ λx. x + k",
    "an alias": "let g = λx. x + k\nlet f ≃ g",
    "a λ that applies a function": "let g[x] = x + k\nlet f = λx. g(x)",
    "a function with = that applies a function": "let g[x] = x + k\nlet f[x] = g(x)",
    "a function with ≡ that applies a function": "let g[x] ≡ x + k\nlet f[x] ≡ g(x)",
    "a function with = that applies one with ≡": "let g[x] ≡ x + k\nlet f[x] = g(x)",
    "a function that applies a routine": "let R[ref y] be y := y + k\nlet f[x] ≡ value of § R[x]; result is x §|",
    "a function that applies itself": "let rec f[x] = x ≤ 0 → k, 1 + f[x - 1]",
    "a function with ≡ that applies itself": "let rec f[x] ≡ x ≤ 0 → k, 1 + f[x - 1]",
    "a group": "let rec f[x] = x ≤ 0 → k, 1 + g[x - 1]\nand g[x] = x ≤ 0 → k, 1 + f[x - 1]",
    "a group with ≡": "let rec f[x] ≡ x ≤ 0 → k, 1 + g[x - 1]\nand g[x] ≡ x ≤ 0 → k, 1 + f[x - 1]",
    "a group with a routine": "let rec f[x] ≡ value of § R[x]; result is x §|\nand R[ref y] be y := y + k",
    "a group that is captured": (
        "let rec g[x] = x ≤ 0 → k, 1 + h[x - 1]\nand h[x] = x ≤ 0 → k, 1 + g[x - 1]\nlet f[x] = g(x)"
    ),
    "an own variable": "let m = k in f[x] ≡ x + m",
    "an own function": "let g = λx. x + k in f[x] ≡ g(x)",
    "a variable that is assigned later": "let m = 0\nlet f[x] ≡ x + m\nm := k",
    "a variable that is set later": "integer m\nlet f[x] ≡ x + m\nm := k",
    "a reference": "let m = k\nlet l ≃ m\nlet f[x] ≡ x + l",
    "an expression": "let m ≡ k\nlet f[x] ≡ x + m",
    "a parameter": "let M[p] = value of § let g[x] = x + p; result is g §|\nlet f = M(k)",
    "a parameter by reference": ("let m, f = k, λx. 0\nlet M[ref p] be § let g[x] ≡ x + p; f := g §|\nM[m]"),
    "a load-update pair": (
        "let m = 0\nlet G[] ≡ m\nlet U[y] be m := y\nlet f[x] ≡ value of § U[x + k]; result is G[] §|"
    ),
    "a jump out of a routine": (
        "let f[x] ≡ value of\n§ let R[y] be § x := x + y; go to Out §|\n  R[k]\n  x := 0\n  Out: result is x §|"
    ),
    "labels in a function": (
        "let f[x] ≡ value of\n§ let n = 0\n  Again: n := n + 1\n  if n ≤ k then go to Again\n  result is x + n - 1 §|"
    ),
}
KEPT = """\
Listed := Join(Listed,[f])
Linked := Link(f,Linked)
test k = 1 then One := f or Two := f
Row[k] := f
Keep[f]
Capture[f]
Deep := Join(Deep,[λx. f(x)])
"""

ROUNDS = {
    "for in steps": "for k = step 1, 1, 2 do\n§ {} §|",
    "for": "for k = 1 to 2 do\n§ {} §|",
    "for through a list": "for k = [1,2] do\n§ {} §|",
    "for with values": "for k = 1, 2 do\n§ {} §|",
    "while": "let n = 1\nwhile n ≤ 2 do\n§ let k = n\n  {}\n  n := n + 1 §|",
    "until": "let n = 1\nuntil n > 2 do\n§ let k = n\n  {}\n  n := n + 1 §|",
    "repeat": "let n = 1\n§ let k = n\n  {}\n  n := n + 1 §| repeat while n ≤ 2",
    "labels": "§ let n = 0\n  Next: n := n + 1\n  let k = n\n  {}\n  if n < 2 then go to Next §|",
    "a jump out of a routine": (
        "§ let n = 0\n  let Leave[] be if n < 2 then go to Next\n  Next: n := n + 1\n  let k = n\n  {}\n  Leave[] §|"
    ),
    "recursion": "let rec Turn[k] be\n§ {}\n  if k < 2 then Turn[k + 1] §|\nTurn[1]",
    "recursion in a function": (
        "let rec Turns[k] ≡ value of\n§ {}\n  result is k < 2 → Turns[k + 1], 0 §|\nlet End = Turns(1)"
    ),
    "an inner loop": "for j = 1 to 2 do for k = j to j do\n§ {} §|",
}

BEFORE = """\
let Listed, Deep, Linked = NIL, NIL, NIL
let One, Two = λx. 0, λx. 0
let Row = [λx. 0, λx. 0, λx. 0]
let Given, Captured = NIL, NIL
let Keep[g] be Given := Join(Given,[g])
let Capture[g] be
  § let c[x] = g(x)
    Captured := Join(Captured,[c]) §|
"""
AFTER = """\
WriteLine(‘a list ’, Map(λf. f(10), Listed))
WriteLine(‘nodes ’, Held(Before(Linked))(10), ‘ ’, Held(Linked)(10))
WriteLine(‘variables ’, One(10), ‘ ’, Two(10))
WriteLine(‘members ’, Row[1](10), ‘ ’, Row[2](10))
WriteLine(‘a parameter ’, Map(λf. f(10), Given))
WriteLine(‘captured ’, Map(λf. f(10), Captured))
WriteLine(‘a λ ’, Map(λf. f(10), Deep))
"""
WRITTEN = """\
a list [11,12]
nodes 11 12
variables 11 12
members 11 12
a parameter [11,12]
captured [11,12]
a λ [11,12]
"""
NODES = "node Link is general Held with general Before\n"


def program(function: str, round: str, *, is_local: bool = False) -> str:
    """A cell of the grid, at the top level or in a routine."""
    turn = ROUNDS[round].replace("{}", indent(f"{FUNCTIONS[function]}\n{KEPT}", "    ").strip())
    text = f"{BEFORE}{turn}\n{AFTER}"
    if is_local:
        text = f"let All[] be\n§ {indent(text, '    ').strip()} §|\nAll[]\n"
    return NODES + text
