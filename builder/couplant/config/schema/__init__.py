"""The schemas of settings files, and the page made of them."""
