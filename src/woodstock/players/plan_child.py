"""The child process that searches for a plan with clingo; its arguments are its time and the file of the problem.

A one-player game as a multi-stage constraint problem. The ground rules are stated once for each step, simplified by
what the start state settles. The horizon grows step by step in one multi-shot solver, so that what was learnt about
short plans helps with long ones. At each horizon the solver is asked for ends with better goals than the best so far,
the best goal first. Every plan is sent to the parent, which checks it. This is a process of its own because grounding
and solving can be neither bounded nor interrupted from within.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from clingo import Control, Model
from clingo.backend import Backend

from woodstock.child_process import Parent
from woodstock.gdl.components import components
from woodstock.gdl.ground_program import bodies_by_head
from woodstock.players.plan_clock import ALWAYS, Clock

TRUE, FALSE = "true", "false"
Value = int | str  # a literal of the solver, or a constant

# How long a horizon is searched before a longer one is tried; the slice grows by this factor after each such try.
_FIRST_SLICE_S = 0.5
_SLICE_GROWTH = 1.3
# Larger rules are not stated a second time to find out which goals are possible at all.
_MOST_LITERALS = 500_000


class Rules:
    """The ground rules in the order in which atoms can be evaluated, those that depend on moves kept apart."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.size = len(problem["bodies"])
        self.of = bodies_by_head(problem["heads"], problem["body_offsets"], problem["bodies"])
        self.fluents = problem["fluent_atoms"].tolist()
        self.next = problem["next"].tolist()
        self.moves = problem["move_atoms"].tolist()
        self.legal = problem["legal"].tolist()
        self.terminal = int(problem["terminal"])
        self.goals = [(int(value), int(atom)) for value, atom in problem["goals"].tolist()]
        self._order: list[int] = problem["order"].tolist()
        uses = {head: {abs(x) for body in some for x in body if abs(x) in self.of} for head, some in self.of.items()}
        order = components(uses)
        moved = {atom for atom in self.moves if atom}
        self.still: list[tuple[int, ...]] = []
        self.moving: list[tuple[int, ...]] = []
        for component in order:
            if any(abs(literal) in moved for atom in component for body in self.of[atom] for literal in body):
                moved.update(component)
                self.moving.append(component)
            else:
                self.still.append(component)

    def before(self, goal: int) -> set[int]:
        """Return the goals that count instead of this one if they hold too: without an order, all others."""
        if goal in self._order:
            return set(self._order[: self._order.index(goal)])
        return {value for value, _atom in self.goals if value != goal}

    def is_recursive(self, component: tuple[int, ...]) -> bool:
        atom = component[0]
        return len(component) > 1 or any(atom in body for body in self.of[atom])


class Steps:
    """The rules stated for one step after another.

    A match may end at any step; after its end no move is made and nothing counts. `reached` has a literal for each
    goal: an end that counts it was met so far.
    """

    def __init__(self, rules: Rules, start: Sequence[int] | None) -> None:
        """Start from the given fluents; None: from any state."""
        self._rules = rules
        self.control = Control(["--warn=none", "1"])
        holds = set(start or ())
        self._values: dict[int, Value] = {
            atom: TRUE if fluent in holds else FALSE for fluent, atom in enumerate(rules.fluents) if atom
        }
        self._is_on: Value = TRUE  # the match was not over before this step
        self.reached: dict[int, Value] = {}
        self.made: list[list[tuple[int, Value]]] = []  # for each step the moves that may be made
        with self.control.backend() as backend:
            if start is None:
                for atom in self._values:
                    literal = self._values[atom] = backend.add_atom()
                    backend.add_rule([literal], choice=True)
            self._state(backend, rules.still)
            self._note_end(backend)

    def value(self, atom: int) -> Value:
        return self._values.get(atom, FALSE) if atom else FALSE

    @property
    def is_over(self) -> bool:
        """Whether every match is over by now."""
        return self._is_on == FALSE or self.value(self._rules.terminal) == TRUE

    def _note_end(self, backend: Backend) -> None:
        """Add the ends of this step to those that were reached."""
        for goal in dict.fromkeys(value for value, _atom in self._rules.goals):
            is_goal = self._any(backend, [[self.value(atom)] for value, atom in self._rules.goals if value == goal])
            others = [self.value(atom) for value, atom in self._rules.goals if value in self._rules.before(goal)]
            body = [self._is_on, self.value(self._rules.terminal), is_goal, *map(_negated, others)]
            self.reached[goal] = self._any(backend, [body, [self.reached.get(goal, FALSE)]])

    def _any(self, backend: Backend, bodies: Sequence[Sequence[Value]]) -> Value:
        """Return a literal that is true if one of the conjunctions holds."""
        return self._defined(backend, [[x for x in body if isinstance(x, int)] for body in bodies if FALSE not in body])

    def _defined(self, backend: Backend, bodies: Sequence[Sequence[int]]) -> Value:
        """Return the same for conjunctions without constants."""
        if not bodies:
            return FALSE
        if [] in bodies:
            return TRUE
        if len(bodies) == 1 and len(bodies[0]) == 1:
            return bodies[0][0]
        made = backend.add_atom()
        for body in bodies:
            backend.add_rule([made], body)
        return made

    def advance(self) -> bool:
        """State one more step: a move if the match is not over, and its effects. False if every match is over."""
        rules = self._rules
        if self.is_over:
            return False
        with self.control.backend() as backend:
            self._is_on = self._any(backend, [[self._is_on, _negated(self.value(rules.terminal))]])
            legality = [(move, self.value(atom)) for move, atom in enumerate(rules.legal)]
            open_moves = [(move, legal) for move, legal in legality if legal != FALSE]
            if not open_moves:
                return False
            made: list[tuple[int, Value]] = []
            for move, legal in open_moves:
                does: Value
                if len(open_moves) == 1 and legal == TRUE:
                    does = TRUE
                else:
                    does = backend.add_atom()
                    body = [value for value in (legal, self._is_on) if isinstance(value, int)]
                    backend.add_rule([does], body, choice=True)
                made.append((move, does))
            literals = [does for _move, does in made if isinstance(does, int)]
            if literals:
                is_on = [self._is_on] if isinstance(self._is_on, int) else []
                backend.add_rule([], [*is_on, *[-literal for literal in literals]])
                backend.add_weight_rule([], 2, [(literal, 1) for literal in literals])
            self._values.update({atom: FALSE for atom in rules.moves if atom})
            for move, does in made:
                if rules.moves[move]:
                    self._values[rules.moves[move]] = does
            self.made.append(made)
            self._state(backend, rules.moving)
            after = [self.value(atom) for atom in rules.next]
            self._values = {atom: after[f] for f, atom in enumerate(rules.fluents) if atom}
            self._state(backend, rules.still)
            self._note_end(backend)
        return True

    def _state(self, backend: Backend, components: Sequence[tuple[int, ...]]) -> None:
        rules, values = self._rules, self._values
        for component in components:
            if rules.is_recursive(component):
                for atom in component:
                    values[atom] = backend.add_atom()
                for atom in component:
                    head = values[atom]
                    assert isinstance(head, int)
                    for body in self._simplified(atom):
                        backend.add_rule([head], body)
            else:
                values[component[0]] = self._defined(backend, self._simplified(component[0]))

    def _simplified(self, atom: int) -> list[list[int]]:
        values = self._values
        bodies: list[list[int]] = []
        for body in self._rules.of[atom]:
            kept: list[int] = []
            for literal in body:
                value = values.get(abs(literal), FALSE)
                if isinstance(value, int):
                    kept.append(value if literal > 0 else -value)
                elif (value == TRUE) != (literal > 0):
                    break
            else:
                bodies.append(kept)
        return bodies


def _negated(value: Value) -> Value:
    if isinstance(value, int):
        return -value
    return FALSE if value == TRUE else TRUE


def search(steps: Steps, goals: Sequence[int], last: dict[int, int], ends_at: float, parent: Parent) -> None:
    """Grow the horizon until time is up, and report each better plan.

    A horizon that cannot be settled at once is skipped: longer ones include it, and are often easier. A goal that is
    refuted at the last step at which it is possible (`last`) is refuted for good.
    """
    best = -1
    horizon = 0
    next_asked = 0
    slice_s = _FIRST_SLICE_S
    while time.monotonic() < ends_at:
        is_open = True
        wanted = [goal for goal in goals if goal > best]
        if not wanted:
            break
        if horizon >= next_asked or steps.is_over:
            left = max(ends_at - time.monotonic(), 0.0)
            is_open = False  # whether a better goal may have been reached by now
            for goal in wanted:
                found, is_settled = _solve(steps, goal, left if steps.is_over else min(slice_s, left))
                if found is not None:
                    best = goal
                    parent.send({"goal": goal, "moves": found, "horizon": horizon})
                    break
                if not is_settled:
                    is_open = True
                    next_asked = horizon + max(1, horizon // 5)
                    slice_s *= _SLICE_GROWTH
                    break
                if horizon >= last.get(goal, ALWAYS):
                    goals = [other for other in goals if other != goal]
                    parent.send({"impossible": [goal]})
        if not steps.advance():
            parent.send({"status": "open" if is_open else "settled", "goal": best, "horizon": horizon})
            return
        horizon += 1
    parent.send({"status": "done", "horizon": horizon})


def impossible(rules: Rules) -> list[int]:
    """Return the goals that count in no terminal state, whatever fluents hold in it."""
    steps = Steps(rules, None)
    found = []
    for goal in dict.fromkeys(value for value, _atom in rules.goals):
        plan, is_settled = _solve(steps, goal, _FIRST_SLICE_S)
        if plan is None and is_settled:
            found.append(goal)
    return found


def _solve(steps: Steps, goal: int, seconds: float) -> tuple[list[int] | None, bool]:
    """Return a plan that ends with the goal within the horizon, and whether the question was settled."""
    literal = steps.reached.get(goal, FALSE)
    if literal == FALSE:
        return None, True
    plan: list[int] = []

    def read(model: Model) -> bool:
        for made in steps.made:
            move = next((move for move, does in made if does == TRUE or model.is_true(int(does))), None)
            if move is None:
                break
            plan.append(move)
        return False

    assumptions = [literal] if isinstance(literal, int) else []
    with steps.control.solve(assumptions=assumptions, on_model=read, async_=True) as handle:
        if not handle.wait(seconds):
            handle.cancel()
            return None, False
        return (plan, True) if handle.get().satisfiable else (None, True)


def main(arguments: Sequence[str]) -> None:
    """Read the problem and search."""
    seconds, path = arguments
    ends_at = time.monotonic() + float(seconds)
    parent = Parent()
    loaded = np.load(path)
    problem = {name: loaded[name] for name in loaded.files}
    rules = Rules(problem)
    goals = sorted({goal for goal, _ in rules.goals}, reverse=True)
    if rules.size <= _MOST_LITERALS:
        ruled_out = impossible(rules)
        if ruled_out:
            parent.send({"impossible": ruled_out})
            goals = [goal for goal in goals if goal not in ruled_out]
    start = problem["start"].tolist()
    try:
        last = Clock(problem, rules.of).last_steps(start)
    except RecursionError:
        last = {}
    search(Steps(rules, start), goals, last, ends_at, parent)
