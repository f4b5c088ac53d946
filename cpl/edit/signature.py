"""What a call wants at a place within its brackets: the heading of the function, and which argument is being typed."""

from cpl.edit import host
from cpl.edit.analysis import Analysis
from cpl.edit.definitions import NAMES, Definition
from cpl.edit.hover import comment_of
from cpl.records import dataclass
from cpl.syntax.lexer import Token
from cpl.syntax.tokens import CLOSERS, OPENERS


@dataclass(frozen=True)
class Parameter:
    """A parameter, as characters `start` to `end` of the heading, and its type."""

    start: int
    end: int
    type: str = ""


@dataclass(frozen=True)
class Signature:
    """How a function is called. `active` is the index of the parameter that is being typed."""

    heading: str
    parameters: tuple[Parameter, ...]
    active: int
    words: str = ""


def signature_help(analysis: Analysis, offset: int) -> Signature | None:
    """The function whose argument is at a place; None outside the brackets of a call."""
    tokens = [each for each in analysis.tokens if each.span.end <= offset and each.kind != "NEWLINE"]
    if any(each.span.start < offset <= each.span.end for each in analysis.layout.comments):
        return None
    opener, active = _open(tokens)
    if opener < 1 or tokens[opener - 1].kind not in NAMES or tokens[opener].kind not in ("ROUND_OPEN", "SQUARE_OPEN"):
        return None
    return _of(analysis, tokens[opener - 1], active)


def _open(tokens: list[Token]) -> tuple[int, int]:
    """The innermost bracket that is open at the end, -1 if there is none, and the number of arguments before that end.

    The comma after an arrow belongs to the conditional expression (E19).
    """
    closed = arrows = active = 0
    for at in range(len(tokens) - 1, -1, -1):
        kind = "CLOSE" if tokens[at].kind == "SECTION" else tokens[at].kind
        if kind in CLOSERS:
            closed += 1
        elif kind in OPENERS and closed:
            closed -= 1
        elif kind in OPENERS:
            arrows = 0
            for each, depth in _depths(tokens[at + 1 :]):
                if depth == 0 and each.kind == "ARROW":
                    arrows += 1
                elif depth == 0 and each.kind == "COMMA":
                    active, arrows = (active, arrows - 1) if arrows else (active + 1, 0)
            return at, active
    return -1, 0


def _depths(tokens: list[Token]) -> list[tuple[Token, int]]:
    """The tokens, each with the number of brackets around it."""
    depth, found = 0, []
    for token in tokens:
        depth -= token.kind in CLOSERS
        found.append((token, depth))
        depth += token.kind in OPENERS
    return found


def _of(analysis: Analysis, name: Token, active: int) -> Signature | None:
    meant = analysis.meaning_of(name.span) if name.span in analysis.uses else None
    if meant is None:
        binding = next((each for each in analysis.scopes.at(name.span.start) if each.name == name.text), None)
        if binding and binding.span == name.span:
            return None  # its own heading
        if binding:
            known = analysis.definitions.get(binding.span)
            if known is None and binding.parameters is not None:
                return _written(binding.name, [each.text for each in binding.parameters], active)
            meant = known
        else:
            meant = analysis.at_top.get(name.text) or (name.text if name.text in analysis.library.host else None)
    if isinstance(meant, str):
        names = host.parameters(analysis.library, meant)
        return _written(meant, names, active, words=host.words(analysis.library, meant))
    return _defined(analysis, meant, active) if meant and meant.parameters is not None else None


def _defined(analysis: Analysis, meant: Definition, active: int) -> Signature:
    parameters = meant.parameters or ()
    soon = analysis.has_types_soon
    types = [each.kind or (soon and analysis.type_of(each.span)) or "" for each in parameters]
    headed = [analysis.definitions.get(each.span) for each in parameters]
    names = [known.heading if known else each.name for known, each in zip(headed, parameters, strict=True)]
    return _written(meant.name, names, active, types, comment_of(analysis, meant))


def _written(name: str, names: list[str], active: int, types: list[str] | None = None, words: str = "") -> Signature:
    heading = f"{name}("
    parameters: list[Parameter] = []
    for each, type in zip(names, types or [""] * len(names), strict=True):
        heading += ", " * bool(parameters)
        parameters.append(Parameter(len(heading), len(heading) + len(each), type))
        heading += each
    is_open = bool(names) and names[-1].endswith("…")
    last = min(active, len(names) - 1) if is_open else active
    return Signature(f"{heading})", tuple(parameters), last, words)
