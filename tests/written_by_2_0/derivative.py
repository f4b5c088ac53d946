"""Differentiation by rule.

Ours, in the manner of 1966 (evidence, source S66).

A formula is a number, a letter, or a tuple (Op, a, b). The readers take a list of
symbols and return a formula and the list of the symbols after it.

Compiled from derivative.cpl by cplc; the docstrings are the CPL.
"""

from collections.abc import Callable
from typing import Any

from cplrt import (
    Code,
    Equal,
    Head,
    Is,
    Item,
    Join,
    NewLine,
    Next,
    Null,
    Quotient,
    Remainder,
    Steps,
    StringOf,
    SymbolsOf,
    Tail,
    Write,
    WriteLine,
    start_program,
)

# fmt: off
__all__ = [
    "Atom", "Base", "Begins", "Chain", "Code", "Coef", "Core", "D", "Derivatives",
    "Digits", "Factors", "Formula", "Head", "Index", "Is", "Join", "Letters", "Made",
    "Member", "Minus", "NewLine", "Next", "Null", "Number", "Numeral", "Over", "Plus",
    "Powers", "Printed", "Put", "Quotient", "Rank", "Remainder", "Select", "Simple",
    "Slope", "StringOf", "SymbolsOf", "Tail", "Terms", "Times", "ToThe", "Word",
    "Write", "WriteLine",
]
# fmt: on

if __name__ == "__main__":
    start_program()

FormulaValue = tuple[str, Any, Any] | int | str


# Differentiation by rule
#
# Reads a formula, differentiates it, and writes the derivative as one would by hand. In a formula a small letter is a
# variable, a numeral stands for a whole number, the functions are Sin, Cos, Exp and Ln, and all products have their ×.
# Within the program a formula is a number, a letter, or a list (Op,a,b): the sign of an operation and the two formulae
# to which it is applied. Application of a function is an operation too, with the sign ‘of’: Sin(x) is (‘of’,‘Sin’,‘x’).


# Reading. A reader gets the list L of the symbols to come, and returns a list of two: the formula
# that L begins with, and the symbols after it. Chain has such a list already, and looks whether the formula continues.
def Formula(s: str) -> FormulaValue:
    """Formula(s) = Head(Terms(Select(Printed, SymbolsOf(s))))"""
    return Head(Terms(Select(Printed, SymbolsOf(s))))


def Terms(L: list[str]) -> tuple[FormulaValue, list[str]]:
    """Terms(L) = Chain(Factors, (‘+’, ‘-’), Factors(L))"""
    return Chain(Factors, ("+", "-"), Factors(L))


def Factors(L: list[str]) -> tuple[FormulaValue, list[str]]:
    """Factors(L) = Chain(Powers, (‘×’, ‘/’), Powers(L))"""
    return Chain(Powers, ("×", "/"), Powers(L))


def Powers(L: list[str]) -> tuple[FormulaValue, list[str]]:
    """Powers(L) = Chain(Simple, [‘↑’], Simple(L))"""
    return Chain(Simple, ["↑"], Simple(L))


def Chain(
    Part: Callable[[list[str]], tuple[FormulaValue, list[str]]],
    Signs: tuple[str, str] | list[str],
    P: tuple[FormulaValue, list[str]],
) -> tuple[FormulaValue, list[str]]:
    """
    Chain(Part,Signs,P) = value of
      § let (a,L) = P
        unless Begins(L,Signs) do result is P
        let (Op,l) = Next(L)
        let (b,l') = Part(l)
        result is Chain(Part, Signs, ((Op,a,b), l')) §
    """
    a, L = P
    if not Begins(L, Signs):
        return P
    Op, l = Next(L)
    b, l_prime = Part(l)
    return Chain(Part, Signs, ((Op, a, b), l_prime))


def Simple(L: list[str]) -> tuple[FormulaValue, list[str]]:
    """
    Simple(L) = value of
      § let (c,l) = Next(L)
        if c = ‘(’ then § let (E,l') = Terms(l); result is (E, Tail(l')) §
        if c = ‘-’ then § let (E,l') = Powers(l); result is (Times(-1,E), l') §
        if Begins(L,Digits) then result is Numeral(0,L)
        let (F,l') = Word(L)
        if Null(Tail(SymbolsOf(F))) then result is (F,l')
        let (E,l'') = Simple(l')
        result is ((‘of’, F, E), l'') §
    """
    c, l = Next(L)
    if c == "(":
        E, l_prime = Terms(l)
        return E, Tail(l_prime)
    if c == "-":
        E, l_prime = Powers(l)
        return Times(-1, E), l_prime
    if Begins(L, Digits):
        return Numeral(0, L)
    F, l_prime = Word(L)
    if Null(Tail(SymbolsOf(F))):
        return F, l_prime
    E, l_prime_prime = Simple(l_prime)
    return ("of", F, E), l_prime_prime


def Numeral(n: int, L: list[str]) -> tuple[int, list[str]]:
    """Numeral(n,L) = Begins(L,Digits) → Numeral(10n + Code(Head(L)) - Code(‘0’), Tail(L)), (n,L)"""
    if Begins(L, Digits):
        return Numeral(10 * n + Code(Head(L)) - Code("0"), Tail(L))
    return n, L


def Word(L: list[str]) -> tuple[str, list[str]]:
    """
    Word(L) = ~Begins(L,Letters) → (‘’, L),
              value of § let (w,l) = Word(Tail(L)); result is (StringOf([Head(L), w]), l) §
    """
    if not Begins(L, Letters):
        return "", L
    w, l = Word(Tail(L))
    return StringOf([Head(L), w]), l


def Begins(L: list[str], M: list[str] | tuple[str, str]) -> bool:
    """Begins(L,M) = ~Null(L) ∧ Member(Head(L), M)"""
    return not Null(L) and Member(Head(L), M)


def Printed(c: str) -> bool:
    """Printed(c) = c ≠ ‘ ’"""
    return c != " "


# From standard.cpl
#
# What any program may use. A program gets only the definitions that it needs.
#
# The CPL is ours: no list of CPL's standard functions could be read. Mod is attested (evidence E14), and Map described (S13).


# Whether x is a member of L.
def Member(x: str, L: list[str] | tuple[str, str]) -> bool:
    """Member(x,L) = ~Null(L) ∧ (Head(L) = x ∨ Member(x, Tail(L)))"""
    return not Null(L) and (Head(L) == x or Member(x, Tail(L)))


# The members for which F holds.
def Select(F: Callable[[str], bool], L: list[str]) -> list[str]:
    """
    Select(F,L) = Null(L) → NIL,
                  F(Head(L)) → Join([Head(L)], Select(F, Tail(L))),
                  Select(F, Tail(L))
    """
    if Null(L):
        return []
    if F(Head(L)):
        return Join([Head(L)], Select(F, Tail(L)))
    return Select(F, Tail(L))


# Again from derivative.cpl


Digits = SymbolsOf("0123456789")
Letters = SymbolsOf("abcdefghijklmnopqrstuvwxyzSCEL")


# The derivative of E with respect to x, by the rules of the textbook.
def D(E: FormulaValue, x: str) -> FormulaValue:
    """
    D(E,x) = Atom(E) → (E = x → 1, 0), value of
      § let (Op,a,b) = E
        if Op = ‘of’ then result is Times(Slope(a,b), D(b,x))
        let (a',b') = (D(a,x), D(b,x))
        result is Op = ‘+’ → Plus(a',b'),
                  Op = ‘-’ → Minus(a',b'),
                  Op = ‘×’ → Plus(Times(a',b), Times(a,b')),
                  Op = ‘/’ → (b' = 0 → Over(a',b), Over(Minus(Times(a',b), Times(a,b')), ToThe(b,2))),
                  b' = 0 → Times(Times(b, ToThe(a, Minus(b,1))), a'),
                  Times(E, D((‘×’, b, (‘of’, ‘Ln’, a)), x)) §
    """
    if Atom(E):
        if E == x:
            return 1
        return 0
    Op, a, b = E
    if Op == "of":
        return Times(Slope(a, b), D(b, x))
    a_prime, b_prime = D(a, x), D(b, x)
    if Op == "+":
        return Plus(a_prime, b_prime)
    if Op == "-":
        return Minus(a_prime, b_prime)
    if Op == "×":
        return Plus(Times(a_prime, b), Times(a, b_prime))
    if Op == "/":
        if Equal(b_prime, 0):
            return Over(a_prime, b)
        return Over(Minus(Times(a_prime, b), Times(a, b_prime)), ToThe(b, 2))
    if Equal(b_prime, 0):
        return Times(Times(b, ToThe(a, Minus(b, 1))), a_prime)
    return Times(E, D(("×", b, ("of", "Ln", a)), x))


def Slope(F: FormulaValue, u: FormulaValue) -> FormulaValue:
    """
    Slope(F,u) = F = ‘Sin’ → (‘of’, ‘Cos’, u),
                 F = ‘Cos’ → Times(-1, (‘of’, ‘Sin’, u)),
                 F = ‘Exp’ → (‘of’, ‘Exp’, u),
                 Over(1,u)
    """
    if F == "Sin":
        return "of", "Cos", u
    if F == "Cos":
        return Times(-1, ("of", "Sin", u))
    if F == "Exp":
        return "of", "Exp", u
    return Over(1, u)


# Putting together. Like terms are added and like factors multiplied as they meet, so no other step needs to simplify. A term
# is Coef × Core; a factor is Base ↑ Index. A product has its number, if any, in front.
def Plus(a: FormulaValue, b: FormulaValue) -> FormulaValue:
    """
    Plus(a,b) = a = 0 → b,
                b = 0 → a,
                Core(a) = Core(b) → Times(Coef(a) + Coef(b), Core(a)),
                Made(‘+’, a) ∧ Core(a[2]) = Core(b) → Plus(a[1], Plus(a[2], b)),
                Made(‘-’, a) ∧ Core(a[2]) = Core(b) → Plus(a[1], Minus(b, a[2])),
                Made(‘+’, b) → Plus(Plus(a, b[1]), b[2]),
                Made(‘-’, b) → Minus(Plus(a, b[1]), b[2]),
                Coef(b) < 0 → (‘-’, a, Times(-1,b)),
                (‘+’, a, b)
    """
    if Equal(a, 0):
        return b
    if Equal(b, 0):
        return a
    if Equal(Core(a), Core(b)):
        return Times(Coef(a) + Coef(b), Core(a))
    if Made("+", a) and Equal(Core(Item(a, 2)), Core(b)):
        return Plus(Item(a, 1), Plus(Item(a, 2), b))
    if Made("-", a) and Equal(Core(Item(a, 2)), Core(b)):
        return Plus(Item(a, 1), Minus(b, Item(a, 2)))
    if Made("+", b):
        return Plus(Plus(a, Item(b, 1)), Item(b, 2))
    if Made("-", b):
        return Minus(Plus(a, Item(b, 1)), Item(b, 2))
    if Coef(b) < 0:
        return "-", a, Times(-1, b)
    return "+", a, b


def Times(a: FormulaValue, b: FormulaValue) -> FormulaValue:
    """
    Times(a,b) = Number(a) ∧ Number(b) → ab,
                 a = 0 → 0,
                 a = 1 → b,
                 Number(b) → Times(b,a),
                 Made(‘×’, b) → Times(Times(a, b[1]), b[2]),
                 Made(‘/’, b) → Over(Times(a, b[1]), b[2]),
                 Made(‘/’, a) → Over(Times(a[1], b), a[2]),
                 Base(a) = Base(b) → ToThe(Base(a), Plus(Index(a), Index(b))),
                 Made(‘×’, a) ∧ Base(a[2]) = Base(b) → Times(a[1], Times(a[2], b)),
                 (‘×’, a, b)
    """
    if Number(a) and Number(b):
        return a * b
    if Equal(a, 0):
        return 0
    if Equal(a, 1):
        return b
    if Number(b):
        return Times(b, a)
    if Made("×", b):
        return Times(Times(a, Item(b, 1)), Item(b, 2))
    if Made("/", b):
        return Over(Times(a, Item(b, 1)), Item(b, 2))
    if Made("/", a):
        return Over(Times(Item(a, 1), b), Item(a, 2))
    if Equal(Base(a), Base(b)):
        return ToThe(Base(a), Plus(Index(a), Index(b)))
    if Made("×", a) and Equal(Base(Item(a, 2)), Base(b)):
        return Times(Item(a, 1), Times(Item(a, 2), b))
    return "×", a, b


def Over(a: FormulaValue, b: FormulaValue) -> FormulaValue:
    """
    Over(a,b) = a = b → 1,
                Number(b) ∧ Remainder(Coef(a), b) = 0 → Times(Quotient(Coef(a), b), Core(a)),
                (‘/’, a, b)
    """
    if Equal(a, b):
        return 1
    if Number(b) and Remainder(Coef(a), b) == 0:
        return Times(Quotient(Coef(a), b), Core(a))
    return "/", a, b


def Minus(a: FormulaValue, b: FormulaValue) -> FormulaValue:
    """Minus(a,b) = Plus(a, Times(-1,b))"""
    return Plus(a, Times(-1, b))


def ToThe(a: FormulaValue, b: FormulaValue) -> FormulaValue:
    """ToThe(a,b) = b = 0 → 1, b = 1 → a, (‘↑’, a, b)"""
    if Equal(b, 0):
        return 1
    if Equal(b, 1):
        return a
    return "↑", a, b


def Core(E: FormulaValue) -> FormulaValue:
    """Core(E) = Number(E) → 1, Made(‘×’, E) → Times(Core(E[1]), E[2]), E"""
    if Number(E):
        return 1
    if Made("×", E):
        return Times(Core(Item(E, 1)), Item(E, 2))
    return E


def Coef(E: FormulaValue) -> Any:
    """Coef(E) = Number(E) → E, Made(‘×’, E) ∨ Made(‘/’, E) → Coef(E[1]), 1"""
    if Number(E):
        return E
    if Made("×", E) or Made("/", E):
        return Coef(Item(E, 1))
    return 1


def Base(E: FormulaValue) -> FormulaValue:
    """Base(E) = Made(‘↑’, E) → E[1], E"""
    if Made("↑", E):
        return Item(E, 1)
    return E


def Index(E: FormulaValue) -> FormulaValue:
    """Index(E) = Made(‘↑’, E) → E[2], 1"""
    if Made("↑", E):
        return Item(E, 2)
    return 1


def Made(Op: str, E: FormulaValue) -> bool:
    """Made(Op,E) = ~Atom(E) ∧ E[0] = Op"""
    return not Atom(E) and Item(E, 0) == Op


def Atom(E: FormulaValue) -> bool:
    """Atom(E) = Number(E) ∨ Is(string,E)"""
    return Number(E) or Is("string", E)


def Number(E: FormulaValue) -> bool:
    """Number(E) = Is(integer,E)"""
    return Is("integer", E)


# Writing: with brackets round what binds weaker than n.
def Put(E: FormulaValue, n: int) -> None:
    """
    routine Put(E,n) =
      § if Atom(E) then do § Write(E); return §
        let (Op,a,b) = E; let r = Rank(Op)
        if r < n then do Write(‘(’)
        test Op = ‘of’
        then do § Write(a, ‘(’); Put(b,0); Write(‘)’) §
        or do test Op = ‘×’ ∧ a = -1
        then do § Write(‘-’); Put(b, r + 1) §
        or do § Put(a,r); Write(r > 1 → Op, StringOf([‘ ’, Op, ‘ ’])); Put(b, r + 1) §
        if r < n then do Write(‘)’) §
    """
    if Atom(E):
        Write(E)
        return
    Op, a, b = E
    r = Rank(Op)
    if r < n:
        Write("(")
    if Op == "of":
        Write(a, "(")
        Put(b, 0)
        Write(")")
    elif Op == "×" and Equal(a, -1):
        Write("-")
        Put(b, r + 1)
    else:
        Put(a, r)
        Write(Op if r > 1 else StringOf([" ", Op, " "]))
        Put(b, r + 1)
    if r < n:
        Write(")")


def Rank(Op: str) -> int:
    """Rank(Op) = Member(Op, (‘+’, ‘-’)) → 1, Member(Op, (‘×’, ‘/’)) → 2, Op = ‘↑’ → 3, 4"""
    if Member(Op, ("+", "-")):
        return 1
    if Member(Op, ("×", "/")):
        return 2
    if Op == "↑":
        return 3
    return 4


# The derivatives of a formula with respect to x, up to the n-th.
def Derivatives(s: str, n: int) -> None:
    """
    routine Derivatives(s,n) =
      § let E = Formula(s)
        WriteLine(s)
        for k = step 1, 1, n do § E := D(E, ‘x’); Write(‘    ’); Put(E,0); NewLine() § §
    """
    E = Formula(s)
    WriteLine(s)
    for k in Steps(1, 1, n):
        E = D(E, "x")
        Write("    ")
        Put(E, 0)
        NewLine()


Derivatives("x↑3 - 4×x↑2 + 7", 4)
Derivatives("(a×x + b)/(c×x + d)", 1)
Derivatives("Sin(2×x)/x", 1)
Derivatives("x×Ln(x) - x", 2)
Derivatives("x↑x", 1)
Derivatives("Ln(Cos(x))", 1)
Derivatives("Exp(-x↑2/2)", 4)


# Lines of derivative.cpl: 64=10 69=11 74=12 79=13 95-96=16-17 97-100=17-20
#   115-116=23-24 117-118=24 119-121=25 122-123=26 124-125=27-28 126-128=28-30
#   133-135=32 143-144=33 145-146=34 151=35 156=36 189-190=37-38 207-210=41
#   211-212=42-43 213-215=43-45 216-217=45-46 218-219=46-47 220-221=47-48 222-224=48
#   225-226=49 227=50 237-238=52 239-240=53 241-242=54 243=55 260-261=59 262-263=60
#   264-265=61 266-267=62 268-269=63 270-271=64 272-273=65 274-275=66 276=67 292-293=69
#   294-295=70 296-297=71 298-299=72 300-301=73 302-303=74 304-305=75 306-307=76
#   308-309=77 310=78 319-320=80 321-322=81 323=82 328=84 333-337=85 342-346=86
#   351-355=87 360-362=88 367-369=89 374=90 379=91 384=92 401-403=96 404-405=97
#   406-407=98 408-409=99-100 410-411=100 412-413=101-102 414=102 416-418=103
#   419-420=104 425-431=106 442-444=110-112 445-448=112 451-457=114-120
# Lines of standard.cpl: 169=47 179-180=53 181-182=54 183=55
