"""Errors of instance files, and a memory budget against hostile files."""

from __future__ import annotations

from woodstock.errors import ModelError


class InstanceError(ModelError):
    """An instance file is wrong; `path`, `line` and `column` (from 1; 0 if not known) are its place."""

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        self.path, self.line, self.column, self.message = path, line, column, message
        place = "".join(f":{number}" for number in (line, column) if number)
        super().__init__(f"{path}{place}: {message}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, self.line, self.column, self.message)


class OverBudget(Exception):
    """The budget is spent; a caller that knows the place turns it into an `InstanceError`."""


class Budget:
    """Counts the bytes that a file needs, before they are allocated."""

    def __init__(self, memory_mb: float) -> None:
        self.limit = self.left = int(memory_mb * 2**20)

    def take(self, size: int) -> None:
        """Count `size` bytes."""
        self.left -= size
        if self.left < 0:
            raise OverBudget(
                f"this needs more than the {self.limit >> 20:,} MiB that the file may take; "
                "raise memory_mb (--memory-mb) if the file is to be trusted"
            )
