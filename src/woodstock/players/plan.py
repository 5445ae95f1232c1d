"""Plans for games of one role: moves to an end with the best goal, looked for in the background and checked on the
engine.

Comes in: a game and a state of it. Goes out: the best `Plan` so far, whenever it is asked for. Two searches run
beside each other: clingo in a child process, the horizon growing step by step (`plan_child`), good where a plan is a
puzzle of constraints; and native searches over states in a thread (`_native.StateSearch`), good where there are few
states or where the rules of the goal say how far it is. A plan counts only after it was played out on the engine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.gdl.components import cycles
from woodstock.gdl.ground_program import GroundProgram
from woodstock.players.plan_mask import step_mask

_CHILD = Path(__file__).with_name("plan_child.py")
_FIRST_SLICE_S = 0.25


@dataclass(frozen=True)
class _Strategy:
    """One of the native searches, which take turns."""

    name: str
    depth_weight: int
    distance_weight: int
    use_novelty: bool = False
    is_masked: bool = True  # leaves out what only counts steps
    is_focused: bool = False  # for one part of the goal at a time; leaves out states from which it is out of reach
    is_narrow: bool = False  # of a state's children those with the fewest moves first
    is_restless: bool = False  # ties are broken at random; begins again and again
    is_additive: bool = False  # distances are additive costs; leaves out states from which the goal is out of reach

    @property
    def is_complete(self) -> bool:
        """Whether no end is left out but for the mask."""
        return not self.is_focused and not self.is_additive

    @property
    def is_aimed(self) -> bool:
        """Whether it goes for one goal."""
        return not self.is_complete or self.distance_weight > 0


_STRATEGIES = (
    _Strategy("shortest", 1, 0),
    _Strategy("greedy", 0, 1, use_novelty=True),
    _Strategy("additive", 0, 1, is_additive=True),
    _Strategy("narrow", 0, 1, is_narrow=True, is_restless=True),
    _Strategy("weighted", 1, 3),
    _Strategy("pruned", 0, 1, is_focused=True),
    _Strategy("weighted", 1, 1),
    _Strategy("exhaustive", 1, 0, is_masked=False),
    _Strategy("additive unmasked", 0, 1, is_masked=False, is_additive=True),
)
# Begun where the goal is out of reach but for the mask.
_PROOF = len(_STRATEGIES) - 1


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
            raise GameError(f"{game.name} was not grounded, so no plan is looked for. {' '.join(game.notes)}")
        self._game, self._engine = game, game.engine
        self._seconds, self._memory_mb, self._use_clingo = seconds, memory_mb, use_clingo
        # Those that the rules name, the best first; what is proven to be out of reach goes.
        self._named = sorted({value for _role, value, _atom in game.engine.ground.goals}, reverse=True)
        self._goals = self._named
        self._lock = threading.Lock()
        self._best: Plan | None = None
        self._is_exhausted = False
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        self._child: subprocess.Popen[bytes] | None = None
        self._search: _native.StateSearch | None = None

    def start(self, state: State | None = None) -> None:
        """Begin to look for a plan from the state, the initial one unless given; ends what went on before."""
        self.stop()
        start = self._game.initial if state is None else state
        payload = start.payload
        if not isinstance(payload, bytes):
            raise GameError(f"a state of {start.game.name} cannot be planned for on {self._game.name}")
        with self._lock:
            self._best, self._is_exhausted, self._goals = None, False, self._named
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
    def is_exhausted(self) -> bool:
        """Whether it is settled that there is nothing better than what was found."""
        return self._is_exhausted

    @property
    def is_running(self) -> bool:
        """Whether something is still looking."""
        return any(thread.is_alive() for thread in self._threads)

    def wait(self, seconds: float) -> Plan | None:
        """Return as soon as the best plan is known, or after so many seconds with what there is."""
        ends_at = time.monotonic() + seconds
        while time.monotonic() < ends_at and self.is_running:
            plan = self.poll()
            if plan is not None and plan.is_best:
                break
            time.sleep(0.01)
        return self.poll()

    def stop(self) -> None:
        """End all searches and wait until they have."""
        self._stopped.set()
        search, child = self._search, self._child
        if search is not None:
            search.stop()
        if child is not None and child.poll() is None:
            child.kill()
        for thread in self._threads:
            thread.join()
        self._threads = []

    def __enter__(self) -> Planner:
        return self

    def __exit__(self, *_details: object) -> None:
        self.stop()

    # What was found.

    def _offer(self, start: bytes, moves: list[int], source: str, stopped: threading.Event) -> bool:
        """Play the moves on the engine; keep them if they end better than what there is."""
        stepper = _native.Stepper(self._engine.circuit)
        stepper.load(start)
        for number, move in enumerate(moves):
            if stepper.is_terminal():
                moves = moves[:number]  # what comes after the end does not count
                break
            if move not in stepper.legal(0):
                return False
            stepper.next([move])
        goals = stepper.goals()[0]
        if not stepper.is_terminal() or len(goals) != 1:
            return False
        goal = goals[0]
        names = self._engine.ground.moves[0]
        is_best = not self._goals or goal >= self._goals[0]
        with self._lock:
            if stopped.is_set() or (self._best is not None and self._best.goal >= goal):
                return True
            took = time.perf_counter() - self._began
            self._best = Plan(tuple(names[move] for move in moves), goal, is_best or self._is_exhausted, source, took)
        if is_best:
            self._finish()
        return True

    def _finish(self) -> None:
        """Nothing better can be found: let the others end."""
        self._stopped.set()
        if self._search is not None:
            self._search.stop()
        if self._child is not None and self._child.poll() is None:
            self._child.kill()

    def _exhausted(self) -> None:
        with self._lock:
            self._is_exhausted = True
            if self._best is not None:
                best = self._best
                self._best = Plan(best.moves, best.goal, True, best.source, best.seconds)
        self._finish()

    def _rule_out(self, goals: Collection[int]) -> None:
        """No end that can be reached has one of these goals."""
        with self._lock:
            self._goals = [goal for goal in self._goals if goal not in goals]
            is_over = not self._goals or (self._best is not None and self._best.goal >= self._goals[0])
        if is_over:
            self._exhausted()

    def _settled(self, goal: int) -> None:
        """No end has a better goal than this one: what has it is the best there is."""
        with self._lock:
            is_known = self._best is not None and self._best.goal >= goal
        if is_known or goal < 0:
            self._exhausted()

    @property
    def _aim(self) -> int:
        """The goal to go for."""
        goals = self._goals
        return goals[0] if goals else 100

    # Who looks.

    def _search_states(self, start: bytes, stopped: threading.Event) -> None:
        ground = self._engine.ground
        atoms = {value: atom for _role, value, atom in ground.goals}
        aim = self._aim
        mask = step_mask(self._engine, start)
        everything = bytes([255]) * len(start)
        recursive = _recursive_atoms(ground)
        rules = ground.native_rules()
        ends_at = time.monotonic() + self._seconds
        searches: dict[int, _native.StateSearch] = {}
        # One that filled its memory gives it back; what is open goes on in turns that double.
        # Without a mask those that leave it out are the same as the others.
        useful = [number for number, of in enumerate(_STRATEGIES) if of.is_masked or mask != everything]
        left = [number for number in useful if number != _PROOF]
        slice_s = _FIRST_SLICE_S
        while not stopped.is_set() and time.monotonic() < ends_at:
            if aim != self._aim:
                # The goal was ruled out: go for the next one.
                aim = self._aim
                aimed = [number for number in useful if _STRATEGIES[number].is_aimed]
                searches = {number: search for number, search in searches.items() if number not in aimed}
                left = sorted({*left, *aimed} - {_PROOF})
                slice_s = _FIRST_SLICE_S
            if not left:
                break
            for number in list(left):
                if aim != self._aim:
                    break
                strategy = _STRATEGIES[number]
                if number not in searches:
                    share = max(16, self._memory_mb // len(_STRATEGIES))
                    searches[number] = _native.StateSearch(
                        self._engine.circuit,
                        rules,
                        atoms.get(aim, 0),
                        recursive if not strategy.is_complete else None,
                        start,
                        mask if strategy.is_masked else everything,
                        strategy.depth_weight,
                        strategy.distance_weight,
                        strategy.use_novelty,
                        strategy.is_focused,
                        aim,
                        share,
                        strategy.is_additive,
                        strategy.is_narrow,
                        strategy.is_restless,
                    )
                search = self._search = searches[number]
                if stopped.is_set():
                    return
                status = search.run(min(slice_s, max(ends_at - time.monotonic(), 0.01)))
                if search.best_goal >= 0:
                    self._offer(start, search.best_plan, strategy.name, stopped)
                if stopped.is_set():
                    return
                if status == "exhausted" and (not strategy.is_masked or mask == everything):
                    if strategy.is_complete:
                        self._exhausted()
                        return
                    if strategy.is_additive:
                        self._rule_out([aim])
                        if stopped.is_set():
                            return
                if status == "exhausted" and strategy.is_additive and strategy.is_masked and mask != everything:
                    # Only what the mask leaves out could still lead to the goal.
                    over = [n for n in left if _STRATEGIES[n].is_masked and _STRATEGIES[n].is_aimed]
                    left = [n for n in left if n not in over] + [_PROOF]
                    searches = {n: of for n, of in searches.items() if n not in over}
                    self._search = None
                    break
                if status != "open":
                    left.remove(number)
                    self._search = None
                    del search, searches[number]
            slice_s *= 2

    def _run_clingo(self, start: bytes, stopped: threading.Event) -> None:
        ground = self._engine.ground
        with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
            problem = Path(folder) / "problem.npz"
            bits = np.unpackbits(np.frombuffer(start, dtype=np.uint8), bitorder="little")
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
            )
            limits = [str(os.getpid()), str(self._seconds), str(self._memory_mb)]
            child = subprocess.Popen(
                [sys.executable, str(_CHILD), *limits, str(problem)],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL,
            )
            self._child = child
            assert child.stdout is not None
            with child, child.stdout:
                if stopped.is_set():
                    child.kill()
                for line in child.stdout:
                    fact = json.loads(line)
                    if "moves" in fact:
                        self._offer(start, fact["moves"], "clingo", stopped)
                    elif "impossible" in fact:
                        self._rule_out(fact["impossible"])
                    elif fact.get("status") == "settled" and not stopped.is_set():
                        self._settled(fact["goal"])


def _recursive_atoms(ground: GroundProgram) -> NDArray[np.int32]:
    """Return the atoms that depend on themselves."""
    uses = {
        head: {abs(literal) for body in bodies for literal in body}
        for head, bodies in ground.rules_by_head.bodies().items()
    }
    return np.array([atom for some in cycles(uses) for atom in some], dtype=np.int32)
