"""The Tree: arrays in level order, splits, the descent of rows, and the sections of the model file."""
