"""Which oracle belongs to which game."""

from __future__ import annotations

from collections.abc import Callable

from tests.unit.games.oracles import (
    arcade,
    arrows,
    boards,
    boxes,
    chains,
    chance,
    climbing,
    dice,
    duels,
    flanks,
    gammon,
    heaps,
    hexagons,
    hidden,
    jumps,
    lines,
    mixture,
    pawns,
    puzzles,
    pychess,
    races,
    ships,
    skirmish,
    sources,
    sowing,
    spiel,
    spiel_gammon,
    spiel_stars,
    stars,
    tiles,
)
from tests.unit.games.oracles.oracle import Oracle

ORACLES: dict[str, Callable[[], Oracle]] = {
    "amazons-torus-10x10": arrows.AmazonsTorus,
    "awale": sowing.Awale,
    "backgammon": gammon.Backgammon,
    "battle-of-numbers": duels.BattleOfNumbers,
    "bomberman": arcade.Bomberman,
    "breakthrough": pawns.Breakthrough,
    "breakthrough-suicide": pawns.BreakthroughSuicide,
    "buttons-and-lights": puzzles.Buttons,
    "cant-stop": climbing.CantStop,
    "checkers": lambda: jumps.Draughts(100, True),
    "chess": pychess.Chess,
    "chinese-checkers-3": stars.ChineseCheckers,
    "connect-four": lambda: lines.ConnectFour(7, 6),
    "connect-four-20x20": lambda: lines.ConnectFour(20, 20),
    "connect-four-7x7": lambda: lines.ConnectFour(7, 7),
    "connect-four-8x6": lambda: lines.ConnectFour(8, 6),
    "connect-four-simultaneous": lines.SimultaneousConnectFour,
    "cooperative-matching-pennies": lines.CooperativePennies,
    "copolymer-pie": hexagons.Copolymer,
    "dots-and-boxes-suicide": boxes.DotsAndBoxesSuicide,
    "eight-puzzle": puzzles.EightPuzzle,
    "english-draughts": jumps.Draughts,
    "free-for-all-2": sources.FreeForAll,
    "hex": chains.Hex,
    "hexawesome": chains.Hexawesome,
    "hunter": puzzles.Hunter,
    "joint-buttons-and-lights": lambda: puzzles.Buttons(9),
    "kaseklau": chance.Kaseklau,
    "knight-through": pawns.KnightThrough,
    "krieg-tic-tac-toe": hidden.KriegTicTacToe,
    "majorities": hexagons.Majorities,
    "matching-pennies": lines.MatchingPennies,
    "monty-hall": chance.MontyHall,
    "nim": heaps.Nim,
    "orchard": chance.Orchard,
    "othello": flanks.Othello,
    "pacman": arcade.Pacman,
    "pentago": boards.Pentago,
    "pickomino": tiles.Pickomino,
    "platform-jumpers": races.PlatformJumpers,
    "quarto": boards.Quarto,
    "randomised-tic-tac-toe-2x2": lines.RandomisedTicTacToe,
    "reflect-connect-six": duels.ReflectConnectSix,
    "reversi-suicide": flanks.ReversiSuicide,
    "sheep-and-wolf": boards.SheepAndWolf,
    "shmup": ships.Shmup,
    "skirmish-zero-sum": skirmish.Skirmish,
    "small-poker": hidden.SmallPoker,
    "sudoku": puzzles.Sudoku,
    "tic-tac-chess-2": sources.TicTacChess,
    "tic-tac-toe": lines.TicTacToe,
    "ttcc4-2": mixture.TicTacChessCheckersFour,
    "untwisty-corridor": puzzles.UntwistyCorridor,
    "vector-racer": races.VectorRacer,
    "yahtzee": dice.Yahtzee,
}

OPENSPIEL: dict[str, Callable[[], Oracle]] = {
    **spiel.SPIEL,
    "backgammon": spiel_gammon.SpielBackgammon,
    "chinese-checkers-3": spiel_stars.SpielChineseCheckers,
}
"""The games that OpenSpiel has in the same variant, up to what their pages say."""


def load_oracle(name: str) -> Oracle:
    """Return the oracle of a bundled game."""
    return ORACLES[name]()
