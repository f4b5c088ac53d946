"""The script with which a shell completes a command, by shtab, which may be missing."""

import argparse
import shlex
from collections.abc import Iterator
from typing import Final

import shtab

from cpl.compiler.loader import packaged_files


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell."""
    names = shlex.join(path.name for path in packaged_files())
    preamble = {name: text.replace("NAMES", names) for name, text in _PROGRAMS.items()}
    programs = {"bash": "_cpl_programs", "zsh": "_cpl_programs", "fish": "(_cpl_programs)", "preamble": preamble}
    kinds = {"FILE": shtab.FILE, "FEN|FILE": shtab.FILE, "OUT": shtab.FILE, "DIR": shtab.DIRECTORY}
    for action in _actions(parser):
        kind = programs if "packaged program" in (action.help or "") else kinds.get(str(action.metavar))
        if kind:
            action.complete = kind  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a command and of all below it."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


_PROGRAMS: Final = {
    "bash": """
_cpl_programs() {
  compgen -W 'NAMES' -- "$1"
  _shtab_compgen_files "$1"
}
""",
    "zsh": """
_cpl_programs() {
  local -a programs=(NAMES)
  _alternative "programs:packaged program:compadd -a programs" "files:file:_files"
}
""",
    "fish": """
function _cpl_programs
  printf '%s\\n' NAMES
  __fish_complete_path (commandline -ct)
end
""",
}
"""Functions with which each shell completes a packaged program or a file."""
