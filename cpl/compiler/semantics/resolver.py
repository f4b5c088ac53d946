"""Resolution: from the surface tree to the core tree, one definition at a time. It binds names, orders chains of
operators by the reading's table, decides what juxtaposition means where it can (`_juxtaposed`), and expands sugar.

    F[ref x] = value of § let y ≃ x                   F = λx. § Contents(x) := 2 × Contents(x) + 1
                          y := 2y + 1                           Result(Contents(x)) §
                          result is y §
    G[x] = f(x) where f[t] = 2t                       G = λx. § LetFunction(f, (t), 2 × t); Result(Apply(f, x)) §
    H[f,x] = f(x) + x                                 H = λf, x. Juxtapose(f, x) + x

A variable that holds a reference to a place stands for what is in that place, so the core tree says of every use
whether it means the value or the place. Another name for a variable (`y ≃ x`) is that variable.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain
from typing import Any, Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.messages import Cause
from cpl.compiler.readings import Reading
from cpl.compiler.semantics import core, numbers, scope, walk
from cpl.compiler.semantics.chains import chain_tree
from cpl.compiler.semantics.graphs import components
from cpl.compiler.semantics.labels import (
    LabelScope,
    defined_labels,
    is_list,
    label_name,
    labels_in,
    leaves,
    matched,
    out_of_reach,
)
from cpl.compiler.semantics.library import OTHER_NAMES, HostName
from cpl.compiler.semantics.scope import (
    AnyDefinition,
    Binding,
    TopLevel,
    Variables,
    as_function,
    closures,
    mode,
    parameters_of,
)
from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.errors import product_for_name
from cpl.compiler.syntax.lexer import on_one_line, symbols_of
from cpl.compiler.syntax.tokens import ELSEWHERE, base_of
from cpl.compiler.wording import form
from cpl.limits import MOST_CASES, MOST_CHARACTERS_SEEN

_OPERATOR_AT_LINE_END: Final = re.compile(r"([-+−×*/↑∧∨≡≢≠<>≤≥]|[~:]?=|\\times|\\up)[ \t]*(?:\|\|[^\r\n]*)?[\r\n]\s*\Z")

_IN_ROUND_BRACKETS: Final = re.compile(r"([A-Za-z]\w*'*)[ \t]*\(([^()\r\n]+)\)")


@dataclass
class Boundary:
    """The edge of a function that captures values: variables up to number `limit` are outside it, and fixed within.

    Of a variable that holds a reference the function captures the contents, in a variable of its own.
    """

    limit: int
    captured: dict[core.Variable, core.Local] = field(default_factory=dict)

    def is_outside(self, variable: core.Variable) -> bool:
        """Whether a variable is bound outside the function."""
        return isinstance(variable, core.Global) or variable.number <= self.limit


@dataclass(frozen=True)
class Context:
    """What is around the place that is being resolved, except for variables."""

    labels: LabelScope = field(default_factory=LabelScope)
    boundaries: tuple[Boundary, ...] = ()  # those of functions that capture values, the innermost last
    unseen: tuple[str, ...] = ()  # functions that are being defined without rec
    in_loop: bool = False
    in_routine: bool = False


@dataclass(frozen=True)
class _Value:
    """The right side of a definition: an expression, the parameters of a function, and the commands that must
    run `before` to capture values.
    """

    value: core.Expression
    parameters: tuple[core.Local, ...] = ()
    before: Sequence[core.Let] = ()


class Resolver:
    """Resolves the expressions and commands of one definition."""

    def __init__(self, top: TopLevel, reading: Reading, diagnostics: list[Diagnostic]) -> None:
        self.top = top
        self.reading = reading
        self.diagnostics = diagnostics
        self.variables = Variables()
        self.functions: dict[core.Local, AnyDefinition] = {}
        self.context = Context()
        self.closures: set[Span] = set()  # the λ-expressions that capture places (D17a)

    # Expressions

    def expression(self, node: nodes.Expression) -> core.Expression:
        """The core of an expression in the scope of this moment."""
        span = node.span
        match node:
            case nodes.Number(digits=digits, symbol=symbol) if symbol:
                return core.Literal(int(digits), symbol, span=span)
            case nodes.Number(digits=digits):
                return core.Literal(_number(digits), span=span)
            case nodes.String(text=text):
                return core.Literal(symbols_of(text), span=span)
            case nodes.Constant(kind="INFINITY"):
                return core.Infinity(span=span)
            case nodes.Constant(kind="NIL"):
                return core.Nil(span=span) if self.reading.nil == "zero" else core.List((), span=span)
            case nodes.Constant(kind=kind):
                return core.Literal(kind == "TRUE", span=span)
            case nodes.Name():
                return self.value(node)
            case nodes.Bracket(items=items, square=True):
                return core.List(self.all(items), span=span)
            case nodes.Bracket(items=(only,)):
                return self.expression(only)
            case nodes.Bracket(items=()):
                self.complain(messages.EMPTY_BRACKET, span)
                return core.List((), span=span)
            case nodes.Bracket(items=items):
                return core.Tuple(self.all(items), span=span)
            case nodes.Application():
                return self.apply(node)
            case nodes.TypeName(name=name):
                return core.Literal(name, span=span)
            case nodes.Conditional(arms=arms, otherwise=otherwise):
                pairs = [(self.expression(arm.test), self.expression(arm.value)) for arm in arms]
                return core.Conditional(tuple(pairs), self.expression(otherwise), span=span)
            case nodes.Chain(items=items):
                reported = len(self.diagnostics)
                operands = [*self._operands(items)]
                self.diagnostics[reported:] = _without_consequences(self.diagnostics[reported:])
                return chain_tree(operands, self.reading)
            case nodes.ValueBlock(section=section, result=result):
                return self.result_block(section) if result else self.block(section)
            case nodes.Follow(pointer=pointer):
                return core.Contents(self.expression(pointer), span=span)
            case nodes.Where():
                node = self._nested(node)
                with self.variables.block():
                    definitions = tuple(self.simultaneous(node.definitions, rec=node.rec))
                    meant = self.expression(node.value)
                return core.Block((*definitions, core.Result(meant, span=meant.span)), span=span)
            case nodes.Lambda(parameters=parameters, body=body):
                by_place = span in self.closures
                with self.function_scope(by_place=by_place) as boundary:
                    names = [self.variables.declare(parameter.name, parameter.span) for parameter in parameters]
                    function = core.Lambda(tuple(names), self.expression(body), by_place, span=span)
                captures = self.captures(boundary)
                return core.Block((*captures, core.Result(function, span=span)), span=span) if captures else function

    def _nested(self, node: nodes.Where) -> nodes.Where:
        """`a where f where g`: if g mentions a parameter of f, g belongs to f, else to a (our choice)."""
        value = node.value
        if not isinstance(value, nodes.Where):
            return node

        unknown: set[str] = set()
        own_parameters: set[str] = set()
        for part in chain.from_iterable(map(surface.walk, node.definitions)):
            if isinstance(part, nodes.Parameter):
                own_parameters.add(part.name)
            elif isinstance(part, nodes.Name) and not self._is_known(part.name):
                unknown.add(part.name)
        unknown -= own_parameters

        for at, definition in enumerate(value.definitions):
            if not isinstance(definition, nodes.Definition):
                continue
            if not any(parameter.name in unknown for parameter in parameters_of(definition) or ()):
                continue
            inner = replace(definition, value=replace(node, value=definition.value))
            definitions = (*value.definitions[:at], inner, *value.definitions[at + 1 :])
            return self._nested(replace(value, definitions=definitions, span=node.span))
        return node

    def _is_known(self, name: str) -> bool:
        """Whether something defines a name, other than a label."""
        return self.variables.lookup(name) is not None or self.top.lookup(name) is not None

    def _operands(
        self, items: Sequence[nodes.Expression | nodes.Operator]
    ) -> Iterator[core.Expression | nodes.Operator]:
        """A chain with its operands resolved. `f(x)` with a small f binds tighter than any operator."""
        waiting = deque(items)
        while waiting:
            item = waiting.popleft()
            if isinstance(item, nodes.Operator):
                yield item
                continue
            operand = self.expression(item)
            while waiting and isinstance(waiting[0], nodes.Operator) and waiting[0].kind == "MAYBE_PRODUCT":
                waiting.popleft()
                operand = self._juxtaposed(item, operand, waiting.popleft())
            yield operand

    def _juxtaposed(
        self, written: nodes.Expression, left: core.Expression, right: nodes.Expression | nodes.Operator
    ) -> core.Expression:
        """`f(x)`, also at the start of `f(x)[y]`: f is applied if it is sure to be a function."""
        span = left.span.to(right.span)
        match right:
            case nodes.Application(function=inner, arguments=arguments):
                function = self._juxtaposed(written, left, inner)
                return core.Apply(function, self.arguments(function, arguments), span=span)
            case nodes.Bracket(items=(only,)) if not self.is_function(left):
                operand = self.expression(only)
                if isinstance(written, nodes.Bracket):
                    return core.Binary("TIMES", left, operand, span=span)
                return core.Juxtapose(left, operand, span=span)
            case nodes.Bracket(items=items):
                self.count(left, len(items), span)
                return core.Apply(left, self.arguments(left, items), span=span)
            case _:
                raise AssertionError(right)  # the parser puts MAYBE_PRODUCT only before a bracket

    def all(self, items: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """Several expressions of one scope."""
        meant = [self.expression(item) for item in items]
        return tuple(meant)

    def name(self, node: nodes.Name) -> core.Expression:
        """Resolve a name to its meaning, a routine included."""
        span = node.span
        variable = self.variables.lookup(node.name)
        if variable is not None:
            self.top.uses[span] = self.variables.defined(node.name)
            mode = self.mode_of(variable)
            if mode != "label":
                return self.variable(variable, mode, span)
            self.complain(messages.LABEL_AS_VALUE, span, name=node.name)
            return core.List((), span=span)
        match self.top.lookup(node.name):
            case Binding() as binding:
                self.top.uses[span] = binding.name.span
                binding = self.unaliased(binding, node.span)
                return self.variable(binding.name, binding.mode, span)
            case HostName():
                self.top.uses[span] = node.name
                host = core.Host(OTHER_NAMES.get(node.name, node.name), span=span)
                if host.name == "Shift" and self.reading.shift == "up":
                    return self._upwards(host)
                return host
            case None if node.name in self.top.selectors:
                self.top.uses[span] = self.top.selectors[node.name]
                record = self.variables.hidden("node", span)
                return core.Lambda((record,), core.Component(record, node.name, span=span), span=span)
            case None if node.name in self.top.labels:
                self.complain(messages.LABEL_AS_VALUE, span, name=node.name)
            case None:
                self.top.scopes[span] = self.variables.names
                diagnostic = scope.unknown(node, self.variables, self.context.unseen, self.top)
                if diagnostic is not None:
                    self.diagnostics.append(diagnostic)
        return core.List((), span=span)

    def _upwards(self, shift: core.Host) -> core.Lambda:
        """Shift, read the other way: λx, n. Shift[x, -n]"""
        x = self.variables.hidden("x", shift.span)
        n = self.variables.hidden("n", shift.span)
        return core.Lambda((x, n), core.Apply(shift, (x, _negative(n)), span=shift.span), span=shift.span)

    def unaliased(self, binding: Binding, span: Span) -> Binding:
        """Return the binding that an alias of the top level, used at this place, stands for in the end."""
        name, seen = binding.name.name, {binding.name}
        while binding.alias is not None:
            last = self.top.lookup(binding.alias.name)
            if not isinstance(last, Binding):
                break
            other = self.top.seen(last, binding.statement)
            if other.name in seen:
                self.complain(messages.CIRCULAR, span, name=name, through="")
                break
            seen.add(other.name)
            binding = other
        return binding

    def value(self, node: nodes.Name) -> core.Expression:
        """Resolve a name where a value is wanted."""
        meant = self.name(node)
        if self.is_routine(meant) and isinstance(meant, core.Host):
            self.complain_of_routine(node)
        return meant

    def mode_of(self, variable: core.Variable) -> str:
        """Return the mode of a variable, as in `core.Local.mode`."""
        if isinstance(variable, core.Local):
            return variable.mode
        binding = self.top.binding(variable)
        return binding.mode if binding else ""

    def definition_of(self, function: core.Expression) -> nodes.Statement | None:
        """The definition of a function, if it is known."""
        match function:
            case core.Local():
                return self.functions.get(function)
            case core.Global() if binding := self.top.binding(function):
                return binding.definition
            case _:
                return None

    def parameters_of(self, function: core.Expression) -> tuple[nodes.Parameter, ...] | None:
        """The parameters of a function; None for what is not sure to be one."""
        return parameters_of(self.definition_of(function))

    def arity(self, function: core.Expression) -> tuple[int, int] | None:
        """The least and the greatest number of arguments of a function; None for what is not sure to be one."""
        match function:
            case core.Host(name=name):
                return self.top.host[name].least, self.top.host[name].most
            case core.Lambda(parameters=names):
                return len(names), len(names)
            case _:
                parameters = self.parameters_of(function)
                return None if parameters is None else (len(parameters), len(parameters))

    def is_function(self, node: core.Expression) -> bool:
        """Whether this is sure to be a function."""
        return self.arity(node) is not None

    def is_routine(self, node: core.Expression) -> bool:
        """Whether this is sure to be a routine."""
        if isinstance(node, core.Host):
            return self.top.host[node.name].routine
        return isinstance(self.definition_of(node), nodes.Routine)

    def apply(self, node: nodes.Application, *, as_command: bool = False) -> core.Expression:
        """`F(x,y)`, or `m[k]`, which may be a member of an array, too (E29, E32). A command need have no value."""
        written, arguments, span = node.function, node.arguments, node.span
        match written:
            case nodes.Application(function=nodes.Name(name="Formarray") as name, arguments=described):
                maker = self.name(name)
                if isinstance(maker, core.Host):
                    return self._array_of(arguments, maker, described, span)

        function = self.name(written) if isinstance(written, nodes.Name) else self.expression(written)
        if node.square and arguments and not (as_command or self.is_function(function)):
            words = _declared(function)
            if words.isdisjoint({"function", "routine"}):
                is_array = not words.isdisjoint({"array", "vector", "matrix"})
                return core.Select(function, self.all(arguments), is_array, span=span)

        if isinstance(written, nodes.Name):
            match function, arguments:
                case core.Lambda(body=core.Component(name=selector)), (only,):
                    return core.Component(self.expression(only), selector, span=span)
                case core.Lambda(body=core.Apply(function=shift)), (x, n):
                    return core.Apply(shift, (self.expression(x), _negative(self.expression(n))), span=span)
                case core.Host(name="Pointer"), (only,):
                    return self.reference(only)
                case core.Host(name="Follow"), (only,):
                    return core.Contents(self.expression(only), span=span)
            if self.is_routine(function) and not as_command:
                self.complain_of_routine(written)
        elif isinstance(function, core.Literal | core.List | core.Tuple):
            self.complain(messages.NOT_A_FUNCTION, written.span, what=written.span.text)
        self.count(function, len(arguments), span)
        return core.Apply(function, self.arguments(function, arguments), span=span)

    def _array_of(
        self, members: Sequence[nodes.Expression], maker: core.Host, described: Sequence[nodes.Expression], span: Span
    ) -> core.Expression:
        """`Formarray[type, bounds][members]` (G8)."""
        self.count(maker, len(described) + 1, span)
        if nodes.TypeName("label", span=span) in described[:1]:
            items = tuple(self.label(member, computed=True) for member in members)
        else:
            items = self.all(members)
        return core.Apply(maker, (*self.all(described), core.List(items, span=span)), span=span)

    def arguments(
        self, function: core.Expression, arguments: Sequence[nodes.Expression]
    ) -> tuple[core.Expression, ...]:
        """The arguments of a function, each as its parameter wants it if the function is known."""
        parameters = self.parameters_of(function)
        if parameters is None or len(parameters) != len(arguments):
            return self.all(arguments)
        modes = map(self.top.mode, parameters)
        meant = [self.argument(mode, argument) for mode, argument in zip(modes, arguments, strict=True)]
        return tuple(meant)

    def argument(self, mode: str, node: nodes.Expression) -> core.Expression:
        """An argument, as its parameter wants it (D20, D21)."""
        is_place = mode in ("reference", "place by substitution")
        return argument_by(mode, self.reference(node) if is_place else self.expression(node))

    def count(self, function: core.Expression, count: int, span: Span) -> None:
        """Report a known function that is applied to too many or too few arguments."""
        least, most = self.arity(function) or (0, count)
        if least <= count <= most:
            return
        or_more = "or more " if least < most else ""
        noun = "arguments" if or_more else form(least, "argument")
        wanted = f"{least or 'no'} {or_more}{noun}"
        binding = self.top.binding(function) if isinstance(function, core.Global) else None
        related = [(binding.name.span, "defined here")] if binding else []
        name = function.span.text
        self.diagnostics.append(
            report(messages.WRONG_COUNT, span, related=related, name=name, wanted=wanted, given=count)
        )

    def call(self, node: nodes.Expression) -> core.Expression:
        """A whole expression that need have no value."""
        if not isinstance(node, nodes.Application):
            meant = self.expression(node)
            is_command = self.is_routine(meant) and self.parameters_of(meant) == ()
            return core.Apply(meant, (), span=node.span) if is_command else meant
        reads = self.reads(node)
        if reads:
            return core.Block(reads, routine=True, span=node.span)

        applied = self.apply(node, as_command=True)
        match applied:
            case core.Apply(function=function, arguments=(_, *_) as arguments) if node.square and not self.is_function(
                function
            ):
                return core.Select(function, arguments, False, span=node.span)
            case _:
                return applied

    @contextmanager
    def inside(self, context: Context) -> Iterator[None]:
        """Resolve in another context within a `with` statement."""
        outer = self.context
        self.context = context
        yield
        self.context = outer

    def complain(self, cause: Cause, span: Span, help: str | None = None, **words: Any) -> None:
        """Add to the diagnostics."""
        self.diagnostics.append(report(cause, span, help=help, **words))

    def complain_of_routine(self, name: nodes.Name) -> None:
        """Say that a routine has no value; below a line that ends with an operator, that its operand is missing."""
        text = name.span.source.text
        operator = _OPERATOR_AT_LINE_END.search(text, max(0, name.span.start - MOST_CHARACTERS_SEEN), name.span.start)
        if operator is None:
            self.complain(messages.NOT_A_VALUE, name.span, name=name.name)
            return
        end = operator.end(1)
        advice = messages.OF_OPERATOR.format(operator=operator[1])
        self.complain(messages.UNFINISHED, Span(name.span.source, end, end), advice)

    # Variables

    def variable(self, variable: core.Variable, mode: str, span: Span) -> core.Expression:
        """Return the meaning of a variable's name; in a function by value, the variable that the function captured."""
        boundary = None
        if mode:
            boundary = next((edge for edge in self.context.boundaries if edge.is_outside(variable)), None)
        if boundary is None:
            return _contents(replace(variable, span=span), mode)
        # The value is captured as it is: no type of number converts it.
        declared = "" if variable.declared in numbers.TYPES else variable.declared
        own = self.variables.hidden(variable.name, variable.span, declared)
        return replace(boundary.captured.setdefault(variable, own), span=span)

    def declare(self, name: nodes.Name | nodes.Parameter, mode: str = "", declared: str = "") -> core.Local:
        """A new variable."""
        if "label" in declared.split():
            self.complain(messages.LABEL_AS_ARGUMENT, name.span)
        return self.variables.declare(name.name, name.span, mode, declared)

    def captures(self, boundary: Boundary) -> tuple[core.Let, ...]:
        """The commands that capture the variables of a function by value, before it is made."""
        commands: list[core.Let] = []
        for captured, own in boundary.captured.items():
            contents = _contents(replace(captured, span=own.span), self.mode_of(captured))
            commands.append(core.Let(own, contents, span=own.span))
        return tuple(commands)

    def is_fixed(self, meant: core.Expression) -> bool:
        """Whether this is a variable outside a function that captures values, or such a value."""
        boundaries = self.context.boundaries
        if not isinstance(meant, core.Variable) or not boundaries or self.is_function(meant):
            return False
        is_captured = any(meant in boundary.captured.values() for boundary in boundaries)
        return is_captured or boundaries[-1].is_outside(meant)

    # Places

    def place(self, target: nodes.Expression) -> core.Place:
        """Resolve the left side of an assignment: an l-value."""
        match target:
            case nodes.Name(name=name, span=span):
                variable = self.context.labels.meaning(name)
                if isinstance(variable, core.Local):
                    self.top.uses[span] = variable.span
                    return replace(variable, span=span)
            case nodes.Bracket(items=(only,), square=False):
                return self.place(only)
            case nodes.Conditional(arms=(arm, *later_arms), otherwise=otherwise, span=span):
                rest = nodes.Conditional(tuple(later_arms), otherwise, span=span) if later_arms else otherwise
                return core.Choice(self.expression(arm.test), self.place(arm.value), self.place(rest), span=span)
        reported = len(self.diagnostics)
        meant = self.name(target) if isinstance(target, nodes.Name) else self.expression(target)
        match meant:
            case core.Contents(reference=core.ReadOnly(constant=constant)):
                meant = constant  # ↓Pointer[C] is C
        if isinstance(meant, core.Place) and not self.is_constant(meant):
            return meant
        match target:
            case _ if self.is_fixed(meant):
                self.complain(messages.FIXED, target.span, name=meant.span.text)
            case _ if self.is_function(meant):
                self.complain(messages.CONSTANT, target.span, name=meant.span.text, what="a function")
            case nodes.Name(name=name) if len(self.diagnostics) == reported:
                self.complain(messages.CONSTANT, target.span, name=name, what="another word for an expression (≡)")
            case nodes.Constant() | nodes.Number() | nodes.String():
                self.complain(messages.CONSTANT, target.span, name=target.span.text, what="a constant")
            case _ if len(self.diagnostics) == reported:
                self.complain(messages.NOT_A_TARGET, target.span, self.as_element(target))
        return core.Local("", 0, span=target.span)

    def as_element(self, target: nodes.Expression) -> str | None:
        """The help for `A(1)` on the left of an assignment, unless A is a function."""
        match target:
            case nodes.Application(function=nodes.Name() as applied) if self.is_function(self.name(applied)):
                return None
        written = _IN_ROUND_BRACKETS.fullmatch(target.span.text)
        return f"write an element as {written[1]}[{written[2]}]" if written else None

    def assignment(self, command: nodes.Assignment) -> Iterator[core.Command]:
        """`targets := values`. A list of targets in round brackets takes its value apart: our choice, after D9."""
        places: list[core.Place] = []
        values: list[core.Expression] = []
        pairs = [*matched(command.targets, command.values)]
        for target, value in pairs:
            if not is_list(target):
                is_label = all(map(self.is_label_variable, leaves(target)))
                values.append(self.label(value) if is_label else self.expression(value))
                places.append(self.place(target))
                continue

            whole = self.expression(value)
            inner_places: list[core.Place] = []
            parts = self._parts(target, inner_places)
            is_flat = len(inner_places) == len(target.items)
            if len(pairs) == 1 and is_flat and all(isinstance(place, core.Variable) for place in inner_places):
                yield core.Assign(tuple(inner_places), (whole,), span=command.span)
                return

            yield core.Let(parts, whole, span=command.span)
            places += inner_places
            values += walk.variables(parts)
        yield core.Assign(tuple(places), tuple(values), span=command.span)

    def _parts(self, target: nodes.Expression, places: list[core.Place]) -> core.Target:
        """New variables for the parts of a value that is assigned to a list of targets, whose `places` are added."""
        if is_list(target):
            items = [self._parts(item, places) for item in target.items]
            return core.Several(tuple(items), span=target.span)
        places.append(self.place(target))
        return self.variables.hidden("value", target.span)

    def reference(self, node: nodes.Expression) -> core.Expression:
        """The place of an expression as a value."""
        return reference_to(self.expression(node), self.is_constant)

    def is_constant(self, meant: core.Expression) -> bool:
        """Whether nothing can be assigned to this name."""
        return self.is_function(meant) or self.is_fixed(meant)

    # Commands

    def block(self, section: nodes.Section) -> core.Block:
        """A value block."""
        with self.inside(replace(self.context, labels=LabelScope(), in_loop=False, in_routine=False)):
            commands = self.commands(section.statements)
        if not walk.may_give_result(commands) and not walk.ends(commands):
            self._report_empty_block(section, commands)
        return core.Block(commands, span=section.span)

    def _report_empty_block(self, section: nodes.Section, commands: Sequence[core.Command]) -> None:
        """Report a value block without a result, at the last command if that applies something."""
        last = section.statements[-1] if section.statements else section
        match commands:
            case (*_, core.Evaluate(value=core.Apply(function=function))) if isinstance(last, nodes.ValueCommand):
                written = on_one_line(last.span)
                if self.is_routine(function):
                    help = f"{written} calls a routine, which has no value; to return one, write below it: result is …"
                else:
                    help = f"to return this value, write: result is {written}"
                self.complain(messages.EMPTY_BLOCK, last.span, help)
            case _:
                self.complain(messages.EMPTY_BLOCK, section.span)

    def result_block(self, section: nodes.Section) -> core.Block:
        """`result of § … §`: `result` is a variable, and its value at the end that of the block (E25, E28)."""
        end = Span(section.span.source, section.span.end - 1, section.span.end)
        with self.variables.block():
            result = self.variables.declare("result", section.span)
            with self.inside(replace(self.context, labels=LabelScope(), in_loop=False, in_routine=False)):
                commands = self.commands(section.statements)
        value = core.Result(core.Local("result", result.number, span=end), span=end)
        if not any(result in walk.changed(command) for command in commands):
            help = "a block of this kind gives its value by: result := …"
            self.complain(messages.EMPTY_BLOCK, section.span, help)
        match commands:  # the last command, if it assigns the result, is the result
            case (*before, core.Assign(places=(core.Local() as place,), values=(last,), span=span)) if place == result:
                commands, value = tuple(before), core.Result(last, span=span)
        return core.Block((core.Declare(result, span=section.span), *commands, value), span=section.span)

    def commands(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """The commands of a function, an arm or a loop, in a scope of their own."""
        with self.variables.block():
            return self.sequence(statements)

    def sequence(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """Resolve commands in the scope round them. Names that are defined in unreachable code are in scope after the
        next label, variables without a value.
        """
        result: list[core.Command] = []
        unset: list[core.Declare] = []
        statements = [*surface.in_line(statements)]
        has_label = [any(labels_in([statement])) for statement in statements]
        last_label = max((at for at, has in enumerate(has_label) if has), default=0)
        with self.context.labels.section(statements) as diagnostics:
            self.diagnostics += diagnostics
            is_reached = True
            has_ended = False
            for index, statement in enumerate(statements):
                was_reached = is_reached
                is_reached = not has_ended or has_label[index]
                if is_reached:
                    result += self.command(statement)
                    has_ended = walk.ends(result)
                    continue
                if was_reached:
                    next_label = next((at for at in range(index, len(statements)) if has_label[at]), len(statements))
                    self._report_unreachable(statements[index:next_label])
                if index < last_label:
                    functions, variables = self._unreached_definitions(statement)
                    result += functions
                    unset += variables
        return (*unset, *result)

    def _report_unreachable(self, statements: Sequence[nodes.Statement]) -> None:
        """Report statements that are not reached, if one of them would do something."""
        executed = [statement for statement in statements if not _may_be_ready(statement)]
        if executed:
            self.complain(messages.UNREACHABLE, executed[0].span.to(executed[-1].span))

    def _unreached_definitions(
        self, statement: nodes.Statement
    ) -> tuple[Sequence[core.Command], Sequence[core.Declare]]:
        """What an unreached statement before a label is there for: functions and label variables; and its variables,
        without values.
        """
        names = [*chain.from_iterable(map(surface.defined, surface.members(statement)))]
        if not names:
            return (), ()

        before = self.variables.count
        commands = self.command(statement)
        functions = [command for command in commands if isinstance(command, core.LetFunction)]
        labels = filter(_defines_label, commands)  # those that never change are labels all the same
        ready = {function.name for function in functions}  # they may be ready (`cpl.compiler.semantics.ready`)

        unset: list[core.Declare] = []
        for name in names:
            variable = self.variables.lookup(name.name)
            if not isinstance(variable, core.Local) or variable.number <= before:
                continue  # another name for a variable that has its value already
            if variable not in ready:
                unset.append(core.Declare(variable, span=variable.span))
        return (*functions, *labels), unset

    def command(self, statement: nodes.Statement) -> tuple[core.Command, ...]:
        """Resolve one statement within a block. A section within it is only a scope: its commands come out in line."""
        span = statement.span
        match statement:
            case nodes.Definition() | nodes.Routine() | nodes.Together():
                return tuple(self._definitions([*surface.members(statement)], rec="rec" in statement.words))
            case nodes.Own(own=own, inner=body):
                with self.variables.block():
                    commands = (*self.command(own), *self.command(body))
                    seen = {name: self.variables.lookup(name.name) for name in surface.defined(statement)}
                for called, variable in seen.items():  # the names of the inner definition, and no others
                    if variable:
                        self.variables.share(called.name, variable, called.span)
                return commands
            case nodes.Leave(word="break"):
                if not self.context.in_loop:
                    self.complain(messages.NO_LOOP, span)
                return (core.Break(span=span),)
            case nodes.Leave(word="return"):
                if not self.context.in_routine:
                    self.complain(messages.NO_ROUTINE, span)
                return (core.Return(span=span),)
            case nodes.Leave():
                return (core.Finish(span=span),)
            case nodes.Label(name=name):
                return (core.Label(label_name(name), span=span),)
            case nodes.GoTo(label=target):
                return (core.Jump(self.label(target, computed=True), span=span),)
            case nodes.Switch(value=value, section=section):
                return tuple(self.switch(value, section, span))
            case nodes.Case():
                self.complain(messages.NO_SWITCH, span)
                return ()
            case nodes.Declaration(kind="label", names=names):
                return tuple(core.Declare(self.label_variable(name), span=name.span) for name in names)
            case nodes.Declaration(kind=kind, names=names):
                return tuple(core.Declare(self.declare(name, declared=kind), span=name.span) for name in names)
            case nodes.If(test=test, command=command, unless=unless):
                return (core.If(self.condition(test, opposite=unless), self.commands((command,)), span=span),)
            case nodes.Test(condition=test, command=command, otherwise=otherwise):
                condition = self.expression(test)
                return (core.If(condition, self.commands((command,)), self.commands((otherwise,)), span=span),)
            case nodes.While(test=test, command=command, until=until):
                condition = self.condition(test, opposite=until)
                with self.inside(replace(self.context, in_loop=True)):
                    return (core.While(condition, self.commands((command,)), span=span),)
            case nodes.Repeat(command=command, test=test, until=until):
                with self.inside(replace(self.context, in_loop=True)):
                    commands = self.commands((command,))
                condition = self.condition(test, opposite=until) if test else core.Literal(True, span=span)
                return (core.Repeat(commands, condition, span=span),)
            case nodes.ForStep(name=name, first=first, step=step, last=last, command=command):
                step = step or nodes.Number("1", span=last.span)
                begin, by, end = (self.expression(bound) for bound in (first, step, last))
                with self.variables.block(), self.inside(replace(self.context, in_loop=True)):
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForStep(variable, begin, by, end, self.commands((command,)), span=span),)
            case nodes.ForList(name=name, members=members, command=command):
                meant = self.expression(members)
                with self.variables.block(), self.inside(replace(self.context, in_loop=True)):
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForList(variable, meant, self.commands((command,)), span=span),)
            case nodes.Assignment():
                return tuple(self.assignment(statement))
            case nodes.Result(value=value):
                if self.context.in_routine:
                    self.complain(messages.NO_BLOCK, span, help="a routine has no result; leave it by: return")
                return (core.Result(self.expression(value), span=span),)
            case nodes.Section(statements=statements):
                return self.commands(statements)
            case nodes.Preference():
                return ()  # the tree has the type at each name
            case nodes.Get() | nodes.NodeType() | nodes.Element() | nodes.Declarations():
                self.complain(messages.UNEXPECTED, span, found=span.text.split()[0], help="it belongs at the top level")
                return ()
            case nodes.ValueCommand(value=value):
                return self.value_command(value, span)

    # Definitions

    def _definitions(self, several: Sequence[nodes.Statement], *, rec: bool) -> Iterator[core.Command]:
        """The declarations, the label variables and the definitions of one statement, in this order."""
        labels = [part for part in several if isinstance(part, nodes.Definition) and self.defines_label(part)]
        definitions = [part for part in several if isinstance(part, AnyDefinition) and part not in labels]
        for part in several:
            if isinstance(part, nodes.Declaration):
                yield from self.command(part)
        yield from self.define_labels(labels)
        if definitions:
            yield from self.simultaneous(definitions, rec=rec)

    def simultaneous(self, definitions: Sequence[AnyDefinition], *, rec: bool) -> Iterator[core.Command]:
        """Simultaneous definitions: none sees the names of another, or of itself, unless they are `rec`."""
        if rec:
            yield from self._recursive([as_function(definition, rec=True) for definition in definitions])
            return
        definitions = [as_function(definition) for definition in definitions]
        functions = [
            definition.heading.name.name
            for definition in definitions
            if isinstance(definition.heading, nodes.FunctionHeading)
        ]
        with self.inside(replace(self.context, unseen=(*self.context.unseen, *functions))):
            values = [self.value_of(definition) for definition in definitions]
        for value in values:
            yield from value.before

        if len(definitions) > 1 and all(map(_is_plain, definitions)):
            span = definitions[0].span.to(definitions[-1].span)
            targets = core.Several(tuple(map(self._target, definitions)), span=span)
            several = core.Tuple(tuple(value.value for value in values), span=span)
            yield core.Let(targets, several, span=span)
            return
        for definition, value in zip(definitions, values, strict=True):
            yield from self._define(definition, value)

    def _define(self, definition: AnyDefinition, value: _Value) -> Iterator[core.Command]:
        """The definition of new variables, which are in scope from here on; of an alias there is nothing to do."""
        match definition, value.value:
            case (
                nodes.Definition(heading=nodes.Name() as name, sign="≃"),
                core.Reference(place=(core.Local() | core.Global()) as variable)
                | core.ReadOnly(constant=(core.Local() | core.Global()) as variable)
                | (core.Local(mode="reference") as variable),
            ):
                self.variables.share(name.name, variable, name.span)
            case _:
                yield self._let(definition, self._target(definition), value)

    def _recursive(self, definitions: Sequence[AnyDefinition]) -> Iterator[core.Command]:
        """Definitions that see each other: they run as written, but each waits for what it uses (our choice). Functions
        that use each other stand together.
        """
        targets = [self._target(definition) for definition in definitions]
        values = [self.value_of(definition) for definition in definitions]
        defined: dict[core.Node, int] = {}
        for at, target in enumerate(targets):
            defined |= dict.fromkeys(walk.nodes(target), at)
        uses: list[dict[int, core.Node]] = []  # for each, those that it uses, with the last place of a use
        for resolved in values:
            parts = walk.all_nodes((*resolved.before, resolved.value))
            uses.append({defined[part]: part for part in parts if part in defined})

        for group in components(uses):
            value = next((at for at in group if not isinstance(definitions[at].heading, nodes.FunctionHeading)), None)
            if value is not None:
                self._report_circular(value, targets[value], uses[value], {*group})
            for at in group:
                yield from values[at].before
            for at in group:
                yield self._let(definitions[at], targets[at], values[at])

    def _report_circular(self, value: int, target: core.Target, uses: Mapping[int, core.Node], group: Set[int]) -> None:
        """Report a value that uses itself, perhaps through others of its group: definitions by their numbers."""
        used = next((other for other in uses if other in group), None)
        if used is None:
            return
        place = uses[used].span
        through = "" if used == value else f", through {place.text}"
        self.complain(messages.CIRCULAR, place, name=target.span.text, through=through)

    def _let(self, definition: AnyDefinition, target: core.Target, value: _Value) -> core.Command:
        span = definition.span
        is_function = isinstance(definition.heading, nodes.FunctionHeading) or mode(definition) == "substitution"
        if is_function and isinstance(target, core.Local):
            result = surface.result(definition)
            by_place = sign_of(definition) != "="
            return core.LetFunction(target, value.parameters, value.value, by_place, result, span=span)
        return core.Let(target, value.value, span=span)

    def value_of(self, definition: AnyDefinition) -> _Value:
        """Resolve the right side of a definition. A routine captures places: it is there to change them."""
        match definition:
            case nodes.Definition(heading=nodes.FunctionHeading(parameters=parameters), value=value, sign=sign):
                if sign == "≃":
                    self.complain(messages.NOT_SHARED, definition.span)
                if "label" in surface.result(definition).split():
                    self.complain(messages.LABEL_AS_ARGUMENT, definition.heading.span)
                with self.function_scope(by_place=sign != "=") as boundary:
                    declared = self.parameters(parameters)
                    body = self.expression(value)
                return _Value(body, declared, self.captures(boundary))
            case nodes.Routine(heading=heading, command=command):
                labels = LabelScope(self.context.labels)
                with (
                    self.function_scope(by_place=True),
                    self.inside(replace(self.context, labels=labels, in_routine=True)),
                ):
                    declared = self.parameters(heading.parameters)
                    commands = self.commands((command,))
                return _Value(core.Block(commands, routine=True, span=command.span), declared)
            case nodes.Definition(value=value, sign="≡"):
                self.closures |= {closure.span for closure in closures(value)}
                with self.inside(replace(self.context, labels=LabelScope(), in_loop=False)):
                    return _Value(self.expression(value))
            case nodes.Definition(value=value, sign="≃"):
                return _Value(self.reference(value))
            case nodes.Definition(value=value):
                return _Value(_simple_copies(self.expression(value)))

    def _target(self, definition: AnyDefinition) -> core.Target:
        declared = surface.declared(definition)
        match definition.heading:
            case nodes.FunctionHeading(name=name):
                function = self.variables.declare(name.name, name.span)
                self.functions[function] = definition
                return function
            case nodes.Name() as name:
                return self.declare(name, mode(definition), declared)
            case nodes.Pattern() as pattern:
                if sign_of(definition) != "=":
                    self.complain(messages.NOT_SHARED, definition.span)
                return target_of(pattern, lambda name: self.declare(name, declared=declared))

    def parameters(self, parameters: Sequence[nodes.Parameter]) -> tuple[core.Local, ...]:
        """The variables that a function's parameters are."""
        return tuple(self.declare(parameter, self.top.mode(parameter), parameter.kind) for parameter in parameters)

    @contextmanager
    def function_scope(self, *, by_place: bool) -> Iterator[Boundary]:
        """The inside of a function: it can assign to what is bound outside only if it captures places."""
        boundary = Boundary(self.variables.count)
        boundaries = self.context.boundaries if by_place else (*self.context.boundaries, boundary)
        context = replace(self.context, labels=LabelScope(), in_loop=False, boundaries=boundaries)
        with self.variables.block(), self.inside(context):
            yield boundary

    def condition(self, test: nodes.Expression, *, opposite: bool) -> core.Expression:
        """A condition or its opposite."""
        meant = self.expression(test)
        return core.Unary("NOT", meant, span=meant.span) if opposite else meant

    def value_command(self, value: nodes.Expression, span: Span) -> tuple[core.Command, ...]:
        """A bare name ends the block with its value, unless it is a routine (our choice, as the recorded examples
        have it).
        """
        match value:
            case nodes.Name(name="Finish" | "Return" as word) if not self._is_known(word):
                return self.command(nodes.Leave(word.lower(), span=span))  # G20
            case nodes.Name():
                return self._name_as_command(value, span)
            case nodes.Application():
                reads = self.reads(value)
                if reads:
                    return reads
                meant = self.apply(value, as_command=True)
                if not self._may_have_effect(meant):
                    self.complain(messages.NOT_A_COMMAND, span)
                return (core.Evaluate(meant, span=span),)
            case nodes.Chain(items=(nodes.Name(name=name), nodes.Operator(kind="EQUAL"), *_)):
                help = f"to give it another value, write: {name} := …; to define a name: let {name} = …"
                self.complain(messages.NOT_A_COMMAND, span, help)
            case nodes.Bracket() if span.text.startswith("{"):
                self.complain(messages.NOT_A_COMMAND, span, help=ELSEWHERE["{"])
            case _:
                reported = len(self.diagnostics)
                meant = self.expression(value)
                if isinstance(value, nodes.Chain) and isinstance(meant, core.Apply | core.Juxtapose):
                    return (core.Evaluate(meant, span=span),)
                if len(self.diagnostics) == reported:
                    self.complain(messages.NOT_A_COMMAND, span)
        return ()

    def _name_as_command(self, written: nodes.Name, span: Span) -> tuple[core.Command, ...]:
        """A bare name: a routine is applied; of another function, or a variable, the block ends with the value."""
        reported = len(self.diagnostics)
        meant = self.name(written)
        is_routine = self.is_routine(meant)
        if is_routine or (self.is_function(meant) and isinstance(meant, core.Global)):
            self.count(meant, 0, span)
            meant = core.Apply(meant, (), span=span)
        elif self.context.in_routine and len(self.diagnostics) == reported:
            self.complain(messages.ENDS_ROUTINE, span, name=written.name)

        if is_routine:
            return (core.Evaluate(meant, span=span),)
        if not self.context.in_routine:
            return (core.Result(meant, bare=True, span=span),)
        if isinstance(meant, core.Apply):
            return core.Evaluate(meant, span=span), core.Return(span=span)
        return (core.Return(span=span),)

    def _may_have_effect(self, meant: core.Expression) -> bool:
        """Whether an application may be of use as a command."""
        match meant:
            case core.Apply(function=core.Host(name=name)):
                return self.top.host[name].is_command
            case _:
                return not isinstance(meant, core.Component | core.Reference | core.Contents)

    def reads(self, applied: nodes.Application) -> tuple[core.Command, ...]:
        """`Read[x,y]`: the next values of the input are assigned to x and y (O2); `ReadSymbol[x]`: the code of the next
        symbol (G18). Nothing for other applications.
        """
        match applied:
            case nodes.Application(function=nodes.Name(name="ReadSymbol") as read, arguments=(target,)):
                reader = self.name(read)
                if isinstance(reader, core.Host):
                    symbol = core.Apply(reader, (), span=target.span)
                    code = core.Apply(core.Host("Code", span=target.span), (symbol,), span=target.span)
                    return (core.Assign((self.place(target),), (code,), span=target.span),)
            case nodes.Application(function=nodes.Name(name="Read") as read, arguments=targets):
                if isinstance(self.name(read), core.Host):
                    return tuple(self._read_item(target) for target in targets)
        return ()

    def _read_item(self, target: nodes.Expression) -> core.Command:
        item = core.Apply(core.Host("ReadItem", span=target.span), (), span=target.span)
        return core.Assign((self.place(target),), (item,), span=target.span)

    # Labels

    def label(self, node: nodes.Expression, *, computed: bool = False) -> core.Expression:
        """A label, or a choice of labels (E20). One that is `computed` may be the value of an application, too, such as
        a member of an array (G8).
        """
        match node:
            case nodes.Bracket(items=(only,), square=False):
                return self.label(only, computed=computed)
            case nodes.Conditional(arms=arms, otherwise=otherwise, span=span):
                pairs = [(self.expression(arm.test), self.label(arm.value, computed=computed)) for arm in arms]
                return core.Conditional(tuple(pairs), self.label(otherwise, computed=computed), span=span)
            case nodes.Name(name=name, span=span):
                label = self.context.labels.lookup(name)
                if label:
                    self.top.uses[span] = label.span
                    return replace(label, span=span)
                self.top.scopes[span] = self.context.labels.names
                parameter = self.variables.lookup(name)
                is_reported = parameter is not None and parameter.declared == "label"  # as LABEL_AS_ARGUMENT
                if not is_reported:
                    self.diagnostics.append(out_of_reach(node, self.top.labels))
            case nodes.Application() if computed:
                return self.expression(node)
            case nodes.Chain() if node.span.text.isalpha():
                self.diagnostics.append(product_for_name(node.span))
            case _:
                self.complain(messages.NOT_A_LABEL, node.span)
        return core.Literal("", span=node.span)  # the error is reported

    def is_label_variable(self, name: nodes.Expression) -> bool:
        """Whether this means a label variable of this function or value block."""
        return isinstance(name, nodes.Name) and isinstance(self.context.labels.meaning(name.name), core.Local)

    def label_variable(self, name: nodes.Name) -> core.Local:
        """A new label variable (T1)."""
        variable = self.variables.declare(name.name, name.span, mode="label")
        self.context.labels.declare(name.name, variable)
        return variable

    def is_label(self, value: nodes.Expression) -> bool:
        """Whether a value is a label or a choice of labels."""
        return all(isinstance(leaf, nodes.Name) and self._means_label(leaf) for leaf in leaves(value))

    def _means_label(self, name: nodes.Name) -> bool:
        """Whether a name means a label or a label variable. Other variables, and global names, go before labels."""
        if self.is_label_variable(name):
            return True
        return not self._is_known(name.name) and self.context.labels.meaning(name.name) is not None

    def defines_label(self, definition: nodes.Definition) -> bool:
        """Whether a definition makes label variables."""
        is_label = surface.declared(definition) == "label" or self.is_label(definition.value)
        return is_label and _is_plain(definition)

    def define_labels(self, definitions: Sequence[nodes.Definition]) -> Iterator[core.Command]:
        """Label variables, all at once."""
        pairs: list[tuple[nodes.Name, core.Expression]] = []
        for definition in definitions:
            labels = defined_labels(definition.heading, definition.value)
            if not labels:
                self.complain(messages.NOT_A_LABEL, definition.value.span)
            pairs += [(name, self.label(label)) for name, label in labels]
        for name, meant in pairs:
            yield core.Let(self.label_variable(name), meant, span=meant.span)

    def switch(self, value: nodes.Expression, section: nodes.Section, span: Span) -> Iterator[core.Command]:
        """`switch value into § case 1: … §|`: the commands of the first case that is equal (our choice)."""
        meant = self.expression(value)
        if not isinstance(meant, core.Variable):
            scrutinee = self.variables.hidden("value", value.span)
            yield core.Let(scrutinee, meant, span=value.span)
            meant = scrutinee

        if section.statements and not isinstance(section.statements[0], nodes.Case):
            self.complain(messages.NO_CASE, section.statements[0].span)
            return
        cases = _cases(section.statements)
        if len(cases) > MOST_CASES:
            self.complain(messages.TOO_LONG, section.span, limit=MOST_CASES, things="cases")
            cases = cases[:MOST_CASES]

        choice: tuple[core.Command, ...] = ()  # that of the case without a value, if there is one
        branches: list[tuple[core.Expression, tuple[core.Command, ...]]] = []
        for labels, statements in cases:
            commands = self.commands(statements)
            if not all(label.values for label in labels):
                choice = commands
                continue
            constants = self.all([*chain.from_iterable(label.values for label in labels)])
            tests: list[core.Expression] = [
                core.Compare((meant, constant), ("EQUAL",), span=constant.span) for constant in constants
            ]
            branches.append((reduce(_either, tests), commands))
        for test, commands in reversed(branches):
            choice = (core.If(test, commands, choice, span=test.span),)
        yield from choice


def _cases(statements: Sequence[nodes.Statement]) -> list[tuple[list[nodes.Case], list[nodes.Statement]]]:
    """The cases of a switch that begins with one: labels that stand side by side, with the commands below them."""
    cases: list[tuple[list[nodes.Case], list[nodes.Statement]]] = []
    labels: list[nodes.Case] = []
    commands: list[nodes.Statement] = []
    for statement in statements:
        if not isinstance(statement, nodes.Case):
            commands.append(statement)
            continue
        if commands or not cases:
            labels, commands = [], []
            cases.append((labels, commands))
        labels.append(statement)
    return cases


def _number(digits: str) -> int | float:
    """The number that digits denote: whole, binary or octal, or real."""
    if base_of(digits):
        return int(digits, 0)
    is_real = "." in digits or "e" in digits
    return float(digits) if is_real else int(digits)


def _may_be_ready(statement: nodes.Statement) -> bool:
    """Whether a statement is of use though it is not reached: it declares a name, or defines a function."""
    return isinstance(statement, nodes.Declaration | nodes.Routine) or (
        isinstance(statement, nodes.Definition) and isinstance(statement.heading, nodes.FunctionHeading)
    )


def _defines_label(command: core.Command) -> bool:
    """Whether it defines a label variable."""
    return isinstance(command, core.Let) and isinstance(command.target, core.Local) and command.target.mode == "label"


def _contents(variable: core.Variable, mode: str) -> core.Expression:
    """Return the meaning of a variable's name, given the variable's mode (`core.Local.mode`)."""
    match mode:
        case "":
            return variable
        case "reference":
            return core.Contents(variable, span=variable.span)
        case "substitution":
            return core.Apply(variable, (), span=variable.span)
        case _:  # place by substitution, or label
            reference = core.Apply(variable, (), span=variable.span)
            return core.Contents(reference, span=variable.span)


def _declared(function: core.Expression) -> set[str]:
    """The words of the type that a variable is declared with."""
    variable = function.reference if isinstance(function, core.Contents) else function
    return {*variable.declared.lower().split()} if isinstance(variable, core.Local) else set()


def _negative(number: core.Expression) -> core.Expression:
    """A number with the other sign."""
    match number:
        case core.Unary(operator="MINUS", operand=operand):
            return operand
        case _:
            return core.Unary("MINUS", number, span=number.span)


def _either(left: core.Expression, right: core.Expression) -> core.Expression:
    return core.Binary("OR", left, right, span=right.span)


def _simple_copies(value: core.Expression) -> core.Expression:
    """The value of `a, b all = x`. If x is a name or constant, it is written once for each name (G7), without the
    function that evaluates it only once: `(x, x)` for `(λvalue. (value, value))(x)`.
    """
    match value:
        case core.Apply(
            function=core.Lambda(parameters=(parameter,), body=core.Tuple(items=items) as body),
            arguments=(argument,),
        ) if {*items} == {parameter} and not walk.parts(argument):
            return replace(body, items=(argument,) * len(items))
        case _:
            return value


def target_of(heading: nodes.Name | nodes.Pattern, variable: Callable[[nodes.Name], core.Target]) -> core.Target:
    """The target of a definition: the variable of a name, or those of a pattern."""
    if isinstance(heading, nodes.Name):
        return variable(heading)
    items = [target_of(item, variable) for item in heading.items]
    return core.Several(tuple(items), span=heading.span)


def sign_of(definition: AnyDefinition) -> str:
    """The sign of a definition; a routine captures places, as ≡ does."""
    return definition.sign if isinstance(definition, nodes.Definition) else "≡"


def _is_plain(definition: AnyDefinition) -> bool:
    """Whether it gives names to values."""
    return not isinstance(definition.heading, nodes.FunctionHeading) and sign_of(definition) == "="


def _without_consequences(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that follow from a word of another language: in `Write(1) else Write(2)` the use of a
    routine as a value, in `comment …` the names.
    """
    words = {finding.span.text for finding in diagnostics if finding.cause is messages.MISSPELT}
    if not words:
        return diagnostics
    consequences = [messages.NOT_A_VALUE, messages.UNKNOWN_PRODUCT]
    if "comment" in words:
        consequences.append(messages.UNKNOWN_NAME)
    return [finding for finding in diagnostics if finding.cause not in consequences]


def reference_to(meant: core.Expression, is_constant: Callable[[core.Expression], bool]) -> core.Expression:
    """The place (l-value) of an expression as a value. Of what is constant it is one for reading only; of what has no
    place, a new one with its value (our choice).
    """
    match meant:
        case core.Contents(reference=reference):
            return reference
        case core.Conditional(arms=arms, otherwise=otherwise, span=span) if is_place(meant):
            pairs = [(test, reference_to(value, is_constant)) for test, value in arms]
            return core.Conditional(tuple(pairs), reference_to(otherwise, is_constant), span=span)
        case core.Local() | core.Global() | core.Host() if is_constant(meant):
            return core.ReadOnly(meant, span=meant.span)
        case _:
            return core.Reference(meant, span=meant.span)


def is_place(meant: core.Expression) -> bool:
    """Whether an expression means a place, or one of its arms does."""
    match meant:
        case core.Conditional(arms=arms, otherwise=otherwise):
            return any(is_place(value) for _, value in arms) or is_place(otherwise)
        case _:
            return isinstance(meant, core.Place)


def argument_by(mode: str, argument: core.Expression) -> core.Expression:
    """An argument, or the reference to it, as it is passed to a parameter of this `core.Local.mode`: call by name needs
    a thunk.
    """
    if mode in ("substitution", "place by substitution"):
        return core.Lambda((), argument, by_place=True, span=argument.span)
    return argument
