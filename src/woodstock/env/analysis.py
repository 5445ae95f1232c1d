"""What OpenSpiel wants to know about a game before it is played.

Small games are walked through, so everything is exact. Of larger ones, random play shows whether roles choose at once
and how long matches are, and constant sums of goals are proved or not claimed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from woodstock import _native
from woodstock.env.batch import Batch
from woodstock.env.observation import ObservationPlan, plan_observation
from woodstock.env.settings import players_of
from woodstock.errors import GameError, WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import is_chance
from woodstock.invariants.constant_sum import has_constant_sum

# States that are looked at before a game counts as large; one of several layers counts in each.
_MOST_WALKED = 3000
# Matches that are played at random instead.
_SAMPLES, _MOST_SAMPLED_STEPS = 1024, 2000
_PROOF_SECONDS = 5.0
# Numbers of an information state's tensor; games that would need more have none.
_MOST_TENSOR = 200_000


@dataclass(frozen=True)
class Facts:
    """`longest` is the number of joint moves of the longest match, or a generous estimate; `total` the sum of goals."""

    is_simultaneous: bool
    longest: int
    total: int | None
    is_exact: bool


class Analysis:
    """A game with the numbers and facts that its nodes need."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players = players_of(game)
        if game.engine.numbering is None:
            raise GameError(
                f"{game.name} runs on the interpreter: OpenSpiel needs numbered moves. {' '.join(game.notes)}"
            )
        self.plan: ObservationPlan = plan_observation(game, self.players, "fluents", perspective=False)
        self.chance_role = next(filter(is_chance, game.roles), None)
        self.moves = [game.moves(role) for role in self.players]
        self.chance_moves = () if self.chance_role is None else game.moves(self.chance_role)
        self.facts = walked(game, self.players) or sampled(game, self.players)

    @property
    def width(self) -> int:
        """The numbers of one step in the tensor of an information state."""
        return len(self.plan.names)

    @property
    def has_tensor(self) -> bool:
        """Whether information states have a tensor."""
        return self.plan.is_hidden and self.facts.longest * self.width <= _MOST_TENSOR


def walked(game: Game, players: tuple[str, ...]) -> Facts | None:
    """Look at every state, layer by layer; None if there are too many."""
    expander = _native.Expander(cast(CircuitEngine, game.engine).circuit)
    layer, looked, depth, is_simultaneous = {packed(game.initial)}, 0, 0, False
    totals: set[int] = set()
    while layer:
        following: set[bytes] = set()
        for payload in layer:
            looked += 1
            state = State(game, payload)
            if state.is_terminal:
                totals.add(sum(state.scores[role] for role in players))
                continue
            is_simultaneous |= sum(len(state.legal(role)) > 1 for role in players) > 1
            *_others, states, is_complete = expander.expand(payload, _MOST_WALKED)
            following.update(row.tobytes() for row in states)
            if not is_complete or looked + len(following) > _MOST_WALKED:
                return None
        layer, depth = following, depth + 1
    return Facts(is_simultaneous, depth, totals.pop() if len(totals) == 1 else None, True)


def sampled(game: Game, players: tuple[str, ...]) -> Facts:
    """Play at random; the longest match is taken four times over."""
    batch = Batch(game, _SAMPLES, seed=1, masks="none")
    is_simultaneous, longest = False, 1
    for _ in range(_MOST_SAMPLED_STEPS):
        is_simultaneous |= bool((batch.frame.to_move == -2).any())
        longest = max(longest, int(batch.frame.turn.max()))
        batch.step(batch.sample())
        if int(batch.frame.turn.max()) < longest // 2:
            break
    return Facts(is_simultaneous, 4 * longest + 16, _proved_total(game, players), False)


def _proved_total(game: Game, players: tuple[str, ...]) -> int | None:
    """Return the sum of all goals in every terminal state, if that is proved to be constant."""
    engine = game.engine
    if len(players) != 2 or not isinstance(engine, CircuitEngine):
        return None
    try:
        if not has_constant_sum(engine.ground, engine.circuit, _PROOF_SECONDS):
            return None
    except WoodstockError:
        return None
    batch = Batch(game, 64, seed=2, masks="none")
    for _ in range(_MOST_SAMPLED_STEPS):
        frame = batch.step(batch.sample())
        if frame.terminal.any():
            return int(frame.goals[int(np.argmax(frame.terminal))].sum())
    return None
