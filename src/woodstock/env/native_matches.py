"""The matches of a batch on the bit-sliced engine: arrays over native buffers."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.env.settings import Settings
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.engine import Payload
from woodstock.game.game import Game
from woodstock.game.step_program import step_program
from woodstock.gdl.chance import chance_index


class NativeMatches:
    """Implements the matches of `Batch` for a grounded game."""

    def __init__(self, game: Game, settings: Settings) -> None:
        ground = cast(CircuitEngine, game.engine).ground
        first = np.cumsum([0, *map(len, ground.moves)])
        players = [game.role_index(role) for role in settings.players]
        self._native = _native.MatchBatch(
            step_program(game),
            settings.n,
            settings.seed,
            settings.threads,
            autoreset=settings.autoreset,
            max_steps=settings.max_steps,
            is_single=settings.is_single,
            observations="bits" if settings.packed else "bytes",
            masks=settings.masks,
            keeps_finals=settings.keeps_finals,
            players=players,
            chance_role=chance_index(ground.roles),
            moves=[(first[role] + own).tolist() for role, own in zip(players, settings.plan.moves, strict=True)],
            views=settings.plan.views.tolist(),
            starts=[cast(bytes, start) for start in settings.starts],
        )
        self.arrays: dict[str, NDArray[Any]] = self._native.arrays()

    def reset(self, seed: int) -> None:
        self._native.reset(seed)

    def restart(self, which: NDArray[np.uint8]) -> None:
        self._native.restart(which)

    def step(self, moves: Any, only: NDArray[np.uint8] | None) -> tuple[str, int, int, int] | None:
        """Make a joint move in each match, or return why not: reason, match, player, index."""
        return cast(tuple[str, int, int, int] | None, self._native.step(moves, only))

    def sample(self, to: NDArray[np.int32]) -> None:
        self._native.sample(to)

    def save(self) -> list[Payload]:
        return [row.tobytes() for row in self._native.save()]

    def load(self, states: list[Payload], turns: NDArray[np.int32]) -> None:
        words = np.frombuffer(b"".join(cast(list[bytes], states)), dtype=np.uint64)
        self._native.load(words.reshape(len(states), -1), turns)

    def legal_indices(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        return self._native.legal_indices()

    def ambiguities(self) -> list[tuple[int, int, Payload]]:
        return self._native.ambiguities()
