"""Characters as LaTeX writes them with nothing but its own fonts, so that pdflatex and xelatex set the same."""

import re
import unicodedata
from typing import Final

from cpl.syntax.tokens import GREEK

_LIKE_LATIN: Final = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)) | {"Υ": r"\Upsilon"}
"""Greek letters that LaTeX lacks, as they look like Latin ones."""

_VARIANTS: Final = {
    "ε": r"\varepsilon",
    "φ": r"\varphi",
    "ϑ": r"\vartheta",
    "ϕ": r"\phi",
    "ϵ": r"\epsilon",
    "ϖ": r"\varpi",
    "ϱ": r"\varrho",
    "ϰ": r"\kappa",
    "µ": r"\mu",
    "\u2126": r"\Omega",
    "\u03f9": r"\Sigma",
}
LETTERS: Final = {letter: rf"\{name}" for letter, name in GREEK.items()} | _LIKE_LATIN | _VARIANTS
"""Greek letters in mathematics."""

_MATHEMATICS: Final = {
    "→": r"\rightarrow",
    "−": "-",
    "×": r"\times",
    "·": r"\cdot",
    "∗": r"\ast",
    "*": r"\ast",
    "÷": r"\div",
    "±": r"\pm",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "←": r"\leftarrow",
    "⇒": r"\Rightarrow",
    "≠": r"\neq",
    "≤": r"\leq",
    "≥": r"\geq",
    "≡": r"\equiv",
    "≢": r"\not\equiv",
    "≃": r"\simeq",
    "≈": r"\approx",
    "¬": r"\neg",
    "∧": r"\wedge",
    "∨": r"\vee",
    "∞": r"\infty",
    "∈": r"\in",
    "∫": r"\int",
    "∑": r"\sum",
    "√": r"\surd",
    "°": r"^{\circ}",
    "⏨": "_{10}",
    "′": "'",
    "<": "<",
    ">": ">",
    "=": "=",
    "+": "+",
    "/": "/",
    "|": "|",
    "~": r"\sim",
}
"""Signs in mathematics. They are set as letters are: what stands between them is what the author wrote."""

_TEXT: Final = {
    "\\": r"\textbackslash{}",
    **{sign: rf"\{sign}" for sign in "{}#$%&_"},
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    '"': r"{\ttfamily\char34}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    **{sign: f"{sign}{{}}" for sign in "-'!?,"},  # so that TeX joins it with no sign after it
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\ldots{}",
    "§": r"\S{}",
    "𝟖": "8",
    "£": r"\pounds{}",
    "©": r"\copyright{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "\u20d2": r"\cplstroke{}",
    "\u20d3": r"\cplstroke{}",
    "\u0338": r"\cplstroke{}",
    "\u0337": r"\cplstroke{}",
    **dict.fromkeys(" \t\u00a0", r"\ "),
    **{raised: rf"\textsuperscript{{{digit}}}" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{lowered: rf"\ensuremath{{_{digit}}}" for digit, lowered in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}

_ACCENTS: Final = dict(
    zip("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327", "`'^~=u.\"rHvc", strict=True)
)


def mathematics(sign: str) -> str:
    """A formula in a line of text."""
    return rf"\({{{sign}}}\)"


def in_latex(text: str, *, tilde: str = r"\textasciitilde{}") -> str:
    """The text in LaTeX; `tilde` is what a tilde is set as. A sign without a form in LaTeX stands as its number."""
    return "".join(tilde if char == "~" else _form(char) or rf"\cplnumber{{{ord(char):04X}}}" for char in text)


def without_form(text: str) -> list[str]:
    """The signs of the text that have no form in LaTeX, each once."""
    return [char for char in dict.fromkeys(text) if char not in "\r\n" and not _form(char)]


def _form(char: str) -> str:
    if char in _TEXT:
        return _TEXT[char]
    if char in LETTERS:
        return mathematics(LETTERS[char])
    if char in _MATHEMATICS:
        return mathematics(_MATHEMATICS[char])
    if char.isascii():
        return char if char.isprintable() else ""
    normal = unicodedata.normalize("NFD", char)
    base, accents = normal[:1], normal[1:]
    if re.fullmatch("[A-Za-z]", base) and accents in _ACCENTS:
        return rf"\{_ACCENTS[accents]}{{{base}}}"
    return ""
