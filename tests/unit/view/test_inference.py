"""What a game looks like is read off its rules: orders, neighbours, counters, turns, hands; under any name."""

from __future__ import annotations

import itertools

import woodstock
from woodstock.gdl.parse import parse
from woodstock.view import View, infer
from woodstock.view.hexagons import RING, embed
from woodstock.view.statics import chains, static_relations
from woodstock.view.terms import find_cut

RINGS = ["inner", "mid", "outer"]
SIDES = ["north", "east", "south", "west"]

# A puzzle whose symbols mean nothing to anyone, on a board of 3 by 3 hexagons.
HEXAGONS = """
(role gnu) (role yak)
(then zeb qua) (then qua mip)
(<= (yond ?a ?b) (then ?a ?b)) (<= (yond ?a ?b) (then ?b ?a))
(sym zeb) (sym qua) (sym mip)
(<= (nigh ?a ?b ?a ?d) (sym ?a) (yond ?b ?d))
(<= (nigh ?a ?b ?c ?b) (yond ?a ?c) (sym ?b))
(<= (nigh ?a ?b ?c ?d) (then ?a ?c) (then ?d ?b))
(<= (nigh ?a ?b ?c ?d) (then ?c ?a) (then ?b ?d))
(init (wub gnu))
(<= (base (wub ?r)) (role ?r))
(<= (base (fez ?a ?b ?r)) (sym ?a) (sym ?b) (role ?r))
(<= (taken ?a ?b) (true (fez ?a ?b ?r)))
(<= (legal ?r (put ?a ?b)) (true (wub ?r)) (sym ?a) (sym ?b) (not (taken ?a ?b)))
(<= (legal gnu rest) (true (wub yak))) (<= (legal yak rest) (true (wub gnu)))
(<= (input ?r (put ?a ?b)) (role ?r) (sym ?a) (sym ?b)) (<= (input ?r rest) (role ?r))
(<= (next (fez ?a ?b ?r)) (does ?r (put ?a ?b)))
(<= (next (fez ?a ?b ?r)) (true (fez ?a ?b ?r)))
(<= (next (wub yak)) (true (wub gnu))) (<= (next (wub gnu)) (true (wub yak)))
(<= open (sym ?a) (sym ?b) (not (taken ?a ?b)))
(<= terminal (not open))
(goal gnu 50) (goal yak 50)
"""


def test_symbols_in_a_chain_of_the_rules_are_an_axis() -> None:
    facts = [f"(spot {r} {s} {p})" for r, s, p in itertools.product(RINGS, SIDES, ["w", "k", "none"])]
    empty = [f"(spot {r} {s} none)" for r, s in itertools.product(RINGS, SIDES)]
    relations = {
        ("out", 2): frozenset(itertools.pairwise(RINGS)),
        ("around", 2): frozenset([*itertools.pairwise(SIDES), (SIDES[-1], SIDES[0])]),
    }
    (board,) = infer(facts, [empty], relations=relations).boards
    assert (board.kind, board.blank) == ("grid", "none")
    # The circle of sides is opened before its first symbol, and counts upwards.
    assert board.columns == tuple(RINGS) and board.rows == ("north", "west", "south", "east")
    (table,) = infer(facts, [empty]).boards
    assert table.kind == "table", "without the chains nothing says which symbol is next to which"


def test_chains_are_found_by_their_shape() -> None:
    program = parse("(role r) (foo a k) (foo k z) (foo z b) (bar a b) (bar a k) (bar z k)")
    assert chains(static_relations(program)) == (("a", "k", "z", "b"),)


def test_a_chain_up_and_a_chain_down_are_one_order() -> None:
    up = frozenset(itertools.pairwise("1234"))
    assert chains({("succ", 2): up, ("pred", 2): frozenset((b, a) for a, b in up)}) == (("1", "2", "3", "4"),)


def test_one_name_for_a_place_is_taken_apart() -> None:
    facts = [f"(at {c}{n} {p})" for c, n, p in itertools.product("abc", "1234", ["x", "o"])]
    (board,) = infer(facts, [["(at a1 x)", "(at b3 x)", "(at b4 o)"]]).boards
    assert (board.kind, board.columns, board.rows) == ("grid", ("a", "b", "c"), ("4", "3", "2", "1"))
    digits = find_cut(0, ["11", "12", "13", "21", "22", "23", "31", "32", "33"])
    assert digits is not None and digits.apart(["23", "x"]) == ("2", "3", "x")
    assert find_cut(0, [str(n) for n in range(10, 30)]) is None
    assert find_cut(0, [f"p{n}" for n in range(10)]) is None


def test_colour_and_sort_make_one_piece() -> None:
    kinds = ["king", "pawn"]
    facts = [f"(on {x} {y} {c} {k})" for x, y, c, k in itertools.product("1234", "1234", "wb", kinds)]
    (board,) = infer(facts, [["(on 1 1 w king)", "(on 1 2 w pawn)", "(on 2 2 b pawn)", "(on 2 1 b king)"]]).boards
    assert board.piece == (2, 3) and board.split == ()


def test_a_number_for_each_point_is_no_coordinate() -> None:
    facts = [f"(point {p} {n} {c})" for p, n, c in itertools.product("123456", "012345", ["red", "black"])]
    state = ["(point 1 2 red)", "(point 2 5 black)", "(point 6 5 red)"]
    (board,) = infer(facts, [state]).boards
    assert (board.kind, board.across, board.piece) == ("line", 0, (1, 2))


def test_counters_turns_and_numbers_by_role() -> None:
    roles = ["ann", "bob"]
    facts = [f"(clock {n})" for n in range(9)] + [f"(go {r})" for r in roles]
    facts += [f"(coins {r} {n})" for r, n in itertools.product(roles, range(5))]
    states = [["(clock 1)", "(go ann)", "(coins ann 3)", "(coins bob 1)"]]
    layout = infer(facts, states, roles=roles)
    assert layout.turns == {("go", 1)} and layout.counters == {("clock", 1)}
    (table,) = layout.boards
    assert (table.name, table.kind, table.columns) == ("coins", "table", ("ann", "bob"))


def test_cards_in_a_hand_are_facts() -> None:
    facts = [f"(holds {r} {c})" for r, c in itertools.product(["ann", "bob"], ["ace", "king", "jack"])]
    states = [["(holds ann ace)", "(holds ann king)", "(holds bob ace)"], ["(holds bob ace)", "(holds bob king)"]]
    assert infer(facts, states, roles=["ann", "bob"]).kind == "facts"


def test_a_relation_between_things_is_no_board() -> None:
    facts = [f"(on {a} {b})" for a, b in itertools.product("abcd", "abcd") if a != b]
    (board,) = infer(facts, [["(on a b)", "(on c d)"], ["(on a c)"]]).boards
    assert board.kind == "line" and board.columns == ("a", "b", "c", "d")


def test_layers_share_the_places_of_a_board() -> None:
    facts = [f"(cell {x} {y} {p})" for x, y, p in itertools.product("1234", "1234", ["w", "k"])]
    facts += [f"(burnt {x} {y})" for x, y in itertools.product("1234", "1234")]
    states = [["(cell 1 1 w)", "(burnt 2 2)"], ["(cell 1 2 k)", *(f"(burnt {x} 4)" for x in "1234"), "(burnt 3 3)"]]
    (sheet,) = infer(facts, states).sheets
    assert {board.name for board in sheet} == {"burnt", "cell"}
    over = [[*state, "(cell 2 2 k)", "(burnt 1 1)"] for state in states]
    assert len(infer(facts, over).sheets) == 2, "where they meet, one would hide the other"


def test_several_things_at_one_place_of_several_boards() -> None:
    facts = [f"(cell {b} {x} {y} {p})" for b, x, y, p in itertools.product("12", "1234", "1234", ["head", "tail"])]
    crowded = [f"(cell {b} {x} {y} {p})" for b, x, y, p in itertools.product("12", "12", "12", ["head", "tail"])]
    (board,) = infer(facts, [crowded]).boards
    assert (board.kind, board.split, board.piece) == ("grid", (0,), (3,))


def test_hexagons_are_found_by_their_neighbours() -> None:
    spots = [(q, r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2]
    names = {spot: f"c{number}" for number, spot in enumerate(spots)}
    pairs = [
        (names[spot], names[spot[0] + q, spot[1] + r])
        for spot, (q, r) in itertools.product(spots, RING)
        if (spot[0] + q, spot[1] + r) in names
    ]
    found = embed(names.values(), pairs)
    assert found is not None and len(set(found.values())) == len(spots)
    for a, b in pairs:
        assert (found[b][0] - found[a][0], found[b][1] - found[a][1]) in RING


def test_squares_are_not_hexagons() -> None:
    cells = list(itertools.product(range(5), range(5)))
    for steps in ([(0, 1), (1, 0)], [(0, 1), (1, 0), (1, 1), (1, -1)]):
        pairs = [((x, y), (x + a, y + b)) for (x, y), (a, b) in itertools.product(cells, steps)]
        assert embed(cells, pairs) is None
    # On a torus every place has six neighbours, but no two rows are apart.
    torus = [((x, y), ((x + a) % 5, (y + b) % 5)) for (x, y), (a, b) in itertools.product(cells, RING)]
    assert embed(cells, torus) is None


def test_a_hexagonal_game_of_made_up_words() -> None:
    game = woodstock.loads(HEXAGONS, "made-up")
    view = View(game)
    (board,) = view.layout.boards
    assert (board.kind, board.name) == ("hex", "fez") and view.layout.turns == {("wub", 1)}
    assert board.columns == ("zeb", "qua", "mip") and board.rows == ("mip", "qua", "zeb")
    state = game.initial.next(["(put qua mip)", "rest"])
    assert str(view.draw(state, game.initial)) == (
        "mip         .    [g]    .\n"
        "qua      .     .     .\n"
        "zeb   .     .     .\n"
        "     zeb   qua   mip\n"
        "g=gnu  y=yak\n"
        "\n"
        "wub  yak"
    )
