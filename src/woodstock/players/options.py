"""The settings that a player can be given, as in `uct:c=0.7,threads=2,memory=256MiB`.

Each option has a name for users, a name in the native settings, a reader of its text and a line of help.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from woodstock.errors import GameError

Value = int | float | str | bool


class PlayerError(GameError):
    """A player was described wrongly; the message names the option and lists those there are."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting: how it is written, what the native search calls it, how its text is read."""

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


def one_of(*names: str) -> Callable[[str], str]:
    """Return a reader of names."""

    def read(text: str) -> str:
        if text not in names:
            raise ValueError("one of " + ", ".join(names))
        return text

    return read


def scheduler(text: str) -> str:
    """Read the address of a Dask scheduler."""
    if re.fullmatch(r"(tcp|tls|ucx|ws|wss)://[^\s:/]+(:[0-9]{1,5})?", text) is None:
        raise ValueError("the address of a Dask scheduler, such as tcp://127.0.0.1:8786")
    return text


def yes_or_no(text: str) -> bool:
    """Read yes or no."""
    if text.lower() not in ("yes", "no", "true", "false", "1", "0"):
        raise ValueError("yes or no")
    return text.lower() in ("yes", "true", "1")


OPTIONS: tuple[Option, ...] = (
    Option("c", "exploration", number(0), "weight of exploration"),
    Option("lanes", "lanes", whole(1, 65536), "playouts for each leaf, in one batch"),
    Option("solve", "solve_share", number(0, 1), "share of the time for stages, by more or fewer lanes; 0: any"),
    Option("leaves", "leaves", whole(1, 64), "leaves sampled in one batch"),
    Option("rule", "rule", one_of("ucb", "prior"), "how a descent picks a child"),
    Option("temperature", "temperature", number(1e-6), "of the priors that first estimates give"),
    Option("urgency", "urgency", number(-1), "of unsampled children, above their parent; 1: always first"),
    Option("minimax", "minimax_share", number(0, 1), "share of the best child in its parent's value"),
    Option("prior", "prior_weight", number(0), "descents that first estimates count for"),
    Option("own", "own_weight", number(0), "descents that a state's own playouts count for"),
    Option("shrink", "shrink", number(0, 1e6), "playouts that the mean of a stage counts for in first estimates"),
    Option("history", "history", number(0, 1), "share of what other stages say of a move in first estimates"),
    Option("wins", "wins_at_once", yes_or_no, "whether in playouts a role that can win in one move does"),
    Option("confidence", "confidence", number(0), "deviations at which a move is passed over; 0: never"),
    Option("widest", "widest", whole(1, 1 << 20), "children opened at a time"),
    Option("widest-joint", "widest_joint", whole(1, 1 << 20), "the same where several roles choose at once"),
    Option("threads", "threads", whole(1, 256), "threads of the search"),
    Option("memory", "memory_bytes", memory, "bound on the tree"),
    Option("seed", "seed", whole(0, 2**63 - 1), "of all random choices"),
    Option("max-steps", "max_steps", whole(1, 10**9), "where playouts are cut"),
    Option("bias", "amaf_bias", number(0), "GRAVE: how fast statistics of moves give way"),
    Option("reference", "amaf_reference", whole(1, 10**9), "GRAVE: visits before a state's own statistics count"),
    Option("amaf", "uses_amaf", yes_or_no, "whether statistics of moves are kept, wherever they were made"),
    Option("recorded", "amaf_playouts", whole(1, 1024), "GRAVE: playouts that remember their moves, for each leaf"),
    Option("amaf-lanes", "amaf_lanes", number(0), "playouts for each child below which they are kept; 0: always"),
    Option("amaf-share", "amaf_share", number(0, 1), "GRAVE: share of the time for playouts that these may take"),
    Option("ponder", "ponder", yes_or_no, "think while others do"),
    Option("workers", "workers", scheduler, "Dask scheduler whose workers search too, as in tcp://127.0.0.1:8786"),
    Option("symmetry-share", "symmetry_share", number(0, 1), "share of the start clock for finding symmetries"),
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
