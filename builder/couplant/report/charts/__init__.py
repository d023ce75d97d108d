"""Charts: said once, drawn on pages by a script and as pictures by matplotlib."""
