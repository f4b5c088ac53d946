"""Diagnostics as a log of SARIF 2.1.0, which code hosts show beside the lines."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from cpl import __version__
from cpl.diagnostics import Diagnostic, Fix
from cpl.messages import Cause
from cpl.outside import printable
from cpl.source import Source, Span, utf16_units

_BASE: Final = "%SRCROOT%"
"""What addresses are relative to. A code host knows where that is; the path on this machine is left out."""


def log(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """The log of one run."""
    causes = {each.code: each.cause for each in diagnostics}
    codes = [*causes]
    return {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "cplc", "version": __version__, "rules": [*map(_rule, causes.values())]}},
                "originalUriBaseIds": {_BASE: {"description": _text("the folder in which the command ran")}},
                "columnKind": "utf16CodeUnits",
                "newlineSequences": ["\r\n", "\n", "\r"],
                "results": [_result(each, codes.index(each.code)) for each in diagnostics],
            }
        ],
    }


def _rule(cause: Cause) -> dict[str, Any]:
    message, help = (re.sub(r"\{\w+\}", "…", text) for text in (cause.message, cause.help or cause.message))
    return {
        "id": cause.code,
        "shortDescription": _text(message),
        "fullDescription": _text(message),
        "help": _text(help),
        "defaultConfiguration": {"level": cause.severity},
    }


def _result(found: Diagnostic, rule: int) -> dict[str, Any]:
    return {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": found.severity,
        "message": _text(found.message + (f"\nhelp: {found.help}" if found.help else "")),
        "locations": [_location(found.span, found.label)],
        "relatedLocations": [_location(*each) for each in found.related],
        "fixes": [*map(_fix, found.fixes)],
    }


def _fix(fix: Fix) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.text}}
    change = {"artifactLocation": _artifact(fix.span.source), "replacements": [replacement]}
    return {"description": _text(fix.advice), "artifactChanges": [change]}


def _location(span: Span, label: str) -> dict[str, Any]:
    place = {"artifactLocation": _artifact(span.source), "region": _region(span)}
    return {"physicalLocation": place, **({"message": _text(label)} if label else {})}


def _artifact(source: Source) -> dict[str, Any]:
    """Where the text is: below the current folder as a relative address."""
    path, here = Path(os.path.abspath(source.path)), Path.cwd()
    if not path.is_relative_to(here):
        return {"uri": path.as_uri()}
    return {"uri": quote(os.fsencode(path.relative_to(here).as_posix())), "uriBaseId": _BASE}


def _region(span: Span) -> dict[str, int]:
    (line, column), (end_line, end_column) = (_position(span.source, offset) for offset in (span.start, span.end))
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _position(source: Source, offset: int) -> tuple[int, int]:
    """The line and the column of an offset, from 1, the column in units of UTF-16."""
    before = source.text[offset - source.column_at(offset) + 1 : offset]
    return source.line_at(offset), utf16_units(before) + 1


def _text(text: str) -> dict[str, str]:
    """A message; braces are doubled, as single ones enclose what is filled in."""
    return {"text": printable(text).replace("{", "{{").replace("}", "}}")}
