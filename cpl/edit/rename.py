"""Another name for what a name means: in every text that uses it, or in none."""

from collections.abc import Callable, Mapping, Sequence

from cpl import packaged
from cpl.diagnostics import Invalid
from cpl.edit.analysis import Analysis
from cpl.edit.definitions import NAMES, Definition
from cpl.edit.edits import Edit, applied
from cpl.source import Source, Span
from cpl.syntax.layout import lay_out
from cpl.syntax.tokens import WORDS

Again = Callable[[Mapping[str, str]], Sequence[Analysis]]
"""The analyses anew, in their order, when the files of these paths have these texts."""


def renamable(analysis: Analysis, offset: int) -> Definition:
    """What the name at a place means, if it can have another name. Raises Invalid with the reason if it cannot."""
    found = analysis.meaning_at(offset)
    if found is None:
        raise Invalid("there is no name here that is defined")
    if isinstance(found, str):
        raise Invalid(f"{found} is part of the language, and keeps its name")
    if packaged.short(found.span.source.path) != found.span.source.path:
        raise Invalid(f"{found.name} is defined in {found.span.source.name}, which comes with cplc and stays as it is")
    return found


def rename(analyses: Sequence[Analysis], definition: Span, name: str, again: Again) -> dict[Source, list[Edit]]:
    """The edits, text by text, that give what is defined there another name. `analyses` are those of all texts that may
    use it.

    The texts are read again with the new name, and every name must mean what it meant. Raises Invalid if the new name
    cannot be one, or if that changes what some name means.
    """
    if not _is_name(name):
        raise Invalid(f"{name} is not a name: a name is one small letter, or begins with a capital")
    old = definition.text
    places = {place for each in analyses for place in each.occurrences(definition)}
    edits: dict[Source, list[Edit]] = {}
    for place in sorted(places, key=lambda each: (each.source.path, each.start)):
        edits.setdefault(place.source, []).append(Edit(place, _apart(place, name)))
    texts = {source.path: applied(source, each) for source, each in edits.items()}
    for before, after in zip(analyses, again(texts), strict=True):
        moved = _moved(before, edits)
        if {moved(place): _meant(meant, moved) for place, meant in before.uses.items()} != {
            _place(place): _meant(meant, _place) for place, meant in after.uses.items()
        } or len(after.tokens) != len(before.tokens):
            raise Invalid(f"{old} cannot be called {name}: in {before.source.name} a name would mean something else")
    return edits


def _is_name(name: str) -> bool:
    tokens = [each for each in lay_out(Source("", name)).written if each.text]
    return name not in WORDS and [each.text for each in tokens] == [name] and tokens[0].kind in NAMES


def _apart(place: Span, name: str) -> str:
    """The name, with a blank where it would run into what stands beside it."""
    text = place.source.text
    before, after = text[place.start - 1 : place.start], text[place.end : place.end + 1]
    is_long = len(name.rstrip("'′")) > 1
    left = " " if before[:1].isalnum() and (name[0].islower() or before[:1].isupper()) and _runs(place) else ""
    right = " " if is_long and after.isalnum() else ""
    return f"{left}{name}{right}"


def _runs(place: Span) -> bool:
    """Whether what stands before a place is part of a longer name."""
    text, start = place.source.text, place.start
    while start and (text[start - 1].isalnum() or text[start - 1] in "'′"):
        start -= 1
    return text[start : start + 1].isupper()


_Place = tuple[str, int]
_Move = Callable[[Span], _Place]


def _place(span: Span) -> _Place:
    return span.source.path, span.start


def _meant(meant: Span | str, place: _Move) -> object:
    return meant if isinstance(meant, str) else place(meant)


def _moved(analysis: Analysis, edits: Mapping[Source, Sequence[Edit]]) -> _Move:
    """Where the places of the texts are after the edits."""

    def moved(span: Span) -> _Place:
        shift = 0
        for edit in edits.get(span.source, ()):
            if edit.span.start > span.start:
                break
            if edit.span.start == span.start:
                shift += len(edit.text) - len(edit.text.lstrip(" "))
                break
            shift += len(edit.text) - (edit.span.end - edit.span.start)
        return span.source.path, span.start + shift

    return moved
