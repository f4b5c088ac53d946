"""Faster programs: passes from core tree to core tree (`cplc -O`)."""

from typing import Final

PASSES: Final = ("bits", "inline", "append", "loops", "merge")
"""The names of the passes that `cplc --without` can leave out."""
