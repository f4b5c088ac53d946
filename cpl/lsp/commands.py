"""The commands of the server: the Python of a text, and what a text does when it runs."""

from typing import Any, Final

from cpl.compiler import compile_meaning
from cpl.diagnostics import CplError, has_errors
from cpl.lsp import run
from cpl.lsp.server import Failed, Server


async def show_python(ls: Server, uri: str) -> dict[str, Any]:
    """The Python of a text, and for each of its lines the first and the last line of CPL that it comes from, from 0."""
    analysis = await ls.documents.known(uri)
    if has_errors(analysis.meaning.diagnostics):
        raise Failed("this text has errors, so there is no Python of it")
    try:
        compiled = await ls.documents.run(lambda: compile_meaning(analysis.meaning))
    except CplError as error:
        raise Failed(error.diagnostics[0].message) from None
    spans = [compiled.origin(number) for number in range(1, compiled.python.count("\n") + 1)]
    lines = [[span.line - 1, span.last_line - 1] if span else None for span in spans]
    return {"python": compiled.python, "lines": lines}


async def run_text(ls: Server, uri: str, call: str | None = None) -> dict[str, Any]:
    """What a text writes when it runs, and the value of a call if there is one."""
    source = ls.documents[uri].source
    output, ok = await run.run(source, call)
    return {"output": output, "ok": ok}


COMMANDS: Final[dict[str, Any]] = {"cpl.showPython": show_python, "cpl.run": run_text}
