"""Surface tree to core tree: names bound, chains ordered by the reading's table, juxtaposition decided, sugar gone."""

from collections.abc import Sequence
from typing import Final

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.readings import Reading
from cpl.semantics import core, scope, within
from cpl.semantics.blocks import Blocks
from cpl.semantics.chain import Chain
from cpl.semantics.library import HostName, Library, Text
from cpl.semantics.order import evaluation_order
from cpl.semantics.scope import Known, Outermost
from cpl.source import Span
from cpl.syntax import nodes

MOST_DEEP: Final = 1000
"""How deep a definition's tree may be: Python's compiler gives up at about three times that."""

CALL: Final = "call"
"""A name that no CPL program can give to anything."""


def resolve(
    program: Text, library: Library, reading: Reading, call: nodes.Expression | None = None
) -> tuple[core.Program, list[Diagnostic]]:
    """The program with all that it is compiled with. With errors among the diagnostics it may lack definitions.

    A `call` is an expression as if it stood in the program: it becomes the function `CALL` of no parameters.
    """
    found: list[Diagnostic] = []
    unit, closed = scope.outermost(program, library, found)
    definitions: list[core.Definition] = []
    for text in (program, *library.libraries, *library.companions):
        definitions += _definitions(text, unit, reading, found)
    if call:
        body = Resolver(unit, reading, found).call(call)
        definitions.append(core.Function(core.Global(CALL, span=call.span), (), body, span=call.span))
    if library.standard:
        everything = _definitions(library.standard, closed, reading, found)
        definitions += _used(definitions, everything)
    return core.Program(program.source, evaluation_order(definitions, found)), found


def _definitions(text: Text, outer: Outermost, reading: Reading, found: list[Diagnostic]) -> list[core.Definition]:
    result: list[core.Definition] = []
    for statement in (each for whole in text.program.statements for each in _parts(whole)):
        match statement:
            case nodes.Definition(heading=heading) | nodes.Routine(heading=heading):
                names = list(nodes.names_in(heading))
                others = [name for name in names if outer.known[name.name].definition is not statement]
                if names and len(others) == len(names):
                    continue  # another text, asked before this one, has its own
                found += [_clash(name, outer.known[name.name]) for name in others]
                definition = Resolver(outer, reading, found).definition(statement)
                if deepest := _too_deep(definition):
                    found.append(report(causes.TOO_DEEP, deepest, limit=MOST_DEEP))
                result.append(definition)
            case nodes.Get():
                pass  # its text is among the libraries
            case nodes.Assignment():
                help = "at the outermost level a name is defined with ="
                found.append(report(causes.COMMAND_AT_TOP, statement.span, help=help))
            case nodes.Declaration() | nodes.Declarations() | nodes.Own():
                found.append(report(causes.NOT_YET, statement.span, what="a declaration at the outermost level"))
            case _:
                call = statement.span.text if isinstance(statement, nodes.ValueCommand) else "F(x)"
                found.append(report(causes.COMMAND_AT_TOP, statement.span, call=" ".join(call.split())))
    return result


def _parts(statement: nodes.Statement) -> list[nodes.Statement]:
    return [*nodes.definitions(statement)] or [statement]


def _clash(name: nodes.Name, other: Known) -> Diagnostic:
    return report(causes.DEFINED_TWICE, name.span, related=[(other.name.span, "and here")], name=name.name)


def _used(definitions: Sequence[core.Definition], library: Sequence[core.Definition]) -> list[core.Definition]:
    """Those definitions of a library that the given ones need, in the library's order."""
    defining = {name: one for one in library for name in _names(one)}
    needed: set[int] = set()
    waiting = list(definitions)
    while waiting:
        for node in within.walk(waiting.pop()):
            if isinstance(node, core.Global) and (one := defining.get(node)) and id(one) not in needed:
                needed.add(id(one))
                waiting.append(one)
    return [one for one in library if id(one) in needed]


def _names(definition: core.Definition) -> list[core.Local | core.Global]:
    match definition:
        case core.Function(name=name):
            return [name]
        case core.Constants(target=target):
            return list(within.variables(target))


def _too_deep(definition: core.Definition) -> Span | None:
    waiting: list[tuple[core.Node, int]] = [(definition, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MOST_DEEP:
            return definition.span
        waiting += [(part, depth + 1) for part in within.parts(node)]
    return None


class Resolver(Blocks):
    """Resolves one definition."""

    def __init__(self, outer: Outermost, reading: Reading, found: list[Diagnostic]) -> None:
        super().__init__(outer, found)
        self.reading = reading

    def definition(self, definition: nodes.Definition | nodes.Routine) -> core.Definition:
        """A definition of the outermost level."""
        if isinstance(definition, nodes.Routine):
            called = definition.heading.name.name
            given = tuple([self.variables.declare(each.name, each.span) for each in definition.heading.parameters])
            body = self.routine_body(definition.command)
            return core.Function(self.outer.known[called].name, given, body, span=definition.span)
        match definition.heading:
            case nodes.FunctionHeading(name=name, parameters=parameters):
                known = self.outer.known[name.name].name
                given = tuple([self.variables.declare(each.name, each.span) for each in parameters])
                return core.Function(known, given, self.expression(definition.value), span=definition.span)
            case heading:
                value = self.expression(definition.value)
                return core.Constants(self._globals(heading), value, span=definition.span)

    def _globals(self, heading: nodes.Name | nodes.Pattern) -> core.Target:
        match heading:
            case nodes.Name(name=name, span=span):
                return core.Global(name, self.outer.known[name].name.origin, span=span)
            case nodes.Pattern(items=items, span=span):
                return core.Several(tuple([self._globals(item) for item in items]), span=span)

    # Expressions

    def expression(self, node: nodes.Expression) -> core.Expression:
        """The core of an expression in the scope of this moment."""
        span = node.span
        match node:
            case nodes.Number(digits=digits):
                if digits.startswith("0o"):
                    return core.Literal(int(digits, 8), span=span)
                return core.Literal(float(digits) if {*".e"} & {*digits} else int(digits), span=span)
            case nodes.String(text=text):
                return core.Literal(text, span=span)
            case nodes.Constant(kind="INFINITY"):
                return core.Infinity(span=span)
            case nodes.Constant(kind="NIL"):
                return core.List((), span=span)
            case nodes.Constant(kind=kind):
                return core.Literal(kind == "TRUE", span=span)
            case nodes.Name():
                return self.value(node)
            case nodes.Bracket(items=(only,)):
                return self.expression(only)
            case nodes.Bracket(items=()):
                self.complain(causes.EMPTY_BRACKET, span)
                return core.List((), span=span)
            case nodes.Bracket(items=items):
                return core.Tuple(self.all(items), span=span)
            case nodes.List(items=items):
                return core.List(self.all(items), span=span)
            case nodes.Application(function=function, arguments=arguments, square=True):
                return self.select(function, arguments, span)
            case nodes.Application(function=function, arguments=arguments):
                return self.apply(function, arguments, span)
            case nodes.TypeName(name=name):
                return core.Literal(name, span=span)
            case nodes.Conditional(arms=arms, otherwise=otherwise):
                pairs = [(self.expression(arm.test), self.expression(arm.value)) for arm in arms]
                return core.Conditional(tuple(pairs), self.expression(otherwise), span=span)
            case nodes.Chain(items=items):
                return Chain(self, self.reading, items).expression()
            case nodes.ValueBlock(section=section):
                return self.block(section)
            case nodes.ResultBlock(section=section):
                return self.result_block(section)
            case nodes.Where(value=value, definitions=definitions, rec=rec):
                with self.variables.block():
                    given = self.together(definitions, rec=rec)
                    result = self.expression(value)
                return core.Block((*given, core.Result(result, span=result.span)), span=span)
            case nodes.Lambda(parameters=parameters, body=body):
                with self.function_scope(by_place=False):
                    names = tuple([self.variables.declare(each.name, each.span) for each in parameters])
                    return core.Lambda(names, self.expression(body), span=span)

    def all(self, items: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """Several expressions of one scope."""
        return tuple([self.expression(item) for item in items])

    def name(self, node: nodes.Name) -> core.Expression:
        """What a name stands for, a routine included."""
        if local := self.variables.lookup(node.name):
            return core.Local(node.name, local.number, span=node.span)
        match self.outer.lookup(node.name):
            case Known(name=known):
                return core.Global(node.name, known.origin, span=node.span)
            case HostName():
                return core.Host(node.name, span=node.span)
            case None:
                if found := scope.unknown(node, self.variables, self.outer):
                    self.found.append(found)
                return core.List((), span=node.span)

    def value(self, node: nodes.Name) -> core.Expression:
        """What a name stands for where a value is wanted."""
        meant = self.name(node)
        known = self.outer.lookup(node.name) if isinstance(meant, core.Host | core.Global) else None
        if known and known.routine:
            self.complain(causes.NOT_A_VALUE, node.span, name=node.name)
        return meant

    def apply(
        self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span, *, routine: bool = False
    ) -> core.Apply:
        """`F(x,y)`; with `routine`, what is applied need have no value."""
        match function:
            case nodes.Name():
                operator = self.name(function) if routine else self.value(function)
            case _:
                operator = self.expression(function)
        self.count(operator, len(arguments), span)
        return core.Apply(operator, self.all(arguments), span=span)

    def select(self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span) -> core.Expression:
        """`m[k]`: a function applied, or a member of an array (E29, E32)."""
        operator = self.value(function) if isinstance(function, nodes.Name) else self.expression(function)
        if self.is_function(operator) or isinstance(operator, core.Lambda) or not arguments:
            self.count(operator, len(arguments), span)
            return core.Apply(operator, self.all(arguments), span=span)
        return core.Select(operator, self.all(arguments), span=span)

    def count(self, function: core.Expression, given: int, span: Span) -> None:
        """Complain if a function of the outermost level is applied to more or fewer arguments than it takes."""
        match function:
            case core.Host(name=name):
                least, most = self.outer.host[name].least, self.outer.host[name].most
            case core.Global(name=name):
                least = most = self.outer.known[name].parameters
            case core.Local(name=name):
                least = most = self.local_functions.get(function)
            case _:
                return
        if least is None or most is None or least <= given <= most:
            return
        wanted = "no arguments" if most == 0 else "1 argument" if most == 1 else f"{most} arguments"
        related = []
        if isinstance(function, core.Global):
            related = [(self.outer.known[name].name.span, "defined here")]
        self.found.append(report(causes.WRONG_COUNT, span, related=related, name=name, wanted=wanted, given=given))

    def is_function(self, node: core.Expression) -> bool:
        """Whether this is sure to be a function."""
        match node:
            case core.Host(name=name):
                return self.outer.host[name].least is not None
            case core.Global(name=name):
                return self.outer.known[name].parameters is not None
            case core.Local():
                return node in self.local_functions
            case _:
                return False

    def call(self, node: nodes.Expression) -> core.Expression:
        """A whole expression that need have no value."""
        match node:
            case nodes.Application(function=function, arguments=arguments, span=span):
                return self.apply(function, arguments, span, routine=True)
            case _:
                return self.expression(node)
