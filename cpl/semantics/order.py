"""In which order definitions can be evaluated from top to bottom: as written, but a constant waits for what it needs.

A function may use what comes after it. A constant needs the constants that it names, and if it applies anything, also
all that the functions it names may come to use.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, within

_MOST_NAMES = 6
_MOST_SEARCHES = 40


def evaluation_order(definitions: Sequence[core.Definition], found: list[Diagnostic]) -> tuple[core.Definition, ...]:
    """The same definitions, constants moved down behind what they need, and no further."""
    order = _Order(definitions)
    result = order.sort()
    told: set[int] = set()
    for definition in order.waiting[:_MOST_SEARCHES]:
        cycle = order.cycle(definition) if id(definition) not in told else None
        if cycle is not None:
            told |= set(map(id, cycle))
            found.append(_circular(cycle))
    if order.waiting and not told:
        found.append(_circular(order.waiting[:1]))
    return (*result, *order.waiting)


def _circular(cycle: Sequence[core.Definition]) -> Diagnostic:
    names = [_label(each) for each in cycle]
    shown = names[1:_MOST_NAMES] + ["…"] * (len(names) > _MOST_NAMES)
    through = ", through " + ", ".join(shown) if shown else ""
    return report(causes.CIRCULAR, cycle[0].span, name=names[0], through=through)


def is_recursive(definitions: Sequence[core.Definition]) -> bool:
    """Whether some definition comes to use itself."""
    uses = _Order(definitions).uses
    finished: set[int] = set()
    for start in definitions:
        path = {id(start): iter(uses[id(start)])} if id(start) not in finished else {}
        while path:
            current = next(reversed(path))
            used = next(path[current], None)
            if used is None:
                finished.add(current)
                del path[current]
            elif id(used) in path:
                return True
            elif id(used) not in finished:
                path[id(used)] = iter(uses[id(used)])
    return False


class _Order:
    def __init__(self, definitions: Sequence[core.Definition]) -> None:
        self.definitions = definitions
        self.defining: dict[core.Node, core.Definition] = {}
        for one in definitions:
            for name in (one.name,) if isinstance(one, core.Function) else within.variables(one.target):
                self.defining[name] = one
        self.uses = {id(one): list(self._uses(one)) for one in definitions}
        self.waiting: list[core.Definition] = []

    def _uses(self, definition: core.Definition) -> Iterator[core.Definition]:
        """The definitions whose names stand in this one."""
        body = definition.body if isinstance(definition, core.Function) else definition.value
        seen: set[int] = set()
        for node in within.walk(body):
            used = self.defining.get(node) if isinstance(node, core.Global) else None
            if used is not None and id(used) not in seen:
                seen.add(id(used))
                yield used

    def needs(self, constants: core.Constants) -> dict[int, core.Definition]:
        """All that must stand above a constant."""
        applies = any(isinstance(node, core.Apply | core.Juxtapose) for node in within.walk(constants.value))
        needed: dict[int, core.Definition] = {}
        waiting = list(self.uses[id(constants)])
        while waiting:
            one = waiting.pop()
            if id(one) in needed:
                continue
            needed[id(one)] = one
            if applies:
                waiting += self.uses[id(one)]
        return needed

    def sort(self) -> list[core.Definition]:
        result: list[core.Definition] = []
        missing: dict[int, set[int]] = {}  # what each waiting constant still lacks
        awaited: dict[int, list[core.Constants]] = {}
        done: set[int] = set()

        def place(definition: core.Definition) -> None:
            placing = [definition]
            while placing:
                current = placing.pop(0)
                result.append(current)
                done.add(id(current))
                for constants in awaited.pop(id(current), ()):
                    missing[id(constants)].discard(id(current))
                    if not missing[id(constants)]:
                        placing.append(constants)

        for definition in self.definitions:
            if isinstance(definition, core.Constants):
                lacking = self.needs(definition).keys() - done
                if lacking:
                    missing[id(definition)] = set(lacking)
                    for each in lacking:
                        awaited.setdefault(each, []).append(definition)
                    continue
            place(definition)
        self.waiting = [one for one in self.definitions if id(one) not in done]
        return result

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


def _label(definition: core.Definition) -> str:
    match definition:
        case core.Function(name=name):
            return name.name
        case core.Constants(target=target):
            return ", ".join(name.name for name in within.variables(target))
