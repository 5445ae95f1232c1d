"""Facts about a state besides its search: playouts, symmetric moves, the network's size, the exact solution.

Each has its own bound on time. What concerns the game alone is found once and kept with the game.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from woodstock.errors import BudgetExceeded, GameError, WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.gdl.chance import is_chance
from woodstock.web.analysis.report import MOST_MOVES, JsonObject

_PLAYOUT_S = 0.15
_SYMMETRY_S = 6.0
_SOLVE_MB = 256
# Writing the network of a larger game takes seconds of the interpreter's time, which matches need.
_MOST_RULES = 400_000


class Listener(Protocol):
    """Who is told; asked between the parts whether anybody still looks."""

    @property
    def is_watched(self) -> bool: ...
    def tell(self, message: JsonObject) -> None: ...


class _Known:
    """What was found about one game."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.values: dict[str, object] = {}


class Facts:
    """Finds the facts about states, one state at a time in a thread of its own, and tells them one by one."""

    def __init__(self, *, solve_seconds: float = 2.0) -> None:
        self._solve_seconds = solve_seconds
        self._asked: deque[tuple[State, Sequence[str], Listener]] = deque()
        self._is_working = False
        self._known: weakref.WeakKeyDictionary[Game, _Known] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def ask(self, state: State, roles: Sequence[str], listener: Listener) -> None:
        """Tell every fact about a state, soon; questions that nobody watches any more are skipped."""
        with self._lock:
            self._asked.append((state, roles, listener))
            if self._is_working:
                return
            self._is_working = True
        threading.Thread(target=self._work, daemon=True, name="woodstock-facts").start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._asked:
                    self._is_working = False
                    return
                state, roles, listener = self._asked.popleft()
            self.tell_all(state, roles, listener)

    def tell_all(self, state: State, roles: Sequence[str], listener: Listener) -> None:
        """Tell every fact; stops when nobody looks. A fact that cannot be found is told with the reason."""
        parts: list[tuple[str, Callable[[], JsonObject]]] = [
            ("playouts", lambda: playouts(state)),
            ("symmetries", lambda: self._symmetries(state, roles)),
            ("solution", lambda: self._solution(state)),
            ("network", lambda: self._network(state.game)),
        ]
        for name, find in parts:
            if not listener.is_watched:
                return
            try:
                listener.tell({"type": name, **find()})
            except BudgetExceeded as error:
                listener.tell({"type": name, "problem": f"does not fit within {error.limit:g} {error.unit}"})
            except (WoodstockError, MemoryError, ValueError, RuntimeError) as error:
                listener.tell({"type": name, "problem": str(error) or type(error).__name__})

    def _once(self, game: Game, name: str, find: Callable[[], object]) -> object:
        """Return what `find` gave for this game the first time."""
        with self._lock:
            known = self._known.setdefault(game, _Known())
        with known.lock:
            if name not in known.values:
                known.values[name] = find()
            return known.values[name]

    def _group(self, game: Game) -> object:
        from woodstock.symmetry.symmetries import find_symmetries

        return self._once(game, "symmetries", lambda: find_symmetries(game, fix_initial=False, seconds=_SYMMETRY_S))

    def _symmetries(self, state: State, roles: Sequence[str]) -> JsonObject:
        from woodstock.symmetry.symmetries import Symmetries

        found = self._group(state.game)
        assert isinstance(found, Symmetries)
        classes = {role: [list(some) for some in found.move_classes(state, role)] for role in roles}
        return {
            "order": found.group.size,
            "is_whole": found.is_whole,
            "classes": {role: [some for some in of if len(some) > 1][:MOST_MOVES] for role, of in classes.items()},
            "different": {role: len(of) for role, of in classes.items()},
            "notes": list(found.notes),
        }

    def _solution(self, state: State) -> JsonObject:
        from woodstock.solve.solver import Solver
        from woodstock.symmetry.symmetries import Symmetries

        if self._solve_seconds <= 0:
            raise GameError("exact solving is off")
        if state.game.has_percepts:
            raise GameError(
                "the rules hide things: no role knows this state. `woodstock solve` solves the game from its start"
            )
        found = self._group(state.game)
        assert isinstance(found, Symmetries)
        solver = Solver(state.game, symmetries=found, seconds=self._solve_seconds, memory_mb=_SOLVE_MB)
        solution = solver.solve(state)
        return {
            "values": {role: _number(value) for role, value in solution.values.items()},
            "meaning": solution.meaning,
            "states": solution.states,
            "seconds": round(solution.seconds, 3),
            "moves": [
                {"role": one.role, "move": one.move, "value": _number(one.value), "is_best": one.is_best}
                for one in solution.moves[:MOST_MOVES]
            ],
        }

    def _network(self, game: Game) -> JsonObject:
        found = self._once(game, "network", lambda: network(game))
        assert isinstance(found, dict)
        return found


def playouts(state: State) -> JsonObject:
    """Return the statistics of uniformly random playouts from a state."""
    stats = state.game.playouts(seconds=_PLAYOUT_S, state=state)
    goals = {}
    for role, mean in stats.goal_means.items():
        if not is_chance(role):
            histogram = {str(value): count for value, count in sorted(stats.histograms[role].items())}
            goals[role] = {"mean": mean, "interval": stats.goal_interval(role), "histogram": histogram}
    return {
        "count": stats.count,
        "rate": round(stats.playouts_per_second),
        "length": stats.mean_length,
        "truncated": stats.truncated,
        "stuck": stats.stuck,
        "goals": goals,
    }


def network(game: Game) -> JsonObject:
    """Return the sizes of the game's one-stage constraint network."""
    from woodstock.scsp.game import translate

    if not isinstance(game.engine, CircuitEngine):
        raise GameError(f"{game.name} was not grounded, so it has no network")
    ground = game.engine.ground
    if ground.rule_count + len(ground.bodies) > _MOST_RULES:
        raise BudgetExceeded("network", ground.rule_count + len(ground.bodies), _MOST_RULES, "rules and literals")
    sizes = translate(game).sizes
    return {
        "variables": sizes.variables,
        "auxiliary": sizes.auxiliary,
        "largest_domain": sizes.largest_domain,
        "constraints": sizes.constraints,
        "tables": sizes.tables,
        "tuples": sizes.tuples,
    }


def _number(value: Fraction) -> JsonObject:
    """Return an exact value: as text, and as a number to draw."""
    return {"text": str(value), "number": float(value)}
