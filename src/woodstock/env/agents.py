"""The names of agents: PettingZoo wants letters, an underscore and a number, such as `red_0`."""

from __future__ import annotations

import re
from collections.abc import Sequence


def agent_names(roles: Sequence[str]) -> list[str]:
    """Return a name for each role.

    >>> agent_names(["x", "o"]), agent_names(["player-1", "player-2"])
    (['x_0', 'o_1'], ['player_0', 'player_1'])
    """
    return [f"{re.sub('[^a-z]', '', role.lower()) or 'player'}_{index}" for index, role in enumerate(roles)]
