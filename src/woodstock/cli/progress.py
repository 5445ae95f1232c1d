"""Show the phases of preparing a game on stderr: a spinner on a terminal, a line for each slow phase elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from rich.status import Status

from woodstock.cli.output import count, duration, messages
from woodstock.events import PhaseEvent, Subscriber

SLOW_SECONDS = 1.0


@contextmanager
def phases() -> Iterator[Subscriber]:
    """Yield the subscriber to give to `woodstock.load`."""
    console = messages()
    status = Status("reading", console=console) if console.is_terminal else None

    def tell(event: PhaseEvent) -> None:
        line = " ".join([event.phase, *(f"{count(value)} {name}" for name, value in _telling(event))])
        if event.state == "done" and event.seconds >= SLOW_SECONDS:
            console.print(f"{line} ({duration(event.seconds)})", style="dim")
        elif status is not None:
            status.update(line)

    if status is None:
        yield tell
        return
    with status:
        yield tell


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show that work goes on: a spinner on a terminal, elsewhere a line at the end if it was slow."""
    console = messages()
    started = time.perf_counter()
    with Status(what, console=console) if console.is_terminal else nullcontext():
        yield
    if (spent := time.perf_counter() - started) >= SLOW_SECONDS:
        console.print(f"{what} ({duration(spent)})", style="dim")


def _telling(event: PhaseEvent) -> list[tuple[str, float]]:
    """Return the first few counts; a line has no room for all."""
    return [(name.replace("_", " "), value) for name, value in event.counts.items() if value >= 1][:3]
