"""What each expression and each name of a program may be: its definitions and commands, read from beginning to end.

A definition is read after those that it uses, so that what they are is known; those that use each other are read
together. `cpl.semantics.types` asks.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property

from cpl.semantics import core, within
from cpl.semantics.groups import groups
from cpl.semantics.inference import terms
from cpl.semantics.inference.expressions import Expressions
from cpl.semantics.inference.schemes import schemes, shape_of
from cpl.semantics.inference.scopes import Scope
from cpl.semantics.inference.terms import Operand, Shape, Term, Variable
from cpl.source import Span


class Inference(Expressions):
    """The flows of a program. Functions are of the types that the program uses them at, but for those that are
    `polymorphic`: all of them, if none are named.
    """

    def __init__(self, program: core.Program, polymorphic: Container[core.Local | core.Global] | None = None) -> None:
        super().__init__(program)
        self.polymorphic = polymorphic
        self._groups: list[set[core.Local | core.Global]] = []  # functions that use each other
        self._program = program  # keeps the nodes alive, so that their ids stay theirs
        for group in groups(_uses(program.definitions)):
            self._read([program.definitions[each] for each in group])

    @cached_property
    def doubtful(self) -> set[Term]:
        """The variables to which something may come that is not known, whoever uses the program's functions."""
        return self._doubtful(given=True)

    @cached_property
    def doubtful_in_use(self) -> set[Term]:
        """The variables to which something may come that is not known, as the program uses its functions."""
        return self._doubtful(given=False)

    def _doubtful(self, *, given: bool) -> set[Term]:
        """The variables to which something may come that is not known: to the parameters of functions that the program
        does not apply, or of all, as they may be `given` values from outside of it.
        """
        shapes = self.outermost.functions
        open_ones = {
            each
            for names in self._groups
            if not names & self.applied
            for name in names
            for each in shape_of(shapes[name]).members[:-1]
        }
        waiting = [
            each
            for each in self.solver.variables
            if each.declared is None
            and ((given and each.given) or each in open_ones or not (each.shapes or each.below))
        ]
        return _reached(waiting, lambda variable: [each for each in variable.above if each.declared is None])

    @cached_property
    def broken(self) -> set[Term]:
        """The variables to which something comes that does not fit what is needed there, or may come from there."""
        conflicts = self.solver.conflicts.items()
        places = [place for _, at in conflicts for place in at]
        results = [need.result.variable for (_, need), _ in conflicts if isinstance(need, Operand) and need.result]
        return _reached([*places, *results], _comes_to)

    def _read(self, together: Sequence[core.Definition]) -> None:
        for one in together:
            self.scopes[id(one)] = Scope()
        self.reading = {one.name for one in together if isinstance(one, core.Function)}
        self._functions([one for one in together if isinstance(one, core.Function)])
        self._groups.append(self.reading)
        self.reading = set()
        for one in together:
            self.scope = self.scopes[id(one)]
            match one:
                case core.Constants(target=target, value=value):
                    self._let(target, value)
                case core.Commands(commands=commands):
                    self.commands(commands)

    def _functions(self, together: Sequence[core.Function | core.LetFunction]) -> None:
        """Functions that may use each other."""
        self.solver.level += 1
        first = len(self.solver.variables)
        shapes = []
        for one in together:
            self.scope = self.scopes.get(id(one), self.scope)
            shapes.append(self.function(one.parameters, one.name.span))
            self.declare(shapes[-1].members[-1], one.result, one.name.span)
            self.known(one.name).functions[one.name] = shapes[-1]
        for one, shape in zip(together, shapes, strict=True):
            self.scope = self.scopes.get(id(one), self.scope)
            self.body(shape, one.body)
        self.solver.level -= 1
        if self._is_polymorphic([one.name for one in together]):
            made = schemes(shapes, self.solver.level, self.solver.variables[first:])
            for one, known in zip(together, made, strict=True):
                self.known(one.name).functions[one.name] = known

    def _is_polymorphic(self, names: Iterable[core.Local | core.Global]) -> bool:
        return self.polymorphic is None or any(name in self.polymorphic for name in names)

    def _let(self, target: core.Target, value: core.Expression) -> None:
        """A definition by a value; a λ or the name of a function makes the name another function."""
        is_name = isinstance(value, core.Local | core.Global) and value in self.known(value).functions
        if isinstance(target, core.Several) or target.declared or not (is_name or isinstance(value, core.Lambda)):
            self._bind(target, self.of(value), value.span)
            return
        self.solver.level += 1
        first = len(self.solver.variables)
        shape = self.of(value)
        self.solver.level -= 1
        if isinstance(shape, Shape) and not (target in self._changed or target in self.known(target).names):
            known = self.known(target).functions
            known[target] = shape
            if self._is_polymorphic([target]):
                [known[target]] = schemes([shape], self.solver.level, self.solver.variables[first:])
        else:
            self._bind(target, shape, value.span)

    @cached_property
    def _changed(self) -> set[core.Local | core.Global]:
        """The names that get new values anywhere, or may."""
        return {name for definition in self._program.definitions for name in within.changed(definition)}

    def _bind(self, target: core.Target, value: Term, span: Span) -> None:
        if not isinstance(target, core.Several):
            self.solver.flow(value, self.name(target))
            return
        if isinstance(value, Shape) and value.head == "tuple" and len(value.members) == len(target.items):
            for item, member in zip(target.items, value.members, strict=True):
                self._bind(item, member, span)
            return
        members = [self.solver.variable() for _ in target.items]
        self.solver.flow(value, Shape(target.span, "tuple", tuple(members)))
        for item, member in zip(target.items, members, strict=True):
            self._bind(item, member, span)

    def commands(self, commands: Sequence[core.Command]) -> None:
        """Commands of a block, or of the outermost level."""
        index = 0
        while index < len(commands):
            together = [*_functions_from(commands, index)]
            if together:
                self._functions(together)
                index += len(together)
            else:
                self._command(commands[index])
                index += 1

    def _command(self, command: core.Command) -> None:
        solver = self.solver
        match command:
            case core.Let(target=target, value=value):
                self._let(target, value)
            case core.Declare(variable=variable):
                self.name(variable)
            case core.Assign(places=places, values=values):
                self.assignment(places, [self.of(value) for value in values])
            case core.If(test=test, commands=inner, otherwise=otherwise):
                self.condition(test)
                self.commands(inner)
                self.commands(otherwise)
            case core.While(test=test, commands=inner) | core.Repeat(test=test, commands=inner):
                self.condition(test)
                self.commands(inner)
            case core.ForStep(variable=variable, first=first, step=step, last=last, commands=inner):
                for bound in (first, step, last):
                    term = self.of(bound)
                    solver.flow(term, Shape(bound.span, "number"))
                    if bound is not last:
                        solver.flow(term, self.name(variable))
                self.commands(inner)
            case core.ForList(variable=variable, members=members, commands=inner):
                need = terms.Member(members.span, None, self.name(variable), (*terms.SEQUENCES, "string"))
                solver.flow(self.of(members), need)
                self.commands(inner)
            case core.Result(value=value, bare=bare):
                self._result(self.of(value), value.span, bare=bare)
            case core.Evaluate(value=value):
                self.of(value)
        if isinstance(command, core.While | core.ForStep | core.ForList):
            self.commands(command.otherwise)

    def _result(self, value: Term, span: Span, *, bare: bool) -> None:
        if not self.results:
            return
        result, values = self.results[-1]
        if bare:
            self.solver.flow(value, terms.Softened(span, result))
        else:
            values.append((value, span))


def _functions_from(commands: Sequence[core.Command], index: int) -> Iterator[core.LetFunction]:
    """The functions that are defined one after the other from there on: they may use each other."""
    for command in commands[index:]:
        if not isinstance(command, core.LetFunction):
            return
        yield command


def _comes_to(variable: Variable) -> list[Variable]:
    """Where a value goes, and what operators make of it."""
    operands = (need for need in variable.needs.values() if isinstance(need, Operand))
    return [*variable.above, *(operand.result.variable for operand in operands if operand.result)]


def _reached(start: Sequence[Variable], onwards: Callable[[Variable], Iterable[Variable]]) -> set[Term]:
    """The variables, and all to which they lead."""
    found: set[Term] = {*start}
    waiting = [*start]
    while waiting:
        more = [each for each in onwards(waiting.pop()) if each not in found]
        found |= {*more}
        waiting += more
    return found


def _uses(definitions: Sequence[core.Definition]) -> list[dict[int, None]]:
    """Of each definition those whose names stand in it."""
    defining = {name: at for at, one in enumerate(definitions) for name in within.names(one)}
    walks = ([node for node in within.walk(one) if isinstance(node, core.Global)] for one in definitions)
    return [dict.fromkeys(defining[node] for node in nodes if node in defining) for nodes in walks]
