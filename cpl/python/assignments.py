"""Assignments and definitions of variables, core to Python: to which name or member, and in what order."""

import ast
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from cpl.python.analysis import is_expression
from cpl.python.expressions import Assign, Expressions, opposite
from cpl.python.nodes import Out, at, load
from cpl.semantics import core, within


class Assignments(Expressions):
    """Lowers the assignments of one definition."""

    hidden = 0  # the number of the last variable that the program does not have; its own are positive

    def assign(self, command: core.Assign, out: Out) -> None:
        """`places := values`"""
        places, values = command.places, command.values
        self.unset -= {each for each in within.assigned(command) if isinstance(each, core.Local)}
        match places:
            case (core.Choice() as place,):
                self.assign_to(self.decided(place, out), self.once(values[0], out), out)
            case (core.Select() | core.Component() | core.Contents() as place,):
                self.assign_to(place, self.value(values[0], out), out)
            case (core.Local() | core.Global() as place,):
                self.into(values[0], Assign(self.stored(place, out), self.hint(place)), out)
            case _ if len(values) < len(places):
                names = ast.Tuple([self.stored(place, out) for place in places], ast.Store())
                self.into(values[0], Assign(at(names, command.span), "values"), out)
            case _ if self.is_in_turn(places, values):
                given = [self.once(value, out, always=True) for value in values]
                meant = [self.decided(place, out, {*within.assigned(command)}) for place in places]
                for where, value in zip(meant, given, strict=True):
                    self.assign_to(where, value, out)
            case _:
                given = self.values(values, out, "value")
                # Python assigns from left to right: members first, so that their subscripts are the old ones (C3)
                order = sorted(range(len(places)), key=lambda index: self.is_plain(places[index]))
                several = sum(not self.is_plain(place) for place in places) > 1
                target = ast.Tuple([self.stored(places[index], out, apart=several) for index in order], ast.Store())
                right = ast.Tuple([given[index] for index in order], ast.Load())
                out.append(at(ast.Assign([target], right), command.span))

    def once(self, node: core.Expression, out: Out, *, always: bool = False) -> ast.expr:
        """A value that can be written down several times: by a name, unless it is one."""
        if not always and isinstance(node, core.Local | core.Global | core.Literal):
            return self.value(node, out)
        return load(self.held(node, "value", out))

    def is_plain(self, place: core.Place) -> bool:
        """Whether it is a variable to which no other name or pointer leads."""
        return isinstance(place, core.Local | core.Global) and place not in self.celled

    def is_in_turn(self, places: Sequence[core.Place], values: Sequence[core.Expression]) -> bool:
        """Whether one assignment of Python would not do: a condition chooses, a member may be that of a list, or a
        variable is there twice, which some Pythons 3.11 get wrong (`x, x = 1, y` was 1: python/cpython issue 104615).
        """
        plain = [place for place in places if isinstance(place, core.Local | core.Global)]
        return len(set(plain)) < len(plain) or any(
            isinstance(place, core.Choice) or self.is_unchecked(place, values) for place in places
        )

    def is_unchecked(self, place: core.Place, values: Sequence[core.Expression]) -> bool:
        """Whether it is a member of what may be a list: Python's own subscripts would do, were they not beside others.

        Where two members change places, they have been asked for before.
        """
        if not isinstance(place, core.Select) or place.of_array or self.facts.kind(place.operand) == "array":
            return False
        return not (len(place.indices) == 1 and any(part == place for each in values for part in within.walk(each)))

    def decided(
        self, place: core.Place, out: Out, changing: Set[core.Local | core.Global] | None = None
    ) -> "core.Place | tuple[ast.expr, Any, Any]":
        """A place whose conditions are evaluated now, and all else on which the variables that are `changing` and other
        places have a say. If it is assigned to alone, there are none.
        """
        match place:
            case core.Choice(test=test, place=first, otherwise=second):
                alone = changing is None
                condition = self.value(test, out, "test") if alone else self.once(test, out, always=True)
                bodies: tuple[Out, Out] = ([], [])
                parts = [self.decided(part, body, changing) for part, body in zip((first, second), bodies, strict=True)]
                if bodies[0]:
                    out.append(ast.If(condition, *bodies))
                elif bodies[1]:
                    out.append(ast.If(opposite(condition), bodies[1], []))
                return condition, parts[0], parts[1]
            case core.Select(operand=operand, indices=indices) if changing is not None:
                kept = tuple([self.settled(each, "index", changing, out) for each in indices])
                return replace(place, operand=self.settled(operand, "array", changing, out), indices=kept)
            case core.Component(operand=operand) if changing is not None:
                return replace(place, operand=self.settled(operand, "node", changing, out))
            case core.Contents(reference=reference) if changing is not None:
                return replace(place, reference=self.settled(reference, "place", changing, out))
            case _:
                return place

    def settled(
        self, node: core.Expression, hint: str, changing: Set[core.Local | core.Global], out: Out
    ) -> core.Expression:
        """An expression that has the value of now, whatever is assigned."""
        if not self.may_change(node, changing):
            return node
        self.hidden -= 1
        held = core.Local(hint, self.hidden, span=node.span)
        self.names.known[held] = self.held(node, hint, out)
        return held

    def assign_to(self, place: Any, value: ast.expr, out: Out) -> None:
        """One place, which a condition may choose."""
        match place:
            case (ast.expr() as condition, first, second):
                branch = ast.If(condition, [], [])
                self.assign_to(first, value, branch.body)
                self.assign_to(second, value, branch.orelse)
                out.append(branch)
            case core.Select(operand=operand) if not place.of_array and self.facts.kind(operand) != "array":
                indices = ast.List(self.values(place.indices, out, "index"), ast.Load())
                call = self.call("SetItem", self.value(operand, out), indices, value)
                out.append(at(ast.Expr(call), place.span))
            case _:
                out.append(at(ast.Assign([self.stored(place, out)], value), place.span))

    def stored(self, place: core.Place, out: Out, *, apart: bool = False) -> ast.expr:
        """A place as Python writes it; with `apart`, what other assignments could change of it is kept before."""
        match place:
            case core.Select():
                made = self.subscript(place, out)
                if apart and any(map(self.may_change, place.indices)):
                    made.slice = self.kept(made.slice, "index", out)
                if apart and self.may_change(place.operand):
                    made.value = self.kept(made.value, "array", out)
                return at(ast.Subscript(made.value, made.slice, ast.Store()), place.span)
            case core.Component(operand=operand, name=name):
                record = self.value(operand, out)
                if apart and self.may_change(operand):
                    record = self.kept(record, "node", out)
                return at(ast.Attribute(record, self.module.spelling(name), ast.Store()), place.span)
            case core.Contents(reference=reference):
                pointer = self.value(reference, out)
                if apart and self.may_change(reference):
                    pointer = self.kept(pointer, "place", out)
                return at(ast.Attribute(pointer, "value", ast.Store()), place.span)
            case core.Local() | core.Global() if place in self.celled:
                return at(ast.Attribute(self.variable(place), "value", ast.Store()), place.span)
            case core.Local() | core.Global():
                return at(ast.Name(self.variable(place).id, ast.Store()), place.span)
            case core.Choice():
                raise AssertionError("a choice of places is decided before")

    def may_change(self, node: core.Expression, changing: Set[core.Local | core.Global] = frozenset()) -> bool:
        """Whether assignments to other places, or to these variables, may change what this is."""
        parts = core.Select | core.Apply | core.Component | core.Contents
        return any(isinstance(part, parts) or part in changing | self.celled for part in within.walk(node))

    def kept(self, value: ast.expr, hint: str, out: Out) -> ast.expr:
        """A value that is worked out now, by a name."""
        name = self.names.fresh(hint)
        out.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return load(name)

    def cells(self, parameters: Sequence[core.Local | core.Global]) -> Out:
        """Put what parameters have into cells, where something else refers to them."""
        made: Out = []
        for each in parameters:
            if each in self.celled:
                name = self.variable(each).id
                known: dict[Any, str] = self.names.known if isinstance(each, core.Local) else self.own
                known[each] = self.names.fresh(f"{name}_cell")
                self.cell(each, load(name), made)
        return made

    def cell(self, variable: core.Local | core.Global, value: ast.expr | None, out: Out) -> None:
        """A new cell for a variable, with a value in it if there is one."""
        made = self.call("Cell", value) if value else self.call("Cell")
        name = self.variable(variable).id
        out.append(at(ast.Assign([ast.Name(name, ast.Store())], made), variable.span))
        if value is None or variable in self.empty:
            self.say(name, self.note(variable), out, len(out) - 1)

    def let(self, target: core.Target, value: core.Expression, out: Out, *, tail: bool) -> None:
        """`let target = value`. The value is lowered first: what it names is outside the scope of the target."""
        after = value.span.end
        names = {local: self.names.choose(local, tail=tail, after=after) for local in _locals(target)}
        self.bind(target, value, names, out)

    def bind(
        self,
        target: core.Target,
        value: core.Expression,
        names: dict[core.Local, str],
        out: Out,
        *,
        apart: bool = False,
    ) -> None:
        """Give a value to names that are in force from then on; what something refers to gets a cell."""
        variables = [*within.variables(target)]
        before = len(out)
        match target, value:
            case core.Several(items=targets), core.Tuple(items=items) if (
                len(targets) == len(items) == len(variables)
                and all(map(is_expression, items))
                and any(each in self.celled or each in self.empty for each in variables)
            ):
                self.one_by_one(variables, self.values(items, out, "value"), names, out)
                return
            case ((core.Local() | core.Global()), _) if target in self.celled and is_expression(value):
                made = self.value(value, out)
                self.names.known |= names
                self.cell(target, made, out)
                return
        held = {
            each: self.names.fresh(f"{self.spoken(each, names)}_value") for each in variables if each in self.celled
        }
        spoken: dict[core.Local | core.Global, str] = {each: self.spoken(each, names) for each in variables}
        position = Assign(self.unbound(target, spoken | held), self.hint(target))
        (self.apart if apart else self.into)(value, position, out)
        self.names.known |= names
        for each in variables:
            if each in self.empty and each not in held:
                self.say(self.variable(each).id, self.note(each), out, before)
        for each, name in held.items():
            self.cell(each, load(name), out)

    def one_by_one(
        self,
        variables: Sequence[core.Local | core.Global],
        values: Sequence[ast.expr],
        names: dict[core.Local, str],
        out: Out,
    ) -> None:
        """Give each name its own value; at once, if one of them stands in a value that is another's."""
        self.names.known |= names
        used = {part.id for value in values for part in ast.walk(value) if isinstance(part, ast.Name)}
        pairs = [*zip(variables, values, strict=True)]
        if not used & {self.variable(each).id for each in variables}:
            for each, value in pairs:
                self.statement(each, value, out)
            return
        before = len(out)
        made = [self.call("Cell", value) if each in self.celled else value for each, value in pairs]
        targets = ast.Tuple([ast.Name(self.variable(each).id, ast.Store()) for each in variables], ast.Store())
        out.append(at(ast.Assign([targets], ast.Tuple(made, ast.Load())), variables[0].span))
        for each in variables:
            if each in self.empty:
                self.say(self.variable(each).id, self.note(each), out, before)

    def statement(self, variable: core.Local | core.Global, value: ast.expr, out: Out) -> None:
        """One variable and its first value."""
        if variable in self.celled:
            self.cell(variable, value, out)
            return
        name = self.variable(variable).id
        out.append(at(ast.Assign([ast.Name(name, ast.Store())], value), variable.span))
        if variable in self.empty:
            self.say(name, self.note(variable), out, len(out) - 1)

    def spoken(self, variable: core.Local | core.Global, names: dict[core.Local, str]) -> str:
        """The Python name of a variable that may not be in force yet."""
        return names[variable] if isinstance(variable, core.Local) else self.module.name(variable)

    def unbound(self, target: core.Target, names: Mapping[core.Local | core.Global, str]) -> ast.expr:
        """A target in Python, its variables by names that are not in force yet."""
        match target:
            case core.Several(items=items):
                return at(ast.Tuple([self.unbound(item, names) for item in items], ast.Store()), target.span)
            case core.Local():
                return at(ast.Name(names[target], ast.Store()), target.span)
            case core.Global():
                return at(ast.Name(names.get(target) or self.module.name(target), ast.Store()), target.span)

    def hint(self, target: core.Target) -> str:
        """What to call something that is made for this target."""
        first = next(within.variables(target), None)
        return self.module.spelling(first.name) if first else "value"


def _locals(target: core.Target) -> Iterator[core.Local]:
    return (name for name in within.variables(target) if isinstance(name, core.Local))
