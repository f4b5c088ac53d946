"""CPL names to Python names, so that different names stay different.

`x` and `ChosenPosition` stay as they are; σ is spelled `sigma`; a prime becomes `_prime`. No CPL name holds an
underscore, so what an underscore begins is always ours: `_prime`, the trailing one of `None_` and `Phi_`, the number
of `x_1`.
"""

import keyword
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, count
from typing import Final

from cpl.compiler.semantics import core, walk
from cpl.compiler.syntax.tokens import GREEK

HELPERS: Final = (
    "And",
    "AsBits",
    "AsComplex",
    "AsInteger",
    "AsLogical",
    "AsReal",
    "Cell",
    "ComponentOf",
    "Condition",
    "CplFault",
    "Decide",
    "Differ",
    "Either",
    "Element",
    "Equal",
    "Fast",
    "Finish",
    "Function",
    "Item",
    "Jump",
    "Juxtapose",
    "Labels",
    "MemberOf",
    "Members",
    "Multiply",
    "Node",
    "Not",
    "NumberCell",
    "Operate",
    "Or",
    "Parts",
    "Power",
    "Prefix",
    "ReadOnly",
    "Relate",
    "Same",
    "SetItem",
    "ShiftBits",
    "Steps",
    "bits",
    "infinity",
    "ord",
    "other",
    "range",
)
"""What generated code may need of cplrt though no CPL program names it."""

ANNOTATING: Final = ("Any", "Array", "Callable", "Logical", "MaybeNil", "Never", "Place", "Stream")
"""What its annotations may need besides."""


def spell(name: str) -> str:
    """The Python name of a CPL name, as long as no other name is near: injective but for Φ, which meets the large
    name Phi.
    """
    letters = name.rstrip("'")
    if letters in GREEK:
        name = GREEK[letters] + name[len(letters) :]
    python = name.replace("'", "_prime")
    return f"{python}_" if keyword.iskeyword(python) else python


class Spelling:
    """Spells the names of one module. A Greek capital gets an underscore if a large name has the same letters."""

    def __init__(self, names: Iterable[str]) -> None:
        self._large = {spell(name) for name in names if name[0] not in GREEK}

    def __call__(self, name: str) -> str:
        """The Python name of a CPL name."""
        python = spell(name)
        return f"{python}_" if name[0] in GREEK and python in self._large else python


class Taken(set[str]):
    """Names that are taken, for ever: so of each wanted name the numbers are tried once, however often it is wanted."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(names)
        self._first: dict[str, int] = {}  # the first number to try

    def untaken(self, wanted: str) -> Iterator[str]:
        """`wanted`, `wanted_1`, `wanted_2` …, those of them that are not taken."""
        if wanted not in self:
            yield wanted
        number = self._first.get(wanted, 1)
        while f"{wanted}_{number}" in self:
            number += 1
        self._first[wanted] = number
        for later in count(number):
            name = f"{wanted}_{later}"
            if name not in self:
                yield name

    def fresh(self, wanted: str) -> str:
        """`wanted`, or `wanted_1`, `wanted_2` … if others have it already."""
        return next(self.untaken(wanted))

    def claim(self, wanted: str) -> str:
        """Return a name as `fresh` does, and take it."""
        name = self.fresh(wanted)
        self.add(name)
        return name


class Module:
    """The names of one generated module: those of its definitions, and those that it needs of cplrt.

    `instead` renames what is passed on of cplrt: something else of cplrt that has the new name becomes `Plain…`.
    """

    def __init__(self, program: core.Program, instead: Mapping[str, str] | None = None) -> None:
        definitions = program.definitions
        nodes = [*chain.from_iterable(map(walk.nodes, definitions))]
        defined = [*chain.from_iterable(map(walk.names, definitions))]
        names = {node.name for node in (*nodes, *defined) if isinstance(node, core.Variable)}
        self.in_order = program.in_order
        self.instead = instead or {}
        self.has_nil = any(isinstance(node, core.Nil) for node in nodes)
        self.hosts = {node.name for node in nodes if isinstance(node, core.Host)}
        targets = [definition.target for definition in definitions if isinstance(definition, core.Constants)]
        self.constants = {*chain.from_iterable(map(walk.variables, targets))}
        """The variables of the top level that have values when functions are applied."""
        boxes = chain.from_iterable(map(walk.boxes, definitions))
        self.boxed = {variable for variable in boxes if isinstance(variable, core.Global)}
        self.spelling = Spelling(names)
        self.spoken = {*map(self.spelling, names), *self.hosts, *HELPERS}
        """All names that mean something in the module."""
        self.origins: dict[str, str] = {}  # of what annotations need of Python's own library
        self.kinds: dict[str, Hashable] = {}  # of the variables of its commands
        self.used: dict[str, str] = {}  # name in cplrt -> name here
        self.called: dict[str, str] = {}  # name in cplrt -> name that is chosen for it here
        self.taken = Taken()
        own = [name for name in defined if isinstance(name, core.Global)]
        by_rank = sorted(own, key=lambda name: name.is_hidden)  # what is hidden gives way to what is not
        self._names = {name: self.new(self.spelling(name.name)) for name in by_rank}
        for host in sorted(program.passed_on):
            self.host(host)
        self.parameters: dict[core.Global, list[str]] = {}  # of each function, to name what is lifted for them
        for definition in definitions:
            if isinstance(definition, core.Function):
                self.parameters[definition.name] = [self.spelling(local.name) for local in definition.parameters]

    def new(self, wanted: str) -> str:
        """A name that nothing else in the module has."""
        return self.taken.claim(wanted)

    def name(self, name: core.Global) -> str:
        """The Python name of a definition. A closed library gives way to a program that has the name already."""
        return self._names[name]

    def host(self, name: str) -> str:
        """Return the name here of something of cplrt, and import it."""
        self.used[name] = self.alias(name)
        return self.used[name]

    def typing(self, name: str, origin: str) -> str:
        """Return the name here of something that annotations need, and import it."""
        self.origins[name] = origin
        return self.alias(name)

    def alias(self, name: str) -> str:
        """Return the name that something of cplrt would have here: its own, unless something else has that."""
        if name in self.called:
            return self.called[name]
        if name in self.instead.values():  # something else has the name here
            return self.taken.fresh(f"Plain{name}")
        return self.taken.fresh(self.instead.get(name, name))


class Names:
    """The Python names of the variables of one definition.

    A variable may take over a name whose variable is read no more: that is how Python reads best (`x = x + 1`).
    Elsewhere, and in a definition with loops or assignments, each gets a name that nothing else in the function has.
    """

    def __init__(
        self, definition: core.Definition, module: Module, kind: Callable[[core.Local], Hashable] = lambda _: None
    ) -> None:
        self._module = module
        self._kind = kind
        self._kinds = module.kinds if isinstance(definition, core.Commands) else {}
        self.known: dict[core.Variable, str] = {}
        self.holders: dict[str, core.Expression] = {}
        """The first holder of each name: a variable, or a value that is held."""
        self._inside = False
        self._horizon = definition.span.end
        self._reads: dict[core.Local, list[int]] = {}  # offsets, in order
        self._variables: dict[str, list[core.Local]] = {}  # those of one name that may still be read
        nodes = [*walk.nodes(definition)]
        self._changing = not module.in_order or any(isinstance(node, _CHANGING) for node in nodes)
        self._outer = {module.alias(name) for name in (*HELPERS, *ANNOTATING)}
        self._outer |= {module.name(node) for node in nodes if isinstance(node, core.Global)}
        if isinstance(definition, core.Function):  # a pass may have left nothing that reads them
            self._outer |= {module.name(captured) for captured in definition.captured}
        self._outer |= {module.alias(node.name) for node in nodes if isinstance(node, core.Host)}
        if isinstance(definition, core.Commands):  # its variables are in the namespace of the module
            self._outer |= module.taken | {module.alias(name) for name in module.hosts}
        for node in nodes:
            if isinstance(node, core.Local):
                self._reads.setdefault(node, []).append(node.span.start)
        self._taken = Taken(self._outer)
        self._released: dict[str, list[str]] = {}  # names of loops that are over, by what they were to be called

    def bind(self, local: core.Local, *, tail: bool, after: int, loop: bool = False) -> str:
        """Give a variable a name.

        `tail` if it is bound where statements of the function stand in the order of the text; then a name may be taken
        over that is not read `after` this offset. The variable of a `loop` may take over the name of one before it. No
        other may: it could be read before it has a value.
        """
        wanted, kind = self._module.spelling(local.name), self._kind(local)
        in_order = tail and not self._inside and not self._changing
        if in_order and wanted not in self._outer and not self._is_read(wanted, after) and self._may_have(wanted, kind):
            name = wanted
            self._taken.add(name)
        else:
            released = self._released_name(wanted, kind) if loop else None
            name = released or self._free(wanted, kind)
        self._variables.setdefault(name, []).append(local)
        self.holders.setdefault(name, local)
        self.known[local] = name
        return name

    def fresh(self, wanted: str, holder: core.Expression | None = None) -> str:
        """A name that nothing else in the function has, nor among the commands of the module."""
        name = self._free(wanted, object())
        if holder:
            self.holders[name] = holder
        return name

    def release(self, local: core.Local) -> None:
        """The variable of a loop is out of scope: that of another loop may have the name."""
        self._released.setdefault(self._module.spelling(local.name), []).append(self.known[local])

    def _released_name(self, wanted: str, kind: Hashable) -> str | None:
        """Take the name of a loop that is over, if there is one that was to be called the same."""
        released = self._released.get(wanted, [])
        for name in released:
            if self._may_have(name, kind):
                released.remove(name)
                return name
        return None

    @contextmanager
    def until(self, horizon: int) -> Iterator[None]:
        """For statements after which the function returns: what stands beyond is not evaluated after them."""
        before, self._horizon = self._horizon, min(horizon, self._horizon)
        yield
        self._horizon = before

    @contextmanager
    def inside(self, function: str, body: core.Node) -> Iterator[None]:
        """In a local function, where binding a name hides the one outside from its first line on. All names are free
        but its own and those of what its body uses.
        """
        before = {**vars(self)}
        used = {self.known[local] for local in walk.locals_in(body) if local in self.known}
        self.known, self.holders, self._kinds = {**self.known}, {}, {}
        self._taken, self._released = Taken({function} | used | self._outer), {}
        self._inside = True
        yield
        vars(self).update(before)

    def _may_have(self, name: str, kind: Hashable) -> bool:
        """Tell whether a variable of this kind may have the name: checkers give a name one type only. If no variable
        has it so far, it is for this kind from now on.
        """
        return self._kinds.setdefault(name, kind) == kind

    def _is_read(self, name: str, after: int) -> bool:
        """Tell whether a variable that has this name is read between there and the horizon."""
        variables = [variable for variable in self._variables.get(name, ()) if self._reads[variable][-1] >= after]
        self._variables[name] = variables  # the others are read no more at all
        reads = (self._reads[variable] for variable in variables)
        return any(offsets[bisect_left(offsets, after)] < self._horizon for offsets in reads)

    def _free(self, wanted: str, kind: Hashable) -> str:
        name = next(name for name in self._taken.untaken(wanted) if self._may_have(name, kind))
        self._taken.add(name)
        return name


_CHANGING: Final = (
    core.Assign,
    core.While,
    core.Repeat,
    core.ForStep,
    core.ForList,
    core.LetFunction,
    core.Lambda,
    core.Reference,
    core.Label,
    core.Landing,
)
"""What makes commands come round again, or variables change: then a name has one variable."""
