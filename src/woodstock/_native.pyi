"""Types of the native core."""

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
def __getattr__(name: str) -> Any: ...
