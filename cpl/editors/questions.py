"""All that can be asked about a text, by name: the one table that the language server and the site share.

A question is a function. Its first argument is the analysis of a text; the others say what is asked about, such as an
offset in the text or a span of it. The answer is plain data, in which places are spans. The server and the site only
translate places and answers into the terms of their protocols. If there is no answer, a question raises Error with the
reason, in a line for the user.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from cpl.compiler.diagnostics import CplError, Diagnostic, Error, Fix, has_errors
from cpl.compiler.pipeline import Compiled, Meaning, Unfaithful, compile_meaning
from cpl.compiler.source import Source, Span
from cpl.editors import edits
from cpl.editors.completion import completions
from cpl.editors.definitions import Definition
from cpl.editors.edits import Edit
from cpl.editors.hints import hints
from cpl.editors.hover import hover
from cpl.editors.outline import Symbol, outline
from cpl.editors.rename import renamable, rename
from cpl.editors.semantic_tokens import semantic_tokens
from cpl.editors.signature import signature
from cpl.editors.text_analysis import Analysis
from cpl.study.views import stages

# Findings


def _problems(analysis: Analysis) -> list[Diagnostic]:
    """What is wrong with a text, and with those that are compiled with it."""
    return analysis.diagnostics


@dataclass(frozen=True)
class Repairs:
    """The repairs that can be offered for a selected range. `here` has the findings in the range, each with a fix, the
    likeliest fix first; `all` has an edit for each finding of the whole text that has only one fix.
    """

    here: list[tuple[Diagnostic, Fix]]
    all: list[Edit]


def _repairs(analysis: Analysis, selected: Span) -> Repairs:
    """What repairs the findings that a range touches."""
    here = []
    for finding, fix in edits.repairs(analysis):
        if _touch(finding.span, selected) or _touch(fix.span, selected):
            here.append((finding, fix))
    return Repairs(here, edits.all_repairs(analysis))


def _touch(left: Span, right: Span) -> bool:
    """Tell whether two spans of one text overlap, or the end of one is the start of the other."""
    return left.start <= right.end and right.start <= left.end


# Names


def _definition(analysis: Analysis, offset: int) -> Definition | None:
    """The definition of the name at a place; None if no name is there, if it is not defined, or if it is a word of the
    language.
    """
    meaning = analysis.meaning_at(offset)
    return meaning if isinstance(meaning, Definition) else None


def _occurrences(analysis: Analysis, offset: int) -> list[Span]:
    """The places in this text where the name at an offset is defined and used."""
    definition = _definition(analysis, offset)
    if definition is None:
        return []
    return [place for place in analysis.occurrences(definition.span) if place.source == analysis.source]


def _references(analysis: Analysis, definition: Span, others: Sequence[Analysis]) -> list[Span]:
    """The places in all these texts where a name is defined and used. `definition` is where it is defined."""
    places = {*analysis.occurrences(definition)}
    for other in others:
        places.update(other.occurrences(definition))
    return sorted(places, key=lambda place: (place.source.path, place.start))


def _rename(
    analysis: Analysis, definition: Span, name: str, others: Sequence[Analysis], opened: Mapping[str, str]
) -> dict[Source, list[Edit]]:
    """The edits, text by text, that change a name to `name`, as in `cpl.editors.rename`. `definition` is where the name
    is defined.
    """
    using = []
    for other in others:
        # The definition itself is an occurrence, even for a text that does not use the name.
        is_using = len(other.occurrences(definition)) > 1
        if is_using and other is not analysis:
            using.append(other)
    return rename([analysis, *using], definition, name, opened)


def _outline(analysis: Analysis) -> list[Symbol]:
    """The definitions of a text, as a tree: local ones are children of the definition that has them."""
    return outline(analysis.program)


# Style


def _format(analysis: Analysis, selected: Span | None = None) -> list[Edit]:
    """The edits that give a text the style of `cpl fmt`; with `selected`, only the statements that it touches."""
    try:
        if selected is None:
            return edits.format_whole(analysis.source)
        return edits.format_range(analysis.source, selected)
    except (CplError, Unfaithful) as error:
        reason = error.diagnostics[0].message if isinstance(error, CplError) else str(error)
        raise Error(f"this text stays as it is: {reason}") from None


# Stages


def _sound(analysis: Analysis) -> Meaning:
    """The meaning of a text without errors. Raises CplError if it has any."""
    if has_errors(analysis.meaning.diagnostics):
        raise CplError(analysis.meaning.diagnostics)
    return analysis.meaning


def _python(analysis: Analysis) -> Compiled:
    """The Python of a text. Raises CplError."""
    return compile_meaning(_sound(analysis))


def _types(analysis: Analysis) -> str:
    """The types of the definitions, a line each. Raises CplError."""
    return "\n".join(stages.type_lines(_sound(analysis)))


def _tokens(analysis: Analysis) -> str:
    """The tokens, a line each. Raises CplError."""
    return stages.token_lines(analysis.source)


def _written(analysis: Analysis) -> str:
    """The surface tree, as text. Raises CplError."""
    return stages.surface_tree(_sound(analysis).main.program)


def _meant(analysis: Analysis) -> str:
    """The core tree, as text. Raises CplError."""
    return stages.core_tree(_sound(analysis).core)


QUESTIONS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "problems": _problems,
        "repairs": _repairs,
        "completions": completions,
        "signature": signature,
        "hints": hints,
        "hover": hover,
        "definition": _definition,
        "occurrences": _occurrences,
        "references": _references,
        "renamable": renamable,
        "rename": _rename,
        "outline": _outline,
        "semantic tokens": semantic_tokens,
        "format": _format,
        "python": _python,
        "types": _types,
        "tokens": _tokens,
        "written": _written,
        "meant": _meant,
    }
)


def ask(question: str, analysis: Analysis, *about: Any) -> Any:
    """Return the answer to one of QUESTIONS. Raises Error if there is none."""
    return QUESTIONS[question](analysis, *about)
