"""What is shown of a text in an editor: signatures, hints, outline, colours. A ¦ marks the cursor."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_editor_names import marked, packaged

from cpl.compiler.diagnostics import CplError, Error
from cpl.compiler.loader import packaged_files, read
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax.parser import parse
from cpl.editors.edits import applied, format_range
from cpl.editors.hints import Hint, hints
from cpl.editors.outline import Symbol, outline
from cpl.editors.questions import QUESTIONS, ask
from cpl.editors.semantic_tokens import semantic_tokens
from cpl.editors.signature import signature
from cpl.editors.text_analysis import Analysis, analyse


def test_signatures_and_hints_are_found() -> None:
    for text, heading, active in (
        ("Add(x,y) = x + y\nB = Add(¦", "Add(x, y)", 0),
        ("Add(x,y) = x + y\nB = Add(1,¦)\nC = 1", "Add(x, y)", 1),
        ("Add(x,y) = x + y\nB = Add(1 = 2 → 3, ¦", "Add(x, y)", 0),
        ("Add(x,y) = x + y\nB = Add(1 = 2 → 3, 4, ¦", "Add(x, y)", 1),
        ("Add(x,y) = x + y\nB = Add[(1,2,3), ¦", "Add(x, y)", 1),
        ("Add(x,y) = x + y\nB = Add[1, Shift(¦", "Shift(x, n)", 0),
        ("B = WriteLine[1,2,3,¦", "WriteLine(items …)", 0),
        ("R[ref Knot : x, value Data : n] is § return §|\nnode Knot is Data : A\nR[a, ¦", None, 1),
        ("F(x) = value of\n  § let G(a,b) = a\n    result is G(1,¦", "G(a, b)", 1),
        ("node Cons is real Car with Cons : Cdr\nA = Cons[1, ¦NIL]", "Cons(real Car, Cons : Cdr)", 1),
    ):
        found = signature(*marked(text))
        assert found and found.active == active
        assert heading is None or found.heading == heading
        assert found.heading.endswith(f"({', '.join([each.heading for each in found.parameters])})")
    for text in ("F(x,¦) = x", "F(x) = x + ¦", "F(x) = (x + ¦", "F(x) = x(1,¦", "F(x) = F(x)¦", "|| F(¦"):
        assert signature(*marked(text)) is None, text
    found = signature(*marked("## Both together.\nAdd(x,n) = x = NIL → n, n + 1\nB = Add(NIL, ¦1)"))
    assert found
    assert (found.words, found.parameters[1].type) == ("Both together.", "integer")
    for text in (
        "F(x⟨: integer⟩,y⟨: integer⟩) = 2⟨×⟩x⟨×⟩y + x(y + 1)\nA⟨: integer⟩ = F(1,2)",
        "Twice(f⟨: integer ⇒ integer⟩,x⟨: integer⟩) = f(f(x))\nA⟨: integer⟩ = Twice(λx⟨: integer⟩. x + 1, 3)",
        "H(f,x) = f(x)",
        "function F[real x] = 2 x\nreal C = F[1]",
        "A = ‘text’\nlet n = 1",
    ):
        assert hinted(re.sub("⟨.*?⟩", "", text)) == text
    analysis = packaged("strachey.cpl")
    hinted_at = all_hints(analysis)
    shown = {each.label for each in hinted_at}
    assert {"×", ": Position", ": Move list"} <= shown
    assert max(map(len, shown)) <= 26
    assert len(hinted_at) < 1.2 * analysis.source.lines


def all_hints(analysis: Analysis) -> list[Hint]:
    return hints(analysis, Span(analysis.source, 0, len(analysis.source.text)))


def hinted(text: str) -> str:
    analysis = analyse(Source("mine.cpl", text), advice=False)
    for hint in reversed(all_hints(analysis)):
        text = f"{text[: hint.offset]}⟨{hint.label}⟩{text[hint.offset :]}"
    return text


TEXT = """get "one.cpl"
get "two.cpl"

|| A node
|| of a tree.
node Pair is Tree : Left with Tree : Right
element Tree is integer or Pair

let (a, b) = (1, 2)
Sum(x,y) = value of
  § let f(z) = z + k where k = 3
    L: for i = 1, 2 do
      § x := x + i §|
    result is f(x) + y §|
routine Show(x) = WriteLine(x,
                        Sum(x,1))
"""


def listed(several: Sequence[Symbol]) -> list[object]:
    return [
        (symbol.kind, symbol.detail or symbol.name, *([listed(symbol.children)] if symbol.children else []))
        for symbol in several
    ]


def parsed(text: str) -> list[Symbol]:
    return outline(parse(Source("mine.cpl", text))[0])


def test_outlines_and_colours_go_by_what_is_meant() -> None:
    assert listed(parsed(TEXT)) == [
        ("type", "Pair", [("component", "Tree : Left"), ("component", "Tree : Right")]),
        ("type", "Tree"),
        ("constant", "a"),
        ("constant", "b"),
        ("function", "Sum(x,y)", [("function", "f(z)", [("variable", "k")]), ("label", "L")]),
        ("routine", "Show(x)"),
    ]
    assert [each.name for each in parsed("F(x) = x\nG(x) = (x\nH(x) = x\n")] == ["F", "H"]
    text = "let k = 2\nF(x) = x + k + Length([x])\nroutine R(y) = WriteLine(F(y))\n§ L: go to L §|\n"
    tokens = semantic_tokens(analyse(Source("mine.cpl", text)))
    found = {" ".join([each.span.text, each.kind, *each.modifiers]) for each in tokens if each.kind != "keyword"}
    assert {token for token in found if token[0].isalpha()} == {
        *("k constant definition constant", "k constant constant", "F function definition", "F function"),
        *("x parameter definition", "x parameter", "y parameter definition", "y parameter"),
        *("Length function standard", "WriteLine function standard", "R routine definition"),
        *("L label definition", "L label"),
    }


def test_every_beginning_of_a_program_gets_answers() -> None:
    whole = packaged("attested/s67-42-tree-sort.cpl").source
    for end in range(0, len(whole.text), 31):
        answered(Source(whole.path, whole.text[:end]), end)


@pytest.mark.long
def test_no_text_takes_time() -> None:
    repeated, long = ("(", "§ ", "value of ", "F(x) = x\n"), ("|| x\n" * 50_000, "x" * 100_000, "")
    for text in (*(part * 5000 for part in repeated), *long):
        parsed(text)


SCRAPS = [*"§()([‘,\f𝕏\n=:x", "§|", "$(", "value of ", "result is", "\r\n", "|| ", "->", "\\sigma", "let ", 'get "x"']
SCRAPS += ["where ", "rec ", "λ", "node N is "]


@st.composite
def mutated(draw: st.DrawFn) -> Source:
    text = draw(st.sampled_from([text for path in packaged_files() if len(text := read(path).text) < 4000]))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(["", *SCRAPS])) + text[at + draw(st.integers(0, 9)) :]
    return Source("mine.cpl", text)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(mutated(), st.integers(0, 10_000), st.integers(0, 10_000))
def test_texts_of_all_kinds(text: Source, start: int, end: int) -> None:
    length = len(text.text)
    start, end = sorted((start % (length + 1), end % (length + 1)))
    answered(text, start)
    assert all(map(nests, parsed(text.text)))
    program, _ = parse(text)
    assert parse(Source(text.path, applied(text, format_range(text, Span(text, start, end)))))[0] == program


def nests(symbol: Symbol) -> bool:
    inside = all(symbol.span.holds(child.span) for child in symbol.children)
    return inside and all(map(nests, symbol.children))


def answered(text: Source, at: int) -> None:
    """Ask all that can be asked of a place; a question may have no answer, with a reason in one line."""
    analysis = analyse(text, advice=False)
    place, whole = Span(text, at, at), Span(text, 0, len(text.text))
    about: dict[str, tuple[object, ...]] = {
        **dict.fromkeys(("hover", "definition", "occurrences", "signature", "completions", "renamable"), (at,)),
        **dict.fromkeys(("hints", "format"), (whole,)),
        "repairs": (place,),
        "references": (place, [analysis]),
        "rename": (place, "Another'", [], {}),
    }
    found: dict[str, Any] = {}
    for question in QUESTIONS:
        try:
            found[question] = ask(question, analysis, *about.get(question, ()))
        except CplError as error:
            assert error.diagnostics
        except Error as error:
            assert "\n" not in str(error)
    for completion in found["completions"]:
        assert completion.text and completion.replaced.end == at
    assert all(0 <= hint.offset <= len(text.text) for hint in found["hints"])
    spans = [each.span for each in found["semantic tokens"]]
    assert all(a.end <= b.start for a, b in pairwise(spans))
