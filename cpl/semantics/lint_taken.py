"""A lint of functions that take values: what they took is changed afterwards, and they are used. `lint` calls it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, within
from cpl.semantics.tour import Step, Tour

_Name = core.Local | core.Global


def of_taken_values(definitions: Sequence[core.Definition]) -> list[Diagnostic]:
    """What there is to say of functions defined with =, of the outermost level too: they are obeyed in this order."""
    found: list[Diagnostic] = []
    outermost = _Taken(found)
    for one in definitions:
        match one:
            case core.Function(name=name, taken=taken, body=body):
                if taken:
                    outermost.define(name, taken)
                elif not (isinstance(body, core.Block) and body.routine):
                    outermost.distinguished.update(_free(body))
                _Taken(found).go(body)
            case core.Constants(value=value):
                outermost.go(value)
            case core.Commands():
                outermost.new_block()
                outermost.go(one)
    return found


@dataclass(frozen=True)
class _Holder:
    """A function that holds a value: in how many functions it was defined, and after how many others."""

    name: _Name
    depth: int
    number: int


class _Taken(Tour):
    """Knows at each moment which functions hold a value that a variable no longer has."""

    def __init__(self, found: list[Diagnostic]) -> None:
        self.found = found
        self.depth = 0  # how many functions are round this place: when their commands are obeyed nobody knows
        self.holders: dict[_Name, list[_Holder]] = {}  # by the variable
        self.count = 0
        self.defined: dict[_Name, _Holder] = {}
        self.stale: dict[_Name, _Name] = {}  # by the function: what was assigned to
        self.uses: list[_Name] = []
        self.distinguished: set[_Name] = set()  # variables whose place a function defined with ≡ takes: that is chosen

    def new_block(self) -> None:
        """The numbers of local variables begin again."""
        for known in (self.holders, self.defined, self.stale):
            for name in [each for each in known if isinstance(each, core.Local)]:
                del known[name]
        self.distinguished = {each for each in self.distinguished if isinstance(each, core.Global)}

    def define(self, function: _Name, taken: Iterable[_Name]) -> None:
        """From here on the function holds these values."""
        self.count += 1
        self.defined[function] = holder = _Holder(function, self.depth, self.count)
        self.stale.pop(function, None)
        for variable in taken:
            self.holders.setdefault(variable, []).append(holder)

    def enter(self, node: core.Node) -> Iterable[Step]:
        """Look at a node; the result is what to go through before the next."""
        match node:
            case core.Local() | core.Global():
                self._use(node)
                return ()
            case core.LetFunction(name=name, parameters=parameters, body=body, by_place=by_place):
                if parameters and not by_place:
                    self.define(name, _free(body))
                elif not (isinstance(body, core.Block) and body.routine):
                    self.distinguished.update(_free(body))
                return self._within(body)
            case core.Lambda(body=body):
                return self._within(body)
            case core.Assign(values=values, places=places):
                deeper = [each for each in places if not isinstance(each, core.Local | core.Global)]
                return (*values, *deeper, lambda: self._assign(places))
            case core.If(test=test, commands=commands, otherwise=otherwise):
                return (test, *self._apart(commands, otherwise))
            case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                return self._repeated(node)
            case core.Let(value=value):
                return (value,)
            case core.Declare() | core.Label() | core.GoTo():
                return ()
            case _:
                return within.parts(node)

    def _use(self, function: _Name) -> None:
        if function in self.defined:
            self.uses.append(function)
            if function in self.stale:
                self._tell(function)

    def _tell(self, use: _Name) -> None:
        """Say it once of each function."""
        holder = self.defined.pop(use)
        changed = self.stale.pop(use)
        if changed in self.distinguished:
            return
        related = [(holder.name.span, "its value was taken here"), (changed.span, "it was changed here")]
        self.found.append(report(causes.NOT_SEEN, use.span, related=related, function=use.name, name=changed.name))

    def _assign(self, places: Sequence[core.Place]) -> None:
        for place in places:
            if isinstance(place, core.Local | core.Global):
                for holder in self.holders.get(place, ()):
                    if holder.depth == self.depth and self.defined.get(holder.name) == holder:
                        self.stale.setdefault(holder.name, place)

    def _within(self, body: core.Expression) -> Iterator[Step]:
        """A function's body."""
        self.depth += 1
        yield body
        yield self._leave

    def _leave(self) -> None:
        self.depth -= 1

    def _apart(self, first: Sequence[core.Command], second: Sequence[core.Command]) -> Iterator[Step]:
        """One of two, and what one does the other does not see."""
        before = dict(self.stale)
        after: dict[_Name, _Name] = {}

        def first_done() -> None:
            after.update({} if within.ends(first) else self.stale)
            self.stale = dict(before)

        def second_done() -> None:
            self.stale = after | ({} if within.ends(second) else self.stale)

        yield from first
        yield first_done
        yield from second
        yield second_done

    def _repeated(self, loop: core.Loop) -> Iterator[Step]:
        """What is assigned in a loop comes before what stands above it in the next round."""
        start, count = len(self.uses), self.count
        before = set(self.stale)

        def again() -> None:
            for use in self.uses[start:]:
                holder = self.defined.get(use)
                if holder and holder.number <= count and use in self.stale and use not in before:
                    self._tell(use)

        yield from within.parts(loop)
        yield again


def _free(body: core.Expression) -> list[_Name]:
    """The variables in a body, its own too, to which nothing is assigned outside."""
    return [part for part in within.walk(body) if isinstance(part, core.Local | core.Global)]
