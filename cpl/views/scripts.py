"""JavaScript and data within a page: the name of a module in, one script with all that it imports out.

Notebooks have no addresses for modules, so each becomes a function that is called at once and returns its exports.
"""

import json
import re
from functools import cache
from typing import Any, Final

from cpl import packaged
from cpl.outside import printable

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:const|class|function) (\w+))", re.MULTILINE)
_UNSAFE: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""What could end a script, or a line of one."""


@cache
def bundle(name: str) -> str:
    """One classic script of the module `name` in cpl/views/static and of those that it imports by `./other.js`."""
    modules: dict[str, str] = {}
    _collect(name, modules)
    return f"(() => {{\n{''.join(modules.values())}}})();\n"


def _collect(name: str, modules: dict[str, str]) -> None:
    """Add a module, behind those that it imports."""
    text = packaged.static(f"{name}.js")
    for imported in _IMPORT.finditer(text):
        if imported[2] not in modules:
            _collect(imported[2], modules)
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = \2;\n", text))
    modules[name] = f"const {name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


def embedded(data: Any) -> str:
    """Data as JSON that can stand in a `script` element, whatever texts are in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return printable(text, lambda char: json.dumps(char)[1:-1]).translate(_UNSAFE)
