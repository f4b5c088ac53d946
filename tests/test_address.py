"""The public address of the project: it stands in one place, and all that names it follows."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import address
import pytest
from conftest import ROOT

import cpl

SOURCE = "https://example.org/cplc"
HOMEPAGE = "https://cplc.example.org/"
IGNORED = (".git", ".venv", ".*_cache", ".hypothesis", "build", "dist", "node_modules", "__pycache__", "PKG-INFO")
"""The last one is that of an sdist: a build takes the description from there, as it was when the sdist was made."""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This tree without an address."""
    folder = tmp_path_factory.mktemp("address") / "cplc"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*IGNORED))
    for path in [folder, *folder.rglob("*")]:  # the tree may be read-only
        path.chmod(path.stat().st_mode | 0o200)
    name_address(folder, "")
    run(sys.executable, folder / "docs/site/address.py", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def addressed(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tree, after somebody has named the address in the one place."""
    folder = tmp_path_factory.mktemp("addressed") / "cplc"
    shutil.copytree(copy, folder)
    name_address(folder, f'[project.urls]\nSource = "{SOURCE}"\nHomepage = "{HOMEPAGE}"\n')
    run(sys.executable, folder / "docs/site/address.py", cwd=folder)
    return folder


def name_address(folder: Path, table: str) -> None:
    """Put the table with the address into the project in this folder, in place of its own."""
    path = folder / "pyproject.toml"
    text = re.sub(r"\n\[project\.urls\]\n(?:[^\[\n].*\n)*", "\n", path.read_text(encoding="utf-8"))
    path.write_text(f"{text}\n{table}", encoding="utf-8")


Metadata = Callable[[Path], tuple[list[str], str]]


@pytest.fixture(scope="module")
def metadata_of(tmp_path_factory: pytest.TempPathFactory) -> Metadata:
    """Gives the fields and the description of the wheel of a tree."""

    def built(folder: Path) -> tuple[list[str], str]:
        out = tmp_path_factory.mktemp("wheel")
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=folder)
        [wheel] = out.iterdir()
        with zipfile.ZipFile(wheel) as archive:
            [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            fields, _, description = archive.read(name).decode().partition("\n\n")
        return fields.splitlines(), description

    return built


def relative_links(text: str) -> list[str]:
    """Where the links and pictures of a page lead that name neither a host nor a place on the page."""
    return [goal for goal in re.findall(r"\]\(([^)]*)\)", text) if not re.match(r"[a-z]+:|#", goal)]


def test_without_an_address_nothing_has_one(copy: Path, metadata_of: Metadata) -> None:
    fields, description = metadata_of(copy)
    assert [line for line in fields if line.startswith(("Project-URL", "Home-page"))] == []
    assert description == (copy / "README.md").read_text(encoding="utf-8")
    assert address.read(copy) is None
    assert "\nrepository-code:" not in (copy / address.CITATION).read_text(encoding="utf-8")
    manifest = json.loads((copy / address.MANIFEST).read_text(encoding="utf-8"))
    assert {"repository", "bugs", "homepage"} & manifest.keys() == set()


def test_an_index_gets_the_address_and_links_that_lead_there(addressed: Path, metadata_of: Metadata) -> None:
    fields, description = metadata_of(addressed)
    assert f"Project-URL: Source, {SOURCE}" in fields
    assert f"Project-URL: Homepage, {HOMEPAGE}" in fields
    assert "Description-Content-Type: text/markdown" in fields
    readme = (addressed / "README.md").read_text(encoding="utf-8")
    assert relative_links(description) == []
    of_files = re.findall(rf"\]\({re.escape(SOURCE)}/(raw|blob)/v{re.escape(cpl.__version__)}/([^)]*)\)", description)
    assert [goal for _, goal in of_files] == relative_links(readme)
    assert [goal for kind, goal in of_files if kind == "raw"] == ["docs/pictures/playground.png"]


def test_the_citation_names_the_address_of_cplc_only(copy: Path, addressed: Path) -> None:
    before = (copy / address.CITATION).read_text(encoding="utf-8").splitlines()
    after = (addressed / address.CITATION).read_text(encoding="utf-8").splitlines()
    added = [f'repository-code: "{SOURCE}"', f'url: "{HOMEPAGE}"']
    assert [line for line in after if line not in added] == before
    assert [line for line in after if line in added] == added


def test_the_extension_names_the_address(copy: Path, addressed: Path) -> None:
    manifest = json.loads((addressed / address.MANIFEST).read_text(encoding="utf-8"))
    assert manifest.pop("repository") == {"type": "git", "url": SOURCE, "directory": "editors"}
    assert manifest.pop("bugs") == {"url": f"{SOURCE}/issues"}
    assert manifest.pop("homepage") == HOMEPAGE
    assert manifest == json.loads((copy / address.MANIFEST).read_text(encoding="utf-8"))


def test_the_feet_of_the_pages_lead_there(copy: Path, addressed: Path) -> None:
    for package in ("markdown_it", "packaging"):
        pytest.importorskip(package, reason="pip install -e '.[site]' brings it")
    folders = ["docs/site", ".", "runtime"]
    script = f"import sys; sys.path[:0] = {folders}; import rendered; print(rendered.FILLED['foot']())"
    feet = [run(sys.executable, "-c", script, cwd=folder) for folder in (copy, addressed)]
    hosts = [re.findall(r'<a href="(https?:[^"]*)">([^<]*)</a>', foot) for foot in feet]
    assert hosts == [[], [(SOURCE, "Source"), (f"{SOURCE}/issues", "Report a mistake")]]
    assert [cpl.__version__ in foot for foot in feet] == [False, True]


def test_an_address_can_be_changed_and_taken_away_again(copy: Path, addressed: Path, tmp_path: Path) -> None:
    for name in ("pyproject.toml", address.CITATION, address.MANIFEST):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(addressed / name, tmp_path / name)
    name_address(tmp_path, '[project.urls]\nSource = "https://elsewhere.example/cplc/"\n')
    for path, text in address.following(tmp_path).items():
        path.write_text(text, encoding="utf-8")
        assert "https://elsewhere.example/cplc" in text
        assert SOURCE not in text and HOMEPAGE not in text and "cplc//" not in text
    name_address(tmp_path, "")
    for path, text in address.following(tmp_path).items():
        assert text == (copy / path.relative_to(tmp_path)).read_text(encoding="utf-8")


def test_what_is_committed_follows_from_the_one_place() -> None:
    """If this fails: python docs/site/address.py."""
    for path, text in address.following(ROOT).items():
        assert path.read_text(encoding="utf-8") == text, path
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    assert "Source" in urls or not urls
