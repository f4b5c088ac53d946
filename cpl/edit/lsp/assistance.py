"""Help while a text is typed: completions, the signature of a call, and hints between the words."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from lsprotocol import types as lsp

from cpl.edit.completion import completions, typed_at
from cpl.edit.definitions import Definition, heading_of
from cpl.edit.hover import comment_of, host_parts
from cpl.edit.lsp.protocol import Encoding, position, span_of
from cpl.edit.lsp.server import Server
from cpl.edit.text_analysis import Analysis
from cpl.source import Span
from cpl.syntax import nodes, surface

# Completion

_COMPLETIONS: Final = {
    "function": lsp.CompletionItemKind.Function,
    "routine": lsp.CompletionItemKind.Function,
    "host": lsp.CompletionItemKind.Function,
    "constant": lsp.CompletionItemKind.Constant,
    "variable": lsp.CompletionItemKind.Variable,
    "parameter": lsp.CompletionItemKind.Variable,
    "label": lsp.CompletionItemKind.Reference,
    "type": lsp.CompletionItemKind.Class,
    "component": lsp.CompletionItemKind.Field,
    "word": lsp.CompletionItemKind.Keyword,
    "sign": lsp.CompletionItemKind.Operator,
    "letter": lsp.CompletionItemKind.Text,
}


async def completion(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    """Return what may be typed at a place, the nearest first."""
    analysis, at = await ls.at(params)
    offers = await ls.documents.run(lambda: completions(analysis, at))
    if params.context and params.context.trigger_character:  # then only what is spelled with it is wanted
        offers = [offer for offer in offers if offer.kind in ("sign", "letter") and offer.replaced.text]
    items = [
        lsp.CompletionItem(
            label=offer.text,
            kind=_COMPLETIONS[offer.kind],
            detail=offer.detail or None,
            documentation=offer.words or None,
            sort_text=f"{number:05}",
            filter_text=offer.typed,
            text_edit=lsp.TextEdit(ls.range(offer.replaced), offer.text),
        )
        for number, offer in enumerate(offers)
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


# Signatures


async def signature(ls: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """Return the parameters of a call, and which of them is at a place."""
    analysis, at = await ls.at(params)
    return await ls.documents.run(lambda: signature_help(analysis, at))


def signature_help(analysis: Analysis, offset: int) -> lsp.SignatureHelp | None:
    """The function whose argument is at a place; None outside the brackets of a call."""
    typed = typed_at(analysis.source, offset)
    string = next((token.span for token in analysis.tokens_at(offset) if token.kind == "STRING"), None)
    at_cursor = analysis.at_cursor(string or typed)
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
    for node in surface.walk(program):
        match node:
            case nodes.Application(function=nodes.Name() as function, arguments=arguments):
                yield function, arguments
            case nodes.Chain(items=items):
                for left, sign, right in zip(items, items[1:], items[2:], strict=False):
                    match left, sign, right:
                        case nodes.Name(), nodes.Operator(kind="MAYBE_PRODUCT"), nodes.Bracket(items=arguments):
                            yield left, arguments


def _signature(analysis: Analysis, meaning: Definition | str | None, active: int) -> lsp.SignatureHelp | None:
    """The signature of what is called; None if that is no function."""
    match meaning:
        case str(name):
            labels, words = host_parts(analysis.library, name)
            parameters = [lsp.ParameterInformation(label) for label in labels]
            if labels and labels[-1].endswith("…"):
                active = min(active, len(labels) - 1)
        case Definition(name=name, parameters=tuple(defined)):
            parameters = [_parameter(analysis, parameter) for parameter in defined]
            words = comment_of(analysis, meaning)
        case _:
            return None
    heading = ", ".join([str(parameter.label) for parameter in parameters])
    information = lsp.SignatureInformation(f"{name}({heading})", words or None, parameters)
    return lsp.SignatureHelp([information], active_signature=0, active_parameter=active)


def _parameter(analysis: Analysis, parameter: nodes.Parameter) -> lsp.ParameterInformation:
    """Return how a parameter is defined, and its type."""
    type = parameter.kind or (analysis.type_of(analysis.here(parameter.span)) if analysis.has_types_soon else "")
    return lsp.ParameterInformation(heading_of(parameter), type or None)


# Hints

LONGEST: Final = 24
"""A longer type would hide the text."""

_NOTHING: Final = {"general", "NIL", *"αβγδεζηθικλμνξοπρστυφχψω"}
"""Types that say nothing."""
_PLAIN: Final = nodes.Number | nodes.String | nodes.Constant | nodes.Lambda
"""Values that show their type."""

_Hint = tuple[int, str, str]
"""The offset before which a hint is shown, its text, and what it says."""


async def inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Types that nobody wrote, and the × of a product that looks like one name."""
    analysis = await ls.documents.analysis(params.text_document.uri)
    within = span_of(analysis.source, params.range, ls.encoding)
    return await ls.documents.run(lambda: hints(analysis, within, ls.encoding))


def hints(analysis: Analysis, within: Span, encoding: Encoding) -> list[lsp.InlayHint]:
    """All hints of a part of a text, in order."""
    every = sorted([*_types(analysis), *_products(analysis)] if analysis.has_types_soon else [])
    return [
        lsp.InlayHint(
            position(analysis.source, offset, encoding),
            label,
            kind=lsp.InlayHintKind.Type if label.startswith(":") else None,
            tooltip=tooltip,
        )
        for offset, label, tooltip in every
        if within.start <= offset <= within.end
    ]


def _types(analysis: Analysis) -> Iterator[_Hint]:
    """The types of parameters and variables that none is written for, and that their values do not show."""
    wrong = [finding.span for finding in analysis.diagnostics if finding.severity == "error"]
    for definition in analysis.definitions.values():
        whole = definition.node.span
        is_wrong = any(whole.start <= span.start < whole.end for span in wrong)
        if definition.span.source == analysis.source and _wants_type(definition) and not is_wrong:
            type = analysis.type_of(definition.span)
            if type and len(type) <= LONGEST and type not in _NOTHING:
                yield definition.span.end, f": {type}", f"{definition.name} : {type}"


def _wants_type(definition: Definition) -> bool:
    match definition.node:
        case nodes.Parameter(kind=""):
            return definition.kind == "parameter"
        case nodes.Definition(heading=nodes.Name(), value=value) as node if not isinstance(value, _PLAIN):
            return not surface.result(node) and definition.parameters is None
        case nodes.Definition(heading=nodes.Pattern(), value=value) as node:
            return not (surface.result(node) or isinstance(value, nodes.Name))  # P = (X,Y) has its type where P is
        case node:
            return isinstance(node, nodes.ForList | nodes.Lambda)


def _products(analysis: Analysis) -> Iterator[_Hint]:
    """A × where operands stand close together and are multiplied."""
    tokens = [token for statement in analysis.layout.statements for token in statement]
    for left, token in pairwise(tokens):
        if token.kind == "JUXTAPOSED" and left.span.end == token.span.start:
            yield token.span.start, "×", "These stand side by side, so they are multiplied."


FEATURES: Final[dict[str, tuple[Any, Any]]] = {
    lsp.TEXT_DOCUMENT_COMPLETION: (
        completion,
        lsp.CompletionOptions(trigger_characters=["\\", ">", "=", "/"]),
    ),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: (signature, lsp.SignatureHelpOptions(trigger_characters=["(", "[", ","])),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (inlay_hints, None),
}
