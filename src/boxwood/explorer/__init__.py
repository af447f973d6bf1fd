"""The explorer: one HTML file to look around in a tree, without server or network."""
