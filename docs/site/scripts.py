"""The scripts and style sheets of the pages, each bundled with what it imports."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import check
import python_bundle
from steps import empty, run

from cpl.editors.completion import SPELLINGS


def install_packages(manifest: Path, folder: Path) -> None:
    """The packages of npm that the scripts, the bundle of Python and the tests use."""
    (folder / "package.json").write_bytes(manifest.read_bytes())
    run("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", cwd=folder)


def make(folder: Path, sources: Path, packages: Path) -> None:
    """Fill the folder: every script and style sheet that stands in `sources` itself is one that pages load."""
    entries = sorted(path for pattern in ("*.js", "*.css") for path in sources.glob(pattern))
    empty(folder)
    if entries:
        options = ["--bundle", "--format=esm", "--splitting", "--minify", "--target=es2022", "--log-level=warning"]
        command = [packages / "esbuild/bin/esbuild", *entries, *options, "--loader:.py=text", f"--outdir={folder}"]
        with TemporaryDirectory() as made:
            spellings = [asdict(spelling) for spelling in SPELLINGS]
            Path(made, "spellings.json").write_text(json.dumps(spellings), encoding="utf-8")
            run(*command, cwd=sources, env={**os.environ, "NODE_PATH": os.pathsep.join([str(packages), made])})


def stamp(site: Path, pages: Sequence[str]) -> None:
    """Tell the workers and the service worker which build they are of, what they load, and what they keep."""
    worker, games, service = (site / f"assets/{name}.js" for name in ("worker", "games", "service"))
    python = site / "python"
    lock = json.loads((python / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = _digest(site)
    assets = [path.relative_to(site).as_posix() for path in (site / "assets").rglob("*.*") if path != service]
    programs = [path.relative_to(site).as_posix() for path in sorted(_of_build(site, version, pages).iterdir())]
    files = [*pages, *sorted(assets), *programs, "_static/icon.svg"]
    files += [f"python/{name}" for name in python_bundle.KEPT]
    read = check.loads(site / "offline.html") | check.loads(site / "docs/README.html")
    reading = sorted(path.relative_to(site).as_posix() for path in read)
    size = sum((python / name).stat().st_size for name in python_bundle.COUNTED)
    _begin(worker, version=version, lock={**lock, "packages": {}}, bytes=size)
    _begin(games, version=version)
    _begin(service, version=version, files=sorted({*files, *reading}), reading=reading)
    service.rename(site / service.name)  # its folder is what it answers for


def _of_build(site: Path, version: str, pages: Sequence[str]) -> Path:
    """Give the programs of the games an address that no other build has, and return their folder. A page that is open
    while a new build takes the place of the old one finds nothing at its address then: it cannot mix the two.
    """
    folder = site / "native"
    programs = folder.rename(site / version)
    folder.mkdir()
    for name in pages:
        page = site / name
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace('href="native/', f'href="native/{version}/'), encoding="utf-8")
    return programs.rename(folder / version)


def _digest(folder: Path) -> str:
    state = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            state.update(f"{path.relative_to(folder)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()[:16]


def _begin(script: Path, **build: Any) -> None:
    """Put what is known of the build before a script."""
    text = script.read_text(encoding="utf-8")
    script.write_text(f"const BUILD={json.dumps(build)};\n{text}", encoding="utf-8")
