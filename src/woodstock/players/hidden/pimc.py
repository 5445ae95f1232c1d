"""Perfect information Monte Carlo: the baseline.

States that fit what a role knows are drawn, each is searched by `mac-ucb` as if everybody saw it, and the move with the
best mean value is made. Each state is searched on its own, so the player believes that it will know later what it does
not know now; it never pays for information and never bluffs.
"""

from __future__ import annotations

import random
import threading
import time
from functools import partial
from typing import Any

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.gdl.chance import chance_index
from woodstock.information import InformationState
from woodstock.players.decision import Decision, InfoSubscriber, RootMove, SearchInfo
from woodstock.players.hidden.believed import believe
from woodstock.players.hidden.clock import Clock
from woodstock.players.hidden.numbers import known_by
from woodstock.players.preparation import Part, Preparation
from woodstock.players.registry import PLAYERS, search_settings

_SAMPLING_SHARE = 0.25
# How long a state is searched at least, and how many are searched at most.
_LEAST_S = 0.04
_MOST_STATES = 50
_OPEN = (0.0, 100.0)


class PimcSearcher:
    """Determinised `mac-ucb` on one game."""

    def __init__(self, game: Game, name: str, settings: dict[str, Any], preparation: Preparation) -> None:
        assert isinstance(game.engine, CircuitEngine)
        self.notes: list[str] = []
        self._game, self._name, self._preparation = game, name, preparation
        self._particles = int(settings.pop("particles"))
        self._made = Part(partial(_make, game, settings, game.engine.circuit))
        self._chance = random.Random(int(settings.get("seed", 0)))
        self._interrupted = threading.Event()

    def prepare(self, deadline: float | None) -> None:
        """Make the tree and the batch code, until the deadline at most."""
        self._interrupted.clear()
        self._made.wait(deadline, self._interrupted)
        self._preparation.batch.wait(deadline, self._interrupted)
        self._preparation.winning.wait(deadline, self._interrupted)

    def think(
        self, view: InformationState, budget: Any, tell: InfoSubscriber | None = None, interval: float = 0.5
    ) -> Decision:
        """Return the move with the best mean value over the states."""
        del interval
        self._interrupted.clear()
        self._made.wait(None if budget.deadline is None else time.monotonic() + 0.5 * budget.seconds_left)
        if self._made.value is None:
            raise GameError(self._made.problem or "the search is not ready")
        worlds, tree = self._made.value
        clock = Clock(budget)
        known = known_by(view)
        worlds.set_situation(known.role, known.start, known.own_moves, known.hashes, known.legal, known.seen)
        if not worlds.sample(self._particles, 0, *clock.share(_SAMPLING_SHARE)):
            believe(worlds, view, clock.share(_SAMPLING_SHARE)[0], self._particles)
        states, _, weights = worlds.roots()
        info = self._search(tree, view, known.role, states, weights, budget, clock)
        if tell is not None:
            tell(info)
        return Decision.from_info(info, self._name)

    def _search(
        self,
        tree: _native.TreeSearch,
        view: InformationState,
        role: int,
        states: Any,
        weights: Any,
        budget: Any,
        clock: Clock,
    ) -> SearchInfo:
        names = self._game.moves(view.role)
        sums = dict.fromkeys(view.legal, 0.0)
        visits = dict.fromkeys(view.legal, 0)
        values = [0.0] * len(self._game.roles)
        simulations, searched = 0, 0.0
        count = min(len(weights), _MOST_STATES, max(1, int(min(clock.seconds(1.0), 1e6) / _LEAST_S)))
        chosen = list(range(count))
        if count < len(weights):
            chosen, weights = self._chance.choices(range(len(weights)), weights, k=count), [1 / count] * len(weights)
        for place, number in enumerate(chosen):
            if self._interrupted.is_set():
                break
            tree.set_state(states[number].tobytes())
            wall, cpu = clock.share(1 / (count - place))
            tree.run(wall, -(-budget.simulations // count), 0, None, 0.5, cpu)
            report = tree.report(role, 1)
            for of in report["moves"]:
                sums[names[of["move"]]] += weights[number] * of["value"]
                visits[names[of["move"]]] += of["visits"]
            values = [one + weights[number] * of for one, of in zip(values, report["value"], strict=True)]
            searched += weights[number]
            simulations += report["simulations"]
        total = searched or 1.0
        moves = [RootMove(move, visits[move], round(sums[move] / total, 4), _OPEN, _OPEN, False) for move in view.legal]
        moves.sort(key=lambda of: -of.value)
        statistics = {"simulations": simulations, "particles": len(weights), "states_searched": count}
        seconds = time.perf_counter() - clock.begun
        expected = dict(zip(self._game.roles, (round(value / total, 4) for value in values), strict=True))
        return SearchInfo(view.role, tuple(moves), expected, False, seconds, statistics)

    def interrupt(self) -> None:
        """End what is under way; from any thread."""
        self._interrupted.set()
        if self._made.is_done and self._made.value is not None:
            for part in self._made.value:
                part.stop()

    def close(self) -> None:
        """Nothing is held."""


def _make(
    game: Game, settings: dict[str, Any], circuit: _native.Circuit
) -> tuple[_native.HiddenSearch, _native.TreeSearch]:
    native = _native.HiddenSettings()
    native.random_role, native.seed = chance_index(game.roles), int(settings.get("seed", 0))
    tree = {**PLAYERS["mac-ucb"].settings, **settings, "random_role": chance_index(game.roles)}
    return _native.HiddenSearch(circuit, native, "ismcts"), _native.TreeSearch(circuit, search_settings(tree))
