"""Every reachable state of tiny games: the network's solutions against the interpreter, which knows no circuit."""

from __future__ import annotations

from itertools import product

import pytest

from woodstock.game.game import Game
from woodstock.game.interpreter import Interpreter
from woodstock.scsp.game import TableStage, Template

MOST_STATES = 400


@pytest.mark.parametrize("name", ["matching", "cooperative", "tictactoe", "recursive"])
@pytest.mark.parametrize("options", [{}, {"order": "dom/wdeg"}])
def test_all_states(games: dict[str, Game], templates: dict[str, Template], name: str, options: dict[str, str]) -> None:
    game, template = games[name], templates[name]
    oracle, table = Interpreter(game.program), TableStage(template, **options)  # type: ignore[arg-type]
    start = oracle.initial()
    seen, work = {start}, [start]
    while work and len(seen) <= MOST_STATES:
        state = work.pop()
        found = table.solve(game.state(state))
        is_terminal = oracle.is_terminal(state)
        assert found.is_terminal == is_terminal
        assert dict(zip(game.roles, found.goals, strict=True)) == oracle.goals(state)
        expected = {}
        if not is_terminal:
            for joint in product(*(oracle.legal(state, role) for role in game.roles)):
                expected[joint] = oracle.next(state, joint)
        ours = {
            tuple(template.ground.moves[role][move] for role, move in enumerate(moves)): frozenset(
                game.engine.fluents(successor)
            )
            for moves, successor in found
        }
        assert ours == expected
        assert len(found) == len(expected)
        for successor in expected.values():
            if successor not in seen:
                seen.add(successor)
                work.append(successor)
    assert len(seen) > 4
