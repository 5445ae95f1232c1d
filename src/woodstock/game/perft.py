"""Counts of move sequences by depth: the usual way to compare two engines on one game.

`perft` counts every sequence of joint moves of a length, exactly, however many there are. A state that
several sequences reach is expanded once, with the number of ways to reach it, so the cost depends on the number of
distinct states and not on the number of sequences.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

from woodstock.errors import GameError
from woodstock.game.engine import Engine, Payload
from woodstock.game.state import State, payload_of


@dataclass(frozen=True, slots=True)
class PerftRow:
    """One depth: `sequences` of that many joint moves lead to `states` distinct states.

    `terminal` of the sequences end the match. `states` and `terminal` are None at the last depth, whose states are
    counted and not visited. `seconds` is the time this depth took.

    >>> import woodstock
    >>> next(woodstock.perft(woodstock.load("tic-tac-toe").initial, 1)).sequences
    1
    """

    depth: int
    sequences: int
    states: int | None
    terminal: int | None
    seconds: float


def perft(state: State, depth: int) -> Iterator[PerftRow]:
    """Yield one row for each depth from 0 to `depth`, as soon as it is known.

    A depth that no sequence reaches ends the count early. A state in which a role has no legal move ends its
    sequences, as a terminal one does, without being counted as terminal.

    >>> import woodstock
    >>> [row.sequences for row in woodstock.perft(woodstock.load("tic-tac-toe").initial, 4)]
    [1, 9, 72, 504, 3024]
    """
    if depth < 0:
        raise GameError(f"the depth of a perft cannot be negative: {depth}")
    engine = state.game.engine
    level: dict[Payload, int] = {payload_of(state): 1}
    sequences = 1
    clock = time.perf_counter()
    for current in range(depth + 1):
        if current == depth:
            yield PerftRow(current, sequences, None, None, time.perf_counter() - clock)
            return
        is_last = current + 1 == depth
        terminal = following = 0
        successors: dict[Payload, int] = {}
        for payload, ways in level.items():
            if engine.is_terminal(payload):
                terminal += ways
                continue
            legal = [engine.legal(payload, role) for role in range(len(engine.roles))]
            following += ways * math.prod(map(len, legal))
            if not is_last:
                _expand(engine, payload, legal, ways, successors)
        now = time.perf_counter()
        yield PerftRow(current, sequences, len(level), terminal, now - clock)
        clock, level, sequences = now, successors, following
        if not sequences:
            return


def _expand(
    engine: Engine, payload: Payload, legal: list[tuple[str, ...]], ways: int, successors: dict[Payload, int]
) -> None:
    for moves in itertools.product(*legal):
        after = engine.next(payload, moves)
        successors[after] = successors.get(after, 0) + ways
