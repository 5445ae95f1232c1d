"""The engine of last resort: the rule interpreter behind the `Engine` protocol.

It needs no grounding, so it plays rulesheets that do not fit the budget, and it is the reference that the circuit is
compared with. Its states are sets of fluent texts; it has no indices. Thousands of times slower than the circuit.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property

from woodstock.errors import RulesError
from woodstock.game.engine import Numbering, Payload
from woodstock.game.interpreter import Interpreter
from woodstock.game.playouts import PlayoutStats
from woodstock.game.spelling import respell, symbols
from woodstock.gdl.ast import Constant, Function, Program, walk


class InterpreterEngine:
    """Answers the `Engine` protocol by evaluating the rules directly."""

    name = "interpreter"
    numbering: Numbering | None = None

    def __init__(self, program: Program) -> None:
        self._program = program
        self._local = threading.local()
        self.roles: tuple[str, ...] = tuple(self._interpreter.roles)
        self.has_percepts = any(rule.head.name == "sees" for rule in program.rules)

    @property
    def _interpreter(self) -> Interpreter:
        # One for each thread: an interpreter keeps what it derived for the current state.
        found: Interpreter | None = getattr(self._local, "interpreter", None)
        if found is None:
            found = self._local.interpreter = Interpreter(self._program)
        return found

    def initial(self) -> Payload:
        return self._interpreter.initial()

    def pack(self, fluents: Collection[str]) -> Payload:
        return frozenset(fluents)

    def fluents(self, payload: Payload) -> frozenset[str]:
        return _facts(payload)

    def is_terminal(self, payload: Payload) -> bool:
        return self._interpreter.is_terminal(_facts(payload))

    def legal(self, payload: Payload, role: int) -> tuple[str, ...]:
        return tuple(self._interpreter.legal(_facts(payload), self.roles[role]))

    def goals(self, payload: Payload) -> tuple[int | None, ...]:
        values = self._interpreter.goals(_facts(payload))
        return tuple(values[role] for role in self.roles)

    def next(self, payload: Payload, moves: Sequence[str]) -> Payload:
        return self._interpreter.next(_facts(payload), moves)

    def sees(self, payload: Payload, moves: Sequence[str], role: int) -> tuple[str, ...]:
        return tuple(self._interpreter.sees(_facts(payload), moves)[self.roles[role]])

    def canonical_fluent(self, key: str) -> str | None:
        # Any term over the symbols of the rules is accepted: without grounding nobody knows which fluents can hold.
        from woodstock.gdl.parse import parse_term

        try:
            term = parse_term(key)
        except RulesError:
            return None
        names = {node.name.lower() for node in walk(term) if isinstance(node, Constant | Function)}
        return str(respell(term, self._spelling)) if names <= self._spelling.keys() else None

    @cached_property
    def _spelling(self) -> dict[str, str]:
        return symbols(self._program)

    def prepare(self, how: str) -> None:
        """Nothing to prepare."""

    def playouts(
        self, payloads: Sequence[Payload], counts: Sequence[int], *, how: str, seed: int, threads: int, max_steps: int
    ) -> tuple[list[PlayoutStats], float]:
        # Threads would only wait for the interpreter lock. Each playout has its own generator, so a result does not
        # depend on what else was asked for in the same call.
        clock = time.thread_time()
        found = [
            self._play_many(payload, count, f"{seed}/{start}", max_steps)
            for start, (payload, count) in enumerate(zip(payloads, counts, strict=True))
        ]
        return found, time.thread_time() - clock

    def _play_many(self, payload: Payload, count: int, seed: str, max_steps: int) -> PlayoutStats:
        truncated = stuck = steps = 0
        reached: dict[str, Counter[int]] = {role: Counter() for role in self.roles}
        undefined = dict.fromkeys(self.roles, 0)
        for number in range(count):
            end, length = self._play(payload, random.Random(f"{seed}/{number}"), max_steps)
            steps += length
            if end is None:
                stuck += 1
            elif not self.is_terminal(end):
                truncated += 1
            else:
                for role, value in zip(self.roles, self.goals(end), strict=True):
                    if value is None:
                        undefined[role] += 1
                    else:
                        reached[role][value] += 1
        histograms = {role: dict(sorted(values.items())) for role, values in reached.items()}
        return PlayoutStats(count, truncated, stuck, steps, 0.0, 0.0, histograms, undefined)

    def _play(self, payload: Payload, chance: random.Random, max_steps: int) -> tuple[Payload | None, int]:
        """Return the state that one playout ended in (None if a role was stuck) and its number of steps."""
        for step in range(max_steps):
            if self.is_terminal(payload):
                return payload, step
            legal = [self.legal(payload, role) for role in range(len(self.roles))]
            if not all(legal):
                return None, step
            payload = self.next(payload, [chance.choice(moves) for moves in legal])
        return payload, max_steps


def _facts(payload: Payload) -> frozenset[str]:
    if not isinstance(payload, frozenset):
        raise TypeError("an interpreter state is a set of fluents, not packed bits")
    return payload
