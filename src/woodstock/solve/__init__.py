"""Exact values of small games, with and without symmetries.

Comes in: a game or a state of it. Goes out: a `Solution`: the value for each role, best moves, states and time.
"""

from woodstock.solve.solution import RatedMove, Solution, Solver, solve_game

__all__ = ["RatedMove", "Solution", "Solver", "solve_game"]
