"""What each move is worth, for a person who asks."""

from __future__ import annotations

from woodstock.game.state import State
from woodstock.players.decision import turn_text

MOST = 8
LONGEST_LINE = 6


def hint(state: State, role: str, seconds: float) -> str:
    """Return the best moves by a search: expected score, interval or `proven`, and how play may go on."""
    from woodstock.players.search import search

    decision = search(state, seconds=seconds, role=role)
    lines = []
    for one in decision.moves[:MOST]:
        others = " ".join(turn_text(turn) for turn in one.line[1:LONGEST_LINE])
        proven = "proven" if one.is_proven else f"{one.interval[0]:.0f}..{one.interval[1]:.0f}"
        lines.append(f"  {one.value:5.1f}  {proven:>8}  {one.move}  {others}".rstrip()[:78])
    return "\n".join(lines)
