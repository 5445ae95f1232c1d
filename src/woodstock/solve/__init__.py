"""Values of small games, with and without symmetries, hidden information and simultaneous moves.

Comes in: a game or a state of it. Goes out: a `Solution`: the value for each role, best moves, states and time; or an
`Equilibrium`, which has strategies and their exploitability too.
"""

from woodstock.solve.game import solve_game
from woodstock.solve.hidden import HiddenSolver
from woodstock.solve.solution import Equilibrium, RatedMove, Solution
from woodstock.solve.solver import Solver

__all__ = ["Equilibrium", "HiddenSolver", "RatedMove", "Solution", "Solver", "solve_game"]
