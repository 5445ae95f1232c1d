"""The options that a user may give a player, as in `uct:c=0.7,threads=2,memory=256MiB`.

An option adds a name for users, a reader of its text and a line of help to an attribute of the native `SearchSettings`,
which has all settings of a search. An option is something that a user would turn: for speed, for strength on one game,
or to play as the papers do. Other settings belong to a player (registry.py) or are constants (settings.hpp).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from woodstock.errors import GameError
from woodstock.players.papers.shares import read_shares

Value = int | float | str | bool


class PlayerError(GameError):
    """A player's specification is wrong; the message names the option and lists the known ones."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its name for users, the setting that it changes, and how its text is read."""

    name: str
    setting: str
    read: Callable[[str], Value]
    help: str


_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
LEAST_MEMORY = 2**20


def memory(text: str) -> int:
    """Read a size such as 256MiB or 1GB; a plain number is bytes.

    >>> memory("256MiB")
    268435456
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*", text)
    if found is None or found[2].lower() not in _UNITS:
        raise ValueError("a size such as 256MiB or 2GB")
    size = int(float(found[1]) * _UNITS[found[2].lower()])
    if size < LEAST_MEMORY:
        raise ValueError("at least 1MiB")
    return size


def number(least: float = 0.0, most: float = float("inf")) -> Callable[[str], float]:
    """Return a reader of numbers within bounds."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise ValueError(f"a number from {least:g}" + ("" if most == float("inf") else f" to {most:g}"))
        return value

    return read


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return read


def scheduler(text: str) -> str:
    """Read the address of a Dask scheduler."""
    if re.fullmatch(r"(tcp|tls|ucx|ws|wss)://[^\s:/]+(:[0-9]{1,5})?", text) is None:
        raise ValueError("the address of a Dask scheduler, such as tcp://127.0.0.1:8786")
    return text


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a reader of one of some words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return text

    return read


def share_or_off(most: float) -> Callable[[str], float]:
    """Return a reader of shares; `off` is 0."""
    read = number(0, most)

    def read_share(text: str) -> float:
        try:
            return 0.0 if text.lower() in ("off", "no") else read(text)
        except ValueError as error:
            raise ValueError(f"{error}, or off") from None

    return read_share


def yes_or_no(text: str) -> bool:
    """Read yes or no."""
    if text.lower() not in ("yes", "no", "true", "false", "1", "0"):
        raise ValueError("yes or no")
    return text.lower() in ("yes", "true", "1")


OPTIONS: tuple[Option, ...] = (
    Option("c", "exploration", number(0), "weight of exploration"),
    Option("puct", "prior_share", number(0, 1), "share of exploration that goes by first estimates, as in PUCT"),
    Option("temperature", "prior_temperature", number(0.001), "how flat first estimates make the priors"),
    Option("c-visits", "exploration_of_visits", number(-1, 1), "power of a state's visits in its exploration"),
    Option("c-moves", "exploration_of_moves", number(-1, 1), "power of a state's moves in its exploration"),
    Option("lanes", "lanes", whole(1, 65536), "playouts for each leaf, in one batch"),
    Option("child", "child_playouts", whole(0, 65536), "most playouts for each new child; 0: its share of `lanes`"),
    Option("group", "group", whole(1, 1024), "leaves that share a batch, at most"),
    Option("stages", "stages", one_of("circuit", "mac", "fc"), "what solves a stage: circuit, mac or fc"),
    Option("tables", "tables", one_of("compact-table", "str2"), "how mac propagates tables: compact-table or str2"),
    Option("order", "order", one_of("dom/ddeg", "dom/wdeg"), "which variable mac and fc choose: dom/ddeg or dom/wdeg"),
    Option("solve", "solve_share", number(0.01, 0.99), "share of the time for solving stages; sampling has the rest"),
    Option("shares", "shares", read_shares, "percent of the time for solving, sampling and symmetries, as in 45/30/25"),
    Option("symmetry", "symmetry_share", number(0, 0.9), "share of the time for symmetries"),
    Option("samples", "samples", whole(1, 10**9), "playouts of the solutions of one stage"),
    Option("horizon", "horizon", whole(1, 10**6), "turns after which every role gets 0"),
    Option("minimax", "minimax_share", number(0, 1), "weight of the best child in its parent's value"),
    Option("minimax-visits", "minimax_visits", number(0), "visits at which the best child has half of that weight"),
    Option("turn", "turn_share", number(0, 1), "share of what the turn is worth that new states are corrected by"),
    Option("joint", "joint_share", number(0, 1), "weight of mixed strategies in the value of simultaneous moves"),
    Option("rivalry", "rivalry", number(0), "two players, no constant sum: weight of what the other does not get"),
    Option("shrink", "shrink", number(0), "playouts that the expected value of a move counts for at first"),
    Option("prior", "prior_weight", number(0), "descents that first estimates count for"),
    Option("wins", "wins_at_once", yes_or_no, "in playouts, whether a role that can win in one move does"),
    Option("confidence", "confidence", number(0), "skip moves worse than the best by this many deviations; 0: never"),
    Option("proofs", "proofs", share_or_off(0.9), "share of the time for proofs, at most; off: none"),
    Option("particles", "particles", whole(1, 10**6), "states sampled that fit what the role knows, at most"),
    Option("others", "others", whole(0, 10**6), "states sampled that others hold possible besides, at most"),
    Option("threads", "threads", whole(1, 256), "threads of the search and of learning"),
    Option("memory", "memory_bytes", memory, "limit for the tree, such as 256MiB"),
    Option("seed", "seed", whole(0, 2**63 - 1), "seed of all random choices"),
    Option("max-steps", "max_steps", whole(1, 10**9), "length at which playouts are cut"),
    Option("ponder", "ponder", yes_or_no, "think while others do"),
    Option(
        "learn",
        "learn",
        yes_or_no,
        "learn values of states in a start clock of 7 s or more",
    ),
    Option("race", "race", yes_or_no, "let settings race in the start clock; the best one plays"),
    Option("start", "start", yes_or_no, "think until the end of the start clock"),
    Option("subgame", "subgame", yes_or_no, "look for symmetries of what is left at each root (sym players)"),
    Option("time", "time", number(0.001, 1), "share of each move's clock that is used: a handicap"),
    Option("workers", "workers", scheduler, "Dask scheduler whose workers search too, as in tcp://127.0.0.1:8786"),
)
# These are for the player; all others are attributes of the native SearchSettings.
PLAYER_SETTINGS = frozenset(
    {
        "learn",
        "order",
        "others",
        "particles",
        "ponder",
        "proofs",
        "race",
        "stages",
        "start",
        "subgame",
        "tables",
        "time",
        "workers",
    }
)
_BY_NAME = {option.name: option for option in OPTIONS}


def find_option(name: str, known: Sequence[str]) -> Option:
    """Return the option of this name, if it is one of `known`."""
    if name in known:
        return _BY_NAME[name]
    near = difflib.get_close_matches(name, known, n=1)
    raise PlayerError(
        f"unknown option {name!r}"
        + (f". Did you mean {near[0]!r}?" if near else ".")
        + f" The options are {', '.join(known) or 'none'}"
    )
