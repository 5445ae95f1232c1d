"""The information state of a role.

Rules without `sees` hide nothing: every role sees every move, so the information state holds the full state. Rules with
`sees` are GDL-II: a role knows where the match began, the moves it made and what it saw of each joint move. Its legal
moves are part of that, because GDL-II asks for rules that let every role know them.
"""

from __future__ import annotations

from dataclasses import dataclass

from woodstock.errors import GameError, WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State


class HiddenStateError(WoodstockError):
    """The rules hide the state from this role.

    >>> import woodstock
    >>> view = InformationState.at(woodstock.load("monty-hall").initial, "candidate")
    >>> view.after("noop", ["noop"], ["(choose 1)"]).state
    Traceback (most recent call last):
    ...
    woodstock.information.information_state.HiddenStateError: the rules of monty-hall hide the state from candidate: ...
    """

    def __init__(self, game: str, role: str) -> None:
        self.game, self.role = game, role
        super().__init__(
            f"the rules of {game} hide the state from {role}: it has its information state, with `start`, `turns` "
            "and `legal`, and `woodstock.belief` says what is possible"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.game, self.role)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn that was played, as one role knows it: its own move and what it saw of the joint move.

    Rules without `sees` have no percepts; there the moves of others are in `InformationState.state`.

    >>> Turn("noop", ("(rolled 3)",)).percepts
    ('(rolled 3)',)
    """

    move: str
    percepts: tuple[str, ...] = ()


class InformationState:
    """What a role knows at one point of a match; from `Match.view_of(role)`.

    It never changes. Two are equal if the rules, the role, the start and the turns are, and in open games the state.

    >>> import woodstock
    >>> game = woodstock.load("monty-hall")
    >>> with woodstock.Match(game, ["legal"], seed=1) as match:
    ...     _ = match.step(), match.step(), match.step()
    ...     view = match.view_of("candidate")
    >>> view.turn, view.legal, view.is_open, view.is_over, view.goal
    (4, ('stay', 'switch'), False, False, None)
    >>> view.turns[-1]
    Turn(move='noop', percepts=('(goat 2)', 'noop'))
    >>> view.game is game, view.role, view.start == game.initial
    (True, 'candidate', True)
    """

    __slots__ = ("_game", "_goal", "_legal", "_role", "_start", "_state", "_turns")

    def __init__(
        self,
        game: Game,
        role: str,
        start: State,
        turns: tuple[Turn, ...] = (),
        legal: tuple[str, ...] = (),
        *,
        state: State | None = None,
        goal: int | None = None,
    ) -> None:
        self._game, self._role, self._start = game, role, start
        self._turns, self._legal, self._goal = turns, legal, goal
        # A reference that is not there cannot be followed by mistake.
        self._state = None if game.has_percepts else state

    @classmethod
    def at(cls, state: State, role: str) -> InformationState:
        """Return what a role knows where a match begins: the state, since all are told where they start.

        >>> import woodstock
        >>> InformationState.at(woodstock.load("tic-tac-toe").initial, "o").legal
        ('noop',)
        """
        game = state.game
        role = game.roles[game.role_index(role)]
        is_over = state.is_terminal
        legal = () if is_over else state.legal(role)
        return cls(game, role, state, (), legal, state=state, goal=state.scores[role] if is_over else None)

    @property
    def game(self) -> Game:
        """The rules."""
        return self._game

    @property
    def role(self) -> str:
        """Whose view this is."""
        return self._role

    @property
    def start(self) -> State:
        """The state in which the match began, which everybody knows."""
        return self._start

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns played so far."""
        return self._turns

    @property
    def legal(self) -> tuple[str, ...]:
        """The role's legal moves, always in the same order; none if the match is over."""
        return self._legal

    @property
    def turn(self) -> int:
        """The number of the joint move to be made, as `State.turn`; it counts from the start if that has none.

        >>> import woodstock
        >>> InformationState.at(woodstock.load("tic-tac-toe").initial, "x").turn
        1
        """
        return (self._start.turn or 1) + len(self._turns)

    @property
    def is_open(self) -> bool:
        """Whether the rules hide nothing, so that `state` is there."""
        return not self._game.has_percepts

    @property
    def state(self) -> State:
        """The full state if the rules hide nothing; `HiddenStateError` if they have `sees`.

        >>> import woodstock
        >>> InformationState.at(woodstock.load("tic-tac-toe").initial, "x").state.turn
        1
        """
        if self._state is None:
            raise HiddenStateError(self._game.name, self._role)
        return self._state

    @property
    def goal(self) -> int | None:
        """The role's score if the match is over and the score was told; else None."""
        return self._goal

    @property
    def is_over(self) -> bool:
        """Whether the match is over, so that no move is asked for."""
        return self._goal is not None or not self._legal

    def after(
        self,
        move: str,
        percepts: tuple[str, ...] | list[str] = (),
        legal: tuple[str, ...] | list[str] = (),
        *,
        state: State | None = None,
        goal: int | None = None,
    ) -> InformationState:
        """Return what the role knows after one more turn; in open games `state` is what followed.

        >>> import woodstock
        >>> view = InformationState.at(woodstock.load("monty-hall").initial, "candidate")
        >>> view.after("noop", ["noop"], ["(choose 1)", "(choose 2)"]).legal
        ('(choose 1)', '(choose 2)')
        """
        turns = (*self._turns, Turn(move, tuple(percepts)))
        return InformationState(self._game, self._role, self._start, turns, tuple(legal), state=state, goal=goal)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InformationState):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._role, self._turns, self._start, self._state

    def __reduce__(self) -> tuple[object, ...]:
        return restore_view, (self._game, self._role, self._start, self._turns, self._legal, self._state, self._goal)

    def __repr__(self) -> str:
        return f"<InformationState of {self._role} in {self._game.name}: turn {self.turn}, {len(self._legal)} moves>"


def view_from(known: State | InformationState, role: str) -> InformationState:
    """Return the view that somebody who asks about a state means.

    Of a game that hides things that is an `InformationState`, or a state where a match begins, such as `Game.initial`:
    a state on the way is known to the referee alone.

    >>> import woodstock
    >>> view_from(woodstock.load("tic-tac-toe").initial, "x").turn
    1
    """
    if isinstance(known, InformationState):
        if known.game.role_index(role) != known.game.role_index(known.role):
            raise GameError(f"this is what {known.role} knows: it does not say what {role} does")
        return known
    if known.game.has_percepts and known.last_moves is not None:
        raise HiddenStateError(known.game.name, known.game.roles[known.game.role_index(role)])
    return InformationState.at(known, role)


def restore_view(
    game: Game,
    role: str,
    start: State,
    turns: tuple[Turn, ...],
    legal: tuple[str, ...],
    state: State | None,
    goal: int | None,
) -> InformationState:
    """Rebuild a pickled view."""
    return InformationState(game, role, start, turns, legal, state=state, goal=goal)
