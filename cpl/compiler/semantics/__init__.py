"""Surface tree to core tree: what is meant, and what can be known of it."""
