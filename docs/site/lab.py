"""The notebooks in JupyterLite: an application that runs in the browser, with the Python of the site."""

import json
import re
import sys
from pathlib import Path

import frame
from steps import empty, run

from cpl.study.views.page_style import LISTINGS, THEMES, palette

_SETTINGS = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "cplc notebooks",
        "litePluginSettings": {
            "@jupyterlite/pyodide-kernel-extension:kernel": {
                "pyodideUrl": "./../python/pyodide.mjs",
                "disablePyPIFallback": True,
                "loadPyodideOptions": {
                    "packages": ["cplc", "micropip", "ipykernel", "pyodide-kernel", "comm", "jedi", "ipython"]
                },
            }
        },
    },
}
_SECONDS_UNTIL_SAVED = 10
_OVERRIDES = {
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": _SECONDS_UNTIL_SAVED},
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
    "@jupyterlab/notebook-extension:tracker": {
        "windowingMode": "none"
    },  # all cells are there, to be searched and printed
}
_ICON = '<link rel="icon" href="../../_static/icon.svg">'
_WAYS_OUT = f"""\
<style>
{palette(".bar")}
{frame.RULES}
.bar {{ box-sizing: border-box; position: absolute; inset: 0 0 auto; height: 1.75rem;
  padding-block: 0; flex-wrap: nowrap; font-size: 14px; }}
#main#main {{ top: 1.75rem; }}
@media print {{ #main#main {{ top: 0; }} }}
</style>
{frame.bar(frame.DOCS, "../../")}
"""
"""The bar, without the switch: JupyterLab has themes of its own."""
_CELLS = {"name": "cpl-cells", "load": "../../../assets/cells.js", "extension": "./extension"}
"""Our extension, where JupyterLite looks for it from its folder of extensions: cells of CPL in colour."""
_COLOURS = f"""\
<style>
{palette(".cpl-cell", THEMES)}
.cpl-cell .cm-line {{ color: var(--ink); }}
.cpl-cell .cm-line span:not([class^="c-"]) {{ color: inherit; font-weight: inherit; font-style: inherit; }}
.cpl-cell.cm-content .cm-line {{
{LISTINGS}}}
</style>
"""
_FROM_A_FILE = """\
<script>
if (location.protocol === "file:") document.body.innerHTML =
  "<p style='font: 16px/1.5 system-ui; margin: 3rem auto; max-width: 40rem'>Notebooks run only from a web server. " +
  "Start <code>python3 -m http.server</code> in the folder of the site, and open http://localhost:8000.</p>"
</script>
"""


def make(folder: Path, notebooks: Path) -> None:
    """Fill the folder."""
    setup = empty(folder.parent / "lab-setup")
    contents = empty(setup / "contents")
    for path in sorted(notebooks.glob("*.ipynb")):
        (contents / path.name).write_text(_for_the_browser(path), encoding="utf-8")
    (setup / "jupyter-lite.json").write_text(json.dumps(_SETTINGS), encoding="utf-8")
    (setup / "overrides.json").write_text(json.dumps(_OVERRIDES), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--no-sourcemaps", "--apps=lab", "--apps=notebooks"]
    run(*command, f"--contents={contents}", "--lite-dir=.", f"--output-dir={empty(folder)}", cwd=setup)
    settings = json.loads((folder / "jupyter-lite.json").read_text(encoding="utf-8"))
    settings["jupyter-config-data"]["federated_extensions"].append(_CELLS)
    (folder / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
    for page in folder.glob("*/index.html"):
        text = page.read_text(encoding="utf-8")
        text = text.replace("<title>", f"{_ICON}<title>", 1).replace(
            "</body>", f"{_COLOURS}{_WAYS_OUT}{_FROM_A_FILE}</body>"
        )
        page.write_text(text, encoding="utf-8")


def _for_the_browser(path: Path) -> str:
    """The notebook for the kernel `python`, as JupyterLite calls its own, without outputs and dead links."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"]["kernelspec"] = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
        else:
            cell["source"] = re.sub(r"\[([^]]*)\]\(\.\./[^)]*\)", r"\1", "".join(cell["source"]))
    return json.dumps(notebook, ensure_ascii=False, indent=1)
