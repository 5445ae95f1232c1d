"""python-chess as the oracle of chess: `pip install chess`, or the extra `oracle`; tests are skipped without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pytest
from tests.unit.games.oracles.oracle import State, TurnOracle, words, zero_sum


class Chess(TurnOracle):
    """States are the position, its counters and castling rights as a text in Forsyth-Edwards notation."""

    roles = ("white", "black")

    def __init__(self) -> None:
        self.chess: Any = pytest.importorskip(
            "chess", reason="python-chess is not here: pip install 'woodstock[oracle]'"
        )

    def initial(self) -> State:
        return self.chess.STARTING_FEN

    def mover(self, state: State) -> int:
        return 0 if state.split()[1] == "w" else 1

    def moves(self, state: State) -> Collection[str]:
        return [self._name(move) for move in self.chess.Board(state).legal_moves]

    def _name(self, move: Any) -> str:
        text = " ".join(move.uci()[:4])
        if move.promotion is None:
            return f"(move {text})"
        return f"(promote {text} {self.chess.piece_name(move.promotion)})"

    def play(self, state: State, move: str) -> State:
        board = self.chess.Board(state)
        parts = words(move)
        uci = "".join(parts[1:5])
        if parts[0] == "promote":
            uci += {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}[parts[5]]
        board.push_uci(uci)
        return board.fen()

    def is_terminal(self, state: State) -> bool:
        board = self.chess.Board(state)
        return board.halfmove_clock >= 100 or not any(board.legal_moves)

    def goals(self, state: State) -> Sequence[int]:
        board = self.chess.Board(state)
        return zero_sum(None if not board.is_checkmate() else 1 - self.mover(state))
