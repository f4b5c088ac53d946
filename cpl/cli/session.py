"""Replay the examples recorded with a program.

examples:
  cpl session strachey.cpl
  cpl session strachey-original.cpl --repair --reading arithmetic
  cpl session mine.cpl --from mine.doctest

The examples are a doctest of the compiled module. They come from the file after --from, or else from the one that
programs.toml in the program's folder names. Those that fail are printed.

exit status: 0 if all examples succeed; 1 if one fails, or the program has an error.
"""

import argparse
from pathlib import Path

from cpl.cli import terminal
from cpl.cli.program import compiled
from cpl.cli.terminal import CPL_AT_FAULT, DONE, Failed, track
from cpl.cli.texts import read_input
from cpl.compiler import loader, pipeline
from cpl.study.compare.recorded import examples, replay, report
from cpl.study.compare.report import as_text


def run(options: argparse.Namespace) -> int:
    """Replay the recorded examples, report which still hold, and return the exit status."""
    source = read_input(options.file)
    program = compiled(pipeline.executable, source, options)
    text = _examples(options.session) if options.session else loader.session(source.path)
    if text is None:
        raise Failed(f"no examples were recorded with {source.shown}: name a file of them with --from")
    recorded = examples(text)
    if not recorded:
        raise Failed("found no examples: each begins with >>> and a space")
    replayed = list(track(replay(vars(program.module()), recorded), "examples", len(recorded)))
    if options.format == "json":
        print(terminal.as_json([vars(example) for example in replayed]))
    else:
        terminal.write_result(None, as_text(report(replayed)))
    return DONE if all(example.holds for example in replayed) else CPL_AT_FAULT


def _examples(name: str) -> str:
    """Return the text of a file of examples."""
    source = read_input(name) if name == terminal.STDIN else loader.read(Path(name))
    return source.text
