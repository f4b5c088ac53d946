"""Texts from disk: a program, its libraries, which the user names or the program reads by `get`, its companions, and
the packaged ones.

Only `cli`, `cache` and this module ask `outside` for files.
"""

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from errno import EFBIG, EINVAL, ENOENT
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from cpl import outside
from cpl.compiler import messages
from cpl.compiler.diagnostics import CplError, Diagnostic, Error, report
from cpl.compiler.readings import Reading, ReadingOption, named, reading_of
from cpl.compiler.semantics.library import HOST_PARTS, Library, Text
from cpl.compiler.source import Source, Span
from cpl.compiler.suggestions import meant, near
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.parser import parse
from cpl.limits import MOST_BYTES_OF_PROGRAM

MANIFEST: Final = "programs.toml"

_OVERLAY: Final = ContextVar[Mapping[str, str]]("texts in an editor")
_READS: Final = ContextVar[dict[str, str | None]]("texts by their paths")


class Unreadable(Error, OSError):
    """A file that cannot be read: `filename` says which, `strerror` why, and the message both in one plain line."""

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}" if self.strerror else super().__str__()


@dataclass(frozen=True)
class ManifestEntry:
    """The entry of a program or a library file in `programs.toml`."""

    title: str = ""
    date: str = ""
    source: str = ""
    licence: str = ""  # an SPDX expression
    companions: tuple[str, ...] = ()
    host: str | None = None
    about: str = ""
    verbatim: bool = False  # a historical text, which no tool changes
    session: str | None = None  # the file of recorded examples with it
    page: str = ""
    evidence: str = ""  # the rows that it is an example of
    confidence: str = ""
    reading: str = ""  # how the text is to be read, unless the user says another way
    impossible: str = ""  # the words of a historical text that keep it from being compiled

    @property
    def provenance(self) -> str:
        """The year and page of the text, and who printed it where, in one line; "" if the entry does not say."""
        printed = f"{self.date}, p. {self.page}" if self.page else self.date
        return "".join(f"{sentence}. " for sentence in (printed, self.source) if sentence).rstrip()

    @property
    def origin(self) -> str:
        """The provenance and whose the text is, in one line that stands wherever the text is shown."""
        rights = _RIGHTS.get(self.licence, f"Licence: {self.licence}." if self.licence else "")
        return f"{self.provenance} {rights}".strip()


_RIGHTS: Final = {
    "MIT": "Under the MIT licence.",
    "LicenseRef-Texts-Of-Others": "Quoted for study; its rights remain with its owners.",
    "MIT AND LicenseRef-Texts-Of-Others": (
        "Quoted for study; its rights remain with its owners, and what was changed in it is under the MIT licence."
    ),
}
"""Whose a text is, in words, by the `licence` in its entry."""


def find(name: str) -> Path:
    """Return the path of a file; else of the packaged program or library of that name.

    Raises Unreadable if there is neither.
    """
    exists = os.path.exists(name) or _overlaid(Path(name)) is not None
    return Path(name) if exists else _packaged(name)


def program(program: str | Path | Source) -> Source:
    """Return the text of a file or of a packaged program; a text as it is. Raises as `find` and `read` do."""
    return program if isinstance(program, Source) else read(find(str(program)))


def called(program: str | Path | Source) -> str:
    """Return the name by which the user refers to a program."""
    return program.path if isinstance(program, Source) else str(program)


def _packaged(name: str) -> Path:
    """Return the path of the packaged program or library of this name. Raises Unreadable if there is none, with the
    names that may have been meant.
    """
    folder = outside.packaged("programs")
    names: set[str] = set()
    for path in packaged_files():
        if name in (path.name, path.stem, str(path.relative_to(folder))):
            return path
        names |= {path.name, path.stem}

    # A file in the folder that the user names may be meant, too, if that folder can be read at all.
    with suppress(OSError, ValueError):
        folder_of_name = Path(name).parent
        names |= {str(folder_of_name / file.name) for file in folder_of_name.glob("*.cpl")}

    reason = "no such file, and no packaged program of that name"
    question = meant(name, near(name, names))
    if question:
        reason += f"; {question}"
    raise Unreadable(ENOENT, f"{reason} (cplc --list shows them)", name)


def packaged_files() -> list[Path]:
    """Return all programs and library files that travel with the package."""
    folder = outside.packaged("programs")
    attested = sorted(folder.glob("attested/*.cpl"), key=lambda path: path.stem)
    return [*sorted(folder.glob("*.cpl")), *sorted(folder.glob("library/*.cpl")), *attested]


def read(path: Path, *, below: Iterable[Path] | None = None) -> Source:
    """Read a text; with `below`, only from a regular file in one of these folders or deeper. Raises Unreadable, or
    CplError for a file that is not UTF-8.
    """
    text = _overlaid(path)
    if text is None:
        source = decode(_bytes_of(path, below), str(path))
    else:
        if path.exists():
            _bytes_of(path, below)  # refuses a file that may not be read, although its text is that in the editor
        source = Source(str(path), text)
    _record_read(path, source.text)
    return source


def _bytes_of(path: Path, below: Iterable[Path] | None) -> bytes:
    """Read a file as `read` does. Raises Unreadable."""
    try:
        return outside.read(path, MOST_BYTES_OF_PROGRAM, below)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        number = getattr(error, "errno", EINVAL)
        raise Unreadable(number, f"{reason[0].lower()}{reason[1:]}", outside.short_path(str(path))) from None


def _record_read(path: Path, text: str | None) -> None:
    """Note what was read at a path, None for no file, if a caller records that (see `recorded_reads`)."""
    reads = _READS.get(None)
    if reads is not None:
        reads[str(path)] = text


def text_at(path: str) -> str | None:
    """Return the text of a regular file, or None if there is no such file."""
    with suppress(Unreadable, CplError):
        return read(Path(path), below=[Path(path).parent]).text
    return None


def _overlaid(path: Path) -> str | None:
    """Return the text of a file that is open in an editor, or None."""
    texts = _OVERLAY.get(None)
    return texts.get(outside.real(path)) if texts else None


def overlay(texts: Mapping[str, str]) -> AbstractContextManager[object]:
    """A context in which the files of these real paths have these texts, which are not saved yet in an editor."""
    return outside.within(_OVERLAY, texts)


def recorded_reads() -> AbstractContextManager[dict[str, str | None]]:
    """A context that records the files that are read, with their texts, and with None those that do not exist."""
    return outside.within(_READS, {})


def decode(raw: bytes, shown: str) -> Source:
    """Decode a text from UTF-8, or from UTF-16 if its byte order mark says so. Raises as `read` does."""
    if len(raw) > MOST_BYTES_OF_PROGRAM:
        raise Unreadable(EFBIG, f"this file has more than {MOST_BYTES_OF_PROGRAM:,} bytes, too many to read", shown)
    encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return Source(shown, raw.decode(encoding))
    except UnicodeDecodeError as error:
        # The decoder of UTF-8 drops a byte order mark first, and counts from there.
        mark = len(raw) - len(error.object)
        raise CplError([_undecoded(raw, shown, encoding, mark + error.start)]) from None


def _undecoded(raw: bytes, shown: str, encoding: str, at: int) -> Diagnostic:
    """Return the error for the byte at this offset, which cannot be decoded. If the text may be in Latin-1, the error
    shows it so decoded, and says how to convert it.
    """
    before = raw[:at].decode(encoding)
    byte = f"{raw[at]:02x}"

    # WINDOWS-1252 has characters where ISO-8859-1 has control characters.
    guess = "WINDOWS-1252" if re.search(rb"[\x80-\x9f]", raw) else "ISO-8859-1"
    rest = raw[at:].decode(guess, "replace")
    is_printable = not re.search(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]", before + rest)
    # Sound characters that are not ASCII tell that the text is UTF-8, and a byte order mark what it is.
    may_be_latin = raw[:at].isascii() and is_printable
    if may_be_latin:
        span = Span(Source(shown, before + rest), len(before), len(before) + 1)
        return report(messages.NOT_UTF8, span, label=f"{span.text} in {guess}", byte=byte, encoding=guess)

    span = Span(Source(shown, f"{before}\N{REPLACEMENT CHARACTER}"), len(before), len(before) + 1)
    return report(messages.NOT_UTF8, span, help="save the text as UTF-8", byte=byte)


def load(
    source: Source, libraries: Iterable[Source] = (), *, reading: ReadingOption = None
) -> tuple[Text, Library, list[Diagnostic]]:
    """Parse a program with everything that its names may come from. `reading` is that of the program, or None for the
    one that `reading_for` finds; the library has the default one. Returns the program, its library, and the diagnostics
    of all texts.

    Companions are in the folder of the file that `source.path` names, if there is one. What a text names is read only
    below the folders of the program and of the libraries. Raises Unreadable for a file that the manifest names and that
    cannot be read; for one that a `get` names there is an error among the diagnostics.
    """
    diagnostics: list[Diagnostic] = []
    libraries = tuple(libraries)
    manifest_entry = entry(source.path)
    folder = _folder(source)
    # A library may be a text without a file: its folder would be the current one, which nobody has named.
    folders = [folder, *(_folder(library) for library in libraries if os.path.isfile(library.path))]
    below = [*folders, outside.packaged("programs")]
    sources_of_companions = [read(folder / name, below=below) for name in manifest_entry.companions]

    main = _parsed(source, diagnostics, manifest_entry)
    texts = [_parsed(text, diagnostics) for text in libraries]
    texts += _got([main, *texts], diagnostics, below)
    companions = [_parsed(text, diagnostics) for text in sources_of_companions]
    library = Library(
        libraries=tuple(texts),
        companions=tuple(companions),
        standard=standard() if _may_use_standard([main, *texts, *companions]) else None,
        host_part=manifest_entry.host or _host_part(texts),
    )
    return replace(main, reading=reading_for(source, reading)), library, diagnostics


def reading_for(source: Source, wanted: ReadingOption = None) -> Reading:
    """Return how a program is read: as it is `wanted`, else as the manifest says, else in the usual way. Raises
    Unreadable, and ValueError for the name of a reading that there is not.
    """
    if wanted is None:
        wanted = entry(source.path).reading or None
    return reading_of(wanted)


def _parsed(source: Source, diagnostics: list[Diagnostic], manifest_entry: ManifestEntry | None = None) -> Text:
    """Parse a text, and add its errors and warnings to `diagnostics`. The title and the description are those of
    its entry in the manifest.
    """
    program, own = parse(source)
    diagnostics += own
    manifest_entry = manifest_entry or entry(source.path)
    note = f"{manifest_entry.source}." if manifest_entry.source else ""
    about = "\n\n".join(filter(None, [note, manifest_entry.about.strip()]))
    return Text(source, program, manifest_entry.title, about, is_verbatim=manifest_entry.verbatim)


def _got(texts: Iterable[Text], diagnostics: list[Diagnostic], below: Sequence[Path]) -> Iterator[Text]:
    """Yield the files that these texts name by `get "file"`, and in turn the files that those name. A file is looked up
    in the folder of the text, then among the packaged ones, and read once, even if several names lead to it. What
    cannot be read is an error among the diagnostics.
    """
    waiting = list(texts)
    seen = {outside.identity(text.source.path) for text in waiting} - {None}  # None: a text without a file
    room = MOST_BYTES_OF_PROGRAM
    for text in waiting:  # which grows
        for get in text.program.statements:
            if not isinstance(get, nodes.Get):
                continue
            try:
                path = _got_path(text, get)
                identity = outside.identity(path)
                if identity in seen:
                    continue
                source = read(path, below=below)
                seen.add(identity)
                room -= len(source.text)
                if room < 0:
                    raise Unreadable(
                        f"the files read by get have more than {MOST_BYTES_OF_PROGRAM:,} characters together"
                    )
            except Unreadable as error:
                diagnostics.append(report(messages.UNREADABLE, get.span, reason=str(error)))
                continue
            got = _parsed(source, diagnostics)
            waiting.append(got)
            yield got


def _got_path(text: Text, get: nodes.Get) -> Path:
    """Return the path of the file that a text gets. Raises Unreadable if there is none."""
    if not get.path:
        raise Unreadable("the name of the file is empty")
    in_folder = _folder(text.source) / get.path
    if os.path.lexists(in_folder):  # a link that leads nowhere is an error, and hides a packaged file
        return in_folder
    _record_read(in_folder, None)
    return _packaged(get.path)


def _folder(source: Source) -> Path:
    """Return the folder of the files that a text names. For a text from a pipe that is the current folder."""
    path = source.path
    is_pipe = os.path.exists(path) and not os.path.isfile(path)  # such as /dev/stdin
    return Path() if is_pipe else Path(path).parent


def _host_part(texts: Iterable[Text]) -> str | None:
    """Return the part of cplrt for libraries of which one replaces a companion, as it has its file name: the part that
    comes with the companion. None if no library does.
    """
    names = {Path(text.source.path).name for text in texts}
    if not names:  # the usual case: the manifest is not read
        return None
    parts = (companion.host for companion in companions() if companion.path.name in names)
    return next(filter(None, parts), None)


def entry(path: str) -> ManifestEntry:
    """Return the entry of a file, from the manifest of its folder, or for a library of the folder above."""
    file = Path(path)
    for folder, name in ((file.parent, file.name), (file.parent.parent, f"{file.parent.name}/{file.name}")):
        table = manifest(folder).get(name)
        if table:
            return _entry(folder / MANIFEST, name, table)
    return ManifestEntry()


def manifest(folder: Path) -> dict[str, Any]:
    """Read the `programs.toml` of a folder; empty if there is none. Raises Unreadable."""
    path = folder / MANIFEST
    if os.path.isdir(path) or not os.path.exists(path):
        _record_read(path, None)
        return {}
    import tomllib  # which takes a while, and most programs have no manifest

    try:
        return tomllib.loads(read(path, below=[folder]).text)
    except CplError as error:
        raise Unreadable(EINVAL, error.diagnostics[0].message, str(path)) from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(EINVAL, str(error), str(path)) from None


_WANTED: Final = {"companions": "a list of strings that can be printed", "verbatim": "true or false"}
"""The types of values in an entry that are not strings."""


def _entry(path: Path, name: str, table: Any) -> ManifestEntry:
    """Check the types in an entry. Raises Unreadable."""
    if not isinstance(table, dict):
        raise Unreadable(EINVAL, f"{name} is not a table", str(path))
    keys = ManifestEntry.__match_args__  # the names of its fields
    for key, value in table.items():
        if key not in keys:
            raise Unreadable(EINVAL, f"{name} has the unknown key {key}", str(path))
        match key:
            case "verbatim":
                is_of_type = isinstance(value, bool)
            case "companions":
                is_of_type = isinstance(value, list) and all(map(_is_printable, value))
            case _:
                is_of_type = _is_printable(value)
        if not is_of_type:
            wanted = _WANTED.get(key, "a string that can be printed")
            raise Unreadable(EINVAL, f"{key} of {name} is not {wanted}", str(path))
    if "reading" in table:
        try:
            named(table["reading"])
        except ValueError as error:
            raise Unreadable(EINVAL, f"reading of {name}: {error}", str(path)) from None
    if "host" in table and table["host"] not in HOST_PARTS:
        raise Unreadable(EINVAL, f"{name} asks for the unknown host part {table['host']}", str(path))
    fields = {**table, "companions": tuple(table.get("companions", ()))}
    return ManifestEntry(**fields)


def _is_printable(value: object) -> bool:
    """Tell whether a value of a manifest is a string that can be printed, in lines and with tabs."""
    return isinstance(value, str) and "".join(value.split()).isprintable()


@cache
def standard() -> Text:
    """The standard library."""
    return _parsed(_standard_source(), [])


@cache
def _standard_source() -> Source:
    return read(outside.packaged("programs") / "library" / "standard.cpl")


def _may_use_standard(texts: Iterable[Text]) -> bool:
    """Tell whether the letters of a name of the standard library occur anywhere in these texts, even in a comment or a
    longer name. The test is quick; to parse the library takes longer than to parse most programs.
    """
    # Each definition of the library begins a line.
    names = re.findall(r"^[A-Z]\w*", _standard_source().text, re.MULTILINE)
    return any(name in text.source.text for text in texts for name in names)


@dataclass(frozen=True)
class Companion:
    """A packaged library file that belongs to programs: the `owners`, by the names of their files. `host` is the part
    of cplrt that comes with it.
    """

    path: Path
    host: str | None
    owners: list[str] = field(default_factory=list)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that it defines, with those of its part of cplrt."""
        names = set(HOST_PARTS[self.host].names if self.host else ())
        program, _ = parse(read(self.path))
        for statement in program.statements:
            names.update(name.name for name in surface.defined(statement))
        return frozenset(names)


@cache
def companions() -> list[Companion]:
    """Return all packaged companions."""
    folder = outside.packaged("programs")
    by_name: dict[str, Companion] = {}
    for program in manifest(folder):
        manifest_entry = entry(str(folder / program))
        for name in manifest_entry.companions:
            companion = by_name.setdefault(name, Companion(folder / name, manifest_entry.host))
            companion.owners.append(program)
    return [*by_name.values()]


def session(path: str) -> str | None:
    """Return the examples that were recorded with a program, if the manifest beside it names any. Raises Unreadable."""
    name = entry(path).session
    folder = _folder(Source(path, ""))
    return read(folder / name, below=[folder]).text if name else None
