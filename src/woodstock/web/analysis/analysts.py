"""Analyses that stream: a state comes in, messages go out until it is proven, the time is over or nobody looks.

Watchers of the same state share one analysis. At most `most` analyses run at once; the others wait in a queue and tell
their watchers so. The last watcher that leaves ends the analysis within a few milliseconds.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from woodstock.errors import WoodstockError
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.players.budget import Budget
from woodstock.players.decision import SearchInfo
from woodstock.players.preparation import preparation_of
from woodstock.web.analysis.facts import Facts
from woodstock.web.analysis.report import JsonObject, search_json
from woodstock.web.analysis.searchers import Searcher, Searchers, infos_of
from woodstock.web.analysis.unseen import unseen_infos

Key = State | tuple[State, ...]
Tell = Callable[[JsonObject], None]
_LOG = logging.getLogger("woodstock.web")

# The first line comes after this time, the next ones at this interval.
_FIRST_S = 0.06
_INTERVAL_S = 0.15
_PART_S = 2.0
_FIRST_UNSEEN_S = 0.4
UNSEEN_NOTE = "the rules hide things: each role is judged by what it knows, so nothing is proven"


@dataclass(frozen=True, slots=True)
class AnalysisLimits:
    """What the analyses of a server may use: searches at once, seconds for each, memory for each tree."""

    most: int = 2
    seconds: float = 60.0
    memory_mb: int = 128
    solve_seconds: float = 2.0


class Analysis:
    """One state under analysis, and those who watch it. Keeps the last message of each type for who comes later."""

    def __init__(self, states: Sequence[State], seconds: float) -> None:
        # The match from its start: what a role knows depends on all of it if the rules hide things.
        self.states = states
        self.state = states[-1]
        self.seconds = seconds
        self.key: Key = self.state
        self.searcher: Searcher | None = None
        self.is_over = False
        self._lock = threading.Lock()
        self._watchers: dict[int, Tell] = {}
        self._last: dict[str, JsonObject] = {}

    def add(self, key: int, tell: Tell) -> None:
        with self._lock:
            self._watchers[key] = tell
            known = list(self._last.values())
        for message in known:
            tell(message)

    def remove(self, key: int) -> None:
        """Forget a watcher; without any the search ends."""
        with self._lock:
            self._watchers.pop(key, None)
            searcher = None if self._watchers else self.searcher
        if searcher is not None:
            searcher.interrupt()

    def end(self) -> None:
        """Forget all watchers."""
        with self._lock:
            self._watchers.clear()
            searcher = self.searcher
        if searcher is not None:
            searcher.interrupt()

    @property
    def is_watched(self) -> bool:
        with self._lock:
            return bool(self._watchers)

    def tell(self, message: JsonObject) -> None:
        with self._lock:
            self._last[message["type"]] = message
            watchers = list(self._watchers.values())
        for one in watchers:
            one(message)


class Watch:
    """What `Analysts.watch` gives to a watcher: `close` it when nobody looks any more."""

    def __init__(self, analysis: Analysis, key: int) -> None:
        self._analysis, self._key = analysis, key

    def close(self) -> None:
        self._analysis.remove(self._key)


class Analysts:
    """The analyses of one server."""

    def __init__(self, limits: AnalysisLimits | None = None) -> None:
        self.limits = limits or AnalysisLimits()
        self.searchers = Searchers(most=self.limits.most, memory_mb=self.limits.memory_mb)
        self._facts = Facts(solve_seconds=self.limits.solve_seconds)
        self._lock = threading.Lock()
        self._queue: deque[Analysis] = deque()
        self._alive: dict[Key, Analysis] = {}
        self._running = 0
        self._number = 0

    def close(self) -> None:
        """End every analysis."""
        with self._lock:
            alive = list(self._alive.values())
            self._queue.clear()
        for analysis in alive:
            analysis.end()

    @property
    def running(self) -> int:
        """How many analyses run now."""
        with self._lock:
            return self._running

    def watch(self, states: Sequence[State], tell: Tell, seconds: float | None = None) -> Watch:
        """Analyse the last state of a match; `tell` gets JSON values, from another thread, until the watch is closed.

        Watchers of the same state share an analysis; if the rules hide things, those of the same match do.
        """
        wanted = min(seconds or self.limits.seconds, self.limits.seconds)
        state: Key = tuple(states) if states[-1].game.has_percepts else states[-1]
        with self._lock:
            self._number += 1
            key = self._number
            analysis = self._alive.get(state)
            is_new = analysis is None or analysis.is_over or not analysis.is_watched
            if analysis is None or is_new:
                analysis = self._alive[state] = Analysis(states, wanted)
                analysis.key = state
                self._queue.append(analysis)
            waiting = max(0, len(self._queue) + self._running - self.limits.most) if is_new else 0
        analysis.add(key, tell)
        if waiting:
            tell({"type": "waiting", "before": waiting})
        self._start()
        return Watch(analysis, key)

    def _start(self) -> None:
        with self._lock:
            while self._queue and self._running < self.limits.most:
                analysis = self._queue.popleft()
                self._running += 1
                threading.Thread(target=self._work, args=(analysis,), daemon=True, name="woodstock-analysis").start()

    def _work(self, analysis: Analysis) -> None:
        try:
            if analysis.is_watched:
                self._analyse(analysis)
        except (WoodstockError, MemoryError) as error:
            analysis.tell({"type": "problem", "text": str(error) or type(error).__name__})
        except Exception as error:
            _LOG.exception("an analysis of %s failed", analysis.state.game.name)
            analysis.tell({"type": "problem", "text": f"this is a bug of ours: {type(error).__name__}: {error}"})
        finally:
            analysis.is_over = True
            with self._lock:
                self._running -= 1
                if self._alive.get(analysis.key) is analysis:
                    del self._alive[analysis.key]
            self._start()

    def _analyse(self, analysis: Analysis) -> None:
        state = analysis.state
        if state.is_terminal:
            analysis.tell({"type": "end", "scores": state.scores})
            return
        game = state.game
        roles = thinking_roles(state)
        if game.has_percepts:
            self._analyse_unseen(analysis)
            return
        searcher = self.searchers.take(game)
        analysis.searcher = searcher
        try:
            search = Stream(searcher, state, roles, analysis)
            search.run(_FIRST_S)
            self._facts.ask(state, roles, analysis)
            reason = search.go_on(analysis.seconds)
            analysis.tell({"type": "done", "reason": reason})
        finally:
            analysis.searcher = None
            self.searchers.give(game, searcher)

    def _analyse_unseen(self, analysis: Analysis) -> None:
        """Tell what each role can expect by what it knows, by longer and longer searches."""
        began, seconds = time.monotonic(), _FIRST_UNSEEN_S
        self._facts.ask(analysis.state, thinking_roles(analysis.state), analysis)
        while analysis.is_watched and time.monotonic() - began + seconds < analysis.seconds:
            infos = unseen_infos(analysis.states, seconds)
            if not infos:
                break
            message = search_json(infos)
            message["notes"] = [UNSEEN_NOTE, *message["notes"]]
            message["seconds"] = round(time.monotonic() - began, 3)
            analysis.tell(message)
            seconds *= 2
        analysis.tell({"type": "done", "reason": "time" if analysis.is_watched else "unwatched"})


class Stream:
    """One search that reports to an analysis, for every role."""

    def __init__(self, searcher: Searcher, state: State, roles: list[str], analysis: Analysis) -> None:
        self._searcher, self._state, self._roles, self._analysis = searcher, state, roles, analysis
        self._began = time.monotonic()
        self._is_proven = False
        self._has_constant_sum = False
        self._simulations = 0
        self._last_simulations = 0

    def run(self, seconds: float) -> None:
        """Search for a while and tell what is known at intervals and at the end."""
        budget = Budget(time.monotonic() + seconds)
        preparation = preparation_of(self._state.game)
        if preparation is not None and preparation.batch.is_done:
            # What it said while the batch code was compiled.
            self._searcher.notes = [note for note in self._searcher.notes if "not compiled yet" not in note]
        self._searcher.think(self._state, self._roles[0], budget, self._tell, _INTERVAL_S)
        self._simulations += self._last_simulations

    def go_on(self, seconds: float) -> str:
        """Search until the time is over, the value is proven or nobody looks; return which."""
        ends_at = self._began + seconds
        while True:
            if not self._analysis.is_watched:
                return "unwatched"
            if self._is_proven:
                return "proven"
            left = ends_at - time.monotonic()
            if left < _INTERVAL_S / 2:
                return "time"
            # In parts, so that what was prepared meanwhile is used.
            self.run(min(left, _PART_S))

    def _tell(self, info: SearchInfo) -> None:
        if not self._analysis.is_watched:
            self._searcher.interrupt()
            return
        self._is_proven = info.is_proven
        infos = infos_of(self._searcher, info, self._roles)
        # A run counts from its own start.
        self._last_simulations = info.simulations
        message = search_json(infos, has_constant_sum=self._knows_constant_sum())
        message["simulations"] = self._simulations + info.simulations
        message["seconds"] = round(time.monotonic() - self._began, 3)
        self._analysis.tell(message)

    def _knows_constant_sum(self) -> bool:
        if not self._has_constant_sum and len(self._roles) == 2:
            preparation = preparation_of(self._state.game)
            self._has_constant_sum = preparation is not None and bool(preparation.constant_sum.value)
        return self._has_constant_sum


def thinking_roles(state: State) -> list[str]:
    """Return the roles without chance, those with a choice first."""
    players = without_chance(state.game.roles)
    return sorted(players, key=lambda role: len(state.legal(role)) < 2)
