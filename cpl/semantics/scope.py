"""What each name stands for: the names of the top level of everything that is compiled together, and the variables of
one definition.
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.semantics.library import HostName, Library, Text
from cpl.source import Span
from cpl.syntax import nodes, suggest
from cpl.syntax import walk as surface
from cpl.syntax.tokens import CONSTANTS, ELSEWHERE

Definition = nodes.Definition | nodes.Routine

MODES: Final = {"=": "", "≃": "reference", "≡": "substitution"}
"""What a variable holds that is defined by this sign, as in `core.Local.mode`."""


@dataclass(frozen=True)
class Entry:
    """A name of the top level and the statement that defines it."""

    name: core.Global
    statement: nodes.Statement

    @property
    def definition(self) -> nodes.Statement:
        """The definition of the name itself, without those that it alone sees (D19)."""
        return self.statement.definition if isinstance(self.statement, nodes.Own) else self.statement

    @property
    def mode(self) -> str:
        """What the name holds, as in `core.Local.mode`."""
        match self.statement:
            case nodes.Definition(heading=nodes.Name(), sign=sign):
                return MODES[sign]
            case _:
                return ""

    @property
    def alias(self) -> nodes.Name | None:
        """The name that this one is perhaps an alias of."""
        match self.statement:
            case nodes.Definition(heading=nodes.Name(), value=nodes.Name() as value, sign="≃"):
                return value
            case _:
                return None

    @property
    def is_applied(self) -> bool:
        """Whether it is a function, a routine or a type."""
        return parameters_of(self.definition) is not None


def parameters_of(definition: nodes.Statement | None) -> tuple[nodes.Parameter, ...] | None:
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


@dataclass
class TopLevel:
    """The names of the top level, as one text sees them."""

    trees: list[nodes.Node]
    entries: dict[str, Entry]
    host: dict[str, HostName]
    selectors: frozenset[str] = frozenset()  # the names of components of nodes
    products: set[Span] = field(default_factory=set)  # runs of unknown letters that are reported
    guesses: int = 20  # how many more suggestions to look for, which is slow
    capturing: set[core.Global] = field(default_factory=set)  # the functions that capture values (D17)

    def entry(self, name: core.Global) -> Entry | None:
        """What defines a variable."""
        return entry if (entry := self.entries.get(name.name)) and entry.name == name else None

    def lookup(self, name: str) -> Entry | HostName | None:
        """What defines a name."""
        return self.entries.get(name) or self.host.get(name)

    @property
    def names(self) -> Iterator[str]:
        """All names."""
        yield from self.entries
        yield from self.selectors
        yield from self.host

    def mode(self, parameter: nodes.Parameter) -> str:
        """How a parameter is passed, as in `core.Local.mode`."""
        if parameter.mode == "substitution" and parameter.span in self._assigned_parameters:
            return "place by substitution"
        return {"ref": "reference", "substitution": "substitution"}.get(parameter.mode, "")

    @cached_property
    def _assigned_parameters(self) -> set[Span]:
        """The parameters by substitution that are used as places, so that their arguments must have one (D20).

        One that is passed on to a function of a name counts if any function of that name uses its own as a place.
        """
        functions = [
            (node, node.heading)
            for tree in self.trees
            for node in surface.walk(tree)
            if isinstance(node, Definition) and isinstance(node.heading, nodes.FunctionHeading)
        ]
        found: set[Span] = set()
        receiving: set[tuple[str, int]] = set()  # the functions that use these parameters of theirs as places
        size = -1
        while len(found) > size:
            size = len(found)
            functions.reverse()  # long chains of functions stand in the order of their calls, or against it
            for function, heading in functions:
                substituted = any(each.mode == "substitution" for each in heading.parameters)
                assigned = _mentioned_places(function, receiving) if substituted else set()
                for at, each in enumerate(heading.parameters):
                    if each.mode == "ref" or (each.mode == "substitution" and each.name in assigned):
                        found.add(each.span)
                        receiving.add((heading.name.name, at))
        return found


def _mentioned_places(function: nodes.Node, receiving: Set[tuple[str, int]]) -> Set[str]:
    """The names in those parts of a function that are used as places."""
    places = [place for node in surface.walk(function) for place in _places(node, receiving)]
    return {part.name for place in places for part in surface.walk(place) if isinstance(part, nodes.Name)}


def _places(node: nodes.Node, receiving: Set[tuple[str, int]]) -> Sequence[nodes.Node]:
    """The parts of a node that are used as places: assigned to, shared, pointed to, or passed on as places."""
    match node:
        case nodes.Assignment(targets=targets):
            return targets
        case nodes.Definition(value=value, sign="≃"):
            return (value,)
        case nodes.Application(function=nodes.Name(name="Read" | "Pointer"), arguments=arguments):
            return arguments
        case nodes.Application(function=nodes.Name(name=name), arguments=arguments):
            return [argument for at, argument in enumerate(arguments) if (name, at) in receiving]
        case _:
            return ()


def top_level(program: Text, library: Library, found: list[Diagnostic]) -> tuple[TopLevel, TopLevel]:
    """What the unit (the program, its libraries and companions) sees, and what the standard library sees."""
    texts = (program, *library.libraries, *library.companions)
    unit: dict[str, Entry] = {}
    for text in texts:
        unit = _entries(text, "", found) | unit
    statements = (statement for text in texts for statement in text.program.statements)
    components = [each for one in statements if isinstance(one, nodes.NodeType) for each in one.components]
    for component in components:
        other = unit.get(component.name)
        if other is not None and other.is_applied:
            related = [(other.name.span, "and here")]
            help = "a component is chosen by its name, so no function and no type can have it too"
            cause = messages.DEFINED_TWICE
            found.append(report(cause, component.span, related=related, name=component.name, help=help))
    selectors = frozenset([component.name for component in components])
    standard: dict[str, Entry] = {}
    trees: list[nodes.Node] = []
    if library.standard:
        standard = _entries(library.standard, library.standard.source.name, found)
        trees = [library.standard.program]
    seen = {name: entry for name, entry in standard.items() if name not in selectors}
    host = {name: given for name, given in library.host.items() if name not in selectors}
    outer = TopLevel([*(text.program for text in texts), *trees], seen | unit, host, selectors)
    return outer, TopLevel(trees, standard, library.host)


def _entries(text: Text, origin: str, found: list[Diagnostic]) -> dict[str, Entry]:
    """The names that one text defines at its top level."""
    entries: dict[str, Entry] = {}
    for statement in (each for whole in text.program.statements for each in surface.members(whole)):
        for name in surface.defined(statement):
            if first := entries.get(name.name):
                plain = isinstance(statement, nodes.Definition) and statement.heading == name and not statement.words
                help = f"to give it another value, write: {name.name} := …" if plain else None
                related = [(first.name.span, "first here")]
                found.append(report(messages.DEFINED_TWICE, name.span, related=related, name=name.name, help=help))
            else:
                variable = core.Global(name.name, origin, surface.declared(statement), span=name.span)
                entries[name.name] = Entry(variable, statement)
    return entries


class Variables:
    """The variables that are in scope while a definition is resolved, the innermost of each name first."""

    def __init__(self) -> None:
        self._scopes: ChainMap[str, core.Local | core.Global] = ChainMap()
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

    def share(self, name: str, variable: core.Local | core.Global) -> None:
        """Make the name an alias of this variable, from here to the end of the innermost block."""
        self._scopes[name] = variable

    def lookup(self, name: str) -> core.Local | core.Global | None:
        """The variable of that name, if there is one."""
        return self._scopes.get(name)

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block: variables that are declared within it are out of scope after it."""
        outer = self._scopes
        self._scopes = outer.new_child()
        yield
        self._scopes = outer

    @property
    def names(self) -> Iterator[str]:
        """The names in scope."""
        return iter(self._scopes)


def unknown(name: nodes.Name, variables: Variables, unseen: Sequence[str], top: TopLevel) -> Diagnostic | None:
    """The diagnostic of a name that nothing defines, with what may have been meant; None if it is reported already.

    The functions `unseen` are being defined here without rec.
    """
    run = suggest.run_at(name.span)
    if len(run.text) > 1 and len(name.name) == 1:
        return _unknown_product(run, variables, top)
    if any(product.end == name.span.start for product in top.products):
        return None
    help = None
    if name.name in unseen:
        help = "only with rec does a definition see the name that it defines: let rec, where rec"
    elif name.name.lower() in ELSEWHERE:
        help = ELSEWHERE[name.name.lower()]
    elif len(name.name) > 1 and top.guesses > 0:
        top.guesses -= 1
        help = suggest.meant(name.name, suggest.near(name.name, {*variables.names, *top.names, *CONSTANTS}))
    return report(messages.UNKNOWN_NAME, name.span, name=name.name, help=help or _assigned(name))


_MOST_SEEN: Final = 100


def _assigned(name: nodes.Name) -> str | None:
    """How to define a name that is assigned to."""
    span = name.span
    match = re.match(r"[ \t]*(\(.*?\)|\[.*?\])?[ \t]*:=", span.source.text[span.end : span.end + _MOST_SEEN])
    if match and (match[1] or "").startswith("("):
        return f"define a function by: {name.name}{match[1]} = …"
    return f"define it first: let {name.name} = …" if match else None


def _unknown_product(run: Span, variables: Variables, top: TopLevel) -> Diagnostic | None:
    """The diagnostic of letters that stand together and are not all known, one for all of them."""
    if run in top.products:
        return None
    top.products.add(run)
    *others, last = [each for each in dict.fromkeys(run.text) if not (variables.lookup(each) or top.lookup(each))]
    names = f"{', '.join(others)} and {last} are" if others else f"{last} is"
    top.guesses -= 1
    help = suggest.help_for(run, {*variables.names, *top.names} if top.guesses > 0 else ())
    is_misspelt = run.text in ELSEWHERE or top.lookup(run.text.capitalize())
    cause = messages.MISSPELT if is_misspelt else messages.UNKNOWN_PRODUCT
    return report(cause, run, run=run.text, product=" × ".join(run.text), names=names, help=help)
