"""A fault of a running CPL program, as a line or two for people."""

import linecache

from cpl.cli.common import Failed


def failed(error: Exception) -> Failed:
    """What went wrong and at which line of the CPL, if it is known."""
    lines = [_words(error), *getattr(error, "__notes__", ())]
    place = None
    traceback = error.__traceback__
    while traceback is not None:  # there may be a million frames: look at each, and describe one
        code = traceback.tb_frame.f_code
        if not code.co_filename.endswith(".py") and code.co_filename != "<string>":
            place = code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next
    if place is not None:
        path, number = place
        lines.append(f"at {path}:{number}: {linecache.getline(path, number).strip()}")
    return Failed("\n  ".join(lines))


def _words(error: Exception) -> str:
    match error:
        case RecursionError() | MemoryError():
            return "the program goes too deep: does it end at all?"
        case ZeroDivisionError():
            return "division by zero"
        case _:
            return str(error)
