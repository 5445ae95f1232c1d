"""Reports of a tournament: tables for the terminal and Markdown, rows for CSV, values for JSON, and a page of HTML."""
