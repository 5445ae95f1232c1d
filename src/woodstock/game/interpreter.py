"""The reference interpreter: slow, obvious, correct.

It answers every question about a game straight from the rules, with no grounding and no circuit: the oracle that the
engines are tested against, and the engine for games that are too large to ground. A state costs about a millisecond
for small games, up to a second for chess.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from woodstock.errors import GameError
from woodstock.game.spelling import symbols
from woodstock.gdl.ast import KEYWORDS, Program, Signature
from woodstock.gdl.demand import TableLimit
from woodstock.gdl.join import Ground, Relation, Row
from woodstock.gdl.kif import read_terms, split_term
from woodstock.gdl.normalise import normalise
from woodstock.gdl.order import natural_key
from woodstock.gdl.relations import DOES, JOINT, STATE, STATIC, TRUE, Model, RowLimit, Rules

# Relations that derive more rows than this are computed only as far as they are asked for.
_MAX_STATIC_ROWS = 400_000
_MAX_ROWS = 40_000
# Callers ask several things about a state before they go on to the next.
_KEPT_STATES = 8


class Interpreter:
    """A game played from its rules. States are sets of fluents, fluents and moves are KIF text."""

    def __init__(self, program: Program) -> None:
        self.roles = program.roles()
        self._spelling = {name: name for name in KEYWORDS} | symbols(program)
        self._texts: dict[Ground, str] = {}
        self._terms: dict[str, Ground] = {}
        # Models are filled as they are asked; two threads in one would read relations that are half done.
        self._lock = threading.Lock()
        self._rules = Rules(normalise(program))
        self._static = Model(self._rules, STATIC, limit=_MAX_STATIC_ROWS)
        self._states: OrderedDict[frozenset[str], Model] = OrderedDict()

    def initial(self) -> frozenset[str]:
        """Return the initial state."""
        return frozenset(self._text(row[0]) for row in self._rows(("init", 1), None, None))

    def legal(self, state: frozenset[str], role: str) -> tuple[str, ...]:
        """Return the legal moves of a role, in natural order."""
        name = self._role(role)
        # Asked for one role alone: the moves of a role that is not to move are often much work for nothing.
        rows = self._rows(("legal", 2), state, None, (name,))
        return tuple(sorted((self._text(move) for owner, move in rows if owner == name), key=natural_key))

    def is_terminal(self, state: frozenset[str]) -> bool:
        """Return whether the game is over."""
        return bool(self._rows(("terminal", 0), state, None))

    def goals(self, state: frozenset[str]) -> dict[str, int | None]:
        """Return the goal of each role; None if the rules give no value, or several."""
        values: dict[str, set[int]] = {role: set() for role in self.roles}
        for owner, value in self._rows(("goal", 2), state, None):
            if owner in values and isinstance(value, str) and value.isdecimal():
                values[owner].add(int(value))
        return {role: next(iter(found)) if len(found) == 1 else None for role, found in values.items()}

    def next(self, state: frozenset[str], moves: Sequence[str]) -> frozenset[str]:
        """Return the state after a joint move, one move for each role in role order."""
        rows = self._rows(("next", 1), state, moves)
        return frozenset(self._text(row[0]) for row in rows)

    def sees(self, state: frozenset[str], moves: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return what each role perceives of a joint move, in natural order."""
        seen: dict[str, list[str]] = {role: [] for role in self.roles}
        for owner, percept in self._rows(("sees", 2), state, moves):
            if owner in seen:
                seen[owner].append(self._text(percept))
        return {role: tuple(sorted(percepts, key=natural_key)) for role, percepts in seen.items()}

    def rows(self, predicate: str, arity: int, state: frozenset[str]) -> set[tuple[str, ...]]:
        """Return the rows of any relation of the rules in a state, as text."""
        return {tuple(map(self._text, row)) for row in self._rows((predicate, arity), state, None)}

    def _rows(
        self, predicate: Signature, state: frozenset[str] | None, moves: Sequence[str] | None, first: Row = ()
    ) -> set[Row]:
        """Return the rows of a predicate in a state and after a joint move, as far as these are given.

        If their `first` arguments are given, these rows are among those returned.
        """
        with self._lock:
            return self._locked_rows(predicate, state, moves, first)

    def _locked_rows(
        self, predicate: Signature, state: frozenset[str] | None, moves: Sequence[str] | None, first: Row
    ) -> set[Row]:
        while True:
            model = self._static
            if state is not None:
                model = self._state(state) if moves is None else self._joint(state, moves)
            try:
                return model.rows(predicate, first)
            except RowLimit as overrun:
                # Start anew: every order of joins made so far may rest on computing that component whole.
                self._rules.compute_by_demand(overrun.component)
            except TableLimit:
                self._rules.is_unlimited = True
            self._static = Model(self._rules, STATIC, limit=_MAX_STATIC_ROWS)
            self._states.clear()

    def _state(self, state: frozenset[str]) -> Model:
        model = self._states.get(state)
        if model is None:
            model = Model(self._rules, STATE, self._static, limit=_MAX_ROWS)
            model.relations[TRUE] = Relation((self._term(fluent),) for fluent in state)
            self._states[state] = model
            if len(self._states) > _KEPT_STATES:
                self._states.popitem(last=False)
        return model

    def _joint(self, state: frozenset[str], moves: Sequence[str]) -> Model:
        if len(moves) != len(self.roles):
            raise GameError(f"{len(moves)} moves for {len(self.roles)} roles: give one for each, in role order")
        model = Model(self._rules, JOINT, self._state(state), limit=_MAX_ROWS)
        model.relations[DOES] = Relation((role, self._term(move)) for role, move in zip(self.roles, moves, strict=True))
        return model

    def _role(self, role: str) -> str:
        name = self._spelling.get(role.lower(), role)
        if name not in self.roles:
            raise GameError(f"no role {role}: the roles are {', '.join(self.roles)}")
        return name

    def _text(self, term: Ground) -> str:
        if isinstance(term, str):
            return term
        text = self._texts.get(term)
        if text is None:
            text = self._texts[term] = "(" + " ".join([term[0], *map(self._text, term[1:])]) + ")"
            self._terms[text] = term
        return text

    def _term(self, text: str) -> Ground:
        term = self._terms.get(text)
        if term is None:
            term = self._terms[text] = self._parse(text)
        return term

    def _parse(self, text: str) -> Ground:
        """Read a ground term in any case and spacing."""
        try:
            (term,) = read_terms(text)
            return self._ground(term)
        except ValueError:
            raise GameError(f"not a term: {text!r}") from None

    def _ground(self, text: str) -> Ground:
        functor, *args = split_term(text)
        name = self._spelling.get(functor.lower(), functor)
        return (name, *map(self._ground, args)) if args else name
