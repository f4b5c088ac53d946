"""Recorded runs, written by hand: small ones whose every step is known, and one of 100,000 steps."""

from types import SimpleNamespace
from typing import Any

from cpl.study.run.values import ValueTable

CPL = """\
Double[x] = x + x
Jump(P, Φ) = value of
    § let (X, Y, K, σ) = P
      let ψ = Shift(Φ, 4)
      result is Double[3] §
"""
PYTHON = """\
def Double(x):
    return x + x


def Jump(P, Phi):
    X, Y, K, sigma = P
    psi = Shift(Phi, 4)
    return Double(3)
"""
CALL, SET, VALUE, RETURN, FAULT = range(5)


class Run:
    """Builds a document, a step at a time."""

    def __init__(self, title: str, cpl: str = CPL, python: str = PYTHON) -> None:
        self.document: dict[str, Any] = {
            "version": 1,
            "title": title,
            "cut": None,
            "result": None,
            "fault": None,
            "sources": [{"name": "jump.cpl", "cpl": cpl}],
            "python": python,
            "python_lines": [[0, 1, 1, 2], [0, 2, 5, 5], [0, 3, 6, 6], [0, 4, 7, 7], [0, 5, 8, 8]],
            "spans": [],
            "functions": ["Double", "Jump"],
            "function_spans": [],
            "arities": [1, 2],
            "names": ["x", "P", "Φ", "ψ"],
            "values": [],
            "steps": {"kind": [], "span": [], "a": [], "b": []},
        }
        self.cpl = cpl
        first, _, rest = cpl.partition("\n")
        self.document["function_spans"] = [self.span(first), self.span(rest.rstrip("\n"))]

    def span(self, text: str) -> int:
        start = self.cpl.index(text)
        return self._number("spans", [0, start, start + len(text)])

    def value(self, value: Any) -> int:
        return self._number("values", value)

    def _number(self, table: str, entry: Any) -> int:
        entries: list[Any] = self.document[table]
        if entry not in entries:
            entries.append(entry)
        return entries.index(entry)

    def add(self, kind: int, span: int, a: int = -1, b: int = -1) -> None:
        for column, number in zip(("kind", "span", "a", "b"), (kind, span, a, b), strict=True):
            self.document["steps"][column].append(number)

    def recording(self, result: Any = None) -> Any:
        """What the view takes for a recording."""
        document = self.document
        return SimpleNamespace(
            title=document["title"],
            cut=document["cut"],
            fault=document["fault"],
            result=result,
            recorder=SimpleNamespace(values=ValueTable()),
            to_dict=lambda: document,
        )


def jump(title: str = "Jump(Start, Φ)") -> Any:
    """Two functions, a position, two bit strings; ten steps."""
    run = Run(title)
    own, other, kings, phi, psi = (
        run.value({"bits": f"{sum(1 << square for square in squares):x}"})
        for squares in ([*range(5, 13), 14, 15, 16, 17], [*range(28, 31), *range(32, 40)], [20, 30, 5], [15], [19])
    )
    position = run.value({"position": [own, other, kings, "1"]})
    run.add(CALL, -1, 1)
    run.add(SET, run.span("P"), 1, position)
    run.add(SET, run.span("Φ"), 2, phi)
    run.add(VALUE, run.span("Shift(Φ, 4)"), b=psi)
    run.add(SET, run.span("ψ"), 3, psi)
    run.add(CALL, run.span("Double[3]"), 0)
    run.add(SET, run.span("x"), 0, run.value("3"))
    run.add(RETURN, run.span("x + x"), 0, run.value("6"))
    run.add(VALUE, run.span("Double[3]"), b=run.value("6"))
    run.add(RETURN, run.document["function_spans"][1], 1, run.value({"list": [position, position]}))
    run.document["result"] = run.document["steps"]["b"][-1]
    return run.recording()


def long(steps: int = 100_000) -> Any:
    """Calls of Double, one after the other, in one call of Jump; each step is a change, and its number the value."""
    run = Run("a long run")
    body, call, x = run.document["function_spans"][0], run.span("Double[3]"), run.span("x")
    run.document["values"] = [str(step) for step in range(steps)]
    run.add(CALL, -1, 1)
    while len(run.document["steps"]["kind"]) + 4 <= steps:
        step = len(run.document["steps"]["kind"])
        run.add(CALL, call, 0)
        run.add(SET, x, 0, step + 1)
        run.add(RETURN, body, 0, step + 2)
    while len(run.document["steps"]["kind"]) < steps:
        run.add(VALUE, call, b=len(run.document["steps"]["kind"]))
    return run.recording()
