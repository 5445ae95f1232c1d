"""What a search knows, as plain values for the page: expected scores, best moves, lines, counters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from woodstock.players.decision import RootMove, SearchInfo

JsonObject = dict[str, Any]

# The page draws at most five lines; of very many moves the rest would only be thin bars.
MOST_LINES = 5
MOST_TURNS = 12
MOST_MOVES = 200


def search_json(infos: Sequence[SearchInfo], *, has_constant_sum: bool = False) -> JsonObject:
    """Return the reports on one state, one `SearchInfo` for each role, as one message.

    The tree has an interval only for a role that chooses. If the goals of two roles always add up to the same, the
    other role's interval mirrors it.
    """
    first = infos[0]
    statistics = first.statistics
    roles = [role_json(info) for info in infos]
    if has_constant_sum and len(roles) == 2 and roles[0]["interval"] is not None and roles[1]["interval"] is None:
        low, high = roles[0]["interval"]
        total = roles[0]["value"] + roles[1]["value"]
        roles[1]["interval"] = [total - high, total - low]
    return {
        "type": "search",
        "seconds": round(first.seconds, 3),
        "simulations": first.simulations,
        "rate": round(first.simulations_per_second),
        "states": int(statistics.get("nodes", 0)),
        "memory_bytes": int(statistics.get("memory_bytes", 0)),
        "hash_hits": int(statistics.get("hash_hits", 0)),
        "prunings": int(statistics.get("prunings", 0)),
        "is_proven": first.is_proven,
        "notes": list(statistics.get("notes", ())),
        "roles": roles,
    }


def role_json(info: SearchInfo) -> JsonObject:
    """Return what one role may expect and its moves, the best first; lines only for the first few."""
    best = info.moves[0] if info.moves else None
    return {
        "role": info.role,
        "value": info.value,
        "interval": None if best is None else _within(best.interval, info.value),
        "bounds": None if best is None else list(best.bounds),
        "is_proven": info.is_proven,
        "count": len(info.moves),
        "moves": [move_json(move, number) for number, move in enumerate(info.moves[:MOST_MOVES])],
    }


def move_json(move: RootMove, rank: int) -> JsonObject:
    """Return one move of the root."""
    found: JsonObject = {
        "move": move.move,
        "visits": move.visits,
        "value": move.value,
        "interval": list(move.interval),
        "bounds": list(move.bounds),
        "is_proven": move.is_proven,
    }
    if rank < MOST_LINES:
        found["line"] = [list(joint) for joint in move.line[:MOST_TURNS]]
    return found


def _within(interval: tuple[float, float], value: float) -> list[float] | None:
    """Return the interval, widened to hold the value of the state, which is a mix of its moves' values.

    None if nothing is known of it.
    """
    if interval == (0.0, 100.0):
        return None
    return [min(interval[0], value), max(interval[1], value)]
