"""The arguments that several commands share, so that they are spelt and explained the same everywhere."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A bundled game, the path of a rulesheet, or - for standard input.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Seed = Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Seed of the random choices.")]
NewSeed = Annotated[
    int | None, typer.Option("--seed", min=0, metavar="N", help="Seed of the random choices.  [default: a new one]")
]


def new_seed(seed: int | None) -> int:
    """Return the seed that the user gave, or a new one that is short enough to type."""
    return secrets.randbelow(1_000_000) if seed is None else seed


StartClock = Annotated[float, typer.Option("--start-clock", min=0.0, metavar="S", help="Time to prepare.")]
PlayClock = Annotated[float, typer.Option("--play-clock", min=0.001, metavar="S", help="Time for each move.")]
MaxTurns = Annotated[int, typer.Option("--max-turns", min=1, metavar="N", help="Stop after this many turns.")]
GroundSeconds = Annotated[
    float, typer.Option("--ground-seconds", min=0.0, metavar="S", help="Time budget for grounding the rules.")
]
GroundMemoryMb = Annotated[
    int, typer.Option("--ground-memory-mb", min=1, metavar="MIB", help="Memory budget for grounding the rules.")
]
# Equal to the library's own, which takes too long to import for a default; a test compares them.
DEFAULT_PROOF_SECONDS = 0.8
ProofSeconds = Annotated[
    float,
    typer.Option("--proof-seconds", min=0.0, metavar="S", help="Time budget for proving fluents exclusive; 0: none."),
]
