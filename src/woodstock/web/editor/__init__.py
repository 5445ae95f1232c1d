"""The rules editor: diagnostics while one types, and a board to try the rules on. Rules run in child processes only."""

from woodstock.web.editor.pages import routes

__all__ = ["routes"]
