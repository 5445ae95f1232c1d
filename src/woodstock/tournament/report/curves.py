"""Plots of scores: over the number of matches, over the clock if a plan compares clocks, over a setting of players."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from woodstock.tournament.report.plot import line_plot
from woodstock.tournament.standings import Standings

Points = list[tuple[float, float]]

# A curve of fewer pairs of matches shows nothing, one of more points no more, and more lines cannot be told apart.
_FEWEST_PAIRS = 4
_MOST_POINTS = 40
_MOST_LINES = 21


def by_clock(found: Standings) -> str:
    """Return scores over the clock: a line for each game if there are two players, else one for each pair."""
    pairs = {(duel.first, duel.second) for duel in found.duels}
    clocks: dict[str, set[float]] = {}
    for game in found.plan.games:
        clocks.setdefault(game.title, set()).add(game.play_clock_s)
    lines: dict[str, Points] = {}
    for duel in found.duels:
        game = found.plan.game(duel.game)
        # Games with one clock each are not compared: they differ in more than the clock.
        if duel.pairs and len(clocks[game.title]) > 1:
            label = game.title if len(pairs) == 1 else f"{duel.first} against {duel.second}"
            lines.setdefault(label, []).append((game.play_clock_s, 100 * duel.interval.mean))
    merged = {label: _means(points) for label, points in lines.items()}
    if max((len(points) for points in merged.values()), default=0) < 2:
        return ""
    return line_plot(merged, "play clock, s", "score %", is_logarithmic=True)


def by_matches(found: Standings) -> str:
    """Return how the score of each duel settles while matches are played; a line for each game and pair of players.

    If these are too many, one for each pair of players, the mean of the games. The mean after every pair of matches, as
    in figures 2 and 3 of [Koriche et al. 2015] and 5 of [Koriche et al. 2016].
    """
    duels = [duel for duel in found.duels if len(duel.pairs) >= _FEWEST_PAIRS]
    met = {(duel.first, duel.second) for duel in found.duels}
    lines: dict[str, list[list[float]]] = {}
    for duel in duels:
        players = f"{duel.first} against {duel.second}"
        label = duel.game if len(met) == 1 else f"{duel.game}: {players}" if len(duels) <= _MOST_LINES else players
        means = [total / count for count, total in enumerate(accumulate(duel.pairs), 1)]
        lines.setdefault(label, []).append(means)
    if not lines or len(lines) > _MOST_LINES:
        return ""
    drawn = {label: _settling(all_means) for label, all_means in lines.items()}
    return line_plot(drawn, "matches", "score %", is_logarithmic=False)


def _settling(all_means: Sequence[Sequence[float]]) -> Points:
    """Return the mean of several curves; one that ends early keeps its last value."""
    longest = max(map(len, all_means))
    step = max(1, longest // _MOST_POINTS)
    return [
        (2 * count, 100 * sum(means[min(count, len(means)) - 1] for means in all_means) / len(all_means))
        for count in range(step, longest + 1, step)
    ]


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
