"""CPL in colour: the lexer and the style for Pygments, the grammar for editors, and that the two say the same."""

import json
import re
import runpy
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from itertools import accumulate
from typing import Any

import pygments.plugin
import pytest
from case_files import read_cases
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename, guess_lexer, guess_lexer_for_filename
from pygments.styles import get_style_by_name
from pygments.token import Error

from cpl.compiler.syntax.tokens import GREEK_LETTERS, SYMBOL_KINDS, WORD_KINDS, WORDS, in_print
from cpl.study.views.highlighting import CplLexer, JournalStyle

EDITORS = ROOT / "editors"
MADE = runpy.run_path(str(EDITORS / "make_textmate.py"))
FILES = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("programs/**/*.cpl"))}
PROGRAMS = {path.name: text for path, text in FILES.items() if "attested" not in path.parts}
ATTESTED = {
    f"attested {path.parent.name}/{path.name}": text for path, text in FILES.items() if "attested" in path.parts
}
CASES = {
    f"{path.stem}: {case.title}": case.cpl
    for path in sorted(ROOT.glob("tests/cases/*.case"))
    for case in read_cases(path)
}
ODD = {
    "words that end names": "iff x'if Testx Test(x) Test x Boolean[ NIL' NILx doif not If so do If sodo",
    "unclosed": 'let S = ‘never\nlet T = "nor this',
    "signs": " ".join(SYMBOL_KINDS) + "".join(SYMBOL_KINDS),
    "words": " ".join(sorted(WORDS)) + "".join(sorted(WORDS)),
    "letters": " ".join(f"\\{name} \\{name}' \\{name}x" for name in GREEK_LETTERS) + r" \foo \up' \lambda' \lambda",
    "sections": "§1.2 x §|1.2 §\u20d2 \u0338§ $(1 $)1 §|| comment\n§||| comment\n§ |",
    "numbers": "8 253 𝟖253 #77 #78 #7.5 1.5⏨-3 2.5₁₀3 1\\10-3 5x²³ 18 7 3. .5",
    "bases": (
        "2 101 2 12 8 8 2\u0332101 8\u0332 17 𝟐11 𝟐 12 3\u0332 1 2 3 8\u0332 2\u0332x "
        "12\u0332 1\u03322\u0332 1 𝟏𝟐 1 2\u0332 1.5 Fact2\u0332 101"
    ),
    "strangers": "a && b != c ! ? ^ | & % é 猫 \x00 \u200b _x `",
    "print": " ".join(form for word in WORD_KINDS for form in in_print(word)) + "".join(in_print("Testx")),
    "partly print": (
        "le\u0332t 𝐥et lx\u0332 i\u0332f\u0332x x\u0332 𝐅𝐚𝐜𝐭 𝐱 a𝐱 l\u0332𝐞t T\u0332e\u0332s\u0332t\u0332(x) 𝐁𝐨𝐨𝐥𝐞𝐚𝐧[ "
        "If so do\u0332 𝐈𝐟 not 𝐝𝐨 Fact2\u0332 Test\u0332 \u0332 \u0332 i\u0332f\u0332 \u0332d\u0332o\u0332 \u0332x"
    ),
    "names": "F (x) F\u00a0[x] F\n(x) Fact1′ R'x xFact [",
    "line ends": "x\r\ny\rz\n",
}
TEXTS = PROGRAMS | ATTESTED | CASES | ODD
FRAGMENTS = sorted(
    {*WORDS, *SYMBOL_KINDS, *"ab'′xXZ0128 \t\n\r§|$()[]\\#⏨²‘’“”\"&!𝐨𝐫𝟐𝟖\u0332\u20d2"}
    | {"\\mu", "If so do", "Test", "NIL", "o\u0332r\u0332", "I\u0332f\u0332", "8\u0332"}
)


def classes(text: str) -> list[tuple[str, str]]:
    """What Pygments shows, blanks apart."""
    pairs = ((MADE["scope_of"](kind), part) for _, kind, part in CplLexer().get_tokens_unprocessed(text))
    return [(scope, part) for scope, part in pairs if scope]


def textmate(compiled: Callable[[str], Any]) -> Callable[[str], Iterator[tuple[str, str]]]:
    """What an editor shows, blanks apart: line by line the first rule that fits."""
    grammar = json.loads((EDITORS / "cpl.tmLanguage.json").read_text(encoding="utf-8"))
    rules = [(compiled(pattern["match"]), pattern.get("name")) for pattern in grammar["patterns"]]

    def parts(text: str) -> Iterator[tuple[str, str]]:
        for line in re.split(r"\r\n|\r|\n", text):
            place = 0
            while place < len(line):
                found, scope = next((m, scope) for rule, scope in rules if (m := rule.match(line, place)))
                if scope:
                    yield scope, found.group()
                assert found.end() > place
                place = found.end()

    return parts


@pytest.fixture(params=["re", "onigurumacffi"], scope="module")
def editor(request: pytest.FixtureRequest) -> Callable[[str], Iterator[tuple[str, str]]]:
    return textmate(pytest.importorskip(request.param).compile)


def test_editors_show_what_pygments_shows(editor: Callable[[str], Iterator[tuple[str, str]]]) -> None:
    for title, text in TEXTS.items():
        assert list(editor(text)) == classes(text), title


@given(st.lists(st.sampled_from(FRAGMENTS)).map("".join))
def test_they_agree_on_any_text_and_nothing_is_lost(text: str) -> None:
    assert list(textmate(re.compile)(text)) == classes(text)
    assert "".join(part for _, _, part in CplLexer().get_tokens_unprocessed(text)) == text


def test_nothing_is_lost_and_words_are_bold() -> None:
    made = MADE["grammar"]()
    assert (EDITORS / "cpl.tmLanguage.json").read_text(encoding="utf-8") == made, "run editors/make_textmate.py"
    for title, text in TEXTS.items():
        starts, kinds, found = zip(*CplLexer().get_tokens_unprocessed(text), strict=True)
        assert ("".join(found), all(found)) == (text, True), title
        assert [*starts] == [0, *accumulate(map(len, found))][:-1], title
        assert title not in PROGRAMS or Error not in kinds, title
        plain = re.sub(r"\r\n|\r", "\n", text).removeprefix("\ufeff")
        assert "".join(part for _, part in CplLexer(stripnl=False, ensurenl=False).get_tokens(text)) == plain, title
    shown = highlight("let x = Fact(y)\n", CplLexer(), HtmlFormatter(style=JournalStyle, noclasses=True))
    assert re.search(r'font-weight: bold">let<', shown)
    assert re.search(r'font-style: italic">x<', shown)
    assert not re.search(r'font-[^"]*">Fact<', shown)


def test_classes() -> None:
    for text, wanted in (
        ("let x' := ‘a’", "Keyword:let Name.Variable:x' Operator::= Literal.String:‘a’"),
        ("xFact(x)", "Name.Variable:x Name.Function:Fact Punctuation:( Name.Variable:x Punctuation:)"),
        ("§1.2 σ² §|1.2", "Keyword.Pseudo:§1.2 Name.Variable:σ Literal.Number:² Keyword.Pseudo:§|1.2"),
        ("8 253 || x", "Literal.Number:8_253 Comment.Single:||_x"),
        ("If so do Test [1]", "Keyword:If_so_do Name.Function:Test Punctuation:[ Literal.Number:1 Punctuation:]"),
    ):
        found = [
            f"{str(kind).removeprefix('Token.')}:{part.replace(' ', '_')}"
            for _, kind, part in CplLexer().get_tokens_unprocessed(text)
            if part.strip()
        ]
        assert " ".join(found) == wanted


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pygments finds what pyproject.toml offers, however old the metadata of the environment are."""
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]

    def entry_points(group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in offered.get(group, {}).items()]

    monkeypatch.setattr(pygments.plugin, "iter_entry_points", entry_points)


@pytest.mark.usefixtures("installed")
def test_pygments_finds_cpl_by_its_name_and_that_of_a_file() -> None:
    assert isinstance(get_lexer_by_name("cpl"), CplLexer)
    assert get_style_by_name("journal") is JournalStyle
    assert isinstance(get_lexer_for_filename("a.cpl"), CplLexer)
    for text in [*TEXTS.values(), "x", "let x = 3\n"]:
        if ":-" not in text:
            assert isinstance(get_lexer_for_filename("a.cpl", text), CplLexer)
            assert isinstance(guess_lexer_for_filename("a.cpl", text), CplLexer)
    assert get_lexer_for_filename("a.cpl", "heads(Coin) : 0.5 :- toss(Coin).\n").name == "cplint"


@pytest.mark.usefixtures("installed")
def test_programs_are_guessed_and_other_texts_are_not() -> None:
    for program, text in PROGRAMS.items():
        assert isinstance(guess_lexer(text), CplLexer), program
    for other in (
        "",
        "Let it be, as § 1.2 of the act has it.",
        "CC := gcc\nall:\n\t$(CC) a.c\n",
        "#!/bin/sh\nFILES=$(ls)\nwhile true; do echo x; done\n",
    ):
        assert not isinstance(guess_lexer(other), CplLexer), other
