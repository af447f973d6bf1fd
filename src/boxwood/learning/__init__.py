"""What a fit learns from: parameters, the learning set and its response, the rows of a node."""
