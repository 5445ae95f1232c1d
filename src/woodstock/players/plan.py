"""Plans for games of one role: moves to an end with the best goal, searched for in the background.

Comes in: a game and a state of it. Goes out: the best `Plan` so far, at any time. Two kinds of search run in parallel:
clingo in a child process, with a horizon that grows step by step (`plan_child`), is good if a plan is a puzzle of
constraints; native searches over states in a thread (`plan_strategies`) are good if there are few states, or if the
rules of the goal show how far away it is. A plan counts only after it was played out on the engine.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from woodstock import _native
from woodstock.child import Child, Limits
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.players.plan_goals import goal_order
from woodstock.players.plan_projection import is_out_of_reach, possible_fluents, project
from woodstock.players.plan_reduction import Reduction, reduce
from woodstock.players.plan_strategies import StateSearches

# A search that can fill in a puzzle part by part is the best of all there: it gets as much time as all others together.
_PART_BY_PART = 7.0
# Proofs by a part of the game come after the first round of searches, which solves what is easy.
_EASY_SLICE_S = 0.25


@dataclass(frozen=True)
class Plan:
    """Moves from the start state to an end, as played on the engine."""

    moves: tuple[str, ...]
    goal: int
    is_best: bool  # no end has a better goal: it is the best that the rules name, or all states were searched
    source: str
    seconds: float


class Planner:
    """Looks for plans in the background: `start`, `poll` as often as wanted, `stop`."""

    def __init__(self, game: Game, *, seconds: float = 600.0, memory_mb: int = 1024, use_clingo: bool = True) -> None:
        if len(game.roles) != 1:
            raise GameError(f"plans are for games of one role; {game.name} has {len(game.roles)}")
        if not isinstance(game.engine, CircuitEngine):
            raise GameError(f"{game.name} was not grounded, so it cannot be planned for. {' '.join(game.notes)}")
        self._game, self._engine = game, game.engine
        self._seconds, self._memory_mb, self._use_clingo = seconds, memory_mb, use_clingo
        # The goals that the rules name, the best first. `_goals` loses those that are proven to be out of reach.
        self._named = sorted({value for _role, value, _atom in game.engine.ground.goals}, reverse=True)
        self._goals = self._named
        self._order = goal_order(game.program)
        self._reducing = threading.Lock()
        self._reduced: tuple[CircuitEngine, Reduction] | None = None
        self._is_reduced = False
        # The small part of the game that may show that a goal is out of reach; None if there is none.
        self._projected: dict[int, tuple[CircuitEngine, Reduction] | None] = {}
        self._lock = threading.Lock()
        self._best: Plan | None = None
        self.is_exhausted = False  # whether it is proven that nothing better can be found
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        self._child: Child | None = None
        self._search: _native.StateSearch | None = None

    def start(self, state: State | None = None) -> None:
        """Begin to search for a plan from a state, by default the initial one; ends earlier searches."""
        self.stop()
        start = self._game.initial if state is None else state
        payload = packed(start)
        with self._lock:
            self._best, self.is_exhausted, self._goals = None, False, self._named
        self._stopped = threading.Event()
        self._began = time.perf_counter()
        targets = [self._search_states]
        if self._use_clingo:
            targets.append(self._run_clingo)
        self._threads = [
            threading.Thread(target=target, args=(payload, self._stopped), daemon=True) for target in targets
        ]
        for thread in self._threads:
            thread.start()

    def poll(self) -> Plan | None:
        """Return the best plan found so far."""
        with self._lock:
            return self._best

    @property
    def is_running(self) -> bool:
        """Whether a search is still running."""
        return any(thread.is_alive() for thread in self._threads)

    def wait(self, seconds: float, interrupted: threading.Event | None = None) -> Plan | None:
        """Return the best plan as soon as it is known; after `seconds` or when `interrupted`, the best so far."""
        interrupted = interrupted or threading.Event()
        ends_at = time.monotonic() + seconds
        while time.monotonic() < ends_at and self.is_running:
            plan = self.poll()
            if (plan is not None and plan.is_best) or interrupted.wait(0.01):
                break
        return self.poll()

    def stop(self) -> None:
        """End all searches and wait for them."""
        self._finish()
        for thread in self._threads:
            thread.join()
        self._threads = []

    def __enter__(self) -> Planner:
        return self

    def __exit__(self, *_details: object) -> None:
        self.stop()

    def _smaller(self) -> tuple[CircuitEngine, Reduction] | None:
        """Return a smaller game with the same plans to the best goal, if there is one."""
        with self._reducing:
            if not self._is_reduced:
                reduction = reduce(self._engine.ground, self._named[0]) if self._named else None
                if reduction is not None:
                    self._reduced = CircuitEngine(reduction.ground), reduction
                self._is_reduced = True
            return self._reduced

    # Results

    def _offer(self, start: bytes, moves: list[int], source: str, stopped: threading.Event) -> None:
        """Play the moves on the engine; keep them if they end with a better goal than the best plan."""
        stepper = _native.Stepper(self._engine.circuit)
        stepper.load(start)
        for number, move in enumerate(moves):
            if stepper.is_terminal():
                moves = moves[:number]  # Moves after the end do not count.
                break
            if move not in stepper.legal(0):
                return
            stepper.next([move])
        goals = stepper.goals()[0]
        if not stepper.is_terminal() or not goals:
            return
        names = self._engine.ground.moves[0]
        goal = goals[0] if len(goals) == 1 else self._score(start, [names[move] for move in moves])
        is_best = not self._goals or goal >= self._goals[0]
        with self._lock:
            if stopped.is_set() or (self._best is not None and self._best.goal >= goal):
                return
            took = time.perf_counter() - self._began
            self._best = Plan(tuple(names[move] for move in moves), goal, is_best or self.is_exhausted, source, took)
        if is_best:
            self._finish()

    def _score(self, start: bytes, moves: list[str]) -> int:
        """Return what an end with several goals counts in a match."""
        state = self._game.state(self._engine.fluents(start))
        for move in moves:
            state = state.next([move])
        return state.scores[self._game.roles[0]]

    def _finish(self) -> None:
        """Tell all searches to end."""
        self._stopped.set()
        search, child = self._search, self._child
        if search is not None:
            search.stop()
        if child is not None:
            child.end(0.0)

    def _exhausted(self) -> None:
        with self._lock:
            self.is_exhausted = True
            if self._best is not None:
                self._best = replace(self._best, is_best=True)
        self._finish()

    def _rule_out(self, goals: Collection[int]) -> None:
        """Note that no end within reach has one of these goals."""
        with self._lock:
            self._goals = [goal for goal in self._goals if goal not in goals]
            is_over = not self._goals or (self._best is not None and self._best.goal >= self._goals[0])
        if is_over:
            self._exhausted()

    @property
    def _aim(self) -> int:
        """The goal to search for."""
        goals = self._goals
        return goals[0] if goals else 100

    # Searches

    def _search_states(self, start: bytes, stopped: threading.Event) -> None:
        ends_at = time.monotonic() + self._seconds
        smaller = self._smaller()
        memory_mb = self._memory_mb if smaller is None else self._memory_mb // 2
        turns: list[tuple[StateSearches, Reduction | None]] = [
            (StateSearches(self._engine, start, aim=self._aim, memory_mb=memory_mb, order=self._order), None)
        ]
        if smaller is not None:
            engine, reduction = smaller
            inner = StateSearches(engine, reduction.state(start), aim=self._named[0], memory_mb=memory_mb)
            turns.insert(0, (inner, reduction))
        examined: set[int] = set()
        while turns and not stopped.is_set() and time.monotonic() < ends_at:
            searches, by = turns.pop(0)
            if by is None and searches.slice_s > _EASY_SLICE_S and self._aim not in examined:
                self._examine(start, self._aim, stopped, None if examined else searches)
                examined.add(self._aim)
            if by is None and searches.aim != self._aim:
                searches.aim_at(self._aim)  # The old one was ruled out.
            if searches.aim == self._aim and self._run_slice(searches, by, start, ends_at, stopped):
                turns.append((searches, by))

    def _examine(
        self, start: bytes, goal: int, stopped: threading.Event, searches: StateSearches | None = None
    ) -> None:
        """Rule out a goal if a small part of the game shows that it is out of reach; tell which fluents never hold."""
        if goal not in self._projected:
            small = project(self._engine.ground, goal)
            self._projected[goal] = None if small is None else (CircuitEngine(small.ground), small)
        found = self._projected[goal]
        if found is None or stopped.is_set():
            return
        engine, part = found
        if searches is not None and (possible := possible_fluents(part, start)) is not None:
            searches.leave_out(possible)
        if is_out_of_reach(engine, part.state(start), goal):
            self._rule_out([goal])
        else:
            self._projected[goal] = None

    def _run_slice(
        self,
        searches: StateSearches,
        reduction: Reduction | None,
        start: bytes,
        ends_at: float,
        stopped: threading.Event,
    ) -> bool:
        """Run the strategy whose turn it is; return whether one is left."""
        strategy = searches.take()
        if strategy is None:
            return False
        search = self._search = searches.search(strategy)
        if not stopped.is_set():
            share = _PART_BY_PART if search.is_part_by_part else strategy.share
            status = search.run(min(searches.slice_s * share, max(ends_at - time.monotonic(), 0.01)))
            if search.best_goal >= 0:
                found = search.best_plan
                self._offer(start, found if reduction is None else reduction.plan(found), strategy.name, stopped)
            if status == "exhausted" and not searches.is_masked(strategy) and not stopped.is_set():
                if strategy.is_additive or (strategy.is_complete and reduction is not None):
                    self._rule_out([searches.aim])
                elif strategy.is_complete:
                    self._exhausted()
            searches.ended(strategy, status)
        self._search = None
        return True

    def _run_clingo(self, start: bytes, stopped: threading.Event) -> None:
        ground, inner, reduction = self._engine.ground, start, None
        if (smaller := self._smaller()) is not None and 2 * len(smaller[1].moves) < len(ground.moves[0]):
            # With far fewer moves the best goal comes first; other goals are left to the searches over states.
            reduction = smaller[1]
            ground, inner = reduction.ground, reduction.state(start)
        with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
            problem = Path(folder) / "problem.npz"
            bits = np.unpackbits(np.frombuffer(inner, dtype=np.uint8), bitorder="little")
            np.savez(
                problem,
                heads=ground.heads,
                body_offsets=ground.body_offsets,
                bodies=ground.bodies,
                fluent_atoms=ground.fluent_atoms,
                next=ground.next,
                move_atoms=ground.move_atoms,
                legal=ground.legal,
                terminal=np.array(ground.terminal),
                goals=np.array([(value, atom) for _role, value, atom in ground.goals], dtype=np.int64).reshape(-1, 2),
                start=np.flatnonzero(bits),
                order=np.array(self._order, dtype=np.int64),
            )
            limits = Limits(self._seconds, self._memory_mb, slack_s=5)
            with Child("woodstock.players.plan_child", self._seconds, problem, limits=limits) as child:
                self._child = child
                if stopped.is_set():
                    return
                for fact in child:
                    if "moves" in fact:
                        found = fact["moves"] if reduction is None else reduction.plan(fact["moves"])
                        self._offer(start, found, "clingo", stopped)
                    elif "impossible" in fact:
                        self._rule_out(fact["impossible"])
                    elif fact.get("status") == "settled" and not stopped.is_set():
                        # No end has a better goal than this one, of those that were searched for.
                        sought = {value for _role, value, _atom in ground.goals}
                        self._rule_out([goal for goal in sought if goal > fact["goal"]])
