"""`woodstock protocol check URL`: does a player speak the GGP protocol?"""

from __future__ import annotations

from typing import Annotated

import typer

from woodstock.cli.options import AsJson
from woodstock.cli.output import print_json, results

app = typer.Typer(help="Check a player of the GGP protocol.", rich_markup_mode=None)


@app.command("check", epilog="Example: woodstock protocol check http://127.0.0.1:9147")
def check(
    url: Annotated[str, typer.Argument(metavar="URL", help="The player's address, http://host:port.")],
    as_json: AsJson = False,
) -> None:
    """Send each message of the protocol to a player and judge its answers."""
    from woodstock.ggp.check import check_player
    from woodstock.ggp.client import address

    host, port = address(url if "//" in url else f"http://{url}")
    console = results()
    verdicts = []
    for verdict in check_player(host, port):
        verdicts.append(verdict)
        if not as_json:
            mark, most = ("ok  ", 36) if verdict.is_right else ("FAIL", 200)
            console.print(
                f"{mark}  {verdict.step:26} {verdict.seconds:6.3f} s  {verdict.answer[:most]}", soft_wrap=True
            )
            if not verdict.is_right:
                console.print(f"      expected {verdict.expected}")
    wrong = sum(not verdict.is_right for verdict in verdicts)
    if as_json:
        keys = ("step", "is_right", "answer", "seconds", "expected")
        print_json({"steps": [{key: getattr(one, key) for key in keys} for one in verdicts], "wrong": wrong})
    else:
        console.print(f"{len(verdicts) - wrong} of {len(verdicts)} steps right")
    raise typer.Exit(1 if wrong else 0)
