"""Play every rulesheet of a folder by clicks on its board: which moves can be made there, and which need the list.

    nice -n 15 python -m bench.clicks [--folder ../shared/games] [--only PART] [--resume] --out bench/results/clicks.txt

Each sheet has a process of its own and is played at random, a few matches of some turns. In every state each legal move
of a role with a choice is made as a person would: click a place of each step in turn, then choose from a menu if other
moves have the same places. A move counts as on the board if it has places and the menu has at most twelve entries.
A sheet is `all` if every move that was met is on the board; `all but` if only moves without arguments, such as a pass,
are not; `some` otherwise, with an example of each form that needs the list. The shares are of the sheets that have a
board (grid, hexagons or line).
"""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.common import CORPUS, ChildError, Report, parser, run_apart, sheets

import woodstock
from woodstock.errors import WoodstockError
from woodstock.view import Gesture, Gestures, View, fitting
from woodstock.view.terms import fact

LIMIT_S = 60.0
GROUND_S = 30.0
MATCHES = 3
TURNS = 30
PLAY_S = 4.0
LONGEST_MENU = 12
BOARDS = ("grid", "hex", "line")


def menu_size(gestures: list[Gesture], one: Gesture) -> int:
    """Return how many moves are left to choose from after the best clicks for a move."""
    first = [step[0] for step in one.steps[:-1]]
    ends = ([*first, place] for place in one.steps[-1])
    return min(sum(len(other.steps) == len(one.steps) for other in fitting(gestures, clicks)) for clicks in ends)


def click(path: str) -> dict[str, Any]:
    """Play one sheet in this process; return the kind of its board and the moves that need the list."""
    try:
        game = woodstock.load(Path(path), ground_seconds=GROUND_S)
    except WoodstockError as error:
        return {"status": "refused", "note": str(error).partition("\n")[0]}
    view = View(game)
    gestures = Gestures(game, view.layout, view.scene)
    chance = random.Random(1)
    ends_at = time.perf_counter() + PLAY_S
    listed: dict[str, str] = {}
    moves = 0
    for _ in range(MATCHES):
        state = game.initial
        for _ in range(TURNS):
            legal = [] if state.is_terminal else [state.legal(role) for role in game.roles]
            if not legal or not all(legal) or time.perf_counter() > ends_at:
                break
            for role in state.to_move:
                mine = gestures.of(state, role)
                moves += len(mine)
                for one in mine:
                    if not one.steps or menu_size(mine, one) > LONGEST_MENU:
                        listed.setdefault(fact(one.move).name, one.move)
            state = state.next([chance.choice(each) for each in legal])
    kind = "all" if not listed else "all but" if all(not fact(one).args for one in listed.values()) else "some"
    return {"status": kind, "board": view.layout.kind, "moves": moves, "note": " ".join(listed.values())}


def run_one(path: Path) -> dict[str, Any]:
    """Play one sheet in a process of its own."""
    result: dict[str, Any]
    try:
        result = run_apart(click, path, seconds=LIMIT_S)
    except subprocess.TimeoutExpired:
        result = {"status": "too slow", "note": f"no answer within {LIMIT_S:.0f} s"}
    except ChildError as error:
        result = {"status": "fault", "note": str(error)}
    return result | {"note": result["note"].replace(f"{path.parent}/", "")[:100]}


def summary(rows: list[str]) -> list[str]:
    """Return the shares, from the rows of the report."""
    fields = [row.split(None, 3) for row in rows]
    boards = [field for field in fields if len(field) > 2 and field[1] in BOARDS]
    counts = Counter(field[2] for field in boards)
    of = max(1, len(boards))
    good = counts["all"] + counts["all-but"]
    return [
        f"{len(fields)} sheets, {len(boards)} with a board",
        f"every move on the board: {counts['all']} ({100 * counts['all'] / of:.1f} %)",
        f"every move but those without arguments (pass, stay): {good} ({100 * good / of:.1f} %)",
        f"some forms of moves only in the list: {counts['some']} ({100 * counts['some'] / of:.1f} %)",
    ]


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--folder", type=Path, default=CORPUS, help="rulesheets with an INDEX.tsv")
    options.add_argument("--only", default="", help="only files whose name contains this")
    options.add_argument("--resume", action="store_true", help="skip the sheets that the file has already")
    options.add_argument("--seconds", type=float, default=0.0, help="stop after this time; --resume goes on")
    options.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th sheet: a sample")
    given = options.parse_args()
    report = Report(given.out, resume=given.resume)
    ends_at = time.monotonic() + (given.seconds or float("inf"))
    files = [row["file"] for row in sheets(given.folder, given.only)][:: given.every]
    for file in files:
        if report.has(f"{file} "):
            continue
        if time.monotonic() > ends_at:
            return
        result = run_one(given.folder / file)
        board = result.get("board", "-")
        report(f"{file:60} {board:6} {result['status'].replace(' ', '-'):9} {result['note']}".rstrip())
    for line in summary([line for line in report.lines if line.split(" ")[0] in set(files)]):
        report(line)


if __name__ == "__main__":
    main()
