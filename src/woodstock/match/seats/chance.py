"""Seats that need no thought: a random legal move, or always the first one."""

from __future__ import annotations

import random

from woodstock.game.state import State
from woodstock.match.seat import LocalSeat, Reply, Task


class RandomSeat(LocalSeat):
    """Makes a uniformly random legal move."""

    name = "random"

    def start(self, task: Task, deadline: float) -> None:
        """Seed the choices."""
        super().start(task, deadline)
        self._chance = random.Random(task.seed)

    def play(self, state: State, deadline: float) -> Reply:
        """Return a random legal move."""
        del deadline
        return Reply(self._chance.choice(state.legal(self.task.role)))


class LegalSeat(LocalSeat):
    """Makes the first legal move."""

    name = "legal"

    def play(self, state: State, deadline: float) -> Reply:
        """Return the first legal move."""
        del deadline
        return Reply(state.legal(self.task.role)[0])
