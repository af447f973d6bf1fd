"""The explorer: one HTML file in which to look around in a tree, without a server and without a network."""
