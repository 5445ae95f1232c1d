"""Ask whether a role of a game can force a win within n moves: python examples/qcsp/forced_win.py tic-tac-toe x 5."""

from __future__ import annotations

import sys

import woodstock
from woodstock.qcsp import solve
from woodstock.qcsp.models.game import forced_win, move_names


def main() -> None:
    name, role, depth = sys.argv[1:] if len(sys.argv) == 4 else ("tic-tac-toe", "x", "5")
    game = woodstock.load(name)
    result = solve(forced_win(game, int(depth), role))
    sys.stdout.write(f"{result}\n")
    if result.strategy is not None:
        first = result.strategy.first_values().get(f"{role}[0]")
        if first is not None:
            sys.stdout.write(f"begin with {move_names(game, role)[first]}\n")


if __name__ == "__main__":
    main()
