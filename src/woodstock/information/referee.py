"""The referee's side: from full states of a match to what one role knows. Nobody who plays may call this."""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.game.state import State
from woodstock.information.information_state import InformationState


def next_view(view: InformationState, state: State) -> InformationState:
    """Return what a role knows after the turn that led to this state.

    >>> import woodstock
    >>> start = woodstock.load("monty-hall").initial
    >>> view = next_view(InformationState.at(start, "candidate"), start.next(["noop", "(hide 2)"]))
    >>> view.turns, view.legal
    ((Turn(move='noop', percepts=('noop',)),), ('(choose 1)', '(choose 2)', '(choose 3)'))
    """
    assert state.last_moves is not None, "a state that a turn led to"
    role = view.role
    is_over = state.is_terminal
    return view.after(
        state.last_moves[view.game.role_index(role)],
        state.sees(role),
        () if is_over else state.legal(role),
        state=state,
        goal=state.scores[role] if is_over else None,
    )


class Views:
    """What each role knows in the last state of a match. A turn costs one step for each role that is asked for."""

    def __init__(self) -> None:
        self._last: dict[str, InformationState] = {}

    def of(self, role: str, states: Sequence[State]) -> InformationState:
        """Return a role's view of the last one of these states, the first of which is the start.

        >>> import woodstock
        >>> start = woodstock.load("tic-tac-toe").initial
        >>> Views().of("x", [start, start.next(["(mark 2 2)", "noop"])]).legal
        ('noop',)
        """
        view = self._last.get(role)
        if view is None or len(view.turns) >= len(states) or view.start is not states[0]:
            view = InformationState.at(states[0], role)
        for state in states[len(view.turns) + 1 :]:
            view = next_view(view, state)
        self._last[role] = view
        return view

    def forget(self) -> None:
        """Begin anew: the match has gone back."""
        self._last.clear()
