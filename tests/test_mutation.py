"""How mutants are made and why they may survive, on small texts."""

import pytest
from conftest import ROOT
from mutants import OPERATORS, Mutant, mutants
from reasons import REASONS, UNKNOWN, proposed
from survivors import listed

from cpl.source import Source, Span
from cpl.syntax import nodes
from cpl.syntax.parser import parse


def slips(text: str, operator: str) -> set[str]:
    """What the mutants of an operator are, by the statement that they change."""
    source = Source("text", text)
    program, found = parse(source)
    assert not found
    return {one.text for one in mutants(program) if one.operator == operator}


FALSE_SUMS = ("(true)² + 2 I", "x↑true + 2 I", "x² + (true) I", "x² + 2 (true)")
EXAMPLES = {
    "swap-arguments": ("A = F(x,y)", {"A = F(y,x)"}),
    "swap-arm": ("A = p → x, y", {"A = x → p, y"}),
    "nil-argument": ("A = F(x)", {"A = F(NIL)"}),
    "nil-component": ("A = (x,y)", {"A = (NIL,y)", "A = (x,NIL)"}),
    "nil-operand": ("A = 2x + ~y", {"A = (NIL)x + ~y", "A = 2(NIL) + ~y", "A = 2x + ~NIL"}),
    "nil-arm": ("A = p → x, y", {"A = p → NIL, y", "A = p → x, NIL"}),
    "nil-result": ("A = value of § result is x §|", {"A = value of § result is NIL §|"}),
    "nil-value": ("let x = y\nx := z", {"let x = NIL\nx := z", "let x = y\nx := NIL"}),
    "nil-bound": (
        "for k = step a, b, c do F(k)",
        {f"for k = step {bounds} do F(k)" for bounds in ("NIL, b, c", "a, NIL, c", "a, b, NIL")},
    ),
    "number-condition": (
        "A = p → x, y\nif q then R()\nuntil r do R()",
        {
            "A = 1 → x, y\nif q then R()\nuntil r do R()",
            "A = p → x, y\nif 1 then R()\nuntil r do R()",
            "A = p → x, y\nif q then R()\nuntil 1 do R()",
        },
    ),
    "number-members": ("for x = L do R(x)", {"for x = 1 do R(x)"}),
    "number-argument": ("A = Map(F,[1])", {"A = Map(1,[1])"}),
    "number-literal": ("A = ‘one’", {"A = 1"}),
    "string-literal": ("A = x↑2 + 3", {"A = x↑‘a’ + 3", "A = x↑2 + ‘a’"}),
    "boolean-literal": ("A = F(1)", {"A = F(true)"}),
    "boolean-operand": ("A = x² + 2 I ∧ z", {f"A = {sum} ∧ z" for sum in FALSE_SUMS}),
    "list-operand": ("A = x ∧ σs", {"A = [1] ∧ σs", "A = x ∧ ([1])s"}),
    "list-compared": ("A = x < y", {"A = [1] < y", "A = x < [1]"}),
    "list-argument": ("A = F(x)", {"A = F([x])"}),
    "member-of-list": ("A = [x + 1]", {"A = (x + 1)"}),
    "fewer-components": ("A = (x,y,z)", {"A = (y,z)", "A = (x,z)", "A = (x,y)"}),
    "more-components": ("A = (x,y)", {"A = (x,y,1)"}),
    "fewer-names": ("let (x,y,z) = P", {"let (y,z) = P", "let (x,z) = P", "let (x,y) = P"}),
    "more-names": ("let (x,y) = P", {"let (x,y,Extra) = P"}),
    "fewer-arguments": ("A = F(x,y) + G(z)", {"A = F(x) + G(z)", "A = F(x,y) + G()"}),
    "more-arguments": ("A = F(x)", {"A = F(x,1)"}),
    "function-for-value": ("A = F(x)", {"A = F"}),
    "argument-for-value": ("A = 2F(x + 1)", {"A = 2(x + 1)"}),
    "no-result": ("A = value of § result is x §|", {"A = value of § NewLine[] §|"}),
    "declared-type": (
        "function F[real x; string s] = value of § integer n = 1; result is n §|",
        {
            "function F[string x; string s] = value of § integer n = 1; result is n §|",
            "function F[real x; real s] = value of § integer n = 1; result is n §|",
            "function F[real x; string s] = value of § string n = 1; result is n §|",
        },
    ),
}


def test_there_is_an_example_of_each_operator() -> None:
    assert EXAMPLES.keys() == {operator.name for operator in OPERATORS}


@pytest.mark.parametrize("operator", EXAMPLES)
def test_operator(operator: str) -> None:
    text, expected = EXAMPLES[operator]
    assert slips(text, operator) == expected


def test_a_mutant_is_shown_on_one_line_and_changes_its_span_alone() -> None:
    text = (ROOT / "programs" / "strachey.cpl").read_text(encoding="utf-8")
    program, _ = parse(Source("strachey.cpl", text))
    every = list(mutants(program))
    assert len(every) > 900
    assert len({mutant.text for mutant in every}) == len(every)
    for mutant in every:
        before, after = text[: mutant.span.start], text[mutant.span.end :]
        assert mutant.text == before + mutant.instead + after != text
        assert "\n" not in str(mutant)
    assert "swap-arguments PCP(P,Φ,5) → PCP(Φ,P,5)" in {str(mutant).partition(" ")[2] for mutant in every}


class Accepting:
    """Finds an error in all mutants but those which put one of these texts in some place."""

    def __init__(self, text: str, *accepted: str) -> None:
        self.program, _ = parse(Source("text", text))
        self.accepted = accepted

    def finds(self, mutant: Mutant) -> bool:
        return mutant.instead.strip("()") not in self.accepted

    def statement(self, span: Span) -> nodes.Statement:
        return next(each for each in self.program.statements if each.span.start <= span.start < each.span.end)


EVERY = ("1", "‘a’", "true", "Logical(0", "NIL", "[1]", "1,true", "Head")


@pytest.mark.parametrize(
    ("text", "operator", "accepted", "reason"),
    [
        ("A = F(x)", "nil-argument", EVERY, "general"),
        ("A = F(x)", "nil-argument", ("NIL", "[1]"), "nil"),
        ("A = F(x)", "nil-argument", ("NIL",), "nil"),
        ("A = F(x)", "nil-argument", ("NIL", "1"), "either"),
        ("A = F(x)", "list-argument", ("NIL", "[1]"), "list"),
        ("A = F(x)", "list-argument", (), "same"),
        ("A = F(x)", "number-argument", ("1",), "same"),
        ("A = F(x)", "number-argument", ("1", "‘a’"), "either"),
        ("A = F(x,y)", "swap-arguments", EVERY, "general"),
        ("A = F(x,y)", "swap-arguments", ("1",), "same"),
        ("A = (x,y)", "more-components", ("NIL", "[1]"), "list"),
        ("A = Join(x,y)", "more-arguments", EVERY, UNKNOWN),
        ("Write(x,y)", "more-arguments", (), "many"),
        ("A = value of § result is x §|", "no-result", EVERY, UNKNOWN),
        ("let (x,y) = P", "more-names", EVERY, UNKNOWN),
    ],
)
def test_reasons_are_told_by_what_else_may_stand_there(
    text: str, operator: str, accepted: tuple[str, ...], reason: str
) -> None:
    judge = Accepting(text, *accepted)
    [mutant, *_] = [each for each in mutants(judge.program) if each.operator == operator]
    assert proposed(mutant, judge) == reason
    assert reason in (*REASONS, UNKNOWN)


def test_one_of_two_results_may_be_lacking() -> None:
    judge = Accepting("A = value of § if p then result is x\n  result is y §|")
    first, last = [proposed(each, judge) for each in mutants(judge.program) if each.operator == "no-result"]
    assert (first, last) == ("further", UNKNOWN)


def test_known_reasons_stay_where_a_text_has_moved() -> None:
    program, _ = parse(Source("text", "\n\nA = F(x)\nB = G(y)"))
    several = [each for each in mutants(program) if each.operator == "nil-argument"]
    known = {"1:7 nil-argument F(x) → F(NIL)": "nil", "4:7 nil-argument G(y) → G(NIL)": UNKNOWN}
    assert listed(several, known, lambda mutant: "general") == {
        "3:7 nil-argument F(x) → F(NIL)": "nil",
        "4:7 nil-argument G(y) → G(NIL)": "general",
    }
