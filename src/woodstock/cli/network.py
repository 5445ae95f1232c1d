"""`woodstock network`: a game as a stochastic constraint network: its sizes, its graph, the rules behind it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from woodstock.cli.frame import Answer, Load, answered, on_game
from woodstock.cli.options import DEFAULT_PROOF_SECONDS, ProofSeconds
from woodstock.cli.output import count, duration, reproduction, table, write_file

if TYPE_CHECKING:
    from woodstock.scsp.game import Template


@on_game
@answered
def command(
    load: Load,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the constraint graph of the first state.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show each constraint with the rules behind it.")] = False,
    proof_seconds: ProofSeconds = DEFAULT_PROOF_SECONDS,
) -> Answer:
    """Show a game as a stochastic constraint network: how large it is."""
    from woodstock.scsp.game import translate

    game = load()
    template = translate(game, proof_seconds=proof_seconds)
    if svg is not None:
        from woodstock.scsp.draw import network_svg

        write_file(svg, network_svg(template.network(game.initial)))
    explanation = template.explain() if explain else None
    facts = _facts(template) | ({} if explanation is None else {"explanation": explanation})
    return Answer(facts | reproduction(game.rules_hash), lambda console: _show(template, explanation, console))


def _show(template: Template, explanation: str | None, console: Console) -> None:
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
    console.print(table(heads, [cells]))
    console.print(
        f"{count(sizes.variables - sizes.auxiliary)} variables of the stage, {count(sizes.auxiliary)} auxiliary; "
        f"{count(sizes.tables)} tables, {count(sizes.constraints - sizes.tables)} clauses and reified and/or",
        soft_wrap=True,
    )
    if explanation is not None:
        console.print(explanation, soft_wrap=True)


def _facts(template: Template) -> dict[str, Any]:
    return {"game": template.name, **asdict(template.sizes), "stages": dict(template.seconds)}
