"""Tournament plans: each problem is reported with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from woodstock.tournament.legs import Played
from woodstock.tournament.pairing import Fixture, Schedule
from woodstock.tournament.plan import PlanError, TournamentPlan, parse_plan

PLAYERS = '[[player]]\nname = "a"\nspec = "random"\n[[player]]\nname = "b"\nspec = "legal"\n'
GOOD = f'name = "good"\nseed = 3\nmatches = 4\ngames = ["tic-tac-toe"]\n{PLAYERS}'


def _problems(text: str) -> list[str]:
    with pytest.raises(PlanError) as caught:
        parse_plan(text, "plan.toml")
    return str(caught.value).splitlines()


def test_a_good_plan() -> None:
    plan = parse_plan(GOOD)
    assert (plan.name, plan.seed, plan.pairing) == ("good", 3, "round-robin")
    assert [player.name for player in plan.players] == ["a", "b"]
    assert plan.games[0].source == "tic-tac-toe" and plan.games[0].matches == 4
    assert parse_plan(GOOD).identity == plan.identity != parse_plan(GOOD.replace("= 3", "= 4")).identity
    assert parse_plan(GOOD + "# a remark").identity == plan.identity


def test_scaling_keeps_pairs_whole() -> None:
    assert [parse_plan(GOOD, scale=scale).games[0].matches for scale in (0.01, 0.5, 1.0, 2.5)] == [2, 2, 4, 10]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("seed = 3", "seed = -3", "plan.toml:2: seed: must be at least 0, not -3"),
        ("seed = 3", 'seed = "x"', "plan.toml:2: seed: must be a whole number, not 'x'"),
        ("matches = 4", "matchs = 4", "plan.toml:3: matchs: there is no such key; did you mean 'matches'?"),
        ("matches = 4", 'pairing = "swis"', "plan.toml:3: pairing: must be one of round-robin"),
        ('"tic-tac-toe"', '"tic-tac-two"', "plan.toml:4: games.source: No game 'tic-tac-two'. Did you mean"),
        ('"tic-tac-toe"', '"nothing.kif"', "plan.toml:4: games.source: there is no file nothing.kif"),
        ('spec = "random"', 'spec = "rendom"', "plan.toml:7: player.spec: no player 'rendom'. Did you mean 'random'?"),
        ('spec = "random"', 'spec = "uct:c=x"', "plan.toml:7: player.spec:"),
        ('name = "b"', 'name = "a"', "player: two of them are called 'a'"),
        ("seed = 3", "play_clock_s = 0", "plan.toml:2: play_clock_s: must be at least 0.001, not 0"),
        ("seed = 3", "seed =", "is not TOML"),
    ],
)
def test_each_problem_has_its_line(old: str, new: str, problem: str) -> None:
    assert any(problem in line for line in _problems(GOOD.replace(old, new, 1))), _problems(GOOD.replace(old, new, 1))


def test_all_problems_at_once() -> None:
    text = GOOD.replace("seed = 3", "seed = -1").replace("tic-tac-toe", "nothing").replace('"legal"', '"leagl"')
    assert len(_problems(text)) == 3


def test_a_senseless_sequential_test_is_refused() -> None:
    assert "score0 < score1" in _problems(GOOD + "[sprt]\nscore0 = 0.6\nscore1 = 0.5\n")[0]
    assert "fixed pairs" in _problems(f'pairing = "swiss"\n{GOOD}[sprt]\n')[0]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    from woodstock.tournament.plan import read_plan

    with pytest.raises(PlanError, match="cannot be read"):
        read_plan(tmp_path / "no.toml")


def _plan(pairing: str, players: int, extra: str = "") -> TournamentPlan:
    tables = "".join(f'[[player]]\nname = "p{i}"\nspec = "random"\n' for i in range(players))
    return parse_plan(f'pairing = "{pairing}"\nmatches = 2\ngames = ["tic-tac-toe", "nim"]\n{extra}{tables}')


SEATS = {"tic-tac-toe": 2, "nim": 2}


def test_round_robin_meets_all_with_seats_exchanged() -> None:
    found = Schedule(_plan("round-robin", 4), SEATS).fixtures({})
    assert len(found) == 6 * 2 * 2 == len({one.key for one in found})
    by_pair: dict[tuple[str, str, str], list[Fixture]] = {}
    for one in found:
        by_pair.setdefault((one.game, one.first, one.second), []).append(one)
    for pair in by_pair.values():
        assert pair[0].players == pair[1].players[::-1] and pair[0].seed == pair[1].seed


def test_gauntlet_is_one_against_all() -> None:
    found = Schedule(_plan("gauntlet", 4), SEATS).fixtures({})
    assert {one.first for one in found} == {"p0"} and {one.second for one in found} == {"p1", "p2", "p3"}


def test_games_of_one_role_are_played_by_each() -> None:
    found = Schedule(_plan("round-robin", 2), {"tic-tac-toe": 1, "nim": 1}).fixtures({})
    assert sorted({one.players for one in found}) == [("p0",), ("p1",)]
    assert len(found) == len({one.key for one in found}) == 8


def _play_out(plan: TournamentPlan, strength: dict[str, int]) -> list[Fixture]:
    """Play round after round; the stronger player wins."""
    scores: dict[str, Played] = {}
    while True:
        found = Schedule(plan, SEATS).fixtures(scores)
        new = [one for one in found if one.key not in scores]
        if not new:
            return found
        for one in new:
            score = float(strength[one.first] > strength[one.second])
            scores[one.key] = Played(score, (100 * score, 100 * (1 - score)))


def test_swiss_rounds_pair_equals_and_never_twice() -> None:
    plan = _plan("swiss", 6, "rounds = 3\n")
    found = _play_out(plan, {f"p{i}": i for i in range(6)})
    met = {(one.round, frozenset((one.first, one.second))) for one in found}
    assert len(met) == 9 and len({pair for _, pair in met}) == 9


def test_elimination_leaves_the_strongest() -> None:
    found = _play_out(_plan("elimination", 5), {f"p{i}": (i * 7) % 5 for i in range(5)})
    assert max(one.round for one in found) == 3
    final = [one for one in found if one.round == 3]
    strongest = max(range(5), key=lambda i: (i * 7) % 5)
    assert any(f"p{strongest}" in (one.first, one.second) for one in final)


def test_a_game_with_several_clocks_is_several_games() -> None:
    plan = parse_plan(GOOD.replace("seed = 3", "seed = 3\nplay_clocks_s = [1, 5.5]"), clock_scale=0.1)
    assert [(game.name, game.title, round(game.play_clock_s, 9)) for game in plan.games] == [
        ("tic-tac-toe 0.1 s", "tic-tac-toe", 0.1),
        ("tic-tac-toe 0.55 s", "tic-tac-toe", 0.55),
    ]
    assert "either one" in _problems(f"play_clock_s = 1\nplay_clocks_s = [1]\n{GOOD}")[0]
    assert "different numbers" in _problems(f"play_clocks_s = [1, 1]\n{GOOD}")[0]


def test_seats_of_many_and_of_one() -> None:
    plan = parse_plan(GOOD.replace('games = ["tic-tac-toe"]', 'games = ["nim"]\nseats = "one-against-rest"'))
    seated = [one.players for one in Schedule(plan, {"nim": 3}).fixtures({})]
    assert seated == [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a"), ("a", "b", "b")]
    third = '[[player]]\nname = "c"\nspec = "legal"\n'
    together = parse_plan(GOOD.replace("matches = 4", 'matches = 2\nseats = "together"') + third)
    fixtures = Schedule(together, SEATS).fixtures({})
    assert [one.players for one in fixtures] == [(name, name) for name in "abc"] * 2
    assert len({one.key for one in fixtures}) == len(fixtures), "each alone once, in however many pairs"


def test_quoted_numbers() -> None:
    plan = parse_plan(GOOD + '[published."a/b"]\ntic-tac-toe = 61.5\n')
    assert plan.published == {"a/b": {"tic-tac-toe": 61.5}}
    assert plan.identity == parse_plan(GOOD).identity, "what others found changes no match"
    clocks = GOOD.replace("seed = 3", "seed = 3\nplay_clocks_s = [1, 5]")
    several = parse_plan(clocks + '[published."a/b"]\ntic-tac-toe = [61.5, 70]\n')
    assert several.published == {"a/b": {"tic-tac-toe 1 s": 61.5, "tic-tac-toe 5 s": 70.0}}


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('[published."a/x"]\ntic-tac-toe = 1\n', "the plan has no player 'x'"),
        ('[published."a/b"]\nchess = 1\n', "the plan has no game of this name"),
        ('[published."a/b"]\ntic-tac-toe = "much"\n', "must be a number or a list of numbers"),
        ('[published."a/b"]\ntic-tac-toe = [1, 2]\n', "has 2 numbers for 1 clocks"),
    ],
)
def test_quoted_numbers_must_fit_the_plan(table: str, problem: str) -> None:
    (told,) = _problems(GOOD + table)
    assert problem in told
    assert told.startswith(f"plan.toml:{11 + ('no player' not in problem)}:"), told


EXPERIMENTS = sorted((Path(__file__).parents[3] / "experiments").glob("*.toml"))


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_the_experiments_are_plans(path: Path) -> None:
    from woodstock.tournament.plan import read_plan

    plan = read_plan(path, scale=0.01, clock_scale=0.01)
    assert len(plan.games) >= 10 and len(plan.players) >= 2
    for pair, numbers in plan.published.items():
        assert numbers and all(0 <= number <= 100 for number in numbers.values()), pair
