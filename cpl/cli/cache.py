"""Show where the cache is and how much it holds, or empty it.

examples:
  cpl cache
  cpl cache --clear

The cache holds compiled programs, so that none is compiled twice. You can empty it at any time; cpl rebuilds what it
needs. The least recently used files are deleted automatically.

exit status: 0 if all went well; 1 if the cache folder cannot be found, read or emptied.
"""

import argparse

from cpl import cache
from cpl.cli import terminal
from cpl.cli.terminal import Failed
from cpl.compiler.wording import counted
from cpl.limits import MOST_BYTES_OF_CACHE


def run(options: argparse.Namespace) -> None:
    """Say where the cache is and how much it holds; with --clear, empty it. Raises Failed."""
    try:
        entries = cache.entries()
        if options.clear:
            for path, _ in entries:
                path.unlink(missing_ok=True)
        size = f"{counted(len(entries), 'entry', 'entries')}, {sum(size for _, size in entries) / 1e6:.1f} MB"
        limit = "removed" if options.clear else f"of at most {MOST_BYTES_OF_CACHE / 1e6:.0f} MB"
        terminal.tell(f"{cache.folder()}: {size} {limit}")
    except (OSError, RuntimeError) as error:
        raise Failed(f"the cache: {getattr(error, 'strerror', None) or error}") from None
