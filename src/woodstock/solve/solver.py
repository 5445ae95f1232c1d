"""A `Solver`: exact values of any number of states of one game whose rules hide nothing.

There are three methods. `full` evaluates every reachable state and makes no assumption about goals. `alpha-beta` skips
states that cannot matter; it is for two roles that take turns and whose goals add up to 100. `proof` is the fastest if
a result is forced; it needs a proof that goals are opposite, which it finds itself. `Solution.meaning` and
docs/symmetries.md say what a value means with chance, random opponents, several roles or simultaneous moves.
"""

from __future__ import annotations

import time
from fractions import Fraction

from woodstock import _native
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, is_state_of, packed
from woodstock.gdl.chance import chance_index
from woodstock.solve.by_proof import ClaimSolver
from woodstock.solve.single_player import best_end
from woodstock.solve.solution import RatedMove, Solution
from woodstock.symmetry import Symmetries, find_symmetries

METHODS = ("full", "alpha-beta", "proof")
OPPONENTS = ("optimal", "random")
UTILITIES = ("goal", "win")
STRATEGIES = ("mixed", "pure")
DEFAULT_MEMORY_MB = 1024
_UNLIMITED = 2**63


def check_words(**words: tuple[str, tuple[str, ...]]) -> None:
    for what, (given, known) in words.items():
        if given not in known:
            raise GameError(f"no {what} {given!r} of solving; there are {', '.join(known)}")


def _engine(game: Game) -> CircuitEngine:
    """Return the engine of a grounded game whose rules hide nothing."""
    if not isinstance(game.engine, CircuitEngine):
        raise GameError(f"{game.name} was not grounded, so it cannot be solved. {' '.join(game.notes)}")
    if game.has_percepts:
        raise GameError(
            f"the rules of {game.name} hide things from the roles, so a state has no value that they could reach; "
            "`woodstock.solve_game` solves the whole game by what each role can know"
        )
    return game.engine


class Solver:
    """Solves states of one game; what is found about one state helps with the next."""

    def __init__(
        self,
        game: Game,
        *,
        symmetries: str | Symmetries = "network",
        opponent: str = "optimal",
        role: str | None = None,
        method: str = "full",
        utility: str = "goal",
        strategies: str = "mixed",
        max_states: int | None = None,
        seconds: float | None = None,
        memory_mb: int = DEFAULT_MEMORY_MB,
    ) -> None:
        check_words(method=(method, METHODS), opponent=(opponent, OPPONENTS))
        check_words(utility=(utility, UTILITIES), strategies=(strategies, STRATEGIES))
        engine = _engine(game)
        if memory_mb < 1:
            raise GameError(f"the table needs at least 1 MiB, not {memory_mb}")
        self._game, self._engine = game, engine
        self._opponent, self._utility, self._memory_mb = opponent, utility, memory_mb
        self._strategies = strategies
        if isinstance(symmetries, str):
            symmetries = find_symmetries(game, symmetries, fix_initial=False)
        self.symmetries = symmetries
        if symmetries.ground is not engine.ground:
            raise GameError(f"the symmetries given are not those of {game.name}")
        chance = chance_index(game.roles)
        self._chance = chance
        players = [i for i in range(len(game.roles)) if i != chance]
        if not players:
            raise GameError(f"{game.name} has no role but chance: there is nothing to solve")
        if role is not None and opponent == "optimal":
            raise GameError("a role is chosen against random opponents only; otherwise all roles are solved for")
        self._player = -1 if opponent == "optimal" else players[0] if role is None else game.role_index(role)
        if self._player == chance and opponent == "random":
            raise GameError(f"{game.roles[chance]} is chance: it has no strategy")
        self._max_states, self._seconds = max_states, seconds
        group = symmetries.group
        self._by_proof: ClaimSolver | None = None
        if method == "proof":
            if opponent != "optimal" or utility != "goal":
                raise GameError("proofs give goals against optimal opponents; use the full search for anything else")
            merged = group if group.size > 1 else None
            self._by_proof = ClaimSolver(game, merged, memory_mb, max_states, seconds)
        self._native = _native.GameSolver(
            self._engine.circuit,
            group if group.size > 1 else None,
            chance,
            self._player,
            utility == "win",
            method == "alpha-beta",
            _UNLIMITED if max_states is None else max_states,
            1e9 if seconds is None else seconds,
            memory_mb,
            strategies == "mixed",
        )

    def solve(self, state: State | None = None) -> Solution:
        """Return the exact value of a state.

        Raises `BudgetExceeded` at a limit and `GameError` for a game that cannot be solved.
        """
        start = self._game.initial if state is None else state
        if not is_state_of(start, self._game):
            raise GameError(f"a state of {start.game.name} cannot be solved as one of {self._game.name}")
        payload = packed(start)
        clock = time.perf_counter()
        if len(self._game.roles) == 1 and self._utility == "goal":
            return self._single_player(start, payload, clock)
        if self._by_proof is not None:
            found, rated, looked_at = self._by_proof.solve(start)
            values_by_role = dict(zip(self._game.roles, found, strict=True))
            proven = tuple(RatedMove(*one) for one in rated)
            spent = time.perf_counter() - clock
            return Solution(
                start, values_by_role, proven, self._meaning(False), looked_at, 0, spent, self.symmetries.group.size
            )
        status, reason, values, moves, states, hits, is_simultaneous = self._native.solve(payload)
        seconds = time.perf_counter() - clock
        if status == "refused":
            raise GameError(f"{self._game.name} cannot be solved: {reason}")
        if status == "states":
            assert self._max_states is not None
            raise BudgetExceeded("solve", self._max_states, self._max_states, "states")
        if status != "complete":
            raise BudgetExceeded("solve", seconds, self._seconds or seconds, "s")
        roles = self._game.roles
        solved = range(len(roles)) if self._player < 0 else (self._player,)
        return Solution(
            start,
            {roles[role]: Fraction(*values[role]) for role in solved if role != self._chance},
            tuple(
                RatedMove(roles[role], self._game.moves(roles[role])[move], Fraction(*value), is_best)
                for role, move, value, is_best in moves
            ),
            self._meaning(is_simultaneous),
            states,
            hits,
            seconds,
            self.symmetries.group.size,
            is_simultaneous=is_simultaneous,
        )

    def _single_player(self, start: State, payload: bytes, clock: float) -> Solution:
        role = self._game.roles[0]
        goal, plan, states = best_end(
            self._engine,
            payload,
            max_states=self._max_states,
            seconds=self._seconds,
            memory_mb=self._memory_mb,
        )
        first = tuple(RatedMove(role, self._game.moves(role)[move], Fraction(goal), True) for move in plan[:1])
        spent = time.perf_counter() - clock
        return Solution(start, {role: Fraction(goal)}, first, "best goal", states, 0, spent, 1)

    def _meaning(self, is_simultaneous: bool) -> str:
        what = "chance of the best goal" if self._utility == "win" else "goal"
        players = len(self._game.roles) - (self._chance >= 0)
        if self._opponent == "random":
            return f"best expected {what} against uniformly random opponents"
        if self._chance >= 0:
            what = f"expected {what}"
        if is_simultaneous:
            if self._strategies == "pure":
                return f"{what} that each role can guarantee with pure moves (maximin)"
            return f"expected {what.removeprefix('expected ')} that each role can guarantee by mixing its moves"
        if players == 1:
            return f"best {what}"
        return f"{what} if each role maximises its own, ties against the others"
