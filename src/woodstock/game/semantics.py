"""Check a game by playing it: does every reachable state keep the rules of GDL?

Comes in: a `Game` and a time budget. Goes out: a `SemanticsReport`: findings, each with the joint moves that lead from
the initial state to the offending one, and a verdict on every claim. States are visited breadth first; if that ends
within half of the budget, every reachable state was seen and the verdicts are proofs. If not, random playouts use the
rest, and a claim that they did not refute stays open. On the circuit the last quarter is for millions of playouts in a
batch; oddities that only those meet are traced back to a path. If the rules hide something, a quarter of the budget is
for what the roles can know (`knowledge`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter

from woodstock.game.declared import declared
from woodstock.game.explore import Exhausted, JointMove, Observations, Path, explore, sample
from woodstock.game.game import Game
from woodstock.game.knowledge import Knowledge, look
from woodstock.game.playouts import PlayoutStats
from woodstock.game.rare_ends import path_to
from woodstock.game.state import State
from woodstock.gdl.ast import Constant, Span
from woodstock.gdl.chance import is_chance
from woodstock.gdl.diagnostics import ERROR, WARNING, Diagnostic
from woodstock.gdl.source import Source

PROVED = "proved"
REFUTED = "refuted"
OPEN = "open"

DEFAULT_MAX_STEPS = 2_000
_MOST_PLAYOUTS = 100_000
_SHOWN_MOVES = 12
_SHOWN_TERMS = 5


@dataclass(frozen=True)
class Finding:
    """A problem met in play, and the joint moves (in role order) from the initial state to it."""

    diagnostic: Diagnostic
    path: Path
    other: Path | None = None
    """A second path, if the problem is that a role cannot tell two matches apart."""

    def to_dict(self) -> dict[str, object]:
        """Return the finding as plain values for JSON."""
        found = {**self.diagnostic.to_dict(), "path": [list(joint) for joint in self.path]}
        return found if self.other is None else {**found, "other_path": [list(joint) for joint in self.other]}


@dataclass(frozen=True)
class Claim:
    """Something that should be true of every match, and whether it does: `proved`, `refuted` or `open`."""

    text: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True)
class SemanticsReport:
    """What playing a game showed. `is_exhaustive` if every reachable state was seen."""

    findings: tuple[Finding, ...]
    claims: tuple[Claim, ...]
    states: int
    terminal_states: int
    playouts: int
    is_exhaustive: bool
    seconds: float

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings without their paths, in the order of the rulesheet."""
        return tuple(sorted((f.diagnostic for f in self.findings), key=lambda d: (d.span.start, d.code)))


def replay(game: Game, path: Iterable[JointMove]) -> State:
    """Return the state that these joint moves lead to from the initial one."""
    state = game.initial
    for joint in path:
        state = state.next(joint)
    return state


def check_semantics(
    game: Game, *, seconds: float = 5.0, seed: int = 0, max_steps: int = DEFAULT_MAX_STEPS
) -> SemanticsReport:
    """Play the game for about that many seconds and report its problems."""
    _warm_up(game)
    known = declared(game.program)
    started = time.perf_counter()
    knowledge = look(game.engine, started + seconds / 4, seed) if game.has_percepts else None
    if knowledge is not None:
        seconds -= time.perf_counter() - started
    began = time.perf_counter()
    observations = Observations(game.engine, known.base, known.inputs)
    exhausted = explore(observations, began + seconds / 2)
    if exhausted is None:
        ends_at = began + seconds * (0.75 if game.engine_name == "circuit" else 1.0)
        sample(observations, ends_at, seed=seed, max_steps=max_steps, most=_MOST_PLAYOUTS)
        if game.engine_name == "circuit":
            _add_batch(game, observations, seconds / 8, seed, max_steps)
    judge = _Judge(game, observations, exhausted, max_steps)
    judge.legal_moves()
    judge.goals()
    judge.termination()
    judge.winnable()
    judge.reachable_goals()
    judge.declarations()
    if knowledge is not None:
        judge.knowledge(knowledge)
    return SemanticsReport(
        findings=tuple(judge.findings),
        claims=tuple(judge.claims),
        states=observations.states,
        terminal_states=observations.terminal_states,
        playouts=observations.playouts,
        is_exhaustive=exhausted is not None,
        seconds=time.perf_counter() - started,
    )


def _warm_up(game: Game) -> None:
    """Build what the engine builds once: for large games this takes longer than the checks may."""
    state = game.initial
    legal = [state.legal(role) for role in game.roles]
    if not state.is_terminal and all(legal):
        state.next([moves[0] for moves in legal])
    if game.engine_name == "circuit":
        game.engine.prepare("batch")


def _add_batch(game: Game, observations: Observations, seconds: float, seed: int, max_steps: int) -> None:
    """Add what only millions of playouts met, with a path to it if one is found."""
    stats = game.playouts(seconds=seconds, seed=seed, max_steps=max_steps)
    observations.playouts += stats.count
    observations.cut_playouts += stats.truncated
    rate = stats.playouts_per_second
    trace = partial(path_to, game, playouts_per_second=rate, seed=seed, max_steps=max_steps)
    for role, name in enumerate(game.roles):
        observations.goals[role].update(stats.histograms[name])
        if stats.undefined[name] and role not in observations.without_goal:
            path = trace(_undefined(name))
            if path is not None and replay(game, path).goals[name] is None:
                observations.without_goal[role] = path
    if stats.stuck and not observations.stuck:
        path = trace(attrgetter("stuck"))
        if path is not None:
            state = replay(game, path)
            observations.stuck.update({role: path for role, name in enumerate(game.roles) if not state.legal(name)})


def _undefined(role: str) -> Callable[[PlayoutStats], int]:
    return lambda stats: stats.undefined[role]


@dataclass
class _Judge:
    """Turns observations into findings and claims."""

    game: Game
    seen: Observations
    exhausted: Exhausted | None
    max_steps: int
    findings: list[Finding] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    def legal_moves(self) -> None:
        text = "every role has a legal move in every state that is not terminal"
        for role, path in self.seen.stuck.items():
            name = self.game.roles[role]
            message = f"{name} has no legal move in a state that is not terminal, {_after(path)}"
            helps = [f"make such states terminal, or give {name} a move there, for example (legal {name} noop)"]
            self._find("GDL101", ERROR, message, self._span("legal", name), path, helps)
        self._claim(text, is_refuted=bool(self.seen.stuck))

    def goals(self) -> None:
        text = "every role has exactly one goal in every terminal state"
        for role, path in self.seen.without_goal.items():
            name = self.game.roles[role]
            message = f"{name} has no goal, or more than one, in a terminal state, {_after(path)}"
            helps = [
                f"exactly one rule (goal {name} ...) must hold in each terminal state; "
                "in a match the first rule that holds counts, and without one the score is 0"
            ]
            self._find("GDL102", WARNING, message, self._span("goal", name), path, helps)
        self._claim(text, is_refuted=bool(self.seen.without_goal))

    def termination(self) -> None:
        text = "every match ends"
        helps = ["count the steps in a fluent and make the last of them terminal"]
        if self.exhausted is not None and self.exhausted.cycle is not None:
            path = self.exhausted.cycle
            message = f"a match can go on for ever: a state comes again, {_after(path)}"
            self._find("GDL103", WARNING, message, self._span("terminal"), path, helps)
            self.claims.append(Claim(text, REFUTED, f"a cycle closes after {len(path)} joint moves"))
        elif self.exhausted is not None:
            self.claims.append(Claim(text, PROVED, f"after at most {self.exhausted.longest} joint moves"))
        elif self.seen.cut_playouts:
            cut = f"{self.seen.cut_playouts:,} of {self.seen.playouts:,} random matches did not end"
            if self.seen.endless is not None:
                message = f"a random match did not end within {self.max_steps:,} joint moves"
                self._find("GDL103", WARNING, message, self._span("terminal"), self.seen.endless, helps)
            self.claims.append(Claim(text, OPEN, f"{cut} within {self.max_steps:,} joint moves"))
        else:
            self._claim(text, is_refuted=False)

    def winnable(self) -> None:
        for role, name in enumerate(self.game.roles):
            if is_chance(name):
                continue
            text = f"{name} can win"
            reached = self.seen.goals[role]
            if 100 in reached:
                self.claims.append(Claim(text, PROVED, "a match with goal 100 was met"))
            elif self.exhausted is None:
                self.claims.append(Claim(text, OPEN, f"no match with goal 100 was met{_best(reached)}"))
            else:
                message = f"{name} can never reach goal 100{_best(reached)}"
                self._find("GDL104", WARNING, message, self._span("goal", name), (), [])
                self.claims.append(Claim(text, REFUTED, "no match ends with goal 100"))

    def reachable_goals(self) -> None:
        ground = self.game.ground
        if ground is None:
            return
        for role, name in enumerate(self.game.roles):
            missing = sorted({value for of, value, _atom in ground.goals if of == role} - self.seen.goals[role] - {100})
            if not missing or is_chance(name):
                continue
            values = ", ".join(map(str, missing))
            text = f"every goal of {name} in the rules can be reached"
            if self.exhausted is None:
                self.claims.append(Claim(text, OPEN, f"not met: {values}"))
            else:
                message = f"no match ends with goal {values} for {name}, although a rule gives it"
                self._find("GDL105", WARNING, message, self._span("goal", name), (), [])
                self.claims.append(Claim(text, REFUTED, f"never: {values}"))

    def declarations(self) -> None:
        if self.seen.base is not None:
            self._declaration("GDL106", "base", "fluent that can hold", "hold", self.seen.outside_base)
        if self.seen.inputs is not None:
            roles = self.game.roles
            moves = {f"({roles[role]} {move})": path for (role, move), path in self.seen.outside_inputs.items()}
            self._declaration("GDL107", "input", "legal move", "be legal", moves)

    def knowledge(self, known: Knowledge) -> None:
        """Report roles that cannot know their legal moves, or at the end their goal."""
        for code, what, doubts in (("GDL108", "legal moves", known.moves), ("GDL109", "goal", known.goals)):
            for role, doubt in doubts.items():
                name = self.game.roles[role]
                message = f"{name} cannot know its {what}: two matches look the same to it, {_after(doubt.first)}"
                helps = [
                    f"the other match: {shown(self.game.roles, doubt.second)}",
                    f"its {what} in the first only: {_listed(list(doubt.only_first)) or 'none'}; "
                    f"in the other only: {_listed(list(doubt.only_second)) or 'none'}",
                    f"add a rule (sees {name} ...) that tells them apart",
                ]
                relation = "legal" if code == "GDL108" else "goal"
                self._find(code, WARNING, message, self._span(relation, name), doubt.first, helps, doubt.second)
            text = "every role knows its legal moves" if code == "GDL108" else "every role knows its goal at the end"
            verdict = REFUTED if doubts else PROVED if known.is_complete else OPEN
            detail = f"in {'all ' if known.is_complete else ''}{known.crowds:,} situations that a role can know"
            self.claims.append(Claim(text, verdict, "" if doubts else detail))

    def _declaration(self, code: str, relation: str, what: str, came_to: str, outside: Mapping[str, Path]) -> None:
        """Report what a declaration leaves out, with the path on which it was met."""
        if outside:
            first, path = next(iter(outside.items()))
            message = f"{relation} leaves out {_listed(list(outside))}, which came to {came_to}, {_after(path)}"
            entry = first if relation == "base" else first[1:-1]
            self._find(code, WARNING, message, self._span(relation), path, [f"add ({relation} {entry})"])
        self._claim(f"{relation} covers every {what}", is_refuted=bool(outside), is_batched=False)

    def _claim(self, text: str, *, is_refuted: bool, is_batched: bool = True) -> None:
        if is_refuted:
            self.claims.append(Claim(text, REFUTED))
        elif self.exhausted is not None:
            self.claims.append(Claim(text, PROVED, f"in all {self.seen.states:,} reachable states"))
        else:
            matches = f" and {self.seen.playouts:,} random matches" if is_batched else ""
            detail = f"not refuted in {self.seen.states:,} states{matches}"
            self.claims.append(Claim(text, OPEN, detail))

    def _find(
        self,
        code: str,
        severity: str,
        message: str,
        span: Span,
        path: Path,
        helps: list[str],
        other: Path | None = None,
    ) -> None:
        if path:
            helps = [f"moves to that state: {shown(self.game.roles, path)}", *helps]
        source = Source(self.game.program.name, self.game.program.text)
        self.findings.append(Finding(Diagnostic(code, severity, message, span, source, tuple(helps)), path, other))

    def _span(self, relation: str, role: str | None = None) -> Span:
        """Return the place of this relation in the rules, if possible that of this role."""
        heads = [rule.head for rule in self.game.program.rules if rule.head.name == relation]
        own = [head for head in heads if role and head.args and head.args[0] == Constant(role)]
        found = own or heads
        return found[0].span if found else Span(0, 0)


def shown(roles: tuple[str, ...], path: Path) -> str:
    """Return a path as one line, shortened in the middle if it is long; the finding has all of it."""
    turns = [f"{number}. {' '.join(joint)}" for number, joint in enumerate(path, 1)]
    if len(turns) > _SHOWN_MOVES:
        half = _SHOWN_MOVES // 2
        turns = [*turns[:half], f"... {len(turns) - 2 * half} more ...", *turns[-half:]]
    return f"({' '.join(roles)}) " + "; ".join(turns)


def _after(path: Path) -> str:
    if not path:
        return "the initial one"
    return f"after {len(path)} joint move{'s' if len(path) > 1 else ''}"


def _best(reached: set[int]) -> str:
    return f"; the best is {max(reached)}" if reached else ""


def _listed(texts: list[str]) -> str:
    more = len(texts) - _SHOWN_TERMS
    return ", ".join(texts[:_SHOWN_TERMS]) + (f" and {more} more" if more > 0 else "")
