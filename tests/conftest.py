"""What tests in several folders share, and the line that says what was not run."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from woodstock.events import Subscriber
from woodstock.game.load import DEFAULT_GROUND_MEMORY_MB
from woodstock.gdl.ground_process import run_gringo

ROOT = Path(__file__).resolve().parent.parent
NO_CORPUS = "no outside corpus: ../shared has public rulesheets and traces"
LONG_S = 30.0  # a budget that no sheet of the tests comes near
LARGE_BYTES = 4 << 20
MOST_KEPT = 300


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of public rulesheets and traces next to the repository; tests that need it are skipped without it."""
    folder = ROOT.parent / "shared"
    if not (folder / "games" / "INDEX.tsv").is_file():
        pytest.skip(NO_CORPUS)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _same_rules_are_grounded_once() -> Iterator[None]:
    """Keep what gringo wrote: a thousand tests load a few hundred games, and each time a process would start.

    Who gives a smaller budget than `load` does wants to see it spent, and gets a process. So do the sheets whose ground
    rules are large, and the oldest texts are forgotten: the slow sweeps go over thousands of sheets.
    """
    kept: dict[str, bytes] = {}

    def run_once(text: str, seconds: float, memory_mb: int, tell: Subscriber) -> bytes:
        if seconds < LONG_S or memory_mb < DEFAULT_GROUND_MEMORY_MB:
            return run_gringo(text, seconds, memory_mb, tell)
        data = kept.get(text)
        if data is None:
            data = run_gringo(text, seconds, memory_mb, tell)
            if len(data) < LARGE_BYTES:
                kept[text] = data
            if len(kept) > MOST_KEPT:
                del kept[next(iter(kept))]
        return data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("woodstock.gdl.ground.run_gringo", run_once)
        yield


def pytest_configure() -> None:
    """Hear Ctrl-C again if the tests were started in the background: programs that they start inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line how many tests were skipped, and why."""
    reports = terminalreporter.stats.get("skipped", [])
    if reports:
        reasons = Counter(_reason(report) for report in reports)
        listed = "; ".join(f"{count} ({reason})" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"skipped: {listed}")


def _reason(report: pytest.TestReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ").strip()
