"""Plots of scores: over the clock, if a plan compares clocks, or over a setting of the players."""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.tournament.report.plot import line_plot
from woodstock.tournament.standings import Standings

Points = list[tuple[float, float]]


def by_clock(found: Standings) -> str:
    """Return scores over the clock: a line for each game if there are two players, else one for each pair."""
    pairs = {(duel.first, duel.second) for duel in found.duels}
    lines: dict[str, Points] = {}
    for duel in found.duels:
        game = found.plan.game(duel.game)
        if duel.pairs:
            label = game.title if len(pairs) == 1 else f"{duel.first} against {duel.second}"
            lines.setdefault(label, []).append((game.play_clock_s, 100 * duel.interval.mean))
    merged = {label: _means(points) for label, points in lines.items()}
    if max((len(points) for points in merged.values()), default=0) < 2:
        return ""
    return line_plot(merged, "play clock, s", "score %", is_logarithmic=True)


def by_share(found: Standings) -> str:
    """Return the scores of players that have a place on the plan's axis against one that has none, by game."""
    places = {player.name: player.at for player in found.plan.players if player.at is not None}
    lines: dict[str, Points] = {}
    for duel in found.duels:
        if not duel.pairs or (duel.first in places) == (duel.second in places):
            continue
        mine = duel.interval.mean if duel.first in places else 1 - duel.interval.mean
        place = places.get(duel.first, places.get(duel.second))
        assert place is not None
        lines.setdefault(duel.game, []).append((place, 100 * mine))
    return line_plot(lines, found.plan.axis, "score %", is_logarithmic=False) if lines else ""


def _means(points: Sequence[tuple[float, float]]) -> Points:
    places = sorted({place for place, _ in points})
    return [(place, sum(y for x, y in points if x == place) / sum(x == place for x, _ in points)) for place in places]
