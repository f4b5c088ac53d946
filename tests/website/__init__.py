"""The site as it is built, served and visited."""
