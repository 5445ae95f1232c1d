"""The settings that are tuned. A method sees each of them as a place in 0..1; a player sees its value as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """An option of the player with its range, or with its choices. `start` is the value that the search begins with."""

    name: str
    least: float = 0.0
    most: float = 1.0
    start: float = 0.0
    is_log: bool = False
    is_whole: bool = False
    choices: tuple[str, ...] = ()

    def place(self, value: float) -> float:
        """Return where a number lies in the range, from 0 to 1.

        >>> Setting("lanes", 1, 256, is_log=True).place(16)
        0.5
        """
        least, most, value = (math.log(one) if self.is_log else one for one in (self.least, self.most, value))
        return min(1.0, max(0.0, (value - least) / (most - least)))

    def place_of(self, text: str) -> float:
        """Return the place of a value as a specification has it."""
        if not self.choices:
            return self.place(float(text))
        return (self.choices.index(text) + 0.5) / len(self.choices)

    @property
    def start_place(self) -> float:
        """The place of the value to begin with; the first of several choices."""
        return 0.5 / len(self.choices) if self.choices else self.place(self.start)

    def text(self, place: float) -> str:
        """Return the value at a place as a specification has it.

        >>> Setting("lanes", 1, 256, is_log=True, is_whole=True).text(0.5), Setting("c", 0, 2).text(0.33333)
        ('16', '0.6667')
        """
        place = min(1.0, max(0.0, place))
        if self.choices:
            return self.choices[min(len(self.choices) - 1, int(place * len(self.choices)))]
        if self.is_log:
            value = self.least * (self.most / self.least) ** place
        else:
            value = self.least + place * (self.most - self.least)
        return str(round(value)) if self.is_whole else f"{value:.4g}"


@dataclass(frozen=True, slots=True)
class Space:
    """A player's specification and the settings that are added to it."""

    player: str
    settings: tuple[Setting, ...]

    def spec(self, places: Sequence[float]) -> str:
        """Return the specification of the player with these settings.

        >>> Space("uct:threads=2", (Setting("c", 0, 2),)).spec([0.25])
        'uct:threads=2,c=0.5'
        """
        given = ",".join(f"{one.name}={one.text(place)}" for one, place in zip(self.settings, places, strict=True))
        return f"{self.player}{',' if ':' in self.player else ':'}{given}"

    def places(self, spec: str) -> list[float]:
        """Return the places of a specification that `spec` made."""
        values = dict(part.split("=", 1) for part in spec[len(self.player) + 1 :].split(","))
        return [one.place_of(values[one.name]) for one in self.settings]

    @property
    def start(self) -> list[float]:
        """The places to begin with."""
        return [one.start_place for one in self.settings]
