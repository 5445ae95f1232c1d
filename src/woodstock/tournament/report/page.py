"""The report as one HTML page that needs nothing else: tables, a coloured cross table, dot and interval plots."""

from __future__ import annotations

import html

from woodstock.tournament.report.curves import by_clock, by_matches, by_share
from woodstock.tournament.report.plot import Dot, dot_plot
from woodstock.tournament.report.tables import BY_GAME, CROSS, Table, tables
from woodstock.tournament.standings import Standings

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; margin: 0.5rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #ddd; text-align: left; }
td.number { text-align: right; }
h2 { margin-top: 2.2rem; }
p.note { color: #555; }
details { margin: 1rem 0; }
svg { max-width: 100%; height: auto; }
"""


def page(found: Standings) -> str:
    """Return the page."""
    title = html.escape(found.plan.name)
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{found.matches} matches, seed {found.plan.seed}, plan {found.plan.identity}.</p>",
    ]
    for table in tables(found):
        parts.append(f"<h2>{html.escape(table.title)}</h2>")
        parts.append(_plot(found, table.title))
        body = _table(table, is_coloured=table.title in (CROSS, BY_GAME))
        is_long = len(table.rows) > 30
        parts.append(f"<details><summary>{len(table.rows)} rows</summary>{body}</details>" if is_long else body)
        if table.note:
            parts.append(f'<p class="note">{html.escape(table.note)}</p>')
    plan = html.escape(found.plan.text)
    parts.append(f"<h2>Plan</h2><details><summary>show</summary><pre>{plan}</pre></details>")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _plot(found: Standings, title: str) -> str:
    if title == "Ratings":
        return dot_plot([Dot(one.name, one.points, one.low, one.high) for one in found.ratings.players], "Elo points")
    if title == "Duels":
        dots = []
        firsts = {duel.first for duel in found.duels}
        for duel in found.duels:
            interval = duel.interval
            if interval.count:
                pair = duel.second if len(firsts) == 1 else f"{duel.first} against {duel.second}"
                label = f"{duel.game}: {pair}"
                dots.append(Dot(label, 100 * interval.mean, 100 * interval.low, 100 * interval.high))
        whose = f" of {firsts.pop()}" if len(firsts) == 1 else ""
        return dot_plot(dots, f"score %{whose}", middle=50.0) + by_matches(found) + by_clock(found) + by_share(found)
    return ""


def _table(table: Table, *, is_coloured: bool) -> str:
    heads = "".join(f"<th>{html.escape(head)}</th>" for head in table.heads)
    rows = "".join(f"<tr>{''.join(_cell(cell, is_coloured) for cell in row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(text: str, is_coloured: bool) -> str:
    number = _number(text.partition(" ")[0] if is_coloured else text)
    if number is None:
        return f"<td>{html.escape(text)}</td>"
    style = f' style="background:{_colour(number)}"' if is_coloured else ""
    return f'<td class="number"{style}>{html.escape(text)}</td>'


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _colour(percent: float) -> str:
    """Return a colour between orange, white and blue: safe for the colour-blind; the number is there as well."""
    share = min(1.0, max(0.0, percent / 100))
    low, middle, high = (230, 159, 0), (255, 255, 255), (86, 180, 233)
    start, end, at = (low, middle, 2 * share) if share < 0.5 else (middle, high, 2 * share - 1)
    return "#" + "".join(f"{round(a + (b - a) * at):02x}" for a, b in zip(start, end, strict=True))
