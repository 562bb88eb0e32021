"""A small implementation of agentwire in Python: what a client or server needs, with the standard library alone."""
