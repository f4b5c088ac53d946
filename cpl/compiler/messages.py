"""The wording of every diagnostic: a stable code, a message and, where there is one, help.

Words in braces are filled in where the diagnostic is reported, those for types by `types/report`. Help that
depends on the place is worded there, too. What a running program reports is in `python_errors`, the
interpreter and `cplrt`.
"""

from dataclasses import dataclass
from typing import Final, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Cause:
    """A kind of diagnostic. `code` stays the same when the wording improves.

    What `misleads` does harm: a run that comes there may do something else than the text seems to say, or fail. Every
    way to compile or run a text says it, by `pipeline.Meaning.misleading`. Other warnings are advice, for `cpl check`
    and editors.
    """

    code: str
    message: str
    help: str = ""
    severity: Severity = "error"
    misleads: bool = False


# Tokens and brackets

UNKNOWN_SIGN: Final = Cause("unknown-sign", "CPL has no symbol {sign}")
LETTERS: Final = "a name has only the letters A to Z and a to z, Greek letters, digits and primes"
NO_OPERATOR: Final = (
    "the operators of CPL are + − × / ↑, = ≠ < > ≤ ≥, ∧ ∨ ≡ ≢; for another one define a function: F(a,b) = …"
)
HIDDEN: Final = Cause("hidden-character", "{sign} is not allowed here", "delete it: readers cannot see it")
UNKNOWN_LETTER: Final = Cause(
    "unknown-letter", "{sign} does not name a Greek letter", "type Greek letters as \\sigma, \\Phi, \\theta …"
)
RUN_TOGETHER: Final = Cause("run-together", "{sign} and {rest} are run together")
LEFT_OUT: Final = Cause(
    "left-out", "these dots stand for what the source leaves out", "write what belongs there, or delete them"
)
UNCLOSED_STRING: Final = Cause("unclosed-string", "this string is not closed on its line", "close it with {closer}")
WRONG_DIGIT: Final = Cause("wrong-digit", "{digit} is not {base} digit")
DIGIT_OR_VALUE: Final = (
    "{sign} by itself before a number begins {base} number, whose digits are {digits}; "
    "between two values write a comma or an operator"
)
"""The help where the sign of the base is a plain digit, which may be meant as a number."""
NO_BASE: Final = Cause("no-base", "{sign} does not begin a number here")
PARTLY_MARKED: Final = Cause("partly-marked", "only some letters of {run} are underlined or bold")
LONG_NUMBER: Final = Cause("long-number", "this number has {digits} digits, more than Python can read")
UNCLOSED_BRACKET: Final = Cause("unclosed-bracket", "this {opener} is never closed")
PLAIN_OPENS: Final = (
    "in this text §| closes a section, so a plain § at the start of a line opens one; to close it, write §|"
)
MISMATCHED: Final = Cause(
    "mismatched-bracket", "expected {wanted} to close {opener}, found {closer}", "replace {closer} with {wanted}"
)
STRAY_BRACKET: Final = Cause("stray-bracket", "{closer} has no matching opening bracket")
UNKNOWN_TAG: Final = Cause(
    "unknown-tag", "{closer} matches no open section", "close a tagged section with the tag that opened it"
)
TOO_DEEP: Final = Cause(
    "too-deep", "this is nested more than {limit} levels deep", "define the inner part under a name of its own"
)
NO_ROOM: Final = Cause(
    "no-room",
    "this text needs deeper recursion than this process allows ({limit} calls)",
    "use cplc, or call cplrt.allow_deep_recursion() first",
)
NOT_FOR_PYTHON: Final = Cause(
    "not-for-python", "this is nested deeper than Python can parse", "define the inner part under a name of its own"
)
TOO_LONG: Final = Cause(
    "too-long", "this has more than {limit} {things}", "split it into parts with names of their own"
)

TOO_MANY: Final = Cause(
    "too-many",
    "this has more than {limit} {things}",
    "split it into parts with names of their own",
)
TOO_BIG: Final = Cause(
    "too-big",
    "this text has {length} characters; cplc reads at most {limit}",
    "split it into several files",
)

REPAIRED: Final = Cause(
    "repaired",
    "this does not compile; cplc {done} to continue",
    "{choice}",
    severity="warning",
    misleads=True,
)
BCPL: Final = Cause(
    "bcpl", "this looks like BCPL, which came after CPL", "cpl help bcpl tells the differences", severity="warning"
)
ALGOL: Final = Cause(
    "algol",
    "this looks like ALGOL 60, from which CPL comes",
    "cpl help algol tells the differences",
    severity="warning",
)
LANGUAGES: Final = (ALGOL, BCPL)
"""What is told beside the errors of a text in another language."""
NOT_SHOWN: Final = Cause("not-shown", "{count} more are not shown", "correct those first")

# Shape

UNEXPECTED: Final = Cause("unexpected", "unexpected {found}")
MISSPELT: Final = Cause("misspelt", "{run} is not a CPL word")
PRODUCT_FOR_NAME: Final = Cause(
    "product-for-name",
    "expected a name, found {run}, which means {product}",
    "a lower-case letter is a name by itself; a longer name starts with a capital: {capital}",
)
UNFINISHED: Final = Cause("unfinished", "this is incomplete")
OF_OPERATOR: Final = "write a value after {operator}"
"""The help where a line ends with an operator and the next one is a command."""
READ_AS_MEANT: Final = (UNKNOWN_SIGN, RUN_TOGETHER, PARTLY_MARKED)
"""Causes of errors that, where they have a fix, do not keep the rest of the text from being read as if it were made."""
OF_SIGNS: Final = (
    UNKNOWN_SIGN,
    UNCLOSED_BRACKET,
    MISMATCHED,
    STRAY_BRACKET,
    UNKNOWN_TAG,
    UNEXPECTED,
    UNFINISHED,
)
"""Causes that one wrong token may have."""

OF_BRACKETS: Final = (MISMATCHED, STRAY_BRACKET, UNKNOWN_TAG)
"""Causes whose help a repair says better."""

CANCELLED: Final = Cause(
    "cancelled",
    "these two minus signs cancel out",
    "write one minus to subtract; to subtract a negative value, use brackets: x - (-1)",
    severity="warning",
    misleads=True,
)
WIDE_DIVISOR: Final = Cause(
    "wide-divisor",
    "this divides by {divisor}",
    "for the quotient first, write: {left}; to divide by the product, write: {right}",
    severity="warning",
    misleads=True,
)
NOT_YET: Final = Cause("not-yet", "cplc does not yet support {what}")
NOT_A_HEADING: Final = Cause(
    "not-a-heading",
    "expected a name to define",
    "a definition starts with a name, with Name(x,y), or with a list of names in brackets",
)
NOT_A_ROUTINE: Final = Cause(
    "not-a-routine",
    "expected the name and parameters of a routine",
    "write: routine R(x) is …, or without parameters: routine R is …",
)
FIXED: Final = Cause(
    "fixed",
    "cannot assign to {name}: this function captures its value",
    "a function defined with = captures values; define it with ≡ to capture the variables themselves",
)
NO_ROUTINE: Final = Cause(
    "no-routine", "`return` outside a routine", "to return a value from a value block, write: result is …"
)
NOT_A_NAME: Final = Cause("not-a-name", "expected a name")
BOUNDS: Final = "an array gets its bounds where it is made: {made}"
UNEVEN: Final = Cause("uneven", "{targets} on the left but {values} on the right")
NOT_A_TARGET: Final = Cause(
    "not-a-target", "cannot assign to this expression", "write a variable, an element A[i] or a component on the left"
)
CONSTANT: Final = Cause("constant", "cannot assign to {name}, which is {what}")
NOT_SHARED: Final = Cause("not-shared", "an alias must be a single name", "write: let q ≃ p")
NO_BLOCK: Final = Cause("no-block", "`result is` outside a value block")
NO_LABEL: Final = Cause(
    "no-label",
    "no label {name} in reach",
    "`go to` reaches the labels of the sections around it: put {name}: before a command of one",
)
NOT_A_LABEL: Final = Cause("not-a-label", "expected a label", "write a name, or a choice of names: b → L, M")
LABEL_AS_VALUE: Final = Cause(
    "label-as-value",
    "the label {name} is not a value",
    "a label variable of the same function or value block may hold it (label K = L; K := M), and only `go to` uses it",
)
LABEL_AS_ARGUMENT: Final = Cause(
    "label-as-argument",
    "a label cannot be an argument, a result or a member",
    "jumps do not leave functions, so no label leads out of one",
)
NO_SWITCH: Final = Cause("no-switch", "`case` outside a switch")
NO_CASE: Final = Cause(
    "no-case", "expected `case` or `default` before this command", "a switch contains: case 1: … default: …"
)
NO_LOOP: Final = Cause("no-loop", "`break` outside a loop")
NOT_A_PARAMETER: Final = Cause(
    "not-a-parameter",
    "expected the name of a parameter",
    "define a function by: F(x) = …; to assign to an element, write := instead of =",
)
REPEATED_NAME: Final = Cause("repeated-name", "{name} appears twice in this list")
NOT_A_COMMAND: Final = Cause(
    "not-a-command", "the value of this expression is not used", "to return it, write: result is …"
)
OF_BARE_NAME: Final = "to print the value, write: WriteLine({name}); to call a routine that is in a variable: {name}()"
ENDS_ROUTINE: Final = Cause(
    "ends-routine",
    "{name} is a variable, and its bare name ends the routine",
    "to call a routine that is in a variable, write: {name}(); to leave this routine, write: return",
    severity="warning",
    misleads=True,
)
EMPTY_BRACKET: Final = Cause("empty-bracket", "these brackets are empty", "write the empty list as NIL")
COMMAND_AT_TOP: Final = Cause(
    "command-at-top",
    "the value of this expression is not used",
    "to print it, write: WriteLine({call}); or run: cpl run FILE --call '{call}'",
)
EMPTY_BLOCK: Final = Cause("empty-block", "this value block has no result", "to return a value, write: result is …")

# Names

UNKNOWN_NAME: Final = Cause("unknown-name", "{name} is not defined")
IN_COMPANION: Final = Cause(
    "in-companion",
    "{what} in {file}, the companion of {owners}: {names}",
    'add --library {file}, or begin the text with the line: get "{file}"',
)
UNKNOWN_PRODUCT: Final = Cause("unknown-product", "{run} means {product}, but {names} not defined")
DEFINED_TWICE: Final = Cause("defined-twice", "{name} is defined twice")
ANOTHER: Final = Cause(
    "another",
    "this defines a new {name}, which is never used",
    "to assign to the outer {name}, write: {name} := …",
    severity="warning",
    misleads=True,
)
CIRCULAR: Final = Cause("circular-definition", "the value of {name} depends on itself{through}")
USED_EARLY: Final = Cause(
    "used-early", "this needs {name}, which is defined further down", "define a name above the commands that use it"
)
WRONG_COUNT: Final = Cause("wrong-count", "{name} takes {wanted} but got {given}")
NOT_A_VALUE: Final = Cause(
    "not-a-value", "{name} is a routine and has no value", "call it as a command, on a line of its own: {name}(…)"
)
NOT_A_FUNCTION: Final = Cause("not-a-function", "{what} is not a function and cannot be applied")
UNREACHABLE: Final = Cause("unreachable", "this is never executed", severity="warning", misleads=True)
PASSED_FUNCTION: Final = Cause(
    "passed-function",
    "a jump passes the definition of {name}, which captures {captured}: after the jump it has no value",
    "define {name} before the jump",
    severity="warning",
    misleads=True,
)

# Types

DISAGREEMENT: Final = Cause("disagreement", "expected {needed}, found {made}", misleads=True)
WRONG_SHAPE: Final = Cause("wrong-shape", "expected {needed} to take apart, found {made}", misleads=True)
NOT_A_CONDITION: Final = Cause("not-a-condition", "expected a condition, found {made}", misleads=True)
CONTRADICTION: Final = Cause("contradiction", "this is used both as {needed} and as {made}", misleads=True)
WHOLE_QUOTIENT: Final = "a / b is a real number, even 4 / 2; for a whole quotient write: Quotient({a},{b})"
WHOLE_PART: Final = "for the greatest whole number that is not above it, write: Entier({x})"
MAY_DISAGREE: Final = Cause(
    "may-disagree",
    "expected {needed}, but may get {made}",
    "test its type first, as by Is; or declare what holds it: general x = …, general list L = …, general F(x) = …",
    severity="warning",
    misleads=True,
)
ENDLESS: Final = Cause(
    "endless",
    "{name} always calls itself, so this never ends",
    "put a test before it: test → value, otherwise",
    severity="warning",
    misleads=True,
)
ARMS_DISAGREE: Final = Cause(
    "arms-disagree",
    "the value is {second} here but {first} elsewhere",
    "give it one type everywhere, or test which type it has before you use it",
    severity="warning",
)
MIXED: Final = Cause(
    "mixed-types",
    "{name} is assigned {second} here but {first} elsewhere",
    "assign values of one type, or test which type it has before you use it",
    severity="warning",
)
NEVER_EQUAL: Final = Cause(
    "never-equal", "this is {second}, which never equals {first}", severity="warning", misleads=True
)
MISSING_RESULT: Final = Cause(
    "missing-result",
    "this block may end without a result",
    "end every way through it with: result is …",
    severity="warning",
    misleads=True,
)

# Lints

UNUSED: Final = Cause("unused", "{name} is never used", severity="warning")
UNUSED_LABEL: Final = Cause("unused-label", "no `go to` uses the label {name}", severity="warning")
NEVER_READ: Final = Cause("never-read", "{name} is assigned but never read", severity="warning")
SAME_EACH_TIME: Final = Cause(
    "same-each-time",
    "this defines a new {name} in each iteration; the outer one does not change",
    "to assign to the outer {name}, write: {name} := …",
    severity="warning",
    misleads=True,
)
UNSET: Final = Cause(
    "unset",
    "{name} has no value here",
    "assign to it before, or give it a first value where it is declared",
    severity="warning",
    misleads=True,
)
EMPTY_RANGE: Final = Cause(
    "empty-range",
    "the range {first} to {last}{steps} is empty",
    "to count {direction}, use a {sign} step: step {first}, {step}, {last}",
    severity="warning",
    misleads=True,
)
HIDES: Final = Cause(
    "hides",
    "{name} is a variable here, so this is a product, not a call of the function {name}",
    "rename the variable",
    severity="warning",
    misleads=True,
)
LOST: Final = Cause(
    "lost",
    "the value assigned to the parameter {name} is never used",
    "a parameter called by value is a copy; to change the caller's variable, write: ref {name}",
    severity="warning",
    misleads=True,
)
NOT_SEEN: Final = Cause(
    "not-seen",
    "{function} does not see the new value of {name}",
    "a function defined with = captures values; define it with ≡ to capture the variables themselves",
    severity="warning",
    misleads=True,
)
INDENTED: Final = Cause(
    "indented",
    "this is indented, but is not part of the {word} above",
    "put the commands of its body between section brackets: § … §|",
    severity="warning",
    misleads=True,
)
SAME_LINE: Final = Cause(
    "same-line",
    "this is written on the line of the Write before it, with nothing between",
    "to end the line there, write: WriteLine(…)",
    severity="warning",
    misleads=True,
)
STARS: Final = Cause(
    "stars",
    "these {written} stars are written as {printed}: ** in a string is one star",
    "write ** for each star",
    severity="warning",
    misleads=True,
)

# Files

NOT_UTF8: Final = Cause(
    "not-utf8",
    "byte {byte} is not valid UTF-8",
    "this may be {encoding}: save it as UTF-8 in an editor, or run: iconv -f {encoding} -t UTF-8 FILE > NEW",
)
UNREADABLE: Final = Cause("unreadable", "{reason}")

OF_COUNTS: Final = (
    PRODUCT_FOR_NAME,
    NOT_A_HEADING,
    UNEVEN,
    NOT_A_COMMAND,
    COMMAND_AT_TOP,
    UNKNOWN_NAME,
    IN_COMPANION,
    UNKNOWN_PRODUCT,
    WRONG_COUNT,
)
"""Causes that a lost comma, arrow or equals sign may have in a text that parses."""

CAUSES: Final = {cause.code: cause for cause in [*globals().values()] if isinstance(cause, Cause)}
"""All causes, by their codes."""
