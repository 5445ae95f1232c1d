"""Every bundled game, played to its end through the terminal: `woodstock play` on a pseudo-terminal, and `match`."""

from __future__ import annotations

import itertools
import json
import os
import pty
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

import woodstock
from woodstock.games import all_games, find
from woodstock.view import View

NAMES = [game.name for game in all_games()]
SAMPLE = ("monty-hall", "tic-tac-toe")
COMMAND = (sys.executable, "-c", "from woodstock.cli import main; main()")
PATIENCE_S = 300.0
WIDTH = 80

PROMPT = re.compile(r"\n\S+> $")
MOVES = re.compile(r"\d+ \S|\.\.\. and \d+ more")
OFFER = re.compile(r"(?:^|  )(\d+) (?=\S)")
COLOUR = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def plain(raw: bytes) -> str:
    """Return what a terminal shows, without colours."""
    return COLOUR.sub("", raw.decode(errors="replace")).replace("\r", "")


def offered(screen: str) -> int:
    """Return the largest number in the columns of moves above the prompt."""
    lines = itertools.takewhile(MOVES.match, reversed(screen.splitlines()[:-1]))
    return max(int(number) for line in lines for number in OFFER.findall(line))


def play_by_numbers(arguments: Sequence[str], seed: int) -> tuple[int, str]:
    """Run a command on a pseudo-terminal and answer each prompt by the number of a move; return code and screen."""
    rng = random.Random(seed)
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "LINES": "50", "TERM": "xterm"}
    child = subprocess.Popen([*COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    raw, asked, deadline = b"", 0, time.monotonic() + PATIENCE_S
    try:
        while time.monotonic() < deadline:
            ready, _, _ = select.select([master], [], [], 1.0)
            if not ready:
                continue
            try:
                data = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not data:
                break
            raw += data
            screen = plain(raw[asked:])
            if PROMPT.search(screen):
                asked = len(raw)
                os.write(master, f"{rng.randint(1, offered(screen))}\n".encode())
        return child.wait(timeout=30), plain(raw)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        os.close(master)


def check_play(name: str) -> None:
    """Play a match against a random opponent, and look at its screens."""
    code, screen = play_by_numbers(["play", name, "--opponent", "random", "--seconds", "1", "--seed", "1"], seed=1)
    assert code == 0, screen[-2000:]
    game = woodstock.load(name)
    last = screen.rstrip().splitlines()[-1]
    goals = dict(part.split(" ") for part in last.removeprefix("the match is over: ").split(", "))
    assert last.startswith("the match is over: ") and list(goals) == list(game.roles), screen[-2000:]
    assert all(goal.isdecimal() for goal in goals.values())
    assert not any(words in screen for words in ("there is no move", "made no move", "Traceback", "error"))
    assert ("the whole state is shown" in screen) == game.has_percepts
    assert View(game).layout.kind == find(name).board
    picture = [line.rstrip() for line in str(View(game).draw(game.initial, None, WIDTH)).splitlines()]
    shown = [line.rstrip() for line in screen.splitlines()]
    start = shown.index(picture[0])
    assert shown[start : start + len(picture)] == picture


def check_match(name: str) -> None:
    """Play a match of random players, as JSON."""
    players = ["random"] * find(name).players
    command = [*COMMAND, "match", name, *players, "--start-clock", "5", "--play-clock", "5", "--seed", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["reason"] == "terminal" and not any(result["errors"].values()), done.stdout
    assert all(isinstance(goal, int) for goal in result["goals"].values())


@pytest.mark.parametrize("name", SAMPLE)
def test_a_person_plays_to_the_end(name: str) -> None:
    check_play(name)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_a_person_plays_every_game_to_the_end(name: str) -> None:
    check_play(name)


@pytest.mark.parametrize("name", SAMPLE[:1])
def test_a_match_is_played_to_the_end(name: str) -> None:
    check_match(name)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_a_match_of_every_game_is_played_to_the_end(name: str) -> None:
    check_match(name)
