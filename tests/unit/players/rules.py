"""Small games that are awkward to search, and an exact oracle for small games."""

from __future__ import annotations

from functools import cache
from itertools import product

from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.gdl.chance import chance_index

# Both choose at once; one pair of moves is best for both.
COORDINATION = """
(role left) (role right) (init start)
(<= (legal ?p a) (role ?p)) (<= (legal ?p b) (role ?p))
(<= (next (done ?x ?y)) (does left ?x) (does right ?y))
(<= terminal (true (done ?x ?y)))
(<= (goal ?p 100) (true (done a a)) (role ?p))
(<= (goal ?p 50) (true (done b b)) (role ?p))
(<= (goal ?p 0) (true (done a b)) (role ?p))
(<= (goal ?p 0) (true (done b a)) (role ?p))
"""

# A gamble of 1 in 4 for 100, or 30 for sure. Chance moves after the choice.
GAMBLE = """
(role player) (role random) (init (at choice))
(<= (legal player gamble) (true (at choice))) (<= (legal player save) (true (at choice)))
(<= (legal player noop) (true (at dice)))
(<= (legal random noop) (true (at choice)))
(die 1) (die 2) (die 3) (die 4)
(<= (legal random (roll ?d)) (true (at dice)) (die ?d))
(<= (next (at dice)) (does player gamble))
(<= (next (at safe)) (does player save))
(<= (next (rolled ?d)) (does random (roll ?d)))
(<= terminal (true (at safe))) (<= terminal (true (rolled ?d)))
(<= (goal player 30) (true (at safe)))
(<= (goal player 100) (true (rolled 1)))
(<= (goal player 0) (true (rolled ?d)) (distinct ?d 1))
(<= (goal random 0) terminal)
"""

# No end is ever reached by chance: every step leads back.
ENDLESS = """
(role walker) (role other) (init (at 1))
(<= (legal walker left) (true (at ?x))) (<= (legal walker right) (true (at ?x)))
(legal other noop)
(<= (next (at 1)) (does walker left)) (<= (next (at 2)) (does walker right))
(<= terminal (true never)) (<= (next never) (true never))
(<= (goal ?p 50) (role ?p))
"""

# `b` leads to a state where nobody can move and which is not over; `a` ends the game without a goal for `right`.
BROKEN = """
(role left) (role right) (init start)
(<= (legal left a) (true start)) (<= (legal left b) (true start)) (<= (legal left c) (true start))
(<= (legal right noop) (true start))
(<= (next over) (does left a)) (<= (next stuck) (does left b)) (<= (next won) (does left c))
(<= terminal (true over)) (<= terminal (true won))
(<= (goal left 0) (true over)) (<= (goal left 100) (true won)) (<= (goal right 0) (true won))
"""


def wide(moves: int) -> str:
    """Return a game of one choice among many moves, of which one wins."""
    numbers = " ".join(f"(number {n})" for n in range(moves))
    return f"""
(role x) (role o) (init start) {numbers}
(<= (legal x (pick ?n)) (true start) (number ?n))
(<= (legal o noop) (true start))
(<= (next (picked ?n)) (does x (pick ?n)))
(<= terminal (true (picked ?n)))
(<= (goal x 100) (true (picked 7)))
(<= (goal x 0) (true (picked ?n)) (distinct ?n 7))
(<= (goal o 0) (true (picked 7)))
(<= (goal o 100) (true (picked ?n)) (distinct ?n 7))
"""


def exact_values(game: Game) -> object:
    """Return a function from states to the exact value of each role, in games where one role chooses at a time."""
    chance = chance_index(game.roles)

    @cache
    def value(state: State) -> tuple[float, ...]:
        if state.is_terminal:
            return tuple(float(goal or 0) for goal in state.goals.values())
        legal = [state.legal(role) for role in game.roles]
        choosers = [index for index, moves in enumerate(legal) if len(moves) > 1]
        assert len(choosers) <= 1
        children = [value(state.next(joint)) for joint in product(*legal)]
        if choosers and choosers[0] == chance:
            return tuple(sum(column) / len(children) for column in zip(*children, strict=True))
        return max(children, key=lambda values: values[choosers[0]] if choosers else 0)

    return value
