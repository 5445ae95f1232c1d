"""Mutated rulesheets sent as START: `ready` or a refusal that fits, and the player is free again after each."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator

import pytest

import woodstock
from woodstock.errors import WoodstockError
from woodstock.games import find
from woodstock.ggp.client import post
from woodstock.ggp.player import GgpPlayer
from woodstock.ggp.server import Server
from woodstock.ggp.workers import WorkerSettings

GAMES = ("tic-tac-toe", "connect-four", "nim")
_TOKEN = re.compile(r"[()]|[^\s()]+|\s+")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server(GgpPlayer(WorkerSettings("random")), "127.0.0.1", 0)
    yield made
    made.close()


def _mutated(number: int) -> tuple[str, str]:
    """Return a role and rules with one to three changes: tokens dropped, doubled, swapped or replaced."""
    chance = random.Random(number)
    game = woodstock.load(GAMES[number % len(GAMES)])
    text = "\n".join(line.split(";")[0] for line in find(GAMES[number % len(GAMES)]).read().splitlines())
    tokens = _TOKEN.findall(text)
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(4):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[at])
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case _:
                tokens[at] = chance.choice(["?x", "not", "distinct", "true", "does", "legal", "42", "or", "<="])
    return game.roles[0], " ".join("".join(tokens).split())


@pytest.mark.parametrize("number", range(24))
def test_a_mutated_sheet(server: Server, number: int) -> None:
    role, rules = _mutated(number)
    match = f"mutant.{number}"
    answer = post("127.0.0.1", server.port, f"( START {match} {role} ({rules}) 8 2 )", deadline=time.monotonic() + 12)
    is_playable = _is_playable(rules, role)
    if answer == "ready":
        assert is_playable
        move = post("127.0.0.1", server.port, f"( PLAY {match} NIL )", deadline=time.monotonic() + 6)
        assert move == "NIL" or move in woodstock.loads(rules).initial.legal(role)
        assert post("127.0.0.1", server.port, f"( ABORT {match} )", deadline=time.monotonic() + 6) == "aborted"
    else:
        # Brackets that do not close spoil the message itself; everything else is a matter of the rules.
        assert answer == "busy" or "bracket" in answer or "protocol" in answer
        assert not is_playable or answer != "busy"
    assert "available" in post("127.0.0.1", server.port, "( INFO )", deadline=time.monotonic() + 6)


def _is_playable(rules: str, role: str) -> bool:
    try:
        return role in woodstock.loads(rules).roles
    except WoodstockError:
        return False
