"""Matches between players: `bench/players.toml`, or some of it, run as a tournament.

    python -m bench.players --player mac-ucb --rivals "uct;grave:c=0.1" --games hex,quarto --cpu --seconds 0.05

A run that was stopped goes on when it is started again with the same options. `--cpu` counts the processor time of the
searching thread instead of the wall clock, which is fair on a busy machine; `--simulations` gives equal work instead of
equal time. Rows: score of the player in % with its 95 % interval, from pairs of matches with exchanged seats; a match
whose twin was not finished counts as a pair of its own. Last, a row for each rival with the mean of the games.
"""

from __future__ import annotations

import json
import statistics
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.common import ROOT, Report, parser, percent

from woodstock.tournament import runner
from woodstock.tournament.intervals import score_interval
from woodstock.tournament.journal import read_journal
from woodstock.tournament.plan import PlanError, parse_plan
from woodstock.tournament.standings import Standings, standings
from woodstock.tournament.workers import local_workers

PLAN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
RUNS = ROOT / "build" / "players"


def plan_text(**changes: Any) -> str:
    """Return the text of `players.toml` with other values for some keys; None leaves a key out."""
    value = {key: one for key, one in {**PLAN, **changes}.items() if one is not None}
    lines = [f"{key} = {json.dumps(one)}" for key, one in value.items() if key not in ("player", "sprt")]
    if "sprt" in value:
        lines += ["[sprt]", *(f"{key} = {one}" for key, one in value["sprt"].items())]
    lines += [f"[[player]]\nspec = {json.dumps(one['spec'])}" for one in value["player"]]
    return "\n".join(lines) + "\n"


def play(text: str, seconds: float | None = None) -> Standings:
    """Run a plan, or what is left of it; after `seconds` no match is begun."""
    plan = parse_plan(text)
    folder = RUNS / plan.identity
    journal = folder / runner.JOURNAL
    runner.run(plan, folder, local_workers, is_resumed=journal.exists(), seconds=seconds)
    return standings(plan, read_journal(journal, plan.identity))


def rows(found: Standings) -> Iterator[str]:
    """Yield a line for each duel."""
    for duel in found.duels:
        score = percent(duel.interval)
        yield f"{duel.game:26} {duel.second:28} {score}  {duel.tally.count:4d} matches  {duel.decision}".rstrip()


def totals(found: Standings) -> Iterator[str]:
    """Yield a line for each rival: the mean of the games, and the mean of all pairs with its interval."""
    for rival in dict.fromkeys(duel.second for duel in found.duels):
        duels = [duel for duel in found.duels if duel.second == rival]
        mean = statistics.mean(duel.interval.mean for duel in duels)
        score = percent(score_interval([score for duel in duels for score in duel.pairs]))
        pairs = sum(len(duel.pairs) for duel in duels)
        yield f"{'mean of the games':26} {rival:28} {100 * mean:6.1f}; of {pairs} pairs {score}"


def main() -> None:
    """Read the arguments and play."""
    options = parser(__doc__, out=True)
    options.add_argument("--player", default=PLAN["player"][0]["spec"])
    options.add_argument("--rivals", help="specifications, separated by ;")
    options.add_argument("--games", help="separated by ,")
    options.add_argument("--seconds", type=float, help="for each move")
    options.add_argument("--start-clock", type=float, help="seconds before the first move")
    options.add_argument("--cpu", action="store_true")
    options.add_argument("--simulations", type=int)
    options.add_argument("--pairs", type=int, help="most pairs of matches for each row")
    options.add_argument("--opening", type=int, help="random turns at the start")
    options.add_argument("--concurrency", type=int, help="matches at a time")
    options.add_argument("--minutes", type=float, help="begin no match after this time")
    asked = options.parse_args()
    usual = [one["spec"] for one in PLAN["player"] if one["spec"] != asked.player]
    rivals = asked.rivals.split(";") if asked.rivals else usual
    changes = {
        "player": [{"spec": spec} for spec in (asked.player, *rivals)],
        "games": asked.games and asked.games.split(","),
        "start_clock_s": asked.start_clock,
        "play_clock_s": asked.seconds,
        "clock": "cpu" if asked.cpu else None,
        "simulations": asked.simulations,
        "matches": asked.pairs and 2 * asked.pairs,
        "opening": asked.opening,
        "concurrency": asked.concurrency,
    }
    report = Report(asked.out)
    report(f"{asked.player} against each rival, score in % with 95 % interval")
    text = plan_text(**{key: one for key, one in changes.items() if one is not None})
    try:
        found = play(text, asked.minutes and 60 * asked.minutes)
    except PlanError as error:
        raise SystemExit(str(error)) from error
    for row in (*rows(found), *totals(found)):
        report(row)


if __name__ == "__main__":
    main()
