"""A text that is open in an editor, run in a process of its own."""

import asyncio
import json
import sys
from typing import Final

from cpl.source import Source

SECONDS: Final = 20
"""A program that runs longer is ended."""

MOST: Final = 200_000
"""So many bytes of output are shown."""


async def run(source: Source, call: str | None) -> tuple[str, bool]:
    """What the program writes, with the value of the call at the end; and whether all went well."""
    arguments = ["run", source.path, *([f"--call={call}"] if call else [])]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cpl.cli.unsaved",
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=MOST,
    )
    assert process.stdin and process.stdout
    output = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            process.stdin.write(json.dumps(source.text).encode())
            process.stdin.close()
            while part := await process.stdout.read(MOST):
                output += part[: MOST - len(output)]
            status = await process.wait()
    except TimeoutError:
        status = None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    text = output.decode("utf-8", "replace")
    return (text, status == 0) if status is not None else (f"{text}\nended after {SECONDS} seconds\n", False)
