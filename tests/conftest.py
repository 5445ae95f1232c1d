"""What tests in several folders share."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of public rulesheets and traces beside the repository; tests that need it are skipped without it."""
    folder = ROOT.parent / "shared"
    if not (folder / "games" / "INDEX.tsv").is_file():
        pytest.skip(f"the corpus of public rulesheets is not here: {folder}")
    return folder
