"""What errors look like: places, widths, several texts, plain words."""

import json
import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cases import CASES, errors

import cpl
from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, render, report, to_json
from cpl.compiler.messages import Cause
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax.parser import make_parser
from cpl.limits import MOST_ARMS, MOST_CASES, MOST_LABELS, MOST_OPERANDS

ALL_CAUSES = [value for value in vars(messages).values() if isinstance(value, Cause)]


@cache
def refused() -> list[Diagnostic]:
    """What is said of all cases that are refused."""
    return [finding for case in CASES if "error" in case.sections for finding in errors(case)]


def test_causes_have_codes_of_their_own_and_a_case_or_a_test() -> None:
    assert len({cause.code for cause in ALL_CAUSES}) == len(ALL_CAUSES)
    kinds = ("error", "check")
    shown = "\n".join(case.sections.get(kind, "") for case in CASES for kind in kinds)
    elsewhere = {
        *("no-room", "not-a-value", "not-shown", "not-utf8", "repaired", "unreadable"),
        *("long-number", "too-big", "too-deep", "too-long", "too-many"),
    }
    for cause in ALL_CAUSES:
        assert f"[{cause.code}]" in shown or cause.code in elsewhere, cause.code


def codes(text: str) -> list[str]:
    return [finding.code for finding in cpl.check_text(text)]


@pytest.mark.usefixtures("deep")
def test_limits_are_told() -> None:
    assert codes("A = " + "(" * 90 + "1" + ")" * 90) == ["too-deep"]
    assert codes("A = " + "9" * 5000) == ["long-number"]
    assert codes("A = #" + "7" * 5000) == codes("F(x) = x" + "²" * 5000) == ["long-number"]
    assert codes("A = 1\n" * 400_000) == ["too-big"]
    assert codes("A = [" + "1," * 20_000 + "1]\nB = C") == ["too-many"]
    assert codes("F(x) = " + "x/" * 250 + "x") == ["not-for-python"]
    assert codes("A = " + "1 > 0 → " * 100 + "1" + ", 2" * 100) == ["too-deep"]


OF_SOME_LENGTH = {
    "labels": (MOST_LABELS, "F(x) = value of §\n", "L{}: x := x + 1\n", "result is x §\n"),
    "cases": (MOST_CASES, "F(x) = value of § switch x into §\n", "case {}: result is 1\n", "§; result is 0 §\n"),
    "arms": (MOST_ARMS, "F(x) =\n", "  x = {} → 1,\n", "  0\n"),
    "operands": (MOST_OPERANDS, "F(x) = 0", " + {}", "\n"),
}
"""The limit of what is counted; and a text: its begin, each of what is counted, and its end."""


@pytest.mark.parametrize("things", OF_SOME_LENGTH)
def test_as_many_are_read_as_the_limit_says_and_no_more(things: str) -> None:
    limit, begin, each, end = OF_SOME_LENGTH[things]
    first = begin.count("0")  # an operand stands before the others
    found = []
    for count in (limit, limit + 1):
        text = begin + "".join(each.format(number) for number in range(first, count)) + end
        found.append([finding.message for finding in cpl.check_text(text) if finding.code == "too-long"])
    assert found == [[], [f"this has more than {limit} {things}"]]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("WRITE(1)\nFoo(Bar)", [("WRITE", 1), ("Foo", 1), ("Bar", 5)]),
        ("A(x) = x ---- 1", [("--", 10)]),
        ("A(x) = x --- 1 -- 2", [("--", 10), ("--", 16)]),
    ],
)
def test_each_error_is_said_once(text: str, places: list[tuple[str, int]]) -> None:
    assert [(finding.span.text, finding.span.column) for finding in cpl.check_text(text)] == places


def test_nodes_are_equal_wherever_they_stand() -> None:
    first, second = (cpl.compile_text(text).surface for text in ("F(x) = x + 1", "F( x )   =\n   x+1 || same"))
    assert first == second
    assert first.statements[0].span != second.statements[0].span
    assert replace(first.statements[0], words=("let",)) != second.statements[0]  # type: ignore[call-arg]


def test_a_command_is_not_a_value_for_one_error() -> None:
    findings = cpl.check_text('get "checkers-1966.cpl"\nF(P) = 1 + PrintPosition(P)\nLegalPositionsFrom(P) = NIL\n')
    assert [finding.code for finding in findings] == ["not-a-value"]


def test_words_in_capitals_are_advised_in_small_letters() -> None:
    [finding] = cpl.check_text("F(x) = IF x = 1 THEN 2 ELSE 3")
    assert finding.help == "the words of CPL are written in small letters: if"


def test_a_function_named_like_a_word_is_advised_brackets() -> None:
    [finding] = cpl.check_text("IF(x) = x\nF(x) = IF x")
    assert finding.help == "write a function call with brackets: IF(x)"


def test_bcpl_is_recognized() -> None:
    text = 'LET start() = VALOF { FOR i = 1 TO 10 DO writef("*n") }\nAND fact(n) = n = 0 -> 1, n * fact(n-1)'
    findings = cpl.check_text(text)
    assert [(finding.code, finding.span.text) for finding in findings] == [
        ("misspelt", "LET"),
        ("bcpl", "VALOF"),
        ("unexpected", "fact"),
    ]
    assert findings[-1].help == "the words of CPL are written in small letters: and"


def test_messages_name_no_terminals_of_the_grammar() -> None:
    terminals = {symbol.name for rule in make_parser().rules for symbol in rule.expansion if symbol.is_term}
    terminals -= {"NIL"}
    shown = " ".join(map(render, refused()))
    for word in re.sub(r"\(U\+[^)]*\)", "", shown).split():  # Unicode, too, names characters in capitals
        assert word.strip(":,.()") not in terminals, word


def test_messages_are_data_too() -> None:
    for finding in refused():
        facts = json.loads(json.dumps(to_json(finding)))
        assert facts["message"] in render(finding)
        assert f"{facts['path']}:{facts['line']}:{facts['column']}" in render(finding)


def test_a_place_is_under_wide_signs_and_accents() -> None:
    source = Source("text.cpl", "σ\t漢e\u0301x\n")
    finding = report(messages.UNKNOWN_SIGN, Span(source, 5, 6), sign="x")
    assert "text.cpl:1:6" in render(finding)
    assert render(finding).splitlines()[-1] == " │ " + " " * 7 + "^"
    assert (to_json(finding)["line"], to_json(finding)["column"], to_json(finding)["end_column"]) == (1, 6, 7)


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "A = " + "x + " * 5000 + "@"
    [finding] = cpl.check_text(text)
    shown = render(finding)
    assert max(map(len, shown.splitlines())) < 130
    assert "@" in shown.splitlines()[2]


@given(st.text(alphabet=st.sampled_from("ab\r\n\tσ漢"), max_size=30), st.data())
def test_lines_and_columns_lead_back(text: str, data: st.DataObject) -> None:
    source = Source("text", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.line_at(offset), source.column_at(offset)
    assert column >= 1
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    if not (offset and text[offset - 1 : offset + 1] == "\r\n"):
        assert line == before.count("\n") + 1
        assert column == len(before) - (before.rfind("\n") + 1) + 1
