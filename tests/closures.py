"""Random programs that keep local functions beyond the round that defines them, and apply all of them at the end.

A round is a turn of a loop, of a loop made of labels, or of a recursion. What it defines is bound again in each turn:
each function that is kept has the variables and functions of its own turn.
"""

# ruff: noqa: F403, F405
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from interactions import LETTERS, Known, Program, Scope, Writer, fixed, kind_of, let, section
from interactions import features as usual_features
from oracle import *
from oracle import names_in

VALUE, PLACE = (Parameter("value", "", "a"),), (Parameter("ref", "", "b"),)
TURN = "k"
"""The variable that tells one turn from the next."""
SAME = Lambda(("a",), Name("a"))
STORES: dict[str, Tree] = {
    "Kept": Bracket((SAME,)),
    "Chain": Standard("Knot", (SAME, Const([]))),
    "Acts": Bracket(()),
    "Pairs": Bracket(()),
}
"""Functions in a list and in nodes, routines with a place, and pairs of a function and a routine."""


def also(store: str, *members: Tree) -> Tree:
    """Put more into the list of that name."""
    return Assign((Name(store),), (Standard("Join", (Name(store), Bracket(members))),))


ROUNDS = ["for in steps", "for through a list", "while", "repeat", "labels", "recursion"]
STORED = ["a list", "a node", "a variable", "a member", "a parameter"]
OTHERS = ["a group", "a function that applies itself", "one with own variables", "a λ", "a λ after ≡", "an alias"]
OTHERS += ["captured by a λ"]
Kept = tuple[str, str, str]
"""A kind of function, the round that defines it, and where it is kept."""
LOOPS = {ForStep: "for in steps", ForTo: "for in steps", ForList: "for through a list", Loop: "while", Repeat: "repeat"}
PLACES = {"Kept": "a list", "Acts": "a list", "Pairs": "a list", "Chain": "a node"}
SIGNS = {"=": "a function with =", "≡": "a function with ≡", "be": "a routine"}


def features(program: Program) -> set[str]:
    """The kinds of trees; what is kept of which round, and where."""
    kept = [*kept_in(program.commands, "no round", {})]
    by_round = {f"{function} of {round}" for function, round, _ in kept}
    by_place = {f"{function} in {place}" for function, _, place in kept}
    return usual_features(program) | by_round | by_place | {f"of {round} in {place}" for _, round, place in kept}


def kept_in(tree: Any, round: str, around: dict[str, str]) -> Iterator[Kept]:
    """What the commands keep. `around` tells what kind of function the names stand for."""
    match tree:
        case tuple():
            around = dict(around)
            round = "labels" if any(isinstance(part, Label) for part in tree) else round
            for part in tree:
                yield from kept_in(part, round, around)
                around |= kinds_of(part)
            return
        case Assign(targets, values):
            for target, value in zip(targets, values, strict=True):
                if place := place_of(target):
                    yield from ((kind, round, place) for kind in functions_in(value, around))
        case Do(Apply(Name("Keep"), values)):
            yield from ((kind, round, "a parameter") for kind in functions_in(values, around))
        case Function(name=name, body=body) if name in names_in(body):
            round = "recursion"
    for part in vars(tree).values() if isinstance(tree, Tree) else ():
        yield from kept_in(part, LOOPS.get(type(tree), round), around)


def kinds_of(definition: Tree) -> dict[str, str]:
    """The names of functions that the command defines, with their kinds."""
    match definition:
        case Functions(own, words, functions):
            if "rec" in words:
                word = "a group" if len(functions) > 1 else "a function that applies itself"
                return dict.fromkeys([function.name for function in functions], word)
            return {function.name: "one with own variables" if own else SIGNS[function.sign] for function in functions}
        case Define(_, (name,), "=" | "≡" as sign, (Lambda(),)):
            return {name: "a λ" if sign == "=" else "a λ after ≡"}
        case Define(_, (name,), "≃", (Name(),)) if name in LETTERS["function"]:
            return {name: "an alias"}
    return {}


def place_of(target: Tree) -> str:
    """Where an assignment keeps its value."""
    match target:
        case Name(name):
            return "a variable" if name in LETTERS["function"] else PLACES.get(name, "")
        case Standard("Held", _):
            return "a node"
        case Item(Name(name), _) if name in LETTERS["functions"]:
            return "a member"
    return ""


def functions_in(value: Any, around: dict[str, str]) -> Iterator[str]:
    """The kinds of functions in a value; what a λ captures is kept in it."""
    match value:
        case Name(name):
            yield from [around[name]] if name in around else []
        case Lambda(_, body):
            yield "a λ"
            yield from ("captured by a λ" for kind in functions_in(body, around))
        case tuple():
            for part in value:
                yield from functions_in(part, around)
        case Tree():
            for part in vars(value).values():
                yield from functions_in(part, around)


def less(value: Tree) -> Tree:
    return Op("-", value, Const(1))


def applied(function: Tree, argument: Tree) -> Tree:
    return Apply(function, (argument,))


class Keeper(Writer):
    """Draws one program."""

    def program(self) -> Program:
        scope: Scope = {name: Known("store") for name in STORES}
        commands = [let(name, value) for name, value in STORES.items()]
        commands += [self.definition(kind, scope, top=True) for kind in ("number", "number", "function")]
        commands += [let("h", SAME), let("n", Bracket((SAME, SAME))), self.keeping_routine(scope)]
        scope |= {"h": Known("function"), "n": Known("functions"), "Keep": Known("keeper")}
        for _ in range(self.random.randint(1, 3)):
            commands += self.commands(scope, top=True) if self.chance(0.4) else []
            commands += self.one([self.rounds, self.rounds, self.in_a_routine])(scope)
        commands += self.last(scope)
        if self.chance(0.2):
            whole = self.fresh("R")
            commands = [self.without_parameters(whole, commands), Call(whole)]
        return Program(self.seed, tuple(commands), self.reading)

    def without_parameters(self, name: str, commands: list[Tree]) -> Tree:
        return Functions("", "let ", (Bare("routine", name, (), "be", section(commands)),))

    def in_a_routine(self, scope: Scope) -> list[Tree]:
        name = self.fresh("R")
        return [self.without_parameters(name, self.rounds(dict(scope))), Call(name)]

    def keeping_routine(self, scope: Scope) -> Tree:
        """It keeps the function that it gets, or one that applies it."""
        parameters = (Parameter(self.one(["value", "value", "ref"]), "", "f"),)
        applying = Op("+", applied(Name("f"), Name("a")), Const(1))
        inner = Functions("", "let ", (Function("", "G", VALUE, self.one("=≡"), applying),))
        bodies = [
            [also("Kept", Name("f"))],
            [inner, also("Kept", Name("G"))],
            [also("Kept", Lambda(("a",), applying))],
            [let("g", Name("f")), also("Kept", Name("g"))],
        ]
        return Functions("", "let ", (Function("routine", "Keep", parameters, "be", section(self.one(bodies))),))

    def last(self, scope: Scope) -> Iterator[Tree]:
        """What has become of everything; and what is kept is applied, so that it changes what it shares."""
        yield from super().last(scope)
        yield ForList("f", (Name("n"),), section([WriteLine((applied(Name("f"), Const(2)),))]))
        for argument in (Const(2), Const(1)):
            yield ForList("f", (Name("Kept"),), section([WriteLine((applied(Name("f"), argument),))]))
            yield let("b", Const(5))
            yield ForList("o", (Name("Acts"),), section([Do(applied(Name("o"), Name("b"))), WriteLine((Name("b"),))]))
            pair = [TakeApart(("G", "U"), Name("y")), Do(applied(Name("U"), argument))]
            yield ForList("y", (Name("Pairs"),), section([*pair, WriteLine((Apply(Name("G"), ()),))]))
        held = Standard("Held", (Name("Chain"),))
        following = Assign((Name("Chain"),), (Standard("Before", (Name("Chain"),)),))
        shown = WriteLine((applied(held, Const(3)),))
        yield Loop("until", Standard("Null", (Name("Chain"),)), section([shown, following]))

    def commands(self, scope: Scope, *, top: bool) -> list[Tree]:
        """Those of other programs; and anywhere something is defined to be kept."""
        if not top and "Keep" in scope and self.chance(0.25):
            return [*self.local(scope), self.keep(scope)] if self.chance(0.5) else [self.keep(scope)]
        return super().commands(scope, top=top)

    # Rounds

    def rounds(self, scope: Scope) -> list[Tree]:
        choices = {
            self.counted: 4,
            self.listed: 3,
            self.conditional: 4,
            self.by_labels: 4,
            self.by_leaving: 2,
            self.by_recursion: 4,
            self.by_function: 2,
            self.mapped: 2,
        }
        return self.one_of(choices, scope)

    def turn(self, scope: Scope, *, within_loop: bool = False) -> list[Tree]:
        """What is done in each turn: definitions, and something is kept."""
        self.depth += 1
        commands = [self.definition("number", scope) for _ in range(self.random.randint(0, 2))]
        commands += self.declared(scope) if self.chance(0.1) else []
        for _ in range(self.random.randint(1, 3)):
            commands += self.local(scope)
        if self.chance(0.3):
            commands += self.several(scope, 1)
        if self.depth < 2 and self.chance(0.15):
            commands += self.rounds(scope)
        commands += [self.keep(scope) for _ in range(self.random.randint(1, 3))]
        if self.chance(0.4):
            commands += [self.assignment(scope)]
        if within_loop and self.chance(0.1):
            commands += [If(self.small_truth(scope), Leave("break"))]
        self.depth -= 1
        return commands

    def counted(self, scope: Scope) -> list[Tree]:
        inside = scope | {TURN: Known("number")}
        body = section(self.turn(inside, within_loop=True))
        if self.chance(0.5):
            return [ForTo(TURN, Const(1), Const(self.random.randint(2, 3)), body)]
        return [ForStep(TURN, self.one([(Const(0), Const(2), Const(4)), (Const(2), Const(-1), Const(0))]), body)]

    def listed(self, scope: Scope) -> list[Tree]:
        numbers = tuple(map(Const, self.random.sample(range(1, 8), self.random.randint(2, 3))))
        values = self.one([numbers, (Bracket(numbers),)])
        return [ForList(TURN, values, section(self.turn(scope | {TURN: Known("number")}, within_loop=True)))]

    def conditional(self, scope: Scope) -> list[Tree]:
        count, first = Name(self.fresh("K")), Const(self.random.randint(2, 3))
        inside = scope | {TURN: Known("number")}
        turn = self.turn(inside, within_loop=False)
        body = section([let(TURN, count), *turn, Assign((count,), (less(count),))])
        end = Op("<", count, Const(1))
        word, test = self.one([("until", end), ("while", Prefix("~", end))])
        loop = Repeat(body, word, test) if self.chance(0.5) else Loop(word, test, body)
        return [section([let(count.name, first), loop])]

    def by_labels(self, scope: Scope) -> list[Tree]:
        count, label = Name(self.fresh("N")), self.fresh("A")
        inside = scope | {TURN: Known("number")}
        again = Op("<", count, Const(self.random.randint(2, 3)))
        jump = self.one([If(again, GoTo(Name(label))), Leap("if", again, GoTo(Name(label)))])
        return [
            section(
                [
                    let(count.name, Const(0)),
                    Label(label, Assign((count,), (Op("+", count, Const(1)),))),
                    let(TURN, count),
                    *self.turn(inside),
                    jump,
                ]
            )
        ]

    def by_leaving(self, scope: Scope) -> list[Tree]:
        """A routine leaves the turn by a jump to the next."""
        count, label, leaving = Name(self.fresh("N")), self.fresh("A"), self.fresh("R")
        inside = dict(scope)
        again = Op("<", count, Const(self.random.randint(2, 3)))
        around = inside | {TURN: Known("number")}
        body = section([*self.turn(around), Leap("if", again, GoTo(Name(label)))])
        parameters = (Parameter("value", "", TURN),)
        routine = Functions("", "let ", (Function("routine", leaving, parameters, "be", body),))
        inside |= {TURN: Known("number")}
        return [
            section(
                [
                    let(count.name, Const(0)),
                    routine,
                    Label(label, Assign((count,), (Op("+", count, Const(1)),))),
                    let(TURN, count),
                    *self.turn(inside),
                    Do(applied(Name(leaving), count)),
                ]
            )
        ]

    def by_recursion(self, scope: Scope) -> list[Tree]:
        """A routine that applies itself, before it keeps something or after that."""
        name = self.fresh("R")
        mode = self.one(["value", "ref", "substitution"])
        parameters = (Parameter("value", "", TURN), Parameter(mode, "", "c"))
        inside = scope | {TURN: Known("number"), "c": Known("number")}
        argument = self.one([Name("c"), self.place(inside)])
        turn = self.turn(inside)
        again = If(Op("<", Const(1), Name(TURN)), Do(Apply(Name(name), (less(Name(TURN)), argument))))
        commands = self.one([[*turn, again], [again, *turn]])
        routine = Function("routine", name, parameters, "be", section(commands))
        first = self.place(scope) if mode == "ref" else self.named("number", scope, self.constant)
        return [Functions("", "let rec ", (routine,)), Do(Apply(Name(name), (Const(2), first)))]

    def by_function(self, scope: Scope) -> list[Tree]:
        """A function that applies itself in its result."""
        name, sign = self.fresh("F"), self.one("=≡≡")
        parameters = (Parameter("value", "", TURN),)
        inside = self.within(scope, sign, ()) | {TURN: Known("number")}
        turn = self.turn(inside)
        again = Op("+", applied(Name(name), less(Name(TURN))), Name(TURN))
        result = Result(Choice(Op("<", Name(TURN), Const(1)), Const(0), again))
        function = Function("", name, parameters, sign, Block((*turn, result)))
        return [Functions("", "let rec ", (function,)), WriteLine((applied(Name(name), Const(2)),))]

    def mapped(self, scope: Scope) -> list[Tree]:
        """A function that makes a function in each of its applications."""
        if scope["Kept"].fixed:
            return self.counted(scope)
        inside = self.within(scope, "=", ()) | {TURN: Known("number")}
        self.depth += 1
        made = [*self.local(inside), Result(self.some_function(inside))]
        self.depth -= 1
        numbers = Bracket(tuple(map(Const, self.random.sample(range(1, 8), 2))))
        functions = Standard("Map", (Lambda((TURN,), Block(tuple(made))), numbers))
        return [Assign((Name("Kept"),), (Standard("Join", (Name("Kept"), functions)),))]

    # What is kept

    def recent(self, names: list[str]) -> str:
        """One of the names, most likely of those defined last."""
        return self.one(names[-3:] if self.chance(0.7) else names)

    def some_function(self, scope: Scope) -> Tree:
        names = [*self.names("function", scope), *self.alike(scope)]
        names.sort(key=[*scope].index)
        match self.random.randint(0, 9):
            case 0:
                return Lambda(("a",), self.small(fixed(scope) | {"a": Known("number")}))
            case 1:
                return Choice(self.small_truth(scope), *map(Name, (self.recent(names), self.one(names))))
            case 2:
                return Lambda(("a",), Op("+", applied(Name(self.recent(names)), Name("a")), Const(1)))
            case 3 if makers := self.names("maker", scope):
                return self.application(self.one(makers), scope)
        return Name(self.recent(names))

    def keep(self, scope: Scope) -> Tree:
        function = self.some_function(scope)
        held = Standard("Held", (Name("Chain"),))
        choices = [Do(applied(Name("Keep"), function))] * 2 + [Assign((held,), (function,))]
        if not scope["Kept"].fixed:
            choices += [also("Kept", function)] * 3
            choices += [Assign((Name("Chain"),), (Standard("Knot", (function, Name("Chain"))),))] * 2
            if routines := self.alike(scope, "ref", "R"):
                choices += [also("Acts", Name(self.recent(routines)))] * 3
            if pairs := self.names("pair", scope):
                load = self.recent(pairs)
                choices += [also("Pairs", Tuple((Name(load), Name(scope[load].type))))] * 4
        if variables := self.names("function", scope, settable=True):
            choices += [Assign((Name(self.one(variables)),), (function,))] * 2
        if rows := self.names("functions", scope):
            choices += [Assign((Item(Name(self.one(rows)), (Const(self.random.randint(0, 1)),)),), (function,))] * 2
        return self.one(choices)

    # Local functions

    def local(self, scope: Scope) -> list[Tree]:
        choices = {
            self.function_with_sign: 5,
            self.variable: 2,
            self.by_substitution: 1,
            self.group: 4,
            self.itself: 2,
            self.routine_with_place: 2,
            self.pair: 2,
            self.replaced: 1,
            self.aliased: 2,
            self.with_own: 1,
        }
        return [tree for tree in self.one_of(choices, scope) if tree is not None]

    def small(self, scope: Scope) -> Tree:
        """A number from what is around, most likely from what was defined last."""
        numbers = self.names("number", scope)
        functions = [*self.names("function", scope), *self.alike(scope)]
        functions.sort(key=[*scope].index)
        argument = Name("a") if "a" in scope else Const(2)
        match self.random.randint(0, 9):
            case 0 | 1 | 2 | 3:
                return Op(self.one("++-"), argument, Name(self.recent(numbers)) if numbers else Const(1))
            case 4 | 5 | 6 if functions:
                number = Name(self.recent(numbers)) if numbers else Const(1)
                return Op("+", applied(Name(self.recent(functions)), argument), number)
            case 7 if functions:
                return applied(Name(self.recent(functions)), Op("+", argument, Const(1)))
            case 8:
                self.depth += 3
                drawn = self.number(scope)
                self.depth -= 3
                return drawn
        return Name(self.recent(numbers)) if numbers else argument

    def small_truth(self, scope: Scope) -> Tree:
        numbers = self.names("number", scope)
        return Op(self.one("<≥"), Name(self.recent(numbers)), Const(self.one([1, 2, 3])))

    def counting(self, scope: Scope) -> Tree | None:
        """A command that changes a variable around."""
        names = [name for name in self.names("number", scope, settable=True) if not scope[name].type]
        if not names:
            return None
        place = Name(self.recent(names))
        return Assign((place,), (Op("+", place, Const(1)),))

    def result_of(self, scope: Scope, sign: str) -> Tree:
        """An expression, or a block with a local function or with a command that changes a variable around."""
        if self.depth > 2 or self.chance(0.7):
            return self.small(scope)
        inner = dict(scope)
        changing = self.counting(inner) if sign != "=" and self.chance(0.7) else None
        self.depth += 1
        before = [changing] if changing else self.local(inner)
        self.depth -= 1
        return Block((*before, Result(self.small(inner))))

    def function_named(self, name: str, scope: Scope) -> Tree:
        sign = self.one("=≡")
        return Function("", name, VALUE, sign, self.result_of(self.within(scope, sign, VALUE), sign))

    def function_with_sign(self, scope: Scope) -> list[Tree]:
        """With a name of its own, or with one that hides a variable."""
        if self.chance(0.3):
            name = self.letter("function")
            function = self.function_named(name, scope)
            self.bind(name, Known("function", fixed=True), scope)
        else:
            name = self.fresh("F")
            function = self.function_named(name, scope)
            self.bind(name, Known("named", parameters=VALUE), scope)
        return [Functions("", "let ", (function,))]

    def bind(self, name: str, meaning: Known, scope: Scope) -> None:
        """Let the name be the last in the scope."""
        scope.pop(name, None)
        scope[name] = meaning

    def variable(self, scope: Scope) -> list[Tree]:
        name = self.letter("function")
        value = Lambda(("a",), self.small(fixed(scope) | {"a": Known("number")}))
        self.bind(name, Known("function"), scope)
        return [let(name, value)]

    def by_substitution(self, scope: Scope) -> list[Tree]:
        """A λ after ≡, which captures places."""
        name = self.letter("function")
        value = Lambda(("a",), self.small(scope | {"a": Known("number")}))
        self.bind(name, Known("function", fixed=True), scope)
        return [Define("let", (name,), "≡", (value,))]

    def aliased(self, scope: Scope) -> list[Tree]:
        """Another name for the place of a function."""
        name, other = self.letter("function"), self.some_function(scope)
        self.bind(name, Known("function", fixed=True), scope)
        return [Define("let", (name,), "≃", (other,))]

    def replaced(self, scope: Scope) -> list[Tree]:
        """A function that applies what a variable was, to which it is then assigned."""
        variables = self.names("function", scope, settable=True)
        if not variables:
            return self.function_with_sign(scope)
        variable, name = self.recent(variables), self.fresh("F")
        before = applied(Name(variable), Name("a"))
        function = Function("", name, VALUE, "=", Op("+", before, self.small(fixed(scope))))
        self.bind(name, Known("named", parameters=VALUE), scope)
        after = Lambda(("a",), applied(Name(name), Op("+", Name("a"), Name("a"))))
        return [Functions("", "let ", (function,)), Assign((Name(variable),), (after,))]

    def itself(self, scope: Scope) -> list[Tree]:
        """A function that applies itself."""
        name, sign = self.fresh("F"), self.one("=≡")
        inside = self.within(scope, sign, VALUE)
        again = Op("+", applied(Name(name), less(Name("a"))), self.small(inside))
        function = Function("", name, VALUE, sign, Choice(Op("<", Name("a"), Const(1)), self.small(inside), again))
        self.bind(name, Known("named", parameters=VALUE), scope)
        return [Functions("", "let rec ", (function,))]

    def group(self, scope: Scope) -> list[Tree]:
        """Functions that are defined at once. With `rec` each applies the next one."""
        names = [self.fresh("F") for _ in range(self.one([2, 2, 3]))]
        word = self.one(["let rec ", "let rec ", "let "])
        functions = []
        for name, following in zip(names, [*names[1:], names[0]], strict=True):
            function = self.function_named(name, scope)
            if word == "let rec ":
                again = Op("+", applied(Name(following), less(Name("a"))), Const(1))
                function = replace(function, body=Choice(Op("<", Name("a"), Const(1)), function.body, again))
            functions.append(function)
        for name in names:
            self.bind(name, Known("named", parameters=VALUE), scope)
        if word == "let rec " and self.chance(0.3):
            functions.append(self.acting(scope))
        return [Functions("", word, tuple(functions))]

    def acting(self, scope: Scope) -> Any:
        """A routine that changes a place, and perhaps a variable around."""
        name = self.fresh("R")
        inside = self.within(scope, "be", PLACE)
        more = [self.counting(scope)] if self.chance(0.4) else []
        changed = Assign((Name("b"),), (Op("+", Name("b"), self.small(inside)),))
        self.bind(name, Known("named", parameters=PLACE), scope)
        return Function("routine", name, PLACE, "be", section([*filter(None, more), changed]))

    def routine_with_place(self, scope: Scope) -> list[Tree]:
        return [Functions("", "let ", (self.acting(scope),))]

    def pair(self, scope: Scope) -> list[Tree]:
        """A function and a routine that share a variable: one of the turn, one around it, or an own one."""
        load, update = self.fresh("G"), self.fresh("U")
        variables = [name for name in self.names("number", scope, settable=True) if not scope[name].type]
        own = "" if variables and self.chance(0.6) else Own(let("d", self.small(scope)))
        place = Name("d" if own else self.recent(variables))
        changed = Assign((place,), (self.one([Name("c"), Op("+", place, Name("c"))]),))
        parameters = (Parameter("value", "", "c" if place.name != "c" else "a"),)
        if place.name == "c":
            changed = Assign((place,), (Op("+", place, Name("a")),))
        loading = Function("", load, (), "≡", place)
        updating = Function("routine", update, parameters, "be", section([changed]))
        self.bind(load, Known("pair", type=update), scope)
        if own or self.chance(0.3):
            return [Functions(own, "" if own else "let ", (loading, updating))]
        return [Functions("", "let ", (loading,)), Functions("", "let ", (updating,))]

    def with_own(self, scope: Scope) -> list[Tree]:
        """A function with a variable, or a function, of its own."""
        variable = self.letter("number") if self.chance(0.5) else self.letter("function")
        around = dict(scope)
        if kind_of(variable) == "number":
            own = let(variable, self.small(scope))
            self.bind(variable, Known("number"), around)
        else:
            own = let(variable, self.some_function(scope))
            self.bind(variable, Known("function"), around)
        name = self.fresh("F")
        function = self.function_named(name, around)
        self.bind(name, Known("named", parameters=VALUE), scope)
        return [Functions(Own(own), "", (function,))]
