"""From what a user writes for a player to a seat.

`random`, `uct:c=0.7`, `http://127.0.0.1:9147`, `lib:./strategy.so`, `python:module.Class` or `human`.
"""

from __future__ import annotations

from woodstock.errors import GameError
from woodstock.match.seat import Seat
from woodstock.match.seats.chance import LegalSeat, RandomSeat
from woodstock.match.seats.person import Ask, PersonSeat


def make_seat(spec: str, ask: Ask | None = None, *, simulations: int = 0, ponders: bool = False) -> Seat:
    """Return the seat that `spec` names; `ask` is how a person is asked for a move.

    With `simulations` a built-in player thinks so many of them for each move instead of up to the clock; with `ponders`
    it thinks while others do.
    """
    if spec == "human":
        if ask is None:
            raise GameError("a human needs a terminal: there is none here")
        return PersonSeat(ask)
    if spec.startswith("http://"):
        from woodstock.match.seats.remote import RemoteSeat

        return RemoteSeat(spec)
    if spec.startswith("https://"):
        raise GameError(f"{spec}: the GGP protocol speaks plain http")
    if spec.startswith("lib:"):
        from woodstock.match.seats.library import LibrarySeat

        return LibrarySeat(spec.removeprefix("lib:"))
    if spec.startswith("python:"):
        from woodstock.match.seats.python_object import PythonSeat, import_player

        path = spec.removeprefix("python:")
        return PythonSeat(import_player(path), spec)
    if spec == "random":
        return RandomSeat()
    if spec == "legal":
        return LegalSeat()
    from woodstock.match.seats.builtin import BuiltinSeat

    return BuiltinSeat(spec, ponders=ponders, simulations=simulations)
