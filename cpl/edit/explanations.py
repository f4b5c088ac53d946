"""What each code of a diagnostic means, with an example that is at fault and one that is right."""

import re
from functools import cache

from cpl import packaged
from cpl.records import dataclass


@dataclass(frozen=True)
class Explanation:
    """What a code means, in words; `wrong` gives that diagnostic, `right` does not; empty if no short text can."""

    code: str
    words: str
    wrong: str = ""
    right: str = ""


@cache
def explanations() -> dict[str, Explanation]:
    """All of them, by their codes."""
    _, *parts = re.split(r"^## ", packaged.explanations(), flags=re.MULTILINE)
    return {each.code: each for each in map(_explanation, parts)}


def _explanation(part: str) -> Explanation:
    code, _, rest = part.partition("\n")
    words, *examples = re.split(r"```cpl\n(.*?)```\n", rest, flags=re.DOTALL)
    wrong, right = [*examples[::2], "", ""][:2]
    return Explanation(code.strip(), words.strip(), wrong, right)
