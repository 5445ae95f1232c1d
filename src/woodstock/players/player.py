"""A player for a match: started with a game and a role, asked for moves against deadlines, closed at the end.

It keeps its tree from move to move and may think while others do. Whatever happens, `move` returns a legal move:
where the search fails, a random one, and `Player.notes` says why. In games of one role a planner looks for a way to the
best goal beside the search. Deadlines are times of `time.monotonic()`.
"""

from __future__ import annotations

import random
import threading
import time

from woodstock.errors import GameError, WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.players.decision import Decision, InfoSubscriber, RootMove
from woodstock.players.plan import Plan
from woodstock.players.plan_follower import PlanFollower
from woodstock.players.searcher import Budget, SimpleSearcher, TreeSearcher, check_can_move, make_searcher
from woodstock.players.spec import PlayerSpec, parse_spec

_LONGEST_PONDER_S = 3600.0
_LONGEST_PLANNING_S = 3600.0
# Of the time for a move, what the planner gets before the tree: both know how to use it, a plan is worth more.
_PLANNING_SHARE = 0.6


class Player:
    """One player in one match at a time. Only `interrupt` may be called from another thread.

    `plan` is the one that the last move belongs to, if any.
    """

    def __init__(self, spec: str | PlayerSpec) -> None:
        self.spec = parse_spec(spec)
        self.name = self.spec.text
        self.notes: list[str] = []
        self._game: Game | None = None
        self._role = ""
        self._searcher: TreeSearcher | SimpleSearcher | None = None
        self._pondering: threading.Thread | None = None
        self._follower: PlanFollower | None = None
        self.plan: Plan | None = None
        self._chance = random.Random(int(self.spec.settings.get("seed", 0)))

    def start(self, game: Game, role: str, deadline: float | None = None) -> None:
        """Take a role in a match; prepare until the deadline at most, without one until all is ready."""
        self.close()
        self._game = game
        self._role = game.roles[game.role_index(role)]
        self._searcher = make_searcher(game, self.spec)
        if self.spec.kind.search == "tree":
            self._follower = PlanFollower.of(game, _LONGEST_PLANNING_S)
        self._searcher.prepare(deadline)
        if self._follower is not None and deadline is not None:
            self._follower.wait(deadline - time.monotonic())
        if self._is_pondering_wanted():
            self._ponder(game.initial)

    def move(
        self,
        state: State,
        deadline: float | None = None,
        *,
        simulations: int = 0,
        cpu_seconds: float = 0.0,
        tell: InfoSubscriber | None = None,
        interval: float = 0.5,
    ) -> Decision:
        """Return the move to make in this state, before the deadline or after so many simulations."""
        if self._game is None or self._searcher is None:
            raise GameError(f"{self.name} was not started: call start(game, role) before the first move")
        self._stop_pondering()
        legal = check_can_move(state, self._role)
        if deadline is None and not simulations and not cpu_seconds:
            raise GameError("a move needs a deadline or a number of simulations")
        budget = Budget(deadline, simulations, cpu_seconds=cpu_seconds)
        planned = self._planned(state, deadline)
        self.plan = None
        if planned is not None and planned[1].is_best:
            self.plan = planned[1]
            decision = self._decide(planned[0], float(planned[1].goal), True)
        elif len(legal) == 1 and planned is None:
            decision = self._decide(legal[0], 50.0, False)
        else:
            try:
                decision = self._searcher.think(state, self._role, budget, tell, interval)
            except (WoodstockError, RuntimeError, MemoryError, ValueError) as error:
                self.notes.append(f"the search failed, a random move is made: {error}")
                decision = self._decide(self._chance.choice(legal), 50.0, False)
            # The planner may have found something meanwhile; what it found is certain.
            planned = planned if self._follower is None else self._follower.move(state)
            if planned is not None and planned[1].goal >= decision.value:
                self.plan = planned[1]
                decision = self._decide(planned[0], float(planned[1].goal), planned[1].is_best)
            is_settled = self.is_without_end or (self.plan is not None and self.plan.is_best)
            if self._follower is not None and not is_settled:
                self._follower.restart(state.next(decision.move))
        if self._is_pondering_wanted():
            self._ponder(state)
        return decision

    @property
    def is_without_end(self) -> bool:
        """Whether it is known that no end with a goal can be reached, in a game of one role."""
        return self._follower is not None and self._follower.is_without_end

    def interrupt(self) -> None:
        """End the search under way: `move` returns what it has."""
        if self._searcher is not None:
            self._searcher.interrupt()

    def close(self) -> None:
        """End the match and free the tree."""
        self._stop_pondering()
        if self._follower is not None:
            self._follower.close()
        if self._searcher is not None:
            self._searcher.close()
        self._game, self._searcher, self._follower = None, None, None

    def _planned(self, state: State, deadline: float | None) -> tuple[str, Plan] | None:
        """Return the plan's move, after giving the planner its share of the time where there is none yet."""
        if self._follower is None:
            return None
        found = self._follower.move(state)
        if deadline is not None and (found is None or not found[1].is_best):
            self._follower.wait(_PLANNING_SHARE * (deadline - time.monotonic()))
            found = self._follower.move(state)
        return found

    def _decide(self, move: str, value: float, is_proven: bool) -> Decision:
        """Return a decision that no tree made."""
        assert self._game is not None
        bounds = (value, value) if is_proven else (0.0, 100.0)
        values = dict.fromkeys(self._game.roles, value)
        moves = (RootMove(move, 0, value, bounds, bounds, is_proven),)
        return Decision(self._role, moves, values, is_proven, 0.0, {}, move=move, player=self.name)

    def _is_pondering_wanted(self) -> bool:
        return bool(self.spec.settings.get("ponder", False)) and isinstance(self._searcher, TreeSearcher)

    def _ponder(self, state: State) -> None:
        searcher = self._searcher
        assert isinstance(searcher, TreeSearcher)
        self._pondering = threading.Thread(
            target=searcher.ponder, args=(state, _LONGEST_PONDER_S), daemon=True, name="woodstock-ponder"
        )
        self._pondering.start()

    def _stop_pondering(self) -> None:
        if self._pondering is None:
            return
        # A search that is just starting forgets an earlier stop, so it is told until it listens.
        while self._pondering.is_alive():
            self.interrupt()
            self._pondering.join(0.001)
        self._pondering = None


def make_player(spec: str | PlayerSpec) -> Player:
    """Return a player by its specification, such as `uct:c=0.7,threads=2`."""
    return Player(spec)


def seconds_from_now(seconds: float) -> float:
    """Return a deadline for `Player.start` and `Player.move`."""
    return time.monotonic() + seconds
