"""The hooks for pre-commit, run as pre-commit runs them: the entry, then the names of changed files."""

import re
import shlex
from pathlib import Path

from command_line import run
from conftest import ROOT

HOOKS = {
    id: (shlex.split(entry), re.compile(files))
    for id, entry, files in re.findall(
        r"^- id: (\S+)\n(?:  .*\n)*?  entry: (.*)\n(?:  .*\n)*?  files: (.*)$",
        (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}
UNTIDY = "Twice(x)  =  2x\n"


def hook(id: str, folder: Path) -> int:
    """Run a hook on all its files in a folder; the result is its exit status."""
    entry, wanted = HOOKS[id]
    files = [name for path in sorted(folder.rglob("*")) if wanted.search(name := path.relative_to(folder).as_posix())]
    return run(*entry, *files, cwd=folder).returncode


def test_fmt_rewrites_programs_alone_and_fails_for_what_does_not_parse(tmp_path: Path) -> None:
    for name in ("a.cpl", "b.cpl", "a.cpl.txt"):
        (tmp_path / name).write_text(UNTIDY, encoding="utf-8")
    assert hook("cpl-fmt", tmp_path) == 0
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert texts == {"a.cpl": "Twice(x) = 2x\n", "b.cpl": "Twice(x) = 2x\n", "a.cpl.txt": UNTIDY}
    (tmp_path / "a.cpl").write_text("Twice(x) = (2x\n", encoding="utf-8")
    assert hook("cpl-fmt", tmp_path) == 1


def test_fmt_leaves_a_historical_text_even_if_it_is_the_only_one(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text(UNTIDY, encoding="utf-8")
    (tmp_path / "programs.toml").write_text('["a.cpl"]\nverbatim = true\n', encoding="utf-8")
    assert hook("cpl-fmt", tmp_path) == 0
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") == UNTIDY
    assert run("cpl", "fmt", "a.cpl", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.cpl").read_text(encoding="utf-8") != UNTIDY


def test_check_fails_for_errors_only(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text("F(x) = value of § let y = 1; result is x §|\n", encoding="utf-8")
    assert hook("cpl-check", tmp_path) == 0
    (tmp_path / "b.cpl").write_text("F(x) = z\n", encoding="utf-8")
    assert hook("cpl-check", tmp_path) == 1
