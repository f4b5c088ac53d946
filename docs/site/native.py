"""The games as WebAssembly: the C of their programs, compiled for browsers, and what scripts need to call it.

`programs.json` says of each program which functions its `.wasm` file has, by their numbers and the forms of their
parameters and results (`cplrt.native`), gives its strings and constants, and has the numbers that the games, players
and searches of cplc go by, so that each stands in one place.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from cplrt import Logical
from cplrt.native import Marshaller
from steps import empty, run

from cpl import outside
from cpl.compiler import loader, pipeline
from cpl.compiler.pipeline import Options
from cpl.editors.browser import games as answers
from cpl.games import game, live, players
from cpl.games.analysis import MOST_MEMORIES
from cpl.games.playable import NAMES, game_of
from cpl.games.position import SQUARES
from cpl.limits import MOST_PLIES

LATER: Final = {"KingEndings": "kings.z"}
"""Constants that are large, and that only some endings need: the list in such a file, compressed, is given later."""
MOST_MEMORY: Final = 256 << 20
"""The bytes of memory that a program may take in a browser, with its stack and what it remembers;"""
MOST_OF_A_CALL: Final = 64 << 20
"""those that a call may take,"""
STACK: Final = 1 << 20
"""and those of its stack."""

_FLAGS: Final = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-O2", "-std=gnu11", "-w", "-fwrapv", "-ffp-contract=off"),
    *("-s", "-Wl,--export=__stack_pointer", f"-Wl,--max-memory={MOST_MEMORY}", f"-Wl,-z,stack-size={STACK}"),
)
_EXPORTED: Final = ("cpl_give", "cpl_make", "cpl_call", "cpl_answer", "cpl_reason", "malloc", "free")


def make(folder: Path) -> None:
    """Fill the folder: a `.wasm` file for each game, `programs.json`, and what is given later."""
    empty(folder)
    games = {name: _compiled(name, folder) for name in NAMES}
    for file in LATER.values():
        (folder / file).write_bytes((outside.packaged("cpl/games") / file).read_bytes())
    text = json.dumps({"games": games, "rules": _rules()}, ensure_ascii=False)
    (folder / "programs.json").write_text(text, encoding="utf-8")


def _compiled(name: str, folder: Path) -> dict[str, Any]:
    """Compile the program of a game, and describe what came of it."""
    found = game_of(name)
    meaning = pipeline.understand(loader.program(found.search_source or found.source))
    generated, library = pipeline.native_module(meaning)
    source = folder / f"{name}.c"
    source.write_text(library.text, encoding="utf-8")
    exports = [f"-Wl,--export={each}" for each in _EXPORTED]
    run(sys.executable, "-m", "ziglang", "cc", *_FLAGS, *exports, "-o", folder / f"{name}.wasm", source)
    source.unlink()

    functions = {
        function.name.lstrip("_"): {"number": number, "parameters": parameters, "result": result}
        for number, (function, (parameters, result, *_)) in enumerate(library.entries.items())
    }
    values = vars(pipeline.executable_of(meaning, Options(optimise=True)).module())
    marshaller = Marshaller(library.strings)
    constants = []
    for constant, form in library.constants.items():
        constant_name = constant.name.lstrip("_")
        value = [] if constant_name in LATER else values[generated.module.name(constant)]
        constants.append(
            {
                "name": constant_name,
                "form": form,
                "words": [*map(str, marshaller.words(form, value))],  # as JSON has no whole numbers of 64 bits
                "later": LATER.get(constant_name),
            }
        )
    start = found.start()
    [form, *_] = functions[game.SEARCHES["minimax"]]["parameters"].split()
    board = found.picture(start.state)
    side, *_ = found.sides
    return {
        "sides": found.sides,
        "start": {"form": form, "words": [*map(str, marshaller.words(form, _inside(start.state)))]},
        "man": found.man,
        "weights": [*found.weights.values()],
        "size": board.size,
        "squares": [found.notation.squares[square] for square in sorted(found.notation.squares)],
        "small": board.kind(side[0]),
        "capital": board.capital,
        "functions": functions,
        "strings": library.strings,
        "constants": constants,
    }


def _inside(value: Any) -> Any:
    """A value of Python as C has it: bit strings are numbers."""
    if isinstance(value, Logical):
        return value.bits
    if isinstance(value, tuple | list):
        return type(value)(map(_inside, value))
    return value


def _rules() -> dict[str, Any]:
    """What is the same for all games."""
    return {
        "numbers": [*SQUARES],  # those of the squares of draughts in the programs
        "plurals": live.PLURALS,
        "repeated": live.REPEATED,
        "idle": live.IDLE,
        "hint": live.HINT,
        "strengths": players.STRENGTHS,
        "won": game.WON,
        "plies": MOST_PLIES,
        "memories": MOST_MEMORIES,
        "thinking": answers.THINKING,
        "lines": answers.LINES,
        "searches": game.SEARCHES,
        "memory": MOST_OF_A_CALL,
        "stack": STACK,
    }
