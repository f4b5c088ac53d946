"""The table of endings with kings only, for `library/kings.cpl`, which explains it."""

import os
import struct
import zlib
from functools import cache


@cache
def KingsTable() -> list[int]:
    """The whole numbers of the table of endings with kings only; none where the table is not beside the library."""
    try:
        path = os.path.join(os.path.dirname(__file__), "kings.z")
        loader = globals()["__loader__"]  # which knows how to read a zip file, too
        data = zlib.decompress(loader.get_data(path))
    except (OSError, NameError, KeyError, AttributeError):  # a text that is executed is in no file
        return []
    return [*struct.unpack(f"<{len(data) // 8}q", data)]
