"""How events change a view, by what they are about."""
