"""The journal of a tournament: one line for each finished match, appended and synced.

A line is one JSON object. The first one names the plan. If a crash left the last line incomplete, it is removed when
the journal is opened again, and its match is played again. The file is locked: there is one writer at a time.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from woodstock.errors import WoodstockError

FORMAT = 1


class JournalError(WoodstockError):
    """A journal cannot be used: it belongs to another plan, is locked, or is damaged before its end."""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished match: players and goals by seat (None: no goal), and the number of errors by role and code."""

    key: str
    game: str
    roles: tuple[str, ...]
    players: tuple[str, ...]
    first: str
    second: str
    goals: tuple[int | None, ...]
    reason: str
    turns: int
    seconds: float
    errors: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The first player's score against the second: 1, 1/2 or 0; if it had all seats, its mean goal / 100."""
        if self.is_solo:
            return (self.mean_goal(self.first) or 0) / 100
        mine, theirs = self.mean_goal(self.first), self.mean_goal(self.second)
        if mine is None or theirs is None:
            return 0.5
        return 0.5 if mine == theirs else float(mine > theirs)

    @property
    def is_solo(self) -> bool:
        """Whether one player had all seats."""
        return self.first == self.second

    def mean_goal(self, player: str) -> float | None:
        """Return the mean goal of a player's seats; None if a seat has none."""
        goals = [goal for name, goal in zip(self.players, self.goals, strict=True) if name == player]
        return None if not goals or None in goals else sum(goal or 0 for goal in goals) / len(goals)


class Journal:
    """An open journal. `results` are those that it had when it was opened; `append` adds to the file."""

    def __init__(self, path: Path, identity: str, *, is_new: bool) -> None:
        self.path = path
        self._file = _open(path, is_new)
        try:
            self.results = self._read(identity)
        except BaseException:
            self._file.close()
            raise

    def append(self, result: Result) -> None:
        """Write a result and sync it, so that it survives a crash."""
        self._write(json.dumps(asdict(result), separators=(",", ":"), ensure_ascii=False))

    def close(self) -> None:
        """Close the file and give up the lock."""
        self._file.close()

    def _write(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, identity: str) -> list[Result]:
        end = self._file.read().rfind(b"\n") + 1
        # After an incomplete line nothing is lost: its match is played again.
        self._file.truncate(end)
        self._file.seek(end)
        if end == 0:
            self._write(json.dumps({"woodstock": "tournament", "format": FORMAT, "plan": identity}))
        return list(read_journal(self.path, identity))


def read_journal(path: Path, identity: str | None = None) -> Iterator[Result]:
    """Yield the results of a journal without opening it for writing; an incomplete last line is left out."""
    try:
        with path.open("rb") as file:
            head = file.readline()
            if not head.endswith(b"\n"):
                raise JournalError(f"{path} is not the journal of a tournament")
            _check_head(head, identity, path)
            for number, line in enumerate(file, 2):
                if line.endswith(b"\n"):
                    yield _parse(line, number, path)
    except OSError as error:
        raise JournalError(f"cannot read the journal {path}: {error.strerror}") from error


def _open(path: Path, is_new: bool) -> IO[bytes]:
    flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if is_new else 0)
    try:
        file = os.fdopen(os.open(path, flags, 0o644), "r+b")
    except FileExistsError as error:
        raise JournalError(f"{path} exists: resume that tournament, or choose another folder") from error
    except OSError as error:
        raise JournalError(f"cannot open the journal {path}: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise JournalError(f"{path} is in use: another process runs this tournament") from error
    return file


def _parse(line: bytes, number: int, path: Path) -> Result:
    try:
        value: dict[str, Any] = json.loads(line)
        lists = {name: tuple(value[name]) for name in ("roles", "players", "goals")}
        return Result(**{**value, **lists})
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"{path}:{number}: the line is damaged: {error}") from error


def _check_head(line: bytes, identity: str | None, path: Path) -> None:
    try:
        head = json.loads(line)
        is_ours = head.get("woodstock") == "tournament"
    except (ValueError, AttributeError):
        is_ours, head = False, {}
    if not is_ours:
        raise JournalError(f"{path} is not the journal of a tournament")
    if head.get("format") != FORMAT:
        raise JournalError(f"{path} has format {head.get('format')}, this woodstock reads {FORMAT}")
    if identity is not None and head.get("plan") != identity:
        raise JournalError(f"{path} belongs to another plan: the players, games or seed have changed since")
