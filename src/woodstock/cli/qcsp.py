"""`woodstock qcsp`: solve quantified problems, play against a strategy, check a certificate."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console

from woodstock.cli.frame import Answer, answered
from woodstock.cli.options import Seed
from woodstock.cli.output import count, duration, messages, results, write_file
from woodstock.cli.progress import working
from woodstock.cli.qcsp_source import FORCED_WIN, FORCED_WIN_FORM, load, read_certificate
from woodstock.errors import ModelError

if TYPE_CHECKING:
    from woodstock.qcsp import Problem, Result, Strategy, Winning

app = typer.Typer(
    name="qcsp",
    help="Solve quantified constraint problems and formulas.",
    epilog="Example: woodstock qcsp solve 'baker(4, 40)'",
    rich_markup_mode=None,
    no_args_is_help=True,
)
File = Annotated[
    str, typer.Argument(metavar="FILE", help="A TOML, JSON or QDIMACS file, or a model: baker, 'forced-win(nim, 8)'.")
]
Seconds = Annotated[float | None, typer.Option("--seconds", min=0.0, metavar="S", help="Stop after S.")]
Nodes = Annotated[int | None, typer.Option("--nodes", min=1, metavar="N", help="Stop after N nodes.")]
Memory = Annotated[int, typer.Option("--memory-mb", min=1, metavar="MIB", help="Memory for positions met before.")]
Start = Annotated[
    str | None,
    typer.Option("--start", metavar="VALUES", help="Begin with these values of the first variables: 'x=1, y=2'."),
]
Temperature = Annotated[float, typer.Option("--temperature", metavar="T", help="Of the guide mc.")]
Frequency = Annotated[int, typer.Option("--frequency", metavar="F", help="Iterations of mc between swaps.")]
HeadStart = Annotated[int, typer.Option("--head-start", metavar="N", help="Iterations of mc before the search begins.")]
Pace = Annotated[float, typer.Option("--pace", metavar="N", help="Wait until mc has made N iterations for each node.")]
Restarts = Annotated[bool, typer.Option("--restarts", help="Restart if the guide swaps values of an open variable.")]
Published = Annotated[bool, typer.Option("--as-published", help="Search and guide as the paper prints them: slower.")]
GuideName = Annotated[
    Literal["none", "tight", "mc", "frontier"], typer.Option("--guide", help="A helper that reorders values.")
]
STOPPED = 4  # the exit code if a limit ended the search
LINE_SECONDS = 5.0  # between two lines of progress, off a terminal


@app.command("solve", epilog="Example: woodstock qcsp solve baker --guide frontier --save baker.cert.json")
@answered
def solve_command(
    file: File,
    guide: GuideName = "none",
    threads: Annotated[int, typer.Option("--threads", min=1, metavar="N", help="Threads of the guide.")] = 1,
    temperature: Temperature = 4.5,
    frequency: Frequency = 1000,
    head_start: HeadStart = 0,
    pace: Pace = 0.0,
    restarts: Restarts = False,
    published: Published = False,
    every: Annotated[
        bool, typer.Option("--all", help="List all winning assignments of the outermost variables.")
    ] = False,
    save: Annotated[Path | None, typer.Option("--save", metavar="OUT", help="Write the certificate to OUT.")] = None,
    tree: Annotated[bool, typer.Option("--tree", help="Draw the strategy as a tree.")] = False,
    start: Start = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    memory: Memory = 1024,
    seed: Seed = 0,
) -> Answer:
    """Decide whether the existential player wins, and by which strategy."""
    from woodstock.qcsp import Guide, draw, solve, winning_assignments

    problem = load(file, start)
    if every:
        with _searching(problem) as tell:
            found = winning_assignments(problem, seconds=seconds, nodes=nodes, memory_mb=memory, progress=tell)
        facts = {"problem": problem.name, "status": found.status, "winning": list(found), **found.statistics}
        return Answer(facts, lambda console: _show_all(problem, found, console), _exit_code(found.status))
    kind = Guide.published if published else Guide
    chosen = kind(
        name=guide,
        threads=threads,
        seed=seed,
        temperature=temperature,
        frequency=frequency,
        head_start=head_start,
        restarts=restarts,
        pace=pace,
    )
    with _searching(problem) as tell:
        result = solve(
            problem,
            guide=chosen,
            published=published,
            seconds=seconds,
            nodes=nodes,
            memory_mb=memory,
            progress=tell,
        )
    if save is not None and result.strategy is not None:
        write_file(save, result.strategy.dumps())

    def show(console: Console) -> None:
        _show(result, console)
        if tree and result.strategy is not None:
            console.print(draw(problem, result.strategy), soft_wrap=True, markup=False, highlight=False)

    return Answer(_facts(result), show, _exit_code(result.status))


@app.command("play", epilog="Example: woodstock qcsp play 'nim-fibonacci(7)'")
def play_command(
    file: File,
    certificate: Annotated[
        Path | None, typer.Argument(metavar="CERTIFICATE", help="A saved strategy; without it one is looked for.")
    ] = None,
    start: Start = None,
    seconds: Seconds = None,
    memory: Memory = 1024,
) -> None:
    """Set the universal variables yourself; the strategy answers."""
    from woodstock.qcsp import check, replay, solve

    problem = load(file, start)
    if certificate is not None:
        strategy = read_certificate(certificate)
        check(problem, strategy)
    else:
        with _searching(problem) as tell:
            result = solve(problem, seconds=seconds, memory_mb=memory, progress=tell)
        if result.is_winning is False:
            raise ModelError(f"{problem.name}: the existential player does not win, so there is no strategy to play")
        if result.strategy is None:
            reason = _limit(result.status) if result.is_winning is None else ", because it did not fit the memory"
            messages().print(f"{problem.name}: no strategy to play{reason}")
            raise typer.Exit(_exit_code(result.status) or STOPPED)
        strategy = result.strategy
    console = results()
    shown: set[str] = set()
    moves = {variable.name for variable, _ in problem.prefix}

    def is_told(name: str) -> bool:
        # Variables for the state of a game mean nothing to people.
        return name in moves or not _is_game(problem)

    def tell_settings(assignment: dict[str, int]) -> None:
        fresh = {name: value for name, value in assignment.items() if name not in shown and is_told(name)}
        shown.update(fresh)
        if fresh:
            console.print(f"  {_values(problem, fresh)}", soft_wrap=True)

    def ask(name: str, values: tuple[int, ...], assignment: dict[str, int]) -> int:
        tell_settings(assignment)
        shown.add(name)
        return _ask(problem, strategy, name, values)

    assignment = replay(problem, strategy, ask)
    tell_settings(assignment)
    if all(variable.name in assignment for variable, _ in problem.prefix):
        console.print("every constraint holds: the strategy wins", style="bold")
    else:
        console.print("you have no move left: the strategy wins", style="bold")


@app.command("check", epilog="Example: woodstock qcsp check baker baker.cert.json")
@answered
def check_command(
    file: File,
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="What `solve --save` wrote.")],
    start: Start = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Check at most N positions.")] = 10_000_000,
) -> Answer:
    """Check a certificate against the problem, without the solver."""
    from woodstock.qcsp import check

    problem = load(file, start)
    checked = check(problem, read_certificate(certificate), limit)
    facts = {"problem": problem.name, "valid": True, "plays": checked.plays, "positions": checked.positions}

    def show(console: Console) -> None:
        console.print(f"valid: the strategy wins {problem.name}", style="bold")
        console.print(f"  {count(checked.plays)} plays and {count(checked.positions)} questions checked")

    return Answer(facts, show)


@app.command("models", epilog="Example: woodstock qcsp models")
@answered
def models_command() -> Answer:
    """List the models that come with woodstock."""
    from woodstock.qcsp.models import MODELS

    forms = {name: form for name, (_, form) in MODELS.items()} | {FORCED_WIN: FORCED_WIN_FORM}
    lines = "\n".join(f"{name:16} {form}" for name, form in forms.items())
    return Answer(forms, lambda console: console.print(lines, soft_wrap=True))


def _is_game(problem: Problem) -> bool:
    """Whether the labels are moves of a game, and the definitions its states."""
    return bool(problem.labels) and not problem.source


def _ask(problem: Problem, strategy: Strategy, name: str, values: tuple[int, ...]) -> int:
    """Ask for a value, by its number or by its label; the only one is taken without asking."""
    from woodstock.qcsp import draw

    labels = {problem.label(name, value).lower(): value for value in values}
    if len(values) == 1:
        if not _is_game(problem):  # in games one player often only waits
            results().print(f"  {_values(problem, {name: values[0]})}, the only choice", soft_wrap=True)
        return values[0]
    is_range = values == tuple(range(values[0], values[-1] + 1))
    short = f"{values[0]}..{values[-1]}" if is_range else " ".join(map(str, values))
    if name in problem.labels:
        results().print("  " + ", ".join(f"{value} {problem.label(name, value)}" for value in values), soft_wrap=True)
    while True:
        try:
            text = input(f"{name} ({short})? ").strip()
        except EOFError:
            raise ModelError(f"the input ended before {name} was set") from None
        if text.lower() in labels:
            return labels[text.lower()]
        if text.lower() == "q":
            results().print("you left the play")
            raise typer.Exit
        if text.lower() == "t":
            results().print(draw(problem, strategy), soft_wrap=True, markup=False, highlight=False)
            continue
        try:
            if int(text) in values:
                return int(text)
        except ValueError:
            pass
        results().print(f"  {text!r} is not one of {short}; t draws the strategy, q leaves")


def _values(problem: Problem, assignment: dict[str, int]) -> str:
    return ", ".join(f"{name} = {problem.label(name, value)}" for name, value in assignment.items())


@contextmanager
def _searching(problem: Problem) -> Iterator[Callable[[int, int], None]]:
    """Show nodes on stderr while the search runs."""
    what, begun = f"solving {problem.name}", time.perf_counter()
    with working(what, LINE_SECONDS) as show:

        def tell(nodes: int, failures: int) -> None:
            spent = duration(time.perf_counter() - begun)
            show(f"{what}: {count(nodes)} nodes, {count(failures)} failures ({spent})")

        yield tell


def _facts(result: Result) -> dict[str, Any]:
    return {
        "problem": result.problem.name,
        "winning": result.is_winning,
        "status": result.status,
        "first": None if result.strategy is None else result.strategy.first_values(),
        "statistics": result.statistics,
        "checked": result.is_checked,
        "guides": list(result.guides),
        "certificate": result.certificate,
    }


def _show_all(problem: Problem, found: Winning, console: Console) -> None:
    for row in found:
        console.print(" ".join(f"{n}={problem.label(n, v)}" for n, v in row.items()), soft_wrap=True)
    least = "" if found.status == "complete" else "at least "
    console.print(f"{least}{count(len(found))} winning assignments{_limit(found.status)}", style="bold")


def _show(result: Result, console: Console) -> None:
    answer = {True: "winning", False: "not winning", None: "no answer"}[result.is_winning]
    console.print(f"{result.problem.name}: {answer}{_limit(result.status)}", style="bold")
    if result.strategy is not None:
        first = _values(result.problem, result.strategy.first_values())
        if first:
            console.print(f"  first {first}", soft_wrap=True)
        checked = "checked" if result.is_checked else "not checked: `woodstock qcsp check` does that"
        console.print(f"  a strategy of {count(len(result.strategy.nodes))} nodes, {checked}")
    elif result.is_winning:
        console.print("  the strategy did not fit the memory; raise --memory-mb")
    facts = result.statistics
    console.print(
        f"  {count(facts['nodes'])} nodes, {count(facts['probes'])} probes, {count(facts['memo_hits'])} positions met "
        f"again, {duration(facts['cpu_seconds'])}"
    )
    if result.guides and not any(guide["iterations"] for guide in result.guides):
        console.print("  guide: not needed, the search ended before its turn")
        return
    for guide in result.guides:
        console.print(f"  guide: {count(guide['iterations'])} iterations, {count(guide['swaps'])} suggestions")


def _limit(status: str) -> str:
    if status in ("complete", "interrupted"):
        return "" if status == "complete" else ", interrupted"
    return f", stopped by its limit of {status}"


def _exit_code(status: str) -> int:
    return {"complete": 0, "interrupted": 130}.get(status, STOPPED)
