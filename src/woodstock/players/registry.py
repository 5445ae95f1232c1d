"""The players there are, by name: which search each one is, and the settings it starts from.

The defaults were found by matches at equal clock; docs/players.md has the figures.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field

from woodstock.players.options import OPTIONS, PlayerError, Value

_SHARED = ("threads", "memory", "seed", "max-steps", "ponder", "workers")
_TREE = (
    *("c", "lanes", "solve", "leaves", "rule", "temperature", "urgency", "minimax", "prior", "own"),
    *("shrink", "history", "wins", "confidence", "widest", "widest-joint"),
)
_AMAF = ("bias", "reference", "recorded", "amaf-share")
_SYMMETRY = ("symmetry-share",)


@dataclass(frozen=True)
class Kind:
    """A player by name: how it searches, the settings it starts from and the options it takes."""

    name: str
    summary: str
    search: str  # `tree`, `random` or `legal`
    settings: Mapping[str, Value] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    symmetries: str = ""  # how they are found: `network`, `rules`, or not at all
    stages: str = "circuit"  # the stage solver: `circuit`, or `table` with forward checking


_MAC: dict[str, Value] = {
    "growth": "whole-node",
    "rule": "ucb",
    "exploration": 0.05,
    "lanes": 256,
    "shrink": 25.0,
    "history": 1.0,
    "wins_at_once": True,
    "uses_amaf": True,
    "amaf_lanes": 8.0,
    "amaf_share": 0.2,
}
_UCT: dict[str, Value] = {
    "growth": "one-child",
    "rule": "ucb",
    "exploration": 0.3,
    "lanes": 64,
    "urgency": 1.0,
    "own_weight": 1.0,
    "prior_weight": 0.0,
}
_GRAVE: dict[str, Value] = {**_UCT, "uses_amaf": True, "exploration": 0.0, "urgency": 0.0}
_FLAT: dict[str, Value] = {"growth": "root-only", "rule": "ucb", "exploration": 0.7, "lanes": 256}

PLAYERS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "mac-ucb",
            "solve a stage, estimate all its solutions in one batch, go on where it promises most",
            "tree",
            _MAC,
            (*_TREE, "amaf", "amaf-lanes", *_AMAF, *_SHARED),
        ),
        Kind(
            "mac-ucb-sym",
            "mac-ucb that shares values between symmetric states (microstructure complement)",
            "tree",
            _MAC,
            (*_TREE, "amaf", "amaf-lanes", *_AMAF, *_SHARED, *_SYMMETRY),
            symmetries="network",
        ),
        Kind(
            "fc-ucb",
            "mac-ucb with forward checking over tables in place of the compiled rules",
            "tree",
            _MAC,
            (*_TREE, "amaf", "amaf-lanes", *_AMAF, *_SHARED),
            stages="table",
        ),
        Kind("uct", "upper confidence bounds applied to trees", "tree", _UCT, (*_TREE, *_SHARED)),
        Kind(
            "uct-sym",
            "uct that shares values between symmetric states (rule graph)",
            "tree",
            _UCT,
            (*_TREE, *_SHARED, *_SYMMETRY),
            symmetries="rules",
        ),
        Kind(
            "grave",
            "uct with generalised statistics of moves, wherever they were made in a playout",
            "tree",
            _GRAVE,
            (*_TREE, *_AMAF, *_SHARED),
        ),
        Kind(
            "grave-sym",
            "grave that shares values between symmetric states (rule graph)",
            "tree",
            _GRAVE,
            (*_TREE, *_AMAF, *_SHARED, *_SYMMETRY),
            symmetries="rules",
        ),
        Kind("flat-mc", "sample the moves of the state, no tree", "tree", _FLAT, ("c", "lanes", *_SHARED)),
        Kind("random", "a uniformly random legal move", "random", {}, ("seed",)),
        Kind("legal", "the first legal move", "legal", {}, ()),
    )
}
DEFAULT = "mac-ucb-sym"


def find_kind(name: str) -> Kind:
    """Return the player of this name."""
    found = PLAYERS.get(name)
    if found is not None:
        return found
    near = difflib.get_close_matches(name, PLAYERS, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise PlayerError(f"no player {name!r}.{hint} The players are {', '.join(PLAYERS)}")


def describe(name: str) -> str:
    """Return what a player does and the options it takes, one line each."""
    kind = find_kind(name)
    lines = [f"{kind.name}: {kind.summary}"]
    lines += [f"  {option.name:16}{option.help}" for option in OPTIONS if option.name in kind.options]
    return "\n".join(lines)
