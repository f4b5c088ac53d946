"""The input of a command: the program in FILE, which it compiles and runs, or a game and files of games."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cplrt import CplFault

from cpl import loader, outside
from cpl.cli import terminal
from cpl.cli.terminal import Failed, Usage, waiting
from cpl.diagnostics import CplError
from cpl.games.playable import game_of
from cpl.limits import MOST_BYTES_OF_GAMES, MOST_BYTES_OF_PROGRAM
from cpl.source import Source

if TYPE_CHECKING:
    from cpl.compiler import Executable, Options
    from cpl.games.game import Game, Speed
    from cpl.games.pdn import Record

Value = TypeVar("Value")

# Programs


def read_input(name: str, called: str = "<stdin>", below: Sequence[Path] | None = None) -> Source:
    """Read the text that FILE means: standard input, which is `called` this, a path, or a packaged program by its name;
    with `below`, as `loader.read` does. Raises Unreadable and CplError.
    """
    if name == "-":
        outside.note(0)
        return loader.decode(sys.stdin.buffer.read(MOST_BYTES_OF_PROGRAM + 1), called)
    return loader.read(loader.find(name), below=below)


def inputs(names: list[str], *, companions: bool = True) -> Iterator[tuple[str, list[Path] | None]]:
    """Yield the names, with the *.cpl files below a folder in its place, and each of these with that folder, below
    which it is to be read; hidden ones, and links out of the folder, are left out, and with `companions` false those
    that go with another of the files.
    """
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            yield name, None
            continue
        paths = sorted(outside.files_below(folder, ".cpl"))
        if not paths:
            terminal.say(f"{name}: no *.cpl file is in this folder")
        for path in paths if companions else _without_companions(paths):
            yield str(path), [folder]


def _without_companions(paths: list[Path]) -> list[Path]:
    """Leave out the companions of other files; of two that go with each other, neither."""
    companions: dict[Path, list[Path]] = {path: [] for path in paths}
    for path in paths:
        with suppress(loader.Unreadable):  # reported when the file is read
            companions[path] = [path.parent / name for name in loader.entry(str(path)).companions]
    identities = {outside.identity(companion) for group in companions.values() for companion in group}
    return [path for path in paths if companions[path] or outside.identity(path) not in identities]


def compilation(options: argparse.Namespace, **settings: Any) -> "Options":
    """Return how to compile FILE: the options that all commands have, and `settings`."""
    from cpl.compiler import Options

    return Options(**{"reading": options.reading, "libraries": options.library, "repair": options.repair} | settings)


def compiled(
    compile: Callable[..., Any], source: Source, options: argparse.Namespace, calls: Sequence[str] = (), **settings: Any
) -> Any:
    """Compile FILE and the expressions to be evaluated in it with a function of `cpl.compiler`; report what misleads in
    it. Raises CplError.
    """
    program = compile(source, compilation(options, **settings), calls)
    added = [library for library in settings.get("libraries", ()) if isinstance(library, Source)]  # by the command
    misleading = [finding for finding in program.misleading if finding.span.source not in added]
    terminal.show_misleading(misleading, options)
    return program


def guard(job: Callable[[], Value], *faults: type[Exception]) -> Value:
    """Run CPL. Raises Failed for a fault of the running program, which says what went wrong, and where in the CPL as
    far as it is known; KeyboardInterrupt has notes that say where. Any other exception is a bug of ours.
    """
    kinds: tuple[type[Exception], ...] = (CplFault, RecursionError, MemoryError, SystemError, *faults)
    try:
        return job()
    except KeyboardInterrupt as stopped:
        from cpl.run.trail import trail

        for line in trail(stopped):
            stopped.add_note(line)
        raise
    except kinds as error:
        from cpl.python_errors import in_words
        from cpl.run.trail import trail

        raise Failed("\n  ".join([in_words(error), *getattr(error, "__notes__", ()), *trail(error)])) from error


def compiled_game(
    source: Source, options: argparse.Namespace, start: str, moves: str, advice: str, **settings: Any
) -> "Executable":
    """Compile FILE with two calls: where its game starts, and the function of its moves. Raises CplError, and Usage
    with this advice if it has no game.
    """
    from cpl import compiler

    try:
        return cast("Executable", compiled(compiler.executable, source, options, [start, moves], **settings))
    except CplError as error:
        spans = [diagnostic.span for diagnostic in error.diagnostics]
        missing = [span.text for span in spans if span.source.path.startswith("<call")]
        if len(missing) == len(spans) and {"StartPosition", "LegalPositionsFrom"} >= {*missing}:
            raise Usage(f"{source.shown} defines no {' and no '.join(missing)}: {advice}") from None
        raise


# Games


def chosen_game(options: argparse.Namespace) -> "Game":
    """Load the game that `--game` names, at the speed that is asked for. Raises CannotBuild."""
    from cpl.games.game import use

    use(options.speed)
    say_speed(options, options.speed)
    game = game_of(options.game)
    with waiting("compiling"):
        assert game.program
    return game


def say_speed(options: argparse.Namespace, speed: "Speed") -> None:
    """Say what runs in C, with --verbose."""
    if not options.verbose:
        return
    texts = {
        "plain": "all in plain Python",
        "optimised": "all in optimised Python",
        "native": "all in C, where that can be",
        "fastest": f"{'searches in C, all else' if _has_compiler() else 'all'} in optimised Python",
    }
    terminal.say(texts[speed])


def _has_compiler() -> bool:
    from cpl.fast.c.toolchain import CannotBuild, compiler

    try:
        return bool(compiler())
    except CannotBuild:  # whoever asks for C says why
        return False


def read_games(name: str | Path) -> Iterator[str]:
    """Read the text of a file of games, `-` for standard input; it comes in pieces. Raises Failed."""
    from cpl.games.pdn import pieces, pieces_of

    with game_errors(name), terminal.file_errors(Path(name)):
        if str(name) != "-":
            return pieces_of(Path(name))
        outside.note(0)
        return pieces(sys.stdin.buffer.read(MOST_BYTES_OF_GAMES + 1))


def load_game(game: "Game", path: str | Path, number: int) -> "Record":
    """Load the game of a number in a file. Raises Failed."""
    from cpl.games.pdn import nth

    with game_errors(path):
        return nth(game, read_games(path), number)


@contextmanager
def game_errors(name: str | Path) -> Iterator[None]:
    """Within, what is wrong with a file of games is reported in one line that names the file. Raises Failed."""
    from cpl.games.pdn import BadPdn

    try:
        yield
    except BadPdn as error:
        raise Failed(f"{name}: {error}") from None
