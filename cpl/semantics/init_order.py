"""In which order definitions can be evaluated from top to bottom: as written, but a constant waits for what it needs.

A function may use what comes after it. A constant needs the constants that it names, and if it applies anything, also
all that the functions it names may come to use. In a program with commands what is done keeps the order of the text:
commands, constants, and functions that take the values of variables.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.source import Source

_MOST_NAMES = 6
_MOST_SEARCHES = 40


def evaluation_order(
    definitions: Sequence[core.Definition], source: Source, found: list[Diagnostic]
) -> tuple[core.Definition, ...]:
    """The same definitions, constants and commands moved down behind what they need, and no further."""
    order = _Order(definitions, source)
    result = order.sort()
    told: set[int] = set()
    for definition in order.waiting[:_MOST_SEARCHES]:
        cycle = order.cycle(definition) if id(definition) not in told else None
        if cycle is not None:
            told |= set(map(id, cycle))
            found.append(_circular(cycle))
    if order.waiting and not told:
        found.append(order.too_early())
    return (*result, *order.waiting)


def _circular(cycle: Sequence[core.Definition]) -> Diagnostic:
    names = [_label(each) for each in cycle]
    shown = names[1:_MOST_NAMES] + ["…"] * (len(names) > _MOST_NAMES)
    through = ", through " + ", ".join(shown) if shown else ""
    return report(messages.CIRCULAR, cycle[0].span, name=names[0], through=through)


class _Order:
    def __init__(self, definitions: Sequence[core.Definition], source: Source | None) -> None:
        self.definitions = definitions
        self.defining = {name: one for one in definitions for name in walk.names(one)}
        self.uses = {id(one): list(self._uses(one)) for one in definitions}
        self.in_turn = set()  # what is done in the order of the text
        if any(isinstance(one, core.Commands) for one in definitions):
            self.in_turn = {id(one) for one in definitions if one.span.source is source and _is_done(one)}
            own = [one for one in definitions if one.span.source is source]
            first = next((at for at, one in enumerate(own) if id(one) in self.in_turn), 0)
            others = [one for one in definitions if one.span.source is not source]
            self.definitions = [*own[:first], *others, *own[first:]]  # what commands use stands above them
        self.waiting: list[core.Definition] = []
        self.settled: set[int] = set()  # all that they may come to use is done

    def _uses(self, definition: core.Definition) -> Iterator[core.Definition]:
        """The definitions whose names stand in this one."""
        match definition:
            case core.Function(body=body, taken=taken):
                nodes = [*taken, *walk.nodes(body)]
            case core.Constants(value=value):
                nodes = [*walk.nodes(value)]
            case _:
                nodes = [*walk.nodes(definition)]
        seen = {id(definition)} if isinstance(definition, core.Commands) else set()
        for node in nodes:
            used = self.defining.get(node) if isinstance(node, core.Global) else None
            if used is not None and id(used) not in seen:
                seen.add(id(used))
                yield used

    def lacking(self, definition: core.Definition, done: set[int]) -> set[int]:
        """What must still come before a definition that is evaluated in its place."""
        if isinstance(definition, core.Function):
            return {id(used) for used in map(self.defining.get, definition.taken) if used and id(used) not in done}
        applies = any(isinstance(node, core.Apply | core.Juxtapose | core.Select) for node in walk.nodes(definition))
        seen: dict[int, core.Definition] = {}
        waiting = list(self.uses[id(definition)])
        while waiting:
            one = waiting.pop()
            if id(one) in seen or id(one) in self.settled:
                continue
            seen[id(one)] = one
            if applies:
                waiting += self.uses[id(one)]
        lacking = seen.keys() - done
        if applies and not lacking:
            self.settled |= seen.keys()
        return lacking

    def sort(self) -> list[core.Definition]:
        result: list[core.Definition] = []
        missing: dict[int, set[int]] = {}  # what each waiting definition still lacks
        awaited: dict[int, list[core.Definition]] = {}
        done: set[int] = set()
        turns: deque[core.Definition] = deque()  # what has been come to and waits for its turn

        def start(definition: core.Definition) -> None:
            lacking = self.lacking(definition, done)
            if lacking:
                missing[id(definition)] = set(lacking)
                for each in lacking:
                    awaited.setdefault(each, []).append(definition)
            else:
                place(definition)

        def place(definition: core.Definition) -> None:
            placing = [definition]
            while placing:
                current = placing.pop(0)
                result.append(current)
                done.add(id(current))
                if id(current) in self.in_turn:
                    turns.popleft()
                    if turns:
                        begun.append(turns[0])
                for waiting in awaited.pop(id(current), ()):
                    missing[id(waiting)].discard(id(current))
                    if not missing[id(waiting)]:
                        placing.append(waiting)

        begun: list[core.Definition] = []
        for definition in self.definitions:
            if id(definition) in self.in_turn:
                turns.append(definition)
                if len(turns) == 1:
                    begun.append(definition)
            elif _is_done(definition) or isinstance(definition, core.ElementType):
                begun.append(definition)
            else:
                place(definition)
            while begun:
                start(begun.pop(0))
        self.waiting = [one for one in self.definitions if id(one) not in done]
        return result

    def too_early(self) -> Diagnostic:
        """What has its turn needs something that comes after it."""
        done = {id(one) for one in self.definitions} - {id(one) for one in self.waiting}
        first = next((one for one in self.waiting if id(one) in self.in_turn), self.waiting[0])
        lacking = self.lacking(first, done)
        names = [_label(one) for one in self.definitions if id(one) in lacking and one is not first]
        return report(messages.USED_EARLY, first.span, name=names[0] if names else _label(first))

    def cycle(self, start: core.Definition) -> list[core.Definition] | None:
        """The shortest way from a definition back to itself, through what is used."""
        came_from: dict[int, core.Definition] = {}
        waiting = deque([start])
        while waiting:
            current = waiting.popleft()
            for used in self.uses[id(current)]:
                if used is start:
                    path = [current]
                    while path[-1] is not start:
                        path.append(came_from[id(path[-1])])
                    return path[::-1]
                if id(used) not in came_from:
                    came_from[id(used)] = current
                    waiting.append(used)
        return None


def _is_done(definition: core.Definition) -> bool:
    """Whether there is something to do where it stands."""
    match definition:
        case core.Constants() | core.Commands():
            return True
        case core.Function(taken=taken):
            return bool(taken)
        case _:
            return False


def _label(definition: core.Definition) -> str:
    return ", ".join(name.name for name in walk.names(definition))
