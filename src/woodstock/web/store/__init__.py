"""What outlives the server: rules and matches, in one SQLite file, or in memory."""

from woodstock.web.store.store import Rules, Store, is_rules_key

__all__ = ["Rules", "Store", "is_rules_key"]
