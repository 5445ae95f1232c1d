"""Search the settings of a player by thousands of paired matches, then test the winner on other games.

`plan.py` reads what to tune, `space.py` holds the settings, `spsa.py` and `bayes.py` propose what to try next, `run.py`
plays the matches with the workers of `woodstock.tournament`, `report.py` says what was found.
"""
