"""What the server shows of a text: signatures, hints, outline, colours. A ¦ marks the cursor."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra lsp")

from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types as lsp
from test_editor_names import marked, packaged

from cpl.edit.completion import completions
from cpl.edit.edits import applied, format_range
from cpl.edit.hover import hover
from cpl.edit.lsp.assistance import hints, signature_help
from cpl.edit.lsp.presentation import coloured, symbols
from cpl.edit.lsp.protocol import offset
from cpl.edit.text_analysis import Analysis, analyse
from cpl.loader import packaged_files, read
from cpl.source import Source, Span
from cpl.syntax.parser import parse

UNITS = lsp.PositionEncodingKind.Utf32


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
        found = signature_help(*marked(text))
        assert found and found.active_parameter == active
        [shown] = found.signatures
        assert heading is None or shown.label == heading
        assert shown.label.endswith(f"({', '.join([str(each.label) for each in shown.parameters or ()])})")
    for text in ("F(x,¦) = x", "F(x) = x + ¦", "F(x) = (x + ¦", "F(x) = x(1,¦", "F(x) = F(x)¦", "|| F(¦"):
        assert signature_help(*marked(text)) is None, text
    found = signature_help(*marked("## Both together.\nAdd(x,n) = x = NIL → n, n + 1\nB = Add(NIL, ¦1)"))
    assert found
    [shown] = found.signatures
    assert shown.documentation == "Both together." and shown.parameters
    assert shown.parameters[1].documentation == "integer"
    for text in (
        "F(x⟨: integer⟩,y⟨: integer⟩) = 2⟨×⟩x⟨×⟩y + x(y + 1)\nA⟨: integer⟩ = F(1,2)",
        "Twice(f⟨: integer ⇒ integer⟩,x⟨: integer⟩) = f(f(x))\nA⟨: integer⟩ = Twice(λx⟨: integer⟩. x + 1, 3)",
        "H(f,x) = f(x)",
        "function F[real x] = 2 x\nreal C = F[1]",
        "A = ‘text’\nlet n = 1",
    ):
        assert hinted(re.sub("⟨.*?⟩", "", text)) == text
    analysis = packaged("strachey.cpl")
    found = all_hints(analysis)
    shown = {str(each.label) for each in found}
    assert {"×", ": Position", ": Move list"} <= shown
    assert max(map(len, shown)) <= 26
    assert len(found) < 1.2 * analysis.source.lines


def all_hints(analysis: Analysis) -> list[lsp.InlayHint]:
    return hints(analysis, Span(analysis.source, 0, len(analysis.source.text)), UNITS)


def hinted(text: str) -> str:
    analysis = analyse(Source("mine.cpl", text), advice=False)
    for hint in reversed(all_hints(analysis)):
        at = offset(analysis.source, hint.position, UNITS)
        text = f"{text[:at]}⟨{hint.label}⟩{text[at:]}"
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


def outline(several: Sequence[lsp.DocumentSymbol]) -> list[object]:
    return [
        (symbol.kind.name, symbol.detail or symbol.name, *([outline(symbol.children)] if symbol.children else []))
        for symbol in several
    ]


def parsed(text: str) -> list[lsp.DocumentSymbol]:
    return symbols(parse(Source("mine.cpl", text))[0], UNITS)


def test_outlines_and_colours_go_by_what_is_meant() -> None:
    assert outline(parsed(TEXT)) == [
        ("Struct", "Pair", [("Field", "Tree : Left"), ("Field", "Tree : Right")]),
        ("Struct", "Tree"),
        ("Constant", "a"),
        ("Constant", "b"),
        ("Function", "Sum(x,y)", [("Function", "f(z)", [("Variable", "k")]), ("Key", "L")]),
        ("Method", "Show(x)"),
    ]
    assert [each.name for each in parsed("F(x) = x\nG(x) = (x\nH(x) = x\n")] == ["F", "H"]
    text = "let k = 2\nF(x) = x + k + Length([x])\nroutine R(y) = WriteLine(F(y))\n§ L: go to L §|\n"
    tokens = coloured(analyse(Source("mine.cpl", text)))
    found = {" ".join([span.text, type, *modifiers]) for span, type, modifiers in tokens if type != "keyword"}
    assert {token for token in found if token[0].isalpha()} == {
        *("k variable definition readonly", "k variable readonly", "F function definition", "F function"),
        *("x parameter definition", "x parameter", "y parameter definition", "y parameter"),
        *("Length function defaultLibrary", "WriteLine function defaultLibrary", "R method definition"),
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


def nests(symbol: lsp.DocumentSymbol) -> bool:
    children = symbol.children or ()
    inside = all(symbol.range.start <= child.range.start and child.range.end <= symbol.range.end for child in children)
    return inside and all(map(nests, children))


def answered(text: Source, at: int) -> None:
    """Ask all that can be asked of a place."""
    analysis = analyse(text, advice=False)
    for completion in completions(analysis, at):
        assert completion.text and completion.replaced.end == at
    signature_help(analysis, at)
    hover(analysis, at)
    for hint in all_hints(analysis):
        assert 0 <= offset(text, hint.position, UNITS) <= len(text.text)
    spans = [span for span, _, _ in coloured(analysis)]
    assert all(a.end <= b.start for a, b in pairwise(spans))
