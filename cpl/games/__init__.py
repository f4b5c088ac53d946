"""Compiled programs as games: boards to look at, players."""
