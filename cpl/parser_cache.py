"""The parser's tables, from the cache: lark takes a fifth of a second to make them."""

import json
from functools import cache

from cpl.cache import COMPILER, keep, kept, name_of
from cpl.syntax.parser import use_tables


@cache
def prepare() -> None:
    """Give the parser its tables."""
    name = name_of("tables", COMPILER)
    content = kept(name)
    if content is None:
        from cpl.syntax.tables import made

        content = json.dumps(made(), separators=(",", ":")).encode()
        keep(name, content)
    use_tables(json.loads(content))
