"""What the worker runs once: it makes the answers ready, and finds modules that have not come yet.

The memory of Python is remembered as this leaves it.
"""

import importlib
import io
import json
import random
import sys
import tarfile
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder

from cpl import cache
from cpl.compiler.diagnostics import Error
from cpl.editors.browser.answers import answer
from cpl.games.game import use

cache.take_compiler_as_it_is()  # its archive has compiled games
for path in (cache.folder(), *cache.folder().iterdir()):
    path.chmod(0o700)  # as the cache trusts nothing that others could have written
use("optimised")
FIRST_GAME = "strachey"
answer(json.dumps({"ask": "python", "name": "", "text": "f(x) = x", "reading": "set"}))  # reads the grammar


class Rest:
    """Brings the rest of the library when a module is asked for that nothing else finds."""

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find a module in the rest; it is brought once."""
        from js import XMLHttpRequest, restOfPython, tellOfRest
        from pyodide.ffi import JsException

        tellOfRest()
        request = XMLHttpRequest.new()
        request.open("GET", restOfPython, False)
        request.responseType = "arraybuffer"
        with suppress(JsException):
            request.send()
        if request.status != 200:
            raise Error("the rest of Python, which this needs, cannot be loaded: is there a net?")
        sys.meta_path.remove(cls)
        with tarfile.open(fileobj=io.BytesIO(request.response.to_bytes()), mode="r:gz") as archive:
            archive.extractall("/", filter="fully_trusted")
        importlib.invalidate_caches()
        return PathFinder.find_spec(name, path)


sys.meta_path.append(Rest)


def reply(request: str) -> str:
    """The answer to a request. In the rest are the games as they are compiled, but for the rules of the first one, and
    the sources of the runtime, which are a part of standalone modules.
    """
    asked = json.loads(request)
    if asked["ask"] in ("standalone", "choose", "why") or asked.get("game", FIRST_GAME) != FIRST_GAME:
        try:
            import cplrt.kings  # noqa: F401
        except Error as error:
            return json.dumps({"error": str(error)})
    return answer(request)


def answers() -> Callable[[str], str]:
    """The answers, for one page: chance is not remembered."""
    random.seed()
    return reply
