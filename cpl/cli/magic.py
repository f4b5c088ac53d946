"""CPL in the cells of a notebook: `%load_ext cpl` adds `%%cpl` and `%cpl_python` to IPython.

In come the options and the text of a cell; out go the functions of the program, as names of the notebook. Cells are one
program that grows, a `Workspace`. Errors and faults look as they do in the commands.
"""

import argparse
import sys
from dataclasses import replace
from keyword import iskeyword
from types import ModuleType, TracebackType
from typing import Any, Final, cast

from cplrt import CplFault, show
from cplrt.checkers import is_position
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import MagicArgumentParser
from IPython.display import display

from cpl.cli.options import READING, REPAIR, Adder, add_all, option
from cpl.compiler.diagnostics import CplError, Error, coloured, render
from cpl.compiler.python_errors import in_words
from cpl.compiler.readings import DEFAULT
from cpl.compiler.workspace import Workspace
from cpl.games.board import picture
from cpl.study.run.trail import trail
from cpl.study.views.listing import coloured as in_html
from cpl.study.views.page_style import LISTINGS, fragment

CELL: Final = """\
Compile a cell of CPL, run it, and put what it defines into the notebook.

All cells are one program: later ones see what earlier ones define, and a new definition of a name replaces the old one,
also for the functions that use it. Python calls the functions by their names; whatever had these names in the notebook
is replaced. If the cell ends with an expression, its value is shown.
"""
PYTHON: Final = "Show the Python of something that cells of CPL define: %cpl_python F, or %cpl_python NAME.F."


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add the magics, as `%load_ext cpl` does."""
    shell.register_magics(CplMagics)
    shell.set_custom_exc((CplFault, KeyboardInterrupt), _show_stop)


def _parser(prog: str, description: str, *options: Adder) -> MagicArgumentParser:
    parser = MagicArgumentParser(prog, description=description)
    add_all(parser, options)
    return parser


_CELL: Final = _parser(
    "%cpl",
    CELL,
    option(
        "name",
        nargs="?",
        default="",
        metavar="NAME",
        help="put the definitions into a module of this name; its cells are a program of their own",
    ),
    READING,
    option(
        "--library",
        action="append",
        default=[],
        metavar="FILE",
        help="make a file or a packaged program part of the program first (may be repeated)",
    ),
    REPAIR,
    option("--no-advice", action="store_true", help="say what is wrong, but not how to mend it"),
)
_PYTHON: Final = _parser("cpl_python", PYTHON, option("name", metavar="F", help="the name of the definition"))


@magics_class
class CplMagics(Magics):
    """The magics, and the programs of the notebook by their names; the one without a name is the notebook's own."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.notebook = shell
        self.programs: dict[str, Workspace] = {}
        self.modules: dict[str, ModuleType] = {}
        self.bound: dict[str, dict[str, Any]] = {}  # what the notebook has got of each program

    @cell_magic
    def cpl(self, line: str, cell: str) -> None:
        """See `CELL`."""
        options = _parsed(_CELL, line)
        if options.name and (not options.name.isidentifier() or iskeyword(options.name)):
            raise UsageError(f"{options.name} cannot be the name of a module")
        existing = self.notebook.user_ns.get(options.name)
        if isinstance(existing, ModuleType) and existing is not self.modules.get(options.name):
            raise UsageError(f"{options.name} is a module of Python here: choose another name")
        program = self.programs.setdefault(options.name, Workspace())
        program.reading = options.reading or DEFAULT
        warnings = program.warnings
        try:
            for file in options.library:
                program.load(file)
            value = program.run(f"\n{cell}", f"In[{self.notebook.displayhook.prompt_count}]", repair=options.repair)
        except SystemExit:  # raised by the command `finish`
            value = None
        except CplError as error:
            if options.no_advice:
                raise CplError([replace(found, help=None, fixes=()) for found in error.diagnostics]) from None
            raise
        except Error as error:
            raise UsageError(str(error)) from None
        finally:
            for name, defined in self.programs.items():
                self._bind(name, defined)
            if program.warnings is not warnings:
                for warning in program.warnings:
                    print(render(warning, coloured), file=sys.stderr)
        if is_position(value):
            display(picture(value))
        elif value is not None:
            display({"text/plain": show(value)}, raw=True)

    def _bind(self, name: str, program: Workspace) -> None:
        """Put values into the notebook, or into its module of this name: those of definitions that have just run, those
        that have changed, and those that it lacks, as after `%reset`. All others Python may have replaced.
        """
        before = self.bound.get(name, {})
        values = program.values
        self.bound[name] = values

        names = self.notebook.user_ns
        if name:
            module = self.modules.setdefault(name, ModuleType(name))
            if program.ran or name not in names:
                names[name] = module
            names = vars(module)

        for key, value in values.items():
            has_just_run = key in program.ran
            has_changed = value is not before.get(key)
            if has_just_run or has_changed or key not in names:
                names[key] = value
        program.ran.clear()

    @line_magic
    def cpl_python(self, line: str) -> None:
        """See `PYTHON`."""
        program, _, name = _parsed(_PYTHON, line).name.rpartition(".")
        if program not in self.programs:
            raise UsageError(f"there is no program {program}" if program else "no cell has defined anything yet")
        try:
            text = self.programs[program].python(name)
        except Error as error:
            raise UsageError(str(error)) from None
        listing = "\n".join(in_html(text, python=True))
        html = fragment("python", _STYLE, f'<pre style="white-space: pre; overflow-x: auto">{listing}</pre>')
        display({"text/plain": text, "text/html": html}, raw=True)


_STYLE: Final = f"{LISTINGS}pre {{ margin: 0; }}\n"

for _magic, _its in ((CplMagics.cpl, _CELL), (CplMagics.cpl_python, _PYTHON)):
    _magic.__doc__ = _its.format_help()


def _parsed(parser: MagicArgumentParser, line: str) -> argparse.Namespace:
    """The options of a magic. Raises UsageError."""
    try:
        return cast(argparse.Namespace, parser.parse_argstring(line))
    except ValueError as error:
        raise UsageError(f"the options are not understood: {error}") from None


def _show_stop(
    shell: InteractiveShell,
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType,
    tb_offset: int | None = None,
) -> None:
    """Show where in the CPL a program failed or was interrupted, in place of Python's traceback. What does not come
    from CPL is shown as ever.
    """
    places = trail(error)
    if places:
        message = "interrupted" if isinstance(error, KeyboardInterrupt) else in_words(error)
        shown = [coloured(message, "error")]
        for line in (*getattr(error, "__notes__", ()), *places):
            shown.append(f"  {line}")
        vars(error)["_render_traceback_"] = lambda: shown  # IPython asks for it
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
