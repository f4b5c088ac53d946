"""What a call wants at a place within its brackets: the heading of the function, and which argument is being typed."""

from collections.abc import Iterator, Sequence

from cpl.edit.analysis import Analysis
from cpl.edit.completion import typed_at
from cpl.edit.definitions import Definition, heading_of
from cpl.edit.hover import comment_of, host_parameters, host_words
from cpl.records import dataclass
from cpl.syntax import nodes, walk


@dataclass(frozen=True)
class Signature:
    """How a function is called: its heading, and each parameter as it stands there with its type. `active` is the index
    of the parameter that is being typed.
    """

    heading: str
    parameters: tuple[tuple[str, str], ...]
    active: int
    words: str


def signature_help(analysis: Analysis, offset: int) -> Signature | None:
    """The function whose argument is at a place; None outside the brackets of a call."""
    typed = typed_at(analysis.source, offset)
    string = next((token.span for token in analysis.tokens_at(offset) if token.kind == "STRING"), None)
    at_cursor = None if analysis.is_in_comment(offset) else analysis.at_cursor(string or typed)
    if at_cursor is None:
        return None
    whole, cursor = at_cursor
    for function, arguments in reversed([*_calls(whole.program)]):
        active = next((at for at, argument in enumerate(arguments) if argument.span.holds(cursor)), None)
        if active is not None:
            meaning = whole.meaning_of(function.span) if function.span in whole.uses else None
            return _signature(analysis, meaning, active)
    return None


def _calls(program: nodes.Program) -> Iterator[tuple[nodes.Name, Sequence[nodes.Expression]]]:
    """The names that stand before brackets, and what these hold; an inner call comes after the one around it."""
    for node in walk.walk(program):
        match node:
            case nodes.Application(function=nodes.Name() as function, arguments=arguments):
                yield function, arguments
            case nodes.Chain(items=items):
                for left, sign, right in zip(items, items[1:], items[2:], strict=False):
                    match left, sign, right:
                        case nodes.Name(), nodes.Operator(kind="MAYBE_PRODUCT"), nodes.Bracket(items=arguments):
                            yield left, arguments


def _signature(analysis: Analysis, meaning: Definition | str | None, active: int) -> Signature | None:
    """The signature of what is called; None if that is no function."""
    match meaning:
        case str(name):
            parameters = [(parameter, "") for parameter in host_parameters(analysis.library, name)]
            words = host_words(analysis.library, name)
            if parameters and parameters[-1][0].endswith("…"):
                active = min(active, len(parameters) - 1)
        case Definition(name=name, parameters=tuple(defined)):
            parameters = [_parameter(analysis, parameter) for parameter in defined]
            words = comment_of(analysis, meaning)
        case _:
            return None
    heading = ", ".join([parameter for parameter, _ in parameters])
    return Signature(f"{name}({heading})", tuple(parameters), active, words)


def _parameter(analysis: Analysis, parameter: nodes.Parameter) -> tuple[str, str]:
    """How a parameter is defined, and its type."""
    type = parameter.kind or (analysis.type_of(analysis.here(parameter.span)) if analysis.has_types_soon else "")
    return heading_of(parameter), type or ""
