"""`cpl run FILE …` for a file that has another text in an editor, which comes by standard input as JSON."""

import json
import os
import sys
import tempfile

from cpl import loader
from cpl.cli.cpl import main as command


def main() -> int:
    """Run the command with that text; the result is its exit status."""
    text = json.loads(sys.stdin.read())
    name, path, *rest = sys.argv[1:]
    with tempfile.TemporaryFile() as nothing_or_text, loader.opened({os.path.realpath(path): text}):
        if not os.path.exists(path):  # it was never saved
            path = "-"
            nothing_or_text.write(text.encode())
            nothing_or_text.seek(0)
        os.dup2(nothing_or_text.fileno(), 0)
        return command([name, path, *rest])


if __name__ == "__main__":
    sys.exit(main())
