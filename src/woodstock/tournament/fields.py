"""The fields of a plan: typed access with defaults that collects every problem instead of stopping at the first."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from woodstock.tournament.toml_lines import Lines, Path


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and in which line."""

    line: int
    message: str


class Fields:
    """One table of a plan. Sub-tables share its list of problems."""

    def __init__(
        self, value: dict[str, Any], lines: Lines, path: Path = (), problems: list[Problem] | None = None
    ) -> None:
        self._value, self._lines, self._path = value, lines, path
        self.problems: list[Problem] = [] if problems is None else problems
        self._known: set[str] = set()
        self._children: list[Fields] = []

    def problem(self, key: str, message: str) -> None:
        """Note a problem with a key."""
        name = ".".join(str(part) for part in (*self._path, key) if not isinstance(part, int))
        self.problems.append(Problem(self._lines[(*self._path, key)], f"{name}: {message}"))

    def refuse_unknown(self) -> None:
        """Note every unknown key: a typing error must not be ignored."""
        for key in self._value:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, n=1)
                hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(sorted(self._known))}"
                self.problem(key, f"there is no such key{hint}")
        for child in self._children:
            child.refuse_unknown()

    def _get(self, key: str, default: Any) -> Any:
        self._known.add(key)
        return self._value.get(key, default)

    def any(self, key: str, default: Any) -> Any:
        """Return a value of any kind."""
        return self._get(key, default)

    def text(self, key: str, default: str | None) -> str:
        """Return a text; without a default it is required."""
        found = self._get(key, default)
        if found is None:
            self.problem(key, "is missing")
            return ""
        if not isinstance(found, str) or not found.strip():
            self.problem(key, f"must be a text, not {found!r}")
            return default or ""
        return found

    def number(self, key: str, default: float, least: float = -math.inf) -> float:
        """Return a number."""
        found = self._get(key, default)
        if not _is_number(found):
            self.problem(key, f"must be a number, not {found!r}")
            return default
        if found < least:
            self.problem(key, f"must be at least {least:g}, not {found:g}")
            return default
        return float(found)

    def whole(self, key: str, default: int, least: int) -> int:
        """Return a whole number."""
        found = self._get(key, default)
        if isinstance(found, bool) or not isinstance(found, int):
            self.problem(key, f"must be a whole number, not {found!r}")
            return default
        if found < least:
            self.problem(key, f"must be at least {least}, not {found}")
            return default
        return found

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        found = self._get(key, default)
        if not isinstance(found, bool):
            self.problem(key, f"must be true or false, not {found!r}")
            return default
        return found

    def choice(self, key: str, default: str, options: Sequence[str]) -> str:
        """Return one of several words."""
        found = self.text(key, default)
        if found not in options:
            near = difflib.get_close_matches(found, options, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            self.problem(key, f"must be one of {', '.join(options)}, not '{found}'{hint}")
            return default
        return found

    def texts(self, key: str, default: list[str]) -> list[str]:
        """Return a list of texts."""
        found = self._get(key, default)
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            self.problem(key, f"must be a list of texts, not {found!r}")
            return default
        return found

    def numbers(self, key: str, default: tuple[float, ...], least: float = -math.inf) -> tuple[float, ...]:
        """Return a list of different numbers."""
        found = self._get(key, default)
        if isinstance(found, tuple):
            return found
        are_numbers = isinstance(found, list) and all(map(_is_number, found))
        if not are_numbers or not found or min(found) < least or len(set(found)) < len(found):
            self.problem(key, f"must be a list of different numbers, at least {least:g}, not {found!r}")
            return default
        return tuple(float(one) for one in found)

    def numbers_or_one(self, key: str) -> tuple[float, ...]:
        """Return a list of numbers, or a single number as a list."""
        found = self._get(key, ())
        listed = found if isinstance(found, list) else [found]
        if not all(map(_is_number, listed)):
            self.problem(key, f"must be a number or a list of numbers, not {found!r}")
            return ()
        return tuple(float(one) for one in listed)

    def names(self) -> list[str]:
        """Return the keys that the table has."""
        return list(self._value)

    def at(self, key: str, index: int) -> Fields:
        """Return an empty table for an element of a list: all its fields have their defaults."""
        return Fields({}, self._lines, (*self._path, key), self.problems)

    def table(self, key: str) -> Fields | None:
        """Return a sub-table, or None if there is none."""
        found = self._get(key, None)
        if found is None:
            return None
        if not isinstance(found, dict):
            self.problem(key, f"must be a table: [{key}]")
            return None
        child = Fields(found, self._lines, (*self._path, key), self.problems)
        self._children.append(child)
        return child

    def tables(self, key: str) -> list[Fields]:
        """Return the tables of an array."""
        found = self._get(key, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            self.problem(key, f"must be tables: [[{key}]]")
            return []
        children = [Fields(one, self._lines, (*self._path, key, i), self.problems) for i, one in enumerate(found)]
        self._children += children
        return children


def _is_number(value: object) -> bool:
    """Return whether a value of TOML is a finite number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
