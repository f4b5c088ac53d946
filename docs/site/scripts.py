"""The scripts and style sheets of the pages, each bundled with what it imports."""

import hashlib
import json
import os
from collections.abc import Iterable
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


def stamp(site: Path, pages: Iterable[str]) -> None:
    """Tell the worker and the service worker which build they are of, what they load, and what they keep."""
    worker, service = site / "assets/worker.js", site / "assets/service.js"
    python = site / "python"
    lock = json.loads((python / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = _digest(site)
    assets = [path.relative_to(site).as_posix() for path in (site / "assets").rglob("*.*") if path != service]
    games = [path.relative_to(site).as_posix() for path in sorted((site / "native").iterdir())]
    files = [*pages, *sorted(assets), *games, "_static/icon.svg"]
    files += [f"python/{name}" for name in python_bundle.KEPT]
    read = check.loads(site / "offline.html") | check.loads(site / "docs/README.html")
    reading = sorted(path.relative_to(site).as_posix() for path in read)
    size = sum((python / name).stat().st_size for name in python_bundle.COUNTED)
    _begin(worker, version=version, lock={**lock, "packages": {}}, bytes=size)
    _begin(service, version=version, files=sorted({*files, *reading}), reading=reading)
    service.rename(site / service.name)  # its folder is what it answers for


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
