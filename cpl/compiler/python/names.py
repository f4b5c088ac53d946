"""CPL names to Python names, so that different names stay different.

`spell` writes a single name: `x` and `ChosenPosition` stay as they are; σ is spelled `sigma`; a prime becomes `_prime`.
A name of CPL contains no underscore. So every underscore in a Python name comes from here: that in `_prime`, that at
the end of `None_` and `Phi_`, and that before the number of `x_1`.

A `Module` names the definitions of a program, and what the generated module needs of cplrt. `Names` are those of the
variables of one definition. So

    F(x) = value of                     def F(x):
        § let x = x + 1                     x += 1
          result is x × x §                 return x * x
    G(x) = value of                     def G(x):
        § let y = x                         y = x
          for k = 1 to 3 do                 for k in range(1, 4):
              § let x = y + k                   x_1 = y + k
                y := y + x §                    y += x_1
          result is x + y §                 return x + y

In F the second x takes over the name of the first, which is read no more. In G the second x gets a name of its own: the
first is still read at the end, and there are loops and assignments, so that what is read later is not clear from the
order of the text.
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
"""The names that generated code may need though the CPL program does not have them: names of cplrt, and `ord` and
`range`, which are Python's own.
"""

ANNOTATING: Final = ("Any", "Array", "Callable", "Logical", "MaybeNil", "Never", "Place", "Stream")
"""The names that annotations in generated code may need in addition."""


def spell(name: str) -> str:
    """The Python name of a CPL name by itself. Different names have different Python names, with one exception: a Greek
    capital such as Φ has that of the long name Phi. A `Spelling`, which knows all names, tells these apart.
    """
    letters = name.rstrip("'")
    if letters in GREEK:
        name = GREEK[letters] + name[len(letters) :]
    python = name.replace("'", "_prime")
    return f"{python}_" if keyword.iskeyword(python) else python


class Spelling:
    """Spells the names of one module. A Greek capital gets an underscore if the module has a name of the same letters:
    Φ is `Phi_` if there is a Phi.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._not_greek = {spell(name) for name in names if name[0] not in GREEK}

    def __call__(self, name: str) -> str:
        """The Python name of a CPL name."""
        python = spell(name)
        is_ambiguous = name[0] in GREEK and python in self._not_greek
        return f"{python}_" if is_ambiguous else python


class Taken(set[str]):
    """Names that are taken. None is ever given back: so a number that was found to be taken is not tried again, however
    often the same name is wanted.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(names)
        self._first: dict[str, int] = {}
        """For each wanted name, the first number that may not be taken."""

    def untaken(self, wanted: str) -> Iterator[str]:
        """Those of `wanted`, `wanted_1`, `wanted_2` … that are not taken. There is no end of them, as the caller may be
        unable to use the first ones.
        """
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
        """The first of `wanted`, `wanted_1`, `wanted_2` … that is not taken."""
        return next(self.untaken(wanted))

    def claim(self, wanted: str) -> str:
        """Return a name as `fresh` does, and take it."""
        name = self.fresh(wanted)
        self.add(name)
        return name


class Module:
    """The names of one generated module: those of its definitions, and those of cplrt that it needs.

    Some readings pass a name of cplrt on to Python under another name: `instead` maps the first to the second, as
    `ArithmeticLogical` to `Logical`. What has the second name in cplrt is then called `Plain…`, here `PlainLogical`.
    """

    def __init__(self, program: core.Program, instead: Mapping[str, str] | None = None) -> None:
        self.in_order = program.in_order
        self.instead = instead or {}

        definitions = program.definitions
        nodes = [*chain.from_iterable(map(walk.nodes, definitions))]
        defined = [*chain.from_iterable(map(walk.names, definitions))]
        variables = [node for node in (*nodes, *defined) if isinstance(node, core.Variable)]
        names = {variable.name for variable in variables}
        self.spelling = Spelling(names)
        self.has_nil = any(isinstance(node, core.Nil) for node in nodes)
        self.hosts = {node.name for node in nodes if isinstance(node, core.Host)}
        """The names of cplrt that the program has."""
        self.meaningful = {*map(self.spelling, names), *self.hosts, *HELPERS}
        """All names that mean something in the module, so that nothing else should be called the same."""

        targets = [definition.target for definition in definitions if isinstance(definition, core.Constants)]
        self.constants = {*chain.from_iterable(map(walk.variables, targets))}
        """The variables of the top level that have values when functions are applied. Those that only commands assign
        to may have none yet.
        """
        boxes = chain.from_iterable(map(walk.boxes, definitions))
        self.boxed = {variable for variable in boxes if isinstance(variable, core.Global)}
        """The variables of the top level that are in boxes."""

        self.origins: dict[str, str] = {}
        """For the names of Python's own library that annotations need, the modules that have them."""
        self.kinds: dict[str, Hashable] = {}
        """For the names of variables of commands, the kinds: see `Names`. All commands share the module's namespace."""
        self.used: dict[str, str] = {}
        """For the names of cplrt that the module imports, the names that they have here."""
        self.chosen: dict[str, str] = {}
        """For some names of cplrt, names here that were chosen for them. The others are named by `alias`."""
        self.taken = Taken()
        """All names that are bound in the module itself."""

        # Hidden names, which nobody outside knows, come last: if two names are the same, the hidden one gets a number.
        own = [name for name in defined if isinstance(name, core.Global)]
        own.sort(key=lambda name: name.is_hidden)
        self._names = {name: self.new(self.spelling(name.name)) for name in own}
        for host in sorted(program.passed_on):
            self.host(host)

        self.parameters: dict[core.Global, list[str]] = {}
        """The names of each function's parameters. An argument that gets a variable is called like its parameter."""
        for definition in definitions:
            if isinstance(definition, core.Function):
                self.parameters[definition.name] = [self.spelling(local.name) for local in definition.parameters]

    def new(self, wanted: str) -> str:
        """Choose a name that nothing else in the module has, and take it."""
        return self.taken.claim(wanted)

    def name(self, name: core.Global) -> str:
        """The Python name of a definition."""
        return self._names[name]

    def host(self, name: str) -> str:
        """Return the name here of something of cplrt, and note that the module must import it."""
        self.used[name] = self.alias(name)
        return self.used[name]

    def typing(self, name: str, origin: str) -> str:
        """Return the name here of something that annotations need, and note that the module must import it from the
        module `origin` of Python's own library.
        """
        self.origins[name] = origin
        return self.alias(name)

    def alias(self, name: str) -> str:
        """Return the name that something of cplrt would have here: its own, unless something else has that. The name is
        not taken, so that the next call returns the same one.
        """
        if name in self.chosen:
            return self.chosen[name]
        if name in self.instead.values():  # another name of cplrt is passed on as this one
            return self.taken.fresh(f"Plain{name}")
        return self.taken.fresh(self.instead.get(name, name))


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
"""What runs commands again, or changes variables, or keeps them for later. In a definition with one of these, the order
of the text does not tell what is still read, so that no variable takes over the name of another.
"""


class Names:
    """The Python names of the variables of one definition.

    A variable takes over the name of another that is read no more, as Python reads best that way (`x = x + 1`). But if
    the definition has loops, assignments or anything else of `_CHANGING`, if a pass has changed the order of what is in
    it, and in local functions, each variable gets a name that nothing else in the function has.

    The caller tells the `kind` of a variable. Variables of different kinds never have the same name, since type
    checkers give a name one type only.
    """

    def __init__(self, definition: core.Definition, module: Module, kind: Callable[[core.Local], Hashable]) -> None:
        self._module = module
        self._kind = kind
        self._kinds = module.kinds if isinstance(definition, core.Commands) else {}
        """The kind for which each name is reserved."""
        self.known: dict[core.Variable, str] = {}
        """The names of the variables that are bound so far."""
        self.holders: dict[str, core.Expression] = {}
        """For each name what got it first: a variable of the program, or an expression whose value it holds."""
        self._is_inside = False
        """Whether this is in a local function."""
        self._horizon = definition.span.end
        """The offset in the text at which the function returns, at the latest: what stands after it does not count as
        read.
        """
        nodes = [*walk.nodes(definition)]
        is_in_order = module.in_order or _is_in_order(definition)
        self._is_changing = not is_in_order or any(isinstance(node, _CHANGING) for node in nodes)
        self._reads: dict[core.Local, list[int]] = {}
        """The offsets at which each variable is read, in order."""
        for node in nodes:
            if isinstance(node, core.Local):
                self._reads.setdefault(node, []).append(node.span.start)
        self._variables: dict[str, list[core.Local]] = {}
        """For each name, the variables that have it and may still be read."""

        self._outer = _names_outside(definition, nodes, module)
        """Names of the module that no variable may have."""
        self._taken = Taken(self._outer)
        """All names that nothing else may get any more."""
        self._released: dict[str, list[str]] = {}
        """The names of variables of loops that are over, by the names that were wanted for these variables."""

    def bind(self, local: core.Local, *, tail: bool, after: int, loop: bool = False) -> str:
        """Give a variable a name.

        With `tail`, the variable is bound among the statements of the function itself, which run in the order of the
        text. Then it may take over a name that is not read `after` this offset. The variable of a `loop` may take over
        the name of the variable of a loop before it. No other variable may: it could be read before it has a value.
        """
        wanted = self._module.spelling(local.name)
        kind = self._kind(local)
        is_in_order = tail and not self._is_inside and not self._is_changing
        can_take_over = is_in_order and wanted not in self._outer and not self._is_read(wanted, after)
        if can_take_over and self._reserve(wanted, kind):
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
        """Choose a name that nothing else in the function has, and no variable of commands in the module."""
        kind_of_its_own = object()
        name = self._free(wanted, kind_of_its_own)
        if holder:
            self.holders[name] = holder
        return name

    def release(self, local: core.Local) -> None:
        """Give back the name of the variable of a loop that is over, for the variable of another loop."""
        self._released.setdefault(self._module.spelling(local.name), []).append(self.known[local])

    def _released_name(self, wanted: str, kind: Hashable) -> str | None:
        """Take back a name that was released, from a variable for which the same name was wanted; None if there is none
        that a variable of this kind may have.
        """
        released = self._released.get(wanted, [])
        for name in released:
            if self._reserve(name, kind):
                released.remove(name)
                return name
        return None

    @contextmanager
    def until(self, horizon: int) -> Iterator[None]:
        """Name the variables of statements after which the function returns. What stands in the text after the offset
        `horizon` does not run after them, so a variable that is read only there counts as read no more.
        """
        before = self._horizon
        self._horizon = min(horizon, before)
        yield
        self._horizon = before

    @contextmanager
    def inside(self, function: str, body: core.Node) -> Iterator[None]:
        """Name the variables of a local function. They may have any name but that of the function, those of the module,
        and those of variables outside that its body uses: a name that is bound in a function of Python hides the one
        outside from the first line on.
        """
        before = self.known, self.holders, self._kinds, self._taken, self._released, self._is_inside
        used = {self.known[local] for local in walk.locals_in(body) if local in self.known}
        self.known = {**self.known}
        self.holders = {}
        self._kinds = {}
        self._taken = Taken({function} | used | self._outer)
        self._released = {}
        self._is_inside = True
        yield
        self.known, self.holders, self._kinds, self._taken, self._released, self._is_inside = before

    def _reserve(self, name: str, kind: Hashable) -> bool:
        """Tell whether a variable of this kind may have the name. If the name was not reserved so far, it is reserved
        for this kind from now on.
        """
        return self._kinds.setdefault(name, kind) == kind

    def _is_read(self, name: str, after: int) -> bool:
        """Tell whether a variable that has this name is read between the offset `after` and the horizon."""
        variables = [variable for variable in self._variables.get(name, ()) if self._reads[variable][-1] >= after]
        self._variables[name] = variables  # names are asked for in the order of the text: the others are read no more
        for variable in variables:
            offsets = self._reads[variable]
            next_read = offsets[bisect_left(offsets, after)]
            if next_read < self._horizon:
                return True
        return False

    def _free(self, wanted: str, kind: Hashable) -> str:
        """Choose a name that is not taken and that a variable of this kind may have, and take it."""
        chosen = next(name for name in self._taken.untaken(wanted) if self._reserve(name, kind))
        self._taken.add(chosen)
        return chosen


def _is_in_order(definition: core.Definition) -> bool:
    """Tell whether all of a definition stands in the order of its text. A pass of `cplc -O` may have moved something,
    or written it in from elsewhere.
    """
    body = definition.body if isinstance(definition, core.Function) else definition
    for node in walk.nodes(body):
        offset = node.span.start
        for part in walk.parts(node):
            if part.span.source is not node.span.source or part.span.start < offset or part.span.end > node.span.end:
                return False
            offset = part.span.end
    return True


def _names_outside(definition: core.Definition, nodes: Iterable[core.Node], module: Module) -> set[str]:
    """Return the names of a module that the code of a definition may need: no variable of it may hide them."""
    names = {module.alias(name) for name in (*HELPERS, *ANNOTATING)}
    for node in nodes:
        if isinstance(node, core.Global):
            names.add(module.name(node))
        elif isinstance(node, core.Host):
            names.add(module.alias(node.name))
    if isinstance(definition, core.Function):
        # They are bound where the function is made, even if a pass has removed all that reads them.
        names |= {module.name(captured) for captured in definition.captured}
    if isinstance(definition, core.Commands):
        # Their variables are in the namespace of the module, where they must not hide anything.
        names |= module.taken | {module.alias(name) for name in module.hosts}
    return names
