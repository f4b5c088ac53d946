"""Makes `README.md` the description of the package.

The links of the file are relative, as a checkout needs them. On a package index they would lead nowhere. If
`[project.urls]` in `pyproject.toml` names the `Source`, they lead there, to the files of the version that is built.
"""

from typing import Any

from hatch_fancy_pypi_readme import hooks
from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = r"(?![a-z]+:|#)"
"""What stands before an address that names neither a host nor a place on the page itself."""


class Readme(MetadataHookInterface):
    """Sets `readme`, with the links that an index needs."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme` in the metadata of the project."""
        source = metadata.get("urls", {}).get("Source", "").rstrip("/")
        links = [
            {"pattern": rf"(!\[[^\]]*\]\(){_RELATIVE}", "replacement": rf"\1{source}/raw/v$HFPR_VERSION/"},
            {"pattern": rf"(\]\(){_RELATIVE}", "replacement": rf"\1{source}/blob/v$HFPR_VERSION/"},
        ]
        settings = {
            "content-type": "text/markdown",
            "fragments": [{"path": "README.md"}],
            "substitutions": links if source else [],
        }
        hooks.FancyReadmeMetadataHook(self.root, settings).update(metadata)
