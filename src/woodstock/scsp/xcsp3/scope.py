"""Variables of an instance: domains, arrays, and the lists of them that constraints name.

``x[2]``, ``x[1..3][]`` and ``x[]`` name cells of arrays; a cell without a domain is not a variable, and lists
skip it.
"""

from __future__ import annotations

import difflib
import itertools
import math
import re
from collections.abc import Iterator, Sequence

from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.network import Network
from woodstock.scsp.xcsp3.error import Budget, InstanceError, OverBudget
from woodstock.scsp.xcsp3.markup import Element

_VALUE_BYTES = 160  # a value in a tuple and in a dictionary of positions
_VARIABLE_BYTES = 1000
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_CELL = re.compile(r"([A-Za-z][A-Za-z0-9_]*)((?:\[[^\[\]]*\])*)\Z")
_RANGE = re.compile(r"([+-]?\d+)(?:\.\.([+-]?\d+))?\Z")
_SIZE = re.compile(r"(?:\[\d{1,9}\])+\Z")
_LARGEST = 2**31 - 2


class Arrays:
    """The variables and arrays of an instance by their ids."""

    def __init__(self, network: Network, budget: Budget) -> None:
        self.network, self.budget = network, budget
        self.single: dict[str, Variable] = {}
        # For each array its size and its variables in row-major order, none if a cell has no domain.
        self.arrays: dict[str, tuple[list[int], list[Variable | None]]] = {}
        self.domains: dict[str, tuple[int, ...]] = {}

    # Declarations

    def declare(self, element: Element) -> None:
        """Read one ``<var>`` or ``<array>``."""
        name = element.attribute("id")
        if not _ID.match(name):
            raise element.error(f"{name!r} is not an identifier: a letter, then letters, digits and _")
        if name in self.single or name in self.arrays:
            raise element.error(f"the id {name} is taken")
        kind = element.attributes.get("type", "integer")
        if kind != "integer":
            raise element.error(f"{name} is of type {kind}; only integer variables are read")
        try:
            if element.tag == "var":
                values = self._domain(element, name)
                self.domains[name] = values
                self.single[name] = self._add(element, name, values)
            else:
                self._declare_array(element, name)
        except OverBudget as error:
            raise element.error(f"{name}: {error}") from None

    def _declare_array(self, element: Element, name: str) -> None:
        size_text = element.attribute("size").replace(" ", "")
        if not _SIZE.match(size_text):
            raise element.error(f"{name}: the size {size_text!r} is not of the form [3][4]")
        size = [int(part) for part in size_text[1:-1].split("][")]
        if element.attributes.get("startIndex", "0").strip() not in ("0", ""):
            raise element.error(f"{name}: startIndex other than 0 is not part of XCSP3-core")
        cells = math.prod(size)
        if cells == 0:
            raise element.error(f"{name}: the size {size_text} leaves no variable")
        self.budget.take(cells * 8)
        parts = list(element.all_with("domain"))
        domains: list[tuple[int, ...] | None] = [None] * cells
        if not parts:
            values = self._domain(element, name)
            domains = [values] * cells
            self.domains[name] = values
        for part in parts:
            values = self._values(part, name)
            for words in part.attribute("for").split():
                if words == "others":
                    domains = [values if known is None else known for known in domains]
                    continue
                match = _CELL.match(words)
                if match is None or match[1] != name:
                    raise part.error(f"{words!r} names no cells of {name}")
                for cell in _cells(part, name, size, match[2]):
                    domains[cell] = values
        places = itertools.product(*(range(extent) for extent in size))
        found: list[Variable | None] = []
        for place, values_or_none in zip(places, domains, strict=True):
            label = name + "".join(f"[{index}]" for index in place)
            found.append(None if values_or_none is None else self._add(element, label, values_or_none))
        self.arrays[name] = size, found

    def _domain(self, element: Element, name: str) -> tuple[int, ...]:
        alias = element.attributes.get("as")
        if alias is None:
            return self._values(element, name)
        if alias.strip() not in self.domains:
            raise element.error(f"{name}: as={alias!r} names no variable or array before it")
        return self.domains[alias.strip()]

    def _values(self, element: Element, name: str) -> tuple[int, ...]:
        values: list[int] = []
        for word in element.text.split():
            low, high = read_range(word, element, f"the domain of {name}")
            self.budget.take((high - low + 1) * _VALUE_BYTES)
            values.extend(range(low, high + 1))
        if not values:
            raise element.error(f"the domain of {name} is empty; give at least one value")
        return tuple(values)

    def _add(self, element: Element, name: str, values: tuple[int, ...]) -> Variable:
        self.budget.take(_VARIABLE_BYTES + len(values) * _VALUE_BYTES)
        try:
            return self.network.decision(name, values, stage=1)
        except ModelError as error:
            raise element.error(str(error)) from None

    # Use

    def find(self, word: str, element: Element) -> list[Variable]:
        """Return the variables that one word names."""
        match = _CELL.match(word)
        if match is None:
            raise element.error(f"{word!r} is not a variable or a list of variables")
        name, indices = match.groups()
        if not indices:
            found = self.single.get(name)
            if found is not None:
                return [found]
        if name not in self.arrays:
            raise self._unknown(name, element)
        size, cells = self.arrays[name]
        picked = [cells[place] for place in _cells(element, name, size, indices)] if indices else list(cells)
        result = [variable for variable in picked if variable is not None]
        if not result:
            raise element.error(f"{word} has no domain: it is not a variable")
        self.take(len(result) * 16, element)
        return result

    def one(self, word: str, element: Element) -> Variable:
        """Return the variable that a word names."""
        found = self.find(word, element)
        if len(found) != 1:
            raise element.error(f"{word} names {len(found)} variables; one is expected")
        return found[0]

    def scope(self, element: Element) -> list[Variable]:
        """Return the variables that the text of an element lists."""
        return [variable for word in element.text.split() for variable in self.find(word, element)]

    def take(self, size: int, element: Element) -> None:
        """Count memory that an element needs."""
        try:
            self.budget.take(size)
        except OverBudget as error:
            raise element.error(str(error)) from None

    def _unknown(self, name: str, element: Element) -> InstanceError:
        near = difflib.get_close_matches(name, [*self.single, *self.arrays], n=1)
        return element.error(f"no variable {name}" + (f"; did you mean {near[0]}?" if near else ""))


def read_range(word: str, element: Element, what: str) -> tuple[int, int]:
    """Return the bounds of ``3`` or ``0..5``."""
    match = _RANGE.match(word)
    if match is None or len(word) > 48:
        raise element.error(f"{what}: {word[:40]!r} is not an integer or a range such as 0..5")
    low = int(match[1])
    high = low if match[2] is None else int(match[2])
    if low > high:
        raise element.error(f"{what}: the range {word} is empty")
    if max(abs(low), abs(high)) > _LARGEST:
        raise element.error(f"{what}: {word} is beyond the 32 bits of integers")
    return low, high


def _cells(element: Element, name: str, size: Sequence[int], indices: str) -> Iterator[int]:
    """Yield the places, in row-major order, of the cells that indices such as [1..2][] name."""
    parts = [part.strip() for part in indices[1:-1].split("][")]
    if len(parts) != len(size):
        raise element.error(f"{name}{indices} has {len(parts)} indices; {name} has {len(size)} dimensions")
    spans = []
    for part, extent in zip(parts, size, strict=True):
        low, high = (0, extent - 1) if not part else read_range(part, element, f"{name}{indices}")
        if low < 0 or high >= extent:
            raise element.error(f"{name}{indices} is outside the array: the index goes from 0 to {extent - 1}")
        spans.append(range(low, high + 1))
    for place in itertools.product(*spans):
        cell = 0
        for index, extent in zip(place, size, strict=True):
            cell = cell * extent + index
        yield cell
