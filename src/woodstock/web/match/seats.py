"""Who sits where: what a browser asks for becomes a checked `Seat`, and a seat becomes a player.

A browser may name built-in players and addresses of GGP players. It may not name files, Python classes or clusters:
nothing that a page sends reaches the file system.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from woodstock.errors import GameError
from woodstock.players.options import PlayerError, memory
from woodstock.players.player import Player
from woodstock.players.spec import parse_spec

PERSON, PLAYER, URL = "person", "player", "url"
KINDS = (PERSON, PLAYER, URL)
_LONGEST = 200
_ADDRESS = re.compile(r"http://[\w.\-\[\]:]+(:\d{1,5})?/?")
# Options that name another machine.
_REFUSED = ("workers",)


@dataclass(frozen=True, slots=True)
class Seat:
    """A role's place. `owner` is the browser of a person; `invite` the secret of the link that gives the seat away."""

    role: str
    kind: str
    spec: str = ""
    owner: str = ""
    invite: str = ""

    @property
    def name(self) -> str:
        """What the seat is called on the page."""
        return "person" if self.kind == PERSON else self.spec

    def as_json(self) -> dict[str, str]:
        """Return the seat for the store."""
        return {
            "role": self.role, "kind": self.kind, "spec": self.spec, "owner": self.owner, "invite": self.invite,
        }  # fmt: skip


def new_seat(role: str, wanted: Mapping[str, Any], browser: str, tree_memory_mb: int) -> Seat:
    """Return the seat that a browser asks for; GameError says what is wrong with it.

    `wanted` has `kind`, and `spec` for a player or an address; a person with `isOpen` sits in another browser.
    """
    kind, spec = wanted.get("kind"), wanted.get("spec", "")
    if kind not in KINDS or not isinstance(spec, str) or len(spec) > _LONGEST:
        raise GameError(f"a seat is for a {', a '.join(KINDS[:-1])} or a {KINDS[-1]}")
    if kind == PERSON:
        owner = "" if wanted.get("isOpen") else browser
        return Seat(role, PERSON, "", owner, secrets.token_urlsafe(12))
    if kind == URL:
        if _ADDRESS.fullmatch(spec.strip()) is None:
            raise GameError(f"{spec!r} is no address of a GGP player: write http://host:port")
        return Seat(role, URL, spec.strip())
    return Seat(role, PLAYER, checked_spec(spec, tree_memory_mb))


def checked_spec(text: str, tree_memory_mb: int) -> str:
    """Return the specification of a built-in player, within the limits of the site."""
    spec = parse_spec(text)
    for name in _REFUSED:
        if name in spec.given:
            raise PlayerError(f"the option {name} is for the command line")
    most = tree_memory_mb << 20
    if int(spec.given.get("memory_bytes", 0)) > most:
        raise PlayerError(f"a player's tree may have {tree_memory_mb} MiB here")
    cores = os.cpu_count() or 1
    if int(spec.given.get("threads", 1)) > cores:
        raise PlayerError(f"this machine has {cores} cores: a search may have as many threads")
    return spec.text


def make_seated(seat: Seat, tree_memory_mb: int) -> Player:
    """Return the player of a seat that is not a person."""
    if seat.kind == URL:
        from woodstock.players.remote import RemotePlayer

        return RemotePlayer(seat.spec)
    from woodstock.players.search_player import SearchPlayer

    spec = parse_spec(seat.spec)
    if "memory" in spec.kind.options and "memory_bytes" not in spec.given:
        given = {**spec.given, "memory_bytes": memory(f"{tree_memory_mb}MiB")}
        spec = type(spec)(spec.text, spec.kind, given)
    return SearchPlayer(spec)
