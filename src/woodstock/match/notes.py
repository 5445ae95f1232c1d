"""The notes of a referee: the record of a match that is still written."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import replace

from woodstock.game.state import State
from woodstock.match import events
from woodstock.match.record import MatchRecord, Ply
from woodstock.players.player import Player


class MatchNotes:
    """Takes down a match; `head` is all of the record but its turns."""

    def __init__(
        self,
        start: State,
        players: Mapping[str, Player],
        *,
        match_id: str | None,
        clocks_s: tuple[float, float],
        seed: int,
        opening: int,
    ) -> None:
        game, now_ms = start.game, time.time_ns() // 1_000_000
        self.head = MatchRecord(
            match_id=match_id or f"woodstock.{game.name}.{now_ms}",
            game=game.name,
            rules=game.text,
            rules_hash=game.rules_hash,
            roles=game.roles,
            players={role: player.name for role, player in players.items()},
            humans=tuple(role for role, player in players.items() if player.is_human),
            start_clock_s=clocks_s[0],
            play_clock_s=clocks_s[1],
            seed=seed,
            opening=opening,
            initial=tuple(sorted(start.fluents)),
            is_from_start=start == game.initial,
            started_ms=now_ms,
            random_token=secrets.token_hex(16),
        )
        self._plies: list[Ply] = []

    @property
    def record(self) -> MatchRecord:
        """The record so far."""
        return replace(self.head, plies=tuple(self._plies))

    @property
    def turns(self) -> int:
        """The number of turns taken down."""
        return len(self._plies)

    def add(self, made: Mapping[str, events.MoveMade], state: State) -> None:
        """Take down a turn and the state that followed."""
        roles = self.head.roles
        self._plies.append(
            Ply(
                moves=tuple(made[role].move for role in roles),
                errors=tuple(made[role].error for role in roles),
                seconds=tuple(made[role].seconds for role in roles),
                thoughts={role: one.thought.as_json() for role, one in made.items() if one.thought is not None},
                details={role: one.detail for role, one in made.items() if one.detail},
                state=tuple(sorted(state.fluents)),
                at_ms=time.time_ns() // 1_000_000,
            )
        )

    def end(self, reason: str, goals: Mapping[str, int]) -> None:
        """Take down how the match ended."""
        self.head = replace(self.head, reason=reason, goals=goals)

    def take_back(self, turn: int) -> None:
        """Strike all after this many turns, and the end."""
        del self._plies[turn:]
        self.end("", {})

    def seat(self, role: str, player: Player) -> None:
        """Take down a new player; after the first turn both names stand."""
        head = self.head
        name = f"{head.players[role]} then {player.name}" if self._plies else player.name
        humans = {*head.humans} if self._plies else {*head.humans} - {role}
        if player.is_human:
            humans.add(role)
        self.head = replace(
            head, players={**head.players, role: name}, humans=tuple(one for one in head.roles if one in humans)
        )
