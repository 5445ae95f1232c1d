"""A state of a game: what holds, who may do what, what follows.

A `State` is an engine's payload with a reference to its game; it remembers answers that it has given. To its users it
never changes. Two states are equal if their rules are the same and the same fluents hold, however they were reached;
only `turn`, `last_moves` and `sees` depend on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from woodstock import pictures
from woodstock.errors import GameError
from woodstock.game.engine import Payload
from woodstock.game.joint_move import Moves, joint_move, joint_move_by_index
from woodstock.gdl.chance import is_chance

if TYPE_CHECKING:
    from woodstock.game.game import Game


class State:
    """One state of a game; obtained from `Game.initial`, `Game.state` and `State.next`.

    >>> import woodstock
    >>> state = woodstock.load("tic-tac-toe").initial
    >>> state = state.next({"x": "(mark 2 2)", "o": "noop"})
    >>> print(state)
    3  .  .  .
    2  .  x  .
    1  .  .  .
       1  2  3
    <BLANKLINE>
    control  o
    """

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
        """The game that this is a state of.

        >>> import woodstock
        >>> woodstock.load("nim").initial.game.name
        'nim'
        """
        return self._game

    @property
    def turn(self) -> int | None:
        """The number of the joint move to be made here, 1 in the initial state; None if the way here is unknown.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.next(["(mark 1 1)", "noop"]).turn
        2
        """
        return self._turn

    @property
    def fluents(self) -> frozenset[str]:
        """The fluents that hold, as KIF text.

        >>> import woodstock
        >>> "(cell 1 1 b)" in woodstock.load("tic-tac-toe").initial.fluents
        True
        """
        return self._game.engine.fluents(self._payload)

    @property
    def is_terminal(self) -> bool:
        """Whether the match is over here.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.is_terminal
        False
        """
        if self._is_terminal is None:
            self._is_terminal = self._game.engine.is_terminal(self._payload)
        return self._is_terminal

    @property
    def goals(self) -> dict[str, int | None]:
        """The goal of each role; None for a role to which the rules give no value here, or several.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.goals
        {'x': 50, 'o': 50}
        """
        if self._goals is None:
            self._goals = self._game.engine.goals(self._payload)
        return dict(zip(self._game.roles, self._goals, strict=True))

    @property
    def scores(self) -> dict[str, int]:
        """The score of each role, as matches count it: its goal, also if the rules do not give exactly one.

        If several goal values hold, the one whose rule comes first in the rulesheet counts; if none does, 0.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.scores
        {'x': 50, 'o': 50}
        """
        goals = self.goals
        return {
            role: self._game._goal_rules.first(self.fluents, role) if value is None else value
            for role, value in goals.items()
        }

    def legal(self, role: str) -> tuple[str, ...]:
        """Return the role's legal moves as KIF text, always in the same order.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.legal("o")
        ('noop',)
        """
        return self._legal_of(self._game.role_index(role))

    @property
    def to_move(self) -> tuple[str, ...]:
        """The roles that have a choice here, in role order; `random`, the role of chance, is left out.

        Empty in a terminal state, and if every role has only one legal move.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.to_move
        ('x',)
        >>> woodstock.load("matching-pennies").initial.to_move
        ('even', 'odd')
        """
        if self.is_terminal:
            return ()
        roles = enumerate(self._game.roles)
        return tuple(role for index, role in roles if not is_chance(role) and len(self._legal_of(index)) > 1)

    def _legal_of(self, role: int) -> tuple[str, ...]:
        moves = self._legal.get(role)
        if moves is None:
            moves = self._legal[role] = self._game.engine.legal(self._payload, role)
        return moves

    def next(self, moves: Moves | str) -> State:
        """Return the state after one legal move of each role, by role name or in role order.

        A game of one role takes its move as a plain string too. Moves may be written in any case, in KIF or infix.
        `IllegalMoveError` says which move is not legal and what is.

        >>> import woodstock
        >>> state = woodstock.load("tic-tac-toe").initial
        >>> state.next({"x": "mark(1, 1)", "o": "noop"}) == state.next(["(mark 1 1)", "noop"])
        True
        """
        chosen = joint_move(self, moves)
        return self._after(self._game.engine.next(self._payload, chosen), chosen)

    def _after(self, payload: Payload, moves: tuple[str, ...]) -> State:
        return State(self._game, payload, (self._payload, moves), None if self._turn is None else self._turn + 1)

    def sees(self, role: str) -> tuple[str, ...]:
        """Return what the role perceives of the joint move that led here (GDL-II `sees`).

        Empty in the initial state, and in games without `sees` rules: there every role sees the whole state.

        >>> import woodstock
        >>> state = woodstock.load("monty-hall").initial
        >>> state = state.next([state.legal(role)[0] for role in state.game.roles])
        >>> state.sees("candidate")
        ('noop',)
        """
        index = self._game.role_index(role)
        if self._before is None or not self._game.engine.has_percepts:
            return ()
        payload, moves = self._before
        return self._game.engine.sees(payload, moves, index)

    @property
    def last_moves(self) -> tuple[str, ...] | None:
        """The joint move that led here, in role order; None if there was none.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.next(["(mark 1 1)", "noop"]).last_moves
        ('(mark 1 1)', 'noop')
        """
        return None if self._before is None else self._before[1]

    # Arrays and indices: they need the stable numbers of fluents and moves that only a grounded game has.

    @property
    def vector(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """One 0 or 1 for each fluent of `Game.fluents`, as a new array.

        >>> import woodstock
        >>> state = woodstock.load("tic-tac-toe").initial
        >>> int(state.vector.sum()) == len(state.fluents)
        True
        """
        bits = np.unpackbits(np.frombuffer(packed(self), dtype=np.uint8), bitorder="little")
        return bits[: len(self._game.fluents)]

    def legal_indices(self, role: str) -> tuple[int, ...]:
        """Return the indices in `Game.moves(role)` of the role's legal moves, ascending.

        >>> import woodstock
        >>> game = woodstock.load("tic-tac-toe")
        >>> [game.moves("x")[index] for index in game.initial.legal_indices("x")][:2]
        ['(mark 1 1)', '(mark 1 2)']
        """
        return tuple(self._game._indexed_engine.legal_indices(self._payload, self._game.role_index(role)))

    def legal_mask(self, role: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return one truth value for each move of `Game.moves(role)`.

        >>> import woodstock
        >>> int(woodstock.load("tic-tac-toe").initial.legal_mask("x").sum())
        9
        """
        mask = np.zeros(len(self._game.moves(role)), dtype=np.bool_)
        mask[list(self.legal_indices(role))] = True
        return mask

    def next_by_index(self, indices: Sequence[int]) -> State:
        """Return the state after the moves with these indices in `Game.moves(role)`, in role order.

        >>> import woodstock
        >>> state = woodstock.load("tic-tac-toe").initial
        >>> first = [state.legal_indices(role)[0] for role in state.game.roles]
        >>> state.next_by_index(first).last_moves
        ('(mark 1 1)', 'noop')
        """
        engine = self._game._indexed_engine
        legal = [engine.legal_indices(self._payload, role) for role in range(len(self._game.roles))]
        moves = joint_move_by_index(self, indices, self._game._numbering.moves, legal)
        return self._after(engine.next_by_index(self._payload, indices), moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._payload == other._payload and is_state_of(self, other._game)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self._game.rules_hash, self._payload))
        return self._hash

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (self._game, self._game._identity, self._payload, self._before, self._turn)

    def _repr_svg_(self) -> str | None:
        """Return the picture of the state for a notebook; what the last joint move changed is framed."""
        before = None if self._before is None else State(self._game, self._before[0])
        return pictures.svg(self, before)

    def __str__(self) -> str:
        """Return the state as a board of text, or as a list of fluents if it has no board."""
        return pictures.text(self) or repr(self)

    def __repr__(self) -> str:
        return f"<State of {self._game.name}: {' '.join(sorted(self.fluents))}>"


def packed(state: State) -> bytes:
    """Return the state as the circuit holds it: bit i, little endian, is fluent i."""
    if not isinstance(state._payload, bytes):
        _ = state.game.fluents  # says why there are no bits
        raise AssertionError("a game with numbered fluents has packed states")
    return state._payload


def payload_of(state: State) -> Payload:
    """Return the state as its engine holds it: packed bits on the circuit, a set of texts on the interpreter."""
    return state._payload


def is_state_of(state: State, game: Game) -> bool:
    """Whether the game can take the state for its own: the rules and the numbering of fluents are the same."""
    return state._game is game or state._game._identity == game._identity


def restore(
    game: Game,
    identity: tuple[str, str],
    payload: Payload,
    before: tuple[Payload, tuple[str, ...]] | None,
    turn: int | None,
) -> State:
    """Rebuild a pickled state; refuse bits that were numbered differently."""
    if game._identity != identity:
        raise GameError(
            f"a pickled state of {game.name} does not fit the game as loaded here: its fluents are numbered "
            "differently. Pass its `fluents` instead, and rebuild it with `game.state(fluents)`"
        )
    return State(game, payload, before, turn)
