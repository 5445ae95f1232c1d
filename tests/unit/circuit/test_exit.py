"""A process may end while a thread of it is still at native work."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import threading, time, woodstock
game = woodstock.load("tic-tac-toe")
threading.Thread(target=lambda: game.playouts(10**9), daemon=True).start()
time.sleep(0.3)
print("bye")
"""


def test_a_process_ends_while_a_thread_plays() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "bye\n", "")
