"""Strategies in shared libraries: a good one plays, a crash or an endless loop costs its move and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.match import MatchRecord, play_match
from woodstock.players.library import LibraryPlayer

HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include "woodstock_strategy.h"
int woodstock_version(void) { return WOODSTOCK_STRATEGY_VERSION; }
"""
REST = """
int woodstock_start(const woodstock_match *m) { (void)m; return 0; }
int woodstock_stop(int goal) { (void)goal; return 0; }
"""


def _compiled(root: Path, folder: Path, source: str) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("g++")
    if compiler is None:
        pytest.skip("no C compiler here")
    path, library = folder / "strategy.c", folder / "strategy.so"
    path.write_text(source)
    command = [compiler, "-x", "c", "-shared", "-fPIC", "-I", str(root / "include"), "-o", str(library), str(path)]
    subprocess.run(command, check=True)
    return library


def _play(game: Game, library: Path, turns: int = 3, clock_s: float = 1.0) -> MatchRecord:
    seats = [f"lib:{library}", "legal"]
    return play_match(game, seats, start_clock_s=5, play_clock_s=clock_s, seed=1, max_turns=turns)


def _codes(record: MatchRecord) -> list[str]:
    return [ply.errors[0] for ply in record.plies]


def test_the_example_plays_a_whole_match(root: Path, tmp_path: Path, game: Game) -> None:
    source = (root / "examples" / "strategies" / "longest.c").read_text()
    record = _play(game, _compiled(root, tmp_path, source), turns=100)
    assert record.reason == "terminal" and record.errors == {}


def test_it_is_told_everything(root: Path, tmp_path: Path, game: Game) -> None:
    # The library writes what it hears to a file, and prints rubbish that must not reach the match.
    log = tmp_path / "heard.txt"
    source = (
        HEAD
        + f"""
static FILE *out;
int woodstock_start(const woodstock_match *m) {{
    out = fopen("{log}", "w");
    fprintf(out, "%s %s %d %.1f\\n", m->match_id, m->role, m->rules[0] != 0, m->play_clock_s);
    return 0;
}}
int woodstock_play(const woodstock_turn *t) {{
    printf("{{\\"result\\": 99}}\\n"); fflush(stdout);
    fprintf(out, "%d %d %d %d %s\\n", t->turn, t->last_move_count, t->fluent_count, t->legal_count, t->legal[0]);
    return 0;
}}
int woodstock_stop(int goal) {{ fprintf(out, "goal %d\\n", goal); fclose(out); return 0; }}
"""
    )
    record = _play(game, _compiled(root, tmp_path, source), turns=100)
    assert record.errors == {}
    lines = log.read_text().splitlines()
    assert lines[0].endswith(" x 1 1.0")
    assert lines[1:3] == ["1 0 10 9 (mark 1 1)", "2 2 10 1 noop"]
    assert lines[-1] == f"goal {record.goals['x']}"


def test_a_crash_costs_the_move(root: Path, tmp_path: Path, game: Game) -> None:
    source = HEAD + REST + "int woodstock_play(const woodstock_turn *t) { if (t->turn == 2) abort(); return 0; }"
    # A clock for the busiest of machines: the process in place of the crashed one must start within it.
    assert _codes(_play(game, _compiled(root, tmp_path, source), clock_s=10.0)) == ["", "IN", ""]


def test_an_endless_loop_costs_the_move(root: Path, tmp_path: Path, game: Game) -> None:
    source = HEAD + REST + "int woodstock_play(const woodstock_turn *t) { while (t->turn == 2) {} return 0; }"
    # The process in place of the killed one must start within the clock, also on a busy machine.
    assert _codes(_play(game, _compiled(root, tmp_path, source), clock_s=3.0)) == ["", "TO", ""]


@pytest.mark.parametrize("result", [-1, 9999])
def test_a_choice_that_is_none_is_an_error(root: Path, tmp_path: Path, game: Game, result: int) -> None:
    source = HEAD + REST + f"int woodstock_play(const woodstock_turn *t) {{ (void)t; return {result}; }}"
    assert _codes(_play(game, _compiled(root, tmp_path, source), turns=1)) == ["IN"]


def test_a_library_of_another_version_or_none_at_all(root: Path, tmp_path: Path, game: Game) -> None:
    source = "int woodstock_version(void) { return 7; }\n" + REST.join(['#include "woodstock_strategy.h"\n', ""])
    source += "int woodstock_play(const woodstock_turn *t) { (void)t; return 0; }"
    assert _codes(_play(game, _compiled(root, tmp_path, source), turns=1)) == ["IN"]
    text = tmp_path / "text.so"
    text.write_text("not a library")
    assert _codes(_play(game, text, turns=1)) == ["IN"]
    with pytest.raises(GameError, match="there is no such file"):
        LibraryPlayer(str(tmp_path / "nothing.so"))
