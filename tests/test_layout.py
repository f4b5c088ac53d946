"""The layout passes, each with a text that fails without it; and which = defines and which compares."""

from itertools import product
from pathlib import Path

import hatch_build
import lark
import pytest

from cpl import outside
from cpl.compiler.source import Source
from cpl.compiler.syntax import layout
from cpl.compiler.syntax.parser import STARTS, lark_parser, make_parser, parse
from cpl.compiler.syntax.repair import without_grouping


def kinds(text: str) -> str:
    """The tokens as the parser sees them, by kind, names and numbers by their text."""
    laid = layout.lay_out(Source("text", text))
    assert not laid.diagnostics, laid.diagnostics
    return " ".join(token.text if token.kind in ("SMALL", "LARGE", "NUMBER") else token.kind for token in laid.tokens)


def test_the_layout_has_tokens_sections_and_no_conflicts() -> None:
    assert {*make_parser(strict=True).options.start} == {*STARTS}
    deep = Source("text", "A = " + "(" * 10_000 + "1" + ")" * 10_000)
    assert [diagnostic.code for diagnostic in parse(deep)[1]] == ["too-deep"]
    for text in TOKENS:
        assert kinds(text) == TOKENS[text]
    for text in SECTIONS:
        brackets = {"OPEN": "<", "CLOSE": ">"}
        assert "".join(brackets.get(kind, "") for kind in kinds(BLOCK + text).split()) == SECTIONS[text]


def test_tables_of_another_grammar_or_lark_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, packaged = tmp_path / "tables.json", outside.packaged
    monkeypatch.setattr(outside, "packaged", lambda path: file if path.endswith(file.name) else packaged(path))
    tables = hatch_build.tables()
    for text in (tables, tables.replace("statement", "sentence"), tables.replace(lark.__version__, "0.1"), "{}"):
        file.write_text(text, encoding="utf-8")
        parser = lark_parser.__wrapped__()
        assert (parser.source_path == "<deserialized>") == (text == tables)
        assert {*parser.parse_interactive(start="value").choices()} >= {"SMALL", "ROUND_OPEN"}


TOKENS = {
    # Words, names and products
    "xf": "x JUXTAPOSED f",
    "x'y": "x' JUXTAPOSED y",
    "xFact[x]": "x JUXTAPOSED Fact SQUARE_OPEN x SQUARE_CLOSE",
    "F(x)": "F ROUND_OPEN x ROUND_CLOSE",
    "f(x)": "f MAYBE_PRODUCT ROUND_OPEN x ROUND_CLOSE",
    "2(x)": "2 JUXTAPOSED ROUND_OPEN x ROUND_CLOSE",
    "2f(x)": "2 JUXTAPOSED f MAYBE_PRODUCT ROUND_OPEN x ROUND_CLOSE",
    "σs": "σ JUXTAPOSED s",
    "2result": "2 JUXTAPOSED RESULT",
    "iff": "i JUXTAPOSED f JUXTAPOSED f",
    "ofL": "OF L",
    "letx": "l JUXTAPOSED e JUXTAPOSED t JUXTAPOSED x",
    r"\sigma'\Phi": "σ' JUXTAPOSED Φ",
    "value\n\n of § result  is x §": "VALUE_OF OPEN RESULT_IS x CLOSE",
    # Lines
    "A = 1\n\n\nB = 2\n": "A DEFINED 1 SEPARATOR B DEFINED 2",
    "A = 1; B = 2": "A DEFINED 1 SEPARATOR B DEFINED 2",
    "A =\n1 +\n2": "A DEFINED 1 PLUS 2",
    "A = 1\n  + 2": "A DEFINED 1 PLUS 2",
    "A = F(1,\n2\n)": "A DEFINED F ROUND_OPEN 1 COMMA 2 ROUND_CLOSE",
    "A = x\n→ 1, 2": "A DEFINED x ARROW 1 COMMA 2",
    "A = 1 || a comment\nB = 2": "A DEFINED 1 SEPARATOR B DEFINED 2",
    "A = (value of § let x = 1\n result is x §)": (
        "A DEFINED ROUND_OPEN VALUE_OF OPEN LET x DEFINED 1 SEPARATOR RESULT_IS x CLOSE ROUND_CLOSE"
    ),
    "value of § let x = 1;\n\n result is x;\n §": "VALUE_OF OPEN LET x DEFINED 1 SEPARATOR RESULT_IS x CLOSE",
    # The = that defines and the = that compares
    "f(x) = x": "f ROUND_OPEN x ROUND_CLOSE DEFINED x",
    "A = f(x) = 1": "A DEFINED f MAYBE_PRODUCT ROUND_OPEN x ROUND_CLOSE EQUAL 1",
    "F(x) = (x = 1)": "F ROUND_OPEN x ROUND_CLOSE DEFINED ROUND_OPEN x EQUAL 1 ROUND_CLOSE",
    "§ let x = y = 1\n if x = y then x §": "OPEN LET x DEFINED y EQUAL 1 SEPARATOR IF x EQUAL y THEN x CLOSE",
    "let q ≃ p = 1": "LET q SHARES p EQUAL 1",
    # Labels
    "§ L: x := 1 §|": "OPEN L LABELS SEPARATOR x ASSIGN 1 CLOSE",
    "§ L:\n x := 1\n M: §|": "OPEN L LABELS SEPARATOR x ASSIGN 1 SEPARATOR M LABELS CLOSE",
    "§ case 1: case x + 1: default: F §|": (
        "OPEN CASE 1 LABELS SEPARATOR CASE x PLUS 1 LABELS SEPARATOR DEFAULT LABELS SEPARATOR F CLOSE"
    ),
    "§ L: M: x := 1 §|": "OPEN L LABELS SEPARATOR M LABELS SEPARATOR x ASSIGN 1 CLOSE",
    "go to L\ngoto M": "GO_TO L SEPARATOR GO_TO M",
    # Headings and types
    "R[ref Knot : x, n] is return": "R SPECIFIED_OPEN REF Knot COLON x COMMA n SPECIFIED_CLOSE IS RETURN",
    "function F [real e; integer n] = e": (
        "FUNCTION F SPECIFIED_OPEN REAL e SEPARATOR INTEGER n SPECIFIED_CLOSE DEFINED e"
    ),
    "rec F(value x) = x": "REC F SPECIFIED_OPEN VALUE x SPECIFIED_CLOSE DEFINED x",
    "m = Array [real, (0, 15)]": (
        "m DEFINED Array SQUARE_OPEN REAL COMMA ROUND_OPEN 0 COMMA 15 ROUND_CLOSE SQUARE_CLOSE"
    ),
    "node A is B : C with real D": "NODE A IS B COLON C WITH REAL D",
    "node α LUP is α Function[ ] : Load": "NODE α LUP IS α Function SQUARE_OPEN SQUARE_CLOSE COLON Load",
    "real 2 array M, N": "REAL ARRAY M COMMA N",
    "{λx. x}(2)": "CURLY_OPEN LAMBDA x DOT x CURLY_CLOSE MAYBE_PRODUCT ROUND_OPEN 2 ROUND_CLOSE",
}


BLOCK = "A = value of "
SECTIONS = {
    "§ result is x §": "<>",
    "§ result is value of § result is x § §": "<<>>",
    "§\n  result is x\n  §\nB = 1": "<>",
    "\n  §\n  if x then\n  §\n    result is x\n  §\n  result is y\n  §": "<<>>",
    "§ let x = 1\n             § let y = 2\n               F(y) §\n             result is x §": "<<>>",
    "§ let x = 1\n             §\n               F(x)\n             §\n             result is x §": "<<>>",
    "\n  § let y = x\n    § let z = 1; F(z) §\n    § let w = 2; F(w) §\n    result is y §": "<<><>>",
    "$( result is x $)": "<>",
    "§1 if x then §2 if y then §3 result is x §1": "<<<>>>",
    "§ result is x §⃒\nB = value of § result is x §̸\nC = value of § result is x ̸§": "<><><>",
    "§ result is x §|\nB = value of § result is x §": "<><>",
    "§ let x = 1\n§ F(x) §|\nresult is x §|": "<<>>",
    "§ result is x §||| comment": "<>",
    "§ result is x §|| comment\nB = 1": "<>",
}


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
    program, diagnostics = parse(Source("text", text))
    assert not diagnostics, (text, diagnostics)
    return without_grouping(program)


def test_relations_need_no_brackets() -> None:
    for body, definition, relation in [
        *product(COMMANDS, OF_COMMANDS, RELATIONS),
        *product(VALUES, OF_VALUES, RELATIONS),
    ]:
        text = definition.format(body)
        plain, bracketed = (text.replace("{}", test) for test in (relation, f"({relation})"))
        assert tree(plain) == tree(bracketed), plain
    for text in (
        "if x = 1 {} y = 2 then A[x]",
        "let R[x] be § A[x] §| repeat while x = 1 {} y = 2",
        "let R[x] be while x = 1 {} y = 2 do A[x]",
        "y := x = 1 {} z = 2",
        "F(x) = value of § result is x = 1 {} y = 2 §|",
        "let R[x] be for i = 1, 2 do unless i = x {} y = 2 do A[x] and S[y] be B[y]",
        "y := (p where p = 1 and q = (x = 1 {} z = 2))",
    ):
        assert tree(text.format("and")) == tree(text.format("∧"))
    assert tree("let b = (x ∧\nF(x) = 2)") == tree("let b = (x ∧ F(x) = 2)")
