"""Any two-player game in GDL as a quantified problem: does a role have a forced win within n moves?

From the ground rules: fluents and derived atoms after each move are defined variables, moves are the quantified ones.
The role moves existentially, its opponent universally, both restricted to legal moves. In a won state the
opponent has no move; in a final state that is not won the role has none. Facts that do not depend on the moves, such as
whose turn it is, are computed here and need no variable; a role that only waits has one value.
"""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.constraint.expression import Constant, Expression, all_of, any_of, condition, negate
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.gdl.chance import is_chance
from woodstock.gdl.ground_program import GroundProgram
from woodstock.qcsp.problem import Problem

Truth = Expression | bool


def forced_win(game: Game, depth: int, role: str | None = None, state: State | None = None) -> Problem:
    """Ask whether `role` (the first one by default) can force a goal of 100 within `depth` moves from a state.

    A move is one turn of the game, whoever makes it. The values of a move variable are numbers of moves in the order of
    ``game.ground.moves``; `move_names` returns their texts.
    """
    ground = game.ground
    if ground is None:
        raise ModelError(f"{game.name}: the rules are not ground, so there is no model of them")
    if len(ground.roles) != 2 or any(map(is_chance, ground.roles)):
        players = ", ".join(ground.roles)
        raise ModelError(f"{game.name}: a quantified model needs two players and no chance, the roles are {players}")
    if depth < 0:
        raise ModelError(f"{game.name}: depth {depth}; it is at least 0")
    own = 0
    if role is not None:
        names = [name.lower() for name in ground.roles]
        if role.lower() not in names:
            raise ModelError(f"{game.name}: no role {role}; there are {', '.join(ground.roles)}")
        own = names.index(role.lower())
    held = {str(fluent).lower() for fluent in (game.initial if state is None else state).fluents}
    start: list[Truth] = [fluent.lower() in held for fluent in ground.fluents]
    return _Builder(ground, own, Problem(f"{game.name}-{depth}")).build(start, depth)


def move_names(game: Game, role: str) -> Sequence[str]:
    """Return the texts of a role's moves; the values of its variables are places in this list."""
    ground = game.ground
    if ground is None or role not in ground.roles:
        raise ModelError(f"{game.name}: no ground moves of {role}")
    return ground.moves[ground.roles.index(role)]


class _Builder:
    def __init__(self, ground: GroundProgram, own: int, problem: Problem) -> None:
        self.ground, self.own, self.problem = ground, own, problem
        self.rules = ground.rules_by_head.bodies()
        self.fluent_of = {atom: i for i, atom in enumerate(ground.fluent_atoms.tolist()) if atom}
        self.move_of: dict[int, tuple[int, int]] = {}
        first = 0
        self.legal: list[list[int]] = []
        for number, moves in enumerate(ground.moves):
            atoms = ground.move_atoms[first : first + len(moves)].tolist()
            self.move_of |= {atom: (number, i) for i, atom in enumerate(atoms) if atom}
            self.legal.append(ground.legal[first : first + len(moves)].tolist())
            first += len(moves)

    def build(self, fluents: list[Truth], depth: int) -> Problem:
        problem, ground = self.problem, self.ground
        for turn in range(depth):
            atoms = _Atoms(self, turn, fluents)
            won = self._won(atoms)
            terminal = atoms.value(ground.terminal)
            moves: list[Variable | int] = [0, 0]
            for number in (self.own, 1 - self.own):
                moves[number] = self._move(turn, number, atoms, won, terminal)
            atoms.moves = moves
            # Named, because many rules of the next turn use them.
            fluents = [atoms.named(atoms.value(atom), f"fluent{i}") for i, atom in enumerate(ground.next.tolist())]
        problem.require(_expression(self._won(_Atoms(self, depth, fluents))))
        return problem

    def _won(self, atoms: _Atoms) -> Truth:
        goal = next((atom for role, value, atom in self.ground.goals if role == self.own and value == 100), 0)
        return _conjunction([atoms.value(self.ground.terminal), atoms.value(goal)])

    def _move(self, turn: int, number: int, atoms: _Atoms, won: Truth, terminal: Truth) -> Variable | int:
        """Add the variable of a role's move, or return its only move."""
        legal = {i: atoms.value(atom) for i, atom in enumerate(self.legal[number])}
        possible = [i for i, truth in legal.items() if truth is not False]
        is_own = number == self.own
        rules = [_disjunction([won, _negation(terminal)])] if is_own else [_negation(won)]
        if not possible:
            raise ModelError(f"{self.problem.name}: {self.ground.roles[number]} has no move at turn {turn}")
        self.problem.begin_block()
        add = self.problem.exists if is_own else self.problem.forall
        move = add(f"{self.ground.roles[number]}[{turn}]", possible)
        self.problem.labels[move.name] = {i: self.ground.moves[number][i] for i in possible}
        for i in possible:
            rules.append(_disjunction([*([won] if is_own else []), move != i, legal[i]]))
        self.problem.such_that(*(_expression(rule) for rule in rules if rule is not True))
        return move if len(possible) > 1 else possible[0]


class _Atoms:
    """The truth of all atoms at one turn, computed on demand."""

    def __init__(self, builder: _Builder, turn: int, fluents: list[Truth]) -> None:
        self.builder, self.turn, self.fluents = builder, turn, fluents
        self.moves: list[Variable | int] | None = None
        self.known: dict[int, Truth] = {0: False}
        self.under_way: set[int] = set()

    def value(self, atom: int) -> Truth:
        if atom not in self.known:
            self.known[atom] = self._work_out(atom)
        return self.known[atom]

    def named(self, truth: Truth, name: str) -> Truth:
        """Define a variable for a condition, unless it is as simple as one."""
        if isinstance(truth, bool):
            return truth
        variable = self.builder.problem.define(f"{name}@{self.turn + 1}", truth)
        return variable == 1

    def _work_out(self, atom: int) -> Truth:
        builder = self.builder
        if atom in builder.fluent_of:
            return self.fluents[builder.fluent_of[atom]]
        if atom in builder.move_of:
            role, move = builder.move_of[atom]
            if self.moves is None:
                raise ModelError(f"{builder.problem.name}: legality or the end depends on a move")
            made = self.moves[role]
            if isinstance(made, int):
                return made == move
            return made == move if move in made.positions else False
        if atom in self.under_way:
            raise ModelError(f"{builder.problem.name}: the rules are recursive, which a quantified model cannot have")
        self.under_way.add(atom)
        bodies = []
        for body in builder.rules.get(atom, []):
            parts = [self.value(a) if a > 0 else _negation(self.value(-a)) for a in body]
            bodies.append(_conjunction(parts))
        self.under_way.discard(atom)
        truth = _disjunction(bodies)
        if isinstance(truth, bool) or len(bodies) + sum(map(len, builder.rules.get(atom, []))) <= 2:
            return truth
        return builder.problem.define(f"atom{atom}@{self.turn}", truth) == 1


def _expression(truth: Truth) -> Expression:
    return Constant(truth) if isinstance(truth, bool) else condition(truth)


def _negation(truth: Truth) -> Truth:
    return not truth if isinstance(truth, bool) else negate(truth)


def _conjunction(parts: Sequence[Truth]) -> Truth:
    return _joined(parts, deciding=False)


def _disjunction(parts: Sequence[Truth]) -> Truth:
    return _joined(parts, deciding=True)


def _joined(parts: Sequence[Truth], *, deciding: bool) -> Truth:
    """Return the and of the parts, which False decides, or their or, which True decides."""
    if any(part is deciding for part in parts):
        return deciding
    left = [part for part in parts if not isinstance(part, bool)]
    if not left:
        return not deciding
    return left[0] if len(left) == 1 else (any_of if deciding else all_of)(left)
