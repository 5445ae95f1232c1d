"""Colours of roles and pieces, on the terminal and in SVG. They only repeat what letters say: nothing needs them.

The colours of SVG are those that Okabe and Ito chose to be told apart with any kind of colour vision; each disc has
letters in black or white, whichever stands out more, and a dark rim.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

STYLES = ("bold red", "bold cyan", "bold yellow", "bold green", "bold magenta", "bold blue", "bold white", "red")
DISCS = ("#d55e00", "#56b4e9", "#f0e442", "#009e73", "#cc79a7", "#0072b2", "#e69f00", "#666666")
NEUTRAL = "#e6e6e6"
# Where a name is that of a colour, no other would do.
NAMED = {
    "white": "#ffffff", "black": "#333333", "red": "#d55e00", "blue": "#0072b2", "green": "#009e73",
    "yellow": "#f0e442", "orange": "#e69f00", "purple": "#882d9e", "pink": "#f2a6c8", "teal": "#44aa99",
    "cyan": "#56b4e9", "magenta": "#aa3377", "brown": "#8c564b", "grey": "#999999", "gray": "#999999",
}  # fmt: skip


class Palette:
    """The colours of one game."""

    def __init__(self, roles: Sequence[str]) -> None:
        self._roles = [role.lower() for role in roles]

    def style(self, piece: str) -> str:
        """Return how a piece looks on the terminal."""
        owner = self.owner(piece)
        return "bold" if owner is None else STYLES[owner % len(STYLES)]

    def discs(self, pieces: Collection[str]) -> dict[str, str]:
        """Return the colour of the disc of each piece: that of its owner, or else one of its own if there are few."""
        named = {piece: NAMED[word] for piece in pieces for word in NAMED if word in piece.lower()}
        if named:
            return {piece: named.get(piece) or self._disc(piece) for piece in pieces}
        owners = {piece: self.owner(piece) for piece in pieces}
        if any(owner is not None for owner in owners.values()) or len(pieces) > len(DISCS):
            return {piece: self._disc(piece) for piece in pieces}
        return dict(zip(sorted(pieces), DISCS, strict=False))

    def _disc(self, piece: str) -> str:
        """Return the colour of the owner of a piece: by the colour the role is called, or by its number."""
        owner = self.owner(piece)
        if owner is None:
            return NEUTRAL
        word = next((word for word in NAMED if word in self._roles[owner]), None)
        return DISCS[owner % len(DISCS)] if word is None else NAMED[word]

    def owner(self, piece: str) -> int | None:
        """Return the index of the role that a piece seems to belong to: by name, else by the first letter."""
        name = piece.lower()
        owners = [i for i, role in enumerate(self._roles) if role in name.split() or name.startswith(role)]
        if len(self._roles) > 1:
            owners += [i for i, role in enumerate(self._roles) if name[:1] == role[:1]]
        return owners[0] if owners else None


def ink(background: str) -> str:
    """Return black or white, whichever reads better on a colour such as `#0072b2`."""
    red, green, blue = (_linear(int(background[i : i + 2], 16) / 255) for i in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # Equal contrast with both at (L + 0.05)^2 = 1.05 * 0.05.
    return "#000000" if luminance > 0.179 else "#ffffff"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
