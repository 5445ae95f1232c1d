"""`woodstock info`: the parts and sizes of a game, and how long it takes to prepare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console

from woodstock.cli.frame import Answer, Load, answered, on_game
from woodstock.cli.output import count, duration, reproduction
from woodstock.gdl.chance import without_chance

if TYPE_CHECKING:
    from woodstock.game.game import Game


UNKNOWN = "not known without grounding"
# Parts of the circuit that are built when first needed, by their names in its statistics.
LATER_PHASES = ("minimise", "invariants", "compile", "emit")


@on_game
@answered
def command(load: Load) -> Answer:
    """Show the parts and sizes of a game, and how long it takes to prepare."""
    game = load()
    facts = _facts(game)
    return Answer(facts, lambda console: _show(game, facts, console))


def _show(game: Game, facts: dict[str, Any], console: Console) -> None:
    console.print(facts["game"], style="bold")
    rows = [
        ("roles", ", ".join(facts["roles"])),
        ("kind", ", ".join(_kinds(game))),
        ("rules", count(facts["rules"])),
        ("engine", facts["engine"]),
        ("fluents", UNKNOWN if facts["fluents"] is None else count(facts["fluents"])),
        ("moves", UNKNOWN if facts["moves"] is None else _moves(facts["moves"])),
    ]
    if facts["signals_before"] is not None:
        rows.append(("signals", f"{count(facts['signals_before'])}, optimised to {count(facts['signals_after'])}"))
        rows.append(("batch", _batch(facts["circuit"])))
    for name, value in rows:
        console.print(f"  {name:10} {value}", soft_wrap=True)
    console.print("phases", style="bold")
    for phase in facts["phases"]:
        shown = [(name, value) for name, value in phase["counts"].items() if phase["phase"] != "circuit" and value][:4]
        sizes = ", ".join(f"{count(value)} {name.replace('_', ' ')}" for name, value in shown)
        console.print(f"  {phase['phase']:10} {duration(phase['seconds']):>10}  {sizes}".rstrip())
    console.print(f"  {'together':10} {duration(facts['seconds']):>10}")


def _facts(game: Game) -> dict[str, Any]:
    numbering = game.engine.numbering
    circuit = _circuit(game)
    phases: list[dict[str, Any]] = [
        {"phase": event.phase, "seconds": event.seconds, "counts": dict(event.counts)} for event in game.phases
    ]
    # All parts are built now, each with its own time.
    for name in LATER_PHASES:
        if circuit.get(f"{name}_seconds"):
            phases.append({"phase": name, "seconds": circuit[f"{name}_seconds"], "counts": {}})
    return {
        "game": game.name,
        "roles": list(game.roles),
        "is_stochastic": game.is_stochastic,
        "has_percepts": game.has_percepts,
        "rules": len(game.program.rules),
        "engine": game.engine_name,
        "fluents": None if numbering is None else len(numbering.fluents),
        "moves": None if numbering is None else dict(zip(game.roles, map(len, numbering.moves), strict=True)),
        "signals_before": circuit.get("signals"),
        "signals_after": circuit.get("minimised_signals"),
        "circuit": circuit,
        "phases": phases,
        "seconds": sum(phase["seconds"] for phase in phases),
        "warnings": len(game.diagnostics),
        "notes": list(game.notes),
        **reproduction(game.rules_hash),
    }


def _circuit(game: Game) -> dict[str, Any]:
    """Return the figures of the circuit with both evaluators made; empty on the interpreter."""
    from woodstock.game.circuit_engine import CircuitEngine

    if not isinstance(game.engine, CircuitEngine):
        return {}
    _ = game.initial.is_terminal
    game.playouts(1)
    return game.engine.stats


def _batch(circuit: dict[str, Any]) -> str:
    """Return the size of the code that plays many playouts at once."""
    names = ("batch_operations", "phases", "exclusive_groups", "code_bytes")
    return ", ".join(f"{count(circuit[name])} {name.replace('_', ' ')}" for name in names if circuit.get(name))


def _kinds(game: Game) -> list[str]:
    roles = len(without_chance(game.roles))
    kinds = ["one player" if roles == 1 else f"{roles} players"]
    if game.is_stochastic:
        kinds.append("chance")
    if game.has_percepts:
        kinds.append("imperfect information")
    return kinds


def _moves(moves: dict[str, int]) -> str:
    return f"{count(sum(moves.values()))} ({', '.join(f'{role} {count(n)}' for role, n in moves.items())})"
