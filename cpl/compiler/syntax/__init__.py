"""Text to surface tree: what is written."""
