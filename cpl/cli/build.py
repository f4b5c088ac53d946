"""The work of `cplc --native` and `cplc --to c`: C for a program, and the library that a C compiler builds of it."""

import argparse
import keyword
from pathlib import Path

from cplrt.native import library_of

from cpl import outside
from cpl.cli import terminal
from cpl.cli.compile import RESERVED
from cpl.cli.program import compilation
from cpl.cli.terminal import Usage
from cpl.cli.texts import read_input
from cpl.compiler import pipeline
from cpl.compiler.c import toolchain


def run(options: argparse.Namespace) -> None:
    """Write a module of Python and the library of C beside it, or say which functions are in it, or print the C."""
    if options.to == "c" and Path(options.output or "").suffix == ".py":
        raise Usage(f"-o {options.output}: --to c writes C, and not a module of Python: name a file such as NAME.c")
    source = read_input(options.file)
    path = Path(options.output or "-").with_suffix(".py")
    is_built = options.to != "c" and (options.output or not options.explain)
    if is_built:
        _check_module(path, options)
    meaning = pipeline.understand(source, compilation(options))
    python, library = pipeline.native_text(meaning, pretty=not options.no_format)
    if options.to == "c":
        terminal.write_result(options.output, library.text)
    if not library.functions and not options.explain:
        terminal.say("cplc: no function of this program can be in C: cplc --native --explain says why")
    if options.explain:
        for function in library.functions:
            print(f"{function.name}: in C{'' if function in library.entries else ', for other functions of C'}")
        for function, reason in library.reasons.items():
            print(f"{function.name}: in Python, since {reason}")
    if is_built:
        built = Path(library_of(str(path)))
        with terminal.waiting("building a library"), terminal.file_errors(built):
            content = toolchain.build(library.text)
            toolchain.try_in(built.parent, content)
            outside.write(built, content, 0o755)
        terminal.write_result(str(path), python)
        terminal.say(f"cplc: built {built}, for {path}")
    if meaning.misleading:
        terminal.show(meaning.misleading, options)


def _check_module(path: Path, options: argparse.Namespace) -> None:
    """Raise Usage if the module cannot be written to a path, or no program could import it from there."""
    is_module = path.stem.isidentifier() and not keyword.iskeyword(path.stem)
    if not is_module or Path(options.output or "").suffix not in ("", ".py"):
        raise Usage("--native needs -o NAME, where NAME is a name for a module of Python; --to c prints the C")
    if path.stem in RESERVED:
        raise Usage(f"--native: {path.stem} would hide a module that Python needs: give -o another name")
    terminal.check_output(path)
