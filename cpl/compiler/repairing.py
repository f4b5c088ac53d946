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
from cpl.compiler.source import Span
from cpl.compiler.syntax.lexer import tokenize
from cpl.compiler.syntax.repair import WANTED, Repair, repairs
from cpl.compiler.types.facts import Facts
from cpl.compiler.types.modes import with_modes
from cpl.limits import MOST_CHARACTERS_INFERRED, MOST_CHARACTERS_RESOLVED, MOST_ERRORS_REPAIRED


def repaired(
    text: Text, library: Library, before: list[Diagnostic], errors: list[Diagnostic], *, repair: bool = False
) -> tuple[Text, list[Diagnostic]]:
    """Look for a repair of one token, with look-alikes read as what is meant, and add it to the error that it fixes.
    With `repair`, make it and replace the look-alikes.

    `before` are the diagnostics with which the texts were parsed, `errors` those after which nothing can be compiled.
    The result is the text, changed if it is repaired, and all diagnostics.
    """

    def is_own(error: Diagnostic) -> bool:
        return error.span.source == text.source

    def is_look_alike(error: Diagnostic) -> bool:
        return is_own(error) and error.cause in messages.READ_AS_MEANT and bool(error.fixes)

    replaced = [_repair(error.fixes) for error in errors if is_look_alike(error)]
    remaining = [error for error in errors if not is_look_alike(error)]
    if not has_errors(remaining):
        return text, [*replaced, *remaining] if repair else errors

    wrong = [error for error in remaining if error.severity == "error" and is_own(error)]
    causes = (*messages.OF_SIGNS, *messages.OF_COUNTS)
    if not 0 < len(wrong) <= MOST_ERRORS_REPAIRED or any(error.cause not in causes for error in wrong):
        return text, errors

    has_wrong_signs = any(error.cause in messages.OF_SIGNS for error in wrong)  # and so does not parse
    library = replace(library, standard=library.standard or loader.standard())
    arities = {name: (host.least, host.most) for name, host in HOST.items()}
    programs = [compiled.program for compiled in library.texts]
    candidates = repairs(text.source, arities, programs, _places(wrong, text))
    safe = [candidate for candidate in candidates if is_safe(candidate.fix, wrong)]
    sound, best_first = _judged(safe, text, library, first_only=has_wrong_signs)
    offered = best_first if has_wrong_signs else sound
    if not offered:
        return text, errors

    fixes = tuple([candidate.fix for candidate in offered])
    outcome = "make it parse" if has_wrong_signs else "leave no error"
    choice = f"{len(fixes)} single edits would {outcome}; this is the likeliest" if len(fixes) > 1 else ""
    if repair:
        elsewhere = [diagnostic for diagnostic in before if diagnostic.span.source != text.source]
        return replace(text, program=offered[0].program), [*replaced, _repair(fixes, choice), *elsewhere]
    if has_wrong_signs:
        repaired_error = wrong[0]
    else:
        repaired_error = min(wrong, key=lambda error: abs(error.span.start - fixes[0].span.start))
    return text, [_with_fixes(error, fixes, choice) if error is repaired_error else error for error in errors]


def _places(wrong: Sequence[Diagnostic], text: Text) -> list[Span]:
    """The places near which a lost token is looked for: those of the errors, and the names that begin or end with an
    unknown one, as `HeadL` does with `L`.
    """
    places: list[Span] = []
    for error in wrong:
        places += [error.span, *(place for place, _ in error.related)]
    unknown = tuple({error.span.text for error in wrong if error.cause is messages.UNKNOWN_NAME})
    names = [token for token in tokenize(text.source)[0] if token.kind == "LARGE" and token.text not in unknown]
    places += [name.span for name in names if name.text.startswith(unknown) or name.text.endswith(unknown)]
    return places


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
    grades = [_IN_NAMES] * len(candidates)  # of those that are not looked at, too
    resolved = inferred = 0  # characters
    size = len(text.source.text)
    for index, candidate in enumerate(candidates):
        resolved += size
        is_enough = first_only and _SOUND in grades
        if is_enough or resolved > max(size, MOST_CHARACTERS_RESOLVED) or not WANTED.get()():
            break
        program, diagnostics = resolve(replace(text, program=candidate.program), library)
        if has_errors(diagnostics):
            continue
        inferred += size
        if inferred > max(size, MOST_CHARACTERS_INFERRED):
            grades[index] = _PERHAPS_IN_TYPES
        elif has_errors(Facts(with_modes(program)).findings(text.source)):
            grades[index] = _IN_TYPES
        else:
            grades[index] = _SOUND

    best_first = sorted(range(len(candidates)), key=grades.__getitem__)
    sound = [candidates[index] for index in best_first if grades[index] == _SOUND]
    return sound, [candidates[index] for index in best_first]


_SOUND, _PERHAPS_IN_TYPES, _IN_TYPES, _IN_NAMES = range(4)
"""Where a repaired program has errors: the grades of repairs, the best first. Errors in names come with those in the
numbers of arguments.
"""


def _repair(fixes: tuple[Fix, ...], choice: str = "") -> Diagnostic:
    """Return the warning that the text is read as if the first fix were made."""
    return replace(report(messages.REPAIRED, fixes[0].span, done=fixes[0].done, choice=choice), fixes=fixes)


def _with_fixes(error: Diagnostic, fixes: tuple[Fix, ...], choice: str) -> Diagnostic:
    """Return the error with the likeliest repair, unless its help says more than where a token is missing."""
    advice = f"{fixes[0].advice} ({choice})" if choice else fixes[0].advice
    if error.cause in messages.OF_COUNTS:  # the repairs of these leave no error at all
        return replace(error, help=advice, fixes=(*fixes, *error.fixes))
    if error.cause is messages.UNKNOWN_SIGN:
        return replace(error, fixes=fixes)
    if error.help is None or error.cause in messages.OF_BRACKETS:
        return replace(error, help=advice, fixes=fixes)
    if fixes[0].text == "," and error.cause is messages.UNFINISHED:
        return replace(error, help=f"{error.help}; {advice}", fixes=fixes)
    return error
