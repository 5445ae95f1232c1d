"""All of a match but its turns: the game, the seats, the clocks, and where it is."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from woodstock.web.match.seats import PERSON, Seat


@dataclass(frozen=True, slots=True)
class Head:
    """The part of a match that fits into one row of the store. `state` is where it begins, None: the initial one.

    `is_clocked`: the clock binds people as well. `delay_s` is the least time of a turn without a person.
    """

    id: str
    game: str
    title: str
    seats: tuple[Seat, ...]
    start_clock_s: float = 2.0
    play_clock_s: float = 3.0
    is_clocked: bool = False
    delay_s: float = 0.4
    state: tuple[str, ...] | None = None
    current: int = 0
    is_paused: bool = False
    creator: str = ""

    def owned(self, browser: str) -> tuple[str, ...]:
        """Return the roles of the people in a browser."""
        return tuple(seat.role for seat in self.seats if seat.kind == PERSON and seat.owner == browser)

    def invite_of(self, role: str) -> str:
        """Return the secret of a seat's link; a new one if it has none."""
        return next((seat.invite for seat in self.seats if seat.role == role), "") or secrets.token_urlsafe(12)

    def as_json(self) -> dict[str, Any]:
        """Return the head for the store."""
        names = (
            "id", "game", "title", "start_clock_s", "play_clock_s", "is_clocked", "delay_s", "current", "is_paused",
            "creator",
        )  # fmt: skip
        return {
            **{name: getattr(self, name) for name in names},
            "state": None if self.state is None else list(self.state),
            "seats": [seat.as_json() for seat in self.seats],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Head:
        """Return the head that `as_json` gave."""
        state = value["state"]
        seats = tuple(Seat(**seat) for seat in value["seats"])
        return cls(**{**value, "seats": seats, "state": None if state is None else tuple(state)})
