"""A tournament's plan: who plays what against whom, how often, under which clocks.

Comes in: a TOML file. Goes out: a `Plan`, or a `PlanError` with every problem and its line. A plan is checked whole,
names, files, options and sizes, before the first match.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.tournament.fields import Fields, Problem
from woodstock.tournament.sprt import Sprt
from woodstock.tournament.toml_lines import Lines

PAIRINGS = ("round-robin", "gauntlet", "swiss", "elimination")


class PlanError(WoodstockError):
    """A plan is wrong; `problems` has all that is, with lines."""

    def __init__(self, source: str, problems: list[Problem]) -> None:
        self.source, self.problems = source, tuple(problems)
        super().__init__("\n".join(f"{source}:{one.line}: {one.message}" for one in problems))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.source, list(self.problems))


@dataclass(frozen=True, slots=True)
class PlanPlayer:
    """A player under the name that tables use."""

    name: str
    spec: str


@dataclass(frozen=True, slots=True)
class PlanGame:
    """A game with its clocks. `source` is a bundled name or a path."""

    name: str
    source: str
    start_clock_s: float
    play_clock_s: float
    simulations: int
    max_turns: int
    matches: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides which matches are played and how. Equal plans have equal `identity`."""

    name: str
    seed: int
    players: tuple[PlanPlayer, ...]
    games: tuple[PlanGame, ...]
    pairing: str
    rounds: int
    sprt: Sprt | None
    concurrency: int
    grace_s: float
    keep_records: bool
    published: dict[str, Any]
    text: str

    @property
    def identity(self) -> str:
        """A hash of all that decides the results; concurrency and the like do not."""
        facts = (
            self.name, self.seed, self.players, self.games, self.pairing, self.rounds, self.sprt,
        )  # fmt: skip
        return hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()

    def game(self, name: str) -> PlanGame:
        """Return the game of that name."""
        return next(game for game in self.games if game.name == name)

    def player(self, name: str) -> PlanPlayer:
        """Return the player of that name."""
        return next(player for player in self.players if player.name == name)


def read_plan(path: str | os.PathLike[str], *, scale: float = 1.0) -> Plan:
    """Read and check a plan; `scale` multiplies the number of matches, to try an experiment in small."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise PlanError(str(path), [Problem(1, f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        raise PlanError(str(path), [Problem(1, f"is not UTF-8 text: {error.reason}")]) from error
    return parse_plan(text, str(path), file.parent, scale=scale)


def parse_plan(text: str, source: str = "<plan>", folder: Path | None = None, *, scale: float = 1.0) -> Plan:
    """Check the text of a plan; paths in it are relative to `folder`."""
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(source, [Problem(getattr(error, "lineno", 1), f"is not TOML: {error}")]) from error
    fields = Fields(value, Lines(text))
    plan = _plan(fields, folder or Path(), scale, text)
    fields.refuse_unknown()
    if fields.problems:
        raise PlanError(source, sorted(fields.problems, key=lambda one: one.line))
    return plan


def _plan(fields: Fields, folder: Path, scale: float, text: str) -> Plan:
    players = tuple(_player(one) for one in fields.tables("player"))
    defaults = _Defaults(
        start_clock_s=fields.number("start_clock_s", 5.0, least=0.0),
        play_clock_s=fields.number("play_clock_s", 1.0, least=0.001),
        simulations=fields.whole("simulations", 0, least=0),
        max_turns=fields.whole("max_turns", 2000, least=1),
        matches=fields.whole("matches", 2, least=1),
        scale=scale,
        folder=folder,
    )
    games = [_game(fields.at("games", index), name, defaults) for index, name in enumerate(fields.texts("games", []))]
    games += [_game_table(one, defaults) for one in fields.tables("game")]
    pairing = fields.choice("pairing", "round-robin", PAIRINGS)
    least = 1 if any(game.matches for game in games) and len(players) == 1 else 2
    if len(players) < least:
        fields.problem("player", "a tournament needs at least two players: add a table [[player]] with name and spec")
    _unique(fields, "player", [player.name for player in players])
    _unique(fields, "game", [game.name for game in games])
    if not games:
        fields.problem("games", "a tournament needs games: games = ['tic-tac-toe', 'my-game.kif']")
    sprt = None
    if (table := fields.table("sprt")) is not None:
        sprt = _sprt(table)
        if pairing not in ("round-robin", "gauntlet"):
            fields.problem("sprt", f"a sequential test needs fixed pairs, not pairing = '{pairing}'")
    return Plan(
        name=fields.text("name", "tournament"),
        seed=fields.whole("seed", 0, least=0),
        players=players,
        games=tuple(games),
        pairing=pairing,
        rounds=fields.whole("rounds", max(1, (len(players) - 1).bit_length()), least=1),
        sprt=sprt,
        concurrency=fields.whole("concurrency", 1, least=1),
        grace_s=fields.number("grace_s", 0.1, least=0.0),
        keep_records=fields.flag("keep_records", True),
        published=fields.any("published", {}),
        text=text,
    )


@dataclass(frozen=True, slots=True)
class _Defaults:
    start_clock_s: float
    play_clock_s: float
    simulations: int
    max_turns: int
    matches: int
    scale: float
    folder: Path


def _player(fields: Fields) -> PlanPlayer:
    from woodstock.match.seats.spec import make_seat

    spec = fields.text("spec", None)
    name = fields.text("name", spec)
    if "/" in name or "\t" in name:
        fields.problem("name", f"the name {name!r} has a slash or a tab in it")
    if spec:
        try:
            make_seat(spec).close()
        except WoodstockError as error:
            fields.problem("spec", str(error))
    return PlanPlayer(name, spec)


def _game_table(fields: Fields, defaults: _Defaults) -> PlanGame:
    return _game(fields, fields.text("source", None), defaults)


def _game(fields: Fields, source: str, defaults: _Defaults) -> PlanGame:
    from woodstock.games import find, looks_like_path

    found = source
    if source and (looks_like_path(source) or (defaults.folder / source).is_file()):
        found = str((defaults.folder / source).resolve())
        if not Path(found).is_file():
            fields.problem("source", f"there is no file {source}")
    elif source:
        try:
            found = find(source).name
        except WoodstockError as error:
            fields.problem("source", str(error))
    matches = fields.whole("matches", defaults.matches, least=1)
    # Pairs of seats stay whole when a plan is scaled.
    scaled = matches if defaults.scale == 1.0 else max(2, 2 * round(matches * defaults.scale / 2))
    return PlanGame(
        name=fields.text("name", Path(source).stem if source else ""),
        source=found,
        start_clock_s=fields.number("start_clock_s", defaults.start_clock_s, least=0.0),
        play_clock_s=fields.number("play_clock_s", defaults.play_clock_s, least=0.001),
        simulations=fields.whole("simulations", defaults.simulations, least=0),
        max_turns=fields.whole("max_turns", defaults.max_turns, least=1),
        matches=scaled,
    )


def _sprt(fields: Fields) -> Sprt | None:
    try:
        return Sprt(
            score0=fields.number("score0", 0.5),
            score1=fields.number("score1", 0.55),
            alpha=fields.number("alpha", 0.05),
            beta=fields.number("beta", 0.05),
        )
    except WoodstockError as error:
        fields.problem("score0", str(error))
        return None


def _unique(fields: Fields, kind: str, names: list[str]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            fields.problem(kind, f"two of them are called {name!r}: give each a name of its own")
