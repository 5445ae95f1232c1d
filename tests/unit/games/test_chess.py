"""Chess from positions that are hard on castling, en passant, pins and promotion, with their known counts."""

from __future__ import annotations

import pytest

import woodstock

POSITIONS = {
    # Published counts of the usual test positions (chessprogramming.org, "Perft results").
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq": [1, 48, 2039, 97862],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w -": [1, 14, 191, 2812, 43238],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq": [1, 6, 264, 9467],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ": [1, 44, 1486, 62379],
}


def fluents(position: str) -> list[str]:
    """Return the fluents of a position in Forsyth-Edwards notation."""
    board, player, rights = position.split()
    result = [f"(control {'white' if player == 'w' else 'black'})", "(quiet 0)"]
    for row, line in zip(range(8, 0, -1), board.split("/"), strict=True):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
                continue
            piece = ("w" if letter.isupper() else "b") + letter.lower()
            result.append(f"(cell {'abcdefgh'[column]} {row} {piece})")
            column += 1
    sides = {"K": "white short", "Q": "white long", "k": "black short", "q": "black long"}
    return result + [f"(right {sides[letter]})" for letter in rights if letter != "-"]


@pytest.mark.parametrize("position", POSITIONS, ids=["castling", "passing", "promotion", "pins"])
def test_known_counts(position: str) -> None:
    state = woodstock.load("chess").state(fluents(position))
    counts = POSITIONS[position][:3]
    assert [row.sequences for row in woodstock.perft(state, len(counts) - 1)] == counts


@pytest.mark.full
@pytest.mark.parametrize("position", POSITIONS, ids=["castling", "passing", "promotion", "pins"])
def test_known_counts_one_deeper(position: str) -> None:
    state = woodstock.load("chess").state(fluents(position))
    counts = POSITIONS[position]
    assert [row.sequences for row in woodstock.perft(state, len(counts) - 1)] == counts


def test_fools_mate() -> None:
    state = woodstock.load("chess").initial
    for turn, move in enumerate(["(move f 2 f 3)", "(move e 7 e 5)", "(move g 2 g 4)", "(move d 8 h 4)"]):
        state = state.next([move, "noop"] if turn % 2 == 0 else ["noop", move])
    assert state.is_terminal
    assert state.goals == {"white": 0, "black": 100}
