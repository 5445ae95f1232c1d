"""Gymnasium spaces that name their moves and fluents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from woodstock.env.extras import need

need("gymnasium", "env")

from gymnasium import spaces  # noqa: E402

from woodstock.env.single import SingleMatch  # noqa: E402

MASK_IN = ("observation", "info")


class Moves(spaces.Discrete):
    """Move indices; `names[i]` is the move as the rules write it. Indices beyond the names are never legal."""

    def __init__(self, n: int, names: Sequence[str]) -> None:
        super().__init__(n)
        self.names = tuple(names)


class Fluents(spaces.Box):
    """One 0 or 1 for each position; `names` says what each shows, in row-major order."""

    def __init__(self, shape: tuple[int, ...], names: Sequence[str]) -> None:
        super().__init__(0, 1, shape, np.uint8)
        self.names = tuple(names)


def action_space(match: SingleMatch, player: int) -> Moves:
    """Return the moves of a player; all players have spaces of one size."""
    return Moves(match.size, match.names[player])


def observation_space(match: SingleMatch, mask_in: str) -> spaces.Space[Any]:
    """Return the space of observations, with the mask if that is part of them."""
    fluents = Fluents(match.plan.shape, match.plan.names)
    if mask_in == "info":
        return fluents
    return spaces.Dict({"observation": fluents, "action_mask": spaces.Box(0, 1, (match.size,), np.int8)})


def observe(match: SingleMatch, player: int, mask_in: str) -> tuple[Any, dict[str, Any]]:
    """Return the observation and the info of a player; the mask is in one of them."""
    observation, mask = match.observation(player), match.mask(player)
    if mask_in == "info":
        return observation, {"action_mask": mask}
    return {"observation": observation, "action_mask": mask}, {}
