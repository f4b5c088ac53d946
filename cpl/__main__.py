"""`python -m cpl` is the command `cpl`."""

import sys

from cpl.cli.cpl import main

sys.exit(main())
