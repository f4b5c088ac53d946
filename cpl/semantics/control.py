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
        self.chosen: dict[core.Local, tuple[core.Local, dict[str, core.Local]]] = {}  # names defined as one of labels
        self.label_told = False
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
                    return (
                        self._one_of(*self.chosen[label], span) if label in self.chosen else core.GoTo(label, span=span)
                    )
                if not self._holds_label(name):
                    self.complain(causes.NO_LABEL, target.span, name=name)
            case _:
                self.complain(causes.NOT_A_LABEL, target.span)
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
            self.complain(causes.NOT_YET, span, help, what="a label as a value")
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
