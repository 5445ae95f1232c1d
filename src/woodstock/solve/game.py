"""`solve_game`: the right solver for the rules, then a strategy if roles must mix."""

from __future__ import annotations

import time
from dataclasses import fields
from typing import Any

from woodstock.equilibrium.graph import StateGraph
from woodstock.equilibrium.regrets import DEFAULT_TARGET
from woodstock.equilibrium.spread import table_of_graph
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.solve.hidden import HiddenSolver
from woodstock.solve.solution import Equilibrium, Solution
from woodstock.solve.solver import (
    DEFAULT_MEMORY_MB,
    METHODS,
    OPPONENTS,
    STRATEGIES,
    UTILITIES,
    Solver,
    check_words,
)
from woodstock.symmetry import Symmetries


def solve_game(
    source: Game | State,
    *,
    symmetries: str | Symmetries = "network",
    opponent: str = "optimal",
    role: str | None = None,
    method: str = "full",
    utility: str = "goal",
    strategies: str = "mixed",
    max_states: int | None = None,
    seconds: float | None = None,
    memory_mb: int = DEFAULT_MEMORY_MB,
    target: float = DEFAULT_TARGET,
    iterations: int | None = None,
    rule: str = "auto",
) -> Solution:
    """Return the value of a game, or of a state of it.

    `symmetries` is `network`, `rules`, `none`, or what `find_symmetries` returned; it changes time, never values.
    Against `random` opponents it is solved for one `role`, the first unless named. If several roles choose at once, a
    value is what `mixed` or only `pure` strategies guarantee; roles with the same goals agree on the best. The table
    holds `memory_mb`; when it is full states are solved again.

    Rules with `sees` give an `Equilibrium`: what each role can reach by what it can know, with strategies. A state is
    one that everybody knows, as if a match began there. Regret minimisation (`rule`: `cfr+`, `pcfr+`, or `auto`) ends
    at the `target` exploitability, in goals, after so many `iterations`, or after so many `seconds`; limits and Ctrl-C
    then leave what is known so far. Two opposite roles that choose at once give an `Equilibrium` too, by a matrix game
    for each state.

    >>> import woodstock
    >>> solution = woodstock.solve_game(woodstock.load("tic-tac-toe"))
    >>> {role: str(value) for role, value in solution.values.items()}
    {'x': '50', 'o': '50'}
    """
    game, state = (source.game, source) if isinstance(source, State) else (source, source.initial)
    limits: dict[str, Any] = {"max_states": max_states, "seconds": seconds, "memory_mb": memory_mb}
    if game.has_percepts:
        check_hidden(method, strategies, opponent, role, utility)
        hidden = HiddenSolver(state, symmetries=symmetries, utility=utility, **limits)
        if opponent == "random":
            return hidden.solve_against_random(role)
        return hidden.solve(target=target, rule=rule, iterations=iterations)
    began = time.perf_counter()
    solution = Solver(
        game,
        symmetries=symmetries,
        opponent=opponent,
        role=role,
        method=method,
        utility=utility,
        strategies=strategies,
        **limits,
    ).solve(state)
    if utility != "goal" or strategies != "mixed" or opponent != "optimal":
        return solution
    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - began))
    try:
        return with_strategy(solution, seconds=left, memory_mb=memory_mb)
    except BudgetExceeded:
        return solution


def check_hidden(method: str, strategies: str, opponent: str, role: str | None, utility: str) -> None:
    """Raise for options that make no sense if the rules hide things."""
    check_words(method=(method, METHODS), opponent=(opponent, OPPONENTS))
    check_words(utility=(utility, UTILITIES), strategies=(strategies, STRATEGIES))
    if method != "full":
        raise GameError(f"the rules hide things from the roles, so {method} cannot solve the game; use the method full")
    if strategies != "mixed":
        raise GameError("the rules hide things from the roles, so they must mix; pure strategies are not solved for")
    if role is not None and opponent == "optimal":
        raise GameError("a role is chosen against random opponents only; otherwise all roles are solved for")


def with_strategy(solution: Solution, *, seconds: float | None, memory_mb: int) -> Solution:
    """Add optimal strategies to the value of a game in which two opposite roles choose at once.

    Any other game has none by matrix games: its solution comes back as it is.
    """
    if not solution.is_simultaneous:
        return solution
    clock = time.perf_counter()
    graph = StateGraph(solution.state, seconds=seconds, memory_mb=memory_mb)
    if len(graph.roles) != 2 or not graph.has_constant_sum:
        return solution
    behaviour = graph.optimal()
    values = graph.evaluate(behaviour)
    known = {one.name: getattr(solution, one.name) for one in fields(solution)}
    known["seconds"] += time.perf_counter() - clock
    return Equilibrium(
        **known,
        strategy=table_of_graph(graph, behaviour),
        exploitability=values.exploitability,
        nash_conv=values.nash_conv,
        bounds={role: (float(value), float(value)) for role, value in solution.values.items()},
        information_sets=graph.choice_count,
        iterations=0,
        rule="matrix games",
        ended="exact",
    )
