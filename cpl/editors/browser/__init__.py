"""Services for pages in a browser: requests in, plain data out. The scripts of `docs/site` call `answers`."""
