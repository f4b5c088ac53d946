"""The order in which definitions are evaluated from top to bottom: as written, but a constant waits for what it needs.

    let a = F[1]                F[x] = x + b
    F[x] = x + b                let c = 2
    let b = c + 1               let b = c + 1
    let c = 2                   let a = F[1]

A function may use what comes after it. A constant needs the constants that it names, and if it applies anything, also
everything that the functions it names may come to use: a topological order of the graph of uses, which keeps to the
text where it can. In a program with commands the evaluation keeps the order of the text: commands, constants, and
functions that capture values. What uses itself, a strongly connected component with a constant in it, is an error.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from heapq import heappop, heappush
from itertools import chain

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import components, reachable
from cpl.compiler.source import Source, Span

_NAMES_SHOWN = 6
"""How many names the message of a cycle shows, the first one included."""


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
        # A text that goes on in the next line by mistake may seem to use itself: then that error is enough.
        if not any(_holds_one(member, unfinished) for member in members):
            diagnostics.append(_circular(members))
    if waiting and not cycles:
        diagnostics.append(order.too_early(waiting))
    return tuple(order.definitions[at] for at in (*order.done, *waiting))


def _holds_one(definition: core.Definition, places: Sequence[Span]) -> bool:
    return any(definition.span.holds(place) for place in places)


def _circular(cycle: Sequence[core.Definition]) -> Diagnostic:
    first, *others = [_names(definition) for definition in cycle]
    through = ""
    if others:
        shown = others[: _NAMES_SHOWN - 1]
        if len(shown) < len(others):
            shown.append("…")
        through = f", through {', '.join(shown)}"
    return report(messages.CIRCULAR, cycle[0].span, name=first, through=through)


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
            self._keep_in_turn(source, commanding)
        self.defining = self._defining(evaluated_names)
        self.uses = [list(dict.fromkeys(self._uses(at))) for at in range(len(definitions))]
        self.done: dict[int, None] = {}  # in the order of their evaluation
        self.complete: set[int] = set()  # everything that they may come to use is done

    def _keep_in_turn(self, source: Source, commanding: Set[Source]) -> None:
        """Let what is evaluated wait for what is evaluated before it in its text: in the program, whose text is the
        `source`, and in the texts that have commands.
        """
        own = [definition for definition in self.definitions if definition.span.source is source]
        foreign = [definition for definition in self.definitions if definition.span.source is not source]
        first = next((at for at, definition in enumerate(own) if _is_evaluated(definition)), 0)
        self.definitions = [*own[:first], *foreign, *own[first:]]  # what commands use stands above them

        evaluated = [at for at, definition in enumerate(self.definitions) if _is_evaluated(definition)]
        for text in {source, *commanding}:
            in_turn = [at for at in evaluated if self.definitions[at].span.source is text]
            self.previous |= dict(zip(in_turn[1:], in_turn, strict=False))
        self.in_turn = [at for at in evaluated if self.definitions[at].span.source is source]

    def _defining(self, evaluated_names: Set[core.Global]) -> dict[core.Variable, int]:
        """For each name, the definition that must be evaluated before the name can be used."""
        defining: dict[core.Variable, int] = {}
        for at, definition in enumerate(self.definitions):
            names = walk.names(definition)
            if isinstance(definition, core.Constants):
                names = [name for name in names if name not in evaluated_names]
            defining |= dict.fromkeys(names, at)
        return defining

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
            captured = {self.defining[name] for name in definition.captured if name in self.defining}
            return captured - self.done.keys()

        applies = any(isinstance(node, core.Apply | core.Juxtapose | core.Select) for node in walk.nodes(definition))
        if not applies:
            return {*self.uses[at]} - self.done.keys()

        # What is complete is not searched again: else every definition would walk the whole graph below it.
        used = {*reachable(self._incomplete(at), self._incomplete)}
        lacking = used - self.done.keys()
        if not lacking:
            self.complete |= used
        return lacking

    def _incomplete(self, at: int) -> list[int]:
        return [used for used in self.uses[at] if used not in self.complete]

    def sort(self) -> list[int]:
        """Find the order of the definitions that are `done`; the result is those that cannot be evaluated."""
        awaiting: defaultdict[int, list[int]] = defaultdict(list)
        ready = list(range(len(self.definitions)))  # a heap: what comes first in the text goes first
        while ready:
            current = heappop(ready)
            lacking = self.lacking(current)
            if lacking:
                awaiting[max(lacking)].append(current)  # it is tried again when the last of them is done
                continue
            self.done[current] = None
            for dependent in awaiting.pop(current, ()):
                heappush(ready, dependent)
        return sorted(chain.from_iterable(awaiting.values()))

    def too_early(self, waiting: Sequence[int]) -> Diagnostic:
        """The definition whose turn has come needs something that comes after it."""
        first = next((at for at in waiting if at in self.in_turn), waiting[0])
        needed = min(self.lacking(first) - {first}, default=first)
        return report(messages.USED_EARLY, self.definitions[first].span, name=_names(self.definitions[needed]))

    def cycles(self, waiting: Sequence[int]) -> list[list[int]]:
        """The groups of definitions that use each other, or themselves, each from the first one that is waiting."""
        unready = {*waiting}
        cycles: list[list[int]] = []
        for component in components(self.uses):
            cycle = sorted(component, key=lambda at: (at not in unready, at))
            first = cycle[0]
            if first in unready and (len(cycle) > 1 or first in self.uses[first]):
                cycles.append(cycle)
        return sorted(cycles)


def _is_evaluated(definition: core.Definition) -> bool:
    """Whether there is something to do where it stands."""
    is_capturing = isinstance(definition, core.Function) and bool(definition.captured)
    return is_capturing or isinstance(definition, core.Constants | core.Commands)


def _names(definition: core.Definition) -> str:
    """The names that a definition defines, for a message."""
    return ", ".join(name.name for name in walk.names(definition))
