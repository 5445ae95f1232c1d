"""Draw the pictures of the bundled games for the gallery of `woodstock web`.

python scripts/gallery.py [GAME...]
"""

from __future__ import annotations

import sys

import woodstock
from woodstock.games import all_games, find
from woodstock.view import View
from woodstock.web.games.pictures import DRAWN, middle


def main() -> None:
    """Draw the games named on the command line, or all."""
    DRAWN.mkdir(exist_ok=True)
    for bundled in [find(name) for name in sys.argv[1:]] or all_games():
        game = woodstock.load(bundled.name)
        picture = View(game).thumbnail(middle(game.initial))
        (DRAWN / f"{bundled.name}.svg").write_text(picture, encoding="utf-8")
        print(bundled.name, len(picture))


if __name__ == "__main__":
    main()
