"""Faster programs: passes from core tree to core tree, each in a file of its own (`cplc -O`)."""
