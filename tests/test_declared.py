"""What a text says of types is in the core: at every use of a variable, on functions and on the components of nodes."""

from collections import defaultdict
from collections.abc import Iterator
from textwrap import dedent

import pytest

from cpl.compiler import understand
from cpl.semantics import core, walk
from cpl.source import Source, Span
from cpl.trees import dump

SPAN = Span(Source("<text>", "x"), 0, 1)


def definitions(text: str) -> tuple[core.Definition, ...]:
    return understand(Source("<text>", dedent(text))).core.definitions


def parts(text: str) -> Iterator[core.Node]:
    for definition in definitions(text):
        yield from walk.names(definition)
        yield from walk.nodes(definition)


def declared(text: str) -> dict[str, str]:
    """The types of those names that have one: `real`, or ` | real` if not all that has the name is of it."""
    found: dict[str, set[str]] = defaultdict(set)
    for part in parts(text):
        if isinstance(part, core.Local | core.Global):
            found[part.name].add(part.declared)
    return {name: " | ".join(sorted(types)) for name, types in found.items() if types != {""}}


VARIABLES = {
    "1963: variables": (
        """
        F(x) = value of § real f = 1
                          integer n = 0
                          integer i, t
                          real a, b = 1, x
                          Boolean (c,(d,e)) = (true,(false,true))
                          dec § real s = 0
                                k = 2 §|
                          i, t := x, 2x
                          let m = n
                          result is f + m + i + t + s + k §|
        """,
        dict.fromkeys("fabs", "real") | dict.fromkeys("nit", "integer") | dict.fromkeys("cde", "Boolean"),
    ),
    "1963: parameters": (
        """
        function Euler[function Fct, real Eps; integer Tim, Old] = Fct[Eps] + Tim + Old
        """,
        {"Fct": "function", "Eps": "real", "Tim": "integer", "Old": "integer"},
    ),
    "1963: by substitution, passed on": (
        """
        function Sum[substitution index i, value index n; substitution real Term] = result of
          § real s = 0
            for k = step 1, 1, n do § i := k; s := s + Term §|
            result := s §|
        function Squares[index n] = result of
          § index i
            result := Sum[i, n, i × i] §|
        """,
        {"i": "index", "n": "index", "Term": "real", "s": "real"},
    ),
    "1963: top level": (
        """
        real Mn, Ds, Sum
        integer n = 0
        real (a,b) = (1,2)
        Mean(x) ≡ Sum/n + a
        routine Add[x] = § Sum, n := Sum + x, n + 1 §|
        Sum := b
        """,
        {"Mn": "real", "Ds": "real", "Sum": "real", "n": "integer", "a": "real", "b": "real"},
    ),
    "1967: parameters and structures": (
        """
        node Knot is Knot : Left with integer Key
        Insert[ref Knot : x, value integer n, real 2 array M; list l] be
          § if Key[x] < n then x := Left[x]
            M[1,1] := n
            for e = l do Write[e] §|
        F(y) = value of § integer list L = [1,2]
                          real pointer p = Pointer[y]
                          result is L §|
        let Half[real h] = h/2 in Quarter[real q] = Half[Half[q]]
        """,
        {"x": "Knot", "n": "integer", "M": "real 2 array", "l": "list", "L": "integer list", "p": "real pointer"}
        | dict.fromkeys("hq", "real"),
    ),
    "aliases and captured values": (
        """
        integer n = 1
        let m ≃ n
        F(x) = value of § real a = x
                          let b ≃ a
                          b := m
                          result is a §|
        R[ref real y] be
          § let G(z) = y + z
            y := 0
            Write[G(1)] §|
        """,
        {"n": "integer", "a": "real", "y": "real"},
    ),
    "of two variables of one name one": (
        """
        F(y) = value of § real x = 1
                          if y > x then § let x = y
                                          result is 2x §|
                          result is x §|
        """,
        {"x": " | real"},
    ),
    "let, rec, function and routine are no types": (
        """
        let a = 1
        let function f = Double
        let rec function Double(x) = 2x
        let rec routine Shown[x] be Write[x]
        """,
        {},
    ),
}


@pytest.mark.parametrize(("text", "types"), VARIABLES.values(), ids=VARIABLES)
def test_variables_carry_their_types(text: str, types: dict[str, str]) -> None:
    assert declared(text) == types


def test_two_uses_are_equal_whatever_is_declared() -> None:
    for plain, typed in (
        (core.Local("x", 1, span=SPAN), core.Local("x", 1, "real", span=SPAN)),
        (core.Global("x", span=SPAN), core.Global("x", "", "real", span=SPAN)),
    ):
        assert plain == typed and hash(plain) == hash(typed) and repr(plain) == repr(typed)


def test_functions_carry_the_types_of_their_results() -> None:
    text = """
    real F(x) = value of § integer 2 array G[y] = y
                           let H(y) = y
                           result is G[x] + H(x) §|
    function K[real x] = x
    Q(x) ≡ x
    routine R[x] = Write[x]
    """
    functions = {
        part.name.name: (part.result, part.name.declared)
        for part in parts(text)
        if isinstance(part, core.Function | core.LetFunction)
    }
    none = "", ""
    assert functions == {"F": ("real", ""), "G": ("integer 2 array", ""), "H": none, "K": none, "Q": none, "R": none}


def test_components_carry_their_types() -> None:
    text = """
    node α Cons is α LUP : Car with Cons : Cdr
    node Atom is string PrintName with real 2 array : Table with Routine[α: ×] : Act
    """
    nodes = [part for part in parts(text) if isinstance(part, core.NodeType)]
    assert {each.name.name: (each.components, each.types) for each in nodes} == {
        "Cons": (("Car", "Cdr"), ("α LUP", "Cons")),
        "Atom": (("PrintName", "Table", "Act"), ("string", "real 2 array", "Routine[α: ×]")),
    }


def test_a_bare_name_is_told_from_result_is() -> None:
    text = """
    F(L) = value of § let Resign = 0
                      if Null(L) then Resign
                      if L = 1 then result is Resign
                      result is L §|
    G(x) = y where y = x
    """
    results = [part for part in parts(text) if isinstance(part, core.Result)]
    assert [(each.value.span.text, each.bare) for each in results] == [
        ("Resign", True),
        ("Resign", False),
        ("L", False),
        ("y", False),
    ]


def test_the_dump_shows_types_where_there_are_any() -> None:
    [typed] = definitions("real F[x] = x")
    assert dump(typed).startswith("Function captured=() result='real'  @1:1\n")
    [plain] = definitions("function F[real x] = x")
    assert "result" not in dump(plain) and dump(plain).count(" declared='real'") == 2
