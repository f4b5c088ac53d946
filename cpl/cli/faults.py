"""A fault of a running CPL program, as a line for people."""

import traceback

from cpl.cli.common import Failed


def failed(error: Exception) -> Failed:
    """What went wrong and at which line of the CPL, if it is known."""
    lines = [_words(error), *getattr(error, "__notes__", ())]
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.endswith(".py")]
    if frames:
        frame = frames[-1]
        lines.append(f"at {frame.filename}:{frame.lineno}: {frame.line}")
    return Failed("\n  ".join(lines))


def _words(error: Exception) -> str:
    match error:
        case RecursionError() | MemoryError():
            return "the program goes too deep: does it end at all?"
        case ZeroDivisionError():
            return "division by zero"
        case _:
            return str(error)
