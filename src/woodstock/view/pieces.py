"""Short names for pieces, so that a board fits: short ones as they are, others one or two letters and a legend."""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Collection, Sequence

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
AS_IT_IS = 2
MOST = 3
_NUMBERED = re.compile(r"^(\D*)(\d+)$")


def short_names(pieces: Sequence[str]) -> dict[str, str]:
    """Return a short, distinct name for each piece.

    >>> short_names(["red", "black"])
    {'red': 'r', 'black': 'b'}
    >>> short_names(["whiteKing", "whiteKnight", "blackKing", "blackKnight"])["blackKnight"]
    'bn'
    >>> short_names(["n", "ne", "e", "dark"])
    {'n': 'n', 'ne': 'ne', 'e': 'e', 'dark': 'd'}
    """
    if all(len(piece) <= AS_IT_IS for piece in pieces):
        return {piece: piece for piece in pieces}
    telling = _telling_letters(pieces)
    if telling is not None:
        return telling
    as_they_are = {piece: piece for piece in pieces if len(piece) <= AS_IT_IS}
    telling = _telling_letters([piece for piece in pieces if piece not in as_they_are], as_they_are)
    if telling is not None:
        return {piece: as_they_are.get(piece) or telling[piece] for piece in pieces}
    if all(len(piece) <= MOST for piece in pieces):
        return {piece: piece for piece in pieces}
    numbered = [_NUMBERED.match(piece) for piece in pieces]
    tails = [found[2] for found in numbered if found is not None]
    if len(set(tails)) == len(pieces) and max(map(len, tails)) <= MOST + 1:
        return dict(zip(pieces, tails, strict=True))  # piece0101 and the like: the digits suffice
    # Names that are too similar or too many: use any letters; the legend explains them.
    letters = itertools.chain(string.ascii_letters, map("".join, itertools.product(string.ascii_letters, repeat=2)))
    return dict(zip(pieces, letters, strict=False))


def _telling_letters(pieces: Sequence[str], taken: Collection[str] = ()) -> dict[str, str] | None:
    """Return the initials of all parts but the last, and one letter of that; None if the letters run out.

    Names in `taken` are not used.
    """
    found: dict[str, str] = {}
    for piece in pieces:
        parts = _PART.findall(piece)
        if not parts:
            return None
        head = "".join(part if part.isdigit() else part[0].lower() for part in parts[:-1])
        tails = [parts[-1]] if parts[-1].isdigit() else parts[-1].lower()
        name = next((head + tail for tail in tails if head + tail not in {*found.values(), *taken}), None)
        if name is None or len(name) > MOST:
            return None
        found[piece] = name
    return found
