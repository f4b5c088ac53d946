"""Explanations of each sign and each reserved word of CPL: one sentence, and the rows of docs/evidence.md that attest
it. And what each code of a diagnostic means, from explanations.md.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from cpl import outside
from cpl.compiler import messages
from cpl.compiler.syntax.tokens import PRINTED, SYMBOLS, unmarked


@dataclass(frozen=True)
class Sign:
    """The explanation of a sign or a word. `rows` attest it; `choice` says what of it this project chose, in words."""

    words: str
    rows: str = ""
    choice: str = ""

    @property
    def evidence(self) -> str:
        """The evidence, as text."""
        sentences = []
        if self.rows:
            sentences.append(f"Evidence: {', '.join(self.rows.split())}.")
        if self.choice:
            sentences.append(f"A choice of ours: {self.choice}.")
        return " ".join(sentences)


SIGNS: Final[dict[str, Sign]] = {
    # operators
    "ARROW": Sign("Parts the test of a conditional expression from its value: test → value, otherwise.", "E15 E19"),
    "ASSIGN": Sign("Assigns the values on its right to the places on its left, all at once.", "C1 C2 C3"),
    "PLUS": Sign("Adds numbers; of two bit strings it gives the bits that are in either.", "E1 E13"),
    "MINUS": Sign(
        "Subtracts, or changes the sign; of two bit strings: the bits of the left that are not in the right.", "E1 E13"
    ),
    "TIMES": Sign("Multiplies. Operands side by side are multiplied too: 2x is 2 × x.", "E2 E4", "the signs · and ∗"),
    "DIVIDE": Sign(
        "Divides by all that is multiplied after it: a/bc is a/(b×c).", "E3 E4", "of whole numbers it gives a real"
    ),
    "POWER": Sign("Raises to a power: x ↑ 2 is x².", "E5 T11", "the spelling \\up"),
    "EQUAL": Sign("Compares: whether both sides are equal. In a chain, a = b = c, each with the next.", "E6 E8"),
    "DEFINED": Sign(
        "Defines what stands on its left; a function defined with = captures the values of its variables.", "D7 D17 D26"
    ),
    "UNEQUAL": Sign("Compares: whether both sides differ.", "E7 E8 G13", "the spelling ~="),
    "LESS": Sign("Compares: whether the left side is less.", "E6 E8"),
    "GREATER": Sign("Compares: whether the left side is greater.", "E6 E8"),
    "AT_MOST": Sign("Compares: whether the left side is less or equal.", "E7 E8 G13", "the sign ≤"),
    "AT_LEAST": Sign("Compares: whether the left side is greater or equal.", "E7 E8 G13", "the sign ≥"),
    "EQUIVALENT": Sign(
        "Whether two truth values are the same; of bit strings: the bits in which they agree.",
        "",
        "the sign as an operator, as BCPL has it",
    ),
    "DEFINED_BY": Sign(
        "Defines what stands on its left by place: a function defined with ≡ captures the variables themselves.",
        "D16 D17",
        "for a name that is no function, the sign",
    ),
    "INEQUIVALENT": Sign(
        "Whether two truth values differ; of bit strings: the bits in which they differ.",
        "",
        "the sign, as BCPL has it",
    ),
    "SHARES": Sign("Makes the name on its left an alias of the place on its right.", "D15", "the spelling \\simeq"),
    "NOT": Sign("Not: the other truth value, or of a bit string all the other bits.", "E10", "the sign ¬"),
    "AND": Sign(
        "And: whether both sides hold; of bit strings: the bits that are in both.",
        "E9",
        "the right side is not evaluated if the left one decides",
    ),
    "OR": Sign(
        "Or: whether one side or both hold; of bit strings: the bits that are in either.",
        "E11",
        "the spelling \\/, and that the right side is not evaluated if the left one decides",
    ),
    "INFINITY": Sign("Greater than any number.", "L22", "the word `infinity`"),
    "POINTS": Sign("The place to which a pointer points.", "E35 S11", "the spelling \\down"),
    "LAMBDA": Sign("Begins a function without a name: λx. x + 1.", "E24", "the spelling \\lambda"),
    # brackets and marks
    "COMMA": Sign(
        "Separates arguments, the members of a list, and the arms of a conditional expression.", "E19 E30 E33"
    ),
    "SEPARATOR": Sign("Separates two commands on one line; a line end does the same.", "L14 L15"),
    "COLON": Sign("Stands between the type of a component or a parameter and its name: Knot : x.", "T16 D21"),
    "LABELS": Sign("Makes the name before it the label of the next command.", "C20"),
    "DOT": Sign("Stands between the parameters of a λ and its body.", "E24"),
    "ROUND_OPEN": Sign("Opens a group, a list of several, or the arguments of a function.", "E30 E33 E34"),
    "ROUND_CLOSE": Sign("Closes ( .", "E30 E33 E34"),
    "SQUARE_OPEN": Sign("Opens arguments or a subscript.", "E29 E32", "by itself, a list of any length: [x]"),
    "SQUARE_CLOSE": Sign("Closes [ .", "E29 E32"),
    "SPECIFIED_OPEN": Sign("Opens parameters with their modes or types.", "D6 D21"),
    "SPECIFIED_CLOSE": Sign("Closes the parameters.", "D6 D21"),
    "CURLY_OPEN": Sign("Opens a group, as ( does; Strachey used it around λ-expressions.", "E24 D11"),
    "CURLY_CLOSE": Sign("Closes { .", "E24 D11"),
    "OPEN": Sign(
        "Opens a section: definitions and commands that are one command together. It may have a tag: §1.2.",
        "L10 L12 C28",
        "the spelling $(",
    ),
    "CLOSE": Sign(
        "Closes a section; with a tag it closes all sections that are open within, too.",
        "L11 L11b L12 L13",
        "the spelling $)",
    ),
    # definitions
    "let": Sign("Defines names from here to the end of the section; its right side does not see them.", "D7 D11 D12"),
    "rec": Sign("Lets a definition see the names that it defines.", "D14"),
    "function": Sign(
        "Stands before the definition of a function, as in 1963; before a parameter it says that it is one.", "D5 D6"
    ),
    "routine": Sign(
        "Stands before the definition of a routine, whose application is a command and has no value.",
        "D25 D27 G2",
        "without let, and before = or is",
    ),
    "be": Sign("Stands between the heading of a routine and its command, or between names and their type.", "D23 G6"),
    "is": Sign("Stands between the heading of a routine, or the name of a type, and what it is.", "D24 T14 T15"),
    "in": Sign("Parts definitions from those that alone see them: let a = 1 in f[x] = x + a.", "D10 D19 D33a"),
    "and": Sign(
        "Joins definitions that do not see each other; elsewhere it is the sign ∧.",
        "D10",
        "after where, and in place of ∧",
    ),
    "all": Sign("Gives one value, or one type, to several names: let a, b all = 0, let c, d all be index.", "G6 G7"),
    "prefer": Sign("Gives a type to the constants and names that follow in the section and have none.", "G5"),
    "where": Sign("Defines names for the expression before it.", "E21 E22 E23"),
    "dec": Sign("Stands before a section of declarations and definitions, as in 1963.", "D4"),
    "get": Sign("Includes another text, as if it stood here.", "", "the word, as BCPL has it"),
    "ref": Sign("Before parameters: they are the places of the arguments, so that assigning changes these.", "D20 D21"),
    "reference": Sign("The same as ref.", "D20", "the word"),
    "substitution": Sign("Before parameters: the argument is evaluated anew at each use.", "D20", "the word"),
    "value": Sign(
        "Before parameters: they are copies of the arguments. In `value of` it begins a value block.", "D20 D21 E26"
    ),
    # commands
    "if": Sign("Obeys a command if a test holds.", "C5 C6"),
    "unless": Sign("Obeys a command if a test does not hold.", "C7"),
    "test": Sign("Obeys one of two commands: test condition then do command or do command.", "C8 C9 C10 C30"),
    "then": Sign("Stands before the command of an if, or the first command of a test.", "C6 C8"),
    "do": Sign("Stands before the command of a test or a loop.", "C5 C8 C11 C16"),
    "or": Sign(
        "Stands before the second command of a test; elsewhere it is the sign ∨.",
        "C8",
        "without `do`, and in place of ∨",
    ),
    "not": Sign("Is part of `If not do`, the second arm of a Test as in 1967.", "C9"),
    "while": Sign("Obeys a command again and again as long as a test holds.", "C11"),
    "until": Sign("Obeys a command again and again until a test holds.", "C11"),
    "repeat": Sign("After a command: obeys it again and again.", "C12 C13 C14 C15", "by itself, as BCPL has it"),
    "for": Sign(
        "Obeys a command for each value of a name: for k = step 0, 1, n do …, for k = 0 to n do …, for v = list do …",
        "C16 C17 C18 G12",
    ),
    "step": Sign("Stands before the first value, the step and the limit of a for.", "C16"),
    "break": Sign("Leaves the loop.", "C24"),
    "return": Sign("Leaves the routine.", "C22"),
    "finish": Sign("Ends the program.", "C23"),
    "go": Sign("Is part of `go to`.", "C20"),
    "to": Sign("Is part of `go to`; stands before the limit of a for.", "C20 G12"),
    "goto": Sign("The same as go to.", "C20", "that it is one word"),
    "switch": Sign(
        "Obeys the commands of the case that is equal to a value: switch x into § case 1: … §|.", "C21", "the notation"
    ),
    "into": Sign("Stands between the value of a switch and its cases.", "C21", "the notation"),
    "case": Sign("Stands before the values for which the commands of a switch are obeyed.", "C21", "the notation"),
    "default": Sign("Stands before the commands that a switch obeys if no case is equal.", "C21", "the notation"),
    "result": Sign("In a `result of` block of 1963, the variable whose last value is that of the block.", "E25 E28"),
    "of": Sign("Is part of `value of` and `result of`.", "E25 E26"),
    "value of": Sign("Begins a value block: an expression made of commands, whose value `result is` gives.", "E26"),
    "result is": Sign("Leaves the value block with a value.", "E26 E28"),
    "result of": Sign(
        "Begins a value block as in 1963: its value is what the variable `result` has at its end.", "E25 E27"
    ),
    "then do": Sign("Stands before the first command of a test.", "C8"),
    "or do": Sign("Stands before the second command of a test.", "C8"),
    "repeat while": Sign("After a command: obeys it again as long as a test holds.", "C12 C15"),
    "repeat until": Sign("After a command: obeys it again until a test holds.", "C13 C15"),
    "go to": Sign("Continues at a label of a section around this command.", "C20 E20 G9"),
    # types and values
    "real": Sign("The type of numbers with a fraction.", "T1 T5"),
    "integer": Sign("The type of whole numbers.", "T1 T5"),
    "index": Sign("The type of whole numbers that fitted an index register.", "T1 T2"),
    "complex": Sign("The type of complex numbers.", "T1 T4"),
    "Boolean": Sign("The type of true and false.", "T1 T3"),
    "logical": Sign("The type of bit strings.", "T1 T3"),
    "string": Sign("The type of sequences of symbols.", "T1 T4"),
    "label": Sign("The type of variables that hold labels.", "T1 T5"),
    "general": Sign("The type of any value.", "T9"),
    "array": Sign("After a type and a number of dimensions: an array, as in real 2 array M.", "T7", "by itself"),
    "vector": Sign("An array of one dimension.", "T7", "by itself"),
    "matrix": Sign("An array of two dimensions.", "T7", "by itself"),
    "list": Sign("After a type: a list of such values.", "T12", "in a declaration, and by itself"),
    "pointer": Sign("After a type: a pointer to such a place.", "T13", "in a declaration, and by itself"),
    "node": Sign(
        "Defines a type of nodes with named components: node Cons is LispList : Car with Cons : Cdr.", "T14 S6"
    ),
    "element": Sign("Defines a type by its alternatives: element LispList is Atom or Cons.", "T15 S7"),
    "with": Sign("Joins the components of a node.", "T14 S9"),
    "type": Sign("Is reserved; this version does not compile it.", "", "that it is reserved"),
    "from": Sign("Is reserved; this version does not compile it.", "", "that it is reserved"),
    "NIL": Sign("The empty list; also the value of a component that has none.", "L26 S8"),
    "true": Sign("The truth value of what holds.", "L25"),
    "false": Sign(
        "The truth value of what does not hold.", "L25", "the notation; only the word False is attested, in prose"
    ),
    "infinity": Sign("Greater than any number, as ∞.", "L22", "the word"),
}
"""By terminals for operators and brackets, by themselves for words and phrases."""

_SECTIONS: Final = {"OPEN": ("§", "$("), "CLOSE": ("§|", "$)")}


def spellings(kind: str) -> tuple[str, ...]:
    """Return the forms of an operator or a bracket, the printed form first; of words nothing."""
    sign = _WRITTEN_AS.get(kind, kind)
    forms = SYMBOLS.get(sign, _SECTIONS.get(kind, ()))
    return (*forms, "\\lambda") if kind == "LAMBDA" else forms


SIGN_NAMES: Final = {
    "OPEN": ("sec", "section", "S"),
    "CLOSE": ("endsec", "endsection"),
    "ARROW": ("to", "rightarrow"),
    "EQUAL": ("eq",),
    "UNEQUAL": ("ne", "neq"),
    "LESS": ("lt",),
    "GREATER": ("gt",),
    "AT_MOST": ("le", "leq"),
    "AT_LEAST": ("ge", "geq"),
    "EQUIVALENT": ("eqv",),
    "INEQUIVALENT": ("neqv",),
    "AND": ("and", "land", "wedge"),
    "OR": ("or", "lor", "vee"),
    "NOT": ("not", "lnot", "neg"),
    "TIMES": ("times",),
    "POWER": ("uparrow",),
    "POINTS": ("downarrow",),
    "INFINITY": ("infty", "infinity"),
}
"""Names by which one finds a sign while typing, after a backslash: of languages and of LaTeX. They are no CPL."""

_WRITTEN_AS: Final = {"DEFINED": "EQUAL", "DEFINED_BY": "EQUIVALENT", "LABELS": "COLON"}
"""Terminals that the parser tells from another one of the same form, by where that stands."""


def sign_of(kind: str, text: str) -> str | None:
    """The key in SIGNS of a token, by its terminal and its text; None for names, numbers and strings."""
    words = " ".join(unmarked(text).split())
    keys = (words, words.lower(), PRINTED.get(kind, ""), kind)
    return next((key for key in keys if key in SIGNS), None)


@dataclass(frozen=True)
class Explanation:
    """The explanation of a code; `wrong` gives that diagnostic, `right` does not; empty if no short text can.

    `told` says which commands report it, unless it is an error for all of them.
    """

    words: str
    told: str = ""
    wrong: str = ""
    right: str = ""


@cache
def explanations() -> dict[str, Explanation]:
    """The explanations of all codes of diagnostics, by their codes."""
    _, *sections = re.split(r"^## ", outside.packaged_text("cpl/editors/explanations.md"), flags=re.MULTILINE)
    result = {}
    for section in sections:
        code, _, rest = section.partition("\n")
        # The text before the first example, then by turns an example and the text after it.
        words, *parts = re.split(r"```cpl\n(.*?)```\n", rest, flags=re.DOTALL)
        examples = parts[::2]
        wrong = examples[0] if examples else ""
        right = examples[1] if len(examples) > 1 else ""
        cause = messages.CAUSES[code.strip()]
        result[cause.code] = Explanation(words.strip(), _told(cause), wrong, right)
    return result


def _told(cause: messages.Cause) -> str:
    """Who is told of it, in words; "" for an error, and for what is told beside an error."""
    if cause.misleads and cause.severity == "error":
        return "An error of cpl check. Whatever compiles or runs the text reports it as a warning."
    if cause.misleads:
        return "Whatever compiles or runs the text reports this warning."
    if cause.severity == "warning" and cause not in messages.LANGUAGES:
        return "This is advice: only cpl check and editors report it."
    return ""
