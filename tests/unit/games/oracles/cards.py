"""Hidden cards and dice: Kuhn and Leduc poker, liar's dice."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words


class KuhnPoker(TurnOracle):
    """States are the cards and the moves made."""

    roles = ("first", "second", "random")
    ends = ("pp", "bp", "bb", "pbp", "pbb")
    showdowns = ("pp", "bb", "pbb")

    def initial(self) -> State:
        return ((), "")

    def mover(self, state: State) -> int:
        return len(state[1]) % 2 if state[0] else 2

    def moves(self, state: State) -> Collection[str]:
        if state[0]:
            return ["pass", "bet"]
        return [f"(deal {a} {b})" for a in (1, 2, 3) for b in (1, 2, 3) if a != b]

    def play(self, state: State, move: str) -> State:
        return (state[0], state[1] + move[0]) if state[0] else (tuple(numbers(move)), "")

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        if not state[0]:
            first, second = numbers(moves[2])
            return (
                {f"(dealt {first})", "(did first noop)", "(did second noop)"},
                {f"(dealt {second})", "(did first noop)", "(did second noop)"},
                (),
            )
        said = {f"(did first {moves[0]})", f"(did second {moves[1]})"}
        if self.play(state, moves[self.mover(state)])[1] not in self.showdowns:
            return (said, said, ())
        return (said | {f"(shown {state[0][1]})"}, said | {f"(shown {state[0][0]})"}, ())

    def is_terminal(self, state: State) -> bool:
        return state[1] in self.ends

    def goals(self, state: State) -> Sequence[int]:
        (first, second), story = state
        higher = 1 if first > second else -1
        won = {"pp": higher, "bp": 1, "bb": 2 * higher, "pbp": -1, "pbb": 2 * higher}[story]
        return (50 + 25 * won, 50 - 25 * won, 0)


class LeducPoker(TurnOracle):
    """States are the ranks of the hands and of the card turned up, as far as they were dealt, and the moves."""

    roles = ("first", "second", "random")
    cards = tuple(f"{rank}_{copy}" for rank in ("jack", "queen", "king") for copy in "ab")
    order = ("jack", "queen", "king")

    def initial(self) -> State:
        return ((), ("", ""))

    def round(self, state: State) -> int:
        """Return the number of the round, 0 or 1."""
        return 1 if self.is_closed(state[1][0]) else 0

    @staticmethod
    def is_closed(story: str) -> bool:
        """Return whether a round of betting is over: a fold, or a call that is not the first move."""
        return story.endswith("f") or (len(story) > 1 and story.endswith("c"))

    def mover(self, state: State) -> int:
        return 2 if len(state[0]) < 2 + self.round(state) else len(state[1][self.round(state)]) % 2

    def moves(self, state: State) -> Collection[str]:
        if self.mover(state) == 2:
            return self.left(state[0]) if state[0] else self.deals()
        story = state[1][self.round(state)]
        return ["call", *["fold"] * story.endswith("r"), *["raise"] * (story.count("r") < 2)]

    @classmethod
    def left(cls, ranks: Sequence[str]) -> list[str]:
        """Return what chance can turn up: of each rank as many cards as are in no hand."""
        return [f"(turn_up {rank}_{copy})" for rank in cls.order for copy in "ab"[: 2 - ranks.count(rank)]]

    def deals(self) -> list[str]:
        """Return all deals of two cards."""
        return [f"(deal {a} {b})" for a in self.cards for b in self.cards if a != b]

    def play(self, state: State, move: str) -> State:
        if self.mover(state) == 2:
            return ((*state[0], *self.ranks(move)), state[1])
        stories = list(state[1])
        stories[self.round(state)] += move[0]
        return (state[0], tuple(stories))

    @staticmethod
    def ranks(move: str) -> list[str]:
        """Return the ranks of the cards of a deal."""
        return [card.split("_")[0] for card in words(move)[1:]]

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        mover = self.mover(state)
        ranks = self.ranks(moves[2]) if mover == 2 else state[0]
        if mover == 2:
            word = "turned_up" if state[0] else "dealt"
            return ({f"({word} {ranks[0]})"}, {f"({word} {ranks[-1]})"}, ())
        said = {f"(did {self.roles[mover]} {moves[mover]})"}
        after = self.play(state, moves[mover])
        if not self.is_terminal(after) or after[1][1].endswith("f") or after[1][0].endswith("f"):
            return (said, said, ())
        return (said | {f"(shown {ranks[1]})"}, said | {f"(shown {ranks[0]})"}, ())

    def is_terminal(self, state: State) -> bool:
        return state[1][0].endswith("f") or self.is_closed(state[1][1])

    def paid(self, state: State) -> list[int]:
        """Return what each player has put in."""
        chips = [1, 1]
        for story, raised in zip(state[1], (2, 4), strict=True):
            for turn, move in enumerate(story):
                if move != "f":
                    chips[turn % 2] = chips[1 - turn % 2] + (raised if move == "r" else 0)
        return chips

    def goals(self, state: State) -> Sequence[int]:
        chips = self.paid(state)
        for story in state[1]:
            if story.endswith("f"):
                loser = (len(story) - 1) % 2
                won = chips[loser] * (1 if loser else -1)
                return (50 + 3 * won, 50 - 3 * won, 0)
        first, second, public = (self.order.index(rank) for rank in state[0])
        strength = [rank + 10 * (rank == public) for rank in (first, second)]
        won = chips[0] * ((strength[0] > strength[1]) - (strength[0] < strength[1]))
        return (50 + 3 * won, 50 - 3 * won, 0)


class LiarsDice(TurnOracle):
    """States are the dice and the moves made."""

    roles = ("first", "second", "random")
    claims = tuple(f"(claim {dice} {face})" for dice in (1, 2) for face in range(1, 7))

    def initial(self) -> State:
        return ((), ())

    def mover(self, state: State) -> int:
        return len(state[1]) % 2 if state[0] else 2

    def moves(self, state: State) -> Collection[str]:
        if not state[0]:
            return [f"(roll {a} {b})" for a in range(1, 7) for b in range(1, 7)]
        if not state[1]:
            return self.claims
        return ["liar", *self.claims[self.claims.index(state[1][-1]) + 1 :]]

    def play(self, state: State, move: str) -> State:
        return (state[0], (*state[1], move)) if state[0] else (tuple(numbers(move)), ())

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        if not state[0]:
            return (*({f"(rolled {die})"} for die in numbers(moves[2])), ())
        player = self.mover(state)
        said = {f"(said {self.roles[player]} {moves[player]})"}
        shown = [{f"(shown {die})"} if moves[player] == "liar" else set() for die in reversed(state[0])]
        return (said | shown[0], said | shown[1], ())

    def is_terminal(self, state: State) -> bool:
        return bool(state[1]) and state[1][-1] == "liar"

    def goals(self, state: State) -> Sequence[int]:
        dice, face = numbers(state[1][-2])
        is_true = sum(die in (face, 6) for die in state[0]) >= dice
        doubter = (len(state[1]) - 1) % 2
        winner = 1 - doubter if is_true else doubter
        return (*(100 if player == winner else 0 for player in (0, 1)), 0)
