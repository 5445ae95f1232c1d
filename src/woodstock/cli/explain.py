"""`woodstock explain`: the page of a diagnostic code: what it checks, why, a wrong and a right example."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from woodstock.cli.options import AsJson
from woodstock.cli.output import messages, print_json, results


def command(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="A code such as GDL021; without one, list all.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain a diagnostic code, with a wrong and a right example."""
    from woodstock.gdl.codes import PAGES
    from woodstock.gdl.explain import UnknownCodeError, explain

    if code is None:
        if as_json:
            print_json([asdict(page) for page in PAGES.values()])
            return
        console = results()
        for page in PAGES.values():
            console.print(f"{page.code}  {page.severity:7}  {page.title}")
        return
    try:
        text = explain(code)
    except UnknownCodeError as error:
        messages().print(f"error: {error}")
        raise typer.Exit(2) from error
    if as_json:
        # The page begins with its code, in the standard spelling.
        print_json(asdict(PAGES[text.split()[0]]))
    else:
        typer.echo(text, nl=False)
