"""The pages of `woodstock web`: games, matches, analysis, a rules editor, for one browser or many.

Comes in: requests and WebSocket messages. Goes out: pages, and what happens in matches while it happens. Needs the
optional packages of `woodstock[web]`.
"""
