"""Which = defines and which compares: a relation may stand without brackets wherever an expression may."""

from itertools import product

import pytest

from cpl.source import Source
from cpl.syntax.parser import parse
from cpl.syntax.repair import without_grouping

RELATIONS = ["F(x) = y", "x\n    ≡ y"]

COMMANDS = [
    "y := {}",
    "y, z := 1, {}",
    "({} → y, z) := 1",
    "A[{}]",
    "A[y, {} → 1, 2]",
    "A[p where p = {}]",
    "y := (p where rec p = z and q = {})",
    "y := Array[Boolean, {}]",
    "if {} then A[x]",
    "test {} then do A[x] or do y := {}",
    "until {} do A[x]",
    "for i = 1, {} do A[i]",
    "for i = step 1, 1, 10 do y := {}",
    "§ A[x] §| repeat until {}",
    "§ A[x]; y := {} §|",
    "go to {} → K, M",
    "switch {} into § case {}: A[x]; default: y := {} §|",
]

VALUES = [
    "{}",
    "{} → 1, 2",
    "(p where rec p = y and q = {})",
    "λz.{}",
    "[y, {}]",
    "value of § result is {} §|",
    "value of § if {} then return; y := {}; result is {} §|",
    "result of § result := {} §|",
]

OF_COMMANDS = [
    "{}",
    "A[y]; {}",
    "real a; {}",
    "L: {}",
    "§ {} §|",
    "R[x] be {}",
    "routine R[x] = {}",
    "let a = 1 and R[x] be {}",
    "let R[x] be {} and S[y] be B[y]",
    "let a = 1 in routine R[x] be {}",
    "let R[x] be § let S[y] be {}; S[x] §|",
    "F(x) = value of § {} §|",
    "function F(x) ≡ value of § let a = 1; {}; result is a §|",
]

OF_VALUES = [
    "a = {}",
    "F(x) = {}",
    "rec function F[real x] = {}",
    "let a = {} and b = 1",
    "a, b = 1, {}",
    "real a = {}",
    "dec § a = {}; b = 1 §|",
    "let a = {} in F(x) = a",
    "let R[x] be y := {} where z = 1",
    "let a = b where c = 1 and b = {}",
    "let R[x] be § result is {} §|",
]


def tree(text: str) -> object:
    program, found = parse(Source("text", text))
    assert not found, (text, [each.message for each in found])
    return without_grouping(program)


@pytest.mark.parametrize(
    ("definition", "bodies"), [*[(each, COMMANDS) for each in OF_COMMANDS], *[(each, VALUES) for each in OF_VALUES]]
)
def test_a_relation_needs_no_brackets(definition: str, bodies: list[str]) -> None:
    for body, relation in product(bodies, RELATIONS):
        text = definition.format(body)
        plain, bracketed = (text.replace("{}", each) for each in (relation, f"({relation})"))
        assert tree(plain) == tree(bracketed), plain


@pytest.mark.parametrize(
    "text",
    [
        "if x = 1 {} y = 2 then A[x]",
        "let R[x] be § A[x] §| repeat while x = 1 {} y = 2",
        "let R[x] be while x = 1 {} y = 2 do A[x]",
        "y := x = 1 {} z = 2",
        "F(x) = value of § result is x = 1 {} y = 2 §|",
        "let R[x] be for i = 1, 2 do unless i = x {} y = 2 do A[x] and S[y] be B[y]",
        "y := (p where p = 1 and q = (x = 1 {} z = 2))",
    ],
)
def test_and_joins_relations_where_no_definition_can_follow(text: str) -> None:
    assert tree(text.format("and")) == tree(text.format("∧"))


def test_a_relation_may_begin_a_line_as_a_definition_would() -> None:
    assert tree("let b = (x ∧\nF(x) = 2)") == tree("let b = (x ∧ F(x) = 2)")
