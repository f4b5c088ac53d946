"""What `cplc` does: list the packaged programs, compile, build a library. Its command line is in `cplc`."""

import argparse
import gc
import keyword
import sys
import warnings
from pathlib import Path
from typing import Final

from cplrt.native import library_of

from cpl import compiler, loader, outside
from cpl.cli import terminal
from cpl.cli.program import compilation
from cpl.cli.terminal import Usage
from cpl.cli.texts import read_input
from cpl.fast.c import toolchain
from cpl.source import Source
from cpl.views import stages


def run(options: argparse.Namespace) -> None:
    """Compile, or list."""
    if options.list:
        _list()
    else:
        _compile(options)


def _list() -> None:
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
    if options.file is None:
        raise Usage("no FILE given (see cplc --help; cplc --list lists the packaged programs)")
    source = read_input(options.file)
    if options.emit == "tokens":
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
            text = stages.core_tree(compiled.core) if stage == "core" else stages.surface_tree(compiled.surface)
    terminal.write_result(options.output, text)
    path = Path(options.output or "-")
    if path.suffix == ".py" and path.stem in _RESERVED_NAMES:
        warnings.warn(f"{path} has the name of a standard module, and one may shadow the other", stacklevel=1)
    if compiled.diagnostics:
        terminal.show(compiled.diagnostics, options)


def _build(source: Source, options: argparse.Namespace) -> None:
    """Write a module of Python and the library of C beside it, or say which functions are in it, or print the C."""
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
