"""Tournaments: a plan in, every match exactly once, standings with their uncertainty out.

Flow: `plan` (TOML, checked whole) -> `pairing` (which matches) -> `runner` (workers) -> `journal` (one line for each
finished match) -> `standings` and `ratings` -> `report`.
"""
