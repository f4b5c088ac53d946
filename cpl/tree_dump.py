"""Any of our trees as indented text, for people who want to see what a stage made of a program."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from cpl.source import Span


def dump(node: Any) -> str:
    """A node a line, its plain fields beside its name and its children under it. Texts that repr leaves out are shown
    where there are any.
    """
    return "\n".join(_lines(node, "", 0))


def _lines(node: Any, label: str, depth: int) -> Iterator[str]:
    indent = "  " * depth + (f"{label}: " if label else "")
    if isinstance(node, tuple):
        yield indent + ("(" + ", ".join(map(repr, node)) + ")" if not any(map(is_dataclass, node)) else "").rstrip()
        for child in node if any(map(is_dataclass, node)) else ():
            yield from _lines(child, "", depth + 1)
        return
    plain: list[str] = []
    children: list[tuple[str, Any]] = []
    for item in fields(node):
        value = getattr(node, item.name)
        if isinstance(value, Span) or not (item.repr or isinstance(value, str) and value):
            continue
        if is_dataclass(value) or isinstance(value, tuple) and value:
            children.append((item.name, value))
        else:
            plain.append(f" {item.name}={value!r}")
    span = getattr(node, "span", None)
    place = f"  @{span.line}:{span.column}" if isinstance(span, Span) else ""
    yield f"{indent}{type(node).__name__}{''.join(plain)}{place}"
    for name, value in children:
        yield from _lines(value, name, depth + 1)
