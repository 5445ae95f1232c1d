"""The bundled games: one folder each, `rules.kif` beside `game.toml`.

Comes in: a name as people write it (`connectFour`, `connect-four`, `Connect_Four`). Goes out: a `BundledGame`, which
knows where its rules are. Reading all metadata takes about a millisecond and nothing is kept between calls.
"""

from woodstock.games.library import KINDS, BundledGame, all_games, find, looks_like_path, search, unknown_game

__all__ = ["KINDS", "BundledGame", "all_games", "find", "looks_like_path", "search", "unknown_game"]
