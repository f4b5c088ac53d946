"""Kill commands that write files, as often as you like; stop at any time and go on later.

    python tests/kills.py kills.jsonl --kills 500
    python tests/kills.py kills.jsonl --summary

Each trial runs a command in a folder of its own, and kills it after a part of the time that it takes, or as soon as it
has begun to write; in every second trial two of the command begin at once, and the first is killed. Then the same
command runs to its end. No file may be torn, no game that was there may be lost, and no draft may be left behind. What
was found is appended to the file, a line for each trial, so that the same command goes on after the last.

The exit status is 0 if nothing was lost or left behind, 1 if something was, and 130 if the run was stopped.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from command_line import command_line
from long_runs import ended, lines, told

PLAYERS = "random:1 random:2 --game simple-checkers"
COMMANDS = {
    "match": f"cpl match {PLAYERS} --games 6 --pdn games.pdn --resume".split(),
    "play": "cpl play --game simple-checkers --red random:1 --black random:2 --save game.pdn".split(),
    "fmt": "cpl fmt mine.cpl".split(),
    "fmt in place": "cpl fmt linked.cpl".split(),
    "output": "cplc mine.cpl --no-format -o mine.py".split(),
    "output in place": "cplc mine.cpl --no-format -o linked.py".split(),
    "run": "cpl run mine.cpl --call G1(1)".split(),
    "native": "cpl perft strachey.cpl --depth 3 --native".split(),
}
"""What each command writes is in the folder or, as compiled modules and libraries, in a cache that begins empty."""
SIGNALS = ["SIGKILL", "SIGKILL", "SIGTERM", "SIGINT"]
REFUSALS = "is writing to it|already exists|changed meanwhile|interrupted|was ended while it wrote this file"
"""Reasons for which a command may end without its work."""

Contents = dict[str, str]


def begin(folder: Path, arguments: list[str]) -> subprocess.Popen[str]:
    folders = {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_STATE_HOME": str(folder / "state")}
    return subprocess.Popen(
        command_line(*arguments),
        cwd=folder,
        env={**os.environ, **folders},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def prepared(folder: Path) -> Path:
    """A folder with programs and an output, of which some have a second hard link."""
    folder.mkdir()
    text = "F(x)=x+1\n" + "".join(f"G{number}(x)=F(x)\n" for number in range(60))
    old = "".join(f"# old {number}\n" for number in range(200))
    for name, content in {"mine.cpl": text, "linked.cpl": text, "linked.py": old}.items():
        (folder / name).write_text(content, encoding="utf-8")
        if name.startswith("linked"):
            (folder / name).with_stem("other").hardlink_to(folder / name)
    return folder


def contents(folder: Path) -> Contents:
    """What stands in a folder and below, but for caches, whose names are not of interest, and days."""
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in names if not name.startswith("cache")}
    return {
        name: re.sub(r'(?<=\[Date ")[\d.]+', "DATE", text) if name.endswith("pdn") else text
        for name, text in texts.items()
    }


def finished(folder: Path, arguments: list[str]) -> tuple[int, str]:
    command = begin(folder, arguments)
    said = command.communicate(timeout=200)[0]
    return command.returncode, said


def drafts(folder: Path) -> list[str]:
    """Drafts and copies, also those in caches."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.cplc-*"))


@dataclass(frozen=True)
class Expected:
    """What is in the folder of a command before and after it, and how long it takes."""

    before: Contents
    after: Contents
    seconds: float


@cache
def expected(name: str) -> Expected:
    with tempfile.TemporaryDirectory() as work:
        folder = prepared(Path(work) / "here")
        before, began = contents(folder), time.monotonic()
        status, said = finished(folder, COMMANDS[name])
        assert status == 0, said
        return Expected(before, contents(folder), time.monotonic() - began)


@dataclass
class Trial:
    """What became of one trial: what is `wrong`, and what the kill left for the next command."""

    name: str
    number: int
    are_two: bool
    signal: int = 0
    was_alive: bool = False
    drafts: int = 0
    wrong: str = ""


def trial(name: str, number: int, folder: Path) -> Trial:
    """Kill one of the commands, alone or with another one, and look at what it leaves."""
    chance = random.Random(f"{name} {number}")
    wanted = expected(name)
    prepared(folder)
    result = Trial(name, number, number % 2 == 1)
    commands = [begin(folder, COMMANDS[name])]
    if result.are_two:
        time.sleep(chance.uniform(0, 0.3) * wanted.seconds)
        commands.append(begin(folder, COMMANDS[name]))
    if chance.random() < 0.5:
        time.sleep(chance.uniform(0.1, 1) * wanted.seconds)
    else:
        wait_for_draft(folder, commands[0], chance)
    result.signal = getattr(signal, chance.choice(SIGNALS))
    result.was_alive = commands[0].poll() is None
    commands[0].send_signal(result.signal)
    said = [command.communicate(timeout=200)[0] for command in commands]
    left = contents(folder)
    result.drafts = len(drafts(folder))
    for command, text in zip(commands[1:], said[1:], strict=True):
        if command.returncode and not re.search(REFUSALS, text):
            result.wrong += f"the other command failed: {text}\n"
    result.wrong += torn(left, wanted)
    recover(folder, left, wanted)
    if name == "play":
        (folder / "game.pdn").unlink(missing_ok=True)  # an earlier game is not written over
    status, text = finished(folder, COMMANDS[name])
    if status:
        result.wrong += f"the next command failed: {text}\n"
    if remaining := drafts(folder):
        result.wrong += f"left behind: {remaining}\n"
    after = contents(folder)
    if {file: after.get(file) for file in wanted.after} != wanted.after:
        result.wrong += "the next command did something else\n"
    return result


def wait_for_draft(folder: Path, command: subprocess.Popen[str], chance: random.Random) -> None:
    """Wait until something is being written, most often not for the first time, or the command ends."""
    places = [folder, folder / "cache" / "cplc"]
    seen, wanted = set[str](), chance.choice([1, 1, 2, 5, 20])
    late = time.monotonic() + 100
    while len(seen) < wanted and command.poll() is None and time.monotonic() < late:
        for place in places:
            if place.is_dir():
                seen |= {name for name in os.listdir(place) if ".cplc-" in name}


def torn(left: Contents, wanted: Expected) -> str:
    """What is neither old nor new, nor the beginning of a file of games, and has no copy of the old text beside it."""
    wrong = ""
    for file, text in left.items():
        if ".cplc-" in file:
            continue
        before, after = wanted.before.get(file), wanted.after.get(file, "")
        is_game = file.endswith(".pdn") and (file == "game.pdn" or after.startswith(text))
        stem = Path(file).name.replace("other", "linked")
        has_copy = any(name.startswith(f"{stem}.cplc-") and copy == before for name, copy in left.items())
        if text not in (before, after) and not is_game and not has_copy:
            wrong += f"{file} is torn: {text[-300:]!r}\n"
    for file in wanted.before.keys() - left.keys():
        wrong += f"{file} is lost\n"
    return wrong


def recover(folder: Path, left: Contents, wanted: Expected) -> None:
    """If something was left, put the old texts back, and remove what is cached, so that the next command has to write
    there; remove the copy of a file that was torn, as the message asks for.
    """
    cached = [path for path in (folder / "cache").rglob("*") if path.is_file()]
    if any(".cplc-" in path.name for path in cached):
        for path in cached:
            if ".cplc-" not in path.name:
                path.unlink()
    copies = [name for name in left if ".cplc-" in name]
    for copy in copies:
        name = copy.partition(".cplc-")[0]
        if name and left[name] not in (wanted.before[name], wanted.after[name]):
            (folder / copy).unlink()
    for name in wanted.before if copies else ():
        if name in wanted.after:
            (folder / name).write_text(wanted.before[name], encoding="utf-8")


# The file -------------------------------------------------------------------------------------------------------------


def summary(done: list[dict[str, Any]]) -> str:
    rows = []
    for name in COMMANDS:
        own = [line for line in done if line["name"] == name]
        if own:
            counts = Counter({key: sum(bool(line[key]) for line in own) for key in ("was_alive", "are_two", "wrong")})
            left = sum(line["drafts"] for line in own)
            rows.append(
                f"{name}: {len(own)} kills ({counts['was_alive']} of a command that ran, {counts['are_two']} of one of "
                f"two), {left} drafts for the next command, {counts['wrong']} wrong"
            )
            rows += [f"  {line['number']}: {line['wrong'].strip()}" for line in own if line["wrong"]]
    wrong = sum(bool(line["wrong"]) for line in done)
    return "\n".join([*rows, f"{len(done)} kills, {wrong} wrong"])


def run(file: Path, kills: int, names: list[str], show: Callable[[str], None] = print) -> None:
    """Try each command in turn, from where the file ends, until there were so many kills."""
    done = {(line["name"], line["number"]) for line in lines(file)}
    planned = [(names[index % len(names)], index // len(names)) for index in range(kills)]
    with file.open("a", encoding="utf-8") as log:
        for name, number in planned:
            if (name, number) in done:
                continue
            work = Path(tempfile.mkdtemp(prefix="kills-"))
            try:
                result = trial(name, number, work / "here")
            finally:
                shutil.rmtree(work, ignore_errors=True)
            log.write(json.dumps(vars(result)) + "\n")
            log.flush()
            if result.wrong:
                show(f"{name} {number}: {result.wrong}")


def main(arguments: list[str] | None = None) -> int:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("kills.py", description=__doc__, formatter_class=formatter)
    parser.add_argument("file", type=Path, help="where to note what was done")
    parser.add_argument("--kills", type=int, default=500, metavar="N", help="how many in all (default: 500)")
    parser.add_argument("--command", choices=COMMANDS, action="append", help="only this command; may be repeated")
    parser.add_argument("--summary", action="store_true", help="only print what was done")
    options = parser.parse_args(arguments)
    status = 0
    if not options.summary:
        status = ended(lambda: run(options.file, options.kills, options.command or [*COMMANDS]))
    is_wrong = told(options.file, summary)
    return status or int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
