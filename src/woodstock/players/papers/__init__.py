"""The players of the papers, as printed; `woodstock.players` has our own, which come from them.

Each name has the year of its paper. docs/research/papers.md says line by line what is printed and where it is here.
"""
