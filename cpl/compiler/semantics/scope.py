"""Scopes: the names of the top level of everything that is compiled together, and the variables of one definition."""

import re
from collections import ChainMap, defaultdict
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Final

from cpl.compiler import messages, suggestions
from cpl.compiler.diagnostics import Diagnostic, report
from cpl.compiler.semantics import core
from cpl.compiler.semantics.labels import named
from cpl.compiler.semantics.library import HostName, Library, Text
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import errors, nodes, surface
from cpl.compiler.syntax.lexer import elsewhere, seen_at
from cpl.compiler.syntax.tokens import CONSTANTS, ELSEWHERE
from cpl.compiler.wording import listed

AnyDefinition = nodes.Definition | nodes.Routine
"""A definition by a sign, or one of a routine."""

MODES: Final = {"=": "", "≃": "reference", "≡": "substitution"}
"""The mode, as in `core.Local.mode`, of a variable that is defined by this sign."""


@dataclass(frozen=True)
class Binding:
    """A name of the top level and the statement that defines it; `before` is the definition that this one hides from
    the place `start` of the text on.
    """

    name: core.Global
    statement: nodes.Statement
    start: int = 0
    before: "Binding | None" = None

    @property
    def all(self) -> Iterator["Binding"]:
        """The definition and those that it hides, the last one first."""
        binding: Binding | None = self
        while binding:
            yield binding
            binding = binding.before

    @property
    def definition(self) -> nodes.Statement:
        """The definition of the name itself, without those that it alone sees (D19)."""
        definition = self.statement
        if isinstance(definition, nodes.Own):
            definition = next(
                member for member in surface.members(definition.inner) if _defines(member, self.name.name)
            )
        return as_function(definition) if isinstance(definition, nodes.Definition) else definition

    @property
    def mode(self) -> str:
        """The mode of the name, as in `core.Local.mode`."""
        return mode(self.definition)

    @property
    def alias(self) -> nodes.Name | None:
        """The name that this one is perhaps an alias of."""
        match self.statement:
            case nodes.Definition(heading=nodes.Name(), value=nodes.Name() as value, sign="≃"):
                return value
            case _:
                return None


def _defines(statement: nodes.Statement, name: str) -> bool:
    return any(defined.name == name for defined in surface.defined(statement))


def mode(definition: nodes.Statement) -> str:
    """Return the mode of the defined variable, as in `core.Local.mode`: a λ-expression after ≡ is a value (D17a)."""
    match definition:
        case nodes.Definition(heading=nodes.Name(), value=value, sign=sign) if not (sign == "≡" and closures(value)):
            return MODES[sign]
        case _:
            return ""


def closures(value: nodes.Expression) -> list[nodes.Lambda]:
    """The λ-expressions that give an expression its value; none if it may have another value.

    Those that are applied at once are among them: what they contain sees through them.
    """
    match value:
        case nodes.Lambda():
            return [value]
        case nodes.Bracket(items=(only,), square=False) | nodes.Where(value=only):
            return closures(only)
        case (
            nodes.Application(function=nodes.Bracket(items=(nodes.Lambda(body=body) as applied,)))
            | nodes.Chain(
                items=(
                    nodes.Bracket(items=(nodes.Lambda(body=body) as applied,)),
                    nodes.Operator(kind="MAYBE_PRODUCT"),
                    nodes.Bracket(),
                )
            )
        ):
            results = closures(body)
            return [applied, *results] if results else []
        case nodes.Conditional(arms=arms, otherwise=otherwise):
            alternatives = [*(arm.value for arm in arms), otherwise]
            several = [closures(alternative) for alternative in alternatives]
            return [*chain.from_iterable(several)] if all(several) else []
        case _:
            return []


def as_function(definition: AnyDefinition, *, rec: bool = False) -> AnyDefinition:
    """`f ≡ λx. e` and `rec f = λx. e` define the function f (D17a); `a, b all = e` gives each name the value (G7)."""
    match definition:
        case nodes.Definition(heading=nodes.Pattern(items=items), value=value, words=words) if "all" in words:
            # (λvalue. (value, value))(e), so that e is evaluated once
            span, name = value.span, nodes.Name("value", span=value.span)
            copies = nodes.Bracket((name,) * len(items), span=span)
            copying = nodes.Bracket((nodes.Lambda((name,), copies, span=span),), span=span)
            applied = nodes.Application(copying, (value,), False, span=span)
            other_words = tuple(word for word in words if word != "all")
            return replace(definition, value=applied, words=other_words)
        case nodes.Definition(heading=nodes.Name() as name, value=nodes.Lambda() as value, sign=sign) if (
            rec or sign == "≡" or "rec" in definition.words
        ):
            parameters = tuple(nodes.Parameter(parameter.name, span=parameter.span) for parameter in value.parameters)
            heading = nodes.FunctionHeading(name, parameters, True, span=name.span)
            return replace(definition, heading=heading, value=value.body)
        case _:
            return definition


def parameters_of(definition: nodes.Node | None) -> tuple[nodes.Parameter, ...] | None:
    """The parameters of a function, a routine or a type; None for anything else."""
    match definition:
        case nodes.NodeType(components=components):
            return components
        case nodes.Element(name=name):
            return (nodes.Parameter("value", span=name.span),)
        case nodes.Definition() | nodes.Routine() if isinstance(definition.heading, nodes.FunctionHeading):
            return definition.heading.parameters
        case _:
            return None


Uses = dict[Span, Span | str]
"""For each place where a name is used, the place where that name is defined; for a name of cplrt, the name."""

Scopes = dict[Span, dict[str, Span]]
"""For each place of a name that nothing defines, the local names in scope there and the places of their definitions."""


@dataclass
class TopLevel:
    """The names of the top level, as one text sees them."""

    trees: list[nodes.Node]
    bindings: dict[str, Binding]
    host: dict[str, HostName]
    selectors: dict[str, Span] = field(default_factory=dict)  # the names of components of nodes, and where they stand
    products: set[Span] = field(default_factory=set)  # runs of unknown letters that are reported
    guesses: int = 20  # how many more suggestions to look for, which is slow
    hidden: dict[core.Global, Binding] = field(default_factory=dict)  # the names that only a part of the text sees
    uses: Uses = field(default_factory=dict)
    scopes: Scopes = field(default_factory=dict)

    def binding(self, name: core.Global) -> Binding | None:
        """The definition of a variable."""
        binding = self.bindings.get(name.name)
        return binding if binding is not None and binding.name == name else self.hidden.get(name)

    def defining(self, name: str, statement: nodes.Statement) -> Binding | None:
        """Return the binding of a name that this statement defines; None if an earlier text defines it."""
        return next((binding for binding in self.bindings[name].all if binding.statement is statement), None)

    def earlier(self, statement: nodes.Statement) -> Iterator[Binding]:
        """The definitions that a statement sees because those that hide them begin only after it (D11, D12)."""
        for last in self.bindings.values():
            if last.before is None:
                continue
            seen = self.seen(last, statement)
            if seen is not last:
                yield seen

    def seen(self, last: Binding, statement: nodes.Statement) -> Binding:
        """Return the binding that a statement sees: the `last` one, or one that it hides."""
        if last.statement.span.source is not statement.span.source:
            return last
        while last.before and last.start > statement.span.start:
            last = last.before
        return last

    def lookup(self, name: str) -> Binding | HostName | None:
        """Return the binding of a name, or the function of cplrt; None if nothing defines it."""
        return self.bindings.get(name) or self.host.get(name)

    @property
    def names(self) -> Iterator[str]:
        """All names."""
        yield from self.bindings
        yield from self.selectors
        yield from self.host

    def mode(self, parameter: nodes.Parameter) -> str:
        """Return the mode of a parameter, as in `core.Local.mode`."""
        if parameter.mode == "substitution" and parameter.span.source in self._with_places:
            return "place by substitution"
        return {"ref": "reference", "substitution": "substitution"}.get(parameter.mode, "")

    @cached_property
    def labels(self) -> dict[str, list[nodes.Name]]:
        """All labels and label variables, by their names."""
        labels: defaultdict[str, list[nodes.Name]] = defaultdict(list)
        for tree in self.trees:
            for part in surface.walk(tree):
                for name in named(part):
                    labels[name.name].append(name)
        return labels

    @cached_property
    def _with_places(self) -> set[Source]:
        """The texts in which a parameter by substitution is used as a place. All arguments by substitution must have
        one there (D20): a function with such parameters may be applied wherever another is.
        """
        functions: list[tuple[AnyDefinition, nodes.FunctionHeading]] = []
        for tree in self.trees:
            for node in surface.walk(tree):
                if isinstance(node, AnyDefinition) and isinstance(node.heading, nodes.FunctionHeading):
                    functions.append((node, node.heading))

        known = {*self.names}
        by_reference: set[tuple[str, int]] = set()
        for _, heading in functions:
            name = heading.name.name
            known.add(name)
            by_reference |= {(name, at) for at, parameter in enumerate(heading.parameters) if parameter.mode == "ref"}

        texts: set[Source] = set()
        for function, heading in functions:
            names = {parameter.name for parameter in heading.parameters if parameter.mode == "substitution"}
            if names and not names.isdisjoint(_names_in_places(function, known, by_reference)):
                texts.add(function.span.source)
        return texts


def _names_in_places(function: nodes.Node, known: Set[str], by_reference: Set[tuple[str, int]]) -> Iterator[str]:
    """The names that stand within places in a function; `known` and `by_reference` are as for `_places`."""
    for node in surface.walk(function):
        for place in _places(node, known, by_reference):
            for part in surface.walk(place):
                if isinstance(part, nodes.Name):
                    yield part.name


def _places(node: nodes.Node, known: Set[str], by_reference: Set[tuple[str, int]]) -> Sequence[nodes.Node]:
    """The parts of a node that are used as places (l-values): assigned to, shared, pointed to, or passed by reference.

    Of functions that are `known`, only the arguments in `by_reference`, each the name of a function and the number of a
    parameter, are passed by reference; of others, any may be.
    """
    match node:
        case nodes.Assignment(targets=targets):
            return targets
        case nodes.Definition(value=value, sign="≃"):
            return (value,)
        case nodes.Application(function=nodes.Name(name="Read" | "Pointer"), arguments=arguments):
            return arguments
        case nodes.Application(function=nodes.Name(name=name), arguments=arguments) if name in known:
            return [argument for at, argument in enumerate(arguments) if (name, at) in by_reference]
        case nodes.Application(arguments=arguments):
            return arguments
        case _:
            return ()


def top_level(program: Text, library: Library, diagnostics: list[Diagnostic]) -> tuple[TopLevel, TopLevel]:
    """Return the names that the unit (program, libraries, companions) sees, and those the standard library sees."""
    texts = (program, *library.libraries, *library.companions)
    unit: dict[str, Binding] = {}
    for text in texts:
        unit = _bindings(text, "", diagnostics) | unit

    components: list[nodes.Parameter] = []
    for text in texts:
        for statement in text.program.statements:
            if isinstance(statement, nodes.NodeType):
                components += statement.components
    for component in components:
        other = unit.get(component.name)
        if other is not None and parameters_of(other.definition) is not None:
            related = [(other.name.span, "and here")]
            help = "a component is chosen by its name, so no function and no type can have it too"
            diagnostics.append(
                report(messages.DEFINED_TWICE, component.span, related=related, name=component.name, help=help)
            )
    selectors = {component.name: component.span for component in reversed(components)}  # the first of a name counts

    closed_trees: list[nodes.Node] = []
    standard: dict[str, Binding] = {}
    if library.standard:
        closed_trees = [library.standard.program]
        standard = _bindings(library.standard, library.standard.source.name, diagnostics)
    closed = TopLevel(closed_trees, standard, library.host)

    # A component of the unit hides the function of its name that the standard library or cplrt has.
    seen = {name: binding for name, binding in standard.items() if name not in selectors}
    host = {name: provided for name, provided in library.host.items() if name not in selectors}
    outer = TopLevel([*(text.program for text in texts), *closed_trees], seen | unit, host, selectors)
    for last in unit.values():
        hidden_by_last = [binding for binding in last.all if binding is not last]
        outer.hidden |= {binding.name: binding for binding in hidden_by_last}
    return outer, closed


def _bindings(text: Text, origin: str, diagnostics: list[Diagnostic]) -> dict[str, Binding]:
    """The names that one text defines at its top level."""
    bindings: dict[str, Binding] = {}
    for whole in text.program.statements:
        words = _words(whole)
        # With rec a name is in scope from the beginning of its definition on, else only after it.
        start = whole.span.start if "rec" in words else whole.span.end
        for statement in surface.members(whole):
            if surface.declared(statement) == "label":
                continue  # label variables belong to the commands
            for name in surface.defined(statement):
                before = bindings.get(name.name)
                if before and ("let" not in words or before.statement.span.start >= whole.span.start):
                    plain = isinstance(statement, nodes.Definition) and statement.heading == name
                    help = f"to give it another value, write: {name.name} := …" if plain else None
                    related = [(before.name.span, "first here")]
                    diagnostics.append(
                        report(messages.DEFINED_TWICE, name.span, related=related, name=name.name, help=help)
                    )
                    continue
                if before:
                    before = replace(before, name=replace(before.name, origin=before.statement.span))
                binding = Binding(core.Global(name.name, origin, span=name.span), statement, start, before)
                declared = surface.declared(binding.definition)
                bindings[name.name] = replace(binding, name=replace(binding.name, declared=declared))
    return bindings


def _words(statement: nodes.Statement) -> Sequence[str]:
    """The words before a definition, such as `let` and `rec`; of `let d in e`, those of d."""
    match statement:
        case nodes.Own(own=definition):
            return definition.words
        case nodes.Definition() | nodes.Routine() | nodes.Together():
            return statement.words
        case _:
            return ()


class Variables:
    """The variables that are in scope while a definition is resolved, the innermost of each name first."""

    def __init__(self) -> None:
        self._scopes: ChainMap[str, tuple[core.Variable, Span]] = ChainMap()
        self.count = 0  # of all variables so far; the numbers of later ones are greater

    def declare(self, name: str, span: Span, mode: str = "", declared: str = "") -> core.Local:
        """A new variable; it is in scope from here to the end of the innermost block."""
        local = replace(self.hidden(name, span, declared), mode=mode)
        self.share(name, local)
        return local

    def hidden(self, name: str, span: Span, declared: str = "") -> core.Local:
        """A new variable that no name of the text leads to."""
        self.count += 1
        return core.Local(name, self.count, declared, span=span)

    def share(self, name: str, variable: core.Variable, defined: Span | None = None) -> None:
        """Make the name, which is `defined` there, an alias of this variable, from here to the end of the innermost
        block.
        """
        self._scopes[name] = variable, defined or variable.span

    def lookup(self, name: str) -> core.Variable | None:
        """The variable of that name, if there is one."""
        return self._scopes[name][0] if name in self._scopes else None

    def defined(self, name: str) -> Span:
        """Return the place where the name of a variable is defined."""
        return self._scopes[name][1]

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block: variables that are declared within it are out of scope after it."""
        self._scopes = self._scopes.new_child()
        yield
        self._scopes = self._scopes.parents

    @property
    def names(self) -> dict[str, Span]:
        """The names in scope, and where they are defined."""
        return {name: defined for name, (_, defined) in self._scopes.items()}


def unknown(name: nodes.Name, variables: Variables, unseen: Sequence[str], top: TopLevel) -> Diagnostic | None:
    """The diagnostic of a name that nothing defines, with what may have been meant; None if it is reported already.

    The functions `unseen` are being defined here without rec.
    """
    run = errors.run_at(name.span)
    if len(run.text) > 1 and len(name.name) == 1:
        return _unknown_product(run, variables, top)
    if any(product.end == name.span.start for product in top.products):
        return None  # the rest of a word such as `wriTe`, whose first letters are reported

    help: str | None = None
    meant: list[str] = []
    if name.name in unseen:
        help = "only with rec does a definition see the name that it defines: let rec, where rec"
    elif name.name.lower() in ELSEWHERE:
        help = elsewhere(name.span)
    elif len(name.name) > 1 and top.guesses > 0:
        top.guesses -= 1
        meant = suggestions.near(name.name, {*variables.names, *top.names, *CONSTANTS})
        help = suggestions.meant(name.name, meant)
    diagnostic = report(messages.UNKNOWN_NAME, name.span, name=name.name, help=help or _in_place(name))
    return replace(diagnostic, fixes=errors.fixes(name.span, meant))


def _in_place(name: nodes.Name) -> str | None:
    """Return the help for an unknown name, as the signs beside it suggest; None if they suggest nothing."""
    seen = seen_at(name.span).replace(f"▸{name.span.text}", f"▸{name.name}◂", 1)
    matches = ((re.search(pattern, seen), help) for pattern, help in _MEANT.items())
    return next((match.expand(help) for match, help in matches if match), None)


_MEANT: Final = {
    r"([0-9.]+)▸[eE]◂?([+−-]?[0-9]+)": r"write a scale factor as \1⏨\2, typed \1\\10\2",
    r"\bRead[ \t]*[(\[][^()\[\]\n]*▸(.*)◂": r"define it first: let \1 = 0, or: integer \1",
    r"▸(.*)◂[ \t]*(\(.*?\))[ \t]*:=": r"define a function by: \1\2 = …",
    r"▸result◂[ \t]*(\[.*?\])?[ \t]*:=": "result := belongs to a block that begins with: result of",
    r"▸(.*)◂[ \t]*(\[.*?\])?[ \t]*:=": r"define it first: let \1 = …",
    r"▸result◂[ \t]*(\(.*\))": r"to return a value, write: result is \1",
    r"[\w'][(\[](?:[^()\[\]\n]*,)?[ \t]*▸.*◂[ \t]*=[ \t]*([^=,()\[\]\n]+)[,)\]]": (
        r"arguments have no names; write the value alone, in its place: \1"
    ),
    "▸l◂": "did you mean the digit 1?",
    "▸O◂": "did you mean the digit 0?",
}
"""Patterns of an unknown name between ▸ and ◂ and of what stands beside it, and the help."""


def _unknown_product(run: Span, variables: Variables, top: TopLevel) -> Diagnostic | None:
    """The diagnostic of letters that stand together and are not all known, one for all of them."""
    if run in top.products:
        return None
    top.products.add(run)
    letters = dict.fromkeys(run.text)
    unknown_letters = [letter for letter in letters if not (variables.lookup(letter) or top.lookup(letter))]
    verb = "are" if len(unknown_letters) > 1 else "is"
    names = f"{listed(unknown_letters)} {verb}"
    top.guesses -= 1
    help = errors.help_for(run, {*variables.names, *top.names} if top.guesses > 0 else ())
    is_misspelt = run.text in ELSEWHERE or top.lookup(run.text.capitalize())
    cause = messages.MISSPELT if is_misspelt else messages.UNKNOWN_PRODUCT
    return report(cause, run, run=run.text, product=" × ".join(run.text), names=names, help=help)
