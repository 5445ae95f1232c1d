"""The file that outlives the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from woodstock.web.store import Store, is_rules_key
from woodstock.web.store.store import StoreError


def test_rules_come_back_under_their_key(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "web.sqlite")
    key = store.keep_rules("mine", "(role a)")
    assert is_rules_key(key) and key == store.keep_rules("mine", "(role a)") != store.keep_rules("yours", "(role a)")
    store.close()
    again = Store(tmp_path / "new" / "web.sqlite")
    found = again.rules(key)
    assert found is not None and (found.name, found.text) == ("mine", "(role a)")
    again.close()


def test_a_transaction_is_whole_or_not_at_all() -> None:
    store = Store(None)
    row = ("r" + "0" * 16, "name", "text", 1.0)
    with pytest.raises(Exception, match="UNIQUE"):
        store.write(("INSERT INTO rules VALUES (?, ?, ?, ?)", row), ("INSERT INTO rules VALUES (?, ?, ?, ?)", row))
    assert store.rules(row[0]) is None
    store.close()


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    other.write_bytes(b"this is no database, and long enough to be taken for a file of another kind" * 10)
    with pytest.raises(StoreError, match="cannot open"):
        Store(other)
    with pytest.raises(StoreError, match="cannot open"):
        Store(other / "inside-a-file" / "web.sqlite")
    first = Store(tmp_path / "web.sqlite")
    with pytest.raises(StoreError, match="another `woodstock web` has it"):
        Store(tmp_path / "web.sqlite")
    first.close()
    Store(tmp_path / "web.sqlite").close()
