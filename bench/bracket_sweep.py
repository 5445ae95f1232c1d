"""Delete single brackets of rulesheets and measure how near the first diagnostic is.

    python -m bench.bracket_sweep FOLDER [--brackets 40] [--seed 0] [--misses] [--infix]

Prints the share of deletions whose first diagnostic is within two lines, for all sheets together and for the worst.
"""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

from bench.common import parser

from woodstock.errors import RulesError
from woodstock.gdl.check import check
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.parse import parse
from woodstock.gdl.source import Source, clean, decode
from woodstock.gdl.write import write

_TOKEN = {"kif": re.compile(r"[()]|;[^\n]*"), "infix": re.compile(r"[()]|%[^\n]*|'(?:[^'\\]|\\.)*'")}

WITHIN = 2  # lines that count as near
WORST = 10  # sheets to name


def bracket_offsets(text: str, syntax: str = "kif") -> list[int]:
    """Return the offsets of the brackets that are not in comments."""
    return [m.start() for m in _TOKEN[syntax].finditer(text) if m[0] in "()"]


def first_diagnostic(text: str, name: str, syntax: str = "kif") -> Diagnostic | None:
    """Return what a user would read first; None if the damage went unnoticed."""
    try:
        found = check(parse(text, name, syntax))
    except RulesError as error:
        found = error.diagnostics
    return found[0] if found else None


def distance(text: str, offset: int, name: str, syntax: str = "kif") -> int | None:
    """Return the lines between a deleted bracket and the first diagnostic; None without one."""
    damaged = text[:offset] + text[offset + 1 :]
    found = first_diagnostic(damaged, name, syntax)
    return None if found is None else abs(found.line - Source(name, text).position(offset)[0])


def main() -> None:
    options = parser(__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--brackets", type=int, default=40, help="deletions for each sheet (default 40)")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--misses", action="store_true", help="print each miss")
    options.add_argument("--infix", action="store_true", help="write the sheets in the infix syntax first")
    given = options.parse_args()
    rng = random.Random(given.seed)
    syntax = "infix" if given.infix else "kif"
    total = near = 0
    shares: list[tuple[float, str]] = []
    started = time.perf_counter()
    for path in sorted(given.folder.glob("*.kif")):
        text = clean(decode(path.read_bytes()))
        if given.infix:
            try:
                text = write(parse(text, path.name, "kif"), "infix")
            except RulesError:
                continue
        offsets = bracket_offsets(text, syntax)
        chosen = rng.sample(offsets, min(given.brackets, len(offsets)))
        away = {offset: distance(text, offset, path.name, syntax) for offset in chosen}
        misses = [offset for offset, lines in away.items() if lines is None or lines > WITHIN]
        for offset in misses if given.misses else ():
            line, column = Source("", text).position(offset)
            print(f"{path.name}:{line}:{column} deleted {text[offset]} first diagnostic {away[offset]} lines away")
        total += len(chosen)
        near += len(chosen) - len(misses)
        shares.append((1 - len(misses) / max(1, len(chosen)), path.name))
    for share, name in sorted(shares)[:WORST]:
        print(f"{share:6.1%}  {name}")
    seconds = time.perf_counter() - started
    print(f"{near} of {total} within {WITHIN} lines: {near / max(1, total):.2%}, {seconds:.0f} s")


if __name__ == "__main__":
    main()
