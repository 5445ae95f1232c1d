"""The search of a published player on one game: a tree of its own in native/papers.

It has the methods of a `TreeSearcher`. Nothing of our own players is in it: no batches, no outside proofs, no plan.
"""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import Any

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index
from woodstock.players.decision import Decision, InfoSubscriber, RootMove, SearchInfo
from woodstock.players.papers.shares import solve_and_symmetry
from woodstock.players.papers.symmetric_moves import SymmetricMoves
from woodstock.players.preparation import Part, Preparation
from woodstock.players.spec import PlayerSpec
from woodstock.symmetry.rule_graph import rule_graph

_INTERVAL_S = 0.5
# Time reserved for reading the result.
_RESERVE_S = 0.004
_LINE_LENGTH = 12
# Vertices and edges, at about 40 bytes each; a larger one is not looked at state by state.
_LARGEST_RULE_GRAPH = 8_000_000
# Settings that are not attributes of the native ones.
NOT_NATIVE = ("method", "tables", "order", "shares")


class PaperSearcher:
    """One published player's search on one game."""

    def __init__(self, game: Game, spec: PlayerSpec, preparation: Preparation) -> None:
        assert isinstance(game.engine, CircuitEngine)
        self._game, self._spec, self._preparation = game, spec, preparation
        self._symmetric = SymmetricMoves(game) if "shares" in spec.settings else None
        self._made = Part(partial(_make, game, spec, preparation, game.engine.circuit, self._symmetric))
        self._interrupted = threading.Event()
        self._is_group_known = not spec.kind.symmetries
        self._late_s = 0.0
        self.notes: list[str] = []

    def prepare(self, deadline: float | None) -> None:
        """Make the network and the tree, until the deadline at most."""
        self._interrupted.clear()
        self._made.wait(deadline, self._interrupted)
        self._find_group(deadline)

    def _find_group(self, deadline: float | None) -> None:
        """Take the symmetries of the whole game, if they are found by the deadline."""
        if self._is_group_known or not self._made.is_done or self._made.value is None:
            return
        group = self._preparation.group(self._spec.kind.symmetries, deadline, self._interrupted)
        if group is not None:
            self._made.value.set_group(group)
            if self._symmetric is not None:
                self._symmetric.group = group
            self._is_group_known = True

    @property
    def _symmetry_share(self) -> float:
        return float(paper_settings(self._spec, self._game).symmetry_share)

    def think(
        self, state: State, role: str, budget: Any, tell: InfoSubscriber | None, interval: float = _INTERVAL_S
    ) -> Decision:
        """Return the choice for a role that has a legal move."""
        begun, cpu_begun = time.monotonic(), time.thread_time()
        self._interrupted.clear()
        # If the network is late, half of the time is left for a few playouts.
        until = None if budget.deadline is None else begun + 0.5 * budget.seconds_left
        if not self._made.wait(until, self._interrupted) or self._made.value is None:
            return self._sample(state, role, budget, tell)
        spent = 0.0
        if budget.deadline is not None and not self._is_group_known:
            clock = time.monotonic()
            self._find_group(begun + self._symmetry_share * (budget.cpu_seconds or budget.seconds_left))
            spent = time.monotonic() - clock
        native = self._made.value
        index = self._game.role_index(role)
        native.set_state(packed(state), state.turn or 1, index)
        if self._interrupted.is_set():
            native.stop()

        def on_info() -> None:
            if tell is not None:
                tell(self._info(native.report(index, _LINE_LENGTH), role))

        seconds = 0.0
        if budget.deadline is not None:
            seconds = max(1e-6, budget.seconds_left - _RESERVE_S - self._late_s)
        cpu_seconds = budget.cpu_seconds
        if cpu_seconds:
            # A large tree takes a tenth of the time to cut down to the new state.
            cpu_seconds = max(1e-6, cpu_seconds - (time.thread_time() - cpu_begun))
        clock = time.perf_counter()
        native.run(
            seconds,
            budget.simulations,
            budget.nodes,
            None if tell is None else on_info,
            interval,
            cpu_seconds,
            symmetry_seconds=spent,
        )
        if seconds:
            self._late_s = max(0.8 * self._late_s, min(time.perf_counter() - clock - seconds, 0.2))
        info = self._info(native.report(index, _LINE_LENGTH), role)
        if tell is not None:
            tell(info)
        return Decision.from_info(info, self._spec.text)

    def _sample(self, state: State, role: str, budget: Any, tell: InfoSubscriber | None) -> Decision:
        """Return the best of some single playouts: the network is not ready, or does not fit."""
        from woodstock.players.searcher import SimpleSearcher

        stand_in = SimpleSearcher(self._game, self._spec, "sample", lambda: not self._interrupted.is_set())
        problem = self._made.problem
        stand_in.notes.append(
            f"the game's network cannot be made: {problem}" if problem else "the game's network is not ready"
        )
        return stand_in.think(state, role, budget, tell)

    def interrupt(self) -> None:
        """End what is under way; from any thread."""
        self._interrupted.set()
        if self._made.is_done and self._made.value is not None:
            self._made.value.stop()

    def close(self) -> None:
        """Nothing is held."""

    def _info(self, report: dict[str, Any], role: str) -> SearchInfo:
        game = self._game
        every = [game.moves(other) for other in game.roles]
        names = game.moves(role)
        moves = tuple(
            RootMove(
                move=names[of["move"]],
                visits=of["visits"],
                value=round(of["value"], 4),
                interval=(round(of["value"], 4),) * 2 if of["proven"] else (0.0, 100.0),
                bounds=(round(of["value"], 4),) * 2 if of["proven"] else (0.0, 100.0),
                is_proven=of["proven"],
                line=tuple(tuple(known[m] for known, m in zip(every, joint, strict=True)) for joint in of["line"]),
            )
            for of in report["moves"]
        )
        statistics = {key: value for key, value in report.items() if key not in ("moves", "value", "proven")}
        statistics["prunings"] = statistics.pop("cuts_complete", 0) + statistics.pop("cuts_confidence", 0)
        if self.notes:
            statistics["notes"] = tuple(self.notes)
        values = dict(zip(game.roles, (round(value, 4) for value in report["value"]), strict=True))
        return SearchInfo(role, moves, values, report["proven"], report["seconds"], statistics)


def paper_settings(spec: PlayerSpec, game: Game) -> _native.PaperSettings:
    """Return the native settings of a published player."""
    made = _native.PaperSettings()
    settings = spec.settings
    if "shares" in settings:
        made.solve_share, made.symmetry_share = solve_and_symmetry(settings["shares"])
    for name, value in settings.items():
        if name not in NOT_NATIVE:
            setattr(made, name, value)
    made.random_role = chance_index(game.roles)
    return made


def _make(
    game: Game,
    spec: PlayerSpec,
    preparation: Preparation,
    circuit: _native.Circuit,
    symmetric: SymmetricMoves | None,
) -> _native.PaperSearch | None:
    search = _native.PaperSearch(circuit)
    settings, native = spec.settings, paper_settings(spec, game)
    if "method" not in settings:
        search.make_uct(native)
        if spec.kind.symmetries and game.ground is not None:
            graph = rule_graph(game.ground, swap_roles=False, fix_initial=False)
            if graph.size <= _LARGEST_RULE_GRAPH:
                search.set_rule_graph(graph.colours, graph.edges.ravel())
        return search
    preparation.template.wait(None)
    template = preparation.template.value
    if template is None:
        raise RuntimeError(preparation.template.problem or "the game has no network")
    if symmetric is not None:
        symmetric.find(packed(game.initial), ())  # imports what it needs, before a clock runs
    search.make_mac_ucb(
        native,
        template.native,
        settings["method"],
        settings.get("tables", "compact-table"),
        settings.get("order", "dom/ddeg"),
        symmetric.find if symmetric is not None else None,
    )
    return search
