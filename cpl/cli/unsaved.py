"""`cpl run FILE --call=CALL` for a file that has another text in an editor.

By standard input comes `[FILE, text, CALL or null]` as JSON: the command line could not have all that a text may be.
"""

import io
import json
import os
import sys

from cpl import loader
from cpl.cli.cpl import main as command


def main() -> int:
    """Run the command with that text; the result is its exit status."""
    path, text, call = json.loads(sys.stdin.read())
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"" if os.path.exists(path) else text.encode()))
    with loader.opened({os.path.realpath(path): text}):
        file = path if os.path.exists(path) else "-"  # - if it was never saved
        return command(["run", file, *([f"--call={call}"] if call else [])])


if __name__ == "__main__":
    sys.exit(main())
