"""`cpl run FILE …` for a file that has another text in an editor, which comes by standard input as JSON."""

import json
import os
import sys

from cpl import loader
from cpl.cli.cpl import main as command


def main() -> int:
    """Run the command with that text; the result is its exit status."""
    text = json.loads(sys.stdin.read())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with loader.opened({os.path.realpath(sys.argv[2]): text}):
        return command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
