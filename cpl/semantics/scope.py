"""Who defines each name: the outermost level of everything that is compiled together, and the variables of a
definition.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.semantics.library import HostName, Library, Text
from cpl.source import Span
from cpl.syntax import nodes, spelling
from cpl.syntax.signs import CONSTANTS, ELSEWHERE


@dataclass(frozen=True)
class Known:
    """A name of the outermost level and the text that defines it; `parameters` is None for what is no function."""

    name: core.Global
    text: Text
    definition: nodes.Definition | nodes.Routine

    @property
    def parameters(self) -> int | None:
        """How many arguments it takes."""
        heading = self.definition.heading
        return len(heading.parameters) if isinstance(heading, nodes.FunctionHeading) else None

    @property
    def routine(self) -> bool:
        """Whether it is obeyed and has no value."""
        return isinstance(self.definition, nodes.Routine)


@dataclass
class Outermost:
    """The names of the outermost level, as one text sees them."""

    known: dict[str, Known]
    host: dict[str, HostName]
    elsewhere: Callable[[], dict[str, str]] = dict
    products: set[Span] = field(default_factory=set)  # runs of letters of which it is said that they are unknown
    guesses: int = 20  # how many more times to look for what may have been meant: it takes its time

    def lookup(self, name: str) -> Known | HostName | None:
        """Who defines `name`."""
        return self.known.get(name) or self.host.get(name)

    @property
    def names(self) -> Iterator[str]:
        """Every name there is."""
        yield from self.known
        yield from self.host


def outermost(program: Text, library: Library, found: list[Diagnostic]) -> tuple[Outermost, Outermost]:
    """What the unit (the program, its libraries and companions) sees, and what the standard library sees."""
    unit: dict[str, Known] = {}
    for text in (program, *library.libraries, *library.companions):
        for name, known in _defined(text, "", found).items():
            unit.setdefault(name, known)
    standard: dict[str, Known] = {}
    if library.standard:
        standard = _defined(library.standard, library.standard.source.name, found)
    outer = Outermost(standard | unit, library.host, library.elsewhere)
    return outer, Outermost(standard, library.host)


def _defined(text: Text, origin: str, found: list[Diagnostic]) -> dict[str, Known]:
    """The names that one text defines at its outermost level."""
    defined: dict[str, Known] = {}
    for statement in (each for whole in text.program.statements for each in nodes.definitions(whole)):
        for name in nodes.names_in(statement.heading):
            if name.name in defined:
                first = defined[name.name].name.span
                found.append(report(causes.DEFINED_TWICE, name.span, related=[(first, "first here")], name=name.name))
                continue
            defined[name.name] = Known(core.Global(name.name, origin, span=name.span), text, statement)
    return defined


class Variables:
    """The variables that are in scope while a definition is read, the innermost of each name first."""

    def __init__(self) -> None:
        self._stacks: dict[str, list[core.Local]] = {}
        self._trail: list[str] = []
        self._count = 0

    def declare(self, name: str, span: Span) -> core.Local:
        """A new variable; it is in scope from here to the end of the innermost block."""
        self._count += 1
        local = core.Local(name, self._count, span=span)
        self._stacks.setdefault(name, []).append(local)
        self._trail.append(name)
        return local

    @property
    def count(self) -> int:
        """How many variables there have been so far; the numbers of later ones are greater."""
        return self._count

    def again(self, local: core.Local | core.Global) -> None:
        """A variable of an inner block comes into scope here too."""
        assert isinstance(local, core.Local)
        self._stacks.setdefault(local.name, []).append(local)
        self._trail.append(local.name)

    def lookup(self, name: str) -> core.Local | None:
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

    @property
    def names(self) -> Iterator[str]:
        """Every name in scope."""
        return (name for name, stack in self._stacks.items() if stack)


def unknown(name: nodes.Name, variables: Variables, outer: Outermost) -> Diagnostic | None:
    """Nothing defines this name: say what may have been meant. None if that is said of it already."""
    run = spelling.run_at(name.span)
    if len(run.text) > 1 and len(name.name) == 1:
        return _unknown_product(run, variables, outer)
    help = None
    elsewhere = outer.elsewhere()
    if name.name in elsewhere:
        help = f"{name.name} is defined in {elsewhere[name.name]}: add --library {elsewhere[name.name]}"
    elif name.name.lower() in ELSEWHERE:
        help = ELSEWHERE[name.name.lower()]
    elif len(name.name) > 1 and outer.guesses > 0:
        outer.guesses -= 1
        if close := spelling.closest(name.name, {*variables.names, *outer.names, *CONSTANTS}):
            help = f"did you mean {close}?"
    return report(causes.UNKNOWN_NAME, name.span, name=name.name, help=help)


def _unknown_product(run: Span, variables: Variables, outer: Outermost) -> Diagnostic | None:
    """Letters that stand together and are not all known: one finding for all of them."""
    if run in outer.products:
        return None
    outer.products.add(run)
    letters = [each for each in dict.fromkeys(run.text) if not (variables.lookup(each) or outer.lookup(each))]
    names = " and ".join([", ".join(letters[:-1]), letters[-1]]) if len(letters) > 1 else letters[0]
    product = " × ".join(run.text)
    outer.guesses -= 1
    help = spelling.help_for(run.text, {*variables.names, *outer.names} if outer.guesses > 0 else ())
    return report(causes.UNKNOWN_PRODUCT, run, run=run.text, product=product, names=names, help=help)
