"""The stand-in of a player: random legal moves by the interpreter, before the rules are ground and after a crash."""

from __future__ import annotations

import gc
import random
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from woodstock.child_process import Parent
from woodstock.errors import WoodstockError
from woodstock.game.interpreter import Interpreter
from woodstock.gdl.kif import read_terms
from woodstock.gdl.parse import parse
from woodstock.ggp.worker.guess import Guess
from woodstock.ggp.worker.told_moves import without_told_moves

# The role's own move, if it is known, and the joint move or the role's percepts.
Told = tuple[str | None, Sequence[str]]
_ALIVE_EVERY_S = 1.0
# Time to find states that fit what was told, and its share of what is left for a move.
_GUESS_S = 1.0
_GUESS_SHARE = 0.5


class StandIn:
    """One match, from `start` to `end`, by the interpreter alone.

    It asks the rules for nothing but legal moves, percepts and the next state: whether the rules are right, the moves
    legal and the match over is for the player to find out, since that can take long.
    """

    def __init__(self, parent: Parent, start: dict[str, Any]) -> None:
        self._parent, self._start = parent, start
        self._chance = random.Random(start["match_id"])
        self._is_over = threading.Event()
        self._guess: Guess | None = None

    def run(self, inbox: Iterator[dict[str, Any]]) -> bool:
        """Play until the end; return False if the server is gone."""
        beats = threading.Thread(target=self._beat, daemon=True)
        beats.start()
        try:
            self._load()
        except WoodstockError as error:
            self._parent.send({"refused": str(error).splitlines()[0]})
        for message in inbox:
            if "play" in message:
                self._play(**message["play"])
            elif "late" in message:
                self._interrupt()
            elif "end" in message:
                self._end(**message["end"])
                self._is_over.set()
                beats.join()
                return True
        return False

    def _beat(self) -> None:
        while not self._is_over.wait(_ALIVE_EVERY_S):
            self._parent.send({"alive": True})

    def _log(self, level: str, text: str) -> None:
        self._parent.send({"log": [level, text]})

    def _load(self) -> None:
        program = without_told_moves(parse(self._start["rules"], self._start["match_id"], "kif"))
        try:
            interpreter = Interpreter(program)
            role = next(role for role in program.roles() if role.lower() == self._start["role"].lower())
            is_hidden = any(rule.head.name.lower() == "sees" for rule in program.rules)
            self._guess = Guess(interpreter, role, is_hidden=is_hidden, chance=self._chance)
        except Exception as error:
            # Nobody has checked the rules yet; the player will say what is wrong with them.
            self._log("info", f"the interpreter cannot play: {type(error).__name__}: {error}")
            self._guess = None
        self._advance(self._start["told"], time.monotonic() + _GUESS_S)
        self._offer(len(self._start["told"]))
        # Python's collector would take up to half of the time of a turn. It runs after each turn instead, and does not
        # look at what the rules say once and for all.
        gc.disable()
        gc.freeze()
        self._parent.send({"ready": True})

    def _advance(self, told: Sequence[Told], deadline: float) -> None:
        """Play the turns that the server has told; those that do not fit are left out."""
        for move, terms in told:
            try:
                if self._guess is not None:
                    self._guess.hear(move, read_terms(" ".join(terms)), deadline)
            except Exception as error:
                self._log("info", f"the interpreter cannot go on: {error}")

    def _legal(self) -> tuple[str, ...]:
        try:
            return () if self._guess is None else self._guess.legal()
        except Exception as error:
            self._log("info", f"the interpreter knows no legal move: {type(error).__name__}: {error}")
            return ()

    def _offer(self, turn: int) -> tuple[str, ...]:
        """Send a random legal move, if there is one, and return all there are."""
        legal = self._legal()
        if legal:
            self._parent.send({"turn": turn, "legal": self._chance.choice(legal), "is_only": len(legal) == 1})
        return legal

    def _play(self, turn: int, told: Sequence[Told], deadline: float) -> None:
        now = time.monotonic()
        self._advance(told, min(now + _GUESS_S, now + _GUESS_SHARE * (deadline - now)))
        # Turns that piled up while the rules were loaded are over.
        if time.monotonic() <= deadline:
            self._offer(turn)
        gc.collect()

    def _interrupt(self) -> None:
        pass

    def _end(self, told: Sequence[Told], is_over: bool) -> None:
        del told, is_over
        self._parent.send({"ended": None})
        gc.unfreeze()
        gc.enable()
