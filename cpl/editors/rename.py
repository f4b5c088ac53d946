"""Another name for what a name means: in every text that uses it, or in none."""

from collections.abc import Mapping, Sequence

from cpl import outside
from cpl.compiler import loader
from cpl.compiler.diagnostics import Invalid
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax.layout import lay_out
from cpl.compiler.syntax.tokens import WORDS
from cpl.editors.definitions import NAMES, Definition
from cpl.editors.edits import Edit, applied
from cpl.editors.text_analysis import Analysis, analyse
from cpl.outside import real


def renamable(analysis: Analysis, offset: int, is_copy: bool = False) -> Definition:
    """Return the definition of the name at a place. Raises Invalid with the reason if it cannot be renamed.

    What comes with cplc keeps its names. A text that has the path of a packaged program, but `is_copy`, does not.
    """
    meaning = analysis.meaning_at(offset)
    if meaning is None:
        raise Invalid("there is no name here that is defined")
    if isinstance(meaning, str):
        raise Invalid(f"{meaning} is part of the language, and keeps its name")
    source = meaning.span.source
    is_of_copy = is_copy and source == analysis.source
    if outside.short_path(source.path) != source.path and not is_of_copy:
        raise Invalid(f"{meaning.name} is defined in {source.name}, which comes with cplc and stays as it is")
    return meaning


def rename(
    analyses: Sequence[Analysis], definition: Span, name: str, opened: Mapping[str, str]
) -> dict[Source, list[Edit]]:
    """The edits, text by text, that give what is defined there another name. `analyses` are those of all texts that may
    use it, `opened` the texts that are open in an editor, by their real paths.

    The texts are read again with the new name, and every name must mean what it meant: so no name can capture another.
    Raises Invalid if the new name cannot be one, or if that changes what some name means or is an error.
    """
    if not _is_name(name):
        raise Invalid(f"{name} is not a name: a name is one small letter, or begins with a capital")

    places: set[Span] = set()
    for analysis in analyses:
        places.update(analysis.occurrences(definition))
    edits: dict[Source, list[Edit]] = {}
    for place in sorted(places, key=lambda place: (place.source.path, place.start)):
        edits.setdefault(place.source, []).append(Edit(place, name))

    texts = {source.path: applied(source, changes) for source, changes in edits.items()}
    renamed = {real(path): text for path, text in texts.items()}
    for before in analyses:
        source = before.source
        with loader.overlay({**opened, **renamed}):
            after = analyse(Source(source.path, texts.get(source.path, source.text)), advice=False)
        expected = {_moved(place, edits): _moved(meant, edits) for place, meant in before.uses.items()}
        actual = {_moved(place, {}): _moved(meant, {}) for place, meant in after.uses.items()}
        if expected != actual or len(after.tokens) != len(before.tokens):
            in_text = f"in {source.name} a name would mean something else"
            raise Invalid(f"{definition.text} cannot be called {name}: {in_text}")
        if len(after.wrong) > len(before.wrong):
            in_text = f"in {source.name} that would be an error, such as a second definition of {name}"
            raise Invalid(f"{definition.text} cannot be called {name}: {in_text}")
    return edits


def _is_name(text: str) -> bool:
    """Tell whether a text is one name, and no reserved word."""
    tokens = [token for token in lay_out(Source("", text)).written if token.text]
    is_one_token = [token.text for token in tokens] == [text]
    return is_one_token and tokens[0].kind in NAMES and text not in WORDS


def _moved(place: Span | str, edits: Mapping[Source, Sequence[Edit]]) -> object:
    """Return where a name stands after the edits, or the name of a function of cplrt."""
    if isinstance(place, str):
        return place
    shift = 0
    for edit in edits.get(place.source, ()):
        if edit.span.start < place.start:
            shift += len(edit.text) - len(edit.span.text)
    return place.source.path, place.start + shift
