"""What a role knows of a match on the network, from what a server says of each turn.

Comes in: the role's own move, if it is known, and the joint move or the role's percepts. Goes out: an information state
with the legal moves. There is no referee: in games with `sees` the legal moves come from a belief.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from woodstock.belief import Belief, BeliefError, ImpossibleViewError
from woodstock.errors import WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.interpreter import Interpreter
from woodstock.game.spelling import find
from woodstock.game.state import State
from woodstock.gdl.kif import read_terms
from woodstock.ggp.worker.guess import Guess
from woodstock.ggp.worker.told_moves import told_moves
from woodstock.information import InformationState
from woodstock.information.referee import next_view

Log = Callable[[str, str], None]
# States of a belief that are looked at for the score at the end.
_MOST_SCORED = 64


class Hearing:
    """Follows one match for one role. `view` is what the role knows."""

    def __init__(self, game: Game, role: str, log: Log, seed: int = 0) -> None:
        self._game, self._role, self._log, self._seed = game, role, log, seed
        self.view = InformationState.at(game.initial, role)
        # Known as long as all that the server said can be read as joint moves; with the view that belongs to it.
        self._state: State | None = game.initial
        self._told_view = self.view
        self._is_told_moves = False
        self._belief: Belief | None = None
        self._guess: Guess | None = None
        # Nothing fits what the server says: from then on any move is tried.
        self._is_lost = False
        self._percepts = self._all_percepts()
        if game.has_percepts and self._percepts is not None:
            self._belief = Belief(game, role, seed=seed)
            self._belief.prepare()
        elif game.has_percepts:
            chance = random.Random(seed)
            self._guess = Guess(Interpreter(game.program), role, is_hidden=True, chance=chance)

    def hear(self, move: str | None, terms: Sequence[str], deadline: float, *, is_over: bool = False) -> None:
        """Go on by one turn; what does not fit the rules is reported, and the match goes on as well as it can."""
        try:
            self._hear(move, read_terms(" ".join(terms)), deadline, is_over)
        except (WoodstockError, ValueError) as error:
            self._log("error", f"what the server says does not fit the rules: {error}")

    def _hear(self, move: str | None, terms: list[str], deadline: float, is_over: bool) -> None:
        if not self._game.has_percepts:
            assert self._state is not None
            self._go_to(self._state.next(told_moves(terms, self._game.roles)))
            return
        after = self._after_joint(terms)
        is_strange = self._percepts is None or any(term.lower() not in self._percepts for term in terms)
        if after is not None and (self._is_told_moves or is_strange):
            # Some servers know nothing of `sees` and send the joint move.
            self._is_told_moves = True
            self._go_to(after)
            return
        self._see(move, terms, deadline, is_over)
        if self._is_lost and after is not None:
            self._is_told_moves, self._is_lost = True, False
            self._go_to(after)
            return
        self._state = after
        if after is not None:
            self._told_view = next_view(self._told_view, after)

    def _go_to(self, state: State) -> None:
        self._state = state
        self.view = self._told_view = next_view(self._told_view, state)

    def _after_joint(self, terms: list[str]) -> State | None:
        """Return the state that follows if the terms are a legal joint move."""
        roles, state = self._game.roles, self._state
        joint = told_moves(terms, roles)
        if state is None or state.is_terminal or len(joint) != len(roles):
            return None
        is_legal = all(find(move, state.legal(role)) for move, role in zip(joint, roles, strict=True))
        return state.next(joint) if is_legal else None

    def _all_percepts(self) -> frozenset[str] | None:
        """Return all that the role can ever see, in lower case; None if that is not known."""
        engine = self._game.engine
        if not isinstance(engine, CircuitEngine):
            return None
        index = self._game.role_index(self._role)
        return frozenset(text.lower() for role, text, *_ in engine.ground.sees if role == index)

    # Games that hide things.

    def _see(self, move: str | None, terms: list[str], deadline: float, is_over: bool) -> None:
        before = self.view
        if self._guess is not None:
            self._guess.hear(move, terms, deadline)
            legal = () if is_over else self._guess.legal()
            self.view = before.after(move or before.legal[0], terms, legal)
            return
        known = self._percepts or frozenset()
        strange = [term for term in terms if term.lower() not in known]
        if strange:
            self._log("error", f"the rules never let {self._role} see {' '.join(strange)}")
            terms = [term for term in terms if term.lower() in known]
        own = self._believe(move, terms, deadline, is_over)
        self.view = before.after(own, terms, () if is_over else self._legal(), goal=self._goal() if is_over else None)

    def _believe(self, move: str | None, terms: list[str], deadline: float, is_over: bool) -> str:
        """Carry the belief on by a turn and return the role's own move.

        That is the one that was sent, unless it does not fit: then the server has made another one for the role.
        """
        view = self.view
        sent = None if move is None else find(move, view.legal)
        others = [one for one in view.legal if one != sent]
        seen = {term.lower() for term in terms}
        others.sort(key=lambda one: one.lower() not in seen)
        for own in ([sent] if sent else []) + others:
            if self._is_lost:
                break
            assert self._belief is not None
            try:
                self._belief.observe(own, terms, is_terminal=is_over)
                self._belief.catch_up(deadline)
            except ImpossibleViewError:
                # A belief that has met a contradiction is of no use; the next one hears everything again.
                self._belief = self._again(view, deadline)
                continue
            except BeliefError as error:
                self._log("warning", str(error))
            if own != sent and move is not None:
                self._log("warning", f"the server must have made {own} for {self._role}, not {move}")
            return own
        if not self._is_lost:
            self._is_lost = True
            self._log("error", f"nothing fits what {self._role} saw: {' '.join(terms) or 'no percepts'}")
        return sent or (view.legal[0] if view.legal else "noop")

    def _again(self, view: InformationState, deadline: float) -> Belief:
        belief = Belief(self._game, self._role, seed=self._seed)
        try:
            for turn in view.turns:
                belief.observe(turn.move, turn.percepts, is_terminal=False)
            belief.catch_up(max(deadline, time.monotonic() + 0.2))
        except WoodstockError as error:
            self._log("warning", str(error))
        return belief

    def _legal(self) -> tuple[str, ...]:
        """Return the legal moves; if the belief has no state, all moves that the role ever has."""
        assert self._belief is not None
        is_known = not self._is_lost and not self._belief.is_behind
        legal = self._belief.legal if is_known else ()
        if not legal:
            self._log("warning", f"no state is known that fits what {self._role} saw: any of its moves is tried")
        return legal or self._game.moves(self._role)

    def _goal(self) -> int | None:
        """Return the role's score if the match is over and all states that may be have the same one."""
        assert self._belief is not None
        if self._is_lost or self._belief.is_behind:
            return None
        states = self._belief.particles.states[:_MOST_SCORED]
        ends = [State(self._game, bytes(row)) for row in states]
        scores = {end.scores[self._role] for end in ends if end.is_terminal}
        return scores.pop() if len(scores) == 1 else None
