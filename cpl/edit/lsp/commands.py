"""The commands of the server: the Python of a text, and what a text does when it runs."""

import asyncio
import json
from functools import partial
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from cpl import outside
from cpl.compiler import compile_meaning
from cpl.diagnostics import CplError, has_errors
from cpl.edit.lsp.server import Failed, Server
from cpl.source import Source

NAMES: Final = ("cpl.showPython", "cpl.run")

SECONDS: Final = 20
"""A program that runs longer is ended."""

MOST: Final = 200_000
"""So many bytes of output are shown."""

_MEMORY: Final = 4 << 30


async def obey(ls: Server, params: lsp.ExecuteCommandParams) -> dict[str, Any]:
    """Show the Python of a text, or run it and evaluate a call in it if there is one. Raises JsonRpcInvalidParams for
    other commands and other arguments.
    """
    match [params.command, *(params.arguments or ())]:
        case ["cpl.showPython", str(uri)]:
            return await show_python(ls, uri)
        case ["cpl.run", str(uri)]:
            return await run(ls.documents[uri].source)
        case ["cpl.run", str(uri), str() | None as call]:
            return await run(ls.documents[uri].source, call)
        case _:
            raise JsonRpcInvalidParams("this is no command, or these are not its arguments")


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


async def run(source: Source, call: str | None = None) -> dict[str, Any]:
    """Run a text in a process of its own. Return what it writes, with the value of the call at the end, as `output`;
    and as `ok` whether all went well.
    """
    request = json.dumps([source.path, source.text, call]).encode()
    child = outside.start("-m", "cpl.cli.unsaved", seconds=SECONDS, memory=_MEMORY)
    try:
        output, status = await asyncio.to_thread(partial(outside.finish, child, request, most=MOST, seconds=SECONDS))
    finally:
        outside.kill(child)  # if nobody waits for it any more
    shown = output.decode("utf-8", "replace")
    return {"output": shown + (f"\nended after {SECONDS} seconds\n" if status is None else ""), "ok": status == 0}
