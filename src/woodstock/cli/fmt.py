"""`woodstock fmt`: write a rulesheet in its standard form, in either syntax; comments stay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from woodstock.cli.options import AsJson, GameName
from woodstock.cli.output import messages, print_json
from woodstock.cli.source import STDIN, locate, read_rules
from woodstock.errors import RulesError


def command(
    game: GameName,
    to: Annotated[
        Literal["kif", "infix"] | None, typer.Option("--to", help="Syntax to write.  [default: that of the file]")
    ] = None,
    write_back: Annotated[bool, typer.Option("--write", "-w", help="Write the result back to the file.")] = False,
    is_check: Annotated[
        bool, typer.Option("--check", help="Only report whether the file has this form (exit code 1 if not).")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Format a rulesheet, or translate it between the two syntaxes."""
    from woodstock.gdl.parse import parse, syntax_of
    from woodstock.gdl.write import write

    if write_back and game == STDIN:
        raise typer.BadParameter("--write needs a file, not standard input")
    text, name = read_rules(game)
    program = parse(text, name)
    syntax = to or syntax_of(text, name)
    formatted = write(program, syntax)
    # A formatter must never change the meaning, so the result is parsed again before it is shown.
    try:
        is_same = parse(formatted, syntax=syntax).rules == program.rules
    except RulesError:
        is_same = False
    if not is_same:
        raise RuntimeError(f"the formatted form of {name} does not read back as the same rules")
    is_changed = formatted != text
    if write_back and is_changed:
        _replace(locate(game), formatted)
    if as_json:
        result = {"file": name, "syntax": syntax, "is_changed": is_changed, "rules": len(program.rules)}
        print_json(result if write_back or is_check else {**result, "text": formatted})
    elif is_check or write_back:
        verb = "formatted" if write_back else "would be changed"
        messages().print(f"{name}: {verb if is_changed else 'already in this form'}")
    else:
        typer.echo(formatted, nl=False)
    if is_check and is_changed:
        raise typer.Exit(1)


def _replace(path: Path, text: str) -> None:
    """Write the file in one step: after a crash the old one is still there."""
    draft = path.with_name(path.name + ".new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
