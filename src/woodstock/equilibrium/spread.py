"""From the numbers of a solver to a table of strategies in the words of the game.

With shared information sets, one row is written for every image of a set: the table is that of the whole game.
"""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.equilibrium.graph import StateGraph
from woodstock.equilibrium.profile import Behaviour
from woodstock.equilibrium.sharing import Sharing
from woodstock.equilibrium.table import Row, StrategyTable
from woodstock.equilibrium.tree import InformationTree, Story


def table_of_tree(tree: InformationTree, behaviours: list[Behaviour]) -> StrategyTable:
    """Return the strategies that have these probabilities in the order of a tree."""
    players = range(len(tree.roles))
    return StrategyTable(tree.start, lambda: [row for p in players for row in _rows(tree, p, behaviours[p])])


def table_of_graph(graph: StateGraph, behaviour: Behaviour) -> StrategyTable:
    """Return the strategies that have these probabilities in the order of a graph of states."""

    def rows() -> list[Row]:
        made = []
        for view, first in graph.choices():
            chosen = behaviour[first : first + len(view.legal)].tolist()
            made.append(Row(view.role, (), view.state, dict(zip(view.legal, chosen, strict=True))))
        return made

    return StrategyTable(graph.start, rows)


def _rows(tree: InformationTree, player: int, behaviour: Behaviour) -> Iterator[Row]:
    firsts, moves, ways = tree.sequences(player)
    sharing = tree.sharing
    chances = behaviour.tolist()
    for index, (story, element) in enumerate(tree.stories(player)):
        places = range(firsts[index], firsts[index + 1])
        if sharing.size == 1:
            yield _row(tree, player, story, {moves[place]: chances[place] for place in places})
            continue
        # The probabilities are those of the set's own story, the image of the one by which it was met.
        own = _image(sharing, element, story)
        keeping = [e for e in range(sharing.size) if _image(sharing, e, own) == own]
        chosen: dict[int, float] = {}
        for place in places:
            images = {int(sharing.moves[e][moves[place]]) for e in keeping}
            assert len(images) == ways[place], "the symmetries of a story make up its ways"
            chosen.update(dict.fromkeys(images, chances[place]))
        told = set()
        for e in range(sharing.size):
            image = _image(sharing, e, own)
            if image not in told:
                told.add(image)
                yield _row(tree, player, image, {int(sharing.moves[e][move]): p for move, p in chosen.items()})


def _row(tree: InformationTree, player: int, story: Story, chosen: dict[int, float]) -> Row:
    turns = tuple(tree.turn(move, percepts) for move, percepts in story)
    return Row(tree.roles[player], turns, None, {tree.move_name(move): chosen[move] for move in sorted(chosen)})


def _image(sharing: Sharing, element: int, story: Story) -> Story:
    moves, percepts = sharing.moves[element], sharing.percepts[element]
    return tuple((int(moves[move]), tuple(sorted(int(percepts[percept]) for percept in seen))) for move, seen in story)
