"""Beliefs: the rate of particle steps, total variation against exact beliefs, rebuilding, deadlines, a sweep.

    python -m bench.belief                     all parts, about two minutes
    python -m bench.belief --parts rate,sweep  some of them

`rate`: particle steps a second of processor time, one thread. `variation`: mean distance of sampled from exact beliefs
and the slope of its logarithm over that of the number of particles; 1/sqrt(n) is -0.5. `rebuild`: histories a second
from the network of all turns. `deadline`: by how much a deadline is overrun. `sweep`: random matches of every rulesheet
with `sees`, bundled and public: turns without a sample, also with few particles, so that they die out and are rebuilt.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from bench.common import CORPUS, ROOT, Report, parser

import woodstock
from woodstock import Game, State
from woodstock.belief import Belief, BeliefError
from woodstock.errors import RulesError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.gdl.chance import without_chance

PARTS = ("rate", "variation", "rebuild", "deadline", "sweep")


def seen_match(game: Game, role: str, seed: int, most_turns: int = 10_000) -> Iterator[tuple[str, State]]:
    """Play at random; yield the role's move and the state after it."""
    rng, state, turns = random.Random(seed), game.initial, 0
    while not state.is_terminal and turns < most_turns:
        moves = [rng.choice(state.legal(other)) for other in game.roles]
        state = state.next(moves)
        turns += 1
        yield moves[game.role_index(role)], state


def observe(belief: Belief, move: str, after: State) -> None:
    """Tell a belief what its role saw of a turn."""
    over = after.is_terminal
    legal = None if over else after.legal(belief.role)
    belief.observe(move, after.sees(belief.role), legal=legal, is_terminal=over)


def players(game: Game) -> tuple[str, ...]:
    """Return the roles that are not chance."""
    return without_chance(game.roles)


def rate(report: Report) -> None:
    """Measure particle steps a second."""
    report("particle steps a second of processor time (all turns of 8 random matches, every role)")
    report(f"{'game':26} {'exact':>12} {'4,096 particles':>16}")
    for name in ("krieg-tic-tac-toe-5x5", "blind-breakthrough-6x6", "phantom-tic-tac-toe", "mastermind"):
        game = woodstock.load(name)
        rates = []
        for most_exact in (20_000, 0):
            steps, cpu = 0, 0.0
            for seed in range(8):
                for role in players(game):
                    belief = Belief(game, role, seed=seed, most_exact=most_exact)
                    for move, after in seen_match(game, role, seed):
                        observe(belief, move, after)
                        before, clock = belief.stats, time.process_time()
                        belief.catch_up()
                        spent, done = time.process_time() - clock, belief.stats
                        # A turn that is rebuilt is work of the network.
                        if done.rebuilt_turns == before.rebuilt_turns and (belief.is_exact or not most_exact):
                            steps, cpu = steps + done.steps - before.steps, cpu + spent
            rates.append(steps / cpu)
        report(f"{name:26} {rates[0]:12,.0f} {rates[1]:16,.0f}")


def variation(report: Report) -> None:
    """Measure the distance from exact beliefs."""
    counts, runs = (64, 256, 1024, 4096), 8
    report("mean total variation between sampled and exact beliefs (8 seeds), and the slope of its logarithm")
    report(f"{'game':22} {'role':7} {'states':>6}  {'':8} {'  '.join(f'n={n:<5}' for n in counts)}  slope")
    cases = (
        *(("krieg-tic-tac-toe", "o", 6), ("phantom-tic-tac-toe", "o", 6)),
        *(("leduc-poker", "first", 6), ("dark-hex-3x3", "blue", 7)),
    )
    for name, role, turns in cases:
        game = woodstock.load(name)
        match = list(seen_match(game, role, 1, turns))
        exact = Belief(game, role)
        for move, after in match:
            observe(exact, move, after)
        exact.catch_up()
        truth = exact.particles.distinct_states()
        for always_rebuild in (False, True):
            distances = []
            for n in counts:
                found = []
                for seed in range(runs):
                    belief = Belief(game, role, most_exact=0, particles=n, seed=seed, always_rebuild=always_rebuild)
                    for move, after in match:
                        observe(belief, move, after)
                    belief.catch_up()
                    sampled = belief.particles.distinct_states()
                    found.append(sum(abs(sampled.get(s, 0) - truth.get(s, 0)) for s in {*sampled, *truth}) / 2)
                distances.append(float(np.mean(found)))
            slope = np.polyfit(np.log(counts), np.log(distances), 1)[0]
            kind = "rebuilt" if always_rebuild else "carried"
            row = "  ".join(f"{distance:<7.4f}" for distance in distances)
            report(f"{name:22} {role:7} {len(truth):6}  {kind:8} {row}  {slope:.2f}")


def rebuild(report: Report) -> None:
    """Measure histories a second."""
    report("histories of all turns drawn from the network, with what was seen, a second of processor time")
    report(f"{'game':26} {'turns':>5} {'histories/s':>12} {'nodes/history':>14}")
    for name, role, turns in (
        ("krieg-tic-tac-toe-5x5", "o", 10),
        ("krieg-tic-tac-toe-5x5", "o", 20),
        ("blind-breakthrough-6x6", "white", 12),
        ("mastermind", "player", 20),
    ):
        game = woodstock.load(name)
        belief = Belief(game, role, most_exact=0, particles=200, always_rebuild=True)
        belief.prepare()
        match = list(seen_match(game, role, 1, turns))
        for move, after in match[:-1]:
            observe(belief, move, after)
        belief.catch_up()  # the network is made and posted
        observe(belief, *match[-1])
        before, clock = belief.stats, time.process_time()
        belief.catch_up()
        spent, done = time.process_time() - clock, belief.stats
        histories = done.histories - before.histories
        report(f"{name:26} {len(match):5} {histories / spent:12,.0f} {done.nodes / histories:14.1f}")


def deadline(report: Report) -> None:
    """Measure how late a belief is."""
    report("deadlines of 20 ms a turn with a million particles: by how much they are overrun, in ms")
    report(f"{'game':26} {'turns':>5} {'cut':>5} {'median':>7} {'worst':>7}")
    for name in ("krieg-tic-tac-toe-5x5", "blind-breakthrough-6x6", "battleship", "mastermind"):
        game = woodstock.load(name)
        late, cut = [], 0
        for role in players(game):
            belief = Belief(game, role, particles=1_000_000, most_exact=1_000_000, memory_mib=2048)
            for move, after in seen_match(game, role, 1, 30):
                observe(belief, move, after)
                begun = time.monotonic()
                try:
                    belief.catch_up(begun + 0.02)
                except BeliefError:
                    cut += 1
                late.append(max(0.0, time.monotonic() - begun - 0.02) * 1000)
        report(f"{name:26} {len(late):5} {cut:5} {np.median(late):7.2f} {max(late):7.2f}")


def sheets() -> Iterator[tuple[str, Game]]:
    """Yield every rulesheet with `sees`; those that do not load or ground are named and left out."""
    paths = sorted(ROOT.glob("src/woodstock/games/*/rules.kif")) + sorted(CORPUS.glob("*.kif"))
    for path in paths:
        if "sees" not in path.read_text(encoding="utf-8", errors="replace").lower():
            continue
        name = path.parent.name if path.name == "rules.kif" else path.stem
        try:
            yield name, woodstock.load(name if path.name == "rules.kif" else Path(path), ground_seconds=20)
        except RulesError as error:
            print(f"{name}: does not load, {error.diagnostics[0].code}")


def sweep(report: Report) -> None:
    """Play every rulesheet and count turns without a sample."""
    report(
        "random matches of every role, seeds 1 to 3, at most 300 turns, 10 s a turn; `few`: 32 particles, never exact"
    )
    report(
        f"{'rulesheet':28} {'turns':>6} {'exact':>6} {'rebuilt':>7} {'missing':>7}   "
        f"few: {'rebuilt':>7} {'drawn':>6} {'missing':>7}"
    )
    for name, game in sheets():
        if not isinstance(game.engine, CircuitEngine):
            report(f"{name:28} was not grounded within 20 s: it has a belief on the interpreter, not measured here")
            continue
        cells = []
        for particles, most_exact in ((4096, 20_000), (32, 0)):
            turns = exact = missing = rebuilt = regrown = 0
            for seed in (1, 2, 3):
                for role in players(game):
                    belief = Belief(game, role, seed=seed, particles=particles, most_exact=most_exact)
                    for move, after in seen_match(game, role, seed, 300):
                        observe(belief, move, after)
                        try:
                            belief.catch_up(time.monotonic() + 10)
                        except BeliefError:
                            missing += 1
                        turns, exact = turns + 1, exact + belief.is_exact
                    rebuilt, regrown = rebuilt + belief.stats.rebuilt_turns, regrown + belief.stats.regrown_turns
            cells.append((turns, exact, rebuilt, regrown, missing))
        (turns, exact, rebuilt, _, missing), (_, _, again, anew, lost) = cells
        report(f"{name:28} {turns:6} {exact:6} {rebuilt:7} {missing:7}        {again:7} {anew:6} {lost:7}")


def main() -> None:
    """Run the parts."""
    options = parser(__doc__, out=True)
    options.add_argument("--parts", default=",".join(PARTS), help="default %(default)s")
    given = options.parse_args()
    report = Report(given.out)
    for part in given.parts.split(","):
        report()
        {"rate": rate, "variation": variation, "rebuild": rebuild, "deadline": deadline, "sweep": sweep}[part](report)


if __name__ == "__main__":
    main()
