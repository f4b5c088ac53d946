"""The order in which definitions are evaluated from top to bottom: as written, but a constant waits for what it needs.

A function may use what comes after it. A constant needs the constants that it names, and if it applies anything, also
everything that the functions it names may come to use. In a program with commands the evaluation keeps the order of the
text: commands, constants, and functions that capture values.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from heapq import heappop, heappush

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import components, reachable
from cpl.compiler.source import Source

_NAMES_SHOWN = 6


def evaluation_order(
    definitions: Sequence[core.Definition],
    source: Source,
    diagnostics: list[Diagnostic],
    evaluated: Set[core.Global] = frozenset(),
) -> tuple[core.Definition, ...]:
    """Sort definitions: constants and commands move down behind what they need, and no further. Names that are
    `evaluated` have values already: nothing waits for a constant that gives one of them another.
    """
    order = _Order(definitions, source, evaluated)
    waiting = order.sort()
    cycles = order.cycles(waiting)
    unfinished = [error.span for error in diagnostics if error.cause is messages.UNFINISHED]
    for cycle in cycles:
        members = [order.definitions[at] for at in cycle]
        if not any(member.span.holds(place) for place in unfinished for member in members):
            diagnostics.append(_circular(members))
    if waiting and not cycles:
        diagnostics.append(order.too_early(waiting))
    return tuple([order.definitions[at] for at in (*order.done, *waiting)])


def _circular(cycle: Sequence[core.Definition]) -> Diagnostic:
    names = [_label(definition) for definition in cycle]
    shown = names[1:_NAMES_SHOWN] + ["…"] * (len(names) > _NAMES_SHOWN)
    through = ", through " + ", ".join(shown) if shown else ""
    return report(messages.CIRCULAR, cycle[0].span, name=names[0], through=through)


class _Order:
    """Definitions by their numbers, in the order of the text, and which others each of them uses."""

    def __init__(
        self, definitions: Sequence[core.Definition], source: Source, evaluated_names: Set[core.Global]
    ) -> None:
        self.definitions = definitions
        self.in_turn: list[int] = []  # the definitions that are evaluated in the order of the text
        self.previous: dict[int, int] = {}  # those that stand before them in a text with commands
        commanding = {definition.span.source for definition in definitions if isinstance(definition, core.Commands)}
        if commanding:
            own = [definition for definition in definitions if definition.span.source is source]
            foreign = [definition for definition in definitions if definition.span.source is not source]
            first = next((at for at, definition in enumerate(own) if _is_evaluated(definition)), 0)
            self.definitions = [*own[:first], *foreign, *own[first:]]  # what commands use stands above them
            evaluated = [at for at, definition in enumerate(self.definitions) if _is_evaluated(definition)]
            for text in {source, *commanding}:
                in_turn = [at for at in evaluated if self.definitions[at].span.source is text]
                self.previous |= dict(zip(in_turn[1:], in_turn, strict=False))
            self.in_turn = [at for at in evaluated if self.definitions[at].span.source is source]
        self.defining = {
            name: at
            for at, definition in enumerate(self.definitions)
            for name in walk.names(definition)
            if not (isinstance(definition, core.Constants) and name in evaluated_names)
        }
        self.uses = [list(dict.fromkeys(self._uses(at))) for at in range(len(definitions))]
        self.done: dict[int, None] = {}  # in the order of their evaluation
        self.complete: set[int] = set()  # everything that they may come to use is done

    def _uses(self, at: int) -> Iterator[int]:
        """The definitions whose names this one mentions."""
        definition = self.definitions[at]
        for node in walk.nodes(definition.value if isinstance(definition, core.Constants) else definition):
            used = self.defining.get(node) if isinstance(node, core.Global) else None
            if used is not None and not (used == at and isinstance(definition, core.Commands)):
                yield used

    def lacking(self, at: int) -> set[int]:
        """Return the definitions that must still come before a definition."""
        definition = self.definitions[at]
        if at in self.previous and self.previous[at] not in self.done:
            return {self.previous[at]}
        if isinstance(definition, core.Function):
            return {self.defining[name] for name in definition.captured if name in self.defining} - self.done.keys()
        applies = any(isinstance(node, core.Apply | core.Juxtapose | core.Select) for node in walk.nodes(definition))
        if not applies:
            return {*self.uses[at]} - self.done.keys()
        used = {*reachable(self._incomplete(at), self._incomplete)}
        lacking = used - self.done.keys()
        self.complete |= used if not lacking else set()
        return lacking

    def _incomplete(self, at: int) -> list[int]:
        return [used for used in self.uses[at] if used not in self.complete]

    def sort(self) -> list[int]:
        """Find the order of the definitions that are `done`; the result is those that cannot be evaluated."""
        awaiting: defaultdict[int, list[int]] = defaultdict(list)
        ready = list(range(len(self.definitions)))  # a heap: what comes first in the text goes first
        while ready:
            current = heappop(ready)
            if lacking := self.lacking(current):
                awaiting[max(lacking)].append(current)
                continue
            self.done[current] = None
            for dependent in awaiting.pop(current, ()):
                heappush(ready, dependent)
        return sorted(dependent for waiting in awaiting.values() for dependent in waiting)

    def too_early(self, waiting: Sequence[int]) -> Diagnostic:
        """The definition whose turn has come needs something that comes after it."""
        first = next((at for at in waiting if at in self.in_turn), waiting[0])
        definition = self.definitions[first]
        names = [_label(self.definitions[at]) for at in sorted(self.lacking(first)) if at != first]
        return report(messages.USED_EARLY, definition.span, name=names[0] if names else _label(definition))

    def cycles(self, waiting: Sequence[int]) -> list[list[int]]:
        """The groups of definitions that use each other, or themselves, each from the first one that is waiting."""
        unready = {*waiting}
        groups = [sorted(group, key=lambda at: (at not in unready, at)) for group in components(self.uses)]
        waiting_groups = (group for group in groups if group[0] in unready)
        return sorted(group for group in waiting_groups if len(group) > 1 or group[0] in self.uses[group[0]])


def _is_evaluated(definition: core.Definition) -> bool:
    """Whether there is something to do where it stands."""
    is_capturing = isinstance(definition, core.Function) and bool(definition.captured)
    return is_capturing or isinstance(definition, core.Constants | core.Commands)


def _label(definition: core.Definition) -> str:
    return ", ".join(name.name for name in walk.names(definition))
