"""The Tree: arrays in level order, splits, routing of rows, and the sections of the model file."""
