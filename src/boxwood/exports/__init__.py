"""A tree in other languages and formats, each of which can be run on rows and compared with `predict`."""
