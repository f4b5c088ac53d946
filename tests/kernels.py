"""Notebooks are run by kernels that need no network, where the system has sockets that are files."""

import os
import tempfile
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from traitlets.config import Config


def executed(notebook: Any, folder: Path, **options: Any) -> list[Any]:
    """The cells of a notebook that was run in this folder, with their outputs."""
    place = {"metadata": {"path": folder}}
    with tempfile.TemporaryDirectory() as sockets:  # whose path is short: a socket's may have a hundred bytes
        by_files = {"transport": "ipc", "ip": f"{sockets}/kernel"}
        config = Config({"KernelManager": by_files if os.name == "posix" else {}})
        client = NotebookClient(notebook, timeout=300, resources=place, config=config, **options)
        cells: list[Any] = client.execute()["cells"]
    return cells
