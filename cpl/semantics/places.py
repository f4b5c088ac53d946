"""Places: what can be assigned to, what two names can share, and how functions are given their arguments.

A variable that is shared holds a reference to a place, and its name stands for what is in there; so the core says of
every use whether the value or the place is meant. `blocks` and `resolve` build on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

from cpl import causes
from cpl.causes import Cause
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, within
from cpl.semantics.scope import Kind, Outermost, Variables
from cpl.source import Span
from cpl.syntax import nodes, suggest
from cpl.syntax.signs import ELSEWHERE


@dataclass
class Boundary:
    """Round a function that takes values: variables up to number `limit` are outside, and fixed within.

    Of shared variables what was in the place is `taken`, into variables of their own.
    """

    limit: int
    taken: dict[core.Local, core.Local] = field(default_factory=dict)


class Places(ABC):
    """Resolves the places of one definition."""

    def __init__(self, outer: Outermost, found: list[Diagnostic]) -> None:
        self.outer = outer
        self.found = found
        self.variables = Variables()
        self.local_functions: dict[core.Local, tuple[Kind, ...]] = {}  # with what they take
        self.boundaries: list[Boundary] = []

    def complain(self, cause: Cause, span: Span, help: str | None = None, **words: Any) -> None:
        """Add to the diagnostics."""
        self.found.append(report(cause, span, help=help, **words))

    @abstractmethod
    def expression(self, node: nodes.Expression) -> core.Expression:
        """The core of an expression in the scope of this moment."""

    @abstractmethod
    def name(self, node: nodes.Name) -> core.Expression:
        """What a name stands for, a routine included."""

    @abstractmethod
    def select(
        self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span, *, routine: bool = False
    ) -> core.Expression:
        """`m[k]`: a function applied, or a member of an array."""

    @abstractmethod
    def is_function(self, node: core.Expression) -> bool:
        """Whether this is sure to be a function."""

    # Variables

    def variable(self, variable: core.Local | core.Global, kind: Kind, span: Span) -> core.Expression:
        """What the name of a variable of this kind stands for."""
        if kind != "value" and isinstance(variable, core.Local):
            for boundary in self.boundaries:
                if variable.number <= boundary.limit:
                    own = self.variables.hidden(variable.name, variable.span, variable.declared)
                    return replace(boundary.taken.setdefault(variable, own), span=span)
        return _reached(replace(variable, span=span), kind)

    def taken(self, boundary: Boundary) -> tuple[core.Let, ...]:
        """What must be done before a function that takes values is made."""
        return tuple(
            [
                core.Let(own, _reached(replace(shared, span=own.span), self.variables.kinds[shared]), span=own.span)
                for shared, own in boundary.taken.items()
            ]
        )

    @contextmanager
    def boundary(self, *, by_place: bool) -> Iterator[Boundary]:
        """Within a function: what is bound outside can be assigned to only if it is taken as a place."""
        made = Boundary(self.variables.count)
        if not by_place:
            self.boundaries.append(made)
        yield made
        if not by_place:
            self.boundaries.pop()

    def is_fixed(self, name: str) -> bool:
        """Whether this name leads to a variable outside a function that takes values."""
        variable = self.variables.lookup(name)
        if not isinstance(variable, core.Local) or not self.boundaries:
            return False
        own = any(variable in boundary.taken.values() for boundary in self.boundaries)
        return own or variable.number <= self.boundaries[-1].limit

    # Places

    def place(self, target: nodes.Expression) -> core.Place:
        """What stands on the left of := or on the right of ≃."""
        match target:
            case nodes.Bracket(items=(only,), square=False):
                return self.place(only)
            case nodes.Name(name=name, span=span):
                meant = self.name(target)
                if self.is_fixed(name):
                    self.complain(causes.FIXED, span, name=name)
                elif self.is_function(meant):
                    self.complain(causes.CONSTANT, span, name=name)
                elif isinstance(meant, core.Local | core.Global | core.Contents):
                    return meant
                elif not isinstance(meant, core.List):  # of an unknown name it is said already
                    self.complain(causes.NOT_A_TARGET, span)
            case nodes.Follow() | nodes.Application():
                meant = self.expression(target)
                if isinstance(meant, core.Select | core.Component | core.Contents):
                    return meant
                if not (isinstance(meant, core.Apply) and isinstance(meant.function, core.List)):  # an unknown name
                    self.complain(causes.NOT_A_TARGET, target.span)
            case nodes.Conditional(arms=(arm, *others), otherwise=otherwise, span=span):
                rest = nodes.Conditional(tuple(others), otherwise, span=span) if others else otherwise
                return core.Choice(self.expression(arm.test), self.place(arm.value), self.place(rest), span=span)
            case nodes.Chain() if (run := suggest.run_at(target.span)).text in ELSEWHERE:
                self.complain(causes.MISSPELT, run, ELSEWHERE[run.text], run=run.text)
            case nodes.Chain() if suggest.run_at(target.span) == target.span:
                self.found.append(suggest.product_for_name(target.span))
            case _:
                self.complain(causes.NOT_A_TARGET, target.span)
        return core.Local("", 0, span=target.span)

    def assignment(self, command: nodes.Assignment) -> Iterator[core.Command]:
        """`targets := values`. A list of targets in round brackets takes its value apart: our choice, after D9."""
        pairs: list[tuple[core.Place, core.Expression]] = []
        matched = [*_matched(command.targets, command.values)]
        for target, value in matched:
            if not _is_list(target):
                pairs.append((self.place(target), self.expression(value)))
                continue
            given = self.expression(value)
            places: list[core.Place] = []
            hidden = self._apart(target, places)
            if len(matched) == 1 and len(places) == len(target.items) and all(map(_is_variable, places)):
                yield core.Assign(tuple(places), (given,), span=command.span)
                return
            yield core.Let(hidden, given, span=command.span)
            pairs += zip(places, within.variables(hidden), strict=True)
        yield core.Assign(tuple([place for place, _ in pairs]), tuple([value for _, value in pairs]), span=command.span)

    def _apart(self, target: nodes.Expression, places: list[core.Place]) -> core.Target:
        """Variables for the parts of what will be assigned to the places."""
        if _is_list(target):
            return core.Several(tuple([self._apart(item, places) for item in target.items]), span=target.span)
        places.append(self.place(target))
        return self.variables.hidden("value", target.span)

    def reference(self, node: nodes.Expression) -> core.Expression:
        """The place of an expression as a value; of what has none, a new one that holds its value (our choice)."""
        if not self.has_place(node):
            return core.Reference(self.expression(node), span=node.span)
        return self._referred(self.place(node))

    def _referred(self, place: core.Place) -> core.Expression:
        match place:
            case core.Contents(reference=reference):
                return reference
            case core.Choice(test=test, place=first, otherwise=second, span=span):
                return core.Conditional(((test, self._referred(first)),), self._referred(second), span=span)
            case _:
                return core.Reference(place, span=place.span)

    def shared(self, reference: core.Expression) -> core.Local | core.Global | None:
        """The variable that a name becomes another one for, if it is one for a variable."""
        match reference:
            case core.Reference(place=core.Local() | core.Global() as variable):
                return variable
            case core.Local() if reference in self.variables.kinds:
                return reference
            case _:
                return None

    def has_place(self, node: nodes.Expression) -> bool:
        """Whether this can be assigned to, as far as its shape tells."""
        match node:
            case nodes.Bracket(items=(only,), square=False):
                return self.has_place(only)
            case nodes.Name(name=name):
                variable = self.variables.lookup(name)
                if variable is not None:
                    kind = self.variables.kinds.get(variable, "value")
                    return variable not in self.local_functions and kind != "substitution" and not self.is_fixed(name)
                known = self.outer.known.get(name)
                return known is not None and self.outer.takes(name) is None and known.kind != "substitution"
            case nodes.Follow():
                return True
            case nodes.Application(function=nodes.Name(name=name) as function):
                known = self.outer.known.get(name)
                if self.variables.lookup(name) is None and known is None:
                    return name == "Follow" or name in self.outer.selectors
                return node.square and not self.is_function(self.name(function))
            case nodes.Application(function=function, square=True):
                return self.has_place(function)
            case nodes.Conditional(arms=arms, otherwise=otherwise):
                return all(self.has_place(arm.value) for arm in arms) and self.has_place(otherwise)
            case _:
                return False

    # Arguments

    def given(self, takes: Sequence[Kind] | None, arguments: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """The arguments of a function, each in the way that its parameter takes it (D20, D21)."""
        kinds: Sequence[Kind] = ["value"] * len(arguments)
        if takes is not None and len(takes) == len(arguments):
            kinds = takes
        return tuple([self.argument(kind, each) for kind, each in zip(kinds, arguments, strict=True)])

    def argument(self, kind: Kind, node: nodes.Expression) -> core.Expression:
        """One argument for a parameter of this kind."""
        match kind:
            case "value":
                return self.expression(node)
            case "reference":
                return self.reference(node)
            case "substitution":
                return core.Lambda((), self.expression(node), by_place=True, span=node.span)
            case _:
                return core.Lambda((), self.reference(node), by_place=True, span=node.span)


def _reached(variable: core.Local | core.Global, kind: Kind) -> core.Expression:
    """What a variable of this kind is for its name."""
    match kind:
        case "value":
            return variable
        case "reference":
            return core.Contents(variable, span=variable.span)
        case "substitution":
            return core.Apply(variable, (), span=variable.span)
        case _:
            return core.Contents(core.Apply(variable, (), span=variable.span), span=variable.span)


def _is_list(node: nodes.Expression) -> TypeGuard[nodes.Bracket]:
    """Whether it is a list in round brackets, and no grouping."""
    return isinstance(node, nodes.Bracket) and not node.square and len(node.items) > 1


def _is_variable(place: core.Place) -> bool:
    return isinstance(place, core.Local | core.Global)


def _matched(
    targets: Sequence[nodes.Expression], values: Sequence[nodes.Expression]
) -> Iterator[tuple[nodes.Expression, nodes.Expression]]:
    """Each target with its value, also those within lists of equal length."""
    for target, value in zip(targets, values, strict=True):
        if _is_list(target) and _is_list(value) and len(target.items) == len(value.items):
            yield from _matched(target.items, value.items)
        else:
            yield target, value
