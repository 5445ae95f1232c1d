"""Everything woodstock raises on purpose, under one base class.

A library function raises one of these or nothing; printing and exit codes belong to `woodstock.cli`.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from woodstock.gdl.diagnostics import Diagnostic


class WoodstockError(Exception):
    """The base of every error that woodstock raises.

    >>> import woodstock
    >>> try:
    ...     woodstock.load("tic-tac-toes")
    ... except woodstock.WoodstockError as error:
    ...     print(error)
    No game 'tic-tac-toes'. Did you mean 'tic-tac-toe'? Run 'woodstock games' for all ...
    """


class RulesError(WoodstockError):
    """The rulesheet is wrong; `diagnostics` says where and how, all problems at once.

    >>> import woodstock
    >>> try:
    ...     woodstock.loads("(role robot")
    ... except woodstock.RulesError as error:
    ...     print(error.diagnostics[0].code, error.diagnostics[0].message)
    GDL001 a ) is missing after this
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics) or "the rules are wrong")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.diagnostics,)


class ModelError(WoodstockError):
    """A constraint network is wrong; the message names the variable or the constraint."""


class GameError(WoodstockError):
    """A game was asked for something that it cannot do: an unknown role, an unknown fluent, a missing move.

    >>> import woodstock
    >>> woodstock.load("tic-tac-toe").initial.legal("z")
    Traceback (most recent call last):
    ...
    woodstock.errors.GameError: tic-tac-toe has no role 'z'; its roles are x, o.
    """


class UnknownGameError(GameError):
    """No bundled game and no file has this name.

    >>> import woodstock
    >>> woodstock.load("rules/missing.kif")
    Traceback (most recent call last):
    ...
    woodstock.errors.UnknownGameError: no file rules/missing.kif; give the path of a rulesheet or the name of a ...
    """


class IllegalMoveError(GameError):
    """A move is not legal for its role in that state. Has `move`, `role`, `legal` and `turn`.

    >>> import woodstock
    >>> try:
    ...     woodstock.load("tic-tac-toe").initial.next(["(mark 1 4)", "noop"])
    ... except woodstock.IllegalMoveError as error:
    ...     print(error.role, len(error.legal), error, sep="; ")
    x; 9; illegal move (mark 1 4) for x at turn 1: not among its 9 legal moves; nearest (mark 1 3)
    """

    def __init__(self, move: str, role: str, legal: Sequence[str], turn: int | None = None) -> None:
        self.move, self.role, self.legal, self.turn = move, role, tuple(legal), turn
        near = difflib.get_close_matches(move.lower(), [m.lower() for m in legal], n=1, cutoff=0.3)
        hint = ""
        if near:
            hint = "; nearest " + next(m for m in legal if m.lower() == near[0])
        when = "" if turn is None else f" at turn {turn}"
        super().__init__(f"illegal move {move} for {role}{when}: not among its {len(self.legal)} legal moves{hint}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.move, self.role, self.legal, self.turn)


class BudgetExceeded(WoodstockError):
    """A phase ran out of its time or memory; `phase` names it, `used` and `limit` are in the unit `unit`.

    >>> import woodstock
    >>> try:
    ...     woodstock.solve_game(woodstock.load("tic-tac-toe"), max_states=10)
    ... except woodstock.BudgetExceeded as error:
    ...     print(error.phase, error.limit, error.unit)
    solve 10 states
    """

    def __init__(self, phase: str, used: float, limit: float, unit: str, detail: str = "") -> None:
        self.phase, self.used, self.limit, self.unit, self.detail = phase, used, limit, unit, detail
        spent = f"{phase} exceeded its budget: {used:.4g} {unit} used, limit {limit:.4g} {unit}"
        super().__init__(f"{spent}; {detail}" if detail else spent)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.phase, self.used, self.limit, self.unit, self.detail)
