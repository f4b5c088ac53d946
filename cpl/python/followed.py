"""How far a checker of Python can follow a program: the type that each variable, parameter and result is given.

The types that were inferred come in, and go out loosened where a checker would object to what the program does with
them. Values flow to slots; the program is gone through again until no slot changes.
"""

from collections.abc import Iterator, Sequence

from cpl.python import runtime_types
from cpl.python.estimates import Estimates, Signature
from cpl.python.slots import (
    ANY,
    DOUBT,
    INTEGER,
    REAL,
    SHALLOW,
    Slot,
    either,
    fits,
    is_large,
    normal,
)
from cpl.semantics import core, shapes, within
from cpl.semantics.shapes import Either, FunctionOf, ListOf, Named, PointerTo, TupleOf, Type, Unknown
from cpl.semantics.types import Facts


class Followed(Estimates):
    """The slots of a program; `instead` if + of bit strings is a function (see `Module`)."""

    def __init__(self, program: core.Program, facts: Facts, *, instead: bool) -> None:
        self.facts = facts
        self.instead = instead
        self._program = program
        self.elements = {
            one.name: [_alternative(each) for each in one.alternatives]
            for one in program.definitions
            if isinstance(one, core.ElementType)
        }
        self.components = {
            one.name: {each: Slot(self._normal(facts.component(one.name, each))) for each in one.components}
            for one in program.definitions
            if isinstance(one, core.NodeType)
        }
        self._changing_in = {id(one): _changing(one) for one in program.definitions}
        self._changing = frozenset[core.Local | core.Global]().union(*self._changing_in.values())
        self.functions = {
            one.name: self._signature(facts.type_of(one.name, one), one)
            for one in program.definitions
            if isinstance(one, core.Function)
        }
        self._inner: dict[tuple[int, core.Local | int], Signature] = {}  # by definition, and name or node
        self._variables: dict[tuple[int, core.Local] | core.Global, Slot] = {}
        if program.definitions:
            self._now = program.definitions[0]
            self._settle()

    def _key(self, name: core.Local | core.Global) -> tuple[int, core.Local] | core.Global:
        """The numbers of local variables begin anew in each definition."""
        return name if isinstance(name, core.Global) else (id(self._now), name)

    # What the lowering asks

    def variable(self, definition: core.Definition, name: core.Local | core.Global) -> Slot:
        """The slot of a variable or a parameter."""
        self._now = definition
        return self._variables.get(self._key(name)) or Slot(ANY)

    def function(self, definition: core.Definition, node: core.Function | core.LetFunction | core.Lambda) -> Signature:
        """What a function takes and gives."""
        if isinstance(node, core.Function):
            return self.functions[node.name]
        self._now = definition
        return self.inner_function(node)

    def inferred(self, definition: core.Definition) -> Iterator[tuple[str, Type]]:
        """The names of functions and constants that a definition gives, and their types as they were inferred."""
        if isinstance(definition, core.Function | core.Constants):
            for name in within.names(definition):
                yield name.name, self._normal(self.facts.type_of(name, definition))

    def types(self) -> Iterator[Type]:
        """All types that stand in annotations."""
        yield from (slot.held for slot in self._lasting())
        yield from (slot.held for slot in self._variables.values() if slot.is_narrow)

    def slot_for(self, definition: core.Definition, node: core.Expression, *, returned: bool = False) -> Slot:
        """A slot that has the value of an expression."""
        self._now = definition
        slot = Slot(returned=returned)
        self.flow(node, slot)
        return slot

    # Slots

    def _normal(self, type: Type | None) -> Type:
        found = normal(type, self.elements)
        return normal(type, self.elements, SHALLOW) if is_large(found) else found

    def _lasting(self) -> Iterator[Slot]:
        """All slots but those of variables."""
        for signature in (*self.functions.values(), *self._inner.values()):
            yield from signature.parameters
            if signature.result:
                yield signature.result
        for components in self.components.values():
            yield from components.values()

    def _slots(self) -> Iterator[Slot]:
        """All slots that there are so far."""
        yield from self._lasting()
        yield from self._variables.values()

    def _signature(self, type: Type | None, node: core.Function | core.LetFunction | core.Lambda) -> Signature:
        routine = isinstance(node.body, core.Block) and node.body.routine
        count = len(node.parameters)
        match type:
            case FunctionOf(parameters=parameters, result=result) if len(parameters) == count:
                slots = [Slot(self._normal(each)) for each in parameters]
            case _:
                slots, result = [Slot(ANY) for _ in range(count)], None
        given = self._normal(result)
        return Signature(slots, None if routine else Slot(given, returned=True))

    def slot(self, name: core.Local | core.Global) -> Slot:
        """What holds the value of a variable."""
        key = self._key(name)
        if key not in self._variables:
            expected = self._normal(self.facts.type_of(name, self._now))
            changing = name in (self._changing if isinstance(name, core.Global) else self._changing_in[id(self._now)])
            general = name.declared.lower() == "general"
            self._variables[key] = Slot(ANY if general else None, expected=expected, changing=changing)
        return self._variables[key]

    def inner_function(self, node: core.LetFunction | core.Lambda) -> Signature:
        """A function within the definition, whose parameters are known from now on."""
        key: tuple[int, core.Local | int] = id(self._now), node.name if isinstance(node, core.LetFunction) else id(node)
        if key not in self._inner:
            type = self.facts.of(node) if isinstance(node, core.Lambda) else self.facts.type_of(node.name, self._now)
            self._inner[key] = self._signature(type, node)
        self._give(node.parameters, self._inner[key])
        return self._inner[key]

    def _give(self, parameters: Sequence[core.Local], signature: Signature) -> None:
        self._variables |= zip(map(self._key, parameters), signature.parameters, strict=True)

    def known(self, name: core.Local) -> Signature | None:
        """The function of that name within the definition, if it is one."""
        return self._inner.get((id(self._now), name))

    # The walk

    def _settle(self) -> None:
        before: list[Type | None] | None = None
        while (types := [slot.type for slot in self._slots()]) != before:
            before = types
            self._go_through()
        for slot in self._slots():  # where a value is its own
            slot.type = slot.type or ANY
        while (types := [slot.type for slot in self._slots()]) != before:
            before = types
            self._go_through()

    def _go_through(self) -> None:
        for slot in self._slots():
            slot.first = None
        for definition in self._program.definitions:
            self._now = definition
            self._definition(definition)

    def _definition(self, definition: core.Definition) -> None:
        match definition:
            case core.Function(name=name, parameters=parameters, body=body):
                signature = self.functions[name]
                self._give(parameters, signature)
                self._body(body, signature.result)
            case core.Constants(target=target, value=value):
                self._bind(target, value)
            case core.Commands(commands=commands):
                self.commands(commands, Slot())

    def _body(self, body: core.Expression, result: Slot | None) -> None:
        self.flow(body, result or Slot())

    def flow(self, node: core.Expression, slot: Slot) -> None:
        """The value of an expression goes into the slot. A checker reads it with the slot's type in mind."""
        match node:
            case core.Conditional(arms=arms, otherwise=otherwise):
                for test, value in arms:
                    self.of(test)
                    self.flow(value, slot)
                self.flow(otherwise, slot)
            case core.Block(commands=commands):
                self.commands(commands, slot)
            case core.Reference(place=core.Local() | core.Global() as place) if isinstance(slot.type, PointerTo):
                if not isinstance(slot.type.contents, Unknown):
                    self.slot(place).put(slot.type.contents)  # it may be given such a value through the pointer
                slot.put(self.of(node))
            case core.Tuple() | core.List() if wanted := _wanted(node, slot.type):
                if slot.first is None:
                    slot.first = self.of(node)
                if (made := self._written_out(node, wanted)) != wanted:
                    options = slot.type.options if isinstance(slot.type, Either) else (wanted,)
                    slot.type = either(made if each == wanted else each for each in options)
            case _:
                slot.put(self.of(node))

    def _written_out(self, node: core.Tuple | core.List, wanted: TupleOf | ListOf) -> Type:
        """What is wanted of a list, loosened for the members that it has."""
        if isinstance(wanted, ListOf):
            member = Slot(wanted.member)
            for item in node.items:
                self.flow(item, member)
            return ListOf(member.held)
        parts = [Slot(each) for each in wanted.items]
        for item, part in zip(node.items, parts, strict=True):
            self.flow(item, part)
        return TupleOf(tuple([part.held for part in parts]))

    def _bind(self, target: core.Target, value: core.Expression) -> None:
        match target, value:
            case core.Several(items=targets), core.Tuple(items=items) if len(targets) == len(items):
                for each, item in zip(targets, items, strict=True):
                    self._bind(each, item)
            case core.Several(), _:
                self._take_apart(target, self.of(value), value)
            case ((core.Local() | core.Global()), _):
                self.flow(value, self.slot(target))

    def _take_apart(self, target: core.Target | core.Place, type: Type, value: core.Expression) -> None:
        match target:
            case core.Several(items=targets):
                parts = _parts(type, len(targets))
                if parts is None:
                    self.blame(value)
                for each, part in zip(targets, parts or [DOUBT] * len(targets), strict=True):
                    self._take_apart(each, part, value)
            case core.Local() | core.Global():
                self.slot(target).put(type, apart=True)

    def commands(self, commands: Sequence[core.Command], result: Slot) -> None:
        """Commands are obeyed, some of which may give a result."""
        for command in commands:
            self._command(command, result)

    def _command(self, command: core.Command, result: Slot) -> None:
        match command:
            case core.Let(target=target, value=value):
                self._bind(target, value)
            case core.LetFunction(body=body):
                self._body(body, self.inner_function(command).result)
            case core.Declare(variable=variable):
                self.slot(variable)
            case core.Assign(places=places, values=values):
                self._assign(places, values)
            case core.Result(value=value):
                self.flow(value, result)
            case core.Evaluate(value=value):
                self.of(value)
            case core.If(test=test, commands=inner, otherwise=otherwise):
                self.of(test)
                self.commands((*inner, *otherwise), result)
            case core.While(test=test, commands=inner, otherwise=otherwise):
                self.of(test)
                self.commands((*inner, *otherwise), result)
            case core.Repeat(test=test, commands=inner):
                self.commands(inner, result)
                self.of(test)
            case core.ForStep(variable=variable, first=first, step=step, last=last):
                bounds = [self.want(each, REAL) for each in (first, step, last)]
                self.slot(variable).put(runtime_types.stepped(bounds))
                self.commands((*command.commands, *command.otherwise), result)
            case core.ForList(variable=variable, members=members):
                member = runtime_types.run_through(self.of(members))
                if member is None:
                    self.blame(members)
                self.slot(variable).put(DOUBT if member is None else member)
                self.commands((*command.commands, *command.otherwise), result)

    def _assign(self, places: Sequence[core.Place], values: Sequence[core.Expression]) -> None:
        if len(places) == len(values):
            for place, value in zip(places, values, strict=True):
                self._store(place, value)
        else:
            [value] = values
            type = self.of(value)
            parts = _parts(type, len(places))
            if parts is None:
                self.blame(value)
            for place, part in zip(places, parts or [DOUBT] * len(places), strict=True):
                self._keep(place, part)

    def _store(self, place: core.Place, value: core.Expression) -> None:
        match place:
            case core.Local() | core.Global():
                self.flow(value, self.slot(place))
            case core.Choice(test=test, place=first, otherwise=second):
                self.of(test)
                self._store(first, value)
                self._store(second, value)
            case _:
                self._subscripted(place)
                slot = Slot(self.of(place))
                self.flow(value, slot)
                if slot.type != self.of(place):
                    self.blame(place)

    def _keep(self, place: core.Place, type: Type) -> None:
        match place:
            case core.Local() | core.Global():
                self.slot(place).put(type)
            case core.Choice(test=test, place=first, otherwise=second):
                self.of(test)
                self._keep(first, type)
                self._keep(second, type)
            case _ if not fits(type, self.of(place)):
                self.blame(place)

    def _subscripted(self, place: core.Place) -> None:
        """Members of lists change places by Python's own subscripts."""
        match place:
            case core.Select(operand=operand, indices=indices) if isinstance(self.of(operand), ListOf):
                for each in indices:
                    self.want(each, INTEGER)


def _changing(definition: core.Definition) -> frozenset[core.Local | core.Global]:
    """The variables that get other values later, or may get them through a pointer."""
    referred = (part.place for part in within.walk(definition) if isinstance(part, core.Reference))
    places = {each for each in referred if isinstance(each, core.Local | core.Global)}
    return frozenset({*within.assigned(definition), *places})


def _alternative(each: core.Global | core.Literal) -> Type:
    return Named(each) if isinstance(each, core.Global) else shapes.Basic(str(each.value))


def _wanted(node: core.Tuple | core.List, type: Type | None) -> TupleOf | ListOf | None:
    """What a list that is written out is wanted to be, if the slot's type says so."""
    found: list[TupleOf | ListOf] = []
    for option in type.options if isinstance(type, Either) else (type,):
        match node, option:
            case core.Tuple(items=items), TupleOf(items=wanted) if len(items) == len(wanted):
                found.append(option)
            case core.List(items=(_, *_)), ListOf():
                found.append(option)
    return found[0] if len(found) == 1 else None


def _parts(type: Type, count: int) -> list[Type] | None:
    """The types of the parts of a value that is taken apart; None if a checker would not let it be."""
    match type:
        case TupleOf(items=items) if len(items) == count:
            return [*items]
        case ListOf(member=member):
            return [member] * count
        case Unknown() if type != DOUBT:
            return [type] * count
        case _:
            return None
