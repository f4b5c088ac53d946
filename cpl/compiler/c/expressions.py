"""Expressions of the core tree as values of C.

    Area(a, b) = a > 0 → a × b + 2, 0

becomes

    if (less_number(of_whole(0), a)) {
        return add_numbers(multiply_numbers(a, b), of_whole(2));
    }
    return of_whole(0);

The types of a program say in which form each value is: `a` is a `number`, whole or real, and `2` is `whole` by itself.
`Expressions.value` gives a `Value`, whose text is written when it is known which form is expected there; so each node
is written once. Where an operator has operands of two forms, as in `a > 0`, both are coerced to one form (`_binary`).
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Final

from cpl.compiler.c.c_text import address, bare, in_chain, in_conditional, opposite
from cpl.compiler.c.conversion import Coercions, after_statements
from cpl.compiler.c.representation import (
    NUMBER,
    NUMBERS,
    REAL,
    TRUTH,
    WHOLE,
    Cannot,
    Form,
    Value,
    form_of,
    options_of,
    plain,
    union,
)
from cpl.compiler.c.unit import Signature, Unit
from cpl.compiler.optimise.trees import mentions_in
from cpl.compiler.semantics import core
from cpl.compiler.semantics.binders import changing_in
from cpl.compiler.types.types import NIL, NOTHING, ByReference, FunctionOf, ListOf, TupleOf, Type

_RELATIONS: Final = {"LESS": "({} < {})", "GREATER": "({} > {})", "AT_MOST": "({} <= {})", "AT_LEAST": "({} >= {})"}
_OPPOSITE_RELATIONS: Final = {"LESS": "AT_LEAST", "GREATER": "AT_MOST", "AT_MOST": "GREATER", "AT_LEAST": "LESS"}
"""The relation between whole numbers that holds where another one does not. With an undefined real neither holds."""

_OF_BITS: Final = {"BIT_AND": "&", "BIT_OR": "|", "BIT_XOR": "^"}
_OPERATORS: Final[dict[Form, dict[str, str]]] = {
    WHOLE: {
        "PLUS": "add({}, {})",
        "SUM": "add({}, {})",
        "MINUS": "subtract({}, {})",
        "DIFFERENCE": "subtract({}, {})",
        "TIMES": "multiply({}, {})",
        "POWER": "power({}, {})",
        **{operator: f"({{}} {sign} {{}})" for operator, sign in _OF_BITS.items()},
        "SHIFT": "shift({}, {})",
        **_RELATIONS,
    },
    REAL: {
        "PLUS": "({} + {})",
        "SUM": "({} + {})",
        "MINUS": "({} - {})",
        "DIFFERENCE": "({} - {})",
        "TIMES": "({} * {})",
        "POWER": "power_of_real({}, {})",
        **_RELATIONS,
    },
    NUMBER: {
        "PLUS": "add_numbers({}, {})",
        "SUM": "add_numbers({}, {})",
        "MINUS": "subtract_numbers({}, {})",
        "DIFFERENCE": "subtract_numbers({}, {})",
        "TIMES": "multiply_numbers({}, {})",
        "POWER": "power_of_numbers({}, {})",
        "LESS": "less_number({0}, {1})",
        "GREATER": "less_number({1}, {0})",
        "AT_MOST": "at_most_number({0}, {1})",
        "AT_LEAST": "at_most_number({1}, {0})",
    },
}
"""The operators between numbers of one form."""

_UNARY: Final[dict[tuple[str, Form], str]] = {
    ("BIT_NOT", WHOLE): "~{}",
    ("MINUS", WHOLE): "negative({})",
    ("MINUS", REAL): "(-{})",
    ("MINUS", NUMBER): "negative_number({})",
    **{("PLUS", form): "{}" for form in NUMBERS},
}

_OF_NUMBERS: Final = {
    "ShiftBits": (WHOLE, "shift({}, {})"),
    "Quotient": (WHOLE, "quotient({}, {})"),
    "Remainder": (WHOLE, "remainder_of({}, {})"),
    "Round": (NUMBER, "rounded({})"),
    "Entier": (NUMBER, "entier({})"),
}
"""Functions with whole results: the form of their parameters, and how they are applied."""

_OF_REAL: Final = {
    "SqRt": "sqrt_of",
    "Exp": "exp_of",
    "Ln": "log_of",
    "Sin": "sin_of",
    "Cos": "cos_of",
    "ArcTan": "atan_of",
}
"""Functions from reals to reals, with the names that the prelude has for them."""

_LITERAL: Final = re.compile(r"\d+\.\d+")
"""A real number that is written out."""


class Expressions(Coercions, ABC):
    """Writes the expressions of a function, which may be inside an `outer` one of the same definition. It has
    `variables`, some of which are `changing`, and local functions.
    """

    def __init__(
        self, unit: Unit, taken: set[str], function: core.Function | core.LetFunction, outer: "Expressions | None"
    ) -> None:
        super().__init__(unit, taken)
        self.function = function
        self.definition: core.Definition
        self.changing: Set[core.Node]
        # Where members are assigned, each rest is a copy.
        self.walks = "rests" in unit.rules and not unit.assigned
        self.variables: dict[core.Local, Value] = {}
        self.opposites: dict[core.Local, core.Local] = {}  # variables that hold the opposites of others, whole numbers
        self.local_functions: dict[core.Local, Signature] = {}
        if outer:
            self.definition = outer.definition
            self.changing = outer.changing
            self.local_functions |= outer.local_functions
        else:
            # What gives a constant its value is written as a function; types are known by the constant's definition.
            self.definition = unit.definitions.get(function.name, function)  # type: ignore[arg-type]
            self.changing = changing_in(function)

    @abstractmethod
    def block(self, commands: Sequence[core.Command], form: Form) -> str:
        """A value block inside an expression."""

    @abstractmethod
    def function_value(self, node: core.Global | core.Local | core.Lambda, form: FunctionOf) -> str:
        """A function as a value."""

    def expression(self, node: core.Expression, form: Form) -> str:
        """An expression whose value has this form."""
        return self.coerce(self.value(node), form)

    def test(self, node: core.Expression) -> tuple[str, str]:
        """A test, and its opposite."""
        value = self.value(node)
        text = self.coerce(value, TRUTH)
        return text, value.opposite or opposite(text)

    def known(self, node: core.Expression) -> Form | None:
        """The form of an expression as its type is inferred; None if C has none for it."""
        try:
            return form_of(self.unit.checked.of(node))
        except Cannot:
            return None

    def argument(self, node: core.Expression) -> Value:
        """An argument: a value, or the place of a variable. Only a call may have the place, as it ends before the
        variable does.
        """
        match node:
            case core.Reference(place=core.Local() as variable) if variable in self.variables:
                value = self.variables[variable]
                return plain(address(value.text), ByReference((value.form,)))
            case core.Local() if node in self.variables:
                return self.variables[node]
            case _:
                return self.value(node)

    def value(self, node: core.Expression) -> Value:
        """An expression as a value."""
        match node:
            case core.Literal(value=bool() as truth):
                return plain("true" if truth else "false", TRUTH)
            case core.Literal(value=int() as number) if _fits(number):
                return _whole(number)
            case core.Literal(value=int()):
                raise Cannot("a number has more than 64 bits")
            case core.Literal(value=str() as text):
                return self.unit.string(text)
            case core.Literal(value=number):
                return plain("INFINITY" if number == float("inf") else repr(number), REAL)
            case core.Infinity():
                return plain("INFINITY", REAL)
            case core.Lambda():
                return self._function(node, self.unit.checked.of(node))
            case core.Local() | core.Global() if node in self.local_functions or node in self.unit.functions:
                return self._function(node, self.unit.checked.type_of(node, self.definition))
            case core.Local():
                if node not in self.variables:
                    raise Cannot(f"{node.name} is no variable of C")
                if isinstance(self.variables[node].form, ByReference):
                    raise Cannot("it keeps the place of a variable")
                return self.variables[node]
            case core.Global():
                return self.unit.constant(node)
            case core.Contents(reference=core.Local() as variable) if variable in self.variables:
                place = self.variables[variable]
                if isinstance(place.form, ByReference):
                    return plain(f"(*{place.text})", place.form.parts[0])
            case core.Tuple(items=items):
                return self.tuple_of([self.value(item) for item in items])
            case core.List(items=()):
                return plain("(nil)0", NIL)
            case core.List(items=items):
                return self._list([self.value(item) for item in items], self.known(node))
            case core.Conditional(arms=arms, otherwise=otherwise):
                return self._conditional(node, arms, otherwise)
            case core.Block(commands=commands, routine=False):
                return Value(self.known(node), lambda form: self.block(commands, form))
            case core.Apply(function=core.Host(name="Is"), arguments=(core.Literal(value="complex"), operand)) if (
                self.value(operand).form in NUMBERS
            ):
                return plain("false", TRUTH)
            case core.Apply(function=function, arguments=arguments):
                return self._apply(function, [self.argument(argument) for argument in arguments])
            case core.Select(operand=operand, indices=indices):
                chosen = self.value(operand)
                match chosen.walk, indices:
                    case (members, at), (core.Literal(value=int() as number),) if 0 <= number < 2**31:
                        return self._member(plain(members, chosen.form), f"add({at}, {number})" if number else at)
                for index in indices:
                    part = _part_by_name(chosen, index)
                    chosen = part or self._member(chosen, self.expression(index, WHOLE))
                return chosen
            case core.Juxtapose(left=left, right=right):
                first = self.value(left)
                second = self.value(right)
                if first.form in NUMBERS:
                    return self._binary("TIMES", first, second)
                return self._apply_value(first, [second])
            case core.Convert(kind=kind, value=value):
                return self.converted(kind, self.value(value))
            case core.Unary(operator="MINUS", operand=operand):
                return self._opposite(operand)
            case core.Unary(operator=operator, operand=operand):
                return self._unary(operator, self.value(operand))
            case core.Binary(operator="AND" | "OR" as operator, left=left, right=right):
                tests, opposites = zip(self.test(left), self.test(right), strict=True)
                signs = ("&&", "||") if operator == "AND" else ("||", "&&")
                both = plain(_chain(tests, signs[0]), TRUTH)
                # By De Morgan's rule: `x > y && e > 0` reads better than `!(x <= y || e <= 0)`.
                are_plain = sum(text.startswith("!") for text in opposites) <= 1
                return replace(both, opposite=_chain(opposites, signs[1])) if are_plain else both
            case core.Binary(operator="PLUS" | "MINUS" as operator, left=left, right=right):
                return self._sum(operator, left, right)
            case core.Binary(
                operator="POWER", left=core.Literal(value=int() as base), right=core.Literal(value=int() as exponent)
            ) if 0 <= exponent < 64 and _fits(base**exponent):
                return _whole(base**exponent)
            case core.Binary(operator=operator, left=left, right=right):
                return self._binary(operator, self.value(left), self.value(right))
            case core.Compare(operands=operands, operators=operators):
                return self._compare(operands, operators)
        raise Cannot(f"C has no {type(node).__name__} here")

    def converted(self, kind: str, value: Value) -> Value:
        """A value as a number of a kind, if one is given."""
        match kind:
            case "real":
                return plain(self.coerce(value, REAL), REAL)
            case "integer" if value.form in (REAL, NUMBER):
                return plain(f"as_whole({self.coerce(value, NUMBER)})", WHOLE)
            case "integer" | "":
                return value
            case _:
                raise Cannot("C has no complex numbers")

    def _function(self, node: core.Global | core.Local | core.Lambda, type: Type | None) -> Value:
        """A function of this type as a value."""

        def written(wanted: Form) -> str | None:
            return self.function_value(node, wanted) if isinstance(wanted, FunctionOf) else None

        return Value(form_of(type), written)

    def tuple_of(self, values: Sequence[Value]) -> Value:
        """A tuple of these values."""

        def written(wanted: Form) -> str | None:
            if isinstance(wanted, TupleOf) and len(wanted.parts) == len(values):
                return self.tuple(values, wanted)
            return None

        form = TupleOf(tuple(value.form for value in values))
        return Value(form, written, tuple(values))

    def _list(self, values: Sequence[Value], inferred: Form | None) -> Value:
        """A list of these values."""

        def written(wanted: Form) -> str | None:
            return self.list(values, wanted) if isinstance(wanted, ListOf) else None

        if isinstance(inferred, ListOf):
            return Value(inferred, written)
        member_form = union([value.form for value in values])
        return Value(ListOf((member_form,)), written)

    def _conditional(
        self,
        node: core.Expression,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression,
    ) -> Value:
        """The arms that may be chosen: none whose test is false for certain, and none after one whose test is true."""
        tests = [(self.expression(test, TRUTH), value) for test, value in arms]
        possible: list[tuple[str, Value]] = []
        for test, value in tests:
            if test == "true":
                otherwise = value
                break
            if test != "false":
                possible.append((test, self.value(value)))
        last = self.value(otherwise)
        form = self.known(node) or union([*(value.form for _, value in possible), last.form])

        def written(wanted: Form) -> str:
            text = self.coerce_or_leave(last, wanted)
            for test, value in reversed(possible):
                text = f"({test} ? {self.coerce_or_leave(value, wanted)} : {in_conditional(text)})"
            return text

        return Value(form, written)

    # Applications

    def _apply(self, function: core.Expression, arguments: Sequence[Value]) -> Value:
        match function:
            case core.Host(name=name):
                return self._host(name, arguments)
            case core.Local() if function in self.local_functions:
                signature = self.local_functions[function]
                captured: list[str] = []
                for variable in signature.captured:
                    text = self.variables[variable].text
                    captured.append(address(text) if variable in self.changing else text)
                return self.call(signature, captured, arguments)
            case core.Global() if function in self.unit.functions:
                return self.call(self.unit.instance(function, arguments), [], arguments)
            case _:
                return self._apply_value(self.value(function), arguments)

    def call(self, function: Signature, captured: Sequence[str], arguments: Sequence[Value]) -> Value:
        """A function, applied to what it has captured and to arguments."""
        if len(function.parameters) != len(arguments):
            raise Cannot("a function has other parameters")
        texts: list[str] = []
        statements: list[str] = []
        for at, (argument, form) in enumerate(zip(arguments, function.parameters, strict=True)):
            if at in function.apart:
                texts += self._words(argument, form, statements)
            else:
                texts.append(bare(self.coerce(argument, form)))
        called = f"{function.name}({', '.join([*captured, *texts])})"
        if function.result == NOTHING:
            return plain(" ".join([*statements, called]), NOTHING)
        return plain(after_statements(" ".join(statements), called), function.result)

    def _words(self, value: Value, form: Form, statements: list[str]) -> list[str]:
        """The parts of a tuple, each by itself. Where the tuple is not written out, `statements` bind it before."""
        if not isinstance(form, TupleOf):
            return [bare(self.coerce(value, form))]
        parts = value.parts
        if len(parts) != len(form.parts):
            statement, variable = self.bound(plain(self.coerce(value, form), form), "tuple")
            statements += [statement] if statement else []
            parts = tuple(self.fields(variable, form))
        words: list[str] = []
        for part, part_form in zip(parts, form.parts, strict=True):
            words += self._words(part, part_form, statements)
        return words

    def _apply_value(self, function: Value, arguments: Sequence[Value]) -> Value:
        """A function that is a value, applied."""
        if not isinstance(function.form, FunctionOf):
            raise Cannot("it applies what may be no function")
        before, name = self.bound(function, "function")
        signature = Signature(f"{name}.code", function.form.parts[:-1], function.form.parts[-1])
        called = self.call(signature, [f"{name}.captured"], arguments)
        return plain(after_statements(before, called.text), called.form)

    def _member(self, members: Value, index: str) -> Value:
        """The member of a list or a tuple."""
        match members.form:
            case ListOf(parts=(item,)) as form:
                return plain(f"item_{self.type(form)}({members.text}, {index})", item)
            case TupleOf(parts=items) as form if items:
                result = union(items)
                name = f"item_of_{self.type(form)}"
                parts = [self.coerce(part, result) for part in self.fields("x", form)]
                tests = [f"if (i == {at}) return {part};" for at, part in enumerate(parts)]
                heading = f"{self.type(result)} {name}({self.type(form)} x, whole i)"
                self.unit.types.add(heading, [*tests, "leave(FAULT);"])
                return plain(f"{name}({members.text}, {index})", result)
        raise Cannot("it takes a member of what may be no list")

    # Operators

    def _opposite(self, node: core.Expression) -> Value:
        """The opposite of a number: `-(5x)` is written as `-5x`, and `-(-x)` as `x`. Only of whole numbers: those of
        another form may be 0.0, whose sign would be another one. What leaves 64 bits may then do so earlier or later.
        """
        match node:
            case core.Local() if node in self.opposites:
                return self.value(self.opposites[node])
            case core.Unary(operator="MINUS", operand=inner):
                value = self.value(inner)
                return value if value.form == WHOLE else self._unary("MINUS", self._unary("MINUS", value))
            case core.Binary(operator="TIMES", left=left, right=right):
                first, second = self.value(left), self.value(right)
                if {first.form, second.form} == {WHOLE}:
                    if isinstance(left, core.Local) and left in self.opposites:
                        return self._binary("TIMES", self.value(self.opposites[left]), second)
                    if isinstance(right, core.Local) and right in self.opposites:
                        return self._binary("TIMES", first, self.value(self.opposites[right]))
                    factor = _constant(right)
                    if factor is not None:
                        return self._binary("TIMES", first, _whole(-factor))
                    factor = _constant(left)
                    if factor is not None:
                        return self._binary("TIMES", _whole(-factor), second)
                return self._unary("MINUS", self._binary("TIMES", first, second))
            case _:
                number = _constant(node)
                return self._unary("MINUS", self.value(node)) if number is None else _whole(-number)

    def note_opposite(self, variable: core.Local, value: core.Expression) -> None:
        """Remember that a variable holds the opposite of another one, if both are whole numbers and keep their values:
        then `-(variable × s)` is the product of the other one, and needs no sign.
        """
        match value:
            case core.Unary(operator="MINUS", operand=core.Local() as other) if self.changing.isdisjoint(
                (variable, other)
            ) and {self.variables[variable].form, self.variables[other].form} == {WHOLE}:
                self.opposites[variable] = other

    def _is_read_once(self, variable: core.Local) -> bool:
        """Tell whether a variable is only mentioned where it is defined, and once more."""
        return self._mentions[variable] == 2

    @cached_property
    def _mentions(self) -> Counter[core.Local]:
        """How often each variable is mentioned in the function."""
        return mentions_in(self.function)

    def _sum(self, operator: str, left: core.Expression, right: core.Expression) -> Value:
        """A sum or a difference. If it is whole, a sign before its second operand goes: `x + -1` is `x - 1`; and the
        constants that follow each other are one: `x + 50 - 1` is `x + 49`. What leaves 64 bits may then do so later.
        """
        number = _constant(right)
        if number is not None:
            return self._sum_with_constants(left, [(operator, number)])
        first = self.value(left)
        if first.form == WHOLE:
            opposite_operator = "MINUS" if operator == "PLUS" else "PLUS"
            if isinstance(right, core.Unary) and right.operator == "MINUS":
                second = self.value(right.operand)
                if second.form == WHOLE:
                    return self._binary(opposite_operator, first, second)
                return self._binary(operator, first, self._unary("MINUS", second))
        return self._binary(operator, first, self.value(right))

    def _sum_with_constants(self, first: core.Expression, added: list[tuple[str, int]]) -> Value:
        """An expression to which constants are added, or from which they are subtracted, one after the other."""
        while isinstance(first, core.Binary) and first.operator in ("PLUS", "MINUS"):
            number = _constant(first.right)
            if number is None:
                break
            added = [(first.operator, number), *added]
            first = first.left

        value = self.value(first)
        total = sum(number if operator == "PLUS" else -number for operator, number in added)
        if value.form != WHOLE or not _fits(total):
            for operator, number in added:
                value = self._binary(operator, value, _whole(number))
            return value
        if total == 0 and len(added) > 1:
            return value
        return self._binary("MINUS", value, _whole(-total)) if total < 0 else self._binary("PLUS", value, _whole(total))

    def _unary(self, operator: str, operand: Value) -> Value:
        if operator == "NOT" and operand.form == TRUTH:
            return plain(operand.opposite or opposite(operand.text), TRUTH)
        if (operator, operand.form) not in _UNARY:
            raise Cannot("an operator has an operand that may be no number")
        return plain(_applied(_UNARY[operator, operand.form], [operand.text]), operand.form)

    def _binary(self, operator: str, left: Value, right: Value) -> Value:
        forms = {left.form, right.form}
        if operator in ("EQUAL", "UNEQUAL") or (operator in ("EQUIVALENT", "INEQUIVALENT") and forms == {TRUTH}):
            both = union([left.form, right.form])
            text = self.unit.types.equal(both, self.coerce(left, both), self.coerce(right, both))
            return plain(text if operator in ("EQUAL", "EQUIVALENT") else opposite(text), TRUTH)
        if not forms <= NUMBERS:
            raise Cannot("an operator has an operand that may be no number")
        if operator == "DIVIDE":
            dividend, divisor = self._exact(left), self._exact(right)
            if _LITERAL.fullmatch(divisor) and float(divisor):
                return plain(f"({dividend} / {divisor})", REAL)
            return plain(f"divide({bare(dividend)}, {bare(divisor)})", REAL)

        is_relation = operator in _RELATIONS
        if len(forms) == 1:
            form = left.form
        elif REAL in forms and not is_relation:
            form = REAL
        else:  # a relation compares the numbers exactly, and not every large whole number is a real
            form = NUMBER
        if operator not in _OPERATORS[form]:
            raise Cannot("an operator has an operand that may be no number")
        texts = [self.coerce(left, form), self.coerce(right, form)]
        if operator in _OF_BITS:
            texts = [in_chain(text, _OF_BITS[operator]) for text in texts]
        result = plain(_applied(_OPERATORS[form][operator], texts), TRUTH if is_relation else form)
        if is_relation and form == WHOLE:
            return replace(result, opposite=_applied(_OPERATORS[form][_OPPOSITE_RELATIONS[operator]], texts))
        return result

    def _exact(self, value: Value) -> str:
        """A number as a real that is exactly as large, which a whole number of more than 53 bits need not have."""
        value = plain(value.text, value.form)
        is_exact = value.form == REAL or value.text.isdigit()
        return self.coerce(value, REAL) if is_exact else f"exact({bare(self.coerce(value, NUMBER))})"

    def _compare(self, operands: Sequence[core.Expression], operators: Sequence[str]) -> Value:
        """A chain of relations. Each operand is evaluated once, the last one only if the relations before it hold."""
        match operands, operators:
            case (core.Local() as variable, core.Literal() as literal), ("EQUAL" | "UNEQUAL",) if (
                variable in self.opposites and _constant(literal) is not None and self._is_read_once(variable)
            ):  # `-x = 1` is written as `x = -1`
                operands = (self.opposites[variable], core.Unary("MINUS", literal, span=literal.span))
        first, *between, last = [self.value(operand) for operand in operands]
        statements: list[str] = []
        middle: list[Value] = []
        for value in between:
            statement, name = self.bound(value, "middle")
            if statement:
                statements.append(statement)
            middle.append(plain(name, value.form))

        bound_operands = [first, *middle, last]
        pairs = zip(operators, pairwise(bound_operands), strict=True)
        relations = [self._binary(operator, left, right) for operator, (left, right) in pairs]
        if len(relations) == 1:
            return relations[0]
        text = f"({' && '.join(relation.text for relation in relations)})"
        return plain(after_statements(" ".join(statements), text), TRUTH)

    # Functions that cplrt provides

    def _host(self, name: str, values: Sequence[Value]) -> Value:
        """A function of cplrt, applied."""
        forms = [value.form for value in values]
        match name, values, forms:
            case "Null", [Value(walk=(members, at))], _:
                return plain(f"({members}->count == {at})", TRUTH)
            case "Head", [Value(walk=(members, at))], [ListOf() as form]:
                return self._member(plain(members, form), at)
            case "Tail", [Value(walk=(members, at))], [ListOf() as form]:
                return self.rest(members, f"after_first({members}->count, {at})", form)
            case "Next", [Value(walk=(_, _)) as value], _:
                return self.tuple_of([self._host("Head", [value]), self._host("Tail", [value])])
            case "Tail", [value], [ListOf() as form] if self.walks and value.text.isidentifier():
                return self.rest(value.text, f"after_first({value.text}->count, 0)", form)
            case "Null", [value], [ListOf()]:
                return plain(f"({value.text}->count == 0)", TRUTH)
            case "Null", [_], [form] if form == NIL:
                return plain("true", TRUTH)
            case "Null", [value], [form] if all(map(_is_nil_or_tuple, options_of(form))):
                may_be_nil = NIL in options_of(form)
                return plain(f"({value.text}.is == is_nil)" if may_be_nil else "false", TRUTH)
            case "Head", [value], [ListOf()]:
                return self._member(value, "0")
            case "Tail", [value], [ListOf() as form]:
                return plain(f"rest_{self.type(form)}({value.text})", form)
            case "Next", [value], [ListOf() as form]:
                before, variable = self.bound(value, "list")
                head = self._host("Head", [plain(variable, form)])
                tail = self._host("Tail", [plain(variable, form)])
                if not before:
                    return self.tuple_of([head, tail])
                pair = TupleOf((form.parts[0], form))
                return plain(after_statements(before, self.tuple([head, tail], pair)), pair)
            case ("Join", [_, _], _) | ("MinList", _, _):
                return self._joined(values, distinct=name == "MinList")
            case "Round" | "Entier", [value], [form] if form == WHOLE:
                return value
            case "Quotient", [dividend, divisor], _ if (
                dividend.text.isdigit() and divisor.text.isdigit() and divisor.text != "0"
            ):
                return _whole(int(dividend.text) // int(divisor.text))
            case _, _, _ if name in _OF_NUMBERS and len(values) == _OF_NUMBERS[name][1].count("{}"):
                form, applied = _OF_NUMBERS[name]
                arguments = [self.coerce(value, form) for value in values]
                return plain(_applied(applied, arguments), WHOLE)
            case _, [value], [form] if name in _OF_REAL and form in NUMBERS:
                return plain(f"{_OF_REAL[name]}({bare(self.coerce(value, REAL))})", REAL)
            case "Clock", [], []:
                return plain("clock_now()", REAL)
            case "Halted", [], []:
                return plain("is_halted()", TRUTH)
            case "Hash", [value, count], [form, _]:
                hashed = self.unit.types.hash(form, value.text)
                return plain(f"place_of_hash({hashed}, {self.coerce(count, WHOLE)})", WHOLE)
            case "Recall" | "Remember", [number, value], [_, form]:
                function = f"{name.lower()}_{self.unit.types.remembered(form)}"
                applied = f"{function}({self.coerce(number, WHOLE)}, {value.text})"
                return plain(applied, form if name == "Recall" else NOTHING)
        takes_list = name in ("Null", "Head", "Tail", "Next")
        raise Cannot(f"{name} of what is no list" if takes_list else f"C has no {name}")

    def rest(self, members: str, at: str, form: ListOf) -> Value:
        """The rest of a list that a variable has, from a place on. It is made only where it is used as a list."""
        name = self.type(form)
        is_first = at == f"after_first({members}->count, 0)"
        made = f"rest_{name}({members})" if is_first else f"rest_from_{name}({members}, {at})"
        return replace(plain(made, form), walk=(members, at))

    def _joined(self, values: Sequence[Value], *, distinct: bool) -> Value:
        """Lists one after the other; what is not a list is one member. If `distinct`, each member is there once."""

        def written(wanted: Form) -> str | None:
            return self.joined(values, wanted, distinct=distinct) if isinstance(wanted, ListOf) else None

        members: list[Form] = []
        for option in chain.from_iterable(options_of(value.form) for value in values):
            if option != NIL:
                members.append(option.parts[0] if isinstance(option, ListOf) else option)
        if not members:
            return plain("(nil)0", NIL)
        member = union(members)
        if distinct and not (isinstance(member, TupleOf) and member.parts):
            raise Cannot("MinList has members that may be empty")
        return Value(ListOf((member,)), written)


def _is_nil_or_tuple(form: Form) -> bool:
    """Tell whether a value of this form is NIL or a tuple that is not empty: only NIL has no members then."""
    return form == NIL or (isinstance(form, TupleOf) and bool(form.parts))


def _applied(operator: str, texts: Sequence[str]) -> str:
    """An operator with these operands; as a function it has brackets of its own."""
    is_function = operator[0].isalpha()
    return operator.format(*map(bare, texts)) if is_function else operator.format(*texts)


def _fits(number: int) -> bool:
    """Tell whether C has this whole number, and its opposite."""
    return abs(number) < 2**63


def _part_by_name(value: Value, index: core.Expression) -> Value | None:
    """The part of a tuple that an index selects, if its parts are variables; None if it must be evaluated."""
    if not isinstance(index, core.Literal) or type(index.value) is not int or not 0 <= index.value < len(value.parts):
        return None
    are_variables = all(not part.parts and part.own_form and part.text.isidentifier() for part in value.parts)
    return value.parts[index.value] if are_variables else None


def _chain(tests: Sequence[str], sign: str) -> str:
    """Tests joined by `&&` or `||`."""
    operands = [in_chain(test, sign) for test in tests]
    return f"({f' {sign} '.join(operands)})"


def _constant(node: core.Expression) -> int | None:
    """The whole number that an expression is, if C has it and its opposite."""
    match node:
        case core.Literal(value=int() as number) if not isinstance(number, bool) and _fits(number):
            return number
        case _:
            return None


def _whole(number: int) -> Value:
    """A whole number that C has, as a value."""
    return plain(f"{number}" if abs(number) < 2**31 else f"INT64_C({number})", WHOLE)
