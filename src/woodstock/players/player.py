"""A player for a match: started with a game and a role, asked for moves against deadlines, closed at the end.

It keeps its tree from move to move and may think while others do. Whatever happens, `move` returns a legal move:
where the search fails, a random one, and `Player.notes` says why. Deadlines are times of `time.monotonic()`.
"""

from __future__ import annotations

import random
import threading
import time

from woodstock.errors import GameError, WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.players.decision import Decision, InfoSubscriber, RootMove
from woodstock.players.spec import PlayerSpec, parse_spec
from woodstock.players.thinker import Budget, SimpleThinker, TreeThinker, check_can_move, make_thinker

_LONGEST_PONDER_S = 3600.0


class Player:
    """One player in one match at a time. Only `interrupt` may be called from another thread."""

    def __init__(self, spec: str | PlayerSpec) -> None:
        self.spec = parse_spec(spec)
        self.name = self.spec.text
        self.notes: list[str] = []
        self._game: Game | None = None
        self._role = ""
        self._thinker: TreeThinker | SimpleThinker | None = None
        self._pondering: threading.Thread | None = None
        self._chance = random.Random(int(self.spec.settings.get("seed", 0)))

    def start(self, game: Game, role: str, deadline: float | None = None) -> None:
        """Take a role in a match; prepare until the deadline at most, without one until all is ready."""
        self.close()
        self._game = game
        self._role = game.roles[game.role_index(role)]
        self._thinker = make_thinker(game, self.spec)
        self._thinker.prepare(deadline)
        if self._is_pondering_wanted():
            self._ponder(game.initial)

    def move(
        self,
        state: State,
        deadline: float | None = None,
        *,
        simulations: int = 0,
        tell: InfoSubscriber | None = None,
        interval: float = 0.5,
    ) -> Decision:
        """Return the move to make in this state, before the deadline or after so many simulations."""
        if self._game is None or self._thinker is None:
            raise GameError(f"{self.name} was not started: call start(game, role) before the first move")
        self._stop_pondering()
        legal = check_can_move(state, self._role)
        if deadline is None and not simulations:
            raise GameError("a move needs a deadline or a number of simulations")
        if len(legal) == 1 and tell is None:
            decision = self._decide_quickly(legal)
        else:
            try:
                decision = self._thinker.think(state, self._role, Budget(deadline, simulations), tell, interval)
            except (WoodstockError, RuntimeError, MemoryError, ValueError) as error:
                self.notes.append(f"the search failed, a random move is made: {error}")
                decision = self._decide_quickly(legal)
        if self._is_pondering_wanted():
            self._ponder(state)
        return decision

    def interrupt(self) -> None:
        """End the search under way: `move` returns what it has."""
        if self._thinker is not None:
            self._thinker.interrupt()

    def close(self) -> None:
        """End the match and free the tree."""
        self._stop_pondering()
        self._game, self._thinker = None, None

    def _decide_quickly(self, legal: tuple[str, ...]) -> Decision:
        assert self._game is not None
        move = self._chance.choice(legal)
        values = dict.fromkeys(self._game.roles, 50.0)
        moves = (RootMove(move, 0, 50.0, (0.0, 100.0), (0.0, 100.0), False),)
        return Decision(self._role, moves, values, False, 0.0, {}, move=move, player=self.name)

    def _is_pondering_wanted(self) -> bool:
        return bool(self.spec.settings.get("ponder", False)) and isinstance(self._thinker, TreeThinker)

    def _ponder(self, state: State) -> None:
        thinker = self._thinker
        assert isinstance(thinker, TreeThinker)
        self._pondering = threading.Thread(
            target=thinker.ponder, args=(state, _LONGEST_PONDER_S), daemon=True, name="woodstock-ponder"
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
