"""Look-alikes: characters from web pages and phones, each an error that says what to write, and all of them repaired
at once.
"""

from test_cases import body

import cpl
from cpl.editor import fixes
from cpl.editor.analysis import analyse
from cpl.editor.edits import applied
from cpl.source import Source
from cpl.syntax.look_alikes import PLAIN

PROGRAMS = {
    "≤ ≥ = < >": "F(a) = a {} 1 → 2, 3",
    "→": "F(a) = a = 1 {} 2, 3",
    "+ − × /": "F(a) = a {} 2",
    ":=": "F(a) = value of § let b = a; b {} 2; result is b §|",
    ";": "F(a) = value of § let b = a{} b := 2; result is b §|",
    ":": "routine R[n] is § L{} n := n - 1; if n > 0 do go to L §|",
    "↑": "F(a) = a {} 2",
    "↓": "F(a) = value of § let b = [a,2]; result is {}b §|",
    "∞": "F(a) = a < {} → 2, 3",
    "~": "F(a) = {}(a = 1) → 2, 3",
    "∧ ∨": "F(a) = a > 1 {} a = 0 → 2, 3",
    ",": "F(a{}b) = a - b",
    ".": "F(a) = λb{}a + b",
    "(": "F{}a) = a",
    ")": "F(a{} = a",
    "[": "F{}a] = a",
    "]": "F[a{} = a",
    "||": "F(a) = a {} a note of a ≦ 1",
    "' '' '''": "F(a{0}) = a{0} + 2",
    "": "F(a) = a {}+ 2",
}
"""A place for each sign."""


def program(sign: str) -> str:
    """A program with a place for a sign, or for a letter."""
    if sign.isalpha():
        return "{0}(a) = a" if "A" <= sign <= "Z" else "F({0}) = {0} + 2"
    return next(text for signs, text in PROGRAMS.items() if sign in signs.split() or sign == signs)


def all_repaired(text: str) -> str:
    """The text after *Repair all* in an editor."""
    source = Source("mine.cpl", text)
    return applied(source, fixes.all_repairs(analyse(source)))


def python(text: str, *, repair: bool = False) -> str:
    return body(cpl.compile_text(text, repair=repair).python)


def test_every_row() -> None:
    """Each is one error, which names it, with one fix, after which the program is the one that is meant."""
    for code, meaning in PLAIN.items():
        char, sign = chr(code), meaning if isinstance(meaning, str) else chr(meaning)
        written, meant = program(sign).format(char), program(sign).format(sign)
        found = cpl.check_text(written)
        assert [each.span.text for each in found] == [char] * written.count(char), ascii(char)
        assert {(each.code, len(each.fixes), each.fixes[0].text) for each in found} == {("unknown-sign", 1, sign)}
        assert all(f"U+{code:04X}" in each.message for each in found)
        assert all(each.help == each.fixes[0].advice for each in found)
        assert f"U+{code:04X}" in found[0].help if not sign else sign in found[0].help
        assert all_repaired(written) == meant
        assert python(written, repair=True) == python(meant)


def test_texts_with_several_are_repaired_as_far_as_they_are_plain() -> None:
    """All are repaired in one step; comments and strings stay."""
    for written, meant in (
        ("F(a) = a ≦ 1 → (2 ＋ a), 10 ∕ a", "F(a) = a ≤ 1 → (2 + a), 10 / a"),
        ("F（ａ，ｂ）＝ａ×（ｂ－１）", "F(a,b)=a×(b-1)"),
        ("Ѕum(а) = Null(а) → 0, 1 + Ѕum(Тail(а))", "Sum(a) = Null(a) → 0, 1 + Sum(Tail(a))"),
        ("F(𝐱) = 𝐯𝐚𝐥𝐮𝐞 𝐨𝐟 § 𝐫𝐞𝐬𝐮𝐥𝐭 𝐢𝐬 𝐱 + 𝛼 where 𝛼 = 𝟏𝟐 §|", "F(x) = value of § result is x + α where α = 12 §|"),
        (
            "F(x) = v\u0332a\u0332l\u0332u\u0332e\u0332 o\u0332f\u0332 § result is x §|",
            "F(x) = value of § result is x §|",
        ),
        ("F[ｉnteger n, rеal 2 аrray A] = n", "F[integer n, real 2 array A] = n"),
        (
            "routine R[x] is Ｔｅｓｔ x = 1 then do finish or do return",
            "routine R[x] is Test x = 1 then do finish or do return",
        ),
        ("routine R[x] is ﬁnish", "routine R[x] is finish"),
        ("F(x) = 2 ✖️ x ➕ 1", "F(x) = 2 × x + 1"),
        ("\ufeffF(x)\u200b = x ∶＝ 1", "\ufeffF(x) = x := 1"),
        ("F(x’,x″) = x’ + x″", "F(x',x'') = x' + x''"),
        ("F(x’) = x’ = ‘a’ → x’, ‘b’", "F(x') = x' = ‘a’ → x', ‘b’"),
        ("A = „it’s ≦“", "A = “it’s ≦”"),
        ("A = «it’s ≦ ”», “a”\nB = 2 ＋ 1", "A = «it’s ≦ ”», “a”\nB = 2 + 1"),
        ("A = „it’s ≦", "A = „it’s ≦"),
        ("A = «a ≦ b», ‹c›", "A = “a ≦ b”, ‘c’"),
        ("A = ('a ≦ b', ’c’, ”d”, `e')", "A = (‘a ≦ b’, ‘c’, “d”, ‘e’)"),
        ("A = 1 ‖ a ≦ b\nB = 2 ｜｜ «c»", "A = 1 || a ≦ b\nB = 2 || «c»"),
        ("A = ‘≦ it’ || ≦\nF(a) = a ≦ 1 → “≦”, 2 || ‘≦’", "A = ‘≦ it’ || ≦\nF(a) = a ≤ 1 → “≦”, 2 || ‘≦’"),
    ):
        assert all_repaired(written) == meant
        if not cpl.check_text(meant):
            assert python(written, repair=True) == python(meant)
    for text in (
        "F(a,ϑ) = a · 2 ∗ 3 – 1 — ϑ − 𝟖 17 + 1.5⏨3 × a²",
        "A = ‘it’s’",
        "A = ‘the dogs’ bone’",
        "A = ‘one line and\nanother’",
        "F(x) = xⁿ",
        "F(x) = x₁ + ½",
        "F(x) = x ⊕ é",
        "F(x) = x \u202e+ 1",
        "A = 'it's'",
        "F(x) = x ｜ 1",
    ):
        assert all_repaired(text) == text
