"""Simultaneous moves: how much the strategy that a player really plays can be exploited, by its time for a move.

    python -m bench.simultaneous --seconds 0.01,0.1,1,10 --jobs 16

Every state of the game in which somebody chooses is searched on its own, with a new tree and a seed of its own, by
processor time; the strategies of all roles in that state come from one search. Rows: exploitability in points of the
goal (0 is an equilibrium), the largest gain of a best response, the states that were searched and the share that was
proven. `uniform` draws every move alike.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from itertools import product
from multiprocessing import get_context

from bench.common import Report, parser

import woodstock
from woodstock.equilibrium import StateGraph, uniform
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.information import InformationState
from woodstock.players.budget import Budget
from woodstock.players.searcher import TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec

GAMES = "matching-pennies,rock-paper-scissors,simultaneous-tic-tac-toe-2x2,oshi-zumo,goofspiel-4"
PLAYERS = "mac-ucb;uct"

Strategies = Mapping[str, Mapping[str, float]]
_games: dict[str, woodstock.Game] = {}


def choices(game: woodstock.Game) -> Iterator[State]:
    """Yield every state that can be reached and in which a player has a choice."""
    players = without_chance(game.roles)
    seen, open_states = {game.initial.fluents}, [game.initial]
    while open_states:
        state = open_states.pop()
        if state.is_terminal:
            continue
        if any(len(state.legal(role)) > 1 for role in players):
            yield state
        for joint in product(*(state.legal(role) for role in game.roles)):
            after = state.next(joint)
            if after.fluents not in seen:
                seen.add(after.fluents)
                open_states.append(after)


def search(task: tuple[str, str, float, int, frozenset[str]]) -> tuple[frozenset[str], bool, Strategies]:
    """Search one state; return whether it was proven and what each role plays there."""
    name, player, seconds, seed, fluents = task
    game = _games.get(name) or _games.setdefault(name, woodstock.load(name))
    state = game.state(fluents)
    players = without_chance(game.roles)
    searcher = make_searcher(game, parse_spec(f"{player}{',' if ':' in player else ':'}seed={seed}"))
    assert isinstance(searcher, TreeSearcher)
    searcher.prepare(None)
    found = searcher.think(state, players[0], Budget(cpu_seconds=seconds), None)
    played: dict[str, Mapping[str, float]] = {}
    for role in players:
        info = searcher.info(role)
        played[role] = dict(info.strategy) or {info.moves[0].move: 1.0}
    return fluents, found.is_proven, played


def measure(report: Report, name: str, player: str, seconds: float, asked: argparse.Namespace) -> None:
    """Write one row."""
    game = woodstock.load(name)
    tasks = [(name, player, seconds, seed, state.fluents) for seed, state in enumerate(choices(game), 1)]
    if asked.jobs > 1:
        with get_context("spawn").Pool(asked.jobs) as pool:
            found = pool.map(search, tasks, chunksize=1)
    else:
        found = [search(task) for task in tasks]
    played = {fluents: strategies for fluents, _, strategies in found}

    def strategy(view: InformationState) -> Mapping[str, float]:
        legal = view.legal
        if len(legal) == 1:
            return {legal[0]: 1.0}
        return played[view.state.fluents][view.role]

    values = StateGraph(game).values(strategy)
    gain = max(values.best[role] - values.values[role] for role in values.best)
    proven = 100 * sum(is_proven for _, is_proven, _ in found) / max(1, len(found))
    report(
        f"{name:30} {player:12} {seconds:7g} s {values.exploitability:9.4f} {gain:9.4f} {len(found):6d} {proven:6.1f} %"
    )


def main() -> None:
    """Read the arguments and measure."""
    options = parser(__doc__, out=True)
    options.add_argument("--games", default=GAMES, help="separated by ,")
    options.add_argument("--players", default=PLAYERS, help="separated by ;")
    options.add_argument("--seconds", default="0.01,0.1,1", help="for each state, separated by ,")
    options.add_argument("--jobs", type=int, default=1, help="processes")
    asked = options.parse_args()
    report = Report(asked.out)
    report(f"{'game':30} {'player':12} {'clock':>9} {'expl.':>9} {'gain':>9} {'states':>6} {'proven':>8}")
    for name in asked.games.split(","):
        values = StateGraph(woodstock.load(name)).values(uniform)
        report(f"{name:30} {'uniform':12} {'-':>9} {values.exploitability:9.4f}")
        for player in asked.players.split(";"):
            for seconds in map(float, asked.seconds.split(",")):
                measure(report, name, player, seconds, asked)


if __name__ == "__main__":
    main()
