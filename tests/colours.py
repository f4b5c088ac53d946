"""How well two colours can be told apart."""


def contrast(one: str, other: str) -> float:
    """Of two colours, as WCAG 2 computes it: `#rgb` or `#rrggbb`."""
    lights = []
    for colour in (one, other):
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def of_terminal(number: int) -> str:
    """One of the colours 16 to 255 of a terminal of 256: a cube, and 24 greys."""
    levels = (0, 95, 135, 175, 215, 255)
    cube = number - 16
    parts = (levels[cube // 36], levels[cube // 6 % 6], levels[cube % 6]) if cube < 216 else [8 + 10 * (cube - 216)] * 3
    return "#" + "".join(f"{part:02x}" for part in parts)
