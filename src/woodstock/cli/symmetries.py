"""`woodstock symmetries`: the symmetries of a game or of one of its states, as text, as JSON and as a picture."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from woodstock.cli.options import AsJson, GameName, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import count, duration, messages, print_json, reproduction, results
from woodstock.cli.source import load_game

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.symmetry import Symmetries

SHOWN_GENERATORS = 6
SHOWN_ORBITS = 24
SHOWN_WIDTH = 100


class Graph(enum.StrEnum):
    """The graph in which symmetries are searched."""

    NETWORK = "network"
    RULES = "rules"


def command(
    game: GameName,
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="FLUENTS", help="Show which moves of this state are alike: '(cell 1 1 x) ...'."
        ),
    ] = None,
    method: Annotated[
        Graph, typer.Option("--method", help="Use the meaning of the rules (network) or their text (rules).")
    ] = Graph.NETWORK,
    any_start: Annotated[
        bool, typer.Option("--any-start", help="Include symmetries that move the initial state, as a search does.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the board with equivalent cells in one colour.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.0, metavar="S", help="Time budget.")] = 20.0,
    elements: Annotated[
        int, typer.Option("--elements", min=1, metavar="N", help="Limit of the symmetries that a search would use.")
    ] = 64,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Show which fluents and moves of a game can be exchanged."""
    from woodstock.symmetry import find_symmetries

    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
    at = None if state is None else _state(loaded, state)
    fix_initial = not any_start and at is None
    found = find_symmetries(loaded, method.value, fix_initial=fix_initial, seconds=seconds, max_elements=elements)
    for note in found.notes:
        messages().print(f"note: {note}")
    classes = found.fluent_orbits if at is None else found.fluent_orbits_at(at)
    facts: dict[str, Any] = {
        "game": loaded.name,
        "method": found.method,
        "fixes_initial": found.fixes_initial,
        "order": found.order,
        "used": found.group.size,
        "generators": [{"roles": g.roles, "fluents": g.fluents, "moves": g.moves} for g in found.generators],
        "fluent_orbits": [orbit for orbit in classes if len(orbit) > 1],
        "move_orbits": [orbit for orbit in found.move_orbits if len(orbit) > 1],
        "graph": {"vertices": found.graph_vertices, "edges": found.graph_edges},
        "seconds": sum(found.seconds.values()),
        "notes": found.notes,
    }
    if at is not None:
        facts["state"] = sorted(at.fluents)
        facts["move_classes"] = {role: found.move_classes(at, role) for role in loaded.roles}
    if svg is not None:
        _draw(svg, loaded, classes, f"{found.order} symmetries" + (" at a state" if at is not None else ""))
    if as_json:
        print_json(facts | reproduction(loaded.rules_hash))
        return
    _print(found, facts)


def _draw(file: Path, game: Game, classes: Iterable[Iterable[str]], title: str) -> None:
    """Write a picture of the board in which equivalent cells have one colour."""
    from woodstock.view import View
    from woodstock.view.classes import class_svg

    numbers = {text: number for number, orbit in enumerate(classes) for text in orbit}
    file.write_text(class_svg(View(game).layout, numbers, f"{game.name}: {title}"), encoding="utf-8")
    messages().print(f"wrote {file}")


def _state(game: Game, text: str) -> State:
    """Read a state from the KIF text of its fluents."""
    from woodstock.errors import GameError
    from woodstock.gdl.kif import read_terms

    try:
        return game.state(read_terms(text))
    except ValueError:
        raise GameError(
            "the brackets of --state do not match; give fluents such as '(cell 1 1 x) (control o)'"
        ) from None


def _print(found: Symmetries, facts: dict[str, Any]) -> None:
    console = results()
    of = "of the game" if found.fixes_initial else "of the game from any state"
    plural = "symmetry" if found.order == 1 else "symmetries"
    console.print(f"{facts['game']}: {count(found.order)} {plural} {of}, by {found.method}", style="bold")
    used = "" if found.is_whole else f"; a search would use {facts['used']} of them"
    console.print(
        f"  graph of {count(found.graph_vertices)} vertices and {count(found.graph_edges)} edges, "
        f"{duration(facts['seconds'])}{used}",
        soft_wrap=True,
    )
    for number, generator in enumerate(found.generators[:SHOWN_GENERATORS], start=1):
        console.print(f"  generator {number}: {_short(str(generator))}", soft_wrap=True)
    _more(len(found.generators), SHOWN_GENERATORS, "generators")
    if "move_classes" in facts:
        for role, classes in facts["move_classes"].items():
            for some in classes:
                console.print(f"  {role}, alike: {_short(' '.join(some))}", soft_wrap=True)
        return
    orbits = [" ".join(orbit) for orbit in facts["fluent_orbits"]]
    for orbit in orbits[:SHOWN_ORBITS]:
        console.print(f"  fluents: {_short(orbit)}", soft_wrap=True)
    _more(len(orbits), SHOWN_ORBITS, "classes of fluents")
    moves = [" ".join(f"{role}:{move}" for role, move in orbit) for orbit in facts["move_orbits"]]
    for orbit in moves[:SHOWN_ORBITS]:
        console.print(f"  moves: {_short(orbit)}", soft_wrap=True)
    _more(len(moves), SHOWN_ORBITS, "classes of moves")


def _more(there: int, shown: int, what: str) -> None:
    if there > shown:
        results().print(f"  ... {there - shown} more {what}; --json has them all")


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_WIDTH else text[: SHOWN_WIDTH - 3] + "..."
