"""Tables as Markdown, and a report as CSV rows and JSON values."""

from __future__ import annotations

import csv
import io
from typing import Any

import woodstock
from woodstock.tournament.report.tables import Table, tables
from woodstock.tournament.standings import Standings


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


def comma_separated(found: Standings) -> str:
    """Return a row for each duel."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow("game player against wins draws losses score low high mean_goal pairs decision".split())
    for duel in found.duels:
        interval, tally = duel.interval, duel.tally
        writer.writerow(
            [
                duel.game, duel.first, duel.second, tally.wins, tally.draws, tally.losses,
                f"{interval.mean:.6f}", f"{interval.low:.6f}", f"{interval.high:.6f}", f"{tally.mean_goal:.4f}",
                len(duel.pairs), duel.decision,
            ]
        )  # fmt: skip
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
        "duels": [
            {
                "game": duel.game,
                "player": duel.first,
                "against": duel.second,
                "wins": duel.tally.wins,
                "draws": duel.tally.draws,
                "losses": duel.tally.losses,
                "score": duel.interval.mean,
                "low": duel.interval.low,
                "high": duel.interval.high,
                "mean_goal": duel.tally.mean_goal,
                "decision": duel.decision,
            }
            for duel in found.duels
        ],
        "solo": [
            {"game": game, "player": player, "matches": tally.count, "mean_goal": tally.mean_goal}
            for (game, player), tally in sorted(found.solo.items())
        ],
        "endings": found.endings,
        "reasons": found.reasons,
    }
