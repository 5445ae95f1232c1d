"""aspif, gringo's output format, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from woodstock.errors import WoodstockError
from woodstock.gdl.ground_program import Int32, Int64


@dataclass(frozen=True, eq=False)
class Aspif:
    """The normal rules and the shown atoms; `name_atoms` has -1 for what is always true. Choices are left out."""

    atom_count: int
    heads: Int32
    body_offsets: Int64
    bodies: Int32
    names: list[str]
    name_atoms: list[int]


def read_aspif(data: bytes) -> Aspif:
    """Read what gringo wrote."""
    heads: list[int] = []
    offsets = [0]
    bodies: list[int] = []
    names: list[str] = []
    name_atoms: list[int] = []
    for line in data.split(b"\n"):
        if line.startswith(b"1 0 1 "):
            numbers = line.split()
            heads.append(int(numbers[3]))
            bodies.extend(map(int, numbers[6:]))
            offsets.append(len(bodies))
        elif line.startswith(b"4 "):
            _, _, name, count, *atoms = line.split()
            names.append(name.decode())
            name_atoms.append(int(atoms[0]) if count == b"1" else -1)
        elif line[:4] not in (b"asp ", b"1 1 ", b"0", b""):
            raise WoodstockError(f"unexpected line from clingo: {line[:80]!r}")
    inputs = [int(line.split()[3]) for line in data.split(b"\n") if line.startswith(b"1 1 ")]
    top = max([*heads, *map(abs, bodies), *inputs], default=0)
    return Aspif(
        top,
        np.array(heads, dtype=np.int32),
        np.array(offsets, dtype=np.int64),
        np.array(bodies, dtype=np.int32),
        names,
        name_atoms,
    )
