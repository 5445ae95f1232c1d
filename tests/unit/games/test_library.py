"""The bundled games: found by any spelling, well formed, and playing as the rules of the real games say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import woodstock
from woodstock.errors import UnknownGameError
from woodstock.games import KINDS, BundledGame, all_games, find, looks_like_path, search
from woodstock.gdl.chance import chance_index, without_chance
from woodstock.gdl.check import check
from woodstock.gdl.parse import read

GAMES = all_games()


@pytest.mark.parametrize(
    "name", ["connectFour", "connect-four", "connectfour", "connect_four", "Connect Four", "CONNECT-4", "c4"]
)
def test_names_are_found_in_any_spelling(name: str) -> None:
    assert find(name).name == "connect-four"


@pytest.mark.parametrize("spell", [lambda game: game.name.replace("-", "").upper(), lambda game: game.title])
def test_every_game_is_found_without_hyphens_and_by_its_title(spell: Callable[[BundledGame], str]) -> None:
    assert [find(spell(game)).name for game in GAMES] == [game.name for game in GAMES]


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownGameError) as caught:
        find("tictacto")
    assert str(caught.value) == (
        f"No game 'tictacto'. Did you mean 'tic-tac-toe'? Run 'woodstock games' for all {len(GAMES)}."
    )


def test_a_name_like_no_other_gets_no_guess() -> None:
    with pytest.raises(UnknownGameError, match=r"^No game 'zzzz'\. Run 'woodstock games'"):
        find("zzzz")


def test_search_looks_at_names_and_descriptions() -> None:
    assert {"connect-four", "connect-four-7x7"} <= {game.name for game in search("four")}
    assert "breakthrough" in {game.name for game in search("PAWNS")}
    assert {"connect-four", "connect-four-7x7"} <= {game.name for game in search("seven columns")}
    dice = {"backgammon", "cant-stop", "kaseklau", "liars-dice", "meier", "orchard", "pickomino", "yahtzee"}
    assert {game.name for game in search("dice")} == dice
    assert search("no such words at all") == ()
    assert search("") == GAMES


def test_names_and_aliases_are_unique() -> None:
    names = [alias.replace("-", "") for game in GAMES for alias in (game.name, *game.aliases)]
    assert len(names) == len(set(names))


def test_paths_are_told_from_names() -> None:
    assert looks_like_path("a/b") and looks_like_path("game.KIF") and not looks_like_path("connect-four")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_folder_is_complete(game: BundledGame) -> None:
    assert game.path.is_file()
    assert game.name == game.path.parent.name
    assert game.kinds and set(game.kinds) <= set(KINDS)
    assert game.description.endswith(".") and len(game.description) < 110
    assert game.board in ("grid", "hex", "line", "table", "facts")
    assert game.size and game.source.endswith(".") and game.oracle and game.perft[0] == 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_rules_are_clean(game: BundledGame) -> None:
    program = read(game.path)
    assert check(program) == ()
    roles = [str(role) for role in program.roles()]
    assert len(without_chance(roles)) == game.players
    assert (chance_index(roles) >= 0) == ("stochastic" in game.kinds)
    assert ("puzzle" in game.kinds) == (game.players == 1)
    heads = {rule.head.name for rule in program.rules}
    assert {"base", "input"} <= heads


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        # Known from the literature.
        ("tic-tac-toe", [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        ("connect-four", [1, 7, 49, 343, 2401, 16807, 117649, 823536]),
    ],
)
def test_expected_counts_are_as_known(name: str, counts: list[int]) -> None:
    assert list(find(name).perft) == counts


def test_nim_is_won_by_the_last_match() -> None:
    game = woodstock.load("nim")
    state = game.initial
    for first, second in (("(take a 1)", ""), ("", "(take b 3)"), ("(take c 5)", ""), ("", "(take d 7)")):
        state = state.next([first or "noop", second or "noop"])
    assert state.is_terminal
    assert state.goals == {"first": 0, "second": 100}


def test_a_full_column_takes_no_disc() -> None:
    state = woodstock.load("connect-four").initial
    for turn in range(6):
        state = state.next(["(drop 3)", "noop"] if turn % 2 == 0 else ["noop", "(drop 3)"])
    assert "(drop 3)" not in state.legal("red") and len(state.legal("red")) == 6
    assert "(cell 3 6 black)" in state.fluents


def test_a_pawn_captures_diagonally_and_never_straight() -> None:
    game = woodstock.load("breakthrough")
    state = game.state(["(cell 4 4 white)", "(cell 4 5 black)", "(cell 5 5 black)", "(control white)"])
    assert set(state.legal("white")) == {"(move 4 4 3 5)", "(move 4 4 5 5)"}
    after = state.next(["(move 4 4 5 5)", "noop"])
    assert after.fluents == {"(cell 5 5 white)", "(cell 4 5 black)", "(control black)"}
