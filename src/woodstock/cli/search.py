"""`woodstock search`: search a state and show the moves, their values and lines while it runs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from woodstock.cli.frame import Answer, Load, answered, on_game
from woodstock.cli.output import count, duration, messages, reproduction
from woodstock.errors import GameError
from woodstock.gdl.chance import is_chance

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.information import InformationState
    from woodstock.players.decision import Decision, SearchInfo

SHOWN = 8
LINE = 6


@on_game
@answered
def command(
    load: Load,
    player: Annotated[
        str, typer.Option("--player", metavar="SPEC", help="The player, as in uct:c=0.7,threads=2.")
    ] = "mac-ucb-sym",
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", help="Time to search.  [default: 5, if nothing else ends it]"),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option("--simulations", metavar="N", help="Make N playouts; the same seed gives the same result."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="Stop when the tree has grown by N states.")
    ] = None,
    moves: Annotated[
        list[str] | None,
        typer.Option("--moves", metavar="MOVES", help="A joint move made before, in role order, separated by commas."),
    ] = None,
    role: Annotated[
        str | None, typer.Option("--role", help="The role to move.  [default: the first with a choice]")
    ] = None,
) -> Answer:
    """Search a state: the best moves, their values and lines."""
    from woodstock.players import parse_spec
    from woodstock.players.search import search

    spec = parse_spec(player)
    game = load()
    state = _known(game, moves or [], role)
    if seconds is None and simulations is None and nodes is None:
        seconds = 5.0
    budget: dict[str, Any] = {"seconds": seconds, "simulations": simulations, "nodes": nodes, "role": role}
    console = messages()
    if not console.is_terminal:
        decision = search(state, spec, **budget)
    else:
        with Live(console=console, transient=True, auto_refresh=False) as live:
            decision = search(
                state, spec, **budget, interval=0.2, tell=lambda info: live.update(_picture(info), refresh=True)
            )
    facts = {"game": game.name, **_as_dict(decision), **reproduction(game.rules_hash)}
    return Answer(facts, lambda console: _show(game, decision, console))


def _known(game: Game, moves: list[str], role: str | None) -> State | InformationState:
    """Return the state after these joint moves; if the rules hide things, what the role knows of it."""
    from woodstock.information.referee import Views

    states = [game.initial]
    for number, joint in enumerate(moves, 1):
        parts = [part.strip() for part in joint.split(",")]
        try:
            states.append(states[-1].next(parts))
        except GameError as error:
            raise GameError(f"--moves number {number}: {error}") from None
    if not game.has_percepts:
        return states[-1]
    asked = role or next(iter(states[-1].to_move), None)
    return states[-1] if asked is None else Views().of(game.roles[game.role_index(asked)], states)


def rows(info: SearchInfo) -> list[str]:
    """Return the best moves as a table: value (`=`: proven), its interval, visits and how play may go on.

    If the role mixes its moves, their shares in its strategy too.
    """
    from woodstock.players.decision import turn_text

    width = max((len(of.move) for of in info.moves[:SHOWN]), default=4)
    share = "  share" if info.strategy else ""
    rows = [f"{'move':{width}} {'value':>7} {'95 %':>15} {'visits':>10}{share}  line"]
    for of in info.moves[:SHOWN]:
        low, high = of.interval
        value = f"{of.value:.1f}" + ("=" if of.is_proven else "")
        line = " ".join(turn_text(joint) for joint in of.line[1:LINE])
        share = f" {100 * info.strategy.get(of.move, 0.0):4.0f} %" if info.strategy else ""
        interval = f"{low:.1f}..{high:.1f}"
        rows.append(f"{of.move:{width}} {value:>7} {interval:>15} {count(of.visits):>10}{share}  {line}")
    if len(info.moves) > SHOWN:
        rows.append(f"and {len(info.moves) - SHOWN} more")
    return rows


def _counters(info: SearchInfo) -> str:
    of = info.statistics
    parts = [
        f"{count(info.simulations)} simulations in {duration(info.seconds)} ({count(info.simulations_per_second)}/s)",
        f"{count(info.solutions_per_second)} solutions/s",
        f"{count(of.get('nodes', 0))} states",
        f"{count(of.get('prunings', 0))} prunings",
        f"{count(of.get('hash_hits', 0))} hash hits",
        f"{count(of.get('symmetry_hits', 0))} by symmetry",
        f"{of.get('memory_bytes', 0) / 2**20:.1f} MiB",
    ]
    return ", ".join(parts)


def _picture(info: SearchInfo) -> Text:
    return Text("\n".join([*rows(info), "", _counters(info)]), no_wrap=True, overflow="ellipsis")


def _show(game: Game, decision: Decision, console: Console) -> None:
    proven = ", proven" if decision.is_proven else ""
    values = ", ".join(f"{role} {value:.1f}" for role, value in decision.values.items() if not is_chance(role))
    console.print(f"{game.name}: {decision.role} plays {decision.move} ({values}{proven})", style="bold")
    for row in rows(decision):
        console.print(Text(row), no_wrap=True, overflow="ellipsis")
    console.print(_counters(decision))
    for note in decision.statistics.get("notes", ()):
        console.print(f"note: {note}")


def _as_dict(decision: Decision) -> dict[str, Any]:
    facts = asdict(decision)
    for part in (facts, *facts["moves"]):
        part["proven"] = part.pop("is_proven")
    return facts | {
        "value": decision.value,
        "simulations_per_second": decision.simulations_per_second,
        "solutions_per_second": decision.solutions_per_second,
        "signature": decision.signature or None,
    }
