"""Frequent mistakes: the first message names the place and a cure, and with the cure there is no such message."""

import pytest
from cplrt import CplFault

import cpl
from cpl.compiler.source import Source

SWAPPED = "routine Hello is WriteLine(1)\n"

MISTAKES = [
    # a text, the code and the place of its first message, words of the help, and the text with the cure
    ("F(b,x) = b\\upPower(x)\nPower(x) = 2x", "run-together", "\\upPower", "\\up Power", ("\\upPower", "\\up Power")),
    ("F(b,n) = b\\upn", "run-together", "\\upn", "\\up n", ("\\upn", "\\up n")),
    ("G = \\lambdax.x + 1", "run-together", "\\lambdax", "\\lambda x", ("\\lambdax", "\\lambda x")),
    ("\\DeltaX = 2", "run-together", "\\DeltaX", "longer name has only Latin letters and digits: DeltaX", ("\\D", "D")),
    ("let Δx = 2\nlet y = Δx", "product-for-name", "Δx", "DeltaX", ("Δx", "DeltaX")),
    ("ΔX = 2\nWriteLine(ΔX)", "product-for-name", "ΔX", "DeltaX", ("ΔX", "DeltaX")),
    ("let Δx, Δy = 1, 2", "product-for-name", "Δx", "DeltaX", ("Δ", "Delta")),
    ("MaxΔ = 2\nWriteLine(MaxΔ)", "product-for-name", "MaxΔ", "MaxDelta", ("MaxΔ", "MaxDelta")),
    ("Δ1 = 2\nWriteLine(Δ1)", "product-for-name", "Δ1", "Delta1", ("Δ1", "Delta1")),
    ("F(Δx) = Δx + 1\nWriteLine(F(2))", "product-for-name", "Δx", "DeltaX", ("Δx", "DeltaX")),
    ("Größe = 2\nWriteLine(Größe)", "unknown-sign", "Größe", "write Grosse", ("Größe", "Grosse")),
    ("größe = 2\nWriteLine(größe)", "unknown-sign", "größe", "write Grosse", ("größe", "Grosse")),
    ("Élan(é) = 2é\nWriteLine(Élan(1))", "unknown-sign", "Élan", "write Elan", ("É", "E", "é", "e")),
    ("Cafe\u0301(x) = x", "unknown-sign", "Cafe\u0301", "write Cafe", ("e\u0301", "e")),
    ("Имя = 2\nWriteLine(Имя)", "unknown-sign", "Имя", "letters A to Z", ("Имя", "Imya")),
    (
        "F(x) = value of § WriteLine(x)\n  G(x) §|\nG(x) = 2x",
        "empty-block",
        "G(x)",
        "result is G(x)",
        ("  G", "result is G"),
    ),
    (
        f"{SWAPPED}F(x) = value of § WriteLine(x); Hello §|",
        "empty-block",
        "Hello",
        "Hello calls a routine, which has no value; to return one, write below it: result is …",
        ("Hello §|", "Hello\nresult is x §|"),
    ),
    (f"{SWAPPED}routine M(R) is § R; R §|\nM(Hello)", "ends-routine", "R", "write: R()", ("§ R; R", "§ R(); R()")),
    (f"{SWAPPED}let R = Hello\n§ WriteLine(1)\n  R §|", "not-a-command", "R", "variable: R()", ("R §|", "R() §|")),
    ("§ Write(1)\n  Helo §|", "unknown-name", "Helo", "", ("Helo", "WriteLine(2)")),
    ("let L, n = [1,2,3], 4\nWriteLine(L[n/2])", "disagreement", "n/2", "Quotient(n,2)", ("n/2", "Quotient(n,2)")),
    (
        "let A, n = Array[real, (0,4)], 4\nA[(n - 2)/2] := 3",
        "disagreement",
        "(n - 2)/2",
        "Quotient(n - 2,2)",
        ("(n - 2)/2", "Quotient(n - 2,2)"),
    ),
    ("let n = 4\nlet A = Array[real, (1,n/2)]", "disagreement", "n/2", "Quotient(n,2)", ("n/2", "Quotient(n,2)")),
    ("F(x) = Remainder(x/2,3)", "disagreement", "x/2", "Quotient(x,2)", ("x/2", "Quotient(x,2)")),
    ("let L = [1,2,3]\nWriteLine(L[1.5])", "disagreement", "1.5", "Entier(1.5)", ("1.5", "Entier(1.5)")),
    ("let s = ReadLine()", "unknown-name", "ReadLine", "ReadItem()", ("ReadLine", "ReadItem")),
    ("let s = ReadLine()", "unknown-name", "ReadLine", "ReadSymbol()", ("ReadLine", "ReadSymbol")),
    ("let n = 3\nWriteLine(Str(n))", "unknown-name", "Str", "AsWritten(n)", ("Str", "AsWritten")),
    ("WriteLine(ToString(3))", "unknown-name", "ToString", "AsWritten(3)", ("ToString", "AsWritten")),
    ("WriteLine(IntToStr(3))", "unknown-name", "IntToStr", "AsWritten(3)", ("IntToStr", "AsWritten")),
    (
        "let L = [1,2]\nWriteLine(Append(L,4))",
        "unknown-name",
        "Append",
        "for the list L with 4 after it write: Join(L, [4])",
        ("Append(L,4)", "Join(L, [4])"),
    ),
    ("let L = [1,2]\nPush(L,4)", "unknown-name", "Push", "L := Join(L, [4])", ("Push(L,4)", "L := Join(L, [4])")),
    ("let L = [1,2]\nWriteLine(Len(L))", "unknown-name", "Len", "Length(L)", ("Len(", "Length(")),
    ("Print(3)", "unknown-name", "Print", "WriteLine(3)", ("Print", "WriteLine")),
    ("routine R(x) is § §|\nvalue x;", "unexpected", "value", "unless the heading says ref", ("value x;", "")),
]


@pytest.mark.parametrize(("text", "code", "place", "help", "changes"), MISTAKES)
def test_the_first_message_names_the_place_and_a_cure(
    text: str, code: str, place: str, help: str, changes: tuple[str, ...]
) -> None:
    first = next(finding for finding in cpl.check_text(text) if finding.code != "algol")
    assert (first.code, first.span.text) == (code, place)
    assert help in (first.help or "")
    cured = text
    for wrong, right in zip(changes[::2], changes[1::2], strict=True):
        cured = cured.replace(wrong, right)
    assert cpl.check_text(cured) == [], cured


@pytest.mark.parametrize("index", ["n/2", "SqRt(n)", "2.5"])
@pytest.mark.parametrize(
    "use", ["L[{}]", "Remainder({},3)", "Shift(Logical(1),{})", "SymbolWith({})", "Array[real, (0,{})]"]
)
def test_a_fault_says_how_to_make_a_number_whole(use: str, index: str) -> None:
    place = use.format(index)
    module = cpl.load(Source("<text>", f"let L = [1,2,3,4]\nF(n) = {place}"))
    with pytest.raises(CplFault, match=r"for a whole number write Quotient\(a,b\) for a / b, or Entier\(x\)"):
        module.F(4)


def test_algol_is_told_apart_from_its_kin() -> None:
    for text in (
        "'begin' 'integer' i; i := 1 'end'",
        "'BEGIN'\n'REAL' x; x := 1; WriteLine('IF')\n'END'",
        "begin\n  integer n;\n  n := 1\nend",
        "real procedure F(x); value x; real x; F := x + 1;",
        "comment this is ALGOL; WriteLine(1)",
    ):
        findings = cpl.check_text(text)
        assert [finding.code for finding in findings].count("algol") == 1, text
        assert {finding.code for finding in findings if finding.severity == "error"} <= {"misspelt", "unexpected"}, text
    for text in (
        "WriteLine('end', 'if')",  # strings in quotes of another language
        "program P; var i: integer; begin i := 1 end.",
        "let start() be $( v!1 := 2 $)",
    ):
        assert "algol" not in [finding.code for finding in cpl.check_text(text)], text
    stropped = cpl.check_text("'begin' 'integer' i; i := 1 'end'")
    assert [(finding.code, finding.span.text) for finding in stropped] == [
        ("misspelt", "'begin'"),
        ("algol", "'begin'"),
    ]
