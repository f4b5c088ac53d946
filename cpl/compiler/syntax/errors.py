"""Syntax errors: describes a token that cannot stand where it is, and suggests what to write instead.

A run of small letters, such as `whle`, is a product (evidence L3), so misspelt words are looked for in products.
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
from cpl.compiler.syntax.lexer import PATTERNS, PRIMES, STROPPED, Token, elsewhere, seen_at
from cpl.compiler.syntax.tokens import (
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
    in_words,
)

_ALL_WORDS: Final = sorted(WORDS | {"do", *SPECIAL_WORDS})
_LETTERS: Final = re.compile("[a-z]+")
_NAME: Final = re.compile("[A-Za-z0-9]*")
_LARGE: Final = re.compile(rf"{PATTERNS['comment']}|{PATTERNS['string']}|\b([A-Z][A-Za-z0-9]*)")
"""Comments and strings, and the names with a capital in all else."""


TYPE_WORDS: Final = r"real|integer|index|complex|Boolean|logical|string|label|general"


def near_words(letters: str) -> list[str]:
    """The reserved words that a run of letters may have meant."""
    same = [word for word in (letters.lower(), letters.upper()) if word in _ALL_WORDS][:1]
    return same or (near(letters.lower(), _ALL_WORDS) if len(letters) > 1 else [])


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
    pairs = [
        f"({low.strip() or 1},{high.strip()})" for low, _, high in (pair.rpartition(":") for pair in bounds.split(","))
    ]
    *_, kind = "integer", *re.findall(rf"\b(?:{TYPE_WORDS})\b", line[: span.column])
    return f"let {name} = Array[{kind}, {', '.join(pairs)}]"


def is_declared(span: Span) -> bool:
    """Tell whether `let` or a type stands before a place."""
    return (
        re.search(rf"\b(?:let|rec|{TYPE_WORDS})\s*\Z", span.source.text[max(0, span.start - 20) : span.start])
        is not None
    )


def help_for(run: Span, names: Collection[str]) -> str | None:
    """The help for a run of letters that is no word of CPL; `names` are those that could be meant."""
    letters = run.text
    if letters == "else" and (second := second_arm(run)):
        return second[1]
    if letters.lower() in ELSEWHERE and letters.capitalize() not in _LARGE.findall(run.source.text):
        return elsewhere(run)
    if name := next((name for name in sorted(names) if name.lower() == letters), None):
        return f"write it with {'a capital' if name[1:].islower() else 'capitals'}: {name}"
    word = word_at(run)
    words = near_words(letters) if word == letters else []
    return meant(letters, [*words, *near(word, names)]) or (
        f"a lower-case letter is a name by itself; a longer name starts with a capital: {word[:1].upper()}{word[1:]}"
    )


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
    latin = re.sub(
        r"([^\x00-\x7f′])([a-z]?)", lambda match: GREEK.get(match[1], match[1]).capitalize() + match[2].upper(), word
    )
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
    if diagnostic := with_greek(run):
        return diagnostic
    letters = max(run.text, word_at(run), key=len)
    run = Span(run.source, run.start, run.start + len(letters))
    help = (
        "a program needs no start: write its commands outside of routines"
        if re.match(r"start\(\)\s*(be|is|=\s*valof)\b", run.source.text[run.start : run.start + 40])
        else meant(letters, near(letters, {*filter(None, _LARGE.findall(run.source.text))}))
    )
    return report(
        messages.PRODUCT_FOR_NAME,
        run,
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
    words = (
        token
        for token in reversed(tokens[: at + 2])
        if token.kind == "SMALL" or (token.kind == "LARGE" and token.span.text.lower() in _ALL_WORDS)
    )
    runs = dict.fromkeys(run_at(token.span) if token.kind == "SMALL" else token.span for token in words)
    matches = [
        (run, word)
        for run in runs
        for word in near_words(run.text) or [word for word in _ALL_WORDS if is_short(run) and one_slip(run.text, word)]
    ]
    return sorted(matches, key=lambda pair: is_short(pair[0]))


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

_HALVES: Final = {
    "IS": "to return a value, write: result is …",
    "OF": "start a block that has a value with: value of § …",
}
"""Words that can only be the second of two."""


_LOOP: Final = r"^for\s+([A-Za-z][\w']*)\s*"
_STEPS: Final = "write the first value, the step and the last: "
_ITS_VALUE: Final = r"([^;\r\n§]+?)[ \t]*(?:[;\r\n§]|$)"

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
    r"\b0[xob]▸[0-9]": "write an octal number as 8 17, typed #17; CPL has no binary or hexadecimal numbers",
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
    slip = _slip(tokens[:at], token.span)
    if not slip and (special := _special(tokens, at, token, terminals)):
        return special
    help = slip or _help(tokens, at, token, allowed)
    cause = messages.UNFINISHED if token.kind in ("SEPARATOR", "$END") else messages.UNEXPECTED
    place = run_at(token.span) if token.kind == "SMALL" else token.span
    written = place.text or next((later.span.text for later in tokens[at:] if later.span.text), "")
    return report(cause, place, label=_expected(allowed), help=help, found=written)


def _special(tokens: Sequence[Token], at: int, token: Token, terminals: Set[str]) -> Diagnostic | None:
    """An error that does not depend on what is allowed: a misplaced word, one of another language, or a product."""
    written = token.span.text
    word = _elsewhere(tokens, at) or _else_at(token)
    if word and word.text == "else" and (second := second_arm(word)):
        head, help = second
        fixes = (Fix(word, "or do", "write or do for else"),) if head == "test" else ()
        return replace(report(messages.MISSPELT, word, run=word.text, help=help), fixes=fixes)
    if word:
        return report(messages.MISSPELT, word, run=word.text, help=elsewhere(word))
    if token.kind in _HALVES:
        run = run_at(tokens[at - 1].span) if at and tokens[at - 1].kind == "SMALL" else token.span
        is_run = run is not token.span and len(run.text) > 1
        cause, place = (messages.MISSPELT, run) if is_run else (messages.UNEXPECTED, token.span)
        return report(cause, place, run=run.text, found=written, help=_HALVES[token.kind])
    if token.kind not in terminals and token.kind != "$END":
        if written in ELSEWHERE:
            return report(messages.UNEXPECTED, token.span, found=written, help=ELSEWHERE[written])
        return report(messages.NOT_YET, token.span, what=f"the word {written}" if written in WORDS else written)
    if token.kind in _PRODUCTS and tokens[at + 1].kind == "CURLY_OPEN":
        return report(messages.UNEXPECTED, tokens[at + 1].span, found="{", help=ELSEWHERE["{"])
    beside = tokens[at - 1].span.end == token.span.start if at else False
    if beside and token.kind in ("SMALL", "LARGE", "NUMBER") and (diagnostic := with_greek(token.span)):
        return diagnostic
    if product := _product(tokens, at):
        if product.text.replace("'", "").isalpha():
            return product_for_name(product)
        help = "separate several names by commas: let a, b = 1, 2"
        return report(messages.UNEXPECTED, product, found="a product", help=help)
    return None


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
    r"\b(if|test)\s+(WITHOUT)\s+(?:then|do)\s+(WITHOUT)\s*▸else\b(?:[ \t]+([^;\r\n§]+))?".replace(
        "WITHOUT", r"(?:(?!\b(?:if|test)\b).)+?"
    ),
    re.DOTALL,
)
"""The two arms that an `else` separates, after the last `if` or `test` before it."""

_ELSE: Final = re.compile(r"\s*\b(else)\b")


def _slip(before: Sequence[Token], place: Span) -> str | None:
    """The help for a frequent mistake that the text of the statement shows."""
    symbol = _left_of(place)[-1:] + place.text
    if 0 < len(place.text) < len(symbol) and (symbol in SYMBOL_KINDS or symbol in ELSEWHERE):
        return ELSEWHERE.get(symbol, f"{symbol} is a single symbol: write it without a blank")
    start = next((token.span.end for token in reversed(before) if token.kind in ("SEPARATOR", "OPEN")), None)
    start = start if start is not None else before[0].span.start if before else place.start
    seen = re.sub(r"\s*▸", "▸", seen_at(place, start).lstrip(), count=1)
    matches = ((re.search(slip, seen), help) for slip, help in _SLIPS.items())
    return next((help.format(*match.groups(), made=array_at(place)) for match, help in matches if match), None)


def _elsewhere(tokens: Sequence[Token], at: int) -> Span | None:
    """The word of another language on this line before the token, as in `if … then … else …`."""
    line = takewhile(lambda token: token.kind not in ("SEPARATOR", "OPEN"), reversed(tokens[:at]))
    words = [
        run_at(token.span) for token in line if token.kind == "SMALL" or token.kind == "LARGE" and token.text.isupper()
    ]
    return next(
        (
            word
            for word in sorted(words, key=lambda word: word.text != "comment")
            if word.text.lower() in ELSEWHERE
            and (len(word.text) > 2 or word.end == tokens[at - 1].span.end)
            and (word.text.islower() or not is_defined(word.text, word.source.text))
        ),
        None,
    )


def _help(tokens: Sequence[Token], at: int, token: Token, allowed: Set[str]) -> str | None:
    """The help for what was probably meant."""
    before = tokens[at - 1] if at else Token("", "", Span(token.span.source, 0, 0))
    kind, written, head = token.kind, token.span.text, _head(tokens[:at])
    earlier = {token.kind for token in tokens[:at]}
    no_second_arm = allowed.isdisjoint({"SEPARATOR", "$END", *CLOSERS, "THEN", "DEFINED"}) and "COMMA" in allowed
    applies = before.kind == "LARGE" and kind in ("SMALL", "LARGE", "NUMBER", "STRING")
    is_function = applies and re.search(rf"\b{re.escape(before.text)}[ \t]*[(\[]", token.span.source.text)
    follows = next((token.kind for token in tokens[at + 1 : at + 2]), "")
    argument = f"{written}(…)" if kind == "LARGE" and follows in _EXPRESSION else written
    after_bracket = next((after.kind for before, after in pairwise(tokens[at:]) if before.kind in CLOSERS), "")
    is_value = applies and is_defined(before.text, token.span.source.text)
    rules = (
        (
            before.kind in ("LET", "FOR") and written in WORDS and follows in ("DEFINED", "EQUAL"),
            _LONGER.format(word=written, longer=written.capitalize()),
        ),
        (
            kind == "DEFINED" and before.kind in TYPES,
            _LONGER.format(word=before.span.text, longer=before.span.text.capitalize()),
        ),
        (
            before.kind == "SMALL" and kind == "NUMBER",
            f"a small name is one letter without digits; try {before.text[:1].upper()}{written}, or {before.text}'",
        ),
        (
            before.kind == "LARGE" and kind in ("SMALL", "LARGE") and "COLON" in allowed,
            f"write a named type before a colon: {before.text} : {written}",
        ),
        (before.kind == "COLON" and kind in TYPES, f"write a type before the name, as in: {written} x"),
        (
            applies and before.text.lower() in WORDS and not is_function and not is_value,
            f"the words of CPL are written in small letters: {before.text.lower()}",
        ),
        (
            applies and kind in ("SMALL", "LARGE") and after_bracket in ("DEFINED", "DEFINED_BY", "BE", "IS", "DOT"),
            f"separate the names by commas: {before.text}, {written}",
        ),
        (
            applies and (kind == "STRING" or "DEFINED" in allowed or is_function or not is_value),
            f"write a function call with brackets: {before.text}({argument})",
        ),
        (
            applies and kind != "NUMBER",
            f"write a function call with brackets: {before.text}({argument}); "
            f"a product with its sign: {before.text} × {argument}, typed *",
        ),
        (kind == "VALUE" or (kind == "OPEN" and "VALUE_OF" in allowed), _HALVES["OF"]),
        (before.kind == "RETURN" and kind in _EXPRESSION | _ALSO_EXPRESSION, _HALVES["IS"]),
        (
            (kind in ("DO", "REPEAT", "REPEAT_WHILE", "REPEAT_UNTIL") and not _left_of(token.span))
            or (before.kind == "REPEAT" and not _left_of(before.span)),
            "put the repeated command first: § … §| repeat while …, or: repeat until …",
        ),
        (head == "CURLY_OPEN" and kind != "CURLY_CLOSE", ELSEWHERE["{"]),
        (
            (head == "ROUND_OPEN" and kind == "SEPARATOR" and "FOR" in earlier)
            or (head == "FOR" and ("DEFINED" in allowed or kind == "DOT")),
            f"write: {_HEADS['FOR']}",
        ),
        ("BE" in allowed and "ROUTINE" in earlier, "write: routine R(x) is …"),
        (
            before.kind and "THEN" in allowed and _THEN_IN_COMMENT.match(token.span.source.text, before.span.end),
            _OR,
        ),
        (
            "THEN" in allowed and head in _HEADS,
            f"{'then' if head in ('IF', 'TEST') else 'do'} is missing: {_HEADS.get(head)}",
        ),
        (
            "ELSE" in allowed and kind in ("SEPARATOR", "$END", *CLOSERS),
            f"test needs both arms: {_HEADS['TEST']}; for one arm use if: {_HEADS['IF']}",
        ),
        (
            kind == "ELSE" and head in ("IF", "UNLESS"),
            f"to choose between two commands, write: {_HEADS['TEST']}",
        ),
        (
            "ARROW" in earlier and no_second_arm and token.span.source.text.startswith(";", token.span.start),
            "separate the arms of a conditional by commas: test → value, otherwise",
        ),
        ("ARROW" in earlier and no_second_arm, "a conditional expression needs both arms: test → value, otherwise"),
    )
    return next((help for applies, help in rules if applies), None)


def in_comment(diagnostic: Diagnostic) -> Diagnostic:
    """Add help to an open bracket if a comment seems to hold its closer, as in `(a || b)`."""
    rest = diagnostic.span.source.line(diagnostic.span.line)[diagnostic.span.column :]
    comment = rest.partition("||")[2] if diagnostic.cause is messages.UNCLOSED_BRACKET else ""
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
        if found := [place for place in places if place.text not in own_names]:
            return [report(cause, found[0])]
    return []


def without_swallowed(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """These but for open brackets whose closer a comment of another language holds, as in `(7 // 2)`."""
    remarks = [
        diagnostic.span
        for diagnostic in diagnostics
        if diagnostic.cause is messages.UNKNOWN_SIGN and diagnostic.span.text in ("//", "#", "/*")
    ]
    rests = [(span.line, span.source.line(span.line)[span.column - 1 :]) for span in remarks]
    commented = {line for line, rest in rests if rest.count(")") > rest.count("(")}
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
    depth = 0
    for token in reversed(before):
        depth += (token.kind in CLOSERS) - (token.kind in OPENERS)
        if depth < 0 or (not depth and token.kind in ("SEPARATOR", *_HEADS)):
            return token.kind
    return ""


def _product(tokens: Sequence[Token], at: int) -> Span | None:
    """The small names side by side, if the parser expected one name there."""
    kinds = [token.kind for token in tokens[: at + 1]]
    is_label = kinds[-4:-2] == ["SMALL", "JUXTAPOSED"] and kinds[-2:] in (["SMALL", "COLON"], ["LARGE", "COLON"])
    if is_label and tokens[at - 3].span.end == tokens[at - 1].span.start:
        at -= 2
    elif kinds[at:] in _DEFINES:
        start = next((index for index in reversed(range(at)) if kinds[index] in ("SEPARATOR", "OPEN")), 0)
        at = next((index for index in range(start, at) if kinds[index] == "JUXTAPOSED"), at)
    if at == len(tokens) or kinds[at] not in _PRODUCTS:
        return None
    spans = sorted(
        (
            token.span
            for side in (reversed(tokens[:at]), tokens[at + 1 :])
            for token in takewhile(lambda token: token.kind in ("SMALL", "JUXTAPOSED"), side)
            if token.span.text
        ),
        key=lambda span: span.start,
    )
    return spans[0].to(spans[-1]) if spans else tokens[at].span


_DEFINES: Final = (["DEFINED"], ["DEFINED_BY"], ["SHARES"], ["BE"], ["IS"])


def _expected(allowed: Set[str]) -> str:
    """`expected an expression`, `expected ) or ,`: a group of terminals by its name, the others one by one."""
    rest = set(allowed) - _PRODUCTS - _STATEMENT - {"$END", "SEPARATOR", "GET", "OPEN"}
    words = [name for name, kinds in _GROUPS.items() if allowed >= kinds][:1]
    if not allowed.isdisjoint(_EXPRESSION):
        rest -= _EXPRESSION | _ALSO_EXPRESSION
    if allowed >= _OPERATORS:
        words.append("an operator")
        rest &= {*CLOSERS, "COMMA", "THEN", "DEFINED"}
    words += sorted(map(in_words, rest))
    listed = f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else "".join(words)
    return f"expected {listed}" if 0 < len(words) <= 4 else ""
