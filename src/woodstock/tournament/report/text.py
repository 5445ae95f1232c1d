"""Tables as Markdown, and a report as CSV rows and JSON values."""

from __future__ import annotations

import csv
import io
from typing import Any

import woodstock
from woodstock.tournament.report.tables import Table, tables
from woodstock.tournament.standings import Duel, Standings


def markdown(found: Standings) -> str:
    """Return the report as a Markdown page."""
    parts = [f"# {found.plan.name}", f"{found.matches} matches, seed {found.plan.seed}, plan {found.plan.identity}."]
    for table in tables(found):
        parts.append(f"## {table.title}")
        parts.append(_markdown_table(table))
        if table.note:
            parts.append(table.note)
    return "\n\n".join(parts) + "\n"


def _markdown_table(table: Table) -> str:
    lines = ["| " + " | ".join(table.heads) + " |", "| " + " | ".join("---" for _ in table.heads) + " |"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table.rows]
    return "\n".join(lines)


def _fields(duel: Duel) -> dict[str, Any]:
    """Return the columns of a duel in CSV, which are its keys in JSON too."""
    interval, tally = duel.interval, duel.tally
    return {
        "game": duel.game,
        "player": duel.first,
        "against": duel.second,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "mean_goal": tally.mean_goal,
        "pairs": len(duel.pairs),
        "decision": duel.decision,
    }


def comma_separated(found: Standings) -> str:
    """Return a row for each duel."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow("game player against wins draws losses score low high mean_goal pairs decision".split())
    for duel in found.duels:
        writer.writerow([f"{one:.6f}" if isinstance(one, float) else one for one in _fields(duel).values()])
    return text.getvalue()


def values(found: Standings) -> dict[str, Any]:
    """Return the report as JSON values."""
    return {
        "name": found.plan.name,
        "plan": found.plan.identity,
        "seed": found.plan.seed,
        "version": woodstock.__version__,
        "matches": found.matches,
        "ratings": [
            {"player": one.name, "points": one.points, "low": one.low, "high": one.high, "matches": one.matches}
            for one in found.ratings.players
        ],
        "roles": [
            {"game": game, "role": role, "points": one.points, "low": one.low, "high": one.high}
            for (game, role), one in sorted(found.ratings.roles.items())
        ],
        "duels": [_fields(duel) for duel in found.duels],
        "solo": [
            {"game": game, "player": player, "matches": tally.count, "mean_goal": tally.mean_goal}
            for (game, player), tally in sorted(found.solo.items())
        ],
        "endings": found.endings,
        "reasons": found.reasons,
    }
