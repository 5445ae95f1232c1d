"""A tuning plan: the player, the settings to tune and their ranges, the games, the matches and the clocks.

Comes in: a TOML file. Goes out: a `TuningPlan`, or a `PlanError` with every problem and its line. Games and clocks are
written as in a tournament plan.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from woodstock.errors import WoodstockError
from woodstock.players.make import make_player
from woodstock.tournament.fields import Fields
from woodstock.tournament.plan import PlanGame, parse_fields, read_games, read_text
from woodstock.tournament.sprt import Sprt
from woodstock.tune.space import Setting, Space

METHODS = ("spsa", "bayes")
# `matches` of a game: those of one trial, in pairs with seats exchanged.
_EVEN = "must be even: the players exchange their seats"


@dataclass(frozen=True, slots=True)
class Verification:
    """The sequential test of the result against the opponent, on games that it was not tuned on."""

    games: tuple[PlanGame, ...]
    sprt: Sprt


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """What is tuned and how. Equal plans have equal `identity`."""

    name: str
    seed: int
    space: Space
    opponent: str
    method: str
    trials: int
    games: tuple[PlanGame, ...]
    verification: Verification | None
    concurrency: int

    @property
    def identity(self) -> str:
        """A hash of everything that influences results; more trials are the same plan, continued."""
        facts = (self.name, self.seed, self.space, self.opponent, self.method, self.games)
        return hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()

    def game(self, name: str) -> PlanGame:
        """Return the game of that name."""
        return next(game for game in self.games if game.name == name)


def read_tuning_plan(path: str | os.PathLike[str]) -> TuningPlan:
    """Read and check a tuning plan; paths in it are relative to its folder."""
    return parse_tuning_plan(read_text(path), str(path), Path(path).parent)


def parse_tuning_plan(text: str, source: str = "<plan>", folder: Path | None = None) -> TuningPlan:
    """Check the text of a tuning plan."""
    return parse_fields(text, source, lambda fields: _plan(fields, folder or Path()))


def _plan(fields: Fields, folder: Path) -> TuningPlan:
    player = fields.text("player", None)
    settings = tuple(_setting(one) for one in fields.tables("setting"))
    if not settings:
        fields.problem("setting", "nothing to tune: add a table [[setting]] with name, least and most")
    space = Space(player, settings)
    method = fields.choice("method", "spsa", METHODS)
    if method == "spsa" and any(one.choices for one in settings):
        fields.problem("method", "spsa tunes numbers only: use method = 'bayes' for a setting with choices")
    opponent = fields.text("opponent", player or None)
    if player and settings and not fields.problems:
        _check_player(fields, "setting", space.spec(space.start))
        _check_player(fields, "opponent", opponent)
    games = read_games(fields, folder)
    if not games:
        fields.problem("games", "tuning needs games: games = ['connect-four', 'my-game.kif']")
    _check_pairs(fields, games)
    return TuningPlan(
        name=fields.text("name", "tuning"),
        seed=fields.whole("seed", 0, least=0),
        space=space,
        opponent=opponent,
        method=method,
        trials=fields.whole("trials", 200, least=1),
        games=tuple(games),
        verification=_verification(fields, folder),
        concurrency=fields.whole("concurrency", len(os.sched_getaffinity(0)), least=1),
    )


def _setting(fields: Fields) -> Setting:
    name = fields.text("name", None)
    choices = tuple(fields.texts("choices"))
    is_log = fields.choice("scale", "linear", ("linear", "log")) == "log"
    least, most = fields.number("least", 0.0), fields.number("most", 1.0)
    if choices:
        return Setting(name, choices=choices)
    if not least < most:
        fields.problem("least", f"must be below most, not {least:g} and {most:g}")
        most = least + 1
    if is_log and least <= 0:
        fields.problem("scale", f"a logarithmic scale needs least above 0, not {least:g}")
        is_log = False
    middle = (least * most) ** 0.5 if is_log else (least + most) / 2
    start = fields.number("start", middle)
    if not least <= start <= most:
        fields.problem("start", f"must lie from {least:g} to {most:g}, not {start:g}")
    return Setting(name, least, most, start, is_log, fields.flag("whole", False))


def _verification(fields: Fields, folder: Path) -> Verification | None:
    table = fields.table("verify")
    if table is None:
        return None
    games = read_games(table, folder)
    if not games:
        table.problem("games", "the test needs games that the settings were not tuned on: games = ['othello']")
    _check_pairs(table, games)
    score0, score1 = table.number("score0", 0.5), table.number("score1", 0.55)
    try:
        return Verification(tuple(games), Sprt(score0, score1))
    except WoodstockError as error:
        table.problem("score0", str(error))
        return None


def _check_pairs(fields: Fields, games: list[PlanGame]) -> None:
    for game in games:
        if game.matches % 2:
            fields.problem("matches", f"{_EVEN}, not {game.matches}")
        if game.seats == "together":
            fields.problem("seats", f"{game.title}: tuning compares two players in one match, so not 'together'")


def _check_player(fields: Fields, key: str, spec: str) -> None:
    try:
        make_player(spec)
    except WoodstockError as error:
        fields.problem(key, str(error))
