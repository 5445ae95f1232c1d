"""What a method of tuning must offer."""

from __future__ import annotations

from typing import Protocol


class Method(Protocol):
    """Proposes what to try and learns from the scores. Trials are numbered from 0 and may end in any order."""

    def ask(self, number: int) -> tuple[list[float], list[float] | None]:
        """Return the places of the two players to compare; None stands for the opponent that the plan names."""
        ...

    def tell(self, number: int, first: list[float], second: list[float] | None, score: float) -> None:
        """Learn that `first` scored this much, 0 to 1, against `second`."""
        ...

    def best(self) -> list[float]:
        """Return the places that are best by what is known."""
        ...
