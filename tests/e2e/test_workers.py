"""The processes behind a GGP server: whatever happens to them, replies are in time, and legal if one can be known."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import woodstock
from woodstock.game.game import Game
from woodstock.ggp import messages
from woodstock.ggp.client import post
from woodstock.ggp.player import SILENCE_S, GgpPlayer
from woodstock.ggp.server import Server
from woodstock.ggp.session import HANG_IN_TURN_S
from woodstock.ggp.workers import KINDS, PLAYER, STAND_IN, WorkerSettings

START_S, PLAY_S = 10.0, 1.0
PLAYERS = """
import time
from woodstock import Player

class Endless(Player):
    def move(self, view, deadline):
        while True:
            pass

class Greedy(Player):
    def move(self, view, deadline):
        held = []
        while True:
            held.append(bytearray(1 << 20))

class Slow(Player):
    def start(self, task, deadline):
        super().start(task, deadline)
        time.sleep(60)
    def move(self, view, deadline):
        return view.legal[0]

class Crash(Player):
    def move(self, view, deadline):
        import os
        os._exit(7)

class Log(Player):
    def start(self, task, deadline):
        super().start(task, deadline)
        self.file = open("heard.txt", "a")
        print("rubbish that must not reach the server")
    def move(self, view, deadline):
        print("move", file=self.file, flush=True)
        return view.legal[-1]
    def stop(self, view):
        time.sleep(0.1)
        print("stop", None if view is None else view.goal, file=self.file, flush=True)
"""


class Served:
    """A server with a player, and the match that it plays, move by move."""

    def __init__(self, player: str, *, ponders: bool = False, memory_mb: int | None = None) -> None:
        self.player = GgpPlayer(WorkerSettings(player, ponders, memory_mb))
        self.server = Server(self.player, "127.0.0.1", 0)
        self.slowest_s = 0.0
        self._chance = random.Random(1)

    def ask(self, text: str, clock_s: float = 1.0) -> str:
        """Return the answer to a message; it must be in time."""
        begun = time.monotonic()
        answer = post("127.0.0.1", self.server.port, text, deadline=begun + clock_s + 5)
        seconds = time.monotonic() - begun
        assert seconds < clock_s, f"{text[:20]} was answered after {seconds:.2f} of {clock_s:g} s"
        self.slowest_s = max(self.slowest_s, seconds)
        return answer

    def start(self, game: Game, match: str = "m", start_s: float = START_S) -> None:
        self.match, self.state = match, game.initial
        text = messages.start(match, game.roles[0], game.program, start_s, PLAY_S)
        assert self.ask(text, start_s) == "ready"

    def turn(self, clock_s: float = PLAY_S) -> str:
        """Ask for a move, which must be legal, and go on with it."""
        state = self.state
        move = self.ask(messages.play(self.match, state.last_moves), clock_s)
        assert move in state.legal(state.game.roles[0])
        others = [self._chance.choice(state.legal(role)) for role in state.game.roles[1:]]
        self.state = state.next([move, *others])
        return move

    def stop(self) -> None:
        assert self.ask(messages.stop(self.match, self.state.last_moves)) == "done"

    def pid(self, kind: str) -> int:
        """The process of a worker in the match."""
        session = self.player._session
        assert session is not None
        ends_at = time.monotonic() + 10
        while (child := session._posts[kind].child) is None and time.monotonic() < ends_at:
            time.sleep(0.01)
        assert child is not None
        return child.process.pid

    def wait_ready(self, kind: str, old: int) -> None:
        """Wait until another worker than the old one has read the rules."""
        session = self.player._session
        assert session is not None
        ends_at = time.monotonic() + 30
        while (self.pid(kind) == old or not session._posts[kind].is_ready) and time.monotonic() < ends_at:
            time.sleep(0.01)


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    made = Served(**request.param)
    yield made
    made.server.close()


def _with(player: str, **settings: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("served", [{"player": player, **settings}], indirect=True, ids=[player])


@pytest.fixture(autouse=True)
def players(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Players of a user's own, in a module that the server finds."""
    folder = tmp_path_factory.mktemp("players")
    (folder / "own_players.py").write_text(PLAYERS)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="module")
def game() -> Game:
    return woodstock.load("connect-four")


@_with("uct")
@pytest.mark.parametrize("kinds", [(PLAYER,), (STAND_IN,), KINDS], ids=["player", "stand-in", "both"])
def test_a_killed_worker_is_replaced(served: Served, game: Game, kinds: tuple[str, ...]) -> None:
    served.start(game)
    served.turn()
    old = [served.pid(kind) for kind in kinds]
    for pid in old:
        os.kill(pid, signal.SIGKILL)
    if kinds == KINDS:
        # Nobody knows the rules at this moment: there is no legal move before a new process has started.
        served.wait_ready(STAND_IN, old[0])
    for _ in range(3):
        served.turn()
    assert not {served.pid(kind) for kind in kinds} & set(old)
    served.stop()


@_with("uct")
def test_a_worker_that_hangs_is_replaced(served: Served, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert HANG_IN_TURN_S == 5.0
    monkeypatch.setattr("woodstock.ggp.session.HANG_IN_TURN_S", 2.0)
    served.start(game)
    served.turn()
    old = served.pid(PLAYER)
    os.kill(old, signal.SIGSTOP)
    ends_at = time.monotonic() + 2.0 + 2 * PLAY_S + 5
    while served.player._session is not None and time.monotonic() < ends_at and served.pid(PLAYER) == old:
        served.turn()
        assert not served.state.is_terminal
    assert served.pid(PLAYER) != old
    served.turn()
    served.stop()


@_with("python:own_players.Crash")
def test_a_player_that_crashes_loses_nothing_but_its_choice(served: Served, game: Game) -> None:
    served.start(game)
    for _ in range(3):
        served.turn()
    served.stop()


@_with("python:own_players.Greedy", memory_mb=600)
def test_memory_is_bounded(served: Served, game: Game) -> None:
    served.start(game)
    assert _limit(served.pid(PLAYER)) == _limit(served.pid(STAND_IN)) == 600 << 20
    for _ in range(2):
        served.turn()
    served.stop()


def _limit(pid: int) -> int:
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return int(next(line.split()[3] for line in lines if line.startswith("Max address space")))


@_with("python:own_players.Endless")
def test_a_player_that_never_ends_is_killed_at_the_end_of_its_match(served: Served, game: Game) -> None:
    served.start(game)
    served.turn()
    old = served.pid(PLAYER)
    served.stop()
    # Its process is gone when the answer is here, so the next match has the processor for itself.
    assert _is_dead(old)
    served.start(game, "next")
    served.turn()
    assert served.ask(messages.abort("next")) == "aborted"


def _is_dead(pid: int) -> bool:
    ends_at = time.monotonic() + 1
    while time.monotonic() < ends_at:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.005)
    return False


@_with("python:own_players.Slow")
def test_a_player_that_does_not_get_ready_has_legal_moves_all_the_same(served: Served, game: Game) -> None:
    served.start(game, start_s=3.0)
    served.turn()
    served.turn()
    served.stop()


@_with("mac-ucb-sym", ponders=True)
def test_a_search_ends_with_its_match(served: Served, game: Game) -> None:
    for match in ("one", "two"):
        served.start(game, match, start_s=4.0)
        served.turn()
        served.slowest_s = 0.0
        served.stop()
        assert served.slowest_s < 0.5
        assert "available" in served.ask("( INFO )")


@_with("python:own_players.Log")
def test_a_player_of_ones_own_hears_of_the_end(served: Served, game: Game, players: Path) -> None:
    served.start(woodstock.load("tic-tac-toe"))
    while not served.state.is_terminal:
        served.turn()
    goal = served.state.scores["x"]
    served.stop()
    served.start(woodstock.load("tic-tac-toe"), "again")
    assert served.ask(messages.abort("again")) == "aborted"
    served.server.close()
    assert (players / "heard.txt").read_text().split("\n")[-3:] == [f"stop {goal}", "stop None", ""]


@_with("random")
def test_a_silent_match_makes_room(served: Served, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert SILENCE_S == 5.0
    monkeypatch.setattr("woodstock.ggp.player.SILENCE_S", 0.3)
    monkeypatch.setattr("woodstock.ggp.player.START_SLACK_S", 0.1)
    served.start(game, start_s=2.0)
    served.turn()
    text = messages.start("other", game.roles[0], game.program, START_S, PLAY_S)
    assert served.ask(text, START_S) == "busy"
    time.sleep(PLAY_S + 0.3)
    assert "available" in served.ask("( INFO )")
    assert served.ask(text, START_S) == "ready"
    assert served.ask(messages.play("m", None)) == "busy"
    assert served.ask(messages.stop("other", None)) == "done"


def _large(size: int) -> str:
    """Rules with far more fluents than can be prepared in a short start clock, of which the interpreter needs few."""
    cells = " ".join(f"(index {number})" for number in range(size))
    return f"""
    (role x) (init (step 1)) {cells}
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal x (mark ?a ?b)) (true (step ?s)) (index ?a) (choice ?b))
    (choice a) (choice b)
    (<= (next (cell ?a ?b)) (does x (mark ?a ?b)))
    (<= (next (cell ?a ?b)) (true (cell ?a ?b)))
    (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
    (<= terminal (true (step 5)))
    (<= (goal x 100) (true (cell 1 a))) (<= (goal x 0) (not (true (cell 1 a))))
    """


@_with("mac-ucb-sym")
def test_a_sheet_too_large_for_its_clocks(served: Served) -> None:
    rules = _large(30_000)
    assert served.ask(f"( START large x ({rules}) 3 1 )", 3.0) == "ready"
    for turn in range(2):
        move = served.ask(f"( PLAY large {'NIL' if turn == 0 else '((mark 1 b))'} )")
        assert move == "NIL" or move.startswith("(mark ")
    served.match = "large"
    assert served.ask("( STOP large ((mark 1 b)) )") == "done"
    small = "(role x) (init (a 1)) (legal x b) (next (a 1)) (<= terminal (true (a 2))) (goal x 1)"
    assert served.ask(f"( START small x ({small}) 5 1 )", 5.0) == "ready"
    assert served.ask("( PLAY small NIL )") == "b"


@pytest.mark.full
@_with("mac-ucb-sym", ponders=True)
@pytest.mark.parametrize("name", ["amazons", "pancakes88", "dominion__deckb", "alexChess", "mineClearingSmall"])
def test_the_largest_sheets(served: Served, corpus: Path, name: str) -> None:
    served.start(woodstock.load(corpus / "games" / f"{name}.kif", engine="interpreter"))
    served.turn()
    served.turn()
    served.stop()
    served.start(woodstock.load("tic-tac-toe"), "next")
    served.turn()
    served.stop()
