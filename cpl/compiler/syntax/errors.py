"""Syntax errors: describes a token that cannot stand where it is, and suggests what to write instead.

A run of small letters, such as `whle`, is a product (evidence L3), so misspelt words are looked for in products.

`explain` asks three times what was meant, and the most definite answer comes first: `_SLIPS` are patterns of the
statement's text; `_special` knows words and products that are wrong wherever they stand; and `_help` looks at the
tokens around, and at those that the parser allows:

    F(x) = Head L                         write a function call with brackets: Head(L)                   (_help)
    test a then Write(1) else Write(2)    the second arm of a test begins with or do: or do Write(2)     (_special)
    let x = if a then 1 else 2            write a conditional expression as: a → 1, 2                    (_SLIPS)
"""

import re
from collections.abc import Collection, Sequence, Set
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, Fix, report
from cpl.compiler.source import Source, Span
from cpl.compiler.suggestions import TOO_SHORT, meant, near, one_slip
from cpl.compiler.syntax.lexer import PATTERNS, PRIMES, STROPPED, Token, elsewhere, seen_at, wrong_digit
from cpl.compiler.syntax.tokens import (
    BASES,
    BEGINS,
    CLOSERS,
    ELSEWHERE,
    GREEK,
    INCREASED,
    OPENERS,
    OPERANDS,
    SPECIAL_WORDS,
    SYMBOL_KINDS,
    TYPES,
    WORDS,
    Base,
    in_words,
    unmarked,
)
from cpl.compiler.wording import listed

_ALL_WORDS: Final = sorted(WORDS | {"do", *SPECIAL_WORDS})
_LETTERS: Final = re.compile("[a-z]+")
_NAME: Final = re.compile("[A-Za-z0-9]*")
_LARGE: Final = re.compile(rf"{PATTERNS['comment']}|{PATTERNS['string']}|\b([A-Z][A-Za-z0-9]*)")
"""Comments and strings, and the names with a capital in all else."""


TYPE_WORDS: Final = r"real|integer|index|complex|Boolean|logical|string|label|general"


def near_words(letters: str) -> list[str]:
    """The reserved words that a run of letters may have meant."""
    for word in (letters.lower(), letters.upper()):
        if word in _ALL_WORDS:
            return [word]
    return near(letters.lower(), _ALL_WORDS) if len(letters) > 1 else []


def run_at(span: Span) -> Span:
    """The run of small letters around this place; the span itself if no small letter begins here."""
    text, start = span.source.text, span.start
    while start and "a" <= text[start - 1] <= "z":
        start -= 1
    match = _LETTERS.match(text, start)
    return Span(span.source, start, match.end()) if match and match.end() > span.start else span


def word_at(run: Span) -> str:
    """A run of letters together with the large name directly after it: all of `wriTe`."""
    match = _NAME.match(run.source.text, run.start)
    return match.group() if match else run.text


def is_defined(name: str, text: str) -> bool:
    """Tell whether a text seems to define this name: before a sign that defines, or as a parameter."""
    return re.search(_DEFINING.replace("NAME", rf"\b{re.escape(name)}(?![\w'′])"), text) is not None


_DEFINING: Final = (
    rf"\b(let|rec|{TYPE_WORDS})[ \t]+NAME|"
    r"[(\[](FEW[,:\s])?NAME[ \t]*(,FEW)?[)\]][ \t]*([=≡]|(be|is)\b)"
    r"|NAME([(\[]FEW[)\]]|[ \t]*,FEW)?[ \t]*(:?=|[≡≃]|(be|is)\b)"
).replace("FEW", r"[^()\[\]=;\n]{0,100}")


def array_at(span: Span) -> str:
    """Write the definition of the array whose bounds are declared here, as in `real V[1:10]`."""
    line = span.source.line(span.line)
    arrays = (array for array in re.finditer(r"([A-Za-z][\w']*)\[([^\]\n]*)", line) if array.end() >= span.column)
    name, bounds = next((array.groups() for array in arrays), ("V", "1:10"))
    pairs = []
    for bound in bounds.split(","):
        low, _, high = bound.rpartition(":")
        pairs.append(f"({low.strip() or 1},{high.strip()})")
    types = re.findall(rf"\b(?:{TYPE_WORDS})\b", line[: span.column])
    kind = types[-1] if types else "integer"
    return f"let {name} = Array[{kind}, {', '.join(pairs)}]"


def is_declared(span: Span) -> bool:
    """Tell whether `let` or a type stands before a place."""
    before = span.source.text[max(0, span.start - 20) : span.start]
    return re.search(rf"\b(?:let|rec|{TYPE_WORDS})\s*\Z", before) is not None


def help_for(run: Span, names: Collection[str]) -> str | None:
    """The help for a run of letters that is not a word of CPL; `names` are those that could be meant."""
    letters = run.text
    second = second_arm(run) if letters == "else" else None
    if second:
        return second[1]
    if letters.lower() in ELSEWHERE and letters.capitalize() not in _LARGE.findall(run.source.text):
        return elsewhere(run)

    in_other_case = next((name for name in sorted(names) if name.lower() == letters), None)
    if in_other_case:
        capitals = "a capital" if in_other_case[1:].islower() else "capitals"
        return f"write it with {capitals}: {in_other_case}"

    word = word_at(run)
    words = near_words(letters) if word == letters else []
    question = meant(letters, [*words, *near(word, names)])
    if question:
        return question
    longer = word[:1].upper() + word[1:]
    return f"a lower-case letter is a name by itself; a longer name starts with a capital: {longer}"


_WITH_GREEK: Final = re.compile(rf"(?:{PATTERNS['greek'].removesuffix(PRIMES)}|[A-Za-z0-9'′])+")


def with_greek(place: Span) -> Diagnostic | None:
    """The diagnostic for several letters where one name is expected, if one of them is Greek and so a name by itself;
    None for other places.
    """
    text, start = place.source.text, place.start
    while start and _WITH_GREEK.match(text, start - 1):
        start -= 1
    written = _WITH_GREEK.match(text, start)
    word = written.group() if written else ""
    if word.isascii() or len(word.rstrip("'′")) < 2:
        return None

    def in_latin(match: re.Match[str]) -> str:
        letter, following = match.groups()
        return GREEK.get(letter, letter).capitalize() + following.upper()

    latin = re.sub(r"([^\x00-\x7f′])([a-z]?)", in_latin, word)
    return report(
        messages.PRODUCT_FOR_NAME,
        Span(place.source, start, start + len(word)),
        help=f"a Greek letter is a name by itself; a longer name has only Latin letters and digits: {latin}",
        run=word,
        product=_as_product(word),
    )


def _as_product(letters: str) -> str:
    return " × ".join(re.findall(r"(?:[A-Z][A-Za-z0-9]*|[0-9]+|.)['′]*", letters))


def product_for_name(run: Span) -> Diagnostic:
    """The diagnostic for a run of letters where one name is expected, with the large name directly after it; the text
    may have the name that was meant.
    """
    diagnostic = with_greek(run)
    if diagnostic:
        return diagnostic
    letters = max(run.text, word_at(run), key=len)
    text, start = run.source.text, run.start
    if re.match(r"start\(\)\s*(be|is|=\s*valof)\b", text[start : start + 40]):
        help: str | None = "a program needs no start: write its commands outside of routines"
    else:
        names = {*filter(None, _LARGE.findall(text))}  # comments and strings give empty ones
        help = meant(letters, near(letters, names))
    return report(
        messages.PRODUCT_FOR_NAME,
        Span(run.source, start, start + len(letters)),
        help=help,
        run=letters,
        product=_as_product(letters),
        capital=letters[:1].upper() + letters[1:],
    )


def fixes(run: Span, words: Sequence[str]) -> tuple[Fix, ...]:
    """The repairs that put one of these words in the place of what stands there."""
    return tuple([Fix(run, word, f"write {word}") for word in words])


def suspects(tokens: Sequence[Token], at: int) -> list[tuple[Span, str]]:
    """The runs of letters at or before a token that resemble a reserved word, with that word. Long runs come before
    short ones, near ones before distant ones.
    """
    runs: dict[Span, list[str]] = {}  # with the words that each resembles, the nearest first
    for token in reversed(tokens[: at + 2]):
        if token.kind == "SMALL":
            run = run_at(token.span)
            if len(run.text) == 1 and run.source.text[run.start - 1 : run.start].isdecimal():
                continue  # a factor, as in 2x
        elif token.kind == "LARGE" and token.span.text.lower() in _ALL_WORDS:
            run = token.span
        else:
            continue
        if run not in runs:
            runs[run] = _resembled(run)

    matches: list[tuple[Span, str]] = []
    for run, words in runs.items():
        matches += [(run, word) for word in words]
    return sorted(matches, key=lambda pair: is_short(pair[0]))


def _resembled(run: Span) -> list[str]:
    """The reserved words that a run of letters resembles; those of a short one are a single slip away."""
    words = near_words(run.text)
    if not words and is_short(run):
        words = [word for word in _ALL_WORDS if one_slip(run.text, word)]
    return words


def is_short(run: Span) -> bool:
    """Tell whether a run is so short that it may resemble a word by accident."""
    return len(run.text) <= TOO_SHORT


_INFIX: Final = frozenset(
    "PLUS MINUS TIMES DIVIDE POWER UNEQUAL LESS GREATER AT_MOST AT_LEAST AND OR EQUIVALENT INEQUIVALENT".split()
)
_COMMANDS: Final = BEGINS - OPERANDS - {*OPENERS, "NOT", "POINTS", "LAMBDA", "VALUE_OF", "RESULT"}
"""The tokens that begin a statement and no expression."""

_OPERATORS: Final = {"PLUS", "TIMES", "AND", "EQUAL"}
_EXPRESSION: Final = {"SMALL", "LARGE", "NUMBER", "ROUND_OPEN", "VALUE_OF"}
_ALSO_EXPRESSION: Final = {
    *"STRING INFINITY NIL TRUE FALSE SQUARE_OPEN CURLY_OPEN POINTS PLUS MINUS NOT RESULT RESULT_OF LAMBDA".split()
}
_STATEMENT: Final = {"LET", "IF", "RESULT_IS"}
_GROUPS: Final = {"a command": _STATEMENT, "an expression": _EXPRESSION, "a name": {"SMALL", "LARGE"}}
_PRODUCTS: Final = {"JUXTAPOSED", "MAYBE_PRODUCT"}

_HEADS: Final = {
    "IF": "if … then …",
    "UNLESS": "unless … do …",
    "TEST": "test … then do … or do …",
    "WHILE": "while … do …",
    "UNTIL": "until … do …",
    "FOR": "for i = 1, 2, 3 do …, or for i = step 1, 1, 10 do …",
}
"""How to write the commands that begin with a word and have several parts."""

_LONGER: Final = "{word} is a word of CPL; a longer name starts with a capital: {longer}"
_OR: Final = "|| begins a comment; write or as ∨, typed \\/"
_THEN_IN_COMMENT: Final = re.compile(r"[ \t]*\|\|.*\b(?:then|do)\b")

_POINTED: Final = re.compile(rf"\.((?i:{'|'.join(sorted(WORDS))}))\b")
"""A word after a point, as some compilers of ALGOL 60 and its kin wanted them."""

_HALVES: Final = {
    "IS": "to return a value, write: result is …",
    "OF": "start a block that has a value with: value of § …",
}
"""Words that can only be the second of two."""


_LOOP: Final = r"^for\s+([A-Za-z][\w']*)\s*"
_STEPS: Final = "write the first value, the step and the last: "
_ITS_VALUE: Final = r"([^;\r\n§]+?)[ \t]*(?:[;\r\n§]|$)"

_BODY: Final = "put the body between section brackets: § … §|, typed $( … $)"

_SLIPS: Final = {
    "^comment\\b": "",
    r"(^|[;§|)])▸value [A-Za-z0-9, \t]*([;\r\n]|$)": (
        "parameters are called by value, unless the heading says ref before them: routine R(x, ref y) is …"
    ),
    rf"{_LOOP}▸in\s+range\(([^(),]+)\)": "write: for {0} = step 0, 1, {1} - 1 do …",
    rf"{_LOOP}▸in\s+range\(([^(),]+),\s*([^(),]+)\)": "write: for {0} = step {1}, 1, {2} - 1 do …",
    rf"{_LOOP}▸in\s+(.+?)\s*\b(?:do|then)\b": "write: for {0} = {1} do …",
    rf"{_LOOP}▸in\s+(.+?)\s*(?:[:{{§\r\n]|(?<=[\w\])])[ \t]+(?=[A-Z])|$)": "write: for {0} = {1} do …",
    rf"{_LOOP}=\s*(.+?)\s+to\s+(.+?)\s*▸?(?:step|by)▸?\s*(.+?)\s+(?:do|then)\b": (
        f"{_STEPS}for {{0}} = step {{1}}, {{3}}, {{2}} do …"
    ),
    rf"{_LOOP}=\s*(.+?)▸step\s+(.+?)\s+(?:to|until)\s+(.+?)\s+(?:do|then)\b": (
        f"{_STEPS}for {{0}} = step {{1}}, {{2}}, {{3}} do …"
    ),
    rf"{_LOOP}=\s*step\s+([^,]+?)▸(?:to|until)\s+(.+?)\s+(?:do|then)\b": (
        f"{_STEPS}for {{0}} = step {{1}}, 1, {{2}} do …"
    ),
    rf"{_LOOP}▸,\s*(\w+)\s*(?:in|=)\s*(.+?)\s+(?:do|then)\b": (
        "take the members of a list apart in the loop: for p = {2} do § let ({0},{1}) = p … §|"
    ),
    rf"\b(?:result|return)▸(?!:){_ITS_VALUE}": "to return a value, write: result is {0}",
    rf"=▸if\s+(.+?)\s+then\s+(.+?)\s+else\s+if\s+(.+?)\s+then\s+(.+?)\s+else\s+(?!if\b){_ITS_VALUE}": (
        "write a conditional expression as: {0} → {1}, {2} → {3}, {4}"
    ),
    rf"=▸(?:if|test)\s+(.+?)\s+then\s+(.+?)\s+else\s+(?!if\b){_ITS_VALUE}": (
        "write a conditional expression as: {0} → {1}, {2}"
    ),
    rf"=\s*(.+?)▸then\s+(.+?)\s+else\s+{_ITS_VALUE}": "write a conditional expression as: {0} → {1}, {2}",
    r"([A-Za-z][\w']*)\+\+▸": INCREASED,
    r"\[(?:[^\[\]]*,)?[ \t]*([^\[\],]*)▸where\b([^\],]*)": "put the member in brackets: ({0} where{1})",
    r"\([ \t]*([^()]*?),[ \t]*([^(),]*)▸where\b": (
        "put what where belongs to in brackets: (({0}, {1}) where …), or ({0}, ({1} where …))"
    ),
    r"([A-Za-z][\w']*)▸\.append\(([^()\r\n]*)\)": "to append {1} to the list {0}, write: {0} := Join({0}, [{1}])",
    r"\b[Tt]est\b(?![^▸]*\b(then|do)\b)[^▸]*▸or\b(?!\s+do\b)": (
        "in the condition of a test write or as ∨, typed \\/; the word or begins its second arm"
    ),
    r"\bvalue of▸(begin\b|\{)": "write the block between section brackets: value of § … §|, typed $( … $)",
    r"\bvalue of▸(?!result is\b)[A-Za-z]": _BODY,
    rf"(?:\bbe|(?<!result )\bis)▸(?:let|rec|routine|function|{TYPE_WORDS})\b": _BODY,
    r"^rec▸let\s+([^=≡\r\n]*[^=≡\s])\s*[=≡]": "rec follows let: let rec {0} = …",
    r"^rec▸let\b": "rec follows let: let rec F[x] = …",
    rf"^({TYPE_WORDS}|array|vector|matrix)\b[^▸=]*\[[^▸\]]*▸:": messages.BOUNDS,
    r"=▸let\b": "define names for a value after it, e where y = …, or in a block: value of § let y = … result is … §|",
    r"\b(then|do)▸let\b": "a definition stands in a section, with the commands that use it: § let y = … §|",
    r"[^=,(\[]▸let\b": "put ; between two statements on one line",
    r"(=|\bvalue of)▸result is\b": (
        "write the value alone, F(x) = …, or a block, which needs section brackets: value of § … result is … §|"
    ),
    r"^for [a-z]'*▸,": "take the members of a list apart in the loop: for p = L do § let (a,b) = p … §|",
    r"\[[^\[\]]*▸for\b": "to apply F to each member of L, write: Map(F,L); to choose members by F: Select(F,L)",
    r"\[[^\[\],]*▸:[ \t]*[-0-9\]]": "CPL has no slices: Take(n,L) has the first n members of L, Drop(n,L) the others",
    r"^switch\b(?!.*\binto\b)": "to choose by value, write: switch x into § case 1: … default: … §|",
    r"\b[fF]▸\"": 'a string cannot contain expressions; write them beside it: WriteLine("n is ", n)',
    r"=\s*step\b[^,]*(,[^,]*)?▸(then|do)\b": (
        "step takes three values, first, step and last: for k = step 1, 1, 10 do …"
    ),
    r"[(\[][^()]*,[^()]*▸where\b": "put what where belongs to in brackets: ((x, y) where …), or (x, (y where …))",
    r"▸where\b": "where ends an expression; elsewhere it needs brackets: (x where …)",
    r"\b([a-z]|[A-Z]\w*)▸is\b": "write equality with =; to return a value, write: result is …",
    r"^(?!for\b)(?![^▸]*\blet\b)[^▸]*▸in\b": "to test whether x is in L, write: Member(x,L)",
    rf"(^let |[(\[,])\s*[A-Za-z]\w*▸:(?!=)|^({TYPE_WORDS})▸([;\r\n]|$)": (
        "write a type before the name, as in: integer x = 1"
    ),
    rf"\b(function|{TYPE_WORDS})\b[^▸=≡]*▸(be|is)\b": (
        "a function has a value, F[x] = …; a routine is a command: routine R[x] be …"
    ),
    rf"^((let|rec|{TYPE_WORDS}) )*(([a-z]|[A-Z]\w*)\([^()]*\)▸:(?!=)|function\b[^=]*▸[^{{])": (
        "define a function by: F(x) = …"
    ),
    rf"\b({TYPE_WORDS})\b[^▸=]*▸(≃|\\simeq)": "what shares a place has the type of that place: let x ≃ y",
    r"^(if|unless|test|while|until)\b(?![^▸]*\b(then|do)\b)[^▸]*▸:=": "to compare two values, write =",
    r"▸:[ \t]+=": ":= is a single symbol: write it without a blank",
    r"=▸(array|vector|matrix)\b": "make an array by: Array[real, (1,10)]",
    r"^(?!for\b).*[(\[][^()\[\]]*▸;": "separate values by commas: [1,2]",
    r"(?<!\belse)▸(?:if|test)\b": "write a conditional expression as: test → value, otherwise",
    r"([0-9.]+)[eE]▸([0-9]+)": "write a scale factor as {0}⏨{1}, typed {0}\\10{1}",
    r"\b0b▸([01]+)\b": "write a binary number as 2 {0}",
    r"\b0o▸([0-7]+)\b": "write an octal number as 8 {0}, typed #{0}",
    r"\b0[xob]▸[0-9]": (
        "write an octal number as 8 17, typed #17, and a binary number as 2 101; CPL has no hexadecimal numbers"
    ),
    r"(^|[^0-9A-Za-z)\]])▸\.[0-9]": "start a number with a digit: 0.5",
    r"▸\.append\b": "to append x to the list L, write: L := Join(L, [x])",
    r"^case\b[^:]*▸of\b": "to choose by value, write: switch x into § case 1: … default: … §",
    r"[0-9A-Za-z)\]]▸\.[A-Za-z]|\b[A-Z]\w*▸of\b": "select a component of a node like a function call: Name(x)",
    r"\blet\b.*\bin\b.*▸([;\r\n]|$)": (
        "in is followed by a definition: let a = 1 in F(x) = …; for a value write: F(3) where F(x) = …"
    ),
    r"^let\s+([^=\r\n]*?)▸:=": "write a definition with =: let {0} = …",
    r"^(let|rec)\b[^=]*▸(:=|[;\r\n]|$)": "write a definition with =: let x = …",
    r'"▸[^"(),;\r\n]*"': 'write a string that contains this quote with the other quotes: ‘say "yes"’',
}
"""Frequent mistakes: a pattern of the statement, with ▸ before the token that cannot stand there, and the help, with
groups of the pattern in braces. An empty one leaves it to the help for the word.
"""


def explain(tokens: Sequence[Token], at: int, allowed: Set[str], terminals: Set[str], end: Span) -> Diagnostic:
    """The diagnostic for the token at index `at` (or the end of `tokens`), which is none of those `allowed`.

    `terminals` are all terminals of the grammar, and `end` is the place to report if the tokens run out.
    """
    token = tokens[at] if at < len(tokens) else Token("$END", "", end)
    before = tokens[at - 1] if at else token
    if before.kind in _INFIX and token.kind in _COMMANDS and before.span.line < token.span.line:
        place = Span(before.span.source, before.span.end, before.span.end)
        advice = messages.OF_OPERATOR.format(operator=before.span.text)
        return report(messages.UNFINISHED, place, label=_expected(allowed), help=advice)
    if before is not token and before.kind == token.kind == "NUMBER" and before.span.line == token.span.line:
        base = next((base for base in BASES if before.span.text == base.digit), None)
        if base:
            return _not_in_base(base, before, token)
    slip = _slip(tokens[:at], token.span)
    special = None if slip else _special(tokens, at, token, terminals)
    if special:
        return special
    help = slip or _help(tokens, at, token, allowed)
    cause = messages.UNFINISHED if token.kind in ("SEPARATOR", "$END") else messages.UNEXPECTED
    place = run_at(token.span) if token.kind == "SMALL" else token.span
    written = place.text or next((later.span.text for later in tokens[at:] if later.span.text), "")
    return report(cause, place, label=_expected(allowed), help=help, found=written)


def _not_in_base(base: Base, sign: Token, digits: Token) -> Diagnostic:
    """The error of the plain sign of a base before a number that the lexer has not read as one of this base."""
    if not set(digits.span.text) <= {*base.digits}:
        return wrong_digit(base, digits.span, is_plain=True)
    help = f"put an ordinary blank after it if this is {base.with_article} number, and a comma between two values"
    return report(messages.NO_BASE, sign.span, sign=base.digit, help=help)


def _special(tokens: Sequence[Token], at: int, token: Token, terminals: Set[str]) -> Diagnostic | None:
    """An error that does not depend on what is allowed: a misplaced word, one of another language, or a product."""
    written = unmarked(token.span.text)
    before = tokens[at - 1] if at else None

    word = _elsewhere(tokens, at) or _else_at(token)
    if word:
        return _misplaced(word)
    pointed = _POINTED.match(token.span.source.text, token.span.start) if token.kind == "DOT" else None
    if pointed:
        run = Span(token.span.source, *pointed.span())
        help = f"CPL writes its words in small letters, without a point: {pointed[1].lower()}"
        return report(messages.MISSPELT, run, run=run.text, help=help)
    if token.kind in _HALVES:
        run = run_at(before.span) if before and before.kind == "SMALL" else token.span
        if run is not token.span and len(run.text) > 1:
            return report(messages.MISSPELT, run, run=run.text, help=_HALVES[token.kind])
        return report(messages.UNEXPECTED, token.span, found=written, help=_HALVES[token.kind])
    if token.kind not in terminals and token.kind != "$END":
        if written in ELSEWHERE:
            return report(messages.UNEXPECTED, token.span, found=written, help=ELSEWHERE[written])
        return report(messages.NOT_YET, token.span, what=f"the word {written}" if written in WORDS else written)
    if token.kind in _PRODUCTS and tokens[at + 1].kind == "CURLY_OPEN":
        return report(messages.UNEXPECTED, tokens[at + 1].span, found="{", help=ELSEWHERE["{"])

    follows_at_once = before is not None and before.span.end == token.span.start
    if follows_at_once and token.kind in ("SMALL", "LARGE", "NUMBER"):
        diagnostic = with_greek(token.span)
        if diagnostic:
            return diagnostic
    product = _product(tokens, at)
    if product is None:
        return None
    if product.text.replace("'", "").isalpha():
        return product_for_name(product)
    help = "separate several names by commas: let a, b = 1, 2"
    return report(messages.UNEXPECTED, product, found="a product", help=help)


def _misplaced(word: Span) -> Diagnostic:
    """The error of a word of another language; an `else` may be the second arm of a test."""
    second = second_arm(word) if word.text == "else" else None
    if second is None:
        return report(messages.MISSPELT, word, run=word.text, help=elsewhere(word))
    head, help = second
    error = report(messages.MISSPELT, word, run=word.text, help=help)
    if head != "test":
        return error
    own_do = _DO.match(word.source.text, word.end)  # the fix brings another one
    written = Span(word.source, word.start, own_do.end()) if own_do else word
    return replace(error, fixes=(Fix(written, "or do", f"write or do for {' '.join(written.text.split())}"),))


def _else_at(token: Token) -> Span | None:
    """The word `else` that stands here, or begins the next line if a test ends here without its second arm."""
    source = token.span.source
    found = _ELSE.match(source.text, token.span.start) if token.kind in ("SEPARATOR", "$END", "SMALL") else None
    return Span(source, *found.span(1)) if found else None


def second_arm(word: Span) -> tuple[str, str] | None:
    """The word before an `else`, `test` or `if`, and the help with what is written there; None for another `else`."""
    written = _CHOICE.search(seen_at(word))
    if written is None:
        return None
    head, test, first, second = (" ".join(part.split()) for part in written.groups(default="…"))
    if head == "test":
        return head, f"the second arm of a test begins with or do: or do {second}"
    return head, f"to choose between two commands, write: test {test} then {first} or do {second}"


_CHOICE: Final = re.compile(
    r"\b(if|test)\s+(WITHOUT)\s+(?:then|do)\s+(WITHOUT)\s*▸else\b(?:[ \t]+do\b)?(?:[ \t]+([^;\r\n§]+))?".replace(
        "WITHOUT", r"(?:(?!\b(?:if|test)\b).)+?"
    ),
    re.DOTALL,
)
"""The two arms that an `else` separates, after the last `if` or `test` before it."""

_DO: Final = re.compile(r"[ \t]+do\b")

_ELSE: Final = re.compile(r"\s*\b(else)\b")


def _slip(before: Sequence[Token], place: Span) -> str | None:
    """The help for a frequent mistake that the text of the statement shows."""
    symbol = _left_of(place)[-1:] + place.text
    if 0 < len(place.text) < len(symbol) and (symbol in SYMBOL_KINDS or symbol in ELSEWHERE):
        return ELSEWHERE.get(symbol, f"{symbol} is a single symbol: write it without a blank")

    first = before[0].span.start if before else place.start
    start = next((token.span.end for token in reversed(before) if token.kind in ("SEPARATOR", "OPEN")), first)
    seen = re.sub(r"\s*▸", "▸", seen_at(place, start).lstrip(), count=1)  # so that no pattern need allow for blanks
    for slip, help in _SLIPS.items():
        match = re.search(slip, seen)
        if match:
            return help.format(*match.groups(), made=array_at(place))
    return None


def _elsewhere(tokens: Sequence[Token], at: int) -> Span | None:
    """The word of another language on this line before the token, as in `if … then … else …`."""
    line = takewhile(lambda token: token.kind not in ("SEPARATOR", "OPEN"), reversed(tokens[:at]))
    words = [
        run_at(token.span) for token in line if token.kind == "SMALL" or token.kind == "LARGE" and token.text.isupper()
    ]
    words.sort(key=lambda word: word.text != "comment")  # what follows this one is not code
    for word in words:
        # Two letters are a word only directly before the token: `eq` may well be e × q.
        is_short_product = len(word.text) <= 2 and word.end != tokens[at - 1].span.end
        if word.text.lower() not in ELSEWHERE or is_short_product:
            continue
        if word.text.islower() or not is_defined(word.text, word.source.text):
            return word
    return None


def _help(tokens: Sequence[Token], at: int, token: Token, allowed: Set[str]) -> str | None:
    """The help for what was probably meant."""
    before = tokens[at - 1] if at else Token("", "", Span(token.span.source, 0, 0))
    return (
        _help_on_name(tokens, at, token, before, allowed)
        or _help_on_application(tokens, at, token, before, allowed)
        or _help_on_command(tokens, at, token, before, allowed)
    )


def _help_on_name(tokens: Sequence[Token], at: int, token: Token, before: Token, allowed: Set[str]) -> str | None:
    """The help for a name that is a reserved word, or has a digit, or a type at the wrong side."""
    kind, written = token.kind, unmarked(token.span.text)
    if before.kind in ("LET", "FOR") and written in WORDS and _follower(tokens, at) in ("DEFINED", "EQUAL"):
        return _LONGER.format(word=written, longer=written.capitalize())
    if kind == "DEFINED" and before.kind in TYPES:
        word = unmarked(before.span.text)
        return _LONGER.format(word=word, longer=word.capitalize())
    if before.kind == "SMALL" and kind == "NUMBER" and not written.isdecimal():
        return f"put a sign between them, as in {before.text} × {written}, or a number before a name"
    if before.kind == "SMALL" and kind == "NUMBER":
        longer = f"{before.text[:1].upper()}{written}"
        return f"a small name is one letter without digits; try {longer}, or {before.text}'"
    if before.kind == "LARGE" and kind in ("SMALL", "LARGE") and "COLON" in allowed:
        return f"write a named type before a colon: {before.text} : {written}"
    if before.kind == "COLON" and kind in TYPES:
        return f"write a type before the name, as in: {written} x"
    return None


def _help_on_application(
    tokens: Sequence[Token], at: int, token: Token, before: Token, allowed: Set[str]
) -> str | None:
    """The help for an operand directly after a large name: a call without brackets, or a product without its sign."""
    kind, text = token.kind, token.span.source.text
    if before.kind != "LARGE" or kind not in ("SMALL", "LARGE", "NUMBER", "STRING"):
        return None
    is_function = re.search(rf"\b{re.escape(before.text)}[ \t]*[(\[]", text) is not None
    is_value = is_defined(before.text, text)
    if before.text.lower() in WORDS and not is_function and not is_value:
        return f"the words of CPL are written in small letters: {before.text.lower()}"

    after_bracket = next((after.kind for last, after in pairwise(tokens[at:]) if last.kind in CLOSERS), "")
    if kind in ("SMALL", "LARGE") and after_bracket in ("DEFINED", "DEFINED_BY", "BE", "IS", "DOT"):
        return f"separate the names by commas: {before.text}, {token.span.text}"

    is_call = kind == "LARGE" and _follower(tokens, at) in _EXPRESSION
    argument = f"{token.span.text}(…)" if is_call else token.span.text
    help = f"write a function call with brackets: {before.text}({argument})"
    if kind == "STRING" or "DEFINED" in allowed or is_function or not is_value:
        return help
    if kind != "NUMBER":
        return f"{help}; a product with its sign: {before.text} × {argument}, typed *"
    return None


def _help_on_command(tokens: Sequence[Token], at: int, token: Token, before: Token, allowed: Set[str]) -> str | None:
    """The help for a command or a conditional that lacks a part, or has its parts in another order."""
    kind, text, head = token.kind, token.span.source.text, _head(tokens[:at])
    earlier = {token.kind for token in tokens[:at]}
    if kind == "VALUE" or (kind == "OPEN" and "VALUE_OF" in allowed):
        return _HALVES["OF"]
    if before.kind == "RETURN" and kind in _EXPRESSION | _ALSO_EXPRESSION:
        return _HALVES["IS"]

    repeats_at_left = kind in ("DO", "REPEAT", "REPEAT_WHILE", "REPEAT_UNTIL") and not _left_of(token.span)
    if repeats_at_left or (before.kind == "REPEAT" and not _left_of(before.span)):
        return "put the repeated command first: § … §| repeat while …, or: repeat until …"
    if head == "CURLY_OPEN" and kind != "CURLY_CLOSE":
        return ELSEWHERE["{"]
    if head == "ROUND_OPEN" and kind == "SEPARATOR" and "FOR" in earlier:
        return f"write: {_HEADS['FOR']}"
    if head == "FOR" and ("DEFINED" in allowed or kind == "DOT"):
        return f"write: {_HEADS['FOR']}"
    if "BE" in allowed and "ROUTINE" in earlier:
        return "write: routine R(x) is …"

    if before.kind and "THEN" in allowed and _THEN_IN_COMMENT.match(text, before.span.end):
        return _OR
    if "THEN" in allowed and head in _HEADS:
        missing = "then" if head in ("IF", "TEST") else "do"
        return f"{missing} is missing: {_HEADS[head]}"
    if "ELSE" in allowed and kind in ("SEPARATOR", "$END", *CLOSERS):
        return f"test needs both arms: {_HEADS['TEST']}; for one arm use if: {_HEADS['IF']}"
    if kind == "ELSE" and head in ("IF", "UNLESS"):
        return f"to choose between two commands, write: {_HEADS['TEST']}"

    wants_second_arm = "COMMA" in allowed and allowed.isdisjoint({"SEPARATOR", "$END", *CLOSERS, "THEN", "DEFINED"})
    if "ARROW" in earlier and wants_second_arm:
        if text.startswith(";", token.span.start):
            return "separate the arms of a conditional by commas: test → value, otherwise"
        return "a conditional expression needs both arms: test → value, otherwise"
    return None


def _follower(tokens: Sequence[Token], at: int) -> str:
    """The kind of the token after the one at an index; empty if there is none."""
    return tokens[at + 1].kind if at + 1 < len(tokens) else ""


def in_comment(diagnostic: Diagnostic) -> Diagnostic:
    """Add help to an open bracket if a comment seems to hold its closer, as in `(a || b)`."""
    if diagnostic.cause is not messages.UNCLOSED_BRACKET:
        return diagnostic
    rest = diagnostic.span.source.line(diagnostic.span.line)[diagnostic.span.column :]
    comment = rest.partition("||")[2]
    return replace(diagnostic, help=_OR) if comment.count(")") > comment.count("(") else diagnostic


_PASSED_OVER: Final = rf"//[^\r\n]*|{PATTERNS['comment']}|{PATTERNS['string']}"
"""Comments and strings, where no language is looked for."""

_OF_BCPL: Final = re.compile(
    rf"{_PASSED_OVER}|\b(?=[a-z]+\b|[A-Z]+\b)((?i:"
    r"valof|resultis|vec(?=[ \t]+(?-i:[0-9A-Z]))|(?:manifest|static|global)(?=\s*(?:\$\(|\{))|start(?=\(\)\s*be\b)"
    r"))\b|(?<=\w)(!)(?=\w)"
)
"""What is BCPL in a text with an error: a word or an element `v!i`."""

_OF_ALGOL: Final = re.compile(
    rf"{_PASSED_OVER}|(?im:({STROPPED})|\b(begin)(?=\s+(?:real|integer|boolean|own|array|switch|procedure|comment)\b)"
    r"|(?:^|;|\bbegin\b)[ \t]*(?:(?:real|integer|boolean)\s+)?"
    r"(comment\b|procedure(?=\s+\w+\s*(?:;|\([^():]*\)\s*;))))"
)
"""What is ALGOL 60 in a text with an error: a word in quotes, a block that begins with a declaration, a procedure whose
parameters have no types, or a comment.
"""

_LANGUAGES: Final = {messages.BCPL: _OF_BCPL, messages.ALGOL: _OF_ALGOL}


def of_other_language(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The warning that the text with these errors may be BCPL or ALGOL 60, at the first place that is."""
    source = diagnostics[0].span.source if diagnostics else Source("", "")
    for cause, pattern in _LANGUAGES.items():
        matches = [match for match in pattern.finditer(source.text) if match.lastindex]
        places = [Span(source, *match.span(match.lastindex or 0)) for match in matches]
        words = {place.text for place in places if place.text.isupper()}
        own_names = {word for word in words if is_defined(word, source.text)}
        first = next((place for place in places if place.text not in own_names), None)
        if first:
            return [report(cause, first)]
    return []


def without_swallowed(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """These without open brackets whose closer is in a comment of another language, as in `(7 // 2)`."""
    commented: set[int] = set()  # the lines with such a comment
    for diagnostic in diagnostics:
        span = diagnostic.span
        if diagnostic.cause is messages.UNKNOWN_SIGN and span.text in ("//", "#", "/*"):
            rest = span.source.line(span.line)[span.column - 1 :]
            if rest.count(")") > rest.count("("):
                commented.add(span.line)
    return [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.cause is not messages.UNCLOSED_BRACKET or diagnostic.span.line not in commented
    ]


def _left_of(span: Span) -> str:
    """The text before a place on its line."""
    return span.source.line(span.line)[: span.column - 1].strip()


def _head(before: Sequence[Token]) -> str:
    """The word of `_HEADS` whose command these tokens leave unfinished, or the bracket around them."""
    depth = 0  # of brackets, from the end of the tokens
    for token in reversed(before):
        if token.kind in CLOSERS:
            depth += 1
        elif token.kind in OPENERS:
            depth -= 1
        if depth < 0 or (not depth and token.kind in ("SEPARATOR", *_HEADS)):
            return token.kind
    return ""


def _product(tokens: Sequence[Token], at: int) -> Span | None:
    """The small names side by side, if the parser expected one name there."""
    kinds = [token.kind for token in tokens[: at + 1]]
    is_label = kinds[-4:-2] == ["SMALL", "JUXTAPOSED"] and kinds[-2:] in (["SMALL", "COLON"], ["LARGE", "COLON"])
    if is_label and tokens[at - 3].span.end == tokens[at - 1].span.start:
        at -= 2
    elif at < len(tokens) and kinds[at] in _DEFINES:
        start = next((index for index in reversed(range(at)) if kinds[index] in ("SEPARATOR", "OPEN")), 0)
        at = next((index for index in range(start, at) if kinds[index] == "JUXTAPOSED"), at)
    if at == len(tokens) or kinds[at] not in _PRODUCTS:
        return None

    def is_of_product(token: Token) -> bool:
        return token.kind in ("SMALL", "JUXTAPOSED")

    before = takewhile(is_of_product, reversed(tokens[:at]))
    after = takewhile(is_of_product, tokens[at + 1 :])
    names = [token.span for token in (*before, *after) if token.span.text]
    names.sort(key=lambda span: span.start)
    return names[0].to(names[-1]) if names else tokens[at].span


_DEFINES: Final = {"DEFINED", "DEFINED_BY", "SHARES", "BE", "IS"}


def _expected(allowed: Set[str]) -> str:
    """`expected an expression`, `expected ) or ,`: a group of terminals by its name, the others one by one."""
    rest = set(allowed) - _PRODUCTS - _STATEMENT - {"$END", "SEPARATOR", "GET", "OPEN"}  # what is named one by one
    words = [name for name, kinds in _GROUPS.items() if allowed >= kinds][:1]
    if not allowed.isdisjoint(_EXPRESSION):
        rest -= _EXPRESSION | _ALSO_EXPRESSION
    if allowed >= _OPERATORS:
        words.append("an operator")
        rest &= {*CLOSERS, "COMMA", "THEN", "DEFINED"}
    words += sorted(map(in_words, rest))
    return f"expected {listed(words, 'or')}" if 0 < len(words) <= 4 else ""
