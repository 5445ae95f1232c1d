"""A record as a page shows it: every state, the moves between them, and what the players thought."""

from __future__ import annotations

from typing import Any

from woodstock.errors import UnknownGameError
from woodstock.games import find
from woodstock.match.record import MatchRecord, RecordError
from woodstock.web.shelf import Loaded
from woodstock.web.store import Store

JsonObject = dict[str, Any]

MOST_TURNS = 2_000


def game_of(record: MatchRecord, store: Store, chosen: str = "") -> str:
    """Return the key of the game that a record is about: the one chosen, its own rules, or a game of its name."""
    if chosen:
        return find(chosen).name
    if record.rules.strip():
        try:
            bundled = find(record.game)
            if bundled.read() == record.rules:
                return bundled.name
        except UnknownGameError:
            pass
        return store.keep_rules(record.game or "record", record.rules)
    # The address of a game in a public repository ends with its name: .../games/connectFour/v0/
    for name in (record.game, *reversed([part for part in record.game.split("/") if part])):
        try:
            return find(name).name
        except UnknownGameError:
            continue
    raise RecordError(f"the record has no rules, and no bundled game is called {record.game!r}: choose the game below")


def story(record: MatchRecord, loaded: Loaded) -> JsonObject:
    """Return what the page needs; RecordError if the record contradicts the rules."""
    if len(record.plies) > MOST_TURNS:
        raise RecordError(f"the record has {len(record.plies):,} turns; a page shows at most {MOST_TURNS:,}")
    states = record.replay(loaded.game)
    scene = loaded.view.scene
    positions = []
    for index, state in enumerate(states):
        before = states[index - 1].fluents if index else None
        positions.append(scene.position(state.fluents, before))
    last = states[-1]
    return {
        "game": loaded.key,
        "title": loaded.title,
        "scene": scene.as_json(),
        "roles": list(loaded.game.roles),
        "players": dict(record.players),
        "start": None if record.is_from_start else list(record.initial),
        "positions": positions,
        "moves": [list(ply.moves) for ply in record.plies],
        "errors": [list(ply.errors) for ply in record.plies],
        "seconds": [list(ply.seconds) for ply in record.plies],
        "values": [_values(ply.thoughts) for ply in record.plies],
        "lines": [_lines(ply.thoughts) for ply in record.plies],
        "reason": record.reason,
        "scores": last.scores if last.is_terminal else None,
    }


def _values(thoughts: Any) -> JsonObject:
    """Return the score that each role expected for itself when it made its move."""
    found = {}
    for role, thought in thoughts.items():
        value = thought.get("values", {}).get(role) if isinstance(thought, dict) else None
        if isinstance(value, int | float):
            found[role] = float(value)
    return found


def _lines(thoughts: Any) -> JsonObject:
    found = {}
    for role, thought in thoughts.items():
        lines = thought.get("lines") if isinstance(thought, dict) else None
        if isinstance(lines, list):
            found[role] = [str(line) for line in lines[:3]]
    return found
