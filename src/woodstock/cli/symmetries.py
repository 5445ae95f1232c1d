"""`woodstock symmetries`: the symmetries of a game or of one of its states, as text, as JSON and as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console

from woodstock.cli.frame import Answer, Load, answered, on_game
from woodstock.cli.output import count, duration, messages, reproduction, write_file
from woodstock.cli.progress import working
from woodstock.cli.source import read_state

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.symmetry import Symmetries

SHOWN_GENERATORS = 6
SHOWN_ORBITS = 24
SHOWN_WIDTH = 100


@on_game
@answered
def command(
    load: Load,
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="FLUENTS", help="Show which moves of this state are alike: '(cell 1 1 x) ...'."
        ),
    ] = None,
    method: Annotated[
        Literal["network", "rules"],
        typer.Option("--method", help="Use the meaning of the rules (network) or their text (rules)."),
    ] = "network",
    any_start: Annotated[
        bool, typer.Option("--any-start", help="Include symmetries that move the initial state, as a search does.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the board with equivalent cells in one colour.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.0, metavar="S", help="Time budget.")] = 20.0,
    elements: Annotated[
        int, typer.Option("--elements", min=1, metavar="N", help="Most symmetries that a search would use.")
    ] = 64,
) -> Answer:
    """Show which fluents and moves of a game can be exchanged."""
    from woodstock.symmetry import find_symmetries

    game = load()
    at = None if state is None else read_state(game, state)
    fix_initial = not any_start and at is None
    with working(f"finding the symmetries of {game.name}"):
        found = find_symmetries(game, method, fix_initial=fix_initial, seconds=seconds, max_elements=elements)
    for note in found.notes:
        messages().print(f"note: {note}")
    classes = found.fluent_orbits if at is None else found.fluent_orbits_at(at)
    facts: dict[str, Any] = {
        "game": game.name,
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
        facts["move_classes"] = {role: found.move_classes(at, role) for role in game.roles}
    if svg is not None:
        _draw(svg, game, classes, f"{found.order} symmetries" + (" at a state" if at is not None else ""))
    return Answer(facts | reproduction(game.rules_hash), lambda console: _show(found, facts, console))


def _draw(file: Path, game: Game, classes: Iterable[Iterable[str]], title: str) -> None:
    """Write a picture of the board in which equivalent cells have one colour."""
    from woodstock.view import View
    from woodstock.view.classes import class_svg

    numbers = {text: number for number, orbit in enumerate(classes) for text in orbit}
    write_file(file, class_svg(View(game).layout, numbers, f"{game.name}: {title}"))


def _show(found: Symmetries, facts: dict[str, Any], console: Console) -> None:
    from woodstock.players.player import clipped

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
        console.print(f"  generator {number}: {clipped(str(generator), SHOWN_WIDTH)}", soft_wrap=True)
    _more(console, len(found.generators), SHOWN_GENERATORS, "generators")
    if "move_classes" in facts:
        for role, classes in facts["move_classes"].items():
            for some in classes:
                console.print(f"  {role}, alike: {clipped(' '.join(some), SHOWN_WIDTH)}", soft_wrap=True)
        return
    orbits = [" ".join(orbit) for orbit in facts["fluent_orbits"]]
    for orbit in orbits[:SHOWN_ORBITS]:
        console.print(f"  fluents: {clipped(orbit, SHOWN_WIDTH)}", soft_wrap=True)
    _more(console, len(orbits), SHOWN_ORBITS, "classes of fluents")
    moves = [" ".join(f"{role}:{move}" for role, move in orbit) for orbit in facts["move_orbits"]]
    for orbit in moves[:SHOWN_ORBITS]:
        console.print(f"  moves: {clipped(orbit, SHOWN_WIDTH)}", soft_wrap=True)
    _more(console, len(moves), SHOWN_ORBITS, "classes of moves")


def _more(console: Console, there: int, shown: int, what: str) -> None:
    if there > shown:
        console.print(f"  ... {there - shown} more {what}; --json has them all")
