"""The fluents of one name, with what was seen of them in some states: which symbols decide which others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from woodstock.view.terms import Cut, fact, ordered_axis

MAX_AXIS = 40

Args = tuple[str, ...]


class Group:
    """All fluents of one name and length, `key`. `states` holds those seen together.

    `live` are the positions that vary, `axes` those of them whose symbols have an order.
    """

    def __init__(
        self,
        key: tuple[str, int],
        rows: tuple[Args, ...],
        states: tuple[tuple[Args, ...], ...],
        chains: tuple[tuple[str, ...], ...],
        roles: frozenset[str],
        cut: Cut | None = None,
    ) -> None:
        self.key, self.rows, self.states, self.cut = key, rows, states, cut
        self._chains, self._roles = chains, roles
        domains = [set(column) for column in zip(*rows, strict=True)]
        self.live = tuple(i for i, domain in enumerate(domains) if len(domain) > 1)
        self.axes: dict[int, tuple[str, ...]] = {
            i: axis
            for i in self.live
            if len(domains[i]) <= MAX_AXIS
            and not self.is_role(i)
            and (axis := ordered_axis(domains[i], chains)) is not None
        }

    def domain(self, position: int) -> set[str]:
        """Return the symbols that stand at a position."""
        return {args[position] for args in self.rows}

    def decides(self, keys: Sequence[int]) -> bool:
        """Return whether no two facts seen together agree on these positions."""
        return all(len({tuple(args[i] for i in keys) for args in held}) == len(held) for held in self.states)

    def is_total(self, key: int) -> bool:
        """Return whether every symbol of a position was there in every state seen."""
        domain = self.domain(key)
        return bool(self.states) and all({args[key] for args in held} == domain for held in self.states)

    def most_together(self) -> int:
        """Return the largest number of facts seen in one state."""
        return max(map(len, self.states), default=0)

    def is_role(self, position: int) -> bool:
        """Return whether a position holds roles only."""
        return {symbol.lower() for symbol in self.domain(position)} <= self._roles

    def taken_apart(self, cut: Cut) -> Group:
        """Return the group with one symbol as two coordinates."""
        rows = tuple(cut.apart(args) for args in self.rows)
        states = tuple(tuple(cut.apart(args) for args in held) for held in self.states)
        return Group(self.key, rows, states, self._chains, self._roles, cut)


def groups(
    fluents: Iterable[str],
    states: Sequence[Collection[str]],
    chains: tuple[tuple[str, ...], ...],
    roles: Iterable[str],
) -> list[Group]:
    """Return the fluents by name and number of symbols, in the order of their names; those without symbols left out."""
    rows: dict[tuple[str, int], list[Args]] = defaultdict(list)
    for one in map(fact, fluents):
        if one.args:
            rows[one.key].append(one.args)
    seen: dict[tuple[str, int], list[list[Args]]] = {key: [[] for _ in states] for key in rows}
    for number, state in enumerate(states):
        for one in map(fact, state):
            if one.key in seen:
                seen[one.key][number].append(one.args)
    names = frozenset(role.lower() for role in roles)
    return [
        Group(key, tuple(rows[key]), tuple(map(tuple, seen[key])), chains, names)
        for key in sorted(rows, key=lambda key: (key[0].lower(), key))
    ]
