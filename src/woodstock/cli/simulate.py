"""`woodstock simulate`: play random playouts and report speed, length and goals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console

from woodstock.cli.frame import Answer, Load, answered, on_game
from woodstock.cli.options import Seed
from woodstock.cli.output import count, duration, reproduction

if TYPE_CHECKING:
    from woodstock.game.playouts import PlayoutStats

BAR = 40
FACTS = (
    *("engine", "threads", "truncated", "stuck", "seconds", "cpu_seconds", "mean_length"),
    *("playouts_per_second", "states_per_second", "playouts_per_cpu_second", "states_per_cpu_second"),
)


@on_game
@answered
def command(
    load: Load,
    seconds: Annotated[float, typer.Option("--seconds", min=0.0, metavar="S", help="How long to play.")] = 5.0,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", min=1, metavar="N", help="Play this many instead; the same seed gives the same result."
        ),
    ] = None,
    engine: Annotated[
        Literal["auto", "batch", "scalar", "reference"],
        typer.Option("--engine", help="batch: many at once; scalar: one by one; reference: interpreter."),
    ] = "auto",
    threads: Annotated[int, typer.Option("--threads", min=1, metavar="N", help="Number of threads.")] = 1,
    max_steps: Annotated[int, typer.Option("--max-steps", min=1, metavar="N", help="Cut longer playouts.")] = 10_000,
    seed: Seed = 0,
) -> Answer:
    """Play random playouts: how fast, how long, who wins."""
    game = load()
    limit: dict[str, Any] = {"n": playouts} if playouts is not None else {"seconds": seconds}
    stats = game.playouts(**limit, seed=seed, threads=threads, engine=engine, max_steps=max_steps)
    facts = {"game": game.name, **_as_dict(stats), **reproduction(game.rules_hash, seed)}
    return Answer(facts, lambda console: _show(game.name, stats, console))


def _as_dict(stats: PlayoutStats) -> dict[str, Any]:
    goals = {}
    for role, mean in stats.goal_means.items():
        interval = stats.goal_interval(role)
        goals[role] = {
            "mean": mean,
            "interval": None if interval is None else list(interval),
            "histogram": {str(value): n for value, n in stats.histograms[role].items()},
            "undefined": stats.undefined[role],
        }
    return {"playouts": stats.count, **{name: getattr(stats, name) for name in FACTS}, "goals": goals}


def _show(name: str, stats: PlayoutStats, console: Console) -> None:
    plural = "s" if stats.threads > 1 else ""
    console.print(
        f"{name}: {count(stats.count)} playouts in {duration(stats.seconds)}, {stats.engine} engine, "
        f"{stats.threads} thread{plural}"
    )
    console.print(f"{'':14}{'wall second':>16}{'CPU second':>16}", style="bold")
    for what, wall, cpu in (
        ("playouts per", stats.playouts_per_second, stats.playouts_per_cpu_second),
        ("states per", stats.states_per_second, stats.states_per_cpu_second),
    ):
        console.print(f"{what:14}{count(wall):>16}{count(cpu):>16}")
    console.print(f"{'mean length':14}{stats.mean_length:>16.2f}")
    for number, what in (
        (stats.truncated, "cut at the limit on steps"),
        (stats.stuck, "stuck: a role had no legal move"),
    ):
        if number:
            console.print(f"{count(number)} playouts {what}")
    for role, mean in stats.goal_means.items():
        interval = stats.goal_interval(role)
        half = "" if interval is None else f" +/- {(interval[1] - interval[0]) / 2:.2f}"
        console.print(f"\n{role}: mean goal " + ("undefined" if mean is None else f"{mean:.2f}{half}"), style="bold")
        if stats.undefined[role]:
            console.print(f"{count(stats.undefined[role])} playouts gave no goal, or several")
        histogram = stats.histograms[role]
        total = sum(histogram.values()) or 1
        for value, n in histogram.items():
            bar = "#" * max(1, round(BAR * n / total))
            console.print(f"{value:>5} {100 * n / total:>6.1f} %  {bar}")
