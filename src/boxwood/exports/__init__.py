"""A tree in other languages and formats; each export can be run on rows and compared with `predict`."""
