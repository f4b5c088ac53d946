"""The public address of the project, and what follows from it.

The table `[project.urls]` of `pyproject.toml` is the one place that names it: `Source` is the repository at its code
host, `Homepage` the site where it is published. While the table is missing, nothing has an address. The metadata of the
package and the pages of the site read the table. `CITATION.cff` and the manifest of the extension for VS Code are read
by other programs, so the address is written into them:

    python docs/site/address.py
"""

import json
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
CITATION: Final = "CITATION.cff"
MANIFEST: Final = "editors/package.json"

_OF_CITATION: Final = re.compile(r"^(?:repository-code|url): .*\n", re.MULTILINE)
"""A line on cplc itself. The lines on works that it refers to are indented."""
_OF_MANIFEST: Final = ("repository", "bugs", "homepage")


@dataclass(frozen=True)
class Address:
    """Where the project is to be found; `homepage` is empty while the site is not published."""

    source: str
    homepage: str

    @property
    def report(self) -> str:
        """Where somebody reports a mistake."""
        return f"{self.source}/issues"


def read(root: Path) -> Address | None:
    """Return the address that the `pyproject.toml` in this folder names, or None."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    urls = project.get("urls", {})
    if "Source" not in urls:
        return None
    return Address(urls["Source"].rstrip("/"), urls.get("Homepage", ""))


def following(root: Path) -> dict[Path, str]:
    """Return the files that hold the address, as they must be by the `pyproject.toml` in this folder."""
    address = read(root)
    citation, manifest = root / CITATION, root / MANIFEST
    return {
        citation: _citation(citation.read_text(encoding="utf-8"), address),
        manifest: _manifest(json.loads(manifest.read_text(encoding="utf-8")), address),
    }


def _citation(text: str, address: Address | None) -> str:
    text = _OF_CITATION.sub("", text)
    if not address:
        return text
    lines = f'repository-code: "{address.source}"\n'
    if address.homepage:
        lines += f'url: "{address.homepage}"\n'
    before, licence, after = text.partition("license: MIT\n")
    return before + licence + lines + after


def _manifest(manifest: dict[str, Any], address: Address | None) -> str:
    with_address: dict[str, Any] = {}
    for key, value in manifest.items():
        if key not in _OF_MANIFEST:
            with_address[key] = value
        if key == "license" and address:
            with_address["repository"] = {"type": "git", "url": address.source, "directory": "editors"}
            with_address["bugs"] = {"url": address.report}
            with_address["homepage"] = address.homepage or address.source
    return json.dumps(with_address, ensure_ascii=False, indent=2) + "\n"


def main() -> int:
    """Write the files that differ, and name them."""
    for path, text in following(ROOT).items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"changed {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
