"""Write docs/games: a page for each bundled game, made from its metadata, with a picture of the board.

    python scripts/game_pages.py [GAME...]

The picture shows the state after a few random moves, the same ones each time.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import woodstock
from woodstock.games import KINDS, BundledGame, all_games, find
from woodstock.view import View

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "games"
MOVES = 6


def later_state(game: woodstock.Game) -> woodstock.State:
    """Return the state after some random moves, or an earlier one if the match is over by then."""
    rng = random.Random(1)
    state = game.initial
    for _ in range(MOVES):
        after = state.next([rng.choice(state.legal(role)) for role in game.roles])
        if after.is_terminal:
            break
        state = after
    return state


def page(bundled: BundledGame, game: woodstock.Game) -> str:
    """Return the page of a game."""
    roles = ", ".join(f"`{role}`" for role in game.roles if role != "random")
    counts = ", ".join(map(str, bundled.perft))
    lines = [
        f"# {bundled.title}",
        "",
        bundled.description,
        "",
        "| | |",
        "| --- | --- |",
        f"| name | `{bundled.name}`" + "".join(f", `{alias}`" for alias in bundled.aliases) + " |",
        f"| kind | {', '.join(bundled.kinds)} |",
        f"| players | {bundled.players}: {roles}" + (", and chance" if game.is_stochastic else "") + " |",
        f"| size | {bundled.size} |",
        f"| source | {bundled.source} |",
        f"| compared with | {bundled.oracle} |",
        f"| move sequences by depth | {counts} |",
        f"| rules | [rules.kif](../../src/woodstock/games/{bundled.name}/rules.kif) |",
        "",
        f"![The board after some moves]({bundled.name}.svg)",
        "",
        "```text",
        *(line.rstrip() for line in str(View(game).draw(later_state(game))).splitlines()),
        "```",
        "",
    ]
    if bundled.notes:
        lines += [bundled.notes, ""]
    lines += ["```console", f"$ woodstock play {bundled.name}", f"$ woodstock watch {bundled.name}", "```", ""]
    return "\n".join(lines)


def index() -> str:
    """Return the page that lists all games by kind."""
    lines = ["# The bundled games", "", "Made by `python scripts/game_pages.py` from the metadata of the games.", ""]
    for kind, meaning in KINDS.items():
        of_kind = [game for game in all_games() if game.kinds[0] == kind]
        if of_kind:
            lines += [f"## {kind.capitalize()}: {meaning}", ""]
            lines += ["| game | players | what it is |", "| --- | --- | --- |"]
            lines += [f"| [{g.title}]({g.name}.md) | {g.players} | {g.description} |" for g in of_kind] + [""]
    return "\n".join(lines)


def main() -> None:
    """Write the pages of the games named, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for bundled in [find(name) for name in sys.argv[1:]] or all_games():
        game = woodstock.load(bundled.name)
        (FOLDER / f"{bundled.name}.md").write_text(page(bundled, game), encoding="utf-8")
        (FOLDER / f"{bundled.name}.svg").write_text(View(game).svg(later_state(game)), encoding="utf-8")
    (FOLDER / "README.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
