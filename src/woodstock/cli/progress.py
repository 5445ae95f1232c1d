"""Show the phases of preparing a game on stderr: a spinner on a terminal, a line for each slow phase elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from rich.status import Status

from woodstock.cli.output import count, duration, messages
from woodstock.events import PhaseEvent, Subscriber

SLOW_SECONDS = 1.0


@contextmanager
def spinner(what: str, every_s: float = math.inf) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows how far the work is: on a terminal, and elsewhere in a line now and then."""
    console = messages()
    status = Status(what, console=console) if console.is_terminal else None
    last = time.perf_counter()

    def tell(line: str) -> None:
        nonlocal last
        now = time.perf_counter()
        if status is not None:
            status.update(line)
        elif now - last >= every_s:
            last = now
            console.print(line, style="dim")

    with status or nullcontext():
        yield tell


@contextmanager
def working(what: str, every_s: float = math.inf) -> Iterator[Callable[[str], None]]:
    """Show that work goes on, as `spinner` does, and print a line at the end if it was slow."""
    started = time.perf_counter()
    with spinner(what, every_s) as tell:
        yield tell
    if (spent := time.perf_counter() - started) >= SLOW_SECONDS:
        messages().print(f"{what} ({duration(spent)})", style="dim")


@contextmanager
def phases() -> Iterator[Subscriber]:
    """Yield the subscriber to give to `woodstock.load`."""
    with spinner("reading") as show:

        def tell(event: PhaseEvent) -> None:
            line = " ".join([event.phase, *(f"{count(value)} {name}" for name, value in _telling(event))])
            show(line)
            if event.state == "done" and event.seconds >= SLOW_SECONDS:
                messages().print(f"{line} ({duration(event.seconds)})", style="dim")

        yield tell


def _telling(event: PhaseEvent) -> list[tuple[str, float]]:
    """Return the first few counts; a line has no room for all."""
    return [(name.replace("_", " "), value) for name, value in event.counts.items() if value >= 1][:3]
