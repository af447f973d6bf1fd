"""A fitted model: the tree with its pruning path, settings and file; its explorer; the trees of other programs."""
