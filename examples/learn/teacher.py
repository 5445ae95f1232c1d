"""Self-play with a search as teacher: the network chooses the moves, the search says which would have been good.

    python examples/learn/teacher.py tic-tac-toe --minutes 1
    python examples/learn/teacher.py connect-four --minutes 5 --width 256 --simulations 2000

Every state that the network reaches is searched by a player of woodstock; the values of its moves become the target of
the policy, the value of the best one the target of the network's value. So the network learns about the states that it
meets itself, its own mistakes included [Ross, Gordon & Bagnell 2011]. Time is processor time.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from ppo import Network, against_random, make_batch

import woodstock
import woodstock.env

TEMPERATURE = 4.0  # points of a goal: a move that is worth so much less is 2.7 times less likely
KEPT = 50_000  # states that are learned from, the newest


def lesson(
    batch: woodstock.env.Batch, player: str, simulations: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return what the teacher says about the state of each match: policy, value, and whether there was a choice."""
    policy, value = torch.zeros(batch.n, batch.mask_size), torch.zeros(batch.n)
    has_choice = torch.zeros(batch.n, dtype=torch.bool)
    for match, (state, mover) in enumerate(zip(batch.states(), batch.frame.to_move.tolist(), strict=True)):
        if mover < 0:
            continue
        role = batch.roles[mover]
        decision = woodstock.search(state, player, simulations=simulations, role=role)
        names = batch.moves(role)
        for move in decision.moves:
            policy[match, names.index(move.move)] = np.exp((move.value - decision.value) / TEMPERATURE)
        value[match], has_choice[match] = decision.value / 50 - 1, True
    return policy / policy.sum(-1, keepdim=True).clamp(min=1e-9), value, has_choice


def learn(network: Network, optimiser: torch.optim.Optimizer, book: list[torch.Tensor], passes: int) -> None:
    """Make the network say what the teacher said."""
    seen, mask, policy, value = book
    for _ in range(passes):
        rows = torch.randint(len(seen), (512,))
        logs, guess = network(seen[rows], mask[rows])
        loss = -(policy[rows] * logs.clamp(min=-50)).sum(-1).mean() + (guess - value[rows]).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def main() -> None:
    """Play, ask, learn, until the time is used up."""
    parser = argparse.ArgumentParser(description="Learn a game by self-play with a search as teacher.")
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=1.0, help="of processor time")
    parser.add_argument("--width", type=int, default=128, help="of the network's layers")
    parser.add_argument("--teacher", default="mac-ucb", help="any player, for example uct")
    parser.add_argument("--simulations", type=int, default=2000, help="of the teacher for each state")
    given = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    game = woodstock.load(given.game)
    batch = make_batch(game, 64, seed=1)
    network = Network(int(np.prod(batch.observation_shape)), batch.mask_size, given.width)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    frame, book, started, shown = batch.frame, [], time.process_time(), 0.0
    print("cpu seconds   states taught   wins / draws / losses against random")
    while (used := time.process_time() - started) < 60 * given.minutes:
        policy, value, kept = lesson(batch, given.teacher, given.simulations)
        seen, mask = torch.from_dlpack(frame.observations), torch.from_dlpack(frame.masks)
        page = [seen[kept].clone(), mask[kept].clone(), policy[kept], value[kept]]
        book = [torch.cat(pair)[-KEPT:] for pair in zip(book, page, strict=True)] if book else page
        learn(network, optimiser, book, passes=8)
        with torch.no_grad():
            logs, _ = network(seen, mask)
            # A fifth of the moves is random, so that many different states are met.
            chosen = torch.distributions.Categorical(logits=logs).sample()
            is_random = torch.rand(batch.n) < 0.2
            batch.step(torch.where(is_random, torch.from_numpy(batch.sample()), chosen))
        if used > shown:
            print(
                f"{used:11.0f}   {len(book[0]):13,}   {' / '.join(map(str, against_random(network, game)))}", flush=True
            )
            shown = used + 6 * given.minutes
    print(f"at the end, 10,000 matches: {' / '.join(map(str, against_random(network, game, 10_000, seed=2)))}")


if __name__ == "__main__":
    main()
