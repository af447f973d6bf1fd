"""Containers in memory become columns: arrays, frames, sparse matrices, lists, rows; X by its schema; y and weights."""
