"""The figures of perft and of the searches as a picture: bars on a logarithmic scale, by day and by night."""

from collections.abc import Iterator, Sequence
from html import escape
from math import floor, log10

from measure import Row

WIDTH, NAME, BAR, MARGIN = 760, 210, 18, 12
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.part { font-weight: 600; }
.ground { fill: #ffffff; }
.faint { fill: #59636e; }
.bar { fill: #0969da; }
.rival { fill: #9a6700; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .ground { fill: #0d1117; }
  .faint { fill: #9198a1; }
  .bar { fill: #4493f8; }
  .rival { fill: #d29922; }
}
"""


def svg(rows: Sequence[Row]) -> str:
    """Bars for the rates among the rows, a group for each part; ours and those of others differ in colour and words.

    They have a ground of their own, as a page may be dark by day.
    """
    rates = [row for row in rows if row.unit.endswith("/s")]
    values = [row.value for row in rates if row.value]
    least, most = floor(log10(min(values))), log10(max(values))
    lines = [*_lines(rates, least, (WIDTH - NAME - 170) / (most - least))]
    height = 10 + sum(34 if "part" in line else 24 for line in lines if "<text x='0'" in line)
    whole, tall = WIDTH + 2 * MARGIN, height + 2 * MARGIN
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{-MARGIN} {-MARGIN} {whole} {tall}' role='img'>"
    ground = f"<rect x='{-MARGIN}' y='{-MARGIN}' width='{whole}' height='{tall}' rx='4' class='ground'/>"
    title = "<title>Leaves and nodes a second, on a logarithmic scale</title>"
    return "\n".join([head, title, f"<style>{STYLE}</style>", ground, *lines, "</svg>"]) + "\n"


def _lines(rates: Sequence[Row], least: int, scale: float) -> Iterator[str]:
    y = 18
    for part in dict.fromkeys(row.part for row in rates):
        unit = next(row.unit for row in rates if row.part == part)
        yield f"<text x='0' y='{y}' class='part'>{escape(part)}, {unit}</text>"
        y += 26
        for row in (rate for rate in rates if rate.part == part):
            yield f"<text x='0' y='{y}'>{escape(row.name)}</text>"
            if row.value is None:
                yield f"<text x='{NAME}' y='{y}' class='faint'>no figure: {escape(row.problem)}</text>"
            else:
                length = (log10(row.value) - least) * scale
                sort = "bar" if row.name.startswith("cplc") else "rival"
                yield f"<rect x='{NAME}' y='{y - 14}' width='{length:.1f}' height='{BAR}' class='{sort}'/>"
                ratio = f"<tspan class='faint'>{times(row)}</tspan>"
                yield f"<text x='{NAME + length + 8:.1f}' y='{y}'>{figure(row.value)} {ratio}</text>"
            y += 24
        y += 8


def figure(value: float) -> str:
    """A number with three digits or so."""
    if value >= 1e6:
        return f"{value / 1e6:,.2f} M"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def times(row: Row) -> str:
    """How a figure compares with that of its rival."""
    return "" if row.ratio is None else f"{figure(row.ratio)} ×"
