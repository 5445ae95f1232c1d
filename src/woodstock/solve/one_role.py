"""The best strategy of one role while all others choose uniformly at random: exact, over what it can believe.

It serves games of one role with chance, and any role against random opponents. Two ways to the same belief are searched
once, so the order of questions does not matter, and neither does what a role forgot to use.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

from woodstock import _native
from woodstock.equilibrium.limits import Limits, check_goals, stepping_engine
from woodstock.equilibrium.table import Row, StrategyTable
from woodstock.game.state import State, packed
from woodstock.information import Turn
from woodstock.solve.solution import Equilibrium

# Values are doubles: as fractions they are given with denominators up to this.
FINEST = 10**7
# Of a strategy, the choices that the role meets by its own moves; the rest is left out.
_MOST_ROWS = 20_000


def solve_one_role(
    start: State,
    role: str,
    meaning: str,
    *,
    utility: str,
    max_states: int | None,
    seconds: float | None,
    memory_mb: int,
) -> Equilibrium:
    """Return what a role can reach by what it can know, and a best strategy."""
    game = start.game
    engine = stepping_engine(game)
    clock = time.perf_counter()
    limits = Limits(max_states, seconds, memory_mb)
    status, reason, value, choices, histories, beliefs, has_unclear_goals = _native.solve_one_role(
        engine.circuit,
        packed(start),
        game.role_index(role),
        *limits.native,
        utility == "win",
        _MOST_ROWS,
    )
    limits.check(game, status, reason, f"{game.name} had {histories:,} states in {beliefs:,} beliefs of {role}")
    check_goals(game, has_unclear_goals)
    names = [move for moves in engine.ground.moves for move in moves]
    percepts = [percept for _role, percept, _atom in engine.ground.sees]
    rows = [
        Row(role, tuple(_turns(story, names, percepts)), None, {names[one]: float(one == best) for one in legal})
        for story, legal, best in choices
    ]
    return Equilibrium(
        start,
        {role: Fraction(value).limit_denominator(FINEST)},
        (),
        meaning,
        histories,
        0,
        time.perf_counter() - clock,
        1,
        StrategyTable(start, lambda: rows, is_partial=True),
        0.0,
        0.0,
        {role: (value, value)},
        beliefs,
        0,
        "beliefs",
        "exact",
    )


def _turns(story: list[int], names: list[str], percepts: list[str]) -> Iterator[Turn]:
    """Yield the turns of a story by numbers: for each the move, the number of percepts, the percepts."""
    at = 0
    while at < len(story):
        count = story[at + 1]
        yield Turn(names[story[at]], tuple(percepts[one] for one in story[at + 2 : at + 2 + count]))
        at += 2 + count
