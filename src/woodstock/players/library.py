"""A strategy in a shared library, in a process of its own: it may crash or loop, and loses its move only.

The other side is `library_host`; each call is a message and its answer. A process that died or did not answer in time
is killed, and a new one is started, with the same match, for the next turn.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from woodstock.child import Child, ChildGone, ChildTooLate
from woodstock.errors import GameError
from woodstock.information import InformationState
from woodstock.players.failure import BROKEN, TIMED_OUT, PlayerFailure
from woodstock.players.player import Player, Task

RESTART_S = 5.0
FAREWELL_S = 0.5


class LibraryPlayer(Player):
    """Plays by the functions of `include/woodstock_strategy.h`."""

    def __init__(self, path: str) -> None:
        self._path = Path(path).expanduser().resolve()
        if not self._path.is_file():
            raise GameError(f"lib:{path}: there is no such file")
        self.name = f"lib:{path}"
        self._child: Child | None = None

    def start(self, task: Task, deadline: float | None) -> None:
        """Load the library and describe the match to it."""
        super().start(task, deadline)
        self._begin(time.monotonic() + task.start_clock_s if deadline is None else deadline)

    def move(self, view: InformationState, deadline: float) -> str:
        """Ask the library for the index of a legal move; if the rules hide things it gets its percepts as facts."""
        if self._child is None:
            self._begin(min(deadline, time.monotonic() + RESTART_S))
        answer = self._call(
            {
                "call": "play",
                **_seen(view),
                "legal": list(view.legal),
                "seconds": max(0.0, deadline - time.monotonic()),
            },
            deadline,
        )
        index = answer.get("result")
        if not isinstance(index, int) or not 0 <= index < len(view.legal):
            raise PlayerFailure(f"the library chose move {index} of {len(view.legal)}", BROKEN)
        return view.legal[index]

    def stop(self, view: InformationState | None) -> None:
        """Tell the library its goal, or -1 if there is none, and end its process."""
        goal = None if view is None else view.goal
        try:
            if self._child is not None:
                self._call({"call": "stop", "goal": -1 if goal is None else goal}, time.monotonic() + FAREWELL_S)
        finally:
            self._close()

    def _close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _begin(self, deadline: float) -> None:
        self._child = Child("woodstock.players.library_host", self._path)
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
        assert self._child is not None
        try:
            self._child.send(request, deadline)
            answer = self._child.receive(deadline)
        except (ChildGone, ChildTooLate) as error:
            self._close()
            code = BROKEN if isinstance(error, ChildGone) else TIMED_OUT
            raise PlayerFailure(f"the library: {error}", code) from error
        if "error" in answer:
            raise PlayerFailure(str(answer["error"]), BROKEN)
        return answer


def _seen(view: InformationState) -> dict[str, Any]:
    """Return what a library is told of a turn. In games with `sees`: its own last move, and percepts as facts."""
    if view.is_open:
        state = view.state
        return {
            "turn": state.turn or 0,
            "last_moves": list(state.last_moves or ()),
            "fluents": sorted(state.fluents),
        }
    if not view.turns:
        return {"turn": view.turn, "last_moves": [], "fluents": sorted(view.start.fluents)}
    last = view.turns[-1]
    percepts = [f"(sees {view.role} {percept})" for percept in last.percepts]
    return {"turn": view.turn, "last_moves": [last.move], "fluents": percepts}
