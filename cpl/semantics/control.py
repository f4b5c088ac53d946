"""Where commands go on: labels and jumps, what leaves a loop, a routine or the program, and switches.

`blocks` builds on it and supplies the commands.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core
from cpl.semantics.places import Places
from cpl.semantics.scope import Outermost, Variables
from cpl.source import Span
from cpl.syntax import nodes


class Control(Places):
    """Resolves what in the commands of one definition leads elsewhere than to the next."""

    def __init__(self, outer: Outermost, found: list[Diagnostic]) -> None:
        super().__init__(outer, found)
        self.labels = Variables()
        self.in_loop = False
        self.in_routine = False

    @abstractmethod
    def commands(self, statements: Sequence[nodes.Statement]) -> tuple[core.Command, ...]:
        """The commands of a section, in a scope of their own."""

    @contextmanager
    def no_labels(self) -> Iterator[None]:
        """Where jumps to what is outside are not possible: in a function, and in a value block."""
        before, self.labels = self.labels, Variables()
        yield
        self.labels = before

    @contextmanager
    def loop(self, *, within: bool = True) -> Iterator[None]:
        """What stands here may leave a loop by break, or not."""
        before, self.in_loop = self.in_loop, within
        yield
        self.in_loop = before

    @contextmanager
    def routine(self, *, within: bool = True) -> Iterator[None]:
        """What stands here may leave a routine by return and gives no result, or the other way about."""
        before, self.in_routine = self.in_routine, within
        yield
        self.in_routine = before

    def declare_label(self, name: nodes.Name, before: dict[str, nodes.Name]) -> None:
        """A label, which is in reach in all of its section, and where it stands in none of those `before`."""
        if name.name in before:
            related = [(before[name.name].span, "first here")]
            self.found.append(report(causes.DEFINED_TWICE, name.span, related=related, name=name.name))
        else:
            self.labels.declare(name.name, name.span)
            before[name.name] = name

    def leave(self, word: str, span: Span) -> core.Command:
        """`break`, `return`, `finish`"""
        match word:
            case "break":
                if not self.in_loop:
                    self.complain(causes.NO_LOOP, span)
                return core.Break(span=span)
            case "return":
                if not self.in_routine:
                    self.complain(causes.NO_ROUTINE, span)
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
                    return core.GoTo(label, span=span)
                self.complain(causes.NO_LABEL, target.span, name=name)
            case _:
                self.complain(causes.NOT_A_LABEL, target.span)
        return core.Finish(span=span)

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
                self.complain(causes.NO_CASE, section.statements[at].span)
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
