"""Compile CPL (1963-67) to Python that a person can read.

examples:
  cplc strachey.cpl -o out.py            Strachey's checkers program of 1966 as a Python module
  cplc strachey.cpl --standalone         the same with its run-time library inside: needs nothing but Python
  cplc --list                            the programs that come with cplc
  echo 'Twice(x) = 2x' | cplc -          read standard input, write standard output
  cplc mine.cpl --library more.cpl       names that mine.cpl does not define come from more.cpl
  cplc -O strachey.cpl -o fast.py        the same module, several times as fast
  cplc --native strachey.cpl -o fast     fast.py and its library of C: hundreds of times as fast
  cplc mine.cpl --emit core              what the compiler takes the program to mean

exit status: 0 if all went well; 1 if the CPL is at fault, or a file cannot be read or written; 2 if the command line is
wrong; 70 for a bug in cplc itself. A compilation that fails leaves an existing OUT as it was.
"""

import argparse
import gc
import keyword
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cpl.cli import terminal
from cpl.cli.options import REPAIR, TEXT, add_all, new_parser, option, output, refuse_empty
from cpl.cli.program import compilation, read_input
from cpl.cli.terminal import Usage

if TYPE_CHECKING:
    from cpl.source import Source

_PASSES: Final = ("bits", "inline", "append", "loops")
"""The names of `cpl.fast.passes`, which is imported only to run them."""

_OPTIONS: Final = (
    option("file", nargs="?", metavar="FILE", help="a file, the name of a packaged program, or - for standard input"),
    output("-o", "--output", help="write to this file; without it, to standard output"),
    option(
        "--emit",
        choices=["python", "tokens", "surface", "core", "map"],
        default="python",
        help="what to write: Python (default), the output of an earlier stage, or where each Python line comes from",
    ),
    option(
        "--standalone",
        action="store_true",
        help="include the parts of cplrt that the module needs, so that it runs without the package",
    ),
    REPAIR,
    option("-O", "--optimise", action="store_true", help="write a module that does the same and is faster"),
    option(
        "--without",
        action="append",
        choices=_PASSES,
        default=[],
        metavar="PASS",
        help="with -O, leave out this pass: " + ", ".join(_PASSES) + " (may be repeated)",
    ),
    option(
        "--native",
        action="store_true",
        help="write a module whose functions run in C, NAME.py and its library for -o NAME; needs a C compiler",
    ),
    option("--explain", action="store_true", help="with --native, say which functions run in C, and why others do not"),
    option("--to", choices=["python", "c"], default="python", help="write Python, or the C of --native"),
    option("--no-format", action="store_true", help="do not format the Python with black"),
    option("--list", action="store_true", help="list the packaged programs and libraries"),
    *TEXT,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is its exit status."""
    parser = new_parser("cplc", __doc__)
    add_all(parser, _OPTIONS)
    refuse_empty(parser, sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(arguments)
    return terminal.run("cplc", lambda: _list() if options.list else _compile(options), options)


def _list() -> None:
    from cpl import loader, outside

    folder = outside.packaged("programs")
    attested: list[str] = []
    for path in loader.packaged_files():
        entry = loader.entry(str(path))
        if entry.evidence:
            attested.append(f"{path.stem:33} {entry.title}")
        else:
            print(f"{path.relative_to(folder).as_posix():28} {entry.date:5} {entry.title}".rstrip())
    print("\nCPL in print, as attested/NAME.cpl (s63, s65, s67: the year; then the page):", *attested, sep="\n")


def _compile(options: argparse.Namespace) -> None:
    from cpl import compiler

    if options.file is None:
        raise Usage("no FILE given (see cplc --help; cplc --list lists the packaged programs)")
    source = read_input(options.file)
    if options.emit == "tokens":
        from cpl.views import stages

        terminal.write_result(options.output, stages.token_lines(source))
        return
    gc.disable()  # which would search for garbage again and again, and the trees are needed to the end
    if options.explain and not options.native:
        raise Usage("--explain goes with --native")
    if options.native or options.to == "c":
        _build(source, options)
        return
    settings = {"optimise": options.optimise, "without": options.without, "standalone": options.standalone}
    compiled = compiler.compile_source(source, compilation(options, pretty=not options.no_format, **settings))
    match options.emit:
        case "python":
            text = compiled.python
        case "map":
            text = terminal.as_json({str(line): span.place for line, span in sorted(compiled.line_map.items())}) + "\n"
        case stage:
            from cpl.views import stages

            text = stages.core_tree(compiled.core) if stage == "core" else stages.surface_tree(compiled.surface)
    terminal.write_result(options.output, text)
    path = Path(options.output or "-")
    if path.suffix == ".py" and path.stem in _RESERVED_NAMES:
        warnings.warn(f"{path} has the name of a standard module, and one may shadow the other", stacklevel=1)
    if compiled.diagnostics:
        terminal.show(compiled.diagnostics, options)


def _build(source: "Source", options: argparse.Namespace) -> None:
    """Write a module of Python and the library of C beside it, or say which functions are in it, or print the C."""
    from cplrt.native import library_of

    from cpl import compiler, outside
    from cpl.fast.c import toolchain

    if options.standalone or options.without or options.emit != "python" or (options.to == "c" and options.explain):
        raise Usage("--native and --to c go without --standalone, --without and --emit")
    path = Path(options.output or "-").with_suffix(".py")
    is_built = options.native and (options.output or not options.explain)
    if is_built:
        is_module = path.stem.isidentifier() and not keyword.iskeyword(path.stem)
        if not is_module or Path(options.output or "").suffix not in ("", ".py"):
            raise Usage("--native needs -o NAME, where NAME is a name for a module of Python")
        if path.stem in _RESERVED_NAMES:
            raise Usage(f"--native: {path.stem} would hide a module that Python needs: give -o another name")
        terminal.check_output(path)
    meaning = compiler.understand(source, compilation(options))
    python, library = compiler.native_text(meaning, pretty=not options.no_format)
    if options.to == "c":
        terminal.write_result(options.output, library.text)
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


_RESERVED_NAMES: Final = sys.stdlib_module_names | {"cplrt"}
