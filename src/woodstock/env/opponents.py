"""Who plays the other roles: random moves, any player of `woodstock.players`, or a policy of the caller's."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from woodstock.env.single import SingleMatch
from woodstock.errors import GameError
from woodstock.players.make import make_player
from woodstock.players.player import Player, Task, as_reply

# Takes an observation and a mask, returns a move index; in a vector, rows of them.
Policy = Callable[[Any, Any], Any]
Opponent = str | Player | Policy
Opponents = Opponent | Mapping[str, Opponent]


def seated(roles: Sequence[str], role: str, opponents: Opponents) -> dict[str, Opponent]:
    """Return who plays each role but `role`."""
    others = [other for other in roles if other != role]
    if not isinstance(opponents, Mapping):
        return dict.fromkeys(others, opponents)
    unknown = [name for name in opponents if name not in others]
    if unknown:
        raise GameError(f"{unknown[0]!r} is no opponent: the others are {', '.join(others) or 'none'}")
    return {other: opponents.get(other, "random") for other in others}


class OpponentSeat:
    """One opponent in one match; a player of `woodstock.players` is started with the first move it makes."""

    def __init__(self, match: SingleMatch, role: str, who: Opponent, play_clock_s: float, simulations: int) -> None:
        self._match, self._role, self._index = match, role, match.roles.index(role)
        self._clock_s, self._simulations = play_clock_s, simulations
        self._who = make_player(who) if isinstance(who, str) and who != "random" else who
        self._is_started = False

    def stop(self) -> None:
        """End the player's match, if it has one."""
        if isinstance(self._who, Player) and self._is_started:
            self._who.stop(None)
        self._is_started = False

    def choose(self, chance: np.random.Generator) -> int:
        """Return the index of the opponent's move in the state of the match."""
        match, legal = self._match, self._match.legal(self._index)
        if len(legal) == 1 and not isinstance(self._who, Player):
            return legal[0]
        if self._who == "random":
            return legal[int(chance.integers(len(legal)))]
        if isinstance(self._who, Player):
            return self._ask(self._who)
        index = int(self._who(match.observation(self._index), match.mask(self._index)))  # type: ignore[operator]
        return match.resolve(self._index, index)

    def _ask(self, player: Player) -> int:
        if not self._is_started:
            match = self._match
            task = Task(
                match.game,
                self._role,
                state=match.start if match.game.has_percepts else match.state,
                play_clock_s=self._clock_s,
                simulations=self._simulations,
            )
            player.start(task, time.monotonic() + self._clock_s)
            self._is_started = True
        move = as_reply(player.move(self._match.view_of(self._index), time.monotonic() + self._clock_s)).move
        names = self._match.names[self._index]
        if move not in names:
            raise GameError(f"{player.name} answered {move}, which is no move of {self._role}")
        return self._match.resolve(self._index, names.index(move))
