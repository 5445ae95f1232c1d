"""The connection of a puzzle: positions as on the analysis page, and plans, which are searched while somebody waits."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from starlette.websockets import WebSocket

from woodstock.errors import GameError, WoodstockError
from woodstock.game.state import State
from woodstock.players.plan import Planner
from woodstock.web.analysis.live import Table, serve_table
from woodstock.web.site import Site

JsonObject = dict[str, Any]

_SECONDS = 30.0
_MEMORY_MB = 512
_LOOK_S = 0.1
# Searches for plans at once; each may use two cores.
MOST_PLANNERS = 2


class Planners:
    """How many plans are searched now."""

    def __init__(self) -> None:
        self.places = threading.Semaphore(MOST_PLANNERS)

    def close(self) -> None:
        """Searches end with their pages."""


class PuzzleTable(Table):
    """A page with a puzzle."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._stopped = threading.Event()
        self._planners: Planners = site.parts.setdefault("planners", Planners())

    async def take(self, message: JsonObject) -> None:
        match message.get("type"):
            case "plan":
                try:
                    await self._take_plan(message)
                except WoodstockError as error:
                    self._put({"type": "problem", "id": message.get("id"), "text": str(error)})
            case "no-plan":
                self._stopped.set()
            case _:
                await super().take(message)

    async def _take_plan(self, message: JsonObject) -> None:
        self._stopped.set()
        self._stopped = stopped = threading.Event()
        _, states = await self._states(message)
        state = states[-1]
        if len(state.game.roles) != 1:
            raise GameError("plans are for games of one role")
        if state.is_terminal:
            raise GameError("the puzzle is over here; go back some moves")
        work = partial(self._search, state, message.get("id"), stopped)
        threading.Thread(target=work, daemon=True, name="woodstock-plan").start()

    def _search(self, state: State, name: object, stopped: threading.Event) -> None:
        """Search for plans and tell each better one; on a thread of its own, which owns the planner's child."""
        tell = self._teller(name, lambda: not stopped.is_set())
        if not self._planners.places.acquire(timeout=_SECONDS):
            tell({"type": "planned", "problem": "too many plans are searched now; try again"})
            return
        try:
            with Planner(state.game, seconds=_SECONDS, memory_mb=_MEMORY_MB) as planner:
                planner.start(state)
                known = None
                while planner.is_running and not stopped.wait(_LOOK_S):
                    known = self._tell_plan(planner, known, tell)
                self._tell_plan(planner, known, tell)
                found = planner.poll()
                tell({"type": "planned", "isExhausted": planner.is_exhausted, "isFound": found is not None})
        except (WoodstockError, MemoryError, RuntimeError) as error:
            tell({"type": "planned", "problem": str(error)})
        finally:
            self._planners.places.release()

    @staticmethod
    def _tell_plan(planner: Planner, known: object, tell: Any) -> object:
        plan = planner.poll()
        if plan is not None and plan != known:
            moves = [[move] for move in plan.moves]
            tell({"type": "plan", "moves": moves, "goal": plan.goal, "isBest": plan.is_best, "seconds": plan.seconds})
        return plan

    def close(self) -> None:
        self._stopped.set()
        super().close()


async def live(socket: WebSocket) -> None:
    """Serve one page until it is closed."""
    await serve_table(socket, PuzzleTable)
