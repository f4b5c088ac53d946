"""The list of `cplc --list`: the packaged programs and libraries."""

import argparse

from cpl import outside
from cpl.compiler import loader


def run(options: argparse.Namespace) -> None:
    """Print the names and titles of the packaged programs and libraries, then those of the attested texts."""
    folder = outside.packaged("programs")
    attested: list[str] = []
    for path in loader.packaged_files():
        entry = loader.entry(str(path))
        if entry.evidence:
            attested.append(f"{path.stem:33} {entry.title}")
        else:
            print(f"{path.relative_to(folder).as_posix():28} {entry.date:5} {entry.title}".rstrip())
    print("\nCPL in print, as attested/NAME.cpl (s63, s65, s67: the year; then the page):", *attested, sep="\n")
