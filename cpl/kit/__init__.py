"""Experiments with compiled programs: what they do, measured and compared; CPL in colour."""
