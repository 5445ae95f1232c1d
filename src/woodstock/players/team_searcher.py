"""A search with a team: the player's own tree and one in each worker of a cluster, their roots added up at the end.

Trees with seeds of their own see different playouts, so the sum of their roots knows more than each. A worker that is
late, gone or wrong is left out: at worst the player is as strong as it is alone.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence

from woodstock.game.state import State
from woodstock.players.budget import Budget
from woodstock.players.decision import Decision, InfoSubscriber, RootMove, SearchInfo
from woodstock.players.searcher import TreeSearcher
from woodstock.players.team import Team, find_dask

# Share of the time for a move that sending a task and its answer may take; slower workers are left out.
_ROUND_TRIP_SHARE = 0.5
_POLL_S = 0.002
_ANSWER_S = 20.0
_LONGEST_PREPARATION_S = 60.0


class TeamSearcher(TreeSearcher):
    """A tree of the player's own, and one in each worker."""

    team: Team | None = None

    def prepare(self, deadline: float | None, symmetries_by: float | None = None, move_s: float | None = None) -> None:
        is_new = self.team is None
        if self.team is None:
            find_dask()
            self.team = Team(str(self._spec.settings["workers"]), self._game, self._spec)
            self.team.prepare(_seconds_to(deadline))
        super().prepare(deadline, symmetries_by, move_s)
        if is_new:
            self.team.wait(_seconds_to(deadline))

    def think(
        self, state: State, role: str, budget: Budget, tell: InfoSubscriber | None, interval: float = 0.5
    ) -> Decision:
        team = self.team
        assert team is not None
        seconds = budget.cpu_seconds if budget.deadline is None else budget.seconds_left
        round_trip_s = min(1.2 * team.round_trip_s + 0.01, _ROUND_TRIP_SHARE * seconds)
        answers: list[Decision] = []
        share = budget.simulations // (team.size + 1)
        if team.size and (seconds > 0 or share):
            answers = team.search(state, role, max(0.0, seconds - round_trip_s), share)
            if budget.simulations:
                budget = Budget(budget.deadline, budget.simulations - share * team.size, budget.nodes)
        elif not team.size:
            # Workers may join during a match.
            team.prepare(max(1.0, seconds))
        size = team.size
        own = super().think(state, role, budget, tell, interval)
        if budget.deadline is None and not own.is_proven:
            # Without a clock the answer includes the workers' share, but a dead worker must not block it for ever.
            ends_at = time.monotonic() + max(_ANSWER_S, 3 * own.seconds)
            while len(answers) < size == team.size and time.monotonic() < ends_at:
                time.sleep(_POLL_S)
        merged = add_up([own, *answers])
        statistics = {**merged.statistics, "workers": len(answers)}
        if team.problem is not None:
            note = f"{team.problem}; the player searches alone"
            statistics["notes"] = (*merged.statistics.get("notes", ()), note)
        return dataclasses.replace(merged, statistics=statistics, seconds=own.seconds)

    def close(self) -> None:
        """Leave the cluster."""
        if self.team is not None:
            self.team.close()


def _seconds_to(deadline: float | None) -> float:
    return _LONGEST_PREPARATION_S if deadline is None else max(0.0, deadline - time.monotonic())


def add_up(decisions: Sequence[Decision]) -> Decision:
    """Return the joint decision of several searches of one state; the first is the player's own."""
    own = decisions[0]
    proven = next((one for one in decisions if one.is_proven), None)
    if len(decisions) == 1 or proven is own:
        return own
    by_move: dict[str, list[RootMove]] = {of.move: [] for of in own.moves}
    for one in decisions:
        for of in one.moves:
            # A worker with other rules or another state may have moves that are not ours.
            by_move.get(of.move, []).append(of)
    moves = [_add(found) for found in by_move.values()]
    best = proven.move if proven is not None else _best(moves)
    moves.sort(key=lambda of: (of.move == best, of.visits, of.value), reverse=True)
    total = sum(max(1, one.simulations) for one in decisions)
    values = (
        proven.values
        if proven is not None
        else {role: sum(max(1, one.simulations) * one.values[role] for one in decisions) / total for role in own.values}
    )
    statistics = {**own.statistics, "simulations": sum(one.simulations for one in decisions)}
    strategy = (proven or own).strategy
    if proven is None and strategy:
        strategy = {move: sum(one.strategy.get(move, 0.0) for one in decisions) / len(decisions) for move in strategy}
    info = SearchInfo(own.role, tuple(moves), values, proven is not None, own.seconds, statistics, strategy)
    return Decision.from_info(info, own.player, own.signature)


def _best(moves: Sequence[RootMove]) -> str:
    """Return the move to make: the most visited one, unless a proven one is as good."""
    open_moves = [of for of in moves if not of.is_proven]
    proven = max((of for of in moves if of.is_proven), key=lambda of: of.value, default=None)
    if not open_moves:
        assert proven is not None
        return proven.move
    tried = max(open_moves, key=lambda of: (of.visits, of.value))
    return proven.move if proven is not None and proven.value >= tried.value else tried.move


def _add(found: Sequence[RootMove]) -> RootMove:
    """Return what several trees know of one move."""
    certain = next((of for of in found if of.is_proven), None)
    visits = sum(of.visits for of in found)
    best_line = max(found, key=lambda of: len(of.line))
    bounds = max(of.bounds[0] for of in found), min(of.bounds[1] for of in found)
    if certain is not None:
        return dataclasses.replace(certain, visits=visits, line=certain.line or best_line.line)
    weight = sum(max(1, of.visits) for of in found)
    value = sum(max(1, of.visits) * of.value for of in found) / weight
    # Independent estimates: the variance of their weighted mean.
    half = math.sqrt(sum((max(1, of.visits) * (of.interval[1] - of.interval[0]) / 2) ** 2 for of in found)) / weight
    interval = max(bounds[0], value - half), min(bounds[1], value + half)
    return RootMove(found[0].move, visits, value, interval, bounds, False, best_line.line)
