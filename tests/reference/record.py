"""Record matches of the bundled games by their independent implementations: python -m tests.reference.record [GAME ...]

Moves are chosen at random, by fixed seeds, so that the files come out the same unless an implementation changes. The
format is described in `traces`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

from tests.reference.traces import FOLDER, Legal
from tests.unit.games.oracles.oracle import Oracle
from tests.unit.games.oracles.registry import ORACLES, load_oracle

from woodstock.games import find
from woodstock.gdl.parse import read

MATCHES = 2
# Legal moves are written for the first turns of a match and for some of the later ones; long lists as a checksum.
FIRST_TURNS = 16
EVERY = 8
MOST_WRITTEN = 20


def record(oracle: Oracle, roles: Sequence[str], seed: int) -> list[str]:
    """Return the lines of one match."""
    rng = random.Random(seed)
    state = oracle.initial()
    lines: list[str] = []
    while not oracle.is_terminal(state):
        legal = [sorted(set(moves)) for moves in oracle.legal(state)]
        joint = [rng.choice(moves) for moves in legal]
        line = " ".join(joint)
        if len(lines) < FIRST_TURNS or len(lines) % EVERY == 0:
            line += " : " + " / ".join(map(_written, legal))
        lines.append(line)
        state = oracle.next(state, joint)
    goals = dict(zip(oracle.roles, oracle.goals(state), strict=True))
    return [*lines, "end " + " ".join(str(goals.get(role, "-")) for role in roles)]


def _written(moves: list[str]) -> str:
    if len(moves) == 1:
        return "="
    if len(moves) <= MOST_WRITTEN:
        return " ".join(moves)
    return f"#{len(moves)} {Legal.of(moves).checksum:08x}"


def text_of(name: str) -> str:
    """Return the recorded matches of a game."""
    oracle = load_oracle(name)
    roles = read(find(name).path).roles()
    lines = [f"# {name} by {type(oracle).__module__}.{type(oracle).__qualname__}; python -m tests.reference.record"]
    for seed in range(MATCHES):
        lines += record(oracle, roles, seed)
    return "\n".join(lines) + "\n"


def main(names: Sequence[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names or sorted(ORACLES):
        (FOLDER / f"{name}.txt").write_text(text_of(name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
