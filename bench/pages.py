"""How fast the pages answer, in a real browser: first line and updates of an analysis, diagnostics, a playable board.

Times are what a person waits for, from the click or the last key to what is drawn. They are wall time: on a busy
machine they are too long, so the load is printed with them.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.common import Report, parser
from playwright.sync_api import Page, sync_playwright

ANALYSED = ("tic-tac-toe", "connect-four", "breakthrough", "hex", "othello", "backgammon", "english-draughts", "chess")
EDITED = ("tic-tac-toe", "connect-four", "breakthrough", "othello", "nim", "hex", "english-draughts", "chess")
MOVES = 5
KEYS = 5
WATCHED_S = 2.0
# Limits of the pages: first line, updates a second, diagnostics, a playable board; in ms.
LIMITS = {"first": 300, "updates": 4.0, "checked": 300, "playable": 1000}


@contextmanager
def site() -> Iterator[str]:
    """Run `woodstock web` and yield its address."""
    start = "from woodstock.cli import main; main()"
    command = [sys.executable, "-c", start, "web", "--memory", "--no-browser", "--port", "0"]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        try:
            found = None
            while found is None and process.poll() is None:
                time.sleep(0.1)
                said.seek(0)
                found = re.search(r"http://\S+", said.read())
            assert found is not None, "the site did not start"
            yield found[0]
        finally:
            process.terminate()
            process.wait(10)
            said.seek(0)
            sys.stderr.write("".join(said.readlines()[2:]))


def analysis(page: Page, game: str) -> tuple[list[float], float]:
    """Return the times to the first line of some states, in ms, and the updates a second."""
    page.goto(f"/analysis?game={game}")
    page.locator(".line").first.wait_for()
    page.wait_for_timeout(1500)  # the game is loaded, its code compiled
    first, rates = [], []
    for _ in range(MOVES):
        at = page.locator("#turn").inner_text()
        page.wait_for_timeout(300)
        if page.locator(".line.rank1 .turn").count() == 0:
            break  # the match is over, or chance is to move
        page.locator(".line.rank1 .turn").first.click()
        page.wait_for_function("before => document.querySelector('#turn').textContent !== before", arg=at)
        page.wait_for_function("() => document.querySelector('#board').dataset.firstMs")
        first.append(float(page.locator("#board").get_attribute("data-first-ms") or 0))
        before = int(page.locator("#board").get_attribute("data-updates") or 0)
        page.wait_for_timeout(1000 * WATCHED_S / MOVES)
        is_done = page.locator("#board").get_attribute("data-done") is not None
        after = int(page.locator("#board").get_attribute("data-updates") or 0)
        if not is_done:
            rates.append((after - before) * MOVES / WATCHED_S)
    return first, statistics.fmean(rates) if rates else float("nan")


def editing(page: Page, game: str) -> tuple[list[float], list[float]]:
    """Return the times from the last key to the diagnostics, and to a board of the new text, in ms."""
    page.goto(f"/rules?game={game}")
    page.locator("#board .place, #board-status:has-text('Turn')").first.wait_for()
    page.wait_for_timeout(1500)
    checked, playable = [], []
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    for number in range(KEYS):
        page.evaluate("delete document.querySelector('#text').dataset.checkedMs")
        page.evaluate("delete document.querySelector('#text').dataset.playableMs")
        page.keyboard.insert_text(f"\n(unused {number})")
        page.wait_for_function("() => document.querySelector('#text').dataset.playableMs", timeout=30_000)
        checked.append(float(page.locator("#text").get_attribute("data-checked-ms") or 0))
        playable.append(float(page.locator("#text").get_attribute("data-playable-ms") or 0))
        page.locator("#played", has_text="Played").wait_for(state="attached")  # the check by random play has ended
        page.evaluate("document.querySelector('#played').textContent = ''")
    return checked, playable


def report(page: Page, games: list[str] | None) -> Iterator[str]:
    """Yield the lines of both tables."""
    yield f"load average at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield ""
    yield f"{'analysis of':20} {'first line, ms':>22} {'updates a second':>18}"
    for game in games or ANALYSED:
        first, rate = analysis(page, game)
        shown = "proven at once" if rate != rate else f"{rate:.1f}"
        first = first or [float("nan")]
        yield f"{game:20} {statistics.median(first):>10.0f} (most {max(first):.0f}) {shown:>18}"
    yield f"{'wanted':20} {'<= ' + str(LIMITS['first']):>10} {'':>11} {'>= ' + str(LIMITS['updates']):>18}"
    yield ""
    yield f"{'editing':20} {'diagnostics, ms':>22} {'playable, ms':>22}"
    for game in games or EDITED:
        checked, playable = editing(page, game)
        yield (
            f"{game:20} {statistics.median(checked):>10.0f} (most {max(checked):.0f}) "
            f"{statistics.median(playable):>12.0f} (most {max(playable):.0f})"
        )
    yield f"{'wanted':20} {'<= ' + str(LIMITS['checked']):>10} {'':>12} {'<= ' + str(LIMITS['playable']):>12}"
    yield ""
    yield "diagnostics: from the last key, the pause of 120 ms before a text is read included"


def main() -> None:
    """Measure, print and write."""
    options = parser(__doc__, out=True)
    options.add_argument("--games", nargs="*", metavar="GAME", help="only these games")
    arguments = options.parse_args()
    tell = Report(arguments.out)
    with site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        page = browser.new_context(base_url=address, viewport={"width": 1200, "height": 860}).new_page()
        page.set_default_timeout(60_000)
        for line in report(page, arguments.games):
            tell(line)
        browser.close()


if __name__ == "__main__":
    main()
