"""Cold start: the processor's time of whole commands, beside that of Python itself and of other compilers to Python.

The others compile a factorial in their own language: Hy by `hy2py`, Coconut by `coconut`. For a fair comparison with
them cplc is measured without formatting, which they do not do either.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import rivals
from measure import Failed, Row, against, best

NOTHING = "python -c pass"
FACTORIALS = {
    "fact.cpl": "Fact(n) = n = 0 → 1, n × Fact(n - 1)\n",
    "fact.hy": "(defn fact [n] (if (= n 0) 1 (* n (fact (- n 1)))))\n",
    "fact.coco": "def fact(n) = 1 if n == 0 else n * fact(n - 1)\n",
}
_CPLC = [sys.executable, "-c", "from cpl.cli.cplc import main; raise SystemExit(main())"]
_CPL = [sys.executable, "-c", "from cpl.cli.cpl import main; raise SystemExit(main())"]
GAMES = (
    "play",
    "match random:7 random:8 --games 1",
    "perft --game checkers --depth 1",
    "analyse B:W18,26:B11,K2 --depth 1",
    "hub",
)
"""Commands that start a game, whose program is in the cache after the first run."""
_HY = [sys.executable, "-c", "from hy.cmdline import hy2py_main; raise SystemExit(hy2py_main())"]
_COCONUT = [sys.executable, "-c", "from coconut.main import main; main()"]


def rows(runs: int, say: Callable[[str], None], *, short: bool = False) -> list[Row]:
    """Seconds of each command; the rivals are left out in a `short` run."""
    say("cold start")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FACTORIALS.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        out = os.path.join(folder, "out.py")
        commands = {
            NOTHING: [sys.executable, "-c", "pass"],
            "cplc strachey.cpl": [*_CPLC, "strachey.cpl", "-o", out],
            "cplc --no-format fact.cpl": [*_CPLC, "--no-format", os.path.join(folder, "fact.cpl"), "-o", out],
            **{f"cpl {command}": [*_CPL, *command.split()] for command in GAMES},
        }
        variables: dict[str, dict[str, str]] = {}
        missing: dict[str, str] = {}
        for name, package, command in (
            ()
            if short
            else (
                ("hy2py fact.hy", "hy", [*_HY, os.path.join(folder, "fact.hy"), "-o", out]),
                ("coconut fact.coco", "coconut", [*_COCONUT, "--quiet", os.path.join(folder, "fact.coco")]),
            )
        ):
            if path := rivals.package(package):
                commands[name], variables[name] = command, path
            elif package != "coconut":  # which is measured where it can be had
                missing[name] = "could not be installed"
        times = best(commands, runs, variables)
    results = [
        Row("cold start", name, None, "s", problem=str(time))
        if isinstance(time, Failed)
        else Row("cold start", name, time.seconds, "s", f"{time.megabytes:.0f} MB")
        for name, time in times.items()
    ]
    results += [Row("cold start", name, None, "s", problem=problem) for name, problem in missing.items()]
    return against(results, NOTHING)
