"""Golden cases: what is written, what becomes of it and what it does, side by side.

    === case A title
    Twice(x) = 2x
    === python
    …
    === run
    Twice(4) => 8

    === input
    …
    === output
    …

`output` is what a program writes by itself, from the `input` if there is one. `error` stands for `python` and `run` in
the case of a text that is refused. `check` is what `cpl check` reports about a text that compiles; nothing by default.
Both show diagnostics in full or in brief; one case shows a message in full, so that new wording changes that case only.
`python` is there where it is the point of the case. It leaves out the prelude of the module (docstring, imports,
`__all__`), the docstrings of functions, which repeat the CPL, what libraries define, and second blank lines; `module`
shows all. `reading` says how the program is to be read.
"""

from dataclasses import dataclass, field
from pathlib import Path

ARROW = " => "


@dataclass
class Case:
    title: str
    file: Path
    sections: dict[str, str] = field(default_factory=dict)

    @property
    def cpl(self) -> str:
        return self.sections["cpl"]

    @property
    def reading(self) -> str | None:
        return self.sections["reading"].strip() if "reading" in self.sections else None

    @property
    def runs(self) -> list[tuple[str, str]]:
        lines = filter(str.strip, self.sections.get("run", "").splitlines())
        return [(call, result.strip()) for call, _, result in (line.partition(ARROW.rstrip()) for line in lines)]

    def __str__(self) -> str:
        parts = [f"=== case {self.title}"]
        for name, text in self.sections.items():
            parts.append(text.rstrip() if name == "cpl" else f"=== {name}\n{text.rstrip()}")
        return "\n".join(parts) + "\n"


def read_cases(file: Path) -> list[Case]:
    cases: list[Case] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("=== case "):
            section = "cpl"
            cases.append(Case(line.removeprefix("=== case "), file, {section: ""}))
        elif line.startswith("=== "):
            section = line.removeprefix("=== ")
            cases[-1].sections[section] = ""
        else:
            cases[-1].sections[section] += line + "\n"
    return cases


def write_cases(file: Path, cases: list[Case]) -> None:
    file.write_text("\n".join(map(str, cases)), encoding="utf-8")
