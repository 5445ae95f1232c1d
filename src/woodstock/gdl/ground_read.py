"""gringo's output as a `GroundProgram`: names are decoded, unused atoms dropped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from woodstock import _native
from woodstock.gdl.asp import Emitter
from woodstock.gdl.ground_program import GroundProgram, Int32, Int64
from woodstock.gdl.order import natural_key

# atom_count, heads, body_offsets, bodies
_Rules = tuple[int, Int32, Int64, Int32]


def read_ground(data: bytes, emitter: Emitter, roles: tuple[str, ...]) -> GroundProgram:
    """Return the ground program that gringo made of an emitter's text."""
    rules, names, name_atoms = _native.read_aspif(data)
    outputs = _Outputs(emitter, names.decode("ascii").splitlines(), name_atoms)
    atom_count, heads, body_offsets, bodies = rules
    always = atom_count + 1
    if outputs.has_always:
        heads = np.append(heads, np.int32(always))
        body_offsets = np.append(body_offsets, body_offsets[-1])
        outputs.replace_always(always)
    roots = np.unique(np.fromiter(outputs.atoms(), dtype=np.int32))
    pruned, renumbered = _native.prune_rules(always, heads, body_offsets, bodies, roots)
    return _assemble(roles, outputs, pruned, renumbered)


class _Outputs:
    """The shown atoms by predicate, arguments as KIF. An atom of -1 is always true."""

    def __init__(self, emitter: Emitter, names: Sequence[str], atoms: Int32) -> None:
        self.has_always = bool((atoms < 0).any())
        rows: dict[str, list[tuple[str, str, int]]] = {letter: [] for letter in "itdlnegs"}
        derived: list[tuple[str, int]] = []
        for name, atom in zip(names, atoms.tolist(), strict=True):
            if name[0] == "p":
                derived.append((name, atom))
                continue
            first, _, second = name[2:-1].partition(",") if name[0] in "dlgs" else (name[2:-1], "", "")
            rows[name[0]].append((first, second, atom))
        # The same terms come up under several predicates and roles; each is decoded once.
        terms = list(dict.fromkeys(term for found in rows.values() for row in found for term in row[:2]))
        text = dict(zip(terms, emitter.decode(terms), strict=True))
        self.derived = _derived_names(emitter, derived)
        self.rows = {letter: [(text[a], text[b], atom) for a, b, atom in found] for letter, found in rows.items()}

    def replace_always(self, always: int) -> None:
        for letter, rows in self.rows.items():
            self.rows[letter] = [(a, b, always if atom < 0 else atom) for a, b, atom in rows]

    def atoms(self) -> list[int]:
        """Return the atoms to keep; `init` is needed for its names only."""
        return [atom for letter, rows in self.rows.items() if letter != "i" for _, _, atom in rows]

    def unary(self, letter: str) -> dict[str, int]:
        return {term: atom for term, _, atom in self.rows[letter]}

    def by_role(self, letter: str, roles: Sequence[str]) -> list[dict[str, int]]:
        """Return the rows of a binary predicate for each role; rows whose first argument is not a role are ignored."""
        found: dict[str, dict[str, int]] = {role: {} for role in roles}
        for role, value, atom in self.rows[letter]:
            if role in found:
                found[role][value] = atom
        return [found[role] for role in roles]


def helper_name(predicate: str) -> str:
    """Return the name of a predicate without spaces: those that rewriting makes have spaces, and get a $ instead.

    >>> helper_name("line"), helper_name(" relaxed line")
    ('line', '$relaxed_line')
    """
    return "$" + predicate.strip().replace(" ", "_") if " " in predicate else predicate


def _derived_names(emitter: Emitter, shown: Sequence[tuple[str, int]]) -> dict[int, str]:
    """Return the atoms of other predicates as KIF; those that always hold have no number."""
    predicates = {name: helper_name(functor) for (functor, _), name in emitter.predicates.items()}
    parts = [(*name.rstrip(")").partition("("), atom) for name, atom in shown if atom > 0]
    if not parts:
        return {}
    # `rstrip` also removed the closing brackets of the last argument: add them again.
    terms = emitter.decode([text + ")" * (text.count("(") - text.count(")")) for _, _, text, _ in parts])
    return {
        atom: f"({predicates[name]} {term})" if term else predicates[name]
        for (name, _, _, atom), term in zip(parts, terms, strict=True)
    }


def _assemble(roles: tuple[str, ...], outputs: _Outputs, pruned: _Rules, renumbered: Int32) -> GroundProgram:
    new = renumbered.tolist()
    true, following = outputs.unary("t"), outputs.unary("n")
    fluents = sorted(true, key=natural_key)
    index = {fluent: i for i, fluent in enumerate(fluents)}
    does, legal = outputs.by_role("d", roles), outputs.by_role("l", roles)
    moves = tuple(tuple(sorted(role_moves, key=natural_key)) for role_moves in does)
    goals: list[tuple[int, int, int]] = []
    for role, values in enumerate(outputs.by_role("g", roles)):
        # A value outside 0..100 is no goal; the checker reports it if it can see it.
        numbers = {int(v): new[atom] for v, atom in values.items() if v.isdecimal() and int(v) <= 100}
        goals += [(role, value, numbers[value]) for value in sorted(numbers)]
    sees: list[tuple[int, str, int]] = []
    for role, percepts in enumerate(outputs.by_role("s", roles)):
        sees += [(role, percept, new[percepts[percept]]) for percept in sorted(percepts, key=natural_key)]
    atom_count, heads, body_offsets, bodies = pruned
    return GroundProgram(
        roles=roles,
        fluents=tuple(fluents),
        moves=moves,
        initial=tuple(sorted(index[f] for f in outputs.unary("i") if f in index)),
        atom_count=atom_count,
        heads=heads,
        body_offsets=body_offsets,
        bodies=bodies,
        fluent_atoms=np.array([new[true[f]] for f in fluents], dtype=np.int32),
        move_atoms=np.array([new[does[r][m]] for r, ms in enumerate(moves) for m in ms], dtype=np.int32),
        legal=np.array([new[legal[r].get(m, 0)] for r, ms in enumerate(moves) for m in ms], dtype=np.int32),
        next=np.array([new[following.get(f, 0)] for f in fluents], dtype=np.int32),
        terminal=next((new[atom] for _, _, atom in outputs.rows["e"]), 0),
        goals=tuple(goals),
        sees=tuple(sees),
        atom_names={new[atom]: name for atom, name in outputs.derived.items() if new[atom]},
    )
