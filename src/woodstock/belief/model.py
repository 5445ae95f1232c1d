"""How the others choose their moves, as far as a role supposes."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class MoveModel(Protocol):
    """Gives the weights with which a role makes its moves; without a model everybody moves uniformly.

    `role` is an index in `Game.roles`, `states` and `information` are as in `Particles` (the hashes are those of that
    role), `legal` has a 1 for each legal move. The answer has a row for each state and a column for each move of
    `Game.moves`; weights of moves that are not legal are not read, and a row of zeros means uniform. The role of
    chance is never asked.
    """

    def __call__(
        self, role: int, states: NDArray[np.uint8], information: NDArray[np.uint64], legal: NDArray[np.uint8]
    ) -> NDArray[np.float64]: ...


def checked(model: MoveModel) -> Any:
    """Return the model with answers that the native code takes."""

    def ask(
        role: int, states: NDArray[np.uint8], information: NDArray[np.uint64], legal: NDArray[np.uint8]
    ) -> NDArray[np.float64]:
        weights = np.ascontiguousarray(model(role, states, information, legal), dtype=np.float64)
        if weights.shape != legal.shape:
            raise ValueError(f"a model of the others returned an array of shape {weights.shape}, not {legal.shape}")
        return weights

    return ask
