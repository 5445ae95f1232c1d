"""One match, move by move: what the environments of single matches have in common.

It shows the same observations and masks as `Batch` does, and takes the same move indices.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from woodstock.env.observation import ObservationPlan
from woodstock.env.settings import check_count, numbered, plan_for, players_of
from woodstock.errors import GameError, IllegalMoveError
from woodstock.game.game import Game
from woodstock.game.load import load
from woodstock.game.state import State
from woodstock.information import InformationState
from woodstock.information.referee import Views

ILLEGAL = ("error", "random")


class SingleMatch:
    """A match with its chance. Players are numbered as in `roles`; moves by the indices of `names[player]`."""

    def __init__(
        self, game: Game | str, *, observe: str, perspective: bool, max_steps: int | None, illegal: str, strict: bool
    ) -> None:
        self.game = game = load(game) if isinstance(game, str) else game
        if illegal not in ILLEGAL:
            raise GameError(f"illegal must be one of {', '.join(map(repr, ILLEGAL))}, not {illegal!r}")
        self.roles = players_of(game)
        numbering = numbered(game, strict)
        self.plan: ObservationPlan = plan_for(game, self.roles, numbering, observe, perspective)
        self._fluents = {text: index for index, text in enumerate(numbering.fluents)}
        self.names = tuple(
            tuple(numbering.moves[game.role_index(role)][index] for index in own.tolist())
            for role, own in zip(self.roles, self.plan.moves, strict=True)
        )
        self._index = [{text: index for index, text in enumerate(names)} for names in self.names]
        self.size = max(map(len, self.names))
        self._illegal = illegal
        self._max_steps = None if max_steps is None else check_count("max_steps", max_steps)
        self._chance = random.Random()
        self.begin(None)

    def begin(self, seed: int | None, state: State | None = None) -> None:
        """Start over; a seed fixes what chance does from here on, without one it goes on as before."""
        if seed is not None:
            self._chance.seed(seed)
        self.state = self.game.initial if state is None else state
        self._states = [self.state]
        self._views = Views()
        self.steps = 0
        self._last: dict[str, str] | None = None
        self._seen: list[set[str]] = [set() for _ in self.roles]

    @property
    def start(self) -> State:
        """The state in which the match began."""
        return self._states[0]

    def view_of(self, player: int) -> InformationState:
        """Return what the player knows: its own moves and percepts so far."""
        return self._views.of(self.roles[player], self._states)

    @property
    def is_truncated(self) -> bool:
        """Whether the match was cut: by the bound on steps, or because a role has no legal move."""
        if self.state.is_terminal:
            return False
        is_cut = self._max_steps is not None and self.steps >= self._max_steps
        return is_cut or not all(self.state.legal(role) for role in self.game.roles)

    @property
    def is_over(self) -> bool:
        """Whether no further move can be made."""
        return self.state.is_terminal or self.is_truncated

    @property
    def rewards(self) -> list[float]:
        """The goal of each player divided by 100 if the match has ended by its rules, else 0."""
        scores = self.state.scores if self.state.is_terminal else {}
        return [scores.get(role, 0) / 100 for role in self.roles]

    def legal(self, player: int) -> list[int]:
        """Return the indices of the player's legal moves, ascending."""
        index = self._index[player]
        return sorted(index[text] for text in self.state.legal(self.roles[player]) if text in index)

    def choosers(self) -> list[int]:
        """Return the players that have more than one legal move."""
        return [] if self.is_over else [player for player in range(len(self.roles)) if len(self.legal(player)) > 1]

    def mask(self, player: int) -> NDArray[np.int8]:
        """Return one flag for each move; in a match that is over every move is allowed, and ignored."""
        mask = np.zeros(self.size, dtype=np.int8)
        mask[range(len(self.names[player])) if self.is_over else self.legal(player)] = 1
        return mask

    def observation(self, player: int) -> NDArray[np.uint8]:
        """Return what the player sees."""
        views = self.plan.views
        sources = views[player if len(views) > 1 else 0]
        if self.plan.is_hidden:
            values = [self._shows(player, name) for name in self.plan.names_of(player)]
            return np.array(values + [0] * (len(sources) - len(values)), dtype=np.uint8).reshape(self.plan.shape)
        holds = np.zeros(len(self._fluents) + 1, dtype=np.uint8)
        holds[[self._fluents[text] for text in self.state.fluents if text in self._fluents]] = 1
        return holds[np.where(sources >= 0, sources, len(self._fluents))].reshape(self.plan.shape)

    def _shows(self, player: int, name: tuple[str, str]) -> int:
        kind, text = name
        if kind == "sees":
            return int(text in self._seen[player])
        if kind == "did":
            return int(self._last is not None and self._last[self.roles[player]] == text)
        return int(self._last is None)

    def resolve(self, player: int, index: object) -> int:
        """Return the move to make for the one given: itself, or a random one if it is illegal and that is allowed."""
        legal = self.legal(player)
        if not hasattr(index, "__index__"):
            raise GameError(f"the move of {self.roles[player]} must be an index, not {index!r}")
        number = int(index.__index__())
        if number in legal:
            return number
        if self._illegal == "random":
            return self._chance.choice(legal)
        names, role = self.names[player], self.roles[player]
        if not 0 <= number < len(names):
            raise GameError(f"{role} has moves 0 to {len(names) - 1}, not {number}")
        raise IllegalMoveError(names[number], role, [names[i] for i in legal], turn=self.state.turn)

    def advance(self, indices: Sequence[int]) -> None:
        """Make a joint move of legal moves; chance draws its own."""
        moves = [names[index] for names, index in zip(self.names, indices, strict=True)]
        joint = dict(zip(self.roles, moves, strict=True))
        for role in self.game.roles:
            if role not in joint:
                joint[role] = self._chance.choice(self.state.legal(role))
        self.state = self.state.next(joint)
        self._states.append(self.state)
        self.steps += 1
        self._last = joint
        if self.plan.is_hidden:
            self._seen = [set(self.state.sees(role)) for role in self.roles]

    def only_moves(self) -> list[int] | None:
        """Return the joint move of players without a choice, or None if one of them has a choice."""
        return None if self.choosers() else [self.legal(player)[0] for player in range(len(self.roles))]

    def remember(self, player: int, seen: set[str]) -> None:
        """Add percepts of steps that were skipped to what the player sees now."""
        self._seen[player] |= seen

    def seen(self, player: int) -> set[str]:
        """Return the percepts that the player sees now."""
        return set(self._seen[player])
