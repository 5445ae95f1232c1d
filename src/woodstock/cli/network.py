"""`woodstock network`: a game as a stochastic constraint network: its sizes, its graph, the rules behind it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from woodstock.cli.options import DEFAULT_PROOF_SECONDS, AsJson, GameName, GroundMemoryMb, GroundSeconds, ProofSeconds
from woodstock.cli.output import count, duration, messages, print_json, reproduction, results
from woodstock.cli.source import load_game

if TYPE_CHECKING:
    from woodstock.scsp.game import Template


def command(
    game: GameName,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the constraint graph of the first state.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show each constraint with the rules behind it.")] = False,
    proof_seconds: ProofSeconds = DEFAULT_PROOF_SECONDS,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Show a game as a stochastic constraint network: how large it is."""
    from woodstock.scsp.game import translate

    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
    template = translate(loaded, proof_seconds=proof_seconds)
    if svg is not None:
        from woodstock.scsp.draw import network_svg

        svg.write_text(network_svg(template.network(loaded.initial)), encoding="utf-8")
        messages().print(f"wrote {svg}")
    explanation = template.explain() if explain else None
    if as_json:
        facts = _facts(template) | ({} if explanation is None else {"explanation": explanation})
        print_json(facts | reproduction(loaded.rules_hash))
        return
    console = results()
    sizes = template.sizes
    heads = ("game", "variables", "largest domain", "constraints", "tuples", "time")
    cells = (
        template.name,
        count(sizes.variables),
        count(sizes.largest_domain),
        count(sizes.constraints),
        count(sizes.tuples),
        duration(sizes.seconds),
    )
    widths = [max(len(head), len(cell)) for head, cell in zip(heads, cells, strict=True)]
    console.print(_row(heads, widths), style="bold", soft_wrap=True)
    console.print(_row(cells, widths), soft_wrap=True)
    console.print(
        f"{count(sizes.variables - sizes.auxiliary)} variables of the stage, {count(sizes.auxiliary)} auxiliary; "
        f"{count(sizes.tables)} tables, {count(sizes.constraints - sizes.tables)} clauses and reified and/or",
        soft_wrap=True,
    )
    if explanation is not None:
        console.print(explanation, soft_wrap=True)


def _facts(template: Template) -> dict[str, Any]:
    sizes = template.sizes
    return {
        "game": template.name,
        "variables": sizes.variables,
        "auxiliary": sizes.auxiliary,
        "largest_domain": sizes.largest_domain,
        "constraints": sizes.constraints,
        "tables": sizes.tables,
        "tuples": sizes.tuples,
        "seconds": sizes.seconds,
        "stages": dict(template.seconds),
    }


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = [cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in
                    enumerate(zip(cells, widths, strict=True))]  # fmt: skip
    return "  ".join([first, *rest])
