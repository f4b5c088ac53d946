"""The texts that travel with the package: verbatim, described, whole; those that sources print give their results."""

import ast
import hashlib
import inspect
import re
import subprocess
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
from conftest import ROOT
from test_evidence import ROWS
from test_language import CONSTRUCTS
from ways import BOTH, Outcome, Ways

import cpl
from cpl.cli import cplc
from cpl.compiler import loader, messages
from cpl.compiler.diagnostics import CplError
from cpl.compiler.semantics.library import HOST, HOST_PARTS, OTHER_NAMES
from cpl.compiler.source import Source

HASHES = {
    "strachey-original.cpl": "05bd1c108a813f70e17afec2fc07692d19c57ae1e42a59cc5a27014dc223b3e7",
    "strachey.cpl": "f04b926ef196f53c8e72ef449c5a1085e44a84646145fda599a54cd6bee05ed7",
}


def test_a_checkout_that_converts_line_ends_has_the_same_texts(root: Path, tmp_path: Path) -> None:
    """Git for Windows converts them unless it is told otherwise."""
    if not (root / ".git").exists():
        pytest.skip("this is no checkout of git")
    subprocess.run(["git", "-c", "core.autocrlf=true", "clone", "-q", "--shared", root, tmp_path / "copy"], check=True)
    for folder, names in ((".", HASHES), ("attested", [f"{name}.cpl" for name in PRINTED])):
        for name in names:
            path = Path("programs") / folder / name
            assert (tmp_path / "copy" / path).read_bytes() == (root / path).read_bytes(), name


def test_texts_are_kept_byte_for_byte(root: Path) -> None:
    for name, digest in HASHES.items():
        assert hashlib.sha256((root / "programs" / name).read_bytes()).hexdigest() == digest
    lines = (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = [f"{hashlib.sha256((FOLDER / f'{name}.cpl').read_bytes()).hexdigest()}  {name}.cpl" for name in PRINTED]
    assert sums == lines


def test_every_packaged_program_is_described(root: Path) -> None:
    packaged = {*loader.packaged_files()}
    for folder in (root / "programs", root / "programs" / "attested"):
        manifest = tomllib.loads((folder / "programs.toml").read_text(encoding="utf-8"))
        files = {folder / name for name in manifest}
        assert files <= packaged
        packaged -= files
        for name, entry in manifest.items():
            assert entry["title"]
            assert all((folder / companion).is_file() for companion in entry.get("companions", []))
            assert name.startswith("library/") or entry["date"] and entry["source"]
    assert not packaged


def test_surroundings_belong_to_texts(root: Path) -> None:
    folder = root / "programs" / "attested"
    companions = {companion for path in folder.glob("*.cpl") for companion in loader.entry(str(path)).companions}
    assert {f"surroundings/{path.name}" for path in folder.glob("surroundings/*")} <= companions


def test_corrections_stand_in_the_table(root: Path) -> None:
    """Each line that the two texts do not share."""
    readme = (root / "programs" / "README.md").read_text(encoding="utf-8")
    original, corrected = (
        [line.partition("##")[0].strip() for line in loader.read(root / "programs" / name).text.splitlines()]
        for name in HASHES
    )
    changed = [pair for pair in zip(original, corrected, strict=True) if pair[0] != pair[1]]
    assert len(changed) == 5
    assert all(line in readme for pair in changed for line in pair)


def test_the_names_of_the_game_stand_in_the_library_too(root: Path) -> None:
    names = """Terminal TerminalValue BitCount Board LastRows StartPosition Zero Black White Capture NonCapture Resign
        DepthLimit""".split()
    assert {*names} <= {*cpl.load("strachey.cpl").__all__}
    text = (root / "programs" / "library" / "checkers-1966.cpl").read_text(encoding="utf-8")
    assert all(f"\n{name}" in text for name in names)


@pytest.mark.long
def test_programs_write_what_was_found_by_other_means_as_cplrt_has_it(ways: Callable[..., Ways]) -> None:
    for name, host in [*HOST.items(), *(item for part in HOST_PARTS.values() for item in part.names.items())]:
        if name == "Read":  # it becomes assignments of what ReadItem gives
            continue
        module = __import__(host.module, fromlist=[name])
        function = getattr(module, OTHER_NAMES.get(name, name))
        parameters = inspect.signature(function).parameters.values()
        if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
            assert host.most and host.most > 1000
        else:
            assert host.least == host.most == len(parameters)
    folder = ROOT / "tests" / "outputs"
    outputs = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.out")}
    inputs = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.in")}
    programs = [loader.read(path) for path in loader.packaged_files() if path.parent.name == "programs"]
    assert {source.name.removesuffix(".cpl") for source in programs if "Write" in source.text} == outputs.keys()
    for name, output in outputs.items():
        found = ways(loader.read(loader.find(f"{name}.cpl")), input=inputs.get(name, ""), only=BOTH).agreed()
        assert found == Outcome("value", output)


FOLDER = ROOT / "programs" / "attested"
with patch.object(loader, "manifest", cache(loader.manifest)):  # each entry would read it again
    TEXTS = {path.stem: loader.entry(str(path)) for path in loader.packaged_files() if path.parent == FOLDER}
RECONSTRUCTED = [name for name in TEXTS if name.endswith("-reconstructed")]
"""Texts in words of ours: the sources describe what they print."""
PRINTED = [name for name in TEXTS if not name.endswith(("-completed", "-corrected")) and name not in RECONSTRUCTED]
README = (FOLDER / "README.md").read_text(encoding="utf-8")
LAST = {name: row for row in README.splitlines() for name in re.findall(r"^\| \[`(.*?)`\]", row)}
"""The rows of the table."""

CALL = re.compile(r"`([^`]+)` → `([^`]+)`")
VALUE = re.compile(r"its value is `([^`]+)`")
FINDINGS = {
    "s63-euler": messages.UNKNOWN_NAME,
    "s63-fact2-progopedia": messages.UNEXPECTED,
    "s63-fact2-two-hyphens": messages.CANCELLED,
    "s67-16-octal": messages.COMMAND_AT_TOP,
    "s67-19-lambda": messages.COMMAND_AT_TOP,
    "s67-19-lambda-outside": messages.COMMAND_AT_TOP,
    "s67-19-where": messages.UNEXPECTED,
    "s67-19-where-outside": messages.UNEXPECTED,
    "s67-20-where": messages.UNEXPECTED,
    "s67-21-lazy-arms": messages.COMMAND_AT_TOP,
    "s67-44-tree-loop": messages.UNKNOWN_NAME,
    "s67-46-load-update-law": messages.CIRCULAR,
    "s67-27-by-value-completed": messages.NOT_SEEN,  # as Strachey shows by this text
}
"""What is found first. In the other impossible texts that are dots."""


def source(name: str) -> Source:
    return loader.read(FOLDER / f"{name}.cpl")


def test_the_table_has_every_text() -> None:
    assert [*LAST] == [*TEXTS]


def test_the_numbers_of_texts_are_said() -> None:
    said = r"(\d+) texts.* (\d+) compile by .* (\d+) with .* (\d+) leave .* (\d+) have a slip.* (\d+) are expressions"
    kinds = [
        PRINTED,
        [name for name in PRINTED if not TEXTS[name].impossible and not TEXTS[name].companions],
        [name for name in PRINTED if not TEXTS[name].impossible and TEXTS[name].companions],
        [name for name in PRINTED if f"{name}-completed" in TEXTS],
        [name for name in PRINTED if f"{name}-corrected" in TEXTS],
        [name for name in PRINTED if VALUE.search(LAST[name])],
    ]
    assert [*re.findall(said, " ".join(README.split()))[0]] == [str(len(names)) for names in kinds]
    assert len(PRINTED) == sum(map(len, kinds[1:]))


def test_rows_of_the_table_describe_their_texts() -> None:
    for name, entry in TEXTS.items():
        place = f"{entry.date}, p. {entry.page}" if entry.page else entry.date
        row = f"| [`{name}`]({name}.cpl) | {place} | {entry.title} | {entry.evidence} | {entry.confidence} | "
        assert LAST[name].startswith(row + entry.impossible)
        assert entry.source and entry.confidence
        assert entry.verbatim == (name not in RECONSTRUCTED)
        assert name not in RECONSTRUCTED or (entry.confidence == "P" and entry.source.startswith("Ours, after "))
        assert {*entry.evidence.split(", ")} <= ROWS.keys()
        last = LAST[name].removeprefix(row)
        assert bool(entry.impossible) != bool(CALL.search(last) or last.startswith("writes "))
        if entry.impossible and name in PRINTED:
            assert f"{name}-completed" in TEXTS or f"{name}-corrected" in TEXTS or VALUE.search(LAST[name])


def test_the_list_of_the_command_has_every_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert cplc.main(["--list"]) == 0
    first, *lines = capsys.readouterr().out.partition("\n\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == [*TEXTS]
    assert max(map(len, (first, *lines))) <= 80


def test_the_reference_links_to_every_text() -> None:
    small_print = [re.search(r"^Printed: (.*)</sub>", section.text, re.MULTILINE) for section in CONSTRUCTS]
    linked = [
        (name, path)
        for printed in small_print
        if printed
        for name, path in re.findall(r"\[(.*?)\]\((.*?)\)", printed[1])
    ]
    assert {name for name, _ in linked} == {*PRINTED}
    for name, path in linked:
        assert (ROOT / "docs" / "language" / Path(path)).resolve() == FOLDER / f"{name}.cpl"


@pytest.mark.parametrize("name", [name for name in TEXTS if not TEXTS[name].impossible])
def test_what_compiles_gives_its_result(name: str, ways: Callable[..., Ways]) -> None:
    last = LAST[name].rpartition(" | ")[2]
    calls = dict(CALL.findall(last))
    lines = [] if calls else re.findall("`([^`]+)`", last)
    found = ways(source(name), calls=[*calls]).agreed()
    assert (found.written.splitlines(), found.values) == (lines, tuple(calls.values()))


@pytest.mark.parametrize("name", [name for name in TEXTS if VALUE.search(LAST[name])])
def test_an_expression_has_its_value(name: str, ways: Callable[..., Ways]) -> None:
    companions = TEXTS[name].companions
    around = "".join(loader.read(FOLDER / companion).text for companion in companions)
    found = ways(around, calls=[source(name).text]).agreed()
    assert found == Outcome("value", "", tuple(VALUE.findall(LAST[name])))


@pytest.mark.long
def test_the_compiler_says_what_is_impossible_and_primes_may_be_left_out(ways: Callable[..., Ways]) -> None:
    for name in TEXTS:
        text = source(name)
        diagnostics = cpl.check_text(text.text, path=text.path)
        is_impossible = bool(TEXTS[name].impossible)
        assert (name in FINDINGS or is_impossible) == bool(diagnostics)
        if diagnostics:
            assert diagnostics[0].cause is FINDINGS.get(name, messages.LEFT_OUT)
            named = re.findall("`(.*?)`", TEXTS[name].impossible)
            places = [diagnostics[0].span, *(place for place, _ in diagnostics[0].related)]
            assert all(any(word in text.line(place.line) for place in places) for word in named)
        if is_impossible and diagnostics[0].severity == "error":
            with pytest.raises(CplError):
                cpl.compile_text(text.text, path=text.path)
    # So the lectures say of these three programs.
    for name in TEXTS:
        if re.fullmatch("s67-28-.*-completed", name):
            [line] = re.findall("writes `(.*?)`", LAST[name])
            bare = source(name).text.replace("'", "")
            assert ways(bare).agreed().written == f"{line}\n"


def test_a_module_says_why_it_checks_what_it_gets() -> None:
    for text, sentence in (
        ("Second(L) = L[1]\n", "Item checks its arguments, as Python may pass any value to a function."),
        (
            "Same(L, x) = L[1] = x\n",
            "Equal and Item check their arguments, as Python may pass any value to a function.",
        ),
    ):
        docstring = ast.get_docstring(ast.parse(cpl.compile_text(text).python))
        assert sentence in " ".join(str(docstring).split())
    assert "check" not in cpl.compile_text("Twice(x) = 2x\n").python
