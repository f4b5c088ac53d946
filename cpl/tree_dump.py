"""Any of our trees as indented text, for people who want to see what a stage made of a program."""

from collections.abc import Iterator
from typing import Any

from cpl.records import fields, is_dataclass
from cpl.source import Span


def dump(node: Any) -> str:
    """A node a line, its plain fields beside its name and its children under it. Texts that repr leaves out are shown
    where there are any.
    """
    return "\n".join(_lines(node, "", 0))


def _lines(node: Any, label: str, depth: int) -> Iterator[str]:
    if isinstance(node, tuple):
        children = [("", each) for each in node if _has_parts(each)]
        head = ("" if label else "tuple") if children else f"({', '.join(map(repr, node))})"
    else:
        shown = _shown(node)
        children = [(name, value) for name, value in shown.items() if _has_parts(value)]
        plain = [f" {name}={value!r}" for name, value in shown.items() if not _has_parts(value)]
        place = f"  @{node.span.line}:{node.span.column}" if isinstance(getattr(node, "span", None), Span) else ""
        head = f"{type(node).__name__}{''.join(plain)}{place}"
    yield f"{'  ' * depth}{f'{label}: ' if label else ''}{head}".rstrip()
    for name, value in children:
        yield from _lines(value, name, depth + 1)


def _shown(node: Any) -> dict[str, Any]:
    """The fields of a node by their names, but for places, and what repr leaves out unless it is a text."""
    values = [(item, getattr(node, item.name)) for item in fields(node)]
    kept = [(item, value) for item, value in values if item.repr or (isinstance(value, str) and value)]
    return {item.name: value for item, value in kept if not isinstance(value, Span)}


def _has_parts(value: Any) -> bool:
    return is_dataclass(value) or (isinstance(value, tuple) and bool(value))
