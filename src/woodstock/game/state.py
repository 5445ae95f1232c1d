"""A state of a game: what holds, who may do what, what follows.

A `State` is an engine's payload with a reference to its game, and a memory of what was already asked. It never
changes to the outside; it is equal to another if the rules are the same and the same fluents hold, however it was
reached. Only `sees` and `turn` look at the way it was reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from woodstock import pictures
from woodstock.errors import GameError, IllegalMoveError
from woodstock.game.engine import Payload
from woodstock.game.spelling import find

if TYPE_CHECKING:
    from woodstock.game.game import Game

Moves = Mapping[str, str] | Sequence[str]


class State:
    """One state of a game; obtained from `Game.initial`, `Game.state` and `State.next`."""

    __slots__ = ("_before", "_game", "_goals", "_hash", "_is_terminal", "_legal", "_payload", "_turn")

    def __init__(
        self,
        game: Game,
        payload: Payload,
        before: tuple[Payload, tuple[str, ...]] | None = None,
        turn: int | None = None,
    ) -> None:
        self._game = game
        self._payload = payload
        self._before = before
        self._turn = turn
        self._legal: dict[int, tuple[str, ...]] = {}
        self._is_terminal: bool | None = None
        self._goals: tuple[int | None, ...] | None = None
        self._hash: int | None = None

    @property
    def game(self) -> Game:
        """The game this is a state of."""
        return self._game

    @property
    def payload(self) -> Payload:
        """The state as its engine holds it: packed bits on the circuit, a set of texts on the interpreter."""
        return self._payload

    @property
    def turn(self) -> int | None:
        """The number of the joint move to be made here, 1 in the initial state; None if the way here is unknown."""
        return self._turn

    @property
    def fluents(self) -> frozenset[str]:
        """The fluents that hold, as KIF text."""
        return self._game.engine.fluents(self._payload)

    @property
    def is_terminal(self) -> bool:
        """Whether the match is over here."""
        if self._is_terminal is None:
            self._is_terminal = self._game.engine.is_terminal(self._payload)
        return self._is_terminal

    @property
    def goals(self) -> dict[str, int | None]:
        """The goal of each role; None for a role to which the rules give no value here, or several."""
        if self._goals is None:
            self._goals = self._game.engine.goals(self._payload)
        return dict(zip(self._game.roles, self._goals, strict=True))

    @property
    def scores(self) -> dict[str, int]:
        """The score of each role, as matches count it: its goal, also if the rules do not give exactly one.

        If several goal values hold, the one whose rule comes first in the rulesheet counts; if none does, 0.
        """
        goals = self.goals
        return {
            role: self._game._goal_rules.first(self.fluents, role) if value is None else value
            for role, value in goals.items()
        }

    def legal(self, role: str) -> tuple[str, ...]:
        """Return the role's legal moves as KIF text, always in the same order."""
        return self._legal_of(self._game.role_index(role))

    def _legal_of(self, role: int) -> tuple[str, ...]:
        moves = self._legal.get(role)
        if moves is None:
            moves = self._legal[role] = self._game.engine.legal(self._payload, role)
        return moves

    def next(self, moves: Moves | str) -> State:
        """Return the state after one legal move of each role, by role name or in role order.

        A game of one role takes its move as a plain string too.
        """
        chosen = self._joint_move(moves)
        after = self._game.engine.next(self._payload, chosen)
        return State(self._game, after, (self._payload, chosen), None if self._turn is None else self._turn + 1)

    def _joint_move(self, moves: Moves | str) -> tuple[str, ...]:
        """Return the moves in role order and canonical spelling, or say what is wrong with them."""
        roles = self._game.roles
        if self.is_terminal:
            raise GameError(f"no move can be made in {self._where()}: it is terminal; the goals are {self.goals}")
        given = self._in_role_order(moves)
        chosen = []
        for index, (role, text) in enumerate(zip(roles, given, strict=True)):
            legal = self._legal_of(index)
            if not legal:
                raise GameError(
                    f"{role} has no legal move in {self._where()}, which is not terminal: the match is stuck. "
                    "A rule of legal or of terminal is missing; `woodstock check` shows a path to such a state"
                )
            move = find(text, legal)
            if move is None:
                raise IllegalMoveError(text, role, legal, turn=self._turn)
            chosen.append(move)
        return tuple(chosen)

    def _in_role_order(self, moves: Moves | str) -> Sequence[str]:
        roles = self._game.roles
        if isinstance(moves, str):
            moves = [moves]
        if isinstance(moves, Mapping):
            by_index = {self._game.role_index(role): move for role, move in moves.items()}
            missing = [role for index, role in enumerate(roles) if index not in by_index]
            if missing:
                raise GameError(f"a joint move needs a move of every role: none given for {', '.join(missing)}")
            moves = [by_index[index] for index in range(len(roles))]
        if len(moves) != len(roles):
            raise GameError(
                f"a joint move needs {len(roles)} moves, one for each of {', '.join(roles)}: {len(moves)} given"
            )
        for role, move in zip(roles, moves, strict=True):
            if not isinstance(move, str):
                raise GameError(f"the move of {role} must be text such as '(mark 1 1)', not {move!r}")
        return moves

    def _where(self) -> str:
        return "this state" if self._turn is None else f"the state at turn {self._turn}"

    def sees(self, role: str) -> tuple[str, ...]:
        """Return what the role perceives of the joint move that led here (GDL-II `sees`).

        Nothing where no joint move did, and nothing in games without `sees` rules, whose roles see the whole state.
        """
        index = self._game.role_index(role)
        if self._before is None or not self._game.engine.has_percepts:
            return ()
        payload, moves = self._before
        return self._game.engine.sees(payload, moves, index)

    @property
    def last_moves(self) -> tuple[str, ...] | None:
        """The joint move that led here, in role order; None if there was none."""
        return None if self._before is None else self._before[1]

    # Views for vector users: they need the stable indices that only a grounded game has.

    @property
    def vector(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """One 0 or 1 for each fluent of `Game.fluents`, as a new array."""
        fluents = self._game.fluents
        if isinstance(self._payload, bytes):
            bits = np.unpackbits(np.frombuffer(self._payload, dtype=np.uint8), bitorder="little")
            return bits[: len(fluents)]
        raise AssertionError("a game with numbered fluents has packed states")

    def legal_indices(self, role: str) -> tuple[int, ...]:
        """Return the indices in `Game.moves(role)` of the role's legal moves, ascending."""
        return tuple(self._game.indexed_engine.legal_indices(self._payload, self._game.role_index(role)))

    def legal_mask(self, role: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return one truth value for each move of `Game.moves(role)`."""
        mask = np.zeros(len(self._game.moves(role)), dtype=np.bool_)
        mask[list(self.legal_indices(role))] = True
        return mask

    def next_by_index(self, indices: Sequence[int]) -> State:
        """Return the state after the moves with these indices in `Game.moves(role)`, in role order."""
        names = [self._game.moves(role) for role in self._game.roles]
        if len(indices) != len(names):
            raise GameError(f"a joint move needs {len(names)} moves, one for each role: {len(indices)} given")
        moves = []
        for role, index, known in zip(self._game.roles, indices, names, strict=True):
            if not 0 <= index < len(known):
                raise GameError(f"{role} has moves 0 to {len(known) - 1}, not {index}")
            moves.append(known[index])
        return self.next(moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self._game is not other._game and self._game.identity != other._game.identity:
            return False
        return self._payload == other._payload

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self._game.rules_hash, self._payload))
        return self._hash

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (self._game, self._game.identity, self._payload, self._before, self._turn)

    def _repr_svg_(self) -> str | None:
        """Return the picture of the state for a notebook; what the last joint move changed is framed."""
        before = None if self._before is None else State(self._game, self._before[0])
        return pictures.svg(self, before)

    def __repr__(self) -> str:
        return f"<State of {self._game.name}: {' '.join(sorted(self.fluents))}>"


def restore(
    game: Game,
    identity: tuple[str, str],
    payload: Payload,
    before: tuple[Payload, tuple[str, ...]] | None,
    turn: int | None,
) -> State:
    """Rebuild a pickled state; refuse bits that were numbered differently from those of the game at hand."""
    if game.identity != identity:
        raise GameError(
            f"a pickled state of {game.name} does not fit the game as loaded here: its fluents are numbered "
            "differently. Pass its `fluents` instead, and rebuild it with `game.state(fluents)`"
        )
    return State(game, payload, before, turn)
