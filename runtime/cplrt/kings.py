"""The table of endings with kings only, for `library/kings.cpl`, which explains it.

The table is a file of `cpl.games`, whose players look positions up in it: most programs that import cplrt need no half
a megabyte of kings. It is found by the place of cpl, which is not imported.
"""

import os
import struct
import zlib
from functools import cache
from importlib.util import find_spec


@cache
def KingsTable() -> list[int]:
    """The whole numbers of the table of endings with kings only; none where cplc is not installed."""
    try:
        package = find_spec("cpl")
        if package is None or package.origin is None:
            return []
        with open(os.path.join(os.path.dirname(package.origin), "games", "kings.z"), "rb") as file:
            data = zlib.decompress(file.read())
    except (OSError, ValueError, zlib.error):  # another module of that name
        return []
    return [*struct.unpack(f"<{len(data) // 8}q", data)]
