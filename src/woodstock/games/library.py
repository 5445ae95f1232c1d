"""Find bundled games by name.

Names are compared by their letters and digits only, so case, hyphens, underscores, camelCase and accents do not matter.
"""

from __future__ import annotations

import difflib
import tomllib
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from woodstock.errors import UnknownGameError

FOLDER = Path(__file__).parent

KINDS = {
    "deterministic": "no chance, and the players move in turn",
    "simultaneous": "the players move at once",
    "stochastic": "with dice, cards or other chance",
    "cooperative": "the players win or lose together",
    "puzzle": "for one player",
    "imperfect": "players do not see everything",
}
"""The kinds of games in the order of the list, with their meanings."""


@dataclass(frozen=True, slots=True)
class BundledGame:
    """A bundled game. `path` is its rulesheet; `kinds` are keys of `KINDS`, the main one first.

    `players` counts the roles without chance. `board` is how it is drawn, a kind of `woodstock.view`. `perft` has the
    number of sequences of joint moves of each length, from 0 on; `oracle` counts the same. `notes` say what was chosen
    where the original rules leave a choice.
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    players: int
    kinds: tuple[str, ...]
    description: str
    size: str
    board: str
    source: str
    oracle: str
    perft: tuple[int, ...]
    notes: str
    path: Path

    def read(self) -> str:
        """Return the text of the rules."""
        return self.path.read_text(encoding="utf-8")


def all_games() -> tuple[BundledGame, ...]:
    """Return every bundled game, by name."""
    return tuple(_read(file) for file in sorted(FOLDER.glob("*/game.toml")))


def find(name: str) -> BundledGame:
    """Return the bundled game of that name, alias or title.

    >>> find("connectFour").name
    'connect-four'
    >>> find("Käseklau").name
    'kaseklau'
    """
    games = all_games()
    key = _key(name)
    for game in games:
        if key in map(_key, (game.name, *game.aliases, game.title)):
            return game
    raise unknown_game(name, games)


def search(words: str) -> tuple[BundledGame, ...]:
    """Return the games that have every word in their name, aliases, kinds, size or description."""
    wanted = words.casefold().split()
    return tuple(game for game in all_games() if all(_mentions(game, word) for word in wanted))


def looks_like_path(name: str) -> bool:
    """Return whether a name can only be a file: it has a folder, or the extension of a rulesheet."""
    return "/" in name or "\\" in name or name.casefold().endswith((".kif", ".gdl", ".hrf", ".pl", ".txt"))


def unknown_game(name: str, games: tuple[BundledGame, ...] | None = None) -> UnknownGameError:
    """Return the error for an unknown game, with the most similar name."""
    games = all_games() if games is None else games
    by_key = {_key(alias): game.name for game in games for alias in (game.name, *game.aliases)}
    near = difflib.get_close_matches(_key(name), by_key, n=1, cutoff=0.6)
    hint = f" Did you mean '{by_key[near[0]]}'?" if near else ""
    return UnknownGameError(f"No game '{name}'.{hint} Run 'woodstock games' for all {len(games)}.")


def _key(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if c.isalnum())


def _mentions(game: BundledGame, word: str) -> bool:
    texts = (game.name, game.title, *game.aliases, *game.kinds, game.size, game.description)
    return any(word in text.casefold() or (_key(word) != "" and _key(word) in _key(text)) for text in texts)


def _read(file: Path) -> BundledGame:
    data = {"board": "", "notes": "", **tomllib.loads(file.read_text(encoding="utf-8"))}
    data["notes"] = data["notes"].strip()
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return BundledGame(**fields, path=file.parent / "rules.kif")
