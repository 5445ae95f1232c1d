"""The tables of a report, as rows of text; terminal, Markdown and HTML show the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from woodstock.players.failure import MEANINGS
from woodstock.tournament.intervals import Interval
from woodstock.tournament.standings import Duel, Standings

CROSS, BY_GAME = "Cross table", "By game"
# A table with more columns cannot be read.
_MOST_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class Table:
    """A title, the heads of the columns, and rows of the same length. `note` says how to read it."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables(found: Standings) -> list[Table]:
    """Return all tables that are not empty."""
    made = [
        _ratings(found),
        _points(found),
        _cross(found),
        _by_game(found),
        _duels(found),
        _solo(found),
        _roles(found),
        _role_ratings(found),
        _endings(found),
    ]
    return [table for table in made if table.rows]


def percent(interval: Interval) -> str:
    """Return a score with its interval in percent.

    >>> percent(Interval(0.6, 0.5, 0.7, 10))
    '60.0 [50.0, 70.0]'
    """
    return f"{100 * interval.mean:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _ratings(found: Standings) -> Table:
    rows = [
        (str(rank), one.name, f"{one.points:+.0f}", f"[{one.low:+.0f}, {one.high:+.0f}]", str(one.matches))
        for rank, one in enumerate(found.ratings.players, 1)
    ]
    note = (
        "Logistic model with a strength for each player and each role, in Elo points around the players' mean; "
        "95 % intervals."
    )
    return Table("Ratings", ("", "player", "points", "interval", "matches"), tuple(rows), note)


def _points(found: Standings) -> Table:
    """Return the points, if games have weights or the plan has legs; in each leg the best first."""
    legs = [leg.name for leg in found.plan.legs] or [""]
    if legs == [""] and len({game.weight for game in found.plan.games}) == 1:
        return Table("Points", (), ())
    rows: list[tuple[str, ...]] = []
    for leg in legs:
        entries = [(player, tally) for (name, player), tally in found.points.items() if name == leg]
        for player, tally in sorted(entries, key=lambda one: (-one[1].goals, one[0])):
            row = (player, f"{tally.goals:.1f}", tally.text, str(tally.count))
            rows.append((leg, *row) if leg else row)
    heads = ("player", "points", "result", "matches")
    note = "Sum of goals, each times the weight of its game; a puzzle counts as a draw."
    if len(found.plan.players) % 2 and any(leg.pairing == "swiss" for leg in found.plan.legs):
        note += " A player that waits for a round gets the mean of the others for its place; it is not in the sum."
    return Table("Points", heads if legs == [""] else ("leg", *heads), tuple(rows), note)


def _cross(found: Standings) -> Table:
    names = [one.name for one in found.ratings.players]
    scores: dict[tuple[str, str], list[float]] = {}
    for duel in found.duels:
        scores.setdefault((duel.first, duel.second), []).extend(duel.pairs)
        scores.setdefault((duel.second, duel.first), []).extend(1 - score for score in duel.pairs)
    rows = [(name, *(_cell(scores.get((name, other), [])) for other in names)) for name in names if scores]
    return Table(CROSS, ("", *names), tuple(rows), "Mean score of the row against the column, in percent.")


def _cell(scores: Sequence[float]) -> str:
    return f"{100 * fmean(scores):.1f}" if scores else ""


def _quoted(found: Standings, who: str, games: Sequence[str]) -> str:
    """Return the mean of the published numbers for some games, to follow ours; nothing if there are none."""
    numbers = found.plan.published.get(who, {})
    known = [numbers[game] for game in games if game in numbers]
    return f" ({fmean(known):.1f})" if known else ""


def _by_game(found: Standings) -> Table:
    """Return the games with a column for each pair, as in the papers; published numbers follow ours."""
    order = [player.name for player in found.plan.players]
    met = {(duel.first, duel.second) for duel in found.duels}
    pairs = sorted(met, key=lambda pair: [order.index(name) for name in pair])
    if len(pairs) > _MOST_COLUMNS:
        return Table(BY_GAME, (), ())
    duels = {(duel.game, duel.first, duel.second): duel for duel in found.duels}
    rows = []
    for game in found.plan.games:
        cells = [_score(found, duels.get((game.name, *pair))) for pair in pairs]
        if any(cells):
            rows.append((game.name, *cells))
    if len(rows) > 1:
        rows.append(("mean of the games", *(_mean_of(found, *pair) for pair in pairs)))
    firsts = {first for first, _ in pairs}
    heads = [second if len(firsts) == 1 else f"{first} against {second}" for first, second in pairs]
    who = f" of {pairs[0][0]} against each" if len(firsts) == 1 else ""
    quoted = "; published numbers in round brackets" if found.plan.published else ""
    note = f"Score{who} in percent, draws half, seats exchanged, with 95 % intervals{quoted}."
    return Table(BY_GAME, ("", *heads), tuple(rows), note)


def _score(found: Standings, duel: Duel | None) -> str:
    if duel is None or not duel.pairs:
        return ""
    interval = duel.interval
    quoted = _quoted(found, f"{duel.first}/{duel.second}", [duel.game])
    return f"{100 * interval.mean:.1f} [{100 * interval.low:.0f}, {100 * interval.high:.0f}]{quoted}"


def _mean_of(found: Standings, first: str, second: str) -> str:
    """Return the mean over games; each has the same weight."""
    played = [duel for duel in found.duels if (duel.first, duel.second) == (first, second) and duel.pairs]
    means = _cell([duel.interval.mean for duel in played])
    return means + _quoted(found, f"{first}/{second}", [duel.game for duel in played])


def _duels(found: Standings) -> Table:
    heads: tuple[str, ...] = ("game", "player", "against", "result", "score %", "mean goal")
    rows: list[tuple[str, ...]] = []
    for duel in found.duels:
        score, goal = percent(duel.interval), f"{duel.tally.mean_goal:.1f}"
        rows.append((duel.game, duel.first, duel.second, duel.tally.text, score, goal))
    note = "Scores by pairs of matches with seats exchanged, 95 % intervals."
    if (sprt := found.plan.sprt) is not None:
        heads += ("test",)
        tests = [f"{duel.decision or 'open'} {sprt.ratio(duel.pairs):+.2f}" for duel in found.duels]
        rows = [(*row, test) for row, test in zip(rows, tests, strict=True)]
        low, high = sprt.bounds
        note += (
            f" Test of {100 * sprt.score0:g} against {100 * sprt.score1:g} %: the log-likelihood ratio decides at "
            f"{low:.2f} (below) and {high:.2f} (above)."
        )
    return Table("Duels", heads, tuple(rows), note)


def _solo(found: Standings) -> Table:
    rows = [
        (game, player, str(tally.count), f"{tally.mean_goal:.1f}{_quoted(found, player, [game])}")
        for (game, player), tally in sorted(found.solo.items())
    ]
    heads = ("game", "player", "matches", "mean goal")
    return Table("One player in all seats", heads, tuple(rows))


def _roles(found: Standings) -> Table:
    rows = [
        (game, role, player, tally.text, f"{tally.mean_goal:.1f}")
        for (game, role, player), tally in sorted(found.by_role.items())
    ]
    return Table("By role", ("game", "role", "player", "result", "mean goal"), tuple(rows))


def _role_ratings(found: Standings) -> Table:
    rows = [
        (game, role, f"{one.points:+.0f}", f"[{one.low:+.0f}, {one.high:+.0f}]", str(one.matches))
        for (game, role), one in sorted(found.ratings.roles.items())
    ]
    note = "Strength of a role, in Elo points around the mean of its game."
    return Table("Roles", ("game", "role", "points", "interval", "matches"), tuple(rows), note)


def _endings(found: Standings) -> Table:
    codes = list(MEANINGS)
    rows = [
        (player, str(counts.get("matches", 0)), *(str(counts.get(code, 0)) for code in codes))
        for player, counts in sorted(found.endings.items())
    ]
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(found.reasons.items()))
    return Table("Endings and errors", ("player", "matches", *codes), tuple(rows), f"Matches ended: {reasons}.")
