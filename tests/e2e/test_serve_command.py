"""`woodstock serve` as a program: it speaks the protocol, writes its log, and takes its processes along."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from woodstock.ggp.check import check_player

WOODSTOCK = [sys.executable, "-c", "from woodstock.cli import main; main()"]


def test_the_command_serves_until_it_is_told_to_end(tmp_path: Path) -> None:
    log = tmp_path / "serve.log"
    words = ["serve", "--port", "0", "--host", "127.0.0.1", "--player", "legal", "--log", str(log)]
    with subprocess.Popen([*WOODSTOCK, *words], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        port = re.search(r"port (\d+)", server.stderr.readline())
        assert port is not None
        wrong = [verdict for verdict in check_player("127.0.0.1", int(port[1])) if not verdict.is_right]
        children = [int(word) for word in _children(server.pid)]
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=10)
    assert wrong == []
    assert server.returncode == 0
    assert len(children) == 2
    assert "starts as first" in log.read_text()
    ends_at = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in children) and time.monotonic() < ends_at:
        time.sleep(0.01)
    assert not any(Path(f"/proc/{pid}").exists() for pid in children)


def _children(pid: int) -> list[str]:
    return [word for task in Path(f"/proc/{pid}/task").glob("*/children") for word in task.read_text().split()]


def test_a_player_that_cannot_be_made_is_an_error_at_once() -> None:
    done = subprocess.run(
        [*WOODSTOCK, "serve", "--port", "0", "--player", "nobody"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "no player 'nobody'" in done.stderr


def test_ctrl_c_ends_all_processes_without_a_traceback() -> None:
    words = ["serve", "--port", "0", "--host", "127.0.0.1", "--player", "legal"]
    with subprocess.Popen([*WOODSTOCK, *words], stderr=subprocess.PIPE, text=True, start_new_session=True) as server:
        assert server.stderr is not None
        server.stderr.readline()
        ends_at = time.monotonic() + 20
        while not _ignore_interrupts(_children(server.pid)) and time.monotonic() < ends_at:
            time.sleep(0.01)
        # As a terminal does: the signal goes to the whole group of processes.
        os.killpg(server.pid, signal.SIGINT)
        _, text = server.communicate(timeout=10)
    assert server.returncode == 130
    assert "Traceback" not in text and "interrupted" in text


def _ignore_interrupts(children: list[str]) -> bool:
    """Return whether both workers are past the start of Python, which no one can protect."""
    ignored = [re.search(r"SigIgn:\s*(\w+)", Path(f"/proc/{pid}/status").read_text()) for pid in children]
    return len(ignored) == 2 and all(mask is not None and int(mask[1], 16) & 2 for mask in ignored)


def test_a_port_in_use_is_a_plain_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ["serve", "--port", str(port), "--host", "127.0.0.1", "--player", "legal"]
        done = subprocess.run([*WOODSTOCK, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"error: cannot listen on port {port}: Address already in use\n"
