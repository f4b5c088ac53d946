"""An evaluator for small CPL programs, written from the language reference alone.

It shares nothing with the compiler: the generator builds its trees, and no parser or interpreter of cplc is used.
Where the reference leaves open what a program does, the evaluator raises `Unclear`.
"""

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Tree:
    """A part of a program."""


@dataclass(frozen=True)
class Const(Tree):
    value: Any


@dataclass(frozen=True)
class Name(Tree):
    name: str


@dataclass(frozen=True)
class Op(Tree):
    sign: str
    left: Tree
    right: Tree


@dataclass(frozen=True)
class Choice(Tree):
    test: Tree
    yes: Tree
    no: Tree


@dataclass(frozen=True)
class Apply(Tree):
    function: Tree
    arguments: tuple[Tree, ...]


@dataclass(frozen=True)
class Standard(Tree):
    """A standard function, the maker of a node, or a component of one."""

    name: str
    arguments: tuple[Tree, ...]


@dataclass(frozen=True)
class Item(Tree):
    array: Tree
    subscript: Tree


@dataclass(frozen=True)
class Follow(Tree):
    pointer: Tree


@dataclass(frozen=True)
class Is(Tree):
    type: str
    value: Tree


@dataclass(frozen=True)
class Lambda(Tree):
    parameters: tuple[str, ...]
    body: Tree


@dataclass(frozen=True)
class Bracket(Tree):
    items: tuple[Tree, ...]


@dataclass(frozen=True)
class NewArray(Tree):
    type: str
    low: int
    high: int


@dataclass(frozen=True)
class Block(Tree):
    commands: tuple[Tree, ...]


@dataclass(frozen=True)
class Define(Tree):
    names: tuple[str, ...]
    sign: str
    values: tuple[Tree, ...]
    type: str = ""


@dataclass(frozen=True)
class Parameter(Tree):
    name: str
    mode: str = ""
    type: str = ""


@dataclass(frozen=True)
class Function(Tree):
    """With the sign `be` a routine, whose body is a Section."""

    name: str
    parameters: tuple[Parameter, ...]
    sign: str
    body: Tree
    type: str = ""


@dataclass(frozen=True)
class Functions(Tree):
    """One function or several at once, perhaps with own variables."""

    functions: tuple[Function, ...]
    own: Define | None = None
    recursive: bool = False


@dataclass(frozen=True)
class Assign(Tree):
    targets: tuple[Tree, ...]
    values: tuple[Tree, ...]


@dataclass(frozen=True)
class Write(Tree):
    items: tuple[Tree, ...]


@dataclass(frozen=True)
class If(Tree):
    test: Tree
    then: Tree
    otherwise: Tree | None = None


@dataclass(frozen=True)
class Loop(Tree):
    """`word` is `while`, `until`, `repeat while` or `repeat until`."""

    word: str
    test: Tree
    body: Tree


@dataclass(frozen=True)
class ForStep(Tree):
    name: str
    bounds: tuple[Tree, Tree, Tree]
    body: Tree


@dataclass(frozen=True)
class ForList(Tree):
    name: str
    values: tuple[Tree, ...]
    body: Tree


@dataclass(frozen=True)
class Section(Tree):
    commands: tuple[Tree, ...]


@dataclass(frozen=True)
class Do(Tree):
    application: Apply


@dataclass(frozen=True)
class Result(Tree):
    value: Tree


@dataclass(frozen=True)
class Leave(Tree):
    """`return`, `break` or `finish`."""

    word: str


@dataclass(frozen=True)
class Label(Tree):
    name: str
    command: Tree


@dataclass(frozen=True)
class GoTo(Tree):
    label: Tree


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


@dataclass(eq=False)
class Cell:
    """The place of a variable or a member."""

    value: Any = None
    type: str = ""

    def get(self) -> Any:
        if self.value is None:
            raise Fault("no value yet")
        return self.value

    def set(self, value: Any) -> None:
        self.value = converted(self.type, value)


class Fixed(Cell):
    """A function, or a value that a function has captured."""

    def set(self, value: Any) -> None:
        raise Unclear("refused, or a fault")


@dataclass(eq=False)
class Specified:
    """The place that a parameter with a type has, by reference or by substitution."""

    place: Any
    type: str

    def get(self) -> Any:
        return self.place.get()

    def set(self, value: Any) -> None:
        self.place.set(converted(self.type, value))


@dataclass(eq=False)
class Again:
    """An expression by substitution."""

    value: Callable[[], Any]
    place: Callable[[], Any]

    def get(self) -> Any:
        return self.value()

    def set(self, value: Any) -> None:
        self.place().set(value)


@dataclass(eq=False)
class Closure:
    parameters: tuple[Parameter, ...]
    body: Tree
    env: "Env"
    type: str = ""


Env = dict[str, Any]
COMPONENTS = {"Left": ("Pair", 0), "Right": ("Pair", 1)}
NODES = {"Pair": ("real", "general")}
ARITHMETIC = {"+": operator.add, "-": operator.sub, "×": operator.mul, "/": operator.truediv}
RELATIONS = {"<": operator.lt, ">": operator.gt, "≤": operator.le, "≥": operator.ge, "=": operator.eq, "≠": operator.ne}


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def converted(type: str, value: Any) -> Any:
    """The table of conversions in docs/language/5-data.md."""
    if type in ("", "general", "label") or (type == "Boolean" and isinstance(value, bool)):
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
        case Row(members, word):
            text = ",".join("?" if member.value is None else shown(member.value) for member in members)
            return f"{word if word in NODES else ''}[{text}]"
        case [] | Closure():
            raise Unclear("how a function or NIL is shown")
    return str(value)


def names_in(tree: Any) -> Iterator[str]:
    """The names in a part of a program, also those that it defines itself."""
    if isinstance(tree, Name):
        yield tree.name
    elif isinstance(tree, Tree):
        for part in fields(tree):
            yield from names_in(getattr(tree, part.name))
    elif isinstance(tree, tuple):
        for part in tree:
            yield from names_in(part)


@dataclass
class Oracle:
    """Evaluates one program. Operands and arguments are evaluated forwards, or else backwards."""

    arithmetic: bool = False  # the reading of + and - on bit strings
    forwards: bool = True
    written: list[str] = field(default_factory=list)
    steps: int = 0
    top: Env = field(default_factory=dict)

    def run(self, program: Sequence[Tree]) -> tuple[str, str]:
        """How the program ends, and what it writes."""
        try:
            self.obey_all(program, self.top)
        except Fault:
            return "fault", "".join(self.written)
        except Ended:
            return "finish", "".join(self.written)
        except RecursionError as error:
            raise Unclear("this may never end") from error
        return "value", "".join(self.written)

    def in_any_order(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        results = [task() for task in (tasks if self.forwards else reversed(tasks))]
        return results if self.forwards else results[::-1]

    def values(self, expressions: Sequence[Tree], env: Env) -> list[Any]:
        return self.in_any_order([lambda e=expression: self.value(e, env) for expression in expressions])

    def value(self, expression: Tree, env: Env) -> Any:
        self.step()
        match expression:
            case Const(value):
                return value
            case Name(name):
                return env[name].get()
            case Op("∧" | "∨" as sign, left, right):
                first = self.value(left, env)
                if isinstance(first, bool):
                    return self.truth(right, env) if first == (sign == "∧") else first
                return self.operation(sign, first, self.value(right, env))
            case Op(sign, left, right):
                return self.operation(sign, *self.values([left, right], env))
            case Choice(test, yes, no):
                return self.value(yes if self.truth(test, env) else no, env)
            case Item() | Follow():
                return self.place(expression, env).get()
            case Standard("Pointer", (place,)):
                return self.place(place, env)
            case Standard(name, arguments):
                return self.standard(name, self.values(arguments, env))
            case Is(type, tested):
                value = self.value(tested, env)
                if not is_number(value):
                    raise Unclear("a type of something else")
                return isinstance(value, int) or (type == "real" and isinstance(value, float))
            case Apply(function, arguments):
                return self.applied(function, arguments, env)
            case Lambda(names, body):
                return Closure(tuple(map(Parameter, names)), body, self.captured(body, "=", env))
            case Bracket(items):
                return Row([Cell(value) for value in self.values(items, env)], "list")
            case NewArray(type, low, high) if low == 0:
                return Row([Cell(None, type) for _ in range(low, high + 1)], "array")
            case Block(commands):
                return self.block(commands, env)
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
            return self.of_bits(sign, *(0 if side == [] else side.number for side in (left, right)))
        if not is_number(left) or not is_number(right):
            raise Unclear("operands that are no numbers")
        if sign in RELATIONS:
            return RELATIONS[sign](left, right)
        if sign == "/" and right == 0:
            raise Fault("division by zero")
        return sound(ARITHMETIC[sign](left, right))

    def of_bits(self, sign: str, left: int, right: int) -> Any:
        match sign:
            case "+" | "-" if self.arithmetic:
                return Bits(ARITHMETIC[sign](left, right))
            case "+" | "∨":
                return Bits(left | right)
            case "-":
                return Bits(left & ~right)
            case "∧":
                return Bits(left & right)
        raise Unclear("this operator on bit strings")

    def standard(self, name: str, values: list[Any]) -> Any:
        match name, values:
            case "Min" | "Max", [left, right]:
                if left == right and type(left) is not type(right):
                    raise Unclear("which of two equal numbers")
                return min(left, right) if name == "Min" else max(left, right)
            case "Entier", [number] if math.isfinite(number):
                return math.floor(number)
            case "Mod", [number]:
                return abs(number)
            case "Copy", [Row(members, "array")]:
                return Row([Cell(member.value, member.type) for member in members], "array")
            case "Pair", components:
                types = NODES[name]
                return Row([Cell(converted(t, v), t) for t, v in zip(types, components, strict=True)], name)
            case "Left" | "Right", _:
                return self.component(name, values[0]).get()
        raise Unclear(name)

    def component(self, name: str, node: Any) -> Cell:
        word, number = COMPONENTS[name]
        if not isinstance(node, Row) or node.word != word:
            raise Unclear("a component of something else")
        return node.members[number]

    def is_place(self, expression: Tree, env: Env) -> bool:
        match expression:
            case Name(name):
                if isinstance(env[name], Fixed):
                    raise Unclear("a place for what is fixed")
                return not isinstance(env[name], Again) or env[name].place is not None
            case Choice(_, yes, no):
                return self.is_place(yes, env) and self.is_place(no, env)
        return isinstance(expression, Item | Follow) or (isinstance(expression, Standard) and expression.name in COMPONENTS)

    def place(self, expression: Tree, env: Env) -> Any:
        """The place that an expression stands for."""
        match expression:
            case Name(name):
                if isinstance(env[name], Fixed):
                    raise Unclear("a place for what is fixed")
                return env[name]
            case Choice(test, yes, no):
                return self.place(yes if self.truth(test, env) else no, env)
            case Item(array, subscript):
                row, number = self.values([array, subscript], env)
                if isinstance(number, bool) or not isinstance(row, Row):
                    raise Unclear("a member of something else")
                if not isinstance(number, int) or not 0 <= number < len(row.members):
                    raise Fault("subscript")
                return row.members[number]
            case Follow(pointer):
                return self.value(pointer, env)
            case Standard(name, (node,)) if name in COMPONENTS:
                return self.component(name, self.value(node, env))
        raise Unclear("no place")

    def alias(self, expression: Tree, env: Env) -> Any:
        """What `≃` and an argument by reference share; any other value gets a new place."""
        if not self.is_place(expression, env):
            return Cell(self.value(expression, env))
        try:
            return self.place(expression, env)
        except Fault as fault:
            raise Unclear("whether an alias of what is not there is a fault, or its use") from fault

    def captured(self, body: Tree, sign: str, env: Env) -> Env:
        """The variables around a function, or copies of what it uses of them. No label gets into a function."""
        if sign != "=":
            return dict(env)
        taken: Env = {}
        for name in {*names_in(body)} & {*env}:
            try:
                taken[name] = Fixed(env[name].get())
            except Fault as fault:
                raise Unclear("a captured variable without a value") from fault
        return taken

    def applied(self, function: Tree, arguments: Sequence[Tree], env: Env) -> Any:
        closure = self.value(function, env)
        if not isinstance(closure, Closure) or len(closure.parameters) != len(arguments):
            raise Unclear("the application of something else")
        tasks = [
            lambda p=parameter, a=argument: self.passed(p, a, env)
            for parameter, argument in zip(closure.parameters, arguments, strict=True)
        ]
        places = self.in_any_order(tasks)
        if isinstance(function, Name) and self.value(function, env) is not closure:
            raise Unclear("arguments that change the function")
        inner = closure.env | {parameter.name: place for parameter, place in zip(closure.parameters, places, strict=True)}
        if isinstance(closure.body, Section):
            return self.ends(["return"], lambda: self.obey(closure.body, inner))
        return converted(closure.type, self.value(closure.body, inner))

    def passed(self, parameter: Parameter, argument: Tree, env: Env) -> Any:
        match parameter.mode:
            case "ref":
                place = self.alias(argument, env)
            case "substitution":
                place = Again(lambda: self.value(argument, env), lambda: self.alias(argument, env))
            case _:
                return Cell(converted(parameter.type, self.value(argument, env)), parameter.type)
        return Specified(place, parameter.type) if parameter.type else place

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
        labels = {command.name: Fixed(object()) for command in commands if isinstance(command, Label)}
        env |= labels
        at = 0
        while at < len(commands):
            try:
                self.obey(commands[at], env)
                at += 1
            except Jump as jump:
                places = [k for k, c in enumerate(commands) if isinstance(c, Label) and labels[c.name].value is jump.args[0]]
                if not places:
                    raise
                at = places[0]

    def obey(self, command: Tree, env: Env) -> None:
        self.step()
        match command:
            case Define():
                self.define(command, env)
            case Functions():
                self.define_functions(command, env)
            case Assign(targets, values):
                tasks = [lambda t=target: self.place(t, env) for target in targets]
                sides = self.in_any_order([lambda: self.in_any_order(tasks), lambda: self.values(values, env)])
                for place, value in zip(*sides, strict=True):
                    place.set(value)
            case Write(items):
                self.write(self.values(items, env))
            case If(test, then, otherwise):
                if self.truth(test, env):
                    self.obey(then, env)
                elif otherwise:
                    self.obey(otherwise, env)
            case Loop() | ForStep() | ForList():
                self.ends(["break"], lambda: self.loop(command, env))
            case Section(commands):
                self.obey_all(commands, dict(env))
            case Do(application):
                self.value(application, env)
            case Result(value):
                raise Ended("result", self.value(value, env))
            case Leave(word):
                raise Ended(word)
            case Label(_, labelled):
                self.obey(labelled, env)
            case GoTo(label):
                raise Jump(self.value(label, env))

    def write(self, values: list[Any]) -> None:
        line = ""
        for before, value in zip(["", *values], values, strict=False):
            blank = " " if not isinstance(before, str) and not isinstance(value, str) else ""
            line += blank + (value if isinstance(value, str) else shown(value))
        self.written.append(line + "\n")

    def define(self, definition: Define, env: Env) -> None:
        names, values, type = definition.names, definition.values, definition.type
        match definition.sign, values:
            case "≡", (Lambda(parameters, body),):
                env[names[0]] = Fixed(Closure(tuple(map(Parameter, parameters)), body, dict(env)))
            case "≡", (value,):
                around = dict(env)
                env[names[0]] = Again(lambda: self.value(value, around), None)  # type: ignore[arg-type]
            case "≃", _:
                places = self.in_any_order([lambda v=value: self.alias(v, env) for value in values])
                env |= zip(names, places, strict=True)
            case _, ():
                env |= {name: Cell(None, type) for name in names}
            case _:
                cells = [Cell(converted(type, value), type) for value in self.values(values, env)]
                env |= zip(names, cells, strict=True)

    def define_functions(self, definition: Functions, env: Env) -> None:
        around = dict(env)
        if definition.own:
            self.define(definition.own, around)
        closures = {}
        for f in definition.functions:
            closures[f.name] = Fixed(Closure(f.parameters, f.body, self.captured(f.body, f.sign, around), f.type))
        env |= closures
        if definition.recursive or env is self.top:
            for closure in closures.values():
                closure.value.env |= closures

    def loop(self, loop: Tree, env: Env) -> None:
        match loop:
            case Loop(word, test, body):
                if "repeat" in word:
                    self.obey(body, env)
                while self.truth(test, env) != ("until" in word):
                    self.obey(body, env)
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
        """What a `for` goes through: as it is before the loop, or else as it is in each turn."""
        tasks = [lambda e=value: self.value(e, env) for value in values]
        if len(values) == 1:
            tasks = [member.get for member in tasks[0]().members]
        yield from [task() for task in tasks] if self.forwards else (task() for task in tasks)


def outcome(program: Sequence[Tree], *, arithmetic: bool = False) -> tuple[str, str]:
    """How a program ends, and what it writes; `Unclear` if that depends on the order of evaluation."""
    orders = [Oracle(arithmetic, forwards).run(program) for forwards in (True, False)]
    if orders[0] != orders[1]:
        raise Unclear("the order of evaluation")
    return orders[0]


def text_of(program: Sequence[Tree]) -> str:
    """A program as CPL."""
    return "\n".join(line for command in program for line in lines(command)) + "\n"


def lines(command: Tree) -> list[str]:
    match command:
        case Define(names, sign, values, type):
            return hung(f"{type or 'let'} {', '.join(names)}{f' {sign} ' * bool(values)}", joined(values))
        case Functions(functions, own, recursive):
            headings = [heading(function) for function in functions]
            start = f"{lines(own)[0]} in " if own else "" if functions[0].type else "let "
            parts = [start + "rec " * recursive + headings[0], *(f"and {text}" for text in headings[1:])]
            return [line for part, function in zip(parts, functions, strict=True) for line in after(part, function.body)]
        case Assign(targets, values):
            return hung(f"{joined(targets)} := ", joined(values))
        case Write(items):
            return hung("Write", f"({joined(items)})")
        case If(test, then, None):
            return after(f"if {text(test)} then do ", then)
        case If(test, then, otherwise):
            assert otherwise
            return [*after(f"test {text(test)} then do ", then), *after("or do ", otherwise)]
        case Loop(word, test, body) if "repeat" in word:
            return [*lines(body), f"{word} {text(test)}"]
        case Loop(word, test, body):
            return after(f"{word} {text(test)} do ", body)
        case ForStep(name, bounds, body):
            return after(f"for {name} = step {joined(bounds)} do ", body)
        case ForList(name, values, body):
            return after(f"for {name} = {joined(values)} do ", body)
        case Section(commands):
            inner = [f"  {line}" for part in commands for line in lines(part)]
            return ["§ " + inner[0][2:], *inner[1:-1], f"{inner[-1]} §|"] if len(inner) > 1 else [f"§ {inner[0][2:]} §|"]
        case Do(application):
            return hung("", text(application))
        case Result(value):
            return hung("result is ", text(value))
        case Leave(word):
            return [word]
        case Label(name, labelled):
            return after(f"{name}: ", labelled)
        case GoTo(label):
            return [f"go to {text(label)}"]
    raise TypeError(command)


def hung(start: str, rest: str) -> list[str]:
    return (start + rest).split("\n")


def after(start: str, part: Tree) -> list[str]:
    """A command or an expression after what stands before it."""
    expressions = Const | Name | Op | Choice | Apply | Standard | Item | Follow | Is | Lambda | Block
    rest = text(part).split("\n") if isinstance(part, expressions) else lines(part)
    return [start + rest[0], *(f"  {line}" for line in rest[1:])]


def heading(function: Function) -> str:
    parameters = ", ".join(" ".join(filter(None, [p.mode or "value", p.type, p.name])) for p in function.parameters)
    return f"{function.type + ' ' * bool(function.type)}{function.name}[{parameters}] {function.sign} "


def joined(expressions: Sequence[Tree]) -> str:
    return ", ".join(map(text, expressions))


def text(expression: Tree) -> str:
    match expression:
        case Const(str() as value):
            return f"‘{value}’"
        case Const([]):
            return "NIL"
        case Const(value):
            return f"({shown(value)})" if is_number(value) and value < 0 else shown(value)
        case Name(name):
            return name
        case Op(sign, left, right):
            return f"({text(left)} {sign} {text(right)})"
        case Choice(test, yes, no):
            return f"({text(test)} → {text(yes)}, {text(no)})"
        case Apply(function, arguments):
            applied = f"({text(function)})" if isinstance(function, Lambda) else text(function)
            return f"{applied}[{joined(arguments)}]"
        case Standard(name, arguments):
            return f"{name}[{joined(arguments)}]"
        case Item(array, subscript):
            return f"{text(array)}[{text(subscript)}]"
        case Follow(pointer):
            return f"↓{text(pointer)}"
        case Is(type, value):
            return f"Is({type}, {text(value)})"
        case Lambda(parameters, body):
            return f"(λ({','.join(parameters)}). {text(body)})" if parameters else f"(λ(). {text(body)})"
        case Bracket(items):
            return f"[{joined(items)}]"
        case NewArray(type, low, high):
            return f"Array[{type}, ({low},{high})]"
        case Block(commands):
            inner = "\n".join(lines(Section(commands)))
            return f"value of\n{inner}"
    raise TypeError(expression)
