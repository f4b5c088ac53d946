"""Whose each file is: REUSE.toml, programs.toml, the metadata of packages and the pages say the same."""

import re
import tomllib

import pytest
from conftest import ROOT

from cpl import outside
from cpl.compiler import loader
from cpl.compiler.loader import ManifestEntry
from cpl.study.views.listing import as_page

OURS = "MIT"
OF_OTHERS = "LicenseRef-Texts-Of-Others"
BOTH = f"{OURS} AND {OF_OTHERS}"

ANNOTATIONS = tomllib.loads((ROOT / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]
PACKAGED = [path.relative_to(outside.packaged("programs")).as_posix() for path in loader.packaged_files()]


def licence_of(name: str) -> str:
    """What REUSE.toml says of a file: its last entry that fits."""
    licence = ""
    for annotation in ANNOTATIONS:
        paths = annotation["path"]
        for pattern in [paths] if isinstance(paths, str) else paths:
            if re.fullmatch(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), name):
                licence = annotation["SPDX-License-Identifier"]
    return licence


@pytest.mark.parametrize("name", PACKAGED)
def test_each_packaged_text_has_the_licence_that_reuse_gives_it(name: str) -> None:
    """A text that no tool may change is not ours; what we completed or corrected of it is of both."""
    entry = loader.entry(str(outside.packaged("programs") / name))
    assert entry.licence == licence_of(f"programs/{name}")
    if entry.source.endswith(" by us"):
        assert entry.licence == BOTH
    else:
        assert entry.licence == (OF_OTHERS if entry.verbatim else OURS)
    assert entry.licence != OURS or not entry.source or entry.source.startswith("Ours")


def test_what_is_around_historical_texts_is_ours_and_the_recorded_examples_are_not() -> None:
    folder = ROOT / "programs" / "attested" / "surroundings"
    assert {licence_of(path.relative_to(ROOT).as_posix()) for path in folder.iterdir()} == {OURS}
    assert licence_of("programs/strachey.doctest") == OF_OTHERS
    assert licence_of("cpl/compiler/loader.py") == OURS


def test_a_file_that_quotes_a_program_of_others_at_length_says_so() -> None:
    """At least half of its lines, of those that have something to tell."""
    text = (ROOT / "programs" / "strachey.cpl").read_text(encoding="utf-8")
    lines = {line.strip() for line in text.splitlines() if len(line.strip()) > 25}
    assert len(lines) > 30
    found = {}
    for folder in ("cpl", "docs", "notebooks", "programs", "runtime", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".case", ".cpl", ".doctest", ".html", ".ipynb", ".json", ".md", ".py", ".txt"):
                held = path.read_text(encoding="utf-8")
                if 2 * sum(line in held for line in lines) >= len(lines):
                    name = path.relative_to(ROOT).as_posix()
                    found[name] = licence_of(name)
    assert len(found) >= 3
    assert [name for name, licence in found.items() if OF_OTHERS not in licence] == []


def test_the_licences_have_their_texts_and_packages_name_them() -> None:
    identifiers = {word for annotation in ANNOTATIONS for word in annotation["SPDX-License-Identifier"].split(" AND ")}
    assert identifiers == {OURS, OF_OTHERS} == {path.stem for path in (ROOT / "LICENSES").iterdir()}
    assert (ROOT / "LICENSES" / "MIT.txt").read_bytes() == (ROOT / "LICENSE").read_bytes()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == BOTH
    assert project["license-files"] == ["LICENSE", f"LICENSES/{OF_OTHERS}.txt"]


def test_the_words_for_people_name_every_file_of_others() -> None:
    """In the text that stands for their licence; a folder stands for its files."""
    words = (ROOT / "LICENSES" / f"{OF_OTHERS}.txt").read_text(encoding="utf-8")
    named = {*re.findall(r"[\w./*-]*\w", words)}
    for annotation in ANNOTATIONS:
        if OF_OTHERS in annotation["SPDX-License-Identifier"]:
            for path in annotation["path"]:
                folder = path.rpartition("/")[0]
                assert named & {path, folder, f"{folder}/*.cpl"}, path
    for page in ("README.md", "programs/README.md"):
        assert f"LICENSES/{OF_OTHERS}.txt" in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "origin"),
    [
        (ManifestEntry(), ""),
        (ManifestEntry(source="Mine"), "Mine."),
        (ManifestEntry(source="Mine", licence="GPL-3.0-only"), "Mine. Licence: GPL-3.0-only."),
        (ManifestEntry(date="2026", source="Ours", licence=OURS), "2026. Ours. Under the MIT licence."),
        (
            ManifestEntry(date="1967", page="14", source="C. Strachey, lectures", licence=OF_OTHERS),
            "1967, p. 14. C. Strachey, lectures. Quoted for study; its rights remain with its owners.",
        ),
    ],
)
def test_a_text_says_where_it_is_from_and_whose_it_is(entry: ManifestEntry, origin: str) -> None:
    assert entry.origin == origin


def test_a_text_that_is_set_shows_its_origin() -> None:
    entry = loader.entry(str(outside.packaged("programs") / "attested" / "s67-18-product.cpl"))
    assert "p. 18" in entry.origin and "rights remain" in entry.origin
    assert f"<p>{entry.origin}</p>" in as_page(loader.program("attested/s67-18-product.cpl"))
