"""`python -m cpl` is the command `cpl`."""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # the current folder, which may have modules with the names of Python's

from cpl.cli.cpl import main

sys.exit(main())
