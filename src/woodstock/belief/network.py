"""The network of a game's turns in which a role's percepts are part of the next state, made once for each role.

Proving which fluents exclude each other takes about a second, so the network is made on a thread: a player whose clock
runs waits no longer than its deadline and finds the network ready a turn later.
"""

from __future__ import annotations

import threading
import weakref
from typing import cast

import numpy as np

from woodstock import _native
from woodstock.errors import WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.gdl.chance import chance_index

_PROOF_SECONDS = 0.8
# Functions of at most this many combinations become tables: small ones, since every turn has a copy of them.
_ATOM_ROWS, _OUTPUT_ROWS = 64, 64


class PerceptNetwork:
    """The network of one role, as soon as it is ready."""

    def __init__(self, game: Game, role: int) -> None:
        engine = cast(CircuitEngine, game.engine)
        self._ground, self._circuit, self._role = engine.ground, engine.circuit, role
        self.rules = self._ground.native_rules()
        self.native: _native.NetworkTemplate | None = None
        self.problem: str | None = None
        self._is_done = threading.Event()
        threading.Thread(target=self._make, name="percept-network", daemon=True).start()

    def wait(self, seconds: float | None) -> bool:
        """Return whether it is known if there is a network; wait at most so long."""
        return self._is_done.wait(seconds)

    def _make(self) -> None:
        try:
            self.native = self._encode()
        except (ValueError, OverflowError, MemoryError, WoodstockError) as error:
            self.problem = str(error)
        finally:
            self._is_done.set()

    def _encode(self) -> _native.NetworkTemplate:
        ground = self._ground
        if not all(ground.moves):
            raise ValueError("a role never has a legal move")
        # Late: the constraint networks are much to load for a belief that needs none.
        from woodstock.scsp.game.fluents import find_variables

        variables = find_variables(ground, self._circuit, seconds=_PROOF_SECONDS)
        percepts = sum(role == self._role for role, _text, _atom in ground.sees)
        of_variable = np.zeros(len(ground.fluents) + percepts, dtype=np.int32)
        of_value = np.ones(len(of_variable), dtype=np.int32)
        for number, variable in enumerate(variables):
            for position, fluent in enumerate(variable.fluents):
                if fluent is not None:
                    of_variable[fluent], of_value[fluent] = number, position
        of_variable[len(ground.fluents) :] = np.arange(len(variables), len(variables) + percepts)
        domains = [len(variable.values) for variable in variables] + [2] * percepts
        nones = [variable.none for variable in variables] + [0] * percepts
        return _native.encode_network(
            _native.rules_with_percepts(self.rules, self._role),
            np.array(domains, dtype=np.int32),
            np.array(nones, dtype=np.int32),
            of_variable,
            of_value,
            [[] for _ in ground.roles],
            chance_index(ground.roles),
            _ATOM_ROWS,
            _OUTPUT_ROWS,
        )


_NETWORKS: weakref.WeakKeyDictionary[Game, dict[int, PerceptNetwork]] = weakref.WeakKeyDictionary()
_LOCK = threading.Lock()


def percept_network(game: Game, role: int) -> PerceptNetwork:
    """Return the network of a role; making it begins with the first call."""
    with _LOCK:
        known = _NETWORKS.setdefault(game, {})
        if role not in known:
            known[role] = PerceptNetwork(game, role)
        return known[role]
