"""What the readings of a program do, for a notebook: a table, and the smallest positions where they part as boards."""

from collections.abc import Iterator, Sequence
from typing import Final

from cpl.games.board import picture
from cpl.kit.reading_experiment import Agreement, Finding
from cpl.kit.readings_comparison import ReadingComparison
from cpl.outside import escape
from cpl.readings import KEYS
from cpl.views.calls_html import case
from cpl.views.style import REPORT, fragment

_WHY: Final[dict[Agreement, str]] = {"different": "the results differ", "failed": "one of them fails"}


def as_fragment(comparison: ReadingComparison) -> str:
    """The whole report."""
    program, against = escape(comparison.program), escape(comparison.against)
    rows = "\n".join(_row(each, comparison) for each in comparison.findings)
    more = "<th>recorded examples" * bool(comparison.findings[0].examples) + "<th class=needs>corrections needed" * (
        comparison.corrections is not None
    )
    body = f"""\
<h1>{program} under each reading</h1>
<p class=lead>{escape(comparison.conclusion).replace(",", ",<wbr>")}</p>
<p class=note>Compared with {against}: <code>{escape(comparison.function)}</code> at {comparison.positions} \
positions.</p>
<div class=scroll><table class=counts><thead><tr>{"".join(f"<th>{key}" for key in KEYS)}
<th>same<th>different<th>failed{more}<th class=bar>
<span><i class=same></i>&nbsp;same</span> <span><i class=different></i>&nbsp;different</span>
<span><i class=fails></i>&nbsp;failed</span></tr></thead><tbody>
{rows}
</tbody></table></div>
{"".join(_corrections(comparison))}
{"".join(_witnesses(comparison))}
"""
    return fragment("readings", REPORT + _STYLE, body)


def _row(found: Finding, comparison: ReadingComparison) -> str:
    counts = found.tally.counts
    numbers = (counts["same"], counts["different"], counts["failed"])
    cells = [f"<td>{value}" for value in found.reading.values.values()]
    cells += [f"<td class=number>{count or ''}" for count in numbers]
    if found.examples:
        cells.append(f"<td class=number>{sum(one.holds for one in found.examples)} of {len(found.examples)}")
    if comparison.corrections is not None:
        cells.append(f"<td>{comparison.choices(found)}")
    shares = zip(("same", "different", "fails"), numbers, strict=True)
    bar = "".join(f"<i class={kind} style='flex:{count}'></i>" for kind, count in shares if count)
    return f"<tr>{''.join(cells)}<td class=bar><div>{bar}</div>{escape(found.broken)}</tr>"


def _corrections(comparison: ReadingComparison) -> Iterator[str]:
    """All corrections of the other program, numbered as the table has them."""
    if comparison.corrections:
        items = "\n".join(
            f"<li><code>{escape(each.definition)}</code>: <span class=before><code>{escape(each.before)}</code></span>"
            f" → <span class=after><code>{escape(each.after)}</code></span>"
            for each in comparison.corrections
        )
        yield f"<h2>The corrections of {escape(comparison.against)}</h2><ol class=pieces>\n{items}\n</ol>\n"


def _witnesses(comparison: ReadingComparison) -> Iterator[str]:
    found = [each for each in comparison.findings if each.witnesses]
    if not found:
        return
    yield """\
<h2>The smallest positions without agreement</h2>
<p class=note>With each of them, the first call whose result differs. A crown is a king; a dashed one is a king's mark \
without a piece. On the squares in yellow the two sides differ.</p>
"""
    for number, each in enumerate(found):
        yield _reading(each, comparison, is_open=number == 0)


def _reading(found: Finding, comparison: ReadingComparison, *, is_open: bool) -> str:
    names: Sequence[str] = ("this reading", comparison.against)
    cases = ""
    for kind, (position, pairs) in found.witnesses.items():
        cases += f"<h4>At this position {_WHY[kind]}</h4>\n"
        if not any(position in here.arguments for here, _ in pairs[-1:]):
            cases += f"<p>{picture(position).svg()}</p>\n"
        cases += "".join(case(pair, names, comparison.parameters, boards=True) for pair in pairs[-1:])
    return f"""\
<details{" open" if is_open else ""}><summary><code>{escape(found.reading.mixture)}</code></summary>
{cases}
</details>
"""


_STYLE: Final = """\
.counts th:nth-child(-n+3), .counts .needs { text-align: left; min-width: 0; }
ol.pieces { padding-left: 1.8rem; }
"""
