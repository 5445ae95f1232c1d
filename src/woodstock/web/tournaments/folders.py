"""The tournaments in one folder of this machine, and what their journals say now.

A page names a tournament by its folder's name, which must be one that was found here: no path from a browser is used.
"""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.match.record import MatchRecord
from woodstock.tournament.journal import Result, read_journal
from woodstock.tournament.pairing import Schedule
from woodstock.tournament.plan import TournamentPlan
from woodstock.tournament.report.tables import CROSS, tables
from woodstock.tournament.runner import JOURNAL, RECORDS, load_games, read_folder
from woodstock.tournament.standings import Standings, standings

JsonObject = dict[str, Any]

_MOST_FOLDERS = 200
_LAST_MATCHES = 20


@dataclass(frozen=True, slots=True)
class Now:
    """A tournament as its journal is now. `mark` changes whenever the journal does."""

    mark: str
    found: Standings
    last: tuple[Result, ...]


class TournamentFolder:
    """One tournament. What was read is kept until the journal changes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._now: Now | None = None
        self._known: int | None = None

    @property
    def mark(self) -> str:
        """What changes with the journal: its size and its time."""
        about = (self.path / JOURNAL).stat()
        return f"{about.st_size}-{about.st_mtime_ns}"

    @property
    def is_running(self) -> bool:
        """Whether a process holds the journal."""
        try:
            with (self.path / JOURNAL).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return False
        except OSError:
            return True

    def now(self) -> Now:
        """Return the standings; reads the journal only if it has changed."""
        with self._lock:
            mark = self.mark
            if self._now is None or self._now.mark != mark:
                plan = read_folder(self.path)
                results = list(read_journal(self.path / JOURNAL, plan.identity))
                self._now = Now(mark, standings(plan, results), tuple(reversed(results[-_LAST_MATCHES:])))
            return self._now

    def matches_known(self, plan: TournamentPlan) -> int:
        """Return how many matches the plan has, as far as that is known before they are played."""
        with self._lock:
            if self._known is None:
                self._known = len(Schedule(plan, load_games(plan).seats).fixtures({}))
            return self._known

    def record(self, key: str) -> MatchRecord:
        """Return the record of a match in the journal."""
        if not any(one.key == key for one in self.now().last):
            plan = read_folder(self.path)
            if not any(one.key == key for one in read_journal(self.path / JOURNAL, plan.identity)):
                raise WoodstockError("this tournament has no such match")
        return MatchRecord.read(self.path / RECORDS / f"{key.replace('/', '.')}.json")


class TournamentFolders:
    """The tournaments below one folder: the folder itself, and those directly in it."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._found: dict[str, TournamentFolder] = {}

    def names(self) -> list[str]:
        """Return the names of the tournaments, the one that changed last first."""
        if self._root is None:
            return []
        paths = [path.parent for path in (*self._root.glob(JOURNAL), *self._root.glob(f"*/{JOURNAL}"))][:_MOST_FOLDERS]
        for path in paths:
            self._found.setdefault(path.resolve().name, TournamentFolder(path))
        alive = {name: one for name, one in self._found.items() if (one.path / JOURNAL).is_file()}
        return sorted(alive, key=lambda name: -(alive[name].path / JOURNAL).stat().st_mtime)

    def get(self, name: str) -> TournamentFolder:
        """Return the tournament of a name that was found here."""
        if name not in self._found and name not in self.names():
            raise WoodstockError(f"there is no tournament {name!r} here")
        return self._found[name]

    def close(self) -> None:
        self._found.clear()


def as_json(folder: TournamentFolder, now: Now) -> JsonObject:
    """Return the tournament for its page: progress, ratings, tables, the last matches."""
    found = now.found
    known = folder.matches_known(found.plan)
    return {
        "mark": now.mark,
        "name": found.plan.name,
        "matches": found.matches,
        "known": max(known, found.matches),
        "isRunning": folder.is_running,
        "ratings": [
            {"name": one.name, "points": one.points, "low": one.low, "high": one.high, "matches": one.matches}
            for one in found.ratings.players
        ],
        "tables": [
            {"title": one.title, "heads": one.heads, "rows": one.rows, "note": one.note, "isCross": one.title == CROSS}
            for one in tables(found)
            if one.title != "Ratings"
        ],
        "last": [_match(one, found.plan) for one in now.last],
        "reasons": found.reasons,
    }


def _match(one: Result, plan: TournamentPlan) -> Mapping[str, Any]:
    return {
        "key": one.key if plan.keep_records else None,
        "game": one.game,
        "seats": [
            {"role": role, "player": player, "goal": goal}
            for role, player, goal in zip(one.roles, one.players, one.goals, strict=True)
        ],
        "turns": one.turns,
        "reason": one.reason,
    }
