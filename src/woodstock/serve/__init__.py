"""A player on the network: answers the messages of GGP servers with the moves of any seat."""

from woodstock.serve.player import NetworkPlayer
from woodstock.serve.server import Server

__all__ = ["NetworkPlayer", "Server"]
