"""Comparisons of CPL programs: with each other, under their readings, with the rules of draughts, with a session."""
