"""Types of the native core."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# atom_count, heads, body_offsets, bodies
Rules = tuple[int, NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]

def read_aspif(data: bytes) -> tuple[Rules, bytes, NDArray[np.int32]]: ...
def prune_rules(
    atom_count: int,
    heads: NDArray[np.int32],
    body_offsets: NDArray[np.int64],
    bodies: NDArray[np.int32],
    roots: NDArray[np.int32],
) -> tuple[Rules, NDArray[np.int32]]: ...

class Circuit:
    @property
    def stats(self) -> dict[str, Any]: ...

def make_circuit(
    role_count: int,
    atom_count: int,
    heads: NDArray[np.int32],
    body_offsets: NDArray[np.int64],
    bodies: NDArray[np.int32],
    fluent_atoms: NDArray[np.int32],
    move_atoms: NDArray[np.int32],
    move_roles: NDArray[np.int32],
    legal: NDArray[np.int32],
    next: NDArray[np.int32],
    terminal: int,
    goals: Sequence[tuple[int, int, int]],
    sees: NDArray[np.int32],
    sees_roles: NDArray[np.int32],
    initial: NDArray[np.int32],
    fluent_names: Sequence[str],
    use_invariants: bool = True,
    use_phases: bool = True,
) -> Circuit: ...

class Stepper:
    def __init__(self, circuit: Circuit) -> None: ...
    def load(self, state: bytes) -> None: ...
    def is_terminal(self) -> bool: ...
    def legal(self, role: int) -> list[int]: ...
    def goals(self) -> list[list[int]]: ...
    def next(self, moves: Sequence[int]) -> bytes: ...
    def sees(self, moves: Sequence[int], role: int) -> list[int]: ...
    def playouts(self, state: bytes, count: int, seed: int, max_steps: int) -> dict[str, Any]: ...

class Batch:
    def __init__(self, circuit: Circuit, backend: str = "auto") -> None: ...
    @property
    def backend(self) -> str: ...
    def playouts(
        self, states: Sequence[bytes], counts: Sequence[int], seed: int, threads: int, max_steps: int, seconds: float
    ) -> dict[str, Any]: ...
    def inspect(
        self, states: Sequence[bytes], moves: Sequence[Sequence[int]]
    ) -> list[tuple[bool, list[int], list[int], bytes | None] | None]: ...
