"""Stochastic constraint networks: model, solve, draw.

    from woodstock.scsp import Network, solve

    network = Network("example")
    x, z = network.decision("x", [1, 2, 3]), network.decision("z", [0, 1, 2])
    y = network.chance("y", [0, 1, 2])              # uniform
    network.require(x == z)                         # hard: must hold on every path
    network.chance_constraint(x + y > 1)            # counts towards the satisfaction
    network.chance_constraint(y + z > 1)
    network.threshold = "7/10"
    for policy in solve(network, goal="all", exact=True):
        print(policy.utility, policy)

`network` says what the three kinds of constraints mean: hard (`require`, `allow`, `forbid`), soft (`prefer`), and
those whose joint probability is the satisfaction (`chance_constraint`).
"""

from __future__ import annotations

from woodstock.constraint.constraint import ANY, Condition, Constraint, Table
from woodstock.constraint.expression import Expression, all_different, all_of, any_of, maximum, minimum, total
from woodstock.constraint.selection import choose, element, implies, in_table
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.network import Network
from woodstock.scsp.policy import Policy
from woodstock.scsp.probability import ProbabilityTable
from woodstock.scsp.soft import Soft
from woodstock.scsp.solve import Result, solve

__all__ = [
    "ANY",
    "Condition",
    "Constraint",
    "Expression",
    "ModelError",
    "Network",
    "Policy",
    "ProbabilityTable",
    "Result",
    "Soft",
    "Table",
    "Variable",
    "all_different",
    "all_of",
    "any_of",
    "choose",
    "element",
    "implies",
    "in_table",
    "maximum",
    "minimum",
    "solve",
    "total",
]
