"""The front end stays small, and its packages come from no named registry."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

MOST_BYTES = 250_000


def test_the_whole_front_end_is_small(root: Path) -> None:
    files = [file for file in (root / "src/woodstock/web/static").glob("*") if file.suffix in (".js", ".css")]
    if not files:
        pytest.skip("the pages are not built: make build")
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in files}
    assert sum(sizes.values()) < MOST_BYTES, sizes


def test_the_lock_file_names_no_registry(root: Path) -> None:
    text = (root / "web/package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text and "integrity" in text and "registry" not in text
