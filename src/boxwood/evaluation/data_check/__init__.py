"""A check of a table before a tree is grown from it: one file for each kind of finding."""
