"""Strategies of all roles, and what they are worth.

A strategy maps what a role knows to probabilities over its legal moves. It answers for every role, so it is a profile
of strategies. NashConv is the sum over roles of what a best response to the others gains; exploitability is NashConv
divided by the number of roles that choose. Both are as OpenSpiel defines them, in goals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from woodstock.errors import GameError
from woodstock.information import InformationState

Strategy: TypeAlias = Callable[[InformationState], Mapping[str, float]]
# The probabilities of one role, one for each sequence of a tree.
Behaviour: TypeAlias = NDArray[np.float64]

_ROUNDING = 1e-6


@dataclass(frozen=True)
class ProfileValues:
    """The expected goal of each role with a profile, and with a best response to the others' part of it."""

    values: dict[str, float]
    best: dict[str, float]

    @property
    def nash_conv(self) -> float:
        """The sum of what the roles could gain, each alone."""
        # A best response is never worse than the profile; rounding may say so.
        return sum(max(0.0, self.best[role] - value) for role, value in self.values.items())

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of roles."""
        return self.nash_conv / len(self.values)


def uniform(view: InformationState) -> dict[str, float]:
    """Return the same probability for every legal move: the strategy that chooses uniformly.

    >>> import woodstock
    >>> start = woodstock.load("rock-paper-scissors").initial
    >>> {move: round(p, 2) for move, p in uniform(InformationState.at(start, start.game.roles[0])).items()}
    {'(show paper)': 0.33, '(show rock)': 0.33, '(show scissors)': 0.33}
    """
    return dict.fromkeys(view.legal, 1.0 / len(view.legal))


def probabilities(strategy: Strategy, view: InformationState) -> list[float]:
    """Return the probabilities that a strategy gives to the legal moves; `GameError` if they are none."""
    given = strategy(view)
    at = f"the strategy of {view.role} in turn {view.turn} of {view.game.name}"
    unknown = [move for move in given if move not in view.legal]
    if unknown:
        raise GameError(f"{at} has a move that is not legal there: {unknown[0]}; legal are {' '.join(view.legal)}")
    found = [float(given.get(move, 0.0)) for move in view.legal]
    if not all(p >= 0 for p in found) or abs(sum(found) - 1) > _ROUNDING:
        raise GameError(f"{at} does not give probabilities that add up to 1: {dict(given)}")
    total = sum(found)
    return [p / total for p in found]
