"""The scripts and style sheets of the pages, each bundled with what it imports."""

import os
from pathlib import Path

from steps import empty, run


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
        loaders = [f"--loader:{suffix}=text" for suffix in (".py", ".txt", ".cpl")]
        command = [packages / "esbuild/bin/esbuild", *entries, *options, *loaders, f"--outdir={folder}"]
        run(*command, cwd=sources, env={**os.environ, "NODE_PATH": str(packages)})
