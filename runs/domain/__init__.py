"""Numbers, units, bases, settings and rules. Standard library and NumPy only."""
