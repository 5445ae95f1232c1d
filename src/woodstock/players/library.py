"""A strategy in a shared library, in a process of its own: it may crash or loop, and loses its move only.

The other side is `library_host`. The two speak one line of JSON for each call. A process that died or did not answer
in time is killed and started anew, with the same match, for the next turn.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from woodstock.errors import GameError
from woodstock.game.state import State
from woodstock.players.failure import BROKEN, TIMED_OUT, PlayerFailure
from woodstock.players.player import Player, Task

RESTART_S = 5.0
FAREWELL_S = 0.5
PIECE = 65536


class LibraryPlayer(Player):
    """Plays by the functions of `include/woodstock_strategy.h`."""

    def __init__(self, path: str) -> None:
        self._path = Path(path).expanduser().resolve()
        if not self._path.is_file():
            raise GameError(f"lib:{path}: there is no such file")
        self.name = f"lib:{path}"
        self._process: subprocess.Popen[bytes] | None = None
        self._received = b""

    def start(self, task: Task, deadline: float | None) -> None:
        """Load the library and tell it the match."""
        super().start(task, deadline)
        self._begin(time.monotonic() + task.start_clock_s if deadline is None else deadline)

    def move(self, state: State, deadline: float) -> str:
        """Ask the library for the index of a legal move."""
        if self._process is None:
            self._begin(min(deadline, time.monotonic() + RESTART_S))
        legal = state.legal(self.task.role)
        answer = self._call(
            {
                "call": "play",
                "turn": state.turn or 0,
                "last_moves": list(state.last_moves or ()),
                "fluents": sorted(state.fluents),
                "legal": list(legal),
                "seconds": max(0.0, deadline - time.monotonic()),
            },
            deadline,
        )
        index = answer.get("result")
        if not isinstance(index, int) or not 0 <= index < len(legal):
            raise PlayerFailure(f"the library chose move {index} of {len(legal)}", BROKEN)
        return legal[index]

    def stop(self, state: State | None) -> None:
        """Tell the library its goal, or -1 if there is none, and end its process."""
        goal = state.scores[self.task.role] if state is not None and state.is_terminal else None
        try:
            if self._process is not None:
                self._call({"call": "stop", "goal": -1 if goal is None else goal}, time.monotonic() + FAREWELL_S)
        finally:
            self._kill()

    def _begin(self, deadline: float) -> None:
        self._received = b""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "woodstock.players.library_host", str(self._path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        task = self.task
        self._call(
            {
                "call": "start",
                "match_id": task.match_id,
                "role": task.role,
                "rules": task.game.text,
                "start_clock_s": max(0.0, deadline - time.monotonic()),
                "play_clock_s": task.play_clock_s,
                "seed": task.seed,
            },
            deadline,
        )

    def _call(self, request: dict[str, Any], deadline: float) -> dict[str, Any]:
        """Send one request and return its answer; a process that fails to answer is killed."""
        process = self._process
        assert process is not None and process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            line = self._read_line(process, deadline)
        except OSError as error:
            code = self._kill()
            raise PlayerFailure(f"the library's process is gone, exit code {code}", BROKEN) from error
        answer = json.loads(line)
        if "error" in answer:
            raise PlayerFailure(str(answer["error"]), BROKEN)
        return dict(answer)

    def _read_line(self, process: subprocess.Popen[bytes], deadline: float) -> bytes:
        assert process.stdout is not None
        handle = process.stdout.fileno()
        while b"\n" not in self._received:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                self._kill()
                raise PlayerFailure("the library did not answer in time", TIMED_OUT)
            piece = os.read(handle, PIECE)
            if not piece:
                raise BrokenPipeError
            self._received += piece
        line, _, self._received = self._received.partition(b"\n")
        return line

    def _kill(self) -> int | None:
        """End the process for good and return its exit code; a signal is a negative number."""
        process, self._process = self._process, None
        if process is None:
            return None
        # One that is ending by itself keeps the code that says why.
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    # Unsent bytes to a process that is gone.
                    continue
        return code
