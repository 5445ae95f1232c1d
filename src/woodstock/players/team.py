"""A team of Dask workers that search for a player (extra `cluster`).

A thread of its own talks with the cluster: a scheduler that is gone, slow or was never there cannot make the player
late. Answers that have arrived when the player must move count; the rest are dropped.
"""

from __future__ import annotations

import dataclasses
import importlib
import queue
import threading
import time
import uuid
from functools import partial
from typing import Any

from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.players.decision import Decision
from woodstock.players.options import PLAYER_SETTINGS, PlayerError
from woodstock.players.spec import PlayerSpec
from woodstock.players.team_member import TeamTask, work

_CONNECT_S = 5.0
_ANSWER_S = 2.0
_FIRST_ROUND_TRIP_S = 0.05


def find_dask() -> Any:
    """Return Dask's module `distributed`; PlayerError if it is not installed. Tournaments use this too."""
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise PlayerError("a cluster needs Dask: pip install 'woodstock[cluster]'") from error


class Team:
    """The workers of one scheduler, in one match."""

    def __init__(self, address: str, game: Game, spec: PlayerSpec) -> None:
        self._address, self._game = address, game
        given = {key: value for key, value in spec.given.items() if key not in PLAYER_SETTINGS}
        self._spec = dataclasses.replace(spec, given=given)
        self._match = uuid.uuid4().hex
        self._orders: queue.Queue[tuple[TeamTask, list[Decision]] | None] = queue.Queue()
        self._client: Any = None
        self._underway: list[Any] = []
        self.size = 0
        # How long a task and its answer took lately, without the search itself.
        self.round_trip_s = _FIRST_ROUND_TRIP_S
        self.problem: str | None = None
        self._is_met = threading.Event()
        threading.Thread(target=self._run, daemon=True, name="woodstock-team").start()

    def prepare(self, seconds: float) -> None:
        """Let the workers prepare the game, if there are any."""
        self._orders.put((self._task("", None, seconds, 0), []))

    def wait(self, seconds: float) -> None:
        """Wait until the cluster has answered or it is clear that there is none, at most for `seconds`."""
        self._is_met.wait(min(seconds, _CONNECT_S))

    def search(self, state: State, role: str, seconds: float, simulations: int) -> list[Decision]:
        """Let all workers search a state; return at once with a list to which their decisions are added."""
        answers: list[Decision] = []
        self._orders.put((self._task(role, state.fluents, seconds, simulations), answers))
        return answers

    def close(self) -> None:
        """Leave the cluster."""
        self._orders.put(None)

    def _task(self, role: str, fluents: frozenset[str] | None, seconds: float, simulations: int) -> TeamTask:
        game = self._game
        return TeamTask(self._match, game.name, game.text, self._spec, role, fluents, seconds, simulations)

    def _run(self) -> None:
        """Talk with the cluster until closed."""
        try:
            self._client = find_dask().Client(self._address, timeout=_CONNECT_S, set_as_default=False)
        except Exception as error:
            self.problem = f"no Dask scheduler at {self._address}: {_first_line(error)}"
            self._is_met.set()
            return
        try:
            while (order := self._orders.get()) is not None:
                self._do(*order)
        except Exception as error:
            # Whatever a cluster does, it must not take the player down.
            self.problem = f"the cluster at {self._address} is gone: {_first_line(error)}"
        finally:
            self.size = 0
            self._is_met.set()
            self._leave()

    def _do(self, task: TeamTask, answers: list[Decision]) -> None:
        workers = sorted(self._client.scheduler_info(n_workers=-1)["workers"])
        self.size = len(workers)
        begun = time.monotonic()
        # Dropping the earlier futures also cancels what still runs for a move that is already made.
        self._underway = [
            self._client.submit(work, _seeded(task, number), workers=[worker], pure=False, retries=0)
            for number, worker in enumerate(workers, 1)
        ]
        for future in self._underway:
            future.add_done_callback(partial(self._take, task, answers, begun))
        self._is_met.set()

    def _take(self, task: TeamTask, answers: list[Decision], begun: float, future: Any) -> None:
        """Take an answer; called on a thread of Dask."""
        if future.status != "finished":
            return
        try:
            answer = future.result(timeout=_ANSWER_S)
        except Exception as error:
            self.problem = f"an answer of the cluster at {self._address} was lost: {_first_line(error)}"
            return
        if isinstance(answer, Decision):
            answers.append(answer)
            if task.seconds:
                late = time.monotonic() - begun - task.seconds
                self.round_trip_s = max(late, 0.7 * self.round_trip_s + 0.3 * late)

    def _leave(self) -> None:
        client, self._client = self._client, None
        try:
            client.close(timeout=_ANSWER_S)
        except Exception as error:
            self.problem = self.problem or _first_line(error)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _seeded(task: TeamTask, number: int) -> TeamTask:
    """Return the task with a seed of the worker's own: equal trees would know nothing new."""
    seed = int(task.spec.settings.get("seed", 0)) + 1_000_003 * number
    spec = dataclasses.replace(task.spec, given={**task.spec.given, "seed": seed})
    return dataclasses.replace(task, spec=spec)
