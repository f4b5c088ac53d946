"""What a checker of Python takes an expression for, and what it would not let the program do."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cpl.python import runtime_types
from cpl.python.slots import (
    ANY,
    BOOLEAN,
    DOUBT,
    INTEGER,
    LATER,
    LOGICAL,
    NIL,
    NUMBERS,
    REAL,
    STRING,
    Slot,
    fits,
    is_large,
    joined,
)
from cpl.semantics import core
from cpl.semantics.shapes import ArrayOf, Either, FunctionOf, ListOf, Named, PointerTo, TupleOf, Type, Unknown
from cpl.semantics.types import Facts

_OPERANDS: Final = {"SUM": "PLUS", "DIFFERENCE": "MINUS"}


@dataclass(eq=False)
class Signature:
    """What a function takes and gives; a routine gives nothing."""

    parameters: list[Slot]
    result: Slot | None

    @property
    def type(self) -> FunctionOf:
        """The type of the function as a value."""
        result = None if self.result is None else self.result.held
        return FunctionOf(tuple(each.held for each in self.parameters), result)


class Estimates(ABC):
    """Estimates the expressions of a program; where its values are held is told by a subclass."""

    components: dict[core.Global, dict[str, Slot]]
    facts: Facts
    functions: dict[core.Global, Signature]
    elements: Mapping[core.Global, Sequence[Type]]
    instead: bool
    """Whether + of bit strings is a function (see `Module`)."""

    @abstractmethod
    def slot(self, name: core.Local | core.Global) -> Slot:
        """What holds the value of a variable of the definition that is gone through."""

    @abstractmethod
    def known(self, name: core.Local) -> Signature | None:
        """The function of that name within the definition, if it is one."""

    @abstractmethod
    def inner_function(self, node: core.LetFunction | core.Lambda) -> Signature:
        """A function within the definition."""

    @abstractmethod
    def flow(self, node: core.Expression, slot: Slot) -> None:
        """The value of an expression goes into the slot."""

    @abstractmethod
    def commands(self, commands: Sequence[core.Command], result: Slot) -> None:
        """Commands are obeyed, some of which may give a result."""

    def blame(self, node: core.Expression) -> None:
        """A checker would not let the program do with this value what it does: its source is of any type."""
        match node:
            case core.Local() | core.Global():
                if isinstance(node, core.Local) or node not in self.functions:
                    self.slot(node).loosen()
            case core.Apply(function=core.Global() as name) if name in self.functions:
                if result := self.functions[name].result:
                    result.loosen()
            case core.Apply(function=core.Local() as name) if signature := self.known(name):
                if signature.result:
                    signature.result.loosen()
            case core.Apply(function=core.Local() as name):
                self.slot(name).loosen()
            case core.Apply(function=core.Host(), arguments=(first, *_)):
                self.blame(first)
            case core.Component(name=name):
                for components in self.components.values():
                    if name in components:
                        components[name].loosen()
            case core.Contents(reference=part) | core.Select(operand=part) | core.Unary(operand=part):
                self.blame(part)
            case core.Binary(left=left, right=right):
                self.blame(left)
                self.blame(right)
            case core.Conditional(arms=arms, otherwise=otherwise):
                for part in (*(value for _, value in arms), otherwise):
                    self.blame(part)

    def want(self, node: core.Expression, wanted: Type) -> Type:
        """The type of an expression, which is wanted to be of this one."""
        found = self.of(node)
        if not fits(found, wanted):
            self.blame(node)
        return found

    def of(self, node: core.Expression) -> Type:
        """What a checker takes an expression for."""
        found = self._of(node)
        return DOUBT if is_large(found) else found

    def _of(self, node: core.Expression) -> Type:
        match node:
            case core.Literal(value=value):
                return _literal(value)
            case core.Infinity():
                return REAL
            case core.Local():
                signature = self.known(node)
                return signature.type if signature else self.slot(node).held
            case core.Global():
                return self.functions[node].type if node in self.functions else self._global(node)
            case core.Host():
                return DOUBT
            case core.Nil():
                return NIL
            case core.Tuple(items=items):
                return TupleOf(tuple([_held(self.of(each)) for each in items]))
            case core.List(items=items):
                return ListOf(joined([_held(self.of(each)) for each in items])) if items else NIL
            case core.Apply(function=function, arguments=arguments):
                return self._apply(function, arguments)
            case core.Juxtapose(left=left, right=right):
                types = self.of(left), self.of(right)
                return self._operation(node, "TIMES", types) if self.facts.kind(left) == "number" else ANY
            case core.Select(operand=operand, indices=indices):
                for each in indices:
                    self.of(each)
                if node.of_array or self.facts.kind(operand) == "array":
                    self.want(operand, ArrayOf(ANY))
                    return ANY
                return runtime_types.selected(self.of(operand), len(indices))
            case core.Component(operand=operand, name=name):
                return self._component(operand, name)
            case core.Reference(place=core.Select() | core.Component() as place):
                self.of(place)
                return PointerTo(ANY)
            case core.Reference(place=core.Contents(reference=reference)):
                return self.of(reference)
            case core.Reference(place=place):
                return PointerTo(_held(self.of(place)))
            case core.Contents(reference=reference):
                match self.want(reference, PointerTo(ANY)):
                    case PointerTo(contents=contents):
                        return contents
                    case found:
                        return LATER if found == LATER else ANY
            case core.Unary(operator="NOT", operand=operand):
                found, kind = self.of(operand), self.facts.kind(node) or self.facts.kind(operand)
                if found == LATER and kind != "boolean":
                    return LATER
                return BOOLEAN if kind == "boolean" else LOGICAL if kind == "logical" and found == LOGICAL else ANY
            case core.Unary(operand=operand):
                found = self.of(operand)
                if found not in NUMBERS and not isinstance(found, Unknown):
                    self.blame(operand)
                return found
            case core.Binary(operator=sign, left=left, right=right):
                return self._operation(node, sign, (self.of(left), self.of(right)))
            case core.Compare(operands=operands, operators=operators):
                return self._compare(operands, operators)
            case core.Conditional(arms=arms, otherwise=otherwise):
                for test, _ in arms:
                    self.of(test)
                return joined([self.of(value) for value in (*(value for _, value in arms), otherwise)])
            case core.Block(commands=commands):
                slot = Slot(returned=True)
                self.commands(commands, slot)
                return slot.held
            case core.Lambda(body=body):
                signature = self.inner_function(node)
                self.flow(body, signature.result or Slot())
                return signature.type

    def _global(self, node: core.Global) -> Type:
        if node in self.components or node in self.elements:
            return DOUBT
        return self.slot(node).held

    def _apply(self, function: core.Expression, arguments: Sequence[core.Expression]) -> Type:
        match function:
            case core.Host(name=name):
                wanted = runtime_types.WANTED.get(name, ())
                given = [
                    self.want(each, wanted[index]) if index < len(wanted) else self.of(each)
                    for index, each in enumerate(arguments)
                ]
                return runtime_types.result(name, given)
            case core.Global() if function in self.components:
                for each in arguments:
                    self.of(each)
                return Named(function)
            case core.Global() if function in self.functions:
                return self._call(self.functions[function], arguments)
            case core.Local() if signature := self.known(function):
                return self._call(signature, arguments)
        if isinstance(function, core.Lambda):
            self.of(function)
            return self._call(self.inner_function(function), arguments)
        match self.of(function):
            case FunctionOf(parameters=parameters, result=result) if len(parameters) == len(arguments):
                slots = [Slot(each) for each in parameters]
                for slot, argument in zip(slots, arguments, strict=True):
                    self.flow(argument, slot)
                if [slot.type for slot in slots] != [*parameters]:
                    self.blame(function)
                return ANY if result is None else result
            case Unknown() as found:
                for each in arguments:
                    self.of(each)
                return LATER if found == LATER else ANY
            case _:
                self.blame(function)
                return ANY

    def _call(self, signature: Signature, arguments: Sequence[core.Expression]) -> Type:
        for slot, argument in zip(signature.parameters, arguments, strict=False):
            self.flow(argument, slot)
        return ANY if signature.result is None else signature.result.held

    def _component(self, operand: core.Expression, name: str) -> Type:
        found = self.of(operand)
        options = found.options if isinstance(found, Either) else (found,)
        if isinstance(found, Unknown):
            return LATER if found == LATER else ANY
        nodes = [each.name for each in options if isinstance(each, Named)]
        if len(nodes) < len(options):
            self.blame(operand)
            return ANY
        slots = [self.components[each][name] for each in nodes if name in self.components.get(each, {})]
        return joined(slot.held for slot in slots) if slots else ANY

    def _operation(self, node: core.Expression, sign: str, sides: tuple[Type, Type]) -> Type:
        kind = self.facts.kind(node)
        if LATER in sides:
            return LATER
        match sign:
            case "EQUIVALENT" | "INEQUIVALENT":
                return BOOLEAN if kind == "boolean" and ANY not in sides else ANY
            case "AND" | "OR" if kind == "boolean":
                return BOOLEAN if BOOLEAN in sides else ANY
        by_function = sign in _OPERANDS or (self.instead and sign in ("PLUS", "MINUS"))
        if by_function and kind != "number":
            return LOGICAL if sides == (LOGICAL, LOGICAL) else ANY
        if sign == "POWER" and _is_whole(node) and sides[0] == INTEGER:
            return INTEGER
        found = runtime_types.operation(_OPERANDS.get(sign, sign), *sides)
        if found is None:
            self.blame(node)
        return ANY if found is None else found

    def _compare(self, operands: Sequence[core.Expression], operators: Sequence[str]) -> Type:
        types = [self.of(each) for each in operands]
        known = False
        for index, sign in enumerate(operators):
            left, right = types[index], types[index + 1]
            ordered = sign not in ("EQUAL", "UNEQUAL")
            if not _comparable(left, right, ordered=ordered):
                self.blame(operands[index])
                self.blame(operands[index + 1])
            known |= not isinstance(left, Unknown) and not isinstance(right, Unknown)
        return BOOLEAN if known else LATER if LATER in types else ANY


def _literal(value: float | str | bool) -> Type:
    match value:
        case bool():
            return BOOLEAN
        case int():
            return INTEGER
        case float():
            return REAL
        case _:
            return STRING


def _held(type: Type) -> Type:
    """What a checker takes the members of a list for if an empty list is among them."""
    return ListOf(DOUBT) if type == NIL else type


def _is_whole(node: core.Expression) -> bool:
    """Whether it is a power with an exponent that Python sees not to be below zero."""
    match node:
        case core.Binary(right=core.Literal(value=int() as exponent)):
            return exponent >= 0
        case _:
            return False


def _comparable(left: Type, right: Type, *, ordered: bool) -> bool:
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return True
    if not ordered:
        return fits(left, right) or fits(right, left) or isinstance(left, Either) or isinstance(right, Either)
    both = {left, right}
    return both <= {*NUMBERS[:2]} or both == {STRING} or both == {LOGICAL}
