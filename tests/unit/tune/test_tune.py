"""Tuning with players whose strength is known: where it goes, that it can be killed, and what a bad plan is told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from woodstock.tournament.job import Job, Outcome
from woodstock.tournament.journal import JournalError, Result, read_journal
from woodstock.tournament.plan import PlanError
from woodstock.tournament.runner import JOURNAL
from woodstock.tune.plan import TuningPlan, parse_tuning_plan
from woodstock.tune.report import path, verification_plan
from woodstock.tune.run import Tuning, run
from woodstock.tune.space import Setting, Space

PLAN = """
player = "mac-ucb"
trials = 400
games = ["tic-tac-toe", "connect-four"]
matches = 4
[[setting]]
name = "c"
least = 0.01
most = 10
start = 5
scale = "log"
[[setting]]
name = "minimax"
least = 0
most = 1
start = 0.9
"""
# Where the simulated player is strongest, as places in the ranges.
PEAK = (0.4, 0.25)


class _Simulated:
    """Workers that let the player closer to the peak win more often; it crashes before match `until`."""

    is_sharing = False

    def __init__(self, plan: TuningPlan, until: int = 10**9) -> None:
        self._space, self._until, self._jobs, self._count = plan.space, until, list[Job](), 0
        self._opponent = plan.opponent

    @property
    def free(self) -> int:
        return 5 - self.busy

    @property
    def busy(self) -> int:
        return len(self._jobs)

    def start(self, job: Job) -> None:
        self._jobs.append(job)

    def _strength(self, spec: str) -> float:
        if spec == self._opponent:
            return -0.1
        return -sum((place - peak) ** 2 for place, peak in zip(self._space.places(spec), PEAK, strict=True))

    def finished(self) -> Iterator[Outcome]:
        job = self._jobs.pop(0)
        self._count += 1
        if self._count > self._until:
            raise KeyboardInterrupt
        fixture = job.fixture
        gain = self._strength(fixture.first) - self._strength(fixture.second)
        is_won = random.Random(f"{fixture.seed}/{fixture.number}").random() < 0.5 + max(-0.4, min(0.4, gain))
        goals = tuple(100 if (name == fixture.first) == is_won else 0 for name in fixture.players)
        roles = tuple(f"role{seat}" for seat in range(len(goals)))
        yield Outcome(
            Result(
                fixture.key, fixture.game, roles, fixture.players, fixture.first, fixture.second, goals, "end", 9, 0.1
            ),
            None,
        )

    def close(self) -> None:
        pass


def _tuned(plan: TuningPlan, folder: Path, until: int = 10**9) -> Tuning:
    return run(plan, folder, lambda made: _Simulated(made, until))


def _error(plan: TuningPlan, tuning: Tuning) -> float:
    return max(abs(a - b) for a, b in zip(plan.space.places(tuning.best), PEAK, strict=True))


def test_spsa_finds_the_strongest_settings(tmp_path: Path) -> None:
    plan = parse_tuning_plan(PLAN)
    tuning = _tuned(plan, tmp_path)
    assert len(tuning.done) == 400
    assert sum(1 for _ in read_journal(tmp_path / JOURNAL)) == 400 * 8
    assert _error(plan, tuning) < 0.15, tuning.best
    steps = path(tuning)
    assert steps[0].trials[0] == 0
    assert steps[-1].trials[1] == 399


@pytest.mark.full
def test_bayes_finds_them_too(tmp_path: Path) -> None:
    pytest.importorskip("optuna", reason="needs optuna")
    plan = parse_tuning_plan(PLAN.replace("trials = 400", 'trials = 60\nmethod = "bayes"').replace("= 4\n", "= 40\n"))
    assert _error(plan, _tuned(plan, tmp_path)) < 0.25


def test_a_killed_run_goes_on_with_what_it_learned(tmp_path: Path) -> None:
    plan = parse_tuning_plan(PLAN.replace("400", "30"))
    with pytest.raises(KeyboardInterrupt):
        _tuned(plan, tmp_path, until=101)
    kept = list(read_journal(tmp_path / JOURNAL))
    assert len(kept) == 101
    tuning = _tuned(plan, tmp_path)
    results = list(read_journal(tmp_path / JOURNAL))
    assert results[:101] == kept, "what was played stays"
    assert len({one.key for one in results}) == len(results) == 30 * 8, "every match once"
    assert _tuned(plan, tmp_path).best == tuning.best, "nothing is left to play, and the journal says all"


def test_another_plan_does_not_go_on_in_the_same_folder(tmp_path: Path) -> None:
    _tuned(parse_tuning_plan(PLAN.replace("400", "2")), tmp_path)
    with pytest.raises(JournalError, match="another plan"):
        _tuned(parse_tuning_plan(PLAN.replace("400", "2").replace("most = 10", "most = 20")), tmp_path)


def test_the_result_is_tested_on_other_games(tmp_path: Path) -> None:
    plan = parse_tuning_plan(PLAN + '[verify]\ngames = ["quarto"]\nmatches = 40\nplay_clock_s = 0.02\nclock = "cpu"\n')
    made = verification_plan(plan, "mac-ucb:c=0.3,minimax=0.2", tmp_path)
    assert [player.spec for player in made.players] == ["mac-ucb:c=0.3,minimax=0.2", "mac-ucb"]
    assert [(game.name, game.matches, game.play_clock_s, game.clock) for game in made.games] == [
        ("quarto", 40, 0.02, "cpu")
    ]
    assert made.sprt is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("c", "k"), "unknown option 'k'"),
        (("most = 10", "most = 0.001"), "least: must be below most"),
        (("least = 0.01", "least = 0"), "a logarithmic scale needs least above 0"),
        (("start = 5", "start = 50"), "start: must lie from 0.01 to 10"),
        (("matches = 4", "matches = 3"), "must be even"),
        (("trials", "trails"), "did you mean 'trials'"),
        (('"mac-ucb"', '"mac-ubc"'), "mac-ucb"),
        (('least = 0.01\nmost = 10\nstart = 5\nscale = "log"', 'choices = ["0.1", "1"]'), "spsa tunes numbers only"),
        (('games = ["tic-tac-toe", "connect-four"]', ""), "tuning needs games"),
    ],
)
def test_a_bad_plan_is_told_what_is_wrong(change: tuple[str, str], message: str) -> None:
    text = PLAN.replace('name = "c"', f'name = "{change[1]}"') if change[0] == "c" else PLAN.replace(*change)
    with pytest.raises(PlanError, match=message):
        parse_tuning_plan(text)


def test_places_and_values_are_the_inverse_of_each_other() -> None:
    space = Space(
        "uct",
        (
            Setting("c", 0.01, 10, is_log=True),
            Setting("lanes", 1, 64, is_whole=True),
            Setting("wins", choices=("yes", "no")),
        ),
    )
    spec = space.spec([0.3, 0.5, 0.9])
    assert spec == "uct:c=0.07943,lanes=32,wins=no"
    assert space.spec(space.places(spec)) == spec
