"""Players that fail in every match: their other matches are not played."""

from __future__ import annotations

from woodstock.tournament.journal import Result

# After this many matches in a row in which every move of the player was an error, it is out.
PATIENCE = 3


class FailureWatch:
    """Counts matches in which a player made no move of its own."""

    def __init__(self) -> None:
        self._row: dict[str, int] = {}
        self.failed: dict[str, str] = {}

    def note(self, result: Result) -> None:
        """Take note of a result; `failed` has the players that are out, with the reason."""
        for player in dict.fromkeys(result.players):
            roles = [role for role, name in zip(result.roles, result.players, strict=True) if name == player]
            errors = {role: sum(result.errors.get(role, {}).values()) for role in roles}
            if result.turns and all(count >= result.turns for count in errors.values()):
                self._row[player] = self._row.get(player, 0) + 1
                if self._row[player] >= PATIENCE:
                    codes = sorted({code for role in roles for code in result.errors.get(role, {})})
                    self.failed[player] = f"no move of its own in {PATIENCE} matches in a row ({', '.join(codes)})"
            else:
                self._row[player] = 0
