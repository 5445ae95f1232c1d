"""One player's search on one game: the native tree, or a stand-in if there is no circuit or nothing to search.

A searcher keeps its tree from state to state. Deadlines are times of `time.monotonic`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index
from woodstock.players.budget import Budget
from woodstock.players.decision import Decision, InfoSubscriber, RootMove, SearchInfo
from woodstock.players.fallback import sample_moves
from woodstock.players.preparation import Part, Preparation, preparation_of
from woodstock.players.registry import search_settings
from woodstock.players.root_symmetries import RootSymmetries
from woodstock.players.spec import PlayerSpec
from woodstock.players.tree_proofs import TreeProofs, tree_memory

if TYPE_CHECKING:
    from woodstock.players.hidden.open_game import OpenSearcher
    from woodstock.players.papers.searcher import PaperSearcher

# Time reserved for reading the result, in addition to twice the last reading's.
_RESERVE_S = 0.002
# The same while the game is still being prepared: every return from native code then waits for the interpreter's lock.
_BUSY_RESERVE_S = 0.02
_MOST_RESERVE_SHARE = 0.2
_INTERVAL_S = 0.5
_NO_TABLES_YET = "the game's tables are not ready: its stages are solved by the circuit for now"
_NO_TABLES = "the game has no tables: its stages are solved by the circuit"
_NO_TREE_YET = "the search tree is not ready: moves are sampled one playout at a time"


class TreeSearcher:
    """A native search tree."""

    def __init__(self, game: Game, spec: PlayerSpec, preparation: Preparation) -> None:
        assert isinstance(game.engine, CircuitEngine)
        self._game, self._spec, self._preparation = game, spec, preparation
        self._circuit = game.engine.circuit
        # Making the tree of a large game takes a second. The part must not refer to the searcher: without a cycle the
        # tree is freed with its last user.
        self._tree = Part(partial(_make_tree, game, spec, game.engine.circuit))
        self._native: _native.TreeSearch | None = None
        self._group: _native.SymmetryGroup | None = None
        has_roots = spec.settings.get("subgame", spec.kind.symmetries == "network") and spec.kind.symmetries
        self._roots = RootSymmetries(game) if has_roots else None
        self._interrupted = threading.Event()
        self._tables: Part | None = None
        self._proofs = TreeProofs(game, spec)
        self._is_sum_known = False
        self._report_s = 0.001
        self._late_s = 0.0
        self._line_length = 12
        # Draws from mixed strategies. Nobody who knows the code may predict them, so 0 is no seed here.
        self._chance = random.Random(spec.settings["seed"]) if spec.settings.get("seed") else None
        self.notes: list[str] = []

    def prepare(self, deadline: float | None, symmetries_by: float | None = None, move_s: float | None = None) -> None:
        """Make what the search needs, until the deadline at most; None: until all is ready.

        `symmetries_by`: an earlier deadline for symmetries, if there is something better to do then. `move_s`: the time
        of a move, if it is known.
        """
        preparation, kind = self._preparation, self._spec.kind
        self._interrupted.clear()
        is_new = not self._tree.is_started
        self._tree.wait(deadline, self._interrupted)
        if not preparation.batch.wait(deadline, self._interrupted):
            self.notes.append("the batch code is not compiled yet: playouts are single ones for now")
        if self._spec.settings.get("wins_at_once") and preparation.has_time_for_winning(deadline):
            preparation.winning.wait(deadline, self._interrupted)
        if self._spec.settings.get("stages", kind.stages) != "circuit" and is_new:
            self._tables = Part(partial(_table_stages, self._circuit, preparation, self._spec))
        if self._tables is not None:
            self._tables.wait(deadline, self._interrupted)
        if kind.symmetries and is_new:
            self._group = preparation.group(kind.symmetries, symmetries_by or deadline, self._interrupted)
            if self._roots is not None:
                self._roots.warm_up(deadline, move_s)
        # Not beside the search for symmetries: on one core both would be late.
        preparation.constant_sum.wait(deadline if deadline is None else 0.0, self._interrupted)
        self._proofs.prepare(self._group, deadline, self._interrupted)

    def teach_proofs(self, state: State, seconds: float, is_wanted: Callable[[], bool]) -> None:
        """Let the proof search learn from this state on which states are likely, if there is one."""
        self._proofs.teach(state, seconds, is_wanted)

    def _set_state(self, state: State) -> None:
        self.native.set_state(packed(state))
        # That forgets an earlier stop; one that came since the last `clear` counts.
        if self._interrupted.is_set():
            self.native.stop()

    def _take_tables(self) -> None:
        """Solve stages over the tables from now on, if they are ready."""
        if self._tables is None:
            return
        if _NO_TABLES_YET in self.notes:
            self.notes.remove(_NO_TABLES_YET)
        if not self._tables.is_done:
            self.notes.append(_NO_TABLES_YET)
            return
        if self._tables.value is None:
            self.notes.append(_NO_TABLES)
        else:
            self.native.set_stages(self._tables.value)
        self._tables = None

    @property
    def native(self) -> _native.TreeSearch:
        """The tree; waits until it is made."""
        if self._native is None:
            self._tree.wait(None)
            if self._tree.value is None:
                raise GameError(f"the search tree cannot be made: {self._tree.problem}")
            self._native = self._tree.value
            if self._group is not None:
                self._native.set_group(self._group)
        return self._native

    @property
    def is_ready(self) -> bool:
        """Whether the tree is made; until then moves are sampled."""
        return self._tree.is_done and self._tree.value is not None

    @property
    def game(self) -> Game:
        """The game that is searched."""
        return self._game

    @property
    def spec(self) -> PlayerSpec:
        """What the search was made from."""
        return self._spec

    @property
    def group(self) -> _native.SymmetryGroup | None:
        """The symmetries that were found in time, if the player uses any."""
        return self._group

    @property
    def circuit(self) -> _native.Circuit:
        """The circuit of the game."""
        return self._circuit

    def _is_tree_awaited(self) -> bool:
        return not self._tree.is_done and not self._interrupted.is_set()

    def think(
        self, state: State, role: str, budget: Budget, tell: InfoSubscriber | None, interval: float = _INTERVAL_S
    ) -> Decision:
        """Return the choice for a role that has a legal move."""
        self._interrupted.clear()
        if budget.deadline is None:
            self._tree.wait(None, self._interrupted)
        if not self._tree.is_done:
            stand_in = SimpleSearcher(self._game, self._spec, "sample", self._is_tree_awaited)
            stand_in.notes.append(_NO_TREE_YET)
            sampled = stand_in.think(state, role, budget, tell, interval)
            if not self._tree.is_done:
                return sampled
        native = self.native
        index = self._game.role_index(role)
        if not self._is_sum_known and self._preparation.constant_sum.value:
            self._is_sum_known = True
            native.set_constant_sum()
        self._take_tables()
        self._proofs.give_to(native, budget.deadline is None)
        if self._roots is not None:
            cpu = time.thread_time()
            left = budget.cpu_seconds or (None if budget.deadline is None else budget.seconds_left)
            self._group = self._roots.renew(native, self._group, state, left)
            budget = budget.less_cpu(time.thread_time() - cpu)
        self._set_state(state)

        def on_info() -> None:
            if tell is not None:
                tell(self._info(native.report(index, self._line_length), role))

        seconds = 0.0
        if budget.deadline is not None:
            left = budget.seconds_left
            is_busy = self._preparation.is_busy or self._tables is not None
            reserve = min(_BUSY_RESERVE_S, _MOST_RESERVE_SHARE * left) if is_busy else _RESERVE_S
            seconds = max(1e-6, left - reserve - 2 * self._report_s - self._late_s)
        clock = time.perf_counter()
        on_info_or_none = None if tell is None else on_info
        native.run(seconds, budget.simulations, budget.nodes, on_info_or_none, interval, budget.cpu_seconds)
        begun = time.perf_counter()
        if seconds:
            # On a busy machine a search wakes up late. The delay is added to the reserve, and decays.
            self._late_s = max(0.8 * self._late_s, min(begun - clock - seconds, 0.1))
        report = native.report(index, self._line_length)
        self._report_s = max(0.7 * self._report_s, time.perf_counter() - begun)
        info = self._info(report, role)
        if tell is not None:
            tell(info)
        signature = f"{native.signature():016x}" if budget.deadline is None and not budget.cpu_seconds else ""
        return Decision.from_info(info, self._spec.text, signature, self._chance)

    def info(self, role: str) -> SearchInfo:
        """Return what the tree knows about its root for any role; `think` reports for one alone."""
        return self._info(self.native.report(self._game.role_index(role), self._line_length), role)

    def interrupt(self) -> None:
        """End what is under way; from any thread. `think` then returns what it has."""
        self._interrupted.set()
        if self._native is not None:
            self._native.stop()

    def close(self) -> None:
        """Leave the cluster, if there is one."""

    def ponder(self, state: State, seconds: float) -> None:
        """Grow the tree from this state until interrupted."""
        self._interrupted.clear()
        if not self._tree.wait(None, self._interrupted):
            return
        self._set_state(state)
        if seconds > 0:
            self.native.run(seconds, 0, 0)

    def _info(self, report: dict[str, Any], role: str) -> SearchInfo:
        game = self._game
        names = game.moves(role)
        every = [game.moves(other) for other in game.roles]
        moves = tuple(
            RootMove(
                move=names[of["move"]],
                visits=of["visits"],
                value=_goal(of["value"]),
                interval=(_goal(of["interval"][0]), _goal(of["interval"][1])),
                bounds=(_goal(of["bounds"][0]), _goal(of["bounds"][1])),
                is_proven=of["proven"],
                line=tuple(
                    tuple(known[move] for known, move in zip(every, joint, strict=True)) for joint in of["line"]
                ),
            )
            for of in report["moves"]
        )
        told_apart = ("moves", "value", "proven", "terminal", "mixed")
        statistics = {key: value for key, value in report.items() if key not in told_apart}
        statistics["prunings"] = statistics.pop("cut_moves") + statistics.pop("doubtful_moves")
        if self._roots is not None:
            statistics["root_symmetries"] = self._roots.statistics
        if self.notes:
            statistics["notes"] = tuple(self.notes)
        return SearchInfo(
            role=role,
            moves=moves,
            values=dict(zip(game.roles, map(_goal, report["value"]), strict=True)),
            is_proven=report["proven"],
            seconds=report["seconds"],
            statistics=statistics,
            strategy={names[of["move"]]: of["share"] for of in report["moves"]} if report["mixed"] else {},
        )


def _make_tree(game: Game, spec: PlayerSpec, circuit: _native.Circuit) -> _native.TreeSearch:
    settings = {**spec.settings, **tree_memory(game, spec), "random_role": chance_index(game.roles)}
    return _native.TreeSearch(circuit, search_settings(settings))


def _table_stages(circuit: _native.Circuit, preparation: Preparation, spec: PlayerSpec) -> _native.TableStages | None:
    preparation.template.wait(None)
    template = preparation.template.value
    if template is None:
        return None
    settings = spec.settings
    return _native.TableStages(
        circuit,
        template.native,
        int(settings.get("threads", 1)),
        settings.get("stages", spec.kind.stages),
        settings.get("tables", "compact-table"),
        settings.get("order", "dom/ddeg"),
    )


def _goal(value: float) -> float:
    """Return a value without the rounding errors of single precision, which the tree uses."""
    return round(value, 4)


class SimpleSearcher:
    """Chooses without a tree: a random move, the first one, or the best of some single playouts.

    It has the methods of a `TreeSearcher`. Playouts end when `is_wanted` no longer holds.
    """

    def __init__(self, game: Game, spec: PlayerSpec, how: str, is_wanted: Callable[[], bool] = lambda: True) -> None:
        self._game, self._spec, self._how, self._is_wanted = game, spec, how, is_wanted
        self._chance = random.Random(int(spec.settings.get("seed", 0)))
        self._is_interrupted = False
        self.notes: list[str] = []

    def prepare(self, deadline: float | None) -> None:
        del deadline

    def interrupt(self) -> None:
        self._is_interrupted = True

    def _is_over(self) -> bool:
        return self._is_interrupted or not self._is_wanted()

    def close(self) -> None:
        pass

    def choose(self, legal: Sequence[str]) -> str:
        """Return a move without a thought."""
        return self._chance.choice(legal) if self._how == "random" else legal[0]

    def think(
        self, state: State, role: str, budget: Budget, tell: InfoSubscriber | None, interval: float = _INTERVAL_S
    ) -> Decision:
        del interval
        self._is_interrupted = False
        begun = time.perf_counter()
        legal = state.legal(role)
        simulations = 0
        if self._how == "sample":
            moves, simulations = sample_moves(
                state, role, budget.deadline, budget.simulations, self._chance, self._is_over
            )
        else:
            moves = [RootMove(self.choose(legal), 0, 50.0, (0.0, 100.0), (0.0, 100.0), False)]
        values = dict.fromkeys(self._game.roles, 50.0) | {role: moves[0].value}
        seconds = time.perf_counter() - begun
        statistics = {"simulations": simulations, **({"notes": tuple(self.notes)} if self.notes else {})}
        decision = Decision(
            role, tuple(moves), values, False, seconds, statistics, move=moves[0].move, player=self._spec.text
        )
        if tell is not None:
            tell(decision)
        return decision


Searcher: TypeAlias = "TreeSearcher | PaperSearcher | OpenSearcher | SimpleSearcher"


def make_searcher(game: Game, spec: PlayerSpec) -> Searcher:
    """Return the search that a specification asks for, or its stand-in if the game runs on the interpreter."""
    if not spec.kind.is_thinking:
        return SimpleSearcher(game, spec, spec.kind.search)
    preparation = preparation_of(game)
    if preparation is None:
        searcher = SimpleSearcher(game, spec, "sample")
        searcher.notes.append(f"{game.name} runs on the interpreter: its moves are sampled one playout at a time")
        return searcher
    if spec.kind.search == "hidden":
        from woodstock.players.hidden.open_game import OpenSearcher
        from woodstock.players.hidden.searcher import make_hidden_searcher

        return OpenSearcher(make_hidden_searcher(game, spec))
    if spec.kind.search == "paper":
        from woodstock.players.papers.searcher import PaperSearcher

        return PaperSearcher(game, spec, preparation)
    if "workers" in spec.settings:
        from woodstock.players.team_searcher import TeamSearcher

        return TeamSearcher(game, spec, preparation)
    return TreeSearcher(game, spec, preparation)


def check_can_move(state: State, role: str) -> tuple[str, ...]:
    """Return the role's legal moves; GameError if there is nothing to choose."""
    if state.is_terminal:
        raise GameError(f"there is nothing to search in a terminal state; the goals are {state.goals}")
    legal = state.legal(role)
    if not legal:
        raise GameError(
            f"{role} has no legal move in this state, which is not terminal: the rules are broken here. "
            "`woodstock check` shows a path to such a state"
        )
    return legal
