"""Who defines each name: the outermost level of everything that is compiled together, and the variables of a
definition.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.semantics.library import HostName, Library, Text
from cpl.source import Span
from cpl.syntax import nodes, suggest
from cpl.syntax import walk as surface
from cpl.syntax.tokens import CONSTANTS, ELSEWHERE

Kind = Literal["value", "reference", "substitution", "place by substitution"]
"""What a variable holds: its value; a reference to a place; a function that gives the value, or such a reference."""

KINDS: Final[dict[str, Kind]] = {"=": "value", "≃": "reference", "≡": "substitution"}


_VALUE: Final[Kind] = "value"
_MOST_ROUNDS: Final = 20

Takes = Callable[[str], "tuple[Kind, ...] | None"]
"""How the function of a name takes its parameters, None for what is no function."""


def kinds(parameters: Sequence[nodes.Parameter], body: nodes.Node, takes: Takes) -> tuple[Kind, ...]:
    """How the parameters of a function are taken. One by substitution may be used as a place in the body: then what is
    given must have one (D20).
    """
    if not _substitutes(parameters):
        return tuple([_kind(each, body, takes) for each in parameters])
    inner: dict[str, nodes.Node] = {}
    for node in surface.walk(body):
        if isinstance(node, nodes.Definition | nodes.Routine) and isinstance(node.heading, nodes.FunctionHeading):
            inner[node.heading.name.name] = node
    found: dict[str, tuple[Kind, ...] | None] = {}

    def within(name: str) -> tuple[Kind, ...] | None:
        if name not in inner:
            return takes(name)
        if name not in found:
            found[name] = None  # for one that applies itself
            found[name] = _taken_by(inner[name], within)
        return found[name]

    return tuple([_kind(each, body, within) for each in parameters])


def _substitutes(parameters: Sequence[nodes.Parameter]) -> bool:
    return any(each.mode == "substitution" for each in parameters)


def _taken_by(definition: nodes.Node, takes: Takes) -> tuple[Kind, ...] | None:
    match definition:
        case nodes.NodeType(components=components):
            return tuple([_VALUE for _ in components])
        case nodes.Element():
            return (_VALUE,)
        case nodes.Routine(heading=heading, command=body):
            return kinds(heading.parameters, body, takes)
        case nodes.Definition(heading=nodes.FunctionHeading(parameters=parameters), value=value):
            return kinds(parameters, value, takes)
        case _:
            return None


def _kind(parameter: nodes.Parameter, body: nodes.Node, takes: Takes) -> Kind:
    match parameter.mode:
        case "ref":
            return "reference"
        case "substitution":
            placed = (
                part for node in surface.walk(body) for place in _places(node, takes) for part in surface.walk(place)
            )
            named = any(isinstance(part, nodes.Name) and part.name == parameter.name for part in placed)
            return "place by substitution" if named else "substitution"
        case _:
            return "value"


def _places(node: nodes.Node, takes: Takes) -> Iterator[nodes.Node]:
    """What is used as a place: assigned to, shared, pointed to, or given to a function that does so."""
    match node:
        case nodes.Assignment(targets=targets):
            yield from targets
        case nodes.Definition(value=value, sign="≃"):
            yield value
        case nodes.Application(function=nodes.Name(name="Read" | "Pointer"), arguments=arguments):
            yield from arguments
        case nodes.Application(function=nodes.Name(name=name), arguments=arguments):
            taken = zip(arguments, takes(name) or (), strict=False)
            yield from (each for each, kind in taken if kind in ("reference", "place by substitution"))


@dataclass(frozen=True)
class Known:
    """A name of the outermost level and the text that defines it."""

    name: core.Global
    text: Text
    definition: nodes.Statement

    @property
    def own(self) -> nodes.Statement:
        """Its own definition, without the variables that this one alone sees (D19)."""
        return self.definition.definition if isinstance(self.definition, nodes.Own) else self.definition

    def takes(self, others: Takes) -> tuple[Kind, ...] | None:
        """How its parameters are taken, if that is known of the `others`; None for what is no function."""
        return _taken_by(self.own, others)

    @property
    def substitutes(self) -> bool:
        """Whether it has parameters by substitution."""
        match self.own:
            case nodes.Routine(heading=heading) | nodes.Definition(heading=nodes.FunctionHeading() as heading):
                return _substitutes(heading.parameters)
            case _:
                return False

    @property
    def kind(self) -> Kind:
        """How what the name stands for is reached."""
        match self.definition:
            case nodes.Definition(heading=nodes.Name(), sign=sign):
                return KINDS[sign]
            case _:
                return "value"

    @property
    def alias(self) -> nodes.Name | None:
        """The name of the outermost level that this is another one for, perhaps."""
        match self.definition:
            case nodes.Definition(heading=nodes.Name(), value=nodes.Name() as value, sign="≃"):
                return value
            case _:
                return None

    @property
    def applied(self) -> bool:
        """Whether it is a function, a routine or a type."""
        match self.own:
            case nodes.NodeType() | nodes.Element() | nodes.Routine():
                return True
            case nodes.Definition(heading=heading):
                return isinstance(heading, nodes.FunctionHeading)
            case _:
                return False

    @property
    def is_label(self) -> bool:
        """Whether its type is `label`."""
        match self.definition:
            case nodes.Declaration(kind=kind):
                return kind == "label"
            case nodes.Definition(words=words):
                return "label" in words
            case _:
                return False

    @property
    def routine(self) -> bool:
        """Whether it is obeyed and has no value."""
        return isinstance(self.own, nodes.Routine)


@dataclass
class Outermost:
    """The names of the outermost level, as one text sees them."""

    known: dict[str, Known]
    host: dict[str, HostName]
    selectors: frozenset[str] = frozenset()  # the names of components of nodes
    products: set[Span] = field(default_factory=set)  # runs of letters of which it is said that they are unknown
    guesses: int = 20  # how many more times to look for what may have been meant: it takes its time
    settled: dict[str, tuple[Kind, ...] | None] = field(default_factory=dict)  # of functions that substitute

    def takes(self, name: str) -> tuple[Kind, ...] | None:
        """How a function of the outermost level takes its parameters; None for what is none."""
        known = self.known.get(name)
        if known is None:
            return None
        if not known.substitutes:
            return known.takes(self.takes)
        if not self.settled:
            self._settle([each for each in self.known.values() if each.substitutes])
        return self.settled.get(name)

    def _settle(self, functions: list[Known]) -> None:
        """Which parameters by substitution are used as places: some because they are handed on to others that are."""
        self.settled = {each.name.name: None for each in functions}
        for _ in range(_MOST_ROUNDS):
            before = dict(self.settled)
            functions.reverse()  # whichever way they hand on, it is soon known
            for each in functions:
                self.settled[each.name.name] = each.takes(self.takes)
            if before == self.settled:
                return
        for name, taken in self.settled.items():
            self.settled[name] = tuple(
                ["place by substitution" if kind == "substitution" else kind for kind in taken or ()]
            )

    def lookup(self, name: str) -> Known | HostName | None:
        """Who defines `name`."""
        return self.known.get(name) or self.host.get(name)

    @property
    def names(self) -> Iterator[str]:
        """Every name there is."""
        yield from self.known
        yield from self.selectors
        yield from self.host


def outermost(program: Text, library: Library, found: list[Diagnostic]) -> tuple[Outermost, Outermost]:
    """What the unit (the program, its libraries and companions) sees, and what the standard library sees."""
    unit: dict[str, Known] = {}
    for text in (program, *library.libraries, *library.companions):
        for name, known in _defined(text, "", found).items():
            unit.setdefault(name, known)
    components = [
        component
        for text in (program, *library.libraries, *library.companions)
        for statement in text.program.statements
        if isinstance(statement, nodes.NodeType)
        for component in statement.components
    ]
    for component in components:
        other = unit.get(component.name)
        if other is not None and other.applied:
            related = [(other.name.span, "and here")]
            help = "a component is chosen by its name, so no function and no type can have it too"
            found.append(
                report(messages.DEFINED_TWICE, component.span, related=related, name=component.name, help=help)
            )
    selectors = frozenset([component.name for component in components])
    standard: dict[str, Known] = {}
    if library.standard:
        standard = _defined(library.standard, library.standard.source.name, found)
    seen = {name: known for name, known in standard.items() if name not in selectors}
    host = {name: given for name, given in library.host.items() if name not in selectors}
    outer = Outermost(seen | unit, host, selectors)
    return outer, Outermost(standard, library.host)


def _defined(text: Text, origin: str, found: list[Diagnostic]) -> dict[str, Known]:
    """The names that one text defines at its outermost level."""
    defined: dict[str, Known] = {}
    for statement in (each for whole in text.program.statements for each in surface.parts(whole)):
        for name in surface.defined(statement):
            if name.name in defined:
                first = defined[name.name].name.span
                plain = isinstance(statement, nodes.Definition) and statement.heading == name and not statement.words
                help = f"to give it another value, write: {name.name} := …" if plain else None
                found.append(
                    report(
                        messages.DEFINED_TWICE, name.span, related=[(first, "first here")], name=name.name, help=help
                    )
                )
                continue
            variable = core.Global(name.name, origin, surface.declared(statement), span=name.span)
            defined[name.name] = Known(variable, text, statement)
    return defined


class Variables:
    """The variables that are in scope while a definition is read, the innermost of each name first."""

    def __init__(self) -> None:
        self._stacks: dict[str, list[core.Local | core.Global]] = {}
        self._trail: list[str] = []
        self._count = 0
        self.kinds: dict[core.Local | core.Global, Kind] = {}  # of those that hold no plain value
        self.types: dict[core.Local, str] = {}  # that settle what a subscript means: of parameters, and in declarations
        self.unseen: list[str] = []  # of functions that are being defined without rec

    def declare(self, name: str, span: Span, kind: Kind = "value", declared: str = "") -> core.Local:
        """A new variable; it is in scope from here to the end of the innermost block."""
        local = self.hidden(name, span, declared)
        if kind != "value":
            local = replace(local, mode=kind)
            self.kinds[local] = kind
        self.share(name, local)
        return local

    def hidden(self, name: str, span: Span, declared: str = "") -> core.Local:
        """A new variable that no name of the text leads to."""
        self._count += 1
        return core.Local(name, self._count, declared, span=span)

    def share(self, name: str, variable: core.Local | core.Global) -> None:
        """The name leads to this variable too, from here to the end of the innermost block."""
        self._stacks.setdefault(name, []).append(variable)
        self._trail.append(name)

    @property
    def count(self) -> int:
        """How many variables there have been so far; the numbers of later ones are greater."""
        return self._count

    def lookup(self, name: str) -> core.Local | core.Global | None:
        """The variable of that name, if there is one."""
        stack = self._stacks.get(name)
        return stack[-1] if stack else None

    @contextmanager
    def block(self) -> Iterator[None]:
        """Variables declared within are out of scope again after."""
        mark = len(self._trail)
        yield
        for name in self._trail[mark:]:
            self._stacks[name].pop()
        del self._trail[mark:]

    @contextmanager
    def unseen_within(self, names: Sequence[str]) -> Iterator[None]:
        """Within their own definitions these names are not in scope, and whoever uses them may want to know why."""
        mark = len(self.unseen)
        self.unseen += names
        yield
        del self.unseen[mark:]

    @property
    def names(self) -> Iterator[str]:
        """Every name in scope."""
        return (name for name, stack in self._stacks.items() if stack)


def unknown(name: nodes.Name, variables: Variables, outer: Outermost) -> Diagnostic | None:
    """Nothing defines this name: say what may have been meant. None if that is said of it already."""
    run = suggest.run_at(name.span)
    if len(run.text) > 1 and len(name.name) == 1:
        return _unknown_product(run, variables, outer)
    if any(product.end == name.span.start for product in outer.products):
        return None
    help = None
    if name.name in variables.unseen:
        help = "only with rec does a definition see the name that it defines: let rec, where rec"
    elif name.name.lower() in ELSEWHERE:
        help = ELSEWHERE[name.name.lower()]
    elif len(name.name) > 1 and outer.guesses > 0:
        outer.guesses -= 1
        help = suggest.meant(name.name, suggest.near(name.name, {*variables.names, *outer.names, *CONSTANTS}))
    return report(messages.UNKNOWN_NAME, name.span, name=name.name, help=help or _assigned(name))


def _assigned(name: nodes.Name) -> str | None:
    """What to do before something is assigned to a name."""
    span = name.span
    match = re.match(r"[ \t]*(\(.*?\)|\[.*?\])?[ \t]*:=", span.source.text[span.end : span.end + _MOST_SEEN])
    if match and (match[1] or "").startswith("("):
        return f"a function is defined by: {name.name}{match[1]} = …"
    return f"define it first: let {name.name} = …" if match else None


_MOST_SEEN: Final = 100


def _unknown_product(run: Span, variables: Variables, outer: Outermost) -> Diagnostic | None:
    """Letters that stand together and are not all known: one finding for all of them."""
    if run in outer.products:
        return None
    outer.products.add(run)
    letters = [each for each in dict.fromkeys(run.text) if not (variables.lookup(each) or outer.lookup(each))]
    names = f"{', '.join(letters[:-1])} and {letters[-1]} are" if len(letters) > 1 else f"{letters[0]} is"
    product = " × ".join(run.text)
    outer.guesses -= 1
    help = suggest.help_for(run, {*variables.names, *outer.names} if outer.guesses > 0 else ())
    return report(messages.UNKNOWN_PRODUCT, run, run=run.text, product=product, names=names, help=help)
