"""Completion as the shells do it, with the scripts that the commands print."""

import os
import pty
import shutil
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest
from command_line import run

pytest.importorskip("shtab", reason="needs the extra completion")

ASKED = {
    "cpl che": {"check"},
    "cpl check --format-errors j": {"json"},
    "cpl board --numbers 19": {"1952", "1966"},
    "cpl run strachey-s": {"strachey-search.cpl"},
    "cpl run min": {"mine.cpl"},
    "cpl analyse min": {"mine.cpl"},
    "cpl analyse --al": {"--all"},
    "cplc --emit co": {"core"},
    "cplc strachey-s": {"strachey-search.cpl"},
}


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell} here")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.cpl").write_text("F(x) = x\n", encoding="utf-8")
    return tmp_path


def script(line: str, shell: str, folder: Path) -> Path:
    done = run(line.split()[0], "--completion", shell, well=True)
    path = folder / "script"
    path.write_text(done.stdout, encoding="utf-8")
    return path


def answers(folder: Path, *call: str) -> set[str]:
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return {line.partition("\t")[0] for line in done.stdout.splitlines()}


BASH = """
source ./script
words=($1); COMP_WORDS=("${words[@]}"); COMP_CWORD=$((${#words[@]} - 1))
function_of=$(complete -p "${words[0]}"); function_of=${function_of##*-F }
${function_of%% *}
printf '%s\\n' "${COMPREPLY[@]}"
"""


@needs("bash")
def test_bash(folder: Path) -> None:
    for line, wanted in ASKED.items():
        script(line, "bash", folder)
        assert answers(folder, "bash", "--norc", "-c", BASH, "bash", line) == wanted


@needs("fish")
def test_fish(folder: Path) -> None:
    with patch.dict(os.environ, {"HOME": str(folder)}):
        for line, wanted in ASKED.items():
            script(line, "fish", folder)
            assert answers(folder, "fish", "--no-config", "-c", f"source ./script; complete -C '{line}'") == wanted


@needs("zsh")
@pytest.mark.parametrize(("line", "wanted"), [*ASKED.items()][:2])
def test_zsh(line: str, wanted: set[str], folder: Path) -> None:
    """A line with a tab is typed at a terminal; the command writes what it got."""
    script(line, "zsh", folder)
    command = line.split()[0]
    master, slave = pty.openpty()
    shell = subprocess.Popen(["zsh", "-f", "-i"], cwd=folder, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    setup = 'PS1="" PS2=""; autoload -U compinit; compinit -u -D; eval "$(<script)"'
    os.write(master, f'{setup}; {command}() {{ print -r -- "got:" "$@" > got; exit }}; : > ready\n'.encode())
    wait(folder / "ready")
    os.write(master, f"{line}\t\n".encode())
    os.set_blocking(master, False)
    wait(folder / "got")
    shell.wait(30)
    os.close(master)
    assert (folder / "got").read_text().split()[-1] in wanted


def wait(file: Path) -> None:
    end = time.monotonic() + 30
    while not file.exists():
        assert time.monotonic() < end, f"{file.name} did not come"
        time.sleep(0.05)


def test_without_shtab_it_says_what_to_install_and_an_unknown_shell_is_refused() -> None:
    for command in ("cpl", "cplc"):
        with patch.dict(sys.modules, {"shtab": None}):
            done = run(command, "--completion", "bash")
        assert done.returncode == 1
        assert "cplc[completion]" in done.stderr
    assert run("cpl", "--completion=csh").returncode == 2
