"""Surface tree to core tree, one definition at a time: names bound, chains ordered by the reading's table, sugar gone.

A variable that is shared holds a reference to a place, and its name stands for what is in there; so the core says of
every use whether the value or the place is meant.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Final, TypeGuard

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.messages import Cause
from cpl.readings import Reading
from cpl.semantics import core, scope, walk
from cpl.semantics.library import HostName
from cpl.semantics.precedence import in_order
from cpl.semantics.scc import components
from cpl.semantics.scope import KINDS, Kind, Known, Outermost, Variables, kinds
from cpl.source import Span
from cpl.syntax import nodes, suggest
from cpl.syntax import walk as surface
from cpl.syntax.tokens import ELSEWHERE

MOST_LABELS: Final = 100
"""How many labels a section may have: the loops and choices that they stand for are found by trying."""


@dataclass
class Boundary:
    """Round a function that takes values: variables up to number `limit` are outside, and fixed within.

    Of shared variables what was in the place is `taken`, into variables of their own.
    """

    limit: int
    taken: dict[core.Local, core.Local] = field(default_factory=dict)


@dataclass(frozen=True)
class _Value:
    """What a definition stands for, a function's `parameters`, and what is obeyed `before`: a function by value takes
    what its places hold.
    """

    value: core.Expression
    parameters: tuple[core.Local, ...] = ()
    before: Sequence[core.Command] = ()


class Resolver:
    """Resolves the expressions and commands of one definition."""

    def __init__(self, outer: Outermost, reading: Reading, found: list[Diagnostic]) -> None:
        self.outer = outer
        self.reading = reading
        self.found = found
        self.variables = Variables()
        self.local_functions: dict[core.Local, tuple[Kind, ...]] = {}  # with what they take
        self.local_routines: set[core.Target] = set()
        self.boundaries: list[Boundary] = []
        self.labels = Variables()
        self.chosen: dict[core.Local, tuple[core.Local, dict[str, core.Local]]] = {}  # names defined as one of labels
        self.label_told = False
        self.in_loop = False
        self.in_routine = False

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
                self.complain(messages.EMPTY_BRACKET, span)
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
                return in_order(self._operands(items), self.reading)
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

    def _operands(self, items: Sequence[nodes.Expression | nodes.Operator]) -> list[core.Expression | nodes.Operator]:
        """A chain with its operands resolved; `f(x)` with a small f is decided here, tighter than any operator."""
        result: list[core.Expression | nodes.Operator] = []
        written: nodes.Expression | None = None
        maybe = False  # whether a bracket comes that f may be applied to
        for item in items:
            if isinstance(item, nodes.Operator):
                maybe = item.kind == "MAYBE"
                result += [] if maybe else [item]
            elif maybe and written is not None:
                left = result.pop()
                assert not isinstance(left, nodes.Operator)
                result.append(self._beside(written, left, item))
            else:
                written = item
                result.append(self.expression(item))
        return result

    def _beside(self, written: nodes.Expression, left: core.Expression, right: nodes.Expression) -> core.Expression:
        """`f(x)`, also as the beginning of `f(x)[y]`: f is applied if it is sure to be a function."""
        span = left.span.to(right.span)
        if isinstance(right, nodes.Application):
            function = self._beside(written, left, right.function)
            return core.Apply(function, self.all(right.arguments), span=span)
        assert isinstance(right, nodes.Bracket), right
        items = self.all(right.items)
        if self.is_function(left) or isinstance(left, core.Lambda) or len(items) != 1:
            self.count(left, len(items), span)
            return core.Apply(left, items, span=span)
        if isinstance(written, nodes.Bracket):
            return core.Binary("TIMES", left, items[0], span=span)
        return core.Juxtapose(left, items[0], span=span)

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
                self.complain(messages.CIRCULAR, node.span, name=node.name, through="")
                break
            seen.add(alias.name)
            known = other
        return self.variable(replace(known.name, span=node.span), known.kind if not known.alias else "value", node.span)

    def value(self, node: nodes.Name) -> core.Expression:
        """What a name stands for where a value is wanted."""
        meant = self.name(node)
        if self.is_routine(meant) and isinstance(meant, core.Host):
            self.complain(messages.NOT_A_VALUE, node.span, name=node.name)
        takes = self.takes(meant)
        if takes and {*takes} != {"value"}:
            what = "a function with parameters by reference or substitution, passed on as a value,"
            self.complain(messages.NOT_YET, node.span, what=what)
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
                self.complain(messages.NOT_A_VALUE, function.span, name=function.name)
        elif isinstance(function, nodes.String | nodes.Constant):
            self.complain(messages.NOT_A_FUNCTION, function.span, what=function.span.text)
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

    @contextmanager
    def inside(self, **state: object) -> Iterator[None]:
        """These attributes have other values for a while."""
        before = {name: getattr(self, name) for name in state}
        self.__dict__ |= state
        yield
        self.__dict__ |= before

    def complain(self, cause: Cause, span: Span, help: str | None = None, **words: Any) -> None:
        """Add to the diagnostics."""
        self.found.append(report(cause, span, help=help, **words))

    # Variables

    def variable(self, variable: core.Local | core.Global, kind: Kind, span: Span) -> core.Expression:
        """What the name of a variable of this kind stands for."""
        if kind != "value" and isinstance(variable, core.Local):
            for boundary in self.boundaries:
                if variable.number <= boundary.limit:
                    own = self.variables.hidden(variable.name, variable.span, variable.declared)
                    return replace(boundary.taken.setdefault(variable, own), span=span)
        return _reached(replace(variable, span=span), kind)

    def taken(self, boundary: Boundary) -> tuple[core.Let, ...]:
        """What must be done before a function that takes values is made."""
        return tuple(
            [
                core.Let(own, _reached(replace(shared, span=own.span), self.variables.kinds[shared]), span=own.span)
                for shared, own in boundary.taken.items()
            ]
        )

    def is_fixed(self, name: str) -> bool:
        """Whether this name leads to a variable outside a function that takes values."""
        variable = self.variables.lookup(name)
        if not isinstance(variable, core.Local) or not self.boundaries:
            return False
        own = any(variable in boundary.taken.values() for boundary in self.boundaries)
        return own or variable.number <= self.boundaries[-1].limit

    # Places

    def place(self, target: nodes.Expression) -> core.Place:
        """What stands on the left of := or on the right of ≃."""
        match target:
            case nodes.Bracket(items=(only,), square=False):
                return self.place(only)
            case nodes.Name(name=name, span=span):
                meant = self.name(target)
                if self.is_fixed(name):
                    self.complain(messages.FIXED, span, name=name)
                elif self.is_function(meant):
                    self.complain(messages.CONSTANT, span, name=name)
                elif isinstance(meant, core.Local | core.Global | core.Contents):
                    return meant
                elif not isinstance(meant, core.List):  # of an unknown name it is said already
                    self.complain(messages.NOT_A_TARGET, span)
            case nodes.Follow() | nodes.Application():
                meant = self.expression(target)
                if isinstance(meant, core.Select | core.Component | core.Contents):
                    return meant
                if not (isinstance(meant, core.Apply) and isinstance(meant.function, core.List)):  # an unknown name
                    self.complain(messages.NOT_A_TARGET, target.span)
            case nodes.Conditional(arms=(arm, *others), otherwise=otherwise, span=span):
                rest = nodes.Conditional(tuple(others), otherwise, span=span) if others else otherwise
                return core.Choice(self.expression(arm.test), self.place(arm.value), self.place(rest), span=span)
            case nodes.Chain() if (run := suggest.run_at(target.span)).text in ELSEWHERE:
                self.complain(messages.MISSPELT, run, ELSEWHERE[run.text], run=run.text)
            case nodes.Chain() if suggest.run_at(target.span) == target.span:
                self.found.append(suggest.product_for_name(target.span))
            case _:
                self.complain(messages.NOT_A_TARGET, target.span)
        return core.Local("", 0, span=target.span)

    def assignment(self, command: nodes.Assignment) -> Iterator[core.Command]:
        """`targets := values`. A list of targets in round brackets takes its value apart: our choice, after D9."""
        pairs: list[tuple[core.Place, core.Expression]] = []
        matched = [*_matched(command.targets, command.values)]
        for target, value in matched:
            if not _is_list(target):
                pairs.append((self.place(target), self.expression(value)))
                continue
            given = self.expression(value)
            places: list[core.Place] = []
            hidden = self._apart(target, places)
            if len(matched) == 1 and len(places) == len(target.items) and all(map(_is_variable, places)):
                yield core.Assign(tuple(places), (given,), span=command.span)
                return
            yield core.Let(hidden, given, span=command.span)
            pairs += zip(places, walk.variables(hidden), strict=True)
        yield core.Assign(tuple([place for place, _ in pairs]), tuple([value for _, value in pairs]), span=command.span)

    def _apart(self, target: nodes.Expression, places: list[core.Place]) -> core.Target:
        """Variables for the parts of what will be assigned to the places."""
        if _is_list(target):
            return core.Several(tuple([self._apart(item, places) for item in target.items]), span=target.span)
        places.append(self.place(target))
        return self.variables.hidden("value", target.span)

    def reference(self, node: nodes.Expression) -> core.Expression:
        """The place of an expression as a value; of what has none, a new one that holds its value (our choice)."""
        if not self.has_place(node):
            return core.Reference(self.expression(node), span=node.span)
        return self._referred(self.place(node))

    def _referred(self, place: core.Place) -> core.Expression:
        match place:
            case core.Contents(reference=reference):
                return reference
            case core.Choice(test=test, place=first, otherwise=second, span=span):
                return core.Conditional(((test, self._referred(first)),), self._referred(second), span=span)
            case _:
                return core.Reference(place, span=place.span)

    def shared(self, reference: core.Expression) -> core.Local | core.Global | None:
        """The variable that a name becomes another one for, if it is one for a variable."""
        match reference:
            case core.Reference(place=core.Local() | core.Global() as variable):
                return variable
            case core.Local() if reference in self.variables.kinds:
                return reference
            case _:
                return None

    def has_place(self, node: nodes.Expression) -> bool:
        """Whether this can be assigned to, as far as its shape tells."""
        match node:
            case nodes.Bracket(items=(only,), square=False):
                return self.has_place(only)
            case nodes.Name(name=name):
                variable = self.variables.lookup(name)
                if variable is not None:
                    kind = self.variables.kinds.get(variable, "value")
                    return variable not in self.local_functions and kind != "substitution" and not self.is_fixed(name)
                known = self.outer.known.get(name)
                return known is not None and self.outer.takes(name) is None and known.kind != "substitution"
            case nodes.Follow():
                return True
            case nodes.Application(function=nodes.Name(name=name) as function):
                known = self.outer.known.get(name)
                if self.variables.lookup(name) is None and known is None:
                    return name == "Follow" or name in self.outer.selectors
                return node.square and not self.is_function(self.name(function))
            case nodes.Application(function=function, square=True):
                return self.has_place(function)
            case nodes.Conditional(arms=arms, otherwise=otherwise):
                return all(self.has_place(arm.value) for arm in arms) and self.has_place(otherwise)
            case _:
                return False

    # Arguments

    def given(self, takes: Sequence[Kind] | None, arguments: Sequence[nodes.Expression]) -> tuple[core.Expression, ...]:
        """The arguments of a function, each in the way that its parameter takes it (D20, D21)."""
        kinds: Sequence[Kind] = ["value"] * len(arguments)
        if takes is not None and len(takes) == len(arguments):
            kinds = takes
        return tuple([self.argument(kind, each) for kind, each in zip(kinds, arguments, strict=True)])

    def argument(self, kind: Kind, node: nodes.Expression) -> core.Expression:
        """One argument for a parameter of this kind."""
        match kind:
            case "value":
                return self.expression(node)
            case "reference":
                return self.reference(node)
            case "substitution":
                return core.Lambda((), self.expression(node), by_place=True, span=node.span)
            case _:
                return core.Lambda((), self.reference(node), by_place=True, span=node.span)

    # Commands

    def block(self, section: nodes.Section) -> core.Block:
        """A value block."""
        with self.inside(labels=Variables(), in_loop=False, in_routine=False):
            commands = self.commands(section.statements)
        if not any(isinstance(node, core.Result) for command in commands for node in walk.walk_commands(command)):
            self.complain(messages.EMPTY_BLOCK, section.span)
        return core.Block(commands, span=section.span)

    def result_block(self, section: nodes.Section) -> core.Block:
        """`result of § … §`: `result` is a variable, and its value at the end that of the block (E25, E28)."""
        end = Span(section.span.source, section.span.end - 1, section.span.end)
        with self.variables.block():
            result = self.variables.declare("result", section.span)
            with self.inside(labels=Variables(), in_loop=False, in_routine=False):
                commands = self.commands(section.statements)
        value = core.Result(core.Local("result", result.number, span=end), span=end)
        if not any(result in walk.changed(command) for command in commands):
            self.complain(
                messages.EMPTY_BLOCK, section.span, help="a block of this kind gives its value by: result := …"
            )
        match commands:
            case (*before, core.Assign(places=(core.Local() as place,), values=(given,), span=span)) if place == result:
                commands, value = tuple(before), core.Result(given, span=span)
        return core.Block((core.Declare(result, span=section.span), *commands, value), span=section.span)

    def commands(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """The commands of a section, in a scope of their own."""
        with self.variables.block():
            return self.sequence(statements)

    def body(self, command: nodes.Statement) -> tuple[core.Command, ...]:
        """What a loop or a conditional does, in a scope of its own."""
        if isinstance(command, nodes.Section):
            for name in surface.redefined(command.statements):
                if self._is_variable(name.name):
                    self.complain(messages.ANOTHER, name.span, name=name.name)
        return self.commands((command,))

    def _is_variable(self, name: str) -> bool:
        """Whether this names something in this scope that is no function."""
        if local := self.variables.lookup(name):
            return local not in self.local_functions
        known = self.outer.known.get(name)
        return known is not None and not known.applied

    def sequence(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """Commands in the scope of what is round them."""
        result: list[core.Command] = []
        with self.labels.block():
            labels: dict[str, nodes.Name] = {}
            for statement in statements:
                if isinstance(statement, nodes.Label):
                    self.declare_label(statement.name, labels)
            if len(labels) > MOST_LABELS:
                self.complain(messages.TOO_LONG, [*labels.values()][-1].span, limit=MOST_LABELS, things="labels")
            reached = True
            for index, statement in enumerate(statements):
                was_reached, reached = reached, not walk.ends(result) or isinstance(statement, nodes.Label)
                if reached:
                    result += self.command(statement)
                elif was_reached:
                    *_, last = takewhile(lambda each: not isinstance(each, nodes.Label), statements[index:])
                    self.complain(messages.UNREACHABLE, statement.span.to(last.span))
        return tuple(result)

    def command(self, statement: nodes.Statement) -> tuple[core.Command, ...]:
        """One statement within a block. A section within it is only a scope: its commands come out in line."""
        span = statement.span
        match statement:
            case nodes.Definition(heading=nodes.Name() as name, value=value, sign="=", words=words) if self.is_label(
                value, typed="label" in words
            ):
                return self.define_label(name, value)
            case nodes.Definition() | nodes.Routine():
                if "label" in statement.words:
                    self.no_labels_kept(span)
                return self.together((statement,), rec="rec" in statement.words)
            case nodes.Together(definitions=definitions, words=words):
                return self.together(definitions, rec="rec" in words)
            case nodes.Own(own=own, definition=definition):
                with self.variables.block():
                    given = self.together(own, rec=False)
                    made = self.together((definition,), rec=False)
                    names = {name.name: self._bound(name) for name in surface.names_in(definition.heading)}
                for name in surface.names_in(definition.heading):
                    self.variables.share(name.name, names[name.name])
                return (*given, *made)
            case nodes.Leave(word=word):
                return (self.leave(word, span),)
            case nodes.Label(name=name):
                label = self.labels.lookup(name.name)
                assert isinstance(label, core.Local)
                return (core.Label(label, span=span),)
            case nodes.GoTo(label=target):
                return (self.go_to(target, span),)
            case nodes.Switch(value=value, section=section):
                return self.switch(value, section, span)
            case nodes.Case():
                self.complain(messages.NO_SWITCH, span)
                return ()
            case nodes.Declaration(kind=kind, names=names):
                declared = [self.variables.declare(name.name, name.span, declared=kind) for name in names]
                self.variables.types |= dict.fromkeys(declared, kind)
                if kind == "label":
                    self.no_labels_kept(span)
                return tuple([core.Declare(each, span=each.span) for each in declared])
            case nodes.Declarations(section=section):
                return self.sequence(section.statements)
            case nodes.If(test=test, command=command, unless=unless):
                condition = self.negation(test) if unless else self.expression(test)
                return (core.If(condition, self.body(command), span=span),)
            case nodes.Test(condition=test, command=command, otherwise=otherwise):
                condition = self.expression(test)
                return (core.If(condition, self.body(command), self.body(otherwise), span=span),)
            case nodes.While(test=test, command=command, until=until):
                condition = self.negation(test) if until else self.expression(test)
                with self.inside(in_loop=True):
                    return (core.While(condition, self.body(command), span=span),)
            case nodes.Repeat(command=command, test=test, until=until):
                with self.inside(in_loop=True):
                    commands = self.body(command)
                condition = core.Literal(True, span=span)
                if test is not None:
                    condition = self.negation(test) if until else self.expression(test)
                return (core.Repeat(commands, condition, span=span),)
            case nodes.ForStep(name=name, first=first, step=step, last=last, command=command):
                begin, by, end = (self.expression(each) for each in (first, step, last))
                with self.variables.block(), self.inside(in_loop=True):
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForStep(variable, begin, by, end, self.body(command), span=span),)
            case nodes.ForList(name=name, members=members, command=command):
                meant = self.expression(members)
                with self.variables.block(), self.inside(in_loop=True):
                    variable = self.variables.declare(name.name, name.span)
                    return (core.ForList(variable, meant, self.body(command), span=span),)
            case nodes.Assignment():
                return tuple(self.assignment(statement))
            case nodes.Result(value=value):
                if self.in_routine:
                    self.complain(messages.NO_BLOCK, span, help="a routine has no result; leave it by: return")
                return (core.Result(self.expression(value), span=span),)
            case nodes.Section(statements=statements):
                return self.commands(statements)
            case nodes.Get() | nodes.NodeType() | nodes.Element():
                found = span.text.split()[0]
                self.complain(messages.UNEXPECTED, span, found=found, help="it belongs at the outermost level")
                return ()
            case nodes.ValueCommand(value=value):
                return self.value_command(value, span)

    def together(
        self, definitions: Sequence[nodes.Definition | nodes.Routine], *, rec: bool
    ) -> tuple[core.Command, ...]:
        """Definitions that are obeyed at once: none sees the names of another, or of itself, unless they are `rec`.

        A routine takes what is free in it as places: it is there to change them.
        """
        definitions = [_as_function(each) for each in definitions] if rec else definitions
        names = [self._target(each) for each in definitions] if rec else []
        headings = [each.heading for each in definitions if isinstance(each.heading, nodes.FunctionHeading)]
        with self.variables.unseen_within([] if rec else [each.name.name for each in headings]):
            values = [self._value(each) for each in definitions]
        if not rec:
            before = [command for value in values for command in value.before]
            return (*before, *self._bind(definitions, names, values))
        commands: list[core.Command] = []
        for group in self._order(definitions, names, values):
            commands += [command for at in group for command in values[at].before]
            some = [definitions[at] for at in group], [names[at] for at in group], [values[at] for at in group]
            commands += self._bind(*some)
        return tuple(commands)

    def _order(
        self,
        definitions: Sequence[nodes.Definition | nodes.Routine],
        names: Sequence[core.Target],
        values: Sequence["_Value"],
    ) -> Iterator[list[int]]:
        """The order in which definitions that see each other are obeyed: as written, but each waits for what it uses
        (our choice). Functions that use each other stand together.
        """
        places = {part: at for at, name in enumerate(names) for part in walk.nodes(name)}
        used = [
            {places[part]: part for node in (*each.before, each.value) for part in walk.nodes(node) if part in places}
            for each in values
        ]
        for group in components(used):
            itself = next((at for at in group if not isinstance(definitions[at].heading, nodes.FunctionHeading)), None)
            if itself is not None and used[itself].keys() & {*group}:
                to = next(to for to in used[itself] if to in group)
                name = next(part.span.text for part, at in places.items() if at == itself)
                through = "" if to == itself else f", through {used[itself][to].span.text}"
                self.complain(messages.CIRCULAR, used[itself][to].span, name=name, through=through)
            yield group

    def _value(self, definition: nodes.Definition | nodes.Routine) -> "_Value":
        """What a definition stands for."""
        match definition:
            case nodes.Definition(heading=nodes.FunctionHeading(parameters=parameters), value=value, sign=sign):
                if sign == "≃":
                    self.complain(messages.NOT_SHARED, definition.span)
                with self.function_scope(by_place=sign != "=") as boundary:
                    given = self.parameters(parameters, value)
                    body = self.expression(value)
                return _Value(body, given, self.taken(boundary))
            case nodes.Routine(heading=heading, command=command):
                with self.function_scope(by_place=True):
                    given = self.parameters(heading.parameters, command)
                    return _Value(self.routine_body(command), given)
            case nodes.Definition(value=value, sign="≡"):
                with self.inside(labels=Variables(), in_loop=False):
                    return _Value(self.expression(value))
            case nodes.Definition(value=value, sign="≃"):
                return _Value(self.reference(value))
            case nodes.Definition(value=value):
                return _Value(self.expression(value))

    def _bind(
        self,
        definitions: Sequence[nodes.Definition | nodes.Routine],
        names: list[core.Target],
        values: Sequence["_Value"],
    ) -> Iterator[core.Command]:
        """The values to their names, which are in scope from now on, if they were not before."""
        plain = all(isinstance(each.heading, nodes.Name | nodes.Pattern) and _sign(each) == "=" for each in definitions)
        if len(definitions) > 1 and plain and not names:
            span = definitions[0].span.to(definitions[-1].span)
            names = [self._target(each) for each in definitions]
            given_all = core.Tuple(tuple([each.value for each in values]), span=span)
            yield core.Let(core.Several(tuple(names), span=span), given_all, span=span)
            return
        for index, (definition, each) in enumerate(zip(definitions, values, strict=True)):
            sign, value = _sign(definition), each.value
            shared = self.shared(value) if sign == "≃" and not names else None
            if shared is not None and isinstance(definition.heading, nodes.Name):
                self.variables.share(definition.heading.name, shared)
                continue
            target = names[index] if names else self._target(definition)
            if isinstance(definition.heading, nodes.FunctionHeading) or sign == "≡":
                assert isinstance(target, core.Local)
                result = surface.result(definition)
                yield core.LetFunction(target, each.parameters, value, sign != "=", result, span=definition.span)
            else:
                yield core.Let(target, value, span=definition.span)

    def _target(self, definition: nodes.Definition | nodes.Routine) -> core.Target:
        match definition:
            case nodes.Definition(heading=nodes.FunctionHeading() as heading, value=body):
                pass
            case nodes.Routine(heading=heading, command=body):
                pass
            case nodes.Definition(heading=nodes.Name(name=called, span=span), sign=sign):
                return self.variables.declare(called, span, KINDS[sign], surface.declared(definition))
            case nodes.Definition(heading=nodes.Pattern() as pattern, sign=sign, span=span):
                if sign != "=":
                    self.complain(messages.NOT_SHARED, span)
                return self._locals(pattern, surface.declared(definition))
            case _:
                raise AssertionError(definition)
        name = self.variables.declare(heading.name.name, heading.name.span)
        self.local_functions[name] = kinds(heading.parameters, body, self.outer.takes)
        if isinstance(definition, nodes.Routine):
            self.local_routines.add(name)
        return name

    def _bound(self, name: nodes.Name) -> core.Local | core.Global:
        variable = self.variables.lookup(name.name)
        assert variable is not None
        return variable

    def parameters(self, parameters: Sequence[nodes.Parameter], body: nodes.Node) -> tuple[core.Local, ...]:
        """The variables that a function's parameters are."""
        taken = zip(parameters, kinds(parameters, body, self.outer.takes), strict=True)
        result = tuple([self.variables.declare(each.name, each.span, kind, each.kind) for each, kind in taken])
        self.variables.types |= {local: local.declared for local in result if local.declared}
        for each in parameters:
            if each.kind == "label":
                self.no_labels_kept(each.span)
        return result

    def routine_body(self, command: nodes.Statement) -> core.Block:
        """The commands of a routine."""
        with self.inside(in_loop=False, in_routine=True):
            commands = self.commands((command,))
        return core.Block(commands, routine=True, span=command.span)

    @contextmanager
    def function_scope(self, *, by_place: bool) -> Iterator[Boundary]:
        """Within a function: what is bound outside can be assigned to only if it is taken as a place."""
        made = Boundary(self.variables.count)
        boundaries = self.boundaries if by_place else [*self.boundaries, made]
        with self.variables.block(), self.inside(labels=Variables(), in_loop=False, boundaries=boundaries):
            yield made

    def negation(self, test: nodes.Expression) -> core.Expression:
        """The opposite of a condition."""
        meant = self.expression(test)
        return core.Unary("NOT", meant, span=meant.span)

    def value_command(self, value: nodes.Expression, span: Span) -> tuple[core.Command, ...]:
        """A bare name ends the block with its value, unless it is a routine (our choice, as the recorded examples
        have it).
        """
        match value:
            case nodes.Name():
                meant = self.name(value)
                routine = self.is_routine(meant)
                if routine or (self.is_function(meant) and isinstance(meant, core.Global)):
                    self.count(meant, 0, span)
                    meant = core.Apply(meant, (), span=span)
                return (core.Evaluate(meant, span=span) if routine else core.Result(meant, bare=True, span=span),)
            case nodes.Application(function=nodes.Name(name="Read") as function, arguments=places) if isinstance(
                self.name(function), core.Host
            ):
                return tuple([self.read(each) for each in places])
            case nodes.Application(function=function, arguments=arguments):
                applied = self.apply(function, arguments, span, routine=True)
                match applied:
                    case core.Apply(function=core.Host(name=name)) if not self.outer.host[name].is_command:
                        self.complain(messages.NOT_A_COMMAND, span)
                    case core.Component() | core.Reference() | core.Contents():
                        self.complain(messages.NOT_A_COMMAND, span)
                return (core.Evaluate(applied, span=span),)
            case nodes.Chain(items=items) if any(isinstance(i, nodes.Operator) and i.kind == "EQUAL" for i in items):
                run = suggest.run_at(items[0].span)
                if words := suggest.near_words(run.text):
                    self.complain(messages.MISSPELT, run, suggest.meant(run.text, words), run=run.text)
                else:
                    name = items[0].name if isinstance(items[0], nodes.Name) else ""
                    help = f"to give it another value, write: {name} := …" if self._is_variable(name) else None
                    self.complain(messages.NOT_A_COMMAND, span, help=help or "to define a name, write: let … = …")
                return ()
            case nodes.Chain() if self.is_misspelt(value):
                return ()
            case nodes.Bracket() if span.text.startswith("{"):
                self.complain(messages.NOT_A_COMMAND, span, help=ELSEWHERE["{"])
                return ()
            case _:
                meant = self.expression(value)
                if isinstance(value, nodes.Chain) and isinstance(meant, core.Apply | core.Juxtapose):
                    return (core.Evaluate(meant, span=span),)
                self.complain(messages.NOT_A_COMMAND, span)
                return ()

    def is_misspelt(self, chain: nodes.Expression) -> bool:
        """Whether a word of other languages stands in it, or a name without its capital, which is said then."""
        for part in surface.walk(chain):
            run = suggest.run_at(part.span)
            if not isinstance(part, nodes.Name) or len(run.text) == len(part.span.text):
                continue
            if run.text in ELSEWHERE or self.outer.lookup(run.text.capitalize()):
                self.complain(messages.MISSPELT, run, suggest.help_for(run, [*self.outer.names]), run=run.text)
                return True
        return False

    def read(self, target: nodes.Expression) -> core.Command:
        """`Read[x]`: the next value of the input is assigned to x (O2)."""
        item = core.Host("ReadItem", span=target.span)
        return core.Assign((self.place(target),), (core.Apply(item, (), span=target.span),), span=target.span)

    def _locals(self, heading: nodes.Name | nodes.Pattern, declared: str) -> core.Target:
        match heading:
            case nodes.Name(name=name, span=span):
                return self.variables.declare(name, span, declared=declared)
            case nodes.Pattern(items=items, span=span):
                return core.Several(tuple([self._locals(item, declared) for item in items]), span=span)

    # Labels and jumps

    def declare_label(self, name: nodes.Name, before: dict[str, nodes.Name]) -> None:
        """A label, which is in reach in all of its section, and where it stands in none of those `before`."""
        if name.name in before:
            related = [(before[name.name].span, "first here")]
            self.found.append(report(messages.DEFINED_TWICE, name.span, related=related, name=name.name))
        else:
            self.labels.declare(name.name, name.span)
            before[name.name] = name

    def leave(self, word: str, span: Span) -> core.Command:
        """`break`, `return`, `finish`"""
        match word:
            case "break":
                if not self.in_loop:
                    self.complain(messages.NO_LOOP, span)
                return core.Break(span=span)
            case "return":
                if not self.in_routine:
                    self.complain(messages.NO_ROUTINE, span)
                return core.Return(span=span)
            case _:
                return core.Finish(span=span)

    def go_to(self, target: nodes.Expression, span: Span) -> core.Command:
        """`go to L`; of a conditional, an if (E20)."""
        match target:
            case nodes.Bracket(items=(only,), square=False):
                return self.go_to(only, span)
            case nodes.Conditional(arms=(arm, *others), otherwise=otherwise):
                rest = nodes.Conditional(tuple(others), otherwise, span=target.span) if others else otherwise
                test = self.expression(arm.test)
                return core.If(test, (self.go_to(arm.value, span),), (self.go_to(rest, span),), span=span)
            case nodes.Name(name=name):
                label = self.labels.lookup(name)
                if isinstance(label, core.Local):
                    return (
                        self._one_of(*self.chosen[label], span) if label in self.chosen else core.GoTo(label, span=span)
                    )
                if not self._holds_label(name):
                    self.complain(messages.NO_LABEL, target.span, name=name)
            case _:
                self.complain(messages.NOT_A_LABEL, target.span)
        return core.Finish(span=span)

    def is_label(self, value: nodes.Expression, *, typed: bool) -> bool:
        """Whether a value is a label that is known, or one of several; its type may be written, `label`."""
        match value:
            case nodes.Bracket(items=(only,), square=False):
                return self.is_label(only, typed=typed)
            case nodes.Conditional(arms=arms, otherwise=otherwise):
                return all(self.is_label(each, typed=typed) for each in (*[arm.value for arm in arms], otherwise))
            case nodes.Name(name=name) if self.variables.lookup(name) or not (typed or self.outer.lookup(name) is None):
                return False
            case nodes.Name(name=name):
                label = self.labels.lookup(name)
                return label is not None and label not in self.chosen
            case _:
                return False

    def define_label(self, name: nodes.Name, value: nodes.Expression) -> tuple[core.Command, ...]:
        """A name for a label (T1), or for one of several: which one is kept by its name, until a jump leads there."""
        labels: dict[str, core.Local] = {}
        meant = self._named(value, labels)
        if isinstance(meant, core.Literal):
            self.labels.share(name.name, *labels.values())
            return ()
        kept = self.variables.hidden(name.name, name.span)
        self.chosen[self.labels.declare(name.name, name.span)] = kept, labels
        return (core.Let(kept, meant, span=value.span),)

    def _named(self, value: nodes.Expression, labels: dict[str, core.Local]) -> core.Expression:
        """The name of the label that is chosen, and all `labels` that may be."""
        match value:
            case nodes.Bracket(items=(only,)):
                return self._named(only, labels)
            case nodes.Conditional(arms=arms, otherwise=otherwise, span=span):
                tests = [(self.expression(arm.test), self._named(arm.value, labels)) for arm in arms]
                return core.Conditional(tuple(tests), self._named(otherwise, labels), span=span)
            case nodes.Name(name=name, span=span) if isinstance(label := self.labels.lookup(name), core.Local):
                labels[name] = label
                return core.Literal(name, span=span)
            case _:
                raise AssertionError(value)

    def _one_of(self, kept: core.Local, labels: dict[str, core.Local], span: Span) -> core.Command:
        """The jump to the label whose name is kept."""
        *others, last = labels.items()
        jump: core.Command = core.GoTo(last[1], span=span)
        for name, label in reversed(others):
            test = core.Compare((kept, core.Literal(name, span=span)), ("EQUAL",), span=span)
            jump = core.If(test, (core.GoTo(label, span=span),), (jump,), span=span)
        return jump

    def no_labels_kept(self, span: Span) -> None:
        """Say, once for all, that variables do not hold labels."""
        if not self.label_told:
            help = "go to takes labels and conditions, or a name defined from them: label L = (b → A, B)"
            self.complain(messages.NOT_YET, span, help, what="a label as a value")
        self.label_told = True

    def _holds_label(self, name: str) -> bool:
        """Whether this may be a variable for labels, which has been complained of where it is defined."""
        variable, known = self.variables.lookup(name), self.outer.known.get(name)
        if isinstance(variable, core.Local):
            return self.label_told
        return known is not None and known.is_label

    def switch(self, value: nodes.Expression, section: nodes.Section, span: Span) -> tuple[core.Command, ...]:
        """`switch value into § case 1: … §|`: the commands of the first case that is equal (our choice)."""
        meant = self.expression(value)
        before: tuple[core.Command, ...] = ()
        if not isinstance(meant, core.Local | core.Global):
            kept = self.variables.hidden("value", value.span)
            before, meant = (core.Let(kept, meant, span=value.span),), kept
        cases: list[tuple[list[core.Expression], tuple[core.Command, ...]]] = []
        default: tuple[core.Command, ...] = ()
        at = 0
        while at < len(section.statements):
            labels: list[nodes.Case] = []
            while at < len(section.statements) and isinstance(case := section.statements[at], nodes.Case):
                labels.append(case)
                at += 1
            if not labels:
                self.complain(messages.NO_CASE, section.statements[at].span)
                break
            start = at
            while at < len(section.statements) and not isinstance(section.statements[at], nodes.Case):
                at += 1
            commands = self.commands(section.statements[start:at])
            if any(not label.values for label in labels):
                default = commands
            else:
                wanted = [self.expression(value) for label in labels for value in label.values]
                cases.append((wanted, commands))
        result = default
        for wanted, commands in reversed(cases):
            tests: list[core.Expression] = [core.Compare((meant, each), ("EQUAL",), span=each.span) for each in wanted]
            test = tests[0]
            for other in tests[1:]:
                test = core.Binary("OR", test, other, span=other.span)
            result = (core.If(test, commands, result, span=test.span),)
        return (*before, *result)


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
    return report(messages.WRONG_COUNT, span, related=related, name=name, wanted=wanted, given=given)


def _reached(variable: core.Local | core.Global, kind: Kind) -> core.Expression:
    """What a variable of this kind is for its name."""
    match kind:
        case "value":
            return variable
        case "reference":
            return core.Contents(variable, span=variable.span)
        case "substitution":
            return core.Apply(variable, (), span=variable.span)
        case _:
            return core.Contents(core.Apply(variable, (), span=variable.span), span=variable.span)


def _is_list(node: nodes.Expression) -> TypeGuard[nodes.Bracket]:
    """Whether it is a list in round brackets, and no grouping."""
    return isinstance(node, nodes.Bracket) and not node.square and len(node.items) > 1


def _is_variable(place: core.Place) -> bool:
    return isinstance(place, core.Local | core.Global)


def _matched(
    targets: Sequence[nodes.Expression], values: Sequence[nodes.Expression]
) -> Iterator[tuple[nodes.Expression, nodes.Expression]]:
    """Each target with its value, also those within lists of equal length."""
    for target, value in zip(targets, values, strict=True):
        if _is_list(target) and _is_list(value) and len(target.items) == len(value.items):
            yield from _matched(target.items, value.items)
        else:
            yield target, value


def _sign(definition: nodes.Definition | nodes.Routine) -> str:
    return definition.sign if isinstance(definition, nodes.Definition) else "≡"


def _as_function(definition: nodes.Definition | nodes.Routine) -> nodes.Definition | nodes.Routine:
    """`rec g = λm. …` defines the function g."""
    match definition:
        case nodes.Definition(heading=nodes.Name() as name, value=nodes.Lambda(parameters=parameters, body=body)):
            given = tuple([nodes.Parameter(each.name, span=each.span) for each in parameters])
            heading = nodes.FunctionHeading(name, given, True, span=name.span)
            return replace(definition, heading=heading, value=body)
        case _:
            return definition
