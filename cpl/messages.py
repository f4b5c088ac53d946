"""The causes of diagnostics, as a table: a code that stays, the message in the reader's words, the help where there
is one.

Words in braces are filled in where the cause is reported.
"""

from dataclasses import dataclass
from typing import Final, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Cause:
    """One row of the table."""

    code: str
    message: str
    help: str = ""
    severity: Severity = "error"


# Signs and brackets

UNKNOWN_SIGN: Final = Cause("unknown-sign", "{sign} is not a sign of CPL")
HIDDEN: Final = Cause("hidden-character", "{sign} stands here", "delete it: a reader does not see it")
UNKNOWN_LETTER: Final = Cause(
    "unknown-letter", "{sign} is not the name of a Greek letter", "Greek letters are typed as \\sigma, \\Phi, \\theta …"
)
UNCLOSED_STRING: Final = Cause("unclosed-string", "this string does not end on its line", "close it with {closer}")
LONG_NUMBER: Final = Cause("long-number", "this number has {digits} digits, more than Python will read")
UNCLOSED_BRACKET: Final = Cause("unclosed-bracket", "this {opener} is never closed")
PLAIN_OPENS: Final = (
    "this text closes sections with a stroked sign, so a plain § at the head of a line opens one; to close, write §|"
)
MISMATCHED: Final = Cause("mismatched-bracket", "this {closer} cannot close {opener}", "close it with {wanted}")
STRAY_BRACKET: Final = Cause("stray-bracket", "this {closer} closes nothing")
UNKNOWN_TAG: Final = Cause(
    "unknown-tag", "this {closer} closes no open section", "a tagged section ends with the tag that it began with"
)
TOO_DEEP: Final = Cause("too-deep", "this is nested more than {limit} deep", "give the inner part a name of its own")
NO_ROOM: Final = Cause(
    "no-room",
    "this text needs calls that nest deeper than this process allows ({limit})",
    "use cplc, or call cplrt.allow_deep_recursion() first",
)
NOT_FOR_PYTHON: Final = Cause(
    "not-for-python", "this nests deeper than Python can read", "give the inner part a name of its own"
)
TOO_LONG: Final = Cause(
    "too-long", "this has more than {limit} {things}", "split it, and give the parts names of their own"
)

TOO_MANY: Final = Cause(
    "too-many",
    "what begins here has more than {limit} words and signs",
    "split it, and give the parts names of their own",
)
TOO_BIG: Final = Cause(
    "too-big",
    "this text has {length} characters, and cplc reads {limit} at the most",
    "put parts of it in files of their own",
)

REPAIRED: Final = Cause(
    "repaired", "this did not parse, and is read with one sign changed", "{advice}{choice}", severity="warning"
)

# Shape

UNEXPECTED: Final = Cause("unexpected", "{found} cannot stand here")
MISSPELT: Final = Cause("misspelt", "{run} is no word of CPL")
PRODUCT_FOR_NAME: Final = Cause(
    "product-for-name",
    "{run} is read as {product}, and a name is needed here",
    "a lower-case letter is a whole name; a name of several letters begins with a capital: {capital}",
)
UNFINISHED: Final = Cause("unfinished", "this ends too early")
OF_SIGNS: Final = (
    UNKNOWN_SIGN,
    UNCLOSED_BRACKET,
    MISMATCHED,
    STRAY_BRACKET,
    UNKNOWN_TAG,
    UNEXPECTED,
    UNFINISHED,
)
"""Causes that one wrong sign may have."""

CANCELLED: Final = Cause(
    "cancelled",
    "these are two minus signs, and one cancels the other",
    "one sign subtracts; a minus before a negative value has brackets: x - (-1)",
    severity="warning",
)
NOT_YET: Final = Cause("not-yet", "{what} is CPL, but this version of cplc does not compile it yet")
NOT_A_HEADING: Final = Cause(
    "not-a-heading",
    "this cannot be defined",
    "a definition begins with a name, Name(x,y), or a list of names in brackets",
)
NOT_A_ROUTINE: Final = Cause(
    "not-a-routine",
    "this cannot be a routine",
    "a routine is defined by: let R[x] be …, or let R[] be … without parameters",
)
FIXED: Final = Cause(
    "fixed",
    "{name} is fixed here, and nothing can be assigned to it",
    "a function that is defined with = takes the values of what is around it; define it with ≡ to take the places",
)
NO_ROUTINE: Final = Cause("no-routine", "this return stands in no routine", "a block gives its value by: result is …")
NOT_A_NAME: Final = Cause("not-a-name", "only a name can be declared here")
UNEVEN: Final = Cause("uneven", "{values} on the right for {targets} on the left")
NOT_A_TARGET: Final = Cause("not-a-target", "nothing can be assigned to this")
CONSTANT: Final = Cause("constant", "{name} is a function, and nothing can be assigned to it")
NOT_SHARED: Final = Cause("not-shared", "only a single name can be another one for a place", "write: let q ≃ p")
NO_BLOCK: Final = Cause("no-block", "this gives a result, and no value block is round it")
NO_LABEL: Final = Cause(
    "no-label",
    "no label {name} is within reach",
    "a go to leads to a label in a section round it, not out of a block, nor past a definition of the outermost level",
)
NOT_A_LABEL: Final = Cause("not-a-label", "a go to leads to a label")
NO_SWITCH: Final = Cause("no-switch", "this case stands in no switch")
NO_CASE: Final = Cause("no-case", "a case must come before this", "a switch holds: case 1: … default: …")
NO_LOOP: Final = Cause("no-loop", "this break stands in no loop")
NOT_A_PARAMETER: Final = Cause(
    "not-a-parameter",
    "a parameter must be a name",
    "a function is defined by: F(x) = …; to give an element another value, write := for =",
)
REPEATED_NAME: Final = Cause("repeated-name", "{name} stands twice in this list")
NOT_A_COMMAND: Final = Cause("not-a-command", "this value is not used", "to give it as the result, write: result is …")
EMPTY_BRACKET: Final = Cause("empty-bracket", "these brackets hold nothing", "the empty list is NIL")
COMMAND_AT_TOP: Final = Cause(
    "command-at-top", "this value is not used", "to write it: Write({call}); or try: cpl run FILE --call '{call}'"
)
EMPTY_BLOCK: Final = Cause("empty-block", "this block has no result", "a value block gives its value by: result is …")

# Names

UNKNOWN_NAME: Final = Cause("unknown-name", "nothing defines {name}")
IN_COMPANION: Final = Cause(
    "in-companion",
    "{what} in {file}, the companion of {owners}: {names}",
    'add --library {file}, or begin the text with the line: get "{file}"',
)
UNKNOWN_PRODUCT: Final = Cause("unknown-product", "{run} is read as {product}, and nothing defines {names}")
DEFINED_TWICE: Final = Cause("defined-twice", "{name} is defined twice")
ANOTHER: Final = Cause(
    "another",
    "this is another {name}, and nothing uses it",
    "to give the outer one another value, write: {name} := …",
    severity="warning",
)
CIRCULAR: Final = Cause("circular-definition", "{name} is defined by itself{through}")
USED_EARLY: Final = Cause(
    "used-early", "this needs {name}, which is defined further down", "what commands use must be defined above them"
)
WRONG_COUNT: Final = Cause("wrong-count", "{name} takes {wanted}, here it has {given}")
NOT_A_VALUE: Final = Cause(
    "not-a-value", "{name} is a routine and has no value", "it is a command by itself: {name}[…]"
)
NOT_A_FUNCTION: Final = Cause("not-a-function", "{what} is no function, and cannot be applied")
UNREACHABLE: Final = Cause("unreachable", "this is never reached", severity="warning")

# Types

DISAGREEMENT: Final = Cause("disagreement", "here is {made}, and {needed} is needed")
WRONG_SHAPE: Final = Cause("wrong-shape", "here is {made}, and {needed} is taken apart")
NOT_A_CONDITION: Final = Cause("not-a-condition", "here is {made}, and a condition is true or false")
CONTRADICTION: Final = Cause("contradiction", "this is needed as {first} and as {second}")
ARMS_DISAGREE: Final = Cause(
    "arms-disagree",
    "here the value is {second}, and elsewhere it is {first}",
    "a value may be of several types if it is asked of which one it is, or compared",
    severity="warning",
)
MIXED: Final = Cause(
    "mixed-types",
    "{name} is given {second} here, and {first} elsewhere",
    "a variable may be of several types if it is asked of which one it is, or compared",
    severity="warning",
)
NEVER_EQUAL: Final = Cause("never-equal", "these can never be equal", severity="warning")
MISSING_RESULT: Final = Cause("missing-result", "this block may end without a result", severity="warning")

# Lints: only `cpl check` says these

UNUSED: Final = Cause("unused", "nothing uses {name}", severity="warning")
UNUSED_LABEL: Final = Cause("unused-label", "no go to leads to {name}", severity="warning")
NEVER_READ: Final = Cause("never-read", "{name} is given values, and nothing uses them", severity="warning")
SAME_EACH_TIME: Final = Cause(
    "same-each-time",
    "this is another {name} in each round, and the outer one stays as it is",
    "to give the outer one another value, write: {name} := …",
    severity="warning",
)
HIDES: Final = Cause(
    "hides",
    "{name} is a variable here, so this is a product and not the function {name} applied",
    "give the variable another name",
    severity="warning",
)
LOST: Final = Cause(
    "lost",
    "nothing uses what is assigned to the parameter {name} here",
    "a parameter by value is the function's own; to change what is given for it, write: ref {name}",
    severity="warning",
)
NOT_SEEN: Final = Cause(
    "not-seen",
    "{function} does not see the new value of {name}",
    "a function that is defined with = takes the values of what is around it; define it with ≡ to take the places",
    severity="warning",
)
CONSTANT_TEST: Final = Cause("constant-test", "this is always {outcome}", severity="warning")
TESTED_BEFORE: Final = Cause("tested-before", "this was tested before, so here it is false", severity="warning")

# Files

NOT_UTF8: Final = Cause("not-utf8", "the byte {byte} here is not UTF-8", "save the text as UTF-8")
UNREADABLE: Final = Cause("unreadable", "{reason}")
