"""The matches of a batch without the circuit: one state after the other, by the interpreter.

Slow, for rules that do not ground. The moves and fluents are those that the rulesheet declares by `input` and `base`.
The arrays, the flags and the streams of chance mean the same as in `NativeMatches`; the draws are others.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from woodstock.env.settings import Settings
from woodstock.game.engine import Numbering, Payload
from woodstock.game.game import Game
from woodstock.game.state import State, payload_of
from woodstock.gdl.chance import is_chance


class SlowMatches:
    """Implements the matches of `Batch` for a game on the interpreter."""

    def __init__(self, game: Game, settings: Settings, numbering: Numbering) -> None:
        self._game, self._settings = game, settings
        self._fluents = {text: index for index, text in enumerate(numbering.fluents)}
        self._players = [game.role_index(role) for role in settings.players]
        self._moves = [numbering.moves[role] for role in self._players]
        self._index = [{text: index for index, text in enumerate(moves)} for moves in self._moves]
        n, players, size = settings.n, len(self._players), len(settings.plan.names)
        rows = 1 if settings.is_single else players
        self._most = max(map(len, self._moves))
        self._bytes = {
            "observations": _bytes(size, settings.packed),
            "masks": _bytes(self._most, settings.masks == "bits"),
        }
        self.arrays: dict[str, NDArray[Any]] = {
            "observations": np.zeros((n, 1, self._bytes["observations"]), np.uint8),
            "goals": np.zeros((n, players), np.int32),
            "turn": np.ones(n, np.int32),
            "terminal": np.zeros(n, np.uint8),
            "truncated": np.zeros(n, np.uint8),
            "to_move": np.full(n, -1, np.int8),
        }
        if settings.masks != "none":
            self.arrays["masks"] = np.zeros((n, rows, self._bytes["masks"]), np.uint8)
        if settings.keeps_finals:
            self.arrays["finals"] = np.zeros_like(self.arrays["observations"])
        self._starts = [State(game, start) for start in settings.starts]
        self.reset(settings.seed)

    def reset(self, seed: int) -> None:
        self._chance = [random.Random(f"chance {seed} {match}") for match in range(self._settings.n)]
        self._sampler = random.Random(f"sample {seed}")
        self._states = [self._start(match) for match in range(self._settings.n)]
        self._legal: list[list[list[int]]] = [[] for _ in self._states]
        self._is_over = [False] * self._settings.n
        self.restart(np.ones(self._settings.n, np.uint8))

    def _start(self, match: int) -> State:
        return self._starts[0] if len(self._starts) == 1 else self._chance[match].choice(self._starts)

    def restart(self, which: NDArray[np.uint8]) -> None:
        for match in np.flatnonzero(which).tolist():
            self._begin(match)
            self._show(match)

    def _begin(self, match: int) -> None:
        self._states[match], self._is_over[match] = self._start(match), False
        for name, value in (("goals", 0), ("turn", 1), ("terminal", 0), ("truncated", 0)):
            self.arrays[name][match] = value

    def step(self, moves: Any, only: NDArray[np.uint8] | None) -> tuple[str, int, int, int] | None:
        """Make a joint move in each match, or return why not: reason, match, player, index."""
        given = np.asarray(moves).reshape(self._settings.n, -1)
        moving = range(self._settings.n) if only is None else np.flatnonzero(only).tolist()
        chosen: dict[int, list[int]] = {}
        for match in moving:
            row = [] if self._is_over[match] else self._resolve(match, given[match].tolist())
            if isinstance(row, tuple):
                return row
            chosen[match] = row
        for match in range(self._settings.n):
            if match in chosen:
                self._advance(match, chosen[match])
            elif not self._is_over[match]:
                for name in ("goals", "terminal", "truncated"):
                    self.arrays[name][match] = 0
        return None

    def _resolve(self, match: int, given: Sequence[int]) -> list[int] | tuple[str, int, int, int]:
        found = []
        for player, legal in enumerate(self._legal[match]):
            if self._settings.is_single and player != self.arrays["to_move"][match]:
                if len(legal) != 1:
                    return "several", match, player, 0
                found.append(legal[0])
                continue
            index = given[0] if self._settings.is_single else given[player]
            if index == -1 and len(legal) == 1:
                index = legal[0]
            if not 0 <= index < len(self._moves[player]):
                return "choice" if index == -1 else "range", match, player, index
            if index not in legal:
                return "illegal", match, player, index
            found.append(index)
        return found

    def _advance(self, match: int, row: list[int]) -> None:
        if self._is_over[match]:
            if self._settings.autoreset != "never":
                self._begin(match)
                self._show(match)
            return
        state = self._states[match]
        joint = {}
        for role in self._game.roles:
            if is_chance(role):
                joint[role] = self._chance[match].choice(state.legal(role))
        for player, index in enumerate(row):
            joint[self._game.roles[self._players[player]]] = self._moves[player][index]
        self._states[match] = state.next(joint)
        self.arrays["turn"][match] += 1
        self._end(match)
        self._show(match)

    def _end(self, match: int) -> None:
        state, settings = self._states[match], self._settings
        is_stuck = not all(state.legal(role) for role in self._game.roles)
        is_cut = not state.is_terminal and (
            is_stuck or (settings.max_steps != 0 and self.arrays["turn"][match] > settings.max_steps)
        )
        self.arrays["terminal"][match], self.arrays["truncated"][match] = state.is_terminal, is_cut
        scores = state.scores if state.is_terminal else {}
        self.arrays["goals"][match] = [scores.get(role, 0) for role in settings.players]
        if not state.is_terminal and not is_cut:
            return
        if settings.autoreset == "same":
            if settings.keeps_finals:
                self.arrays["finals"][match] = self._observation(match)
            self._states[match] = self._start(match)
            self.arrays["turn"][match] = 1
        else:
            self._is_over[match] = True

    def _observation(self, match: int) -> NDArray[np.uint8]:
        vector = np.zeros(len(self._fluents), np.uint8)
        vector[[self._fluents[text] for text in self._states[match].fluents if text in self._fluents]] = 1
        return _packed(vector, self._bytes["observations"]) if self._settings.packed else vector

    def _show(self, match: int) -> None:
        state = self._states[match]
        legal = [
            sorted(index[text] for text in state.legal(self._game.roles[role]) if text in index)
            for index, role in zip(self._index, self._players, strict=True)
        ]
        self._legal[match] = legal
        choices = [player for player, moves in enumerate(legal) if len(moves) > 1]
        mover = -1 if not choices else choices[0] if len(choices) == 1 else -2
        self.arrays["to_move"][match] = mover
        self.arrays["observations"][match] = self._observation(match)
        if self._settings.masks == "none":
            return
        shown = [max(mover, 0)] if self._settings.is_single else range(len(legal))
        for row, player in enumerate(shown):
            mask = np.zeros(self._most, np.uint8)
            mask[range(len(self._moves[player])) if self._is_over[match] else legal[player]] = 1
            self.arrays["masks"][match, row] = (
                _packed(mask, self._bytes["masks"]) if self._settings.masks == "bits" else mask
            )

    def sample(self, to: NDArray[np.int32]) -> None:
        for match, legal in enumerate(self._legal):
            row = [0 if self._is_over[match] else self._sampler.choice(moves) for moves in legal]
            to[match] = row[max(int(self.arrays["to_move"][match]), 0)] if self._settings.is_single else row

    def save(self) -> list[Payload]:
        return [payload_of(state) for state in self._states]

    def load(self, states: list[Payload], turns: NDArray[np.int32]) -> None:
        for match, payload in enumerate(states):
            self._states[match], self._is_over[match] = State(self._game, payload), False
            self.arrays["turn"][match] = turns[match]
            self._end(match)
            self._show(match)

    def legal_indices(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        rows = [moves for legal in self._legal for moves in legal]
        flat = [index for row in rows for index in row]
        return np.array(flat, np.int32), np.cumsum([0, *map(len, rows)], dtype=np.int64)

    def ambiguities(self) -> list[tuple[int, int, Payload]]:
        return []


def _bytes(bits: int, packed: bool) -> int:
    return (bits + 63) // 64 * 8 if packed else bits


def _packed(bits: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    return np.pad(row := np.packbits(bits, bitorder="little"), (0, size - len(row)))
