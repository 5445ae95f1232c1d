"""The child process that plays for the GGP server, and how it hears what a server says of each turn."""
