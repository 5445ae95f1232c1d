"""Connect-k on boards small enough to be solved, for tests and benchmarks."""

from __future__ import annotations

import woodstock
from woodstock.game.state import State


def connect(columns: int, rows: int, wanted: int) -> woodstock.Game:
    """Connect-k on a small board: drop a piece, `wanted` in a line of any direction win."""
    lines = []
    for x in range(1, columns + 1):
        for y in range(1, rows + 1):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(x + i * dx, y + i * dy) for i in range(wanted)]
                if all(1 <= a <= columns and 1 <= b <= rows for a, b in cells):
                    held = " ".join(f"(true (cell {a} {b} ?p))" for a, b in cells)
                    lines.append(f"(<= (line ?p) (role ?p) {held})")
    facts = " ".join(f"(column {x})" for x in range(1, columns + 1))
    facts += " ".join(f"(above {y} {y + 1})" for y in range(1, rows))
    text = f"""
    (role red) (role black) (init (control red)) {facts}
    (<= (filled ?x ?y) (role ?p) (true (cell ?x ?y ?p)))
    (<= (place ?x 1) (column ?x) (not (filled ?x 1)))
    (<= (place ?x ?z) (column ?x) (above ?y ?z) (filled ?x ?y) (not (filled ?x ?z)))
    (<= (legal ?p (drop ?x)) (true (control ?p)) (place ?x ?y))
    (<= (legal red noop) (true (control black)))
    (<= (legal black noop) (true (control red)))
    (<= (next (cell ?x ?y ?p)) (does ?p (drop ?x)) (place ?x ?y))
    (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
    (<= (next (control red)) (true (control black)))
    (<= (next (control black)) (true (control red)))
    {chr(10).join(lines)}
    (<= open (place ?x ?y))
    (<= terminal (line ?p)) (<= terminal (not open))
    (<= (goal ?p 100) (line ?p))
    (<= (goal red 0) (line black)) (<= (goal black 0) (line red))
    (<= (goal ?p 50) (role ?p) (not (line red)) (not (line black)))
    """
    return woodstock.loads(text, f"connect {wanted} on {columns}x{rows}")


def after_drops(game: woodstock.Game, columns: str) -> State:
    """Return the state after the two players, red first, have dropped into these columns in turn."""
    state = game.initial
    for turn, column in enumerate(columns):
        state = state.next([f"(drop {column})", "noop"][:: 1 if turn % 2 == 0 else -1])
    return state
