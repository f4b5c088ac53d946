"""What people look at, as HTML: listings, diffs, boards. One style for all of it."""
