"""What a game needs before it can be searched: batch code, symmetries, tables. Made once, in background threads.

A search never waits past its deadline: what is not ready in time is left out (single playouts instead of batches, no
symmetries) and is there for the next search. The threads are daemons: leaving the program does not wait for them.
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
from woodstock.gdl.chance import chance_index

if TYPE_CHECKING:
    from woodstock.symmetry.symmetries import Symmetries

MOST_SYMMETRY_SECONDS = 60.0
MOST_PROOF_SECONDS = 60.0
# A search for symmetries looks at its clock only now and then, so it is given this share of the time.
_SAFE_SHARE = 0.8
# With less time it is not begun: importing what it needs takes about as long.
_LEAST_SYMMETRY_SECONDS = 0.2
# Code for playouts that win at once takes about so many times as long as that for plain ones. If those took longer than
# this, there has to be time for it: it would take the processor from learning and from the first moves.
_WINNING_COST, _SLOW_S = 2.5, 5.0
# How soon a wait notices that it was interrupted.
_SLICE_S = 0.005


class Part:
    """A value that a thread makes when it is first asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._is_done = threading.Event()
        self._lock = threading.Lock()
        self.is_started = False
        self._begun = self._ended = 0.0
        self.value: Any = None
        self.problem: str | None = None

    def start(self) -> None:
        with self._lock:
            if self.is_started:
                return
            self.is_started = True
        threading.Thread(target=self._run, daemon=True, name="woodstock-prepare").start()

    def _run(self) -> None:
        self._begun = time.monotonic()
        try:
            self.value = self._make()
        except (WoodstockError, ValueError, RuntimeError, MemoryError, OSError) as error:
            self.problem = str(error) or type(error).__name__
        finally:
            self._ended = time.monotonic()
            self._is_done.set()

    @property
    def seconds(self) -> float:
        """How long it took, or has taken so far."""
        if not self._begun:
            return 0.0
        return (self._ended or time.monotonic()) - self._begun

    @property
    def is_running(self) -> bool:
        """Whether it was begun and is not over."""
        return self.is_started and not self._is_done.is_set()

    @property
    def is_done(self) -> bool:
        """Whether it is over, with or without success."""
        return self._is_done.is_set()

    @property
    def is_given_up(self) -> bool:
        """Whether it is over without the result that was asked for."""
        return self._is_done.is_set() and self.value is not None and bool(self.value.notes)

    def wait(self, deadline: float | None, interrupted: threading.Event | None = None) -> bool:
        """Wait until it is over, the deadline has come or `interrupted` is set; return whether it is over."""
        self.start()
        slice_s = float("inf") if interrupted is None else _SLICE_S
        while True:
            left = float("inf") if deadline is None else max(0.0, deadline - time.monotonic())
            seconds = min(left, slice_s)
            if self._is_done.wait(None if seconds == float("inf") else seconds):
                return True
            if seconds == left or (interrupted is not None and interrupted.is_set()):
                return False


class Preparation:
    """The prepared parts of one game; shared by all its searches."""

    def __init__(self, game: Game, engine: CircuitEngine) -> None:
        # The parts must not keep the game alive: it is the key under which they are found.
        reference = weakref.ref(game)
        self.batch = Part(lambda: engine.prepare("batch"))
        chance = chance_index(game.roles)
        # Playouts in which a role that can win in one move does; the circuit judges whether they are worth it.
        self.winning = Part(lambda: engine.circuit.prepare_winning(chance))
        # Whether it is proven that two players' goals always add up to the same.
        self.constant_sum = Part(lambda: _has_constant_sum(engine))
        # The game's constraint network.
        self.template = Part(lambda: _template(reference))
        self._reference = reference
        self._lock = threading.Lock()
        self._symmetries: dict[str, Part] = {}
        self._symmetry_seconds: dict[str, float] = {}

    def group(
        self, method: str, deadline: float | None, interrupted: threading.Event | None = None
    ) -> _native.SymmetryGroup | None:
        """Return the symmetry group found by `method`, or None if there is none or it is not ready.

        The search for symmetries ends at the deadline too: it would take the processor from the player. One that was
        given up begins again when a caller has at least twice the time for it.
        """
        left = MOST_SYMMETRY_SECONDS if deadline is None else min(deadline - time.monotonic(), MOST_SYMMETRY_SECONDS)
        with self._lock:
            part = self._symmetries.get(method)
            if part is None and left < _LEAST_SYMMETRY_SECONDS:
                return None
            if part is None or (part.is_given_up and left >= 2 * self._symmetry_seconds[method]):
                self._symmetry_seconds[method] = left
                part = self._symmetries[method] = Part(partial(_group, self._reference, method, _SAFE_SHARE * left))
        if not part.wait(deadline, interrupted):
            return None
        found: Symmetries | None = part.value
        return found.group if found is not None and found.group.size > 1 else None

    def has_time_for_winning(self, deadline: float | None) -> bool:
        """Whether playouts that win at once are there, or can be made by the deadline, as far as is known."""
        if self.winning.is_started or deadline is None or self.batch.seconds < _SLOW_S:
            return True
        return self.batch.is_done and _WINNING_COST * self.batch.seconds < deadline - time.monotonic()

    @property
    def is_busy(self) -> bool:
        """Whether something is being made."""
        with self._lock:
            parts = [self.batch, self.winning, self.constant_sum, self.template, *self._symmetries.values()]
        return any(part.is_running for part in parts)

    @property
    def notes(self) -> list[str]:
        """The notes of the searches for symmetries."""
        found = [part.value for part in self._symmetries.values()]
        return [note for symmetries in found if symmetries is not None for note in symmetries.notes]


def _group(reference: weakref.ref[Game], method: str, seconds: float) -> Symmetries | None:
    from woodstock.symmetry.symmetries import find_symmetries

    game = reference()
    if game is None:
        return None
    # A group that moves the initial state serves as well: values are shared between any two symmetric states.
    found = find_symmetries(game, method, fix_initial=False, seconds=seconds)
    if not len(found.rows) and found.method == method:
        return None
    _ = found.group  # made here, in the background
    return found


def _has_constant_sum(engine: CircuitEngine) -> bool:
    from woodstock.invariants import has_constant_sum

    return has_constant_sum(engine.ground, engine.circuit, MOST_PROOF_SECONDS)


def _template(reference: weakref.ref[Game]) -> Any:
    from woodstock.scsp.game import translate

    game = reference()
    return None if game is None else translate(game)


_prepared: weakref.WeakKeyDictionary[Game, Preparation] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def preparation_of(game: Game) -> Preparation | None:
    """Return the preparation of a game; None if it runs on the interpreter."""
    if not isinstance(game.engine, CircuitEngine):
        return None
    with _lock:
        found = _prepared.get(game)
        if found is None:
            found = _prepared[game] = Preparation(game, game.engine)
        return found
