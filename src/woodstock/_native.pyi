"""Types of the native core."""

from collections.abc import Callable, Sequence
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

class Outcome:
    """What an enumeration or a count came to."""

    @property
    def rows(self) -> NDArray[np.int32] | None: ...
    @property
    def count(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def is_complete(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def failures(self) -> int: ...
    @property
    def propagations(self) -> int: ...
    @property
    def cpu_seconds(self) -> float: ...
    def __len__(self) -> int: ...

class Batches:
    """Solutions in arrays of int32 [rows, variables], found while one reads."""

    def __iter__(self) -> Batches: ...
    def __next__(self) -> NDArray[np.int32]: ...
    def __enter__(self) -> Batches: ...
    def __exit__(self, *details: object) -> None: ...
    def close(self) -> None: ...
    @property
    def status(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def failures(self) -> int: ...
    @property
    def propagations(self) -> int: ...
    @property
    def cpu_seconds(self) -> float: ...

class Solver:
    def __init__(self, memory_mb: int = 4096) -> None: ...
    @property
    def variable_count(self) -> int: ...
    @property
    def constraint_count(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def is_failed(self) -> bool: ...
    def add_variable(self, values: Sequence[int] | NDArray[np.integer[Any]]) -> int: ...
    def add_table(
        self,
        variables: Sequence[int],
        tuples: NDArray[np.integer[Any]] | Sequence[Sequence[int]],
        is_allowed: bool = True,
        wildcard: int | None = None,
        algorithm: str = "compact-table",
    ) -> None: ...
    def add_clause(
        self, positive: Sequence[tuple[int, int]], negative: Sequence[tuple[int, int]] = ()
    ) -> None: ...
    def add_all_of(
        self,
        result: int | tuple[int, int],
        positive: Sequence[tuple[int, int]],
        negative: Sequence[tuple[int, int]] = (),
    ) -> None: ...
    def add_any_of(
        self,
        result: int | tuple[int, int],
        positive: Sequence[tuple[int, int]],
        negative: Sequence[tuple[int, int]] = (),
    ) -> None: ...
    def add_linear(
        self,
        variables: Sequence[int],
        coefficients: Sequence[int],
        relation: str,
        constant: int,
        reified: int | None = None,
        strength: str = "auto",
    ) -> None: ...
    def add_compare(self, x: int, relation: str, y: int, offset: int = 0, reified: int | None = None) -> None: ...
    def add_plus(self, x: int, y: int, z: int) -> None: ...
    def add_product(self, x: int, y: int, z: int, strength: str = "auto") -> None: ...
    def add_minimum(self, x: int, y: int, z: int, strength: str = "auto") -> None: ...
    def add_maximum(self, x: int, y: int, z: int, strength: str = "auto") -> None: ...
    def add_quotient(self, x: int, y: int, z: int, strength: str = "auto") -> None: ...
    def add_remainder(self, x: int, y: int, z: int, strength: str = "auto") -> None: ...
    def add_absolute(self, x: int, z: int) -> None: ...
    def add_element(
        self, index: int, array: Sequence[int], result: int, is_constant: bool = False
    ) -> None: ...
    def add_all_different(self, variables: Sequence[int]) -> None: ...
    def propagate(self) -> bool: ...
    def singleton_propagate(self) -> bool: ...
    def domain(self, variable: int) -> list[int]: ...
    def push(self) -> None: ...
    def pop(self) -> None: ...
    def assign(self, variable: int, value: int) -> bool: ...
    def remove(self, variable: int, value: int) -> bool: ...
    def enumerate(
        self,
        variables: Sequence[int] | None = None,
        limit: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        memory_mb: int | None = None,
        consistency: str = "mac",
        order: str = "dom/wdeg",
        values: str = "ascending",
    ) -> Outcome: ...
    def batches(
        self,
        variables: Sequence[int] | None = None,
        limit: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        batch_rows: int = 65536,
        consistency: str = "mac",
        order: str = "dom/wdeg",
        values: str = "ascending",
    ) -> Batches: ...
    def count(
        self,
        variables: Sequence[int] | None = None,
        limit: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        consistency: str = "mac",
        order: str = "dom/wdeg",
    ) -> Outcome: ...

class Expander:
    def __init__(self, circuit: Circuit) -> None: ...
    def expand(
        self, state: bytes, limit: int
    ) -> tuple[bool, list[list[int]], NDArray[np.uint32], NDArray[np.uint64], bool]: ...

def implied_fluents(circuit: Circuit, groups: Sequence[Sequence[int]]) -> list[list[int]]: ...
def keeps_exclusive(
    circuit: Circuit,
    role_count: int,
    atom_count: int,
    heads: NDArray[np.int32],
    body_offsets: NDArray[np.int64],
    bodies: NDArray[np.int32],
    fluent_atoms: NDArray[np.int32],
    move_atoms: NDArray[np.int32],
    move_roles: NDArray[np.int32],
    next: NDArray[np.int32],
    groups: Sequence[Sequence[int]],
    families: Sequence[int],
) -> list[bool]: ...

def solve_stochastic(
    hard: Solver | None,
    both: Solver | None,
    levels: list[tuple[int, list[int], bool, list[int], list[Any], Any]],
    soft: list[tuple[list[int], list[Any]]],
    threshold: Sequence[Any],
    one: Any,
    has_satisfaction: bool,
    is_exact: bool,
    is_best: bool,
    consistency: str,
    seconds: float | None = None,
    nodes: int | None = None,
) -> tuple[NDArray[np.int32], list[Any], str, int, int, int]: ...

class NetworkTemplate:
    def arrays(self) -> dict[str, Any]: ...
    def values_of(self, state: bytes) -> list[int]: ...

def encode_network(
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
    fluent_domains: NDArray[np.int32],
    none: NDArray[np.int32],
    fluent_variable: NDArray[np.int32],
    fluent_value: NDArray[np.int32],
    score_values: Sequence[Sequence[int]],
    atom_rows: int,
    output_rows: int,
) -> NetworkTemplate: ...

class TableStage:
    def __init__(
        self,
        template: NetworkTemplate,
        algorithm: str = "compact-table",
        consistency: str = "mac",
        order: str = "input",
        memory_mb: int = 4096,
    ) -> None: ...
    def solve(
        self, state: bytes, limit: int
    ) -> tuple[bool, list[int], NDArray[np.int32], NDArray[np.uint64], bool, int, int, int]: ...
    def domains(self, state: bytes, singleton: bool = True) -> list[list[int]]: ...

class SymmetryGroup:
    """Symmetries of a game as permutations, one row each; the first row is the identity."""

    def __init__(
        self,
        fluents: NDArray[np.uint32],
        moves: NDArray[np.uint32],
        roles: NDArray[np.uint32],
        seed: int = 0,
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    def inverse(self, element: int) -> int: ...
    def hash(self, state: bytes) -> int: ...
    def canonical(self, state: bytes) -> tuple[int, int]: ...
    def apply(self, element: int, state: bytes) -> bytes: ...
    def stabiliser(self, state: bytes) -> list[int]: ...
    def representatives(self, state: bytes, legal_moves: Sequence[int]) -> list[int]: ...

class GameSolver:
    """Exact values of states; -1 for no role of chance and for no single player."""

    def __init__(
        self,
        circuit: Circuit,
        group: SymmetryGroup | None,
        chance: int,
        player: int,
        count_wins: bool,
        alpha_beta: bool,
        most_states: int,
        most_seconds: float,
        memory_mb: int,
    ) -> None: ...
    def solve(
        self, state: bytes
    ) -> tuple[
        str, str, list[tuple[int, int]], list[tuple[int, int, tuple[int, int], bool]], int, int, bool
    ]: ...
    @property
    def table_size(self) -> int: ...
    @property
    def overwritten(self) -> int: ...

class StateSearch:
    """Search over the states of a one-player game; run as often as wanted, stopped from any thread."""

    def __init__(
        self,
        circuit: Circuit,
        atom_count: int,
        heads: NDArray[np.int32],
        body_offsets: NDArray[np.int64],
        bodies: NDArray[np.int32],
        fluent_atoms: NDArray[np.int32],
        next: NDArray[np.int32],
        move_atoms: NDArray[np.int32],
        legal: NDArray[np.int32],
        terminal: int,
        goal_atom: int,
        recursive: NDArray[np.int32] | None,
        start: bytes,
        mask: bytes,
        depth_weight: int,
        distance_weight: int,
        use_novelty: bool,
        is_focused: bool,
        target: int,
        memory_mb: int,
    ) -> None: ...
    def run(self, seconds: float) -> str: ...
    def stop(self) -> None: ...
    @property
    def expanded(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def best_goal(self) -> int: ...
    @property
    def best_plan(self) -> list[int]: ...

# Quantified problems. A prefix entry is (variable, is it universal, its guard).

class QcspChannel:
    def send(self, position: int, first: int, second: int) -> bool: ...
    def ask_for_restart(self) -> bool: ...
    def receive(self, limit: int = 1024) -> list[tuple[str, int, int]]: ...
    def close(self) -> None: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def lost_events(self) -> int: ...

class QcspBus:
    def __init__(self) -> None: ...
    def join(self, wants_trace: bool = True) -> QcspChannel: ...

class QcspEvaluator:
    def __init__(self) -> None: ...
    def add_table(self, columns: int, cells: Sequence[int]) -> int: ...
    def add_program(self, code: Sequence[int], scope: Sequence[int]) -> None: ...
    def holds(self, program: int, values: Sequence[int]) -> bool: ...

class QcspGuide:
    def finish(self) -> dict[str, Any]: ...

def start_mc_guide(
    domains: Sequence[Sequence[int]],
    evaluator: QcspEvaluator,
    channel: QcspChannel,
    temperature: float = 4.5,
    frequency: int = 1000,
    seed: int = 0,
) -> QcspGuide: ...
def start_frontier_guide(
    solver: Solver, prefix: Sequence[tuple[int, bool, int | None]], channel: QcspChannel, seed: int = 0
) -> QcspGuide: ...
def start_flood(
    domains: Sequence[Sequence[int]], channel: QcspChannel, seed: int = 0, is_lying: bool = False
) -> QcspGuide: ...

class QcspSearch:
    def __init__(
        self,
        solver: Solver,
        prefix: Sequence[tuple[int, bool, int | None]],
        probing: bool = True,
        memo: bool = True,
        keep_strategy: bool = True,
        enumerate: bool = False,
        solutions: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        memory_mb: int = 1024,
        bus: QcspBus | None = None,
    ) -> None: ...
    def run(self, progress: Any = None) -> str: ...
    @property
    def is_won(self) -> bool | None: ...
    @property
    def strategy(self) -> tuple[int, list[Any]] | None: ...
    @property
    def solutions(self) -> list[list[int]]: ...
    @property
    def stats(self) -> dict[str, Any]: ...

class Search:
    """A search tree with its players' shared parts; one run at a time."""

    def __init__(
        self,
        circuit: Circuit,
        settings: dict[str, Any],
        tables: NetworkTemplate | None = None,
    ) -> None: ...
    def set_group(self, group: SymmetryGroup) -> None: ...
    def set_state(self, state: bytes) -> bool: ...
    def run(
        self,
        seconds: float,
        simulations: int,
        nodes: int,
        on_info: Callable[[], None] | None = None,
        interval: float = 0.5,
        cpu_seconds: float = 0.0,
    ) -> None: ...
    def stop(self) -> None: ...
    def signature(self) -> int: ...
    def report(self, role: int, line_length: int) -> dict[str, Any]: ...
