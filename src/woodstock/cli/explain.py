"""`woodstock explain`: the page of a diagnostic code: what it checks, why, a wrong and a right example."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from woodstock.cli.frame import Answer, answered
from woodstock.cli.output import messages


@answered
def command(
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="A code such as GDL021; without one, list all.")
    ] = None,
) -> Answer:
    """Explain a diagnostic code, with a wrong and a right example."""
    from woodstock.gdl.codes import PAGES, UnknownCodeError, explain

    if code is None:
        lines = "\n".join(f"{page.code}  {page.severity:7}  {page.title}" for page in PAGES.values())
        return Answer([asdict(page) for page in PAGES.values()], lambda console: console.print(lines))
    try:
        text = explain(code)
    except UnknownCodeError as error:
        messages().print(f"error: {error}")
        raise typer.Exit(2) from error
    # The page begins with its code, in the standard spelling.
    return Answer(asdict(PAGES[text.split()[0]]), lambda _console: typer.echo(text, nl=False))
