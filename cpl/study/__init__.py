"""What a text means and does: it is run, recorded, compared with others, and drawn."""
