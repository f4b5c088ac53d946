"""Scripts with which a shell completes a command: its options, their choices, files and packaged programs."""

import argparse
import shlex


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a command. Raises ImportError without shtab."""
    import shtab

    from cpl.loader import packaged_files

    programs = _programs([path.name for path in packaged_files()])
    for action in _actions(parser):
        if "packaged program" in (action.help or ""):
            action.complete = programs  # type: ignore[attr-defined]
        elif action.metavar in ("FILE", "OUT"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments of a command and of all below it."""
    found = [*parser._actions]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found += [each for inner in action.choices.values() for each in _actions(inner)]
    return found


def _programs(names: list[str]) -> dict[str, object]:
    """How each shell completes a packaged program or a file."""
    words = shlex.join(names)
    return {
        "bash": "_cpl_programs",
        "zsh": "_cpl_programs",
        "fish": "(_cpl_programs)",
        "preamble": {
            "bash": f"""
_cpl_programs() {{
  compgen -W {shlex.quote(words)} -- "$1"
  _shtab_compgen_files "$1"
}}
""",
            "zsh": f"""
_cpl_programs() {{
  local -a programs=({words})
  _alternative "programs:packaged program:compadd -a programs" "files:file:_files"
}}
""",
            "fish": f"""
function _cpl_programs
  printf '%s\\n' {words}
  __fish_complete_path (commandline -ct)
end
""",
        },
    }
