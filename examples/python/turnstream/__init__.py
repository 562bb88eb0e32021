"""A small implementation of turnstream in Python: what a client or server needs, with the standard library alone."""
