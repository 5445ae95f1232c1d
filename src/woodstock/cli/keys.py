"""Single keys from the terminal, without Enter."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# A key that sends several characters, such as an arrow, sends them within this time.
_ESCAPE_S = 0.02


@contextmanager
def single_keys() -> Iterator[None]:
    """Read keys one by one; afterwards the terminal is as before, whatever happens."""
    import termios
    import tty

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def read_key(seconds: float | None = None) -> str | None:
    """Return one key, whole if it sends several characters; None if none came in time, empty at the end of input."""
    handle = sys.stdin.fileno()
    if not select.select([handle], [], [], seconds)[0]:
        return None
    key = os.read(handle, 1)
    while key.startswith(b"\x1b") and len(key) < 6 and select.select([handle], [], [], _ESCAPE_S)[0]:
        key += os.read(handle, 1)
        if len(key) > 2 and (key[-1:].isalpha() or key.endswith(b"~")):
            break
    return key.decode("latin-1")
