"""A person at the terminal: shows the moves, takes one by number, prefix or term, and answers questions.

Used by `play`, by `match` with a human player and by `watch` after a person took over. All text fits 80 columns and
needs no colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from woodstock.cli.output import WIDTH
from woodstock.cli.role_view import RoleView, turn_text
from woodstock.errors import GameError, WoodstockError
from woodstock.game.spelling import find
from woodstock.information import InformationState
from woodstock.players.player import clipped

if TYPE_CHECKING:
    from woodstock.match import Match

MANY = 60
HELP = """\
a number       make that move
a move         (mark 2 2), mark 2 2 or its beginning, if only one move fits
(enter)        show the moves
m              show all moves     f  show all facts of the state
h              a hint: what mac-ucb-sym would do, and what each move is worth
w MOVE         why is that move not legal?
u              undo: back to your last decision
q              leave"""
GIVE_BACK_HELP = "\ng              give the seat back"


class Undo(Exception):
    """The person wants the last decision back."""


class GiveBack(Exception):
    """The person gives the seat back."""


class Leave(Exception):
    """The person leaves the match."""


class Prompt:
    """Asks a person for moves. A hint takes `hint_s`; `h`, `u` and `g` can be refused.

    If the rules hide things, `role_view` shows the person what their role knows. `is_shared`: several people use this
    terminal, and none may see what another one knows.
    """

    def __init__(
        self,
        console: Console,
        *,
        hint_s: float = 0.0,
        can_undo: bool = False,
        can_give_back: bool = False,
        role_view: RoleView | None = None,
        is_shared: bool = False,
    ) -> None:
        self._console, self._hint_s = console, hint_s
        self._can_undo, self._can_give_back = can_undo, can_give_back
        self._role_view, self._is_shared = role_view, is_shared

    def ask(self, view: InformationState) -> str:
        """Return a legal move; raises `Undo`, `GiveBack` and `Leave`."""
        if self._role_view is not None and not view.is_open:
            if self._is_shared:
                self._hand_over(view.role)
            self._role_view.show(view)
        self._show_moves(view.legal)
        while True:
            try:
                text = self._console.input(f"{view.role}> ").strip()
            except EOFError:
                raise Leave from None
            move = self._answer(text, view)
            if move is not None:
                return move

    def _hand_over(self, role: str) -> None:
        """Wait until nobody but the person of this role looks."""
        self._console.clear()
        try:
            self._console.input(f"{role}: press Enter when nobody else looks ")
        except EOFError:
            raise Leave from None

    def _answer(self, text: str, view: InformationState) -> str | None:
        """Return the move that the text means, or deal with it and return None."""
        word, _, rest = text.partition(" ")
        legal = view.legal
        match word.lower():
            case "":
                self._show_moves(legal)
            case "?" | "help":
                self._console.print(HELP + (GIVE_BACK_HELP if self._can_give_back else ""))
            case "q" | "quit" | "exit":
                raise Leave
            case "u" | "undo" if self._can_undo:
                raise Undo
            case "u" | "undo":
                self._console.print("there is nothing to undo in a match against the clock")
            case "g" if self._can_give_back:
                raise GiveBack
            case "m" | "moves":
                self._show_moves(legal, most=None)
            case "f" | "facts":
                self._console.print(self._facts(view))
            case "h" | "hint":
                self._console.print(_hint(view, self._hint_s) if self._hint_s else "no hint here")
            case "w" | "why":
                question = "why is what not legal? w MOVE"
                self._console.print(explain_illegal(view, rest) if rest.strip() else question)
            case _:
                return self._move(text, view)
        return None

    def _facts(self, view: InformationState) -> str:
        """Return all facts that the role knows."""
        if view.is_open:
            return _columns(sorted(view.state.fluents))
        return "\n".join(map(turn_text, view.turns)) if self._role_view is None else self._role_view.facts(view)

    def _move(self, text: str, view: InformationState) -> str | None:
        legal = view.legal
        found = choose(text, legal)
        if isinstance(found, str):
            return found
        if found:
            self._console.print(f"which of these {len(found)}?\n{_columns(found[:MANY])}")
        elif text.isdecimal():
            self._console.print(f"there is no move {text}: 1 to {len(legal)}")
        else:
            self._console.print(explain_illegal(view, text))
        return None

    def _show_moves(self, legal: Sequence[str], most: int | None = MANY) -> None:
        shown = [f"{number} {move}" for number, move in enumerate(legal, 1)]
        self._console.print(_columns(shown[:most]))
        if most is not None and len(legal) > most:
            self._console.print(f"... and {len(legal) - most} more; m shows all")


def _hint(view: InformationState, seconds: float) -> str:
    """Return what each move is worth by a search of what the role knows, as `woodstock search` shows it."""
    from woodstock.cli.search import rows
    from woodstock.players.search import search

    return "\n".join(row[:WIDTH].rstrip() for row in rows(search(view, seconds=seconds)))


def choose(text: str, legal: Sequence[str]) -> str | list[str]:
    """Return the move that a person means: a number, a term in any spelling, or a prefix; else all that fit.

    >>> choose("2", ["(mark 1 1)", "(mark 1 2)"])
    '(mark 1 2)'
    >>> choose("mark 1", ["(mark 1 1)", "(mark 1 2)"])
    ['(mark 1 1)', '(mark 1 2)']
    """
    if text.isdecimal() and 1 <= int(text) <= len(legal):
        return legal[int(text) - 1]
    move = find(text, legal) or find(f"({text})", legal)
    if move is not None:
        return move
    plain = _plain(text)
    fitting = [one for one in legal if plain and _plain(one).startswith(plain)]
    return fitting[0] if len(fitting) == 1 else fitting


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("(", " ").replace(")", " ").replace(",", " ").split())


def explain_illegal(view: InformationState, text: str) -> str:
    """Return in words why a move is not legal."""
    from woodstock.game.why import why_illegal

    move, role = text.strip(), view.role
    if " " in move and not move.startswith("(") and "(" not in move:
        move = f"({move})"
    found = choose(move, view.legal)
    if isinstance(found, str):
        return f"{found} is legal"
    if not view.is_open:
        return f"{move} is not legal for {role}. The reason may be hidden from you"
    state = view.state
    try:
        reasons = why_illegal(state, role, move)
    except WoodstockError:
        return f"{text.strip()} is not a move; ? shows how to write one"
    if not reasons:
        return f"no rule of {state.game.name} makes {move} a move of {role}"
    lines = [f"{move} is not legal for {role}:"]
    for reason in reasons[:3]:
        lines += [f"  line {reason.line}: {clipped(reason.rule, 60)}"]
        lines += [f"    fails at {reason.condition}" if reason.condition else "    holds"]
    return "\n".join(lines)


def step(match: Match, role: str, console: Console) -> bool:
    """Play one turn with a person in this role, who may undo; return whether the match goes on."""
    try:
        return match.step()
    except Undo:
        decisions = [turn for turn, state in enumerate(match.states[:-1]) if role in state.to_move]
        try:
            if decisions:
                match.take_back(decisions[-1])
            else:
                console.print("there is nothing to undo")
        except GameError as error:
            console.print(str(error))
        return True


def _columns(items: Sequence[str], width: int = WIDTH) -> str:
    """Return the items in columns, read downwards."""
    if not items:
        return "none"
    column = max(map(len, items)) + 2
    count = max(1, width // column)
    rows = -(-len(items) // count)
    lines = ["".join(f"{one:{column}}" for one in items[row::rows]).rstrip() for row in range(rows)]
    return "\n".join(lines)
