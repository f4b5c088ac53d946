"""What print sets off: words that are underlined or bold, and the signs of binary and octal numbers."""

import random
import re
import unicodedata
from collections.abc import Callable
from typing import Literal

import pytest
from command_line import run
from conftest import ROOT, SLOW
from hypothesis import given
from hypothesis import strategies as st
from test_repair import all_repaired
from ways import Ways

import cpl
from cpl.compiler.source import Source
from cpl.compiler.syntax.lexer import plainly, tokenize
from cpl.compiler.syntax.parser import parse
from cpl.compiler.syntax.printer import as_written, print_program, printed, typed
from cpl.compiler.syntax.tokens import BASES, CAPITAL_WORDS, WORD_KINDS, Base, in_print, unmarked
from cpl.editors.hover import hover
from cpl.editors.semantic_tokens import semantic_tokens
from cpl.editors.text_analysis import analyse
from cpl.study.views.listing import coloured

U = "\u0332"
SIGNS = {
    base.digit: {
        "underlined": (f"{base.digit}{U} ", f"{base.digit}{U}", f"{base.digit}{U} \t "),
        "bold": (f"{base.bold} ", base.bold),
        "plain": (f"{base.digit} ", f"{base.digit}\t  "),
        "typed": (base.typed,),
    }
    for base in BASES
}
GRID = [(base, look, sign) for base in BASES for look, signs in SIGNS[base.digit].items() for sign in signs]


def codes_at(text: str) -> list[tuple[str, int]]:
    return [(finding.code, finding.span.start) for finding in cpl.check_text(text)]


@pytest.mark.parametrize(("base", "look", "sign"), GRID)
def test_digits_of_the_base_follow_its_sign_and_no_others(
    base: Base, look: str, sign: str, ways: Callable[..., Ways]
) -> None:
    numerals = [base.digits[1], base.digits, "0", "0" * 9 + base.digits[-1], base.digits[-1] * 70]
    program = f"A = [{','.join(sign + digits for digits in numerals)}]"
    values = [int(digits, int(base.digit)) for digits in numerals]
    outcome = ways(program, calls=["A"], only=("interpreted", "plain")).agreed()
    assert outcome.values == (f"[{','.join(map(str, values))}]",)

    at = 4 + len(sign)  # where the digits begin
    for wrong, place in ((base.digit, 0), (f"1{base.digit}1", 1), ("19", 1), ("1.5", 1), ("10.1", 2)):
        errors = cpl.check_text(f"A = {sign}{wrong}")
        expected = ("unknown-sign", 4) if sign == "#" else ("wrong-digit", at + place)
        assert [(error.code, error.span.start) for error in errors] == [expected], (look, wrong)
        assert not any(error.fixes for error in errors), "nobody knows what is meant"


@pytest.mark.parametrize("sign", [f"2{U}", f"8{U}", "𝟐", "𝟖"])
def test_a_sign_without_digits_is_an_error_without_a_repair(sign: str) -> None:
    for after in ("", " ", " + 1", " x", "(1)"):
        (finding,) = cpl.check_text(f"A = {sign}{after}")
        assert (finding.code, finding.span.start, finding.fixes) == ("no-base", 4, ()), after
        assert finding.help and finding.help.endswith(f"write {unicodedata.normalize('NFKC', sign[0])}")


@pytest.mark.parametrize("digit", "01345679")
def test_no_other_digit_introduces_a_number(digit: str) -> None:
    assert codes_at(f"A = {digit}{U} 101") == [("no-base", 4)]
    assert codes_at(f"A = {digit} 101") == [("unexpected", 6)]


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (f"F(x) = x2{U} 101", f"x × 2{U} 101"),
        ("F(x) = x8 17", "x × 8 17"),
        (f"A = Fact2{U} 101", f"Fact(2{U} 101)"),
        ("A = 8 17 % 𝟖 3", "Remainder(8 17,𝟖 3)"),
        ("A = 0b101", "2 101"),
        ("A = 0o17", "8 17"),
        ("A = #78", "the digits are 0 to 7"),
    ],
)
def test_help_keeps_the_number_whole(text: str, advice: str) -> None:
    assert any(advice in (finding.help or "") for finding in cpl.check_text(text))


@pytest.mark.parametrize(("written", "meant"), [(f"2{U}1{U}0{U}1{U}", "2101"), ("𝟐𝟏𝟎𝟏", "2101"), ("𝟏𝟖 17", "18 17")])
def test_a_marked_number_has_no_sign_of_a_base(written: str, meant: str) -> None:
    """Where several digits are marked, none of them is a sign."""
    assert all_repaired(f"A = {written}") == f"A = {meant}"


def test_a_plain_sign_stands_by_itself_before_digits_on_its_line() -> None:
    assert codes_at("A = 2 × 101\nB = 8;17 → 1, 2") == [("command-at-top", 18)]
    assert codes_at("A = 12 101") == codes_at("A = 18 17") == [("unexpected", 7)]
    assert codes_at("F(x) = x\nA = F(2\n101)") == [("unexpected", 17)], "no sign goes on to the next line"
    for blank in "\u00a0\u2009":  # which may part thousands
        (error,) = cpl.check_text(f"A = 2{blank}101")
        assert (error.code, error.span.start, error.fixes) == ("no-base", 4, ())


@SLOW
@given(st.integers(0, 2**200), st.randoms(use_true_random=False))
def test_any_number_is_the_same_in_every_base(number: int, chance: random.Random) -> None:
    written = [f"{chance.choice(chance.choice([*SIGNS['2'].values()]))}{number:b}"]
    written += [f"{chance.choice(chance.choice([*SIGNS['8'].values()]))}{number:o}", str(number)]
    tokens, wrong = tokenize(Source("numbers", ", ".join(written)))
    assert not wrong
    assert [int(token.text, 0) for token in tokens if token.kind == "NUMBER"] == [number] * 3


def test_long_numbers_are_counted_by_their_digits() -> None:
    for sign in ("2 ", f"2{U}", "𝟖 ", "#", "8" + " " * 5000):
        assert codes_at(f"A = {sign}{'1' * 4000}") == []
        (finding,) = cpl.check_text(f"A = {sign}{'1' * 4001}")
        assert finding.code == "long-number" and " 4001 " in finding.message


@pytest.mark.parametrize("word", sorted(WORD_KINDS))
def test_a_word_in_print_is_that_word_wherever_it_stands(word: str) -> None:
    for form in in_print(word):
        for text in (form, f"{form}(x)", f"{form}[x]", f"2{form}", f"{form}2", f"§{form}"):
            token = next(token for token in tokenize(Source("word", text))[0] if unmarked(token.span.text) == word)
            assert (token.kind, token.span.text) == (WORD_KINDS[word], form)
        assert plainly(form) == (word if word == "Boolean" or word not in CAPITAL_WORDS else word.lower())
        # As part of a longer run it is none, and is not cut off.
        assert codes_at(f"{form}x y")[0][0] in ("partly-marked", "unknown-sign")


@pytest.mark.parametrize("word", ["let", "value", "Test", "substitution"])
def test_a_word_underlined_in_part_says_so_and_is_read(word: str) -> None:
    for at in range(len(word)):
        written = f"{word[: at + 1]}{U}{word[at + 1 :]}"
        (token, *_), (error, *_) = tokenize(Source("word", written))
        assert (error.code, error.span.text, error.fixes[0].text) == ("partly-marked", written, plainly(written))
        assert token.kind == WORD_KINDS[word]


@pytest.mark.parametrize(
    ("written", "code", "help"),
    [
        (f"w{U}h{U}l{U}e{U}", "misspelt", "did you mean while?"),
        ("𝐫𝐞𝐬𝐮𝐥", "misspelt", "did you mean result?"),
        ("𝐋𝐄𝐓", "misspelt", "write the word as let"),
        ("𝐕𝐚𝐥𝐮𝐞", "unknown-sign", "write Value for 𝐕𝐚𝐥𝐮𝐞"),
        ("𝐱𝐲", "unknown-sign", "write xy for 𝐱𝐲"),
        (f"x{U}", "unknown-sign", f"write x for x{U}"),
        (f"sx{U}", "unknown-sign", f"write sx for sx{U}"),
    ],
)
def test_what_is_marked_and_no_word_is_a_slip_or_a_name(written: str, code: str, help: str) -> None:
    (error, *_) = cpl.check_text(f"F(x) = {written}")
    assert (error.code, error.span.text, error.help) == (code, written, help)
    assert [fix.text for fix in error.fixes] == ([] if code == "misspelt" else [unmarked(written)])


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_marked_words_and_signs_are_the_same_in_all_forms_of_unicode(form: Literal["NFC", "NFD"]) -> None:
    for text in (*(marked for word in WORD_KINDS for marked in in_print(word)), f"2{U}", f"8{U} 17", "𝟐"):
        assert unicodedata.normalize(form, text) == text


PROGRAM = """\
F(n,L) = value of
  § let x, y = 8 17n, [1,n]
    Test (n = 0)
    If so do result is 2 101  || none
    If not do for i = L do § if i = n do result is i  || this one
                             x := x + 1 §|
    result is x and y §|
"""


def marked(text: str, chance: random.Random) -> str:
    """The text with most of its words underlined or bold, and so the signs of its bases."""
    for token in reversed(tokenize(Source("plain", text))[0]):
        span = token.span
        if token.kind in WORD_KINDS.values() and span.text in WORD_KINDS:
            form = chance.choice([*in_print(span.text), span.text])
            text = text[: span.start] + form + text[span.end :]
    return text.replace("8 17", f"8{U} 17").replace("2 101", "𝟐 101")


@pytest.mark.parametrize("seed", range(20))
def test_marks_change_no_meaning_and_no_layout(seed: int) -> None:
    text = marked(PROGRAM, random.Random(seed))
    plain, _ = parse(Source("mine.cpl", PROGRAM))
    program, wrong = parse(Source("mine.cpl", text))
    assert (program, wrong) == (plain, [])

    formatted = print_program(program, as_written)
    assert unmarked(formatted).replace(U, "").replace("𝟐", "2") == print_program(plain, as_written)
    for notation in (printed, typed):
        assert print_program(program, notation).lower() == print_program(plain, notation).lower()
        assert notation is printed or print_program(program, notation).isascii()
    for notation in (as_written, printed, typed):
        once = print_program(program, notation)
        again, wrong = parse(Source("mine.cpl", once))
        assert (again, wrong, print_program(again, notation)) == (program, [], once)


def test_every_printed_text_may_be_marked() -> None:
    chance = random.Random(1966)
    for path in sorted(ROOT.glob("programs/**/*.cpl")):
        text = path.read_text(encoding="utf-8")
        program, wrong = parse(Source("a.cpl", text))
        again, wrong_again = parse(Source("a.cpl", marked(text, chance)))
        assert (again, [error.code for error in wrong_again]) == (program, [error.code for error in wrong]), path.name


def test_editors_colour_and_explain_what_is_marked() -> None:
    written = f"F(x) = v{U}a{U}l{U}u{U}e{U} 𝐨𝐟 § 𝐫𝐞𝐚𝐥 y = 2{U} 101; result is n{U}o{U}t{U} (x 𝐚𝐧𝐝 y > 𝟖17) §|"
    analysis = analyse(Source("mine.cpl", written))
    assert not analysis.diagnostics
    kinds = {token.span.text: token.kind for token in semantic_tokens(analysis)}
    for word in (f"v{U}a{U}l{U}u{U}e{U}", "𝐨𝐟", f"n{U}o{U}t{U}", "𝐚𝐧𝐝"):
        assert kinds[word] == "keyword", word
    assert (kinds["𝐫𝐞𝐚𝐥"], kinds[f"2{U} 101"], kinds["𝟖17"]) == ("type word", "number", "number")

    for place, code, words in (
        ("𝐨𝐟", "value of", "value block"),
        ("𝐚𝐧𝐝", "and", "sign ∧"),
        (f"2{U}", "5", "A binary number, in decimal"),
        ("𝟖17", "15", "An octal number, in decimal"),
    ):
        shown = hover(analysis, written.index(place))
        assert shown and shown.code == (code,) and words in shown.words


def test_a_warning_names_the_plain_word_at_its_place() -> None:
    text = f"f{U}o{U}r{U} i = 1 to 9 do\n  Write(i)\n  NewLine[]\n"
    (warning,) = [found for found in cpl.check_text(text) if found.code == "indented"]
    assert warning.message == "this is indented, but is not part of the for above"
    assert [span.text for span, _ in warning.related] == [f"f{U}o{U}r{U}"]


def test_listings_colour_what_is_marked() -> None:
    (line,) = coloured(f"F(x) = n{U}o{U}t{U} 𝐭𝐫𝐮𝐞 ∨ le{U}t ∨ 2{U} ∨ 2{U} 101")
    shown = re.findall(r'<span class="(c-[a-z]+)">([^<]*)</span>', line)
    assert [(shade, text) for shade, text in shown if shade in ("c-k", "c-err")] == [
        ("c-k", f"n{U}o{U}t{U}"),
        ("c-k", "𝐭𝐫𝐮𝐞"),
        ("c-err", f"le{U}t"),
        ("c-err", f"2{U}"),
    ]


def test_the_prompt_reads_them() -> None:
    done = run("cpl", "repl", input=f"l{U}e{U}t{U} n = 2{U} 101\nn + 𝟖 17\n{U}\n", status=1)
    assert done.stdout == "20\n" and done.stderr.startswith("error[unknown-sign]")


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        (".LET x = 1", ".LET", "let"),
        ("'let' x = 1", "'let'", "let"),
        ("'LET' x = 1; 'IF' x = 1 'DO' WriteLine(x)", "'LET'", "let"),
        ("F(x) = 'value' 'of' § 'result' 'is' x §|", "'value'", "value"),
        ("LET x = 1", "LET", "let"),
    ],
)
def test_a_word_in_the_dress_of_algol_is_named(text: str, place: str, word: str) -> None:
    error = cpl.check_text(text)[0]
    assert (error.code, error.span.text) == ("misspelt", place)
    assert error.help and error.help.endswith(word)


@pytest.mark.parametrize("text", ["A = ['red', 'let']", "A = ['list',\n'string',\n'value']", "F('do', 'if')"])
def test_words_in_quotes_may_be_strings_of_another_language(text: str) -> None:
    assert {error.code for error in cpl.check_text(text) if error.severity == "error"} <= {
        "unknown-sign",
        "unknown-name",
    }
    assert "write ‘ for '" in {error.help for error in cpl.check_text(text)}
