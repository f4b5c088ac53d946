"""Random programs, as trees of the oracle, in which features meet.

A name tells its kind by its letter, so that a definition may hide another of its kind anywhere. The same seed draws the
same program. Programs end: a function applies those before it, and loops count.
"""

# ruff: noqa: F403, F405
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from oracle import *
from oracle import names_in, text_of, walk

LETTERS = {
    "number": "abcd",
    "index": "ij",
    "truth": "tu",
    "array": "mv",
    "list": "lw",
    "function": "fgh",
    "functions": "n",
    "routine": "o",
    "pointer": "pq",
    "bits": "sr",
    "node": "yz",
    "string": "x",
    "sequence": "LE",
    "matrix": "A",
    "routines": "P",
}
NUMBERS = [0, 1, 2, 3, 5, 8, -1, 0.5, 1.5, 2.5, 3.0]
PRELUDE = "node Pair is real Left with general Right\nnode Leaf is integer Key\nelement Thing is Pair or Leaf\n"


@dataclass(frozen=True)
class Known:
    """What a name stands for. What a function captures, and a definition by substitution, is fixed."""

    kind: str
    type: str = ""
    fixed: bool = False
    parameters: tuple[Any, ...] = ()


Scope = dict[str, Known]


@dataclass(frozen=True)
class Program:
    seed: int
    commands: tuple[Tree, ...]
    arithmetic: bool
    nil_is_zero: bool
    tight: bool

    @property
    def text(self) -> str:
        """The types that the program uses stand before it."""
        body = text_of(self.commands)
        return PRELUDE * ("Pair" in body or "Thing" in body) + body

    @property
    def reading(self) -> str:
        plusminus, binds = "arithmetic" if self.arithmetic else "set", "tight" if self.tight else "loose"
        return f"and={binds},plusminus={plusminus},nil={'zero' if self.nil_is_zero else 'list'}"

    def __repr__(self) -> str:
        return f"\n|| CPLC_SEED={self.seed}, reading {self.reading}\n{self.text}"


def let(name: str, value: Tree) -> Tree:
    return Define("let", (name,), "=", (value,))


def kind_of(name: str) -> str:
    return next(kind for kind, letters in LETTERS.items() if name[0] in letters)


def fixed(scope: Scope) -> Scope:
    """What a function with = and a λ see of what is around them."""
    return {name: replace(known, fixed=True) for name, known in scope.items()}


def section(commands: list[Tree]) -> Tree:
    return Section(tuple(commands))


class Writer:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.arithmetic, self.nil_is_zero, self.tight = (self.chance(0.3) for _ in range(3))
        self.kinds = [*LETTERS, "number", "number", "function", "pointer", *["bits"] * self.one([0, 0, 0, 20])]
        self.numbered = 0
        self.depth = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one(self, choices: Any) -> Any:
        return self.random.choice(choices)

    def one_of(self, choices: dict[Callable[[Scope], Any], int], scope: Scope) -> Any:
        return self.random.choices([*choices], [*choices.values()])[0](scope)

    def letter(self, kind: str) -> str:
        return self.one(LETTERS[kind])

    def fresh(self, letter: str) -> str:
        self.numbered += 1
        return f"{letter}{self.numbered}"

    def program(self) -> Program:
        scope: Scope = {}
        commands = [self.definition(kind, scope, top=True) for kind in ("number", "number", "function")]
        commands += [self.named_function(scope)]
        for _ in range(self.random.randint(3, 9)):
            commands += self.commands(scope, top=True)
        return Program(self.seed, (*commands, *self.last(scope)), self.arithmetic, self.nil_is_zero, self.tight)

    def last(self, scope: Scope) -> Iterator[Tree]:
        """What has become of everything."""
        shown = [name for name, known in scope.items() if known.kind in LETTERS and known.kind not in UNSHOWN]
        yield Write((Const("last "), *map(Name, shown)))
        for name in self.names("pointer", scope):
            yield Write((Const("at "), Follow(Name(name))))
        for name in self.names("matrix", scope):
            yield Write((Const("in "), *(Entry(Name(name), Const(at % 2), Const(at // 2)) for at in range(6))))
        for name in [*self.names("function", scope), *self.alike(scope)]:
            yield Write((Const(f"{name} "), Apply(Name(name), (Const(2),))))

    # Names

    def names(self, kind: str, scope: Scope, *, settable: bool = False, type: str | None = None) -> list[str]:
        named = [(name, known) for name, known in scope.items() if known.kind == kind and type in (None, known.type)]
        return [name for name, known in named if not (settable and known.fixed)]

    def named(self, kind: str, scope: Scope, otherwise: Callable[[Scope], Tree], probability: float = 0.85) -> Tree:
        names = self.names(kind, scope)
        return Name(self.one(names)) if names and self.chance(probability) else otherwise(scope)

    def alike(self, scope: Scope, mode: str = "value", letter: str = "F") -> list[str]:
        """The functions, or routines, that a variable can have for its value."""
        kinds = {
            n: [(p.mode, p.type, kind_of(p.name)) for p in scope[n].parameters] for n in self.names("named", scope)
        }
        return [name for name, kind in kinds.items() if name[0] == letter and kind == [(mode, "", "number")]]

    # Expressions

    def expression(self, kind: str, scope: Scope) -> Any:
        self.depth += 1
        drawn = getattr(self, kind)(scope)
        self.depth -= 1
        return drawn

    def some(self, kind: str, scope: Scope, count: int) -> tuple[Tree, ...]:
        return tuple(self.expression(kind, scope) for _ in range(count))

    def constant(self, scope: Scope) -> Tree:
        return Const(self.one(NUMBERS))

    def number(self, scope: Scope) -> Tree:
        if self.depth > 3:
            return self.named("number", scope, self.constant)
        choices = {
            self.constant: 3,
            lambda s: self.named("number", s, self.constant): 7,
            self.operation: 4,
            lambda s: Choice(self.expression("truth", s), *self.some("number", s, 2)): 3,
            self.least_or_most: 2,
            self.place: 4,
            self.applied: 3,
            lambda s: Apply(self.expression("function", s), self.some("number", s, 1)): 3,
            self.index: 1,
            lambda s: self.block(dict(s)): 1,
            self.where: 1,
            self.of_sequence: 2,
        }
        return self.one_of(choices, scope)

    def operation(self, scope: Scope) -> Tree:
        match self.random.randint(0, 12):
            case 0 | 1:
                return Op("/", self.expression("number", scope), Const(2))
            case 2:
                return Prefix("-", self.expression("number", scope))
            case 3:
                return Op("↑", self.expression("number", scope), Const(2))
        return Op(self.one("++--×"), *self.some("number", scope, 2))

    def least_or_most(self, scope: Scope) -> Tree:
        first = Const(-float("inf")) if self.chance(0.2) else self.expression("number", scope)
        return Standard(self.one(["Min", "Max"]), (first, self.expression("number", scope)))

    def of_sequence(self, scope: Scope) -> Tree:
        sequence = self.expression("sequence", scope)
        if self.chance(0.5):
            return Standard("Head", (Standard("Join", (self.expression("number", scope), sequence)),))
        return Standard(self.one(["Head", "Length", "Length", "Sum", "Sum"]), (sequence,))

    def where(self, scope: Scope) -> Tree:
        name = self.letter("number")
        body = self.expression("number", scope | {name: Known("number", fixed=True)})
        return Where(body, name, self.expression("number", scope))

    def whole(self, scope: Scope) -> Tree:
        """A number that an integer can hold, mostly."""
        if self.depth > 3 or self.chance(0.04):
            return self.number(scope)
        integers = self.names("number", scope, type="integer")
        match self.random.randint(0, 6):
            case 0 | 1 if integers:
                return Name(self.one(integers))
            case 2:
                return Op(self.one("+-×"), *self.some("whole", scope, 2))
            case 3:
                return Choice(self.expression("truth", scope), self.expression("whole", scope), Const(3.0))
            case 4:
                return Standard("Entier", self.some("number", scope, 1))
            case 5:
                return Op("/", Op("×", self.expression("whole", scope), Const(2)), Const(2))
        return Const(self.one([0, 1, 2, 3.0]))

    def of_type(self, type: str, scope: Scope) -> Tree:
        return self.expression("whole" if type == "integer" else "number", scope)

    def applied(self, scope: Scope) -> Tree:
        names = [name for name in self.names("named", scope) if name[0] == "F"]
        return self.application(self.one(names), scope) if names else self.constant(scope)

    def application(self, name: str, scope: Scope) -> Tree:
        return Apply(Name(name), tuple(self.argument(parameter, scope) for parameter in scope[name].parameters))

    def argument(self, parameter: Any, scope: Scope) -> Tree:
        kind = kind_of(parameter.name)
        if kind == "number":
            if parameter.mode == "ref":
                return self.place(scope, parameter.type, captured=0.2)
            return self.of_type(parameter.type, scope)
        names = self.names(kind, scope, settable=True)
        if kind == "function" and self.chance(0.3):
            names = self.alike(scope) or names
        if parameter.mode != "ref":  # bit strings without end would be taken apart for ever
            drawn = self.expression(kind, scope)
            return Op("∧", drawn, Const(Bits(30))) if kind == "bits" else drawn
        new = {name: known for name, known in scope.items() if known.kind != kind}
        return Name(self.one(names)) if names else self.expression(kind, new)

    def truth(self, scope: Scope) -> Tree:
        match self.random.randint(0, 13):
            case 0 | 1 | 2:
                return self.named("truth", scope, lambda _: Const(self.chance(0.5)))
            case 3 | 4:
                return Is(self.one(["integer", "real"]), self.expression("number", scope))
            case 5 if self.depth < 3:
                return Op(self.one("∧∨≡≢"), *self.some("truth", scope, 2))
            case 6:
                return Prefix("~", self.expression("truth", scope))
            case 7:
                kind = self.one(["bits", "string"])
                return Op(self.one("=≠"), *self.some(kind, scope, 2))
            case 8:
                return Is(self.one(["Thing", "Pair", "Leaf"]), self.expression("node", scope))
            case 9:
                kind = self.one(["bits", "sequence", "string"])
                return Standard("Null", self.some(kind, scope, 1))
            case 10:
                first, second, third = self.some("number", scope, 3)
                return Chain(first, self.one("<≤="), second, self.one("<≤>≠"), third)
        return Op(self.one("<>≤≥=≠"), *self.some("number", scope, 2))

    def index(self, scope: Scope) -> Tree:
        if self.chance(0.01):
            return self.named("number", scope, self.constant)
        if self.chance(0.2) and self.depth < 3:
            return Choice(self.expression("truth", scope), Const(0), Const(2))
        return self.named("index", scope, lambda _: Const(self.random.randint(0, 2)), 0.6)

    def array(self, scope: Scope) -> Tree:
        new = NewArray(self.one(["integer", "real", "general"]), 2)
        array = self.named("array", scope, lambda _: new, 0.6)
        return Standard("Copy", (array,)) if array is not new and self.chance(0.3) else array

    def list(self, scope: Scope) -> Tree:
        if self.chance(0.2):
            return Standard("Join", (self.expression("list", scope), Bracket(self.some("number", scope, 1))))
        return self.named("list", scope, lambda s: Bracket(self.some("number", s, 3)), 0.4)

    def matrix(self, scope: Scope) -> Tree:
        new = NewMatrix(self.one(["integer", "real", "general"]), 2)
        matrix = self.named("matrix", scope, lambda _: new, 0.6)
        return Standard("Copy", (matrix,)) if matrix is not new and self.chance(0.5) else matrix

    def sequence(self, scope: Scope) -> Tree:
        """A list whose members are not assigned to: whether `Tail` shares them is not said."""
        makers = self.names("sequences", scope)
        if self.depth > 3 or self.chance(0.4):
            return self.named("sequence", scope, lambda s: Bracket(self.some("number", s, 2)))
        rest = self.expression("sequence", scope)
        match self.random.randint(0, 9):
            case 0 | 1:
                return Standard("Join", (self.expression(self.one(["number", "sequence"]), scope), rest))
            case 2:
                return Standard("Tail", (Standard("Join", (*self.some("number", scope, 1), rest)),))
            case 3:
                return Standard("MinList", (rest, self.expression(self.one(["number", "sequence"]), scope)))
            case 4:
                return Standard(self.one(["Tail", "Reverse", "Reverse"]), (rest,))
            case 5:
                return Standard("Map", (self.expression("function", scope), rest))
            case 6:
                inner = fixed(scope) | {"a": Known("number")}
                return Standard("Select", (Lambda(("a",), self.expression("truth", inner)), rest))
            case 7 | 8 if makers:
                return self.application(self.one(makers), scope)
        return Const([]) if self.chance(0.3) else Bracket(self.some("number", scope, 3))

    def routines(self, scope: Scope) -> Tree:
        routine = self.routine(scope)
        return routine if routine == Const(0) else Bracket((routine, self.routine(scope)))

    def function(self, scope: Scope) -> Tree:
        if self.depth > 2:
            return self.named("function", scope, self.lambda_expression)
        names, alike, makers = self.names("function", scope), self.alike(scope), self.names("maker", scope)
        match self.random.randint(0, 10):
            case 0 | 1 | 2:
                return self.lambda_expression(scope)
            case 3 if makers:
                return self.application(self.one(makers), scope)
            case 4 | 5 if alike:
                return Name(self.one(alike))
            case 6 if names:
                return Choice(self.expression("truth", scope), Name(self.one(names)), Name(self.one(names)))
            case 7 if rows := self.names("functions", scope):
                return Item(Name(self.one(rows)), Const(self.random.randint(0, 1)))
        return self.named("function", scope, self.lambda_expression)

    def lambda_expression(self, scope: Scope, *, places: bool = False) -> Tree:
        """Captures values; or variables, after ≡."""
        parameter = self.letter("number")
        inner = (scope if places else fixed(scope)) | {parameter: Known("number")}
        return Lambda((parameter,), self.expression("number", inner))

    def functions(self, scope: Scope) -> Tree:
        return Bracket(self.some("function", scope, 2))

    def routine(self, scope: Scope) -> Tree:
        """One that has a name, or has had none so far."""
        names = self.alike(scope, "ref", "R") + self.names("routine", scope)
        return Name(self.one(names)) if names else Const(0)

    def pointer(self, scope: Scope) -> Tree:
        return self.named("pointer", scope, lambda s: Standard("Pointer", (self.place(s, captured=0.2),)), 0.3)

    def bits(self, scope: Scope) -> Tree:
        if self.depth > 3 or self.chance(0.5):
            return self.named("bits", scope, lambda _: Const(Bits(self.random.randint(1, 7))))
        left, right = self.some("bits", scope, 2)
        makers = self.names("bitwise", scope)
        match self.random.randint(0, 11):
            case 9:
                return Mixture(left, right, *self.some("bits", scope, 2))
            case 10 if makers:
                return self.application(self.one(makers), scope)
            case 11:
                return Standard("SingleDigitFrom", (Op("∨", left, Const(Bits(4))),))
            case 0:
                return Standard("Shift", (left, Const(self.random.randint(-2, 2))))
            case 1:
                return Prefix("~", left)
        return Op(self.one("+-+-∧∨≡≢"), left, Const([]) if self.nil_is_zero and self.chance(0.3) else right)

    def node(self, scope: Scope) -> Tree:
        return self.named("node", scope, lambda s: Standard("Pair", self.some("number", s, 2)), 0.4)

    def string(self, scope: Scope) -> Tree:
        if self.chance(0.2) and self.depth < 3:
            return Standard("StringOf", (Bracket(self.some("string", scope, 2)),))
        return self.named("string", scope, lambda _: Const(self.one(["", "a", "bc"])), 0.5)

    # Places of numbers

    def place(self, scope: Scope, type: str = "", captured: float = 0) -> Tree:
        """Something that can be assigned to; or perhaps what is captured, and so is for reading."""
        names = self.names("number", scope, settable=not self.chance(captured))
        names = [name for name in names if scope[name].type == type] or names
        match self.random.randint(0, 6):
            case 0 if len(names) > 1:
                return Choice(self.expression("truth", scope), *map(Name, self.random.sample(names, 2)))
            case 1 | 2 if rows := self.names("array", scope) + self.names("list", scope):
                return Item(Name(self.one(rows)), self.index(scope))
            case 3 if pointers := self.names("pointer", scope):
                return Follow(Name(self.one(pointers)))
            case 5 if matrices := self.names("matrix", scope):
                return Entry(Name(self.one(matrices)), Const(self.random.randint(0, 1)), self.index(scope))
            case 4 if nodes := self.names("node", scope):
                return Standard(self.one(["Left", "Right"]), (Name(self.one(nodes)),))
        return Name(self.one(names)) if names else Item(Bracket((Const(1), Const(2.5))), Const(1))

    # Definitions

    def definition(self, kind: str, scope: Scope, *, top: bool = False) -> Tree:
        name = self.letter(kind)
        if kind == "number":
            return self.number_definition(name, scope, is_again=top and name in scope)
        before = dict(scope)
        if kind == "sequence" and self.chance(0.2):
            parts = Standard("Next", (Standard("Join", (*self.some("number", scope, 1), *self.some(kind, scope, 1))),))
            scope |= {"a": Known("number"), name: Known(kind)}
            return TakeApart(("a", name), parts)
        if top and kind == "function":
            before.pop(name, None)  # whether it would be recursive is not said
        by_place = kind == "function" and self.chance(0.15)
        value = self.lambda_expression(before, places=True) if by_place else self.expression(kind, before)
        if value == Const(0):
            return self.assignment(scope)
        scope[name] = Known(kind, fixed=by_place)
        return Define("let", (name,), "≡" if by_place else "=", (value,))

    def number_definition(self, name: str, scope: Scope, *, is_again: bool) -> Tree:
        """A variable, an alias or an expression. Whether a type may define a name again is not said."""
        match self.random.randint(0, 9):
            case 0 | 1:
                value, scope[name] = self.place(scope), Known("number")
                return Define("let", (name,), "≃", (value,))
            case 2:
                value, scope[name] = self.number(scope), Known("number", fixed=True)
                return Define("let", (name,), "≡", (value,))
            case 3 | 4 | 5 if not is_again:
                type = self.one(["integer", "real"])
                value, scope[name] = self.of_type(type, scope), Known("number", type)
                return Define(type, (name,), "=", (value,))
            case 6:
                names, values = tuple(self.random.sample(LETTERS["number"], 2)), self.some("number", scope, 2)
                scope |= dict.fromkeys(names, Known("number"))
                return Define("let", names, "=", values) if self.chance(0.6) else TakeApart(names, Tuple(values))
        value, scope[name] = self.expression("number", scope), Known("number")
        return let(name, value)

    def declared(self, scope: Scope) -> list[Tree]:
        """A variable that has a value from the beginning, or later, or never."""
        if self.chance(0.8):
            return [self.definition("number", scope)]
        type, name = self.one(["integer", "real"]), self.fresh("V")
        given = Assign((Name(name),), (self.of_type(type, scope),))
        test, scope[name] = self.expression("truth", scope), Known("number", type)
        return [Declare(type, (name,)), If(test, given) if self.chance(0.3) else given]

    def with_members(self, kind: str, scope: Scope) -> list[Tree]:
        name, value = self.letter(kind), self.expression(kind, scope)
        scope[name] = Known(kind)
        numbers = [*map(Const, range(3))]
        targets = tuple(Item(Name(name), number) for number in numbers)
        if kind == "matrix":
            targets = tuple(Entry(Name(name), row, number) for row in numbers[:2] for number in numbers)
        return [let(name, value), Assign(targets, tuple(self.whole(scope) for _ in targets))]

    def named_function(self, scope: Scope) -> Tree:
        """A function, or two that share own variables."""
        around, own = dict(scope), ""
        if self.chance(0.4):
            name = self.letter("number")
            own = Own(let(name, self.expression("number", scope)))
            around[name] = Known("number")
        drawn = [self.headed(around)]
        if own and self.chance(0.3):  # whether it sees the first is not said if there is another of that name
            others = {name: known for name, known in around.items() if name != drawn[0].name}
            drawn.append(replace(self.headed(others), name=self.fresh("F")))
        scope |= {function.name: Known("named", parameters=function.parameters) for function in drawn}
        return Functions(own, "" if own else "let ", tuple(drawn))

    def headed(self, around: Scope, signs: str = "=≡≡") -> Any:
        """A function with a name, perhaps that of an earlier one, which it hides."""
        parameters, sign = self.parameters(), self.one(signs)
        inner = self.within(around, sign, parameters)
        body = self.block(inner) if self.chance(0.6) else self.expression("number", inner)
        earlier = [name for name in self.names("named", around) if name[0] == "F" and name not in names_in(body)]
        name = self.one(earlier) if earlier and self.chance(0.3) else self.fresh("F")
        return Function("", name, parameters, sign, body)

    def within(self, around: Scope, sign: str, parameters: tuple[Any, ...]) -> Scope:
        own = {parameter.name: Known(kind_of(parameter.name), parameter.type) for parameter in parameters}
        return (fixed(around) if sign == "=" else around) | own

    def parameters(self) -> tuple[Any, ...]:
        if self.chance(0.4):
            return (Parameter(self.one(["value", "value", "ref"]), "", self.letter("number")),)
        names = self.random.sample(LETTERS["number"], self.random.randint(0, 2))
        modes = self.random.choices(["value", "ref", "substitution"], [3, 3, 1], k=2)
        types = self.random.choices(["", "integer", "real"], [4, 1, 1], k=2)
        other = self.one([[], [], [Parameter(self.one(["value", "ref"]), "", self.one("iffmnsL"))]])
        return (*map(Parameter, modes, types, names), *other)

    def typed_function(self, scope: Scope) -> Tree:
        function = replace(self.headed(scope, "="), name=self.fresh("F"), type=self.one(["integer", "real"]))
        if function.type == "integer" and self.chance(0.9):
            function = replace(function, body=Standard("Entier", (function.body,)))
        scope[function.name] = Known("named", parameters=function.parameters)
        return Functions("", "", (function,))

    def recursive_function(self, scope: Scope) -> Tree:
        name, sign, parameters = self.fresh("F"), self.one("=≡"), (Parameter("value", "", self.letter("index")),)
        inner, counter = self.within(scope, sign, parameters), Name(parameters[0].name)
        again = Op("+", Apply(Name(name), (Op("-", counter, Const(1)),)), self.expression("number", inner))
        body = Choice(Op("<", counter, Const(1)), self.expression("number", inner), again)
        scope[name] = Known("named", parameters=parameters)
        return Functions("", "let rec ", (Function("", name, parameters, sign, body),))

    def taking_apart(self, scope: Scope) -> Tree:
        """A recursive function that takes a list or a bit string apart, perhaps with what it has so far."""
        kind, result = self.one(["sequence", "bits"]), self.one(["number", "sequence", "bits"])
        name, sign = self.fresh({"number": "F", "sequence": "S", "bits": "B"}[result]), self.one("=≡")
        first_name, second_name = self.random.sample(LETTERS[kind], 2)
        whole, so_far = Name(first_name), Name(second_name if kind == result else self.letter(result))
        first = Standard("Head" if kind == "sequence" else "SingleDigitFrom", (whole,))
        rest = (Standard("Tail", (whole,)) if kind == "sequence" else Op("-", whole, first),)
        has_so_far = self.chance(0.5)
        parameters = tuple(Parameter("value", "", p.name) for p in (whole, so_far)[: 1 + has_so_far])
        inner = self.within(scope, sign, parameters)
        fits = (kind == "sequence") != (result == "bits") and self.chance(0.6)
        element = first if fits else self.expression("number" if result == "sequence" else result, inner)
        skipped = Apply(Name(name), (*rest, so_far) if has_so_far else rest)
        again = Apply(Name(name), (*rest, self.added(result, element, so_far)))
        again = again if has_so_far else self.added(result, element, skipped)
        again = Choice(self.expression("truth", inner), again, skipped) if self.chance(0.3) else again
        body = Choice(Standard("Null", (whole,)), so_far if has_so_far else self.expression(result, inner), again)
        scope[name] = Known({"F": "named", "S": "sequences", "B": "bitwise"}[name[0]], parameters=parameters)
        return Functions("", "let rec ", (Function("", name, parameters, sign, body),))

    def added(self, kind: str, element: Tree, rest: Tree) -> Tree:
        if kind == "sequence":
            return Standard("Join", (element, rest) if self.chance(0.6) else (rest, element))
        return Op(self.one("+∨∧" if kind == "bits" else "++-"), element, rest)

    def maker(self, scope: Scope) -> Tree:
        """A function that gives a function."""
        head = replace(self.headed(scope), name=self.fresh("M"))
        inner = self.within(scope, head.sign, head.parameters)
        body = self.lambda_expression(inner)
        if self.chance(0.7):
            parameters, sign = (Parameter("value", "", self.letter("number")),), self.one("=≡≡")
            function = Function("", "H", parameters, sign, self.block(self.within(inner, sign, parameters)))
            body = Block((Functions("", "let ", (function,)), *self.several(inner, 2), Result(Name("H"))))
        scope[head.name] = Known("maker", parameters=head.parameters)
        return Functions("", "let ", (replace(head, body=body),))

    def named_routine(self, scope: Scope) -> Tree:
        parameters = self.parameters()
        inner, name = self.within(scope, "be", parameters), self.fresh("R")
        body = self.several(inner, 2)
        if self.chance(0.2):
            body += [If(self.expression("truth", inner), Leave("return")), *self.several(inner, 1)]
        scope[name] = Known("named", parameters=parameters)
        return Functions("", "let ", (Function("", name, parameters, "be", section(body)),))

    def block(self, scope: Scope) -> Any:
        inner = dict(scope)
        if self.chance(0.1):
            first = Assign((Name("result"),), (self.expression("number", inner),))
            return ResultBlock((first, *self.several(inner, 2)))
        commands = self.labelled(inner) if self.chance(0.2) else self.several(inner, 2)
        result = Result(self.expression("number", inner))
        return Block((*commands, If(self.expression("truth", inner), result) if self.chance(0.03) else result))

    # Commands

    def several(self, scope: Scope, most: int) -> list[Tree]:
        self.depth += 1
        commands = [c for _ in range(self.random.randint(1, most)) for c in self.commands(scope, top=False)]
        self.depth -= 1
        return commands

    def inner(self, scope: Scope, most: int = 2) -> Tree:
        return section(self.several(dict(scope), most))

    def commands(self, scope: Scope, *, top: bool) -> list[Tree]:
        if self.depth > 2:
            return [self.assignment(scope)]
        match self.random.randint(0, 21):
            case 0 | 1 | 2 | 3:
                kind = self.one(self.kinds)
                is_array = kind in ("array", "matrix")
                return self.with_members(kind, scope) if is_array else [self.definition(kind, scope, top=top)]
            case 4 | 5 | 6 | 7:
                choices = {self.named_function: 5, self.recursive_function: 1, self.maker: 1, self.typed_function: 2}
                return [self.one_of({**choices, self.named_routine: 2, self.taking_apart: 3}, scope)]
            case 8 | 9:
                test, body = self.expression("truth", scope), self.inner(scope)
                return [Test(test, body, self.inner(scope)) if self.chance(0.5) else If(test, body)]
            case 10 | 11:
                return [self.loop(scope)]
            case 12:
                return [self.inner(scope, 3)]
            case 13 | 14 | 15:
                return [self.call(scope)]
            case 16 if not top:
                return self.declared(scope)
            case 16 | 17:
                return [
                    Write(
                        (Const("w "), *self.some(self.one(["number", "string", "bits", "truth", "sequence"]), scope, 2))
                    )
                ]
            case 18 if not top:
                return [section(self.labelled(dict(scope)))]
            case 19 if self.chance(0.3):
                return [self.switch(scope)]
            case 20 if self.chance(0.05):
                return [If(self.expression("truth", scope), Leave("finish"))]
        return [self.assignment(scope)]

    def assignment(self, scope: Scope) -> Tree:
        kinds = [kind for kind in LETTERS if kind != "number" and self.names(kind, scope, settable=True)]
        if kinds and self.chance(0.5):
            kind = "function" if "function" in kinds and self.chance(0.5) else self.one(kinds)
            names = self.names(kind, scope, settable=True)
            targets = self.random.sample(names, 2 if len(names) > 1 and self.chance(0.4) else 1)
            if kind == "sequence" and self.chance(0.5):
                more = self.expression(self.one(["number", "number", "sequence"]), scope)
                return Assign((Name(names[0]),), (self.added(kind, more, Name(names[0])),))
            return Assign(tuple(map(Name, targets)), self.some(kind, scope, len(targets)))
        targets = [self.place(scope) for _ in range(self.one([1, 1, 2]))]
        types = [scope[target.name].type if isinstance(target, Name) else "integer" for target in targets]
        values = tuple(self.of_type(type, scope) for type in types)
        if len(targets) == 2 and self.chance(0.3):
            return AssignApart(tuple(targets), Tuple(values))
        return Assign(tuple(targets), values)

    def call(self, scope: Scope) -> Tree:
        routines = [Name(name) for name in self.names("routine", scope)]
        routines += [Item(Name(name), Const(self.random.randint(0, 1))) for name in self.names("routines", scope)]
        if routines and self.chance(0.5):
            return Do(Apply(self.one(routines), (self.place(scope, captured=0.2),)))
        if not (names := self.names("named", scope)):
            return self.assignment(scope)
        name = self.one(names)
        return Do(self.application(name, scope)) if name[0] == "R" else Write((self.application(name, scope),))

    def switch(self, scope: Scope) -> Tree:
        cases = [Case(values, self.inner(scope)) for values in ((Const(1),), (Const(2), Const(0)))]
        return Switch(self.expression("number", scope), (*cases, Default(self.inner(scope))))

    def loop(self, scope: Scope) -> Tree:
        name = self.letter("number")
        rows = self.names("list", scope) + self.names("array", scope) + self.names("sequence", scope)
        match self.random.randint(0, 8):
            case 7 | 8:
                whole, kind = self.fresh("K"), self.one(["sequence", "sequence", "bits"])
                return section(
                    [
                        let(whole, self.argument(Parameter("", "", self.letter(kind)), scope)),
                        self.taking(kind, whole, scope),
                    ]
                )
            case 0 | 1:
                name = self.letter("index")
                return ForStep(name, (Const(0), Const(1), Const(2)), self.body(name, scope))
            case 2:
                last = Standard("Min", (self.expression("number", scope), Const(2)))
                return ForStep(name, (Const(1), Const(0.5), last), self.body(name, scope))
            case 3 if rows:
                return ForList(name, (Name(self.one(rows)),), self.body(name, scope))
            case 3 | 4:
                return ForList(name, self.some("number", scope, 3), self.body(name, scope))
        counting = Assign((Name("k"),), (Op("+", Name("k"), Const(1)),))
        body, word = section([counting, self.inner(scope)]), self.one(["while", "until"])
        test = Op("≥" if word == "until" else "<", Name("k"), Const(self.random.randint(1, 3)))
        return section([let("k", Const(0)), Loop(word, test, body) if self.chance(0.5) else Repeat(body, word, test)])

    def taking(self, kind: str, name: str, scope: Scope) -> Tree:
        """A loop that takes a list or a bit string apart."""
        first = Standard("Head" if kind == "sequence" else "SingleDigitFrom", (Name(name),))
        element = self.letter("number" if kind == "sequence" else kind)
        inner = scope | {name: Known(kind, fixed=True), element: Known(kind_of(element))}
        commands = [let(element, first), *self.several(inner, 3)]
        rest = Standard("Tail", (Name(name),)) if kind == "sequence" else Op("-", Name(name), first)
        body = section([*commands, Assign((Name(name),), (rest,))])
        return Loop("until", Standard("Null", (Name(name),)), body)

    def body(self, name: str, scope: Scope) -> Tree:
        inner = scope | {name: Known(kind_of(name))}
        commands = self.several(inner, 2)
        return section([*commands, *[If(self.expression("truth", inner), Leave("break"))][self.chance(0.8) :]])

    def labelled(self, scope: Scope) -> list[Tree]:
        """Commands that are obeyed several times, by jumps."""
        counter, first, last, variable = map(self.fresh, "NABK")
        again = Op("<", Name(counter), Const(self.random.randint(1, 3)))
        chosen = Choice(again, Name(first), Name(last))
        start: list[Tree] = [let(counter, Const(0))]
        jump: list[Tree] = [GoTo(chosen)]
        if self.chance(0.7):
            unset = self.chance(0.3)
            start.append(Declare("label", (variable,)) if unset else Define("label", (variable,), "=", (Name(last),)))
            jump = [Assign((Name(variable),), (chosen,)), GoTo(Name(variable))]
            if unset and self.chance(0.3):
                jump[0] = If(self.expression("truth", scope), Assign((Name(variable),), (Name(last),)))
        count = Assign((Name(counter),), (Op("+", Name(counter), Const(1)),))
        ending = Label(last, Write((Const("at "), Name(counter))))
        return [*start, Label(first, count), *self.several(scope, 3), *jump, ending]


PARTS = range(2)
"""The tests of random programs are in parts, so that processes can share them."""


def programs(part: int, count: int, first: int = 0) -> Iterator[Program]:
    """A part of so many random programs."""
    return (Writer(seed).program() for seed in range(first + part, first + count, len(PARTS)))


UNSHOWN = ("function", "functions", "routine", "routines", "pointer", "matrix")


def features(program: Program) -> set[str]:
    """The kinds of trees, with their signs and words."""
    details = ("sign", "word", "words", "mode", "type")
    return {
        " ".join([type(tree).__name__, *(value for part, value in vars(tree).items() if part in details)])
        for tree in walk(program.commands)
    }


def shrunk(program: Program, fails: Callable[[Program], bool]) -> Program:
    """As few commands as still fail."""
    for commands in without_one(program.commands):
        candidate = replace(program, commands=commands)
        if fails(candidate):
            return shrunk(candidate, fails)
    return program


def without_one(tree: Any) -> Iterator[Any]:
    """The tree without one of its commands, or with a part instead of the whole, in every way."""
    if isinstance(tree, tuple):
        for at, part in enumerate(tree):
            before, rest = tree[:at], tree[at + 1 :]
            if (
                not isinstance(part, EXPRESSIONS | NewArray | Where | Block | ResultBlock | Parameter | str)
                and len(tree) > 1
            ):
                yield before + rest
            match part:
                case Section(commands):
                    yield before + commands + rest
                case If(_, inner) | Label(_, inner):
                    yield (*before, inner, *rest)
            yield from ((*before, other, *rest) for other in without_one(part))
    elif isinstance(tree, Tree):
        if isinstance(tree, EXPRESSIONS | Where | Block) and not isinstance(tree, Const | Name):
            yield Const(1)
            yield from (
                part for part in [*vars(tree).values(), *getattr(tree, "arguments", ())] if isinstance(part, Tree)
            )
        for name, part in vars(tree).items():
            yield from (replace(tree, **{name: other}) for other in without_one(part))
