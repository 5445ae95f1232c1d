"""Rules that somebody is writing: read, loaded and played in a child process, within limits on time and memory."""
