"""What pages in a browser ask of Python: requests in, plain data out. The scripts of `docs/site` call `answers`."""
