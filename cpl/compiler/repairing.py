"""Repairs of one wrong token, judged by the whole program: the right one leaves no error.

`syntax/repair` finds the edits after which the text parses, and ranks them by what the definition itself shows.
Here the program after each is resolved with everything that is compiled with it, the likeliest first, and those
without errors come before the others. The types are inferred of the first few that are left, as that takes longer.

If the text does not parse, all repairs after which it does are offered. If it parses, and has errors that a lost comma
causes (`messages.OF_COUNTS`), only those are that leave none. What is not safe is neither offered nor made.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cpl.compiler import loader, messages
from cpl.compiler.diagnostics import Diagnostic, Fix, has_errors, report
from cpl.compiler.semantics.library import HOST, Library, Text
from cpl.compiler.semantics.whole_program import resolve
from cpl.compiler.syntax.lexer import tokenize
from cpl.compiler.syntax.repair import WANTED, Repair, repairs
from cpl.compiler.types.facts import Facts
from cpl.compiler.types.modes import with_modes
from cpl.limits import MOST_CHARACTERS_INFERRED, MOST_CHARACTERS_RESOLVED, MOST_ERRORS_REPAIRED


def repaired(
    text: Text, library: Library, before: list[Diagnostic], errors: list[Diagnostic], *, repair: bool = False
) -> tuple[Text, list[Diagnostic]]:
    """Look for a repair of one token, with look-alikes read as what is meant, and add it to the error that it takes
    away. With `repair`, make it and replace the look-alikes.

    The texts were parsed with the diagnostics `before`; all that is known of their `errors` is returned.
    """
    own = [error for error in errors if error.span.source == text.source]
    look_alikes = [error for error in own if error.cause in messages.READ_AS_MEANT and error.fixes]
    replaced = [_repair(error.fixes) for error in look_alikes]
    remaining = [error for error in errors if error not in look_alikes]
    wrong = [error for error in own if error.severity == "error" and error not in look_alikes]
    if not has_errors(remaining):
        return text, [*replaced, *remaining] if repair else errors
    of_signs = [error for error in wrong if error.cause in messages.OF_SIGNS]
    causes = (*messages.OF_SIGNS, *messages.OF_COUNTS)
    if not 0 < len(wrong) <= MOST_ERRORS_REPAIRED or any(error.cause not in causes for error in wrong):
        return text, errors
    library = replace(library, standard=library.standard or loader.standard())
    arities = {name: (host.least, host.most) for name, host in HOST.items()}
    places = [span for error in wrong for span in (error.span, *(place for place, _ in error.related))]
    unknown = tuple({error.span.text for error in wrong if error.cause is messages.UNKNOWN_NAME})
    names = [token for token in tokenize(text.source)[0] if token.kind == "LARGE" and token.text not in unknown]
    places += [name.span for name in names if name.text.startswith(unknown) or name.text.endswith(unknown)]
    candidates = repairs(text.source, arities, [compiled.program for compiled in library.texts], places)
    candidates = [candidate for candidate in candidates if is_safe(candidate.fix, wrong)]
    sound, candidates = _judged(candidates, text, library, first_only=bool(of_signs))
    if not of_signs:
        candidates = sound
    if not candidates:
        return text, errors
    fixes = tuple([candidate.fix for candidate in candidates])
    outcome = "make it parse" if of_signs else "leave no error"
    choice = f"{len(fixes)} single edits would {outcome}; this is the likeliest" if len(fixes) > 1 else ""
    if repair:
        elsewhere = [diagnostic for diagnostic in before if diagnostic.span.source != text.source]
        return replace(text, program=candidates[0].program), [*replaced, _repair(fixes, choice), *elsewhere]
    first = wrong[0] if of_signs else min(wrong, key=lambda error: abs(error.span.start - fixes[0].span.start))
    return text, [_with_fixes(error, fixes, choice) if error is first else error for error in errors]


def is_safe(fix: Fix, errors: Sequence[Diagnostic]) -> bool:
    """Tell whether a repair may be offered or made in a text with these errors.

    A sign that CPL does not have may mean anything, so it is neither replaced nor deleted, unless the help of its error
    says just that. Nor is any other sign replaced if its error has better help.
    """
    about_sign = [error for error in errors if fix.span.text and error.span.start == fix.span.start]
    for error in about_sign:
        if error.cause is messages.UNKNOWN_SIGN:
            return (error.span.text, fix.text) in _SAME
        if fix.text and error.help and error.cause not in messages.OF_BRACKETS:
            return False
    return True


_SAME: Final = {("==", "=")}
"""Signs that CPL does not have, and the sign that a text of CPL has in their place, whatever stands beside them."""


def _judged(
    candidates: Sequence[Repair], text: Text, library: Library, *, first_only: bool
) -> tuple[list[Repair], list[Repair]]:
    """Return the repairs that leave no error (the `first_only`, if that is enough), and all repairs, the best first."""
    errors = [3] * len(candidates)  # 0: none, 1: perhaps in types, 2: in types, 3: in names or counts
    resolved = inferred = 0
    size = len(text.source.text)
    for index, candidate in enumerate(candidates):
        resolved += size
        is_enough = first_only and 0 in errors
        if is_enough or resolved > max(size, MOST_CHARACTERS_RESOLVED) or not WANTED.get()():
            break
        program, diagnostics = resolve(replace(text, program=candidate.program), library)
        if not has_errors(diagnostics):
            inferred += size
            is_inferred = inferred <= max(size, MOST_CHARACTERS_INFERRED)
            errors[index] = 2 * has_errors(Facts(with_modes(program)).findings(text.source)) if is_inferred else 1
    order = sorted(range(len(candidates)), key=errors.__getitem__)
    return [candidates[index] for index in order if not errors[index]], [candidates[index] for index in order]


def _repair(fixes: tuple[Fix, ...], choice: str = "") -> Diagnostic:
    """Return the warning that the text is read as if the first fix were made."""
    return replace(report(messages.REPAIRED, fixes[0].span, done=fixes[0].done, choice=choice), fixes=fixes)


def _with_fixes(error: Diagnostic, fixes: tuple[Fix, ...], choice: str) -> Diagnostic:
    """Return the error with the likeliest repair, unless its help says more than where a token is missing."""
    advice = f"{fixes[0].advice} ({choice})" if choice else fixes[0].advice
    help = error.help
    if error.cause in messages.OF_COUNTS:  # after which there is no error at all
        return replace(error, help=advice, fixes=(*fixes, *error.fixes))
    if error.cause is messages.UNKNOWN_SIGN:
        return replace(error, fixes=fixes)
    if help is None or error.cause in messages.OF_BRACKETS:
        return replace(error, help=advice, fixes=fixes)
    if fixes[0].text == "," and error.cause is messages.UNFINISHED:
        return replace(error, help=f"{help}; {advice}", fixes=fixes)
    return error
