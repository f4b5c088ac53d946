"""The games of a match as text, in the manner of PDN, and back as far as a match that goes on needs them.

Each has its number as Round and the whole match as Match, so that a file says of itself what it is a part of. Games of
another number than 21, which PDN has for English draughts, have no GameType; what they are stands in Event.
"""

import re
from collections.abc import Iterator

from cpl.games.game import End, Game
from cpl.games.match import Match, Pairing, Played
from cpl.games.movetext import movetext
from cpl.games.sheet import result_of

_GAME = re.compile(r"((?:\[.*\]\n)+)\n((?:[^\[\n].*\n)+)\n")
_TAG = re.compile(r'^\[(\w+) "([^"\n]*)"\]\n', re.MULTILINE)


class BadRecord(ValueError):
    """A file that does not hold games of this match, in one plain line."""


def text_of(game: Game, match: Match, played: Played) -> str:
    """A game as text, with a blank line after it. The first number of the result is that of the side that begins."""
    tags = _tags(game, match) | dict(zip(game.tags, played.pairing.players, strict=True))
    tags |= {"Round": str(played.pairing.number), "Result": result_of(game, played.end), "Termination": played.end.why}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{head}\n{movetext(played.moves, tags['Result'])}\n\n"


def _tags(game: Game, match: Match) -> dict[str, str]:
    """The tags of every game of the match, in their order; empty where each has its own."""
    return {
        "Event": game.title,
        "Round": "",
        **dict.fromkeys(game.tags, ""),
        "Result": "",
        **({"GameType": game.game_type} if game.game_type else {}),
        "Termination": "",
        "Match": str(match),
    }


def whole_games(text: str, game: Game, match: Match) -> Iterator[tuple[str, Played]]:
    """The games of a file that were written to their end, each with its text.

    After the last of them may stand how another one begins, which was torn off. Raises BadRecord if anything else does,
    or if a game is not of this match.
    """
    at = number = 0
    while found := _GAME.match(text, at):
        tags = dict(_TAG.findall(found[1]))
        if tags.get("Match") != str(match):
            told = tags.get("Match", "one that it does not name")
            raise BadRecord(f"it holds games of another match, {told}, and not of {match}")
        yield found[0], _played(game, tags, found[2])
        at, number = found.end(), number + 1
    if not _is_torn_off(text[at:], _tags(game, match)):
        where = f"after the first {number}" if number > 1 else "after the first" if number else "at its beginning"
        raise BadRecord(f"it holds something else than games of this match, {where}")


def _is_torn_off(text: str, tags: dict[str, str]) -> bool:
    """Whether a game of the match may begin like this, so that nothing is lost which will not be played again."""
    *lines, last = text.split("\n")
    for line, (name, value) in zip(lines, tags.items(), strict=False):
        meant = re.escape(value) or '[^"]*'
        if not re.fullmatch(rf'\[{name} "{meant}"\]', line):
            return False
    if len(lines) >= len(tags):
        return not any(line.startswith("[") for line in [*lines[len(tags) :], last])
    name, value = [*tags.items()][len(lines)]
    begin = f'[{name} "{value}'
    return f'{begin}"]'.startswith(last) or (not value and last.startswith(begin))


def _played(game: Game, tags: dict[str, str], words: str) -> Played:
    try:
        winner = {result_of(game, End(side, "")): side for side in (*game.sides, None)}[tags["Result"]]
        one, other = (tags[each] for each in game.tags)
        pairing = Pairing(int(tags["Round"]), (one, other))
        end = End(winner, tags["Termination"])
    except (KeyError, ValueError):
        raise BadRecord(f"the tags of game {tags.get('Round', '?')} are not those of a game of a match") from None
    moves = re.sub(r"\d+\. ", "", " ".join(words.split())).split(" ")[:-1]
    return Played(pairing, tuple(moves), end, game.sides)
