"""What names stand for while a program is read: variables, functions, and the types that the program defines."""

from dataclasses import dataclass, field

from cpl.semantics import core
from cpl.semantics.inference import declared
from cpl.semantics.inference.schemes import Scheme, instance
from cpl.semantics.inference.solver import Solver
from cpl.semantics.inference.terms import Shape, Term, Variable
from cpl.source import Span


@dataclass(frozen=True)
class Scope:
    """What names stand for: those of the outermost level, or the variables of one definition."""

    names: dict[core.Local | core.Global, Variable] = field(default_factory=dict)
    functions: dict[core.Local | core.Global, Shape | Scheme] = field(default_factory=dict)


class Scopes:
    """The names of a program. `scopes` are those of each definition, by its identity."""

    def __init__(self, program: core.Program) -> None:
        self.elements = {one.name: one for one in program.definitions if isinstance(one, core.ElementType)}
        self.nodes = {one.name: one for one in program.definitions if isinstance(one, core.NodeType)}
        self.types = {name.name: Shape(name.span, "node", name=name) for name in self.nodes}
        self.types |= {name.name: Shape(name.span, "element", name=name) for name in self.elements}
        self.owners: dict[str, list[core.Global]] = {}  # of each component the types of nodes that have it
        self.solver = Solver(self.alternatives)
        self.outermost = Scope()
        self.scopes: dict[int, Scope] = {}
        self.scope = Scope()
        self.reading: set[core.Local | core.Global] = set()  # the functions of the outermost level that are being read
        self.applied: set[core.Local | core.Global] = set()  # those that others use
        for one in self.nodes.values():
            self._components(one)

    def name(self, variable: core.Local | core.Global) -> Variable:
        """What a variable may be, in the definition that is being read."""
        scope = self.outermost if isinstance(variable, core.Global) else self.scope
        if variable not in scope.names:
            level = self.solver.level
            if isinstance(variable, core.Global):
                self.solver.level = 0
            scope.names[variable] = self.solver.variable()
            self.declare(scope.names[variable], variable.declared, variable.span)
            self.solver.level = level
        return scope.names[variable]

    def use(self, name: core.Local | core.Global, span: Span) -> Term:
        """What a name stands for where it is used."""
        known = self.known(name).functions.get(name)
        if known is not None:
            if name not in self.reading:
                self.applied.add(name)
            return instance(known, self.solver, span) if isinstance(known, Scheme) else known
        if isinstance(name, core.Global) and name in self.nodes:
            return self._constructor(name, span)
        if isinstance(name, core.Global) and name in self.elements:
            value = self.solver.variable()
            self.solver.flow(value, Shape(span, "element", name=name))
            return Shape(span, "function", (value, value))
        return self.name(name)

    def _constructor(self, name: core.Global, span: Span) -> Shape:
        given = [self.solver.components[name, each] for each in self.nodes[name].components]
        made = self.solver.as_variable(Shape(span, "node", name=name))
        return Shape(span, "function", (*given, made))

    def known(self, name: core.Local | core.Global) -> Scope:
        """Where a name is known."""
        return self.outermost if isinstance(name, core.Global) else self.scope

    def declare(self, variable: Variable, words: str, span: Span) -> None:
        """What a text says of the type of a variable is needed of what comes to it, and given to what uses it."""
        if words:
            declared.declare(self.solver, variable, words, span, self.types)

    def function(self, parameters: tuple[core.Local, ...], span: Span) -> Shape:
        """The shape of a function with these parameters, which are in scope from now on."""
        variables = [self.solver.variable(given=True) for _ in parameters]
        for parameter, variable in zip(parameters, variables, strict=True):
            self.scope.names[parameter] = variable
            self.declare(variable, f"{parameter.mode} {parameter.declared}".strip(), parameter.span)
        return Shape(span, "function", (*variables, self.solver.variable()))

    def _components(self, one: core.NodeType) -> None:
        for component, words in zip(one.components, one.types, strict=True):
            self.owners.setdefault(component, []).append(one.name)
            self.solver.components[one.name, component] = made = self.solver.variable()
            self.declare(made, words, one.span)

    def alternatives(self, name: core.Global) -> frozenset[object]:
        """What an element may be: kinds of value, and types of nodes."""
        found: set[object] = set()
        waiting, seen = [name], set()
        while waiting:
            current = waiting.pop()
            if current in seen or current not in self.elements:
                continue
            seen.add(current)
            for each in self.elements[current].alternatives:
                if isinstance(each, core.Global):
                    found.add(each)
                    waiting.append(each)
                else:
                    found |= declared.kinds(str(each.value))
        return frozenset(found)
