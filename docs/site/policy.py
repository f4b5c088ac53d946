"""The policy of each page (CSP): from where it may load, and which scripts may run in it.

A server of files sends no policies, so they stand in the pages. A worker that has an address has none; those of our
pages are made from blobs, and have the policy of their page.
"""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

LAB: Final = "lab"
"""The folder of JupyterLite."""

_OURS: Final = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "connect-src": "'self' data:",  # Pyodide gets its library, which is empty here, as such an address
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
_OF_JUPYTERLITE: Final = {
    **_OURS,
    # It compiles the schemas of its settings, and outputs of notebooks have scripts.
    "script-src": "'self' 'wasm-unsafe-eval' 'unsafe-eval' 'unsafe-inline' blob:",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' data: blob:",
    "frame-src": "'self' data: blob:",
    "media-src": "'self' data: blob:",
}
_DATA: Final = {"application/json"}
"""Types of scripts that no browser runs."""

_CHARSET: Final = re.compile(r"<meta charset=[^>]*>", re.IGNORECASE)
_HEAD: Final = re.compile(r"<head\b[^>]*>", re.IGNORECASE)


class _Scripts(HTMLParser):
    """The texts of the scripts that stand in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._is_inside = tag == "script" and "src" not in given and given.get("type") not in _DATA
        if self._is_inside:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self._is_inside:
            self.texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._is_inside = False


def give(site: Path) -> None:
    """Put a policy into each page of a folder."""
    for path in sorted(site.rglob("*.html")):
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")  # as browsers read it
        is_ours = path.relative_to(site).parts[0] != LAB
        policy = _policy_of(text) if is_ours else _written(_OF_JUPYTERLITE)
        meta = f'\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
        place = _CHARSET.search(text) or _HEAD.search(text)
        if place is None:
            raise ValueError(f"{path} has no head")
        path.write_bytes((text[: place.end()] + meta + text[place.end() :]).encode())


def _policy_of(page: str) -> str:
    """Our policy, which allows of the scripts in a page those that the build has put there."""
    found = _Scripts()
    found.feed(page)
    digests = sorted({base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in found.texts})
    allowed = " ".join([_OURS["script-src"], *(f"'sha256-{digest}'" for digest in digests)])
    return _written({**_OURS, "script-src": allowed})


def _written(policy: dict[str, str]) -> str:
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())
