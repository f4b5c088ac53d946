"""Faster programs: passes from core tree to core tree (`cplc -O`), and C (`cpl.fast.c`, `cplc --native`)."""
