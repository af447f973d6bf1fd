"""A fitted model: the tree with its pruning path, settings and file, and the tree that users hold."""
