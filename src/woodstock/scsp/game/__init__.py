"""Games as stochastic constraint networks: ground rules are translated, and single stages solved.

game = woodstock.load("tic-tac-toe")
template = translate(game)                     # once for each game
template.sizes                                 # variables, largest domain, constraints, tuples, seconds
solver = stage_solver(template)                # "circuit", the fastest, "table", "mac" or "fc"
solver.solve(game.initial).moves               # joint legal moves, with the state that each leads to
template.network(game.initial)                 # a woodstock.scsp.Network, for printing, solving, export
"""

from __future__ import annotations

from woodstock.scsp.game.stage import CircuitStage, FcStage, MacStage, Stages, StageSolver, TableStage, stage_solver
from woodstock.scsp.game.template import Sizes, Template
from woodstock.scsp.game.translate import translate

__all__ = [
    "CircuitStage",
    "FcStage",
    "MacStage",
    "Sizes",
    "StageSolver",
    "Stages",
    "TableStage",
    "Template",
    "stage_solver",
    "translate",
]
