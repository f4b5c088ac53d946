"""The core language: few kinds of node, names bound, operators applied to their operands.

The interpreter, the type inference and the lowering share it. Two variables of one name are two `Local`s.
"""

from dataclasses import dataclass, field
from typing import Final

from cpl.compiler.source import Source, Span


@dataclass(frozen=True, slots=True)
class Node:
    """Any node of the core tree, and the place where it was written."""

    span: Span = field(compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Program:
    """Everything that is compiled together, in an order in which it can be evaluated from top to bottom.

    `source` is the program's own text; definitions of other sources come from its companions and libraries. Within
    a definition everything stands `in_order` of the text, unless the program is optimised; then `passed_on` are the
    names of cplrt that the program had before, for its module to pass on. One that `grows`, text by text, may define
    its functions again.
    """

    source: Source
    definitions: tuple["Definition", ...]
    in_order: bool = True
    passed_on: frozenset[str] = frozenset()
    grows: bool = False


# Definitions


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A function of the top level. One that is not `by_place` captures the values of the variables `captured`, those of
    its free ones that change, when it is defined (D17). `result` is the declared type of its result. A `note` says what
    it is if a pass has made it. One that has a `door` is for Python: the door applies `Fast` to a faster function and
    to the form of its arguments, and what has another form is left to the body. One that stands `alone` is written out
    in no other function, as its operators might mean something else there.
    """

    name: "Global"
    parameters: tuple["Local", ...]
    body: "Expression"
    by_place: bool = True
    captured: tuple["Global", ...] = ()
    result: str = field(default="", compare=False, repr=False)
    note: str = field(default="", compare=False, repr=False)
    door: tuple["Apply", ...] = ()
    alone: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Constants(Node):
    """A constant of the top level, or several by one value taken apart."""

    target: "Target"
    value: "Expression"


@dataclass(frozen=True, slots=True)
class NodeType(Node):
    """A type of nodes (T14); its name makes a node of one value for each component. `types` are as declared."""

    name: "Global"
    components: tuple[str, ...]
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ElementType(Node):
    """A type with other types as alternatives (T15): types of nodes, and basic ones by their names."""

    name: "Global"
    alternatives: tuple["Global | Literal", ...]


@dataclass(frozen=True, slots=True)
class Commands(Node):
    """Commands of the top level."""

    commands: tuple["Command", ...]


# Names


@dataclass(frozen=True, slots=True)
class Local(Node):
    """A parameter or variable, numbered within its definition. `declared` is the declared type of what it stands for.

    `mode` says what it holds: "" its value, `reference` a reference to a place, `substitution` a function that gives
    the value (call by name), `place by substitution` a function that gives such a reference. It is `label` of a label
    variable as the resolver leaves it (`semantics/jumps`). Where it is a parameter, what it gets is converted to a
    number of the type `converts_to`, if there is one (`semantics/conversions`).
    """

    name: str
    number: int
    declared: str = field(default="", compare=False, repr=False)
    mode: str = field(default="", compare=False, repr=False)
    converts_to: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LabelName(Node):
    """The name of a label, numbered within its definition. As an expression, the label is meant: so the resolver leaves
    it, and `cpl.compiler.semantics.jumps` decides what it becomes.
    """

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Global(Node):
    """A name of the top level. `origin` is ``""`` in the program's unit, the file name in a closed library, and a place
    in a text if only the definition there sees the name. `declared` is its declared type. One that `is_changing` is
    assigned somewhere: only passes ask.
    """

    name: str
    origin: str | Span = ""
    declared: str = field(default="", compare=False, repr=False)
    is_changing: bool = field(default=False, compare=False, repr=False)

    @property
    def is_hidden(self) -> bool:
        """Whether only one definition sees it (D19)."""
        return isinstance(self.origin, Span)

    @property
    def is_of_library(self) -> bool:
        """Whether a closed library defines it."""
        return isinstance(self.origin, str) and self.origin != ""

    @property
    def is_made(self) -> bool:
        """Whether a pass has made the name, so that nobody outside of the module knows it."""
        return self.name.startswith("_")

    @property
    def is_public(self) -> bool:
        """Whether Python may use the name."""
        return not (self.is_hidden or self.is_made)


@dataclass(frozen=True, slots=True)
class Host(Node):
    """A name that cplrt provides."""

    name: str


@dataclass(frozen=True, slots=True)
class NewBox(Node):
    """As what is defined: a new box, in which the value of the variable is put. If it has a `kind`, it converts what is
    put into it to a number of this type. Only the pass that makes boxes makes it (`cpl.compiler.semantics.boxes`).
    """

    variable: "Variable"
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Several(Node):
    """A list of names on the left of a definition."""

    items: tuple["Target", ...]


# Expressions


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A number, a string, true or false. A number that is written as a `symbol` is the code of that."""

    value: int | float | str | bool
    symbol: str = field(default="", compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((self.value,))


@dataclass(frozen=True, slots=True)
class Infinity(Node):
    """∞"""


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """A list in round brackets: fixed in length, taken apart by name."""

    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class List(Node):
    """A list in square brackets; NIL is the empty one. One that is `growing` gets more members by `Append`."""

    items: tuple["Expression", ...]
    growing: bool = False


@dataclass(frozen=True, slots=True)
class Nil(Node):
    """NIL in the reading `nil=zero`: the empty list, and the bit string of zeros too."""


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A function applied to its arguments. `modes` says how they are passed, if that was found by inference."""

    function: "Expression"
    arguments: tuple["Expression", ...]
    modes: tuple[str, ...] = field(default=(), kw_only=True, repr=False)


@dataclass(frozen=True, slots=True)
class Select(Node):
    """`m[k]`: a member of m, which is sure to be an array if `of_array`; else perhaps an application (E29, E32)."""

    operand: "Expression"
    indices: tuple["Expression", ...]
    of_array: bool = False


@dataclass(frozen=True, slots=True)
class Component(Node):
    """`Car[x]`: a component of a node (S6)."""

    operand: "Expression"
    name: str


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """The l-value of an expression as a value (D15, D21, S11); of what has none, a new place that holds its value."""

    place: "Expression"


@dataclass(frozen=True, slots=True)
class ReadOnly(Node):
    """The l-value of a constant as a value, for reading: of a function (D28), or of a variable whose value the function
    round it has captured (D17).
    """

    constant: "Expression"


@dataclass(frozen=True, slots=True)
class Contents(Node):
    """The contents of the place that a reference leads to."""

    reference: "Expression"


@dataclass(frozen=True, slots=True)
class InBox(Node):
    """A variable that lives in a box: what is in it, or the place there. A reference to it is the box itself."""

    variable: "Variable"


@dataclass(frozen=True, slots=True)
class Convert(Node):
    """The value as a number of a type, the `kind`: `integer`, `real` or `complex` (T10). It stands wherever a value
    comes to where such a number is declared; only the pass that finds these places makes it
    (`semantics/conversions`).
    """

    kind: str
    value: "Expression"


@dataclass(frozen=True, slots=True)
class ConvertParts(Node):
    """A value that is taken apart, of which each part that has a kind is converted as by `Convert`. A part that is
    taken apart itself has the kinds of its own parts.
    """

    kinds: tuple["Kinds", ...]
    value: "Expression"


@dataclass(frozen=True, slots=True)
class Juxtapose(Node):
    """`f(x)` with a small name of unknown value: an application if it is a function, else a product (evidence L6)."""

    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class LabelValue(Node):
    """A label as a value, with its name in the `Landing` whose variable `labels` is (G8, G9)."""

    labels: "Local"
    label: "LabelName"
    name: str


@dataclass(frozen=True, slots=True)
class Activation(Node):
    """The labels of a section that becomes active. Only lowered jumps have it."""


@dataclass(frozen=True, slots=True)
class Attempt(Node):
    """As the test of an `If`: run its first arm; after a jump out of a routine to one of the `labels`, the second one,
    with the label's name in `at`. Only lowered jumps have it.
    """

    labels: "Local"
    at: "Local"


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`operator` is one of PLUS MINUS NOT, or BIT_NOT on a bit string that is represented by a whole number."""

    operator: str
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`operator` is one of PLUS MINUS SUM DIFFERENCE TIMES DIVIDE POWER AND OR EQUIVALENT INEQUIVALENT, or one of
    `INTEGER_OPERATORS`.
    """

    operator: str
    left: "Expression"
    right: "Expression"


INTEGER_OPERATORS: Final = frozenset({"BIT_NOT", "BIT_AND", "BIT_OR", "BIT_XOR", "SHIFT"})
"""Operators on bit strings that are represented by whole numbers, which only optimised programs have. `SHIFT` goes
right, or left if the second operand is negative.
"""


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """A chain of relations, true if each holds between its neighbours: `0 < x < 9` (evidence E8). One that is `foreign`
    may have come from the text of another function. One that is `of_bits` compares bit strings that are represented by
    whole numbers.
    """

    operands: tuple["Expression", ...]
    operators: tuple[str, ...]
    foreign: bool = field(default=False, compare=False, repr=False)
    of_bits: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """Arms are tried in turn, and only the chosen value is evaluated (section 2 of the evidence, item 22)."""

    arms: tuple[tuple["Expression", "Expression"], ...]
    otherwise: "Expression"


@dataclass(frozen=True, slots=True)
class Block(Node):
    """A value block: commands that run until one gives the result. The body of a `routine` need give none."""

    commands: tuple["Command", ...]
    routine: bool = False


@dataclass(frozen=True, slots=True)
class Lambda(Node):
    """A function without a name; it captures its free variables by value, or `by_place`. After the pass that makes
    boxes `captured` are those that must be captured when it is made; it may share the others with what is round it.
    """

    parameters: tuple["Local", ...]
    body: "Expression"
    by_place: bool = False
    captured: tuple["Capture", ...] = ()


@dataclass(frozen=True, slots=True)
class Capture(Node):
    """What a function captures when it is made: a variable within it gets this value, or is the same box as outside."""

    variable: "Variable"
    value: "Expression"


# Commands


@dataclass(frozen=True, slots=True)
class Let(Node):
    """A definition within a block, which runs in its turn; its value is outside the scope of its target (D11, D12)."""

    target: "Target"
    value: "Expression"


@dataclass(frozen=True, slots=True)
class LetFunction(Node):
    """A function defined within a block; it captures its free variables by value, or `by_place` (D17), as `Lambda`
    does.
    """

    name: "Local"
    parameters: tuple["Local", ...]
    body: "Expression"
    by_place: bool = False
    result: str = field(default="", compare=False, repr=False)
    captured: tuple["Capture", ...] = ()


@dataclass(frozen=True, slots=True)
class Return(Node):
    """Leave the routine."""


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """A variable that has no value yet: `real x`."""

    variable: "Variable | NewBox"


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if test then commands`, or else others"""

    test: "Expression"
    commands: tuple["Command", ...]
    otherwise: tuple["Command", ...] = ()


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """Simultaneous assignment, after everything is evaluated (C3). One value for several places is taken apart."""

    places: tuple["Place", ...]
    values: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Append(Node):
    """Append a value, or `each` of its members, to a list that nothing else refers to. Only passes make it."""

    list: "Local"
    value: "Expression"
    each: bool = False


@dataclass(frozen=True, slots=True)
class While(Node):
    """Obey the commands as long as the test holds before; `otherwise` if the loop was not left by a jump."""

    test: "Expression"
    commands: tuple["Command", ...]
    otherwise: tuple["Command", ...] = ()


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """Obey the commands, and again as long as the test holds after."""

    commands: tuple["Command", ...]
    test: "Expression"


@dataclass(frozen=True, slots=True)
class ForStep(Node):
    """For each number from `first` by `step` to `last` (C16), which are evaluated once."""

    variable: "Local"
    first: "Expression"
    step: "Expression"
    last: "Expression"
    commands: tuple["Command", ...]
    otherwise: tuple["Command", ...] = ()


@dataclass(frozen=True, slots=True)
class ForList(Node):
    """For each member of a list (C17)."""

    variable: "Local"
    members: "Expression"
    commands: tuple["Command", ...]
    otherwise: tuple["Command", ...] = ()


@dataclass(frozen=True, slots=True)
class Break(Node):
    """Leave the innermost loop, or start its next round if `again`. Only lowered jumps do that, and never
    in a `Repeat` with a test, which Python would skip.
    """

    again: bool = False


@dataclass(frozen=True, slots=True)
class Finish(Node):
    """Leave the program."""


@dataclass(frozen=True, slots=True)
class Fail(Node):
    """End the program with a fault."""

    message: str


@dataclass(frozen=True, slots=True)
class Label(Node):
    """The target of each `GoTo` with the same name; it is among the commands round that `GoTo`."""

    name: "LabelName"


@dataclass(frozen=True, slots=True)
class GoTo(Node):
    """Continue after the label. The resolver leaves every jump as a `Jump`: `semantics/jumps` makes this of it."""

    label: "LabelName"


@dataclass(frozen=True, slots=True)
class Landing(Node):
    """Commands to whose labels jumps out of routines may lead, or label values. The variable `labels` stands for this
    activation of them; of each label, `names` has the name that it has there.
    """

    labels: "Local"
    names: tuple[tuple["LabelName", str], ...]
    commands: tuple["Command", ...]


@dataclass(frozen=True, slots=True)
class Jump(Node):
    """Continue after the label that is the value, in its own activation; what is between is left (G9)."""

    label: "Expression"


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """A conditional expression as a place: the condition chooses one (E18). What is assigned to either is converted to
    a number of its kind, if it has one.
    """

    test: "Expression"
    place: "Place"
    otherwise: "Place"
    kinds: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Result(Node):
    """Leave the block with this value; `bare` if it is a name alone, used as a command."""

    value: "Expression"
    bare: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Evaluate(Node):
    """Apply a function or routine for its effect."""

    value: "Expression"


Variable = Local | Global
Definition = Function | Constants | NodeType | ElementType | Commands
Target = Variable | NewBox | Several
Kinds = str | tuple["Kinds", ...]
"""The type of number to which a value is converted, "" if it is not; or those of its parts."""
Atom = Variable | Host | Literal | Infinity | Nil
Expression = (
    Atom
    | Tuple
    | List
    | Apply
    | Select
    | Component
    | Reference
    | ReadOnly
    | Contents
    | InBox
    | LabelName
    | LabelValue
    | Activation
    | Attempt
    | Convert
    | ConvertParts
    | Juxtapose
    | Unary
    | Binary
    | Compare
    | Conditional
    | Block
    | Lambda
)
Loop = While | Repeat | ForStep | ForList
Command = (
    Let
    | LetFunction
    | Append
    | Return
    | Finish
    | Fail
    | Declare
    | If
    | Assign
    | Loop
    | Break
    | Label
    | GoTo
    | Landing
    | Jump
    | Result
    | Evaluate
)
Place = Variable | InBox | Select | Component | Contents | Choice
