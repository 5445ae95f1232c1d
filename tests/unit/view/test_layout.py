"""Boards are found if people would see one, and only then."""

from __future__ import annotations

import itertools

from woodstock.view import infer
from woodstock.view.pieces import short_names
from woodstock.view.terms import fact, ordered_axis

CELLS = [f"(cell {x} {y} {p})" for x, y, p in itertools.product("123", "123", "xob")]
EMPTY = [f"(cell {x} {y} b)" for x, y in itertools.product("123", "123")]


def test_a_cell_fluent_is_a_board() -> None:
    (board,) = infer([*CELLS, "(control x)", "(control o)"], [EMPTY]).boards
    assert (board.across, board.up, board.piece, board.blank) == (0, 1, (2,), "b")
    assert board.columns == ("1", "2", "3") and board.rows == ("3", "2", "1")


def test_rows_named_first_make_a_matrix() -> None:
    (board,) = infer(CELLS, [EMPTY], {("cell", 0): "row", ("cell", 1): "col"}).boards
    assert (board.across, board.up) == (1, 0)
    assert board.rows == ("1", "2", "3")


def test_letters_run_across() -> None:
    facts = [f"(cell {n} {c} b)" for n, c in itertools.product("1234", "abcd")]
    (board,) = infer(facts, [facts]).boards
    assert board.columns == ("a", "b", "c", "d") and board.rows[0] == "4"


def test_the_piece_may_stand_first_and_places_may_be_nested() -> None:
    facts = [f"(at {p} (square {x} {y}))" for p, x, y in itertools.product(["king", "rook"], "123", "123")]
    (board,) = infer(facts, [["(at king (square 1 1))", "(at rook (square 2 1))"]]).boards
    assert board.piece == (0,) and (board.across, board.up) == (2, 3)


def test_a_number_for_each_heap_is_a_line() -> None:
    facts = [f"(heap {h} {n})" for h, n in itertools.product("abcd", "0123")]
    (board,) = infer(facts, [["(heap a 1)", "(heap b 3)", "(heap c 0)", "(heap d 2)"]]).boards
    assert (board.kind, board.columns, board.piece) == ("line", ("a", "b", "c", "d"), (1,))


def test_a_third_coordinate_makes_several_boards() -> None:
    facts = [f"(cell {b} {x} {y} {p})" for b, x, y, p in itertools.product("12", "123", "123", "xo")]
    (board,) = infer(facts, [["(cell 1 1 1 x)", "(cell 2 1 1 o)"]]).boards
    assert board.split == (0,) and board.labels == (("1",), ("2",))


def test_marks_of_a_puzzle_without_pieces() -> None:
    facts = [f"(queen {x} {y})" for x, y in itertools.product("12345", "12345")]
    (board,) = infer(facts, [[], ["(queen 1 2)"]]).boards
    assert board.piece == ()


def test_a_pair_that_comes_and_goes_is_no_board() -> None:
    """A roll of two dice is no board; the same fluents on the places of a board are marks on it, under any name."""
    dice = [f"(dice {a} {b})" for a, b in itertools.product("123456", "123456")]
    states = [[], ["(dice 3 5)"], [], ["(dice 1 1)"]]
    assert infer(dice, states).boards == ()
    cells = [f"(field {x} {y} {p})" for x, y, p in itertools.product("123456", "123456", ["red", "blue"])]
    stones = ["(field 3 5 red)", "(field 1 1 blue)", *(f"(field 6 {y} red)" for y in "123456")]
    layout = infer([*dice, *cells], [[*held, *stones] for held in states])
    assert [[board.name for board in sheet] for sheet in layout.sheets] == [["field", "dice"]]


def test_a_relation_between_the_places_of_a_line_is_no_board() -> None:
    tiles = [f"(tile {n} {owner})" for n, owner in itertools.product("123456", ["grill", "first"])]
    below = [f"(below {a} {b})" for a, b in itertools.product("123456", "123456")]
    row = [f"(tile {n} grill)" for n in "123456"]
    layout = infer([*tiles, *below], [row, [*row, "(below 1 2)"], [*row, "(below 1 2)", "(below 4 3)"]])
    assert [board.name for board in layout.boards] == ["tile"]


def test_pieces_of_one_name_are_told_apart_by_their_layer() -> None:
    cells = [f"(cell {x} {y} {p})" for x, y, p in itertools.product("1234", "1234", ["red", "blue"])]
    jumpers = [f"(jumper {p} {x} {y})" for p, x, y in itertools.product(["red", "blue"], "1234", "1234")]
    row = [f"(cell {x} 1 red)" for x in "1234"] + [f"(cell {x} 2 blue)" for x in "1234"]
    layout = infer([*cells, *jumpers], [[*row, "(jumper red 1 1)", "(jumper blue 4 4)"]])
    assert [board.pieces for board in layout.boards] == [("blue", "red"), ("blue jumper", "red jumper")]
    assert layout.boards[1].place(fact("(jumper red 1 1)"))[3] == "red jumper"


def test_b_is_black_where_black_is_what_it_means() -> None:
    facts = [f"(cell {x} {y} {p})" for x, y, p in itertools.product("1234", "1234", ["b", "w", "empty"])]
    (board,) = infer(facts, [["(cell 1 1 b)", "(cell 1 2 w)", "(cell 1 3 empty)"]]).boards
    assert board.blank == "empty"


def test_scores_are_no_axis() -> None:
    assert ordered_axis(["0", "25", "50", "100"]) is None
    assert ordered_axis(["10", "9", "8"]) == ("8", "9", "10")
    assert ordered_axis(["x2", "x1", "x10", "x9", "x3", "x4", "x5", "x6", "x7", "x8"]) is not None
    assert ordered_axis(["a", "1"]) is None


def test_facts_are_taken_apart() -> None:
    assert fact("terminal").args == ()
    assert fact("(at (square 1 2) king)").args == ("square", "1", "2", "king")


def test_short_names_are_distinct() -> None:
    numbered = [f"p{i}" for i in range(99)]
    for pieces in (["x", "o"], ["red", "black", "blue", "brown"], ["whiteKing", "whiteKnight"], numbered):
        names = short_names(pieces)
        assert len(set(names.values())) == len(pieces)
        assert all(1 <= len(name) <= 3 for name in names.values())
    many = short_names([f"someverylongname{chr(97 + i % 26)}{i}xyz" for i in range(200)])
    assert len(set(many.values())) == 200
