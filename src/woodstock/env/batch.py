"""Thousands of matches of one game, stepped together by moves that the caller chooses.

Comes in: a game, and in each step one move index for each role and match. Goes out: a `Frame` of arrays over buffers
that every step overwrites: copy what you keep. The arrays live on `Batch.device`, and any library takes them by DLPack
without a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from woodstock.env.native_matches import NativeMatches
from woodstock.env.settings import (
    AUTORESET,
    DEVICES,
    MASKS,
    TURNS,
    BatchMoveError,
    Settings,
    check_choice,
    check_count,
    numbered,
    plan_for,
    players_of,
)
from woodstock.env.slow_matches import SlowMatches
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.load import load
from woodstock.game.state import State, is_state_of, payload_of

_SEED_MASK = 2**64 - 1
# More bytes of masks than this are refused with advice; a caller that wants them says so.
MOST_MASK_BYTES = 2 << 30


@dataclass(frozen=True)
class Frame:
    """What a batch shows after a step; always the same arrays, overwritten by every step.

    `observations`, `masks`: see `Batch`. `goals`: for each role the goal of a match that ended in this step, else 0.
    `terminal`: the match ended by its rules. `truncated`: it was cut at `max_steps`, or a role had no legal move.
    `to_move`: the position in `Batch.roles` of the one role that has a choice; -1 if none has, -2 if several have.
    `turn`: the number of the joint move to be made, 1 at the start. `finals`: with `finals=True`, the observations of
    the states in which matches ended in this step; other rows are old.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8] | None
    goals: NDArray[np.int32]
    terminal: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    to_move: NDArray[np.int8]
    turn: NDArray[np.int32]
    finals: NDArray[np.uint8] | None = None


class Batch:
    """`n` matches of a game, each with its own moves. See the page "Learning" for what each option is good for.

    Moves are an integer array of shape (n, roles); -1 stands for the only legal move of a role without a choice. With
    `turns="single"` there is one move for each match, that of the role in `Frame.to_move`.

    >>> batch = Batch("connect-four", 1024, seed=1)
    >>> batch.roles, batch.moves("red")[:2], batch.observation_shape
    (('red', 'black'), ('(drop 1)', '(drop 2)'), (128,))
    >>> for _ in range(100):
    ...     frame = batch.step(batch.sample())
    >>> frame.goals[frame.terminal].sum(axis=1).tolist() == [100] * int(frame.terminal.sum())
    True
    """

    device = "cpu"

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        seed: int = 0,
        threads: int = 1,
        observe: str = "fluents",
        perspective: bool = False,
        packed: bool = False,
        masks: str = "bytes",
        turns: str = "joint",
        autoreset: str = "same",
        max_steps: int | None = None,
        starts: Sequence[State] | None = None,
        finals: bool = False,
        device: str = "cpu",
        strict: bool = False,
    ) -> None:
        self.game = game = load(game) if isinstance(game, str) else game
        self.n = check_count("n, the number of matches,", n)
        check_choice("masks", masks, MASKS)
        check_choice("turns", turns, TURNS)
        check_choice("autoreset", autoreset, AUTORESET)
        check_choice("device", device, DEVICES)
        self.roles = players_of(game)
        self._numbering = numbered(game, strict)
        self._is_single, self._masks, self._packed = turns == "single", masks, packed
        self.plan = plan_for(game, self.roles, self._numbering, observe, perspective)
        self._move_names = tuple(
            tuple(self._numbering.moves[game.role_index(role)][index] for index in own.tolist())
            for role, own in zip(self.roles, self.plan.moves, strict=True)
        )
        self.mask_size = max(map(len, self._move_names))
        self._refuse_huge_masks()
        settings = Settings(
            n=self.n,
            seed=_seed(seed),
            threads=check_count("threads", threads),
            plan=self.plan,
            players=self.roles,
            packed=packed,
            masks=masks,
            is_single=self._is_single,
            autoreset=autoreset,
            max_steps=0 if max_steps is None else check_count("max_steps", max_steps),
            keeps_finals=finals,
            starts=tuple(payload_of(state) for state in self._checked_starts(starts)),
        )
        self._matches: NativeMatches | SlowMatches | None
        if game.engine_name == "circuit":
            self._matches = NativeMatches(game, settings)
        else:
            self._matches = SlowMatches(game, settings, self._numbering)
        self._frame = self._framed(self._matches.arrays)
        shape = (self.n,) if self._is_single else (self.n, len(self.roles))
        self._sampled = np.zeros(shape, dtype=np.int32)

    # What the arrays mean.

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of one role's observation of one match."""
        return self._frame.observations.shape[self._frame.observations.ndim - len(self._shape) :]

    @property
    def observation_names(self) -> tuple[str, ...]:
        """What each position of an observation shows, in order; empty where it shows nothing.

        >>> Batch("tic-tac-toe", 1).observation_names[:2]
        ('(cell 1 1 b)', '(cell 1 1 o)')
        """
        return self.plan.names

    def moves(self, role: str) -> tuple[str, ...]:
        """Return the moves of a role; positions are the indices of masks and moves.

        >>> Batch("tic-tac-toe", 1).moves("x")[0]
        '(mark 1 1)'
        """
        return self._move_names[self._player(role)]

    @property
    def frame(self) -> Frame:
        """The arrays, as of the last step or reset."""
        return self._frame

    # Playing.

    def reset(self, seed: int | None = None) -> Frame:
        """Start all matches over; with a seed, chance and samples begin their streams anew."""
        matches = self._open()
        if seed is None:
            matches.restart(np.ones(self.n, dtype=np.uint8))
        else:
            matches.reset(_seed(seed))
        return self._frame

    def restart(self, which: NDArray[np.bool_]) -> Frame:
        """Start the flagged matches over; for `autoreset="never"`."""
        self._open().restart(self._checked_flags("which", which))
        return self._frame

    def step(self, moves: Any, only: NDArray[np.bool_] | None = None) -> Frame:
        """Make one joint move in every match, or in those flagged by `only`; the others wait.

        Any array with DLPack is taken as it is if it is int32 or int64. An illegal index raises `BatchMoveError` (an
        `IllegalMoveError`) with `match`, `role` and `move`; no match has been stepped then.
        """
        matches = self._open()
        flags = None if only is None else self._checked_flags("only", only)
        refusal = matches.step(self._checked_moves(moves), flags)
        if refusal is not None:
            raise self._refused(*refusal)
        for match, player, payload in matches.ambiguities():
            scores = State(self.game, payload).scores
            self._frame.goals[match, player] = scores[self.roles[player]]
        return self._frame

    def sample(self) -> NDArray[np.int32]:
        """Return uniformly random legal moves, in the shape that `step` takes; the next call overwrites them."""
        self._open().sample(self._sampled)
        return self._sampled

    def legal_indices(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return all legal moves without masks: the sparse form, for games with very many moves.

        The moves of match i and role r are `indices[begins[k] : begins[k + 1]]` with k = i * len(roles) + r.

        >>> batch = Batch("tic-tac-toe", 2, masks="none")
        >>> indices, begins = batch.legal_indices()
        >>> begins.tolist(), indices[begins[1] : begins[2]].tolist()
        ([0, 9, 10, 19, 20], [9])
        """
        return self._open().legal_indices()

    def states(self) -> list[State]:
        """Return the state of every match."""
        return [State(self.game, payload) for payload in self._open().save()]

    def set_states(self, states: Sequence[State], turn: int = 1) -> Frame:
        """Put every match into a state; `turn` is the number of the joint move to be made there."""
        matches = self._open()
        if len(states) != self.n:
            raise GameError(f"set_states needs {self.n} states, one for each match: {len(states)} given")
        for state in states:
            self._check_state(state)
        matches.load([payload_of(state) for state in states], np.full(self.n, turn, dtype=np.int32))
        return self._frame

    def close(self) -> None:
        """Free the matches; arrays that you hold stay as they are."""
        self._matches = None

    def __repr__(self) -> str:
        return f"<Batch of {self.n} matches of {self.game.name}; {self.game.engine_name}>"

    # Checks.

    def _open(self) -> NativeMatches | SlowMatches:
        if self._matches is None:
            raise GameError(f"this batch of {self.game.name} was closed; make a new one")
        return self._matches

    def _refuse_huge_masks(self) -> None:
        rows = self.n * (1 if self._is_single else len(self.roles))
        needed = rows * self.mask_size // (8 if self._masks == "bits" else 1)
        if self._masks != "none" and needed > MOST_MASK_BYTES:
            raise GameError(
                f"{self.game.name} has {self.mask_size:,} moves: masks of {self.n:,} matches would take "
                f"{needed / 2**30:.1f} GiB. Use fewer matches, masks='bits', or masks='none' with legal_indices(), "
                "the sparse form"
            )

    def _checked_starts(self, starts: Sequence[State] | None) -> Sequence[State]:
        if starts is None:
            if self.game.initial.is_terminal:
                raise GameError(f"{self.game.name} is over before it begins: give starts, states to begin with")
            return [self.game.initial]
        if not len(starts):
            raise GameError("starts needs at least one state; leave it out for the initial one")
        for number, state in enumerate(starts):
            self._check_state(state)
            if state.is_terminal:
                raise GameError(f"start {number} is a terminal state: no match can begin there")
        return starts

    def _check_state(self, state: State) -> None:
        if not isinstance(state, State):
            raise GameError(f"a state of {self.game.name} is needed, not {type(state).__name__}")
        if not is_state_of(state, self.game):
            raise GameError(f"a state of {state.game.name} is no state of {self.game.name}")

    def _checked_flags(self, name: str, given: NDArray[np.bool_]) -> NDArray[np.uint8]:
        flags = np.asarray(given)
        if flags.shape != (self.n,) or flags.dtype != np.bool_:
            raise GameError(f"{name} must be {self.n} truth values, not {flags.dtype} of the shape {flags.shape}")
        return np.ascontiguousarray(flags).view(np.uint8)

    def _checked_moves(self, moves: Any) -> Any:
        array = moves if hasattr(moves, "shape") and hasattr(moves, "dtype") else np.asarray(moves)
        wanted = self._sampled.shape
        if tuple(array.shape) != wanted:
            what = "one move for each match" if self._is_single else "one move for each match and role"
            raise GameError(f"moves must have the shape {wanted}, {what}; got {tuple(array.shape)}")
        kind = str(array.dtype).removeprefix("torch.")
        if kind in ("int32", "int64"):
            return array
        if kind in ("int8", "int16", "uint8", "uint16", "uint32"):
            return np.asarray(array).astype(np.int64)
        raise GameError(f"moves must be integers, such as int32 or int64, not {kind}")

    def _refused(self, reason: str, match: int, player: int, index: int) -> GameError:
        role, names = self.roles[player], self._move_names[player]
        legal = self._legal_names(match, player)
        if reason == "range":
            return GameError(
                f"match {match}: {role} has moves 0 to {len(names) - 1}, not {index}; no match was stepped"
            )
        if reason == "choice":
            return GameError(
                f"match {match}: {role} has {len(legal)} legal moves, so -1 does not say which; no match was stepped"
            )
        if reason == "several":
            return GameError(
                f"match {match}: several roles have a choice at once, which turns='single' has no room for: "
                "use turns='joint'; no match was stepped"
            )
        return BatchMoveError(match, index, names[index], role, legal, int(self._frame.turn[match]))

    def _legal_names(self, match: int, player: int) -> list[str]:
        indices, begins = self.legal_indices()
        at = match * len(self.roles) + player
        return [self._move_names[player][index] for index in indices[begins[at] : begins[at + 1]].tolist()]

    def _player(self, role: str) -> int:
        index = self.game.role_index(role)
        name = self.game.roles[index]
        if name not in self.roles:
            raise GameError(f"{name} is the role of chance: its moves are drawn, not chosen")
        return self.roles.index(name)

    @property
    def _shape(self) -> tuple[int, ...]:
        return ((len(self.plan.names) + 63) // 64 * 8,) if self._packed else self.plan.shape

    def _framed(self, arrays: dict[str, NDArray[Any]]) -> Frame:
        def shaped(array: NDArray[Any]) -> NDArray[Any]:
            per_role = () if self._is_single or (len(self.plan.views) == 1 and not self.plan.is_hidden) else (-1,)
            return array.reshape(self.n, *per_role, *self._shape)

        masks = arrays.get("masks")
        if masks is not None and self._is_single:
            masks = masks[:, 0]
        finals = arrays.get("finals")
        return Frame(
            observations=shaped(arrays["observations"]),
            masks=masks,
            goals=arrays["goals"],
            terminal=arrays["terminal"].view(np.bool_),
            truncated=arrays["truncated"].view(np.bool_),
            to_move=arrays["to_move"],
            turn=arrays["turn"],
            finals=None if finals is None else shaped(finals),
        )


def _seed(seed: int) -> int:
    return check_count("seed", seed, least=0) & _SEED_MASK
