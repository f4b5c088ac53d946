"""Core tree to Python."""
