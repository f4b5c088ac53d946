"""The surface tree: what is written, one frozen dataclass a construct, each with its span.

Brackets stay nodes and chains of operators stay flat: a text is compared and printed by this tree. Spans are not
compared, so two trees are equal if they were written alike. The resolver makes the core tree of it (`semantics/core`).
"""

from dataclasses import dataclass, field

from cpl.compiler.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that was written somewhere."""

    span: Span = field(compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Program(Node):
    """A whole text: `statement ⏎ statement ⏎ …`, and the comments in it, which belong to no node."""

    statements: tuple["Statement", ...]
    comments: tuple["Comment", ...] = field(default=(), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Comment(Node):
    """`|| text` or `## text`, to the end of its line; the text without the `||`."""

    text: str


# Statements


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """`let heading = value`, or without `let`; `words` stand before the heading: `let`, `rec`, `function`, a type.

    The sign is `=`, which captures values; `≡`, which captures variables (the free ones of a function; an expression
    is evaluated wherever the name is used); or `≃`, which makes the name an alias of an l-value. With the word `all`,
    each name gets the whole value (G7).
    """

    heading: "Heading"
    value: "Expression"
    words: tuple[str, ...] = ()
    sign: str = "="


@dataclass(frozen=True, slots=True)
class Together(Node):
    """`let d and e`: definitions that do not see each other, unless they are `rec`."""

    definitions: tuple["Definition | Routine | Declaration", ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Own(Node):
    """`let d in e`: definitions d, which the definitions e alone see."""

    own: "Definition | Routine | Declaration | Together"
    inner: "Definition | Routine | Declaration | Together"


@dataclass(frozen=True, slots=True)
class Routine(Node):
    """`let R[x] be command`, `rec R[x] is command`, `routine R(x) = command`"""

    heading: "FunctionHeading"
    command: "Statement"
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """`real x, y`, `let x, y all be real`: names without values."""

    kind: str
    names: tuple["Name", ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preference(Node):
    """`prefer index`: the type of the constants and names that follow in the section and have none (G5)."""

    kind: str


@dataclass(frozen=True, slots=True)
class Declarations(Node):
    """`dec § … §|`"""

    section: "Section"


@dataclass(frozen=True, slots=True)
class NodeType(Node):
    """`node Cons is LispList : Car with Cons : Cdr`; of each component its name and its type, as they are written."""

    name: "Name"
    components: tuple["Parameter", ...]


@dataclass(frozen=True, slots=True)
class Element(Node):
    """`element LispList is Atom or Cons`: the types that it may be of, by name."""

    name: "Name"
    alternatives: tuple["Name", ...]


@dataclass(frozen=True, slots=True)
class FunctionHeading(Node):
    """`F(x,y)` or `F[x,y]` on the left of a definition; without brackets, `square` is None (G2)."""

    name: "Name"
    parameters: tuple["Parameter", ...]
    square: bool | None


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`x`, `ref Knot : x`, `real Eps`; `mode` is `value`, `ref` or `substitution`, `kind` a type as it is written."""

    name: str
    mode: str = "value"
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    """`(x,y,z)` on the left of a definition: names for the members of a list."""

    items: tuple["Name | Pattern", ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if test then command`, or `unless test do command`"""

    test: "Expression"
    command: "Statement"
    unless: bool


@dataclass(frozen=True, slots=True)
class Test(Node):
    """`test condition then do command or do command`"""

    condition: "Expression"
    command: "Statement"
    otherwise: "Statement"


@dataclass(frozen=True, slots=True)
class While(Node):
    """`while test do command`, or `until test do command`"""

    test: "Expression"
    command: "Statement"
    until: bool


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`command repeat`, `command repeat while test`, `command repeat until test`"""

    command: "Statement"
    test: "Expression | None" = None
    until: bool = False


@dataclass(frozen=True, slots=True)
class ForStep(Node):
    """`for name = step first, step, last do command`; `for name = first to last do command` has no step (G12)."""

    name: "Name"
    first: "Expression"
    step: "Expression | None"
    last: "Expression"
    command: "Statement"


@dataclass(frozen=True, slots=True)
class ForList(Node):
    """`for name = list do command`"""

    name: "Name"
    members: "Expression"
    command: "Statement"


@dataclass(frozen=True, slots=True)
class Leave(Node):
    """`break`, out of a loop; `return`, out of a routine; `finish`, out of the program"""

    word: str


@dataclass(frozen=True, slots=True)
class Label(Node):
    """`L:`, before the command that is labelled"""

    name: "Name"


@dataclass(frozen=True, slots=True)
class GoTo(Node):
    """`go to L`, `go to test → L, M`"""

    label: "Expression"


@dataclass(frozen=True, slots=True)
class Switch(Node):
    """`switch value into § case 1: … default: … §|` (our choice: no notation is attested)"""

    value: "Expression"
    section: "Section"


@dataclass(frozen=True, slots=True)
class Case(Node):
    """`case value, value:`, or `default:` without any"""

    values: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Assignment(Node):
    """`targets := values`, all at once"""

    targets: tuple["Expression", ...]
    values: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Result(Node):
    """`result is value`"""

    value: "Expression"


@dataclass(frozen=True, slots=True)
class ValueCommand(Node):
    """An expression where a command is wanted: `PrintPosition(P)`, `Resign`."""

    value: "Expression"


@dataclass(frozen=True, slots=True)
class Section(Node):
    """`§ statement ⏎ … §|`, with a tag as in `§1.2 … §|1.2`"""

    statements: tuple["Statement", ...]
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Get(Node):
    """`get "file"`"""

    path: str


# Expressions


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`test → value, test → value, otherwise`"""

    arms: tuple["Arm", ...]
    otherwise: "Expression"


@dataclass(frozen=True, slots=True)
class Arm(Node):
    """`test → value,`"""

    test: "Expression"
    value: "Expression"


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """`- a + b c ∧ ~d`: operands and operators as they stand, in no order of precedence yet."""

    items: tuple["Expression | Operator", ...]


@dataclass(frozen=True, slots=True)
class Operator(Node):
    """An operator in a chain, by its terminal: PLUS, AND, JUXTAPOSED …"""

    kind: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """`x`, `σ'`, `ChosenPosition`"""

    name: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """`253`, `3.5`: the digits as written; or the code of a `symbol`, which is written where numbers are preferred."""

    digits: str
    symbol: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class String(Node):
    """`‘Capture’`: the text between the quotes, as it is written"""

    text: str


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """`true`, `false`, `NIL`, `∞`, by its terminal"""

    kind: str


@dataclass(frozen=True, slots=True)
class Bracket(Node):
    """`(x)`, grouping, or `(x,y)`, a list of several; `[x,y]`, our notation for a list of any length, is `square`"""

    items: tuple["Expression", ...]
    square: bool = False


@dataclass(frozen=True, slots=True)
class Application(Node):
    """`F(x,y)` or `F[x,y]`"""

    function: "Expression"
    arguments: tuple["Expression", ...]
    square: bool


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    """A type as an argument: `Array [real, (0,15)]`"""

    name: str


@dataclass(frozen=True, slots=True)
class Follow(Node):
    """`↓P`"""

    pointer: "Expression"


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`value where definitions`"""

    value: "Expression"
    definitions: tuple["Definition | Routine", ...]
    rec: bool = False


@dataclass(frozen=True, slots=True)
class Lambda(Node):
    """`λx. body`, `λ(x,y). body`"""

    parameters: tuple["Name", ...]
    body: "Expression"


@dataclass(frozen=True, slots=True)
class ValueBlock(Node):
    """`value of § … §|`, or `result of § … §|` as in 1963"""

    section: Section
    result: bool


Heading = Name | FunctionHeading | Pattern
Statement = (
    Definition
    | Together
    | Own
    | Routine
    | Declaration
    | Declarations
    | Preference
    | If
    | Test
    | While
    | Repeat
    | ForStep
    | ForList
    | Leave
    | Label
    | GoTo
    | Switch
    | Case
    | NodeType
    | Element
    | Assignment
    | Result
    | ValueCommand
    | Section
    | Get
)
Expression = (
    Conditional
    | Chain
    | Name
    | Number
    | String
    | Constant
    | Bracket
    | Application
    | ValueBlock
    | Follow
    | Where
    | Lambda
    | TypeName
)
