"""Every bundled game, played to its end through the terminal: `woodstock play` on a pseudo-terminal, and `match`."""

from __future__ import annotations

import itertools
import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import woodstock
from woodstock.games import all_games, find
from woodstock.match import MatchRecord
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


class Terminal:
    """A command on a pseudo-terminal."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "COLUMNS": str(WIDTH), "LINES": "50", "TERM": "xterm"}
        self._child = subprocess.Popen([*COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        self._raw = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_details: object) -> None:
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()
        os.close(self._master)

    def write(self, text: str) -> None:
        """Type something."""
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Send what Ctrl-C sends, as a person does who sees nothing happen: again after a while.

        Python misses a signal that comes in the moment before it begins to wait for a line.
        """
        for _ in range(3):
            self._child.send_signal(signal.SIGINT)
            deadline = time.monotonic() + PATIENCE_S / 60
            while time.monotonic() < deadline:
                if not self.read():
                    return

    def read(self) -> bool:
        """Read what is there, for a second at most; return False if the other side is closed."""
        if not select.select([self._master], [], [], 1.0)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self._raw += data
        return bool(data)

    def wait_for(self, text: str) -> None:
        """Wait until something new on the screen holds the text."""
        seen, deadline = len(self._raw), time.monotonic() + PATIENCE_S / 5
        while text not in plain(self._raw[seen:]):
            assert self.read() and time.monotonic() < deadline, f"no {text!r} in {self.screen[-2000:]}"

    def end(self) -> int:
        """Read to the end and return the exit code."""
        deadline = time.monotonic() + PATIENCE_S
        while self.read() and time.monotonic() < deadline:
            pass
        return self._child.wait(timeout=30)

    @property
    def screen(self) -> str:
        """All that was shown so far."""
        return plain(self._raw)


def play_by_numbers(arguments: Sequence[str], seed: int) -> tuple[int, str]:
    """Run a command on a pseudo-terminal and answer each prompt by the number of a move; return code and screen."""
    rng = random.Random(seed)
    asked, deadline = 0, time.monotonic() + PATIENCE_S
    with Terminal(arguments) as terminal:
        while terminal.read() and time.monotonic() < deadline:
            screen = terminal.screen[asked:]
            if PROMPT.search(screen):
                asked = len(terminal.screen)
                terminal.write(f"{rng.randint(1, offered(screen))}\n")
        return terminal.end(), terminal.screen


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
    assert ("you see what your role knows" in screen) == game.has_percepts
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


@pytest.mark.parametrize("key", ["q\n", "\x04", "ctrl-c"])
def test_a_person_leaves_a_match(key: str, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    command = ["match", "tic-tac-toe", "human", "random", "--seed", "1", "--record", str(record)]
    with Terminal(command) as terminal:
        terminal.wait_for("x> ")
        terminal.write("1\n")
        terminal.wait_for("x> ")
        if key == "ctrl-c":
            # A pseudo-terminal that is nobody's controlling one sends no signal of its own.
            terminal.interrupt()
        else:
            terminal.write(key)
        assert terminal.end() == 130
        assert "Traceback" not in terminal.screen
        assert "the match was broken off" in terminal.screen
        assert ("you left the match" in terminal.screen) == (key != "ctrl-c")
    if key != "ctrl-c":
        written = MatchRecord.read(record)
        assert written.reason == "aborted" and len(written.plies) == 2 and written.humans == ("x",)


def test_a_person_takes_over_while_watching() -> None:
    with Terminal(["watch", "tic-tac-toe", "legal", "legal", "--delay", "1", "--seed", "1"]) as terminal:
        terminal.wait_for("t take over")
        # The seat of x, who moves first; the pause keeps the board as it is.
        terminal.write(" ")
        terminal.wait_for("paused")
        terminal.write("1")
        terminal.wait_for("x> ")
        terminal.write("u\n")
        terminal.wait_for("x> ")
        terminal.write("mark 3 3\n")
        terminal.wait_for("x> ")
        terminal.write("g\n")
        terminal.wait_for("t take over")
        terminal.write(" ")
        terminal.wait_for("space go on")
        terminal.write("q")
        assert terminal.end() == 0
        assert "x (mark 3 3)" in terminal.screen and "you left the match" in terminal.screen
        assert "Traceback" not in terminal.screen


def test_a_watched_match_leaves_its_last_board() -> None:
    with Terminal(["watch", "tic-tac-toe", "legal", "legal", "--delay", "0", "--seed", "1"]) as terminal:
        assert terminal.end() == 0
        assert "the match is over: x 100, o 0" in terminal.screen and "watch it again" in terminal.screen
