"""A tournament plan: the players, the games, the pairings, the number of matches and the clocks.

Comes in: a TOML file. Goes out: a `TournamentPlan`, or a `PlanError` with every problem and its line. A plan is checked
before the first match: names, files, options and sizes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from woodstock.errors import WoodstockError
from woodstock.players.player import CPU, WALL
from woodstock.tournament.fields import Fields, Problem
from woodstock.tournament.leg import Leg, read_legs
from woodstock.tournament.published import Published, read_published
from woodstock.tournament.sprt import Sprt
from woodstock.tournament.toml_lines import Lines

T = TypeVar("T")

PAIRINGS = ("round-robin", "gauntlet", "swiss", "elimination")
# How two players are seated: they alternate; or the first has one seat, each in turn, and the second has the others;
# or each player has all seats of a match of its own, for games that are won together.
SEATINGS = ("alternate", "one-against-rest", "together")


class PlanError(WoodstockError):
    """A plan is wrong; `problems` has every problem with its line."""

    def __init__(self, source: str, problems: list[Problem]) -> None:
        self.source, self.problems = source, tuple(problems)
        super().__init__("\n".join(f"{source}:{one.line}: {one.message}" for one in problems))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.source, list(self.problems))


@dataclass(frozen=True, slots=True)
class PlanPlayer:
    """A player under the name that tables use. `at` is its place on the axis of a plot, if the plan has one."""

    name: str
    spec: str
    at: float | None = None


@dataclass(frozen=True, slots=True)
class PlanGame:
    """A game with its settings. `source` is a bundled name or a path; `name` includes the clock if there are several.

    `clock` is `wall` or `cpu`; the first `opening` turns are random, the same in both matches of a pair. `weight`
    multiplies its goals in the points. With `play_clock_between_s` or `start_clock_between_s` each pair of matches
    draws its clock.
    """

    name: str
    title: str
    source: str
    start_clock_s: float = 5.0
    play_clock_s: float = 1.0
    clock: str = WALL
    simulations: int = 0
    opening: int = 0
    max_turns: int = 2000
    matches: int = 2
    seats: str = "alternate"
    weight: float = 1.0
    start_clock_between_s: tuple[float, float] | None = None
    play_clock_between_s: tuple[float, float] | None = None

    def with_clocks(self, seed: int) -> PlanGame:
        """Return the game with the clocks of one pair of matches, drawn by its seed."""
        drawn, dice = self, random.Random(f"clocks {seed}")
        if self.start_clock_between_s is not None:
            drawn = dataclasses.replace(drawn, start_clock_s=dice.uniform(*self.start_clock_between_s))
        if self.play_clock_between_s is not None:
            drawn = dataclasses.replace(drawn, play_clock_s=dice.uniform(*self.play_clock_between_s))
        return drawn


DEFAULTS = PlanGame("", "", "")


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """Which matches are played and how. Equal plans have equal `identity`."""

    name: str
    seed: int
    players: tuple[PlanPlayer, ...]
    games: tuple[PlanGame, ...]
    pairing: str
    rounds: int
    legs: tuple[Leg, ...]
    sprt: Sprt | None
    interval: float | None
    concurrency: int
    grace_s: float
    keep_records: bool
    published: Published
    axis: str
    text: str

    @property
    def identity(self) -> str:
        """A hash of everything that influences results, so without concurrency and the like."""
        players = [(player.name, player.spec) for player in self.players]
        facts = (self.name, self.seed, players, self.games, self.pairing, self.rounds, self.legs, self.sprt)
        # Plans without an interval have the identity that they had before there was one.
        text = repr(facts) + ("" if self.interval is None else f" {self.interval}")
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def game(self, name: str) -> PlanGame:
        """Return the game of that name."""
        return next(game for game in self.games if game.name == name)

    def player(self, name: str) -> PlanPlayer:
        """Return the player of that name."""
        return next(player for player in self.players if player.name == name)


def read_plan(path: str | os.PathLike[str], *, scale: float = 1.0, clock_scale: float = 1.0) -> TournamentPlan:
    """Read and check a plan. `scale` multiplies the number of matches, `clock_scale` all clocks: for a smaller run."""
    return parse_plan(read_text(path), str(path), Path(path).parent, scale=scale, clock_scale=clock_scale)


def parse_plan(
    text: str, source: str = "<plan>", folder: Path | None = None, *, scale: float = 1.0, clock_scale: float = 1.0
) -> TournamentPlan:
    """Check the text of a plan; paths in it are relative to `folder`."""
    return parse_fields(text, source, lambda fields: _plan(fields, folder or Path(), scale, clock_scale, text))


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a plan's file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise PlanError(str(path), [Problem(1, f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        raise PlanError(str(path), [Problem(1, f"is not UTF-8 text: {error.reason}")]) from error


def parse_fields(text: str, source: str, make: Callable[[Fields], T]) -> T:
    """Return what `make` reads from the fields of a TOML text; raise every problem, those of unknown keys too."""
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(source, [Problem(getattr(error, "lineno", 1), f"is not TOML: {error}")]) from error
    fields = Fields(value, Lines(text))
    made = make(fields)
    fields.refuse_unknown()
    if fields.problems:
        raise PlanError(source, sorted(fields.problems, key=lambda one: one.line))
    return made


def _plan(fields: Fields, folder: Path, scale: float, clock_scale: float, text: str) -> TournamentPlan:
    players = tuple(_player(one) for one in fields.tables("player"))
    games = read_games(fields, folder, scale, clock_scale)
    pairing = fields.choice("pairing", "round-robin", PAIRINGS)
    least = 1 if any(game.matches for game in games) and len(players) == 1 else 2
    if len(players) < least:
        fields.problem("player", "a tournament needs at least two players: add a table [[player]] with name and spec")
    _unique(fields, "player", [player.name for player in players])
    _unique(fields, "game", [game.name for game in games])
    if not games:
        fields.problem("games", "a tournament needs games: games = ['tic-tac-toe', 'my-game.kif']")
    legs = read_legs(fields, [game.title for game in games] + [game.name for game in games], len(players))
    if legs and "pairing" in fields.names():
        fields.problem("pairing", "a plan with legs has a pairing for each leg")
    sprt = None
    if (table := fields.table("sprt")) is not None:
        sprt = _sprt(table)
        if pairing not in ("round-robin", "gauntlet") or legs:
            fields.problem("sprt", f"a sequential test needs fixed pairs, not pairing = '{pairing}'")
    interval = fields.number_if_given("interval", least=1.0)
    if interval is not None and (pairing not in ("round-robin", "gauntlet") or legs):
        fields.problem("interval", f"an interval to reach needs fixed pairs, not pairing = '{pairing}'")
    return TournamentPlan(
        name=fields.text("name", "tournament"),
        seed=fields.whole("seed", 0, least=0),
        players=players,
        games=tuple(games),
        pairing=pairing,
        rounds=fields.whole("rounds", max(1, (len(players) - 1).bit_length()), least=1),
        legs=legs,
        sprt=sprt,
        interval=interval,
        concurrency=fields.whole("concurrency", 1, least=1),
        grace_s=fields.number("grace_s", 0.1, least=0.0),
        keep_records=fields.flag("keep_records", True),
        published=read_published(
            fields, [player.name for player in players], [(game.title, game.name) for game in games]
        ),
        axis=fields.text("axis", "share"),
        text=text,
    )


def read_games(fields: Fields, folder: Path, scale: float = 1.0, clock_scale: float = 1.0) -> list[PlanGame]:
    """Return the games of a table by its keys `games` and `game`, with the settings that they share."""
    default, clocks = _settings(fields, DEFAULTS), _clocks(fields, (DEFAULTS.play_clock_s,))
    games = []
    for name in fields.texts("games"):
        games += _games(fields.element("games"), name, default, clocks, folder)
    for one in fields.tables("game"):
        games += _games(one, one.text("source", None), default, clocks, folder)
    return [_scaled(game, scale, clock_scale) for game in games]


def _player(fields: Fields) -> PlanPlayer:
    from woodstock.players.make import make_player

    spec = fields.text("spec", None)
    name = fields.text("name", spec)
    if "/" in name or "\t" in name:
        fields.problem("name", f"{name!r} has a slash or a tab in it: give it a plain name, name = 'mine'")
    if spec:
        try:
            make_player(spec)
        except WoodstockError as error:
            fields.problem("spec", str(error))
    return PlanPlayer(name, spec, fields.number_if_given("at"))


def _settings(fields: Fields, default: PlanGame) -> PlanGame:
    """Return a game with the settings of a table; what the table does not have comes from `default`."""
    return dataclasses.replace(
        default,
        start_clock_s=fields.number("start_clock_s", default.start_clock_s, least=0.0),
        clock=fields.choice("clock", default.clock, (WALL, CPU)),
        simulations=fields.whole("simulations", default.simulations, least=0),
        opening=fields.whole("opening", default.opening, least=0),
        max_turns=fields.whole("max_turns", default.max_turns, least=1),
        matches=fields.whole("matches", default.matches, least=1),
        seats=fields.choice("seats", default.seats, SEATINGS),
        weight=fields.number("weight", default.weight, least=0.0),
        start_clock_between_s=fields.between("start_clock_between_s", 0.0) or default.start_clock_between_s,
        play_clock_between_s=fields.between("play_clock_between_s", 0.001) or default.play_clock_between_s,
    )


def _games(
    fields: Fields, source: str, default: PlanGame, default_clocks: tuple[float, ...], folder: Path
) -> list[PlanGame]:
    """Return a game once for each of its clocks."""
    from woodstock.games import find, looks_like_path

    found = source
    if source and (looks_like_path(source) or (folder / source).is_file()):
        found = str((folder / source).resolve())
        if not Path(found).is_file():
            fields.problem("source", f"there is no file {source}")
    elif source:
        try:
            found = find(source).name
        except WoodstockError as error:
            fields.problem("source", str(error))
    title = fields.text("name", Path(source).stem if source else "")
    if "/" in title:
        fields.problem("name", f"the name {title!r} has a slash in it")
    game = dataclasses.replace(_settings(fields, default), name=title, title=title, source=found)
    clocks = _clocks(fields, default_clocks)
    if len(clocks) == 1:
        return [dataclasses.replace(game, play_clock_s=clocks[0])]
    return [dataclasses.replace(game, name="", play_clock_s=seconds) for seconds in clocks]


def _scaled(game: PlanGame, scale: float, clock_scale: float) -> PlanGame:
    """Return a game with scaled matches and clocks; pairs of seats stay whole. A name tells clocks apart."""
    seconds = game.play_clock_s * clock_scale
    return dataclasses.replace(
        game,
        name=game.name or f"{game.title} {seconds:g} s",
        start_clock_s=game.start_clock_s * clock_scale,
        play_clock_s=seconds,
        start_clock_between_s=_times(game.start_clock_between_s, clock_scale),
        play_clock_between_s=_times(game.play_clock_between_s, clock_scale),
        matches=game.matches if scale == 1.0 else max(2, 2 * round(game.matches * scale / 2)),
    )


def _times(between: tuple[float, float] | None, factor: float) -> tuple[float, float] | None:
    return None if between is None else (between[0] * factor, between[1] * factor)


def _clocks(fields: Fields, default: tuple[float, ...]) -> tuple[float, ...]:
    """Return the play clocks: one, or several to compare."""
    several = fields.different_numbers("play_clocks_s", least=0.001)
    one = fields.number_if_given("play_clock_s", least=0.001)
    if several and one is not None:
        fields.problem("play_clocks_s", "either one play_clock_s or several play_clocks_s")
    return several or (default if one is None else (one,))


def _sprt(fields: Fields) -> Sprt | None:
    numbers = {name: fields.number(name, default) for name, default in dataclasses.asdict(Sprt()).items()}
    try:
        return Sprt(**numbers)
    except WoodstockError as error:
        fields.problem("score0", str(error))
        return None


def _unique(fields: Fields, kind: str, names: list[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            many = "two" if count == 2 else str(count)
            fields.problem(kind, f"{many} of them are called {name!r}: give each a name of its own")
