"""How much a strategy can be exploited."""

from __future__ import annotations

from typing import Any, TypeAlias

from woodstock.equilibrium.graph import StateGraph
from woodstock.equilibrium.profile import ProfileValues, Strategy
from woodstock.equilibrium.tree import InformationTree
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import State

Tree: TypeAlias = InformationTree | StateGraph


def tree_of(source: Game | State, **limits: Any) -> Tree:
    """Return what strategies of a game are measured on; made once, it serves any number of strategies.

    A game with `sees` gives a tree of information sets, any other a graph of states. The limits are `max_histories`,
    `seconds` and `memory_mb`.

    >>> import woodstock
    >>> tree_of(woodstock.load("monty-hall"), memory_mb=64).roles
    ('candidate',)
    """
    game = source if isinstance(source, Game) else source.game
    return InformationTree(source, **limits) if game.has_percepts else StateGraph(source, **limits)


def profile_values(source: Game | State | Tree, strategy: Strategy, **limits: Any) -> ProfileValues:
    """Return the expected goals of a strategy for each role, and of best responses to it.

    `source` may be what `tree_of` returned, which saves the time to make it again; the limits are as there.

    >>> import woodstock
    >>> profile_values(woodstock.load("matching-pennies"), woodstock.equilibrium.uniform).best
    {'even': 50.0, 'odd': 50.0}
    """
    tree = tree_of(source, **limits) if isinstance(source, Game | State) else source
    return tree.values(strategy)


def nash_conv(source: Game | State | Tree, strategy: Strategy, **limits: Any) -> float:
    """Return the sum over roles of what a best response to the others would gain, in goals.

    >>> import woodstock
    >>> from woodstock.equilibrium import uniform
    >>> round(nash_conv(woodstock.load("kuhn-poker"), uniform) / 25, 9)       # in chips: 11/12
    0.916666667
    """
    return profile_values(source, strategy, **limits).nash_conv


def exploitability(source: Game | State | Tree, strategy: Strategy, **limits: Any) -> float:
    """Return NashConv divided by the number of roles, for games in which all goals add up to a constant.

    In a game of one role it is the distance to the best expected goal.

    >>> import woodstock
    >>> from woodstock.equilibrium import uniform
    >>> round(exploitability(woodstock.load("monty-hall"), uniform), 2)
    16.67
    """
    tree = tree_of(source, **limits) if isinstance(source, Game | State) else source
    if len(tree.roles) > 1 and not tree.has_constant_sum:
        raise GameError(
            f"the goals of {tree.game.name} do not add up to a constant, so it has no exploitability; "
            "`nash_conv` says what the roles could gain, each alone"
        )
    return tree.values(strategy).exploitability
