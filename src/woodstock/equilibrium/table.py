"""A strategy as a table: what each role does with which probability, wherever it has a choice.

Comes in: the probabilities that a solver found, or a file. Goes out: a strategy that answers for every role, text to
read, JSON to keep. Rules with `sees` have one row for each information set, other rules one for each state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import State, is_state_of
from woodstock.information import InformationState, Turn

# Smaller probabilities are not worth reading.
_SHOWN = 0.0005
FORMAT = "woodstock-strategy-1"
Probabilities: TypeAlias = dict[str, float]
Turns: TypeAlias = tuple[Turn, ...]


@dataclass(frozen=True)
class Row:
    """One choice: who makes it, what it knows, its probabilities. `state` is None if the rules hide it."""

    role: str
    turns: Turns
    state: State | None
    moves: Probabilities

    def __str__(self) -> str:
        known = ", ".join(sorted(self.state.fluents)) if self.state is not None else _story(self.turns)
        chosen = ", ".join(f"{move} {p:.3f}" for move, p in self.moves.items() if p >= _SHOWN)
        return f"{known or 'at the start'}: {chosen}"


class StrategyTable:
    """Probabilities for every choice of every role of a game; call it with what a role knows.

    >>> import woodstock
    >>> solution = woodstock.solve_game(woodstock.load("rock-paper-scissors"))
    >>> table = solution.strategy
    >>> print(table.rows[0].role, [round(p, 2) for p in table.rows[0].moves.values()])
    left [0.33, 0.33, 0.33]
    """

    def __init__(self, start: State, make_rows: Callable[[], list[Row]], *, is_partial: bool = False) -> None:
        self.start, self.game = start, start.game
        # A partial table has the choices that a role meets if it does what the table says; elsewhere it is uniform.
        self.is_partial = is_partial
        self._make_rows = make_rows

    @cached_property
    def rows(self) -> list[Row]:
        """All choices, each role's early turns first; made when they are asked for first."""
        return self._make_rows()

    @cached_property
    def _found(self) -> dict[object, Probabilities]:
        return {_key(row.role, row.turns, row.state): row.moves for row in self.rows}

    def __call__(self, view: InformationState) -> Mapping[str, float]:
        """Return the probabilities of a role's legal moves."""
        if not view.is_open and view.start != self.start:
            raise GameError(f"the strategy is for {self.game.name} from another start")
        found = self._found.get(_key(view.role, view.turns, view.state if view.is_open else None))
        if found is None and len(view.legal) > 1 and not self.is_partial:
            raise GameError(
                f"the strategy of {view.game.name} does not know what {view.role} knows in turn {view.turn}"
            )
        return found if found is not None else dict.fromkeys(view.legal, 1.0 / len(view.legal))

    def of(self, role: str) -> Iterator[Row]:
        """Yield the rows of a role, those of early turns first."""
        return (row for row in self.rows if row.role == role)

    def as_json(self) -> dict[str, Any]:
        """Return the table as JSON."""
        roles: dict[str, list[Any]] = {}
        for row in self.rows:
            known: dict[str, Any] = (
                {"turns": [[turn.move, list(turn.percepts)] for turn in row.turns]}
                if row.state is None
                else {"state": sorted(row.state.fluents)}
            )
            roles.setdefault(row.role, []).append({**known, "moves": row.moves})
        start = None if self.start == self.game.initial else sorted(self.start.fluents)
        return {
            "format": FORMAT,
            "game": self.game.name,
            "rules_hash": self.game.rules_hash,
            "start": start,
            "is_partial": self.is_partial,
            "roles": roles,
        }

    def save(self, path: str | Path) -> None:
        """Write the table as JSON."""
        try:
            Path(path).write_text(_lines(self.as_json()), encoding="utf-8")
        except OSError as error:
            raise GameError(f"cannot write {path}: {error.strerror}") from error

    @staticmethod
    def load(game: Game, path: str | Path) -> StrategyTable:
        """Read a table that `save` wrote for the same rules."""
        try:
            given = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise GameError(f"cannot read {path}: {error.strerror}") from error
        except ValueError as error:
            raise GameError(f"{path} is not a saved strategy: {error}") from error
        if not isinstance(given, dict) or given.get("format") != FORMAT:
            raise GameError(f"{path} is not a saved strategy: its format is not {FORMAT}")
        if given.get("rules_hash") != game.rules_hash:
            raise GameError(f"{path} has a strategy of {given.get('game')}, whose rules are not those of {game.name}")
        try:
            start = game.initial if given["start"] is None else game.state(given["start"])
            rows = [_read_row(game, role, row) for role, rows in given["roles"].items() for row in rows]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise GameError(f"{path} is not a saved strategy: a row is damaged ({error!r})") from error
        return StrategyTable(start, lambda: rows, is_partial=bool(given.get("is_partial")))


def _lines(saved: dict[str, Any]) -> str:
    """Return a saved strategy as JSON with one row in each line."""
    head = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in saved.items() if key != "roles"]
    roles = [
        f"{json.dumps(role)}: [\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]"
        for role, rows in saved["roles"].items()
    ]
    return "{\n" + ",\n".join([*head, '"roles": {\n' + ",\n".join(roles) + "\n}"]) + "\n}\n"


def _read_row(game: Game, role: str, row: Mapping[str, Any]) -> Row:
    game.role_index(role)
    moves = {str(move): float(p) for move, p in row["moves"].items()}
    turns = tuple(Turn(str(move), tuple(map(str, percepts))) for move, percepts in row.get("turns", ()))
    state = game.state(row["state"]) if "state" in row else None
    if state is not None and not is_state_of(state, game):
        raise ValueError(f"a state of {state.game.name}")
    return Row(role, turns, state, moves)


def _key(role: str, turns: Turns, state: State | None) -> object:
    """Return what a role knows, as something to look up; the order of percepts means nothing."""
    if state is not None:
        return role, state
    return role, tuple((turn.move, tuple(sorted(turn.percepts))) for turn in turns)


def _story(turns: Turns) -> str:
    """Return turns as text; those in which a role saw nothing but its own move are left out."""
    told = []
    for number, turn in enumerate(turns, 1):
        seen = [percept for percept in turn.percepts if percept != turn.move]
        if seen or turn.move.lower() != "noop":
            moved = [] if turn.move.lower() == "noop" else [turn.move]
            told.append(" ".join([f"{number}.", *moved, *(["saw", *seen] if seen else [])]))
    return ", ".join(told)
