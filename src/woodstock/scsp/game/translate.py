"""GDL -> SCSP: the ground rules of a game as the template of its stage.

Comes in: a game or its `GroundProgram`. Goes out: a `Template`. Cost: the proofs of multi-valued fluents, which have a
budget, and time linear in the ground rules.
"""

from __future__ import annotations

import time

import numpy as np

from woodstock import _native
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.gdl.chance import chance_index
from woodstock.gdl.ground_program import GroundProgram
from woodstock.scsp.game.fluents import FluentVariable, find_variables
from woodstock.scsp.game.template import Template

# Processor time: what is proved does not depend on how busy the machine is.
DEFAULT_PROOF_SECONDS = 0.8
# Functions of at most this many combinations become tables: derived atoms, and legal, next, terminal and score.
_ATOM_ROWS, _OUTPUT_ROWS = 256, 4096


def translate(
    source: Game | GroundProgram,
    *,
    name: str | None = None,
    proof_seconds: float = DEFAULT_PROOF_SECONDS,
    variables: tuple[FluentVariable, ...] | None = None,
) -> Template:
    """Return the template of the game's stage.

    With `proof_seconds` 0 every fluent stays Boolean. `variables` gives the fluent variables instead of finding them;
    they must be invariants of the game.
    """
    program = None
    if isinstance(source, Game):
        if not isinstance(source.engine, CircuitEngine):
            raise GameError(f"{source.name} does not translate: it was not grounded. {' '.join(source.notes)}")
        ground, circuit, program = source.engine.ground, source.engine.circuit, source.program
        name = name or source.name
    else:
        ground = source
        circuit = CircuitEngine(ground).circuit
    name = name or "game"
    for role, moves in zip(ground.roles, ground.moves, strict=True):
        if not moves:
            raise GameError(f"{name} does not translate: role {role} never has a legal move")
    # The evaluator of single states belongs to the game and is made at first use; its time does not count here.
    _native.Stepper(circuit)
    clock = time.perf_counter()
    if variables is None:
        variables = find_variables(ground, circuit, seconds=proof_seconds)
    proved = time.perf_counter()
    scores = [sorted({value for role, value, _ in ground.goals if role == r}) for r in range(len(ground.roles))]
    native = _encode(name, ground, variables, scores)
    seconds = {"proofs": proved - clock, "encoding": time.perf_counter() - proved}
    return Template(name, ground, circuit, variables, scores, native, seconds, program)


def _encode(
    name: str, ground: GroundProgram, variables: tuple[FluentVariable, ...], scores: list[list[int]]
) -> _native.NetworkTemplate:
    of_variable = np.zeros(len(ground.fluents), dtype=np.int32)
    of_value = np.zeros(len(ground.fluents), dtype=np.int32)
    for number, variable in enumerate(variables):
        for position, fluent in enumerate(variable.fluents):
            if fluent is not None:
                of_variable[fluent], of_value[fluent] = number, position
    try:
        return _native.encode_network(
            ground.native_rules(),
            np.array([len(v.values) for v in variables], dtype=np.int32),
            np.array([v.none for v in variables], dtype=np.int32),
            of_variable,
            of_value,
            scores,
            chance_index(ground.roles),
            _ATOM_ROWS,
            _OUTPUT_ROWS,
        )
    except OverflowError as error:
        raise BudgetExceeded("translation", 1, 1, "network", str(error)) from None
    except ValueError as error:
        # std::length_error and std::invalid_argument both become ValueError.
        raise GameError(f"{name} does not translate: {error}") from None
