"""What an observation shows, position by position: the plan that native code and the slow batch both follow.

Comes in: a grounded `Game`. Goes out: an `ObservationPlan`: a name for each position, and for each role the fluent,
percept or move that the position shows. If the rules hide something, a role sees its percepts of the last joint move
and its own last move, or that it is the first turn; never the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock.env.perspective import Perspective, find_perspectives
from woodstock.env.planes import Planes, find_planes
from woodstock.errors import GameError
from woodstock.game.game import Game

KINDS = ("fluents", "planes")
ZERO, FIRST_TURN = -1, -3
# Larger observations are almost surely a mistake: a batch of a thousand would need a gigabyte.
MOST_POSITIONS = 1_000_000


@dataclass(frozen=True)
class ObservationPlan:
    """`names` has a text for each position; `views` the sources of each role's positions, one row if all see the same.

    A source is a fluent's index, `ZERO`, `FIRST_TURN`, or beyond the fluents a percept, and beyond those a move of the
    last step. `moves[player]` has the index in `Game.moves(role)` behind each move index of the environment.
    """

    shape: tuple[int, ...]
    names: tuple[str, ...]
    views: NDArray[np.int32]
    moves: tuple[NDArray[np.int64], ...]
    is_hidden: bool
    planes: tuple[str, ...] = ()
    seen: tuple[tuple[tuple[str, str], ...], ...] = ()

    def names_of(self, player: int) -> tuple[tuple[str, str], ...]:
        """Return what a player's positions show if the state is hidden: (`sees`, percept) or (`did`, move)."""
        return self.seen[player]


def plan_observation(game: Game, players: Sequence[str], kind: str, *, perspective: bool) -> ObservationPlan:
    """Decide what each position of an observation shows."""
    if kind not in KINDS:
        raise GameError(f"no observation {kind!r}; there are {' and '.join(repr(k) for k in KINDS)}")
    if game.has_percepts:
        return _hidden(game, players, kind, perspective)
    fluents = game.fluents
    planes: Planes | None = find_planes(game) if kind == "planes" else None
    seen = np.arange(len(fluents), dtype=np.int32) if planes is None else planes.sources
    if len(seen) > MOST_POSITIONS:
        raise GameError(
            f"an observation of {game.name} would have {len(seen):,} positions; observe='fluents' has fewer"
        )
    names = tuple(fluents[source] if source >= 0 else "" for source in seen.tolist())
    moves = tuple(np.arange(len(game.moves(role))) for role in players)
    views = seen[None]
    if perspective:
        found = find_perspectives(game, players)
        views = np.stack([_seen_by(seen, one) for one in found])
        moves = tuple(one.moves for one in found)
    shape = (len(fluents),) if planes is None else planes.shape
    return ObservationPlan(shape, names, views.astype(np.int32), moves, False, () if planes is None else planes.names)


def _seen_by(seen: NDArray[np.int32], perspective: Perspective) -> NDArray[np.int32]:
    """Return the sources of the same positions for a role that takes the part of the first one."""
    return np.where(seen >= 0, perspective.fluents[np.maximum(seen, 0)], seen).astype(np.int32)


def _hidden(game: Game, players: Sequence[str], kind: str, perspective: bool) -> ObservationPlan:
    if kind != "fluents":
        raise GameError(f"{game.name} hides its state, so there are no planes of it: observe='fluents' shows percepts")
    if perspective:
        raise GameError(f"{game.name} hides its state: observations are already those of each role")
    ground = game.ground
    if ground is None:
        raise GameError(f"{game.name} runs on the interpreter, which does not number percepts")
    first_move = np.cumsum([0, *map(len, ground.moves)]) + len(game.fluents) + len(ground.sees)
    rows: list[list[int]] = []
    seen: list[tuple[tuple[str, str], ...]] = []
    for role in players:
        index = game.role_index(role)
        percepts = [(len(game.fluents) + k, text) for k, (owner, text, _) in enumerate(ground.sees) if owner == index]
        made = [(int(first_move[index]) + k, text) for k, text in enumerate(ground.moves[index])]
        rows.append([FIRST_TURN, *(source for source, _ in percepts + made)])
        texts = [("sees", text) for _, text in percepts] + [("did", text) for _, text in made]
        seen.append((("first", "turn"), *texts))
    size = max(map(len, rows))
    views = np.full((len(players), size), ZERO, dtype=np.int32)
    for view, row in zip(views, rows, strict=True):
        view[: len(row)] = row
    # Positions of the first role that has the most of them; names of the others are in `seen`.
    names = tuple(" ".join(one) for one in max(seen, key=len))
    moves = tuple(np.arange(len(game.moves(role))) for role in players)
    return ObservationPlan((size,), names, views, moves, True, seen=tuple(seen))
