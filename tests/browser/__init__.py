"""Pages in Chromium, as readers use them."""
