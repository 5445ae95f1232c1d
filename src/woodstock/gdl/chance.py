"""The role of chance: GDL calls it `random`, in upper or lower case. All other roles need a player."""

from __future__ import annotations

from collections.abc import Iterable

CHANCE = "random"


def is_chance(role: str) -> bool:
    """Return whether a role is that of chance.

    >>> is_chance("random"), is_chance("RANDOM"), is_chance("white")
    (True, True, False)
    """
    return role.lower() == CHANCE


def chance_index(roles: Iterable[str]) -> int:
    """Return the number of the role of chance, or -1.

    >>> chance_index(["white", "random"]), chance_index(["white", "black"])
    (1, -1)
    """
    return next((index for index, role in enumerate(roles) if is_chance(role)), -1)


def without_chance(roles: Iterable[str]) -> tuple[str, ...]:
    """Return all roles but that of chance.

    >>> without_chance(["white", "random", "black"])
    ('white', 'black')
    """
    return tuple(role for role in roles if not is_chance(role))
