"""The repairs that diagnostics offer, as edits."""

from typing import Final

from cpl.diagnostics import Diagnostic
from cpl.edit.analysis import Analysis
from cpl.edit.edits import Edit
from cpl.records import dataclass

MOST: Final = 5
"""So many repairs of a finding are offered."""


@dataclass(frozen=True)
class Repair:
    """What repairs a finding, in words and as an edit; `sole` if nothing else does. The likeliest comes first."""

    finding: Diagnostic
    advice: str
    edit: Edit
    sole: bool


def repairs(analysis: Analysis) -> list[Repair]:
    """All repairs of what is wrong in a text, in the order of the findings."""
    return [
        Repair(finding, fix.advice, Edit(fix.span, fix.text), len(finding.fixes) == 1)
        for finding in analysis.diagnostics
        for fix in finding.fixes[:MOST]
        if fix.span.source == analysis.source
    ]


def all_repairs(analysis: Analysis) -> list[Edit]:
    """The repair of each finding that has only one, but for those that overlap an earlier one."""
    edits: list[Edit] = []
    for edit in sorted((repair.edit for repair in repairs(analysis) if repair.sole), key=lambda edit: edit.span.start):
        if not (edits and edit.span.start < max(edits[-1].span.end, edits[-1].span.start + 1)):
            edits.append(edit)
    return edits
