"""An evaluator for small CPL programs, written from the language reference alone.

It shares nothing with the compiler: the generator builds its trees, and no parser or interpreter of cplc is used.
Where the reference leaves open what a program does, the evaluator raises `Unclear`.
"""

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, make_dataclass
from itertools import chain, permutations
from typing import Any


class Tree:
    """A part of a program."""

    form: str


def tree(name: str, form: str, order: str = "") -> Any:
    """A kind of tree: how it is written tells its parts, and their order if that is no other."""
    parts = [(part, Any) for part in order.split() or re.findall(r"\{(\w+)\}", form)]
    return make_dataclass(name, parts, bases=(Tree,), namespace={"form": form}, frozen=True)


Const = tree("Const", "{value}")
Name = tree("Name", "{name}")
Prefix = tree("Prefix", "({sign} {operand})")
Op = tree("Op", "({left} {sign} {right})", "sign left right")
Chain = tree("Chain", "({first} {sign} {second} {other} {third})")
Mixture = tree("Mixture", "({first} - {second} ∧ {third} + {fourth})")  # its reading says what it is
Choice = tree("Choice", "({test} → {yes}, {no})")
Apply = tree("Apply", "{function}[{arguments}]")
Standard = tree("Standard", "{name}[{arguments}]")  # also a node, or a component of one
Item = tree("Item", "{array}[{subscripts}]")
Follow = tree("Follow", "↓{pointer}")
Is = tree("Is", "Is({type}, {value})")
Lambda = tree("Lambda", "(λ({parameters}). {body})")
Bracket = tree("Bracket", "[{items}]")
Tuple = tree("Tuple", "({items})")
NewArray = tree("NewArray", "Array[{type}, {bounds}]")
Where = tree("Where", "({body} where {name} = {value})")
Block = tree("Block", "value of § {commands} §|")
ResultBlock = tree("ResultBlock", "result of § {commands} §|")

Define = tree("Define", "{word} {names} {sign} {values}")
Declare = tree("Declare", "{word} {names}")
All = tree("All", "let {names} all = {value}")
TakeApart = tree("TakeApart", "let ({names}) = {value}")
Labels = tree("Labels", "let {name} = Formarray[label, (0,{last})][{labels}]")


class Be(Declare):  # type: ignore[misc, valid-type]
    """A declaration as those of 1965 have it."""

    form = "let {names} be {word}"


class AllBe(Declare):  # type: ignore[misc, valid-type]
    """One of several."""

    form = "let {names} all be {word}"


Parameter = tree("Parameter", "{mode} {type} {name}")
Function = tree("Function", "{type} {name}[{parameters}] {sign} {body}")  # with `be` a routine, whose body is a Section
Functions = tree("Functions", "{own}{words}{functions}")  # one, or several at once


class Bare(Function):  # type: ignore[misc, valid-type]
    """One without brackets."""

    form = "{type} {name} {sign} {body}"


Own = tree("Own", "{definition} in ")
Assign = tree("Assign", "{targets} := {values}")
AssignApart = tree("AssignApart", "({targets}) := {value}")
WriteLine = tree("WriteLine", "WriteLine({items})")
If = tree("If", "if {test} then do {body}")
Leap = tree("Leap", "{word} {test} {jump}")  # without `then` or `do`
Test = tree("Test", "test {test} then do {body}\n or do {otherwise}")
Switch = tree("Switch", "switch {value} into § {cases} §|")
Case = tree("Case", "case {values}: {body}")
Default = tree("Default", "default: {body}")
Loop = tree("Loop", "{word} {test} do {body}")
Repeat = tree("Repeat", "{body} repeat {word} {test}")
ForStep = tree("ForStep", "for {name} = step {bounds} do {body}")
ForTo = tree("ForTo", "for {name} = {first} to {last} do {body}")
ForList = tree("ForList", "for {name} = {values} do {body}")
Section = tree("Section", "§ {commands} §|")
Do = tree("Do", "{application}")
Call = tree("Call", "{name}")  # of a routine, without brackets
Result = tree("Result", "result is {value}")
Leave = tree("Leave", "{word}")  # `return`, `break` or `finish`
Label = tree("Label", "{name}: {command}")
GoTo = tree("GoTo", "go to {label}")

EXPRESSIONS = Const | Name | Prefix | Op | Choice | Apply | Standard | Item | Follow | Is | Lambda | Bracket | Tuple
EXPRESSIONS |= Chain | Mixture
BETWEEN = {"commands": "\n", "cases": "\n", "functions": "\nand "}
"""What stands between the parts of these names; a comma stands between others."""


def text(part: Any, between: str = ", ") -> str:
    """A part of a program as CPL."""
    match part:
        case Const(int(value)) if value > 7:
            return f"#{value:o}"
        case Const(value):
            return f"({shown(value)})" if is_number(value) and value < 0 else shown(value)
        case Apply(Name(name), arguments) if name in "fgho":  # it may be a product, too
            return f"{name}({text(arguments)})"
        case Tree():
            return part.form.format(
                **{name: text(value, BETWEEN.get(name, ", ")) for name, value in vars(part).items()}
            )
        case tuple():
            return between.join(map(text, part))
    return str(part)


def text_of(commands: Sequence[Tree]) -> str:
    """A program as CPL, indented."""
    lines, depth = [], 0
    for line in text(tuple(commands), "\n").split("\n"):
        lines.append("  " * depth + line)
        depth += line.count("§") - 2 * line.count("§|")
    return "\n".join(lines) + "\n"


class Fault(Exception):
    """What the reference calls a fault."""


class Unclear(Exception):
    """The reference does not say what happens."""


class Jump(Exception):
    """A jump to the label in the first argument."""


class Ended(Exception):
    """What ends a block, a loop, a routine or the program: its word, and perhaps a value."""


@dataclass(frozen=True)
class Bits:
    number: int

    def __str__(self) -> str:
        number = ~self.number if self.number < 0 else self.number
        places = ",".join(str(place) for place in range(number.bit_length()) if number >> place & 1)
        return f"{'~' * (self.number < 0)}Logical({f'[{places}]' if number else 'NIL'})"


@dataclass(eq=False)
class Row:
    """An array, or a list in square brackets; or a node, whose members are its components."""

    members: list["Cell"]
    word: str


TOUCHED: list[tuple[Any, bool]] = []
"""The places that have been looked at or, if true, assigned to."""


@dataclass(eq=False)
class Cell:
    """The place of a variable or a member."""

    value: Any = None
    type: str = ""

    def get(self) -> Any:
        TOUCHED.append((self, False))
        if self.value is None:
            raise Fault("no value yet")
        return self.value

    def set(self, value: Any) -> None:
        TOUCHED.append((self, True))
        self.value = converted(self.type, value)


class Constant(Cell):
    """A function by its name, a label, or what a function has captured: other names for its place are for reading."""

    def set(self, value: Any) -> None:
        raise Fault("a constant")


@dataclass(eq=False)
class Again:
    """An expression by substitution; or a place by reference to which a parameter gives a type."""

    value: Callable[[], Any]
    place: Callable[[], Any] | None = None
    type: str = ""

    def get(self) -> Any:
        return self.value()

    def set(self, value: Any) -> None:
        if self.place is None:
            raise Unclear("refused")
        self.place().set(converted(self.type, value))


def determined(place: Any) -> Any:
    """The place that a parameter by substitution, too, stands for now."""
    if not isinstance(place, Again) or place.place is None:
        return place
    target = determined(place.place())
    return Again(target.get, lambda: target, place.type) if place.type else target


@dataclass(eq=False)
class Closure:
    parameters: tuple[Parameter, ...]
    body: Tree
    env: "Env"
    type: str = ""


Env = dict[str, Any]
COMPONENTS = {"Left": ("Pair", 0), "Right": ("Pair", 1), "Held": ("Knot", 0), "Before": ("Knot", 1)}
NODES = {"Pair": ("real", "general"), "Knot": ("general", "general")}
DEFINITIONS = Define | Declare | TakeApart | Functions | All | Labels
ARITHMETIC = {"+": operator.add, "-": operator.sub, "×": operator.mul, "/": operator.truediv}
SETS = {"+": operator.or_, "∨": operator.or_, "-": lambda left, right: left & ~right, "∧": operator.and_}
SETS |= {"≢": operator.xor, "≡": lambda left, right: ~(left ^ right)}
RELATIONS = {"<": operator.lt, ">": operator.gt, "≤": operator.le, "≥": operator.ge, "=": operator.eq, "≠": operator.ne}


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def by_value(names: Sequence[str]) -> tuple[Tree, ...]:
    return tuple(Parameter("value", "", name) for name in names)


def listed(values: Iterable[Any]) -> Row:
    return Row([Cell(value) for value in values], "list")


def members(value: Any) -> list[Any]:
    """Those of a list in square brackets; anything else is a list of itself."""
    return [member.get() for member in value.members] if isinstance(value, Row) and value.word == "list" else [value]


OF_LISTS: dict[str, Callable[[list[Any]], Any]] = {"Null": operator.not_, "Length": len, "Sum": sum}
OF_LISTS |= {"StringOf": "".join, "Head": operator.itemgetter(0), "Tail": lambda row: listed(row[1:])}
OF_LISTS |= {"Reverse": lambda row: listed(row[::-1]), "Next": lambda row: listed([row[0], listed(row[1:])])}


def converted(type: str, value: Any) -> Any:
    """The table of conversions in docs/language/5-data.md."""
    if type in ("", "let", "general", "label") or (type == "Boolean" and isinstance(value, bool)):
        return value
    if not is_number(value):
        raise Unclear("the table of conversions is about numbers")
    if type == "real":
        return float(value)
    if isinstance(value, float) and not value.is_integer():
        raise Fault("expected an integer")
    return int(value)


def sound(value: float) -> float:
    """A result whose text the reference determines."""
    if math.isnan(value) or (math.isfinite(value) and abs(value) > 1e9) or (value and abs(value) < 1e-4):
        raise Unclear("a number of unusual size")
    if value == 0 and math.copysign(1, value) < 0:
        raise Unclear("-0.0")
    return value


def shown(value: Any) -> str:
    """A value as CPL writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() if math.isinf(value):
            return "∞" if value > 0 else "-∞"
        case [] | Row([]):
            return "NIL"
        case Row(cells, word):
            opening, closing = "()" if word == "tuple" else "[]"
            shown_members = ",".join("?" if cell.value is None else shown(cell.value) for cell in cells)
            return f"{word if word in NODES else ''}{opening}{shown_members}{closing}"
        case str():
            return f"‘{value}’"
        case Closure() | Cell() | Again():
            raise Unclear("how a function or a place is shown")
    return str(value)


def walk(tree: Any) -> Iterator[Any]:
    """The trees in a tree, and itself."""
    if isinstance(tree, Tree):
        yield tree
    for part in tree if isinstance(tree, tuple) else vars(tree).values() if isinstance(tree, Tree) else ():
        yield from walk(part)


def names_in(tree: Any) -> set[str]:
    """The names in a part of a program that are not those of parameters there."""
    match tree:
        case Name(name) | Call(name):
            return {name}
        case Function(parameters=parameters):
            own = {parameter.name for parameter in parameters}
        case Lambda(parameters=parameters):
            own = {*parameters}
        case _:
            own = set()
    parts = tree if isinstance(tree, tuple) else vars(tree).values() if isinstance(tree, Tree) else ()
    return set().union(*map(names_in, parts)) - own


@dataclass
class Oracle:
    """Evaluates one program. Operands and arguments are evaluated forwards, or else backwards; the values of a `for`
    before the loop, or else in its turns.
    """

    reading: str = ""
    forwards: bool = True
    in_turns: bool = False
    written: list[str] = field(default_factory=list)
    steps: int = 0
    top: Env = field(default_factory=dict)

    def run(self, program: Sequence[Tree]) -> tuple[str, str]:
        """How the program ends, and what it writes."""
        TOUCHED.clear()
        end = "value"
        try:
            self.obey_all(program, self.top)
        except (Fault, Jump):  # to a label of a section that is not active any more
            end = "fault"
        except Ended:
            end = "finish"
        except RecursionError as error:
            raise Unclear("this may never end") from error
        return end, "".join(self.written)

    def in_any_order(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """The results; what one task does may not matter to another."""
        results, effects = [], []
        for task in tasks if self.forwards else reversed(tasks):
            start = len(TOUCHED)
            results.append(task())
            effects.append(
                ({place for place, _ in TOUCHED[start:]}, {place for place, sets in TOUCHED[start:] if sets})
            )
        for (touched, _), (_, changed) in permutations(effects, 2):
            if touched & changed:
                raise Unclear("the order of evaluation")
        return results if self.forwards else results[::-1]

    def values(self, expressions: Sequence[Tree], env: Env) -> list[Any]:
        return self.in_any_order([lambda e=expression: self.value(e, env) for expression in expressions])

    def value(self, expression: Tree, env: Env) -> Any:
        self.step()
        match expression:
            case Const(value):
                return listed([]) if value == [] else value
            case Name(name):
                return env[name].get()
            case Prefix("~", operand):
                value = self.value(operand, env)
                return Bits(~value.number) if isinstance(value, Bits) else not self.truth(Const(value), env)
            case Prefix("-", operand):
                return sound(-self.operation("+", self.value(operand, env), 0))
            case Op("∧" | "∨" as sign, left, right):
                first = self.value(left, env)
                if isinstance(first, bool):
                    return self.truth(right, env) if first == (sign == "∧") else first
                return self.operation(sign, first, self.value(right, env))
            case Mixture(first, second, third, fourth):
                tight = Op("+", Op("-", first, Op("∧", second, third)), fourth)
                loose = Op("∧", Op("-", first, second), Op("+", third, fourth))
                return self.value(tight if "tight" in self.reading else loose, env)
            case Chain(first, sign, second, other, third):
                left, middle, right = self.values([first, second, third], env)
                return all([self.operation(sign, left, middle), self.operation(other, middle, right)])
            case Op(sign, left, right):
                return self.operation(sign, *self.values([left, right], env))
            case Choice(test, yes, no):
                return self.value(yes if self.truth(test, env) else no, env)
            case Item() | Follow():
                return self.place(expression, env).get()
            case Standard("Pointer", (place,)):
                return determined((self.alias if self.is_place(place, env) else self.place)(place, env))
            case Standard(name, arguments):
                return self.standard(name, self.values(arguments, env))
            case Is(type, tested):
                value = self.value(tested, env)
                if isinstance(value, Row) and value.word in NODES:
                    return type in ("Thing", value.word)
                if not is_number(value):
                    raise Unclear("a type of something else")
                return type == "real" or (type == "integer" and isinstance(value, int))
            case Apply(function, arguments):
                return self.applied(function, arguments, env)
            case Lambda(names, body):
                return Closure(by_value(names), body, self.captured(by_value(names), body, "=", env))
            case Bracket(items):
                return listed(self.values(items, env))
            case Tuple(items):
                return Row([Constant(value) for value in self.values(items, env)], "tuple")
            case NewArray(type, (Tuple((_, Const(last))), *rest)):
                cells = [Cell(self.value(NewArray(type, rest), env) if rest else None, type) for _ in range(last + 1)]
                return Row(cells, "array")
            case Where(body, name, value):
                return self.value(body, env | {name: Cell(self.value(value, env))})
            case Block(commands):
                return self.block(commands, env)
            case ResultBlock(commands):
                scope = env | {"result": Cell()}
                self.obey_all(commands, scope)
                return scope["result"].get()
        raise Unclear(expression)

    def step(self) -> None:
        self.steps += 1
        if self.steps > 20_000:
            raise Unclear("this may never end")

    def truth(self, test: Tree, env: Env) -> bool:
        value = self.value(test, env)
        if not isinstance(value, bool):
            raise Unclear("a condition that is no truth value")
        return value

    def operation(self, sign: str, left: Any, right: Any) -> Any:
        if Bits in (type(left), type(right)):
            return self.of_bits(sign, *(0 if isinstance(side, Row) else side.number for side in (left, right)))
        if sign in ("≡", "≢") and isinstance(left, bool) and isinstance(right, bool):
            return (left == right) == (sign == "≡")
        if sign in RELATIONS and isinstance(left, str) and isinstance(right, str):
            return RELATIONS[sign](left, right)
        if not is_number(left) or not is_number(right):
            raise Unclear("operands that are no numbers")
        if sign in RELATIONS:
            return RELATIONS[sign](left, right)
        if sign == "/" and right == 0:
            raise Fault("division by zero")
        if sign == "↑":
            return sound(left * left)
        return sound(ARITHMETIC[sign](left, right))

    def of_bits(self, sign: str, left: int, right: int) -> Any:
        if sign in "=≠":
            return RELATIONS[sign](left, right)
        return Bits((ARITHMETIC if "arithmetic" in self.reading and sign in "+-" else SETS)[sign](left, right))

    def standard(self, name: str, values: list[Any]) -> Any:
        match name, values:
            case "Min" | "Max", [left, right] if is_number(left) and is_number(right):
                if left == right and type(left) is not type(right):
                    raise Unclear("which of two equal numbers")
                return min(left, right) if name == "Min" else max(left, right)
            case "Entier", [number] if math.isfinite(number):
                return math.floor(number)
            case "Mod", [number]:
                return abs(number)
            case "Copy", [Row(_, "array") as array]:
                return deepcopy(array)
            case "Pair" | "Knot", components:
                types = NODES[name]
                return Row([Cell(converted(t, v), t) for t, v in zip(types, components, strict=True)], name)
            case "Head" | "Tail" | "Next", [Row([], "list")]:
                raise Fault("of NIL")
            case _, [Row(_, "list") as row] if name in OF_LISTS:
                return OF_LISTS[name](members(row))
            case "Null", [Bits(value) | str(value)]:
                return not value
            case "Null", [Row(_, word)] if word in NODES:
                return False
            case "Join" | "MinList", _:
                joined = chain.from_iterable(map(members, values))
                return listed(dict.fromkeys(joined) if name == "MinList" else joined)
            case "Map", [Closure() as closure, Row(_, "list") as row]:
                tasks = [lambda v=v: self.applied(Const(closure), [Const(v)], {}) for v in members(row)]
                return listed(self.in_any_order(tasks))
            case "SingleDigitFrom", [Bits(number)] if number:
                return Bits(number & -number)
            case "Shift", [Bits(number), places]:
                places *= -1 if "shift=up" in self.reading else 1
                return Bits(number >> places if places > 0 else number << -places)
            case _, [node] if name in COMPONENTS:
                return self.component(name, node).get()
        raise Unclear(name)

    def component(self, name: str, node: Any) -> Cell:
        word, number = COMPONENTS[name]
        if not isinstance(node, Row) or node.word != word:
            raise Unclear("a component of something else")
        return node.members[number]

    def is_place(self, expression: Tree, env: Env) -> bool:
        match expression:
            case Name(name):
                return not isinstance(env[name], Again) or env[name].place is not None
            case Choice(_, yes, no):
                return self.is_place(yes, env) and self.is_place(no, env)
        return isinstance(expression, Item | Follow) or (
            isinstance(expression, Standard) and expression.name in COMPONENTS
        )

    def place(self, expression: Tree, env: Env) -> Any:
        """The place that an expression stands for."""
        match expression:
            case Name(name):
                if not self.is_place(expression, env):
                    raise Unclear("a place for an expression")
                return env[name]
            case Choice(test, yes, no):
                return self.place(yes if self.truth(test, env) else no, env)
            case Item(array, subscripts):
                value, *numbers = self.values([array, *subscripts], env)
                for number in numbers:
                    if isinstance(number, bool) or not isinstance(value, Row) or value.word == "tuple":
                        raise Unclear("a member of something else")
                    if not isinstance(number, int) or not 0 <= number < len(value.members):
                        raise Fault("subscript")
                    place = value.members[number]
                    value = place.value
                return place
            case Follow(pointer):
                return self.value(pointer, env)
            case Standard(name, (node,)) if name in COMPONENTS:
                return self.component(name, self.value(node, env))
        raise Unclear("no place")

    def alias(self, expression: Tree, env: Env) -> Any:
        """What `≃` and an argument by reference share; any other value gets a new place."""
        if isinstance(expression, Choice):
            return self.alias(expression.yes if self.truth(expression.test, env) else expression.no, env)
        if not self.is_place(expression, env):
            return Cell(self.value(expression, env))
        try:
            return determined(self.place(expression, env))
        except Fault as fault:
            raise Unclear("whether an alias of what is not there is a fault, or its use") from fault

    def captured(self, parameters: Sequence[Tree], body: Tree, sign: str, env: Env) -> Env:
        """The variables around a function, or copies of what it uses of them. No label gets into a function."""
        if sign != "=":
            return dict(env)
        defined = {name for part in walk(body) for name in getattr(part, "names", ())}
        used = sorted((names_in(body) & {*env}) - {parameter.name for parameter in parameters})
        if any(name in defined and isinstance(env[name], Again) for name in used):
            raise Unclear("only a closer look tells whether this is evaluated")
        try:
            values = self.in_any_order([env[name].get for name in used])  # what is defined by ≡ is evaluated now
        except Fault as fault:
            raise Unclear("a captured variable without a value") from fault
        return dict(zip(used, map(Constant, values), strict=True))

    def applied(self, function: Tree, arguments: Sequence[Tree], env: Env) -> Any:
        start = len(TOUCHED)
        closure = self.value(function, env)
        read = {place for place, _ in TOUCHED[start:]}
        if not isinstance(closure, Closure) or len(closure.parameters) != len(arguments):
            raise Unclear("the application of something else")
        tasks = [
            lambda p=parameter, a=argument: self.passed(p, a, env)
            for parameter, argument in zip(closure.parameters, arguments, strict=True)
        ]
        start = len(TOUCHED)
        places = self.in_any_order(tasks)
        if not read.isdisjoint(place for place, sets in TOUCHED[start:] if sets):
            raise Unclear("arguments that change the function")
        scope = closure.env | dict(zip([parameter.name for parameter in closure.parameters], places, strict=True))
        if isinstance(closure.body, Section):
            return self.ends(["return"], lambda: self.obey(closure.body, scope))
        return converted(closure.type, self.value(closure.body, scope))

    def passed(self, parameter: Parameter, argument: Tree, env: Env) -> Any:
        if parameter.type and parameter.mode != "value" and not self.is_place(argument, env):
            raise Unclear("the type of the new place")
        if parameter.mode == "value":
            return Cell(converted(parameter.type, self.value(argument, env)), parameter.type)
        if parameter.mode == "ref":
            place = self.alias(argument, env)
            while isinstance(place, Again) and place.place:  # the type is that of the name, not of the place
                place = place.place()
            return Again(place.get, lambda: place, parameter.type) if parameter.type else place
        around = dict(env)  # a later definition of the same name is of another variable
        return Again(lambda: self.value(argument, around), lambda: self.alias(argument, around), parameter.type)

    def ends(self, words: Sequence[str], task: Callable[[], Any]) -> Any:
        """Do what may be ended by one of the words."""
        try:
            task()
        except Ended as ended:
            if ended.args[0] not in words:
                raise
            return ended.args
        return None

    def block(self, commands: Sequence[Tree], env: Env) -> Any:
        ended = self.ends(["result"], lambda: self.obey_all(commands, dict(env)))
        if ended is None:
            raise Fault("this block ended without a result")
        return ended[1]

    def obey_all(self, commands: Sequence[Tree], env: Env) -> None:
        labels = {command.name: Constant(object()) for command in commands if isinstance(command, Label)}
        env |= labels
        above: dict[int, Env] = {}
        at = 0
        while at < len(commands):
            above[at] = dict(env)
            try:
                self.obey(commands[at], env)
                at += 1
            except Jump as jump:
                names = [name for name, label in labels.items() if label.value is jump.args[0]]
                if not names:
                    raise
                at = next(k for k, command in enumerate(commands) if getattr(command, "name", "") == names[0])
                if at in above:  # the names that are defined below are not yet seen there
                    env.clear()
                    env |= above[at]
                elif any(isinstance(c, DEFINITIONS) for c in commands[len(above) : at]):
                    raise Unclear("a jump past a definition") from jump

    def obey(self, command: Tree, env: Env) -> None:
        self.step()
        match command:
            case Define() | Declare() | TakeApart() | All() | Labels():
                self.define(command, env)
            case Functions():
                self.define_functions(command, env)
            case Assign(targets, values):
                tasks = [lambda t=target: determined(self.place(t, env)) for target in targets]
                sides = self.in_any_order([lambda: self.in_any_order(tasks), lambda: self.values(values, env)])
                for place, value in zip(*sides, strict=True):
                    place.set(value)
            case AssignApart(targets, value):
                tasks = [lambda t=target: determined(self.place(t, env)) for target in targets]
                values = self.taken_apart(value, len(targets), env)
                for place, value in zip(self.in_any_order(tasks), values, strict=True):
                    place.set(value)
            case WriteLine(items):
                self.write(self.values(items, env))
            case If(test, body):
                if self.truth(test, env):
                    self.obey(body, env)
            case Leap(word, test, jump):
                if self.truth(test, env) == (word == "if"):
                    self.obey(jump, env)
            case Test(test, body, otherwise):
                self.obey(body if self.truth(test, env) else otherwise, env)
            case Switch(value, cases):
                value = self.value(value, env)
                for case in cases:
                    if isinstance(case, Default) or any(self.operation("=", value, c.value) for c in case.values):
                        self.obey(case.body, env)
                        break
            case Loop() | Repeat() | ForStep() | ForTo() | ForList():
                self.ends(["break"], lambda: self.loop(command, env))
            case Section(commands):
                self.obey_all(commands, dict(env))
            case Do(Apply() as application):
                self.value(application, env)
            case Call(name):
                self.applied(Name(name), [], env)
            case Result(value):
                raise Ended("result", self.value(value, env))
            case Leave(word):
                raise Ended(word)
            case Label(_, labelled):
                self.obey(labelled, env)
            case GoTo(label):
                raise Jump(self.value(label, env))
            case _:
                raise Unclear("an expression as a command")

    def write(self, values: list[Any]) -> None:
        line = ""
        for before, value in zip(["", *values], values, strict=False):
            blank = " " if not isinstance(before, str) and not isinstance(value, str) else ""
            line += blank + (value if isinstance(value, str) else shown(value))
        TOUCHED.append((Oracle, True))
        self.written.append(line + "\n")

    def taken_apart(self, value: Tree, count: int, env: Env) -> list[Any]:
        row = self.value(value, env)
        if row.word not in ("list", "tuple") or len(row.members) != count:
            raise Fault("expected a list to take apart")
        return [member.get() for member in row.members]

    def define(self, definition: Tree, env: Env) -> None:
        match definition:
            case TakeApart(names, value):
                env |= zip(names, map(Cell, self.taken_apart(value, len(names), env)), strict=True)
            case All(names, value):
                value = self.value(value, env)
                env |= {name: Cell(value) for name in names}
            case Labels(name, _, labels):
                env[name] = Cell(Row([Cell(value) for value in self.values(labels, env)], "array"))
            case Declare(type, names):
                env |= {name: Cell(None, type) for name in names}
            case Define(_, (name,), "≡", (Lambda(parameters, body),)):
                closure = Closure(by_value(parameters), body, dict(env))
                env[name] = Again(lambda: closure)
            case Define(_, (name,), "≡", (value,)):
                around = dict(env)
                env[name] = Again(lambda: self.value(value, around))
            case Define(_, names, "≃", values):
                env |= zip(
                    names, self.in_any_order([lambda v=value: self.alias(v, env) for value in values]), strict=True
                )
            case Define(type, names, _, values):
                cells = [Cell(converted(type, value), type) for value in self.values(values, env)]
                env |= zip(names, cells, strict=True)

    def define_functions(self, definition: Functions, env: Env) -> None:
        around = dict(env)
        if definition.own:
            self.define(definition.own.definition, around)
        closures = {}
        for f in definition.functions:
            captured = self.captured(f.parameters, f.body, f.sign, around)
            closures[f.name] = Constant(Closure(f.parameters, f.body, captured, f.type))
        env |= closures
        if "rec" in definition.words or env is self.top:
            for closure in closures.values():
                closure.value.env |= closures

    def loop(self, loop: Tree, env: Env) -> None:
        match loop:
            case Loop(word, test, body) | Repeat(body, word, test):
                if isinstance(loop, Repeat):
                    self.obey(body, env)
                while self.truth(test, env) != (word == "until"):
                    self.obey(body, env)
            case ForTo(name, first, last, body):
                self.loop(ForStep(name, (first, Const(1), last), body), env)
            case ForStep(name, bounds, body):
                value, step, last = self.values(bounds, env)
                if step == 0:
                    raise Fault("a step of 0")
                while value <= last if step > 0 else value >= last:
                    self.obey(body, env | {name: Cell(value)})
                    value = sound(value + step)
            case ForList(name, values, body):
                for value in self.listed(values, env):
                    self.obey(body, env | {name: Cell(value)})

    def listed(self, values: Sequence[Tree], env: Env) -> Iterator[Any]:
        """What a `for` goes through: as it is before the loop, in any order, or else as it is in each turn."""
        tasks = [lambda e=value: self.value(e, env) for value in values]
        if len(values) == 1:
            tasks = [member.get for member in tasks[0]().members]
        yield from (task() for task in tasks) if self.in_turns else self.in_any_order(tasks)


def outcome(program: Sequence[Tree], reading: str) -> tuple[str, str]:
    """How a program ends, and what it writes; `Unclear` if that depends on the order of evaluation."""
    orders = ((True, False), (False, False), (False, True))
    first, *others = [Oracle(reading, forwards, in_turns).run(program) for forwards, in_turns in orders]
    if any(other != first for other in others):
        raise Unclear("the order of evaluation")
    return first
