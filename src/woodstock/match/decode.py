"""From the JSON of a match to a `MatchRecord`, and from a record to its states, checked on the way.

Records of other hosts lack our `x-` fields and may spell terms with other spaces and in another case; both are fine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.gdl.chance import is_chance
from woodstock.gdl.kif import read_terms
from woodstock.match.record import MatchRecord, Ply, RecordError


def decode(value: object, source: str) -> MatchRecord:
    """Return the record that a JSON value holds; the error names the field."""
    fields = _Fields(value, source)
    moves = fields.lists("moves")
    states = fields.texts("states")
    if len(states) not in (len(moves), len(moves) + 1):
        fields.fail("states", f"has {len(states)} states for {len(moves)} joint moves")
    width = len(moves[0]) if moves else len(fields.texts("playerNamesFromHost", []))
    roles = tuple(fields.texts("gameRoleNames", [f"role {i + 1}" for i in range(width)]))
    for index, joint in enumerate(moves):
        if len(joint) != len(roles):
            fields.fail("moves", f"has {len(joint)} moves at turn {index + 1}, for {len(roles)} roles")
    names = fields.texts("playerNamesFromHost", ["?"] * len(roles))
    humans = fields.get("isPlayerHuman", [False] * len(roles))
    # Hosts differ in whether errors start before the first turn.
    errors = fields.lists("errors", [[""] * len(roles)] * len(moves))
    errors = errors[-len(moves) :] if moves else []
    if len(errors) != len(moves) or any(len(row) != len(roles) for row in errors):
        fields.fail("errors", f"does not have a code for each of {len(moves)} turns and {len(roles)} roles")
    goals = fields.get("goalValues", None)
    reason = "aborted" if fields.get("isAborted", False) else "terminal" if fields.get("isCompleted", False) else ""
    return MatchRecord(
        match_id=str(fields.get("matchId", "")),
        game=str(fields.get("gameName", fields.get("gameMetaURL", "") or "game")),
        rules=str(fields.get("x-rules", "")),
        rules_hash=str(fields.get("x-rules-hash", "")),
        roles=roles,
        players={role: name for role, name in zip(roles, names, strict=False) if not is_chance(role)},
        humans=tuple(role for role, is_human in zip(roles, humans, strict=False) if is_human),
        start_clock_s=fields.number("startClock"),
        play_clock_s=fields.number("playClock"),
        seed=int(fields.number("x-seed")),
        opening=int(fields.number("x-opening")),
        is_from_start=bool(fields.get("x-is-from-start", True)),
        initial=_terms(states[0], fields) if states else (),
        started_ms=int(fields.number("startTime")),
        random_token=str(fields.get("randomToken", "")),
        plies=tuple(
            Ply(
                moves=tuple(joint),
                errors=tuple(errors[turn]),
                state=_terms(states[turn + 1], fields) if turn + 1 < len(states) else (),
                at_ms=int(fields.at("stateTimes", turn + 1, 0)),
                seconds=tuple(fields.at("x-seconds", turn, ())),
                thoughts=fields.at("x-thoughts", turn, {}),
                details=fields.at("x-error-details", turn, {}),
            )
            for turn, joint in enumerate(moves)
        ),
        reason=str(fields.get("x-reason", reason)),
        goals={} if goals is None else dict(zip(roles, goals, strict=False)),
        version=str(fields.get("x-version", "")),
    )


def verified_states(record: MatchRecord, game: Game) -> list[State]:
    """Return the states of the match by the rules; refuse a record that the rules contradict."""
    if len(record.roles) != len(game.roles):
        raise RecordError(f"the record has {len(record.roles)} roles, {game.name} has {len(game.roles)}")
    state = game.initial if record.is_from_start else game.state(record.initial)
    states = [state]
    if record.initial:
        _same_state(game, record.initial, state, "the initial state")
    for turn, ply in enumerate(record.plies, 1):
        try:
            state = state.next(ply.moves)
        except WoodstockError as error:
            raise RecordError(f"turn {turn} of the record: {error}") from error
        states.append(state)
        if ply.state:
            _same_state(game, ply.state, state, f"the state after turn {turn}")
    if record.reason == "terminal" and not state.is_terminal:
        raise RecordError(f"the record ends as complete after turn {len(record.plies)}, but that state is not terminal")
    if record.goals and list(record.goals.values()) != list(state.scores.values()):
        raise RecordError(f"the record has goals {dict(record.goals)}, the rules give {state.scores}")
    return states


def _same_state(game: Game, recorded: tuple[str, ...], state: State, where: str) -> None:
    try:
        other = game.state(recorded)
    except WoodstockError as error:
        raise RecordError(f"{where} in the record: {error}") from error
    if other != state:
        extra, lacking = other.fluents - state.fluents, state.fluents - other.fluents
        differences = [*(f"+{one}" for one in sorted(extra)), *(f"-{one}" for one in sorted(lacking))]
        raise RecordError(f"{where} differs from the rules: {' '.join(differences[:6])}")


def _terms(text: str, fields: _Fields) -> tuple[str, ...]:
    """Return the terms in a state such as `((cell 1 1 b) (control x))`."""
    inner = text.strip()
    if not (inner.startswith("(") and inner.endswith(")")):
        fields.fail("states", f"has a state that is not in brackets: {inner[:40]}")
    try:
        return tuple(read_terms(inner[1:-1]))
    except ValueError as error:
        fields.fail("states", f"has a state that cannot be read: {error}")


class _Fields:
    """The fields of a JSON object, with errors that name them."""

    def __init__(self, value: object, source: str) -> None:
        if not isinstance(value, dict):
            raise RecordError(f"{source} is not a match record: the JSON is no object")
        self._value: Mapping[str, Any] = value
        self.source = source

    def fail(self, name: str, problem: str) -> NoReturn:
        raise RecordError(f"{self.source}: field '{name}' {problem}")

    def get(self, name: str, default: Any) -> Any:
        return self._value.get(name, default)

    def at(self, name: str, index: int, default: Any) -> Any:
        """Return an entry of a list that may be missing or too short."""
        found = self.get(name, [])
        return found[index] if isinstance(found, list) and index < len(found) else default

    def number(self, name: str) -> float:
        found = self.get(name, 0)
        if isinstance(found, bool) or not isinstance(found, int | float):
            self.fail(name, f"is not a number: {found!r}")
        return float(found)

    def texts(self, name: str, default: list[str] | None = None) -> list[str]:
        found = self._list(name, default)
        if not _is_texts(found):
            self.fail(name, "is not a list of texts")
        return found

    def lists(self, name: str, default: list[list[str]] | None = None) -> list[list[str]]:
        found = self._list(name, default)
        if not all(map(_is_texts, found)):
            self.fail(name, "is not a list of lists of texts")
        return found

    def _list(self, name: str, default: Any) -> list[Any]:
        """Return a list, or the default if it is missing; a field without a default must be there."""
        found = self.get(name, default)
        if found is None:
            raise RecordError(f"{self.source} is not a match record: field '{name}' is missing")
        if not isinstance(found, list):
            self.fail(name, "is not a list")
        return found


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
