"""`cpl run FILE …` for a file that has another text in an editor, which comes by standard input as JSON."""

import io
import json
import os
import sys

from cpl import loader
from cpl.cli.cpl import main as command


def main() -> int:
    """Run the command with that text; the result is its exit status."""
    text = json.loads(sys.stdin.read())
    name, path, *rest = sys.argv[1:]
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"" if os.path.exists(path) else text.encode()))
    with loader.opened({os.path.realpath(path): text}):
        return command([name, path if os.path.exists(path) else "-", *rest])  # - if it was never saved


if __name__ == "__main__":
    sys.exit(main())
