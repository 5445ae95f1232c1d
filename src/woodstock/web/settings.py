"""What a user can set about the site: its address, its file, its limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEFAULT_PORT = 8765
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The settings of one site. `database` None keeps everything in memory; `token` None asks for none."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = None
    database: Path | None = None
    # The folder whose tournaments are shown; None: none.
    tournaments: Path | None = None
    # Of one request, of one message, of one pasted rulesheet.
    body_bytes: int = 1 << 20
    rules_bytes: int = 512 << 10
    # Budgets of preparing one game.
    ground_seconds: float = 20.0
    ground_memory_mb: int = 2048
    # How many games stay loaded, and how many matches are played at once.
    games_kept: int = 16
    matches_at_once: int = 32
    # How many matches and rulesheets stay in the store; the oldest leave first.
    matches_kept: int = 1000
    # Memory of the search tree of a built-in player, if its settings name none.
    tree_memory_mb: int = 256

    # Whether everybody sees the whole state, also what the rules hide from their role.
    is_cheating: bool = False

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the site."""
        return self.host in LOOPBACK
