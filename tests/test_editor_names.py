"""What editors are told: completion, signatures, hints, signs, outline, folds, colours. A ¦ marks the cursor."""

import re
from functools import cache
from itertools import pairwise

import pytest
from conftest import ROOT
from forms import EVIDENCE
from hypothesis import given, settings
from hypothesis import strategies as st

from cpl import loader, messages
from cpl.diagnostics import CplError
from cpl.edit import edits, shape
from cpl.edit.analysis import Analysis, analyse
from cpl.edit.completion import Completion, completions
from cpl.edit.definitions import Definition
from cpl.edit.edits import applied
from cpl.edit.hints import hints
from cpl.edit.hover import hover
from cpl.edit.signature import signature_help
from cpl.edit.signs import SIGNS, explanations, sign_of, spellings
from cpl.formatting import format_source
from cpl.loader import packaged_files, read
from cpl.source import Source, Span
from cpl.syntax.parser import parse
from cpl.syntax.tokens import CAPITAL_WORDS, PHRASES, PRINTED, SYMBOLS, WORDS

PROGRAMS = ["strachey.cpl", "derivative.cpl", "codes.cpl", "pendulum.cpl", "attested/s67-42-tree-sort.cpl"]
NAMED = {"function", "routine", "constant", "variable", "parameter", "type", "component"}


def marked(text: str) -> tuple[Analysis, int]:
    """What is known of a text without its ¦, and where that was."""
    before, _, after = text.partition("¦")
    return analyse(Source("mine.cpl", before + after), advice=False), len(before)


@cache
def packaged(name: str) -> Analysis:
    return analyse(loader.read(ROOT / "programs" / name), advice=False)


def offered(text: str) -> list[Completion]:
    return completions(*marked(text))


def texts(text: str, *kinds: str) -> list[str]:
    return [each.text for each in offered(text) if not kinds or each.kind in kinds]


def test_names_and_words_in_scope_are_offered_the_nearest_first() -> None:
    """Those out of scope are not offered."""
    for text, names, hidden in (
        ("F(x,y) = ¦", "y x F", ""),
        ("F(x,y) = value of\n  § let z = 1\n    let w = ¦", "z y x F", ""),
        ("F(x) = value of\n  § let z = z'\n    let z' = 1\n    result is ¦\nG(a) = a", "z' z x G F", ""),
        ("F(x) = value of § let z = 1\n result is z §\nG(a) = ¦", "a G F", "x z"),
        ("F(x) = value of\n  § let z = ¦\n    result is z §", "x F", "z"),
        ("F(x) = value of\n  § § let z = 1 §|\n    result is ¦§|", "x F", "z"),
        ("F(x) = ¦ where w = x", "x w F", ""),
        ("F(x) = w where w = ¦", "x F", ""),
        ("F(x) = w where rec W(n) = ¦", "n W x F", ""),
        ("R[n] be §\n  for i = step 1, 1, n do Write[¦] §|", "i n R", ""),
        ("R[n] be §\n  for i = step 1, ¦, n do Write[i] §|", "n R", ""),
        ("R[n] be §\n  L: n := 1\n  n := ¦ §|", "n R", "L"),
        ("let f = λ(a,b). a + ¦", "b a f", ""),
        ("R[n] be §\n  real p, q\n  ¦ §|", "q p n R", ""),
        ("R[n] be §\n  dec § real p §\n  ¦ §|", "p n R", ""),
        ("R[ref Knot : n, value Data : m] is § n := ¦", "m n R", ""),
        ("let a = 1 in f[x] = ¦", "x a f", ""),
        ("let a = 1 in f[x] = x\nlet g[y] = ¦", "y g f", "a"),
        ("F(X) = value of\n  § let (p,Q) = Next(X)\n    result is ¦", "Q p X F", ""),
    ):
        assert texts(text, *NAMED)[: len(names.split())] == names.split()
        assert not {*hidden.split()} & {*texts(text)}
    for typed, found in {
        r"x \sig": "σ",
        r"x \up": "↑",
        "x ->": "→",
        "x <=": "≤",
        "x /\\": "∧",
        "val": "value of",
        "x\nT": "Test",
        "Shi": "Shift",
        "shi": "Shift",
        "xSq": "SqRt",
        "x\nR[x] be § go": "go to",
        "x\nlet ": "rec",
    }.items():
        assert found in texts(f"F(x) = {typed}¦"), typed
    [arrow] = offered("F(x) = x = 1 ->¦")
    assert (arrow.replaced.text, arrow.text, arrow.typed) == ("->", "→", "->")
    [name] = [each for each in offered("F(x) = 2Shi¦") if each.text == "Shift"]
    assert (name.replaced.text, name.detail) == ("Shi", "Shift(x,n)")
    [found] = [each for each in offered("Add(x,y) = x + y\nB = Add(1,2)\nC = 2Add¦(2,2)") if each.kind == "function"]
    assert found.detail == "Add : (integer, integer) ⇒ integer"
    for text in ("|| le¦", "let s = ‘le¦", "let s = “le¦”", 'let s = "le¦', "let s = 1 || \\sig¦"):
        assert offered(text) == [], text
    text = (
        "R[n] be §\n  L: n := n + 1\n  let f[x] = value of § M: result is x §|\n  if n < 9 do go to ¦\n  K: return §|"
    )
    assert {*texts(text)} == {"L", "K"}
    assert texts("A: Write[1]\ngo to ¦") == ["A"]
    assert texts("A: Write[1]\nF(x) = x\ngo to ¦") == []
    text = "node Atom is string PrintName\nnode Cons is ¦\nelement LispList is Atom or Cons"
    found = texts(text)
    assert {"Atom", "Cons", "real"} <= {*found} and "Shift" not in found


def test_every_name_is_offered_where_it_is_used_and_means_the_same() -> None:
    """Here and there: the text is resolved anew for each."""
    for name in PROGRAMS:
        analysis = packaged(name)
        places = [place for place in analysis.uses if place.source == analysis.source]
        known = [(place, analysis.meaning_of(place)) for place in places]
        local = [(place, each) for place, each in known if isinstance(each, Definition) and each.kind in NAMED]
        for place, meaning in local[::25]:
            at_cursor = analysis.at_cursor(place)
            assert at_cursor
            whole, cursor = at_cursor
            span = whole.scopes.get(cursor, {}).get(meaning.name) or whole.at_top[meaning.name].span
            shift = len(cursor.text) - len(place.text) if meaning.span.start > place.start else 0
            if span.source == whole.source and meaning.span.source == analysis.source:
                assert span.start == meaning.span.start + shift, place
            else:
                assert span == meaning.span, place


@pytest.mark.parametrize(
    "name", ["attested/s67-42-tree-sort.cpl", pytest.param("strachey.cpl", marks=pytest.mark.long)]
)
def test_every_beginning_of_a_program_gets_answers(name: str) -> None:
    whole = packaged(name).source
    for end in range(0, len(whole.text), 7):
        analysis = analyse(Source(whole.path, whole.text[:end]), advice=False)
        offset = len(analysis.source.text)
        for each in completions(analysis, offset):
            assert each.text and each.replaced.end == offset
        signature_help(analysis, offset)
        hints(analysis, Span(analysis.source, 0, offset))


SOURCE = packaged("strachey.cpl").source
PIECES = st.sampled_from(
    ["(", ")", "§", "§|", "let ", "where ", "rec ", "λ", "=", "\n", "‘", "||", "node N is ", ":", "x"]
)


@given(st.lists(st.tuples(st.integers(0, len(SOURCE.text)), st.integers(0, 9), PIECES), max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_program_gets_answers(changes: list[tuple[int, int, str]], data: st.DataObject) -> None:
    text = SOURCE.text
    for at, length, piece in changes:
        text = text[:at] + piece + text[at + length :]
    analysis = analyse(Source(SOURCE.path, text), advice=False)
    offset = data.draw(st.integers(0, len(text)))
    for each in completions(analysis, offset):
        assert text[each.replaced.start : each.replaced.end] == each.replaced.text
    signature_help(analysis, offset)
    hover(analysis, offset)
    for hint in hints(analysis, Span(analysis.source, 0, len(text))):
        assert 0 <= hint.offset <= len(text)


def test_signatures_and_hints_are_found() -> None:
    for text, heading, active in (
        ("Add(x,y) = x + y\nB = Add(¦", "Add(x, y)", 0),
        ("Add(x,y) = x + y\nB = Add(1,¦)\nC = 1", "Add(x, y)", 1),
        ("Add(x,y) = x + y\nB = Add(1 = 2 → 3, ¦", "Add(x, y)", 0),
        ("Add(x,y) = x + y\nB = Add(1 = 2 → 3, 4, ¦", "Add(x, y)", 1),
        ("Add(x,y) = x + y\nB = Add[(1,2,3), ¦", "Add(x, y)", 1),
        ("Add(x,y) = x + y\nB = Add[1, Shift(¦", "Shift(x, n)", 0),
        ("B = Write[1,2,3,¦", "Write(items …)", 0),
        ("R[ref Knot : x, value Data : n] is § return §|\nnode Knot is Data : A\nR[a, ¦", None, 1),
        ("F(x) = value of\n  § let G(a,b) = a\n    result is G(1,¦", "G(a, b)", 1),
        ("node Cons is real Car with Cons : Cdr\nA = Cons[1, ¦NIL]", "Cons(real Car, Cons : Cdr)", 1),
    ):
        found = signature_help(*marked(text))
        assert found and found.active == active
        assert heading is None or found.heading == heading
        shown = [label for label, _ in found.parameters]
        assert found.heading.endswith(f"({', '.join(shown)})")
    for text in ("F(x,¦) = x", "F(x) = x + ¦", "F(x) = (x + ¦", "F(x) = x(1,¦", "F(x) = F(x)¦", "|| F(¦"):
        assert signature_help(*marked(text)) is None, text
    found = signature_help(*marked("## Both together.\nAdd(x,n) = x = NIL → n, n + 1\nB = Add(NIL, ¦1)"))
    assert found and found.words == "Both together."
    assert found.parameters[1][1] == "integer"
    for text in (
        "F(x⟨: integer⟩,y⟨: integer⟩) = 2⟨×⟩x⟨×⟩y + x⟨×⟩(y + 1)\nA⟨: integer⟩ = F(1,2)",
        "Twice(f⟨: integer ⇒ integer⟩,x⟨: integer⟩) = f(f(x))\nA⟨: integer⟩ = Twice(λx⟨: integer⟩. x + 1, 3)",
        "H(f,x) = f(x)",
        "function F[real x] = 2 x\nreal C = F[1]",
        "A = ‘text’\nlet n = 1",
    ):
        assert hinted(re.sub("⟨.*?⟩", "", text)) == text
    analysis = packaged("strachey.cpl")
    found = hints(analysis, Span(analysis.source, 0, len(analysis.source.text)))
    shown = {each.text for each in found}
    assert {"×", ": Position", ": Move list"} <= shown
    assert max(map(len, shown)) <= 26
    assert len(found) < 1.2 * analysis.source.lines
    assert hints(analysis, Span(analysis.source, found[3].offset, found[7].offset)) == found[3:8]


def hinted(text: str) -> str:
    analysis = analyse(Source("mine.cpl", text), advice=False)
    for each in reversed(hints(analysis, Span(analysis.source, 0, len(text)))):
        text = f"{text[: each.offset]}⟨{each.text}⟩{text[each.offset :]}"
    return text


def test_every_sign_and_code_is_explained() -> None:
    phrases = {PRINTED[kind] for kind in PHRASES.values() if " " in PRINTED[kind]}
    assert {*SYMBOLS, "OPEN", "CLOSE", *WORDS, "NIL", "Boolean", *phrases} - SIGNS.keys() == set()
    for word in CAPITAL_WORDS:
        assert sign_of(CAPITAL_WORDS[word], word)
    for key, sign in SIGNS.items():
        assert {*sign.rows} <= EVIDENCE.keys(), key
        assert sign.rows or sign.choice, key
        assert sign.words.endswith((".", "…")), key
    # Of most codes an example shows what gives it, and another what is right. The others are of huge texts, of files,
    # or of what one cannot see.
    causes = [cause for cause in vars(messages).values() if isinstance(cause, messages.Cause)]
    assert {cause.code for cause in causes} == explanations().keys()
    assert {code for code, explanation in explanations().items() if not explanation.wrong} == {
        *("hidden-character", "long-number", "no-room", "not-for-python", "not-shown", "not-utf8", "repaired"),
        *("too-big", "too-deep", "too-long", "too-many", "unreadable"),
    }
    for code, explanation in explanations().items():
        assert explanation.words.endswith(".") and bool(explanation.wrong) == bool(explanation.right)
        if explanation.wrong:
            assert code in codes_of(explanation.wrong)
            assert codes_of(explanation.right) == set(), code


def test_signs_are_explained_also_on_hover_and_called_our_choice_where_no_row_shows_them() -> None:
    """So says the page of the grammar, too."""
    page = (ROOT / "grammar" / "README.md").read_text(encoding="utf-8")
    ours = re.search(r"Signs that no row shows.*?\n\n", page, re.DOTALL)
    assert ours
    for key in SYMBOLS:
        for form in spellings(key):
            if form.startswith("\\") and f"`{form}`" in ours.group():
                assert form in SIGNS[key].choice, form
    for text, code, words in (
        ("F(x) ¦= x = 1", "=", "Defines"),
        ("F(x) = x ¦= 1", "=", "Compares"),
        ("F(x) = x = 1 ¦-> 2, 3", "→", "Parts"),
        ("F(x) = v¦alue of § result is x §|", "value of", "value block"),
        ("R[x] be § ¦Unless x = 1 do return §|", "unless", "does not hold"),
    ):
        found = hover(*marked(text))
        assert found and found.code == (code,) and words in found.words


def codes_of(text: str) -> set[str]:
    return {each.code for each in analyse(Source("mine.cpl", text)).diagnostics}


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
routine Show(x) = Write(x,
                        Sum(x,1))
"""
SOURCES = [read(path) for path in packaged_files()]


def source(text: str) -> Source:
    return Source("mine.cpl", text)


def outline(several: list[shape.Symbol]) -> list[object]:
    return [
        (each.kind, each.detail or each.name, *([outline(each.children)] if each.children else [])) for each in several
    ]


def test_outlines_folds_and_colours_go_by_what_is_meant() -> None:
    found = shape.symbols(parse(source(TEXT))[0])
    assert outline(found) == [
        ("type", "Pair", [("component", "Tree : Left"), ("component", "Tree : Right")]),
        ("type", "Tree"),
        ("constant", "a"),
        ("constant", "b"),
        ("function", "Sum(x,y)", [("function", "f(z)", [("variable", "k")]), ("label", "L")]),
        ("routine", "Show(x)"),
    ]
    assert [each.name for each in shape.symbols(parse(source("F(x) = x\nG(x) = (x\nH(x) = x\n"))[0])] == ["F", "H"]
    assert folded(TEXT) == [(1, 2, "imports"), (4, 5, "comment"), (10, 14, None), (11, 14, None), (15, 16, None)]
    assert folded("F(x) = value of\n  § let y = (x\n    result is y §|\n\nG(x) = value of\n§ result is\n x §|\n")[
        -2:
    ] == [(5, 7, None), (6, 7, None)]
    text = "let k = 2\nF(x) = x + k + Length([x])\nroutine R(y) = Write(F(y))\n§ L: go to L §|\n"
    tokens = shape.semantic_tokens(analyse(source(text)))
    found = {" ".join([token.span.text, token.type, *token.modifiers]) for token in tokens if token.type != "keyword"}
    assert {token for token in found if token[0].isalpha()} == {
        *("k variable definition readonly", "k variable readonly", "F function definition", "F function"),
        *("x parameter definition", "x parameter", "y parameter definition", "y parameter"),
        *("Length function defaultLibrary", "Write function defaultLibrary", "R method definition"),
        *("L label definition", "L label"),
    }


def folded(text: str) -> list[tuple[int, int, str | None]]:
    return [(each.span.line, each.span.last_line, each.kind) for each in shape.folds(source(text))]


@pytest.mark.parametrize("given", SOURCES, ids=lambda each: each.name)
def test_formatting_all_is_what_fmt_does(given: Source) -> None:
    try:
        wanted = format_source(given)
    except CplError:
        with pytest.raises(CplError):
            edits.format_whole(given)
        return
    assert applied(given, edits.format_whole(given)) == wanted
    assert edits.format_whole(Source(given.path, wanted)) == []


def test_formatting_a_range_leaves_the_rest_and_no_text_takes_time() -> None:
    text = source("F( x )=x\nG( x )=(x\nH( x )=x\n")
    at = text.text.index("H")
    assert applied(text, edits.format_range(text, Span(text, at, at + 1))) == "F( x )=x\nG( x )=(x\nH(x) = x\n"
    assert edits.format_range(text, Span(text, 12, 13)) == []
    few, many = ("(", "§ ", "value of ", "F(x) = x\n"), ("|| x\n" * 50_000, "x" * 100_000, "")
    for text in (*(part * 5000 for part in few), *many):
        shape.folds(source(text))
        shape.symbols(parse(source(text))[0])


SCRAPS = [*"§([‘,\f𝕏\n", "§|", "$(", "value of ", "result is", "\r\n", "|| ", "->", "\\sigma", "let ", 'get "x"']


@st.composite
def mutated(draw: st.DrawFn) -> Source:
    text = draw(st.sampled_from([each.text for each in SOURCES if len(each.text) < 4000]))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(["", *SCRAPS])) + text[at + draw(st.integers(0, 5)) :]
    return source(text)


@settings(max_examples=60, deadline=None)
@given(mutated(), st.integers(0, 10_000), st.integers(0, 10_000))
def test_texts_of_all_kinds(text: Source, one: int, other: int) -> None:
    program, _ = parse(text)
    length = len(text.text)
    one, other = sorted((one % (length + 1), other % (length + 1)))

    def nests(each: shape.Symbol) -> bool:
        inside = all(each.span.start <= child.span.start and child.span.end <= each.span.end for child in each.children)
        return inside and all(map(nests, each.children))

    assert all(map(nests, shape.symbols(program)))
    folds = [each.span for each in shape.folds(text)]
    assert all(0 <= each.start < each.end <= length for each in folds)
    assert not any(a.start < b.start < a.end < b.end for a in folds for b in folds if a.end > b.start)
    tokens = [each.span for each in shape.semantic_tokens(analyse(text, advice=False))]
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    assert parse(Source(text.path, applied(text, edits.format_range(text, Span(text, one, other)))))[0] == program
