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

import pytest
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
}
BOUNDS = {"array": (Tuple((Const(0), Const(2))),), "matrix": (Tuple((Const(0), Const(1))), Tuple((Const(0), Const(2))))}
ROWS = {"matrix": [(Const(0),), (Const(1),)]}  # the subscripts before the last
STANDARD = {  # functions that give something of a kind, with the kinds of their arguments
    "number": ["Head sequence", "Length sequence", "Sum sequence", "Sum sequence"],
    "truth": ["Null sequence", "Null bits", "Null string"],
    "sequence": [f"{name} sequence" for name in ("Join number", "Join number", "MinList sequence", "Map function")]
    + ["Join sequence number", "Join sequence sequence", "Tail sequence", "Reverse sequence"],
}
NUMBERS = [0, 1, 2, 3, 5, 8, -1, 0.5, 1.5, 2.5, 3.0]
PRELUDE = "node Pair is real Left with general Right\nnode Leaf is integer Key\nelement Thing is Pair or Leaf\n"
KNOT = "node Knot is general Held with general Before\n"


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
    reading: str

    @property
    def text(self) -> str:
        """The types that the program uses stand before it."""
        body = text_of(self.commands)
        return PRELUDE * ("Pair" in body or "Thing" in body) + KNOT * ("Knot" in body) + body

    def __repr__(self) -> str:
        return f"\n|| CPLC_SEED={self.seed}, reading {self.reading}\n{self.text}"


def let(name: str, value: Tree) -> Tree:
    return Define("let", (name,), "=", (value,))


def kind_of(name: str) -> str:
    return next(kind for kind, letters in LETTERS.items() if name[0] in letters)


def fixed(scope: Scope) -> Scope:
    """What a function with = and a λ see of what is around them."""
    return {name: replace(meaning, fixed=True) for name, meaning in scope.items()}


def section(commands: list[Tree]) -> Tree:
    return Section(tuple(commands))


class Writer:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        keys = {"and": "loose tight", "plusminus": "set set arithmetic", "nil": "list list zero"}
        self.reading = ",".join(f"{key}={self.one(values.split())}" for key, values in keys.items())
        self.reading += ",shift=up" if seed % 4 == 0 else ""
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
        return Program(self.seed, (*commands, *self.last(scope)), self.reading)

    def last(self, scope: Scope) -> Iterator[Tree]:
        """What has become of everything."""
        shown = [name for name, meaning in scope.items() if meaning.kind in LETTERS and meaning.kind not in UNSHOWN]
        yield WriteLine((Const("last "), *map(Name, shown)))
        for name in self.names("pointer", scope):
            yield WriteLine((Const("at "), Follow(Name(name))))
        for name in [*self.names("function", scope), *self.alike(scope)]:
            yield WriteLine((Const(f"{name} "), Apply(Name(name), (Const(2),))))

    # Names

    def names(self, kind: str, scope: Scope, *, settable: bool = False, type: str | None = None) -> list[str]:
        named = [
            (name, meaning) for name, meaning in scope.items() if meaning.kind == kind and type in (None, meaning.type)
        ]
        return [name for name, meaning in named if not (settable and meaning.fixed)]

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
            lambda s: self.standard("number", s): 2,
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
        kind, by_place = kind_of(parameter.name), parameter.mode == "ref"
        if kind == "number":
            return self.place(scope, parameter.type, 0.6) if by_place else self.of_type(parameter.type, scope)
        names = self.names(kind, scope, settable=True)
        if kind == "function" and self.chance(0.3):
            names = self.alike(scope) or names
        if not by_place:
            return self.expression(kind, scope)
        new = {name: meaning for name, meaning in scope.items() if meaning.kind != kind}
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
                return self.standard("truth", scope)
            case 10:
                first, second = self.some("number", scope, 2)  # whether the third is always evaluated is not said
                return Chain(first, self.one("<≤="), second, self.one("<≤>≠"), self.constant(scope))
        return Op(self.one("<>≤≥=≠"), *self.some("number", scope, 2))

    def index(self, scope: Scope) -> Tree:
        if self.chance(0.01):
            return self.named("number", scope, self.constant)
        if self.chance(0.2) and self.depth < 3:
            return Choice(self.expression("truth", scope), Const(0), Const(2))
        return self.named("index", scope, lambda _: Const(self.random.randint(0, 2)), 0.6)

    def array(self, scope: Scope, kind: str = "array") -> Tree:
        new = NewArray(self.one(["integer", "real", "general"]), BOUNDS[kind])
        array = self.named(kind, scope, lambda _: new, 0.6)
        return Standard("Copy", (array,)) if array is not new and self.chance(0.3) else array

    def list(self, scope: Scope) -> Tree:
        if self.chance(0.2):
            return Standard("Join", (self.expression("list", scope), Bracket(self.some("number", scope, 1))))
        return self.named("list", scope, lambda s: Bracket(self.some("number", s, 3)), 0.4)

    def standard(self, kind: str, scope: Scope) -> Tree:
        name, *kinds = self.one(STANDARD[kind]).split()
        return Standard(name, tuple(self.expression(kind, scope) for kind in kinds))

    def sequence(self, scope: Scope) -> Tree:
        """A list whose members are not assigned to: whether `Tail` shares them is not said."""
        if (makers := self.names("sequences", scope)) and self.depth < 3 and self.chance(0.2):
            return self.application(self.one(makers), scope)
        if self.depth < 4 and self.chance(0.5):
            return self.standard("sequence", scope)
        return self.named("sequence", scope, lambda s: Bracket(self.some("number", s, self.one([0, *[1, 2, 3] * 3]))))

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
                return Item(Name(self.one(rows)), (Const(self.random.randint(0, 1)),))
        return self.named("function", scope, self.lambda_expression)

    def lambda_expression(self, scope: Scope, *, places: bool = False) -> Tree:
        """Captures values; or variables, after ≡."""
        parameter = self.letter("number")
        body_scope = (scope if places else fixed(scope)) | {parameter: Known("number")}
        return Lambda((parameter,), self.expression("number", body_scope))

    def functions(self, scope: Scope) -> Tree:
        return Bracket(self.some("function", scope, 2))

    def routine(self, scope: Scope) -> Tree:
        """One that has a name, or has had none so far."""
        names = self.alike(scope, "ref", "R") + self.names("routine", scope)
        row = Bracket(tuple(map(Name, names[-2:])))
        return self.one([*map(Name, names), Item(row, (Const(0),))]) if names else Const(0)

    def pointer(self, scope: Scope) -> Tree:
        return self.named("pointer", scope, lambda s: Standard("Pointer", (self.place(s, captured=0.6),)), 0.3)

    def bits(self, scope: Scope) -> Tree:
        if self.depth > 3 or self.chance(0.5):
            return self.named("bits", scope, lambda _: Const(Bits(self.random.randint(1, 7))))
        makers, (left, right) = self.names("bitwise", scope), self.some("bits", scope, 2)
        match self.random.randint(0, 10):
            case 9:
                return Mixture(left, right, *self.some("bits", scope, 2))
            case 10 if makers:
                return self.application(self.one(makers), scope)
            case 0:
                return Standard("Shift", (left, Const(self.random.randint(-2, 2))))
            case 1:
                return Prefix("~", left)
        return Op(self.one("+-+-∧∨≡≢"), left, Const([]) if "zero" in self.reading and self.chance(0.3) else right)

    def node(self, scope: Scope) -> Tree:
        return self.named("node", scope, lambda s: Standard("Pair", self.some("number", s, 2)), 0.4)

    def string(self, scope: Scope) -> Tree:
        if self.chance(0.2) and self.depth < 3:
            return Standard("StringOf", (Bracket(self.some("string", scope, 2)),))
        return self.named("string", scope, lambda _: Const(self.one(["", "a", "bc"])), 0.5)

    # Places of numbers

    def place(self, scope: Scope, type: str = "", captured: float = 0) -> Tree:
        """Something that can be assigned to; or perhaps what is captured, and so is for reading."""
        by_type = self.names("number", scope, type=type) or self.names("number", scope)
        names = [name for name in by_type if scope[name].fixed <= self.chance(captured)]
        match self.random.randint(0, 6):
            case 0 if len(names) > 1:
                return Choice(self.expression("truth", scope), *map(Name, self.random.sample(names, 2)))
            case 1 | 2 if rows := [name for kind in ("array", "list", "matrix") for name in self.names(kind, scope)]:
                row = self.one(rows)
                return Item(Name(row), (*self.one(ROWS.get(kind_of(row), [()])), self.index(scope)))
            case 3 if pointers := self.names("pointer", scope):
                return Follow(Name(self.one(pointers)))
            case 4 if nodes := self.names("node", scope):
                return Standard(self.one(["Left", "Right"]), (Name(self.one(nodes)),))
        return Name(self.one(names)) if names else Item(Bracket((Const(1), Const(2.5))), (Const(1),))

    # Definitions

    def definition(self, kind: str, scope: Scope, *, top: bool = False) -> Tree:
        name = self.letter(kind)
        if kind == "number":
            return self.number_definition(name, scope, is_again=top and name in scope)
        if kind == "sequence" and self.chance(0.2):
            parts, scope["a"], scope[name] = self.some(kind, scope, 1), Known("number"), Known(kind)
            return TakeApart(("a", name), Standard("Next", parts))
        # whether it would be recursive is not said
        before = {other: meaning for other, meaning in scope.items() if other != name or not top or kind != "function"}
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
            case 7:
                names, value = tuple(self.random.sample(LETTERS["number"], 2)), self.expression("number", scope)
                scope |= dict.fromkeys(names, Known("number"))
                return All(names, value)
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
        assignment = Assign((Name(name),), (self.of_type(type, scope),))
        test, scope[name] = self.expression("truth", scope), Known("number", type)
        declaration = self.one([Declare, Be])(type, (name,))
        if self.chance(0.3):
            other = self.fresh("V")
            declaration, scope[other] = AllBe(type, (name, other)), Known("number", type)
        return [declaration, If(test, assignment) if self.chance(0.3) else assignment]

    def with_members(self, kind: str, scope: Scope) -> list[Tree]:
        name, value = self.letter(kind), self.array(scope, kind)
        scope[name] = Known(kind)
        targets = tuple(Item(Name(name), (*row, Const(last))) for row in ROWS.get(kind, [()]) for last in range(3))
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
            outer = {name: meaning for name, meaning in around.items() if name != drawn[0].name}
            function = replace(self.headed(outer), name=self.fresh("F"))
            drawn.append(function if self.chance(0.6) else self.routine_of(outer))
        scope |= {function.name: Known("named", parameters=function.parameters) for function in drawn}
        return Functions(own, "" if own else "let ", tuple(drawn))

    def headed(self, around: Scope, signs: str = "=≡") -> Any:
        """A function with a name, perhaps that of an earlier one, which it hides."""
        parameters, sign = self.parameters(), self.one(signs)
        body_scope = self.within(around, sign, parameters)
        body = self.block(body_scope) if self.chance(0.6) else self.expression("number", body_scope)
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
        """It takes a list or a bit string apart, or counts, perhaps with what it has so far."""
        kind, result = self.one(["index", "sequence", "bits"]), self.one(["number", "sequence", "bits"])
        name, sign = self.fresh({"number": "F", "sequence": "S", "bits": "B"}[result]), self.one("=≡")
        whole, so_far = Name(LETTERS[kind][0]), Name(LETTERS[result][1])
        end, first, rest = self.apart(kind, whole)
        parameters = tuple(Parameter("value", "", part.name) for part in (whole, so_far)[: self.one([1, 2])])
        body_scope = self.within(scope, sign, parameters)
        if (kind == "bits") != (result == "bits") or self.chance(0.4):
            first = self.expression("number" if result == "sequence" else result, body_scope)
        pair = (first, so_far if parameters[1:] else Apply(Name(name), (rest,)))
        again = (
            Standard("Join", pair) if result == "sequence" else Op(self.one("+∨" if result == "bits" else "+-"), *pair)
        )
        arms = (
            (so_far, Apply(Name(name), (rest, again)))
            if parameters[1:]
            else (self.expression(result, body_scope), again)
        )
        scope[name] = Known({"F": "named", "S": "sequences", "B": "bitwise"}[name[0]], parameters=parameters)
        return Functions("", "let rec ", (Function("", name, parameters, sign, Choice(end, *arms)),))

    def apart(self, kind: str, whole: Tree) -> tuple[Tree, Tree, Tree]:
        """Whether a list, a bit string or a count has come to its end, its first, and the rest."""
        if kind == "index":
            return Op("<", whole, Const(1)), whole, Op("-", whole, Const(1))
        first = Standard("Head" if kind == "sequence" else "SingleDigitFrom", (whole,))
        rest = Standard("Tail", (whole,)) if kind == "sequence" else Op("∧", Op("-", whole, first), Const(Bits(30)))
        return Standard("Null", (whole,)), first, rest

    def maker(self, scope: Scope) -> Tree:
        """A function that gives a function."""
        head = replace(self.headed(scope), name=self.fresh("M"))
        body_scope = self.within(scope, head.sign, head.parameters)
        body = self.lambda_expression(body_scope)
        if self.chance(0.7):
            parameters, sign = (Parameter("value", "", self.letter("number")),), self.one("=≡≡")
            function = Function("", "H", parameters, sign, self.block(self.within(body_scope, sign, parameters)))
            body = Block((Functions("", "let ", (function,)), *self.several(body_scope, 2), Result(Name("H"))))
        scope[head.name] = Known("maker", parameters=head.parameters)
        return Functions("", "let ", (replace(head, body=body),))

    def named_routine(self, scope: Scope) -> Tree:
        routine = self.routine_of(scope)
        scope[routine.name] = Known("named", parameters=routine.parameters)
        if routine.type and self.chance(0.4):
            sign = self.one(["be", ""]) if isinstance(routine, Bare) else "be"
            return Functions("", "rec ", (replace(routine, sign=sign),))
        return Functions("", "let ", (routine,))

    def routine_of(self, scope: Scope) -> Any:
        """A routine, which its heading may call one, with brackets or without."""
        parameters = self.parameters()
        body_scope, name = self.within(scope, "be", parameters), self.fresh("R")
        places = [p for p in parameters if p.mode == "ref" and kind_of(p.name) == "number" and self.chance(0.7)]
        body = [
            *(Assign((Name(p.name),), (self.of_type(p.type, body_scope),)) for p in places),
            *self.several(body_scope, 2),
        ]
        if self.chance(0.2):
            body += [If(self.expression("truth", body_scope), Leave("return")), *self.several(body_scope, 1)]
        form = Bare if not parameters and self.chance(0.6) else Function
        return form(self.one(["", "routine"]), name, parameters, "be", section(body))

    def block(self, scope: Scope) -> Any:
        block_scope = dict(scope)
        if self.chance(0.1):
            first = Assign((Name("result"),), (self.expression("number", block_scope),))
            return ResultBlock((first, *self.several(block_scope, 2)))
        labelled = self.one([self.labelled, self.escaping]) if self.chance(0.25) else None
        commands = labelled(block_scope) if labelled else self.several(block_scope, 2)
        commands += [self.call(block_scope)] if self.chance(0.3) else []
        result = Result(self.expression("number", block_scope))
        return Block((*commands, If(self.expression("truth", block_scope), result) if self.chance(0.03) else result))

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
                return self.with_members(kind, scope) if kind in BOUNDS else [self.definition(kind, scope, top=top)]
            case 4 | 5 | 6 | 7:
                choices = {self.named_function: 5, self.recursive_function: 4, self.maker: 1, self.typed_function: 2}
                return [self.one_of({**choices, self.named_routine: 2}, scope)]
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
                return [WriteLine((Const("w "), *self.some(self.one(["number", "string", "bits", "truth"]), scope, 2)))]
            case 18 if not top:
                return [section(self.one([self.labelled, self.escaping])(dict(scope)))]
            case 19 if self.chance(0.3):
                return [self.switch(scope)]
            case 20 if self.chance(0.1):
                return [If(self.expression("truth", scope), Leave("finish"))]
        return [self.assignment(scope)]

    def assignment(self, scope: Scope) -> Tree:
        kinds = [
            kind for kind in LETTERS if kind not in ("number", "matrix") and self.names(kind, scope, settable=True)
        ]
        if kinds and self.chance(0.5):
            kind = "function" if "function" in kinds and self.chance(0.5) else self.one(kinds)
            names = self.names(kind, scope, settable=True)
            targets = self.random.sample(names, 2 if len(names) > 1 and self.chance(0.4) else 1)
            return Assign(tuple(map(Name, targets)), self.some(kind, scope, len(targets)))
        targets = [self.place(scope) for _ in range(self.one([1, 1, 2]))]
        types = [scope[target.name].type if isinstance(target, Name) else "integer" for target in targets]
        values = tuple(self.of_type(type, scope) for type in types)
        if len(targets) == 2 and self.chance(0.3):
            return AssignApart(tuple(targets), Tuple(values))
        return Assign(tuple(targets), values)

    def call(self, scope: Scope) -> Tree:
        if (routine := self.routine(scope)) != Const(0) and self.chance(0.3):
            return Do(Apply(routine, (self.place(scope, captured=0.6),)))
        if not (names := self.names("named", scope)):
            return self.assignment(scope)
        name = self.one(names)
        if name[0] == "R" and not scope[name].parameters and self.chance(0.6):
            return Call(name)
        return Do(self.application(name, scope)) if name[0] == "R" else WriteLine((self.application(name, scope),))

    def switch(self, scope: Scope) -> Tree:
        cases = [Case(values, self.inner(scope)) for values in ((Const(1),), (Const(2), Const(0)))]
        return Switch(self.expression("number", scope), (*cases, Default(self.inner(scope))))

    def loop(self, scope: Scope) -> Tree:
        name = self.letter("number")
        rows = self.names("list", scope) + self.names("array", scope) + self.names("sequence", scope)
        match self.random.randint(0, 8):
            case 0 | 1:
                name = self.letter("index")
                return ForStep(name, (Const(0), Const(1), Const(2)), self.body(name, scope))
            case 4:
                last = Standard("Min", (self.expression("number", scope), Const(2)))
                return ForTo(name, self.one([Const(0), Const(1)]), last, self.body(name, scope))
            case 2:
                last = Standard("Min", (self.expression("number", scope), Const(2)))
                return ForStep(name, (Const(1), Const(0.5), last), self.body(name, scope))
            case 3 if rows:
                return ForList(name, (Name(self.one(rows)),), self.body(name, scope))
            case 3:
                return ForList(name, self.some("number", scope, 3), self.body(name, scope))
        kind = self.one(["index", "sequence", "bits"])
        name = self.letter("number" if kind == "sequence" else kind)
        end, first, rest = self.apart(kind, Name("K"))
        body_scope = scope | {"K": Known(kind, fixed=True), name: Known(kind_of(name))}
        body = section([let(name, first), *self.several(body_scope, 3), Assign((Name("K"),), (rest,))])
        word, test = self.one([("until", end), ("while", Prefix("~", end))])
        loop = Repeat(body, word, test) if kind == "index" and self.chance(0.5) else Loop(word, test, body)
        return section([let("K", self.expression(kind, scope)), loop])

    def body(self, name: str, scope: Scope) -> Tree:
        body_scope = scope | {name: Known(kind_of(name))}
        commands = self.several(body_scope, 2)
        return section([*commands, *[If(self.expression("truth", body_scope), Leave("break"))][self.chance(0.8) :]])

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
        ending = Label(last, WriteLine((Const("at "), Name(counter))))
        return [*start, Label(first, count), *self.several(scope, 3), *jump, ending]

    def escaping(self, scope: Scope) -> list[Tree]:
        """Commands with a routine that leaves all that called it by a jump to one of their labels."""
        counter, row, routine, other, *labels = map(self.fresh, "NLRRABZ")
        names = tuple(map(Name, labels))
        chosen = self.one(
            [Item(Name(row), (self.index(scope),)), Choice(self.truth(scope), *names[:2]), self.one(names)]
        )
        again = Op(self.one("<≤"), Name(counter), Const(self.random.randint(1, 3)))
        leap = self.one([Leap("if", again, GoTo(chosen)), Leap("unless", Prefix("~", again), GoTo(chosen))])
        parameters = (Parameter("ref", "", self.letter("number")),) if self.chance(0.5) else ()
        around = self.within(scope, "be", parameters)
        body = section([*self.several(around, 2), leap, *self.several(around, 1)])
        form = Function if parameters else self.one([Function, Bare])
        scope[routine] = Known("named", parameters=parameters)
        leaving = Functions("", "let ", (form(self.one(["", "routine"]), routine, parameters, "be", body),))
        scope[other] = Known("named")
        call = Do(self.application(routine, scope))
        calling = Functions("", "rec ", (Bare("routine", other, (), self.one(["be", ""]), self.around(call, scope)),))
        count = Assign((Name(counter),), (Op("+", Name(counter), Const(1)),))
        return [
            let(counter, Const(0)),
            Labels(row, len(labels) - 1, names),
            leaving,
            calling,
            Label(labels[0], count),
            self.around(call, scope),
            self.inner(scope),
            Label(labels[1], count),
            self.one([Call(other), self.around(Call(other), scope)]),
            Label(labels[2], WriteLine((Const("at "), Name(counter)))),
        ]

    def around(self, call: Tree, scope: Scope) -> Tree:
        """A call in a section, an arm, a loop or a block."""
        before = self.several(dict(scope), 1) if self.chance(0.4) else []
        inside = section([*before, call])
        match self.random.randint(0, 4):
            case 0:
                return section([If(self.truth(scope), inside)])
            case 1:
                return section([ForTo(self.letter("index"), Const(0), Const(1), inside)])
            case 2:
                return section([let(self.letter("number"), Block((inside, Result(Const(1)))))])
        return inside


PARTS = range(2)
"""The tests of random programs are in parts, so that processes can share them."""
SHARES = [0, pytest.param(1, marks=pytest.mark.long)]
"""The parts of a test, of which every change is tested with the first."""


def programs(part: int, count: int, first: int = 0, writer: type[Writer] = Writer) -> Iterator[Program]:
    """A part of so many random programs."""
    return (writer(seed).program() for seed in range(first + part, first + count, len(PARTS)))


UNSHOWN = ("function", "functions", "routine", "pointer")


def features(program: Program) -> set[str]:
    """The kinds of trees, with their signs and words."""
    details = ("sign", "word", "words", "mode", "type")
    return {
        " ".join([type(tree).__name__, *(value for part, value in vars(tree).items() if part in details)])
        for tree in walk(program.commands)
    }


def shrunk(program: Program, fails: Callable[[Program], bool]) -> Program:
    """As few commands as still fail."""
    size = len(program.commands) // 2
    while size:  # first many at once
        for start in range(0, len(program.commands), size):
            commands = program.commands[:start] + program.commands[start + size :]
            if commands and fails(candidate := replace(program, commands=commands)):
                program = candidate
                break
        else:
            size //= 2
    first, has_changed = 0, True
    while first or has_changed:  # what failed to fail is tried again only when all others have been
        has_changed = False
        for at, commands in enumerate(without_one(program.commands)):
            if at >= first and fails(candidate := replace(program, commands=commands)):
                program, first, has_changed = candidate, at, True
                break
        else:
            first, has_changed = 0, first > 0
    return program


def without_one(tree: Any) -> Iterator[Any]:
    """The tree without one of its commands, or with a part instead of the whole, in every way."""
    if isinstance(tree, tuple):
        parts = [(tree[:at], part, tree[at + 1 :]) for at, part in enumerate(tree)]
        for before, part, rest in parts:
            if (
                not isinstance(part, EXPRESSIONS | NewArray | Where | Block | ResultBlock | Parameter | str)
                and len(tree) > 1
            ):
                yield before + rest
        for before, part, rest in parts:
            match part:
                case Section(commands) | Functions(functions=(Function(sign="be", body=Section(commands)),)):
                    yield before + commands + rest
                case If(_, nested) | Label(_, nested):
                    yield (*before, nested, *rest)
                case ForStep(body=nested) | ForTo(body=nested) | ForList(body=nested):
                    yield (*before, nested, *rest)
                case Loop(body=nested) | Repeat(body=nested):
                    yield (*before, nested, *rest)
            yield from ((*before, other, *rest) for other in without_one(part))
    elif isinstance(tree, Tree):
        if isinstance(tree, EXPRESSIONS | Where | Block) and not isinstance(tree, Const | Name):
            yield Const(1)
            yield from (
                part for part in [*vars(tree).values(), *getattr(tree, "arguments", ())] if isinstance(part, Tree)
            )
        for name, part in vars(tree).items():
            yield from (replace(tree, **{name: other}) for other in without_one(part))
