"""`woodstock tournament run | resume | report | check`: play the matches of a tournament plan, report results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from woodstock.cli.frame import Answer, answered
from woodstock.cli.output import messages, table, write_file
from woodstock.cli.progress import spinner

if TYPE_CHECKING:
    from woodstock.tournament.plan import TournamentPlan
    from woodstock.tournament.runner import LoadedPlan, Progress, Workers

PlanFile = Annotated[Path, typer.Argument(metavar="PLAN.toml", help="The tournament plan.")]
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a tournament.")]
Scale = Annotated[float, typer.Option("--scale", min=0.0, metavar="X", help="Play this share of the matches.")]
Clock = Annotated[float, typer.Option("--clock", min=0.0001, metavar="X", help="Multiply all clocks by this.")]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Play on a Dask cluster, tcp://host:8786.")
]
Minutes = Annotated[
    float | None, typer.Option("--minutes", min=0.0, metavar="M", help="Start no match after this time; resume later.")
]
# How often progress is printed if the output is not a terminal.
LINE_EVERY_S = 30.0

app = typer.Typer(help="Play the matches of a tournament plan and report the results.", rich_markup_mode=None)


@app.command("check", epilog="Example: woodstock tournament check plan.toml")
@answered
def check(plan_file: PlanFile, scale: Scale = 1.0, clock: Clock = 1.0) -> Answer:
    """Check a plan: names, files and options; print how many matches it has."""
    from woodstock.tournament.pairing import Schedule
    from woodstock.tournament.plan import read_plan
    from woodstock.tournament.runner import load_games

    plan = read_plan(plan_file, scale=scale, clock_scale=clock)
    loaded = load_games(plan)
    matches = len(Schedule(plan, loaded.seats).fixtures({}))
    facts = {"name": plan.name, "plan": plan.identity, "matches": matches, "games": len(plan.games)}
    more = " at first, more when rounds are complete" if plan.pairing in ("swiss", "elimination") else ""
    most = ", at most: the sequential test may stop earlier" if plan.sprt is not None else ""
    sizes = f"{len(plan.players)} players, {len(plan.games)} games, {plan.pairing}"
    return Answer(facts, lambda console: console.print(f"{plan.name}: {sizes}: {matches} matches{more}{most}"))


@app.command("run", epilog="Example: woodstock tournament run plan.toml --out results")
def run(
    plan_file: PlanFile,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where results go.  [default: the plan's name]")
    ] = None,
    scale: Scale = 1.0,
    clock: Clock = 1.0,
    scheduler: Scheduler = None,
    minutes: Minutes = None,
) -> None:
    """Play all matches of a plan."""
    from woodstock.tournament import runner
    from woodstock.tournament.journal import JournalError
    from woodstock.tournament.plan import read_plan

    plan = read_plan(plan_file, scale=scale, clock_scale=clock)
    folder = out or plan_file.with_suffix("")
    if (folder / runner.JOURNAL).exists():
        raise JournalError(f"{folder} holds a tournament already: woodstock tournament resume {folder}")
    runner.write_plan(plan.text, folder, plan_file.parent, scale, clock)
    play_tournament(plan, folder, scheduler, minutes, is_resumed=False)


@app.command("resume", epilog="Example: woodstock tournament resume results")
def resume(folder: Folder, scheduler: Scheduler = None, minutes: Minutes = None) -> None:
    """Resume a tournament that was stopped, or that crashed."""
    from woodstock.tournament import runner

    plan = runner.read_folder(folder)
    play_tournament(plan, folder, scheduler, minutes, is_resumed=(folder / runner.JOURNAL).exists())


@app.command("report", epilog="Example: woodstock tournament report results --html report.html")
@answered
def report(
    folder: Folder,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one page of HTML.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for each duel.")] = None,
) -> Answer:
    """Show the standings of a tournament, finished or not."""
    from woodstock.tournament import runner
    from woodstock.tournament.journal import read_journal
    from woodstock.tournament.report.page import page
    from woodstock.tournament.report.tables import tables
    from woodstock.tournament.report.text import comma_separated, values
    from woodstock.tournament.report.text import markdown as as_markdown
    from woodstock.tournament.standings import standings

    plan = runner.read_folder(folder)
    found = standings(plan, read_journal(folder / runner.JOURNAL, plan.identity))
    for path, text in ((html, page), (markdown, as_markdown), (csv, comma_separated)):
        if path is not None:
            write_file(path, text(found))

    def show(console: Console) -> None:
        console.print(f"{plan.name}: {found.matches} matches", style="bold")
        for one in tables(found):
            console.print()
            console.print(table(one.heads, one.rows, one.title))
            if one.note:
                console.print(one.note, style="dim")

    return Answer(values(found), show)


def play_tournament(
    plan: TournamentPlan, folder: Path, scheduler: str | None, minutes: float | None, *, is_resumed: bool
) -> None:
    """Play what is left of a tournament and say how to go on or where the results are."""
    from woodstock.tournament import runner

    console = messages()
    try:
        with spinner("starting", LINE_EVERY_S) as show:
            seconds = None if minutes is None else 60 * minutes
            tell = partial(_tell, console, show)
            is_done = runner.run(plan, folder, _workers(scheduler), is_resumed=is_resumed, tell=tell, seconds=seconds)
    except KeyboardInterrupt:
        console.print(f"\nstopped; nothing is lost. To go on: woodstock tournament resume {folder}")
        raise typer.Exit(130) from None
    if not is_done:
        console.print(f"the time is over. To go on: woodstock tournament resume {folder}")
    console.print(f"{'done. ' if is_done else ''}See: woodstock tournament report {folder}")


def _workers(scheduler: str | None) -> Callable[[LoadedPlan], Workers]:
    if scheduler is not None:
        from woodstock.tournament.cluster import ClusterWorkers

        return lambda _loaded: ClusterWorkers(scheduler)
    from woodstock.tournament.workers import local_workers

    return local_workers


def _tell(console: Console, show: Callable[[str], None], progress: Progress) -> None:
    if progress.note:
        console.print(f"note: {progress.note}")
        return
    left = "" if progress.left_s is None else f", about {_duration(progress.left_s)} left"
    line = f"{progress.done} of {progress.known} matches, {_duration(progress.seconds)}{left}"
    show(line)
    if progress.done >= progress.known:
        console.print(line)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
