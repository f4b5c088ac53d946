"""What the scripts for long runs share: each notes line by line what it did, and can be stopped and go on."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

STOPPED = 130
"""The exit status of a run that was stopped."""


def lines(file: Path) -> list[dict[str, Any]]:
    """What is done. A last line that was cut off is taken away."""
    if not file.exists():
        return []
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        os.truncate(file, len(whole))
    return [json.loads(line) for line in whole.decode("utf-8").splitlines()]


def ended(run: Callable[[], None]) -> int:
    """Run until the end, Ctrl-C or `kill`; the result is 0 or `STOPPED`. What runs in the background of a shell would
    ignore Ctrl-C.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
        return STOPPED
    return 0


def told(file: Path, summary: Callable[[list[dict[str, Any]]], str]) -> bool:
    """Print the summary of what is done. The result is whether something went wrong."""
    done = lines(file)
    print(summary(done))
    return any(line["wrong"] for line in done)
