"""What can be: the full states that fit what a role has seen, with their probabilities."""

from woodstock.belief.belief import Belief, BeliefStats
from woodstock.belief.errors import BeliefError, ImpossibleViewError
from woodstock.belief.model import MoveModel
from woodstock.belief.numbers import information_hash
from woodstock.belief.particles import Particles

__all__ = ["Belief", "BeliefError", "BeliefStats", "ImpossibleViewError", "MoveModel", "Particles", "information_hash"]
