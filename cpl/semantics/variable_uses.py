"""Where each variable of a definition is made, assigned and read, for the lints.

Places are the numbers of the nodes in the order of `walk.paths`.
"""

from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, dropwhile
from typing import Literal

from cpl.semantics import core, walk

Role = Literal["let", "where", "function", "declared", "parameter", "counted", "part"]
"""What makes a variable: `counted` by a loop, `part` of a list that is taken apart or gone through."""


@dataclass(frozen=True)
class Use:
    """A place where a variable is made, assigned or read, and the way to it."""

    at: int
    name: core.Local | core.Global
    path: walk.Path

    @property
    def loops(self) -> list[core.Loop]:
        """The loops that repeat this, the outermost first."""
        return [node for node, part in self.path if isinstance(node, core.Loop) and part in ("commands", "test")]

    @property
    def functions(self) -> int:
        """How many functions that capture places are round this."""
        steps = (node for node, part in self.path if part != "name")
        return sum(isinstance(node, core.LetFunction | core.Lambda) and node.by_place for node in steps)

    def is_within(self, whole: core.Node, part: str) -> bool:
        """Whether this is in a part of a node."""
        return any(node is whole and each == part for node, each in self.path)

    @property
    def is_for_itself(self) -> bool:
        """Whether operators calculate nothing but a new value of the variable from this."""
        steps = dropwhile(lambda step: isinstance(step[0], core.Unary | core.Binary), reversed(self.path))
        node, part = next(steps)
        return isinstance(node, core.Assign) and part == "values" and node.places == (self.name,)

    def excludes(self, other: "Use") -> bool:
        """Whether the two are in different branches of one conditional, so that one run obeys only one of them."""
        steps = zip(self.path, other.path, strict=False)
        return any(isinstance(one, core.If) and one is two and own != part for (one, own), (two, part) in steps)


@dataclass
class ProgramVariable:
    """A variable, the node that makes it, and its uses."""

    name: core.Local | core.Global
    role: Role
    maker: core.Node
    made: Use
    reads: list[Use]
    values: list[core.Expression] = field(default_factory=list)
    assigned: list[Use] = field(default_factory=list)
    captured: Set[core.Local] = frozenset()  # by a function that captures values

    @cached_property
    def escapes(self) -> bool:
        """Whether it may be read or changed at other times than the text tells."""
        has_reference = any(isinstance(each.path[-1][0], core.Reference) for each in self.reads)
        return has_reference or any(each.functions > self.made.functions for each in (*self.reads, *self.assigned))

    @property
    def is_written(self) -> bool:
        """Whether its name is in the text: the compiler makes names that nobody can write."""
        return len(self.name.name) == 1 or not (self.name.name.isalpha() and self.name.name.islower())


class VariableUses:
    """The variables and labels of a definition, or of several that are obeyed in this order, and their uses."""

    def __init__(self, *definitions: core.Definition) -> None:
        self.variables: dict[core.Local | core.Global, ProgramVariable] = {}
        self.labels: list[core.Local] = []
        self.jumps: set[core.Local] = set()
        self.starts: dict[int, int] = {}  # where the part of a loop begins that is repeated
        # reads for a new value of the same variable; other reads, also before a function is made
        self.updates: defaultdict[core.Local | core.Global, list[Use]] = defaultdict(list)
        self._reads: defaultdict[core.Local | core.Global, list[Use]] = defaultdict(list)
        for at, (node, path) in enumerate(chain.from_iterable(map(walk.paths, definitions))):
            match node:
                case core.While() | core.Repeat():
                    self.starts[id(node)] = at
                case core.Label(name=name):
                    self.labels.append(name)
                case core.GoTo(label=label):
                    self.jumps.add(label)
                case core.Local() | core.Global():
                    self._use(Use(at, node, path))

    def named(self, name: str) -> list[ProgramVariable]:
        """The variables of that name."""
        return [each for each in self.variables.values() if each.name.name == name]

    def reach(self, variable: ProgramVariable, place: Use) -> int:
        """The first place where what is assigned here may be read: in a loop, the start of the loop."""
        starts = (self.starts[id(loop)] for loop in place.loops)
        return next((start for start in starts if start > variable.made.at), place.at)

    def is_read_after(self, variable: ProgramVariable, place: Use) -> bool:
        """Whether what is assigned here may be read."""
        return bool(variable.reads) and variable.reads[-1].at >= self.reach(variable, place)

    def _use(self, use: Use) -> None:
        match use.path[-1]:
            case core.Assign(places=places, values=values), "places":
                if known := self.variables.get(use.name):
                    given = zip(places, values, strict=False)
                    known.values.append(next((value for place, value in given if place is use.name), values[0]))
                    known.assigned.append(use)
            case core.Choice(), "place" | "otherwise":
                if known := self.variables.get(use.name):
                    known.assigned.append(use)
            case core.Let(value=value), "target":
                self._let(use, value)
            case core.Several() as several, _:
                match use.path[-2][0]:
                    case core.Let(value=core.Tuple(items=values), span=span) if span == several.span:
                        index = next(at for at, each in enumerate(several.items) if each is use.name)
                        self._let(use, values[index])  # one of several definitions; else it is part of a pattern
                    case _:
                        self._make(use, "part")
            case core.LetFunction(parameters=[_, *_], body=body, by_place=False), "name":
                self._make(use, "function").captured = walk.locals_in(body)
            case core.LetFunction(), "name":
                self._make(use, "function")
            case core.Declare(), _:
                self._make(use, "declared")
            case (core.ForStep() | core.ForList()) as loop, "variable":
                self.starts[id(loop)] = use.at
                self._make(use, "counted" if isinstance(loop, core.ForStep) else "part")
            case _, "parameters":
                self._make(use, "parameter")
            case _:
                (self.updates if use.is_for_itself else self._reads)[use.name].append(use)

    def _make(self, use: Use, role: Role) -> ProgramVariable:
        maker = next(node for node, _ in reversed(use.path) if not isinstance(node, core.Several))
        return self.variables.setdefault(use.name, ProgramVariable(use.name, role, maker, use, self._reads[use.name]))

    def _let(self, use: Use, value: core.Expression) -> None:
        """A definition; in a block, one that stands after the result is a `where`."""
        variable = self._make(use, "let")
        variable.values.append(value)
        match use.path[-3 if isinstance(use.path[-1][0], core.Several) else -2]:
            case core.Block(commands=(*_, core.Result(span=result))), _ if variable.maker.span.start > result.start:
                variable.role = "where"
