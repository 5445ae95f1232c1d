"""Symmetries of games: which fluents, moves and roles can be exchanged without changing the game.

Comes in: a grounded `Game`. Goes out: `Symmetries`, verified on the engine; a search uses `Symmetries.group`.
"""

from woodstock.symmetry.stage import StageAnalyses, StageSymmetries, stage_symmetries
from woodstock.symmetry.subgame import SubgameSymmetries, subgame_symmetries
from woodstock.symmetry.symmetries import Generator, Symmetries, find_symmetries

__all__ = [
    "Generator",
    "StageAnalyses",
    "StageSymmetries",
    "SubgameSymmetries",
    "Symmetries",
    "find_symmetries",
    "stage_symmetries",
    "subgame_symmetries",
]
