"""One match as a job for any process: it brings all that it needs and returns all that it made.

Rules are sent as text, so a worker on another machine needs none of our files.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from dataclasses import dataclass

import woodstock
from woodstock.game.game import Game
from woodstock.match import play_match
from woodstock.tournament.journal import Result
from woodstock.tournament.pairing import Fixture
from woodstock.tournament.plan import PlanGame

# Games that a worker keeps loaded: a tournament goes through its games in turn, so each is needed again soon.
_KEPT_GAMES = 32
_games: OrderedDict[tuple[str, str], Game] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Job:
    """A fixture with its game, the rules and the players' specifications by seat."""

    fixture: Fixture
    game: PlanGame
    rules: str
    specs: tuple[str, ...]
    grace_s: float
    wants_record: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, and the record of its match as the bytes of its file if the plan keeps records."""

    result: Result
    record: bytes | None


def play_job(job: Job) -> Outcome:
    """Play the match."""
    fixture, settings = job.fixture, job.game
    game = _load(fixture.game, job.rules)
    begun = time.monotonic()
    record = play_match(
        game,
        job.specs,
        start_clock_s=settings.start_clock_s,
        play_clock_s=settings.play_clock_s,
        clock=settings.clock,
        simulations=settings.simulations,
        opening=settings.opening,
        seed=fixture.seed,
        match_id=f"woodstock.{fixture.key.replace('/', '.')}",
        max_turns=settings.max_turns,
        grace_s=job.grace_s,
    )
    roles = tuple(role for role in game.roles if role in record.players)
    result = Result(
        key=fixture.key,
        game=fixture.game,
        roles=roles,
        players=fixture.players,
        first=fixture.first,
        second=fixture.second,
        goals=tuple(record.goals.get(role) for role in roles),
        reason=record.reason,
        turns=len(record.plies),
        seconds=round(time.monotonic() - begun, 3),
        errors=record.errors,
    )
    # Serialised here: there are many workers, but one process that keeps the journal.
    written = json.dumps(record.as_json(), ensure_ascii=False, separators=(",", ":")).encode()
    return Outcome(result, written + b"\n" if job.wants_record else None)


def _load(name: str, rules: str) -> Game:
    # A cache of the worker's process: a bounded set of immutable games.
    game = _games.pop((name, rules), None) or woodstock.loads(rules, name)
    _games[name, rules] = game
    while len(_games) > _KEPT_GAMES:
        _games.popitem(last=False)
    return game
