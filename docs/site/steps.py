"""Steps of a build: each makes a folder from files; those that do not wait for each other run side by side.

A step whose files, programs and predecessors are as they were is not run again.
"""

import hashlib
import importlib.metadata
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path


class Trouble(Exception):
    """What keeps the site from being built, in words for the person who builds it."""


@dataclass(frozen=True)
class Step:
    """Makes a folder. `inputs` are the files and folders that it reads, `after` the steps whose folders it reads."""

    name: str
    make: Callable[[Path], None]
    inputs: Sequence[Path] = ()
    after: Sequence[str] = ()
    packages: Sequence[str] = ()
    programs: Sequence[str] = ()

    def check(self) -> None:
        """Trouble if a program or a package is missing that the step runs."""
        for program in self.programs:
            if not shutil.which(program):
                raise Trouble(f"{self.name}: there is no program {program}; Node.js brings it")
        for package in self.packages:
            try:
                importlib.metadata.version(package)
            except importlib.metadata.PackageNotFoundError:
                raise Trouble(f"{self.name}: {package} is not installed; pip install -e '.[site]' brings it") from None

    def digest(self, before: Sequence[str]) -> str:
        """What identifies all that goes into the step; `before` are the digests of its predecessors."""
        state = hashlib.sha256("\0".join(before).encode())
        for package in self.packages:
            state.update(f"{package} {importlib.metadata.version(package)}\0".encode())
        for path in _files(self.inputs):
            state.update(f"{path}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        return state.hexdigest()


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in found if file.is_file() and "__pycache__" not in file.parts)


def build(steps: Sequence[Step], work: Path, say: Callable[[str], None]) -> None:
    """Make the folder of each step, `work/NAME`. Trouble if one cannot be made; others are finished all the same."""
    for step in steps:
        step.check()
    named = {step.name: step for step in steps}
    sorter = TopologicalSorter({step.name: step.after for step in steps})
    sorter.prepare()
    digests: dict[str, str] = {}
    running: dict[Future[str], str] = {}
    troubles: list[str] = []
    with ThreadPoolExecutor() as pool:
        while sorter.is_active():
            for name in sorter.get_ready():
                before = [digests[each] for each in named[name].after]
                running[pool.submit(_run, named[name], before, work, say)] = name
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(done)
                try:
                    digests[name] = done.result()
                except Trouble as trouble:
                    troubles.append(str(trouble))
                else:
                    sorter.done(name)
    if troubles:
        raise Trouble("\n".join(troubles))


def _run(step: Step, before: Sequence[str], work: Path, say: Callable[[str], None]) -> str:
    digest = step.digest(before)
    folder, stamp = work / step.name, work / f"{step.name}.digest"
    if folder.is_dir() and stamp.is_file() and stamp.read_text() == digest:
        say(f"{step.name}: up to date")
        return digest
    stamp.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    say(f"{step.name}: begins")
    began = time.monotonic()
    step.make(folder)
    stamp.write_text(digest)
    say(f"{step.name}: {time.monotonic() - began:.1f} s")
    return digest


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    """Run a program; Trouble, with the end of what it said, if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        said = "\n".join(done.stdout.splitlines()[-40:])
        raise Trouble(f"this failed: {' '.join(map(str, command))}\n{said}")


def empty(folder: Path) -> Path:
    """The folder, without what was in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
