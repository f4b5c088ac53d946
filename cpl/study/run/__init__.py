"""Runs of CPL programs: with limits, recorded call by call or step by step, and traced back to the CPL if they fail."""
