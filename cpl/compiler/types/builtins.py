"""The types of the functions of cplrt that CPL programs use: a table, in words for their parameters and results.

`Next`, for instance, takes a list of which it needs the first member and the rest, and returns a tuple of these:
`"Next": (("first rest",), "next")`. Each use of a function makes its type anew from these words.
"""

from collections.abc import Sequence
from typing import Final

from cpl.compiler.source import Span
from cpl.compiler.types import constraints
from cpl.compiler.types.constraints import LISTS, NODES, NULLABLE, SEQUENCES, Need, Shape, Variable
from cpl.compiler.types.solver import Solver

_SIGNATURES: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "Head": (("first",), "result"),
    "Tail": (("rest",), "list"),
    "Next": (("first rest",), "next"),
    "Join": (("joined", "joined"), "list"),
    "Copy": (("array",), "result"),
    "ListOf": (("array members",), "list"),
    "Pointer": (("any",), "result"),
    "Follow": (("any",), "result"),
    "Is": (("any", "tested"), "boolean"),
    "Type": (("node sorted",), "type"),
    "Logical": (("places",), "logical"),
    "Shift": (("logical", "integer"), "logical"),
    "SingleDigitFrom": (("logical",), "logical"),
    "Null": (("nullable",), "boolean"),
    "SymbolsOf": (("string",), "strings"),
    "StringOf": (("strings",), "string"),
    "PrintPosition": (("position",), "nothing"),
    "KingsTable": ((), "integers"),
    "NewLine": ((), "nothing"),
    "WriteSymbol": (("integer",), "nothing"),
    "ReadItem": ((), "result"),
    "ReadSymbol": ((), "string"),
    "NextSymbol": ((), "string"),
    "InputEnded": ((), "boolean"),
    "Input": (("stream",), "nothing"),
    "Output": (("stream",), "nothing"),
    "Source": ((), "stream"),
    "Destination": ((), "stream"),
    "StreamOf": (("string",), "stream"),
    "Symbols": (("stream",), "string"),
    "Code": (("string",), "integer"),
    "SymbolWith": (("integer",), "string"),
    "Clock": ((), "real"),
    "Halted": ((), "boolean"),
    "Remember": (("integer", "any"), "nothing"),
    "Recall": (("integer", "any"), "result"),
    "Hash": (("any", "integer"), "integer"),
    "Complex": (("real", "real"), "complex"),
    "Entier": (("real",), "integer"),
    "Round": (("real",), "integer"),
    "Quotient": (("integer", "integer"), "integer"),
    "Remainder": (("integer", "integer"), "integer"),
    "RealPart": (("complex",), "real"),
    "ImaginaryPart": (("complex",), "real"),
    "Condition": (("any",), "boolean"),
    **dict.fromkeys("SqRt Exp Ln Sin Cos ArcTan".split(), (("number",), "real or complex")),
}
"""The parameters' needs and the result of each function, in words; those that are `Shape`s by their heads."""

_ANY_NUMBER: Final = {
    "MinList": ("joined", "list"),
    "Relate": ("any", "boolean"),
    "AsWritten": ("any", "string"),
    "Write": ("any", "nothing"),
    "WriteLine": ("any", "nothing"),
}
"""Functions of any number of arguments: the need of each argument, and the result."""

_POSITION: Final = ("logical", "logical", "logical", "integer")

_ONE_OF: Final = {
    "array": ("an array", SEQUENCES - LISTS),
    "node": ("a node", NODES),
    "places": ("a number, or a list of places", LISTS | {"number", "logical"}),
    "nullable": ("a list or a bit string", NULLABLE),
}


def whole_parameters(name: str) -> list[int]:
    """The places of the parameters that take whole numbers only: a real number is a fault there, even 2.0."""
    words = _SIGNATURES[name][0] if name in _SIGNATURES else ()
    return [place for place, word in enumerate(words) if word == "integer"]


ANYTHING: Final[frozenset[object]] = frozenset({"anything"})
"""The types that are tested if the text does not say which."""


def function(
    solver: Solver, name: str, span: Span, places: Sequence[Span] | None, tested: frozenset[object] = ANYTHING
) -> Shape:
    """The type of a function of cplrt where it is used, applied to what stands in those places; None if it is not
    applied there. `Is` tests for some types.
    """
    # What the words share: the first member of an argument is the result, say, or the rest has members of the new list.
    result, member = solver.variable(), solver.variable()

    def into_list() -> tuple[Variable]:
        """A variable that flows into the members of the list that is made; nothing flows back."""
        element = solver.variable(empty=True)
        solver.flow(element, member)
        return (element,)

    def need(word: str, at: Span) -> Need:
        match word:
            case "first":
                return constraints.Member(at, 0, kinds=LISTS, outputs=(result,))
            case "rest":
                return constraints.Rest(at, outputs=into_list())
            case "members":
                return constraints.Member(at, None, outputs=into_list())
            case "joined":
                return constraints.Joined(at, outputs=into_list())
            case "strings":
                return Shape(at, "list", outputs=(parameter("string", at),))
            case "position":
                return Shape(at, "tuple", outputs=tuple(parameter(head, at) for head in _POSITION))
            case "tested":
                return constraints.TypeTest(at, tested)
            case "sorted":
                return constraints.TypeTest(at, frozenset({"node"}))
            case "any":
                return constraints.AnyType(at)
            case _ if word in _ONE_OF:
                words, kinds = _ONE_OF[word]
                return constraints.OneOf(at, words, kinds=kinds)
            case _:
                return Shape(at, word)

    def parameter(words: str, at: Span) -> Variable:
        variable = solver.variable()
        for word in words.split():
            solver.flow(variable, need(word, at))
        return variable

    def produced(word: str) -> Variable:
        match word:
            case "result":
                return result
            case "list":
                return solver.holding(Shape(span, "list", outputs=(member,)))
            case "strings" | "integers":
                return solver.holding(Shape(span, "list", outputs=(produced(word[:-1]),)))
            case "real or complex":
                return solver.holding(Shape(span, "real", unsure=True))
            case "next":
                return solver.holding(Shape(span, "tuple", outputs=(result, produced("list"))))
            case _:
                return solver.holding(Shape(span, word))

    takes_any_number = places is None and name in _ANY_NUMBER
    if name in _SIGNATURES:
        needs, returned = _SIGNATURES[name]
    else:
        need_of_each, returned = _ANY_NUMBER.get(name, ("any", "result"))
        needs = (need_of_each,) * (1 if takes_any_number else len(places or ()))

    # A function that is not applied, or to too few arguments, has its needs where it stands.
    spans = (*(places or ()), *[span] * len(needs))
    parameters = tuple(parameter(words, at) for words, at in zip(needs, spans, strict=False))
    if name in ("Copy", "Recall"):  # the result may be the last argument
        solver.flow(parameters[-1], result)
    outputs = (produced(returned),)
    return Shape(span, "function", inputs=parameters, outputs=outputs, any_number=takes_any_number)
