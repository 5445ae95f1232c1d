"""The bundled games: one folder each, with `rules.kif` and `game.toml`.

Comes in: a name as people write it (`connectFour`, `connect-four`, `Connect_Four`). Goes out: a `BundledGame`, which
knows the path of its rules. Reading all metadata takes about a millisecond; nothing is cached.
"""

from woodstock.games.library import KINDS, BundledGame, all_games, find, looks_like_path, search, unknown_game

__all__ = ["KINDS", "BundledGame", "all_games", "find", "looks_like_path", "search", "unknown_game"]
