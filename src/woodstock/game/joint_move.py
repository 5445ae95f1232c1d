"""The joint move that a user gives for a state: by role or in role order, in any spelling; checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from woodstock.errors import GameError, IllegalMoveError
from woodstock.game.spelling import find

if TYPE_CHECKING:
    from woodstock.game.state import State

Moves = Mapping[str, str] | Sequence[str]


def joint_move(state: State, moves: Moves | str) -> tuple[str, ...]:
    """Return the moves in role order and canonical spelling, or say what is wrong with them."""
    if state.is_terminal:
        raise _terminal(state)
    chosen = []
    for index, text in enumerate(_in_role_order(state, moves)):
        legal = state._legal_of(index)
        move = find(text, legal)
        if move is None:
            role = state.game.roles[index]
            raise IllegalMoveError(text, role, legal, turn=state.turn) if legal else _stuck(state, role)
        chosen.append(move)
    return tuple(chosen)


def joint_move_by_index(
    state: State, indices: Sequence[int], names: Sequence[Sequence[str]], legal: Sequence[Sequence[int]]
) -> tuple[str, ...]:
    """Return the moves with these indices, or say what is wrong with them."""
    roles = state.game.roles
    if len(indices) != len(roles):
        raise GameError(f"a joint move needs {len(roles)} moves, one for each role: {len(indices)} given")
    if state.is_terminal:
        raise _terminal(state)
    for role, index, known, allowed in zip(roles, indices, names, legal, strict=True):
        if index in allowed:
            continue
        if not 0 <= index < len(known):
            raise GameError(f"{role} has moves 0 to {len(known) - 1}, not {index}")
        if not allowed:
            raise _stuck(state, role)
        raise IllegalMoveError(known[index], role, state.legal(role), turn=state.turn)
    return tuple([known[index] for known, index in zip(names, indices, strict=True)])


def _in_role_order(state: State, moves: Moves | str) -> Sequence[str]:
    game = state.game
    roles = game.roles
    if isinstance(moves, str):
        moves = [moves]
    if isinstance(moves, Mapping):
        by_index = {game.role_index(role): move for role, move in moves.items()}
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


def _terminal(state: State) -> GameError:
    return GameError(f"no move can be made in {_where(state)}: it is terminal; the goals are {state.goals}")


def _stuck(state: State, role: str) -> GameError:
    return GameError(
        f"{role} has no legal move in {_where(state)}, which is not terminal: the match is stuck. "
        "A rule of legal or of terminal is missing; `woodstock check` shows a path to such a state"
    )


def _where(state: State) -> str:
    return "this state" if state.turn is None else f"the state at turn {state.turn}"
