"""Faster programs than the plain Python: `cpl.fast.c` writes C."""
