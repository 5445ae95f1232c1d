"""A built-in player: a search by specification, such as `uct:c=0.7,threads=2`, for one match at a time.

It keeps its tree from move to move and may think while others do. Whatever happens, it answers with a legal move: if
the search fails, with a random one, and `notes` says why. In games with one role a planner looks for a way to the best
goal while the search runs. In games that hide things the search is one of `players.hidden`.
"""

from __future__ import annotations

import dataclasses
import random
import threading
import time

from woodstock.errors import GameError, WoodstockError
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.information import InformationState, view_from
from woodstock.players import racing
from woodstock.players.budget import Budget
from woodstock.players.decision import Decision, InfoSubscriber, RootMove
from woodstock.players.hidden import HiddenSearcher, make_hidden_searcher
from woodstock.players.learning import Lesson, has_time_to_learn, learn
from woodstock.players.plan import Plan
from woodstock.players.plan_follower import PlanFollower
from woodstock.players.player import CPU, Player, Reply, Task
from woodstock.players.preparation import preparation_of
from woodstock.players.searcher import Searcher, SimpleSearcher, TreeSearcher, check_can_move, make_searcher
from woodstock.players.spec import PlayerSpec, parse_spec

_LONGEST_PONDER_S = 3600.0
_LONGEST_PLANNING_S = 3600.0
# Of the time for a move, what the planner gets before the tree: both can use it, but a plan is worth more.
_PLANNING_SHARE = 0.6
# A search answers within milliseconds of its deadline; this much is for the way back through the interpreter.
_RETURN_S = 0.01
# Of the start clock; the rest is for those who wait for the answer.
_RACING_SHARE = 0.9
# If a player learns in its start clock, symmetries are given up after this share of it. They make the net's time worth
# more, but very large games have none in time.
_SYMMETRY_SHARE = 0.4
# Of what is then left of it, what the net of the proof search learns for.
_PROOFS_SHARE = 0.05
_TELL_EVERY_S = 0.25


class SearchPlayer(Player):
    """Plays by one of our searches. If its options name no seed, each match gives it one.

    `plan` is the one that the last move belongs to, if any; `lesson` is what was learned in the start clock, and
    `standings` how settings raced there.

    >>> import woodstock
    >>> game = woodstock.load("tic-tac-toe")
    >>> player = SearchPlayer("mac-ucb")
    >>> task = Task(game, "x", simulations=1000)
    >>> player.start(task, deadline=None)
    >>> player.move(task.first_view, deadline=0.0).move in game.initial.legal("x")
    True
    >>> player.stop(None)
    """

    def __init__(self, spec: str | PlayerSpec, *, ponders: bool = False) -> None:
        self.spec = parse_spec(spec)
        self.name = self.spec.text
        self.notes: list[str] = []
        self.plan: Plan | None = None
        self.lesson: Lesson | None = None
        self.standings: list[racing.Standing] = []
        self._ponders = ponders or bool(self.spec.settings.get("ponder", False))
        self._searcher: Searcher | None = None
        # The search of a game that hides things; then there is no other.
        self._hidden: HiddenSearcher | None = None
        self._pondering: threading.Thread | None = None
        self._follower: PlanFollower | None = None
        self._interrupted = threading.Event()
        self._chance = random.Random()

    def start(self, task: Task, deadline: float | None) -> None:
        """Prepare the game: symmetries, tables, compiled playouts, a plan if there is one role."""
        self.stop(None)
        self._interrupted.clear()
        game = task.game
        if task.role not in game.roles:
            task = dataclasses.replace(task, role=game.roles[game.role_index(task.role)])
        super().start(task, deadline)
        self.lesson = None
        self._chance = random.Random(task.seed)
        spec = PlayerSpec(self.spec.text, self.spec.kind, {"seed": task.seed, **self.spec.given})
        if game.has_percepts and spec.kind.is_thinking:
            self._hidden = make_hidden_searcher(game, spec)
            self._hidden.prepare(deadline)
            return
        self._searcher = make_searcher(game, spec)
        if self.spec.kind.search == "tree":
            self._follower = PlanFollower.of(task.first_state, _LONGEST_PLANNING_S)
        if isinstance(self._searcher, TreeSearcher):
            self._searcher.prepare(deadline, self._symmetries_by(deadline), task.play_clock_s)
        else:
            self._searcher.prepare(deadline)
        if deadline is not None:
            self._race(deadline)
            self._learn(deadline)
        if self._follower is not None and deadline is not None:
            self._follower.planner.wait(deadline - time.monotonic(), self._interrupted)
        if self.spec.settings.get("start") and deadline is not None and isinstance(self._searcher, TreeSearcher):
            self._searcher.ponder(task.first_state, deadline - _RETURN_S - time.monotonic())
        self._ponder(task.first_state)

    def move(self, view: InformationState, deadline: float) -> Reply:
        """Search as long as the task's clock allows and return the move with what the search found."""
        if self._searcher is None and self._hidden is None and hasattr(self, "task"):
            # The start was cut short; what it missed is done now.
            self.start(self.task, time.monotonic())
        task = self._started()
        if not self.spec.kind.is_thinking:
            assert isinstance(self._searcher, SimpleSearcher)
            return Reply(self._searcher.choose(_moves_of(view)))
        if task.simulations:
            # A fixed amount of work and no clock: the same match on any machine.
            decision = self.decide(view, simulations=task.simulations)
        else:
            share = float(self.spec.settings.get("time", 1.0))
            now = time.monotonic()
            decision = self.decide(
                view,
                now + share * (deadline - _RETURN_S - now),
                cpu_seconds=share * task.play_clock_s if task.clock == CPU else 0.0,
                tell=task.tell,
                interval=_TELL_EVERY_S,
            )
        # A move that was forced or drawn is made without a thought.
        is_thought = decision.simulations or decision.is_proven or self.plan is not None
        return Reply(decision.move, decision if is_thought else None)

    def decide(
        self,
        known: State | InformationState,
        deadline: float | None = None,
        *,
        simulations: int = 0,
        cpu_seconds: float = 0.0,
        tell: InfoSubscriber | None = None,
        interval: float = 0.5,
    ) -> Decision:
        """Return the move to make with all that the search found, by a budget that is given here."""
        task = self._started()
        self._stop_pondering()
        self._interrupted.clear()
        if deadline is None and not simulations and not cpu_seconds:
            raise GameError("a move needs a deadline or a number of simulations")
        budget = Budget(deadline, simulations, cpu_seconds=cpu_seconds)
        view = view_from(known, task.role)
        if self._hidden is not None:
            return self._decide_unseen(self._hidden, view, budget, tell, interval)
        return self._decide_open(view.state, budget, tell, interval)

    def _decide_unseen(
        self,
        searcher: HiddenSearcher,
        view: InformationState,
        budget: Budget,
        tell: InfoSubscriber | None,
        interval: float,
    ) -> Decision:
        """Return the move in a game that hides things."""
        legal = _moves_of(view)
        if len(legal) == 1:
            return self._settle(legal[0], 50.0, False)
        try:
            return searcher.think(view, budget, tell, interval)
        except (WoodstockError, RuntimeError, MemoryError, ValueError) as error:
            self.notes.append(f"the search failed, a random move is made: {error}")
            return self._settle(self._chance.choice(legal), 50.0, False)

    def _decide_open(self, state: State, budget: Budget, tell: InfoSubscriber | None, interval: float) -> Decision:
        """Return the move in a game that hides nothing."""
        task, searcher = self.task, self._searcher
        assert searcher is not None
        legal = check_can_move(state, task.role)
        planned = self._planned(state, budget)
        self.plan = None
        if planned is not None and planned[1].is_best:
            self.plan = planned[1]
            decision = self._settle(planned[0], float(planned[1].goal), True)
        elif len(legal) == 1 and planned is None and self.spec.kind.is_thinking:
            decision = self._settle(legal[0], 50.0, False)
        else:
            try:
                decision = searcher.think(state, task.role, self._learn_on(state, budget), tell, interval)
            except (WoodstockError, RuntimeError, MemoryError, ValueError) as error:
                self.notes.append(f"the search failed, a random move is made: {error}")
                decision = self._settle(self._chance.choice(legal), 50.0, False)
            decision = self._with_plan(state, decision)
        if self._ponders:
            self._ponder(_state_after(state, task.role, decision.move))
        return decision

    def _race(self, deadline: float) -> None:
        """Let settings race in a part of the start clock; those that win play the match."""
        seconds = _RACING_SHARE * (deadline - time.monotonic())
        searcher = self._searcher
        preparation = preparation_of(self.task.game)
        if not self.spec.settings.get("race") or seconds < racing.LEAST_S or preparation is None:
            return
        players = without_chance(self.task.game.roles)
        if len(players) < 2 or not isinstance(searcher, TreeSearcher) or "workers" in self.spec.settings:
            return
        spec = searcher.spec
        race = racing.Race(self.task.first_state, spec, preparation, self._is_wanted)
        won = race.run(time.monotonic() + seconds)
        self.standings = race.standings
        if won:
            self._searcher = make_searcher(self.task.game, dataclasses.replace(spec, given={**spec.given, **won}))
            self._searcher.prepare(deadline)

    def _symmetries_by(self, deadline: float | None) -> float | None:
        """Return when to give symmetries up; None: with the start clock. Learning needs the rest."""
        if deadline is None or not self.spec.settings.get("learn") or not has_time_to_learn(self.task, deadline):
            return None
        now = time.monotonic()
        return now + _SYMMETRY_SHARE * (deadline - now)

    def _learn(self, deadline: float) -> None:
        searcher, settings = self._searcher, self.spec.settings
        if settings.get("learn") and isinstance(searcher, TreeSearcher):
            if has_time_to_learn(self.task, deadline):
                seconds = _PROOFS_SHARE * (deadline - time.monotonic())
                searcher.teach_proofs(self.task.first_state, seconds, self._is_wanted)
            self.lesson = learn(self.task, searcher, deadline, self._is_wanted)

    def _learn_on(self, state: State, budget: Budget) -> Budget:
        """Learn in a part of the time for a move and return the rest."""
        if self.lesson is not None:
            budget = self.lesson.go_on(state, budget, self._is_wanted)
        # The search forgets an interrupt that came before it began, so it gets no time.
        return budget if self._is_wanted() else Budget(time.monotonic())

    def _is_wanted(self) -> bool:
        return not self._interrupted.is_set()

    def _with_plan(self, state: State, decision: Decision) -> Decision:
        """Return the plan's move if it promises at least as much as the search, and plan on from there."""
        follower = self._follower
        if follower is None:
            return decision
        # The planner may have found something during the search, and what it finds is certain.
        planned = follower.move(state)
        if planned is not None and planned[1].goal >= decision.value:
            self.plan = planned[1]
            decision = self._settle(planned[0], float(planned[1].goal), planned[1].is_best)
        is_settled = self.is_without_end or (self.plan is not None and self.plan.is_best)
        if not is_settled:
            follower.restart(state.next(decision.move))
        return decision

    def _started(self) -> Task:
        if self._searcher is None and self._hidden is None:
            raise GameError(f"{self.name} was not started: call start(task, deadline) before the first move")
        return self.task

    @property
    def is_without_end(self) -> bool:
        """Whether it is known that no end with a goal can be reached, in a game of one role."""
        return self._follower is not None and self._follower.is_without_end

    def interrupt(self) -> None:
        """End what is under way, the wait for a plan too: `move` returns what it has."""
        self._interrupted.set()
        for searcher in (self._searcher, self._hidden):
            if searcher is not None:
                searcher.interrupt()

    def stop(self, view: InformationState | None) -> None:
        """End the match and free the tree."""
        del view
        self._stop_pondering()
        if self._follower is not None:
            self._follower.planner.stop()
        for searcher in (self._searcher, self._hidden):
            if searcher is not None:
                searcher.close()
        self._searcher, self._hidden, self._follower = None, None, None

    def _planned(self, state: State, budget: Budget) -> tuple[str, Plan] | None:
        """Return the plan's move; if there is no best plan yet, give the planner its share of the time first."""
        if self._follower is None:
            return None
        found = self._follower.move(state)
        if budget.deadline is not None and (found is None or not found[1].is_best):
            # The planner is a process of its own, so its share of a clock of processor time is wall time.
            seconds = _PLANNING_SHARE * (budget.cpu_seconds or budget.seconds_left)
            self._follower.planner.wait(seconds, self._interrupted)
            found = self._follower.move(state)
        return found

    def _settle(self, move: str, value: float, is_proven: bool) -> Decision:
        """Return a decision that no tree made."""
        bounds = (value, value) if is_proven else (0.0, 100.0)
        values = dict.fromkeys(self.task.game.roles, value)
        moves = (RootMove(move, 0, value, bounds, bounds, is_proven),)
        return Decision(self.task.role, moves, values, is_proven, 0.0, {}, move=move, player=self.name)

    def _ponder(self, state: State) -> None:
        """Think on from this state until the next call, if the player does so at all."""
        searcher = self._searcher
        if not self._ponders or not isinstance(searcher, TreeSearcher) or state.is_terminal:
            return

        def ponder() -> None:
            # Those who move now have about as much time as this player had.
            self._learn_on(state, Budget(time.monotonic() + self.task.play_clock_s))
            if self._is_wanted():
                searcher.ponder(state, _LONGEST_PONDER_S)

        self._pondering = threading.Thread(target=ponder, daemon=True, name="woodstock-ponder")
        self._pondering.start()

    def _stop_pondering(self) -> None:
        if self._pondering is None:
            return
        # A search that is just starting forgets an earlier stop, so it is stopped until it ends.
        while self._pondering.is_alive():
            self.interrupt()
            self._pondering.join(0.001)
        self._pondering = None


def _moves_of(view: InformationState) -> tuple[str, ...]:
    if view.is_open:
        return check_can_move(view.state, view.role)
    if not view.legal:
        raise GameError(f"{view.role} has no legal move here")
    return view.legal


def _state_after(state: State, role: str, move: str) -> State:
    """Return the state that a move leads to if no other role has a choice; else the state itself."""
    others = {other: state.legal(other) for other in state.game.roles if other != role}
    if any(len(legal) != 1 for legal in others.values()):
        return state
    return state.next({role: move, **{other: legal[0] for other, legal in others.items()}})
