"""The fields of a plan: typed access with defaults that collects every problem instead of stopping at the first."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
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

    def _get(self, key: str, default: Any, is_right: Callable[[Any], bool], kind: str) -> Any:
        """Return a value, or the default if there is none or it is not of that kind, which is a problem."""
        self._known.add(key)
        if key not in self._value:
            return default
        found = self._value[key]
        if is_right(found):
            return found
        self.problem(key, f"must be {kind}, not {found!r}")
        return default

    def _at_least(self, key: str, default: float, least: float, is_right: Callable[[Any], bool], kind: str) -> Any:
        found = self._get(key, default, is_right, kind)
        if found >= least:
            return found
        self.problem(key, f"must be at least {least:g}, not {found}")
        return default

    def text(self, key: str, default: str | None) -> str:
        """Return a text; without a default it is required."""
        found: str | None = self._get(key, default, lambda one: isinstance(one, str) and bool(one.strip()), "a text")
        if found is None and key not in self._value:
            self.problem(key, "is missing")
        return found or ""

    def number(self, key: str, default: float, least: float = -math.inf) -> float:
        """Return a number."""
        return float(self._at_least(key, default, least, _is_number, "a number"))

    def number_if_given(self, key: str, least: float = -math.inf) -> float | None:
        """Return a number, or None if the table does not have the key."""
        found = self.number(key, max(0.0, least), least)
        return found if key in self._value else None

    def whole(self, key: str, default: int, least: int) -> int:
        """Return a whole number."""
        found: int = self._at_least(key, default, least, lambda one: type(one) is int, "a whole number")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        return bool(self._get(key, default, lambda one: isinstance(one, bool), "true or false"))

    def choice(self, key: str, default: str, options: Sequence[str]) -> str:
        """Return one of several words."""
        found = self.text(key, default)
        if found not in options:
            near = difflib.get_close_matches(found, options, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            self.problem(key, f"must be one of {', '.join(options)}, not '{found}'{hint}")
            return default
        return found

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; an empty one if there is none."""
        found: list[str] = self._get(
            key, [], lambda one: _is_list(one, lambda text: isinstance(text, str)), "a list of texts"
        )
        return found

    def different_numbers(self, key: str, least: float) -> tuple[float, ...]:
        """Return a list of different numbers; an empty one if there is none."""

        def is_right(found: Any) -> bool:
            return _is_list(found, _is_number) and len(set(found)) == len(found) > 0 and min(found) >= least

        kind = f"a list of different numbers, at least {least:g}"
        return tuple(float(one) for one in self._get(key, (), is_right, kind))

    def whole_numbers(self, key: str, least: int) -> tuple[int, ...]:
        """Return a list of different whole numbers; an empty one if there is none."""

        def is_right(found: Any) -> bool:
            is_whole = _is_list(found, lambda one: type(one) is int)
            return is_whole and len(set(found)) == len(found) and min(found, default=least) >= least

        return tuple(self._get(key, (), is_right, f"a list of different whole numbers, at least {least}"))

    def between(self, key: str, least: float) -> tuple[float, float] | None:
        """Return two numbers, the smaller first, or None if the table does not have the key."""

        def is_right(found: Any) -> bool:
            return _is_list(found, _is_number) and len(found) == 2 and least <= found[0] <= found[1]

        found = self._get(key, None, is_right, f"two numbers from the least to the greatest, at least {least:g}")
        return None if found is None else (float(found[0]), float(found[1]))

    def numbers_or_one(self, key: str) -> tuple[float, ...]:
        """Return a list of numbers, or a single number as a list."""
        kind = "a number or a list of numbers"
        found = self._get(key, [], lambda one: _is_number(one) or _is_list(one, _is_number), kind)
        return tuple(float(one) for one in (found if isinstance(found, list) else [found]))

    def names(self) -> list[str]:
        """Return the keys that the table has."""
        return list(self._value)

    def element(self, key: str) -> Fields:
        """Return an empty table for an element of a list: all its fields have their defaults."""
        return Fields({}, self._lines, (*self._path, key), self.problems)

    def table(self, key: str) -> Fields | None:
        """Return a sub-table, or None if there is none."""
        found = self._get(key, None, lambda one: isinstance(one, dict), f"a table, [{key}]")
        return None if found is None else self._child(found, key)

    def tables(self, key: str) -> list[Fields]:
        """Return the tables of an array."""
        kind = f"tables, [[{key}]]"
        found = self._get(key, [], lambda one: _is_list(one, lambda table: isinstance(table, dict)), kind)
        return [self._child(one, key, index) for index, one in enumerate(found)]

    def _child(self, value: dict[str, Any], *path: str | int) -> Fields:
        child = Fields(value, self._lines, (*self._path, *path), self.problems)
        self._children.append(child)
        return child


def _is_number(value: object) -> bool:
    """Return whether a value of TOML is a finite number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_list(value: object, is_right: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(is_right, value))
