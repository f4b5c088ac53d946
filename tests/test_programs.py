"""The texts that travel with the package: verbatim, described, and whole."""

import contextlib
import hashlib
import inspect
import io
import tomllib
from itertools import product
from pathlib import Path

from conftest import ROOT

import cpl
from cpl import compiler, loader
from cpl.semantics.library import HOST, HOST_PARTS

HASHES = {
    "strachey-original.cpl": "05bd1c108a813f70e17afec2fc07692d19c57ae1e42a59cc5a27014dc223b3e7",
    "strachey.cpl": "f04b926ef196f53c8e72ef449c5a1085e44a84646145fda599a54cd6bee05ed7",
}


def test_historical_texts_are_verbatim(root: Path) -> None:
    for name, digest in HASHES.items():
        assert hashlib.sha256((root / "programs" / name).read_bytes()).hexdigest() == digest


def test_the_manifest_describes_every_program_and_every_surrounding_belongs_to_a_text(root: Path) -> None:
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
    folder = root / "programs" / "attested"
    companions = {each for path in folder.glob("*.cpl") for each in loader.entry(str(path)).companions}
    assert {f"surroundings/{path.name}" for path in folder.glob("surroundings/*")} <= companions


def test_the_readme_shows_every_correction(root: Path) -> None:
    """Each line that the two texts do not share stands in the table of corrections."""
    readme = (root / "programs" / "README.md").read_text(encoding="utf-8")
    original, corrected = (
        [line.partition("##")[0].strip() for line in loader.read(root / "programs" / name).text.splitlines()]
        for name in HASHES
    )
    changed = [pair for pair in zip(original, corrected, strict=True) if pair[0] != pair[1]]
    assert len(changed) == 5
    assert all(line in readme for pair in changed for line in pair)


def test_what_the_companion_defines_is_what_the_program_lacks(root: Path) -> None:
    names = """Terminal TerminalValue BitCount Board LastRows StartPosition Zero Black White Capture NonCapture Resign
        DepthLimit""".split()
    assert {*names} <= {*cpl.load("strachey.cpl").__all__}
    text = (root / "programs" / "library" / "checkers-1966.cpl").read_text(encoding="utf-8")
    assert all(f"\n{name}" in text for name in names)


def test_host_names_are_as_cplrt_has_them() -> None:
    for name, host in [*HOST.items(), *(each for part in HOST_PARTS.values() for each in part.names.items())]:
        if name == "Read":  # it becomes assignments of what ReadItem gives
            continue
        module = __import__(host.module, fromlist=[name])
        function = getattr(module, name)
        parameters = inspect.signature(function).parameters.values()
        if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
            assert host.most and host.most > 1000
        else:
            assert host.least == host.most == len(parameters)


def test_our_programs_write_what_was_found_by_other_means() -> None:
    outputs = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "outputs").glob("*.out")}
    programs = [loader.read(path) for path in loader.packaged_files() if path.parent.name == "programs"]
    assert {source.name.removesuffix(".cpl") for source in programs if "Write" in source.text} == outputs.keys()
    for name, interpreted in product(outputs, (False, True)):
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            meaning = compiler.understand(loader.read(loader.find(f"{name}.cpl")))
            next(compiler.evaluations(meaning, interpreted=interpreted))
        assert written.getvalue() == outputs[name]
