"""Published numbers in a plan, to compare its results with.

    [published."mac-ucb/uct"]
    awale = 56.7
    hex = [54.7, 56.2]     # one for each of the plan's play_clocks_s

They are the score in percent of the first player against the second, or under one player's name its mean goal in games
in which it has all seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from woodstock.tournament.fields import Fields

# By pair ("first/second") or player, then by the name of the game.
Published = Mapping[str, Mapping[str, float]]


def read_published(fields: Fields, players: Sequence[str], games: Sequence[tuple[str, str]]) -> Published:
    """Read the tables `[published."first/second"]`; a name that the plan does not have is a problem.

    `games` has the title and the name of each game.
    """
    found: dict[str, dict[str, float]] = {}
    table = fields.table("published")
    if table is None:
        return found
    for pair in table.names():
        for name in pair.split("/", 1):
            if name not in players:
                table.problem(pair, f"the plan has no player {name!r}")
        quoted = table.table(pair)
        if quoted is not None:
            found[pair] = _by_game(quoted, games)
    return found


def _by_game(quoted: Fields, games: Sequence[tuple[str, str]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for title in quoted.names():
        names = [name for known, name in games if known == title]
        if not names:
            quoted.problem(title, "the plan has no game of this name")
        numbers = quoted.numbers_or_one(title)
        if names and len(numbers) not in (0, len(names)):
            quoted.problem(title, f"has {len(numbers)} numbers for {len(names)} clocks")
        found.update(zip(names, numbers, strict=False))
    return found
