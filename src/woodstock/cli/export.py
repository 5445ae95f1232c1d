"""`woodstock export`: the stage of a game as an XCSP3 instance for other solvers, with its sidecar."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from woodstock.cli.frame import Answer, Load, answered, on_game
from woodstock.cli.options import DEFAULT_PROOF_SECONDS, ProofSeconds, Seed
from woodstock.cli.output import count, reproduction
from woodstock.cli.source import read_state
from woodstock.errors import GameError

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State


@on_game
@answered
def command(
    load: Load,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.xml", help="Where to write the instance.")],
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="FLUENTS", help="The fluents that hold, or a file of them; default: the first state."
        ),
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", min=0, metavar="N", help="The state after N turns of a random match.")
    ] = None,
    without_state: Annotated[
        bool, typer.Option("--template", help="The network without a state: its solutions are all moves of all states.")
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="Skip the preprocessing; the state becomes unary constraints.")
    ] = False,
    seed: Seed = 0,
    proof_seconds: ProofSeconds = DEFAULT_PROOF_SECONDS,
) -> Answer:
    """Write a state of a game as XCSP3 for other solvers, with its sidecar."""
    from woodstock.scsp.game import translate
    from woodstock.scsp.xcsp3.game import export_stage

    if (state is not None) + (turn is not None) + without_state > 1:
        raise typer.BadParameter("give one of --state, --turn and --template")
    if not output.parent.is_dir():
        raise GameError(f"cannot write {output}: there is no folder {output.parent}")
    game = load()
    if state is not None:
        at: State | None = read_state(game, state)
    else:
        at = None if without_state else _after(game, turn or 0, seed)
    template = translate(game, proof_seconds=proof_seconds)
    written = export_stage(template, output, at, is_preprocessed=not raw, rules_hash=game.rules_hash)
    network = written.network
    variables, chance, constraints = len(network.declared), len(network.stochastic), len(network.hard)
    facts = {
        "game": game.name,
        "instance": str(written.path),
        "sidecar": str(written.sidecar),
        "variables": variables,
        "chance_variables": chance,
        "constraints": constraints,
        "state": None if at is None else sorted(at.fluents),
        **reproduction(game.rules_hash, seed),
    }
    lines = (
        f"wrote {written.path}: {count(variables)} variables, {count(constraints)} constraints\n"
        f"wrote {written.sidecar}: names, probabilities, utilities, {count(chance)} chance variables"
    )
    return Answer(facts, lambda console: console.print(lines, soft_wrap=True))


def _after(game: Game, turns: int, seed: int) -> State:
    """Return the state after so many turns of a random match, or the last one before its end."""
    draw = random.Random(seed)
    state = game.initial
    for number in range(turns):
        following = state.next([draw.choice(state.legal(role)) for role in game.roles])
        if following.is_terminal:
            raise GameError(
                f"{game.name}: the random match of seed {seed} ends after {number + 1} turns; ask for fewer"
            )
        state = following
    return state
