"""Where text goes: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

import woodstock
from woodstock.errors import WoodstockError

if TYPE_CHECKING:
    from rich.table import Table

WIDTH = 80


def results() -> Console:
    """Return the console of results. Off a terminal it is 80 columns wide and plain."""
    console = Console(highlight=False, markup=False, emoji=False)
    return console if console.is_terminal else Console(highlight=False, markup=False, emoji=False, width=WIDTH)


@cache
def messages() -> Console:
    """Return the console of progress and remarks; there is one, so that a remark does not tear a spinner."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a result as JSON."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_file(path: Path, text: str) -> None:
    """Write a file that the user asked for, and say so."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise WoodstockError(f"cannot write {path}: {error.strerror}") from error
    messages().print(f"wrote {path}")


def reproduction(rules_hash: str, seed: int | None = None) -> dict[str, Any]:
    """Return what one needs to get the same result again: version, rules, seed, machine."""
    facts: dict[str, Any] = {"version": woodstock.__version__, "rules_hash": rules_hash}
    if seed is not None:
        facts["seed"] = seed
    facts["machine"] = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return facts


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> Table:
    """Return a table without lines."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    for head in heads:
        made.add_column(head, overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def count(number: float) -> str:
    """Return a whole number with thousands set apart.

    >>> count(1234567)
    '1,234,567'
    """
    return f"{round(number):,}"


def duration(seconds: float) -> str:
    """Return a time in the unit that fits.

    >>> duration(0.0123), duration(2.5)
    ('12.3 ms', '2.50 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
