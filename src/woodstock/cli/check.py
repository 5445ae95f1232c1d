"""`woodstock check`: find the mistakes in a rulesheet, first by reading it, then by playing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from woodstock.cli.frame import Answer, answered
from woodstock.cli.options import GameName, GroundMemoryMb, GroundSeconds, Seed
from woodstock.cli.output import count
from woodstock.cli.progress import phases
from woodstock.cli.source import read_rules
from woodstock.errors import RulesError

if TYPE_CHECKING:
    from woodstock.game.semantics import SemanticsReport
    from woodstock.gdl.ast import Program
    from woodstock.gdl.diagnostics import Diagnostic


FACTS = ("states", "terminal_states", "playouts", "is_exhaustive", "seconds")


@answered
def command(
    game: GameName,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.0, metavar="S", help="How long to play; 0: only read the rules.")
    ] = 2.0,
    seed: Seed = 0,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> Answer:
    """Find the mistakes in the rules of a game."""
    from woodstock.game.load import from_program
    from woodstock.game.semantics import check_semantics

    text, name = read_rules(game)
    diagnostics, program = _static(text, name)
    report = None
    if program is not None and seconds > 0 and not any(d.is_error for d in diagnostics):
        with phases() as tell:
            loaded = from_program(
                program, name, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb, tell=tell
            )
            report = check_semantics(loaded, seconds=seconds, seed=seed)
        diagnostics = (*diagnostics, *report.diagnostics)
    errors = sum(d.is_error for d in diagnostics)
    warnings = len(diagnostics) - errors
    facts = _as_dict(name, diagnostics, report, errors, warnings)
    summary = f"{name}: {_number(errors, 'error')}, {_number(warnings, 'warning')}"
    return Answer(facts, lambda console: _show(diagnostics, report, summary, console), 1 if errors else 0)


def _static(text: str, name: str) -> tuple[tuple[Diagnostic, ...], Program | None]:
    from woodstock.gdl.check import check
    from woodstock.gdl.parse import parse

    try:
        program = parse(text, name)
    except RulesError as error:
        return error.diagnostics, None
    return check(program), program


def _as_dict(
    name: str, diagnostics: tuple[Diagnostic, ...], report: SemanticsReport | None, errors: int, warnings: int
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "file": name,
        "is_ok": errors == 0,
        "errors": errors,
        "warnings": warnings,
        "diagnostics": [d.to_dict() for d in diagnostics],
    }
    if report is not None:
        result["play"] = {
            **{name: getattr(report, name) for name in FACTS},
            "claims": [{"text": c.text, "verdict": c.verdict, "detail": c.detail} for c in report.claims],
            "findings": [finding.to_dict() for finding in report.findings],
        }
    return result


def _show(diagnostics: tuple[Diagnostic, ...], report: SemanticsReport | None, summary: str, console: Console) -> None:
    for diagnostic in diagnostics:
        console.print(str(diagnostic), soft_wrap=True)
        console.print()
    if report is not None:
        for claim in report.claims:
            detail = f" ({claim.detail})" if claim.detail else ""
            console.print(f"{claim.verdict + ':':9} {claim.text}{detail}", soft_wrap=True)
        seen = "all " if report.is_exhaustive else ""
        console.print(f"{'played:':9} {seen}{count(report.states)} states, {count(report.playouts)} random matches")
    console.print(summary, style="bold", soft_wrap=True)


def _number(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"
