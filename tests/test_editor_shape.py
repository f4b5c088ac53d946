"""What an editor shows of the shape of a text: outline, folds, colours, and formatting."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpl.diagnostics import CplError
from cpl.editor import folding, reformat, semantic, symbols
from cpl.editor.analysis import analyse
from cpl.editor.edits import applied
from cpl.formatting import format_source
from cpl.loader import packaged_files, read
from cpl.source import Source, Span
from cpl.syntax.parser import parse

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


def outline(several: list[symbols.Symbol]) -> list[object]:
    return [
        (each.kind, each.detail or each.name, *([outline(each.children)] if each.children else [])) for each in several
    ]


def test_the_outline_nests_and_of_a_broken_text_has_what_still_parses() -> None:
    found = symbols.symbols(parse(source(TEXT))[0])
    assert outline(found) == [
        ("type", "Pair", [("component", "Tree : Left"), ("component", "Tree : Right")]),
        ("type", "Tree"),
        ("constant", "a"),
        ("constant", "b"),
        ("function", "Sum(x,y)", [("function", "f(z)", [("variable", "k")]), ("label", "L")]),
        ("routine", "Show(x)"),
    ]
    assert [each.name for each in symbols.symbols(parse(source("F(x) = x\nG(x) = (x\nH(x) = x\n"))[0])] == ["F", "H"]


def folded(text: str) -> list[tuple[int, int, str | None]]:
    return [(each.span.line, each.span.last_line, each.kind) for each in folding.folds(source(text))]


def test_folds_are_found_in_broken_texts_too() -> None:
    assert folded(TEXT) == [(1, 2, "imports"), (4, 5, "comment"), (10, 14, None), (11, 14, None), (15, 16, None)]
    assert folded("F(x) = value of\n  § let y = (x\n    result is y §|\n\nG(x) = value of\n§ result is\n x §|\n")[
        -2:
    ] == [(5, 7, None), (6, 7, None)]


def test_colours_go_by_what_names_mean() -> None:
    text = "let k = 2\nF(x) = x + k + Length([x])\nroutine R(y) = Write(F(y))\n§ L: go to L §|\n"
    tokens = semantic.semantic_tokens(analyse(source(text)))
    found = {" ".join([token.span.text, token.type, *token.modifiers]) for token in tokens if token.type != "keyword"}
    assert {token for token in found if token[0].isalpha()} == {
        *("k variable definition readonly", "k variable readonly", "F function definition", "F function"),
        *("x parameter definition", "x parameter", "y parameter definition", "y parameter"),
        *("Length function defaultLibrary", "Write function defaultLibrary", "R method definition"),
        *("L label definition", "L label"),
    }


@pytest.mark.parametrize("given", SOURCES, ids=lambda each: each.name)
def test_formatting_all_is_what_fmt_does(given: Source) -> None:
    try:
        wanted = format_source(given)
    except CplError:
        with pytest.raises(CplError):
            reformat.format_whole(given)
        return
    assert applied(given, reformat.format_whole(given)) == wanted
    assert reformat.format_whole(Source(given.path, wanted)) == []


def test_formatting_a_range_leaves_the_rest_alone() -> None:
    text = source("F( x )=x\nG( x )=(x\nH( x )=x\n")
    at = text.text.index("H")
    assert applied(text, reformat.format_range(text, Span(text, at, at + 1))) == "F( x )=x\nG( x )=(x\nH(x) = x\n"
    assert reformat.format_range(text, Span(text, 12, 13)) == []


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

    def nests(each: symbols.Symbol) -> bool:
        inside = all(each.span.start <= child.span.start and child.span.end <= each.span.end for child in each.children)
        return inside and all(map(nests, each.children))

    assert all(map(nests, symbols.symbols(program)))
    folds = [each.span for each in folding.folds(text)]
    assert all(0 <= each.start < each.end <= length for each in folds)
    assert not any(a.start < b.start < a.end < b.end for a in folds for b in folds if a.end > b.start)
    tokens = [each.span for each in semantic.semantic_tokens(analyse(text, advice=False))]
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    assert parse(Source(text.path, applied(text, reformat.format_range(text, Span(text, one, other)))))[0] == program


def test_hostile_texts_take_no_time() -> None:
    few, many = ("(", "§ ", "value of ", "F(x) = x\n"), ("|| x\n" * 50_000, "x" * 100_000, "")
    for text in (*(part * 5000 for part in few), *many):
        folding.folds(source(text))
        symbols.symbols(parse(source(text))[0])
