"""Bins of single columns: cut points by a tree, counts, weight of evidence, information value and points."""
