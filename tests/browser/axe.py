"""What keeps somebody from using a page: violations that axe knows, in light and dark, and a page that is too wide."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def barriers(page: Page) -> list[str]:
    """Return what is wrong with the page as it is now. It is dark and narrow afterwards."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make build")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = _violations(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    found += [f"dark: {one}" for one in _violations(page, "{runOnly: ['color-contrast']}")]
    # 360 px is a phone; 600 px is a window of 1200 px at 200 %.
    return found + _overflow(page, 600) + _overflow(page, 360)


def _violations(page: Page, rules: str = "{}") -> list[str]:
    found = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], ...{rules}}})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:4]]}"
        for one in found["violations"]
    ]


def _overflow(page: Page, width: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": 720})
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"at {width} px the page is {over} px too wide"] if over > 0 else []
