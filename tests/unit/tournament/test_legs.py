"""Tournaments of several legs: groups and pools, first to so many wins, qualification and final, weights and clocks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from woodstock.tournament.journal import Result
from woodstock.tournament.legs import LEG, Played
from woodstock.tournament.pairing import Fixture, Schedule
from woodstock.tournament.plan import PlanError, TournamentPlan, parse_plan
from woodstock.tournament.report.tables import tables
from woodstock.tournament.standings import standings

SEATS = {"tic-tac-toe": 2, "nim": 2, "sudoku": 1}
POOLS = """
[[leg]]
name = "groups"
groups = 2
games = ["tic-tac-toe", "sudoku"]

[[leg]]
name = "winners"
source = "groups"
ranks = [1, 2]
pairing = "elimination"
games = ["nim", "tic-tac-toe"]
wins = 3
final_wins = 4

[[leg]]
name = "losers"
source = "groups"
ranks = [3, 4]
pairing = "elimination"
games = ["nim"]
"""


def plan_of(legs: str, players: int = 10, games: str = "") -> TournamentPlan:
    tables = "".join(f'[[player]]\nname = "p{i}"\nspec = "random"\n' for i in range(players))
    named = games or 'games = ["tic-tac-toe", "nim", "sudoku"]\n'
    return parse_plan(f"matches = 2\n{named}{legs}{tables}")


def play_out(plan: TournamentPlan, outcome: Callable[[Fixture], Played]) -> list[Fixture]:
    """Play until no match is left; what was known once stays known, in the same order."""
    results: dict[str, Played] = {}
    known: list[str] = []
    while True:
        found = Schedule(plan, SEATS).fixtures(results)
        assert [one.key for one in found if one.key in known] == known
        known = [one.key for one in found]
        new = [one for one in found if one.key not in results]
        if not new:
            return found
        results |= {one.key: outcome(one) for one in new}


def stronger_wins(fixture: Fixture) -> Played:
    first, second = int(fixture.first[1:]), int(fixture.second[1:])
    if first == second:
        return Played(first / 10, (10.0 * first, 10.0 * first))
    return Played(float(first > second), (100.0 * (first > second), 100.0 * (second > first)))


def test_the_best_of_each_group_go_to_the_pools() -> None:
    found = play_out(plan_of(POOLS), stronger_wins)
    names = [{name for one in found if one.round // LEG == leg for name in one.players} for leg in (1, 2, 3)]
    assert len(names[0]) == 10
    assert names[1] == {"p9", "p8", "p7", "p6"} and names[2] == {"p5", "p4", "p3", "p2"}
    groups = {frozenset((one.first, one.second)) for one in found if one.round == LEG and one.first != one.second}
    assert all(int(a[1:]) % 2 == int(b[1:]) % 2 for a, b in map(sorted, groups))
    assert len({one.key for one in found if one.game == "sudoku"}) == 10 * 2  # each player alone, twice


def test_a_tie_ends_with_the_third_win_and_the_final_with_the_fourth() -> None:
    found = [one for one in play_out(plan_of(POOLS), stronger_wins) if one.round // LEG == 2]
    semi = [one for one in found if one.round == 2 * LEG]
    final = [one for one in found if one.round == 2 * LEG + 1]
    assert len(semi) == 2 * 3 and len(final) == 4
    assert {frozenset((one.first, one.second)) for one in semi} == {frozenset(("p9", "p6")), frozenset(("p8", "p7"))}
    assert [one.game for one in final] == ["nim", "nim", "tic-tac-toe", "tic-tac-toe"]
    assert final[0].players == final[1].players[::-1]


def test_draws_do_not_win_a_tie_but_it_ends() -> None:
    legs = '[[leg]]\npairing = "elimination"\ngames = ["nim"]\nwins = 2\nmost_matches = 6\n'
    found = play_out(plan_of(legs, 2), lambda _one: Played(0.5, (50.0, 50.0)))
    assert len(found) == 6


def test_weights_decide_a_qualification() -> None:
    """p0 is best in tic-tac-toe, p1 in nim, which counts four times as much."""
    games = '[[game]]\nsource = "tic-tac-toe"\nweight = 0.5\n[[game]]\nsource = "nim"\nweight = 2\n'
    legs = (
        '[[leg]]\nname = "qualification"\n'
        '[[leg]]\nname = "final"\nsource = "qualification"\nranks = [1]\npairing = "elimination"\n'
    )

    def outcome(fixture: Fixture) -> Played:
        first_wins = (fixture.first == "p1") == (fixture.game == "nim")
        return Played(float(first_wins), (100.0 * first_wins, 100.0 * (not first_wins)))

    plan = plan_of(legs + '[[leg]]\nname = "bronze"\nsource = "qualification"\nranks = [1, 2]\n', 2, games)
    found = play_out(plan, outcome)
    last = [one for one in found if one.round // LEG == 3]
    assert {one.first for one in last} == {"p1"} and {one.second for one in last} == {"p0"}


def test_points_are_shown_by_leg_whatever_the_order_of_results() -> None:
    plan = plan_of('[[leg]]\nname = "all"\n', 2, '[[game]]\nsource = "nim"\nweight = 0.33\n')
    sides = ("p0", "p1")
    results = [
        Result(f"{LEG}/nim/p0/p1/{n}", "nim", ("first", "second"), sides, *sides, (100, 0), "terminal", 9, 0.1, {})
        for n in range(2)
    ]
    shown = {table.title: table.rows for table in tables(standings(plan, results))}
    assert shown["Points"] == (("all", "p0", "66.0", "+2 =0 -0", "2"), ("all", "p1", "0.0", "+0 =0 -2", "2"))
    assert {table.title: table.rows for table in tables(standings(plan, results[::-1]))} == shown


def test_random_clocks_are_the_same_for_both_matches_of_a_pair() -> None:
    plan = plan_of("", 2, 'games = ["nim"]\nplay_clock_between_s = [5, 20]\nstart_clock_between_s = [60, 180]\n')
    fixtures = Schedule(plan, SEATS).fixtures({})
    drawn = [plan.games[0].with_clocks(one.seed) for one in fixtures]
    assert drawn[0] == drawn[1] and 5 <= drawn[0].play_clock_s <= 20 and 60 <= drawn[0].start_clock_s <= 180
    scaled = parse_plan(plan.text, clock_scale=0.1).games[0]
    assert scaled.play_clock_between_s == pytest.approx((0.5, 2.0))


@pytest.mark.parametrize(
    ("legs", "message"),
    [
        ('[[leg]]\nsource = "nowhere"\nranks = [1]\n', "no earlier leg is called 'nowhere'"),
        ('[[leg]]\ngames = ["chess"]\n', "the plan has no game called 'chess'"),
        ("[[leg]]\nwins = 3\n", "decides the ties of an elimination"),
        ("[[leg]]\ngroups = 9\n", "9 groups of two need 18 players, there are 4"),
        ('[[leg]]\nname = "a"\n[[leg]]\nsource = "a"\n', "which places of 'a' go on"),
        ('[[leg]]\nname = "a"\n[[leg]]\nname = "a"\n', "two legs are called 'a'"),
        ("play_clock_between_s = [20, 5]\n", "from the least to the greatest"),
        ('pairing = "swiss"\n[[leg]]\n', "a pairing for each leg"),
        ("[[leg]]\nranks = [0]\n", "whole numbers, at least 1"),
    ],
)
def test_mistakes_are_named(legs: str, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_of(legs, 4)
    assert message in str(caught.value)


def test_nobody_waits_twice_in_a_swiss_leg() -> None:
    """Of five players one waits in each round; it keeps its place by the mean of the others."""
    plan = plan_of('[[leg]]\nname = "a"\npairing = "swiss"\nrounds = 4\ngames = ["tic-tac-toe", "sudoku"]\n', 5)
    found = play_out(plan, lambda one: Played(0.5, (50.0, 50.0)))
    for turn in sorted({one.round for one in found}):
        assert len({name for one in found if one.round == turn for name in (one.first, one.second)}) == 4
    matches = {f"p{i}": sum(f"p{i}" in (one.first, one.second) for one in found) for i in range(5)}
    assert sorted(matches.values()) == [12, 12, 12, 12, 16]


def test_a_name_of_many_players_is_one_problem() -> None:
    with pytest.raises(PlanError) as told:
        parse_plan('games = ["nim"]\n' + '[[player]]\nspec = "random"\n' * 4)
    assert [problem.message for problem in told.value.problems] == [
        "player: 4 of them are called 'random': give each a name of its own"
    ]
