"""`woodstock info`: what a game is made of, how large it is and how long it takes to prepare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from woodstock.cli.options import AsJson, GameName, GroundMemory, GroundSeconds
from woodstock.cli.output import count, duration, print_json, reproduction, results
from woodstock.cli.source import load_game

if TYPE_CHECKING:
    from woodstock.game.game import Game


def command(
    game: GameName,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory: GroundMemory = 8192,
) -> None:
    """Show what a game is made of and how long it takes to prepare."""
    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory=ground_memory)
    facts = _facts(loaded)
    if as_json:
        print_json(facts)
        return
    console = results()
    console.print(facts["game"], style="bold")
    rows = [
        ("roles", ", ".join(facts["roles"])),
        ("kind", ", ".join(_kinds(loaded))),
        ("rules", count(facts["rules"])),
        ("engine", facts["engine"]),
        ("fluents", _or_unknown(facts["fluents"])),
        ("moves", _moves(facts["moves"])),
    ]
    if facts["signals_before"] is not None:
        rows.append(("signals", f"{count(facts['signals_before'])}, optimised to {count(facts['signals_after'])}"))
    for name, value in rows:
        console.print(f"  {name:10} {value}", soft_wrap=True)
    console.print("stages", style="bold")
    for stage in facts["stages"]:
        shown = list(stage["counts"].items())[:4]
        sizes = ", ".join(f"{count(value)} {name.replace('_', ' ')}" for name, value in shown)
        console.print(f"  {stage['stage']:10} {duration(stage['seconds']):>10}  {sizes}".rstrip())
    console.print(f"  {'together':10} {duration(facts['seconds']):>10}")


def _facts(game: Game) -> dict[str, Any]:
    numbering = game.engine.numbering
    signals = _signals(game)
    return {
        "game": game.name,
        "roles": list(game.roles),
        "is_stochastic": game.is_stochastic,
        "has_percepts": game.has_percepts,
        "rules": len(game.program.rules),
        "engine": game.engine_name,
        "fluents": None if numbering is None else len(numbering.fluents),
        "moves": None if numbering is None else dict(zip(game.roles, map(len, numbering.moves), strict=True)),
        "signals_before": signals[0],
        "signals_after": signals[1],
        "stages": [
            {"stage": event.stage, "seconds": event.seconds, "counts": dict(event.counts)} for event in game.stages
        ],
        "seconds": sum(event.seconds for event in game.stages),
        "warnings": len(game.diagnostics),
        "notes": list(game.notes),
        **reproduction(game.rules_hash),
    }


def _signals(game: Game) -> tuple[int | None, int | None]:
    """Return the number of signals of the circuit before and after optimisation; None on the interpreter."""
    for event in game.stages:
        if event.stage == "circuit":
            before, after = event.counts.get("signals_before"), event.counts.get("signals_after")
            return (None if before is None else int(before)), (None if after is None else int(after))
    return None, None


def _kinds(game: Game) -> list[str]:
    roles = len([role for role in game.roles if role.lower() != "random"])
    kinds = ["one player" if roles == 1 else f"{roles} players"]
    if game.is_stochastic:
        kinds.append("chance")
    if game.has_percepts:
        kinds.append("imperfect information")
    return kinds


def _or_unknown(value: int | None) -> str:
    return "not known without grounding" if value is None else count(value)


def _moves(moves: dict[str, int] | None) -> str:
    if moves is None:
        return _or_unknown(None)
    return f"{count(sum(moves.values()))} ({', '.join(f'{role} {count(n)}' for role, n in moves.items())})"
