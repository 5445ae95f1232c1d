"""The kinds of seats: in this process, over HTTP, in a shared library, or a person."""
