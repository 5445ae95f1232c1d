"""`woodstock export`: the stage of a game as an XCSP3 instance for other solvers, with its sidecar."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from woodstock.cli.options import (
    DEFAULT_PROOF_SECONDS,
    AsJson,
    GameName,
    GroundMemoryMb,
    GroundSeconds,
    ProofSeconds,
    Seed,
)
from woodstock.cli.output import count, print_json, reproduction, results
from woodstock.cli.source import load_game
from woodstock.errors import GameError
from woodstock.gdl.kif import read_terms

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.scsp.xcsp3.game import Exported


def command(
    game: GameName,
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
        bool, typer.Option("--raw", help="As translated, the state as unary constraints; default: preprocessed.")
    ] = False,
    seed: Seed = 0,
    proof_seconds: ProofSeconds = DEFAULT_PROOF_SECONDS,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Write a state of a game as XCSP3 for other solvers, with its sidecar."""
    from woodstock.scsp.game import translate
    from woodstock.scsp.xcsp3.game import export_stage

    if (state is not None) + (turn is not None) + without_state > 1:
        raise typer.BadParameter("give one of --state, --turn and --template")
    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
    at = None if without_state else _after(loaded, turn or 0, seed)
    if state is not None:
        at = loaded.state(_fluents(state))
    if not output.parent.is_dir():
        raise GameError(f"cannot write {output}: there is no folder {output.parent}")
    template = translate(loaded, proof_seconds=proof_seconds)
    written = export_stage(template, output, at, is_preprocessed=not raw, rules_hash=loaded.rules_hash)
    if as_json:
        state_facts = {"state": None if at is None else sorted(at.fluents)}
        print_json({"game": loaded.name} | _facts(written) | state_facts | reproduction(loaded.rules_hash, seed))
    else:
        _print(written)


def _facts(written: Exported) -> dict[str, object]:
    network = written.network
    return {
        "instance": str(written.path),
        "sidecar": str(written.sidecar),
        "variables": len(network.declared),
        "chance_variables": len(network.stochastic),
        "constraints": len(network.hard),
    }


def _print(written: Exported) -> None:
    network = written.network
    variables, constraints = count(len(network.declared)), count(len(network.hard))
    chance = count(len(network.stochastic))
    results().print(f"wrote {written.path}: {variables} variables, {constraints} constraints", soft_wrap=True)
    results().print(
        f"wrote {written.sidecar}: names, probabilities, utilities, {chance} chance variables", soft_wrap=True
    )


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


def _fluents(text: str) -> list[str]:
    """Return the terms of a text, or of the file that it names."""
    path = Path(text)
    if "(" not in text and path.is_file():
        text = path.read_text(encoding="utf-8")
    try:
        return read_terms(text)
    except ValueError as error:
        raise GameError(f"--state: {error}") from None
