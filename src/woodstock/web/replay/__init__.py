"""Replay of match records: ours, and those of other GGP hosts."""

from woodstock.web.replay.pages import routes

__all__ = ["routes"]
