"""What one role knows of a match, printed: its turns and percepts, the board of what is certain, what is possible."""

from __future__ import annotations

import textwrap

from rich.console import Console

from woodstock.belief.outlook import Onlooker, Outlook
from woodstock.cli.output import WIDTH
from woodstock.game.game import Game
from woodstock.information import InformationState, Turn
from woodstock.view import View

# Facts with a probability below the board; `f` shows all.
MANY = 24
_SURE = 0.995
_NO_BREAK = "\u00a0"


class RoleView:
    """Prints the views of the roles of one match. Each role is told the turns since it was last asked."""

    def __init__(self, game: Game, console: Console) -> None:
        self._game, self._console = game, console
        self._picture = View(game)
        self._onlooker = Onlooker()
        self._told: dict[str, int] = {}

    def show(self, view: InformationState) -> None:
        """Print what a role knows now."""
        told = min(self._told.get(view.role, 0), len(view.turns))
        self._told[view.role] = len(view.turns)
        first = view.turn - len(view.turns)
        for number, turn in enumerate(view.turns[told:], first + told):
            self._console.print(f"turn {number}: {turn_text(turn)}", soft_wrap=True)
        if not view.turns:
            # The start, which everybody has seen.
            return
        outlook = self._onlooker.outlook(view)
        width = min(self._console.width, WIDTH)
        self._console.print()
        self._console.print(self._picture.draw(outlook.certain, None, width, doubtful=outlook.possible.keys()))
        for line in self._lines(view, outlook, MANY):
            self._console.print(line, style="dim", highlight=False)

    def facts(self, view: InformationState) -> str:
        """Return all facts: those that are certain, and the others with their probability."""
        outlook = self._onlooker.outlook(view)
        certain = textwrap.wrap("certain: " + ", ".join(sorted(outlook.certain) or ["nothing"]), WIDTH)
        return "\n".join([*certain, *self._lines(view, outlook, None)])

    def _lines(self, view: InformationState, outlook: Outlook, most: int | None) -> list[str]:
        if outlook.problem:
            return textwrap.wrap(f"only what {view.role} saw is shown: {outlook.problem}", WIDTH)
        if not outlook.possible:
            return []
        likely = sorted(outlook.possible.items(), key=lambda item: (-round(item[1], 6), item[0]))
        if most is not None:
            # A place is as often empty as nothing else is there.
            likely = [item for item in likely if not self._picture.is_blank(item[0])] or likely
        shown = [f"{fact} {percent(chance)}" for fact, chance in likely[:most]]
        if most is not None and len(likely) > most:
            shown.append(f"and {len(likely) - most} more, f shows all")
        how = "if the others move at random" + ("" if outlook.is_exact else ", from a sample")
        # A fact and its probability stay on one line.
        text = ", ".join(one.replace(" ", _NO_BREAK) for one in shown)
        lines = textwrap.wrap(f"possible, {how}: {text}", WIDTH, break_long_words=False)
        return [line.replace(_NO_BREAK, " ") for line in lines]


def turn_text(turn: Turn) -> str:
    """Return a turn in words.

    >>> turn_text(Turn("noop", ("(goat 3)",))), turn_text(Turn("(bet 1)"))
    ('you noop, you see (goat 3)', 'you (bet 1), you see nothing')
    """
    return f"you {turn.move}, you see {', '.join(turn.percepts) or 'nothing'}"


def percent(chance: float) -> str:
    """Return a probability in words; what is not certain is never 0 % or 100 %.

    >>> percent(1 / 3), percent(0.9999), percent(0.0001)
    ('33 %', 'over 99 %', 'under 1 %')
    """
    if chance > _SURE:
        return "over 99 %"
    return "under 1 %" if chance < 1 - _SURE else f"{100 * chance:.0f} %"
