"""Every public rulesheet as an environment: how many pass the peers' own tests.

    python -m bench.env_corpus [--only TEXT] [--out bench/results/env_corpus.txt]

For each rulesheet that grounds within its budget: a batch of 600 matches is compared with single states, and
PettingZoo's `api_test` and `parallel_api_test` and Gymnasium's `check_env` run with warnings as errors; only
observations of zeros or of one number are allowed, since some rules have such states. A stopped run can be resumed.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from bench.common import CORPUS, ChildError, Report, parser, run_apart, sheets

import woodstock
from woodstock.env import Batch

SECONDS = 120.0
GROUND_SECONDS = 60.0
STEPS, CYCLES = 12, 20
TOGETHER = 8
WATCHED = (0, 511, 599)


def check(file: str) -> str:
    """Return `pass`, or what is wrong with a rulesheet as an environment."""
    try:
        game = woodstock.load(CORPUS / file, ground_seconds=GROUND_SECONDS)
    except woodstock.RulesError as error:
        return f"not loaded: {error.diagnostics[0].code} {error.diagnostics[0].message[:80]}"
    except woodstock.WoodstockError as error:
        return f"not loaded: {type(error).__name__}"
    if game.engine_name != "circuit":
        return "not grounded"
    _compare(game)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore", DeprecationWarning)
        import gymnasium
        from gymnasium.utils.env_checker import check_env
        from pettingzoo.test import api_test, parallel_api_test

        from woodstock.env import env, parallel_env

        warnings.simplefilter("error")
        # Nothing holds in some states of some rules, and some have only one fluent.
        warnings.filterwarnings("ignore", "Observation (numpy array is all zeros|is a single number)")
        api_test(env(game, mask_in="info", max_steps=CYCLES), num_cycles=CYCLES)
        parallel_api_test(parallel_env(game, max_steps=CYCLES), num_cycles=CYCLES)
        made = gymnasium.make("woodstock.env.gym_env:woodstock/Game-v0", game=game, illegal="random", max_steps=CYCLES)
        check_env(made.unwrapped, skip_render_check=True)
    return "pass"


def check_all(files: list[str]) -> list[str]:
    """Check several rulesheets in one process, since starting one takes longer than most checks."""
    found = []
    for file in files:
        try:
            found.append(check(file))
        except Exception as error:  # noqa: BLE001, RUF100 - whatever fails is a result
            found.append(f"failed: {type(error).__name__}: {str(error).splitlines()[0][:80]}")
    return found


def _compare(game: woodstock.Game) -> None:
    """Step a batch of random moves and compare some of its matches with single states."""
    batch = Batch(game, 600, seed=1, masks="bits")
    for _ in range(STEPS):
        for match in WATCHED:
            state = batch.states()[match]
            for player, role in enumerate(batch.roles):
                row = batch.frame.masks[match, player]  # type: ignore[index]
                mask = np.unpackbits(row, bitorder="little")[: len(batch.moves(role))]
                assert mask.tolist() == state.legal_mask(role).astype(int).tolist(), f"masks of {role} differ"
            if not batch.plan.is_hidden:
                assert batch.frame.observations[match].tolist() == state.vector.tolist(), "observations differ"
        before, moves = batch.states(), batch.sample().copy()
        frame = batch.step(moves)
        after = batch.states()
        for match in WATCHED:
            if game.is_stochastic:
                continue
            joint = {role: batch.moves(role)[moves[match, player]] for player, role in enumerate(batch.roles)}
            following = before[match].next(joint)
            assert bool(frame.terminal[match]) == following.is_terminal, "ends differ"
            if following.is_terminal:
                assert frame.goals[match].tolist() == list(following.scores.values()), "goals differ"
            elif not frame.truncated[match]:
                assert after[match] == following, "states differ"


def _alone(file: str) -> str:
    try:
        return str(run_apart(check, file, seconds=SECONDS))
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS:.0f} s"
    except ChildError as error:
        return f"failed: {error}"


def main() -> None:
    """Check every rulesheet; one that hangs or crashes is found by a process of its own."""
    options = parser(__doc__, out=True)
    options.add_argument("--only", default="", help="rulesheets whose name contains this")
    given = options.parse_args()
    report = Report(given.out, resume=True)
    rows = sorted(sheets(only=given.only), key=lambda row: int(row["bytes"]))  # small ones first
    left = [row["file"] for row in rows if not report.has(f"{Path(row['file']).stem:44}")]
    for first in range(0, len(left), TOGETHER):
        files = left[first : first + TOGETHER]
        try:
            found = run_apart(check_all, files, seconds=SECONDS * 2)
        except (subprocess.TimeoutExpired, ChildError):
            found = [_alone(file) for file in files]
        for file, result in zip(files, found, strict=True):
            report(f"{Path(file).stem:44} {result}")
    kinds = Counter(line[45:].split(":")[0] for line in report.lines[2:] if len(line) > 45)
    report()
    report("; ".join(f"{count} {kind}" for kind, count in kinds.most_common()))


if __name__ == "__main__":
    main()
