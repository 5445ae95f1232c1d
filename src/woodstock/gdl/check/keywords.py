"""Keywords: where each may appear, its number of arguments, and which ones a game must have."""

from __future__ import annotations

from woodstock.gdl.ast import KEYWORD_ARITY, KEYWORDS, Constant, Function, Span
from woodstock.gdl.check.safety import DECLARATIONS
from woodstock.gdl.check.strata import chain_text, path
from woodstock.gdl.check.survey import Survey, Use
from woodstock.gdl.diagnostics import Problems

_STATE = {("true", 1), ("does", 2), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0)}
_MEANING = {
    "role": "(role white)",
    "init": "(init (control white))",
    "true": "(true (control white))",
    "does": "(does white noop)",
    "next": "(next (control black))",
    "legal": "(legal white noop)",
    "terminal": "terminal",
    "goal": "(goal white 100)",
    "base": "(base (control white))",
    "input": "(input white noop)",
    "sees": "(sees white (card 3))",
}


def check_keywords(survey: Survey, problems: Problems) -> None:
    """Report keywords in the wrong place, wrong goals, and what is missing altogether."""
    _check_arity(survey, problems)
    _check_heads(survey, problems)
    _check_dependence(survey, problems)
    _check_goals(survey, problems)
    _check_presence(survey, problems)
    _check_terms(survey, problems)


def _check_arity(survey: Survey, problems: Problems) -> None:
    places: list[tuple[str, int, Span]] = [
        (name, arity, rule.head.span) for (name, arity), rules in survey.heads.items() for rule in rules
    ]
    places += [(name, arity, use.atom.span) for (name, arity), uses in survey.uses.items() for use in uses]
    for name, arity, span in places:
        wanted = KEYWORD_ARITY.get(name)
        if wanted is None or wanted == arity:
            continue
        message = f"{name} takes {_arguments(wanted)}, not {arity}"
        if name in DECLARATIONS:
            problems.warn("GDL028", span, message, "the declaration is ignored; is a bracket misplaced?")
        else:
            problems.error("GDL011", span, message, f"write it like {_MEANING[name]}")


def _arguments(count: int) -> str:
    return {0: "no argument", 1: "one argument"}.get(count, f"{count} arguments")


def _check_heads(survey: Survey, problems: Problems) -> None:
    for name in ("true", "does"):
        for rule in survey.heads.get((name, KEYWORD_ARITY[name]), ()):
            problems.error(
                "GDL053",
                rule.head.span,
                f"{name} cannot be a head: it is given by the " + ("moves" if name == "does" else "state"),
                "did you mean next or init?" if name == "true" else "did you mean legal?",
            )
    for rule in survey.heads.get(("role", 1), ()):
        argument = rule.head.args[0]
        if rule.body or not isinstance(argument, Constant):
            problems.error(
                "GDL051",
                rule.head.span,
                "a role must be a fact with a plain name" if not rule.body else "a role must be a fact, not a rule",
                "the roles are fixed before a match starts: write one fact for each, like (role white)",
            )
    for use in survey.uses.get(("next", 1), ()):
        problems.warn(
            "GDL058",
            use.atom.span,
            "next is used in a body",
            "it means: will be true in the next state; a predicate of its own would be clearer",
        )


def _check_dependence(survey: Survey, problems: Problems) -> None:
    if chain := path(survey, ("init", 1), _STATE):
        _report_dependence(
            "GDL052", "init", "init defines the first state; there is no state before it", survey, chain, problems
        )
    for name in ("legal", "goal", "terminal"):
        if chain := path(survey, (name, KEYWORD_ARITY[name]), {("does", 2)}):
            why = f"{name} is evaluated before the moves are known"
            _report_dependence("GDL054", name, why, survey, chain, problems)


def _report_dependence(code: str, name: str, why: str, survey: Survey, chain: list[Use], problems: Problems) -> None:
    message = f"{name} depends on {chain[-1].atom.name}"
    problems.error(code, chain[0].atom.span, message, why, f"the chain: {chain_text(survey, chain)}")


def _check_goals(survey: Survey, problems: Problems) -> None:
    for rule in survey.heads.get(("goal", 2), ()):
        value = rule.head.args[1]
        if isinstance(value, Function) or (isinstance(value, Constant) and not _is_goal(value.name)):
            problems.error(
                "GDL055",
                value.span,
                f"goal value {survey.shown(value.span, value)} is not an integer from 0 to 100",
                "100 is a win, 0 a loss, 50 a draw",
            )


def _is_goal(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= 9 and int(name) <= 100


def _check_presence(survey: Survey, problems: Problems) -> None:
    last = survey.program.rules[-1].span if survey.program.rules else Span(0, 0)
    if not survey.heads.get(("role", 1)):
        problems.error(
            "GDL056", Span(0, 1), "no role: a game needs at least one player", "add a fact like (role white)"
        )
    for name, what in (
        ("legal", "no player can ever move"),
        ("terminal", "the game never ends"),
        ("goal", "nobody can win"),
    ):
        if (name, KEYWORD_ARITY[name]) not in survey.heads:
            problems.error(
                "GDL057",
                last,
                f"no rule for {name}: {what}",
                f"add a rule or fact for {_MEANING[name]}",
            )
    if ("init", 1) not in survey.heads:
        problems.warn(
            "GDL060", Span(0, 1), "no init: the first state is empty", "add facts like (init (control white))"
        )


def _check_terms(survey: Survey, problems: Problems) -> None:
    for (name, _arity), span in survey.functions.items():
        if name in KEYWORDS:
            problems.warn(
                "GDL059",
                span,
                f"keyword {name} inside a term has no special meaning",
                "is a bracket in the wrong place? If not, choose another name",
            )
