"""Requests as JSON in, answers as JSON out: all that a page knows of Python.

A request is `{"ask": NAME, ...}` with the arguments of one of QUESTIONS by their names. An answer is `{"answer": …}`,
or `{"error": …}`, one or more plain lines, if the request cannot be answered.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from cpl.diagnostics import Error
from cpl.draughts.fen import BadFen
from cpl.edit.browser import games, texts
from cpl.games.game import BadMove
from cpl.games.pdn import BadPdn
from cpl.games.play import NotNow

QUESTIONS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        question.__name__: question
        for question in (
            texts.check,
            texts.complete,
            texts.describe,
            texts.python,
            texts.stage,
            texts.standalone,
            texts.run,
            texts.steps,
            games.state,
            games.choose,
            games.understand,
            games.why,
            games.write,
            games.read,
        )
    }
)


def answer(request: str) -> str:
    """The answer to a request."""
    given = json.loads(request)
    question = QUESTIONS[given.pop("ask")]
    try:
        found = {"answer": question(**given)}
    except (Error, BadFen, BadMove, BadPdn, NotNow) as error:
        found = {"error": str(error)}
    return json.dumps(found, ensure_ascii=False)
