"""Lints of variables and labels: those that nothing uses, and those mistaken for others.

    § let a = 1                      a is never used
      let b = 2
      real y
      let z = y + x                  y has no value here
      y := 3
      for k = 1 to 3 do
        § let b = b + k              this defines a new b in each iteration; the outer one does not change
          Write(b) §
      result is y + z + b §

`VariableUses` tells where each variable of a definition is made, assigned and read. Places are the numbers of the nodes
in the order of `walk.paths`.
"""

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core, walk

Role = Literal["let", "where", "function", "declared", "parameter", "counted", "part"]
"""The construct that makes a variable: `counted` by a loop, `part` of a list that is taken apart or iterated over."""


@dataclass(frozen=True)
class Use:
    """A place where a variable is made, assigned or read, and the path to it."""

    at: int
    name: core.Local
    path: walk.Path

    @property
    def loops(self) -> list[core.Loop]:
        """The loops that repeat this, the outermost first."""
        return [node for node, part in self.path if isinstance(node, core.Loop) and part in ("commands", "test")]

    @property
    def functions(self) -> int:
        """The number of functions round this that capture places."""
        steps = (node for node, part in self.path if part != "name")
        return sum(isinstance(node, core.LetFunction | core.Lambda) and node.by_place for node in steps)

    def is_within(self, whole: core.Node, part: str) -> bool:
        """Whether this is in a part of a node."""
        return any(node is whole and field == part for node, field in self.path)

    @property
    def is_for_itself(self) -> bool:
        """Whether operators calculate nothing but a new value of the variable from this: `x := 2x + 1`."""
        for node, part in reversed(self.path):
            if not isinstance(node, core.Unary | core.Binary | core.Convert):
                return isinstance(node, core.Assign) and part == "values" and node.places == (self.name,)
        return False


@dataclass
class ProgramVariable:
    """A variable, the node that makes it, and its uses."""

    name: core.Local
    role: Role
    maker: core.Node
    made: Use
    reads: list[Use]
    values: list[core.Expression] = field(default_factory=list)
    assigned: list[Use] = field(default_factory=list)

    @cached_property
    def escapes(self) -> bool:
        """Whether it may be read or changed at other times than the text tells."""
        has_reference = any(isinstance(read.path[-1][0], core.Reference) for read in self.reads)
        return has_reference or any(use.functions > self.made.functions for use in (*self.reads, *self.assigned))

    @property
    def is_written(self) -> bool:
        """Whether its name is in the text: the compiler makes names that nobody can write."""
        return len(self.name.name) == 1 or not (self.name.name.isalpha() and self.name.name.islower())


class VariableUses:
    """The variables and labels of a definition, and their uses."""

    def __init__(self, definition: core.Definition) -> None:
        self.variables: dict[core.Local, ProgramVariable] = {}
        self.labels: list[core.LabelName] = []
        self.jumps: set[core.LabelName] = set()
        self.starts: dict[int, int] = {}  # where the part of a loop begins that is repeated
        # reads for a new value of the same variable; other reads, also before a function is made
        self.updates: defaultdict[core.Local, list[Use]] = defaultdict(list)
        self._reads: defaultdict[core.Local, list[Use]] = defaultdict(list)
        for at, (node, path) in enumerate(walk.paths(definition)):
            match node:
                case core.While() | core.Repeat():
                    self.starts[id(node)] = at
                case core.Label(name=name):
                    self.labels.append(name)
                case core.GoTo(label=label) | core.LabelValue(label=label):
                    self.jumps.add(label)
                case core.Local():
                    self._use(Use(at, node, path))

    def named(self, name: str) -> list[ProgramVariable]:
        """The variables of that name."""
        return self._named[name]

    @cached_property
    def makers(self) -> dict[str, set[int]]:
        """The identities of the nodes that make the variables of each name."""
        makers: defaultdict[str, set[int]] = defaultdict(set)
        for variable in self.variables.values():
            makers[variable.name.name].add(id(variable.maker))
        return makers

    @cached_property
    def _named(self) -> defaultdict[str, list[ProgramVariable]]:
        named: defaultdict[str, list[ProgramVariable]] = defaultdict(list)
        for variable in self.variables.values():
            named[variable.name.name].append(variable)
        return named

    def reach(self, variable: ProgramVariable, place: Use) -> int:
        """The first place where what is assigned here may be read: in a loop, the start of the loop."""
        starts = (self.starts[id(loop)] for loop in place.loops)
        return next((start for start in starts if start > variable.made.at), place.at)

    def is_read_after(self, variable: ProgramVariable, place: Use) -> bool:
        """Whether what is assigned here may be read."""
        return bool(variable.reads) and variable.reads[-1].at >= self.reach(variable, place)

    def _use(self, use: Use) -> None:
        """Note what a mention of a variable is, as its place tells: the node round it, and the field of that."""
        variable = self.variables.get(use.name)
        match use.path[-1]:
            case core.Assign(places=places, values=values), "places":
                if variable:
                    pairs = zip(places, values, strict=False)
                    value = next((value for place, value in pairs if place is use.name), values[0])
                    variable.values.append(_as_written(value))
                    variable.assigned.append(use)
            case core.Choice(), "place" | "otherwise":
                if variable:
                    variable.assigned.append(use)
            case core.Let(value=value), "target":
                self._let(use, value)
            case core.Several() as several, _:
                match use.path[-2][0]:
                    case core.Let(value=core.Tuple(items=values), span=span) if span == several.span:
                        index = next(at for at, item in enumerate(several.items) if item is use.name)
                        self._let(use, values[index])  # one of several definitions; else it is part of a pattern
                    case _:
                        self._make(use, "part")
            case core.LetFunction(), "name":
                self._make(use, "function")
            case core.Declare(), _:
                self._make(use, "declared")
            case (core.ForStep() | core.ForList()) as loop, "variable":
                self.starts[id(loop)] = use.at
                self._make(use, "counted" if isinstance(loop, core.ForStep) else "part")
            case _, "parameters":
                self._make(use, "parameter")
            case _ if use.is_for_itself:
                self.updates[use.name].append(use)
            case _:
                self._reads[use.name].append(use)

    def _make(self, use: Use, role: Role) -> ProgramVariable:
        maker = next(node for node, _ in reversed(use.path) if not isinstance(node, core.Several))
        return self.variables.setdefault(use.name, ProgramVariable(use.name, role, maker, use, self._reads[use.name]))

    def _let(self, use: Use, value: core.Expression) -> None:
        """A definition; in a block, one that stands after the result is a `where`."""
        variable = self._make(use, "let")
        variable.values.append(_as_written(value))
        target_depth = 2 if isinstance(use.path[-1][0], core.Several) else 1  # how far the `Let` is above the name
        match use.path[-target_depth - 1]:
            case core.Block(commands=(*_, core.Result(span=result))), _ if variable.maker.span.start > result.start:
                variable.role = "where"


def lint_variables(definition: core.Definition, functions: Set[str]) -> Iterator[Diagnostic]:
    """The findings on the variables of a definition; `functions` are the names of the functions of the top level."""
    uses = VariableUses(definition)
    for variable in uses.variables.values():
        if variable.is_written:
            yield from _unused(variable, uses)
            yield from _unset(variable, uses)
            yield from _hidden(variable, functions)
    for label in uses.labels:
        if label not in uses.jumps:
            yield report(messages.UNUSED_LABEL, label.span, name=label.name)


def _unused(variable: ProgramVariable, uses: VariableUses) -> Iterator[Diagnostic]:
    """A variable that nothing reads, or that is made where a change of another was perhaps meant."""
    span, name = variable.name.span, variable.name.name
    match variable:
        case ProgramVariable(role="let" | "where" | "declared" | "function", reads=[]):
            if any(map(_is_input, variable.values)):
                return  # it is read to get past it
            if variable.assigned:
                related = [(variable.assigned[0].name.span, "it is given a value here")]
                yield report(messages.NEVER_READ, span, related=related, name=name)
                return
            cause = messages.ANOTHER if _is_another(variable, uses) else messages.UNUSED
            yield report(cause, span, name=name)
        case ProgramVariable(role="let", made=Use(loops=[*_, _]), values=[first], assigned=[]):
            is_copy = isinstance(first, core.Local)
            if not is_copy:
                yield from _same_each_time(variable, uses)
        case ProgramVariable(role="parameter", escapes=False) if not uses.labels:
            lost = [place for place in variable.assigned if not uses.is_read_after(variable, place)]
            if lost and not _is_declared_by_value(variable):
                yield report(messages.LOST, lost[0].name.span, name=name)


def _unset(variable: ProgramVariable, uses: VariableUses) -> Iterator[Diagnostic]:
    """A variable that is read before anything can have assigned to it."""
    if variable.role != "declared" or variable.escapes or uses.labels:
        return
    first_read = min([*variable.reads, *uses.updates[variable.name]], key=lambda use: use.at, default=None)
    if first_read and all(uses.reach(variable, place) > first_read.at for place in variable.assigned):
        yield report(messages.UNSET, first_read.name.span, name=variable.name.name)


def _is_another(variable: ProgramVariable, uses: VariableUses) -> bool:
    """Whether an earlier variable of that name, which is read later or in the value, may have been meant."""
    if variable.role == "where":
        return False
    name = variable.name.name
    parts_of_value = walk.all_nodes(variable.values)
    if any(isinstance(part, core.Global) and part.name == name for part in parts_of_value):
        return True
    earlier = [other for other in uses.named(name) if other.made.at < variable.made.at and other.role != "function"]
    return any(uses.is_read_after(other, variable.made) for other in earlier)


def _same_each_time(variable: ProgramVariable, uses: VariableUses) -> Iterator[Diagnostic]:
    """In a loop, a variable is made from another of that name that nothing changes, and that is read later.

    A variable that begins as a copy, or changes, is there to be changed.
    """
    loop, name = variable.made.loops[-1], variable.name.name
    mentioned = walk.locals_in(variable.values[0])
    candidates = [uses.variables[local] for local in mentioned if local.name == name and local in uses.variables]
    outside_loop = [candidate for candidate in candidates if candidate.made.at < uses.starts[id(loop)]]
    outer = min(outside_loop, key=lambda candidate: candidate.made.at, default=None)
    if outer is None or outer.assigned or outer.escapes:
        return

    for read in outer.reads:
        is_tested = isinstance(loop, core.While) and read.is_within(loop, "test")
        is_for_another = any(part == "value" and id(node) in uses.makers[name] for node, part in read.path)
        if (is_tested or read.at > variable.made.at) and not is_for_another:
            related = [(outer.name.span, "the outer one"), (read.name.span, "it is used here")]
            yield report(messages.SAME_EACH_TIME, variable.name.span, related=related, name=name)
            return


def _hidden(variable: ProgramVariable, functions: Set[str]) -> Iterator[Diagnostic]:
    """A product by a variable that is sure to be no function, while a function of the top level has the same name."""
    span, name = variable.name.span, variable.name.name
    steps = [read.path[-1] for read in variable.reads]
    products = [node.span for node, part in steps if isinstance(node, core.Juxtapose) and part == "left"]
    is_number = variable.role == "counted" or (bool(variable.values) and all(map(_is_no_function, variable.values)))
    if products and is_number and name in functions:
        yield report(messages.HIDES, products[0], related=[(span, f"this {name}")], name=name)


def _is_declared_by_value(parameter: ProgramVariable) -> bool:
    """Whether `value` is written before a parameter: then the author knows that it is the function's own (D20)."""
    text, start = parameter.name.span.source.text, parameter.name.span.start
    bracket = max(text.rfind("[", 0, start), text.rfind("(", 0, start))
    return "value" in text[bracket + 1 : start].split()


def _as_written(value: core.Expression) -> core.Expression:
    """A value as the text has it, which says nothing of conversions."""
    return value.value if isinstance(value, core.Convert | core.ConvertParts) else value


def _is_input(value: core.Expression) -> bool:
    host = value.function if isinstance(value, core.Apply) else value
    return isinstance(host, core.Host) and host.name in ("ReadItem", "ReadSymbol")


def _is_no_function(value: core.Expression) -> bool:
    return isinstance(value, core.Literal | core.Unary | core.Binary | core.Compare | core.Tuple | core.List)
