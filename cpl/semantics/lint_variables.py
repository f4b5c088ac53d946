"""Lints of the variables and labels of a definition: those that nothing uses, and those mistaken for others."""

from collections.abc import Iterator, Set

from cpl import messages
from cpl.diagnostics import Diagnostic, report
from cpl.semantics import core, walk
from cpl.semantics.variable_uses import ProgramVariable, Use, VariableUses
from cpl.source import Span


def lint_variables(definition: core.Definition, functions: Set[str]) -> Iterator[Diagnostic]:
    """The findings on the variables of a definition; `functions` are the names of the functions of the top level."""
    uses = VariableUses(definition)
    for variable in uses.variables.values():
        if variable.is_written and isinstance(variable.name, core.Local):
            yield from _unused(variable, uses)
            yield from lint_unset(variable, uses)
            yield from _not_seen(variable, uses)
            yield from _hidden(variable, functions)
    for label in uses.labels:
        if label not in uses.jumps:
            yield report(messages.UNUSED_LABEL, label.span, name=label.name)


def _unused(variable: ProgramVariable, uses: VariableUses) -> Iterator[Diagnostic]:
    """A variable that nothing reads, or that is made where a change of another was perhaps meant."""
    span, name = variable.name.span, variable.name.name
    match variable:
        case ProgramVariable(role="let" | "where" | "declared" | "function", reads=[]):
            if any(map(_is_input, variable.values)):
                return  # it is read to get past it
            if variable.assigned:
                related = [(variable.assigned[0].name.span, "it is given a value here")]
                yield report(messages.NEVER_READ, span, related=related, name=name)
            else:
                yield report(messages.ANOTHER if _is_another(variable, uses) else messages.UNUSED, span, name=name)
        case ProgramVariable(role="let", made=Use(loops=[*_, _]), values=[first], assigned=[]) if not isinstance(
            first, core.Local
        ):
            yield from _same_each_time(variable, uses)
        case ProgramVariable(role="parameter", escapes=False) if not uses.labels:
            lost = [place for place in variable.assigned if not uses.is_read_after(variable, place)]
            if lost and not _is_declared_by_value(variable):
                yield report(messages.LOST, lost[0].name.span, name=name)


def lint_unset(variable: ProgramVariable, uses: VariableUses) -> Iterator[Diagnostic]:
    """A variable that is read before anything can have assigned to it."""
    reads = sorted([*variable.reads, *uses.updates[variable.name]], key=lambda use: use.at)
    if (
        variable.role == "declared"
        and reads
        and not (variable.escapes or uses.labels)
        and all(uses.reach(variable, place) > reads[0].at for place in variable.assigned)
    ):
        yield report(messages.UNSET, reads[0].name.span, name=variable.name.name)


def _not_seen(function: ProgramVariable, uses: VariableUses) -> Iterator[Diagnostic]:
    """A function is used after a variable that it captured by value has changed.

    Where another function captures the place, the difference is intended.
    """
    outer = [known for known in uses.variables.values() if known.made.at < function.made.at]
    captured = [known for known in outer if known.name in function.captured]
    changes = [(place, known) for known in captured if not known.escapes for place in known.assigned]
    for place, known in sorted(changes, key=lambda each: each[0].at):
        start = uses.reach(function, place)
        later = (each for each in function.reads if each.at >= start and not place.excludes(each))
        if place.at > function.made.at and (use := next(later, None)):
            yield not_seen(function.name, known.name.name, place.name.span, use.name.span)
            return


def _is_another(variable: ProgramVariable, uses: VariableUses) -> bool:
    """Whether an earlier variable of that name, which is read later, may have been meant."""
    earlier = [each for each in uses.named(variable.name.name) if each.made.at < variable.made.at]
    return variable.role != "where" and any(
        each.role != "function" and uses.is_read_after(each, variable.made) for each in earlier
    )


def _same_each_time(variable: ProgramVariable, uses: VariableUses) -> Iterator[Diagnostic]:
    """In a loop, a variable is made from another of that name that nothing changes, and that is read later.

    A variable that begins as a copy, or changes, is there to be changed.
    """
    loop, name = variable.made.loops[-1], variable.name.name
    mentioned = walk.locals_in(variable.values[0])
    outer_ones = (each for each in uses.named(name) if each.made.at < uses.starts[id(loop)])
    outer = next((each for each in outer_ones if each.name in mentioned), None)
    if outer is None or outer.assigned or outer.escapes:
        return
    for read in outer.reads:
        is_tested = isinstance(loop, core.While) and read.is_within(loop, "test")
        is_for_another = any(read.is_within(each.maker, "value") for each in uses.named(name))
        if (is_tested or read.at > variable.made.at) and not is_for_another:
            related = [(outer.name.span, "the outer one"), (read.name.span, "it is used here")]
            yield report(messages.SAME_EACH_TIME, variable.name.span, related=related, name=name)
            return


def _hidden(variable: ProgramVariable, functions: Set[str]) -> Iterator[Diagnostic]:
    """A product by a variable that is sure to be no function, while a function of the top level has the same name."""
    span, name = variable.name.span, variable.name.name
    steps = [read.path[-1] for read in variable.reads]
    products = [node.span for node, part in steps if isinstance(node, core.Juxtapose) and part == "left"]
    is_number = variable.role == "counted" or (bool(variable.values) and all(map(_is_no_function, variable.values)))
    if products and is_number and name in functions:
        yield report(messages.HIDES, products[0], related=[(span, f"this {name}")], name=name)


def not_seen(function: core.Local | core.Global, name: str, changed: Span, use: Span) -> Diagnostic:
    """A function defined with = is used after a variable whose value it captured has changed."""
    related = [(function.span, "its value was taken here"), (changed, "it was changed here")]
    return report(messages.NOT_SEEN, use, related=related, function=function.name, name=name)


def _is_declared_by_value(parameter: ProgramVariable) -> bool:
    """Whether `value` is written before a parameter: then the author knows that it is the function's own (D20)."""
    text, start = parameter.name.span.source.text, parameter.name.span.start
    heading = text[max(text.rfind("[", 0, start), text.rfind("(", 0, start)) + 1 : start]
    return "value" in heading.split()


def _is_input(value: core.Expression) -> bool:
    host = value.function if isinstance(value, core.Apply) else value
    return isinstance(host, core.Host) and host.name in ("ReadItem", "ReadSymbol")


def _is_no_function(value: core.Expression) -> bool:
    return isinstance(value, core.Literal | core.Unary | core.Binary | core.Compare | core.Tuple | core.List)
