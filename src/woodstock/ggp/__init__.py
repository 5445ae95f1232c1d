"""The GGP protocol: its messages, a client that sends them, and a server that answers them with a player."""
