"""The protocol of every player: built-in, remote, in a shared library, a person, or a class of the user's own.

A match calls `start`, then `move` once a turn, then `stop`, all on one thread, so a player need not be thread-safe.
Only `interrupt` may come from another thread at any time. Deadlines are times of `time.monotonic()`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from woodstock.events import ignore
from woodstock.players.failure import ILLEGAL, PlayerFailure

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.information import InformationState
    from woodstock.players.decision import SearchInfo

WALL, CPU = "wall", "cpu"


@dataclass(frozen=True, slots=True)
class Task:
    """What a player is told before its first move.

    With `clock="cpu"` the play clock counts the processor time of the searching thread, which is fair on a busy
    machine; with `simulations` a search makes that many playouts for each move. Built-in players obey both.

    >>> import woodstock
    >>> Task(woodstock.load("tic-tac-toe"), "x").play_clock_s
    5.0
    """

    game: Game
    role: str
    start_clock_s: float = 10.0
    play_clock_s: float = 5.0
    match_id: str = "match"
    seed: int = 0
    # Where the player takes its seat, or where the match began if the rules hide things; None: in the initial state.
    state: State | None = None
    clock: str = WALL
    simulations: int = 0
    # Hears what the player thinks while it searches; may be called from any thread.
    tell: Callable[[SearchInfo], None] = ignore

    @property
    def first_state(self) -> State:
        """The state in which the player takes its seat; if the rules hide things, the one where the match began.

        >>> import woodstock
        >>> Task(woodstock.load("tic-tac-toe"), "x").first_state.turn
        1
        """
        return self.game.initial if self.state is None else self.state

    @property
    def first_view(self) -> InformationState:
        """What the role knows in the first state.

        >>> import woodstock
        >>> Task(woodstock.load("tic-tac-toe"), "o").first_view.legal
        ('noop',)
        """
        from woodstock.information import InformationState

        return InformationState.at(self.first_state, self.role)


@dataclass(frozen=True, slots=True)
class Reply:
    """A move, and what the player thought of it, if it says so.

    >>> Reply("(mark 2 2)").thought is None
    True
    """

    move: str
    thought: SearchInfo | None = None


class Player(ABC):
    """Makes the moves of one role. A class of your own needs only `move`.

    >>> import woodstock
    >>> class Last(Player):
    ...     def move(self, view, deadline):
    ...         return view.legal[-1]
    >>> player = Last()
    >>> task = Task(woodstock.load("tic-tac-toe"), "x")
    >>> player.start(task, deadline=0.0)
    >>> player.move(task.first_view, deadline=0.0)
    '(mark 3 3)'
    >>> player.stop(None)
    """

    # What records and tables call the player; a subclass that says nothing is called by its own name.
    name: str
    # Whether a person decides: clocks do not bind a person.
    is_human: ClassVar[bool] = False
    # Whether it knows the state only from the moves it was sent. It can then neither go back nor join in the middle.
    follows_moves: ClassVar[bool] = False
    task: Task

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in cls.__dict__:
            cls.name = cls.__qualname__

    def start(self, task: Task, deadline: float | None) -> None:
        """Prepare for a match, until the deadline at most; None: until everything is ready."""
        del deadline
        self.task = task

    @abstractmethod
    def move(self, view: InformationState, deadline: float) -> Reply | str:
        """Return one of `view.legal`. The view is all that the role knows; in open games it has the `state`."""

    # Doing nothing is a proper answer here, so these two are not abstract.
    def stop(self, view: InformationState | None) -> None:  # noqa: B027
        """End the match with this view and free everything; None: the match was broken off."""

    def interrupt(self) -> None:  # noqa: B027
        """Give up what is under way. Called from another thread, for example when the clock has run out.

        >>> import woodstock
        >>> woodstock.make_player("mac-ucb").interrupt()
        """


def as_reply(answer: object) -> Reply:
    """Return what `Player.move` returned as a `Reply`; `PlayerFailure` if it is not a move.

    >>> as_reply("noop")
    Reply(move='noop', thought=None)
    """
    if isinstance(answer, str):
        return Reply(answer)
    if isinstance(answer, Reply) and isinstance(answer.move, str):
        return answer
    raise PlayerFailure(f"{clipped(repr(answer))} is not a move", ILLEGAL)


def clipped(text: str, longest: int = 80) -> str:
    """Return a text on one line of bounded length.

    >>> clipped("to be  or not", longest=5)
    'to be ...'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else line[:longest] + " ..."
