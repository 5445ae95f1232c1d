"""`woodstock play`: a person against a built-in player, in the terminal, with undo, hints and explanations."""

from __future__ import annotations

from typing import Annotated

import typer

from woodstock.cli.frame import Load, on_game
from woodstock.cli.options import NewSeed, new_seed
from woodstock.cli.output import messages, results
from woodstock.errors import GameError
from woodstock.gdl.chance import without_chance


@on_game
def command(
    load: Load,
    role: Annotated[
        str | None, typer.Option("--role", metavar="ROLE", help="The role you play.  [default: the first]")
    ] = None,
    opponent: Annotated[
        str, typer.Option("--opponent", metavar="PLAYER", help="Who plays the other roles.")
    ] = "mac-ucb-sym",
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, metavar="S", help="Time for each of its moves.")
    ] = 2.0,
    is_cheating: Annotated[
        bool, typer.Option("--cheat", help="Show the whole state, also what the rules hide from your role.")
    ] = False,
    seed: NewSeed = None,
) -> None:
    """Play any game in the terminal."""
    from woodstock.cli.match_story import MatchStory
    from woodstock.cli.role_view import RoleView
    from woodstock.cli.terminal import Leave, Prompt, step
    from woodstock.match import Match
    from woodstock.players.person import Person
    from woodstock.view import View

    game = load()
    roles = without_chance(game.roles)
    mine = roles[0] if role is None else game.roles[game.role_index(role)]
    if mine not in roles:
        raise GameError(f"{mine} is chance: it plays by itself. The roles are {', '.join(roles)}")
    console = results()
    others = dict.fromkeys([one for one in roles if one != mine], opponent)
    is_secret = game.has_percepts and not is_cheating
    prompt = Prompt(console, hint_s=seconds, can_undo=True, role_view=RoleView(game, console) if is_secret else None)
    match = Match(
        game,
        {mine: Person(prompt.ask), **others},
        start_clock_s=seconds,
        play_clock_s=seconds,
        # A generous wait: here nobody loses on time, and a late move is better than a random one.
        grace_s=seconds + 5.0,
        seed=new_seed(seed),
        tell=MatchStory(game, View(game), console, is_for_person=True, is_secret=is_secret).hear,
    )
    against = f" against {opponent}" if others else ""
    console.print(f"{game.name}: you are {mine}{against}. ? for help", style="bold")
    if is_secret:
        console.print("the rules hide things: you see what your role knows; --cheat shows all", style="dim")
    elif game.has_percepts:
        console.print("the rules hide things from players; here the whole state is shown", style="dim")
    with match:
        try:
            while step(match, mine, console):
                pass
        except Leave:
            messages().print("you left the match")
