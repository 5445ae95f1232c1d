"""Battleships in fog: what the strategy that north really plays is worth against the best answer of south, exactly.

    python -m bench.fog --seconds 0.1 --ships 1,1

North can be sure of 93.75: it scans, south has one shot at random, north hits. The player is asked wherever its
strategy leads while the ship of south lies in one place, each time with the time of one move by processor time. Its own
ship lies anywhere, and what it learned with it in one place it keeps for the next. South may do anything
(bench/lazy_response.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from bench.common import Report, parser
from bench.lazy_response import best_response

import woodstock
from woodstock.information import InformationState
from woodstock.players.budget import Budget
from woodstock.players.hidden import HiddenSearcher, make_hidden_searcher
from woodstock.players.spec import parse_spec

BEST = 93.75


def _lies_at(ship: str, launch: str) -> bool:
    """Return whether a move of chance puts south's ship there."""
    return launch.endswith(f" {ship.replace(',', ' ')})")


def _searcher(game: woodstock.Game, player: str) -> HiddenSearcher:
    searcher = make_hidden_searcher(game, parse_spec(player))
    searcher.prepare(None)
    return searcher


def _answers(searcher: HiddenSearcher, seconds: float, views: Sequence[InformationState]) -> list[Mapping[str, float]]:
    decisions = [searcher.think(view, Budget(cpu_seconds=seconds)) for view in views]
    return [dict(decision.strategy) or {decision.move: 1.0} for decision in decisions]


def main() -> None:
    """Write a row for each place of the ship."""
    options = parser(__doc__, out=True)
    options.add_argument("--player", default="mac-ucb-ii")
    options.add_argument("--seconds", type=float, default=0.1)
    options.add_argument("--ships", default="1,1 2,1 2,2", help="column,row of south's ship, separated by blanks")
    given = options.parse_args()
    report = Report(given.out)
    game = woodstock.load("battleships-in-fog")
    for ship in given.ships.split():
        answers = partial(_answers, _searcher(game, given.player), given.seconds)
        found = best_response(game.initial, "north", "south", answers, partial(_lies_at, ship))
        report(
            f"{given.player} with {given.seconds:g} s, south's ship at {ship}: "
            f"north gets {100 - found.value:.3f} of {BEST}, asked at {found.asked} information sets"
        )


if __name__ == "__main__":
    main()
