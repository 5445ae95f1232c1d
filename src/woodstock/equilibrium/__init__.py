"""Strategies that cannot be exploited, and how much any strategy can be.

Comes in: a game, with hidden information or with simultaneous moves, and limits; or a strategy. Goes out: an
equilibrium by regret minimisation over information sets, or the NashConv and the exploitability of the strategy.
"""

from woodstock.equilibrium.graph import StateGraph
from woodstock.equilibrium.measure import exploitability, nash_conv, profile_values, tree_of
from woodstock.equilibrium.profile import ProfileValues, Strategy, uniform
from woodstock.equilibrium.tree import InformationTree

__all__ = [
    "InformationTree",
    "ProfileValues",
    "StateGraph",
    "Strategy",
    "exploitability",
    "nash_conv",
    "profile_values",
    "tree_of",
    "uniform",
]
