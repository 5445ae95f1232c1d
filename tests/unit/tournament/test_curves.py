"""Plots of a report: which curves are drawn, and which would compare what cannot be compared."""

from __future__ import annotations

from woodstock.tournament.journal import Result
from woodstock.tournament.pairing import Schedule
from woodstock.tournament.plan import parse_plan
from woodstock.tournament.report import curves
from woodstock.tournament.standings import Standings, standings

PLAYERS = "".join(f'[[player]]\nname = "p{number}"\nspec = "random"\n' for number in range(8))


def played(games: str, matches: int = 8) -> Standings:
    """Return the standings after all matches; the first role always wins."""
    plan = parse_plan(f"matches = {matches}\n{games}{PLAYERS}")
    fixtures = Schedule(plan, {game.name: 2 for game in plan.games}).fixtures({})
    results = [
        Result(one.key, one.game, ("x", "o"), one.players, one.first, one.second, (100, 0), "terminal", 5, 0.1, {})
        for one in fixtures
    ]
    return standings(plan, results)


def test_games_with_one_clock_each_have_no_curve_over_clocks() -> None:
    apart = '[[game]]\nsource = "nim"\nplay_clock_s = 1\n[[game]]\nsource = "tic-tac-toe"\nplay_clock_s = 2\n'
    assert curves.by_clock(played(apart)) == ""
    assert "play clock" in curves.by_clock(played('play_clocks_s = [1, 2]\ngames = ["nim"]\n'))


def test_many_duels_have_a_curve_for_each_pair() -> None:
    """28 lines are too many; seven pairs in four games are seven lines, their means."""
    assert curves.by_matches(played('games = ["nim"]\n')) == ""
    few = 'pairing = "gauntlet"\ngames = ["nim", "tic-tac-toe", "hex", "othello"]\n'
    drawn = curves.by_matches(played(few))
    assert "p0 against p7" in drawn and "nim:" not in drawn
    assert "nim: p0 against p7" in curves.by_matches(played('pairing = "gauntlet"\ngames = ["nim"]\n'))
    assert curves.by_matches(played('pairing = "gauntlet"\ngames = ["nim"]\n', matches=6)) == ""
