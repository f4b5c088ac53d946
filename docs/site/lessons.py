"""The lessons of the site, cut out of what is written once: a page of `docs`, and a notebook for a class.

A section of the page is a lesson if it has a task: a comment `<!-- task: NAME -->`, a paragraph, and a solution that is
folded. The program of the lesson is the last example before the task. What stands below a smaller heading is not part
of the lesson. In the notebook a lesson is an exercise: what stands before the cell with its answer, without cells that
are marked `notebook-only`. `cpl.study.exercises` has the checks of both.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "cpl-for-python-programmers.md"
NOTEBOOK: Final = ROOT / "notebooks" / "7-two-hours-with-a-program-of-1966.ipynb"
SOURCES: Final = (PAGE, NOTEBOOK)
"""The files in which the lessons stand."""

_SECTION: Final = re.compile(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_TASK: Final = re.compile(
    r"^<!-- task: (?P<name>\S+) -->\n(?P<words>.*?)\n\n<details><summary>.*?</summary>\n\n"
    r"```cpl\n(?P<solution>.*?)^```\n\n</details>$",
    re.MULTILINE | re.DOTALL,
)
_EXAMPLE: Final = re.compile(r"^```cpl\n(.*?)^```\n+(?:^```console\n.*?^```\n+)?", re.MULTILINE | re.DOTALL)
_EXERCISE: Final = re.compile(r"^### Exercise (\d+): (.*)$", re.MULTILINE)
_PART: Final = re.compile(r"^## (Part \d+\. .*)$", re.MULTILINE)
_MAGIC: Final = re.compile(r"^%%cpl.*\n")


@dataclass(frozen=True)
class Lesson:
    """A lesson: the name of its exercise, a title, and what is shown and asked.

    `parts` are texts in Markdown, and between them expressions of Python whose pictures are shown. `program` is the
    text to begin with, None if values are asked for. `call` is what is evaluated in it, None if the lesson is about
    what the program writes. `part` is the heading above
    several lessons, if there is one.
    """

    name: str
    title: str
    parts: tuple["Words | Picture", ...]
    program: str | None = None
    call: str | None = None
    task: str = ""
    solution: str = ""
    part: str = ""


@dataclass(frozen=True)
class Words:
    """A text in Markdown."""

    text: str


@dataclass(frozen=True)
class Picture:
    """An expression of Python, whose value is drawn."""

    source: str


def ten_minutes() -> Iterator[Lesson]:
    """The lessons of the page."""
    text = PAGE.read_text(encoding="utf-8")
    for title, section in _SECTION.findall(text):
        body = re.split(r"^### ", section, maxsplit=1, flags=re.MULTILINE)[0]
        task = _TASK.search(body)
        if task:
            before = body[: task.start()]
            *_, example = _EXAMPLE.finditer(before)
            words = before[: example.start()] + before[example.end() :]
            yield Lesson(
                task["name"],
                title,
                (Words(words),),
                program=example[1],
                task=task["words"],
                solution=task["solution"],
            )


def two_hours() -> Iterator[Lesson]:
    """The lessons of the notebook."""
    parts: list[Words | Picture] = []
    name = title = part = ""
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"][2:]:  # after the title and the checks
        source = "".join(cell["source"])
        tags = cell["metadata"].get("tags", [])
        if "notebook-only" in tags or f"check-{name}" in tags:
            continue
        if f"answer-{name}" in tags:
            yield Lesson(f"class-{name}", title, tuple(parts), *_started(source), part=part)
            parts = []
        elif cell["cell_type"] == "code":
            parts.append(Picture(source))
        else:
            exercise = _EXERCISE.search(source)
            if exercise:
                name, words = exercise.groups()
                title = words[0].upper() + words[1:]
            part_begins = _PART.search(source)
            if part_begins:
                part = part_begins[1]
            parts.append(Words(_EXERCISE.sub("", _PART.sub("", source))))


def _started(cell: str) -> tuple[str | None, str | None]:
    """The program with which a cell of CPL begins, and the call at its end; None for both if it is Python."""
    if not _MAGIC.match(cell):
        return None, None
    program, _, last = _MAGIC.sub("", cell).rstrip("\n").rpartition("\n")
    is_call = "=" not in last and not last.startswith("||")
    return (f"{program.rstrip()}\n", last) if is_call else (f"{program}\n{last}\n".lstrip("\n"), "")


def fields_of(cell: dict[str, Any]) -> list[str]:
    """The names to which a cell of Python gives values."""
    return re.findall(r"^(\w+) = ", "".join(cell["source"]), re.MULTILINE)
