"""The tables of the vocabulary: symbols, reserved words, how print marks them, bases of numbers, the kinds of tokens,
and hints for users of other languages.

`grammar/README.md` shows the symbols and words with the evidence for each.
"""

import re
from dataclasses import dataclass
from typing import Final

SYMBOLS: Final = {
    "ARROW": ("→", "->"),
    "ASSIGN": (":=",),
    "PLUS": ("+",),
    "MINUS": ("−", "-", "–", "—"),
    "TIMES": ("×", "*", "·", "∗"),
    "DIVIDE": ("/",),
    "POWER": ("↑", "\\up"),
    "EQUAL": ("=",),
    "UNEQUAL": ("≠", "~=", "=\u0338"),
    "LESS": ("<",),
    "GREATER": (">",),
    "AT_MOST": ("≤", "<="),
    "AT_LEAST": ("≥", ">="),
    "EQUIVALENT": ("≡", "\\equiv"),
    "INEQUIVALENT": ("≢", "\\nequiv", "≡\u0338"),
    "SHARES": ("≃", "\\simeq"),
    "NOT": ("~", "¬"),
    "AND": ("∧", "/\\"),
    "OR": ("∨", "\\/"),
    "INFINITY": ("∞",),
    "POINTS": ("↓", "\\down"),
    "LAMBDA": ("λ",),
    "COMMA": (",",),
    "SEPARATOR": (";",),
    "COLON": (":",),
    "DOT": (".",),
    "ROUND_OPEN": ("(",),
    "ROUND_CLOSE": (")",),
    "SQUARE_OPEN": ("[",),
    "SQUARE_CLOSE": ("]",),
    "CURLY_OPEN": ("{",),
    "CURLY_CLOSE": ("}",),
}
"""The operators and brackets: for each terminal the ways to write it, the printed one first."""

SYMBOL_KINDS: Final = {form: kind for kind, forms in SYMBOLS.items() for form in forms}
"""The terminal of each form."""

WORDS: Final = frozenset(
    """
    all and array be break case complex dec default do element false finish for from function general get go goto if in
    index infinity integer into is label let list logical matrix node not of or pointer prefer real rec ref reference
    repeat result return routine step string substitution switch test then to true type unless until value vector while
    where with
    """.split()
)
"""Every word that CPL reserves, so that a text keeps its meaning as the compiler learns the rest of the language.

Types are reserved only where they would otherwise be read as products of small names.
"""

UNDERLINE: Final = "\u0332"
"""The mark that underlines the character before it."""

BOLD_LETTERS: Final = "𝐀-𝐙𝐚-𝐳"
BOLD_DIGITS: Final = "𝟎-𝟗"
"""The bold letters and digits of mathematics, as ranges for patterns."""

_PLAIN_LETTERS: Final = {0x1D400 + at: chr(ord("A") + at) for at in range(26)} | {
    0x1D41A + at: chr(ord("a") + at) for at in range(26)
}
_UNDERLINED: Final = re.compile(f"(?<=[A-Za-z ]){UNDERLINE}")


def unmarked(text: str) -> str:
    """Return a text with plain letters in place of the underlined and bold ones. Digits stay, as marked ones mean more.

    Handwriting underlined the reserved words, and print set them bold (evidence L8).
    """
    if text.isascii():
        return text
    return _UNDERLINED.sub("", text.translate(_PLAIN_LETTERS))


def in_print(word: str) -> tuple[str, str]:
    """Return a word with all its letters underlined, and with all of them bold."""
    bold = {ord(plain): code for code, plain in _PLAIN_LETTERS.items()}
    return "".join(letter + UNDERLINE for letter in word), word.translate(bold)


@dataclass(frozen=True)
class Base:
    """A base of numbers. An underlined or bold digit introduces it, or the plain digit before a blank (evidence L20).

    `prefix` is what Python writes before such a number, and `typed` its sign in a text of ASCII.
    """

    digit: str
    bold: str
    digits: str
    name: str
    prefix: str
    typed: str

    @property
    def printed(self) -> str:
        """The sign in a text that shows neither underlines nor bold type."""
        return f"{self.digit} "

    @property
    def with_article(self) -> str:
        """`a binary`, `an octal`."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"

    @property
    def range(self) -> str:
        """Its digits in words."""
        return f"{self.digits[0]} {'to' if len(self.digits) > 2 else 'and'} {self.digits[-1]}"

    @property
    def pattern(self) -> str:
        """A pattern of a number in this base. A digit that stands beside another such digit introduces nothing."""
        underlined = rf"(?<![0-9]{UNDERLINE}){self.digit}{UNDERLINE}(?![0-9]{UNDERLINE})[ \t]*"
        bold = rf"(?<![{BOLD_DIGITS}]){self.bold}[ \t]*"
        typed = "" if self.typed == self.printed else f"|{self.typed}"
        return rf"(?:{self.digit}[ \t]+|{underlined}|{bold}{typed})[{self.digits}]+(?![0-9.])"


BASES: Final = (
    Base("2", "𝟐", "01", "binary", "0b", "2 "),
    Base("8", "𝟖", "01234567", "octal", "0o", "#"),
)
"""The bases that CPL has besides ten."""


def base_of(number: str) -> Base | None:
    """Return the base of a number as the lexer hands it on, with Python's prefix; None if it is ten."""
    return next((base for base in BASES if number.startswith(base.prefix)), None)


PHRASES: Final = {
    ("VALUE", "OF"): "VALUE_OF",
    ("RESULT", "IS"): "RESULT_IS",
    ("RESULT", "OF"): "RESULT_OF",
    ("THEN", "DO"): "THEN",
    ("OR_WORD", "DO"): "ELSE",
    ("REPEAT", "WHILE"): "REPEAT_WHILE",
    ("REPEAT", "UNTIL"): "REPEAT_UNTIL",
    ("GO", "TO"): "GO_TO",
    ("NUMBER", "ARRAY"): "ARRAY",
}
"""Two words that are one terminal together."""

ON_ONE_LINE: Final = {"REPEAT_WHILE", "REPEAT_UNTIL"}
"""The phrases that must stand on one line: a `while` on the next line begins a command."""

CAPITAL_WORDS: Final = {"Test": "TEST", "Unless": "UNLESS", "Boolean": "BOOLEAN"}
"""Words that are printed with a capital (evidence C29, T1); before a bracket they are names of functions."""

TYPES: Final = {
    "REAL",
    "INTEGER",
    "INDEX",
    "COMPLEX",
    "BOOLEAN",
    "LOGICAL",
    "STRING_TYPE",
    "LABEL",
    "GENERAL",
    "ARRAY",
    "VECTOR",
    "MATRIX",
    "LIST",
    "POINTER",
}
"""The words for types (evidence T1, T7, T9, T12, T13)."""

CONSTANTS: Final = ("NIL", "true", "false", "infinity")
"""Words that stand for a value."""

SPECIAL_WORDS: Final = {
    "infinity": "INFINITY",
    "NIL": "NIL",
    "and": "AND_WORD",
    "or": "OR_WORD",
    "string": "STRING_TYPE",
    "goto": "GO_TO",
}

GREEK: Final = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψωςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ",
        """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi
        chi psi omega varsigma Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho
        Sigma Tau Upsilon Phi Chi Psi Omega""".split(),
        strict=True,
    )
)
"""Greek letters and their spelling, in Python names and (after a backslash) in ASCII texts."""

GREEK_LETTERS: Final = {name: letter for letter, name in GREEK.items()}

PRINTED: Final = {kind: forms[0] for kind, forms in SYMBOLS.items()} | {
    "DEFINED": "=",
    "OPEN": "§",
    "CLOSE": "§|",
    "VALUE_OF": "value of",
    "RESULT_IS": "result is",
    "RESULT_OF": "result of",
    "REPEAT_WHILE": "repeat while",
    "REPEAT_UNTIL": "repeat until",
    "GO_TO": "go to",
    "LABELS": ":",
    "SPECIFIED_OPEN": "[",
    "SPECIFIED_CLOSE": "]",
    "THEN": "then",
    "ELSE": "or do",
    "ARRAY": "array",
    "OR_WORD": "or",
    "AND_WORD": "and",
    "ALSO": "and",
    "WHERE_ALSO": "and",
    "DEFINED_BY": "≡",
    "STRING_TYPE": "string",
    "BOOLEAN": "Boolean",
    "NIL": "NIL",
}
"""How each terminal is printed."""

OPENERS: Final = {
    "ROUND_OPEN": "ROUND_CLOSE",
    "SQUARE_OPEN": "SQUARE_CLOSE",
    "CURLY_OPEN": "CURLY_CLOSE",
    "OPEN": "CLOSE",
    "SPECIFIED_OPEN": "SPECIFIED_CLOSE",
}
CLOSERS: Final = {closer: opener for opener, closer in OPENERS.items()}

OPERANDS: Final = {"SMALL", "LARGE", "NUMBER", "STRING", "INFINITY", "NIL", "TRUE", "FALSE", "UNKNOWN"}
"""The tokens that are an operand by themselves."""

ENDS: Final = OPERANDS | set("ROUND_CLOSE SQUARE_CLOSE CURLY_CLOSE CLOSE RETURN FINISH BREAK REPEAT RESULT".split())
"""The tokens that can end a statement."""

BEGINS: Final = (
    OPERANDS
    | TYPES
    | set(
        """
        ROUND_OPEN SQUARE_OPEN CURLY_OPEN OPEN NOT POINTS LAMBDA VALUE_OF RESULT_IS RESULT LET IF UNLESS TEST WHILE
        UNTIL FOR DEC PREFER RETURN FINISH BREAK GO_TO SWITCH CASE DEFAULT GET REC FUNCTION ROUTINE NODE ELEMENT TYPE
        """.split()
    )
)
"""The tokens that can begin a statement."""

_RELATIONS: Final = {
    "eq": "=",
    "ne": "≠, typed ~=",
    "lt": "<",
    "gt": ">",
    "le": "≤, typed <=",
    "ge": "≥, typed >=",
}
"""The relations of FORTRAN and others, and how CPL writes them."""

ELSEWHERE: Final = {
    "!": "write not as ~",
    "#": "a comment begins with ||",
    "//": "comments begin with ||; for integer division write: Quotient(a,b)",
    "/*": "comments begin with || and run to the end of the line",
    "%": "for a remainder write: Remainder(a,b)",
    "_": "a name has only letters, digits and primes; a long name starts with a capital: MaxValue",
    "!=": "write not equal as ≠, typed ~=",
    "<>": "write not equal as ≠, typed ~=",
    "&&": "write and as ∧, typed /\\",
    "&": "write and as ∧, typed /\\",
    "?": "write a conditional expression as: test → value, otherwise",
    "^": "write a power with ↑, typed \\up",
    "**": "write a power with ↑, typed \\up",
    "|": "write or as ∨, typed \\/; for an absolute value write: Mod(x)",
    "'": 'write a string as "text" or ‘text’',
    "`": 'write a string as "text" or ‘text’',
    "$": "write a section as §…§, typed $( … $)",
    "==": "write equality with a single =",
    "=<": "write at most as ≤, typed <=",
    "√": "for a square root write: SqRt(x)",
    "=>": "write an arrow as →, typed ->; at least as ≥, typed >=",
    "<<": "to shift a bit string to the left, write: Shift(x,-n)",
    ">>": "to shift a bit string to the right, write: Shift(x,n)",
    "+=": "write: x := x + y",
    "-=": "write: x := x - y",
    "*=": "write: x := x × y",
    "/=": "write: x := x / y",
    "++": "write: x := x + 1",
    "--": "write: x := x - 1",
    "else": "write a conditional expression as: test → value, otherwise; with commands: test … then do … or do …",
    **dict.fromkeys(
        ("elif", "elseif", "elsif"),
        "write a conditional expression as: test → value, test → value, otherwise; "
        "with commands: test … then do … or do test …",
    ),
    "def": "define a function by: F(x) = …",
    "fun": "define a function by: F(x) = …",
    "func": "define a function by: F(x) = …",
    "procedure": "define a routine by: routine R(x) is …; what has a value is a function: F(x) = …",
    **dict.fromkeys(("proc", "sub", "void"), "define a routine by: routine R(x) is …"),
    **dict.fromkeys(("class", "struct", "record"), "define a node type by: node N is real X with real Y"),
    "program": "a program needs no opening word",
    "…": "to count from 1 by 1 to 10, write: for i = step 1, 1, 10 do …",
    "global": (
        "not needed: routines, and functions that ≡ defines, may assign to the variables around them; texts take "
        "definitions from each other by get"
    ),
    "nonlocal": "a routine may assign to the variables around it, and so may a function that ≡ defines: F(x) ≡ …",
    "pass": "for a command that does nothing write: § §|",
    "exit": "to end the program, write: finish",
    "abs": "for an absolute value write: Mod(x)",
    "var": "define a variable of a block by: let x = …",
    "const": "define a constant by: Name = …",
    "to": "to count from 1 by 1 to 10, write: for i = step 1, 1, 10 do …",
    "’": 'write a string that contains this quote with the other quotes: "it’s"',
    "null": "write the empty list as NIL",
    "nil": "write the empty list as NIL",
    "none": "write the empty list as NIL",
    **{word: f"write this relation as {sign}" for word, sign in _RELATIONS.items()},
    "begin": "write a section as §…§, typed $( … $)",
    "end": "write a section as §…§, typed $( … $)",
    "{": "write a section as §…§, typed $( … $)",
    "print": "to print a value, write: WriteLine(x)",
    **dict.fromkeys(("println", "writeln", "puts", "echo"), "to print a value, write: WriteLine(x)"),
    "printf": "to print a value, write: Write(x)",
    "input": "to read a value, write: Read(x)",
    "readline": "to read the next number or word, write: ReadItem(); the next symbol: ReadSymbol()",
    "len": "for the length of a list write: Length(L)",
    **dict.fromkeys(("str", "tostring", "inttostr"), "for a value as a string write: AsWritten(x)"),
    **dict.fromkeys(("append", "push"), "for the list L with x after it write: Join(L,[x])"),
    "cons": "to put a member before a list write: Join([x],L)",
    **dict.fromkeys(("mod", "rem", "modulo"), "for a remainder write: Remainder(a,b)"),
    "floor": "for the greatest integer not above x write: Entier(x)",
    "div": "for integer division write: Quotient(a,b)",
    "lambda": "write an anonymous function as: λx.x + 1, typed \\lambda",
    "import": 'to include another text, write: get "name.cpl"',
    "include": 'to include another text, write: get "name.cpl"',
    "int": "define a variable by: let x = 1, or: integer x = 1",
    "float": "define a variable by: let x = 1.5, or: real x = 1.5",
    "double": "define a variable by: let x = 1.5, or: real x = 1.5",
    "bool": "define a variable by: let b = true, or: Boolean b = true",
    "boolean": "write this type with a capital: Boolean b = true",
    "comment": "comments begin with || and run to the end of the line",
    "valof": "write two words, and section brackets: value of § … result is … §|",
    "resultis": "write two words: result is …",
    **dict.fromkeys(("manifest", "static"), "define a constant by: Name = …; a variable by: let x = …"),
    "vec": "make an array by: let v = Array[integer, (0,10)]",
    "go": "go begins the words go to, as in: go to L; a longer name starts with a capital: Go",
}
"""Symbols and words of other languages, with a hint how to write the same in CPL."""

_BASED: Final = "|".join(base.pattern for base in BASES)
OPERAND: Final = rf"(?:(?<![\w.])(?:{_BASED})|[\w.'′]+(?:\([^()\n]*\)|\[[^\[\]\n]*\])?)"
"""A simple operand in a pattern: a name, a number, a call or an element."""

_VARIABLE: Final = r"[A-Za-z][\w'′]*(?:\[[^\[\]\n]*\])?"

_COMMAND: Final = r"(?:^|[\n;§]|\b(?:do|then)\b)[ \t]*"
"""What stands before a command."""

INCREASED: Final = "write {0} + 1 where the value is needed; to change {0}, write a command by itself: {0} := {0} + 1"
_DECREASED: Final = INCREASED.replace("+", "-")

_IN_BRACKETS: Final = r"[ \t]*\(([^()\n]+)\)"
_VALUE: Final = r"([a-z](?!\w)|[A-Z]\w*)[ \t]*=[ \t]*([^;\r\n§]*[^;\s§])"

_PRINTING: Final = {rf"▸\w+{_IN_BRACKETS}": "to print a value, write: WriteLine({0})"}
_AS_STRING: Final = {rf"▸\w+{_IN_BRACKETS}": "for a value as a string write: AsWritten({0})"}
_LIST_AND_MEMBER: Final = rf"▸\w+\([ \t]*({_VARIABLE})[ \t]*,[ \t]*({OPERAND})[ \t]*\)"
_APPENDING: Final = {
    rf"{_COMMAND}{_LIST_AND_MEMBER}": "to append {1} to the list {0}, write: {0} := Join({0}, [{1}])",
    _LIST_AND_MEMBER: "for the list {0} with {1} after it write: Join({0}, [{1}])",
}
_FUNCTION: Final = {r"▸\w+[ \t]+([A-Z]\w*\([^()\n]*\))": "define a function by: {0} = …"}
_REMAINDER: Final = {rf"({OPERAND})[ \t]*▸\w+[ \t]+({OPERAND})": "for a remainder write: Remainder({0},{1})"}


def _declaring(kind: str) -> dict[str, str]:
    """The hints for a type of another language before a variable, which has this type in CPL: `int x = 1`."""
    return {rf"▸\w+[ \t]+{_VALUE}": f"define a variable by: let {{0}} = {{1}}, or: {kind} {{0}} = {{1}}"}


def _updating(operator: str) -> dict[str, str]:
    """The hints for an assignment that applies this operator of CPL: `x += y`, or `x += y - z` with brackets."""
    update = rf"({_VARIABLE})[ \t]*▸[-+*/]=[ \t]*"
    return {
        rf"{update}({OPERAND})[ \t]*(?:[;\r\n§]|\Z)": f"write: {{0}} := {{0}} {operator} {{1}}",
        rf"{update}([^;\r\n§]*[^;\r\n§ ])": f"write: {{0}} := {{0}} {operator} ({{1}})",
    }


_A_WORD: Final = rf"({'|'.join(sorted(WORDS))})"
_PLAIN_WORD: Final = "CPL writes its words without signs around them: {0}"

IN_CONTEXT: Final = {
    "_": dict.fromkeys((rf"▸_{_A_WORD}_", rf"_{_A_WORD}▸_"), _PLAIN_WORD),
    "len": {rf"▸len{_IN_BRACKETS}": "for the length of a list write: Length({0})"},
    **dict.fromkeys(("str", "tostring", "inttostr"), _AS_STRING),
    **dict.fromkeys(("append", "push"), _APPENDING),
    "abs": {rf"▸abs{_IN_BRACKETS}": "for an absolute value write: Mod({0})"},
    "floor": {rf"▸floor{_IN_BRACKETS}": "for the greatest integer not above {0} write: Entier({0})"},
    "input": {r"(?:let[ \t]+)?([a-z]|[A-Z]\w*)[ \t]*:?=[ \t]*▸input\b": "to read a value, write: Read({0})"},
    **dict.fromkeys(("print", "println", "writeln", "puts", "echo"), _PRINTING),
    "int": _declaring("integer"),
    "float": _declaring("real"),
    "double": _declaring("real"),
    "bool": _declaring("Boolean"),
    "var": {rf"▸var[ \t]+{_VALUE}": "define a variable of a block by: let {0} = {1}"},
    "const": {rf"▸const[ \t]+{_VALUE}": "define a constant by: {0} = {1}"},
    **dict.fromkeys(("def", "fun", "func"), _FUNCTION),
    **dict.fromkeys(("mod", "rem", "modulo"), _REMAINDER),
    "div": {rf"({OPERAND})[ \t]*▸div[ \t]+({OPERAND})": "for integer division write: Quotient({0},{1})"},
    "++": {
        rf"{_COMMAND}({_VARIABLE})[ \t]*▸\+\+[ \t]*(?:[\r\n;§]|\Z)": "write: {0} := {0} + 1",
        rf"({_VARIABLE})[ \t]*▸\+\+": INCREASED,
    },
    "--": {
        rf"{_COMMAND}({_VARIABLE})[ \t]*▸--[ \t]*(?:[\r\n;§]|\Z)": "write: {0} := {0} - 1",
        rf"({_VARIABLE})[ \t]*▸--": _DECREASED,
    },
    "+=": _updating("+"),
    "-=": _updating("-"),
    "*=": _updating("×"),
    "/=": _updating("/"),
    "%": {rf"({OPERAND})[ \t]*▸%[ \t]*({OPERAND})": "for a remainder write: Remainder({0},{1})"},
    "√": {rf"▸√[ \t]*({OPERAND})": "for a square root write: SqRt({0})"},
    "//": {
        rf"({OPERAND})[ \t]*▸//[ \t]*({OPERAND})(?=[ \t]*[\r\n;)]|\Z)": (
            "comments begin with ||; for integer division write: Quotient({0},{1})"
        )
    },
    "<<": {rf"({OPERAND})[ \t]*▸<<[ \t]*({OPERAND})": "to shift a bit string to the left, write: Shift({0},-{1})"},
    ">>": {rf"({OPERAND})[ \t]*▸>>[ \t]*({OPERAND})": "to shift a bit string to the right, write: Shift({0},{1})"},
    "?": {
        r"(?<==)[ \t]*([^\n;?:]{0,60}[^\s;?:])[ \t]*▸\?[ \t]*([^?:\n]{0,60}[^\s?:])[ \t]*:[ \t]*([^;:?\r\n]{1,60})": (
            "write a conditional expression as: {0} → {1}, {2}"
        )
    },
    "#": {r"▸#[0-9]": "a comment begins with ||; in an octal number, as in #253, the digits are 0 to 7"},
    "!": {
        rf"({OPERAND})(?:▸!|[ \t]+▸![ \t]+)({OPERAND})": "write an element as {0}[{1}]",
        r"[\w\])'′](?:▸!|[ \t]+▸![ \t]+)[\w(]": "write an element as V[i]",
        r"[\w\])'′]▸!": "for a factorial define a function: F(n) = n = 0 → 1, n × F(n - 1)",
    },
    "=>": {
        r"(?m:^)(?!.*(?:=>|->|→).*▸)(?:.*[(\[,]|[ \t]*(?:let[ \t]+)?[A-Za-z]\w*[ \t]*:?=)[ \t]*"
        r"(?:[a-z]|[A-Z]\w*|\([^()]*\))[ \t]*▸=>": (
            "write an anonymous function as λx.x + 1, typed \\lambda; at least as ≥, typed >=; an arrow as →, typed ->"
        ),
    },
}
"""Hints for symbols and words with their operands: for each, patterns of the text around it, with ▸ before the symbol,
and the hint, with groups of the pattern in braces.
"""


def word_kind(word: str) -> str:
    """The terminal of a reserved word: `let` is LET, `NIL` is NIL."""
    return SPECIAL_WORDS.get(word, word.upper())


WORD_KINDS: Final = {word: word_kind(word) for word in (*WORDS, "NIL")} | CAPITAL_WORDS
"""The terminal of each word that may be underlined or bold. Where it is, no name can be meant."""


def in_words(kind: str) -> str:
    """Name a terminal for messages: its printed form, or a description."""
    return _IN_WORDS.get(kind) or PRINTED.get(kind, kind.lower())


_IN_WORDS: Final = {
    "SMALL": "a name",
    "LARGE": "a name",
    "NUMBER": "a number",
    "STRING": "a string",
    "COMMA": "a comma",
    "SEPARATOR": "a new line",
    "JUXTAPOSED": "something to multiply by",
    "MAYBE_PRODUCT": "something to multiply by",
    "$END": "the end",
}
