"""The record of a match: what was played, when, by whom, and what they thought.

The file is the JSON match format that GGP hosts and viewers share; what it has no place for stands in `x-` fields. A
record can be read back and checked against the rules: the same moves must give the same states and goals.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import woodstock
from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State

JsonObject = dict[str, Any]


class RecordError(WoodstockError):
    """A match record cannot be read, or does not agree with the rules."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn: a move of each role and the state that followed. `errors` has a code, or nothing, for each role."""

    moves: tuple[str, ...]
    errors: tuple[str, ...]
    state: tuple[str, ...]
    at_ms: int
    seconds: tuple[float, ...] = ()
    thoughts: Mapping[str, JsonObject] = field(default_factory=dict)
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match, finished or under way. `reason` is empty, `terminal`, `stuck`, `turns` or `aborted`.

    The first `opening` turns were random. A match that is not `is_from_start` began in another state than the initial
    one. `goals` are the scores of the end (`State.scores`), empty if the match did not come to its end.

    >>> import woodstock
    >>> from woodstock.match import play_match
    >>> record = play_match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1)
    >>> record.reason, record.goals, record.moves[0]
    ('terminal', {'x': 100, 'o': 0}, ('(mark 1 1)', 'noop'))
    >>> record.errors                                      # by role and code; nobody erred
    {}
    >>> [state.turn for state in record.replay(woodstock.load("tic-tac-toe"))][-1]
    8
    >>> MatchRecord.from_json(record.as_json()) == record
    True
    """

    match_id: str
    game: str
    rules: str
    rules_hash: str
    roles: tuple[str, ...]
    players: Mapping[str, str]
    humans: tuple[str, ...]
    start_clock_s: float
    play_clock_s: float
    seed: int
    initial: tuple[str, ...]
    started_ms: int
    random_token: str
    opening: int = 0
    is_from_start: bool = True
    plies: tuple[Ply, ...] = ()
    reason: str = ""
    goals: Mapping[str, int] = field(default_factory=dict)
    version: str = woodstock.__version__

    @property
    def moves(self) -> tuple[tuple[str, ...], ...]:
        """The joint moves, in role order."""
        return tuple(ply.moves for ply in self.plies)

    @property
    def errors(self) -> dict[str, dict[str, int]]:
        """How often each role erred, by code; only roles that did."""
        found: dict[str, dict[str, int]] = {}
        for ply in self.plies:
            for role, code in zip(self.roles, ply.errors, strict=True):
                if code:
                    counts = found.setdefault(role, {})
                    counts[code] = counts.get(code, 0) + 1
        return found

    # The file.

    def as_json(self) -> JsonObject:
        """Return the record in the GGP match format."""
        is_completed = self.reason == "terminal"
        found: JsonObject = {
            "matchId": self.match_id,
            "randomToken": self.random_token,
            "startTime": self.started_ms,
            "gameMetaURL": "",
            "gameName": self.game,
            "gameRoleNames": list(self.roles),
            "playerNamesFromHost": [self.players.get(role, "random") for role in self.roles],
            "isPlayerHuman": [role in self.humans for role in self.roles],
            "previewClock": -1,
            "startClock": _whole(self.start_clock_s),
            "playClock": _whole(self.play_clock_s),
            "scrambled": False,
            "isCompleted": is_completed,
            "isAborted": self.reason == "aborted",
            "states": [_state_text(self.initial), *(_state_text(ply.state) for ply in self.plies)],
            "stateTimes": [self.started_ms, *(ply.at_ms for ply in self.plies)],
            "moves": [list(ply.moves) for ply in self.plies],
            "errors": [[""] * len(self.roles), *(list(ply.errors) for ply in self.plies)],
        }
        if is_completed:
            found["goalValues"] = [self.goals.get(role) for role in self.roles]
        found |= {
            "x-version": self.version,
            "x-seed": self.seed,
            "x-opening": self.opening,
            "x-is-from-start": self.is_from_start,
            "x-rules-hash": self.rules_hash,
            "x-rules": self.rules,
            "x-reason": self.reason,
            "x-seconds": [list(ply.seconds) for ply in self.plies],
            "x-thoughts": [dict(ply.thoughts) for ply in self.plies],
            "x-error-details": [dict(ply.details) for ply in self.plies],
        }
        return found

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, whole or not at all.

        >>> import tempfile, woodstock
        >>> record = woodstock.play_match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     record.write(f"{folder}/match.json")
        ...     MatchRecord.read(f"{folder}/match.json") == record
        True
        """
        target = Path(path)
        text = json.dumps(self.as_json(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        try:
            handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(target)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise RecordError(f"cannot write the match record {target}: {error.strerror}") from error

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> MatchRecord:
        """Read a record of ours or of another GGP host.

        >>> MatchRecord.read("missing.json")
        Traceback (most recent call last):
        ...
        woodstock.match.record.RecordError: cannot read the match record missing.json: No such file or directory
        """
        source = os.fspath(path)
        try:
            value = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise RecordError(f"cannot read the match record {source}: {error.strerror}") from error
        except ValueError as error:
            raise RecordError(f"{source} is not a match record: not JSON, {error}") from error
        return cls.from_json(value, source)

    @classmethod
    def from_json(cls, value: object, source: str = "<record>") -> MatchRecord:
        """Return the record that this JSON value holds."""
        from woodstock.match.decode import decode

        return decode(value, source)

    # Replaying.

    def replay(self, game: Game) -> list[State]:
        """Return the states of the match under these rules; RecordError if the record contradicts them."""
        from woodstock.match.decode import verified_states

        return verified_states(self, game)


def _whole(seconds: float) -> float | int:
    return int(seconds) if seconds == int(seconds) else seconds


def _state_text(fluents: tuple[str, ...]) -> str:
    return f"({' '.join(fluents)})"
