"""The parts of a heading are independent of each other: every choice of them compiles, and does what each part says."""

import os
import re
from itertools import product
from random import Random

import pytest
from cplrt import show
from test_format import check

from cpl import compiler
from cpl.source import Source

EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "100"))
OWN = ("", "let M = 2 in ", "let real M = 2 in ", "let M, L = 2, 3 in ", "let rec M = 2 in ", "let L = 3 and M = 2 in ",
       "let function L[y] = y and M = 2 in ", "let (M,(L,K)), J = (2,(3,4)), 5 in ", "let M ≃ 2 in ")  # fmt: skip
AND = ("", " and G[y] = y", " and real function G[y] ≡ y", " and routine R[y] be Write(y)", " and R[y] is Write(y)",
       " and rec G[y] = y = 0 → 1, G[y - 1]", " and real Y = 5", " and Y ≃ 3", " and real (Y,Z) = (5,6)")  # fmt: skip
PLACES = {
    "top": "{definition}\nC = {use}",
    "section": "C = value of\n  § {definition}\n    result is {use} §|",
    "dec": "C = value of\n  § dec §1 {definition} §1\n    result is {use} §|",
    "where": "C = value of § result is ({use} where {definition}) §|",
}


def functions():
    """Each function that a choice of parts defines, and what it gives for 3."""
    words = product(("", "let "), ("", "rec "), ("", "real "), ("", "function "))
    for (let, rec, kind, function), own, brackets, sign, more in product(
        words, OWN, ("[x]", "(x)", "[integer x]", "[ref x]"), "=≡", AND
    ):
        recursive = rec or "rec" in more
        body = "x = 0 → 0, F[x - 1] + 2" if recursive else "2x + M - 2" if own else "2x"
        if not (own and let):
            wanted = "6.0" if kind or ("real" in own and "M" in body) else "6"
            yield f"{own}{let}{rec}{kind}{function}F{brackets} {sign} {body}{more}", "F[3]", wanted
    for let, rec, own, sign, more in product(("", "let "), ("", "rec "), OWN, ("= ", "be ", "is "), AND):
        if not (own and let):
            yield f"{own}{let}{rec}routine F[x] {sign} Write(x){more}", "3", "3"


def values():
    """Each choice of names that get values, and the last of the values."""
    lefts = ("X = 4", "(X,(Y',W)) = (1,(2,4))", "X', X = 1, 4", "(Y',(W,Z')), X = (1,(2,3)), 4", "X ≡ 4", "X ≃ 4",
             "X', X ≃ 3, 4", "X', X ≡ 3, 4")  # fmt: skip
    for let, rec, kind, own, left, more in product(("", "let "), ("", "rec "), ("", "real "), OWN, lefts, AND):
        if not (own and let) and not (kind and "≃" in left):
            last = "W" if left.startswith("(X") else "X"
            yield f"{own}{let}{rec}{kind}{left}{more}", last, "4.0" if kind else "4"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("parts", [functions, values])
def test_choices_of_the_parts_of_a_heading(parts, place: str) -> None:
    every = list(parts())
    if place == "where":
        every = [choice for choice in every if not re.search("let|routine|be |is |, X ", choice[0])]
    chosen = Random(place).sample(every, min(EXAMPLES, len(every)))
    text = ""
    for at, (definition, use, _) in enumerate(chosen):
        check(part := PLACES[place].format(definition=definition, use=use))
        text += re.sub(r"\b[A-Z]'?(?![a-z'])", rf"\g<0>{at}", part) + "\n"
    meaning = compiler.understand(Source("headings.cpl", text), (), [f"C{at}" for at in range(len(chosen))])
    for run_as, interpreted in ((meaning, True), (meaning, False), (compiler.optimised(meaning), False)):
        _, *found = compiler.evaluations(run_as, interpreted=interpreted)
        for (definition, _, wanted), value in zip(chosen, found, strict=True):
            assert show(value) == wanted, definition
