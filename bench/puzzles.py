"""Puzzles: how many one-player rulesheets reach their best goal, with a start clock and a clock for each move.

    python -m bench.puzzles --clock 30 --moves 5 --jobs 16 --out bench/results/puzzles.txt
    python -m bench.puzzles --competition --out bench/results/puzzles_2016.txt

For each rulesheet of ../shared/games that the index tags `puzzle`, in a process of its own (`--competition`: for the
nine puzzles of the competition of 2016, which are bundled, at its clocks of 120 and 30 s): load it within the start
clock; then our own player plans and plays it to its end, as in a match. Once a plan to the best goal is known the match
is decided, and its moves do not wait for the clock. The best goal is the best that the rules name, or the best that is
proven to be within reach. Rows that are in `--out` already are not run again.

On a busy machine `--processor` makes the start clock fair: it is then processor time of the player's process (clingo,
in a process of its own, gets about as much). The clock of each move stays wall time. The column `cpu` is that time at
the end of the start clock, or when the best plan was known before.
"""

from __future__ import annotations

import argparse
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

from bench.common import CORPUS, ChildError, Report, parser, run_apart, sheets

import woodstock
from woodstock import Game
from woodstock.players import Task
from woodstock.players.search_player import SearchPlayer

COLUMNS = (
    f"{'rulesheet':<58} {'status':<12} {'goal':>4} {'named':>5} {'moves':>5} {'load':>6} {'time':>6} {'cpu':>6}  by"
)
GROUND_SHARE = 0.8  # of the start clock, for grounding
MOST_MOVES = 1000
COMPETITION = (
    *("vector-racer-6", "eight-puzzle", "hunter-big", "untwisty-corridor", "joint-buttons-and-lights", "sudoku"),
    *("buttons-and-lights-3", "buttons-and-lights-7", "buttons-and-lights-10"),
)
# Loading may overrun its clock, and how long a match lasts is up to the rules.
SLACK_S = 930
# A clock of processor time may take this many times as long on the wall.
BUSY = 8


def start_by_processor(player: SearchPlayer, game: Game, clock: float) -> None:
    """Start the player; end that when this process has used so much processor time."""
    is_started = threading.Event()

    def watch() -> None:
        while not is_started.wait(0.02):
            if time.process_time() >= clock:
                player.interrupt()

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    player.start(Task(game, game.roles[0]), time.monotonic() + BUSY * clock)
    is_started.set()
    watching.join()


def play(name: str, clock: float, move_s: float, by_processor: bool) -> dict[str, object]:
    """Load a puzzle and play it to its end; runs in the process of one puzzle."""
    began = time.monotonic()
    source = CORPUS / name if name.endswith(".kif") else name
    game = woodstock.load(source, ground_seconds=clock * GROUND_SHARE)
    facts: dict[str, object] = {"load_s": round(time.monotonic() - began, 2)}
    named = 100
    if game.ground is not None:
        named = facts["named"] = max((value for _role, value, _atom in game.ground.goals), default=0)
    player = SearchPlayer("mac-ucb-sym")
    if by_processor:
        start_by_processor(player, game, clock)
    else:
        player.start(Task(game, game.roles[0]), began + clock)
    facts["cpu_s"] = round(time.process_time(), 2)
    state, moves = game.initial, 0
    by, is_best = "search", False
    while not state.is_terminal and moves < MOST_MOVES:
        if not state.legal(game.roles[0]):
            break
        decision = player.decide(state, time.monotonic() + move_s)
        plan = player.plan
        if player.is_without_end:
            # All states were searched: no end has a goal, and moves could go on for ever.
            return facts | {"seconds": round(time.monotonic() - began, 2), "moves": moves, "status": "no goal"}
        if plan is not None and plan.is_best and not is_best and (moves == 0 or plan.goal >= named):
            # Best of all that can be reached from the start, or best of all that is named.
            is_best = True
            by = plan.source if moves == 0 else f"{plan.source}, at move {moves + 1}"
        elif plan is not None and not is_best:
            by = plan.source
        state = state.next(decision.move)
        moves += 1
    facts |= {"seconds": round(time.monotonic() - began, 2), "moves": moves, "source": by}
    if not state.is_terminal:
        return facts | {"status": "no end"}
    goal = state.scores[game.roles[0]]
    if state.goals[game.roles[0]] is None and goal == 0:
        return facts | {"status": "no goal"}
    return facts | {"goal": goal, "status": "best" if is_best or goal >= named else "not best"}


def run_one(name: str, given: argparse.Namespace) -> dict[str, object]:
    """Return the facts from the process of one puzzle."""
    try:
        facts: dict[str, object] = run_apart(
            play, name, given.clock, given.moves, given.processor, seconds=given.clock + SLACK_S
        )
    except subprocess.TimeoutExpired:
        facts = {"status": "out of time"}
    except ChildError as error:
        facts = {"status": "error", "source": str(error)}
    return facts


def row_of(name: str, facts: dict[str, object]) -> str:
    """Return the line for one puzzle."""
    return (
        f"{name:<58} {facts['status']:<12} {facts.get('goal', '-'):>4} {facts.get('named', '-'):>5} "
        f"{facts.get('moves', '-'):>5} {facts.get('load_s', '-'):>6} {facts.get('seconds', '-'):>6} "
        f"{facts.get('cpu_s', '-'):>6}  {facts.get('source', '')}"
    )


def summary(rows: list[str]) -> str:
    """Return how many puzzles ended with each status."""
    statuses = [row[59:71].strip() for row in rows if row.split(" ")[0].endswith(".kif") or row.startswith(COMPETITION)]
    others = "".join(f"; {status}: {statuses.count(status)}" for status in sorted(set(statuses) - {"best"}))
    return f"best goal reached: {statuses.count('best')} of {len(statuses)}{others}"


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--clock", type=float, default=30.0, metavar="SECONDS", help="start clock")
    options.add_argument("--moves", type=float, default=5.0, metavar="SECONDS", help="clock of each move")
    options.add_argument("--processor", action="store_true", help="clocks of processor time, for a busy machine")
    options.add_argument("--only", nargs="*", help="parts of the names of rulesheets")
    options.add_argument("--competition", action="store_true", help="the nine puzzles of 2016, at 120 and 30 s")
    options.add_argument("--jobs", type=int, default=1, help="puzzles at a time; each may use two cores")
    given = options.parse_args()
    names = [row["file"] for row in sheets() if "puzzle" in row["tag"]] if not given.competition else COMPETITION
    if given.competition:
        given.clock, given.moves = 120.0, 30.0
    report = Report(given.out, resume=True)
    report.lines = [line for line in report.lines if not line.startswith("best goal reached")]
    report(COLUMNS)
    wanted = [name for name in names if not given.only or any(part in name for part in given.only)]
    with ThreadPoolExecutor(given.jobs) as pool:
        ask = {pool.submit(run_one, name, given): name for name in wanted if not report.has(f"{name} ")}
        for answer in as_completed(ask):
            report(row_of(ask[answer], answer.result()))
    report(summary(report.lines))


if __name__ == "__main__":
    main()
