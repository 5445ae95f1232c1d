"""`woodstock serve` as a program: it speaks the protocol, writes its log, and takes its processes along."""

from __future__ import annotations

import re
import signal
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
