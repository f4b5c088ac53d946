"""What to say of a token that the grammar does not allow: parser states put into the reader's words."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.source import Span
from cpl.syntax.lexer import SIGN_KINDS, Token
from cpl.syntax.signs import CLOSERS, ELSEWHERE, OPENERS, TYPES, WORDS, in_words
from cpl.syntax.spelling import product_for_name, run_at

_OPERATORS: Final = {"PLUS", "TIMES", "AND", "EQUAL"}
_EXPRESSION: Final = {"SMALL", "LARGE", "NUMBER", "ROUND_OPEN", "VALUE_OF"}
_ALSO_EXPRESSION: Final = {
    *(
        "STRING",
        "INFINITY",
        "NIL",
        "TRUE",
        "FALSE",
        "SQUARE_OPEN",
        "CURLY_OPEN",
        "POINTS",
        "PLUS",
        "MINUS",
        "NOT",
        "RESULT",
        "RESULT_OF",
        "LAMBDA",
    ),
}
_STATEMENT: Final = {"LET", "IF", "RESULT_IS"}
_NEVER_SAID: Final = {"JUXTAPOSED", "MAYBE"}

_HEADS: Final = {
    "IF": "if … then …",
    "UNLESS": "unless … do …",
    "TEST": "test … then do … or do …",
    "WHILE": "while … do …",
    "UNTIL": "until … do …",
    "FOR": "for i = 1, 2, 3 do …, or for i = step 1, 1, 10 do …",
}
"""How the commands are written that begin with a word and have several parts."""

_BOTH_ARMS: Final = f"a test needs both arms: {_HEADS['TEST']}; with one it is an if: {_HEADS['IF']}"
_CHOICE: Final = f"a choice of two commands begins with test: {_HEADS['TEST']}"

_OR: Final = "|| begins a comment; or is ∨, typed \\/"
_THEN_IN_COMMENT: Final = re.compile(r"[ \t]*\|\|.*\b(?:then|do)\b")
_REPEATED: Final = "what is repeated stands first: § … §| repeat while …, or: repeat until …"

_HALVES: Final = {
    "IS": "the value of a block is given by: result is …",
    "OF": "a block that has a value begins with: value of § …",
}
"""Words that stand after another one only."""


_TYPE_WORDS: Final = "real|integer|index|complex|Boolean|logical|string|label|general"
_SLIPS: Final = {
    r"=\s*step\b[^,]*(,[^,]*)?▸(then|do)\b": (
        "step takes three values, the first, the step and the last: for k = step 1, 1, 10 do …"
    ),
    r"[(\[][^()]*,[^()]*▸where\b": "put in brackets what the where belongs to: ((x, y) where …), or (x, (y where …))",
    r"▸where\b": "a where stands at the end of a value; elsewhere it needs brackets: (x where …)",
    r"\b([a-z]|[A-Z]\w*)▸is\b": "equal is written with =; the value of a block is given by: result is …",
    r"^(?!for\b)(?![^▸]*\blet\b)[^▸]*▸in\b": "whether x is in L is written: Member(x,L)",
    rf"(^let |[(\[,])\s*[A-Za-z]\w*▸:(?!=)|^({_TYPE_WORDS})▸([;\r\n]|$)": (
        "a type stands before the name, as in: integer x = 1"
    ),
    rf"^((let|rec|{_TYPE_WORDS}) )*(([a-z]|[A-Z]\w*)\([^()]*\)▸:(?!=)|function\b[^=]*▸[^{{])": (
        "a function is defined by: F(x) = …"
    ),
    r"=▸(array|vector|matrix)\b": "an array is made by: Array[real, (1,10)]",
    r"^(?!for\b).*[(\[][^()\[\]]*▸;": "several values are separated by commas: [1,2]",
    r"▸if\b": "in an expression a choice is written: test → value, otherwise",
    r"[0-9][eE]▸[0-9]": "a scale factor is written 1⏨5, typed 1\\105",
    r"\b0[xob]▸[0-9]": "an octal number is written 8 17, typed #17; CPL has no binary or hexadecimal ones",
    r"(^|[^0-9A-Za-z)\]])▸\.[0-9]": "a number begins with a digit: 0.5",
    r"[0-9A-Za-z)\]]▸\.[A-Za-z]": "a component of a node is selected as a function is applied: Name[x]",
    r"^case\b[^:]*▸of\b": "a choice by value is written: switch x into § case 1: … default: … §",
    r"\blet\b.*\bin\b.*▸([;\r\n]|$)": (
        "after in stands a definition: let a = 1 in F(x) = …; for a value write: F(3) where F(x) = …"
    ),
    r"^(let|rec)\b[^=]*▸(:=|[;\r\n]|$)": "a definition is written with =: let x = …",
    r'"▸[^"(),;\r\n]*"': 'a string that holds this sign is written with the other quotes: ‘say "yes"’',
}
"""What was meant where nothing can go on: the statement, with ▸ before what cannot stand there, and what to say."""


def explain(tokens: Sequence[Token], at: int, allowed: Set[str], terminals: Set[str], end: Span) -> Diagnostic:
    """The token at index `at` (or the end of `tokens`) is none of those `allowed`.

    `terminals` are those that the grammar knows at all, and `end` is the place to blame where the tokens run out.
    """
    token = tokens[at] if at < len(tokens) else Token("$END", "", end)
    before = tokens[at - 1] if at else None
    if help := _slip(tokens[:at], token.span):
        cause = causes.UNFINISHED if token.kind in ("SEPARATOR", "$END") else causes.UNEXPECTED
        found = next((each.span.text for each in tokens[at:] if each.span.text), "")
        return report(cause, token.span, label=_expected(allowed), help=help, found=found)
    if token.kind in _HALVES:
        if before and before.kind == "SMALL" and len((run := run_at(before.span)).text) > 1:
            return report(causes.MISSPELT, run, run=run.text, help=_HALVES[token.kind])
        return report(causes.UNEXPECTED, token.span, found=token.span.text, help=_HALVES[token.kind])
    if token.kind not in terminals and token.kind != "$END":
        written = token.span.text
        what = f"the word {written}" if written in WORDS else written
        if written in ELSEWHERE:
            return report(causes.UNEXPECTED, token.span, found=written, help=ELSEWHERE[written])
        return report(causes.NOT_YET, token.span, what=what)
    if place := _elsewhere(tokens, at):
        return report(causes.MISSPELT, place, run=place.text, help=ELSEWHERE[place.text])
    if token.kind in _NEVER_SAID and tokens[at + 1].kind == "CURLY_OPEN":
        return report(causes.UNEXPECTED, tokens[at + 1].span, found="{", help=ELSEWHERE["{"])
    if (place := _product(tokens, at)) is not None:
        if place.text.isalpha():
            return product_for_name(place)
        return report(causes.UNEXPECTED, place, found="a product")
    help = _help(tokens, at, token, allowed)
    label = _expected(allowed)
    if token.kind == "$END" and end.source.text[end.start :].startswith(";") and help:
        return report(causes.UNEXPECTED, Span(end.source, end.start, end.start + 1), label=label, found=";", help=help)
    if token.kind in ("SEPARATOR", "$END"):
        return report(causes.UNFINISHED, token.span, label=label, help=help)
    return report(causes.UNEXPECTED, token.span, label=label, help=help, found=token.span.text or in_words(token.kind))


def _slip(before: Sequence[Token], place: Span) -> str | None:
    """What to do instead, as far as the text of the statement shows what was meant."""
    text = place.source.text
    sign = _left_of(place)[-1:] + place.text
    if 0 < len(place.text) < len(sign) and (sign in SIGN_KINDS or sign in ELSEWHERE):
        return ELSEWHERE.get(sign, f"{sign} is one sign, without a blank")
    start = next((each.span.end for each in reversed(before) if each.kind in ("SEPARATOR", "OPEN")), None)
    start = max(start if start is not None else before[0].span.start if before else 0, place.start - _MOST_SEEN)
    seen = f"{text[start : place.start].strip()}▸{text[place.start : place.start + _MOST_SEEN]}"
    return next((help for slip, help in _SLIPS.items() if re.search(slip, seen)), None)


_MOST_SEEN: Final = 200


def _elsewhere(tokens: Sequence[Token], at: int) -> Span | None:
    """The word of another language on this line before the token, as in `if … then … else …`."""
    for token in reversed(tokens[:at]):
        if token.kind in ("SEPARATOR", "OPEN"):
            return None
        if token.kind == "SMALL" and len((run := run_at(token.span)).text) > 2 and run.text in ELSEWHERE:
            return run
    return None


def _help(tokens: Sequence[Token], at: int, token: Token, allowed: Set[str]) -> str | None:
    """What to do instead, for what is often meant."""
    before = tokens[at - 1] if at else None
    match before.kind if before else "", token.kind:
        case "SMALL", "NUMBER" if before:
            digits = token.span.text
            return (
                f"a small name is one letter and has no digits; try {before.text[0].upper()}{digits}, or {before.text}'"
            )
        case "LARGE", "SMALL" | "LARGE" if before and "COLON" in allowed:
            return f"a type with a name of its own stands before a colon: {before.text} : {token.span.text}"
        case "COLON", kind if kind in TYPES:
            return f"a type stands before the name, as in: {token.span.text} x"
        case "LARGE", "SMALL" | "LARGE" | "NUMBER" | "STRING" if before:
            return f"a function is written with brackets: {before.text}({token.span.text})"
        case _, "VALUE":
            return _HALVES["OF"]
        case _, "OPEN" if "VALUE_OF" in allowed:
            return _HALVES["OF"]
        case "RETURN", kind if kind in _EXPRESSION | _ALSO_EXPRESSION:
            return _HALVES["IS"]
        case _, "DO" | "REPEAT" | "REPEAT_WHILE" | "REPEAT_UNTIL" if not _left_of(token.span):
            return _REPEATED
        case "REPEAT", _ if before and not _left_of(before.span):
            return _REPEATED
    head = _head(tokens[:at])
    if head == "CURLY_OPEN" and token.kind != "CURLY_CLOSE":
        return ELSEWHERE["{"]
    counted = token.kind == "SEPARATOR" and any(each.kind == "FOR" for each in tokens[:at])
    if (head == "FOR" and ("DEFINED" in allowed or token.kind == "DOT")) or (head == "ROUND_OPEN" and counted):
        return f"it is written: {_HEADS['FOR']}"
    if "BE" in allowed and any(each.kind == "ROUTINE" for each in tokens[:at]):
        return "it is written: routine R[x] be …"
    if before and "THEN" in allowed and _THEN_IN_COMMENT.match(before.span.source.text, before.span.end):
        return _OR
    if "THEN" in allowed and head in _HEADS:
        return f"{'then' if head in ('IF', 'TEST') else 'do'} is missing: {_HEADS[head]}"
    if "ELSE" in allowed and token.kind in ("SEPARATOR", "$END", *CLOSERS):
        return _BOTH_ARMS
    if token.kind == "ELSE" and head in ("IF", "UNLESS"):
        return _CHOICE
    arrow = any(each.kind == "ARROW" for each in tokens[:at])
    if arrow and "COMMA" in allowed and allowed.isdisjoint({"SEPARATOR", "$END", *CLOSERS, "THEN", "DEFINED"}):
        if token.span.source.text[token.span.start :].startswith(";"):
            return "the arms of a conditional are separated by commas: test → value, otherwise"
        return "a conditional needs both arms: test → value, otherwise"
    return None


def in_comment(found: Diagnostic) -> Diagnostic:
    """What is said of a bracket that `||` may keep from being closed, as in `(a || b)`."""
    comment = found.span.source.line(found.span.line)[found.span.column :].partition("||")[2]
    if found.cause is causes.UNCLOSED_BRACKET and comment.count(")") > comment.count("("):
        return replace(found, help=_OR)
    return found


def _left_of(span: Span) -> str:
    """What stands before a place on its line."""
    return span.source.line(span.line)[: span.column - 1].strip()


def _head(before: Sequence[Token]) -> str:
    """The innermost word of `_HEADS` whose command goes on after these tokens, or the bracket round it."""
    depth = 0
    for token in reversed(before):
        depth += (token.kind in CLOSERS) - (token.kind in OPENERS)
        if depth < 0 or (not depth and token.kind in ("SEPARATOR", *_HEADS)):
            return token.kind
    return ""


def _product(tokens: Sequence[Token], at: int) -> Span | None:
    """The small names side by side that stand where one name is wanted."""
    kinds = ["", *(token.kind for token in tokens[: at + 1])]
    first = at
    if kinds[-1] == "DEFINED" and "JUXTAPOSED" in kinds:
        first = kinds.index("JUXTAPOSED") - 1
    elif kinds[-1] not in ("JUXTAPOSED", "MAYBE"):
        return None
    last = first
    while first and tokens[first - 1].kind in ("SMALL", "JUXTAPOSED"):
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].kind in ("SMALL", "JUXTAPOSED"):
        last += 1
    if not tokens[last].span.text:
        last -= 1
    return tokens[first].span.to(tokens[last].span)


def _expected(allowed: Set[str]) -> str:
    """`expected an expression`, `expected ) or ,`: groups by their common name, the rest sign by sign."""
    rest = set(allowed) - _NEVER_SAID
    words: list[str] = []
    if rest >= _STATEMENT:
        words.append("a command")
        rest -= _STATEMENT | _EXPRESSION
    if rest >= _EXPRESSION:
        words.append("an expression")
    elif {"SMALL", "LARGE"} <= rest:
        words.append("a name")
    if _EXPRESSION & set(allowed):
        rest -= _EXPRESSION | _ALSO_EXPRESSION
    if allowed >= _OPERATORS:
        words.append("an operator")
        rest = {kind for kind in rest if kind in CLOSERS or kind in ("COMMA", "ARROW", "THEN", "DEFINED")}
        rest.discard("ARROW")
    words += sorted(in_words(kind) for kind in rest if kind not in ("$END", "SEPARATOR", "GET", "OPEN"))
    if not words or len(words) > 4:
        return ""
    return "expected " + (" or ".join(words) if len(words) < 3 else ", ".join(words[:-1]) + " or " + words[-1])
