"""Expressions, from the surface tree to the core: names bound, chains ordered by the reading's table, juxtaposition
decided, sugar gone.
"""

from collections.abc import Sequence
from dataclasses import replace

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.readings import Reading
from cpl.semantics import core, scope
from cpl.semantics.blocks import Blocks
from cpl.semantics.chain import Chain
from cpl.semantics.library import HostName
from cpl.semantics.scope import Known, Outermost
from cpl.source import Span
from cpl.syntax import nodes


class Resolver(Blocks):
    """Resolves the expressions of one definition."""

    def __init__(self, outer: Outermost, reading: Reading, found: list[Diagnostic]) -> None:
        super().__init__(outer, found)
        self.reading = reading

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
            case nodes.Constant(kind="NIL") if self.reading.nil == "zero":
                return core.Nil(span=span)
            case nodes.Constant(kind="NIL"):
                return core.List((), span=span)
            case nodes.Constant(kind=kind):
                return core.Literal(kind == "TRUE", span=span)
            case nodes.Name():
                return self.value(node)
            case nodes.Bracket(items=items, square=True):
                return core.List(self.all(items), span=span)
            case nodes.Bracket(items=(only,)):
                return self.expression(only)
            case nodes.Bracket(items=()):
                self.complain(causes.EMPTY_BRACKET, span)
                return core.List((), span=span)
            case nodes.Bracket(items=items):
                return core.Tuple(self.all(items), span=span)
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
            case nodes.ValueBlock(section=section, result=result):
                return self.result_block(section) if result else self.block(section)
            case nodes.Follow(pointer=pointer):
                return core.Contents(self.expression(pointer), span=span)
            case nodes.Where(value=value, definitions=definitions, rec=rec):
                with self.variables.block():
                    given = self.together(definitions, rec=rec)
                    meant = self.expression(value)
                return core.Block((*given, core.Result(meant, span=meant.span)), span=span)
            case nodes.Lambda(parameters=parameters, body=body):
                with self.function_scope(by_place=False) as boundary:
                    names = tuple([self.variables.declare(each.name, each.span) for each in parameters])
                    made = core.Lambda(names, self.expression(body), span=span)
                if taken := self.taken(boundary):
                    return core.Block((*taken, core.Result(made, span=span)), span=span)
                return made

    def all(self, items: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """Several expressions of one scope."""
        return tuple([self.expression(item) for item in items])

    def name(self, node: nodes.Name) -> core.Expression:
        """What a name stands for, a routine included."""
        if (variable := self.variables.lookup(node.name)) is not None:
            return self.variable(variable, self.variables.kinds.get(variable, "value"), node.span)
        match self.outer.lookup(node.name):
            case Known() as known:
                return self._outermost(known, node)
            case HostName():
                return core.Host(node.name, span=node.span)
            case None if node.name in self.outer.selectors:
                record = self.variables.hidden("node", node.span)
                component = core.Component(record, node.name, span=node.span)
                return core.Lambda((record,), component, span=node.span)
            case None if self.labels.lookup(node.name):
                if not any(known.is_label for known in self.outer.known.values()):
                    self.no_labels_kept(node.span)
                return core.List((), span=node.span)
            case None:
                if found := scope.unknown(node, self.variables, self.outer):
                    self.found.append(found)
                return core.List((), span=node.span)

    def _outermost(self, known: Known, node: nodes.Name) -> core.Expression:
        """A name of the outermost level, which may be another name for the same place."""
        seen = {known.name.name}
        while (alias := known.alias) is not None and isinstance(other := self.outer.lookup(alias.name), Known):
            if alias.name in seen:
                self.complain(causes.CIRCULAR, node.span, name=node.name, through="")
                break
            seen.add(alias.name)
            known = other
        return self.variable(replace(known.name, span=node.span), known.kind if not known.alias else "value", node.span)

    def value(self, node: nodes.Name) -> core.Expression:
        """What a name stands for where a value is wanted."""
        meant = self.name(node)
        if self.is_routine(meant) and isinstance(meant, core.Host):
            self.complain(causes.NOT_A_VALUE, node.span, name=node.name)
        takes = self.takes(meant)
        if takes and {*takes} != {"value"}:
            what = "a function with parameters by reference or substitution, passed on as a value,"
            self.complain(causes.NOT_YET, node.span, what=what)
        return meant

    def takes(self, function: core.Expression) -> tuple[scope.Kind, ...] | None:
        """How a function that is known takes its parameters."""
        match function:
            case core.Global(name=name):
                known = self.outer.known.get(name)
                return self.outer.takes(name) if known is not None and known.name == function else None
            case core.Local():
                return self.local_functions.get(function)
            case _:
                return None

    def apply(
        self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span, *, routine: bool = False
    ) -> core.Expression:
        """`F(x,y)`; with `routine`, what is applied need have no value."""
        return self._apply(function, self._operator(function), arguments, span, routine=routine)

    def _apply(
        self,
        function: nodes.Expression,
        operator: core.Expression,
        arguments: Sequence[nodes.Expression],
        span: Span,
        *,
        routine: bool = False,
    ) -> core.Expression:
        if isinstance(function, nodes.Name):
            if special := self._special(function, operator, arguments, span):
                return special
            if self.is_routine(operator) and not routine:
                self.complain(causes.NOT_A_VALUE, function.span, name=function.name)
        elif isinstance(function, nodes.String | nodes.Constant):
            self.complain(causes.NOT_A_FUNCTION, function.span, what=function.span.text)
        self.count(operator, len(arguments), span)
        return core.Apply(operator, self.given(self.takes(operator), arguments), span=span)

    def select(
        self, function: nodes.Expression, arguments: Sequence[nodes.Expression], span: Span, *, routine: bool = False
    ) -> core.Expression:
        """`m[k]`: a function applied, or a member of an array (E29, E32)."""
        operator = self._operator(function)
        declared = self._declared(operator)
        if self.is_function(operator) or isinstance(operator, core.Lambda) or not arguments or declared == "function":
            return self._apply(function, operator, arguments, span, routine=routine)
        return core.Select(operator, self.all(arguments), declared == "array", span=span)

    def _declared(self, operator: core.Expression) -> str:
        """Whether what has subscripts is declared as a function or an array."""
        variable = operator.reference if isinstance(operator, core.Contents) else operator
        words = self.variables.types.get(variable, "").lower().split() if isinstance(variable, core.Local) else []
        if {"function", "routine"} & {*words}:
            return "function"
        return "array" if {"array", "vector", "matrix"} & {*words} else ""

    def _operator(self, function: nodes.Expression) -> core.Expression:
        return self.name(function) if isinstance(function, nodes.Name) else self.expression(function)

    def _special(
        self, name: nodes.Name, operator: core.Expression, arguments: Sequence[nodes.Expression], span: Span
    ) -> core.Expression | None:
        """What looks like a function and works on places: selectors, `Pointer`, `Follow` (S6, S11)."""
        match operator, arguments:
            case core.Lambda(body=core.Component(name=selector)), (only,):
                return core.Component(self.expression(only), selector, span=span)
            case core.Lambda(), _:
                self.found.append(_wrong_count(name.name, 1, len(arguments), span))
                return core.List((), span=span)
            case core.Host(name="Pointer"), (only,):
                return self.reference(only)
            case core.Host(name="Follow"), (only,):
                return core.Contents(self.expression(only), span=span)
            case _:
                return None

    def count(self, function: core.Expression, given: int, span: Span) -> None:
        """Complain if a function of the outermost level is applied to more or fewer arguments than it takes."""
        match function:
            case core.Host(name=name):
                least, most = self.outer.host[name].least, self.outer.host[name].most
            case core.Global(name=name) | core.Local(name=name) if (takes := self.takes(function)) is not None:
                least = most = len(takes)
            case _:
                return
        if least is None or most is None or least <= given <= most:
            return
        related = []
        if isinstance(function, core.Global):
            related = [(self.outer.known[name].name.span, "defined here")]
        self.found.append(_wrong_count(name, most, given, span, related, least=least))

    def is_function(self, node: core.Expression) -> bool:
        """Whether this is sure to be a function."""
        match node:
            case core.Host(name=name):
                return self.outer.host[name].least is not None
            case _:
                return self.takes(node) is not None

    def is_routine(self, node: core.Expression) -> bool:
        """Whether this is sure to be a routine."""
        match node:
            case core.Host(name=name):
                return self.outer.host[name].routine
            case core.Global(name=name):
                known = self.outer.known.get(name)
                return known is not None and known.name == node and known.routine
            case core.Local():
                return node in self.local_routines
            case _:
                return False

    def call(self, node: nodes.Expression) -> core.Expression:
        """A whole expression that need have no value."""
        match node:
            case nodes.Application(function=function, arguments=arguments, span=span):
                return self.apply(function, arguments, span, routine=True)
            case _:
                return self.expression(node)


def _wrong_count(
    name: str,
    most: int,
    given: int,
    span: Span,
    related: Sequence[tuple[Span, str]] = (),
    *,
    least: int | None = None,
) -> Diagnostic:
    number, any_more = (most, "") if least in (None, most) else (least, "or more ")
    wanted = "no arguments" if number == 0 else f"{number} {any_more}argument{'s' if number != 1 or any_more else ''}"
    return report(causes.WRONG_COUNT, span, related=related, name=name, wanted=wanted, given=given)
