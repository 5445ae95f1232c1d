"""What the rules say without play: static relations, the orders they give to symbols, and names of variables.

Comes in: a `Program`. Goes out: the rows of its static relations, computed up to a size limit, and chains:
`(succ 1 2) (succ 2 3)` or `(nextcol a b) (nextcol b c)`, found by their shape, not by their name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from woodstock.errors import GameError
from woodstock.gdl.ast import KEYWORDS, Atom, Function, Program
from woodstock.gdl.demand import TableLimit
from woodstock.gdl.normalise import normalise
from woodstock.gdl.relations import STATIC, Model, RowLimit, Rules
from woodstock.view.terms import fact, natural

Relations = Mapping[tuple[str, int], frozenset[tuple[str, ...]]]

# Adjacency on a board of 20 by 20 has 3,200 rows. Larger relations are arithmetic and of no use here.
MAX_ROWS = 20_000
MIN_ARITY, MAX_ARITY = 2, 6
MIN_CHAIN = 3


def static_relations(program: Program) -> Relations:
    """Return the rows of every static relation of plain symbols that is small enough."""
    rules = Rules(normalise(program))
    model = Model(rules, STATIC, limit=MAX_ROWS)
    found: dict[tuple[str, int], frozenset[tuple[str, ...]]] = {}
    for name, arity in sorted(rules.clauses):
        if name.lower() in KEYWORDS or not MIN_ARITY <= arity <= MAX_ARITY or rules.layer.get((name, arity)) != STATIC:
            continue
        try:
            rows = model.rows((name, arity))
        except (RowLimit, TableLimit, GameError):
            continue  # too large, or without a meaning: the picture does not need it
        plain = frozenset(tuple(map(str, row)) for row in rows if all(isinstance(symbol, str) for symbol in row))
        if plain:
            found[name, arity] = plain
    return found


def variable_names(program: Program) -> dict[tuple[str, int], str]:
    """Return the first variable at each position of each fluent, by the fluent's name and the position.

    `(cell ?row ?column ?piece)` says which way a board lies.
    """
    names: dict[tuple[str, int], str] = {}
    for node in program.nodes():
        match node:
            case Atom(name="true" | "next" | "init" | "base", args=(Function() as term,)):
                one = fact(str(term))
                for position, symbol in enumerate(one.args):
                    if symbol.startswith("?"):
                        names.setdefault((one.name, position), symbol[1:])
    return names


def chains(relations: Relations) -> tuple[tuple[str, ...], ...]:
    """Return the orders that binary relations give to their symbols, longest first.

    A relation that leads from each symbol to at most one other, and to each from at most one, is a set of chains. A
    circle (a board on a cylinder) is opened before its first symbol.
    """
    found: set[tuple[str, ...]] = set()
    for (_, arity), rows in relations.items():
        if arity == 2 and len(rows) <= MAX_ROWS:
            found.update(chain for chain in _chains(rows) if len(chain) >= MIN_CHAIN)
    # Downwards is an order too: if both are given, use the one that counts up.
    rising = {chain for chain in found if tuple(reversed(chain)) not in found or natural(chain[0]) < natural(chain[-1])}
    return tuple(sorted(rising, key=lambda chain: (-len(chain), chain)))


def _chains(rows: Iterable[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    after: dict[str, set[str]] = defaultdict(set)
    before: dict[str, set[str]] = defaultdict(set)
    for first, second in rows:
        if first != second:
            after[first].add(second)
            before[second].add(first)
    if any(len(others) > 1 for others in (*after.values(), *before.values())):
        return
    symbols = sorted({*after, *before}, key=natural)
    left = set(symbols)
    for start in [*(symbol for symbol in symbols if symbol not in before), *symbols]:
        if start not in left:
            continue
        chain = []
        symbol: str | None = start
        while symbol is not None and symbol in left:
            chain.append(symbol)
            left.discard(symbol)
            symbol = next(iter(after.get(symbol, ())), None)
        yield tuple(chain)
