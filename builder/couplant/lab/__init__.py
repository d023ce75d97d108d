"""A laboratory in Python: plants, algorithms and networks of the user's, as objects of this process."""
