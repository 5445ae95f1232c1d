"""A seat for a built-in player: `mac-ucb-sym`, `uct:c=0.7,threads=2`."""

from __future__ import annotations

import dataclasses
import time

from woodstock.game.state import State
from woodstock.match.seat import LocalSeat, Reply, Task, Thought
from woodstock.players.decision import Decision, SearchInfo
from woodstock.players.player import Player
from woodstock.players.spec import PlayerSpec, parse_spec

LINES = 3
LONGEST_LINE = 6
# A search answers within milliseconds of its deadline; this much is for the way back through the interpreter.
RETURN_S = 0.01
TELL_EVERY_S = 0.25


class BuiltinSeat(LocalSeat):
    """Thinks with one of our players. Without a seed in its options, each match gives it one."""

    def __init__(self, spec: str, *, ponders: bool = False, simulations: int = 0) -> None:
        self._spec: PlayerSpec = parse_spec(spec)
        self._ponders = ponders
        self._simulations = simulations
        self.name = self._spec.text
        self._player: Player | None = None

    def start(self, task: Task, deadline: float) -> None:
        """Prepare the game: symmetries, networks, the first look at the initial state."""
        super().start(task, deadline)
        given = {"seed": task.seed, **self._spec.given}
        if self._ponders:
            given.setdefault("ponder", True)
        self._player = Player(dataclasses.replace(self._spec, given=given))
        self._player.start(task.game, task.role, deadline)

    def play(self, state: State, deadline: float) -> Reply:
        """Search until the deadline."""
        if self._player is None:
            # The start was cut short; what it missed is done now.
            self.start(self.task, time.monotonic())
        assert self._player is not None
        if self._simulations:
            # A fixed amount of work and no clock: the same match on any machine.
            decision = self._player.move(state, simulations=self._simulations)
        else:
            decision = self._player.move(state, deadline - RETURN_S, tell=self._tell, interval=TELL_EVERY_S)
        return Reply(decision.move, thought(decision))

    def interrupt(self) -> None:
        """End the search under way."""
        player = self._player
        if player is not None:
            player.interrupt()

    def close(self) -> None:
        """Free the tree."""
        if self._player is not None:
            self._player.close()
            self._player = None

    def _tell(self, info: SearchInfo) -> None:
        self.task.tell(thought(info))


def thought(info: SearchInfo | Decision) -> Thought:
    """Return what a search found, as a match shows and records it."""
    lines = []
    for root in info.moves[:LINES]:
        shown = " ".join(_turn(moves) for moves in root.line[:LONGEST_LINE]) or root.move
        mark = "=" if root.is_proven else " "
        lines.append(f"{root.value:5.1f}{mark} {root.visits:>9,}  {shown}")
    statistics = {
        "simulations": info.simulations,
        "simulations_per_second": round(info.simulations_per_second),
        **{name: value for name, value in info.statistics.items() if name != "simulations"},
    }
    # Without a search there is nothing to expect: a lone legal move is made unseen.
    values = dict(info.values) if info.simulations or info.is_proven else {}
    return Thought(values, tuple(lines), statistics, info.is_proven)


def _turn(moves: tuple[str, ...]) -> str:
    """Return a joint move without those that only wait."""
    telling = [move for move in moves if move.lower() != "noop"] or list(moves[:1])
    return "+".join(telling)
