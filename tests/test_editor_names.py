"""What editors offer and tell of names, signs and words, and how they repair and format. A ¦ marks the cursor."""

import re
from functools import cache

import pytest
from conftest import ROOT
from forms import EVIDENCE

from cpl.compiler import loader, messages
from cpl.compiler.diagnostics import CplError
from cpl.compiler.pipeline import format_source
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax.tokens import CAPITAL_WORDS, GREEK_LETTERS, PHRASES, PRINTED, SYMBOLS, WORDS
from cpl.editors.completion import Completion, completions
from cpl.editors.definitions import Definition
from cpl.editors.edits import applied, format_range, format_whole
from cpl.editors.hover import hover
from cpl.editors.signs import SIGN_NAMES, SIGNS, explanations, sign_of, spellings
from cpl.editors.text_analysis import Analysis, analyse

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
    return [offer.text for offer in offered(text) if not kinds or offer.kind in kinds]


@pytest.mark.parametrize(
    ("text", "names", "hidden"),
    [
        ("F(x,y) = ¦", "y x F", ""),
        ("F(x,y) = value of\n  § let z = 1\n    let w = ¦", "z y x F", ""),
        ("F(x) = value of\n  § let z = z'\n    let z' = 1\n    result is ¦\nG(a) = a", "z' z x G F", ""),
        ("F(x) = value of § let z = 1\n result is z §\nG(a) = ¦", "a G F", "x z"),
        ("F(x) = value of\n  § let z = ¦\n    result is z §", "x F", "z"),
        ("F(x) = value of\n  § § let z = 1 §|\n    result is ¦§|", "x F", "z"),
        ("F(x) = ¦ where w = x", "x w F", ""),
        ("F(x) = w where w = ¦", "x F", ""),
        ("F(x) = w where rec W(n) = ¦", "n W x F", ""),
        ("R[n] be §\n  for i = step 1, 1, n do WriteLine[¦] §|", "i n R", ""),
        ("R[n] be §\n  for i = step 1, ¦, n do WriteLine[i] §|", "n R", ""),
        ("R[n] be §\n  L: n := 1\n  n := ¦ §|", "n R", "L"),
        ("let f = λ(a,b). a + ¦", "b a f", ""),
        ("R[n] be §\n  real p, q\n  ¦ §|", "q p n R", ""),
        ("R[n] be §\n  dec § real p §\n  ¦ §|", "p n R", ""),
        ("R[ref Knot : n, value Data : m] is § n := ¦", "m n R", ""),
        ("let a = 1 in f[x] = ¦", "x a f", ""),
        ("let a = 1 in f[x] = x\nlet g[y] = ¦", "y g f", "a"),
        ("F(X) = value of\n  § let (p,Q) = Next(X)\n    result is ¦", "Q p X F", ""),
    ],
)
def test_names_in_scope_are_offered_the_nearest_first(text: str, names: str, hidden: str) -> None:
    """Those out of scope are not offered."""
    assert texts(text, *NAMED)[: len(names.split())] == names.split()
    assert not {*hidden.split()} & {*texts(text)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("R[x] be § if ¦", "x R"),
        ("R[x] be § test ¦", "x R"),
        ("F(x) = x = 1 → ¦", "x F"),
        ("R[n] be §\n  for i = step 1, ¦", "n R"),
        ("F(x) = value of ¦", "x F"),
        ("let ¦", ""),
        ("F(x,¦) = x", ""),
    ],
)
def test_names_are_offered_in_a_statement_that_is_not_finished(text: str, names: str) -> None:
    """None is where a name is a new one."""
    offers = texts(text, *NAMED)
    assert offers[: len(names.split())] == names.split() and bool(offers) == bool(names)


@pytest.mark.parametrize(
    ("typed", "sign"),
    [
        (r"x \sig", "σ"),
        (r"x \up", "↑"),
        ("x ->", "→"),
        ("x <=", "≤"),
        ("x /\\", "∧"),
        ("val", "value of"),
        ("x\nT", "Test"),
        ("Shi", "Shift"),
        ("shi", "Shift"),
        ("xSq", "SqRt"),
        ("x\nR[x] be § go", "go to"),
        ("x\nlet ", "rec"),
    ],
)
def test_signs_and_words_are_offered(typed: str, sign: str) -> None:
    assert sign in texts(f"F(x) = {typed}¦")


def test_a_sign_is_found_by_a_name_of_it_once() -> None:
    """What is whole comes first: \\ne is ≠."""
    assert texts("F(x) = x \\ne¦") == ["≠", "≢", "~"]
    [arrow] = offered("F(x) = x = 1 \\to¦")
    assert (arrow.replaced.text, arrow.text, arrow.typed) == ("\\to", "→", "\\to")
    assert texts("F(x) = x \\S¦")[:2] == ["§", "Σ"]
    assert {"≤", "λ"} < {*texts("F(x) = x \\l¦")}


def test_names_of_signs_are_no_other_signs_or_letters() -> None:
    named = [name for names in SIGN_NAMES.values() for name in names]
    forms = [form.removeprefix("\\") for kind in (*SYMBOLS, "OPEN", "CLOSE") for form in spellings(kind)]
    assert not {*named} & ({*forms} | GREEK_LETTERS.keys())
    assert len(named) == len({*named})


def test_an_offer_says_what_it_replaces() -> None:
    [arrow] = offered("F(x) = x = 1 ->¦")
    assert (arrow.replaced.text, arrow.text, arrow.typed) == ("->", "→", "->")
    [name] = [offer for offer in offered("F(x) = 2Shi¦") if offer.text == "Shift"]
    assert (name.replaced.text, name.detail) == ("Shi", "Shift(x,n)")


def test_a_function_is_offered_with_its_type() -> None:
    [offer] = [offer for offer in offered("Add(x,y) = x + y\nB = Add(1,2)\nC = 2Add¦(2,2)") if offer.kind == "function"]
    assert offer.detail == "Add : (integer, integer) ⇒ integer"


@pytest.mark.parametrize("text", ["|| le¦", "let s = ‘le¦", "let s = “le¦”", 'let s = "le¦', "let s = 1 || \\sig¦"])
def test_nothing_is_offered_in_comments_and_strings(text: str) -> None:
    assert offered(text) == []


def test_labels_are_offered_after_go_to() -> None:
    text = (
        "R[n] be §\n  L: n := n + 1\n  let f[x] = value of § M: result is x §|\n  if n < 9 do go to ¦\n  K: return §|"
    )
    assert {*texts(text)} == {"L", "K"}
    assert texts("A: WriteLine[1]\ngo to ¦") == ["A"]
    assert texts("A: WriteLine[1]\nF(x) = x\ngo to ¦") == []


def test_nodes_and_types_are_offered_in_definitions_of_nodes() -> None:
    text = "node Atom is string PrintName\nnode Cons is ¦\nelement LispList is Atom or Cons"
    offers = texts(text)
    assert {"Atom", "Cons", "real"} <= {*offers} and "Shift" not in offers


def test_every_name_is_offered_where_it_is_used_and_means_the_same() -> None:
    """Here and there: the text is resolved anew for each."""
    for name in PROGRAMS:
        analysis = packaged(name)
        places = [place for place in analysis.uses if place.source == analysis.source]
        meanings = [(place, analysis.meaning_of(place)) for place in places]
        local = [
            (place, meaning) for place, meaning in meanings if isinstance(meaning, Definition) and meaning.kind in NAMED
        ]
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


def test_another_name_for_a_label_is_a_name_of_its_own() -> None:
    text = "F(x) = value of § let M = A\n  if x > 1 then go to M\n  result is 1\nA: result is 2 §"
    known = analyse(Source("mine.cpl", text), advice=False)
    uses = {place.start: meant for place, meant in known.uses.items() if isinstance(meant, Span)}
    assert uses[text.index("M\n")].start == text.index("M =")
    assert uses[text.index("A\n")].start == text.index("A:")


def test_every_sign_and_code_is_explained() -> None:
    phrases = {PRINTED[kind] for kind in PHRASES.values() if " " in PRINTED[kind]}
    assert {*SYMBOLS, "OPEN", "CLOSE", *WORDS, "NIL", "Boolean", *phrases} - SIGNS.keys() == set()
    for word in CAPITAL_WORDS:
        assert sign_of(CAPITAL_WORDS[word], word)
    for key, sign in SIGNS.items():
        assert {*sign.rows.split()} <= EVIDENCE.keys(), key
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


@pytest.mark.parametrize(
    ("text", "heading", "words"),
    [
        ("s = As¦Written[2]\n", "AsWritten", "What `Write` would print of the items, as a string."),
        ("F() ≡ Input¦Ended[]\n", "InputEnded", "Whether the input has no more numbers or words"),
        ("L = List¦Of[Formarray[index, (1,1)][2]]\n", "ListOf", "The list of the members of an array"),
        ("F() ≡ Ran¦dom[6]\n", "Random", "A whole number from 0 to n - 1"),
        ("See¦d[6]\n", "Seed", "Begin the sequence"),
    ],
)
def test_the_functions_of_the_library_are_offered_and_explained(text: str, heading: str, words: str) -> None:
    assert heading in texts(text, "host", "function", "routine")
    shown = hover(*marked(text))
    assert shown is not None
    assert shown.code[0].startswith(heading)
    assert words in shown.words


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
        shown = hover(*marked(text))
        assert shown and shown.code == (code,) and words in shown.words


def codes_of(text: str) -> set[str]:
    return {finding.code for finding in analyse(Source("mine.cpl", text)).diagnostics}


def test_formatting_all_is_what_fmt_does_and_a_range_leaves_the_rest() -> None:
    for name in PROGRAMS:
        text = packaged(name).source
        wanted = format_source(text)
        assert applied(text, format_whole(text)) == wanted
        assert format_whole(Source(text.path, wanted)) == []
    text = Source("mine.cpl", "F( x )=x\nG( x )=(x\nH( x )=x\n")
    with pytest.raises(CplError):
        format_whole(text)
    at = text.text.index("H")
    assert applied(text, format_range(text, Span(text, at, at + 1))) == "F( x )=x\nG( x )=(x\nH(x) = x\n"
    assert format_range(text, Span(text, 12, 13)) == []
