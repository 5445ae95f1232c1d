"""The microstructure complement of a game's stage as a coloured graph [Koriche et al. 2017, 4.2].

Comes in: a `GroundProgram`. Goes out: a bipartite incidence graph. Its vertices are the values of variables (a fluent
holds, fails, holds next; a role makes a move; the end; a score) and minimal forbidden tuples, coloured by kind of
variable, player and utility. The tuples come from the completed constraints in a form that depends on their meaning
alone (`functions`), so the graph does not show how small functions are written. A function that is too large gets its
own vertex, as an auxiliary variable of the network does.
"""

from __future__ import annotations

from woodstock.gdl.ground_program import GroundProgram
from woodstock.symmetry.functions import Functions, Limits
from woodstock.symmetry.graph import ColouredGraph, GraphBuilder
from woodstock.symmetry.terms import Function, Term

# So many literals of ground rules take about a second to become a graph, on a slow core.
LITERALS_A_SECOND = 30_000


def network_graph(
    ground: GroundProgram,
    *,
    swap_roles: bool = True,
    fix_initial: bool = True,
    limits: Limits | None = None,
    seconds: float = 1e9,
) -> ColouredGraph:
    """Return the complement of a game; BudgetExceeded if it does not fit the limits or the time."""
    functions = Functions(ground, limits, seconds)
    made = GraphBuilder(ground, swap_roles=swap_roles, fix_initial=fix_initial)
    written = _Writer(made, ground, functions)
    for move, atom in enumerate(ground.legal.tolist()):
        written.output("legal", [made.first_move + move], atom)
    for fluent, atom in enumerate(ground.next.tolist()):
        written.output("next", [made.first_fluent + fluent], atom)
    written.output("terminal", [], ground.terminal)
    for role, value, atom in ground.goals:
        written.output(("goal", value), [role], atom)
    for role, _percept, atom in ground.sees:
        made.percept(written.output("sees", [role], atom))
    return made.build()


class _Writer:
    """Writes functions, terms and literals as vertices, each once."""

    def __init__(self, made: GraphBuilder, ground: GroundProgram, functions: Functions) -> None:
        self._made = made
        self._functions = functions
        self._literals: dict[int, int] = {}
        self._terms: dict[Term, int] = {}
        self._written: dict[Function, int] = {}
        for fluent, atom in enumerate(ground.fluent_atoms.tolist()):
            if atom:
                self._literals[atom] = made.first_fluent + fluent
        for move, atom in enumerate(ground.move_atoms.tolist()):
            if atom:
                self._literals[atom] = made.first_move + move

    def output(self, colour: object, about: list[int], atom: int) -> int:
        vertex = self._made.vertex(("output", colour))
        self._made.star(vertex, [*about, self._function(self._functions.of(atom))])
        return vertex

    def _function(self, function: Function) -> int:
        """Return the vertex of a function; an explicit stack replaces recursion, which could be deep."""
        if function in self._written:
            return self._written[function]
        result = self._written[function] = self._made.vertex("function")
        work = [(result, function)]
        while work:
            vertex, terms = work.pop()
            for term in terms:
                at = self._terms.get(term)
                if at is None:
                    at = self._terms[term] = self._made.vertex("tuple")
                    self._made.star(at, [self._literal(literal, work) for literal in term])
                self._made.edge(vertex, at)
        return result

    def _literal(self, literal: int, work: list[tuple[int, Function]]) -> int:
        vertex = self._literals.get(literal)
        if vertex is not None:
            return vertex
        if literal in self._functions.connections:
            return self._connection(literal, work)
        if literal < 0:
            vertex = self._literals[literal] = self._made.vertex("not")
            self._made.edge(vertex, self._literal(-literal, work))
            return vertex
        # A derived atom: an auxiliary variable of the network, tied to the vertex of its function.
        vertex = self._literals[literal] = self._made.vertex("derived")
        function = self._functions.of(literal)
        if function not in self._written:
            self._written[function] = self._made.vertex("function")
            work.append((self._written[function], function))
        self._made.edge(vertex, self._written[function])
        return vertex

    def _connection(self, number: int, work: list[tuple[int, Function]]) -> int:
        """Write a connection: its places with what must hold there, neighbours, and two ends of equal colour."""
        connection = self._functions.connections[number]
        made = self._made
        vertex = self._literals[number] = made.vertex("connection")
        places = {place: made.vertex("place") for place in connection.guards}
        for place, guard in connection.guards.items():
            made.star(places[place], [self._literal(literal, work) for literal in guard])
        made.star(vertex, places.values())
        for a, b in connection.neighbours:
            if a < b:
                made.edge(places[a], places[b])
        for end in connection.ends:
            side = made.vertex("end")
            made.star(side, [vertex, *[places[place] for place in end]])
        return vertex
