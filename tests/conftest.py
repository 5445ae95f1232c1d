"""What tests in several folders share, and the line that says what was not run."""

from __future__ import annotations

import signal
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NO_CORPUS = "no outside corpus: ../shared has public rulesheets and traces"


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
