"""What time is worth: each player against itself with a quarter of the time.

    python -m bench.scaling --players "mac-ucb;uct" --clocks 0.2,0.8,3.2 --concurrency 16

A player gets 0.2, 0.8 and 3.2 s of processor time for a move, its rival 0.05, 0.2 and 0.8 s. A run that was stopped
goes on when it is started again with the same options. Rows: score with four times the time in %, with its 95 %
interval, over all games and for each game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from bench.common import Report, parser, percent
from bench.players import play

from woodstock.tournament.intervals import Interval, score_interval
from woodstock.tournament.standings import Standings

PLAYERS = "mac-ucb;mac-ucb-sym;uct;grave"
GAMES = (
    "connect-four,breakthrough,knight-through,othello,hex,pentago,quarto,checkers,amazons-torus-10x10,sheep-and-wolf"
)


def plan_text(player: str, games: list[str], clock: float, matches: int, concurrency: int) -> str:
    """Return the plan of a player against itself with a quarter of the time."""
    slow = f"{player}{',' if ':' in player else ':'}time=0.25"
    return f"""
name = "four times the time: {player}"
pairing = "gauntlet"
clock = "cpu"
start_clock_s = 30
play_clock_s = {clock}
opening = 2
max_turns = 300
matches = {matches}
concurrency = {concurrency}
keep_records = false
games = {json.dumps(games)}
[[player]]
spec = "{player}"
[[player]]
name = "a quarter"
spec = "{slow}"
"""


def rows(player: str, clock: float, found: Standings) -> Iterator[str]:
    """Yield a line for all games and one for each game."""
    pairs = [score for duel in found.duels for score in duel.pairs]
    yield _row(player, clock, "all games", score_interval(pairs))
    for duel in found.duels:
        yield _row(player, clock, duel.game, duel.interval)


def _row(player: str, clock: float, game: str, one: Interval) -> str:
    return f"{player:20} {clock:5g} s against {clock / 4:5g} s  {game:24} {percent(one)}  {one.count:4d} pairs"


def main() -> None:
    """Read the arguments and play."""
    options = parser(__doc__, out=True)
    options.add_argument("--players", default=PLAYERS, help="specifications, separated by ;")
    options.add_argument("--games", default=GAMES, help="separated by ,")
    options.add_argument("--clocks", default="0.2,0.8,3.2", help="seconds for a move, separated by ,")
    options.add_argument("--pairs", type=int, default=10, help="pairs of matches for each game")
    options.add_argument("--concurrency", type=int, default=1)
    options.add_argument("--minutes", type=float, help="begin no match after this time, for each player and clock")
    asked = options.parse_args()
    report = Report(asked.out)
    for player in asked.players.split(";"):
        for clock in (float(one) for one in asked.clocks.split(",")):
            text = plan_text(player, asked.games.split(","), clock, 2 * asked.pairs, asked.concurrency)
            for row in rows(player, clock, play(text, asked.minutes and 60 * asked.minutes)):
                report(row)


if __name__ == "__main__":
    main()
