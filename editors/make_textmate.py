"""Writes cpl.tmLanguage.json from the compiler's own patterns and words: `python editors/make_textmate.py`.

TextMate tries all patterns at a place and takes the first that fits, as the compiler's lexer does, so the grammar is
the lexer's table in its order; what the lexer finds in lists of words and signs has a rule for each class. The patterns
keep to what Python's `re` and Oniguruma both understand.
"""

import json
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from cpl.compiler.syntax.lexer import NO_LETTER, NO_NAME, PATTERNS, PRIMES, any_of
from cpl.compiler.syntax.tokens import (
    CAPITAL_WORDS,
    GREEK_LETTERS,
    SPECIAL_WORDS,
    SYMBOL_KINDS,
    WORD_KINDS,
    WORDS,
    in_print,
    word_kind,
)
from cpl.study.views.highlighting import class_of

FILE: Final = Path(__file__).with_name("cpl.tmLanguage.json")

SCOPES: Final = {
    Comment: "comment.line.cpl",
    Error: "invalid.illegal.cpl",
    Keyword: "keyword.control.cpl",
    Keyword.Constant: "constant.language.cpl",
    Keyword.Pseudo: "punctuation.section.block.cpl",
    Keyword.Type: "storage.type.cpl",
    Name: "variable.other.constant.cpl",
    Name.Function: "entity.name.function.cpl",
    Name.Variable: "variable.other.readwrite.cpl",
    Number: "constant.numeric.cpl",
    Operator: "keyword.operator.cpl",
    Punctuation: "punctuation.separator.cpl",
    String: "string.quoted.cpl",
    Whitespace: "",
}
"""What editors call the classes of Pygments."""


def scope_of(kind: _TokenType) -> str:
    """The scope of a class, or of the nearest one that it is a part of."""
    while kind not in SCOPES:
        assert kind.parent
        kind = kind.parent
    return SCOPES[kind]


def rule(kind: _TokenType, pattern: str) -> dict[str, str]:
    """What matches the pattern is of this class."""
    scope = scope_of(kind)
    return {"name": scope, "match": pattern} if scope else {"match": pattern}


def split(kinds: dict[str, str], around: str) -> Iterator[dict[str, str]]:
    """A rule for the words or signs of each class; `around` says what must stand round them."""

    def kind_of(text: str) -> _TokenType:
        return class_of(kinds[text], text)

    for kind, texts in groupby(sorted(kinds, key=kind_of), key=kind_of):
        yield rule(kind, around.format(f"(?:{any_of(texts)})"))


def rules() -> Iterator[dict[str, str]]:
    """The rules, in the order in which they are tried."""
    spelled = {form: kind for form, kind in SYMBOL_KINDS.items() if form[0] == "\\" and form[1:].isalpha()}
    for name, pattern in PATTERNS.items():
        match name:
            case "newline":  # editors match line by line
                pass
            case "blank":
                yield rule(Whitespace, pattern)
            case "comment" | "string" | "number":
                yield rule(class_of(name.upper(), ""), pattern)
            case "binary" | "octal" | "raised":
                yield rule(Number, pattern)
            case "unclosed" | "misbased" | "mixed" | "remark" | "elsewhere" | "dots" | "other":
                yield rule(Error, pattern)
            case "section":
                yield rule(class_of("SECTION", ""), pattern)
            case "word":
                yield from split({word: word_kind(word) for word in WORDS}, "(?<![a-z]){}(?![a-z'′])")
                yield rule(Name.Variable, f"[a-z]{PRIMES}")
            case "branch":
                yield rule(Keyword, pattern)
            case "marked":
                marked = {form: kind for word, kind in WORD_KINDS.items() for form in in_print(word)}
                yield from split(marked, "{}" + NO_LETTER)
                yield rule(Error, pattern)
            case "capital":
                yield from split(CAPITAL_WORDS, "{}" + NO_NAME)
            case "large":
                special = {word: kind for word, kind in SPECIAL_WORDS.items() if word[0].isupper()}
                yield from split(special, "{}(?![A-Za-z0-9'′])")
                yield rule(Name.Function, rf"{pattern}(?=(?:{PATTERNS['blank']})?[\[(])")
                yield rule(Name, pattern)
            case "greek":
                yield rule(Name.Variable, pattern)
            case "spelled":
                yield from split(spelled, "{}(?![A-Za-z'′])")
                letters = {"\\" + letter: "SMALL" for letter in GREEK_LETTERS} | {"\\lambda": "LAMBDA"}
                yield from split(letters, "{}(?![A-Za-z])" + PRIMES)
                yield rule(Error, pattern)
            case "sign":
                printed = SYMBOL_KINDS.keys() - spelled.keys()
                for size in sorted({len(form) for form in printed}, reverse=True):
                    yield from split({form: SYMBOL_KINDS[form] for form in printed if len(form) == size}, "{}")
            case _:
                raise AssertionError(f"no rule for {name}")


def grammar() -> str:
    """The text of the grammar; signs that would not be seen alone are escaped."""
    text = json.dumps(
        {
            "information_for_contributors": "Made by make_textmate.py: change that, or the compiler.",
            "name": "CPL",
            "scopeName": "source.cpl",
            "fileTypes": ["cpl"],
            "patterns": list(rules()),
        },
        ensure_ascii=False,
        indent=2,
    )
    return escaped(text) + "\n"


def escaped(chars: Iterable[str]) -> str:
    """The text with its combining marks, which would sit on their neighbours, as JSON escapes."""
    return "".join(f"\\u{ord(char):04x}" if unicodedata.combining(char) else char for char in chars)


if __name__ == "__main__":
    FILE.write_text(grammar(), encoding="utf-8")
