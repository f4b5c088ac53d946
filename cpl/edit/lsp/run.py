"""A text that is open in an editor, run in a process of its own."""

import asyncio
import json
from functools import partial
from typing import Any, Final

from cpl import outside
from cpl.source import Source

SECONDS: Final = 20
"""A program that runs longer is ended."""

MOST: Final = 200_000
"""So many bytes of output are shown."""

_MEMORY: Final = 4 << 30


async def run(source: Source, call: str | None = None) -> dict[str, Any]:
    """Return what the program writes, with the value of the call at the end, as `output`; and as `ok` whether all went
    well.
    """
    given = json.dumps([source.path, source.text, call]).encode()
    child = outside.start("-m", "cpl.cli.unsaved", seconds=SECONDS, memory=_MEMORY)
    try:
        output, status = await asyncio.to_thread(partial(outside.finish, child, given, most=MOST, seconds=SECONDS))
    finally:
        outside.kill(child)  # if nobody waits for it any more
    shown = output.decode("utf-8", "replace")
    return {"output": shown + (f"\nended after {SECONDS} seconds\n" if status is None else ""), "ok": status == 0}
