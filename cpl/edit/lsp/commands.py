"""The commands of the server: the Python of a text, and what a text does when it runs."""

from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from cpl.compiler import compile_meaning
from cpl.diagnostics import CplError, has_errors
from cpl.edit.lsp import run
from cpl.edit.lsp.server import Failed, Server

NAMES: Final = ("cpl.showPython", "cpl.run")


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


async def obey(ls: Server, params: lsp.ExecuteCommandParams) -> dict[str, Any]:
    """Show the Python of a text, or run it and evaluate a call in it if there is one. Raises JsonRpcInvalidParams for
    other commands and other arguments.
    """
    match [params.command, *(params.arguments or ())]:
        case ["cpl.showPython", str(uri)]:
            return await show_python(ls, uri)
        case ["cpl.run", str(uri)]:
            return await run.run(ls.documents[uri].source)
        case ["cpl.run", str(uri), str() | None as call]:
            return await run.run(ls.documents[uri].source, call)
        case _:
            raise JsonRpcInvalidParams("this is no command, or these are not its arguments")
