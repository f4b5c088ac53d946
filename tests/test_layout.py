"""The layout passes, on tokens alone: each trick has a text that fails without it."""

import pytest

from cpl.source import Source
from cpl.syntax import layout
from cpl.syntax.lexer import tokenize
from cpl.syntax.parser import START, make_parser
from cpl.syntax.tokens import CAPITAL_WORDS, OPENERS, PHRASES, SYMBOLS, WORDS, word_kind


def kinds(text: str) -> str:
    """The tokens as the parser sees them, by kind, names and numbers by their text."""
    laid = layout.lay_out(Source("text", text))
    assert not laid.diagnostics, laid.diagnostics
    return " ".join(token.text if token.kind in ("SMALL", "LARGE", "NUMBER") else token.kind for token in laid.tokens)


def test_the_grammar_has_no_conflicts() -> None:
    parser = make_parser(strict=True)
    assert {*parser.options.start} == {*START}


def test_every_terminal_of_the_grammar_is_a_sign_or_a_word() -> None:
    known = {*SYMBOLS} | {word_kind(word) for word in WORDS} | {*OPENERS, *OPENERS.values()}
    known |= {"SMALL", "LARGE", "NUMBER", "STRING", "NIL", "DEFINED", "JUXTAPOSED", "MAYBE", "VALUE_OF", "RESULT_IS"}
    known |= {*PHRASES.values(), *CAPITAL_WORDS.values(), "ALSO", "WHERE_ALSO", "DEFINED_BY", "LABELS"}
    used = {symbol.name for rule in make_parser().rules for symbol in rule.expansion if symbol.is_term}
    assert used <= known


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("xf", "x JUXTAPOSED f"),
        ("x'y", "x' JUXTAPOSED y"),
        ("5x", "5 JUXTAPOSED x"),
        ("xFact[x]", "x JUXTAPOSED Fact SQUARE_OPEN x SQUARE_CLOSE"),
        ("F(x)", "F ROUND_OPEN x ROUND_CLOSE"),
        ("f(x)", "f MAYBE ROUND_OPEN x ROUND_CLOSE"),
        ("2(x)", "2 JUXTAPOSED ROUND_OPEN x ROUND_CLOSE"),
        ("f[x]", "f SQUARE_OPEN x SQUARE_CLOSE"),
        ("σs", "σ JUXTAPOSED s"),
        ("2result", "2 JUXTAPOSED RESULT"),
        ("Ip", "Ip"),
        ("if", "IF"),
        ("iff", "i JUXTAPOSED f JUXTAPOSED f"),
        ("ofL", "OF L"),
        ("letx", "l JUXTAPOSED e JUXTAPOSED t JUXTAPOSED x"),
        (r"\sigma'\Phi", "σ' JUXTAPOSED Φ"),
    ],
)
def test_words_names_and_products(text: str, tokens: str) -> None:
    assert kinds(text) == tokens


def test_values_and_results_across_lines() -> None:
    assert kinds("value\n\n of § result  is x §") == "VALUE_OF OPEN RESULT_IS x CLOSE"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A = 1\n\n\nB = 2\n", "A DEFINED 1 SEPARATOR B DEFINED 2"),
        ("A = 1; B = 2", "A DEFINED 1 SEPARATOR B DEFINED 2"),
        ("A =\n1 +\n2", "A DEFINED 1 PLUS 2"),
        ("A = 1\n  + 2", "A DEFINED 1 PLUS 2"),
        ("A = F(1,\n2\n)", "A DEFINED F ROUND_OPEN 1 COMMA 2 ROUND_CLOSE"),
        ("A = x\n→ 1, 2", "A DEFINED x ARROW 1 COMMA 2"),
        ("A = 1 || a comment\nB = 2", "A DEFINED 1 SEPARATOR B DEFINED 2"),
        (
            "A = (value of § let x = 1\n result is x §)",
            "A DEFINED ROUND_OPEN VALUE_OF OPEN LET x DEFINED 1 SEPARATOR RESULT_IS x CLOSE ROUND_CLOSE",
        ),
        (
            "value of § let x = 1;\n\n result is x;\n §",
            "VALUE_OF OPEN LET x DEFINED 1 SEPARATOR RESULT_IS x CLOSE",
        ),
    ],
)
def test_lines(text: str, tokens: str) -> None:
    assert kinds(text) == tokens


def test_a_small_name_in_a_heading_is_a_function() -> None:
    assert kinds("f(x) = x") == "f ROUND_OPEN x ROUND_CLOSE DEFINED x"
    assert kinds("A = f(x) = 1") == "A DEFINED f MAYBE ROUND_OPEN x ROUND_CLOSE EQUAL 1"


def test_the_sign_that_defines_and_the_one_that_compares() -> None:
    assert kinds("A = x = 1") == "A DEFINED x EQUAL 1"
    assert kinds("F(x) = (x = 1)") == "F ROUND_OPEN x ROUND_CLOSE DEFINED ROUND_OPEN x EQUAL 1 ROUND_CLOSE"
    assert "LET x DEFINED y EQUAL 1 SEPARATOR IF x EQUAL y THEN" in kinds(
        "A = value of § let x = y = 1\n if x = y then x §"
    )


def depths(text: str) -> str:
    return "".join({"OPEN": "<", "CLOSE": ">"}.get(kind, "") for kind in kinds(text).split())


@pytest.mark.parametrize(
    ("text", "brackets"),
    [
        ("A = value of § result is x §", "<>"),
        ("A = value of § result is value of § result is x § §", "<<>>"),
        ("A = value of §\n  result is x\n  §\nB = 1", "<>"),
        ("A = value of\n  §\n  if x then\n  §\n    result is x\n  §\n  result is y\n  §", "<<>>"),
        (
            "A = value of § let x = 1\n             § let y = 2\n               F(y) §\n             result is x §",
            "<<>>",
        ),
        (
            "A = value of § let x = 1\n             §\n               F(x)\n             §\n             result is x §",
            "<<>>",
        ),
        ("A = value of\n  § let y = x\n    § let z = 1; F(z) §\n    § let w = 2; F(w) §\n    result is y §", "<<><>>"),
        ("A = value of § § F(x) §|\n result is x §|", "<<>>"),
        ("A = value of $( result is x $)", "<>"),
        ("A = value of §1 if x then §2 if y then §3 result is x §1", "<<<>>>"),
        ("A = value of § result is x §⃒\nB = value of § result is x §̸\nC = value of § result is x ̸§", "<><><>"),
        ("A = value of § result is x §| || comment", "<>"),
        ("A = value of § result is x §|\nB = value of § result is x §", "<><>"),
        ("A = value of § let x = 1\n§ F(x) §|\nresult is x §|", "<<>>"),
        ("A = value of § result is x §||| comment", "<>"),
    ],
)
def test_sections_open_and_close(text: str, brackets: str) -> None:
    assert depths(text) == brackets


def test_a_comment_sign_after_a_plain_close() -> None:
    assert depths("A = value of § result is x §|| comment\nB = 1") == "<>"


def test_deep_brackets_are_refused_and_told_once() -> None:
    laid = layout.lay_out(Source("text", "A = " + "(" * 10_000 + ")" * 10_000))
    assert [found.code for found in laid.diagnostics] == ["too-deep"]


def test_tokenizing_keeps_every_place() -> None:
    text = "F(σ') = ‘a b’ + 12 || end\r\nG = 3.5"
    tokens, _ = tokenize(Source("text", text))
    for token in tokens:
        assert token.span.text and token.span.text in text
        if token.kind in ("SMALL", "LARGE", "NUMBER"):
            assert token.span.text == token.text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("§ L: x := 1 §|", "OPEN L LABELS SEPARATOR x ASSIGN 1 CLOSE"),
        ("§ L:\n x := 1\n M: §|", "OPEN L LABELS SEPARATOR x ASSIGN 1 SEPARATOR M LABELS CLOSE"),
        ("§ case 1: case x + 1: default: F(x) §|", "OPEN CASE 1 LABELS SEPARATOR CASE x PLUS 1 LABELS SEPARATOR"),
        ("§ L: M: x := 1 §|", "OPEN L LABELS SEPARATOR M LABELS SEPARATOR x ASSIGN 1 CLOSE"),
        ("node A is B : C with real D", "NODE A IS B COLON C WITH REAL D"),
        ("go to L\ngoto M", "GO_TO L SEPARATOR GO_TO M"),
    ],
)
def test_labels_are_statements(text: str, tokens: str) -> None:
    assert kinds(text).startswith(tokens)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("R[ref Knot : x, n] is return", "R SPECIFIED_OPEN REF Knot COLON x COMMA n SPECIFIED_CLOSE IS RETURN"),
        ("function F [real e; integer n] = e", "FUNCTION F SPECIFIED_OPEN REAL e SEPARATOR INTEGER n SPECIFIED_CLOSE"),
        ("rec F(value x) = x", "REC F SPECIFIED_OPEN VALUE x SPECIFIED_CLOSE DEFINED x"),
        ("m = Array [real, (0, 15)]", "m DEFINED Array SQUARE_OPEN REAL COMMA ROUND_OPEN 0 COMMA 15"),
        ("F[x] = x", "F SQUARE_OPEN x SQUARE_CLOSE DEFINED x"),
        ("node α LUP is α Function[ ] : Load", "NODE α LUP IS α Function SQUARE_OPEN SQUARE_CLOSE COLON Load"),
        ("real 2 array M, N", "REAL ARRAY M COMMA N"),
        ("let q ≃ p = 1", "LET q SHARES p EQUAL 1"),
        ("{λx. x}(2)", "CURLY_OPEN LAMBDA x DOT x CURLY_CLOSE MAYBE ROUND_OPEN 2 ROUND_CLOSE"),
    ],
)
def test_headings_and_types(text: str, tokens: str) -> None:
    assert kinds(text).startswith(tokens)
