"""The formatter: the only module that knows black."""

import black
from black.mode import TargetVersion


def tidy(text: str) -> str:
    """The same Python in black's style. The user's own configuration is not read: output depends on input alone."""
    mode = black.Mode(target_versions={TargetVersion.PY311}, line_length=88)
    return black.format_str(text, mode=mode)
