"""The mutants that are not found, as lists for people: each with the reason why it is well typed.

From the text of a list to its lines and back. Called by `test_mutants.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from conftest import ROOT
from mutants import OPERATORS, Mutant
from reasons import REASONS, UNKNOWN

FOLDER: Final = ROOT / "tests" / "mutants"


def path_of(name: str) -> Path:
    """The list of a program."""
    return FOLDER / f"{Path(name).stem}.txt"


def read(path: Path) -> dict[str, str]:
    """The survivors of a list, with their reasons."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    parts = [line.rpartition(" — ") for line in lines if line]
    return {shown: reason for shown, _, reason in parts}


def listed(survivors: Iterable[Mutant], known: Mapping[str, str], propose: Callable[[Mutant], str]) -> dict[str, str]:
    """A list of these: a known reason stays, also if the slip has moved to another line; other reasons are proposed."""
    anywhere = {_without_place(line): reason for line, reason in known.items()}

    def reason(mutant: Mutant) -> str:
        line = str(mutant)
        kept = known.get(line) or anywhere.get(_without_place(line))
        return kept if kept and kept != UNKNOWN else propose(mutant)

    return {str(mutant): reason(mutant) for mutant in survivors}


def _without_place(line: str) -> str:
    return line.partition(" ")[2]


def written(survivors: Mapping[str, str]) -> str:
    """The text of a list."""
    return "".join(f"{line} — {reason}\n" for line, reason in survivors.items())


def report(programs: Mapping[str, Sequence[Mutant]], lists: Mapping[str, Mapping[str, str]]) -> str:
    """What README.md beside the lists says: how many mutants there are of each kind, and why the survivors are none."""
    every = [(mutant.operator, str(mutant) in lists[name]) for name, several in programs.items() for mutant in several]
    reasons = [reason for each in lists.values() for reason in each.values()]
    rows = [
        [operator.name, operator.about, *_counts([survived for name, survived in every if name == operator.name])]
        for operator in OPERATORS
    ]
    of_programs = [
        [f"`{name}`", *_counts([str(mutant) in lists[name] for mutant in several])]
        for name, several in programs.items()
    ]
    return "\n".join(
        [
            "# Mutants",
            "",
            "Every slip of the first table is put into every place of our programs where it fits, one at a time, and",
            "the program is checked. A mutant of which no error is said survives; it stands in the list of its program",
            "with the reason why it is well typed, a key of the last table.",
            "",
            "    python -m pytest tests/test_mutants.py --update-cases",
            "",
            "writes this page and the lists, and keeps the reasons that they have. A `?` is for a person to replace.",
            "",
            *_table(["operator", "slip", *_COUNTED], [*rows, ["all", "", *_counts([each for _, each in every])]]),
            *_table(["program", *_COUNTED], of_programs),
            *_table(
                ["reason", "why it is well typed", "survivors"],
                [[key, about, str(reasons.count(key))] for key, about in REASONS.items()],
            ),
        ]
    )


_COUNTED: Final = ("mutants", "found", "survived")


def _counts(survived: Sequence[bool]) -> list[str]:
    return [str(len(survived)), str(survived.count(False)), str(survived.count(True))]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [heads, ["---:" if head in (*_COUNTED, "survivors") else "---" for head in heads], *rows]
    return [*(f"| {' | '.join(cells)} |" for cells in lines), ""]
