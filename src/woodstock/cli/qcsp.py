"""`woodstock qcsp`: solve quantified problems, play against a strategy, check a certificate."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.status import Status

from woodstock.cli.options import AsJson, Seed
from woodstock.cli.output import count, duration, messages, print_json, results
from woodstock.cli.progress import SLOW_SECONDS
from woodstock.cli.qcsp_source import FORCED_WIN, FORCED_WIN_FORM, load, read_certificate
from woodstock.errors import ModelError

if TYPE_CHECKING:
    from woodstock.qcsp import Problem, Result, Strategy

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
LINE_SECONDS = 5.0


class GuideName(enum.StrEnum):
    """Who reorders values while the search runs."""

    NONE = "none"
    MC = "mc"
    FRONTIER = "frontier"


@app.command("solve", epilog="Example: woodstock qcsp solve baker --guide frontier --save baker.cert.json")
def solve_command(
    file: File,
    guide: Annotated[GuideName, typer.Option("--guide", help="A helper that reorders values.")] = GuideName.NONE,
    threads: Annotated[int, typer.Option("--threads", min=1, metavar="N", help="Threads of the guide.")] = 1,
    every: Annotated[
        bool, typer.Option("--all", help="List all winning assignments of the outermost variables.")
    ] = False,
    save: Annotated[Path | None, typer.Option("--save", metavar="OUT", help="Write the certificate to OUT.")] = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    memory: Memory = 1024,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Decide whether the existential player wins, and by which strategy."""
    from woodstock.qcsp import Guide, solve, winning_assignments

    problem = load(file)
    if every:
        with _progress(problem) as tell:
            found = winning_assignments(problem, seconds=seconds, nodes=nodes, memory_mb=memory, progress=tell)
        facts = {"problem": problem.name, "status": found.status, "winning": list(found), **found.statistics}
        if as_json:
            print_json(facts)
        else:
            for row in found:
                results().print(" ".join(f"{n}={problem.label(n, v)}" for n, v in row.items()), soft_wrap=True)
            least = "" if found.status == "complete" else "at least "
            results().print(f"{least}{count(len(found))} winning assignments{_limit(found.status)}", style="bold")
        _end(found.status)
        return
    with _progress(problem) as tell:
        result = solve(
            problem,
            guide=Guide(guide.value, threads=threads, seed=seed),
            seconds=seconds,
            nodes=nodes,
            memory_mb=memory,
            progress=tell,
        )
    if save is not None and result.strategy is not None:
        _write(save, result.strategy)
    if as_json:
        print_json(_facts(result))
    else:
        _print(result, save)
    _end(result.status)


@app.command("play", epilog="Example: woodstock qcsp play 'nim-fibonacci(7)'")
def play_command(
    file: File,
    certificate: Annotated[
        Path | None, typer.Argument(metavar="[CERTIFICATE]", help="A saved strategy; without it one is looked for.")
    ] = None,
    seconds: Seconds = None,
    memory: Memory = 1024,
) -> None:
    """Set the universal variables yourself; the strategy answers."""
    from woodstock.qcsp import replay, solve

    problem = load(file)
    if certificate is not None:
        strategy = _checked(problem, certificate)
    else:
        with _progress(problem) as tell:
            result = solve(problem, seconds=seconds, memory_mb=memory, progress=tell)
        if result.is_winning is False:
            raise ModelError(f"{problem.name}: the existential player does not win, so there is no strategy to play")
        if result.strategy is None:
            raise ModelError(f"{problem.name}: no strategy was found: {result.status}")
        strategy = result.strategy
    console = results()
    shown: set[str] = set()
    moves = {variable.name for variable, _ in problem.prefix}

    def is_told(name: str) -> bool:
        # Variables for the state of a game mean nothing to people.
        return name in moves or not problem.labels

    def tell_settings(assignment: dict[str, int]) -> None:
        fresh = {name: value for name, value in assignment.items() if name not in shown and is_told(name)}
        shown.update(fresh)
        if fresh:
            console.print(f"  {_values(problem, fresh)}", soft_wrap=True)

    def ask(name: str, values: tuple[int, ...], assignment: dict[str, int]) -> int:
        tell_settings(assignment)
        shown.add(name)
        return _ask(problem, name, values)

    assignment = replay(problem, strategy, ask)
    tell_settings(assignment)
    if all(variable.name in assignment for variable, _ in problem.prefix):
        console.print("every constraint holds: the strategy wins", style="bold")
    else:
        console.print("you have no move left: the strategy wins", style="bold")


@app.command("check", epilog="Example: woodstock qcsp check baker baker.cert.json")
def check_command(
    file: File,
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="What `solve --save` wrote.")],
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Check at most N positions.")] = 10_000_000,
    as_json: AsJson = False,
) -> None:
    """Check a certificate against the problem, without the solver."""
    from woodstock.qcsp import check

    problem = load(file)
    checked = check(problem, read_certificate(certificate), limit)
    if as_json:
        facts = {"problem": problem.name, "valid": True, "plays": checked.plays, "positions": checked.positions}
        print_json(facts)
        return
    results().print(f"valid: the strategy wins {problem.name}", style="bold")
    results().print(f"  {count(checked.plays)} plays and {count(checked.positions)} questions checked")


@app.command("models", epilog="Example: woodstock qcsp models")
def models_command(as_json: AsJson = False) -> None:
    """List the models that come with woodstock."""
    from woodstock.qcsp.models import MODELS

    forms = {name: form for name, (_, form) in MODELS.items()} | {FORCED_WIN: FORCED_WIN_FORM}
    if as_json:
        print_json(forms)
        return
    for name, form in forms.items():
        results().print(f"{name:16} {form}", soft_wrap=True)


def _checked(problem: Problem, path: Path) -> Strategy:
    from woodstock.qcsp import check

    strategy = read_certificate(path)
    check(problem, strategy)
    return strategy


def _write(path: Path, strategy: Strategy) -> None:
    try:
        path.write_text(strategy.dumps(), encoding="utf-8")
    except OSError as error:
        raise ModelError(f"cannot write {path}: {error.strerror}") from None


def _ask(problem: Problem, name: str, values: tuple[int, ...]) -> int:
    """Ask for a value, by its number or by its label; the only one is taken without asking."""
    labels = {problem.label(name, value).lower(): value for value in values}
    if problem.labels and len(values) == 1:
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
        try:
            if int(text) in values:
                return int(text)
        except ValueError:
            pass
        results().print(f"  {text!r} is not one of {short}")


def _values(problem: Problem, assignment: dict[str, int]) -> str:
    return ", ".join(f"{name} = {problem.label(name, value)}" for name, value in assignment.items())


@contextmanager
def _progress(problem: Problem) -> Iterator[Callable[[int, int], None]]:
    """Show nodes on stderr while the search runs: a spinner on a terminal, now and then a line elsewhere."""
    console = messages()
    started = time.perf_counter()
    last = started
    status = Status(f"solving {problem.name}", console=console) if console.is_terminal else None

    def tell(nodes: int, failures: int) -> None:
        nonlocal last
        now = time.perf_counter()
        line = f"solving {problem.name}: {count(nodes)} nodes, {count(failures)} failures"
        if status is not None:
            status.update(line)
        elif now - last >= LINE_SECONDS:
            last = now
            console.print(f"{line} ({duration(now - started)})", style="dim")

    if status is None:
        yield tell
    else:
        with status:
            yield tell
    if (spent := time.perf_counter() - started) >= SLOW_SECONDS:
        console.print(f"searched ({duration(spent)})", style="dim")


def _facts(result: Result) -> dict[str, Any]:
    return {
        "problem": result.problem.name,
        "winning": result.is_winning,
        "status": result.status,
        "first": None if result.strategy is None else result.strategy.first_values(),
        "statistics": result.statistics,
        "guides": list(result.guides),
        "certificate": result.certificate,
    }


def _print(result: Result, save: Path | None) -> None:
    console = results()
    answer = {True: "winning", False: "not winning", None: "no answer"}[result.is_winning]
    console.print(f"{result.problem.name}: {answer}{_limit(result.status)}", style="bold")
    if result.strategy is not None:
        first = _values(result.problem, result.strategy.first_values())
        if first:
            console.print(f"  first {first}", soft_wrap=True)
        where = "" if save is None else f", saved to {save}"
        console.print(f"  a strategy of {count(len(result.strategy.nodes))} nodes{where}")
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


def _end(status: str) -> None:
    if status == "interrupted":
        raise typer.Exit(130)
