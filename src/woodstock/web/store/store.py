"""The SQLite file: opened once, written by one connection under a lock; every change is a transaction of its own."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from woodstock.errors import WoodstockError

VERSION = 1
_MOST_RULES = 1000
_RULES_KEY = re.compile(r"r[0-9a-f]{16}")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rules (
    key TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, at REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, head TEXT NOT NULL, at REAL NOT NULL, changed REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS nodes (
    match TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    node INTEGER NOT NULL, parent INTEGER, body TEXT NOT NULL,
    PRIMARY KEY (match, node)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, body TEXT NOT NULL, at REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS matches_by_change ON matches (changed);
"""


class StoreError(WoodstockError):
    """The file cannot be opened, or is not ours."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules that somebody wrote or pasted."""

    key: str
    name: str
    text: str


def is_rules_key(key: str) -> bool:
    """Return whether a game's key names rules in the store."""
    return _RULES_KEY.fullmatch(key) is not None


class Store:
    """The file. Every method may be called from any thread and takes well below a millisecond."""

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                ":memory:" if path is None else path, check_same_thread=False, isolation_level=None
            )
            # One server for each file: two would give the same numbers to different turns.
            self._db.execute("PRAGMA busy_timeout = 200")
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            found = self._db.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, VERSION):
                raise StoreError(f"{path} was written by another version of woodstock: choose another file")
            # A server that is killed loses nothing that it has said: each commit is in the log.
            self._db.executescript(
                f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; {_SCHEMA}"
                f"PRAGMA user_version = {VERSION};"
            )
        except (sqlite3.Error, OSError) as error:
            hint = "; another `woodstock web` has it, so choose another file" if "locked" in str(error) else ""
            raise StoreError(f"cannot open {path}: {error}{hint}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def write(self, *statements: tuple[str, Sequence[Any]]) -> None:
        """Run statements as one transaction."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for text, values in statements:
                    self._db.execute(text, values)
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def read(self, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._lock:
            return self._db.execute(text, values).fetchall()

    # Rules.

    def keep_rules(self, name: str, text: str) -> str:
        """Keep rules and return their key; the same rules under the same name have the same key."""
        key = "r" + hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()[:16]
        # Rules that a match is played by stay.
        old = (
            "DELETE FROM rules WHERE key NOT IN (SELECT key FROM rules ORDER BY at DESC LIMIT ?)"
            " AND key NOT IN (SELECT game FROM matches)"
        )
        self.write(
            ("INSERT OR REPLACE INTO rules VALUES (?, ?, ?, ?)", (key, name, text, time.time())), (old, (_MOST_RULES,))
        )
        return key

    def rules(self, key: str) -> Rules | None:
        """Return the rules with this key."""
        rows = self.read("SELECT key, name, text FROM rules WHERE key = ?", (key,))
        return Rules(*rows[0]) if rows else None
