"""Masked PPO by self-play on a batch of matches: one network plays every role, each from its own perspective.

    python examples/learn/ppo.py tic-tac-toe --minutes 2
    python examples/learn/ppo.py connect-four --minutes 15 --width 256

It works for games of two players with opposed goals and a symmetry that exchanges the roles. Time is processor time.
PPO is [Schulman et al. 2017], advantages are GAE [Schulman et al. 2016] with the sign of the player to move; illegal
moves get the probability zero.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

import woodstock.env


@dataclass
class Settings:
    """What is worth changing."""

    matches: int = 1024
    steps: int = 32  # of each match between two updates
    epochs: int = 3
    minibatch: int = 4096
    rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    decay: float = 0.8  # of the generalised advantage
    # In half of the matches so many moves are random: play after mistakes is learned too. They teach no policy.
    mistakes: float = 0.3


class Network(nn.Module):
    """Fluents in; the logarithms of move weights and the expected result out."""

    def __init__(self, inputs: int, moves: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, moves), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(seen.float())
        weights = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return weights.log_softmax(-1), self.value(hidden)[:, 0].tanh()


class Rollout:
    """Steps of all matches: rows are times, columns are matches."""

    def __init__(self, batch: woodstock.env.Batch, settings: Settings) -> None:
        t, n = settings.steps, batch.n
        self.seen = torch.zeros(t, n, *batch.observation_shape, dtype=torch.uint8)
        self.mask = torch.zeros(t, n, batch.mask_size, dtype=torch.uint8)
        self.action, self.mover = torch.zeros(t, n, dtype=torch.int64), torch.zeros(t + 1, n, dtype=torch.int64)
        self.chance, self.reward = torch.zeros(t, n), torch.zeros(t, n)
        self.value, self.ended = torch.zeros(t + 1, n), torch.zeros(t, n, dtype=torch.bool)
        self.chosen = torch.zeros(t, n, dtype=torch.bool)  # by the network, among several moves
        self.mistakes = torch.where(torch.arange(n) % 2 == 0, settings.mistakes, 0.0)

    @torch.no_grad()
    def play(self, batch: woodstock.env.Batch, network: Network) -> None:
        """Fill the rows by self-play."""
        # The arrays of a frame are the same in every step: tensors over them need no copies.
        frame = batch.frame
        seen, mask = torch.from_dlpack(frame.observations), torch.from_dlpack(frame.masks)
        goals, mover = torch.from_dlpack(frame.goals), torch.from_dlpack(frame.to_move)
        for t in range(len(self.seen)):
            self.seen[t], self.mask[t], self.mover[t] = seen, mask, mover.clamp(min=0)
            logs, self.value[t] = network(seen, mask)
            # The largest of logarithm plus Gumbel noise is a sample.
            noise = -torch.empty_like(logs).exponential_().log()
            is_random = torch.rand(batch.n) < self.mistakes
            self.action[t] = torch.where(is_random, torch.from_numpy(batch.sample()), (logs + noise).argmax(-1))
            self.chosen[t] = ~is_random & (mask.sum(-1) > 1)
            self.chance[t] = logs.gather(-1, self.action[t][:, None])[:, 0]
            batch.step(self.action[t])
            self.ended[t] = torch.from_numpy(frame.terminal | frame.truncated)
            result = goals.gather(1, self.mover[t][:, None])[:, 0].float() / 50 - 1
            self.reward[t] = torch.where(torch.from_numpy(frame.terminal), result, 0.0)
        self.mover[-1] = mover.clamp(min=0)
        _, self.value[-1] = network(seen, mask)

    def advantages(self, settings: Settings) -> torch.Tensor:
        """Return how much better each move was than expected, for the player who made it."""
        advantage = torch.zeros_like(self.reward)
        following = torch.zeros(self.reward.shape[1])
        for t in reversed(range(len(self.reward))):
            # What is good for the next player is bad for this one, unless it is the same.
            sign = torch.where(self.mover[t + 1] == self.mover[t], 1.0, -1.0) * (~self.ended[t]).float()
            surprise = self.reward[t] + sign * self.value[t + 1] - self.value[t]
            following = surprise + settings.decay * sign * following
            advantage[t] = following
        return advantage


def update(network: Network, optimiser: torch.optim.Optimizer, rollout: Rollout, settings: Settings) -> None:
    """Make several passes over the rollout in random order."""
    advantage = rollout.advantages(settings)
    target = (advantage + rollout.value[:-1]).flatten()
    advantage = ((advantage - advantage.mean()) / (advantage.std() + 1e-6)).flatten()
    chosen = rollout.chosen.flatten().float()
    seen, mask = rollout.seen.flatten(0, 1), rollout.mask.flatten(0, 1)
    action, before = rollout.action.flatten(), rollout.chance.flatten()
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(action)).split(settings.minibatch):
            logs, value = network(seen[rows], mask[rows])
            ratio = (logs.gather(-1, action[rows][:, None])[:, 0] - before[rows]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]) * chosen[rows]
            entropy = -(logs.exp() * logs.clamp(min=-50)).sum(-1)
            loss = -gain.mean() + 0.5 * (value - target[rows]).square().mean() - settings.entropy * entropy.mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


@torch.no_grad()
def against_random(network: Network, game: woodstock.Game, matches: int = 2000, seed: int = 1) -> tuple[int, int, int]:
    """Return wins, draws and losses of the network's best moves; it has each role in half of the matches."""
    batch = make_batch(game, matches, seed=seed, autoreset="never")
    own = torch.arange(matches) % 2
    while not (batch.frame.terminal | batch.frame.truncated).all():
        moves = torch.from_numpy(batch.sample().copy()).long()
        logs, _ = network(torch.from_dlpack(batch.frame.observations), torch.from_dlpack(batch.frame.masks))
        mine = torch.from_dlpack(batch.frame.to_move) == own
        batch.step(torch.where(mine, logs.argmax(-1), moves))
    goals = batch.frame.goals[np.arange(matches), own.numpy()]
    return int((goals > 50).sum()), int((goals == 50).sum()), int((goals < 50).sum())


def make_batch(game: woodstock.Game, n: int, **options: object) -> woodstock.env.Batch:
    """Return matches with one move, mask and observation each: those of the player to move, seen as the first role."""
    return woodstock.env.Batch(game, n, turns="single", perspective=True, **options)  # type: ignore[arg-type]


def train(game: woodstock.Game, minutes: float, width: int, seed: int, settings: Settings) -> Network:
    """Learn until the processor time is used up; print how it goes."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    started = time.process_time()
    batch = make_batch(game, settings.matches, seed=seed)
    network = Network(int(np.prod(batch.observation_shape)), batch.mask_size, width)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.rate)
    rollout, used, shown, moves = Rollout(batch, settings), 0.0, 0.0, 0
    print("cpu seconds   moves learned from   wins / draws / losses against random")
    while used < 60 * minutes:
        rollout.play(batch, network)
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * max(0.05, 1 - used / (60 * minutes))
        update(network, optimiser, rollout, settings)
        used, moves = time.process_time() - started, moves + rollout.action.numel()
        if used > shown:
            print(f"{used:11.0f}   {moves:18,}   {' / '.join(map(str, against_random(network, game)))}", flush=True)
            shown = used + 6 * minutes
    print(f"at the end, 10,000 matches: {' / '.join(map(str, against_random(network, game, 10_000, seed=2)))}")
    return network


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Learn a game by self-play with PPO.")
    parser.add_argument("game", help="a bundled game or a rulesheet, for example tic-tac-toe")
    parser.add_argument("--minutes", type=float, default=2.0, help="of processor time")
    parser.add_argument("--width", type=int, default=128, help="of the network's layers")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    train(woodstock.load(given.game), given.minutes, given.width, given.seed, Settings())
