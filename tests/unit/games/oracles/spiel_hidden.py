"""Games of OpenSpiel with hidden information or simultaneous moves, with what each player knows there.

`information` gives OpenSpiel's information state of a role that is to move, and `observation` its observation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from tests.unit.games.oracles.cards import LeducPoker, LiarsDice
from tests.unit.games.oracles.oracle import Oracle, State, numbers, words
from tests.unit.games.oracles.spiel import Name, Position, Spiel
from tests.unit.games.oracles.spiel_moves import SpielKuhn


def information(state: Any, role: int) -> str | None:
    """Return the information state of a player who is to move; None for others."""
    if state.is_terminal() or not (state.is_simultaneous_node() or state.current_player() == role):
        return None
    return str(state.information_state_string(role))


def observation(state: Any, role: int) -> str:
    """Return the observation of a player; empty if the game has none."""
    has_observations = state.get_game().get_type().provides_observation_string
    return str(state.observation_string(role)) if has_observations else ""


class SpielHidden(Spiel):
    """A game in turns whose goals are 50 and `scale` for each unit of the returns."""

    def __init__(self, game: str, roles: tuple[str, ...], name: Name, scale: int = 50) -> None:
        super().__init__(game, roles, name)
        self.scale = scale

    def goals(self, state: State) -> Sequence[int]:
        return [round(50 + self.scale * value) for value in state.state.returns()]


class Dealt(SpielHidden):
    """A game whose deals are one of our moves and several actions there. States are a position and what was dealt."""

    ours: LeducPoker | LiarsDice

    def initial(self) -> State:
        return (Position(self.game.new_initial_state()), ())

    def mover(self, state: State) -> int:
        return 2 if state[0].state.is_chance_node() else int(state[0].state.current_player())

    def moves(self, state: State) -> Collection[str]:
        if state[0].state.is_chance_node():
            return self.deals(state)
        return [self.name(state[0].state, action) for action in state[0].state.legal_actions()]

    def deals(self, state: State) -> Collection[str]:
        """Return the moves of chance."""
        raise NotImplementedError

    def outcomes(self, move: str) -> list[int]:
        """Return the outcomes that a move of chance is there."""
        raise NotImplementedError

    def play(self, state: State, move: str) -> State:
        position, dealt = state
        if not position.state.is_chance_node():
            actions = {self.name(position.state, action): action for action in position.state.legal_actions()}
            return (Position(position.state.child(actions[move])), dealt)
        after = position.state
        for outcome in self.outcomes(move):
            after = after.child(outcome)
        return (Position(after), (*dealt, *words(move)[1:]))

    def is_terminal(self, state: State) -> bool:
        return bool(state[0].state.is_terminal())

    def goals(self, state: State) -> Sequence[int]:
        return [*super().goals(state[0]), 0]


class SpielLeduc(Dealt):
    """Suits count for nothing there either, so chance has outcomes of different probability."""

    def __init__(self) -> None:
        game = "leduc_poker(suit_isomorphism=true)"
        super().__init__(game, ("first", "second", "random"), lambda _, a: ("fold", "call", "raise")[a], 3)

    def deals(self, state: State) -> Collection[str]:
        if state[1]:
            return LeducPoker.left([card.split("_")[0] for card in state[1]])
        return [f"(deal {a} {b})" for a in LeducPoker.cards for b in LeducPoker.cards if a != b]

    def outcomes(self, move: str) -> list[int]:
        return [LeducPoker.order.index(card.split("_")[0]) for card in words(move)[1:]]


class SpielLiar(Dealt):
    """Claims are actions 0 to 11, and 12 calls the liar."""

    def __init__(self) -> None:
        super().__init__("liars_dice", ("first", "second", "random"), lambda _, a: (*LiarsDice.claims, "liar")[a])

    def deals(self, state: State) -> Collection[str]:
        return [f"(roll {a} {b})" for a in range(1, 7) for b in range(1, 7)]

    def outcomes(self, move: str) -> list[int]:
        return [face - 1 for face in numbers(move)]


class SpielAtOnce(Oracle):
    """A game in which both players move at once. States are a position, and the last moves if they are forced."""

    def __init__(self, game: str, roles: tuple[str, ...], word: str) -> None:
        spiel = Spiel(game, roles, lambda _, action: "")
        self.game, self.roles, self.word = spiel.game, roles, word

    def initial(self) -> State:
        return (Position(self.game.new_initial_state()), None)

    def named(self, state: Any, role: int) -> dict[str, int]:
        """Return the actions of a role by our names."""
        texts = {action: state.action_to_string(role, action) for action in state.legal_actions(role)}
        return {f"({self.word} {text.split(': ')[-1].lower()})": action for action, text in texts.items()}

    def legal(self, state: State) -> Sequence[Collection[str]]:
        position, forced = state
        if forced:
            return list(forced[0])
        if position.state.is_chance_node():
            prizes = [f"(turn_up {outcome + 1})" for outcome, _ in position.state.chance_outcomes()]
            return (["noop"], ["noop"], prizes)
        moves: list[Collection[str]] = [self.named(position.state, role) for role in (0, 1)]
        return [*moves, *[["noop"]] * (len(self.roles) - 2)]

    def next(self, state: State, moves: Sequence[str]) -> State:
        position, forced = state
        if forced:
            return (position, forced[1:])
        if position.state.is_chance_node():
            return (Position(position.state.child(numbers(moves[2])[0] - 1)), None)
        after = position.state.clone()
        after.apply_actions([self.named(position.state, role)[moves[role]] for role in (0, 1)])
        return (Position(after), self.forced(state, moves) if after.is_terminal() else None)

    def forced(self, state: State, moves: Sequence[str]) -> tuple[Sequence[Collection[str]], ...]:
        """Return the legal moves of turns that OpenSpiel plays by itself."""
        return ()

    def is_terminal(self, state: State) -> bool:
        return state[0].state.is_terminal() and not state[1]

    def goals(self, state: State) -> Sequence[int]:
        goals = [round(50 + 50 * value) for value in state[0].state.returns()]
        return goals + [0] * (len(self.roles) - 2)


class SpielGoofspiel(SpielAtOnce):
    """The last card is played without asking."""

    def __init__(self, cards: int, options: str, roles: tuple[str, ...]) -> None:
        super().__init__(f"goofspiel(num_cards={cards},{options})", roles, "bid")
        self.cards = cards

    def forced(self, state: State, moves: Sequence[str]) -> tuple[Sequence[Collection[str]], ...]:
        last = [[bid for bid in self.named(state[0].state, role) if bid != moves[role]] for role in (0, 1)]
        if len(self.roles) == 2:
            return (last,)
        text = state[0].state.information_state_string(0)
        seen = numbers(text.split("\n")[0].split(":")[1])
        (prize,) = set(range(1, self.cards + 1)) - set(seen)
        return ((["noop"], ["noop"], [f"(turn_up {prize})"]), (*last, ["noop"]))


def shot(state: Any, action: int) -> str:
    """Name a move of battleship: `Pl0: place ship vertically with top-left corner in (0, 1)`, `Pl1: shoot at (2, 2)`.

    Rows and columns count from 0.
    """
    player = state.current_player()
    text = state.action_to_string(player, action)
    row, column = (int(part) + 1 for part in text[text.index("(") + 1 : -1].split(","))
    if "shoot" in text:
        return f"(fire {column} {row})"
    if state.move_number() < 2:
        return f"(place_boat {column} {row})"
    across = "horizontally" in text
    return f"(place_cruiser {column} {row} {column + across} {row + (not across)})"


def grid(word: str) -> Name:
    """Return how a move on three by three cells is named."""
    return lambda _, action: f"({word} {action % 3 + 1} {action // 3 + 1})"


SEA = "board_width=3,board_height=3,ship_sizes=[1;2],ship_values=[1;1],num_shots=4,allow_repeated_shots=false"

HIDDEN: dict[str, Callable[[], Oracle]] = {
    "battleship": lambda: SpielHidden(f"battleship({SEA})", ("first", "second"), shot, 25),
    "dark-hex-3x3": lambda: SpielHidden(
        "dark_hex(board_size=3,obstype=reveal-numturns)", ("red", "blue"), grid("place")
    ),
    "goofspiel-4": lambda: SpielGoofspiel(4, "imp_info=false", ("left", "right", "random")),
    "goofspiel-5": lambda: SpielGoofspiel(5, "imp_info=true,points_order=descending", ("left", "right")),
    "krieg-tic-tac-toe": lambda: SpielHidden("phantom_ttt(obstype=reveal-numturns)", ("x", "o"), grid("mark")),
    "kuhn-poker": SpielKuhn,
    "leduc-poker": SpielLeduc,
    "liars-dice": SpielLiar,
    "oshi-zumo": lambda: SpielAtOnce("oshi_zumo(coins=8,size=2,min_bid=1)", ("left", "right"), "bid"),
    "phantom-tic-tac-toe": lambda: SpielHidden("phantom_ttt(gameversion=abrupt)", ("x", "o"), grid("mark")),
    "rock-paper-scissors": lambda: SpielAtOnce("matrix_rps", ("left", "right"), "show"),
}
"""The games of OpenSpiel by our names."""
