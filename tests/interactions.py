"""Random programs, as trees of the oracle, in which features meet.

A name tells its kind by its letter, so that a definition may hide another of its kind anywhere. The same seed draws the
same program. Programs end: a function applies those before it, and loops count.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from oracle import (
    Apply,
    Assign,
    Bits,
    Block,
    Bracket,
    Choice,
    Const,
    Define,
    Do,
    Follow,
    ForList,
    ForStep,
    Function,
    Functions,
    GoTo,
    If,
    Is,
    Item,
    Label,
    Lambda,
    Leave,
    Loop,
    Name,
    NewArray,
    Op,
    Parameter,
    Result,
    Section,
    Standard,
    Tree,
    Write,
    text_of,
)

LETTERS = {
    "number": "abcd",
    "index": "ij",
    "truth": "tu",
    "array": "mv",
    "list": "lw",
    "function": "fgh",
    "pointer": "pq",
    "bits": "sr",
    "node": "yz",
}
NUMBERS = [0, 1, 2, 3, 5, -1, 0.5, 1.5, 2.5, 3.0]


@dataclass(frozen=True)
class Known:
    """What a name stands for. What a function captures, and a definition by substitution, is fixed."""

    kind: str
    type: str = ""
    fixed: bool = False
    parameters: tuple[Parameter, ...] = ()


Scope = dict[str, Known]


@dataclass(frozen=True)
class Program:
    seed: int
    commands: tuple[Tree, ...]
    arithmetic: bool
    nil_is_zero: bool

    @property
    def text(self) -> str:
        """The node that the programs use stands before them."""
        body = text_of(self.commands)
        return "node Pair is real Left with general Right\n" * ("Pair" in body) + body

    @property
    def reading(self) -> str:
        return f"plusminus={'arithmetic' if self.arithmetic else 'set'},nil={'zero' if self.nil_is_zero else 'list'}"

    def __repr__(self) -> str:
        return f"\n|| CPLC_SEED={self.seed}, reading {self.reading}\n{self.text}"


class Writer:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.arithmetic, self.nil_is_zero = (self.random.random() < 0.3 for _ in range(2))
        self.numbered = 0
        self.depth = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one_of(self, choices: dict[Callable[..., Any], int], *arguments: Any) -> Any:
        [choice] = self.random.choices([*choices], [*choices.values()])
        return choice(*arguments)

    def fresh(self, letter: str) -> str:
        self.numbered += 1
        return f"{letter}{self.numbered}"

    def program(self) -> Program:
        scope: Scope = {}
        commands = [self.definition("number", scope, top=True) for _ in range(2)]
        commands += [self.definition("function", scope, top=True), self.named_function(scope)]
        for _ in range(self.random.randint(3, 9)):
            commands += self.commands(scope, top=True)
        shown = [Name(name) for name, known in scope.items() if known.kind not in ("function", "named", "pointer")]
        commands += [Write((Const("last "), *shown))]
        return Program(self.seed, tuple(commands), self.arithmetic, self.nil_is_zero)

    # Names

    def names(self, kind: str, scope: Scope, *, settable: bool = False, type: str | None = None) -> list[str]:
        return [
            name
            for name, known in scope.items()
            if known.kind == kind and not (settable and known.fixed) and type in (None, known.type)
        ]

    def named(self, kind: str, scope: Scope, otherwise: Callable[[Scope], Tree]) -> Tree:
        names = self.names(kind, scope)
        return Name(self.random.choice(names)) if names and self.chance(0.85) else otherwise(scope)

    # Expressions

    def expression(self, kind: str, scope: Scope) -> Tree:
        self.depth += 1
        drawn = getattr(self, f"{kind}_expression")(scope)
        self.depth -= 1
        return drawn

    def number_expression(self, scope: Scope) -> Tree:
        if self.depth > 3:
            return self.named("number", scope, self.constant)
        choices = {
            self.constant: 3,
            self.number_name: 7,
            self.number_operation: 4,
            self.number_choice: 3,
            self.least_or_most: 2,
            self.number_place: 4,
            self.applied_function: 3,
            self.applied_variable: 3,
            self.index_expression: 1,
        }
        return self.one_of(choices, scope)

    def constant(self, scope: Scope) -> Tree:
        return Const(self.random.choice(NUMBERS))

    def number_name(self, scope: Scope) -> Tree:
        return self.named("number", scope, self.constant)

    def number_operation(self, scope: Scope) -> Tree:
        if self.chance(0.15):
            return Op("/", self.expression("number", scope), Const(2))
        sign = self.random.choice("++--×")
        return Op(sign, self.expression("number", scope), self.expression("number", scope))

    def number_choice(self, scope: Scope) -> Tree:
        """An integer or a real, as it turns out."""
        return Choice(self.expression("truth", scope), *(self.expression("number", scope) for _ in range(2)))

    def least_or_most(self, scope: Scope) -> Tree:
        first = Const(-float("inf")) if self.chance(0.2) else self.expression("number", scope)
        return Standard(self.random.choice(["Min", "Max"]), (first, self.expression("number", scope)))

    def whole(self, scope: Scope) -> Tree:
        """A number that an integer can hold, mostly."""
        if self.depth > 3 or self.chance(0.1):
            return self.number_expression(scope)
        self.depth += 1
        integers = self.names("number", scope, type="integer")
        match self.random.randint(0, 6):
            case 0 | 1 if integers:
                drawn: Tree = Name(self.random.choice(integers))
            case 2:
                drawn = Op(self.random.choice("+-×"), self.whole(scope), self.whole(scope))
            case 3:
                drawn = Choice(self.expression("truth", scope), self.whole(scope), Const(3.0))
            case 4:
                drawn = Standard("Entier", (self.expression("number", scope),))
            case 5:
                drawn = Op("/", Op("×", self.whole(scope), Const(2)), Const(2))
            case _:
                drawn = Const(self.random.choice([0, 1, 2, 3.0]))
        self.depth -= 1
        return drawn

    def of_type(self, type: str, scope: Scope) -> Tree:
        return self.whole(scope) if type == "integer" else self.expression("number", scope)

    def applied_function(self, scope: Scope) -> Tree:
        names = [name for name in self.names("named", scope) if name[0] == "F"]
        return self.application(self.random.choice(names), scope) if names else self.constant(scope)

    def application(self, name: str, scope: Scope) -> Apply:
        return Apply(Name(name), tuple(self.argument(parameter, scope) for parameter in scope[name].parameters))

    def argument(self, parameter: Parameter, scope: Scope) -> Tree:
        if parameter.mode == "ref" and self.chance(0.95):
            return self.place(scope, parameter.type)
        return self.of_type(parameter.type, scope)

    def applied_variable(self, scope: Scope) -> Tree:
        return Apply(self.expression("function", scope), (self.expression("number", scope),))

    def truth_expression(self, scope: Scope) -> Tree:
        names = self.names("truth", scope)
        match self.random.randint(0, 9):
            case 0 | 1 | 2 if names:
                return Name(self.random.choice(names))
            case 3 | 4:
                return Is(self.random.choice(["integer", "real"]), self.expression("number", scope))
            case 5 if self.depth < 3:
                return Op(self.random.choice("∧∨"), self.expression("truth", scope), self.expression("truth", scope))
            case 6:
                return Const(self.chance(0.5))
        sign = self.random.choice("<>≤≥=≠")
        return Op(sign, self.expression("number", scope), self.expression("number", scope))

    def index_expression(self, scope: Scope) -> Tree:
        if self.chance(0.03):
            return self.number_name(scope)
        names = self.names("index", scope)
        if names and self.chance(0.6):
            return Name(self.random.choice(names))
        if self.chance(0.2) and self.depth < 3:
            return Choice(self.expression("truth", scope), Const(0), Const(2))
        return Const(self.random.randint(0, 2))

    def array_expression(self, scope: Scope) -> Tree:
        arrays = self.names("array", scope)
        if arrays and self.chance(0.6):
            name = Name(self.random.choice(arrays))
            return Standard("Copy", (name,)) if self.chance(0.3) else name
        return NewArray(self.random.choice(["integer", "real", "general"]), 0, 2)

    def list_expression(self, scope: Scope) -> Tree:
        lists = self.names("list", scope)
        if lists and self.chance(0.4):
            return Name(self.random.choice(lists))
        return Bracket(tuple(self.expression("number", scope) for _ in range(3)))

    def function_expression(self, scope: Scope) -> Tree:
        names = self.names("function", scope)
        if self.depth < 3:
            alike = [
                name
                for name in self.names("named", scope)
                if name[0] == "F" and [p.mode for p in scope[name].parameters] == [""]
            ]
            match self.random.randint(0, 9):
                case 0 | 1 | 2 | 3:
                    return self.function(scope)
                case 4 | 5 if alike:
                    return Name(self.random.choice(alike))
                case 6 if names:
                    return Choice(self.expression("truth", scope), *(Name(self.random.choice(names)) for _ in range(2)))
        return Name(self.random.choice(names)) if names else Lambda(("a",), Op("+", Name("a"), Const(1)))

    def function(self, scope: Scope) -> Lambda:
        parameter = self.random.choice(LETTERS["number"])
        inner = fixed(scope) | {parameter: Known("number")}
        return Lambda((parameter,), self.expression("number", inner))

    def pointer_expression(self, scope: Scope) -> Tree:
        pointers = self.names("pointer", scope)
        if pointers and self.chance(0.3):
            return Name(self.random.choice(pointers))
        return Standard("Pointer", (self.place(scope),))

    def bits_expression(self, scope: Scope) -> Tree:
        names = self.names("bits", scope)
        match self.random.randint(0, 5):
            case 0 | 1 if self.depth < 4:
                left, right = self.expression("bits", scope), self.expression("bits", scope)
                return Op(self.random.choice("+-+-∧∨"), left, Const([]) if self.nil_is_zero and self.chance(0.3) else right)
            case 2 | 3 | 4 if names:
                return Name(self.random.choice(names))
        return Const(Bits(self.random.randint(1, 7)))

    def node_expression(self, scope: Scope) -> Tree:
        names = self.names("node", scope)
        if names and self.chance(0.4):
            return Name(self.random.choice(names))
        return Standard("Pair", (self.expression("number", scope), self.expression("number", scope)))

    # Places of numbers

    def number_place(self, scope: Scope) -> Tree:
        """A member, a component or the target of a pointer, if there is one."""
        kinds = [kind for kind in ("array", "list", "pointer", "node") if self.names(kind, scope)]
        if not kinds:
            return self.number_name(scope)
        kind = self.random.choice(kinds)
        name = Name(self.random.choice(self.names(kind, scope)))
        match kind:
            case "pointer":
                return Follow(name)
            case "node":
                return Standard(self.random.choice(["Left", "Right"]), (name,))
        return Item(name, self.index_expression(scope))

    def place(self, scope: Scope, type: str = "") -> Tree:
        """Something that can be assigned to."""
        names = self.names("number", scope, settable=True)
        names = [name for name in names if scope[name].type == type] or names
        match self.random.randint(0, 6):
            case 0 if len(names) > 1:
                return Choice(self.expression("truth", scope), *(Name(name) for name in self.random.sample(names, 2)))
            case 1 | 2:
                return self.number_place(scope if names else fixed(scope)) if self.has_places(scope) else self.place_or_new(names)
        return self.place_or_new(names) if names or not self.has_places(scope) else self.number_place(scope)

    def has_places(self, scope: Scope) -> bool:
        return any(self.names(kind, scope) for kind in ("array", "list", "pointer", "node"))

    def place_or_new(self, names: Sequence[str]) -> Tree:
        return Name(self.random.choice(names)) if names else Item(Bracket((Const(1), Const(2))), Const(1))

    # Definitions

    def definition(self, kind: str, scope: Scope, *, top: bool = False) -> Tree:
        name = self.random.choice(LETTERS[kind])
        before = dict(scope)
        if top and kind == "function":
            before.pop(name, None)  # whether it would be recursive is not said
        if kind == "number":
            return self.number_definition(name, scope, is_again=top and name in scope)
        value = self.expression(kind, before)
        scope[name] = Known(kind)
        if isinstance(value, Lambda) and self.chance(0.25):
            scope[name] = Known(kind, fixed=True)
            return Define((name,), "≡", (self.place_lambda(before),))
        return Define((name,), "=", (value,))

    def place_lambda(self, scope: Scope) -> Lambda:
        """A λ after ≡, which sees the variables themselves."""
        parameter = self.random.choice(LETTERS["number"])
        return Lambda((parameter,), self.expression("number", scope | {parameter: Known("number")}))

    def number_definition(self, name: str, scope: Scope, *, is_again: bool) -> Tree:
        """A variable, an alias or an expression. Whether a type may define a name again is not said."""
        match self.random.randint(0, 9):
            case 0 | 1:
                value = self.place(scope)
                scope[name] = Known("number")
                return Define((name,), "≃", (value,))
            case 2:
                value = self.number_expression(scope)
                scope[name] = Known("number", fixed=True)
                return Define((name,), "≡", (value,))
            case 3 | 4 | 5 if not is_again:
                type = self.random.choice(["integer", "real"])
                values = () if self.chance(0.1) else (self.of_type(type, scope),)
                scope[name] = Known("number", type)
                return Define((name,), "=", values, type)
            case 6:
                names = tuple(self.random.sample(LETTERS["number"], 2))
                values = tuple(self.expression("number", scope) for _ in names)
                scope |= dict.fromkeys(names, Known("number"))
                return Define(names, "=", values)
        value = self.expression("number", scope)
        scope[name] = Known("number")
        return Define((name,), "=", (value,))

    def array_with_members(self, scope: Scope) -> list[Tree]:
        definition = Define((name := self.random.choice(LETTERS["array"]),), "=", (self.array_expression(scope),))
        scope[name] = Known("array")
        targets = tuple(Item(Name(name), Const(index)) for index in range(3))
        return [definition, Assign(targets, tuple(self.whole(scope) for _ in targets))]

    def named_function(self, scope: Scope, *, top: bool = True) -> Tree:
        """A function, or two that share own variables."""
        own, around = None, dict(scope)
        if self.chance(0.4):
            name = self.random.choice(LETTERS["number"])
            own = Define((name,), "=", (self.expression("number", scope),))
            around[name] = Known("number")
        drawn = [self.headed(around) for _ in range(2 if own and self.chance(0.3) else 1)]
        if len(drawn) == 2:
            drawn[1] = replace(drawn[1], name=self.fresh("F"))
        for function in drawn:
            scope[function.name] = Known("named", parameters=function.parameters)
        return Functions(tuple(drawn), own)

    def headed(self, around: Scope, *, typed: bool = False) -> Function:
        """A function with a name, perhaps that of an earlier one, which it hides."""
        parameters = self.parameters()
        sign = "=" if typed else self.random.choice("=≡≡")
        inner = dict(around) if sign == "≡" else fixed(around)
        inner |= {parameter.name: Known("number", parameter.type) for parameter in parameters}
        body = self.block(inner) if self.chance(0.6) else self.expression("number", inner)
        earlier = [name for name in self.names("named", around) if name[0] == "F"]
        name = self.random.choice(earlier) if earlier and self.chance(0.3) else self.fresh("F")
        if name in names_of(body):  # then it would be recursive, or not
            name = self.fresh("F")
        return Function(name, parameters, sign, body)

    def parameters(self) -> tuple[Parameter, ...]:
        if self.chance(0.3):
            return (Parameter(self.random.choice(LETTERS["number"])),)
        names = self.random.sample(LETTERS["number"], self.random.randint(0, 2))
        modes = self.random.choices(["", "ref", "substitution"], [3, 3, 1], k=2)
        types = self.random.choices(["", "integer", "real"], [4, 1, 1], k=2)
        return tuple(map(Parameter, names, modes, types))

    def typed_function(self, scope: Scope) -> Tree:
        function = replace(self.headed(scope, typed=True), name=self.fresh("F"), type=self.random.choice(["integer", "real"]))
        if function.type == "integer" and not isinstance(function.body, Block) and self.chance(0.8):
            function = replace(function, body=Standard("Entier", (function.body,)))
        scope[function.name] = Known("named", parameters=function.parameters)
        return Functions((function,))

    def routine(self, scope: Scope) -> Tree:
        parameters = self.parameters()
        inner = scope | {parameter.name: Known("number", parameter.type) for parameter in parameters}
        name = self.fresh("R")
        body = self.inner_commands(inner, 2)
        if self.chance(0.2):
            body.insert(self.random.randrange(len(body) + 1), If(self.expression("truth", scope), Leave("return")))
        scope[name] = Known("named", parameters=parameters)
        return Functions((Function(name, parameters, "be", Section(tuple(body))),))

    def block(self, scope: Scope) -> Block:
        inner = dict(scope)
        commands = self.labelled(inner) if self.chance(0.2) else self.inner_commands(inner, 2)
        return Block((*commands, Result(self.expression("number", inner))))

    # Commands

    def inner_commands(self, scope: Scope, most: int) -> list[Tree]:
        self.depth += 1
        commands = [c for _ in range(self.random.randint(1, most)) for c in self.commands(scope, top=False)]
        self.depth -= 1
        return commands

    def commands(self, scope: Scope, *, top: bool) -> list[Tree]:
        if self.depth > 2:
            return [self.assignment(scope)]
        match self.random.randint(0, 19):
            case 0 | 1 | 2:
                return [self.definition(self.random.choice([*LETTERS, "number"]), scope, top=top)]
            case 3 | 4:
                return self.array_with_members(scope) if self.chance(0.5) else [self.definition("number", scope, top=top)]
            case 5 | 6 | 7:
                return [self.named_function(scope)]
            case 8:
                return [self.typed_function(scope)]
            case 9:
                return [self.routine(scope)]
            case 10:
                return [self.branch(scope)]
            case 11 | 12:
                return [self.loop(scope)]
            case 13:
                return [Section(tuple(self.inner_commands(dict(scope), 3)))]
            case 14 | 15:
                return [self.call(scope)]
            case 16:
                return [Write((Const("w "), *(self.expression("number", scope) for _ in range(2))))]
            case 17:
                inner = dict(scope)
                return [Section(tuple(self.labelled(inner)))] if not top else [Write((Const("v "), self.number_name(scope)))]
        return [self.assignment(scope)]

    def assignment(self, scope: Scope) -> Tree:
        kinds = [kind for kind in LETTERS if kind != "number" and self.names(kind, scope, settable=True)]
        if kinds and self.chance(0.5):
            kind = "function" if "function" in kinds and self.chance(0.5) else self.random.choice(kinds)
            names = self.names(kind, scope, settable=True)
            targets = self.random.sample(names, 2 if len(names) > 1 and self.chance(0.4) else 1)
            return Assign(tuple(map(Name, targets)), tuple(self.expression(kind, scope) for _ in targets))
        targets = [self.place(scope) for _ in range(self.random.choice([1, 1, 2]))]
        if len(targets) == 2 and targets[0] == targets[1]:
            targets.pop()
        values = [
            self.of_type(scope[target.name].type if isinstance(target, Name) else "integer", scope) for target in targets
        ]
        return Assign(tuple(targets), tuple(values))

    def branch(self, scope: Scope) -> Tree:
        test = self.expression("truth", scope)
        then = Section(tuple(self.inner_commands(dict(scope), 2)))
        return If(test, then, Section(tuple(self.inner_commands(dict(scope), 2))) if self.chance(0.5) else None)

    def call(self, scope: Scope) -> Tree:
        names = self.names("named", scope)
        if not names:
            return self.assignment(scope)
        name = self.random.choice(names)
        if name[0] == "R":
            return Do(self.application(name, scope))
        return Write((Const(f"{name} "), self.application(name, scope)))

    def loop(self, scope: Scope) -> Tree:
        match self.random.randint(0, 4):
            case 0 | 1:
                counted = self.random.random() < 0.7
                name = self.random.choice(LETTERS["index" if counted else "number"])
                body = self.loop_body(scope | {name: Known("index" if counted else "number")})
                bounds = (Const(0), Const(1), Const(2)) if counted else (Const(1), Const(0.5), self.of_type("", scope))
                if not counted:
                    bounds = (bounds[0], bounds[1], Standard("Min", (bounds[2], Const(2))))
                return ForStep(name, bounds, body)
            case 2 | 3:
                name = self.random.choice(LETTERS["number"])
                rows = self.names("list", scope) + self.names("array", scope)
                values: tuple[Tree, ...] = tuple(self.expression("number", scope) for _ in range(3))
                if rows and self.chance(0.6):
                    values = (Name(self.random.choice(rows)),)
                return ForList(name, values, self.loop_body(scope | {name: Known("number")}))
        return self.counting(scope)

    def loop_body(self, scope: Scope) -> Section:
        commands = self.inner_commands(scope, 2)
        if self.chance(0.15):
            commands.append(If(self.expression("truth", scope), Leave("break")))
        return Section(tuple(commands))

    def counting(self, scope: Scope) -> Tree:
        """A loop with a counter that nothing else sees."""
        body = Section((*self.inner_commands(dict(scope), 2), Assign((Name("k"),), (Op("+", Name("k"), Const(1)),))))
        word = self.random.choice(["while", "until", "repeat while", "repeat until"])
        test = Op("≥" if "until" in word else "<", Name("k"), Const(self.random.randint(1, 3)))
        return Section((Define(("k",), "=", (Const(0),)), Loop(word, test, body)))

    def labelled(self, scope: Scope) -> list[Tree]:
        """Commands that are obeyed several times, by jumps."""
        counter, first, last, variable = self.fresh("N"), self.fresh("A"), self.fresh("B"), self.fresh("K")
        start: list[Tree] = [Define((counter,), "=", (Const(0),))]
        again = Op("<", Name(counter), Const(self.random.randint(1, 3)))
        chosen = Choice(again, Name(first), Name(last))
        count = Assign((Name(counter),), (Op("+", Name(counter), Const(1)),))
        jump: list[Tree] = [GoTo(chosen)]
        if self.chance(0.7):
            start.append(Define((variable,), "=", (Name(last),), "label"))
            jump = [Assign((Name(variable),), (chosen,)), GoTo(Name(variable))]
        repeated = self.inner_commands(scope, 3)
        ending = Label(last, Write((Const("at "), Name(counter))))
        return [*start, Label(first, count), *repeated, *jump, ending]


def fixed(scope: Scope) -> Scope:
    """What a function with = and a λ see of what is around them."""
    return {name: replace(known, fixed=True) for name, known in scope.items() if known.kind != "pointer"}


def names_of(tree: Any) -> Iterator[str]:
    if isinstance(tree, Name):
        yield tree.name
    elif isinstance(tree, Tree):
        for part in fields(tree):
            yield from names_of(getattr(tree, part.name))
    elif isinstance(tree, tuple):
        for part in tree:
            yield from names_of(part)


def shrunk(program: Program, fails: Callable[[Program], bool]) -> Program:
    """As few commands as still fail."""
    smaller = True
    while smaller:
        smaller = False
        for commands in without_one(program.commands):
            candidate = replace(program, commands=commands)
            if fails(candidate):
                program, smaller = candidate, True
                break
    return program


COMMANDS = Assign | Define | Do | ForList | ForStep | Functions | GoTo | If | Label | Leave | Loop | Result | Section | Write


def without_one(tree: Any) -> Iterator[Any]:
    """The tree without one of its commands, or with a part instead of an expression, in every way."""
    if isinstance(tree, tuple):
        if len(tree) > 1 and isinstance(tree[0], COMMANDS):
            yield from (tree[:at] + tree[at + 1 :] for at in range(len(tree)))
        for at, part in enumerate(tree):
            yield from (tree[:at] + (other,) + tree[at + 1 :] for other in without_one(part))
            if isinstance(part, Section | Label | If):
                yield tree[:at] + (part.commands if isinstance(part, Section) else (getattr(part, "command", None) or part.then,)) + tree[at+1:]
    elif isinstance(tree, Tree):
        parts = {part.name: getattr(tree, part.name) for part in fields(tree)}
        if isinstance(tree, Op | Choice | Apply | Standard | Item | Follow):
            yield Const(1)
            yield from (part for name, part in parts.items() if isinstance(part, Tree))
        if isinstance(tree, Standard | Apply):
            yield from tree.arguments
        for name, part in parts.items():
            yield from (replace(tree, **{name: other}) for other in without_one(part))
