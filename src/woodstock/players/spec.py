"""From what a user writes for a player, such as `uct:c=0.7,threads=2`, to a checked `PlayerSpec`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from woodstock.players.options import PlayerError, Value, find_option
from woodstock.players.registry import Kind, find_kind


@dataclass(frozen=True)
class PlayerSpec:
    """A player by name with all its settings; `text` is what the user wrote."""

    text: str
    kind: Kind
    given: Mapping[str, Value] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the search: those of the kind, overridden by the given ones."""
        return {**self.kind.settings, **self.given}

    def __str__(self) -> str:
        return self.text


def parse_spec(text: str | PlayerSpec) -> PlayerSpec:
    """Read a player's specification; PlayerError says what is wrong with it and lists the choices.

    >>> parse_spec("uct:c=0.7,threads=2").settings["exploration"]
    0.7
    """
    if isinstance(text, PlayerSpec):
        return text
    if not isinstance(text, str):
        raise PlayerError(f"a player is given as text such as 'uct:c=0.7', not {text!r}")
    name, colon, rest = text.strip().partition(":")
    kind = find_kind(name)
    given: dict[str, Value] = {}
    parts = [part for part in rest.split(",") if part.strip()]
    if colon and not parts:
        raise PlayerError(f"{text!r}: options are missing after the colon, as in 'uct:c=0.7,threads=2'")
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise PlayerError(f"{text!r}: option {part.strip()!r} needs a value, as in 'c=0.7'")
        try:
            option = find_option(key, kind.options)
        except PlayerError as error:
            raise PlayerError(f"{text!r}: {error}") from None
        try:
            given[option.setting] = option.read(value)
        except ValueError as error:
            raise PlayerError(f"{text!r}: option {key} must be {error}, not {value!r}") from None
    return PlayerSpec(text.strip(), kind, given)
