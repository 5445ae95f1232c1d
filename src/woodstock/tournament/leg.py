"""A leg: a part of a tournament with its own pairing. Who plays in it may follow from the legs before.

Comes in: the tables [[leg]] of a plan. Goes out: `Leg` values. Groups whose best go on to one pool and whose next go on
to another, a qualification and a final, and duels until somebody has won three times are plans of two or three legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.tournament.fields import Fields

LEG_PAIRINGS = ("round-robin", "swiss", "elimination")


@dataclass(frozen=True, slots=True)
class Leg:
    """How one part is played.

    In a round robin the players are split into `groups` in the order of the plan. `source` is the name of an earlier
    leg: those with the places `ranks` there, in each of its groups, play here. In an elimination with `wins`, a tie is
    played until somebody has so many (`final_wins` in the last tie), over the games in turn, at most `most_matches`.
    `games` are names of the plan's games; none: all.
    """

    name: str
    pairing: str
    games: tuple[str, ...]
    groups: int
    source: str
    ranks: tuple[int, ...]
    rounds: int
    wins: int
    final_wins: int
    most_matches: int


def read_legs(fields: Fields, games: Sequence[str], players: int) -> tuple[Leg, ...]:
    """Return the legs of a plan; problems are noted in `fields`."""
    legs: list[Leg] = []
    for one in fields.tables("leg"):
        leg = _leg(one, f"leg {len(legs) + 1}", players)
        for game in leg.games:
            if game not in games:
                one.problem("games", f"the plan has no game called {game!r}")
        if leg.source and leg.source not in [earlier.name for earlier in legs]:
            one.problem("source", f"no earlier leg is called {leg.source!r}")
        if leg.name in [earlier.name for earlier in legs]:
            one.problem("name", f"two legs are called {leg.name!r}")
        legs.append(leg)
    return tuple(legs)


def _leg(fields: Fields, name: str, players: int) -> Leg:
    wins = fields.whole("wins", 0, least=0)
    pairing = fields.choice("pairing", "round-robin", LEG_PAIRINGS)
    leg = Leg(
        name=fields.text("name", name),
        pairing=pairing,
        games=tuple(fields.texts("games")),
        groups=fields.whole("groups", 1, least=1),
        source=fields.text("source", " ").strip(),
        ranks=tuple(fields.whole_numbers("ranks", least=1)),
        rounds=fields.whole("rounds", max(1, (players - 1).bit_length()), least=1),
        wins=wins,
        final_wins=fields.whole("final_wins", wins, least=0),
        most_matches=fields.whole("most_matches", 4 * max(wins, 1), least=1),
    )
    if leg.groups > 1 and pairing != "round-robin":
        fields.problem("groups", f"groups play a round robin, not pairing = '{pairing}'")
    if 2 * leg.groups > players:
        fields.problem("groups", f"{leg.groups} groups of two need {2 * leg.groups} players, there are {players}")
    if leg.wins and pairing != "elimination":
        fields.problem("wins", f"a number of wins decides the ties of an elimination, not pairing = '{pairing}'")
    if leg.source and not leg.ranks:
        fields.problem("ranks", f"which places of {leg.source!r} go on? For example ranks = [1, 2]")
    return leg
