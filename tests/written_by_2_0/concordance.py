"""An index of a poem by key words in context.

Ours, in the manner of 1966 and 1967 (evidence, sources S66 and S67).

Words and lines are lists of symbols. An entry of the index is a tuple (w, B, L, n):
the word, the symbols before it in its line, the symbols from there on, and the
number of the line.

Compiled from concordance.cpl by cplc; the docstrings are the CPL.
"""

from typing import Any

from cplrt import (
    Cell,
    Code,
    Destination,
    Head,
    Input,
    Item,
    Join,
    NewLine,
    Next,
    NextSymbol,
    Null,
    Output,
    Place,
    ReadSymbol,
    Steps,
    StreamOf,
    StringOf,
    SymbolWith,
    Symbols,
    SymbolsOf,
    Tail,
    Write,
    WriteLine,
    start_program,
)

# fmt: off
__all__ = [
    "Code", "Common", "Destination", "Enter", "Entered", "Head", "Index", "Input",
    "Join", "Length", "Letter", "Margin", "Member", "More", "NewLine", "Next",
    "NextSymbol", "Null", "Number", "Output", "Poem", "ReadLine", "ReadSymbol", "Rest",
    "Right", "Small", "StreamOf", "StringOf", "SymbolWith", "Symbols", "SymbolsOf",
    "Tail", "Word", "Words", "Write", "WriteLine", "Written",
]
# fmt: on

if __name__ == "__main__":
    start_program()

EnteredMember = tuple[str, list[str], list[str], int]


# A concordance
#
# Reads a poem and lists its words in alphabetical order, each in the middle of its line: an index by key words in context, as
# H. P. Luhn made them of the titles of papers (1960). It leaves out common words. The end of a line of verse is written ‘/’,
# as in print where prose quotes a poem.
#
# The poem: William Blake, 1794.


# From standard.cpl
#
# What any program may use. A program gets only the definitions that it needs.
#
# The CPL is ours: no list of CPL's standard functions could be read. Mod is attested (evidence E14), and Map described (S13).


# The number of members of a list.
def Length(L: list[Any]) -> int:
    """Length(L) = Null(L) → 0, 1 + Length(Tail(L))"""
    if Null(L):
        return 0
    return 1 + Length(Tail(L))


# Whether x is a member of L.
def Member(x: str, L: list[str]) -> bool:
    """Member(x,L) = ~Null(L) ∧ (Head(L) = x ∨ Member(x, Tail(L)))"""
    return not Null(L) and (Head(L) == x or Member(x, Tail(L)))


# Again from concordance.cpl


Poem = StringOf(
    (
        "Tyger Tyger, burning bright,/In the forests of the night;/",
        "What immortal hand or eye,/Could frame thy fearful symmetry?/",
        "In what distant deeps or skies,/Burnt the fire of thine eyes?/",
        "On what wings dare he aspire?/What the hand, dare seize the fire?",
    )
)


# Words are compared in small letters.
def Small(c: str) -> str:
    """Small(c) = ‘A’ ≤ c ≤ ‘Z’ → SymbolWith(Code(c) + Code(‘a’) − Code(‘A’)), c"""
    if "A" <= c <= "Z":
        return SymbolWith(Code(c) + Code("a") - Code("A"))
    return c


def Letter(c: str) -> bool:
    """Letter(c) = ‘a’ ≤ Small(c) ≤ ‘z’"""
    return "a" <= Small(c) <= "z"


# The letters at the beginning of the list of symbols L, in small; NIL if there are none. The rest of L. All words of L.
def Word(L: list[str]) -> list[str]:
    """Word(L) = Null(L) → NIL, Letter(Head(L)) → Join([Small(Head(L))], Word(Tail(L))), NIL"""
    if Null(L):
        return []
    if Letter(Head(L)):
        return Join([Small(Head(L))], Word(Tail(L)))
    return []


def Rest(L: list[str]) -> list[str]:
    """Rest(L) = Null(L) → NIL, Letter(Head(L)) → Rest(Tail(L)), L"""
    if Null(L):
        return []
    if Letter(Head(L)):
        return Rest(Tail(L))
    return L


def Words(L: list[str]) -> list[str]:
    """Words(L) = Null(L) → NIL, Null(Word(L)) → Words(Tail(L)), Join([StringOf(Word(L))], Words(Rest(L)))"""
    if Null(L):
        return []
    if Null(Word(L)):
        return Words(Tail(L))
    return Join([StringOf(Word(L))], Words(Rest(L)))


Common = Words(SymbolsOf("and could he in of on or the thine thy what"))
Margin = 28


# Reads a line of the input, without the stroke at its end; More says whether there was a stroke.
def ReadLine(L: Place[list[str]], More: Place[bool]) -> None:
    """
    routine ReadLine[ref L, More] is
      § L := NIL
        Again: switch NextSymbol[] into
          § case ‘’:
                More := false
                return
            case ‘/’:
                More := ReadSymbol[] = ‘/’
                return
            default:
                L := Join[L, [ReadSymbol[]]] §|
        go to Again §|
    """
    L.value = []
    while True:
        value = NextSymbol()
        if value == "":
            More.value = False
            return
        if value == "/":
            More.value = ReadSymbol() == "/"
            return
        L.value = Join(L.value, [ReadSymbol()])


# An entry is a list: the word, what is before it in its line, the word and what is after it, the number of the line.
# Inserts the entry e in order, after those of the same word.
def Entered(e: EnteredMember, L: list[EnteredMember]) -> list[EnteredMember]:
    """
    Entered(e,L) = Null(L) → [e], value of
      § let (f,l) = Next(L)
        result is e[0] < f[0] → Join([e], L), Join([f], Entered(e,l)) §|
    """
    if Null(L):
        return [e]
    f, l = Next(L)
    if Item(e, 0) < Item(f, 0):
        return Join([e], L)
    return Join([f], Entered(e, l))


# Adds to the index I an entry for every word of the line L that is not a common one.
def Enter(I: Place[list[EnteredMember]], L: list[str], n: int) -> None:
    """
    routine Enter[ref I; value L, n] is
      § let B, First = NIL, true  || B: what is before L. First: whether a word may begin here
        until Null[L] do
          § let w = StringOf[Word[L]]
            if First ∧ w ≠ ‘’ ∧ ~Member[w,Common] then do I := Entered[(w,B,L,n), I]
            let (c,l) = Next[L]
            B, L, First := Join[B, [c]], l, ~Letter[c] §|
        return §|
    """
    B: list[str] = []
    First = True
    while not Null(L):
        w = StringOf(Word(L))
        if First and w != "" and not Member(w, Common):
            I.value = Entered((w, B, L, n), I.value)
        c, l = Next(L)
        B, L, First = Join(B, [c]), l, not Letter(c)


# What Write writes for x, as a list of symbols.
def Written(x: int) -> list[str]:
    """
    function Written[x] = value of
      § let s, d = StreamOf[‘’], Destination[]
        Output[s]
        Write[x]
        Output[d]
        result is SymbolsOf[Symbols[s]] §|
    """
    s, d = StreamOf(""), Destination()
    Output(s)
    Write(x)
    Output(d)
    return SymbolsOf(Symbols(s))


# Writes the list of symbols L so that it ends in the n-th column from here.
def Right(L: list[str], n: int) -> None:
    """
    routine Right[value L, n] is
      § for k = step Length[L] + 1, 1, n do Write[‘ ’]
        Write[StringOf[L]]
        return §|
    """
    for k in Steps(Length(L) + 1, 1, n):
        Write(" ")
    Write(StringOf(L))


Index: Cell[list[EnteredMember]] = Cell([])
Number = 0
More = Cell(True)
Input(StreamOf(Poem))
while More.value:
    L: Cell[list[str]] = Cell([])
    ReadLine(L, More)
    Number += 1
    Enter(Index, L.value, Number)

for e in Index.value:
    w, B, L_1, n = e
    Right(B, Margin)
    Write(StringOf(L_1))
    Right(Written(n), Margin + 8 - Length(L_1))
    NewLine()
WriteLine(Length(Index.value), " words in ", Number, " lines")


# Lines of standard.cpl: 76-78=41 84=47
# Lines of concordance.cpl: 90-92=9 93-95=10-12 96-97=9 103-105=18 110=19 116-120=22
#   125-129=23 134-138=24 141-142=14-15 161-162=28-29 163-169=29-35 170=37 181-182=42
#   183-184=43-44 185-186=44 201-202=48 203-205=49-51 206-208=51-53 221-225=58-62
#   236-237=66 238=67 241-243=70 244-249=71-76 251-257=78-84
