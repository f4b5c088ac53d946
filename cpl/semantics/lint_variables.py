"""Lints of the variables and labels of a definition: those that nothing uses, and those taken for others. `lint` calls
it.
"""

from collections.abc import Iterator, Set

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.histories import Histories, Read, Variable
from cpl.source import Span


def of_variables(definition: core.Definition, functions: Set[str]) -> Iterator[Diagnostic]:
    """What there is to say of the variables in a definition; `functions` are the names of those round it."""
    histories = Histories()
    histories.go(definition)
    judge = _Judge(histories, functions)
    for variable in histories.variables.values():
        if variable.is_written:
            yield from judge.variable(variable)
    for label in histories.labels:
        if label not in histories.jumps:
            yield report(messages.UNUSED_LABEL, label.span, name=label.name)


class _Judge:
    """Knows the variables of a definition by their names."""

    def __init__(self, histories: Histories, functions: Set[str]) -> None:
        self.histories = histories
        self.functions = functions
        self.named: dict[str, list[Variable]] = {}
        for variable in histories.variables.values():
            self.named.setdefault(variable.name.name, []).append(variable)

    def variable(self, variable: Variable) -> Iterator[Diagnostic]:
        """What there is to say of one variable."""
        span, name = variable.name.span, variable.name.name
        match variable:
            case Variable(role="let" | "where" | "declared" | "function", reads=[]):
                if any(map(_is_input, variable.values)):
                    return  # it is read to get past it
                if variable.given:
                    related = [(variable.given[0].span, "it is given a value here")]
                    yield report(messages.NEVER_READ, span, related=related, name=name)
                else:
                    yield report(messages.ANOTHER if self._is_another(variable) else messages.UNUSED, span, name=name)
            case Variable(role="let", loops=[*_, _], values=[first], given=[]) if not isinstance(first, core.Local):
                yield from self._same_each_time(variable)
            case Variable(role="parameter", escapes=False) if not self.histories.labels:
                lost = [given for given in variable.given if not variable.read_after(given.read_from)]
                if lost and not _is_said_to_be_value(variable):
                    yield report(messages.LOST, lost[0].span, name=name)
        yield from self._not_seen(variable)
        if variable.multiplied and self._hides_function(variable):
            yield report(messages.HIDES, variable.multiplied[0], related=[(span, f"this {name}")], name=name)

    def _not_seen(self, function: Variable) -> Iterator[Diagnostic]:
        """A function that is used after what it took has another value; where one takes the place, that is chosen."""
        taken = (self.histories.variables.get(each) for each in function.taken)
        changes = [(given, known) for known in taken if known and not known.escapes for given in known.given]
        for given, known in sorted(changes, key=lambda each: each[0].at):
            start = function.read_from(given.at, given.loops)
            uses = (each for each in function.reads if each.at >= start and given.comes_before(each))
            if given.at > function.at and (use := next(uses, None)):
                yield not_seen(function.name, known.name.name, given.span, use.span)
                return

    def _is_another(self, variable: Variable) -> bool:
        """Whether a variable of the same name may have been meant: one that its value comes from, or one used later."""
        if variable.role == "where":
            return False
        if any(self._is_outer(part, variable) for value in variable.values for part in walk.nodes(value)):
            return True
        earlier = (each for each in self.named[variable.name.name] if each.at < variable.at and each.role != "function")
        return any(each.read_after(each.read_from(variable.at, variable.loops)) for each in earlier)

    def _is_outer(self, part: core.Node, variable: Variable) -> bool:
        match part:
            case core.Local(name=name):
                known = self.histories.variables.get(part)
                is_outer = known is not None and known.role != "function" and known.at <= variable.since
                return name == variable.name.name and is_outer
            case core.Global(name=name):
                return name == variable.name.name and name not in self.functions
            case _:
                return False

    def _same_each_time(self, variable: Variable) -> Iterator[Diagnostic]:
        """In a loop, one that is made from another of that name which nothing changes, though it is used later.

        One that begins as a copy, or changes, is there to be changed.
        """
        loop, name = variable.loops[-1], variable.name.name
        mentioned = (self.histories.variables.get(each) for each in _locals(variable.values[0], name))
        outer = next((each for each in mentioned if each is not None and each.at <= loop.start), None)
        if outer is None or outer.given or outer.escapes:
            return
        later = (read for read in outer.reads if loop.start < read.at <= loop.tested or read.at > variable.at)
        if read := next((each for each in later if not self._is_for_another(each, name)), None):
            related = [(outer.name.span, "the outer one"), (read.span, "it is used here")]
            yield report(messages.SAME_EACH_TIME, variable.name.span, related=related, name=name)

    def _is_for_another(self, read: Read, name: str) -> bool:
        """Whether a value is read to make one more variable of that name."""
        return any(each.since < read.at <= each.at for each in self.named[name])

    def _hides_function(self, variable: Variable) -> bool:
        """Whether it is sure to be no function, and a function of the outermost level has the same name."""
        sure = bool(variable.values) and all(map(_is_no_function, variable.values))
        return variable.name.name in self.functions and (variable.role == "counted" or sure)


def not_seen(function: core.Local | core.Global, name: str, changed: Span, use: Span) -> Diagnostic:
    """A function defined with = is used after a variable was changed whose value it took."""
    related = [(function.span, "its value was taken here"), (changed, "it was changed here")]
    return report(messages.NOT_SEEN, use, related=related, function=function.name, name=name)


def _locals(value: core.Expression, name: str) -> Iterator[core.Local]:
    return (part for part in walk.nodes(value) if isinstance(part, core.Local) and part.name == name)


def _is_said_to_be_value(parameter: Variable) -> bool:
    """Whether `value` stands before a parameter: then it is known that it is the function's own (D20)."""
    text, start = parameter.name.span.source.text, parameter.name.span.start
    heading = text[max(text.rfind("[", 0, start), text.rfind("(", 0, start)) + 1 : start]
    return "value" in heading.split()


def _is_input(value: core.Expression) -> bool:
    match value:
        case core.Apply(function=core.Host(name="ReadItem" | "ReadSymbol")):
            return True
        case _:
            return False


def _is_no_function(value: core.Expression) -> bool:
    return isinstance(value, core.Literal | core.Unary | core.Binary | core.Compare | core.Tuple | core.List)
