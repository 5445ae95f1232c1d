"""The Makefile: every target that runs a module names one that is there, and every target can be asked for by name."""

from __future__ import annotations

import re

from tests.unit.docs.pages import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_modules_and_scripts_are_there() -> None:
    for module in re.findall(r"-m (bench\.\w+)", MAKEFILE):
        assert (ROOT / (module.replace(".", "/") + ".py")).is_file(), module
    for script in re.findall(r"(?:^|\s)((?:scripts|bench)/\w+(?:\.py)?)", MAKEFILE):
        assert (ROOT / script).exists(), script


def test_every_target_is_phony() -> None:
    phony = set(re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.M)[1].split())  # type: ignore[index]
    assert phony == set(re.findall(r"^([a-z][a-z0-9-]*):", MAKEFILE, re.M))
