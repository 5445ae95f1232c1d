"""What each move is worth, for a person who asks."""

from __future__ import annotations

from woodstock.game.state import State

MOST = 8
ROUND = 64


def hint(state: State, role: str, seconds: float) -> str:
    """Return the best moves and their expected goals."""
    del seconds
    game = state.game
    index = game.role_index(role)
    successors = []
    for move in state.legal(role):
        # The others' moves are drawn by playouts only after this turn; here each of theirs is its first.
        joint = [move if i == index else state.legal(other)[0] for i, other in enumerate(game.roles)]
        successors.append((move, state.next(joint)))
    stats = game.playouts_many([after for _, after in successors], [ROUND] * len(successors))
    means = [stat.goal_means.get(role) or 0.0 for stat in stats]
    worth = sorted(zip(means, (move for move, _ in successors), strict=True), reverse=True)
    return "\n".join(f"  {value:5.1f}  {move}" for value, move in worth[:MOST])
