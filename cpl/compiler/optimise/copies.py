"""Copies of variables, as written-out functions leave them: two variables become one.

    § let Φ = Shift(ψ,s) ∧ X
      let L = Φ
      until Null(L) do L, M := L - SingleDigitFrom(L), L
      let x = M
      result is (x,x) §

becomes, if Φ is used nowhere else, and nothing assigns to M while x is in scope,

    § let L = Shift(ψ,s) ∧ X
      until Null(L) do L, M := L - SingleDigitFrom(L), L
      result is (M,M) §

Why: `simplify` leaves variables alone that are ever assigned to. A function that has become a loop and is written out
begins with copies of its arguments, and what it gives is copied again; in `let x = v; v := x + w`, the copy is what a
written-out function was given.

Limits: both variables must be declared alike, as a declaration converts. Nothing may refer to them, no function inside
the definition may capture them, and both must have a value from the start. The commands must be in order, without
jumps.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from cpl.compiler.optimise.trees import mentions_in, renamed
from cpl.compiler.semantics import core, walk


def without_copies(body: core.Expression) -> core.Expression:
    """Return the body of a function with one variable for two, wherever one is no more than a copy of the other."""
    return walk.rebuilt(body, _Copies(body).merged)


class _Copies:
    """The variables of a body: how often they are mentioned, and which are `kept` as they are."""

    def __init__(self, body: core.Expression) -> None:
        self.mentions = mentions_in(body)
        self.assigned = {*walk.assigned(body)}
        self.kept = {*_kept(body)}

    def merged(self, node: core.Node) -> core.Node:
        """Merge variables that are defined in the commands of a node."""
        return walk.with_commands(node, self.commands)

    def commands(self, commands: Sequence[core.Command]) -> Sequence[core.Command]:
        """Merge variables that these commands define."""
        result = [*commands]
        at = 0
        while at < len(result):
            match result[at]:
                case core.Let(target=core.Local() as copy, value=core.Local() as original) if self.may_merge(
                    copy, original
                ):
                    before, rest = result[:at], result[at + 1 :]
                    definition = self.definition_for(copy, original, before)
                    if definition is not None:
                        result[definition : at + 1] = [
                            renamed(command, {original: copy}) for command in before[definition:]
                        ]
                        continue  # the copy is mentioned as often: where the original was defined
                    if self.is_same_in(rest, copy, original) or self.is_last_of(before, rest, copy, original):
                        result[at:] = [renamed(command, {copy: original}) for command in rest]
                        self.mentions[original] += self.mentions[copy] - 2
                        if copy in self.assigned:
                            self.assigned.add(original)
                        continue
            at += 1
        return result

    def may_merge(self, copy: core.Local, original: core.Local) -> bool:
        """Tell whether two variables may be one, if they have the same values."""
        are_plain = copy.mode == original.mode == "" and copy.declared == original.declared
        return are_plain and self.kept.isdisjoint((copy, original))

    def definition_for(self, copy: core.Local, original: core.Local, before: Sequence[core.Command]) -> int | None:
        """Return which of the commands before defines the original, if it does so for this copy alone; else None."""
        if self.mentions[original] != 2:
            return None
        for at, command in enumerate(before):
            if isinstance(command, core.Let) and original in walk.variables(command.target):
                return at
        return None

    def is_same_in(self, rest: Sequence[core.Command], copy: core.Local, original: core.Local) -> bool:
        """Tell whether both variables have one value in the commands after the copy, up to the last one that reads it,
        and the copy is only there. The values of an assignment are those from before it.
        """
        if copy in self.assigned:
            return False
        reading = [at for at, command in enumerate(rest) if copy in walk.locals_in(command)]
        if not reading:
            return self.mentions[copy] == 1
        is_only_there = self.mentions[copy] == 1 + sum(part == copy for part in _locals_in(*rest))
        *before, last = rest[: reading[-1] + 1]
        if isinstance(last, core.Assign) and not any(copy in walk.locals_in(place) for place in last.places):
            before += [core.Evaluate(value, span=value.span) for value in last.values]
        else:
            before.append(last)
        return is_only_there and not any(original in walk.assigned(command) for command in before)

    def is_last_of(
        self, before: Sequence[core.Command], rest: Sequence[core.Command], copy: core.Local, original: core.Local
    ) -> bool:
        """Tell whether the original, which one of the commands before defines, is not mentioned after the copy; so that
        its place is free for the copy, which only the commands after it mention.
        """
        if not any(isinstance(command, core.Let) and original in walk.variables(command.target) for command in before):
            return False
        later = Counter(_locals_in(*rest))
        is_all_before = self.mentions[original] == 1 + sum(part == original for part in _locals_in(*before))
        return is_all_before and self.mentions[copy] == 1 + later[copy]


def _locals_in(*nodes: core.Node) -> Iterator[core.Local]:
    """The variables in trees, each as often as it is mentioned."""
    return (part for part in walk.all_nodes(nodes) if isinstance(part, core.Local))


def _kept(body: core.Expression) -> Iterator[core.Local]:
    """The variables that something refers to, that a function inside captures, or that have no value at first."""
    for part in walk.nodes(body):
        match part:
            case core.Lambda() | core.LetFunction():
                yield from walk.locals_in(part) - {*part.parameters, *walk.defined_in(part.body)}
            case core.Reference() | core.ReadOnly() | core.Declare():
                yield from walk.locals_in(part)
