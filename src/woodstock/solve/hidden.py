"""Solve a game whose rules hide things from the roles: what each can reach by what it can know.

One role, or one against uniformly random others, has a best strategy; `one_role` finds it. Two roles whose goals add up
to a constant have an equilibrium; regret minimisation comes as near to it as is asked for, and the exploitability says
how near. Any other game gets strategies by the same loop and no claim but their NashConv.
"""

from __future__ import annotations

import time
from fractions import Fraction

from woodstock.equilibrium.regrets import DEFAULT_TARGET, Regrets, minimise_regret
from woodstock.equilibrium.sharing import find_sharing
from woodstock.equilibrium.spread import table_of_tree
from woodstock.equilibrium.tree import InformationTree
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.solve.one_role import FINEST, solve_one_role
from woodstock.solve.solution import Equilibrium
from woodstock.symmetry import Symmetries


class HiddenSolver:
    """Solves one game with hidden information, from a state that everybody knows."""

    def __init__(
        self,
        start: State,
        *,
        symmetries: str | Symmetries = "network",
        utility: str = "goal",
        max_states: int | None = None,
        seconds: float | None = None,
        memory_mb: int = 1024,
    ) -> None:
        if memory_mb < 1:
            raise GameError(f"solving needs at least 1 MiB, not {memory_mb}")
        self._start, self._symmetries, self._utility = start, symmetries, utility
        self._max_states, self._seconds, self._memory_mb = max_states, seconds, memory_mb
        self._began = time.perf_counter()
        self.roles = without_chance(start.game.roles)
        self.notes: tuple[str, ...] = ()

    def solve(
        self, *, target: float = DEFAULT_TARGET, rule: str = "auto", iterations: int | None = None
    ) -> Equilibrium:
        """Return strategies of all roles."""
        if len(self.roles) == 1:
            return self._alone(self.roles[0], f"best {self._what} by what the role can know")
        tree = self._tree()
        found = minimise_regret(tree, rule=rule, target=target, iterations=iterations, seconds=self._left())
        values = found.values
        gain = f"{values.exploitability:.2g}"
        if len(tree.roles) == 2 and tree.has_constant_sum:
            total = tree.form.greatest_sum
            one, two = tree.roles
            bounds = {
                one: (total - values.best[two], values.best[one]),
                two: (total - values.best[one], values.best[two]),
            }
            return self._made(tree, found, f"{self._what} of strategies whose exploitability is {gain}", bounds)
        meaning = (
            f"{self._what} of strategies by regret minimisation, which need not be an equilibrium: a role that "
            f"deviates alone gains up to {gain} in the mean"
        )
        return self._made(tree, found, meaning, {})

    def solve_against_random(self, role: str | None) -> Equilibrium:
        """Return the best strategy of one role, the first unless named, against uniformly random others."""
        game = self._start.game
        name = self.roles[0] if role is None else game.roles[game.role_index(role)]
        if name not in self.roles:
            raise GameError(f"{name} is chance: it has no strategy")
        meaning = f"best {self._what} against uniformly random opponents, by what the role can know"
        return self._alone(name, meaning)

    @property
    def _what(self) -> str:
        return "chance of the best goal" if self._utility == "win" else "expected goal"

    def _alone(self, role: str, meaning: str) -> Equilibrium:
        return solve_one_role(
            self._start,
            role,
            meaning,
            utility=self._utility,
            max_states=self._max_states,
            seconds=self._left(),
            memory_mb=self._memory_mb,
        )

    def _tree(self) -> InformationTree:
        """Return the tree of all information sets; at most a quarter of the time goes to symmetries."""
        sharing = find_sharing(self._start, self._symmetries, seconds=self._seconds)
        self.notes = sharing.notes
        try:
            tree = InformationTree(
                self._start,
                sharing=sharing,
                count_wins=self._utility == "win",
                max_histories=self._max_states,
                seconds=self._left(),
                memory_mb=self._memory_mb,
            )
        except BudgetExceeded as error:
            if error.unit != "s" or self._seconds is None:
                raise
            raise BudgetExceeded("solve", self._seconds, self._seconds, "s", error.detail) from None
        # Two rules at once, each with four numbers for each sequence.
        needed = tree.form.memory_bytes + 2 * 4 * 8 * tree.sequence_count
        if needed > self._memory_mb << 20:
            detail = f"{tree.information_sets:,} information sets"
            raise BudgetExceeded("solve", needed >> 20, self._memory_mb, "MiB", detail)
        return tree

    def _left(self) -> float | None:
        if self._seconds is None:
            return None
        return max(0.0, self._began + self._seconds - time.perf_counter())

    def _made(
        self, tree: InformationTree, found: Regrets, meaning: str, bounds: dict[str, tuple[float, float]]
    ) -> Equilibrium:
        values = found.values
        return Equilibrium(
            tree.start,
            {role: Fraction(value).limit_denominator(FINEST) for role, value in values.values.items()},
            (),
            meaning,
            tree.histories,
            0,
            time.perf_counter() - self._began,
            tree.sharing.size,
            table_of_tree(tree, found.behaviours),
            values.exploitability,
            values.nash_conv,
            bounds,
            tree.information_sets,
            found.iterations,
            found.rule,
            found.ended,
        )
