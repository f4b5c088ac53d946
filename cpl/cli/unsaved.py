"""`cpl run FILE --call=CALL` for a file that has another text in an editor.

By standard input comes `[FILE, text, CALL or null]` as JSON: the command line could not have all that a text may be.
"""

import io
import json
import os
import sys

from cpl import loader
from cpl.cli.cpl import main as command
from cpl.outside import real


def main() -> int:
    """Run the command with that text; the result is its exit status."""
    path, text, call = json.loads(sys.stdin.read())
    is_saved = os.path.isfile(path)
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"" if is_saved else text.encode(errors="surrogatepass")))
    with loader.opened({real(path): text}):
        return command(["run", *([f"--call={call}"] if call else []), "--", path if is_saved else "-"])


if __name__ == "__main__":
    sys.exit(main())
