"""The built-in players by name: the search of each one and the settings that it starts from.

The defaults were found by matches at equal clock; docs/research has the figures.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from woodstock import _native
from woodstock.players.options import OPTIONS, PLAYER_SETTINGS, PlayerError

_SHARED = ("threads", "memory", "seed", "max-steps", "ponder", "start", "time", "workers")
_TREE = (
    *("c", "puct", "temperature", "c-visits", "c-moves", "lanes", "child", "group", "stages", "tables", "order"),
    *("minimax", "minimax-visits", "turn", "joint", "rivalry", "shrink", "prior", "wins", "confidence", "proofs"),
    *("subgame", "learn", "race"),
    *_SHARED,
)


@dataclass(frozen=True)
class Kind:
    """A player by name: how it searches, the settings it starts from and the options it takes."""

    name: str
    summary: str
    settings: Mapping[str, Any]  # of the native SearchSettings, which checks names and types
    options: tuple[str, ...] = _TREE
    search: str = "tree"  # `tree`, `paper` (as published), `hidden` (hidden information), `random` or `legal`
    symmetries: str = ""  # how they are found: `network`, `rules`, or not at all
    stages: str = "circuit"  # the stage solver, if no option names another: `circuit`, `mac` or `fc`

    @property
    def is_thinking(self) -> bool:
        """Whether it searches."""
        return self.search in ("tree", "paper", "hidden")


_MAC: dict[str, Any] = {
    "growth": _native.Growth.WHOLE_NODE,
    "proofs": 0.25,
    "learn": True,
    "exploration": 0.1,
    "exploration_of_moves": -0.5,
    "lanes": 1024,
    "child_playouts": 32,
    "group": 64,
    "minimax_share": 0.5,
    "turn_share": 0.6,
    "rivalry": 0.25,
    "shrink": 25.0,
    "wins_at_once": True,
    "uses_amaf": True,
    "amaf_lanes": 8.0,
    "amaf_share": 0.2,
}
_UCT: dict[str, Any] = {
    "growth": _native.Growth.ONE_CHILD,
    "exploration": 0.3,
    "lanes": 64,
    "unvisited_bonus": 1.0,
    "own_weight": 1.0,
    "prior_weight": 0.0,
}
_GRAVE: dict[str, Any] = {**_UCT, "uses_amaf": True, "exploration": 0.0, "unvisited_bonus": 0.0}
_FLAT: dict[str, Any] = {"growth": _native.Growth.ROOT_ONLY, "exploration": 0.7, "lanes": 256}

_HIDDEN = ("particles", "memory", "seed", "max-steps", "time")

# As published: settings are those of the native PaperSettings.
_AS_PRINTED = ("horizon", "memory", "seed")
_STAGED = ("samples", "tables", "order", *_AS_PRINTED)

PLAYERS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("mac-ucb", "solve a stage, estimate all its solutions in one batch, continue with the best", _MAC),
        Kind(
            "mac-ucb-sym",
            "mac-ucb that shares values between symmetric states (microstructure complement)",
            _MAC,
            symmetries="network",
        ),
        Kind("fc-ucb", "mac-ucb with stages solved by forward checking, as stages=fc", _MAC, stages="fc"),
        Kind("uct", "upper confidence bounds applied to trees", _UCT),
        Kind("uct-sym", "uct that shares values between symmetric states (rule graph)", _UCT, symmetries="rules"),
        Kind("grave", "uct with generalised rapid action value estimation", _GRAVE),
        Kind("grave-sym", "grave that shares values between symmetric states (rule graph)", _GRAVE, symmetries="rules"),
        Kind("flat-mc", "sample the moves of the state, no tree", _FLAT, ("c", "lanes", *_SHARED)),
        Kind(
            "mac-ucb-2015",
            "MAC-UCB as published in 2015 and 2016: stages by MAC, one arm for each solution, single playouts",
            {"method": "mac", "solve_share": 0.9},
            ("solve", *_STAGED),
            search="paper",
        ),
        Kind(
            "fc-ucb-2016",
            "FC-UCB as published in 2016: mac-ucb-2015 with forward checking",
            {"method": "fc", "solve_share": 0.9},
            ("solve", *_STAGED),
            search="paper",
        ),
        Kind(
            "mac-ucb-sym-2017",
            "MAC-UCB-SYM as published in 2017: minimax to a depth, symmetries of each stage",
            {"method": "mac", "shares": "45/30/25", "is_by_depth": True},
            ("shares", *_STAGED),
            search="paper",
            symmetries="network",
        ),
        Kind(
            "uct-2016",
            "multi-player UCT with a cache of explored subtrees, the rival of 2015 and 2016",
            {},
            _AS_PRINTED,
            search="paper",
        ),
        Kind(
            "uct-sym-2017",
            "uct-2016 with symmetries of the rule graph, as published in 2017",
            {"symmetry_share": 0.2},
            ("symmetry", *_AS_PRINTED),
            search="paper",
            symmetries="rules",
        ),
        Kind(
            "grave-2015",
            "GRAVE as published in 2015, a rival of 2017",
            {"is_grave": True},
            _AS_PRINTED,
            search="paper",
        ),
        Kind(
            "grave-sym-2017",
            "GRAVE with symmetries of the rule graph, as published in 2017",
            {"is_grave": True, "symmetry_share": 0.25},
            ("symmetry", *_AS_PRINTED),
            search="paper",
            symmetries="rules",
        ),
        Kind(
            "mac-ucb-ii",
            "hidden information: solve the game, or what sampled states lead to, by regret minimisation; mixes moves",
            {"particles": 1000, "others": 500, "memory_bytes": 2**28, "least_share": 0.2, "worst": 0.08},
            ("others", *_HIDDEN),
            search="hidden",
        ),
        Kind(
            "pimc",
            "hidden information: mac-ucb on states that may be true, as if they were known; the baseline",
            {"particles": 1000},
            _HIDDEN,
            search="hidden",
        ),
        Kind(
            "ismcts",
            "MO-ISMCTS as published in 2012: information set Monte Carlo tree search with one tree for each role",
            {"particles": 1000, "memory_bytes": 2**28},
            ("c", *_HIDDEN),
            search="hidden",
        ),
        Kind(
            "oos",
            "online outcome sampling as published in 2015, with information set targeting",
            {"particles": 1, "memory_bytes": 2**28},
            ("memory", "seed", "max-steps", "time"),
            search="hidden",
        ),
        Kind("random", "a uniformly random legal move", {}, ("seed",), search="random"),
        Kind("legal", "the first legal move", {}, (), search="legal"),
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
    raise PlayerError(f"no player {name!r}.{hint} The built-in players are {', '.join(PLAYERS)}")


def search_settings(values: Mapping[str, Any]) -> _native.SearchSettings:
    """Return the native settings with these values; a name that it does not have is an AttributeError."""
    made = _native.SearchSettings()
    for name, value in values.items():
        if name not in PLAYER_SETTINGS:
            setattr(made, name, value)
    return made


def describe(name: str) -> str:
    """Return a player's summary and its options, one line each."""
    kind = find_kind(name)
    lines = [f"{kind.name}: {kind.summary}"]
    lines += [f"  {option.name:16}{option.help}" for option in OPTIONS if option.name in kind.options]
    return "\n".join(lines)
