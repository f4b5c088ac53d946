"""The signature of a call that is being typed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cpl.compiler.syntax import nodes, surface
from cpl.editors.completion import typed_at
from cpl.editors.definitions import Definition, heading_of
from cpl.editors.hover import comment_of, host_parts
from cpl.editors.text_analysis import Analysis


@dataclass(frozen=True)
class SignatureParameter:
    """A parameter as it is defined, and its type if that is known."""

    heading: str
    type: str = ""


@dataclass(frozen=True)
class CallSignature:
    """What is called, and the number of the parameter, from 0, that is being typed. `words` is its comment."""

    name: str
    parameters: tuple[SignatureParameter, ...]
    active: int
    words: str

    @property
    def heading(self) -> str:
        """The name with its parameters: `F(x, y)`."""
        headings = ", ".join(parameter.heading for parameter in self.parameters)
        return f"{self.name}({headings})"


def signature(analysis: Analysis, offset: int) -> CallSignature | None:
    """Return the function whose argument is at a place; None outside the brackets of a call."""
    string = next((token.span for token in analysis.tokens_at(offset) if token.kind == "STRING"), None)
    at_cursor = analysis.at_cursor(string or typed_at(analysis.source, offset))
    if at_cursor is None:
        return None

    whole, cursor = at_cursor
    innermost_first = reversed([*_calls(whole.program)])
    for function, arguments in innermost_first:
        for number, argument in enumerate(arguments):
            if argument.span.holds(cursor):
                meaning = whole.meaning_of(function.span) if function.span in whole.uses else None
                return _of_meaning(analysis, meaning, number)
    return None


def _calls(program: nodes.Program) -> Iterator[tuple[nodes.Name, Sequence[nodes.Expression]]]:
    """The names that stand before brackets, and what these hold; an inner call comes after the one around it."""
    for node in surface.walk(program):
        match node:
            case nodes.Application(function=nodes.Name() as function, arguments=arguments):
                yield function, arguments
            case nodes.Chain(items=items):
                # `f(x)` may be the product of f and x: that is decided by what f is. Here it counts as a call.
                for left, sign, right in zip(items, items[1:], items[2:], strict=False):
                    match left, sign, right:
                        case nodes.Name(), nodes.Operator(kind="MAYBE_PRODUCT"), nodes.Bracket(items=arguments):
                            yield left, arguments


def _of_meaning(analysis: Analysis, meaning: Definition | str | None, active: int) -> CallSignature | None:
    """The signature of what is called; None if that is no function."""
    match meaning:
        case str(name):
            labels, words = host_parts(analysis.library, name)
            if labels and labels[-1].endswith("…"):
                active = min(active, len(labels) - 1)
            return CallSignature(name, tuple(map(SignatureParameter, labels)), active, words)
        case Definition(name=name, parameters=tuple(defined)):
            parameters = tuple(_parameter(analysis, parameter) for parameter in defined)
            return CallSignature(name, parameters, active, comment_of(analysis, meaning))
        case _:
            return None


def _parameter(analysis: Analysis, parameter: nodes.Parameter) -> SignatureParameter:
    """Return how a parameter is defined, and its type."""
    type = parameter.kind
    if not type and analysis.has_types_soon:
        type = analysis.type_of(analysis.here(parameter.span)) or ""
    return SignatureParameter(heading_of(parameter), type)
