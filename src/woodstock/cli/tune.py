"""`woodstock tune`: search the settings of a player by paired matches, then test the result on other games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from woodstock.cli.output import messages, print_json, results, table
from woodstock.cli.progress import spinner
from woodstock.cli.tournament import LINE_EVERY_S, Minutes, Scheduler, play_tournament

if TYPE_CHECKING:
    from woodstock.tournament.runner import Workers
    from woodstock.tune.plan import TuningPlan
    from woodstock.tune.run import Tuning, TuningProgress

VERIFICATION = "verify"


def command(
    plan_file: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="The tuning plan.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where matches are kept.  [default: the plan's name]"),
    ] = None,
    minutes: Minutes = None,
    scheduler: Scheduler = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Tune a player's settings by a plan; go on if the folder has a part of it.

    The same command again goes on where it was stopped, and shows the result if nothing is left to play.
    """
    from woodstock.tune.plan import read_tuning_plan
    from woodstock.tune.run import run

    plan = read_tuning_plan(plan_file)
    folder = out or plan_file.with_suffix("")
    console = messages()
    seconds = None if minutes is None else 60 * minutes
    try:
        with spinner("starting", LINE_EVERY_S) as show:
            tuning = run(plan, folder, _workers(scheduler), tell=lambda one: show(_line(one)), seconds=seconds)
    except KeyboardInterrupt:
        console.print(f"\nstopped; nothing is lost. To go on: woodstock tune {plan_file}")
        raise typer.Exit(130) from None
    is_done = len(tuning.done) >= plan.trials
    if as_json:
        print_json(_values(tuning))
    else:
        _show(results(), tuning)
    if not is_done:
        console.print(f"the time is over. To go on: woodstock tune {plan_file}")
    elif plan.verification is not None:
        _verify(plan, tuning.best, folder / VERIFICATION, plan_file.parent, scheduler, minutes)


def _verify(
    plan: TuningPlan, best: str, folder: Path, source: Path, scheduler: str | None, minutes: float | None
) -> None:
    from woodstock.tournament import runner
    from woodstock.tune.report import verification_plan

    tournament = verification_plan(plan, best, source)
    is_resumed = (folder / runner.JOURNAL).exists()
    if not is_resumed:
        runner.write_plan(tournament.text, folder, source, 1.0, 1.0)
    play_tournament(tournament, folder, scheduler, minutes, is_resumed=is_resumed)


def _workers(scheduler: str | None) -> Callable[[TuningPlan], Workers]:
    if scheduler is not None:
        from woodstock.tournament.cluster import ClusterWorkers

        return lambda _plan: ClusterWorkers(scheduler)
    from woodstock.tournament.workers import LocalWorkers

    return lambda plan: LocalWorkers(plan.concurrency)


def _line(progress: TuningProgress) -> str:
    rate = progress.matches / max(progress.seconds, 1e-9)
    done = f"{progress.trials} of {progress.planned} trials, {progress.matches} matches"
    return f"{done}, {rate:.1f} a second: {progress.best}"


def _values(tuning: Tuning) -> dict[str, object]:
    from woodstock.tune.report import path

    steps = [{"trials": list(one.trials), "values": list(one.values), "score": one.score.mean} for one in path(tuning)]
    matches = sum(len(trial.scores) for trial in tuning.trials.values())
    return {"best": tuning.best, "trials": len(tuning.done), "matches": matches, "path": steps}


def _show(console: Console, tuning: Tuning) -> None:
    from woodstock.tune.report import path

    plan = tuning.plan
    console.print(f"{plan.name}: {len(tuning.done)} trials", style="bold")
    heads = ["trials", *(one.name for one in plan.space.settings), "score %", "95 %"]
    rows = [
        [
            f"{one.trials[0]}..{one.trials[1]}",
            *one.values,
            f"{100 * one.score.mean:.1f}",
            f"{100 * one.score.low:.0f}..{100 * one.score.high:.0f}",
        ]
        for one in path(tuning)
    ]
    against = "one side of each duel" if plan.method == "spsa" else f"the points tried, against {plan.opponent}"
    console.print(table(heads, rows))
    console.print(f"Settings along the way; the score is that of {against}.", style="dim")
    console.print(f"best: {tuning.best}")
