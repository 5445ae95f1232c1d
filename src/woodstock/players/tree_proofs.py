"""The proof search beside a player's tree: made in the background, given to the tree when it is ready."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index, without_chance
from woodstock.players.preparation import Part
from woodstock.players.slices import run_in_slices
from woodstock.players.spec import PlayerSpec

# Of the player's memory, the part for the table of proofs.
_MEMORY_SHARE = 1 / 8
_MOST_MEMORY = 256 * 2**20


def _table_bytes(game: Game, spec: PlayerSpec) -> int:
    """Return the size of the table of proofs; 0 if the player makes none."""
    if not spec.settings.get("proofs") or len(without_chance(game.roles)) < 2:
        return 0
    memory = int(spec.settings.get("memory_bytes", _native.SearchSettings().memory_bytes))
    return min(int(_MEMORY_SHARE * memory), _MOST_MEMORY)


def tree_memory(game: Game, spec: PlayerSpec) -> dict[str, Any]:
    """Return the setting for the memory of the tree: what the table of proofs leaves."""
    memory = int(spec.settings.get("memory_bytes", _native.SearchSettings().memory_bytes))
    return {"memory_bytes": memory - _table_bytes(game, spec)}


class TreeProofs:
    """The proof search of one player in one match, if it has one."""

    def __init__(self, game: Game, spec: PlayerSpec) -> None:
        self._game, self._spec = game, spec
        self._part: Part | None = None
        self._proofs: _native.TreeProofs | None = None

    def prepare(
        self, group: _native.SymmetryGroup | None, deadline: float | None, interrupted: threading.Event
    ) -> None:
        """Begin to make it, and wait for it until the deadline."""
        size = _table_bytes(self._game, self._spec)
        if size == 0:
            return
        if self._part is None:
            engine = self._game.engine
            assert isinstance(engine, CircuitEngine)
            settings = self._spec.settings
            share, threads = float(settings["proofs"]), int(settings.get("threads", 1))
            chance = chance_index(self._game.roles)
            self._part = Part(partial(_native.TreeProofs, engine.circuit, group, size, share, threads, chance))
        self._part.wait(deadline, interrupted)

    def teach(self, state: State, seconds: float, is_wanted: Callable[[], bool]) -> None:
        """Let the net that orders its moves learn for so long, if it is ready. Not during a search."""
        proofs = self._proofs if self._part is None else self._part.value
        if proofs is not None:
            run_in_slices(partial(proofs.teach, packed(state)), seconds, is_wanted)

    def give_to(self, tree: _native.TreeSearch, waits: bool) -> None:
        """Let the tree use it from now on, if it is ready."""
        if self._part is not None:
            if waits:
                self._part.wait(None)
            if not self._part.is_done:
                return
            self._proofs, self._part = self._part.value, None
            if self._proofs is not None:
                tree.set_proofs(self._proofs)
