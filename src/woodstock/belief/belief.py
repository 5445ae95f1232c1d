"""The belief of a role: which full states fit what it saw, and how likely each of them is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from woodstock.belief.errors import BeliefError, ImpossibleViewError
from woodstock.belief.grounded import GroundedCore
from woodstock.belief.interpreted import InterpretedCore
from woodstock.belief.model import MoveModel, checked
from woodstock.belief.particles import Particles
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, is_state_of
from woodstock.information import InformationState

_SEED_MASK = 2**64 - 1
# Sums of weights are 1 up to rounding.
_NEARLY_ONE = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class BeliefStats:
    """What a belief has done so far; `turns_back` is how far the last rebuilding went."""

    steps: int = 0
    enumerated_turns: int = 0
    drawn_turns: int = 0
    rebuilt_turns: int = 0
    regrown_turns: int = 0
    nodes: int = 0
    histories: int = 0
    turns_back: int = 0
    memory_bytes: int = 0
    most_particles: int = 0


class Belief:
    """The distribution of full states that fit a role's information state, carried along with a match.

    While at most `most_exact` states fit, all are kept with exact probabilities under the model of the others
    (`is_exact`); then `particles` of them are carried forward by the batch engine, and rebuilt by a constraint network
    when they die out. A seed gives the same particles if no deadline cuts the work short. At most about `memory_mib`
    are used, the compiled game not counted.

    >>> import woodstock
    >>> from woodstock.belief import Belief
    >>> game = woodstock.load("monty-hall")
    >>> with woodstock.Match(game, ["legal"], seed=1) as match:
    ...     _ = match.step(), match.step(), match.step()
    ...     view = match.view_of("candidate")
    >>> belief = Belief(game, "candidate")
    >>> belief.follow(view)
    >>> belief.is_exact, [round(weight, 3) for weight in belief.particles.weights.tolist()]
    (True, [0.333, 0.667])
    """

    def __init__(
        self,
        game: Game,
        role: str,
        *,
        start: State | None = None,
        particles: int = 4096,
        most_exact: int = 20_000,
        seed: int = 0,
        memory_mib: float = 512,
        model: MoveModel | None = None,
        always_rebuild: bool = False,
    ) -> None:
        start = game.initial if start is None else start
        if not is_state_of(start, game):
            raise GameError(f"the start of a belief is not a state of {game.name}")
        if particles < 1 or most_exact < 0:
            raise GameError(f"a belief needs at least one particle; got {particles} and most_exact={most_exact}")
        if not 0 < memory_mib < 2**30:
            raise GameError(f"the memory of a belief is a number of MiB above 0, not {memory_mib}")
        self.game, self.role, self._start = game, game.roles[game.role_index(role)], start
        self._options: dict[str, Any] = {
            "particles": particles,
            "most_exact": most_exact,
            "seed": seed & _SEED_MASK,
            "memory_bytes": int(memory_mib * 2**20),
            "always_rebuilds": always_rebuild,
            "model": None if model is None else checked(model),
        }
        self._turns: list[tuple[str, tuple[str, ...]]] = []
        self._core = self._make()

    def _make(self) -> GroundedCore | InterpretedCore:
        is_grounded = isinstance(self.game.engine, CircuitEngine)
        return (GroundedCore if is_grounded else InterpretedCore)(self.game, self.role, self._start, self._options)

    def __repr__(self) -> str:
        kind = "exact" if self.is_exact else "sampled"
        return f"<Belief of {self.role} in {self.game.name}: turn {self._core.turn}, {kind}>"

    # Following a match.

    def prepare(self) -> None:
        """Begin to make the network that rebuilds particles, on a thread; else that begins when it is needed."""
        self._core.prepare()

    def follow(self, view: InformationState, deadline: float | None = None) -> None:
        """Carry the belief to an information state, which usually is one turn further.

        `deadline` is a time of `time.monotonic()`; then the work stops and goes on with the next call. `BeliefError`
        says that no state is known yet, `ImpossibleViewError` that none fits.
        """
        if view.is_open:
            self._core.restart_at(view.state)
            return
        seen = [(turn.move, turn.percepts) for turn in view.turns]
        if view.start != self._start or seen[: len(self._turns)] != self._turns:
            self._start, self._turns = view.start, []
            self._core = self._make()
        for number, (move, percepts) in enumerate(seen[len(self._turns) :], len(self._turns) + 1):
            if number < len(seen):
                self.observe(move, percepts, is_terminal=False)
            elif view.legal:
                self.observe(move, percepts, legal=view.legal, is_terminal=False)
            else:
                self.observe(move, percepts, is_terminal=None if view.goal is None else True)
        self.catch_up(deadline)

    def observe(
        self, move: str, percepts: Sequence[str], *, legal: Sequence[str] | None = None, is_terminal: bool | None = None
    ) -> None:
        """Add a turn: the role's move and what it saw of the joint move; `catch_up` then does the work.

        `legal` are its legal moves after the turn and `is_terminal` whether the match is over, if the role was told.
        """
        if not self.game.engine.has_percepts:
            raise GameError(f"{self.game.name} hides nothing: its states are known, and no belief is needed")
        self._core.see(move, percepts, legal, is_terminal)
        self._turns.append((move, tuple(percepts)))

    def catch_up(self, deadline: float | None = None) -> None:
        """Carry the belief over the turns that were observed; the errors are those of `follow`."""
        while True:
            progress = self._core.follow(deadline)
            if progress == "ready":
                return
            if progress == "impossible":
                raise ImpossibleViewError(
                    f"{self.game.name}: nothing fits what {self.role} saw in its first {len(self._turns)} turns"
                )
            if progress == "behind" or (deadline is not None and time.monotonic() >= deadline):
                raise BeliefError(f"{self.game.name}: the deadline came before a state was found for {self.role}")
            if deadline is None:
                raise BeliefError(f"{self.game.name}: the search for a state that fits {self.role} gave up; call again")

    # Reading.

    @property
    def is_exact(self) -> bool:
        """Whether all states that fit are known, with their exact probabilities under the model of the others."""
        return self._core.is_exact

    @property
    def is_behind(self) -> bool:
        """Whether a deadline came before the last turn was carried out; `sample` is then of an earlier turn."""
        return self._core.is_behind

    @property
    def particles(self) -> Particles:
        """All states that are kept, with their weights."""
        return self._core.particles()

    def sample(self, n: int) -> Particles:
        """Return n states drawn by their weights, as arrays; each weighs 1/n."""
        return self._core.sample(_positive(n))

    def states(self, n: int) -> list[State]:
        """Return n states drawn by their weights; this works for rules that could not be grounded too."""
        return self._core.states(_positive(n))

    @property
    def possible(self) -> dict[str, float]:
        """The probability of each fluent that may hold."""
        return {text: min(1.0, chance) for text, chance in self._core.fluents().items()}

    @property
    def certain(self) -> frozenset[str]:
        """The fluents that hold in every state kept: certain if `is_exact`, else likely."""
        return frozenset(text for text, chance in self._core.fluents().items() if chance >= _NEARLY_ONE)

    @property
    def legal(self) -> tuple[str, ...]:
        """The moves that are legal for the role in every state kept; if none is, those that are most often."""
        chances = self._core.legal()
        least = min(_NEARLY_ONE, max(chances.values(), default=0.0))
        return tuple(move for move, chance in chances.items() if chance >= least)

    @property
    def stats(self) -> BeliefStats:
        """What was done so far."""
        return BeliefStats(**self._core.stats())


def _positive(n: int) -> int:
    if n < 1:
        raise GameError(f"a sample has at least one state, not {n}")
    return n
