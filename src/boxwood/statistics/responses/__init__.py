"""The kinds of y as objects: a file for each, which owns what depends on the kind."""
