"""Compile and run a program, and evaluate expressions in it.

examples:
  cpl run mine.cpl
  cpl run strachey.cpl --call 'PrintPosition(ChosenPosition(StartPosition))'
  cpl run mine.cpl --call 'F(1,2)' --call 'G([1,2,3])'

Results are printed as CPL writes them: true, 3.5, (1,2), ‘text’. The program's own output comes first. If the first
line of an executable file is #!/usr/bin/env -S cpl run, you can start it by its name.

Ctrl-C stops a run, and shows the line of CPL that it had reached.

exit status: 0 if all went well; 1 if the program has an error, or a file cannot be read.
"""

import argparse
import io
import json
import os
import sys
from functools import partial

from cplrt import show

from cpl.cli import terminal
from cpl.cli.cpl import main
from cpl.cli.program import compiled, guard
from cpl.cli.texts import read_input
from cpl.compiler import loader, pipeline
from cpl.outside import real


def run(options: argparse.Namespace) -> None:
    """Run the commands of FILE, and print the value of each --call."""
    compile = pipeline.understand if options.interpreter else pipeline.executable
    program = guard(lambda: compiled(compile, read_input(options.file), options, options.call))
    values = pipeline.evaluations(program, interpreted=options.interpreter)
    guard(lambda: next(values))
    for _ in options.call:
        value = guard(lambda: next(values))
        if value is not None:
            terminal.tell(guard(partial(show, value)))
    if not options.call and not program.has_commands:
        name = terminal.shown_input(options.file)
        terminal.say(f"cpl run: {name} contains only definitions; evaluate something with --call 'F(x)'")


def run_unsaved() -> int:
    """Do `cpl run FILE --call=CALL` for a file that has another text in an editor; the result is the exit status.

    By standard input comes `[FILE, text, CALL or null]` as JSON: the command line could not have all texts.
    """
    path, text, call = json.loads(sys.stdin.read())
    is_saved = os.path.isfile(path)
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"" if is_saved else text.encode(errors="surrogatepass")))
    arguments = ["run"]
    if call:
        arguments.append(f"--call={call}")
    arguments += ["--", path if is_saved else "-"]
    with loader.overlay({real(path): text}):
        return main(arguments)
