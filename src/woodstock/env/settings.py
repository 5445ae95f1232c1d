"""How a batch is set up: checked values that both kinds of matches take."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from woodstock.env.observation import ObservationPlan, plan_observation
from woodstock.errors import GameError, IllegalMoveError
from woodstock.game.declared import declared
from woodstock.game.engine import Numbering, Payload
from woodstock.game.game import Game
from woodstock.gdl.chance import without_chance

AUTORESET = ("same", "next", "never")
MASKS = ("bytes", "bits", "none")
TURNS = ("joint", "single")
DEVICES = ("cpu",)


class SlowGameWarning(UserWarning):
    """A game runs on the interpreter, thousands of times slower than on the circuit."""


class BatchMoveError(IllegalMoveError):
    """A move index of a step is not legal; nothing was stepped. Has `match`, `index`, `move`, `role` and `legal`."""

    def __init__(self, match: int, index: int, move: str, role: str, legal: Sequence[str], turn: int | None) -> None:
        super().__init__(move, role, legal, turn)
        self.match, self.index = match, index
        self.args = (f"match {match}: {self.args[0]} (index {index}); no match was stepped",)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.match, self.index, self.move, self.role, self.legal, self.turn)


@dataclass(frozen=True)
class Settings:
    """What a batch needs to know besides the game."""

    n: int
    seed: int
    threads: int
    plan: ObservationPlan
    players: tuple[str, ...]
    packed: bool
    masks: str
    is_single: bool
    autoreset: str
    max_steps: int
    keeps_finals: bool
    starts: tuple[Payload, ...]


def check_choice(name: str, value: object, known: Sequence[str]) -> None:
    """Refuse a value that is not among the known ones."""
    if value not in known:
        raise GameError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")


def check_count(name: str, value: object, least: int = 1) -> int:
    """Return a whole number of at least `least`, or refuse it."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise GameError(f"{name} must be a whole number of at least {least}, not {value!r}")
    number = int(value.__index__())
    if number < least:
        raise GameError(f"{name} must be a whole number of at least {least}, not {number}")
    return number


def players_of(game: Game) -> tuple[str, ...]:
    """Return the roles that choose their moves: all but the role of chance."""
    found = without_chance(game.roles)
    if not found:
        raise GameError(f"{game.name} has no role but chance, so there is nothing to learn")
    return found


def numbered(game: Game, strict: bool) -> Numbering:
    """Return the numbers of fluents and moves; a game on the interpreter is warned about, or refused if `strict`."""
    numbering = game.engine.numbering
    if numbering is not None:
        return numbering
    if strict:
        raise GameError(f"{game.name} runs on the interpreter, which strict=True refuses. " + " ".join(game.notes))
    warnings.warn(
        f"{game.name} runs on the interpreter: learning from it is thousands of times slower than on the circuit",
        SlowGameWarning,
        stacklevel=4,
    )
    return _declared_numbering(game)


def plan_for(game: Game, players: Sequence[str], numbering: Numbering, kind: str, perspective: bool) -> ObservationPlan:
    """Decide what observations show; on the interpreter, only fluents."""
    if game.engine.numbering is not None:
        return plan_observation(game, players, kind, perspective=perspective)
    if kind != "fluents" or perspective or game.has_percepts:
        raise GameError(
            f"{game.name} runs on the interpreter: there are only fluents to observe, without perspective, planes or "
            "percepts"
        )
    moves = tuple(np.arange(len(numbering.moves[game.role_index(role)])) for role in players)
    views = np.arange(len(numbering.fluents), dtype=np.int32)[None]
    return ObservationPlan((len(numbering.fluents),), numbering.fluents, views, moves, False)


def _declared_numbering(game: Game) -> Numbering:
    """Return the fluents and moves that the rules declare, sorted, or say that they do not."""
    found = declared(game.program)
    if found.base is None or found.inputs is None:
        raise GameError(
            f"{game.name} runs on the interpreter, and its rules do not declare which fluents and moves there are: "
            "add base and input, or give grounding more time. " + " ".join(game.notes)
        )
    moves = tuple(tuple(sorted(move for role, move in found.inputs if role == i)) for i in range(len(game.roles)))
    return Numbering(tuple(sorted(found.base)), moves)
