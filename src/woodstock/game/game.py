"""A game: its roles, its initial state, and random playouts from any state.

Comes in: a checked `Program` and an `Engine` for it (`woodstock.game.load` makes both). Goes out: states and playout
results. A game never changes, and several threads may use it at once.
"""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast

from woodstock.errors import GameError
from woodstock.events import PhaseEvent
from woodstock.game.engine import DEFAULT_MAX_STEPS, Engine, IndexedEngine, Numbering
from woodstock.game.playout_runs import run_for_seconds, run_playouts
from woodstock.game.playouts import PlayoutStats
from woodstock.game.scores import GoalRules
from woodstock.game.spelling import did_you_mean, term_key
from woodstock.game.state import State
from woodstock.gdl.ast import Program
from woodstock.gdl.chance import CHANCE

if TYPE_CHECKING:
    from woodstock.gdl.diagnostics import Diagnostic
    from woodstock.gdl.ground import GroundProgram


class Game:
    """The rules of one game, ready to play; made by `woodstock.load` and `woodstock.loads`.

    `diagnostics` are warnings about the rules, `notes` say what else a user should know (for example that the rules did
    not fit the budget), `phases` how long each phase of the preparation took, `rules_hash` names the rules.

    >>> import woodstock
    >>> game = woodstock.load("connect-four")
    >>> game
    <Game connect-four: red, black; circuit>
    >>> game.roles, game.is_stochastic, game.has_percepts
    (('red', 'black'), False, False)
    >>> game.engine_name, game.text[:1], len(game.fluents)
    ('circuit', ';', 128)
    """

    def __init__(
        self,
        program: Program,
        engine: Engine,
        *,
        name: str,
        diagnostics: Sequence[Diagnostic] = (),
        notes: Sequence[str] = (),
        phases: Sequence[PhaseEvent] = (),
        budget: tuple[float, int] = (60.0, 8192),
    ) -> None:
        self.name = name
        self.program = program
        self.engine = engine
        self.diagnostics = tuple(diagnostics)
        self.notes = tuple(notes)
        self.phases = tuple(phases)
        self.budget = budget
        self.roles: tuple[str, ...] = engine.roles
        self.rules_hash = hashlib.blake2b(program.text.encode(), digest_size=16).hexdigest()
        self._role_index = {role.lower(): index for index, role in enumerate(self.roles)}
        self._reference: Engine | None = engine if engine.name == "interpreter" else None
        self._reference_lock = threading.Lock()

    @property
    def text(self) -> str:
        """The rulesheet as written."""
        return self.program.text

    @property
    def engine_name(self) -> str:
        """`circuit`, or `interpreter` if the rules did not fit the grounding budget; `notes` say why."""
        return self.engine.name

    @property
    def is_stochastic(self) -> bool:
        """Whether chance plays: one of the roles is `random`."""
        return CHANCE in self._role_index

    @property
    def has_percepts(self) -> bool:
        """Whether the rules say what each role `sees`: a game of imperfect information."""
        return self.engine.has_percepts

    @cached_property
    def initial(self) -> State:
        """The initial state.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").initial.turn
        1
        """
        return State(self, self.engine.initial(), turn=1)

    @cached_property
    def _goal_rules(self) -> GoalRules:
        return GoalRules(self.program)

    @cached_property
    def _identity(self) -> tuple[str, str]:
        # What two games must share for their states to be comparable: the rules and the numbering of fluents.
        numbering = self.engine.numbering
        if numbering is None:
            return self.rules_hash, self.engine.name
        return self.rules_hash, hashlib.blake2b("\n".join(numbering.fluents).encode(), digest_size=8).hexdigest()

    def role_index(self, role: str) -> int:
        """Return the position of the role in `roles`; its name is taken in any case.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").role_index("O")
        1
        """
        index = self._role_index.get(role.lower()) if isinstance(role, str) else None
        if index is None:
            raise GameError(
                f"{self.name} has no role {role!r}; its roles are {', '.join(self.roles)}."
                + (did_you_mean(role, self.roles) if isinstance(role, str) else "")
            )
        return index

    def state(self, fluents: Iterable[str]) -> State:
        """Return the state in which exactly these fluents hold, whether or not it can be reached.

        >>> import woodstock
        >>> game = woodstock.load("breakthrough")
        >>> game.state(["(cell 4 4 white)", "(cell 3 5 black)", "(control white)"]).legal("white")
        ('(move 4 4 3 5)', '(move 4 4 4 5)', '(move 4 4 5 5)')
        """
        if isinstance(fluents, str):
            raise GameError("game.state needs a collection of fluents, such as ['(cell 1 1 b)'], not one string")
        return State(self, self.engine.pack(frozenset(self._canonical_fluent(text) for text in fluents)))

    def _canonical_fluent(self, text: str) -> str:
        if not isinstance(text, str):
            raise GameError(f"a fluent must be text such as '(cell 1 1 b)', not {text!r}")
        found = self.engine.canonical_fluent(text.lower())
        if found is None and (key := term_key(text)) is not None:
            found = self.engine.canonical_fluent(key)
        if found is None:
            numbering = self.engine.numbering
            near = did_you_mean(text, numbering.fluents) if numbering else ""
            raise GameError(f"{self.name} has no fluent {text}.{near}")
        return found

    # Indices of fluents and moves.

    @property
    def _numbering(self) -> Numbering:
        numbering = self.engine.numbering
        if numbering is None:
            raise GameError(
                f"{self.name} runs on the interpreter, which does not number fluents and moves: "
                "vectors, masks and indices need the circuit. " + " ".join(self.notes)
            )
        return numbering

    @property
    def _indexed_engine(self) -> IndexedEngine:
        _ = self._numbering  # refuses the interpreter
        return cast(IndexedEngine, self.engine)

    @property
    def fluents(self) -> tuple[str, ...]:
        """Every fluent that can hold; its position is its index in `State.vector`, the same in every run."""
        return self._numbering.fluents

    def moves(self, role: str) -> tuple[str, ...]:
        """Return every move the role may ever have; positions are the indices of `State.legal_mask`.

        >>> import woodstock
        >>> len(woodstock.load("tic-tac-toe").moves("x"))
        10
        """
        return self._numbering.moves[self.role_index(role)]

    # Playouts.

    def playouts(
        self,
        n: int | None = None,
        state: State | None = None,
        seed: int = 0,
        threads: int = 1,
        *,
        engine: str = "auto",
        max_steps: int = DEFAULT_MAX_STEPS,
        seconds: float | None = None,
    ) -> PlayoutStats:
        """Play `n` uniformly random playouts to their end, from `state` or from the initial one.

        `engine` is `batch` (bit-sliced, fastest), `scalar` (one state at a time) or `reference` (the interpreter).
        With `seconds` and without `n`, whole rounds are played until that much time has passed.

        >>> import woodstock
        >>> game = woodstock.load("tic-tac-toe")
        >>> game.playouts(1000, seed=1).histograms == game.playouts(1000, seed=1, threads=2).histograms
        True
        """
        start = self.initial if state is None else state
        if n is not None:
            if seconds is not None:
                raise GameError("playouts take a number or a time, not both: leave out n or seconds")
            return run_playouts(self, [start], [n], seed, threads, engine, max_steps)[0]
        if seconds is None:
            raise GameError("say how many playouts to play, as in game.playouts(1000), or for how many seconds")
        return run_for_seconds(self, start, seconds, seed, threads, engine, max_steps)

    def playouts_many(
        self,
        states: Sequence[State],
        counts: Sequence[int],
        *,
        seed: int = 0,
        threads: int = 1,
        engine: str = "auto",
        max_steps: int = DEFAULT_MAX_STEPS,
    ) -> list[PlayoutStats]:
        """Play `counts[i]` playouts from `states[i]`, all in one go, and return a result for each.

        The times in each result are those of the whole call, divided by steps.

        >>> import woodstock
        >>> game = woodstock.load("tic-tac-toe")
        >>> after = [game.initial.next([move, "noop"]) for move in game.initial.legal("x")]
        >>> results = game.playouts_many(after, [1000] * 9, seed=1)
        >>> max(range(9), key=lambda i: results[i].goal_means["x"])  # the centre
        4
        """
        return run_playouts(self, states, counts, seed, threads, engine, max_steps)

    def _reference_engine(self) -> Engine:
        with self._reference_lock:
            if self._reference is None:
                from woodstock.game.interpreter_engine import InterpreterEngine

                self._reference = InterpreterEngine(self.program)
            return self._reference

    @property
    def ground(self) -> GroundProgram | None:
        """The ground rules, or None if the game was not grounded.

        >>> import woodstock
        >>> woodstock.load("tic-tac-toe").ground.roles
        ('x', 'o')
        """
        return getattr(self.engine, "ground", None)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # By its rules: a circuit is native memory. Within one process the game itself is found again.
        from woodstock.game.load import restore_game

        packed = zlib.compress(self.program.text.encode())
        return restore_game, (packed, self.program.name, self.name, self.engine.name, self.budget)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {', '.join(self.roles)}; {self.engine_name}>"
