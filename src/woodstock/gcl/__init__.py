"""The GGP network protocol: messages, a client that sends them and a server that plays."""
