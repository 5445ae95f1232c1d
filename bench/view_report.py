"""Draw every rulesheet of a folder: how many have a board, a line, a table, or nothing but facts.

    nice -n 10 python -m bench.view_report [--folder ../shared/games] [--only PART] [--seconds S]

Each sheet is loaded and drawn, as text and as SVG, in the initial state and after each of ten random joint moves. It
has 20 seconds; a sheet that needs longer, usually for grounding, is counted but not drawn. Faults are text wider than
80 columns, SVG that is not XML or wider than 640 pixels, and exceptions. The sheets come in a random but fixed order,
so a run that `--seconds` ends early has seen a fair sample. The result goes to bench/results/view.txt.
"""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from bench.common import CORPUS, RESULTS, command, parser, sheets

import woodstock
from woodstock.errors import WoodstockError
from woodstock.view import View
from woodstock.view.board import KINDS

LIMIT_S = 20
STEPS = 10
WIDEST = 80
WIDEST_SVG = 640


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in the block after some seconds."""

    def stop(_number: int, _frame: object) -> None:
        raise TimeoutError

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def look(path: Path) -> tuple[str, str]:
    """Return the kind of picture that a sheet gets, and a remark."""
    game = woodstock.load(path, ground_seconds=0.75 * LIMIT_S)
    started = time.perf_counter()
    view = View(game)
    seconds = time.perf_counter() - started
    chance = random.Random(0)
    before, state = None, game.initial
    for _ in range(STEPS):
        text = str(view.draw(state, before))
        widest = max(map(len, text.splitlines()), default=0)
        if widest > WIDEST:
            return "fault", f"text of {widest} columns"
        width = float(ElementTree.fromstring(view.svg(state, before)).get("width", "0"))
        if width > WIDEST_SVG:
            return "fault", f"SVG of {width} pixels"
        legal = [] if state.is_terminal else [state.legal(role) for role in game.roles]
        if not legal or not all(legal):
            break
        before, state = state, state.next([chance.choice(moves) for moves in legal])
    boards = ", ".join(
        f"{'+'.join(board.name for board in sheet)} ({sheet[0].kind} {len(sheet[0].columns)}x{len(sheet[0].rows)}"
        + (f", {len(sheet[0].labels)} boards)" if len(sheet[0].labels) > 1 else ")")
        for sheet in view.layout.sheets
    )
    return view.layout.kind, f"{seconds:5.2f} s  {boards}"


def examine(path: Path) -> tuple[str, str]:
    """Draw a sheet within its time limit."""
    try:
        with time_limit(LIMIT_S):
            return look(path)
    except TimeoutError:
        return "too slow", f"not loaded and drawn within {LIMIT_S} s"
    except WoodstockError as error:
        return "refused", str(error).partition("\n")[0].replace(f"{path.parent}/", "")[:80]
    except Exception as error:
        return "fault", f"{type(error).__name__}: {error}"[:100]


def summary(kinds: Counter[str]) -> list[str]:
    """Return the totals; shares are of the sheets that were drawn."""
    drawn = sum(kinds[kind] for kind in KINDS)
    lines = [f"{sum(kinds.values())} sheets, {drawn} drawn"]
    lines += [f"  {kind:6} {kinds[kind]:4}  {100 * kinds[kind] / max(1, drawn):5.1f} %" for kind in KINDS]
    left_out = [name for name in ("refused", "too slow", "fault") if kinds[name]]
    lines += [f"  {name:8} {kinds[name]:2}  (not among the drawn)" for name in left_out]
    boards = kinds["grid"] + kinds["hex"] + kinds["line"]
    lines.append(f"as a board (grid, hex or line): {boards} ({100 * boards / max(1, drawn):.1f} %)")
    lines.append(f"as a table only: {kinds['table']}; as facts only: {kinds['facts']}; faults: {kinds['fault']}")
    return lines


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--folder", type=Path, default=CORPUS)
    options.add_argument("--only", default="", help="sheets with this in their name")
    options.add_argument("--seconds", type=float, default=float("inf"), help="begin no sheet after this time")
    given = options.parse_args()
    names = [row["file"] for row in sheets(given.folder, given.only)]
    random.Random(0).shuffle(names)
    kinds: Counter[str] = Counter()
    lines: list[str] = []
    ends_at = time.monotonic() + given.seconds
    for name in names:
        if time.monotonic() > ends_at:
            break
        kind, remark = examine(given.folder / name)
        kinds[kind] += 1
        lines.append(f"{name[:60]:60} {kind:8} {remark}"[:200].rstrip())
        print(lines[-1], flush=True)
    totals = [f"{len(lines)} of the {len(names)} sheets, a random sample", *summary(kinds)]
    if len(lines) == len(names):
        totals = summary(kinds)
    print("\n".join(totals))
    if not given.only:
        text = [command(), *totals, "", *sorted(lines), ""]
        (RESULTS / "view.txt").write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
