"""The searches that start from states which fit what a role knows: `ismcts`, `oos` and `mac-ucb-ii`.

`mac-ucb-ii` solves the whole game by PCFR+ if its tree fits into memory and time, or if it falls into episodes that do:
then it plays an equilibrium of the game itself, from the first move on. If not, it solves what the sampled states lead
to, if that fits. If that does not fit either, it grows a tree of information sets (native/hidden/subgame.hpp).
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.gdl.chance import chance_index, without_chance
from woodstock.information import InformationState
from woodstock.players.decision import Decision, InfoSubscriber, RootMove, SearchInfo
from woodstock.players.hidden.believed import believe
from woodstock.players.hidden.clock import Clock
from woodstock.players.hidden.numbers import Known, known_by
from woodstock.players.preparation import Part, Preparation

if TYPE_CHECKING:
    from woodstock.players.budget import Budget

# Of the time of a move: for states that fit (the other roles get as much again), for the tree of the whole game and for
# its episodes, which are tried once a match, for the tree of what is left, and for the exact plan of a single player.
_SAMPLING_SHARE = 0.12
_WHOLE_TREE_SHARE = 0.5
_EPISODES_SHARE = 0.6
_TREE_SHARE = 0.3
_PLAN_SHARE = 0.6
# The same for the start of a match that others have begun.
_START_SHARE = 0.3
_START_SIMULATIONS = 2_000
# Histories that are built in a second, and the most of a search that has no clock.
_HISTORIES_PER_SECOND = 1_000_000
_MOST_HISTORIES = 200_000
_MOST_PLAN_STEPS = 1_000_000
# A tree that did not fit is tried again if there is this many times the time.
_MORE_TIME = 4
_OPEN = (0.0, 100.0)
# Settings that are not attributes of the native ones.
NOT_NATIVE = frozenset({"particles", "others"})


class SampledSearcher:
    """A native search of hidden information, on one game."""

    def __init__(self, game: Game, name: str, method: str, settings: dict[str, Any], preparation: Preparation) -> None:
        assert isinstance(game.engine, CircuitEngine)
        self.notes: list[str] = []
        self._game, self._name, self._method, self._preparation = game, name, method, preparation
        self._particles = int(settings["particles"])
        self._outside = int(settings.get("others", 0))
        self._seed = int(settings.get("seed", 0))
        self._made = Part(partial(_make, game, method, settings, game.engine.circuit))
        self._start = b""  # of the match that was searched last
        self._tried_s = self._planned_s = 0.0
        self._is_alone = method == "subgame" and len(without_chance(game.roles)) == 1
        self._interrupted = threading.Event()

    def prepare(self, deadline: float | None) -> None:
        """Make the search, until the deadline at most."""
        self._interrupted.clear()
        self._made.wait(deadline, self._interrupted)
        if self._method == "subgame":
            self._preparation.batch.wait(deadline, self._interrupted)

    def think(
        self, view: InformationState, budget: Budget, tell: InfoSubscriber | None = None, interval: float = 0.5
    ) -> Decision:
        """Return the move to make: one drawn from the strategy that was found."""
        self._interrupted.clear()
        native = self._ready(budget)
        clock = Clock(budget)
        known = known_by(view)
        native.set_situation(known.role, known.start, known.own_moves, known.hashes, known.legal, known.seen)
        if self._interrupted.is_set():
            native.stop()
        self._look_around(native, view, known, clock)
        native.begin()

        def on_info() -> None:
            if tell is not None:
                tell(self._info(native.report(), view, clock))

        wall, cpu = clock.share(1.0)
        native.run(wall, budget.simulations, None if tell is None else on_info, interval, cpu)
        info = self._info(native.report(), view, clock)
        if tell is not None:
            tell(info)
        # With a clock nobody can predict the draw; without one the same search gives the same move.
        chance = None if clock.is_timed else random.Random(f"{self._seed} {len(view.turns)}")
        return Decision.from_info(info, self._name, chance=chance)

    def _ready(self, budget: Budget) -> _native.HiddenSearch:
        """Return the native search; it may still be in the making."""
        until = None if budget.deadline is None else time.monotonic() + 0.5 * budget.seconds_left
        self._made.wait(until, self._interrupted)
        made = self._made.value
        if made is None:
            raise GameError(self._made.problem or "the search is not ready")
        assert isinstance(made, _native.HiddenSearch)
        return made

    def _look_around(self, native: _native.HiddenSearch, view: InformationState, known: Known, clock: Clock) -> None:
        """Find a tree that has the role's information set, or states that fit what it knows."""
        if self._method == "oos" or native.is_solved():
            return
        if self._method == "subgame" and _has_more(clock, self._tried_s):
            self._tried_s = clock.seconds(1.0)
            if native.build_tree(*clock.share(_WHOLE_TREE_SHARE), _most_histories(clock, _WHOLE_TREE_SHARE), True):
                return
            if native.build_episodes(*clock.share(_EPISODES_SHARE), _most_histories(clock, _EPISODES_SHARE)):
                return
        if self._is_alone and _has_more(clock, self._planned_s):
            believe(native, view, clock.share(_SAMPLING_SHARE)[0], self._particles)
            if native.plan(*clock.share(_PLAN_SHARE), 0 if clock.is_timed else _MOST_PLAN_STEPS):
                return
            self._planned_s = clock.seconds(1.0)
        if self._method == "subgame" and known.own_moves and self._start != known.start:
            self._begin_at_start(native, view, known, clock)
        self._start = known.start
        if not native.sample(self._particles, self._outside, *clock.share(_SAMPLING_SHARE)):
            believe(native, view, clock.share(_SAMPLING_SHARE)[0], self._particles)
        if self._method == "subgame":
            native.build_tree(*clock.share(_TREE_SHARE), _most_histories(clock, _TREE_SHARE), False)

    def _begin_at_start(self, native: _native.HiddenSearch, view: InformationState, known: Known, clock: Clock) -> None:
        """Search the start of the match first: what the others did so far is judged by how one would have played."""
        first = known_by(InformationState.at(view.start, view.role))
        native.set_situation(first.role, first.start, first.own_moves, first.hashes, first.legal, first.seen)
        native.sample(1, 0, *clock.share(_SAMPLING_SHARE))
        native.begin()
        wall, cpu = clock.share(_START_SHARE)
        native.run(wall, _START_SIMULATIONS if not clock.is_timed else 0, None, 0.5, cpu)
        native.set_situation(known.role, known.start, known.own_moves, known.hashes, known.legal, known.seen)
        if self._interrupted.is_set():
            native.stop()

    def interrupt(self) -> None:
        """End what is under way; from any thread."""
        self._interrupted.set()
        if self._made.is_done and self._made.value is not None:
            self._made.value.stop()

    def close(self) -> None:
        """Nothing is held."""

    def _info(self, report: dict[str, Any], view: InformationState, clock: Clock) -> SearchInfo:
        names = self._game.moves(view.role)
        moves = tuple(
            RootMove(names[of["move"]], round(of["visits"]), round(of["value"], 4), _OPEN, _OPEN, False)
            for of in report["moves"]
        )
        strategy = {names[of["move"]]: of["probability"] for of in report["moves"] if of["probability"] > 0}
        statistics = {key: value for key, value in report.items() if key not in ("moves", "value")}
        if "is_whole_game" in statistics:
            statistics["is_whole_game"] = bool(statistics["is_whole_game"])
        if self.notes:
            statistics["notes"] = tuple(self.notes)
        values = dict(zip(self._game.roles, (round(value, 4) for value in report["value"]), strict=True))
        seconds = time.perf_counter() - clock.begun
        return SearchInfo(view.role, moves, values, False, seconds, statistics, strategy)


def _has_more(clock: Clock, tried_s: float) -> bool:
    """Return whether there is much more time than when it was tried last; 0: never."""
    return tried_s == 0 or (clock.is_timed and clock.seconds(1.0) >= _MORE_TIME * tried_s)


def _most_histories(clock: Clock, share: float) -> float:
    """Return how large a tree may become: what can be built in a share of the time, with as much again to solve it."""
    return min(_HISTORIES_PER_SECOND * clock.seconds(share), 1e9) if clock.is_timed else _MOST_HISTORIES


def hidden_settings(game: Game, settings: Mapping[str, Any]) -> _native.HiddenSettings:
    """Return the native settings with these values; a name that it does not have is an AttributeError."""
    made = _native.HiddenSettings()
    for name, value in {**settings, "random_role": chance_index(game.roles)}.items():
        if name not in NOT_NATIVE:
            setattr(made, name, value)
    return made


def _make(game: Game, method: str, settings: dict[str, Any], circuit: _native.Circuit) -> _native.HiddenSearch:
    return _native.HiddenSearch(circuit, hidden_settings(game, settings), method)
