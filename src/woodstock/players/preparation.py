"""What a game needs before it can be searched: batch code, symmetries, tables. Made once, in threads of its own.

A search never waits for longer than it was told: what is not ready in time is left out (single playouts instead of
batches, no symmetries) and is there for the next one. The threads are daemons: leaving the program does not wait.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from woodstock import _native
from woodstock.errors import WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game

if TYPE_CHECKING:
    from woodstock.symmetry.symmetries import Symmetries

MOST_SYMMETRY_SECONDS = 60.0
MOST_PROOF_SECONDS = 60.0
# Of the time until a deadline, what a search for symmetries is told: it looks at its clock now and then only.
_SAFE_SHARE = 0.8
# With less it is not begun: to import what it needs takes about as long.
_LEAST_SYMMETRY_SECONDS = 0.2


def chance_role(game: Game) -> int:
    """Return the number of the role that is chance, or -1."""
    return next((i for i, name in enumerate(game.roles) if name.lower() == "random"), -1)


class Part:
    """A value that a thread makes when it is first asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._is_done = threading.Event()
        self._lock = threading.Lock()
        self._is_started = False
        self.value: Any = None
        self.problem: str | None = None

    def start(self) -> None:
        with self._lock:
            if self._is_started:
                return
            self._is_started = True
        threading.Thread(target=self._run, daemon=True, name="woodstock-prepare").start()

    def _run(self) -> None:
        try:
            self.value = self._make()
        except (WoodstockError, ValueError, RuntimeError, MemoryError, OSError) as error:
            self.problem = str(error) or type(error).__name__
        finally:
            self._is_done.set()

    @property
    def is_running(self) -> bool:
        """Whether it was begun and is not over."""
        return self._is_started and not self._is_done.is_set()

    @property
    def is_done(self) -> bool:
        """Whether it is over, one way or the other."""
        return self._is_done.is_set()

    @property
    def is_given_up(self) -> bool:
        """Whether it is over and did not become what was asked for."""
        return self._is_done.is_set() and self.value is not None and bool(self.value.notes)

    def wait(self, deadline: float | None) -> bool:
        """Wait until it is there or the deadline (of `time.monotonic`) has come; tell whether it is there."""
        self.start()
        return self._is_done.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))


class Preparation:
    """The prepared parts of one game; shared by all its searches."""

    def __init__(self, game: Game, engine: CircuitEngine) -> None:
        # The parts must not keep the game alive: it is the key under which they are found.
        reference = weakref.ref(game)
        self._batch = Part(lambda: engine.prepare("batch"))
        chance = chance_role(game)
        self._winning = Part(lambda: engine.circuit.prepare_winning(chance))
        self._reference = reference
        self._lock = threading.Lock()
        self._symmetries: dict[str, Part] = {}
        self._symmetry_seconds: dict[str, float] = {}
        self._sum = Part(lambda: _has_constant_sum(reference))
        self._tables = Part(lambda: _template(reference))

    def batch(self, deadline: float | None) -> bool:
        """Have the batch code compiled; tell whether it is ready by the deadline."""
        return self._batch.wait(deadline)

    def winning(self, deadline: float | None) -> bool:
        """Have playouts compiled in which a role that can win in one move does; tell whether they are worth it."""
        return self._winning.wait(deadline) and bool(self._winning.value)

    def group(self, method: str, deadline: float | None) -> _native.SymmetryGroup | None:
        """Return the symmetry group found by `method`, or None where there is none or it is not ready.

        The search for symmetries ends at the deadline too: it would take the processor from whoever plays. One that
        was given up begins again when somebody has at least twice the time for it.
        """
        left = MOST_SYMMETRY_SECONDS if deadline is None else min(deadline - time.monotonic(), MOST_SYMMETRY_SECONDS)
        with self._lock:
            part = self._symmetries.get(method)
            if part is None and left < _LEAST_SYMMETRY_SECONDS:
                return None
            if part is None or (part.is_given_up and left >= 2 * self._symmetry_seconds[method]):
                self._symmetry_seconds[method] = left
                part = self._symmetries[method] = Part(partial(_group, self._reference, method, _SAFE_SHARE * left))
        if not part.wait(deadline):
            return None
        found: Symmetries | None = part.value
        return found.group if found is not None and found.group.size > 1 else None

    def constant_sum(self, deadline: float | None) -> bool:
        """Tell whether it is proven by the deadline that two players' goals always add up to the same."""
        return self._sum.wait(deadline) and bool(self._sum.value)

    def template(self, deadline: float | None) -> Any:
        """Return the game's constraint network, or None where it cannot be built or is not ready."""
        return self._tables.value if self._tables.wait(deadline) else None

    @property
    def is_busy(self) -> bool:
        """Whether something is being made."""
        return any(part.is_running for part in self._parts())

    def _parts(self) -> list[Part]:
        with self._lock:
            return [self._batch, self._winning, self._sum, self._tables, *self._symmetries.values()]

    @property
    def notes(self) -> list[str]:
        """What the searches for symmetries have to say."""
        found = [part.value for part in self._symmetries.values()]
        return [note for symmetries in found if symmetries is not None for note in symmetries.notes]

    @property
    def problems(self) -> list[str]:
        """What could not be made, and why."""
        return [part.problem for part in self._parts() if part.problem is not None]


def _group(reference: weakref.ref[Game], method: str, seconds: float) -> Symmetries | None:
    from woodstock.symmetry.symmetries import find_symmetries

    game = reference()
    if game is None:
        return None
    # A group that moves the initial state serves as well: values are shared between states, wherever they come from.
    found = find_symmetries(game, method, fix_initial=False, seconds=seconds)
    if not len(found.rows) and found.method == method:
        return None
    _ = found.group  # made here, where nobody waits for longer than they want to
    return found


def _has_constant_sum(reference: weakref.ref[Game]) -> bool:
    from woodstock.players.constant_sum import has_constant_sum

    game = reference()
    return game is not None and has_constant_sum(game, MOST_PROOF_SECONDS)


def _template(reference: weakref.ref[Game]) -> Any:
    from woodstock.scsp.game import translate

    game = reference()
    return None if game is None else translate(game)


_prepared: weakref.WeakKeyDictionary[Game, Preparation] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def preparation_of(game: Game) -> Preparation | None:
    """Return what is prepared of a game; None where it runs on the interpreter."""
    if not isinstance(game.engine, CircuitEngine):
        return None
    with _lock:
        found = _prepared.get(game)
        if found is None:
            found = _prepared[game] = Preparation(game, game.engine)
        return found
